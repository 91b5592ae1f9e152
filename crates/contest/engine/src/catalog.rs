//! What catalogs of players are made of: `NAME:KEY=VALUE,KEY=VALUE` held against a table of names and keys.

use std::fmt;
use std::str::FromStr;

/// A line of the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatalogEntry {
    /// The name, such as `go-flat`.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its parameters with their defaults, one line each; empty if it has none.
    pub params: &'static [&'static str],
}

/// The text named no engine, or not one with such parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogError(String);

impl CatalogError {
    /// Says what is wrong, and what would be right.
    pub fn new(message: impl fmt::Display) -> CatalogError {
        CatalogError(message.to_string())
    }
}

impl fmt::Display for CatalogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CatalogError {}

/// Is the text's name that of one of these engines?
pub fn is_builtin(entries: &[CatalogEntry], spec: &str) -> bool {
    let name = spec.split(':').next().unwrap_or_default();
    entries.iter().any(|entry| entry.name == name)
}

/// Keys with their values.
pub type KeyValuePairs<'a> = Vec<(&'a str, &'a str)>;

/// The entry that the text names, and its parameters.
///
/// # Errors
/// Says which name or key is wrong, and what would be right.
pub fn find_entry<'a>(
    entries: &[CatalogEntry],
    spec: &'a str,
) -> Result<(CatalogEntry, KeyValuePairs<'a>), CatalogError> {
    let (name, params) = spec.split_once(':').unwrap_or((spec, ""));
    let entry =
        entries.iter().find(|entry| entry.name == name).ok_or_else(|| unknown_engine(entries, spec))?;
    Ok((*entry, split_parameters(entry, params)?))
}

fn unknown_engine(entries: &[CatalogEntry], spec: &str) -> CatalogError {
    let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
    CatalogError(format!("no engine {spec:?}: there are {}", names.join(", ")))
}

/// Splits `KEY=VALUE,...` and holds the keys against the entry's.
fn split_parameters<'a>(entry: &CatalogEntry, text: &'a str) -> Result<KeyValuePairs<'a>, CatalogError> {
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

/// The number that a parameter is set to, if it is from `least` to `most`.
///
/// # Errors
/// Says what would be right.
pub fn parse_in_range<T: FromStr + PartialOrd + fmt::Display>(
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
