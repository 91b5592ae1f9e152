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
    /// Two empty squares.
    #[inline(always)]
    fn solve_two(&mut self, player: u64, opponent: u64, [a, b]: [Square; 2], alpha: i32) -> i32 {
        self.nodes += 1;
        let vectors = self.vectors;
        let mut best = NONE;
        for (square, other) in [(a, b), (b, a)] {
            if borders_discs(square, opponent) {
                let flips = vectors.flipped_discs(player, opponent, square);
                if flips != 0 {
                    self.nodes += 1;
                    let score = -solve_one(vectors, opponent ^ flips, other);
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            }
        }
        if best != NONE {
            return best;
        }
        // A pass: the opponent wants little.
        let mut least = -NONE;
        for (square, other) in [(a, b), (b, a)] {
            if borders_discs(square, player) {
                let flips = vectors.flipped_discs(opponent, player, square);
                if flips != 0 {
                    self.nodes += 1;
                    let score = solve_one(vectors, player ^ flips, other);
                    if score <= alpha {
                        return score;
                    }
                    least = least.min(score);
                }
            }
        }
        if least != -NONE { least } else { final_score(player, 2) }
    }

    /// Three empty squares, best first.
    #[inline(always)]
    fn solve_three(&mut self, player: u64, opponent: u64, [a, b, c]: [Square; 3], alpha: i32) -> i32 {
        self.nodes += 1;
        let vectors = self.vectors;
        let mut best = NONE;
        for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            if borders_discs(square, opponent) {
                let flips = vectors.flipped_discs(player, opponent, square);
                if flips != 0 {
                    let score =
                        -self.solve_two(opponent ^ flips, player ^ flips | square.bit(), rest, -alpha - 1);
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            }
        }
        if best != NONE {
            return best;
        }
        let mut least = -NONE;
        for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            if borders_discs(square, player) {
                let flips = vectors.flipped_discs(opponent, player, square);
                if flips != 0 {
                    let score = self.solve_two(player ^ flips, opponent ^ flips | square.bit(), rest, alpha);
                    if score <= alpha {
                        return score;
                    }
                    least = least.min(score);
                }
            }
        }
        if least != -NONE { least } else { final_score(player, 3) }
    }

    /// Four empty squares; `odd`: squares in quadrants with an odd number of empty squares.
    pub(super) fn solve_four(&mut self, player: u64, opponent: u64, odd: u64, alpha: i32) -> i32 {
        let vectors = self.vectors;
        vectors.run(
            #[inline(always)]
            || self.solve_four_inside(player, opponent, odd, alpha),
        )
    }

    #[inline(always)]
    fn solve_four_inside(&mut self, player: u64, opponent: u64, odd: u64, alpha: i32) -> i32 {
        self.nodes += 1;
        let vectors = self.vectors;
        let order = order_four(!(player | opponent), odd);
        let [a, b, c, d] = order;
        let choices = [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])];
        let mut best = NONE;
        for (square, rest) in choices {
            if borders_discs(square, opponent) {
                let flips = vectors.flipped_discs(player, opponent, square);
                if flips != 0 {
                    let rest = order_three(rest);
                    let score =
                        -self.solve_three(opponent ^ flips, player ^ flips | square.bit(), rest, -alpha - 1);
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            }
        }
        if best != NONE {
            return best;
        }
        let mut least = -NONE;
        for (square, rest) in choices {
            if borders_discs(square, player) {
                let flips = vectors.flipped_discs(opponent, player, square);
                if flips != 0 {
                    let rest = order_three(rest);
                    let score =
                        self.solve_three(player ^ flips, opponent ^ flips | square.bit(), rest, alpha);
                    if score <= alpha {
                        return score;
                    }
                    least = least.min(score);
                }
            }
        }
        if least != -NONE { least } else { final_score(player, 4) }
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
            _ => self.solve_four(player, opponent, odd_quadrants(empty), alpha),
        }
    }
}

/// Four empty squares, those of odd quadrants first.
#[inline(always)]
fn order_four(empty: u64, odd: u64) -> [Square; 4] {
    let (mut first, mut second) = (empty & odd, empty & !odd);
    let mut order = [Square::from_lowest_bit(1); 4];
    for square in &mut order {
        let from = if first != 0 { &mut first } else { &mut second };
        *square = Square::from_lowest_bit(*from);
        *from &= from.wrapping_sub(1);
    }
    order
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
