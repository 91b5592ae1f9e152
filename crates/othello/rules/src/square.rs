//! Squares, sets of squares as bitboards, and moves.

use std::fmt;
use std::str::FromStr;

use ishi_words::{CodedError, ErrorFacts, facts};

/// A square: 0 is a1, the top left corner, 1 is b1, 8 is a2, 63 is h8.
///
/// ```
/// use ishi_othello::Square;
/// let square: Square = "f5".parse().unwrap();
/// assert_eq!((square.column(), square.row(), square.index()), (5, 4, 37));
/// assert_eq!(square.to_string(), "f5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this index, 0 to 63.
    #[inline]
    pub const fn new(index: usize) -> Option<Square> {
        if index < 64 { Some(Square(index as u8)) } else { None }
    }

    /// The lowest square of a bitboard that is not empty. Of an empty one: a1.
    #[inline]
    pub const fn from_lowest_bit(bits: u64) -> Square {
        Square((bits.trailing_zeros() & 63) as u8)
    }

    /// Column and row, 0 to 7 each, from the top left.
    ///
    /// ```
    /// # use ishi_othello::{Board, Color, Move, Position, Square};
    /// let f5: Square = "f5".parse().unwrap();
    /// assert_eq!(Square::from_column_row(5, 4), Some(f5));
    /// assert_eq!(Square::from_column_row(8, 0), None);
    /// ```
    pub const fn from_column_row(column: usize, row: usize) -> Option<Square> {
        if column < 8 && row < 8 { Some(Square((8 * row + column) as u8)) } else { None }
    }

    /// 0 to 63.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 for the a-file to 7 for the h-file.
    #[inline]
    pub const fn column(self) -> usize {
        self.index() % 8
    }

    /// 0 for the top row, called 1, to 7.
    #[inline]
    pub const fn row(self) -> usize {
        self.index() / 8
    }

    /// The bitboard with this square alone.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.index()
    }

    /// All 64 squares, row by row.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64u8).map(Square)
    }
}

/// The four corners, as a bitboard.
pub const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The squares of a bitboard, lowest first.
///
/// ```
/// use ishi_othello::{CORNERS, iter_squares};
/// let names: Vec<String> = iter_squares(CORNERS).map(|square| square.to_string()).collect();
/// assert_eq!(names, ["a1", "h1", "a8", "h8"]);
/// ```
#[inline]
pub fn iter_squares(bits: u64) -> SquareIter {
    SquareIter(bits)
}

/// See [`iter_squares`].
#[derive(Clone, Copy, Debug)]
pub struct SquareIter(u64);

impl Iterator for SquareIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_lowest_bit(self.0);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// Lower case, as transcripts have it: `f5`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.column() as u8);
        f.pad(&format!("{column}{}", self.row() + 1))
    }
}

/// The text was no square, or no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareError(String);

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "invalid square {:?}: a square must be a letter from a to h and a number from 1 to 8",
            self.0
        )
    }
}

impl std::error::Error for SquareError {}

impl CodedError for SquareError {
    fn facts(&self) -> ErrorFacts {
        facts!["othello-square", text = format!("{:?}", self.0)]
    }
}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        let error = || SquareError(text.to_string());
        let &[column, row] = text.as_bytes() else { return Err(error()) };
        let column = usize::from(column.to_ascii_lowercase().wrapping_sub(b'a'));
        let row = usize::from(row.wrapping_sub(b'1'));
        Square::from_column_row(column, row).ok_or_else(error)
    }
}

/// What a player does in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A disc on this square.
    Play(Square),
    /// Nothing: only where there is no legal move, and then always.
    Pass,
}

impl Move {
    /// The square, unless it is a pass.
    pub const fn square(self) -> Option<Square> {
        match self {
            Move::Play(square) => Some(square),
            Move::Pass => None,
        }
    }
}

impl From<Square> for Move {
    fn from(square: Square) -> Move {
        Move::Play(square)
    }
}

/// `f5` or `pass`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Play(square) => fmt::Display::fmt(square, f),
            Move::Pass => f.pad("pass"),
        }
    }
}

/// A square, or `pass`, `pa` or `--`, in either case.
impl FromStr for Move {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Move, SquareError> {
        match text.to_ascii_lowercase().as_str() {
            "pass" | "pa" | "--" => Ok(Move::Pass),
            _ => text.parse().map(Move::Play),
        }
    }
}
