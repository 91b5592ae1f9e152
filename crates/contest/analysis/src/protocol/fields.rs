//! Fields of a query, taken with errors that name the field.

use std::time::Duration;

use ishi_go::{BoardSize, Color, Move, Point};
use ishi_words::Language;
use serde_json::{Map, Value};

use super::query::ProtocolProblem;
use super::settings;

/// What went wrong with a field.
pub(super) struct FieldError {
    pub(super) field: String,
    pub(super) message: String,
}

impl FieldError {
    pub(super) fn new(field: &str, message: impl Into<String>) -> FieldError {
        FieldError { field: field.to_string(), message: message.into() }
    }

    pub(super) fn into_problem(self, id: &str) -> ProtocolProblem {
        ProtocolProblem { message: self.message, field: Some(self.field), id: Some(id.to_string()) }
    }
}

/// The fields of an object.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Map<String, Value>);

/// How much of a value an error quotes.
const QUOTED: usize = 80;

/// A value as an error quotes it.
pub(super) fn quote_value(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

impl<'a> Fields<'a> {
    pub(super) fn get(self, field: &str) -> Option<&'a Value> {
        self.0.get(field)
    }

    /// The value as `read` understands it, if the field is there.
    fn read_with<T>(
        self,
        field: &str,
        right: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, FieldError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let wrong =
            || FieldError::new(field, format!("{} cannot be used: it must be {right}", quote_value(value)));
        read(value).map(Some).ok_or_else(wrong)
    }

    /// A field that has to be there.
    pub(super) fn require_field<T>(field: &str, found: Option<T>, right: &str) -> Result<T, FieldError> {
        found.ok_or_else(|| FieldError::new(field, format!("the field is missing: it must be {right}")))
    }

    pub(super) fn read_bool(self, field: &str) -> Result<bool, FieldError> {
        Ok(self.read_with(field, "true or false", Value::as_bool)?.unwrap_or(false))
    }

    pub(super) fn read_text(self, field: &str) -> Result<Option<&'a str>, FieldError> {
        self.read_with(field, "a text", Value::as_str)
    }

    /// A language, if something is asked for in it: `true` is English.
    pub(super) fn read_language(self, field: &str) -> Result<Option<Language>, FieldError> {
        let found = self.read_with(field, "true, false, \"en\" or \"ja\"", |value| match value {
            Value::Bool(is_wanted) => Some(is_wanted.then_some(Language::English)),
            Value::String(code) => code.parse().ok().map(Some),
            _ => None,
        })?;
        Ok(found.flatten())
    }

    pub(super) fn read_integer(self, field: &str, least: u64, most: u64) -> Result<Option<u64>, FieldError> {
        let right = format!("a whole number from {least} to {most}");
        self.read_with(field, &right, |value| {
            settings::parse_integer(value).filter(|n| (least..=most).contains(n))
        })
    }

    pub(super) fn read_priority(self, field: &str) -> Result<Option<i64>, FieldError> {
        self.read_with(field, PRIORITY, parse_priority)
    }

    pub(super) fn read_number(self, field: &str, least: f64, most: f64) -> Result<Option<f64>, FieldError> {
        let right = format!("a number from {least} to {most}");
        self.read_with(field, &right, |value| value.as_f64().filter(|number| (least..=most).contains(number)))
    }

    pub(super) fn read_seconds(self, field: &str) -> Result<Option<Duration>, FieldError> {
        Ok(self.read_number(field, 0.001, 1e6)?.map(Duration::from_secs_f64))
    }

    pub(super) fn read_color(self, field: &str) -> Result<Option<Color>, FieldError> {
        self.read_with(field, "\"B\" or \"W\"", parse_color)
    }

    pub(super) fn read_object(self, field: &str) -> Result<Option<&'a Map<String, Value>>, FieldError> {
        self.read_with(field, "an object", Value::as_object)
    }

    pub(super) fn read_list(self, field: &str, right: &str) -> Result<Option<&'a Vec<Value>>, FieldError> {
        self.read_with(field, right, Value::as_array)
    }

    pub(super) fn read_turns(self, field: &str) -> Result<Option<Vec<u64>>, FieldError> {
        let right = "a list of turn numbers";
        self.read_with(field, right, |value| value.as_array()?.iter().map(settings::parse_integer).collect())
    }

    pub(super) fn read_priorities(self, field: &str) -> Result<Option<Vec<i64>>, FieldError> {
        self.read_with(field, "a list of whole numbers", |value| {
            value.as_array()?.iter().map(parse_priority).collect()
        })
    }

    /// Pairs of colour and move, such as `["B","Q4"]`.
    pub(super) fn read_moves(
        self,
        field: &str,
        size: BoardSize,
    ) -> Result<Option<Vec<(Color, Move)>>, FieldError> {
        let Some(list) = self.read_list(field, MOVES)? else { return Ok(None) };
        let pair = |value: &Value| {
            let form = || {
                FieldError::new(
                    field,
                    format!("{} is no move: write a player and a vertex, [\"B\",\"Q4\"]", quote_value(value)),
                )
            };
            let [by, at] = value.as_array().ok_or_else(form)?.as_slice() else { return Err(form()) };
            let at = parse_vertex(size, at.as_str().ok_or_else(form)?)
                .map_err(|why| FieldError::new(field, why))?;
            Ok((parse_color(by).ok_or_else(form)?, at))
        };
        list.iter().map(pair).collect::<Result<_, _>>().map(Some)
    }

    /// Moves without colours, such as `["C3","pass"]`.
    pub(super) fn read_vertices(self, field: &str, size: BoardSize) -> Result<Option<Vec<Move>>, FieldError> {
        let right = "a list of vertices";
        let Some(list) = self.read_list(field, right)? else { return Ok(None) };
        let one = |value: &Value| {
            let form =
                || FieldError::new(field, format!("{} is no vertex such as \"C3\"", quote_value(value)));
            parse_vertex(size, value.as_str().ok_or_else(form)?).map_err(|why| FieldError::new(field, why))
        };
        list.iter().map(one).collect::<Result<_, _>>().map(Some)
    }
}

const MOVES: &str = "a list of players and vertices such as [[\"B\",\"Q4\"],[\"W\",\"D4\"]]";
const PRIORITY: &str = "a whole number from -2^62 to 2^62";

fn parse_priority(value: &Value) -> Option<i64> {
    value.as_i64().filter(|priority| priority.unsigned_abs() <= 1 << 62)
}

fn parse_color(value: &Value) -> Option<Color> {
    match value.as_str()? {
        "B" | "b" | "black" => Some(Color::Black),
        "W" | "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// A vertex, `pass`, or column and row from the upper left corner such as `(0,13)`.
fn parse_vertex(size: BoardSize, text: &str) -> Result<Move, String> {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return size.parse_move(text).map_err(|error| error.to_string());
    };
    let numbers = inner.split_once(',').and_then(|(column, row)| {
        let (column, row): (usize, usize) = (column.trim().parse().ok()?, row.trim().parse().ok()?);
        (column < size.width() && row < size.height()).then_some((column, row))
    });
    match numbers {
        Some((column, row)) => Ok(Move::Play(Point::new(column, size.height() - 1 - row))),
        None => Err(format!(
            "invalid vertex {text:?}: on this board write (0,0), the upper left corner, to ({},{})",
            size.width() - 1,
            size.height() - 1
        )),
    }
}
