//! Pattern indices of a board, kept up to date move by move.

use ishi_othello::simd::{Portable, Vectors, Words};
use ishi_othello::{Board, Square, iter_squares};

use super::patterns::{FEATURES, PADDING_INDEX, USED, shared_layout};

/// The ternary contents of all patterns: digit 0 is an empty square, 1 a disc of the first side (the one that was to
/// move where the state was made), 2 one of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(128))]
pub struct PatternState {
    /// Index by pattern; [`PADDING_INDEX`] for padding.
    pub(crate) index: Words,
}

impl PatternState {
    /// The state of a board; its side to move is the first side.
    pub fn new(board: Board) -> PatternState {
        let powers = &shared_layout().powers;
        let mut index = Words([0; FEATURES]);
        index.0[USED..].fill(PADDING_INDEX);
        for square in iter_squares(board.player) {
            Portable.add_words(&mut index, &powers[square.index()]);
        }
        for square in iter_squares(board.opponent) {
            Portable.add_words(&mut index, &powers[square.index()]);
            Portable.add_words(&mut index, &powers[square.index()]);
        }
        PatternState { index }
    }

    /// After the first side has played on `square` and turned `flips`.
    #[inline(always)]
    pub fn after_first_plays<V: Vectors>(&self, vectors: V, square: Square, flips: u64) -> PatternState {
        let powers = &shared_layout().powers;
        let mut index = self.index;
        vectors.add_words(&mut index, &powers[square.index()]);
        let mut left = flips;
        while left != 0 {
            for row in take_two(&mut left) {
                vectors.subtract_words(&mut index, &powers[row]);
            }
        }
        PatternState { index }
    }

    /// After the second side has played on `square` and turned `flips`.
    #[inline(always)]
    pub fn after_second_plays<V: Vectors>(&self, vectors: V, square: Square, flips: u64) -> PatternState {
        let powers = &shared_layout().powers;
        let mut index = self.index;
        vectors.add_words(&mut index, &powers[square.index()]);
        vectors.add_words(&mut index, &powers[square.index()]);
        let mut left = flips;
        while left != 0 {
            for row in take_two(&mut left) {
                vectors.add_words(&mut index, &powers[row]);
            }
        }
        PatternState { index }
    }
}

/// Takes the two lowest squares away; 64 for one that is not there. How many rounds a loop takes is guessed right more often with two in each.
#[inline(always)]
fn take_two(squares: &mut u64) -> [usize; 2] {
    [(); 2].map(|()| {
        let lowest = squares.trailing_zeros();
        *squares &= squares.wrapping_sub(1);
        lowest as usize
    })
}
