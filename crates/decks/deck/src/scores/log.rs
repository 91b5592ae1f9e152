//! Reads logs of decks, a deck at a time.
//!
//! Four formats, told apart by their first line:
//! - **tournament**: a deck a line, tabs between its fields: the date, then `count card` for each card;
//! - **lines**: a deck a line, a card a field, commas or tabs between them; a first line that names a column `leader`, `date` or
//!   `card` is a heading, every other column is a card, and empty fields are nothing;
//! - **long**: a card a line below a heading with the columns `deck` and `card` and, where wanted, `count`, `leader` (is this card the
//!   leader?) and `date`; a deck's lines stand together;
//! - **compact**: a deck a line, its cards as whole numbers with spaces, tabs or commas between them; the leader's number first,
//!   with a colon, where there is one: `17: 3 5 9`.
//!
//! Fields may stand in quotes, as in RFC 4180, except in the first and last format; no field goes over a line's end.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{BufRead, Read};
use std::str::FromStr;

use ishi_words::{CodedError, CodedMessage, ErrorFacts, coded, facts};
use thiserror::Error;

/// The names of cards, by number, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct CardVocabulary {
    names: Vec<String>,
    numbers: HashMap<String, u32, BuildHasherDefault<FnvHasher>>,
    /// The card and 1 of each name that is a small whole number, or 0.
    small: Vec<u32>,
}

/// Whole numbers below this are looked up in an array.
const SMALL: usize = 1 << 20;
/// Bytes of a line at most: a line without an end would fill the memory.
const LONGEST_LINE: u64 = 1 << 24;

/// FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), eight bytes at a time and mixed at the end.
#[derive(Clone)]
struct FnvHasher(u64);

impl Default for FnvHasher {
    fn default() -> FnvHasher {
        FnvHasher(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for FnvHasher {
    fn finish(&self) -> u64 {
        (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01B3);
            self.0 ^= self.0 >> 29;
        }
    }
}

impl CardVocabulary {
    /// The card's number: a new one if the name is new.
    pub fn intern_name(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_string());
        self.numbers.insert(name.to_string(), number);
        number
    }

    /// The card whose name is this whole number.
    fn intern_number(&mut self, id: usize) -> u32 {
        if id >= SMALL {
            return self.intern_name(&id.to_string());
        }
        if id >= self.small.len() {
            self.small.resize(id + 1, 0);
        }
        if self.small[id] == 0 {
            self.small[id] = self.intern_name(&id.to_string()) + 1;
        }
        self.small[id] - 1
    }

    /// The number of a name that came before.
    #[must_use]
    pub fn find_card(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// All names, by number.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

/// A day, counted from 1 March of the year 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Day(pub i32);

/// Days of a year before each month, from March on.
const BEFORE: [i32; 12] = [0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337];

fn days_before_year(year: i32) -> i32 {
    year * 365 + year / 4 - year / 100 + year / 400
}

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Day, String> {
        let wrong = || date_error(text).to_string();
        let bytes = text.as_bytes();
        let shape =
            |(at, byte): (usize, &u8)| if at == 4 || at == 7 { *byte == b'-' } else { byte.is_ascii_digit() };
        if bytes.len() != 10 || !bytes.iter().enumerate().all(shape) {
            return Err(wrong());
        }
        let number = |range: std::ops::Range<usize>| text[range].parse::<i32>().map_err(|_| wrong());
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        if year < 1 || !(1..=12).contains(&month) || day < 1 {
            return Err(wrong());
        }
        let year = if month < 3 { year - 1 } else { year };
        let found = Day(days_before_year(year) + BEFORE[(month + 9) as usize % 12] + day - 1);
        if found.to_string() == text { Ok(found) } else { Err(wrong()) }
    }
}

fn date_error(text: &str) -> CodedMessage {
    coded!["deck-log-no-date", "no date {text}: as 2026-02-28", text = format!("{text:?}")]
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut year = (f64::from(self.0) / 365.2425) as i32 + 1;
        while days_before_year(year) > self.0 {
            year -= 1;
        }
        let rest = self.0 - days_before_year(year);
        let month = (0..12).rev().find(|&month| BEFORE[month] <= rest).unwrap_or(0);
        let (civil, day) = ((month + 2) % 12 + 1, rest - BEFORE[month] + 1);
        write!(f, "{:04}-{civil:02}-{day:02}", if civil < 3 { year + 1 } else { year })
    }
}

/// How decks are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// The date, then `count card` for each card, tabs between.
    Tournament,
    /// A deck a line, a card a field.
    Lines,
    /// A card a line.
    Long,
    /// A deck a line of whole numbers.
    Compact,
}

impl LogFormat {
    /// All of them.
    pub const ALL: [LogFormat; 4] =
        [LogFormat::Tournament, LogFormat::Lines, LogFormat::Long, LogFormat::Compact];

    /// Its word on the command line.
    #[must_use]
    pub fn cli_word(self) -> &'static str {
        match self {
            LogFormat::Tournament => "tournament",
            LogFormat::Lines => "lines",
            LogFormat::Long => "long",
            LogFormat::Compact => "compact",
        }
    }

    /// The format that a first line looks like.
    pub(super) fn detect_format(line: &str) -> LogFormat {
        let first = line.split('\t').next().unwrap_or_default();
        if line.contains('\t') && first.parse::<Day>().is_ok() {
            return LogFormat::Tournament;
        }
        let number = |byte: u8| byte.is_ascii_digit() || b" \t,:".contains(&byte);
        if line.bytes().all(number) {
            return LogFormat::Compact;
        }
        let names: Vec<String> = split_fields(line, find_separator(line)).unwrap_or_default();
        let has = |wanted: &str| names.iter().any(|name| name.trim().eq_ignore_ascii_case(wanted));
        if has("deck") && has("card") { LogFormat::Long } else { LogFormat::Lines }
    }
}

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.cli_word())
    }
}

impl FromStr for LogFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<LogFormat, String> {
        LogFormat::ALL
            .into_iter()
            .find(|format| format.cli_word() == text)
            .ok_or_else(|| format!("no format {text:?}: it must be one of tournament, lines, long, compact"))
    }
}

/// Why a log cannot be read.
#[derive(Debug, Error)]
pub enum LogError {
    /// The reader failed.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// A line makes no sense.
    #[error("line {line}{}: {what}", .field.map_or(String::new(), |field| format!(", field {field}")))]
    Line {
        /// Counted from 1.
        line: usize,
        /// Counted from 1, where it is one field's fault.
        field: Option<usize>,
        /// What is wrong, and what would be right.
        what: CodedMessage,
    },
}

impl CodedError for LogError {
    fn facts(&self) -> ErrorFacts {
        match self {
            LogError::Read(error) => facts!["deck-log-unreadable", cause = error],
            LogError::Line { line, field: None, what } => {
                facts!["text-on-line", line, reason = what.facts()]
            }
            LogError::Line { line, field: Some(field), what } => {
                facts!["deck-log-field", line, field, reason = what.facts()]
            }
        }
    }
}

/// A deck of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogEntry<'a> {
    /// When it was played, where the log says so.
    pub day: Option<Day>,
    /// The card that leads.
    pub leader: Option<u32>,
    /// All cards, as often and in the order in which they stand there; the leader may be among them.
    pub cards: &'a [u32],
}

/// A log that is being read.
#[derive(Debug)]
pub struct DeckLog<R> {
    reader: R,
    format: Option<LogFormat>,
    heading: LogHeading,
    /// The line that was read last, without its end.
    line: String,
    number: usize,
    /// `line` was looked at and not used.
    kept: bool,
    cards: Vec<u32>,
    /// Hashes of the decks of a long log that are over.
    over: HashSet<u64, BuildHasherDefault<FnvHasher>>,
}

/// Which column is what, from 0.
#[derive(Clone, Debug, Default)]
pub(super) struct LogHeading {
    separator: char,
    columns: usize,
    deck: Option<usize>,
    card: Option<usize>,
    count: Option<usize>,
    leader: Option<usize>,
    date: Option<usize>,
}

impl LogHeading {
    /// The columns that the fields of a first line name, in any case.
    pub(super) fn from_fields(separator: char, fields: &[String]) -> LogHeading {
        let find = |wanted: &str| fields.iter().position(|field| field.trim().eq_ignore_ascii_case(wanted));
        LogHeading {
            separator,
            columns: fields.len(),
            deck: find("deck"),
            card: find("card").or_else(|| find("card1")).or_else(|| find("cards")),
            count: find("count"),
            leader: find("leader"),
            date: find("date"),
        }
    }

    /// Does it name a column of cards, of leaders or of dates? A line that names none is a deck.
    pub(super) fn names_columns(&self) -> bool {
        self.card.or(self.leader).or(self.date).is_some()
    }
}

impl<R: BufRead> DeckLog<R> {
    /// Reads from `reader`; `format` is found by the first line where none is given.
    pub fn new(reader: R, format: Option<LogFormat>) -> DeckLog<R> {
        DeckLog {
            reader,
            format,
            heading: LogHeading::default(),
            line: String::new(),
            number: 0,
            kept: false,
            cards: Vec::new(),
            over: HashSet::default(),
        }
    }

    /// The format, once the first deck was read.
    #[must_use]
    pub fn format(&self) -> Option<LogFormat> {
        self.format
    }

    /// The line that was read last, counted from 1.
    #[must_use]
    pub fn line_number(&self) -> usize {
        self.number
    }

    /// The next deck; its cards' names go into the vocabulary. `None` at the end.
    ///
    /// # Errors
    /// If the reader fails or a line makes no sense.
    pub fn next_deck(&mut self, vocabulary: &mut CardVocabulary) -> Result<Option<LogEntry<'_>>, LogError> {
        if self.number == 0 {
            self.read_heading()?;
        }
        self.cards.clear();
        if self.format == Some(LogFormat::Long) {
            return self.read_long_deck(vocabulary);
        }
        if !self.read_next_line()? {
            return Ok(None);
        }
        match self.format {
            Some(LogFormat::Tournament) => self.parse_tournament_line(vocabulary),
            Some(LogFormat::Compact) => self.parse_compact_line(vocabulary),
            _ => self.parse_fields_line(vocabulary),
        }
        .map(Some)
    }

    /// The next line that is not empty, into `line`; is there one?
    fn read_next_line(&mut self) -> Result<bool, LogError> {
        if std::mem::take(&mut self.kept) {
            return Ok(true);
        }
        loop {
            let mut bytes = std::mem::take(&mut self.line).into_bytes();
            bytes.clear();
            let found = self.reader.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes)?;
            if found == 0 {
                return Ok(false);
            }
            self.number += 1;
            if found as u64 > LONGEST_LINE {
                let what =
                    coded!["deck-log-long-line", "a line must end within {most} bytes", most = LONGEST_LINE];
                return Err(self.line_error(None, what));
            }
            while bytes.last().is_some_and(|&byte| byte == b'\n' || byte == b'\r') {
                bytes.pop();
            }
            if self.number == 1 && bytes.starts_with(b"\xEF\xBB\xBF") {
                bytes.drain(..3);
            }
            self.line = String::from_utf8(bytes).map_err(|error| {
                let byte = error.utf8_error().valid_up_to() + 1;
                self.line_error(None, coded!["deck-log-no-text", "no UTF-8 text at byte {byte}", byte])
            })?;
            if !self.line.trim().is_empty() {
                return Ok(true);
            }
        }
    }

    fn line_error(&self, field: Option<usize>, what: CodedMessage) -> LogError {
        LogError::Line { line: self.number, field: field.map(|field| field + 1), what }
    }

    /// Looks at the first line.
    fn read_heading(&mut self) -> Result<(), LogError> {
        if !self.read_next_line()? {
            return Ok(());
        }
        let format = *self.format.get_or_insert(LogFormat::detect_format(&self.line));
        self.kept = true;
        if !matches!(format, LogFormat::Lines | LogFormat::Long) {
            return Ok(());
        }
        let separator = find_separator(&self.line);
        let fields = split_fields(&self.line, separator).map_err(|what| self.line_error(None, what))?;
        let heading = LogHeading::from_fields(separator, &fields);
        let is_heading = heading.names_columns();
        if format == LogFormat::Long && (heading.card.is_none() || heading.deck.is_none()) {
            let what = coded![
                "deck-log-no-heading",
                "there must be a heading with the columns deck and card (and count, leader, date)"
            ];
            return Err(self.line_error(None, what));
        }
        self.heading = if is_heading { heading } else { LogHeading { separator, ..LogHeading::default() } };
        self.kept = !is_heading;
        Ok(())
    }

    fn parse_tournament_line(&mut self, vocabulary: &mut CardVocabulary) -> Result<LogEntry<'_>, LogError> {
        let mut fields = self.line.split('\t').enumerate();
        let (_, date) = fields.next().unwrap_or_default();
        let day = date.parse().map_err(|_: String| self.line_error(Some(0), date_error(date)))?;
        for (at, field) in fields {
            let (count, card) = field.split_once(' ').unwrap_or((field, ""));
            let card = card.trim();
            if card.is_empty() || !count.parse::<u32>().is_ok_and(|count| count > 0) {
                let what = coded![
                    "deck-log-count-and-card",
                    "{field}: a count and a card, such as \"4 Island\"",
                    field = format!("{field:?}")
                ];
                return Err(self.line_error(Some(at), what));
            }
            let card = vocabulary.intern_name(card);
            self.cards.push(card);
        }
        if self.cards.is_empty() {
            return Err(self.line_error(None, coded!["deck-log-no-cards", "a date without cards"]));
        }
        Ok(LogEntry { day: Some(day), leader: None, cards: &self.cards })
    }

    fn parse_compact_line(&mut self, vocabulary: &mut CardVocabulary) -> Result<LogEntry<'_>, LogError> {
        let (head, rest) =
            self.line.split_once(':').map_or((None, self.line.as_str()), |(head, rest)| (Some(head), rest));
        let leader = match head {
            None => None,
            Some(head) => {
                let id = head
                    .trim()
                    .parse::<u32>()
                    .map_err(|_| self.line_error(Some(0), whole_number_message(head)))?;
                Some(vocabulary.intern_number(id as usize))
            }
        };
        let mut id: Option<u64> = None;
        let mut field = usize::from(head.is_some());
        for byte in rest.bytes().chain([b' ']) {
            match (byte, id) {
                (b'0'..=b'9', _) => {
                    id = Some(id.unwrap_or(0) * 10 + u64::from(byte - b'0'))
                        .filter(|&id| id <= u64::from(u32::MAX));
                    if id.is_none() {
                        let what = coded![
                            "deck-log-large-number",
                            "it must be a number of at most {most}",
                            most = u32::MAX
                        ];
                        return Err(self.line_error(Some(field), what));
                    }
                }
                (b' ' | b'\t' | b',', Some(found)) => {
                    self.cards.push(vocabulary.intern_number(found as usize));
                    field += 1;
                    id = None;
                }
                (b' ' | b'\t' | b',', None) => {}
                _ => {
                    let wrong = rest.split([' ', '\t', ',']).filter(|text| !text.is_empty());
                    let wrong =
                        wrong.into_iter().find(|text| !text.bytes().all(|byte| byte.is_ascii_digit()));
                    return Err(self.line_error(Some(field), whole_number_message(wrong.unwrap_or_default())));
                }
            }
        }
        Ok(LogEntry { day: None, leader, cards: &self.cards })
    }

    fn parse_fields_line(&mut self, vocabulary: &mut CardVocabulary) -> Result<LogEntry<'_>, LogError> {
        let fields =
            split_fields(&self.line, self.heading.separator).map_err(|what| self.line_error(None, what))?;
        let (mut day, mut leader) = (None, None);
        for (at, field) in fields.iter().enumerate().filter(|(_, field)| !field.is_empty()) {
            if Some(at) == self.heading.date {
                day = Some(field.parse().map_err(|_: String| self.line_error(Some(at), date_error(field)))?);
                continue;
            }
            let card = vocabulary.intern_name(field);
            if Some(at) == self.heading.leader {
                leader = Some(card);
            } else {
                self.cards.push(card);
            }
        }
        if self.heading.date.is_some() && day.is_none() {
            let what = coded!["deck-log-date", "a date must be written as 2026-02-28"];
            return Err(self.line_error(self.heading.date, what));
        }
        Ok(LogEntry { day, leader, cards: &self.cards })
    }

    fn read_long_deck(&mut self, vocabulary: &mut CardVocabulary) -> Result<Option<LogEntry<'_>>, LogError> {
        let (mut deck, mut day, mut leader) = (None, None, None);
        while self.read_next_line()? {
            let LogHeading { separator, columns, count, date, .. } = self.heading;
            let fields = split_fields(&self.line, separator).map_err(|what| self.line_error(None, what))?;
            if fields.len() != columns {
                let what = coded![
                    "deck-log-fields",
                    "{fields} fields, the heading has {columns}",
                    fields = fields.len(),
                    columns
                ];
                return Err(self.line_error(None, what));
            }
            let name = &fields[self.heading.deck.unwrap_or_default()];
            let hash = hash_name(name);
            if *deck.get_or_insert(hash) != hash {
                self.kept = true;
                break;
            }
            if self.over.contains(&hash) {
                let what = coded![
                    "deck-log-deck-apart",
                    "deck {name} goes on after other decks: the lines of a deck stand together",
                    name = format!("{name:?}")
                ];
                return Err(self.line_error(self.heading.deck, what));
            }
            if let Some(at) = count
                && !fields[at].parse::<u32>().is_ok_and(|count| count > 0)
            {
                let what = coded![
                    "deck-log-count",
                    "{text}: it must be a count of 1 or more",
                    text = format!("{:?}", fields[at])
                ];
                return Err(self.line_error(count, what));
            }
            if let Some(at) = date {
                let no_date = |_: String| self.line_error(date, date_error(&fields[at]));
                let found = fields[at].parse().map_err(no_date)?;
                if *day.get_or_insert(found) != found {
                    let what =
                        coded!["deck-log-two-dates", "deck {name} has two dates", name = format!("{name:?}")];
                    return Err(self.line_error(date, what));
                }
            }
            let at = self.heading.card.unwrap_or_default();
            if fields[at].is_empty() {
                return Err(self.line_error(Some(at), coded!["deck-log-no-card", "there must be a card"]));
            }
            let card = vocabulary.intern_name(&fields[at]);
            self.cards.push(card);
            if let Some(at) = self.heading.leader
                && self.parse_leader_flag(at, &fields[at])?
                && leader.replace(card).is_some_and(|other| other != card)
            {
                let what =
                    coded!["deck-log-two-leaders", "deck {name} has two leaders", name = format!("{name:?}")];
                return Err(self.line_error(Some(at), what));
            }
        }
        let Some(deck) = deck else { return Ok(None) };
        self.over.insert(deck);
        Ok(Some(LogEntry { day, leader, cards: &self.cards }))
    }

    fn parse_leader_flag(&self, at: usize, field: &str) -> Result<bool, LogError> {
        match field.to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" => Ok(true),
            "" | "0" | "false" | "no" => Ok(false),
            _ => {
                let what = coded![
                    "deck-log-leads",
                    "{field}: does the card lead? 1 or 0, yes or no, true or false",
                    field = format!("{field:?}")
                ];
                Err(self.line_error(Some(at), what))
            }
        }
    }
}

fn whole_number_message(text: &str) -> CodedMessage {
    coded![
        "deck-log-card-number",
        "{text}: it must be a card's number, a whole number",
        text = format!("{text:?}")
    ]
}

fn hash_name(text: &str) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Tabs if the line has any, commas otherwise.
pub(super) fn find_separator(line: &str) -> char {
    if line.contains('\t') { '\t' } else { ',' }
}

/// The fields of a line, without quotes and the spaces around them.
pub(super) fn split_fields(line: &str, separator: char) -> Result<Vec<String>, CodedMessage> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let trimmed = rest.trim_start_matches(' ');
        let Some(quoted) = trimmed.strip_prefix('"') else {
            let (field, next) =
                rest.split_once(separator).map_or((rest, None), |(field, next)| (field, Some(next)));
            fields.push(field.trim().to_string());
            match next {
                Some(next) => rest = next,
                None => return Ok(fields),
            }
            continue;
        };
        let (field, after) = unquote_field(quoted)
            .ok_or_else(|| coded!["deck-log-open-quote", "a quote is not closed on its line"])?;
        fields.push(field);
        let after = after.trim_start_matches(' ');
        match after.strip_prefix(separator) {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(fields),
            None => {
                return Err(coded![
                    "deck-log-after-quote",
                    "after a closing quote stands {after}; a quote inside is written twice",
                    after = format!("{after:?}")
                ]);
            }
        }
    }
}

/// The text up to the closing quote, and what follows it.
fn unquote_field(text: &str) -> Option<(String, &str)> {
    let mut field = String::new();
    let mut rest = text;
    loop {
        let (part, after) = rest.split_once('"')?;
        field.push_str(part);
        match after.strip_prefix('"') {
            Some(after) => {
                field.push('"');
                rest = after;
            }
            None => return Some((field, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Deck = (Option<String>, Option<String>, Vec<String>);

    #[test]
    fn a_line_without_end_is_refused() {
        for format in [None, Some(LogFormat::Tournament), Some(LogFormat::Compact)] {
            let mut log = DeckLog::new(std::io::BufReader::new(std::io::repeat(b'a')), format);
            let error = log.next_deck(&mut CardVocabulary::default()).unwrap_err().to_string();
            assert!(error.contains("a line must end within 16777216 bytes"), "{error}");
        }
    }

    fn read(text: &str, format: Option<LogFormat>) -> Result<(Option<LogFormat>, Vec<Deck>), String> {
        let mut log = DeckLog::new(text.as_bytes(), format);
        let mut vocabulary = CardVocabulary::default();
        let mut decks = Vec::new();
        loop {
            let entry = log.next_deck(&mut vocabulary).map_err(|error| error.to_string())?;
            let Some(LogEntry { day, leader, cards }) = entry else { break };
            let (leader, cards) = (leader, cards.to_vec());
            let name = |card: u32| vocabulary.names()[card as usize].clone();
            decks.push((
                day.map(|day| day.to_string()),
                leader.map(name),
                cards.into_iter().map(name).collect(),
            ));
        }
        Ok((log.format(), decks))
    }

    fn deck(day: &str, leader: &str, cards: &[&str]) -> Deck {
        let some = |text: &str| Some(text.to_string()).filter(|text| !text.is_empty());
        (some(day), some(leader), cards.iter().map(|card| card.to_string()).collect())
    }

    #[test]
    fn formats_are_told_apart() {
        let cases = [
            (
                "2025-01-31\t4 Fire, and Ice\t1 Oak\r\n\n2024-02-29\t2 Oak\n",
                LogFormat::Tournament,
                vec![deck("2025-01-31", "", &["Fire, and Ice", "Oak"]), deck("2024-02-29", "", &["Oak"])],
            ),
            (
                "Oak,\"Fire, \"\"and\"\" Ice\", Elm\nElm\n",
                LogFormat::Lines,
                vec![deck("", "", &["Oak", "Fire, \"and\" Ice", "Elm"]), deck("", "", &["Elm"])],
            ),
            (
                "\u{feff}date,leader,card1,card2\n2025-01-31,Oak,Elm,\n2025-02-01,,Elm,Oak\n",
                LogFormat::Lines,
                vec![deck("2025-01-31", "Oak", &["Elm"]), deck("2025-02-01", "", &["Elm", "Oak"])],
            ),
            (
                "deck\tcard\tcount\tleader\nx\tOak\t4\t1\nx\tElm\t1\t0\ny\tElm\t2\tno\n",
                LogFormat::Long,
                vec![deck("", "Oak", &["Oak", "Elm"]), deck("", "", &["Elm"])],
            ),
            (
                "12 7 2000000\n7: 12, 9\n",
                LogFormat::Compact,
                vec![deck("", "", &["12", "7", "2000000"]), deck("", "7", &["12", "9"])],
            ),
        ];
        for (text, format, decks) in cases {
            assert_eq!(read(text, None).unwrap(), (Some(format), decks), "{text}");
        }
        assert_eq!(read("", None).unwrap(), (None, Vec::new()));
        assert_eq!(read("1,2", Some(LogFormat::Lines)).unwrap().1, [deck("", "", &["1", "2"])]);
    }

    #[test]
    fn errors_name_line_and_field() {
        let cases = [
            (
                "2025-01-31\t4 Oak\n2025-02-30\t4 Oak\n",
                "line 2, field 1: no date \"2025-02-30\": as 2026-02-28",
            ),
            (
                "2025-01-31\t4 Oak\tElm\n",
                "line 1, field 3: \"Elm\": a count and a card, such as \"4 Island\"",
            ),
            ("2025-01-31\t0 Oak\n", "line 1, field 2: \"0 Oak\""),
            ("Oak,Elm\n\"Oak,Elm\n", "line 2: a quote is not closed on its line"),
            ("Oak\n\"Oak\" x,Elm\n", "line 2: after a closing quote stands \"x,Elm\""),
            ("deck,card\n1,Oak\n2,Oak\n1,Elm\n", "line 4, field 1: deck \"1\" goes on after other decks"),
            ("deck,card\n1\n", "line 2: 1 fields, the heading has 2"),
            ("deck,card,count\n1,Oak,none\n", "line 2, field 3: \"none\": it must be a count of 1 or more"),
            ("deck,card,leader\n1,Oak,1\n1,Elm,1\n", "line 3, field 3: deck \"1\" has two leaders"),
            ("deck,card,leader\n1,Oak,maybe\n", "line 2, field 3: \"maybe\": does the card lead?"),
            (
                "deck,card,date\n1,Oak,2025-01-01\n1,Elm,2025-01-02\n",
                "line 3, field 3: deck \"1\" has two dates",
            ),
            ("date,card\n,Oak\n", "line 2, field 1: a date must be written as 2026-02-28"),
            ("1 2\n3 x4 5\n", "line 2, field 2: \"x4\": it must be a card's number"),
            ("1 2\n3 99999999999 5\n", "line 2, field 2: it must be a number of at most 4294967295"),
        ];
        for (text, wanted) in cases {
            let error = read(text, None).unwrap_err();
            assert!(error.starts_with(wanted), "{text:?}: {error}");
        }
        let error = read("Oak\n", Some(LogFormat::Long)).unwrap_err();
        assert!(error.contains("columns deck and card"), "{error}");
    }

    #[test]
    fn days_by_hand() {
        assert_eq!("0001-01-01".parse::<Day>().unwrap().0, 306);
        let days: Vec<i32> = ["2023-12-31", "2024-02-29", "2024-03-01", "2026-02-28"]
            .iter()
            .map(|text| text.parse::<Day>().unwrap().0)
            .collect();
        assert_eq!([days[1] - days[0], days[2] - days[1], days[3] - days[2]], [60, 1, 729]);
        for wrong in
            ["2023-02-29", "2025-13-01", "2025-00-01", "2025-1-1", "25-01-011", "2025-04-31", "0000-01-01"]
        {
            assert!(wrong.parse::<Day>().is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn days_are_read_as_written(day in 306..3_000_000i32) {
            let text = Day(day).to_string();
            prop_assert_eq!(text.parse::<Day>(), Ok(Day(day)), "{}", text);
        }

        #[test]
        fn no_text_makes_it_panic(text in "[ -~\t\n\"é]{0,60}", format in 0..5usize) {
            let _ = read(&text, LogFormat::ALL.get(format).copied());
        }
    }
}
