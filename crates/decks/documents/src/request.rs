//! Requests out of documents, and with them how to solve.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Component, Path};
use std::str::FromStr;
use std::time::Duration;

use ishi_deck::{AttributeQuota, DeckAttribute, DeckRequest, LeaderRule, PieceId, Pool};
use ishi_rng::Seed;
use ishi_words::{CodedError, CodedMessage, coded, facts};
use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::csv;
use super::error::{DocumentError, PathStep};
use super::names::{PieceNames, did_you_mean_hint, nearest_names};
use super::pool::{PoolFile, ReadSiblingFile, unreadable_file_error};
use super::text::{DocumentFormat, DocumentText, decode_utf8};

/// Larger decks are not built.
pub const LARGEST_DECK: usize = 1000;

/// Pieces of a deck where nothing is said.
pub const USUAL_DECK: usize = 16;

/// How a deck is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolveMethod {
    /// Bounds, and branch and bound: the best deck, with a proof.
    #[default]
    Exact,
    /// Our search, without a proof.
    Ours,
    /// The article's variable depth search, as its text has it.
    VariableDepth,
    /// Greedy chains of up to three swaps.
    SwapChains,
    /// Simulated annealing.
    Annealing,
    /// One swap at a time.
    HillClimbing,
    /// The best piece, one after the other.
    Greedy,
}

impl SolveMethod {
    /// All of them.
    pub const ALL: [SolveMethod; 7] = [
        SolveMethod::Exact,
        SolveMethod::Ours,
        SolveMethod::VariableDepth,
        SolveMethod::SwapChains,
        SolveMethod::Annealing,
        SolveMethod::HillClimbing,
        SolveMethod::Greedy,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SolveMethod::Exact => "exact",
            SolveMethod::Ours => "ours",
            SolveMethod::VariableDepth => "variable-depth",
            SolveMethod::SwapChains => "swap-chains",
            SolveMethod::Annealing => "annealing",
            SolveMethod::HillClimbing => "hill-climbing",
            SolveMethod::Greedy => "greedy",
        }
    }
}

impl FromStr for SolveMethod {
    type Err = String;
    fn from_str(text: &str) -> Result<SolveMethod, String> {
        let found = SolveMethod::ALL.into_iter().find(|method| method.name() == text);
        found.ok_or_else(|| {
            format!(
                "{text:?} is no method: it must be one of {}",
                SolveMethod::ALL.map(SolveMethod::name).join(", ")
            )
        })
    }
}

/// A gap that is small enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AllowedGap {
    /// A difference of scores.
    Score(f64),
    /// A share of the value, such as 0.01 for `1%`.
    Share(f64),
}

impl FromStr for AllowedGap {
    type Err = String;
    fn from_str(text: &str) -> Result<AllowedGap, String> {
        let number = |text: &str| text.trim().parse().ok().filter(|gap: &f64| gap.is_finite() && *gap >= 0.0);
        let gap = match text.strip_suffix('%') {
            Some(percent) => number(percent).map(|percent| AllowedGap::Share(percent / 100.0)),
            None => number(text).map(AllowedGap::Score),
        };
        gap.ok_or_else(|| {
            format!("{text:?} is no gap: it must be a score such as 2.5, or a share such as 1%")
        })
    }
}

/// How to solve; what is `None` was not said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolveSettings {
    /// The best deck so far is the answer after so many steps: nodes and moves of [`SolveEffort`](ishi_deck::SolveEffort). The same
    /// request then has the same answer, however busy the machine is.
    pub work_limit: Option<u64>,
    /// The best deck so far is the answer after this time.
    pub time_limit: Option<Duration>,
    /// The best deck so far is the answer before a proof takes more bytes than this, about. No document sets it.
    pub memory_limit: Option<usize>,
    /// The gap that is small enough; without one a proof is wanted.
    pub gap: Option<AllowedGap>,
    /// The seed of what is random.
    pub seed: Option<Seed>,
    /// How.
    pub method: Option<SolveMethod>,
}

/// A request with how to solve it.
#[derive(Clone, Debug, PartialEq)]
pub struct SolveRequest {
    /// What is wanted.
    pub request: DeckRequest,
    /// How to solve it.
    pub settings: SolveSettings,
}

impl SolveRequest {
    /// What is wanted of a pool where nothing is said: sixteen pieces, and the copies that the pool speaks of.
    #[must_use]
    pub fn default_for_pool(pool: &PoolFile) -> SolveRequest {
        let mut request = DeckRequest::with_size(USUAL_DECK..=USUAL_DECK, pool.pool.resources.len());
        request.owned.clone_from(&pool.copies);
        SolveRequest { request, settings: SolveSettings::default() }
    }
}

/// A request as documents write it.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a request: an object with such as `size`, `limits`, `quotas`, `fixed`"
)]
struct RequestText {
    size: Option<SizeText>,
    #[serde(default)]
    limits: BTreeMap<String, i64>,
    #[serde(default)]
    quotas: BTreeMap<String, QuotaText>,
    deck_attribute: Option<String>,
    leader: Option<LeaderText>,
    owned: Option<OwnedText>,
    #[serde(default)]
    fixed: Vec<String>,
    #[serde(default)]
    banned: Vec<String>,
    work_limit: Option<u64>,
    time_limit: Option<f64>,
    gap: Option<GapText>,
    seed: Option<SeedText>,
    method: Option<SolveMethod>,
}

/// Reads a request: JSON or TOML by the ending of its name, otherwise by its first character.
///
/// # Errors
/// Names file, line and field.
pub fn read_request(
    name: &str,
    bytes: &[u8],
    pool: &PoolFile,
    beside: ReadSiblingFile<'_>,
) -> Result<SolveRequest, DocumentError> {
    let text = DocumentText {
        name,
        text: decode_utf8(name, bytes)?,
        format: DocumentFormat::guess_format(name, bytes),
    };
    let document = parse_request_text(&text)?;
    let reader = RequestReader { text, pool: &pool.pool, names: PieceNames::from_pool(&pool.pool) };
    let mut wish = SolveRequest::default_for_pool(pool);
    let request = &mut wish.request;
    if let Some(size) = &document.size {
        request.size = size_range(size.0, size.1)
            .map_err(|what| text.error_at_path(&[PathStep::from_key("size")], what))?;
    }
    for (resource, &limit) in &document.limits {
        let at = find_resource(&pool.pool, resource).map_err(|what| {
            text.error_at_path(&[PathStep::from_key("limits"), PathStep::from_key(resource)], what)
        })?;
        request.limits[at] = Some(limit);
    }
    for (attribute, quota) in &document.quotas {
        request.quotas.push(reader.read_quota(attribute, quota)?);
    }
    if let Some(word) = &document.deck_attribute {
        let path = [PathStep::from_key("deck_attribute")];
        let rule = parse_deck_attribute(&pool.pool, word).map_err(|what| text.error_at_path(&path, what))?;
        add_attribute_quotas(request, rule, pool.pool.attributes.len())
            .map_err(|what| text.error_at_path(&path, what))?;
    }
    if let Some(leader) = &document.leader {
        request.leader = reader.read_leader(leader)?;
    }
    if let Some(owned) = document.owned {
        request.owned = Some(reader.read_owned(owned, beside)?);
    }
    request.fixed = reader.find_pieces("fixed", &document.fixed)?;
    request.banned = reader.find_pieces("banned", &document.banned)?;
    wish.settings = SolveSettings {
        work_limit: document.work_limit.map(|steps| reader.read_work_limit(steps)).transpose()?,
        time_limit: document.time_limit.map(|seconds| reader.read_time_limit(seconds)).transpose()?,
        memory_limit: None,
        gap: document.gap.map(|gap| gap.0),
        seed: document.seed.map(|seed| seed.0),
        method: document.method,
    };
    Ok(wish)
}

/// Looks at the form of a request only: its fields and their types, not at what they name.
///
/// # Errors
/// Names file, line and field.
pub fn check_request_form(name: &str, bytes: &[u8]) -> Result<(), DocumentError> {
    let text = DocumentText {
        name,
        text: decode_utf8(name, bytes)?,
        format: DocumentFormat::guess_format(name, bytes),
    };
    parse_request_text(&text).map(|_| ())
}

/// A list of values in the order of the fields would do for the parser; for people it is a mistake.
fn parse_request_text(text: &DocumentText<'_>) -> Result<RequestText, DocumentError> {
    if text.format == DocumentFormat::Json && text.text.trim_start().starts_with('[') {
        return Err(text.error_at_path(
            &[],
            CodedMessage::new(
                "a request must be an object, such as {\"size\": 16}",
                facts!["deck-request-object"],
            ),
        ));
    }
    text.parse()
}

/// The sizes of a deck from `least` to `most`.
///
/// # Errors
/// If there is no such deck, or it is larger than [`LARGEST_DECK`].
pub fn size_range(least: usize, most: usize) -> Result<RangeInclusive<usize>, String> {
    if most == 0 || least > most || most > LARGEST_DECK {
        return Err(format!(
            "a deck of {least} to {most} pieces: the second number must lie from 1 to {LARGEST_DECK}, and the first must not be larger"
        ));
    }
    Ok(least..=most)
}

/// The place of a resource.
///
/// # Errors
/// If there is none of this name.
pub fn find_resource(pool: &Pool, name: &str) -> Result<usize, String> {
    find_name(&pool.resources, name, "pieces of this pool do not cost", "resources")
}

/// The place of an attribute.
///
/// # Errors
/// If there is none of this name.
pub fn find_attribute(pool: &Pool, name: &str) -> Result<usize, String> {
    find_name(&pool.attributes, name, "no piece of this pool has the attribute", "attributes")
}

/// The deck's attribute by its word: `none`, `mixed`, or an attribute of the pool.
///
/// # Errors
/// If the pool has no such attribute, or none at all for a mixed deck.
pub fn parse_deck_attribute(pool: &Pool, word: &str) -> Result<DeckAttribute, String> {
    match word {
        "none" => Ok(DeckAttribute::Any),
        "mixed" if pool.attributes.is_empty() => {
            Err("a mixed deck has pieces of several attributes, and the pieces of this pool have none".into())
        }
        "mixed" => Ok(DeckAttribute::Mixed),
        name => find_attribute(pool, name)
            .map(DeckAttribute::Of)
            .map_err(|what| format!("{what} (or write \"mixed\" or \"none\")")),
    }
}

/// Adds the rule of a deck's attribute to the quotas that a request has.
///
/// # Errors
/// If an attribute would then have more pieces at least than at most.
pub fn add_attribute_quotas(
    request: &mut DeckRequest,
    attribute: DeckAttribute,
    attributes: usize,
) -> Result<(), String> {
    for rule in attribute.to_quotas(attributes) {
        let Some(quota) = request.quotas.iter_mut().find(|quota| quota.attribute == rule.attribute) else {
            request.quotas.push(rule);
            continue;
        };
        quota.at_least = quota.at_least.max(rule.at_least);
        quota.at_most = [quota.at_most, rule.at_most].into_iter().flatten().min();
        if quota.at_most.is_some_and(|at_most| at_most < quota.at_least) {
            let (least, most) = (quota.at_least, quota.at_most.unwrap_or(0));
            return Err(format!(
                "with the quotas, at least {least} and at most {most} pieces of one attribute"
            ));
        }
    }
    Ok(())
}

fn find_name(words: &[String], name: &str, problem: &str, kind: &str) -> Result<usize, String> {
    /// How many are listed.
    const LISTED: usize = 12;
    words.iter().position(|word| word == name).ok_or_else(|| {
        let near = nearest_names(name, words.iter().map(String::as_str));
        let hint = match (near.is_empty(), words.is_empty()) {
            (false, _) => did_you_mean_hint(&near),
            (true, true) => format!("; it has no {kind}"),
            (true, false) => {
                let more = if words.len() > LISTED { ", ..." } else { "" };
                let first: Vec<&str> = words.iter().take(LISTED).map(String::as_str).collect();
                format!("; its {kind} are {}{more}", first.join(", "))
            }
        };
        format!("{problem} {name:?}{hint}")
    })
}

/// Reads the pieces that are owned from a file of their own: a list or an object in JSON, `owned` in TOML, lines of `name` or
/// `name,copies` in anything else.
///
/// # Errors
/// Names file, line and field.
pub fn read_owned_file(
    name: &str,
    bytes: &[u8],
    pool: &Pool,
) -> Result<Vec<(PieceId, usize)>, DocumentError> {
    let names = PieceNames::from_pool(pool);
    match DocumentFormat::from_name(name) {
        Some(format @ (DocumentFormat::Json | DocumentFormat::Toml)) => {
            let text = DocumentText { name, text: decode_utf8(name, bytes)?, format };
            let reader = RequestReader { text, pool, names };
            if format == DocumentFormat::Json {
                return reader.read_copies(&text.parse()?, &[]);
            }
            let document: OwnedDocument = text.parse()?;
            reader.read_copies(&document.owned, &[PathStep::from_key("owned")])
        }
        _ => read_owned_lines(name, bytes, &names),
    }
}

fn read_owned_lines(
    name: &str,
    bytes: &[u8],
    names: &PieceNames<'_>,
) -> Result<Vec<(PieceId, usize)>, DocumentError> {
    let find = |(piece, copies, line): (String, usize, usize)| {
        let id = names.find_piece(&piece).map_err(|what| DocumentError::on_line(name, line, "name", what))?;
        Ok((id, copies.min(LARGEST_DECK)))
    };
    csv::read_owned_pieces(name, bytes)?.into_iter().map(find).collect()
}

/// A file of owned pieces in TOML.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "`owned`: a list of names, or a table of names and copies")]
struct OwnedDocument {
    owned: OwnedText,
}

/// A document with what names in it are looked up in.
struct RequestReader<'a> {
    text: DocumentText<'a>,
    pool: &'a Pool,
    names: PieceNames<'a>,
}

impl RequestReader<'_> {
    fn find_pieces(&self, key: &str, names: &[String]) -> Result<Vec<PieceId>, DocumentError> {
        let find = |(at, name): (usize, &String)| {
            let path = [PathStep::from_key(key), PathStep::At(at)];
            self.names.find_piece(name).map_err(|what| self.text.error_at_path(&path, what))
        };
        names.iter().enumerate().map(find).collect()
    }

    fn read_quota(&self, attribute: &str, quota: &QuotaText) -> Result<AttributeQuota, DocumentError> {
        let path = [PathStep::from_key("quotas"), PathStep::from_key(attribute)];
        let place =
            find_attribute(self.pool, attribute).map_err(|what| self.text.error_at_path(&path, what))?;
        let QuotaText { at_least, at_most } = *quota;
        if at_most.is_some_and(|at_most| at_most < at_least) {
            return Err(self
                .text
                .error_at_path(&path, coded!["deck-quota-order", "at_most is smaller than at_least"]));
        }
        Ok(AttributeQuota { attribute: place, at_least, at_most })
    }

    fn read_leader(&self, leader: &LeaderText) -> Result<LeaderRule, DocumentError> {
        let path = [PathStep::from_key("leader")];
        match leader {
            LeaderText::Word(word) if word == "none" => Ok(LeaderRule::None),
            LeaderText::Word(word) if word == "any" => Ok(LeaderRule::Any),
            LeaderText::Word(name) => match self.names.find_piece(name) {
                Ok(id) => Ok(LeaderRule::OneOf(vec![id])),
                Err(what) => {
                    let facts = facts!["deck-or-any", reason = what.facts()];
                    let message = format!("{what} (or write \"any\" or \"none\")");
                    Err(self.text.error_at_path(&path, CodedMessage::new(message, facts)))
                }
            },
            LeaderText::Names(names) => self.find_pieces("leader", names).map(LeaderRule::OneOf),
        }
    }

    fn read_owned(
        &self,
        owned: OwnedText,
        beside: ReadSiblingFile<'_>,
    ) -> Result<Vec<(PieceId, usize)>, DocumentError> {
        let path = [PathStep::from_key("owned")];
        let OwnedText::File(file) = owned else { return self.read_copies(&owned, &path) };
        let bytes = beside(&file).map_err(|why| unreadable_file_error(&self.text, &path, &file, &why))?;
        read_owned_file(&file, &bytes, self.pool)
    }

    fn read_copies(
        &self,
        owned: &OwnedText,
        path: &[PathStep],
    ) -> Result<Vec<(PieceId, usize)>, DocumentError> {
        let find = |name: &str, step: PathStep| {
            let path = [path, &[step]].concat();
            self.names.find_piece(name).map_err(|what| self.text.error_at_path(&path, what))
        };
        match owned {
            OwnedText::Names(names) => {
                names.iter().enumerate().map(|(at, name)| Ok((find(name, PathStep::At(at))?, 1))).collect()
            }
            OwnedText::Copies(copies) => copies
                .iter()
                .map(|(name, &copies)| Ok((find(name, PathStep::from_key(name))?, copies.min(LARGEST_DECK))))
                .collect(),
            OwnedText::File(_) => {
                let what =
                    coded!["deck-names-needed", "a list of names, or names with copies, is needed here"];
                Err(self.text.error_at_path(path, what))
            }
        }
    }

    fn read_work_limit(&self, steps: u64) -> Result<u64, DocumentError> {
        if steps > 0 {
            return Ok(steps);
        }
        let what = coded!["deck-work-limit", "steps must be 1 or more"];
        Err(self.text.error_at_path(&[PathStep::from_key("work_limit")], what))
    }

    fn read_time_limit(&self, seconds: f64) -> Result<Duration, DocumentError> {
        parse_time_limit(seconds)
            .map_err(|what| self.text.error_at_path(&[PathStep::from_key("time_limit")], what))
    }
}

/// Seconds as a time.
///
/// # Errors
/// If they are none, or more than a year.
pub fn parse_time_limit(seconds: f64) -> Result<Duration, String> {
    const YEAR: f64 = 365.0 * 86_400.0;
    if seconds > 0.0 && seconds <= YEAR {
        return Ok(Duration::from_secs_f64(seconds));
    }
    Err(format!("{seconds} seconds: a time limit must be more than 0 and at most a year"))
}

/// Least and most pieces.
struct SizeText(usize, usize);

/// At least, at most.
struct QuotaText {
    at_least: usize,
    at_most: Option<usize>,
}

enum LeaderText {
    Word(String),
    Names(Vec<String>),
}

enum OwnedText {
    File(String),
    Names(Vec<String>),
    Copies(BTreeMap<String, usize>),
}

struct GapText(AllowedGap);

struct SeedText(Seed);

/// The visitors of texts that can be written in more than one way: numbers, words, lists, objects.
macro_rules! one_of {
    ($text:ty, $expecting:literal, $($arm:tt)*) => {
        impl<'de> Deserialize<'de> for $text {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct TextVisitor;
                impl<'de> Visitor<'de> for TextVisitor {
                    type Value = $text;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }
                    $($arm)*
                }
                deserializer.deserialize_any(TextVisitor)
            }
        }
    };
}

one_of! {
    SizeText,
    "a number of pieces, or [least, most]",
    fn visit_u64<E: de::Error>(self, size: u64) -> Result<SizeText, E> {
        let size = usize::try_from(size).map_err(E::custom)?;
        Ok(SizeText(size, size))
    }
    fn visit_i64<E: de::Error>(self, size: i64) -> Result<SizeText, E> {
        match u64::try_from(size) {
            Ok(size) => self.visit_u64(size),
            Err(_) => Err(E::invalid_value(de::Unexpected::Signed(size), &self)),
        }
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<SizeText, A::Error> {
        let wrong = || de::Error::custom("two numbers are needed: [least, most]");
        let least = list.next_element()?.ok_or_else(wrong)?;
        let most = list.next_element()?.ok_or_else(wrong)?;
        if list.next_element::<de::IgnoredAny>()?.is_some() {
            return Err(wrong());
        }
        Ok(SizeText(least, most))
    }
}

one_of! {
    QuotaText,
    "at least how many, or an object with `at_least` and `at_most`",
    fn visit_u64<E: de::Error>(self, at_least: u64) -> Result<QuotaText, E> {
        Ok(QuotaText { at_least: usize::try_from(at_least).map_err(E::custom)?, at_most: None })
    }
    fn visit_i64<E: de::Error>(self, at_least: i64) -> Result<QuotaText, E> {
        match u64::try_from(at_least) {
            Ok(at_least) => self.visit_u64(at_least),
            Err(_) => Err(E::invalid_value(de::Unexpected::Signed(at_least), &self)),
        }
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<QuotaText, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Object {
            #[serde(default)]
            at_least: usize,
            at_most: Option<usize>,
        }
        let object = Object::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Ok(QuotaText { at_least: object.at_least, at_most: object.at_most })
    }
}

one_of! {
    LeaderText,
    "\"none\", \"any\", a name or a list of names",
    fn visit_str<E>(self, word: &str) -> Result<LeaderText, E> {
        Ok(LeaderText::Word(word.to_string()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<LeaderText, A::Error> {
        Vec::deserialize(de::value::SeqAccessDeserializer::new(list)).map(LeaderText::Names)
    }
}

one_of! {
    OwnedText,
    "a list of names, an object of names and copies, or the name of a file",
    fn visit_str<E>(self, file: &str) -> Result<OwnedText, E> {
        Ok(OwnedText::File(file.to_string()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<OwnedText, A::Error> {
        Vec::deserialize(de::value::SeqAccessDeserializer::new(list)).map(OwnedText::Names)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<OwnedText, A::Error> {
        BTreeMap::deserialize(de::value::MapAccessDeserializer::new(map)).map(OwnedText::Copies)
    }
}

one_of! {
    GapText,
    "a score such as 2.5, or a share such as \"1%\"",
    fn visit_f64<E: de::Error>(self, gap: f64) -> Result<GapText, E> {
        gap.to_string().parse().map(GapText).map_err(E::custom)
    }
    fn visit_u64<E: de::Error>(self, gap: u64) -> Result<GapText, E> {
        self.visit_f64(gap as f64)
    }
    fn visit_i64<E: de::Error>(self, gap: i64) -> Result<GapText, E> {
        self.visit_f64(gap as f64)
    }
    fn visit_str<E: de::Error>(self, gap: &str) -> Result<GapText, E> {
        gap.parse().map(GapText).map_err(E::custom)
    }
}

one_of! {
    SeedText,
    "a seed: a whole number",
    fn visit_u64<E: de::Error>(self, seed: u64) -> Result<SeedText, E> {
        self.visit_str(&seed.to_string())
    }
    fn visit_i64<E: de::Error>(self, seed: i64) -> Result<SeedText, E> {
        self.visit_str(&seed.to_string())
    }
    fn visit_str<E: de::Error>(self, seed: &str) -> Result<SeedText, E> {
        seed.parse().map(SeedText).map_err(E::custom)
    }
}

/// Reads files beside a document that stands at this path: in its folder, or in a folder below. The document may be a stranger's, and no
/// other file is opened for it.
pub fn sibling_file_reader(path: &Path) -> impl Fn(&str) -> Result<Vec<u8>, String> + use<> {
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    move |file| {
        let is_beside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if !Path::new(file).components().all(is_beside) {
            return Err("it must be a file beside this document, or in a folder below".to_string());
        }
        std::fs::read(folder.join(file)).map_err(|error| error.to_string())
    }
}
