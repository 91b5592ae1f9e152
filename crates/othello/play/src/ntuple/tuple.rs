//! Tuples: lists of squares whose contents are read as a number in base 3.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use ishi_othello::{Board, Square, Symmetry};

/// The longest tuple: 3^10 = 59,049 contents, so that a number fits 16 bits.
pub const MAX_LENGTH: usize = 10;

/// Distinct squares, the first the most significant digit.
///
/// ```
/// use ishi_othello_play::ntuple::SquareTuple;
/// let corner: SquareTuple = "a1b1a2b2".parse().unwrap();
/// assert_eq!((corner.len(), corner.content_count()), (4, 81));
/// assert_eq!(corner.content_index(ishi_othello::Board::START), 40, "four empty squares: 1111 in base 3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SquareTuple {
    squares: Vec<Square>,
}

/// Squares that make no tuple.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SquareTupleError {
    /// Too few or too many.
    #[error("a tuple of {0} squares: write 1 to {MAX_LENGTH}")]
    Length(usize),
    /// The same square twice.
    #[error("square {0} is twice in a tuple: write each once")]
    Twice(Square),
    /// The text is no list of squares.
    #[error("invalid tuple {0:?}: write squares one after the other, such as a1b1c1")]
    Text(String),
}

impl SquareTuple {
    /// A tuple of these squares.
    ///
    /// # Errors
    /// If there are none, more than [`MAX_LENGTH`], or one is there twice.
    pub fn new(squares: Vec<Square>) -> Result<SquareTuple, SquareTupleError> {
        if squares.is_empty() || squares.len() > MAX_LENGTH {
            return Err(SquareTupleError::Length(squares.len()));
        }
        let mut seen = 0;
        for &square in &squares {
            if seen & square.bit() != 0 {
                return Err(SquareTupleError::Twice(square));
            }
            seen |= square.bit();
        }
        Ok(SquareTuple { squares })
    }

    /// The squares, the most significant first.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// How many squares, 1 to [`MAX_LENGTH`].
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// How many contents: 3 to the length.
    pub fn content_count(&self) -> usize {
        3usize.pow(self.squares.len() as u32)
    }

    /// The squares as a bitboard.
    pub fn bits(&self) -> u64 {
        self.squares.iter().fold(0, |bits, square| bits | square.bit())
    }

    /// What is on the squares: digit 2 for the side to move, 1 for empty, 0 for the opponent.
    pub fn content_index(&self, board: Board) -> usize {
        let digit = |square: &Square| match square.bit() {
            bit if board.player & bit != 0 => 2,
            bit if board.opponent & bit != 0 => 0,
            _ => 1,
        };
        self.squares.iter().fold(0, |index, square| 3 * index + digit(square))
    }

    /// The tuple on the turned board.
    pub fn under_symmetry(&self, symmetry: Symmetry) -> SquareTuple {
        SquareTuple { squares: self.squares.iter().map(|&square| symmetry.map_square(square)).collect() }
    }

    /// The tuple's images under the eight symmetries, one for each set of squares, itself first.
    pub fn placements(&self) -> Vec<SquareTuple> {
        let mut seen = BTreeSet::new();
        let images = Symmetry::ALL.into_iter().map(|symmetry| self.under_symmetry(symmetry));
        images.filter(|image| seen.insert(image.bits())).collect()
    }

    /// How the symmetries that leave the set of squares where it is exchange the places in the list: for each place,
    /// the place whose content comes there. Without those that exchange nothing.
    pub(super) fn place_exchanges(&self) -> BTreeSet<Vec<usize>> {
        let place = |square: Square| self.squares.iter().position(|&own| own == square).unwrap_or(0);
        let images = Symmetry::ALL.into_iter().map(|symmetry| self.under_symmetry(symmetry));
        let own = images.filter(|image| image.bits() == self.bits());
        let exchange = own.map(|image| image.squares.iter().map(|&square| place(square)).collect());
        exchange.filter(|places: &Vec<usize>| !places.is_sorted()).collect()
    }

    /// The least of the images, read as sets: the same for all eight.
    pub(super) fn family_bits(&self) -> u64 {
        Symmetry::ALL.into_iter().map(|symmetry| symmetry.map_bits(self.bits())).min().unwrap_or(0)
    }
}

/// `a1b1a2b2`.
impl fmt::Display for SquareTuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.squares.iter().try_for_each(|square| write!(f, "{square}"))
    }
}

impl FromStr for SquareTuple {
    type Err = SquareTupleError;

    fn from_str(text: &str) -> Result<SquareTuple, SquareTupleError> {
        let error = || SquareTupleError::Text(text.to_string());
        let pairs = text.as_bytes().chunks(2);
        let square = |pair| std::str::from_utf8(pair).ok().and_then(|pair| pair.parse().ok());
        SquareTuple::new(pairs.map(square).collect::<Option<_>>().ok_or_else(error)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuple(text: &str) -> SquareTuple {
        text.parse().unwrap()
    }

    #[test]
    fn placements_and_exchanges() {
        let cases =
            [("a1b1c1d1e1f1g1h1", 4, 1), ("a1b2c3d4e5f6g7h8", 2, 1), ("a1b1c1", 8, 0), ("a1b1a2b2", 4, 1)];
        for (text, placements, exchanges) in cases {
            let tuple = tuple(text);
            assert_eq!(
                (tuple.placements().len(), tuple.place_exchanges().len()),
                (placements, exchanges),
                "{text}"
            );
            assert_eq!(tuple.to_string(), text);
        }
        assert_eq!(tuple("d4e4d5e5").place_exchanges().len(), 7);
    }

    #[test]
    fn bad_tuples_say_what_is_right() {
        let cases = [
            ("", "a tuple of 0 squares: write 1 to 10"),
            ("a1a1", "square a1 is twice in a tuple: write each once"),
            ("a1b", "invalid tuple \"a1b\": write squares one after the other, such as a1b1c1"),
            ("i9", "invalid tuple \"i9\": write squares one after the other, such as a1b1c1"),
        ];
        for (text, message) in cases {
            assert_eq!(text.parse::<SquareTuple>().unwrap_err().to_string(), message);
        }
    }
}
