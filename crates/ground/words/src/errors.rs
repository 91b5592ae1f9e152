//! Errors as data: a code and fields, for whoever has words of their own for them, in whatever language.

use std::fmt::{self, Display};
use std::ops::Deref;

/// What an error says, without words. Made by [`facts!`](macro@crate::facts) and [`coded!`](macro@crate::coded) alone, so that a test finds every code in the sources.
///
/// ```
/// use ishi_words::{FactValue, facts};
/// let size = facts!["go-size", width = 1, height = 30];
/// assert_eq!((size.code(), size.fields().len()), ("go-size", 2));
/// assert_eq!(size.fields()[1], ("height", FactValue::Text("30".to_string())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorFacts {
    code: &'static str,
    fields: Vec<(&'static str, FactValue)>,
}

impl ErrorFacts {
    /// What [`facts!`](macro@crate::facts) makes.
    #[doc(hidden)]
    pub fn new(code: &'static str, fields: Vec<(&'static str, FactValue)>) -> ErrorFacts {
        ErrorFacts { code, fields }
    }

    /// Which error: small letters, digits and `-`. The same code always has the same fields.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// What it quotes, by name.
    pub fn fields(&self) -> &[(&'static str, FactValue)] {
        &self.fields
    }
}

/// A field of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactValue {
    /// A number, a name, a text that was given: shown as it is.
    Text(String),
    /// Another error, which is the reason of this one.
    Reason(ErrorFacts),
    /// Several, of one kind.
    Reasons(Vec<ErrorFacts>),
}

impl<T: Display> From<T> for FactValue {
    fn from(shown: T) -> FactValue {
        FactValue::Text(shown.to_string())
    }
}

impl From<ErrorFacts> for FactValue {
    fn from(reason: ErrorFacts) -> FactValue {
        FactValue::Reason(reason)
    }
}

/// An error that says what it is as data, too. Its own words are English.
pub trait CodedError: Display {
    /// Its code and fields.
    fn facts(&self) -> ErrorFacts;

    /// Is what was given at fault? Databases and files that fail are not of that sort.
    fn is_of_input(&self) -> bool {
        true
    }
}

/// An error of English words that also says as data what they say. Made by [`coded!`](macro@crate::coded).
///
/// ```
/// use ishi_words::{CodedError, coded};
/// let (found, most) = (9, 8);
/// let error = coded!["board-side", "{found} columns: {most} at most", found, most];
/// assert_eq!(error.to_string(), "9 columns: 8 at most");
/// assert_eq!(error.facts().code(), "board-side");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodedMessage(Box<MessageParts>);

/// Apart, so that an error that holds a message stays small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MessageParts {
    message: String,
    facts: ErrorFacts,
}

impl CodedMessage {
    /// The code of what has English words only. Its one field is these words.
    pub const UNCODED: &str = "words";

    /// English words, and the same as data.
    pub fn new(message: impl Display, facts: ErrorFacts) -> CodedMessage {
        CodedMessage(Box::new(MessageParts { message: message.to_string(), facts }))
    }

    /// What has English words only.
    pub fn uncoded(message: impl Display) -> CodedMessage {
        let words = message.to_string();
        let facts = ErrorFacts::new(CodedMessage::UNCODED, vec![("words", FactValue::from(&words))]);
        CodedMessage::new(words, facts)
    }

    /// What another error says.
    pub fn from_error(error: impl CodedError) -> CodedMessage {
        CodedMessage::new(&error, error.facts())
    }
}

/// Words without a code.
impl From<String> for CodedMessage {
    fn from(words: String) -> CodedMessage {
        CodedMessage::uncoded(words)
    }
}

/// Words without a code.
impl From<&str> for CodedMessage {
    fn from(words: &str) -> CodedMessage {
        CodedMessage::uncoded(words)
    }
}

impl Display for CodedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for CodedMessage {}

impl CodedError for CodedMessage {
    fn facts(&self) -> ErrorFacts {
        self.0.facts.clone()
    }
}

/// Its words.
impl Deref for CodedMessage {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.message
    }
}

/// English words with a code: `coded!["board-side", "{found} columns: {most} at most", found, most = SIDE]`. Each field stands in the words.
#[macro_export]
macro_rules! coded {
    (@value $name:ident) => { &$name };
    (@value $name:ident = $value:expr) => { &$value };
    ($code:literal, $text:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        $(let $name = $crate::coded!(@value $name $(= $value)?);)*
        $crate::CodedMessage::new(format_args!($text $(, $name = $name)*), $crate::facts![$code $(, $name)*])
    }};
}

impl<E: CodedError + ?Sized> CodedError for &E {
    fn facts(&self) -> ErrorFacts {
        (**self).facts()
    }

    fn is_of_input(&self) -> bool {
        (**self).is_of_input()
    }
}

/// The code of an error and its fields: `facts!["go-size", width, height = size.height]`.
#[macro_export]
macro_rules! facts {
    (@value $name:ident) => { $crate::FactValue::from($name) };
    (@value $name:ident = $value:expr) => { $crate::FactValue::from($value) };
    ($code:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::ErrorFacts::new(
            $code,
            vec![$((stringify!($name), $crate::facts!(@value $name $(= $value)?))),*],
        )
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_shown_values_or_reasons() {
        let (line, word) = (3, "a b".to_string());
        let reason = facts!["inner", word = &word];
        let whole = facts!["outer", line, reason = reason.clone()];
        assert_eq!(whole.code(), "outer");
        let shown = FactValue::Text("3".to_string());
        assert_eq!(whole.fields(), [("line", shown), ("reason", FactValue::Reason(reason))]);
        assert!(facts!["nothing-to-quote"].fields().is_empty());
    }

    #[test]
    fn words_and_data_have_the_same_fields() {
        let word = "x y";
        let error =
            coded!["no-word", "{quoted} in {line}: no word", quoted = format!("{word:?}"), line = 1 + 2];
        assert_eq!(error.to_string(), "\"x y\" in 3: no word");
        assert!(error.contains("in 3"));
        let text = |shown: &str| FactValue::Text(shown.to_string());
        assert_eq!(error.facts().fields(), [("quoted", text("\"x y\"")), ("line", text("3"))]);
        assert_eq!(CodedMessage::from_error(&error).facts(), error.facts());
        assert_eq!(coded!["empty", "nothing"].to_string(), "nothing");
        assert_eq!(CodedMessage::uncoded("as it is").facts(), facts!["words", words = "as it is"]);
    }
}
