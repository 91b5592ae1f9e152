//! Engines by name: `go-flat:playouts=500,exploration=0.5`.

use std::fmt;
use std::str::FromStr;

use ishi_rng::Seed;

use crate::capture::capture_move;
use crate::engine::Engine;
use crate::flat::{Allocation, FlatParams, FlatPlayer};
use crate::random::random_move;
use crate::simple::SimplePlayer;

/// A line of the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name, such as `go-flat`.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its parameters with their defaults, one line each; empty if it has none.
    pub params: &'static [&'static str],
}

/// All built-in engines, weakest first.
pub const ENTRIES: [Entry; 3] = [
    Entry { name: "go-random", about: "a legal move at random, never into an own eye", params: &[] },
    Entry { name: "go-capture", about: "looks one move ahead for captures and escapes", params: &[] },
    Entry {
        name: "go-flat",
        about: "flat Monte Carlo with uniformly random playouts",
        params: &[
            "playouts=2000     playouts for a move, where no other limit is given",
            "allocation=ucb    ucb, or even: playouts to the candidates in turn",
            "exploration=0.7   constant C of UCB1",
            "resign=0.03       resigns below this win rate; 0: never",
        ],
    },
];

/// The text named no engine, or not one with such parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogError(String);

impl fmt::Display for CatalogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CatalogError {}

/// Is the text's name that of a built-in engine?
pub fn is_builtin(spec: &str) -> bool {
    let name = spec.split(':').next().unwrap_or_default();
    ENTRIES.iter().any(|entry| entry.name == name)
}

/// Makes an engine from `NAME` or `NAME:KEY=VALUE,KEY=VALUE`.
///
/// # Errors
/// Says which name, key or value is wrong and what would be right.
///
/// ```
/// use ishi_engines::catalog;
/// use ishi_rng::Seed;
/// let engine = catalog::create("go-flat:playouts=500", Seed::new(1)).unwrap();
/// assert_eq!(engine.name(), "go-flat");
/// let error = catalog::create("go-flat:playout=500", Seed::new(1)).err().unwrap();
/// assert_eq!(
///     error.to_string(),
///     "engine go-flat has no parameter \"playout\": it has playouts, allocation, exploration, resign"
/// );
/// ```
pub fn create(spec: &str, seed: Seed) -> Result<Box<dyn Engine>, CatalogError> {
    let (name, params) = spec.split_once(':').unwrap_or((spec, ""));
    let entry = ENTRIES.iter().find(|entry| entry.name == name).ok_or_else(|| unknown(spec))?;
    let pairs = parameters(entry, params)?;
    Ok(match entry.name {
        "go-random" => Box::new(SimplePlayer::new(entry.name, random_move, seed)),
        "go-capture" => Box::new(SimplePlayer::new(entry.name, capture_move, seed)),
        _ => Box::new(FlatPlayer::new(flat_params(&pairs)?, seed)),
    })
}

fn unknown(spec: &str) -> CatalogError {
    let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
    CatalogError(format!("no engine {spec:?}: there are {}", names.join(", ")))
}

/// Splits `KEY=VALUE,...` and holds the keys against the entry's.
fn parameters<'a>(entry: &Entry, text: &'a str) -> Result<Vec<(&'a str, &'a str)>, CatalogError> {
    let keys: Vec<&str> = entry.params.iter().map(|line| line.split('=').next().unwrap_or(line)).collect();
    let mut pairs = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').ok_or_else(|| {
            CatalogError(format!("parameter {part:?} of {} has no value: write KEY=VALUE", entry.name))
        })?;
        if !keys.contains(&key) {
            let known = if keys.is_empty() { "none".to_string() } else { keys.join(", ") };
            return Err(CatalogError(format!(
                "engine {} has no parameter {key:?}: it has {known}",
                entry.name
            )));
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

fn flat_params(pairs: &[(&str, &str)]) -> Result<FlatParams, CatalogError> {
    let mut params = FlatParams::default();
    for &(key, value) in pairs {
        match key {
            "playouts" => params.playouts = number(key, value, 1, u64::MAX)?,
            "allocation" => params.allocation = allocation(value)?,
            "exploration" => params.exploration = number(key, value, 0.0, 100.0)?,
            _ => params.resign_below = number(key, value, 0.0, 1.0)?,
        }
    }
    Ok(params)
}

fn allocation(value: &str) -> Result<Allocation, CatalogError> {
    match value {
        "ucb" => Ok(Allocation::Ucb),
        "even" => Ok(Allocation::Even),
        _ => Err(CatalogError(format!("allocation {value:?} is unknown: write ucb or even"))),
    }
}

fn number<T: FromStr + PartialOrd + fmt::Display>(
    key: &str,
    value: &str,
    least: T,
    most: T,
) -> Result<T, CatalogError> {
    let inside = |number: &T| *number >= least && *number <= most;
    value.parse().ok().filter(inside).ok_or_else(|| {
        CatalogError(format!("{key}={value} is out of range: write a number from {least} to {most}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_can_be_made_and_names_itself() {
        for entry in ENTRIES {
            let engine = create(entry.name, Seed::new(1)).unwrap();
            assert_eq!(engine.name(), entry.name);
            let again = create(&engine.spec(), Seed::new(1)).unwrap();
            assert_eq!(again.spec(), engine.spec(), "the printed parameters make the same engine");
        }
    }

    #[test]
    fn errors_say_what_is_right() {
        let error = |spec: &str| create(spec, Seed::new(1)).err().unwrap().to_string();
        assert_eq!(error("go-flt"), "no engine \"go-flt\": there are go-random, go-capture, go-flat");
        assert_eq!(error("go-random:x=1"), "engine go-random has no parameter \"x\": it has none");
        assert_eq!(
            error("go-flat:playouts"),
            "parameter \"playouts\" of go-flat has no value: write KEY=VALUE"
        );
        assert_eq!(error("go-flat:resign=2"), "resign=2 is out of range: write a number from 0 to 1");
        assert_eq!(error("go-flat:allocation=all"), "allocation \"all\" is unknown: write ucb or even");
    }
}
