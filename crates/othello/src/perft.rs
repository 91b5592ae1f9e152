//! Counts of move sequences: they test the rules. A pass counts as a ply; a finished game is a leaf at any depth.

use crate::board::Board;

/// Sequences of `depth` plies from the start; entry `n` of the published table.
pub const PUBLISHED: [u64; 13] =
    [1, 4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288, 24_571_284, 212_258_800, 1_939_886_636];

/// Counts sequences of `depth` plies from here, without a table of positions.
pub fn perft(board: Board, depth: u32) -> u64 {
    let moves = board.moves();
    if moves == 0 {
        return if depth <= 1 || board.pass().moves() == 0 { 1 } else { perft(board.pass(), depth - 1) };
    }
    match depth {
        0 => 1,
        1 => u64::from(moves.count_ones()),
        _ => board.children().map(|(_, child)| perft(child, depth - 1)).sum(),
    }
}
