//! Parameters of players as tables: each with its name, what it is and may be, and how it is read and written. Command lines, files,
//! GTP, pages and helps all have them from there.

use std::fmt::Display;
use std::str::FromStr;

use ishi_words::{ErrorFacts, facts};

use crate::EngineSetting;
use crate::catalog::{CatalogError, no_value_error, unknown_key_error};

/// A parameter of `P` that can be written as text.
pub struct Parameter<P: 'static> {
    /// Its name, such as `playouts`.
    pub key: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// The same in Japanese.
    pub japanese: &'static str,
    /// What it may be, such as `1 to 256`.
    pub allowed: fn(&P) -> String,
    /// Its value as text.
    pub get: fn(&P) -> String,
    /// Sets it, or says what would be right.
    pub set: fn(&mut P, &str) -> Result<(), ParameterFault>,
}

/// Why a parameter cannot have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterFault {
    /// It is no number within these bounds.
    Number {
        /// The least that it may be.
        least: String,
        /// The most that it may be.
        most: String,
    },
    /// It is none of these words.
    Word(String),
    /// It is none of those that there are: what would be right.
    OutOfRange(String),
    /// No such word is known: which there are.
    Unknown(String),
    /// What the value's own type says of it, which names the value.
    Own(String),
}

impl ParameterFault {
    /// A fault of the value's own type.
    pub fn own(error: impl Display) -> ParameterFault {
        ParameterFault::Own(error.to_string())
    }

    /// What would be right.
    fn hint(&self) -> String {
        match self {
            ParameterFault::Number { least, most } => format!("write a number from {least} to {most}"),
            ParameterFault::Word(words) => format!("write one of {words}"),
            ParameterFault::OutOfRange(hint) | ParameterFault::Unknown(hint) | ParameterFault::Own(hint) => {
                hint.clone()
            }
        }
    }

    /// The sentence for who wrote this value.
    pub fn describe(&self, key: &str, value: &str) -> String {
        let hint = self.hint();
        match self {
            ParameterFault::Number { .. } | ParameterFault::Word(_) | ParameterFault::OutOfRange(_) => {
                format!("{key}={value} is out of range: {hint}")
            }
            ParameterFault::Unknown(_) => format!("{key} {value:?} is unknown: {hint}"),
            ParameterFault::Own(_) => hint,
        }
    }

    /// The same as an error of a catalog.
    pub fn to_error(&self, key: &str, value: &str) -> CatalogError {
        CatalogError::new(self.describe(key, value), self.facts(key, value))
    }

    /// What it says of this value, as data.
    pub fn facts(&self, key: &str, value: &str) -> ErrorFacts {
        match self {
            ParameterFault::Number { least, most } => {
                facts!["engine-value-number", key, value, least, most]
            }
            ParameterFault::Word(words) => facts!["engine-value-word", key, value, words],
            ParameterFault::OutOfRange(hint) | ParameterFault::Unknown(hint) => {
                facts!["engine-value-unknown", key, value, hint]
            }
            ParameterFault::Own(cause) => facts!["engine-value-own", key, value, cause],
        }
    }
}

/// A parameter as it is shown to people, of whatever player it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterRow {
    /// Its name.
    pub key: &'static str,
    /// What it is unless something else is said.
    pub usual: String,
    /// What it may be.
    pub allowed: String,
    /// What it is, in one line.
    pub about: String,
    /// The same in Japanese.
    pub japanese: String,
}

impl ParameterRow {
    /// The least and the most number that it may be; `None` if it is something else.
    pub fn allowed_numbers(&self) -> Option<(f64, f64)> {
        let (least, most) = self.allowed.split_once(" to ")?;
        least.parse().ok().zip(most.parse().ok())
    }

    /// The words that it may be, where it is no number.
    pub fn allowed_words(&self) -> impl Iterator<Item = &str> {
        self.allowed.split(", ")
    }

    /// The line of a help: `threads=1   threads that search`.
    pub fn help_line(&self) -> String {
        format!("{:<18} {}", format!("{}={}", self.key, self.usual), self.about)
    }
}

/// The rows of a table, in its order.
pub fn list_rows<P: Default>(entries: &[Parameter<P>]) -> Vec<ParameterRow> {
    let usual = P::default();
    let row = |entry: &Parameter<P>| ParameterRow {
        key: entry.key,
        usual: (entry.get)(&usual),
        allowed: (entry.allowed)(&usual),
        about: entry.about.to_string(),
        japanese: entry.japanese.to_string(),
    };
    entries.iter().map(row).collect()
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

/// Parameters as `key=value,key=value`.
pub fn format_params<'a, P: 'static>(
    entries: impl IntoIterator<Item = &'a Parameter<P>>,
    params: &P,
) -> String {
    let pair = |entry: &Parameter<P>| format!("{}={}", entry.key, (entry.get)(params));
    entries.into_iter().map(pair).collect::<Vec<_>>().join(",")
}

/// What differs from the defaults, as `key=value,key=value`.
pub fn changed_params<P: Default>(entries: &[Parameter<P>], params: &P) -> String {
    let usual = P::default();
    format_params(entries.iter().filter(|entry| (entry.get)(params) != (entry.get)(&usual)), params)
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
    change_param(entries, engine, params, key, value).map_err(|error| error.to_string())
}

fn change_param<P>(
    entries: &[Parameter<P>],
    engine: &str,
    params: &mut P,
    key: &str,
    value: &str,
) -> Result<(), CatalogError> {
    let entry = entries
        .iter()
        .find(|entry| entry.key == key)
        .ok_or_else(|| unknown_key_error(engine, key, &list_keys(entries)))?;
    (entry.set)(params, value).map_err(|fault| {
        let message = format!("invalid {key} {value:?}: {}", fault.hint());
        CatalogError::new(message, fault.facts(key, value))
    })
}

/// Reads `KEY=VALUE,KEY=VALUE`; what is not named is as usual.
///
/// # Errors
/// As [`set_param`], and if a parameter has no value.
pub fn parse_params<P: Default>(entries: &[Parameter<P>], engine: &str, text: &str) -> Result<P, String> {
    read_params(entries, engine, text).map_err(|error| error.to_string())
}

/// The same with an error that says as data what is wrong.
///
/// # Errors
/// As [`parse_params`].
pub fn read_params<P: Default>(
    entries: &[Parameter<P>],
    engine: &str,
    text: &str,
) -> Result<P, CatalogError> {
    let mut params = P::default();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').ok_or_else(|| no_value_error(engine, part))?;
        change_param(entries, engine, &mut params, key, value)?;
    }
    Ok(params)
}

/// The words of a switch.
pub const YES_NO: [(&str, bool); 2] = [("yes", true), ("no", false)];

/// A number within bounds.
pub fn number<T: FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Result<T, ParameterFault> {
    let inside = |number: &T| *number >= least && *number <= most;
    let read = text.parse().ok().filter(inside);
    read.ok_or_else(|| ParameterFault::Number { least: least.to_string(), most: most.to_string() })
}

/// The bounds of a number, for who writes one; the value only says of which type it is.
pub fn bounds<T: Display>(_: &T, least: T, most: T) -> String {
    format!("{least} to {most}")
}

/// One of some words.
pub fn word<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, ParameterFault> {
    let found = words.iter().find(|(name, _)| *name == text);
    found.map(|&(_, value)| value).ok_or_else(|| ParameterFault::Word(word_list(words)))
}

/// All the words.
pub fn word_list<T>(words: &[(&str, T)]) -> String {
    words.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// The word for a value.
pub fn name<T: Copy + PartialEq>(value: T, words: &[(&str, T)]) -> String {
    words.iter().find(|&&(_, other)| other == value).map_or_else(String::new, |&(name, _)| name.to_string())
}

/// A parameter that is a number within bounds: its key, what it is in English and in Japanese, the bounds, and the field.
#[macro_export]
macro_rules! numeric {
    ($key:literal, $about:literal, $japanese:literal, $least:expr, $most:expr, $($path:ident).+) => {
        $crate::parameter::Parameter {
            key: $key,
            about: $about,
            japanese: $japanese,
            allowed: |params| $crate::parameter::bounds(&params.$($path).+, $least, $most),
            get: |params| params.$($path).+.to_string(),
            set: |params, text| {
                params.$($path).+ = $crate::parameter::number(text, $least, $most)?;
                Ok(())
            },
        }
    };
}

/// A parameter that is one of some words: its key, what it is in English and in Japanese, the words, and the field.
#[macro_export]
macro_rules! worded {
    ($key:literal, $about:literal, $japanese:literal, $words:expr, $($path:ident).+) => {
        $crate::parameter::Parameter {
            key: $key,
            about: $about,
            japanese: $japanese,
            allowed: |_| $crate::parameter::word_list(&$words),
            get: |params| $crate::parameter::name(params.$($path).+, &$words),
            set: |params, text| {
                params.$($path).+ = $crate::parameter::word(text, &$words)?;
                Ok(())
            },
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Pace {
        plies: u8,
        careful: bool,
    }

    const ENTRIES: &[Parameter<Pace>] = &[
        crate::numeric!("plies", "moves looked ahead", "先読みの手数", 0, 60, plies),
        crate::worded!("careful", "looks twice", "二度見る", YES_NO, careful),
    ];

    #[test]
    fn rows_say_what_a_parameter_may_be() {
        let rows = list_rows(ENTRIES);
        assert_eq!((rows[0].usual.as_str(), rows[0].allowed.as_str()), ("0", "0 to 60"));
        assert_eq!((rows[1].usual.as_str(), rows[1].allowed.as_str()), ("no", "yes, no"));
        assert_eq!(rows[1].help_line(), "careful=no         looks twice");
        assert_eq!((rows[0].allowed_numbers(), rows[1].allowed_numbers()), (Some((0.0, 60.0)), None));
        assert_eq!(rows[1].allowed_words().collect::<Vec<_>>(), ["yes", "no"]);
    }

    #[test]
    fn faults_name_key_and_value() {
        let mut pace = Pace::default();
        let fault = (ENTRIES[0].set)(&mut pace, "61").unwrap_err();
        assert_eq!(fault.describe("plies", "61"), "plies=61 is out of range: write a number from 0 to 60");
        let unknown = ParameterFault::Unknown("write a or b".to_string());
        assert_eq!(unknown.describe("kind", "c"), "kind \"c\" is unknown: write a or b");
        assert_eq!(ParameterFault::own("\"x\" is wrong").describe("kind", "x"), "\"x\" is wrong");
        let error = set_param(ENTRIES, "it", &mut pace, "careful", "maybe").unwrap_err();
        assert_eq!(error, "invalid careful \"maybe\": write one of yes, no");
    }
}
