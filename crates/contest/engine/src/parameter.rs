//! Parameters of players as tables: each with its name, what it is, and how it is read and written.

use std::fmt::Display;
use std::str::FromStr;

use crate::EngineSetting;

/// A parameter of `P` that can be written as text.
pub struct Parameter<P: 'static> {
    /// Its name, such as `playouts`.
    pub key: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its value as text.
    pub get: fn(&P) -> String,
    /// Sets it, or says what would be right.
    pub set: fn(&mut P, &str) -> Result<(), String>,
}

/// What the parameters are, for controllers that show and change them.
pub fn list_settings<P>(entries: &[Parameter<P>], params: &P) -> Vec<EngineSetting> {
    let setting = |entry: &Parameter<P>| EngineSetting {
        key: entry.key,
        value: (entry.get)(params),
        about: entry.about,
    };
    entries.iter().map(setting).collect()
}

/// What differs from the defaults, as `key=value,key=value`.
pub fn changed_params<P: Default>(entries: &[Parameter<P>], params: &P) -> String {
    let usual = P::default();
    let differing = entries.iter().filter(|entry| (entry.get)(params) != (entry.get)(&usual));
    differing.map(|entry| format!("{}={}", entry.key, (entry.get)(params))).collect::<Vec<_>>().join(",")
}

/// All keys, for those who wrote another.
pub fn list_keys<P>(entries: &[Parameter<P>]) -> String {
    entries.iter().map(|entry| entry.key).collect::<Vec<_>>().join(", ")
}

/// Sets a parameter of an engine.
///
/// # Errors
/// Says which key or value is wrong, and what would be right.
pub fn set_param<P>(
    entries: &[Parameter<P>],
    engine: &str,
    params: &mut P,
    key: &str,
    value: &str,
) -> Result<(), String> {
    let entry = entries
        .iter()
        .find(|entry| entry.key == key)
        .ok_or_else(|| format!("engine {engine} has no parameter {key:?}: it has {}", list_keys(entries)))?;
    (entry.set)(params, value).map_err(|hint| format!("invalid {key} {value:?}: {hint}"))
}

/// Reads `KEY=VALUE,KEY=VALUE`; what is not named is as usual.
///
/// # Errors
/// As [`set_param`], and if a parameter has no value.
pub fn parse_params<P: Default>(entries: &[Parameter<P>], engine: &str, text: &str) -> Result<P, String> {
    let mut params = P::default();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (key, value) = part
            .split_once('=')
            .ok_or_else(|| format!("parameter {part:?} of {engine} has no value: write KEY=VALUE"))?;
        set_param(entries, engine, &mut params, key, value)?;
    }
    Ok(params)
}

/// The words of a switch.
pub const YES_NO: [(&str, bool); 2] = [("yes", true), ("no", false)];

/// A number within bounds.
pub fn number<T: FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Result<T, String> {
    let inside = |number: &T| *number >= least && *number <= most;
    text.parse().ok().filter(inside).ok_or_else(|| format!("write a number from {least} to {most}"))
}

/// One of some words.
pub fn word<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, String> {
    let found = words.iter().find(|(name, _)| *name == text);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|&(name, _)| name).collect();
        format!("write one of {}", names.join(", "))
    })
}

/// The word for a value.
pub fn name<T: Copy + PartialEq>(value: T, words: &[(&str, T)]) -> String {
    words.iter().find(|&&(_, other)| other == value).map_or_else(String::new, |&(name, _)| name.to_string())
}

/// A parameter that is a number within bounds.
#[macro_export]
macro_rules! numeric {
    ($key:literal, $about:literal, $least:expr, $most:expr, $($path:ident).+) => {
        $crate::parameter::Parameter {
            key: $key,
            about: $about,
            get: |params| params.$($path).+.to_string(),
            set: |params, text| {
                params.$($path).+ = $crate::parameter::number(text, $least, $most)?;
                Ok(())
            },
        }
    };
}

/// A parameter that is one of some words.
#[macro_export]
macro_rules! worded {
    ($key:literal, $about:literal, $words:expr, $($path:ident).+) => {
        $crate::parameter::Parameter {
            key: $key,
            about: $about,
            get: |params| $crate::parameter::name(params.$($path).+, &$words),
            set: |params, text| {
                params.$($path).+ = $crate::parameter::word(text, &$words)?;
                Ok(())
            },
        }
    };
}
