//! Regions of empty squares, for parity.

use ishi_othello::{Board, Square, iter_squares};

/// Empty squares that touch, diagonally too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParityRegion {
    /// Its squares, as a bitboard.
    pub squares: u64,
}

impl ParityRegion {
    /// How many squares it has.
    pub fn size(self) -> u32 {
        self.squares.count_ones()
    }

    /// Has it an odd number of squares? Who enters such a region first also leaves it last, if both play on.
    pub fn is_odd(self) -> bool {
        self.size() % 2 == 1
    }
}

/// The regions of a board, by their lowest square.
pub fn find_regions(board: Board) -> Vec<ParityRegion> {
    let mut rest = board.empty_squares();
    let mut regions = Vec::new();
    while rest != 0 {
        let squares = flood_fill(Square::from_lowest_bit(rest).bit(), rest);
        rest &= !squares;
        regions.push(ParityRegion { squares });
    }
    regions
}

/// The squares of `within` that are reached from `start`.
fn flood_fill(start: u64, within: u64) -> u64 {
    let mut reached = start;
    loop {
        let more = squares_around(reached) & within & !reached;
        if more == 0 {
            return reached;
        }
        reached |= more;
    }
}

/// The squares next to any of these, diagonally too, and these.
pub(super) fn squares_around(bits: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let row = bits | (bits << 1) & NOT_A | (bits >> 1) & NOT_H;
    row | row << 8 | row >> 8
}

/// The discs of `discs` that have an empty square beside them.
pub(super) fn count_frontier(discs: u64, board: Board) -> u32 {
    iter_squares(discs & squares_around(board.empty_squares())).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::testing::{board, named};

    #[test]
    fn regions_touch_diagonally() {
        let board = board("--XXXXXX -XXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXX- XXXXXX-O XXXXXXOO");
        let found = find_regions(board);
        assert_eq!(
            found,
            [ParityRegion { squares: named("a1 b1 a2") }, ParityRegion { squares: named("h6 g7") }]
        );
        assert!(found[0].is_odd() && !found[1].is_odd());
    }

    #[test]
    fn regions_do_not_reach_over_the_rim() {
        assert_eq!(squares_around(named("h1")), named("g1 h1 g2 h2"));
        assert_eq!(squares_around(named("a4")), named("a3 b3 a4 b4 a5 b5"));
    }

    #[test]
    fn frontier_discs_have_an_empty_square_beside_them() {
        let board = board("XXX----- XXX----- XXX----- -------- -------- -------- -------- --------");
        assert_eq!(count_frontier(board.player, board), 5);
    }
}
