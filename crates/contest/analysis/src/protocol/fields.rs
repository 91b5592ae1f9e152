//! Fields of a query, taken with errors that name the field.

use std::time::Duration;

use ishi_go::{BoardSize, Color, Move, Point};
use serde_json::{Map, Value};

use super::query::Problem;
use super::settings;

/// What went wrong with a field.
pub(super) struct Wrong {
    pub(super) field: String,
    pub(super) message: String,
}

impl Wrong {
    pub(super) fn new(field: &str, message: impl Into<String>) -> Wrong {
        Wrong { field: field.to_string(), message: message.into() }
    }

    pub(super) fn of(self, id: &str) -> Problem {
        Problem { message: self.message, field: Some(self.field), id: Some(id.to_string()) }
    }
}

/// The fields of an object.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Map<String, Value>);

/// How much of a value an error quotes.
const QUOTED: usize = 80;

/// A value as an error quotes it.
pub(super) fn quoted(value: &Value) -> String {
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
    fn read<T>(
        self,
        field: &str,
        right: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Wrong> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let wrong = || Wrong::new(field, format!("{} cannot be used: it must be {right}", quoted(value)));
        read(value).map(Some).ok_or_else(wrong)
    }

    /// A field that has to be there.
    pub(super) fn needed<T>(field: &str, found: Option<T>, right: &str) -> Result<T, Wrong> {
        found.ok_or_else(|| Wrong::new(field, format!("the field is missing: it must be {right}")))
    }

    pub(super) fn truth(self, field: &str) -> Result<bool, Wrong> {
        Ok(self.read(field, "true or false", Value::as_bool)?.unwrap_or(false))
    }

    pub(super) fn text(self, field: &str) -> Result<Option<&'a str>, Wrong> {
        self.read(field, "a text", Value::as_str)
    }

    pub(super) fn whole(self, field: &str, least: u64, most: u64) -> Result<Option<u64>, Wrong> {
        let right = format!("a whole number from {least} to {most}");
        self.read(field, &right, |value| settings::whole(value).filter(|n| (least..=most).contains(n)))
    }

    pub(super) fn priority(self, field: &str) -> Result<Option<i64>, Wrong> {
        self.read(field, PRIORITY, priority)
    }

    pub(super) fn number(self, field: &str, least: f64, most: f64) -> Result<Option<f64>, Wrong> {
        let right = format!("a number from {least} to {most}");
        self.read(field, &right, |value| value.as_f64().filter(|number| (least..=most).contains(number)))
    }

    pub(super) fn seconds(self, field: &str) -> Result<Option<Duration>, Wrong> {
        Ok(self.number(field, 0.001, 1e6)?.map(Duration::from_secs_f64))
    }

    pub(super) fn color(self, field: &str) -> Result<Option<Color>, Wrong> {
        self.read(field, "\"B\" or \"W\"", color)
    }

    pub(super) fn object(self, field: &str) -> Result<Option<&'a Map<String, Value>>, Wrong> {
        self.read(field, "an object", Value::as_object)
    }

    pub(super) fn list(self, field: &str, right: &str) -> Result<Option<&'a Vec<Value>>, Wrong> {
        self.read(field, right, Value::as_array)
    }

    pub(super) fn turns(self, field: &str) -> Result<Option<Vec<u64>>, Wrong> {
        let right = "a list of turn numbers";
        self.read(field, right, |value| value.as_array()?.iter().map(settings::whole).collect())
    }

    pub(super) fn priorities(self, field: &str) -> Result<Option<Vec<i64>>, Wrong> {
        self.read(field, "a list of whole numbers", |value| value.as_array()?.iter().map(priority).collect())
    }

    /// Pairs of colour and move, such as `["B","Q4"]`.
    pub(super) fn moves(self, field: &str, size: BoardSize) -> Result<Option<Vec<(Color, Move)>>, Wrong> {
        let Some(list) = self.list(field, MOVES)? else { return Ok(None) };
        let pair = |value: &Value| {
            let form = || {
                Wrong::new(
                    field,
                    format!("{} is no move: write a player and a vertex, [\"B\",\"Q4\"]", quoted(value)),
                )
            };
            let [by, at] = value.as_array().ok_or_else(form)?.as_slice() else { return Err(form()) };
            let at = vertex(size, at.as_str().ok_or_else(form)?).map_err(|why| Wrong::new(field, why))?;
            Ok((color(by).ok_or_else(form)?, at))
        };
        list.iter().map(pair).collect::<Result<_, _>>().map(Some)
    }

    /// Moves without colours, such as `["C3","pass"]`.
    pub(super) fn vertices(self, field: &str, size: BoardSize) -> Result<Option<Vec<Move>>, Wrong> {
        let right = "a list of vertices";
        let Some(list) = self.list(field, right)? else { return Ok(None) };
        let one = |value: &Value| {
            let form = || Wrong::new(field, format!("{} is no vertex such as \"C3\"", quoted(value)));
            vertex(size, value.as_str().ok_or_else(form)?).map_err(|why| Wrong::new(field, why))
        };
        list.iter().map(one).collect::<Result<_, _>>().map(Some)
    }
}

const MOVES: &str = "a list of players and vertices such as [[\"B\",\"Q4\"],[\"W\",\"D4\"]]";
const PRIORITY: &str = "a whole number from -2^62 to 2^62";

fn priority(value: &Value) -> Option<i64> {
    value.as_i64().filter(|priority| priority.unsigned_abs() <= 1 << 62)
}

fn color(value: &Value) -> Option<Color> {
    match value.as_str()? {
        "B" | "b" | "black" => Some(Color::Black),
        "W" | "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// A vertex, `pass`, or column and row from the upper left corner such as `(0,13)`.
fn vertex(size: BoardSize, text: &str) -> Result<Move, String> {
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
