//! Moves and flips with plain 64-bit arithmetic, for any machine.
//!
//! Each direction is a shift by 1, 7, 8 or 9. Discs of the opponent on the a- and h-file never lie between two own
//! discs in a direction that leaves their file, so masking them out stops a run at the edge.

use crate::square::Square;

/// All squares but those on the a- and h-file.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Shift and mask of the opponent's discs for the four lines.
const LINES: [(u32, u64); 4] = [(1, INNER_FILES), (8, u64::MAX), (7, INNER_FILES), (9, INNER_FILES)];

/// The legal moves, as a bitboard.
#[inline(always)]
pub(crate) fn legal_moves(player: u64, opponent: u64) -> u64 {
    let mut moves = 0;
    for (shift, mask) in LINES {
        let opponent = opponent & mask;
        // Runs of up to six discs, by doubling.
        let (pair_up, pair_down) = (opponent & (opponent << shift), opponent & (opponent >> shift));
        let mut up = opponent & (player << shift);
        let mut down = opponent & (player >> shift);
        up |= opponent & (up << shift);
        down |= opponent & (down >> shift);
        up |= pair_up & (up << (2 * shift));
        down |= pair_down & (down >> (2 * shift));
        up |= pair_up & (up << (2 * shift));
        down |= pair_down & (down >> (2 * shift));
        moves |= up << shift | down >> shift;
    }
    moves & !(player | opponent)
}

/// The discs that a disc on `square` would turn.
#[inline(always)]
pub(crate) fn flipped_discs(player: u64, opponent: u64, square: Square) -> u64 {
    let disc = square.bit();
    let mut flips = 0;
    for (shift, mask) in LINES {
        let opponent = opponent & mask;
        let (pair_up, pair_down) = (opponent & (opponent << shift), opponent & (opponent >> shift));
        let mut up = opponent & (disc << shift);
        let mut down = opponent & (disc >> shift);
        up |= opponent & (up << shift);
        down |= opponent & (down >> shift);
        up |= pair_up & (up << (2 * shift));
        down |= pair_down & (down >> (2 * shift));
        up |= pair_up & (up << (2 * shift));
        down |= pair_down & (down >> (2 * shift));
        let bounded = |run: u64, end: u64| if end & player == 0 { 0 } else { run };
        flips |= bounded(up, up << shift) | bounded(down, down >> shift);
    }
    flips
}
