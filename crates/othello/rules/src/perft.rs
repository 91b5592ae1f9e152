//! Counts of move sequences: they test the rules. A pass counts as a ply; a finished game is a leaf at any depth.

use crate::board::Board;
use crate::simd::{Isa, SimdKernel, Vectors};
use crate::square::Square;

/// Sequences of `n` plies from the start are entry `n`. Source: the table of A. Romano, as quoted by several programs.
pub const PUBLISHED: [u64; 13] =
    [1, 4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288, 24_571_284, 212_258_800, 1_939_886_636];

/// Counts sequences of `depth` plies from here, without a table of positions, with the best instructions there are.
pub fn perft(board: Board, depth: u32) -> u64 {
    perft_with(board, depth, Isa::best())
}

/// [`perft`] with these instructions.
pub fn perft_with(board: Board, depth: u32, isa: Isa) -> u64 {
    isa.run(Perft { board, depth })
}

struct Perft {
    board: Board,
    depth: u32,
}

impl SimdKernel for Perft {
    type Output = u64;

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> u64 {
        count_sequences(vectors, self.board, self.depth)
    }
}

fn count_sequences<V: Vectors>(vectors: V, board: Board, depth: u32) -> u64 {
    vectors.run(
        #[inline(always)]
        || match depth {
            0 => 1,
            1 => count_leaves(vectors, board),
            2 => count_two_plies(vectors, board),
            _ => count_by_children(vectors, board, depth),
        },
    )
}

#[inline(always)]
fn count_leaves<V: Vectors>(vectors: V, board: Board) -> u64 {
    let moves = vectors.legal_moves(board.player, board.opponent);
    // A pass and the end of the game are a leaf each.
    u64::from(moves.count_ones().max(1))
}

#[inline(always)]
fn count_by_children<V: Vectors>(vectors: V, board: Board, depth: u32) -> u64 {
    let mut moves = vectors.legal_moves(board.player, board.opponent);
    if moves == 0 {
        let passed = board.pass();
        return match vectors.legal_moves(passed.player, passed.opponent) {
            0 => 1,
            _ => count_sequences(vectors, passed, depth - 1),
        };
    }
    let mut sum = 0;
    while moves != 0 {
        let square = Square::from_lowest_bit(moves);
        moves &= moves - 1;
        let flips = vectors.flipped_discs(board.player, board.opponent, square);
        sum += count_sequences(vectors, board.after_flips(square, flips), depth - 1);
    }
    sum
}

/// All children at once: the replies to each are counted without making the move.
#[inline(always)]
fn count_two_plies<V: Vectors>(vectors: V, board: Board) -> u64 {
    let mut moves = vectors.legal_moves(board.player, board.opponent);
    if moves == 0 {
        let passed = board.pass();
        return u64::from(vectors.legal_moves(passed.player, passed.opponent).count_ones().max(1));
    }
    let mut sum = 0;
    while moves != 0 {
        let expanded = vectors.expand_moves(board.player, board.opponent, moves);
        for replies in expanded.replies {
            if moves == 0 {
                break;
            }
            moves &= moves - 1;
            sum += u64::from(replies.count_ones().max(1));
        }
    }
    sum
}
