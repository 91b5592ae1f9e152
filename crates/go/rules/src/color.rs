//! The two colours, and what stands on a point.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

/// A player's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// Black moves first.
    Black = 1,
    /// White receives komi.
    White = 2,
}

impl Color {
    /// Black, then White.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White: for tables by colour.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// The opponent's colour; `!color` says the same.
    ///
    /// ```
    /// use ishi_go::Color;
    /// assert_eq!(Color::Black.opponent(), !Color::Black);
    /// ```
    #[inline]
    pub const fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// `B` or `W`, as SGF and result texts have it.
    pub const fn letter(self) -> char {
        match self {
            Color::Black => 'B',
            Color::White => 'W',
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        self.opponent()
    }
}

/// `black` or `white`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

/// The text was no colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorError(String);

impl fmt::Display for ColorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid color {:?}: write b, w, black or white", self.0)
    }
}

impl std::error::Error for ColorError {}

/// Reads `b`, `w`, `black`, `white` in any case, as GTP 2 (section 2.11) has it.
impl FromStr for Color {
    type Err = ColorError;

    fn from_str(text: &str) -> Result<Self, ColorError> {
        match text.to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Color::Black),
            "w" | "white" => Ok(Color::White),
            _ => Err(ColorError(text.to_string())),
        }
    }
}

/// What stands on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Cell {
    /// No stone.
    Empty = 0,
    /// A black stone.
    Black = 1,
    /// A white stone.
    White = 2,
    /// Outside the board.
    Border = 3,
}

impl Cell {
    /// The colour of the stone here.
    #[inline]
    pub const fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Border => None,
        }
    }
}

impl From<Color> for Cell {
    #[inline]
    fn from(color: Color) -> Cell {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }
}
