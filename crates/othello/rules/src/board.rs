//! The board for search: two bitboards, seen by the side that is to move.
//!
//! Bit i is square i, row by row from a1, the top left corner. A board has no history and no colours: a game has
//! them, see [`Position`](crate::Position).

use crate::portable;
use crate::square::{Square, iter_squares};

/// Discs of the side to move, and of the other.
///
/// ```
/// use ishi_othello::{Board, Square};
/// let board = Board::START;
/// let f5: Square = "f5".parse().unwrap();
/// assert!(board.is_legal(f5));
/// assert_eq!(board.flips(f5), "e5".parse::<Square>().unwrap().bit());
/// assert_eq!(board.play_unchecked(f5).disc_difference(), -3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side; no bit in common with `player`.
    pub opponent: u64,
}

impl Board {
    /// The start, Black to move: black discs on e4 and d5, white ones on d4 and e5.
    pub const START: Board = Board { player: 0x0000_0008_1000_0000, opponent: 0x0000_0010_0800_0000 };

    /// The empty squares, as a bitboard.
    #[inline]
    pub const fn empty_squares(self) -> u64 {
        !(self.player | self.opponent)
    }

    /// The number of empty squares.
    #[inline]
    pub const fn empty_count(self) -> u32 {
        self.empty_squares().count_ones()
    }

    /// Own discs minus the opponent's.
    #[inline]
    pub const fn disc_difference(self) -> i32 {
        self.player.count_ones() as i32 - self.opponent.count_ones() as i32
    }

    /// The legal moves, as a bitboard; a pass is not among them.
    ///
    /// ```
    /// use ishi_othello::Board;
    /// assert_eq!(Board::START.legal_moves().count_ones(), 4);
    /// ```
    #[inline]
    pub fn legal_moves(self) -> u64 {
        portable::legal_moves(self.player, self.opponent)
    }

    /// May a disc be placed here?
    ///
    /// ```
    /// # use ishi_othello::{Board, Color, Move, Position, Square};
    /// let f5: Square = "f5".parse().unwrap();
    /// assert!(Board::START.is_legal(f5));
    /// assert!(!Board::START.is_legal("a1".parse().unwrap()));
    /// ```
    #[inline]
    pub fn is_legal(self, square: Square) -> bool {
        self.legal_moves() & square.bit() != 0
    }

    /// The discs that a disc on this empty square would turn; none if it is not legal.
    ///
    /// ```
    /// # use ishi_othello::{Board, Color, Move, Position, Square};
    /// let f5: Square = "f5".parse().unwrap();
    /// let e5: Square = "e5".parse().unwrap();
    /// assert_eq!(Board::START.flips(f5), e5.bit());
    /// ```
    #[inline]
    pub fn flips(self, square: Square) -> u64 {
        portable::flipped_discs(self.player, self.opponent, square)
    }

    /// The board after this legal move, seen by the opponent.
    ///
    /// ```
    /// # use ishi_othello::{Board, Color, Move, Position, Square};
    /// let f5: Square = "f5".parse().unwrap();
    /// let after = Board::START.play_unchecked(f5);
    /// // White is to move, with one disc against four.
    /// assert_eq!((after.player.count_ones(), after.opponent.count_ones()), (1, 4));
    /// ```
    #[inline]
    pub fn play_unchecked(self, square: Square) -> Board {
        self.after_flips(square, self.flips(square))
    }

    /// The board after a disc on `square` has turned `flips`, seen by the opponent.
    #[inline]
    pub const fn after_flips(self, square: Square, flips: u64) -> Board {
        Board { player: self.opponent ^ flips, opponent: self.player ^ flips | square.bit() }
    }

    /// The same discs, the opponent to move.
    ///
    /// ```
    /// use ishi_othello::Board;
    /// assert_eq!(Board::START.pass().pass(), Board::START);
    /// ```
    #[inline]
    pub const fn pass(self) -> Board {
        Board { player: self.opponent, opponent: self.player }
    }

    /// Has neither side a move?
    pub fn is_over(self) -> bool {
        self.legal_moves() == 0 && self.pass().legal_moves() == 0
    }

    /// The score of a finished game for the side to move, in discs, -64 to 64: empty squares go to the winner.
    #[inline]
    pub const fn final_score(self) -> i32 {
        let difference = self.disc_difference();
        difference + difference.signum() * self.empty_count() as i32
    }

    /// All boards after a legal move, each seen by the opponent.
    ///
    /// ```
    /// use ishi_othello::Board;
    /// assert_eq!(Board::START.children().count(), 4);
    /// ```
    pub fn children(self) -> impl Iterator<Item = (Square, Board)> {
        iter_squares(self.legal_moves()).map(move |square| (square, self.play_unchecked(square)))
    }
}
