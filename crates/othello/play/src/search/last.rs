//! The last four empty squares, without tables and without lists of moves. Null windows: the question is always
//! "more than alpha?".
//!
//! Squares in quadrants with an odd number of empty squares come first: whoever moves last in a region gains.

use ishi_othello::Square;
use ishi_othello::simd::Vectors;

use super::worker::SearchWorker;

/// Less than any score.
pub(super) const NONE: i32 = -65;

/// The squares next to each square.
static NEIGHBOURS: [u64; 64] = neighbour_masks();

const fn neighbour_masks() -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1u64 << square;
        let row = bit | (bit & !0x8080_8080_8080_8080) << 1 | (bit & !0x0101_0101_0101_0101) >> 1;
        table[square] = (row | row << 8 | row >> 8) & !bit;
        square += 1;
    }
    table
}

/// The quadrant of each square, as a mask.
#[inline(always)]
pub(super) const fn quadrant_mask(square: Square) -> u64 {
    const QUADRANTS: [u64; 4] =
        [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];
    QUADRANTS[square.index() >> 4 & 2 | square.index() >> 2 & 1]
}

/// All squares in quadrants with an odd number of these empty squares.
pub(super) fn odd_quadrants(empty: u64) -> u64 {
    ishi_othello::iter_squares(empty).fold(0, |odd, square| odd ^ quadrant_mask(square))
}

#[inline(always)]
fn borders_discs(square: Square, discs: u64) -> bool {
    NEIGHBOURS[square.index()] & discs != 0
}

/// The final score with this difference of discs and so many empty squares, which go to the winner.
#[inline(always)]
fn final_score(player: u64, empties: i32) -> i32 {
    // own - other, where other = 64 - empties - own.
    let difference = 2 * player.count_ones() as i32 - 64 + empties;
    difference + difference.signum() * empties
}

/// One empty square: the final score for the side to move.
#[inline(always)]
fn solve_one<V: Vectors>(vectors: V, player: u64, square: Square) -> i32 {
    let own = 2 * player.count_ones() as i32 - 64;
    let [gain, loss] = vectors.last_flips(player, square);
    // Nobody can play: own - other is `own + 1`, and the square goes to the winner.
    let unplayed = if own + 1 > 0 { own + 2 } else { own };
    let passed = if loss != 0 { own - loss } else { unplayed };
    if gain != 0 { own + gain + 2 } else { passed }
}

impl<V: Vectors> SearchWorker<'_, V> {
    /// Two empty squares, after `player` plays on the first: the score for that side. `None`: it may not.
    #[inline(always)]
    fn play_next_to_last(&mut self, player: u64, opponent: u64, square: Square, last: Square) -> Option<i32> {
        if !borders_discs(square, opponent) {
            return None;
        }
        let flips = self.vectors.flipped_discs(player, opponent, square);
        if flips == 0 {
            return None;
        }
        self.nodes += 1;
        Some(-solve_one(self.vectors, opponent ^ flips, last))
    }

    /// Two empty squares.
    #[inline(always)]
    fn solve_two(&mut self, player: u64, opponent: u64, [a, b]: [Square; 2], alpha: i32) -> i32 {
        self.nodes += 1;
        let first = self.play_next_to_last(player, opponent, a, b).unwrap_or(NONE);
        if first > alpha {
            return first;
        }
        let second = self.play_next_to_last(player, opponent, b, a).unwrap_or(NONE);
        let best = first.max(second);
        if best != NONE {
            return best;
        }
        // A pass: the opponent wants little.
        let first = self.play_next_to_last(opponent, player, a, b).unwrap_or(NONE);
        if first > -alpha - 1 {
            return -first;
        }
        let second = self.play_next_to_last(opponent, player, b, a).unwrap_or(NONE);
        let best = first.max(second);
        if best != NONE { -best } else { final_score(player, 2) }
    }

    /// Three empty squares, after `player` plays on the first of them: the score for that side. `None`: it may not.
    #[inline(always)]
    fn play_of_three(
        &mut self,
        (player, opponent): (u64, u64),
        [square, b, c]: [Square; 3],
        alpha: i32,
    ) -> Option<i32> {
        if !borders_discs(square, opponent) {
            return None;
        }
        let flips = self.vectors.flipped_discs(player, opponent, square);
        if flips == 0 {
            return None;
        }
        Some(-self.solve_two(opponent ^ flips, player ^ flips | square.bit(), [b, c], -alpha - 1))
    }

    /// The best move of three, without a pass; [`NONE`] if there is none.
    #[inline(always)]
    fn play_best_of_three(&mut self, sides: (u64, u64), [a, b, c]: [Square; 3], alpha: i32) -> i32 {
        let first = self.play_of_three(sides, [a, b, c], alpha).unwrap_or(NONE);
        if first > alpha {
            return first;
        }
        let second = self.play_of_three(sides, [b, a, c], alpha).unwrap_or(NONE);
        if second > alpha {
            return second;
        }
        let third = self.play_of_three(sides, [c, a, b], alpha).unwrap_or(NONE);
        first.max(second).max(third)
    }

    /// Three empty squares, best first.
    #[inline(always)]
    fn solve_three(&mut self, player: u64, opponent: u64, squares: [Square; 3], alpha: i32) -> i32 {
        self.nodes += 1;
        let best = self.play_best_of_three((player, opponent), squares, alpha);
        if best != NONE {
            return best;
        }
        let best = self.play_best_of_three((opponent, player), squares, -alpha - 1);
        if best != NONE { -best } else { final_score(player, 3) }
    }

    /// Four empty squares.
    pub(super) fn solve_four(&mut self, player: u64, opponent: u64, alpha: i32) -> i32 {
        let vectors = self.vectors;
        vectors.run(
            #[inline(always)]
            move || self.solve_four_inside(player, opponent, alpha),
        )
    }

    #[inline(always)]
    fn solve_four_inside(&mut self, player: u64, opponent: u64, alpha: i32) -> i32 {
        self.nodes += 1;
        if let Some(bound) = self.stability_cut(player, opponent, 4, alpha) {
            return bound;
        }
        let four = FourSquares::new(!(player | opponent));
        let best = self.play_best_of_four((player, opponent), four, alpha);
        if best != NONE {
            return best;
        }
        let best = self.play_best_of_four((opponent, player), four, -alpha - 1);
        if best != NONE { -best } else { final_score(player, 4) }
    }

    /// The best move of four, without a pass; [`NONE`] if there is none.
    #[inline(always)]
    fn play_best_of_four(&mut self, (player, opponent): (u64, u64), four: FourSquares, alpha: i32) -> i32 {
        let mut best = NONE;
        for order in four.orders {
            let square = four.square(order[0]);
            if borders_discs(square, opponent) {
                let flips = self.vectors.flipped_discs(player, opponent, square);
                if flips != 0 {
                    let rest = [four.square(order[1]), four.square(order[2]), four.square(order[3])];
                    let (own, other) = (opponent ^ flips, player ^ flips | square.bit());
                    let score = -self.solve_three(own, other, rest, -alpha - 1);
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            }
        }
        best
    }

    /// At most four empty squares, any number of them.
    pub(super) fn solve_few(&mut self, player: u64, opponent: u64, alpha: i32) -> i32 {
        let empty = !(player | opponent);
        let mut left = ishi_othello::iter_squares(empty);
        let mut next = || left.next().unwrap_or(Square::from_lowest_bit(1));
        match empty.count_ones() {
            0 => {
                self.nodes += 1;
                final_score(player, 0)
            }
            1 => {
                self.nodes += 1;
                solve_one(self.vectors, player, next())
            }
            2 => self.solve_two(player, opponent, [next(), next()], alpha),
            3 => self.solve_three(player, opponent, order_three([next(), next(), next()]), alpha),
            _ => self.solve_four(player, opponent, alpha),
        }
    }
}

/// Four empty squares, and in which order to try them.
#[derive(Clone, Copy)]
struct FourSquares {
    /// A square in each byte, the lowest first.
    squares: u32,
    /// See [`FOUR_ORDERS`].
    orders: &'static [[u8; 4]; 4],
}

impl FourSquares {
    #[inline(always)]
    fn new(mut empty: u64) -> FourSquares {
        let mut squares = 0;
        for place in 0..4 {
            squares |= (empty.trailing_zeros() & 63) << (8 * place);
            empty &= empty.wrapping_sub(1);
        }
        // The two bits of each square that tell its quadrant, moved together.
        let column = squares >> 2 & 0x0101_0101;
        let row = squares >> 4 & 0x0202_0202;
        let quadrants = (column | row).wrapping_mul(0x4010_0401) >> 24;
        FourSquares { squares, orders: &FOUR_ORDERS[quadrants as usize & 255] }
    }

    #[inline(always)]
    fn square(self, shift: u8) -> Square {
        Square::from_lowest_bit(1 << (self.squares >> (shift & 31) & 63))
    }
}

/// For four squares, by the quadrants that they lie in: four moves, those first that are alone in their quadrant, each followed
/// by the order of the other three. A square is given by the bit at which it begins in [`FourSquares`].
static FOUR_ORDERS: [[[u8; 4]; 4]; 256] = four_orders();

const fn four_orders() -> [[[u8; 4]; 4]; 256] {
    let mut table = [[[0; 4]; 4]; 256];
    let mut index = 0;
    while index < 256 {
        let quadrants = [index >> 6 & 3, index >> 4 & 3, index >> 2 & 3, index & 3];
        let first = sort_lonely_first(quadrants, [0, 1, 2, 3], 0);
        let mut place = 0;
        while place < 4 {
            // The move to the front, then the others in their new order.
            let [a, b, c, d] = first;
            let moved = match place {
                0 => [a, b, c, d],
                1 => [b, a, c, d],
                2 => [c, a, b, d],
                _ => [d, a, b, c],
            };
            let [a, b, c, d] = sort_lonely_first(quadrants, moved, 1);
            table[index][place] = [8 * a, 8 * b, 8 * c, 8 * d];
            place += 1;
        }
        index += 1;
    }
    table
}

/// Brings those from `from` on to the front of the others that share their quadrant with none of these.
const fn sort_lonely_first(quadrants: [usize; 4], order: [u8; 4], from: usize) -> [u8; 4] {
    let mut sorted = order;
    let (mut end, mut lonely) = (from, true);
    loop {
        let mut i = from;
        while i < 4 {
            let (mut j, mut others) = (from, 0);
            while j < 4 {
                others += (quadrants[order[j] as usize] == quadrants[order[i] as usize]) as usize;
                j += 1;
            }
            if (others == 1) == lonely {
                sorted[end] = order[i];
                end += 1;
            }
            i += 1;
        }
        if !lonely {
            return sorted;
        }
        lonely = false;
    }
}

/// Of three squares, one that is alone in its quadrant comes first.
#[inline(always)]
fn order_three([a, b, c]: [Square; 3]) -> [Square; 3] {
    if quadrant_mask(a) == quadrant_mask(b) {
        [c, a, b]
    } else if quadrant_mask(a) == quadrant_mask(c) {
        [b, a, c]
    } else {
        [a, b, c]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_rng::{Rng, Seed};

    fn is_lonely(square: Square, among: &[Square]) -> bool {
        among.iter().filter(|&&other| quadrant_mask(other) == quadrant_mask(square)).count() == 1
    }

    /// Every square is tried once, before the other three, and lonely squares come before others.
    #[test]
    fn lonely_squares_come_first() {
        let mut rng = Rng::new(Seed::new(4));
        for _ in 0..2000 {
            let mut empty = 0u64;
            while empty.count_ones() < 4 {
                empty |= 1 << rng.next_below(64);
            }
            let four = FourSquares::new(empty);
            let orders = four.orders.map(|order| order.map(|shift| four.square(shift)));
            let first = orders.map(|order| order[0]);
            for order in orders.iter().chain([&first]) {
                assert_eq!(order.iter().fold(0, |bits, square| bits | square.bit()), empty, "{order:?}");
            }
            for list in orders.iter().map(|order| &order[1..]).chain([&first[..]]) {
                assert!(list.is_sorted_by_key(|&square| !is_lonely(square, list)), "{list:?}");
            }
        }
    }
}
