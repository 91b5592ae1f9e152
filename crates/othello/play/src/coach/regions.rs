//! Regions of empty squares, for parity.

use ishi_othello::{Board, Square, squares};

/// Empty squares that touch, diagonally too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its squares, as a bitboard.
    pub squares: u64,
}

impl Region {
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
pub fn regions(board: Board) -> Vec<Region> {
    let mut rest = board.empty();
    let mut regions = Vec::new();
    while rest != 0 {
        let squares = flood(Square::lowest(rest).bit(), rest);
        rest &= !squares;
        regions.push(Region { squares });
    }
    regions
}

/// The squares of `within` that are reached from `start`.
fn flood(start: u64, within: u64) -> u64 {
    let mut reached = start;
    loop {
        let more = around(reached) & within & !reached;
        if more == 0 {
            return reached;
        }
        reached |= more;
    }
}

/// The squares next to any of these, diagonally too, and these.
pub(super) fn around(bits: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let row = bits | (bits << 1) & NOT_A | (bits >> 1) & NOT_H;
    row | row << 8 | row >> 8
}

/// The discs of `discs` that have an empty square beside them.
pub(super) fn frontier(discs: u64, board: Board) -> u32 {
    squares(discs & around(board.empty())).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::testing::{board, named};

    #[test]
    fn regions_touch_diagonally() {
        let board = board("--XXXXXX -XXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXX- XXXXXX-O XXXXXXOO");
        let found = regions(board);
        assert_eq!(found, [Region { squares: named("a1 b1 a2") }, Region { squares: named("h6 g7") }]);
        assert!(found[0].is_odd() && !found[1].is_odd());
    }

    #[test]
    fn regions_do_not_reach_over_the_rim() {
        assert_eq!(around(named("h1")), named("g1 h1 g2 h2"));
        assert_eq!(around(named("a4")), named("a3 b3 a4 b4 a5 b5"));
    }

    #[test]
    fn frontier_discs_have_an_empty_square_beside_them() {
        let board = board("XXX----- XXX----- XXX----- -------- -------- -------- -------- --------");
        assert_eq!(frontier(board.player, board), 5);
    }
}
