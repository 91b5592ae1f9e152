//! What is wrong with a text that is read line by line: joseki, patterns, exercises.

use std::fmt;

use ishi_words::{CodedError, CodedMessage, ErrorFacts, coded, facts};

use crate::joseki::book::MoveKind;

/// A line that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub problem: CodedMessage,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for TextError {}

impl CodedError for TextError {
    fn facts(&self) -> ErrorFacts {
        facts!["text-on-line", line = self.line, reason = self.problem.facts()]
    }
}

/// The first line is not the one that says what the text is.
pub(crate) fn wrong_first_line(found: &str, right: &str) -> CodedMessage {
    coded![
        "text-first-line",
        "{found} where {right} would be right",
        found = format!("{found:?}"),
        right = format!("{right:?}")
    ]
}

/// There is no line at all.
pub(crate) fn no_first_line(right: &str) -> CodedMessage {
    coded!["text-empty", "empty; the first line is {right}", right = format!("{right:?}")]
}

/// The word at the end of a move.
pub(crate) fn parse_move_kind(text: &str) -> Result<MoveKind, CodedMessage> {
    text.parse().map_err(|()| {
        let names = MoveKind::ALL.map(MoveKind::name).join(", ");
        coded!["text-kind", "{text} is no kind: it must be one of {names}", text = format!("{text:?}"), names]
    })
}
