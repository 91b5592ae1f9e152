//! Moves and their text: vertices as GTP 2 writes them (section 2.11), columns A to Z without I.

use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::point::{BoardSize, Point};

/// Column letters from left to right.
pub(crate) const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// A stone on a point, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// Put a stone here.
    Play(Point),
    /// No stone.
    Pass,
}

impl Move {
    /// The point played, if the move is not a pass.
    pub const fn point(self) -> Option<Point> {
        match self {
            Move::Play(point) => Some(point),
            Move::Pass => None,
        }
    }
}

impl From<Point> for Move {
    fn from(point: Point) -> Move {
        Move::Play(point)
    }
}

/// `D4` or `pass`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Play(point) => fmt::Display::fmt(point, f),
            Move::Pass => f.pad("pass"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text was no vertex of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VertexError {
    /// Not a letter and a number.
    Form {
        /// The text.
        text: String,
        /// Would a pass be right, too?
        may_pass: bool,
    },
    /// The column I, which no board has.
    ColumnI {
        /// The text.
        text: String,
    },
    /// Well formed, but not on this board.
    Outside {
        /// The text.
        text: String,
        /// The board.
        size: BoardSize,
    },
}

impl fmt::Display for VertexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VertexError::Form { text, may_pass } => {
                write!(f, "invalid vertex {text:?}: write a column letter and a row number such as D4")?;
                f.write_str(if *may_pass { ", or pass" } else { "" })
            }
            VertexError::ColumnI { text } => write!(f, "invalid vertex {text:?}: column I is not used"),
            VertexError::Outside { text, size } => {
                let corner = Point::new(size.width() - 1, size.height() - 1);
                write!(f, "invalid vertex {text:?}: this {size} board goes from A1 to {corner}")
            }
        }
    }
}

impl CodedError for VertexError {
    fn facts(&self) -> ErrorFacts {
        match self {
            VertexError::Form { text, may_pass } => {
                let pass = if *may_pass { "yes" } else { "no" };
                facts!["go-no-vertex", text = format!("{text:?}"), pass]
            }
            VertexError::ColumnI { text } => facts!["go-no-column-i", text = format!("{text:?}")],
            VertexError::Outside { text, size } => {
                let corner = Point::new(size.width() - 1, size.height() - 1);
                facts!["go-vertex-outside", text = format!("{text:?}"), size, corner]
            }
        }
    }
}

impl std::error::Error for VertexError {}

pub(crate) fn parse_point(size: BoardSize, text: &str) -> Result<Point, VertexError> {
    let form = || VertexError::Form { text: text.to_string(), may_pass: false };
    let mut letters = text.chars();
    let letter = letters.next().ok_or_else(form)?.to_ascii_uppercase();
    let digits = letters.as_str();
    if !letter.is_ascii_uppercase() || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(form());
    }
    if letter == 'I' {
        return Err(VertexError::ColumnI { text: text.to_string() });
    }
    let outside = || VertexError::Outside { text: text.to_string(), size };
    let column = COLUMNS.iter().position(|&c| c as char == letter).ok_or_else(form)?;
    let row: usize = digits.parse().map_err(|_| outside())?;
    if column >= size.width() || row == 0 || row > size.height() {
        return Err(outside());
    }
    Ok(Point::new(column, row - 1))
}

impl BoardSize {
    /// Reads a vertex or `pass`, in any case.
    ///
    /// # Errors
    /// Says what is wrong with the text and what would be right.
    pub fn parse_move(self, text: &str) -> Result<Move, VertexError> {
        if text.eq_ignore_ascii_case("pass") {
            Ok(Move::Pass)
        } else {
            self.parse_point(text).map(Move::Play).map_err(|error| match error {
                VertexError::Form { text, .. } => VertexError::Form { text, may_pass: true },
                error => error,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_survive_text() {
        for side in [2, 9, 19, 25] {
            let size = BoardSize::square(side).unwrap();
            assert_eq!(size.points().count(), side * side);
            for point in size.points() {
                assert_eq!(size.parse_point(&point.to_string()), Ok(point));
                assert_eq!(size.parse_point(&point.to_string().to_lowercase()), Ok(point));
            }
        }
    }

    #[test]
    fn errors_say_what_is_right() {
        let size = BoardSize::new(9, 5).unwrap();
        let error = |text: &str| size.parse_move(text).unwrap_err().to_string();
        assert_eq!(error("I9"), "invalid vertex \"I9\": column I is not used");
        assert_eq!(error("A6"), "invalid vertex \"A6\": this 9x5 board goes from A1 to J5");
        assert_eq!(error("K1"), "invalid vertex \"K1\": this 9x5 board goes from A1 to J5");
        assert_eq!(error("A99999999999999999999"), error("A6").replace("A6", "A99999999999999999999"));
        for bad in ["", "A", "11", "A0x", "A-1", "é3", "passs"] {
            assert!(error(bad).contains("write a column letter"), "{bad}");
        }
        let form = "invalid vertex \"55\": write a column letter and a row number such as D4";
        assert_eq!(error("55"), format!("{form}, or pass"));
        assert_eq!(size.parse_point("55").unwrap_err().to_string(), form);
        assert_eq!(size.parse_move("PASS"), Ok(Move::Pass));
    }
}
