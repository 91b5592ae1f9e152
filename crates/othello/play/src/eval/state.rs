//! Pattern indices of a board, kept up to date move by move.

use ishi_othello::{Board, Square, iter_squares};

use super::patterns::{FEATURES, PADDING_INDEX, USED, shared_layout};

/// The ternary contents of all patterns: digit 0 is an empty square, 1 a disc of the first side (the one that was to
/// move where the state was made), 2 one of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(128))]
pub struct PatternState {
    /// Index by pattern; [`PADDING_INDEX`] for padding.
    pub(crate) index: [u16; FEATURES],
}

impl PatternState {
    /// The state of a board; its side to move is the first side.
    pub fn new(board: Board) -> PatternState {
        let powers = &shared_layout().powers;
        let mut index = [0; FEATURES];
        index[USED..].fill(PADDING_INDEX);
        for square in iter_squares(board.player) {
            add_powers(&mut index, &powers[square.index()]);
        }
        for square in iter_squares(board.opponent) {
            add_powers(&mut index, &powers[square.index()]);
            add_powers(&mut index, &powers[square.index()]);
        }
        PatternState { index }
    }

    /// After the first side has played on `square` and turned `flips`.
    #[inline(always)]
    pub fn after_first_plays(&self, square: Square, flips: u64) -> PatternState {
        let powers = &shared_layout().powers;
        let mut index = self.index;
        add_powers(&mut index, &powers[square.index()]);
        for turned in iter_squares(flips) {
            subtract_powers(&mut index, &powers[turned.index()]);
        }
        PatternState { index }
    }

    /// After the second side has played on `square` and turned `flips`.
    #[inline(always)]
    pub fn after_second_plays(&self, square: Square, flips: u64) -> PatternState {
        let powers = &shared_layout().powers;
        let mut index = self.index;
        add_powers(&mut index, &powers[square.index()]);
        add_powers(&mut index, &powers[square.index()]);
        for turned in iter_squares(flips) {
            add_powers(&mut index, &powers[turned.index()]);
        }
        PatternState { index }
    }
}

#[inline(always)]
fn add_powers(index: &mut [u16; FEATURES], powers: &[u16; FEATURES]) {
    for (index, power) in index.iter_mut().zip(powers) {
        *index = index.wrapping_add(*power);
    }
}

#[inline(always)]
fn subtract_powers(index: &mut [u16; FEATURES], powers: &[u16; FEATURES]) {
    for (index, power) in index.iter_mut().zip(powers) {
        *index = index.wrapping_sub(*power);
    }
}
