//! What catalogs of players are made of: `NAME:KEY=VALUE,KEY=VALUE` held against a table of names and keys.

use std::fmt;

use ishi_words::{CodedError, CodedMessage, ErrorFacts, facts};

use crate::parameter::{Parameter, ParameterRow};

/// A line of the catalog.
#[derive(Clone, Copy, Debug)]
pub struct CatalogEntry {
    /// The name, such as `go-flat`.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// The same in Japanese.
    pub japanese: &'static str,
    /// Its parameters, from its table.
    pub parameters: fn() -> Vec<ParameterRow>,
}

/// The parameters of a player that has none.
pub fn no_parameters() -> Vec<ParameterRow> {
    Vec::new()
}

/// The text named no engine, or not one with such parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CatalogError(CodedMessage);

impl CatalogError {
    /// Says what is wrong, and what would be right: in English, and as data.
    pub fn new(message: impl fmt::Display, facts: ErrorFacts) -> CatalogError {
        CatalogError(CodedMessage::new(message, facts))
    }
}

impl CodedError for CatalogError {
    fn facts(&self) -> ErrorFacts {
        self.0.facts()
    }
}

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
    let names = entries.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
    let message = format!("no engine {spec:?}: there are {names}");
    CatalogError::new(message, facts!["engine-unknown", text = format!("{spec:?}"), names])
}

/// Splits `KEY=VALUE,...` and holds the keys against the entry's.
fn split_parameters<'a>(entry: &CatalogEntry, text: &'a str) -> Result<KeyValuePairs<'a>, CatalogError> {
    let keys: Vec<&str> = (entry.parameters)().iter().map(|row| row.key).collect();
    let mut pairs = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').ok_or_else(|| no_value_error(entry.name, part))?;
        if !keys.contains(&key) {
            let known = if keys.is_empty() { "none".to_string() } else { keys.join(", ") };
            return Err(unknown_key_error(entry.name, key, &known));
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

/// `playouts` in place of `playouts=100`.
pub fn no_value_error(engine: &str, part: &str) -> CatalogError {
    let message = format!("parameter {part:?} of {engine} has no value: write KEY=VALUE");
    CatalogError::new(message, facts!["engine-no-value", engine, part = format!("{part:?}")])
}

/// A key that the engine does not have; `known` are those that it has.
pub fn unknown_key_error(engine: &str, key: &str, known: &str) -> CatalogError {
    let message = format!("engine {engine} has no parameter {key:?}: it has {known}");
    CatalogError::new(message, facts!["engine-no-parameter", engine, key = format!("{key:?}"), known])
}

/// The parameters that these pairs set, all others as usual. The keys are those of the table: [`find_entry`] has seen to it.
///
/// # Errors
/// Says which value is wrong, and what would be right.
pub fn parse_pairs<P: Default>(
    entries: &[Parameter<P>],
    pairs: &KeyValuePairs<'_>,
) -> Result<P, CatalogError> {
    let mut params = P::default();
    for &(key, value) in pairs {
        let Some(entry) = entries.iter().find(|entry| entry.key == key) else { continue };
        (entry.set)(&mut params, value).map_err(|fault| fault.to_error(key, value))?;
    }
    Ok(params)
}
