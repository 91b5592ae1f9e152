//! TOML files with their text, so that an error says where it is and what would be right.

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use ishi_words::{CodedError, CodedMessage, ErrorFacts, coded, collapse_whitespace, facts};
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a TOML file and where it comes from.
///
/// ```
/// use ishi_lab::source::TomlSource;
/// #[derive(Debug, serde::Deserialize)]
/// struct Config {
///     playouts: toml::Spanned<u32>,
/// }
/// let source = TomlSource::new("config.toml", "# how many\nplayouts = 0\n");
/// let config: Config = source.parse().unwrap();
/// let error = source.check_range(&config.playouts, 1..=1000, "playouts must be 1 to 1000").unwrap_err();
/// assert_eq!(error.to_string().lines().next().unwrap(), "config.toml:2:12: playouts: 0: playouts must be 1 to 1000");
/// ```
#[derive(Clone, Debug)]
pub struct TomlSource {
    path: PathBuf,
    text: String,
}

impl TomlSource {
    /// A text that was read from `path`.
    pub fn new(path: impl Into<PathBuf>, text: impl Into<String>) -> TomlSource {
        TomlSource { path: path.into(), text: text.into() }
    }

    /// Reads the file.
    ///
    /// # Errors
    /// If it cannot be read, or is not UTF-8.
    pub fn read_file(path: &Path) -> Result<TomlSource, SourceError> {
        match std::fs::read_to_string(path) {
            Ok(text) => Ok(TomlSource::new(path, text)),
            Err(error) => Err(SourceError {
                path: path.to_path_buf(),
                message: coded!["lab-source-read", "cannot be read: {cause}", cause = error],
                place: None,
            }),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text as a value.
    ///
    /// # Errors
    /// If it is not TOML, a key is unknown, missing or of the wrong type.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, SourceError> {
        toml::from_str(&self.text).map_err(|error| {
            let cause = collapse_whitespace(error.message());
            self.error_at(error.span(), coded!["lab-source-toml", "{cause}", cause])
        })
    }

    /// An error about this value.
    pub fn value_error<T: fmt::Display>(
        &self,
        value: &Spanned<T>,
        what_is_right: impl Into<CodedMessage>,
    ) -> SourceError {
        let (shown, right): (&T, CodedMessage) = (value.get_ref(), what_is_right.into());
        let facts = facts!["lab-source-value", value = shown, reason = right.facts()];
        self.error_at(Some(value.span()), CodedMessage::new(format_args!("{shown}: {right}"), facts))
    }

    /// Nothing, if this holds.
    ///
    /// # Errors
    /// An error about the value that says `what_is_right`, if it does not.
    pub fn require<T: fmt::Display>(
        &self,
        holds: bool,
        value: &Spanned<T>,
        what_is_right: impl Into<CodedMessage>,
    ) -> Result<(), SourceError> {
        if holds { Ok(()) } else { Err(self.value_error(value, what_is_right)) }
    }

    /// [`TomlSource::require`] of a place whose value is not told again.
    ///
    /// # Errors
    /// An error at this place that says `what_is_right`, if it does not hold.
    pub fn require_at(
        &self,
        holds: bool,
        span: Range<usize>,
        what_is_right: impl Into<CodedMessage>,
    ) -> Result<(), SourceError> {
        if holds { Ok(()) } else { Err(self.error_at(Some(span), what_is_right)) }
    }

    /// The value that a text stands for.
    ///
    /// # Errors
    /// An error about the text, if it stands for none.
    pub fn parse_value<T>(&self, text: &Spanned<String>) -> Result<T, SourceError>
    where
        T: FromStr<Err: Into<CodedMessage>>,
    {
        text.get_ref().parse::<T>().map_err(|error| self.value_error(text, error))
    }

    /// The value, if it lies in the range.
    ///
    /// # Errors
    /// An error that says `what_is_right`, if it does not.
    pub fn check_range<T: fmt::Display + PartialOrd + Copy>(
        &self,
        value: &Spanned<T>,
        range: RangeInclusive<T>,
        what_is_right: &str,
    ) -> Result<T, SourceError> {
        let shown = value.get_ref();
        if range.contains(shown) {
            return Ok(*shown);
        }
        let (low, high) = (range.start(), range.end());
        // Other languages say what is right by the ends alone.
        let facts = facts!["lab-source-range", value = shown, low, high, words = what_is_right];
        let message = CodedMessage::new(format_args!("{shown}: {what_is_right}"), facts);
        Err(self.error_at(Some(value.span()), message))
    }

    /// An error at this place of the text, or about the file as a whole.
    pub fn error_at(&self, span: Option<Range<usize>>, message: impl Into<CodedMessage>) -> SourceError {
        let message = put_on_one_line(&message.into());
        let place = span.map(|span| self.locate_span(span));
        SourceError { path: self.path.clone(), message, place }
    }

    /// The file, the line and the column where a span begins, as errors name them: `config.toml:2:12`.
    pub fn name_place(&self, span: Range<usize>) -> String {
        let SourceLocation { line, column, .. } = self.locate_span(span);
        format!("{}:{line}:{column}", self.path.display())
    }

    /// The line that a span begins in, counted from 1.
    pub fn line_of_span(&self, span: Range<usize>) -> usize {
        self.locate_span(span).line
    }

    /// Where the value of a key in one of the file's tables stands.
    pub fn span_of_key(&self, table: &str, key: &str) -> Option<Range<usize>> {
        let document = DeTable::parse(&self.text).ok()?;
        let DeValue::Table(table) = document.get_ref().get(table)?.get_ref() else { return None };
        table.get(key).map(Spanned::span)
    }

    fn locate_span(&self, span: Range<usize>) -> SourceLocation {
        // Never inside a character, whatever the span.
        let mut start = span.start.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_text = self.text[line_start..].lines().next().unwrap_or_default();
        let column = self.text[line_start..start].chars().count() + 1;
        let width = span.end.saturating_sub(span.start).max(1);
        let room = line_text.chars().count().saturating_sub(column - 1).max(1);
        SourceLocation {
            line: self.text[..start].matches('\n').count() + 1,
            column,
            width: width.min(room),
            // A text that is no TOML has no keys to name.
            key: DeTable::parse(&self.text).ok().and_then(|table| find_key(table.get_ref(), start)),
            text: line_text.to_string(),
        }
    }
}

/// The words with single spaces.
fn put_on_one_line(message: &CodedMessage) -> CodedMessage {
    let (words, facts) = (collapse_whitespace(message), message.facts());
    match facts.code() {
        CodedMessage::UNCODED => CodedMessage::uncoded(words),
        _ => CodedMessage::new(words, facts),
    }
}

/// The dotted key whose name or value stands at `offset`, the innermost one.
fn find_key(table: &DeTable<'_>, offset: usize) -> Option<String> {
    table.iter().find_map(|(key, value)| match find_key_below(value.get_ref(), offset) {
        Some(below) => Some(format!("{}.{below}", key.get_ref())),
        None => [key.span(), value.span()]
            .iter()
            .any(|span| span.contains(&offset))
            .then(|| key.get_ref().to_string()),
    })
}

/// As [`find_key`], for whatever tables are in the value. A table's own span says nothing of what it holds.
fn find_key_below(value: &DeValue<'_>, offset: usize) -> Option<String> {
    match value {
        DeValue::Table(table) => find_key(table, offset),
        DeValue::Array(values) => values.iter().find_map(|value| find_key_below(value.get_ref(), offset)),
        _ => None,
    }
}

/// Characters of a line that an error shows at most.
const MOST_SHOWN: usize = 120;

/// Where in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    /// The dotted key, where there is one.
    pub key: Option<String>,
    /// The line.
    pub text: String,
    /// Characters to underline.
    width: usize,
}

impl SourceLocation {
    /// The line, underlined, behind an end of line. Of a long one it is the part round the place.
    fn excerpt(&self) -> String {
        let (place, length) = (self.column - 1, self.text.chars().count());
        let left_out = if length > MOST_SHOWN { place.saturating_sub(MOST_SHOWN / 2) } else { 0 };
        let part: String = self.text.chars().skip(left_out).take(MOST_SHOWN).collect();
        let before = if left_out > 0 { "…" } else { "" };
        let behind = if length > left_out + MOST_SHOWN { "…" } else { "" };
        let indent = " ".repeat(before.chars().count() + place - left_out);
        let width = self.width.min((left_out + MOST_SHOWN).saturating_sub(place)).max(1);
        format!("\n{:5} | {before}{part}{behind}\n      | {indent}{}", self.line, "^".repeat(width))
    }
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong, and what would be right.
    pub message: CodedMessage,
    /// Where; `None` for the file as a whole.
    pub place: Option<SourceLocation>,
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SourceError { path, message, place } = self;
        let Some(place) = place else {
            return write!(f, "{}: {message}", path.display());
        };
        write!(f, "{}:{}:{}: ", path.display(), place.line, place.column)?;
        if let Some(key) = &place.key {
            write!(f, "{key}: ")?;
        }
        write!(f, "{message}{}", place.excerpt())
    }
}

impl std::error::Error for SourceError {}

impl CodedError for SourceError {
    fn facts(&self) -> ErrorFacts {
        let SourceError { path, message, place } = self;
        let (path, reason) = (path.display(), message.facts());
        let Some(place) = place else { return facts!["lab-source", path, reason] };
        let (line, column, excerpt) = (place.line, place.column, place.excerpt());
        match &place.key {
            Some(key) => facts!["lab-source-key", path, line, column, key, reason, excerpt],
            None => facts!["lab-source-place", path, line, column, reason, excerpt],
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Config {
        a: Table,
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Table {
        numbers: Vec<u32>,
        name: String,
    }

    /// Text, then place and key of the error that it gives.
    #[test]
    fn errors_say_line_column_and_key() {
        let cases = [
            (
                "[a]\nnumbers = [1]\nname = 7\n",
                "c.toml:3:8: a.name: invalid type: integer `7`, expected a string",
            ),
            (
                "[a]\nname = \"x\"\nnumbers = [\n  1,\n  -2,\n]\n",
                "c.toml:5:3: a.numbers: invalid value: integer `-2`",
            ),
            (
                "[a]\nnumbers = []\nname = \"\"\nnam = 1\n",
                "c.toml:4:1: a.nam: unknown field `nam`, expected `numbers` or `name`",
            ),
            ("[a]\nnumbers = []\n", "c.toml:1:1: a: missing field `name`"),
            ("[a]\nnumbers = 1 1\n", "c.toml:2:11: string values must be quoted"),
            ("[b]\n", "c.toml:1:2: b: unknown field `b`, expected `a`"),
        ];
        for (text, start) in cases {
            let error = TomlSource::new("c.toml", text).parse::<Config>().unwrap_err().to_string();
            assert!(error.starts_with(start), "{text}\n{error}");
        }
    }

    #[test]
    fn the_line_is_shown_and_underlined() {
        let error =
            TomlSource::new("c.toml", "[a]\nnumbers = []\nname = true\n").parse::<Config>().unwrap_err();
        let text = error.to_string();
        assert!(text.ends_with("\n    3 | name = true\n      |        ^^^^"), "{text}");
    }

    #[test]
    fn of_a_long_line_the_part_round_the_place_is_shown() {
        let text = format!("{}\nb = 1\n", "a".repeat(1_000_000));
        let error = TomlSource::new("c.toml", text).parse::<Config>().unwrap_err().to_string();
        assert!(error.starts_with("c.toml:1:1000001: "), "{}", error.len());
        let lines: Vec<&str> = error.lines().collect();
        assert_eq!(lines[1], format!("    1 | …{}", "a".repeat(MOST_SHOWN / 2)));
        assert_eq!(
            lines[2].chars().count(),
            lines[1].chars().count() + 1,
            "the end of the line is underlined"
        );

        let long = format!("[a]\nnumbers = []\nname = 7 # {}\n", "x".repeat(500));
        let error = TomlSource::new("c.toml", long).parse::<Config>().unwrap_err().to_string();
        let lines: Vec<&str> = error.lines().collect();
        assert!(lines[1].starts_with("    3 | name = 7 # x") && lines[1].ends_with("x…"), "{error}");
        assert_eq!(lines[2], "      |        ^");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = TomlSource::read_file(Path::new("no/such/config.toml")).unwrap_err().to_string();
        assert!(error.starts_with("no/such/config.toml: cannot be read: "), "{error}");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*|[\\[\\]a.=\n\"# 1é]*") {
            if let Err(error) = TomlSource::new("c.toml", text).parse::<Config>() {
                prop_assert!(!error.to_string().is_empty());
            }
        }

        #[test]
        fn no_span_makes_it_panic(text in "[a=é\n\\[\\]]*", from in 0usize..40, to in 0usize..40) {
            let error = TomlSource::new("c.toml", text).error_at(Some(from..to), "wrong");
            prop_assert!(error.to_string().contains("wrong"));
        }
    }
}
