//! What is wrong with a document, and where.

use std::fmt;

use ishi_words::{CodedError, CodedMessage, ErrorFacts, coded, facts};

/// What is wrong with a document, and where: `pool.json:12:5: pairs[17][0]: no piece is called "Embr"; the nearest is "Ember"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentError {
    /// The file, or what stands for it.
    pub file: String,
    /// Counted from 1, where it is known.
    pub line: Option<usize>,
    /// The column in characters, counted from 1, where it is known.
    pub column: Option<usize>,
    /// The field, such as `pieces[3].cost`, where there is one.
    pub field: Option<String>,
    /// What is wrong, and what would be right.
    pub what: CodedMessage,
    /// Could a file not be read at all, rather than not be understood?
    pub outside: bool,
}

impl DocumentError {
    /// About a file as a whole.
    pub fn about_file(file: impl Into<String>, what: impl Into<CodedMessage>) -> DocumentError {
        DocumentError {
            file: file.into(),
            line: None,
            column: None,
            field: None,
            what: what.into(),
            outside: false,
        }
    }

    /// A file cannot be read.
    pub fn unreadable(file: impl Into<String>, why: impl fmt::Display) -> DocumentError {
        let what = coded!["deck-unreadable", "cannot be read: {cause}", cause = why];
        DocumentError { outside: true, ..DocumentError::about_file(file, what) }
    }

    /// About a line and field of a file.
    pub(super) fn on_line(
        file: &str,
        line: usize,
        field: &str,
        what: impl Into<CodedMessage>,
    ) -> DocumentError {
        let field = (!field.is_empty()).then(|| field.to_string());
        let file = file.to_string();
        DocumentError { file, line: Some(line), column: None, field, what: what.into(), outside: false }
    }
}

/// Characters of an error at most: it quotes what is in the document, and that may have megabytes.
const LONGEST: usize = 1000;

/// The beginning of a text that may be very long.
fn shorten(text: &str) -> &str {
    text.char_indices().nth(LONGEST).map_or(text, |(end, _)| &text[..end])
}

impl DocumentError {
    /// File, line, column and field, as far as they are known: `pool.json:12:5: pairs[17][0]`.
    fn place(&self) -> String {
        let mut place = self.file.clone();
        for number in [self.line, self.column].into_iter().flatten() {
            place.push_str(&format!(":{number}"));
        }
        if let Some(field) = &self.field {
            place.push_str(": ");
            place.push_str(shorten(field));
        }
        place
    }
}

impl CodedError for DocumentError {
    fn facts(&self) -> ErrorFacts {
        facts!["deck-document", place = self.place(), reason = self.what.facts()]
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place())?;
        let what = shorten(&self.what);
        f.write_str(what)?;
        if what.len() < self.what.len() { f.write_str("...") } else { Ok(()) }
    }
}

impl std::error::Error for DocumentError {}

/// A step of the way to a value in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PathStep {
    /// A key of an object or table.
    Key(String),
    /// A place in a list, counted from 0.
    At(usize),
}

impl PathStep {
    pub(super) fn from_key(key: &str) -> PathStep {
        PathStep::Key(key.to_string())
    }
}

/// A path as people write it: `pieces[3].cost`.
pub(super) fn format_field_path(path: &[PathStep]) -> Option<String> {
    let mut text = String::new();
    for step in path {
        match step {
            PathStep::Key(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(key);
            }
            PathStep::At(at) => text.push_str(&format!("[{at}]")),
        }
    }
    (!text.is_empty()).then_some(text)
}
