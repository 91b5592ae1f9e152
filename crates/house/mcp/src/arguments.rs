//! What a model sent to a tool, checked before anything starts. Every error says which argument, and what it must be.

use serde_json::{Map, Value};

/// An argument that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} must be {must}, not {found}")]
pub struct ArgumentError {
    /// The argument.
    pub name: String,
    /// What it must be.
    pub must: String,
    /// What was sent, shortened.
    pub found: String,
}

impl ArgumentError {
    /// `name` must be `must`, and was `found`.
    pub fn new(name: &str, must: impl Into<String>, found: &str) -> ArgumentError {
        let short: String = found.chars().take(80).collect();
        let found = if short.len() < found.len() { format!("{short}...") } else { short };
        ArgumentError { name: name.to_string(), must: must.into(), found }
    }

    fn for_missing(name: &str, must: &str) -> ArgumentError {
        ArgumentError::new(name, must, "left out")
    }
}

/// The arguments of one call.
#[derive(Clone, Debug, Default)]
pub struct ToolArguments(Map<String, Value>);

impl ToolArguments {
    /// These arguments, if the tool knows all of their names.
    ///
    /// # Errors
    /// Names the first that the tool does not have.
    pub fn new(sent: Map<String, Value>, known: &[&str]) -> Result<ToolArguments, ArgumentError> {
        match sent.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => {
                Err(ArgumentError::new("an argument's name", format!("one of {}", known.join(", ")), name))
            }
            None => Ok(ToolArguments(sent)),
        }
    }

    fn find(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// A text, if it was sent.
    ///
    /// # Errors
    /// If it is no text, or an empty one.
    pub fn text(&self, name: &str) -> Result<Option<&str>, ArgumentError> {
        match self.find(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text)),
            Some(other) => Err(ArgumentError::new(name, "a text that is not empty", &other.to_string())),
        }
    }

    /// A text that must be there.
    ///
    /// # Errors
    /// If it is missing, no text, or empty.
    pub fn needed_text(&self, name: &str, must: &str) -> Result<&str, ArgumentError> {
        self.text(name)?.ok_or_else(|| ArgumentError::for_missing(name, must))
    }

    /// A text, or a whole number as its text, if it was sent.
    ///
    /// # Errors
    /// If it is something else, or an empty text.
    pub fn text_or_number(&self, name: &str) -> Result<Option<String>, ArgumentError> {
        match self.find(name) {
            Some(Value::Number(number)) if number.is_i64() || number.is_u64() => Ok(Some(number.to_string())),
            None | Some(Value::String(_)) => Ok(self.text(name)?.map(str::to_string)),
            Some(other) => Err(ArgumentError::new(
                name,
                "a text that is not empty, or a whole number",
                &other.to_string(),
            )),
        }
    }

    /// A whole number in a range, if it was sent.
    ///
    /// # Errors
    /// If it is no whole number, or outside.
    pub fn whole_number(&self, name: &str, least: i64, most: i64) -> Result<Option<i64>, ArgumentError> {
        let Some(value) = self.find(name) else { return Ok(None) };
        let number = value.as_i64().filter(|number| (least..=most).contains(number));
        let must = || format!("a whole number from {least} to {most}");
        number.map(Some).ok_or_else(|| ArgumentError::new(name, must(), &value.to_string()))
    }

    /// A number in a range, if it was sent.
    ///
    /// # Errors
    /// If it is no number, or outside.
    pub fn number(&self, name: &str, least: f64, most: f64) -> Result<Option<f64>, ArgumentError> {
        let Some(value) = self.find(name) else { return Ok(None) };
        let number = value.as_f64().filter(|number| (least..=most).contains(number));
        let must = || format!("a number from {least} to {most}");
        number.map(Some).ok_or_else(|| ArgumentError::new(name, must(), &value.to_string()))
    }

    /// One of several words, if it was sent.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn word(&self, name: &str, words: &[&str]) -> Result<Option<&str>, ArgumentError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let must = || format!("one of {}", words.join(", "));
        if words.contains(&text) { Ok(Some(text)) } else { Err(ArgumentError::new(name, must(), text)) }
    }

    /// A list of texts; empty if it was not sent.
    ///
    /// # Errors
    /// If it is no list, or something in it is no text.
    pub fn texts(&self, name: &str) -> Result<Vec<&str>, ArgumentError> {
        let Some(value) = self.find(name) else { return Ok(Vec::new()) };
        let list =
            value.as_array().and_then(|list| list.iter().map(Value::as_str).collect::<Option<Vec<&str>>>());
        list.ok_or_else(|| ArgumentError::new(name, "a list of texts", &value.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(value: Value) -> ToolArguments {
        ToolArguments(value.as_object().unwrap().clone())
    }

    #[test]
    fn names_that_a_tool_does_not_have_are_told() {
        let sent = json!({"recrod": "x"}).as_object().unwrap().clone();
        let error = ToolArguments::new(sent, &["record", "move"]).unwrap_err().to_string();
        assert_eq!(error, "an argument's name must be one of record, move, not recrod");
    }

    #[test]
    fn numbers_are_held_against_their_range() {
        let arguments = arguments(json!({"level": 11, "komi": "six", "move": null}));
        let error = arguments.whole_number("level", 1, 10).unwrap_err();
        assert_eq!(error.to_string(), "level must be a whole number from 1 to 10, not 11");
        assert!(arguments.number("komi", -500.0, 500.0).is_err());
        assert_eq!(arguments.whole_number("move", 1, 10), Ok(None));
    }

    #[test]
    fn a_number_may_stand_for_its_text() {
        let arguments = arguments(json!({"size": 16, "range": "15-16", "half": 1.5}));
        assert_eq!(arguments.text_or_number("size").unwrap().as_deref(), Some("16"));
        assert_eq!(arguments.text_or_number("range").unwrap().as_deref(), Some("15-16"));
        assert_eq!(arguments.text_or_number("absent"), Ok(None));
        let error = arguments.text_or_number("half").unwrap_err().to_string();
        assert_eq!(error, "half must be a text that is not empty, or a whole number, not 1.5");
    }

    #[test]
    fn lists_hold_texts_only() {
        let arguments = arguments(json!({"moves": ["D4", 3], "why_not": ["C3", "Q4"]}));
        assert!(arguments.texts("moves").is_err());
        assert_eq!(arguments.texts("why_not").unwrap(), ["C3", "Q4"]);
        assert!(arguments.texts("absent").unwrap().is_empty());
    }

    #[test]
    fn what_was_found_is_shortened() {
        let error = ArgumentError::new("record", "a record", &"x".repeat(1000));
        assert!(error.to_string().len() < 130, "{error}");
    }
}
