//! Pattern indices of a board, kept up to date move by move.

use ishi_othello::{Board, Square, squares};

use super::patterns::{FEATURES, layout};

/// The ternary contents of all patterns: digit 0 is an empty square, 1 a disc of the first side (the one that was to
/// move where the state was made), 2 one of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(128))]
pub struct State {
    /// Index by pattern; padding is 0.
    pub(crate) index: [u16; FEATURES],
}

impl State {
    /// The state of a board; its side to move is the first side.
    pub fn new(board: Board) -> State {
        let powers = &layout().powers;
        let mut index = [0; FEATURES];
        for square in squares(board.player) {
            add(&mut index, &powers[square.index()]);
        }
        for square in squares(board.opponent) {
            add(&mut index, &powers[square.index()]);
            add(&mut index, &powers[square.index()]);
        }
        State { index }
    }

    /// After the first side has played on `square` and turned `flips`.
    #[inline(always)]
    pub fn first_plays(&self, square: Square, flips: u64) -> State {
        let powers = &layout().powers;
        let mut index = self.index;
        add(&mut index, &powers[square.index()]);
        for turned in squares(flips) {
            subtract(&mut index, &powers[turned.index()]);
        }
        State { index }
    }

    /// After the second side has played on `square` and turned `flips`.
    #[inline(always)]
    pub fn second_plays(&self, square: Square, flips: u64) -> State {
        let powers = &layout().powers;
        let mut index = self.index;
        add(&mut index, &powers[square.index()]);
        add(&mut index, &powers[square.index()]);
        for turned in squares(flips) {
            add(&mut index, &powers[turned.index()]);
        }
        State { index }
    }
}

#[inline(always)]
fn add(index: &mut [u16; FEATURES], powers: &[u16; FEATURES]) {
    for (index, power) in index.iter_mut().zip(powers) {
        *index = index.wrapping_add(*power);
    }
}

#[inline(always)]
fn subtract(index: &mut [u16; FEATURES], powers: &[u16; FEATURES]) {
    for (index, power) in index.iter_mut().zip(powers) {
        *index = index.wrapping_sub(*power);
    }
}
