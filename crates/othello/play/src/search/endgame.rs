//! The end of the game without evaluation: exact answers to "more than alpha?".

use ishi_othello::simd::{ExpandedMoves, Vectors};
use ishi_othello::{CORNERS, Square};

use super::CutConfidence;
use super::last::{NONE, quadrant_mask};
use super::midgame::WITHOUT_EVALUATION;
use super::stability;
use super::table::{BoardSearchOutcome, NO_MOVE, TranspositionTable, hash_board};
use super::worker::{MoveList, SearchWorker};

/// From so many empty squares on, results are kept in the table. Fewer are searched again sooner than looked up.
const TABLED: u32 = 6;

/// Up to so many empty squares, results are kept in a small table that lies in a core's own cache: such positions come
/// again soon or never, and are so many that each look into main memory costs more than it saves. Measured.
const NEAR_THE_END: u32 = 12;

/// Size of the small table: 2 to this power entries of 16 bytes, where the great one is not smaller.
pub(super) const NEAR_BITS: u32 = 15;

/// From so many empty squares on, the table is asked for every child before one is searched.
const CHILDREN_LOOKED_UP: u32 = 9;

/// No more squares are empty here, so there are no more moves.
const MOST_EMPTY: usize = WITHOUT_EVALUATION as usize;

/// With so many empty squares, alpha must be at least this for stable discs to be counted: else a cut is too rare.
/// Measured.
const STABILITY_FROM: [i32; 61] = {
    let mut table = [64; 61];
    let mut n = 5;
    while n < 61 {
        table[n] = match n {
            5 | 6 => 8,
            7..=10 => 4,
            n => n as i32 - 6,
        };
        n += 1;
    }
    table
};

impl<'a, V: Vectors> SearchWorker<'a, V> {
    /// An upper bound by the opponent's stable discs, if it answers the question.
    #[inline(always)]
    pub(super) fn stability_cut(&self, player: u64, opponent: u64, empties: u32, alpha: i32) -> Option<i32> {
        if alpha < STABILITY_FROM[empties as usize % 61] {
            return None;
        }
        let bound = 64 - 2 * stability::stable_discs(opponent, player).count_ones() as i32;
        (bound <= alpha).then_some(bound)
    }

    /// Five empty squares: neither table nor list of moves.
    fn solve_five(&mut self, player: u64, opponent: u64, odd: u64, alpha: i32) -> i32 {
        let vectors = self.vectors;
        vectors.run(
            #[inline(always)]
            move || self.solve_five_inside(player, opponent, odd, alpha),
        )
    }

    #[inline(always)]
    fn solve_five_inside(&mut self, player: u64, opponent: u64, odd: u64, alpha: i32) -> i32 {
        self.nodes += 1;
        if let Some(bound) = self.stability_cut(player, opponent, 5, alpha) {
            return bound;
        }
        let moves = self.vectors.legal_moves(player, opponent);
        if moves == 0 {
            if self.vectors.legal_moves(opponent, player) == 0 {
                return ishi_othello::Board { player, opponent }.final_score();
            }
            return -self.solve_five(opponent, player, odd, -alpha - 1);
        }
        if moves & (moves - 1) == 0 {
            let square = Square::from_lowest_bit(moves);
            let flips = self.vectors.flipped_discs(player, opponent, square);
            return self.solve_after_fifth((player, opponent), square, flips, alpha);
        }
        let expanded = self.vectors.expand_moves(player, opponent, moves);
        let mut order = FiveOrder::new(moves, &expanded, odd);
        let mut best = NONE;
        while let Some((square, place)) = order.take_next() {
            let flips = expanded.flips[place & 7];
            let score = self.solve_after_fifth((player, opponent), square, flips, alpha);
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
        best
    }

    /// The score for `player` after its move, from 5 empty squares.
    #[inline(always)]
    fn solve_after_fifth(
        &mut self,
        (player, opponent): (u64, u64),
        square: Square,
        flips: u64,
        alpha: i32,
    ) -> i32 {
        -self.solve_four(opponent ^ flips, player ^ flips | square.bit(), -alpha - 1)
    }

    /// The table in which positions with so many empty squares, [`MOST_EMPTY`] at most, are kept.
    #[inline(always)]
    fn table_near_end(&self, empties: u32) -> &'a TranspositionTable {
        if empties <= NEAR_THE_END { self.near } else { self.shared.table }
    }

    /// Is the final score with best play more than `alpha`? An answer above `alpha` is a lower bound, another one an
    /// upper bound.
    pub(super) fn solve_endgame(
        &mut self,
        player: u64,
        opponent: u64,
        odd: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        if empties <= 4 {
            return self.solve_few(player, opponent, alpha);
        }
        if empties == 5 {
            return self.solve_five(player, opponent, odd, alpha);
        }
        let vectors = self.vectors;
        vectors.run(
            #[inline(always)]
            move || self.solve_endgame_inside(player, opponent, odd, empties, alpha),
        )
    }

    #[inline(always)]
    fn solve_endgame_inside(
        &mut self,
        player: u64,
        opponent: u64,
        odd: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        // 1. Stop?
        if self.must_stop() {
            return alpha;
        }
        self.nodes += 1;
        let before = self.nodes;
        let tabled = empties >= TABLED;
        let key = hash_board(player, opponent);
        let table = self.table_near_end(empties);
        if tabled {
            table.prefetch(key);
        }
        // 2. Stable discs.
        if let Some(bound) = self.stability_cut(player, opponent, empties, alpha) {
            return bound;
        }
        // 3. Moves.
        let moves = self.vectors.legal_moves(player, opponent);
        if moves == 0 {
            if self.vectors.legal_moves(opponent, player) == 0 {
                return ishi_othello::Board { player, opponent }.final_score();
            }
            return -self.solve_endgame(opponent, player, odd, empties, -alpha - 1);
        }
        // 4. The table.
        let known = if tabled { table.get(key) } else { None };
        if let Some(entry) = known
            && u32::from(entry.depth) == empties
            && entry.confidence == CutConfidence::Full as u8
        {
            if i32::from(entry.lower) > alpha {
                return i32::from(entry.lower);
            }
            if i32::from(entry.upper) <= alpha {
                return i32::from(entry.upper);
            }
        }
        let mut choices = MoveList::<MOST_EMPTY>::empty();
        choices.add_moves(self.vectors, player, opponent, moves);
        let look_up_children = empties >= CHILDREN_LOOKED_UP;
        if look_up_children {
            choices.prefetch_children((player, opponent), self.table_near_end(empties - 1));
        }
        // 5. Order: few answers first, corners, odd quadrants; what the table says before all.
        let hinted = known.map_or([NO_MOVE; 2], |entry| entry.moves);
        for choice in choices.as_mut() {
            if choice.flips == opponent {
                return 64;
            }
            choice.cost = endgame_cost(choice.square, choice.replies, odd);
            let index = choice.square.index() as u8;
            if index == hinted[0] {
                choice.cost = -2000;
            } else if index == hinted[1] {
                choice.cost = -1000;
            }
        }
        // 6. A child that the table knows to be good enough.
        if look_up_children
            && let Some(score) =
                choices.known_bound(self.table_near_end(empties - 1), alpha, empties, CutConfidence::Full)
        {
            return score;
        }
        // 7. Search.
        let (mut best, mut best_square) = (NONE, NO_MOVE);
        while let Some(choice) = choices.take_best() {
            let (own, other) = (opponent ^ choice.flips, player ^ choice.flips | choice.square.bit());
            let odd = odd ^ quadrant_mask(choice.square);
            let score = -self.solve_endgame(own, other, odd, empties - 1, -alpha - 1);
            if self.halted {
                return alpha;
            }
            if score > best {
                (best, best_square) = (score, choice.square.index() as u8);
                if score > alpha {
                    break;
                }
            }
        }
        // 8. Keep.
        if !tabled {
            return best;
        }
        let cost = (self.nodes - before + 1).ilog2() as u8;
        let found = BoardSearchOutcome {
            depth: empties as u8,
            confidence: CutConfidence::Full as u8,
            alpha,
            beta: alpha + 1,
            score: best,
            best: best_square,
            cost,
        };
        table.store_outcome(key, &found);
        best
    }
}

/// Moves from five empty squares in their order.
struct FiveOrder {
    /// A move in each entry: its cost, its square, its place among the moves; `u32::MAX`: none, or taken.
    keys: [u32; 8],
}

impl FiveOrder {
    #[inline(always)]
    fn new(mut moves: u64, expanded: &ExpandedMoves, odd: u64) -> FiveOrder {
        let mut keys = [u32::MAX; 8];
        for (place, (key, &replies)) in keys.iter_mut().zip(&expanded.replies).enumerate() {
            if moves == 0 {
                break;
            }
            let square = Square::from_lowest_bit(moves);
            moves &= moves - 1;
            let cost = (endgame_cost(square, replies, odd) + 64) as u32;
            *key = cost << 16 | (square.index() as u32) << 8 | place as u32;
        }
        FiveOrder { keys }
    }

    /// The best square that is left, with its place among the moves.
    #[inline(always)]
    fn take_next(&mut self) -> Option<(Square, usize)> {
        let least = self.keys.iter().fold(u32::MAX, |least, &key| least.min(key));
        if least == u32::MAX {
            return None;
        }
        let place = least as usize & 7;
        self.keys[place] = u32::MAX;
        Some((Square::from_lowest_bit(1 << (least >> 8 & 63)), place))
    }
}

/// What a move costs in the order of the endgame.
#[inline(always)]
pub(super) fn endgame_cost(square: Square, replies: u64, odd: u64) -> i32 {
    let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
    let parity = i32::from(odd & square.bit() != 0);
    let corner = i32::from(CORNERS & square.bit() != 0);
    16 * mobility - 8 * parity - 4 * corner
}
