//! Sums of weights by table: one look-up for each row of the board.

use crate::square::Square;
use crate::wpc::Wpc;

/// The sums for all sets of squares of each row, twice.
#[derive(Clone)]
pub(super) struct RowSums {
    weights: [i16; 64],
    twice: [[i16; 256]; 8],
}

impl RowSums {
    pub(super) fn new(wpc: &Wpc) -> RowSums {
        let weights = *wpc.weights();
        let mut twice = [[0_i16; 256]; 8];
        for (row, sums) in twice.iter_mut().enumerate() {
            for bits in 1..256_usize {
                // One disc more than a set that is done.
                let weight = weights[8 * row + bits.trailing_zeros() as usize];
                sums[bits] = sums[bits & (bits - 1)].wrapping_add(2 * weight);
            }
        }
        RowSums { weights, twice }
    }

    /// What a move is worth, see [`Wpc::move_gain`].
    #[inline(always)]
    pub(super) fn move_gain(&self, square: Square, flips: u64) -> i16 {
        let mut sum = self.weights[square.index()];
        for (sums, bits) in self.twice.iter().zip(flips.to_le_bytes()) {
            sum = sum.wrapping_add(sums[usize::from(bits)]);
        }
        sum
    }
}
