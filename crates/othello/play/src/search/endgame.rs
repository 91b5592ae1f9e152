//! The end of the game without evaluation: exact answers to "more than alpha?".

use ishi_othello::simd::Vectors;
use ishi_othello::{CORNERS, Square};

use super::CutConfidence;
use super::last::{NONE, quadrant_mask};
use super::midgame::WITHOUT_EVALUATION;
use super::stability;
use super::table::{BoardSearchOutcome, NO_MOVE, TranspositionTable, hash_board};
use super::worker::{MoveList, SearchWorker};

/// Up to so many empty squares parity alone orders the moves.
const SHALLOW: u32 = 5;

/// From so many empty squares on, results are kept in the table. Fewer are searched again sooner than looked up.
const TABLED: u32 = 8;

/// Up to so many empty squares, results are kept in a small table that lies in a core's own cache: such positions come
/// again soon or never, and are so many that each look into main memory costs more than it saves. Measured.
pub(super) const NEAR_THE_END: u32 = 10; //TUNE

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

    /// 5 to [`SHALLOW`] empty squares: odd quadrants first.
    fn solve_shallow(&mut self, player: u64, opponent: u64, odd: u64, empties: u32, alpha: i32) -> i32 {
        let vectors = self.vectors;
        vectors.run(
            #[inline(always)]
            || self.solve_shallow_inside(player, opponent, odd, empties, alpha),
        )
    }

    #[inline(always)]
    fn solve_shallow_inside(
        &mut self,
        player: u64,
        opponent: u64,
        odd: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        self.nodes += 1;
        if let Some(bound) = self.stability_cut(player, opponent, empties, alpha) {
            return bound;
        }
        let moves = self.vectors.legal_moves(player, opponent);
        if moves == 0 {
            if self.vectors.legal_moves(opponent, player) == 0 {
                return ishi_othello::Board { player, opponent }.final_score();
            }
            return -self.solve_shallow(opponent, player, odd, empties, -alpha - 1);
        }
        let mut best = NONE;
        for mut part in [moves & odd, moves & !odd] {
            while part != 0 {
                let square = Square::from_lowest_bit(part);
                part &= part - 1;
                let flips = self.vectors.flipped_discs(player, opponent, square);
                let (own, other) = (opponent ^ flips, player ^ flips | square.bit());
                let odd = odd ^ quadrant_mask(square);
                let score = if empties == 5 {
                    -self.solve_four(own, other, odd, -alpha - 1)
                } else {
                    -self.solve_shallow(own, other, odd, empties - 1, -alpha - 1)
                };
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        best
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
        if empties <= SHALLOW {
            if empties <= 4 {
                return self.solve_few(player, opponent, alpha);
            }
            return self.solve_shallow(player, opponent, odd, empties, alpha);
        }
        let vectors = self.vectors;
        vectors.run(
            #[inline(always)]
            || self.solve_endgame_inside(player, opponent, odd, empties, alpha),
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
        // 2. Stable discs.
        if let Some(bound) = self.stability_cut(player, opponent, empties, alpha) {
            return bound;
        }
        // 3. The table.
        let tabled = empties >= TABLED;
        let key = hash_board(player, opponent);
        let table = self.table_near_end(empties);
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
        // 4. Moves.
        let moves = self.vectors.legal_moves(player, opponent);
        if moves == 0 {
            if self.vectors.legal_moves(opponent, player) == 0 {
                return ishi_othello::Board { player, opponent }.final_score();
            }
            return -self.solve_endgame(opponent, player, odd, empties, -alpha - 1);
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
        let (mut best, mut best_square, mut tried) = (NONE, NO_MOVE, 0);
        while let Some(choice) = choices.pick_best(tried) {
            tried += 1;
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

/// What a move costs in the order of the endgame.
#[inline(always)]
pub(super) fn endgame_cost(square: Square, replies: u64, odd: u64) -> i32 {
    let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
    let parity = i32::from(odd & square.bit() != 0);
    let corner = i32::from(CORNERS & square.bit() != 0);
    16 * mobility - 8 * parity - 4 * corner
}
