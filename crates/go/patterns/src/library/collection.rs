//! A collection of patterns, with what an editor needs.

use std::collections::HashMap;
use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};

use super::pattern::{Pattern, PatternError};

static SHIPPED: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/shapes.bin"));

/// Patterns on a page of an editor, as in The Many Faces of Go.
pub const PAGE: usize = 36;

/// Patterns, each with its own name, in the order they were added.
///
/// ```
/// use ishi_patterns::library::{PatternLibrary, PAGE, text};
/// let mut library = text::parse_library("ishi-shapes 1\npattern bend\n: O O .\n: X X .\nB C1 0 0 normal\n").unwrap();
/// let mut other = library.find_pattern("bend").unwrap().clone();
/// assert!(library.add_pattern(other.clone()).is_err(), "the name is taken");
/// other.name = "turn".to_string();
/// library.add_pattern(other).unwrap();
/// assert_eq!(library.page(0, PAGE).len(), 2);
/// assert_eq!(library.remove_pattern("bend").unwrap().name, "bend");
/// ```
#[derive(Clone, Debug, Default)]
pub struct PatternLibrary {
    patterns: Vec<Pattern>,
    places: HashMap<String, usize>,
}

/// Collections are the same if their patterns are.
impl PartialEq for PatternLibrary {
    fn eq(&self, other: &PatternLibrary) -> bool {
        self.patterns == other.patterns
    }
}

/// Why a library was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternLibraryError {
    /// The pattern itself is wrong.
    Wrong(PatternError),
    /// Another pattern has this name.
    Taken(String),
    /// No pattern has this name.
    Unknown(String),
}

impl fmt::Display for PatternLibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternLibraryError::Wrong(error) => error.fmt(f),
            PatternLibraryError::Taken(name) => write!(f, "the name {name:?} is taken"),
            PatternLibraryError::Unknown(name) => write!(f, "no pattern is named {name:?}"),
        }
    }
}

impl std::error::Error for PatternLibraryError {}

impl CodedError for PatternLibraryError {
    fn facts(&self) -> ErrorFacts {
        match self {
            PatternLibraryError::Wrong(error) => error.facts(),
            PatternLibraryError::Taken(name) => facts!["pattern-taken", name = format!("{name:?}")],
            PatternLibraryError::Unknown(name) => facts!["pattern-unknown", name = format!("{name:?}")],
        }
    }
}

impl PatternLibrary {
    /// The patterns that ship: some made by hand, the others mined from 20,000 games. They are unpacked with every call.
    pub fn shipped() -> PatternLibrary {
        super::packed::unpack_library(SHIPPED).expect("the shipped patterns are sound: a test reads them")
    }

    /// All patterns, in their order.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The pattern of a name.
    pub fn find_pattern(&self, name: &str) -> Option<&Pattern> {
        self.places.get(name).map(|&place| &self.patterns[place])
    }

    /// Patterns whose name, source or words have the text in them, whatever the case.
    pub fn search_text<'a>(&'a self, text: &str) -> impl Iterator<Item = &'a Pattern> {
        let wanted = text.to_lowercase();
        self.patterns.iter().filter(move |pattern| {
            let parts = [&pattern.name, &pattern.source, &pattern.words.en, &pattern.words.ja];
            parts.iter().any(|part| part.to_lowercase().contains(&wanted))
        })
    }

    /// Page `number`, from 0, of so many patterns each; empty behind the last.
    pub fn page(&self, number: usize, size: usize) -> &[Pattern] {
        let from = number.saturating_mul(size).min(self.patterns.len());
        &self.patterns[from..self.patterns.len().min(from.saturating_add(size))]
    }

    /// Adds a pattern at the end.
    ///
    /// # Errors
    /// If it is wrong, or its name is taken; nothing is then changed.
    pub fn add_pattern(&mut self, pattern: Pattern) -> Result<(), PatternLibraryError> {
        pattern.check_pattern().map_err(PatternLibraryError::Wrong)?;
        if self.places.contains_key(&pattern.name) {
            return Err(PatternLibraryError::Taken(pattern.name));
        }
        self.places.insert(pattern.name.clone(), self.patterns.len());
        self.patterns.push(pattern);
        Ok(())
    }

    /// Puts a pattern in the place of the one called `name`, which may change its name; gives the old one back.
    ///
    /// # Errors
    /// If there is none, the new one is wrong, or its new name is taken; nothing is then changed.
    pub fn replace_pattern(&mut self, name: &str, pattern: Pattern) -> Result<Pattern, PatternLibraryError> {
        pattern.check_pattern().map_err(PatternLibraryError::Wrong)?;
        let place = *self.places.get(name).ok_or_else(|| PatternLibraryError::Unknown(name.to_string()))?;
        if pattern.name != name && self.places.contains_key(&pattern.name) {
            return Err(PatternLibraryError::Taken(pattern.name));
        }
        self.places.remove(name);
        self.places.insert(pattern.name.clone(), place);
        Ok(std::mem::replace(&mut self.patterns[place], pattern))
    }

    /// Takes a pattern out.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn remove_pattern(&mut self, name: &str) -> Result<Pattern, PatternLibraryError> {
        let place = self.places.remove(name).ok_or_else(|| PatternLibraryError::Unknown(name.to_string()))?;
        for other in self.places.values_mut().filter(|other| **other > place) {
            *other -= 1;
        }
        Ok(self.patterns.remove(place))
    }
}
