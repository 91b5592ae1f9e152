//! What the commands that build decks share: the pool, what is wanted of a deck, and how to solve.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use ishi_deck::{AttributeQuota, LeaderRule, PieceId, Problem};
use ishi_deck_documents::pool::{self, TableFiles};
use ishi_deck_documents::request::{self, AllowedGap};
use ishi_deck_documents::{PieceNames, PoolFile, SolveMethod, SolveRequest};

use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::parse_time_limit;

/// The tables of a pool that stand in files of their own.
#[derive(Args, Debug)]
pub(super) struct PoolFiles {
    /// Scores of pairs (CSV): a,b,score lines, or a table with names above and at the side
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Scores of a leader with others (CSV): leader,other,score lines, or a table
    #[arg(long, value_name = "FILE")]
    leaders: Option<PathBuf>,
    /// Limits of groups of pieces that count as the same (CSV): group,limit
    #[arg(long, value_name = "FILE")]
    groups: Option<PathBuf>,
}

impl PoolFiles {
    /// Is any of them given?
    pub(super) fn any_given(&self) -> bool {
        self.pairs.is_some() || self.leaders.is_some() || self.groups.is_some()
    }

    /// Reads a pool with these tables and says what should be known of it.
    pub(super) fn read_pool(&self, path: &Path, context: &Context) -> Result<PoolFile, Failure> {
        let pool = self.read_pool_silently(path)?;
        if !context.quiet {
            let name = source_name(path);
            for note in &pool.notes {
                tell!("ishi: {name}: {note}");
            }
        }
        Ok(pool)
    }

    /// Reads a pool with these tables.
    fn read_pool_silently(&self, path: &Path) -> Result<PoolFile, Failure> {
        let tables = TableFiles {
            pairs: self.pairs.as_deref(),
            leaders: self.leaders.as_deref(),
            groups: self.groups.as_deref(),
        };
        let bytes = files::read_file_or_stdin(path)?;
        let name = source_name(path);
        Ok(pool::read_pool(&name, &bytes, &request::sibling_file_reader(path), &tables)?)
    }
}

/// The pool and its tables.
#[derive(Args, Debug)]
pub(super) struct PoolArgs {
    /// The pool: .json, .toml, or .csv (its pieces: name, costs, attributes, group, score)
    pool: PathBuf,
    #[command(flatten)]
    tables: PoolFiles,
}

impl PoolArgs {
    /// Reads it and says what should be known of it.
    pub(super) fn read_pool(&self, context: &Context) -> Result<PoolFile, Failure> {
        self.tables.read_pool(&self.pool, context)
    }

    /// Reads it, and says nothing.
    pub(super) fn read_pool_silently(&self) -> Result<PoolFile, Failure> {
        self.tables.read_pool_silently(&self.pool)
    }

    /// The pool's file.
    pub(super) fn path(&self) -> &Path {
        &self.pool
    }
}

/// A file's name as messages call it.
pub(super) fn source_name(path: &Path) -> String {
    if files::is_standard(path) { "standard input".to_string() } else { path.display().to_string() }
}

/// What is wanted. Options add to the request file, and go before it where both say something.
#[derive(Args, Debug)]
pub(super) struct RequestArgs {
    /// A request (JSON or TOML); the options below add to it
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,
    /// Pieces of a deck, the leader among them: a number, or at least and at most as 15-16 [default: 16]
    #[arg(long, value_name = "N", value_parser = parse_size_range)]
    size: Option<(usize, usize)>,
    /// What a deck may cost: cost=200, or one number where there is one resource
    #[arg(long = "limit", value_name = "RESOURCE=N", value_parser = parse_limit)]
    limits: Vec<(Option<String>, i64)>,
    /// At least so many pieces of an attribute: fire=10
    #[arg(long = "at-least", value_name = "ATTRIBUTE=N", value_parser = parse_quota)]
    at_least: Vec<(String, usize)>,
    /// At most so many pieces of an attribute: ice=3
    #[arg(long = "at-most", value_name = "ATTRIBUTE=N", value_parser = parse_quota)]
    at_most: Vec<(String, usize)>,
    /// The deck's attribute: at least ten pieces of it; mixed: at most nine of each; or none
    #[arg(long, value_name = "ATTRIBUTE")]
    deck_attribute: Option<String>,
    /// Who leads: none, any, or a name (or several times a name, for the best of them)
    #[arg(long, value_name = "NAME")]
    leader: Vec<String>,
    /// The pieces that are owned: .json, .toml, or lines of name,copies [default: one of each, or the pool's copies]
    #[arg(long, value_name = "FILE")]
    owned: Option<PathBuf>,
    /// A piece that is in the deck; give it again for more
    #[arg(long = "fix", value_name = "NAME")]
    fixed: Vec<String>,
    /// A piece that is not in the deck; give it again for more
    #[arg(long = "ban", value_name = "NAME")]
    banned: Vec<String>,
    /// Steps after which the best deck so far is the answer, with its gap: the same on a busy machine
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..))]
    work_limit: Option<u64>,
    /// Seconds after which the best deck so far is the answer, with its gap
    #[arg(long, value_name = "SECONDS", value_parser = parse_time_limit)]
    time_limit: Option<Duration>,
    /// A gap that is small enough: a score such as 2.5, or a share such as 1%
    #[arg(long, value_name = "GAP", value_parser = |text: &str| text.parse::<AllowedGap>())]
    gap: Option<AllowedGap>,
}

fn parse_size_range(text: &str) -> Result<(usize, usize), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| {
        text.trim().parse().map_err(|_| format!("{text:?} is no number of pieces: write 16, or 15-16"))
    };
    let range = request::size_range(number(least)?, number(most)?)?;
    Ok((*range.start(), *range.end()))
}

fn parse_limit(text: &str) -> Result<(Option<String>, i64), String> {
    let (resource, number) = match text.rsplit_once('=') {
        Some((resource, number)) => (Some(resource.to_string()), number),
        None => (None, text),
    };
    let number = number.parse().map_err(|_| format!("{number:?} must be a whole number, as in cost=200"))?;
    Ok((resource, number))
}

fn parse_quota(text: &str) -> Result<(String, usize), String> {
    let wrong = || format!("{text:?}: write an attribute and a number, such as fire=10");
    let (attribute, number) = text.rsplit_once('=').ok_or_else(wrong)?;
    Ok((attribute.to_string(), number.parse().map_err(|_| wrong())?))
}

impl RequestArgs {
    /// The request file with what the options add.
    pub(super) fn read_wish(&self, pool: &PoolFile) -> Result<SolveRequest, Failure> {
        let mut wish = match &self.request {
            None => SolveRequest::default_for_pool(pool),
            Some(path) => {
                let bytes = files::read_file_or_stdin(path)?;
                request::read_request(&source_name(path), &bytes, pool, &request::sibling_file_reader(path))?
            }
        };
        if let Some((least, most)) = self.size {
            wish.request.size = least..=most;
        }
        self.add_limits(pool, &mut wish)?;
        self.add_quotas(pool, &mut wish)?;
        let names = PieceNames::from_pool(&pool.pool);
        if let Some(leader) = self.leader_rule(&names)? {
            wish.request.leader = leader;
        }
        if let Some(path) = &self.owned {
            let bytes = files::read_file_or_stdin(path)?;
            let owned = request::read_owned_file(&source_name(path), &bytes, &pool.pool)?;
            wish.request.owned = Some(owned);
        }
        wish.request.fixed.extend(find_pieces(&names, &self.fixed, "--fix")?);
        wish.request.banned.extend(find_pieces(&names, &self.banned, "--ban")?);
        wish.settings.work_limit = self.work_limit.or(wish.settings.work_limit);
        wish.settings.time_limit = self.time_limit.or(wish.settings.time_limit);
        wish.settings.gap = self.gap.or(wish.settings.gap);
        Ok(wish)
    }

    fn add_limits(&self, pool: &PoolFile, wish: &mut SolveRequest) -> Result<(), Failure> {
        let resources = &pool.pool.resources;
        for (resource, number) in &self.limits {
            let at = match (resource, resources.len()) {
                (Some(name), _) => request::find_resource(&pool.pool, name)
                    .map_err(|what| Failure::Input(format!("--limit {name}={number}: {what}")))?,
                (None, 1) => 0,
                (None, found) => {
                    let names = resources.join(", ");
                    return Err(Failure::Input(format!(
                        "--limit {number}: say of what; pieces of this pool have {found} costs ({names})"
                    )));
                }
            };
            wish.request.limits[at] = Some(*number);
        }
        Ok(())
    }

    fn add_quotas(&self, pool: &PoolFile, wish: &mut SolveRequest) -> Result<(), Failure> {
        let find = |option: &str, (name, number): &(String, usize)| {
            request::find_attribute(&pool.pool, name)
                .map_err(|what| Failure::Input(format!("{option} {name}={number}: {what}")))
        };
        let quotas = &mut wish.request.quotas;
        for given in &self.at_least {
            quota_mut(quotas, find("--at-least", given)?).at_least = given.1;
        }
        for given in &self.at_most {
            let quota = quota_mut(quotas, find("--at-most", given)?);
            quota.at_most = Some(given.1);
            if quota.at_least > given.1 {
                let (name, at_least) = (&given.0, quota.at_least);
                return Err(Failure::Input(format!(
                    "--at-most {name}={}: at least {at_least} of {name} are asked for",
                    given.1
                )));
            }
        }
        if let Some(word) = &self.deck_attribute {
            let fault = |what| Failure::Input(format!("--deck-attribute {word}: {what}"));
            let rule = request::parse_deck_attribute(&pool.pool, word).map_err(fault)?;
            request::add_attribute_quotas(&mut wish.request, rule, pool.pool.attributes.len())
                .map_err(fault)?;
        }
        Ok(())
    }

    fn leader_rule(&self, names: &PieceNames<'_>) -> Result<Option<LeaderRule>, Failure> {
        match self.leader.as_slice() {
            [] => Ok(None),
            [word] if word == "none" => Ok(Some(LeaderRule::None)),
            [word] if word == "any" => Ok(Some(LeaderRule::Any)),
            several => Ok(Some(LeaderRule::OneOf(find_pieces(names, several, "--leader")?))),
        }
    }
}

/// The quota of an attribute, a new one if there is none.
fn quota_mut(quotas: &mut Vec<AttributeQuota>, attribute: usize) -> &mut AttributeQuota {
    let at = quotas.iter().position(|quota| quota.attribute == attribute).unwrap_or_else(|| {
        quotas.push(AttributeQuota { attribute, at_least: 0, at_most: None });
        quotas.len() - 1
    });
    &mut quotas[at]
}

/// Pieces by the names that an option gives.
pub(super) fn find_pieces(
    names: &PieceNames<'_>,
    given: &[String],
    option: &str,
) -> Result<Vec<PieceId>, Failure> {
    let find = |name: &String| {
        names.find_piece(name).map_err(|what| Failure::Input(format!("{option} {name:?}: {what}")))
    };
    given.iter().map(find).collect()
}

/// The problem, if pool and request fit together.
pub(super) fn build_problem(pool: &PoolFile, wish: &SolveRequest) -> Result<Problem, Failure> {
    Problem::new(pool.pool.clone(), &wish.request).map_err(Failure::input)
}

/// How a deck is looked for.
#[derive(Args, Debug)]
pub(super) struct MethodArgs {
    /// exact (with a proof), ours (ishi's search, without one), variable-depth (the article's), swap-chains, annealing,
    /// hill-climbing or greedy
    /// [default: exact]
    #[arg(long, value_name = "METHOD", value_parser = |text: &str| text.parse::<SolveMethod>())]
    pub(super) method: Option<SolveMethod>,
}
