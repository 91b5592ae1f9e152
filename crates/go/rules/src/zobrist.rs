//! Zobrist keys: a position's hash is the exclusive or of its stones' keys (Zobrist 1970).

use crate::color::Color;
use crate::point::{BoardSize, POINTS, Point, STRIDE};

/// Keys by colour and point; points outside a 25x25 board have key 0.
static KEYS: [[u64; POINTS]; 2] = generate_keys();

/// Exclusive-or this into a hash to tell White to move from Black to move.
pub const WHITE_TO_MOVE: u64 = 0x9a3f_5c1e_77d2_b481;

/// The key of a stone.
#[inline]
pub fn stone_key(color: Color, point: Point) -> u64 {
    KEYS[color.index()][point.index() & (POINTS - 1)]
}

/// SplitMix64 from a fixed start, so that hashes are the same in every build.
const fn generate_keys() -> [[u64; POINTS]; 2] {
    let mut table = [[0; POINTS]; 2];
    let mut state: u64 = 0x6973_6869_5f67_6f31;
    let mut color = 0;
    while color < 2 {
        let mut row = 0;
        while row < BoardSize::MAX {
            let mut column = 0;
            while column < BoardSize::MAX {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut z = state;
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                table[color][(row + 1) * STRIDE + column + 1] = z ^ (z >> 31);
                column += 1;
            }
            row += 1;
        }
        color += 1;
    }
    table
}
