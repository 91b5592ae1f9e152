//! The eight symmetries of the board, and the one form that stands for all eight.

use crate::board::Board;
use crate::square::{Move, Square};

/// A reflection or rotation of the board.
///
/// ```
/// use ishi_othello::{Board, Symmetry};
/// let (canonical, symmetry) = Board::START.canonical_form();
/// assert_eq!(symmetry.map_board(Board::START), canonical);
/// assert_eq!(symmetry.inverse().map_board(canonical), Board::START);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry(u8);

/// Swaps rows and columns first.
const TRANSPOSE: u8 = 4;
/// Then a-file with h-file.
const MIRROR: u8 = 2;
/// Then first with eighth row.
const FLIP: u8 = 1;

impl Symmetry {
    /// Leaves every square where it is.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry(0); 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Symmetry(i as u8);
            i += 1;
        }
        all
    };

    /// Where a square goes.
    pub const fn map_square(self, square: Square) -> Square {
        Square::from_lowest_bit(self.map_bits(square.bit()))
    }

    /// Where a move goes; a pass stays one.
    ///
    /// ```
    /// use ishi_othello::{Move, Symmetry};
    /// let moves: Vec<String> = Symmetry::ALL.iter().map(|s| s.map_move("c1".parse().unwrap()).to_string()).collect();
    /// assert_eq!(moves, ["c1", "c8", "f1", "f8", "a3", "a6", "h3", "h6"]);
    /// assert_eq!(Symmetry::ALL[3].map_move(Move::Pass), Move::Pass);
    /// ```
    pub const fn map_move(self, mv: Move) -> Move {
        match mv {
            Move::Play(square) => Move::Play(self.map_square(square)),
            Move::Pass => Move::Pass,
        }
    }

    /// Where a set of squares goes.
    pub const fn map_bits(self, bits: u64) -> u64 {
        let bits = if self.0 & TRANSPOSE != 0 { transpose_bits(bits) } else { bits };
        let bits = if self.0 & MIRROR != 0 { mirror_bits(bits) } else { bits };
        if self.0 & FLIP != 0 { bits.swap_bytes() } else { bits }
    }

    /// Where a board goes.
    pub const fn map_board(self, board: Board) -> Board {
        Board { player: self.map_bits(board.player), opponent: self.map_bits(board.opponent) }
    }

    /// The symmetry that takes everything back.
    pub const fn inverse(self) -> Symmetry {
        let reflections = self.0 & (MIRROR | FLIP);
        // A transposition in between exchanges the two reflections.
        if self.0 & TRANSPOSE != 0 && (reflections == MIRROR || reflections == FLIP) {
            Symmetry(TRANSPOSE | (MIRROR | FLIP) ^ reflections)
        } else {
            self
        }
    }
}

impl Board {
    /// The least of the eight boards that are the same but for symmetry, and a symmetry that leads to it.
    pub fn canonical_form(self) -> (Board, Symmetry) {
        let turned = Symmetry::ALL.into_iter().map(|symmetry| (symmetry.map_board(self), symmetry));
        turned.min().unwrap_or((self, Symmetry::IDENTITY))
    }
}

/// Exchanges rows and columns: blocks of 1, 2 and 4 squares change places (Warren, Hacker's Delight, 7-3).
const fn transpose_bits(bits: u64) -> u64 {
    let bits = exchange_bits(bits, 0x00aa_00aa_00aa_00aa, 7);
    let bits = exchange_bits(bits, 0x0000_cccc_0000_cccc, 14);
    exchange_bits(bits, 0x0000_0000_f0f0_f0f0, 28)
}

/// Exchanges the squares of `mask` with those `shift` further on.
const fn exchange_bits(bits: u64, mask: u64, shift: u32) -> u64 {
    let differ = (bits ^ (bits >> shift)) & mask;
    bits ^ differ ^ (differ << shift)
}

/// Exchanges left and right.
const fn mirror_bits(bits: u64) -> u64 {
    bits.swap_bytes().reverse_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn image(symmetry: Symmetry, text: &str) -> String {
        symmetry.map_square(text.parse().unwrap()).to_string()
    }

    #[test]
    fn the_eight_images_of_a_square() {
        let images: Vec<String> = Symmetry::ALL.into_iter().map(|symmetry| image(symmetry, "c1")).collect();
        assert_eq!(images, ["c1", "c8", "f1", "f8", "a3", "a6", "h3", "h6"]);
    }

    #[test]
    fn the_first_moves_are_one() {
        let mut children: Vec<Board> =
            Board::START.children().map(|(_, board)| board.canonical_form().0).collect();
        children.dedup();
        assert_eq!(children.len(), 1);
        assert_eq!(children[0].legal_moves().count_ones(), 3);
    }

    proptest! {
        #[test]
        fn inverses_and_moves_commute(discs: u64, own: u64) {
            let board = Board { player: discs & own, opponent: discs & !own };
            for symmetry in Symmetry::ALL {
                let turned = symmetry.map_board(board);
                prop_assert_eq!(symmetry.inverse().map_board(turned), board);
                prop_assert_eq!(turned.legal_moves(), symmetry.map_bits(board.legal_moves()));
                prop_assert_eq!(turned.canonical_form().0, board.canonical_form().0);
            }
        }
    }
}
