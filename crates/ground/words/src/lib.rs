//! The languages in which ishi speaks. Each text stands beside its twin in the other language:
//!
//! ```
//! use ishi_words::Language;
//! let language: Language = "ja".parse().unwrap();
//! assert_eq!(language.choose("Black", "黒"), "黒");
//! ```
//!
//! Errors of libraries are English. Those that people see elsewhere tell as data what they say ([`CodedError`]), for whoever has their words in
//! another language.

mod counts;
mod errors;
mod percent;

use std::str::FromStr;

pub use counts::{format_count, noun_for};
pub use errors::{CodedError, CodedMessage, ErrorFacts, FactValue};
pub use percent::{is_unreserved, percent_encode};

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Japanese (日本語).
    Japanese,
}

impl Language {
    /// One of two texts.
    pub fn choose<T>(self, english: T, japanese: T) -> T {
        match self {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Language, String> {
        match text {
            "en" => Ok(Language::English),
            "ja" => Ok(Language::Japanese),
            _ => Err(format!("{text:?} is no language: it must be en or ja")),
        }
    }
}

/// The text with single spaces, without ends of lines and tabs.
pub fn collapse_whitespace(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
