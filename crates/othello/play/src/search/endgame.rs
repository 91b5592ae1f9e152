//! The end of the game without evaluation: exact answers to "more than alpha?".

use ishi_othello::simd::{ExpandedMoves, Vectors};
use ishi_othello::{CORNERS, Square};

use super::CutConfidence;
use super::last::{NONE, quadrant_mask};
use super::midgame::WITHOUT_EVALUATION;
use super::table::{NO_MOVE, TranspositionEntry, TranspositionTable, hash_board};
use super::worker::{MoveList, ScoredMove, SearchWorker};

/// Up to so many empty squares, results are kept in a small table that lies in a core's own cache: such positions come
/// again soon or never, and are so many that each look into main memory costs more than it saves. Measured.
const NEAR_THE_END: u32 = 12;

/// Size of the small table: 2 to this power entries of 16 bytes, where the great one is not smaller.
pub(super) const NEAR_BITS: u32 = 15;

/// Up to so many empty squares all moves lie in one block of eight: there is no list of them, and the table is not asked for every child.
const ONE_BLOCK: u32 = 8;

/// No more squares are empty here, so there are no more moves.
const MOST_EMPTY: usize = WITHOUT_EVALUATION as usize;

/// With so many empty squares, alpha must be at least this for stable discs to be counted: else a cut is too rare.
/// Measured.
const STABILITY_FROM: [i32; 61] = {
    let mut table = [64; 61];
    let mut n = 4;
    while n < 61 {
        table[n] = match n {
            4..=6 => 8,
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
        self.stable_bound(player, opponent, alpha)
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
        let mut order = BlockOrder::new(moves, &expanded, odd, [NO_MOVE; 2]);
        let mut best = NONE;
        while let Some((square, flips)) = order.take_next(&expanded) {
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
        if empties <= ONE_BLOCK {
            return vectors.run(
                #[inline(always)]
                move || self.solve_open::<true>(player, opponent, odd, empties, alpha),
            );
        }
        vectors.run(
            #[inline(always)]
            move || self.solve_open::<false>(player, opponent, odd, empties, alpha),
        )
    }

    /// From 6 empty squares on: up to [`ONE_BLOCK`] as one block of moves, and with more as a list of them.
    #[inline(always)]
    fn solve_open<const AS_BLOCK: bool>(
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
        let key = hash_board(player, opponent);
        let table = if AS_BLOCK { self.near } else { self.table_near_end(empties) };
        table.prefetch(key);
        // 2. Stable discs.
        if let Some(bound) = self.stability_cut(player, opponent, empties, alpha) {
            return bound;
        }
        // 3. Moves.
        let moves = self.vectors.legal_moves(player, opponent);
        if moves == 0 {
            return self.solve_after_pass((player, opponent), odd, empties, alpha);
        }
        // 4. The table.
        let known = table.get(key);
        if let Some(bound) = known.and_then(|entry| proven_bound(&entry, empties, alpha)) {
            return bound;
        }
        // 5. Search.
        let hinted = known.map_or([NO_MOVE; 2], |entry| entry.moves);
        let board = (player, opponent);
        let found = if AS_BLOCK {
            let expanded = self.vectors.expand_moves(player, opponent, moves);
            let mut order = BlockOrder::new(moves, &expanded, odd, hinted);
            self.search_in_order(
                board,
                odd,
                empties,
                alpha,
                #[inline(always)]
                || order.take_next(&expanded),
            )
        } else {
            let mut choices = MoveList::<MOST_EMPTY>::empty();
            choices.add_moves(self.vectors, player, opponent, moves);
            let children = self.table_near_end(empties - 1);
            choices.prefetch_children(board, children);
            for choice in choices.as_mut() {
                if choice.flips == opponent {
                    return 64;
                }
                choice.cost = cost_in_list(choice, odd, hinted);
            }
            // A child that the table knows to be good enough?
            if let Some(score) = choices.known_bound(children, alpha, empties, CutConfidence::Full) {
                return score;
            }
            self.search_in_order(
                board,
                odd,
                empties,
                alpha,
                #[inline(always)]
                || choices.take_best().map(|choice| (choice.square, choice.flips)),
            )
        };
        if self.halted {
            return alpha;
        }
        // 6. Keep.
        self.keep_result(table, key, (empties, CutConfidence::Full), (alpha, alpha + 1), found, before);
        found.0
    }

    /// The best score of moves that come one after the other, each with what it turns, and its square. It ends with the first above `alpha`.
    #[inline(always)]
    fn search_in_order(
        &mut self,
        (player, opponent): (u64, u64),
        odd: u64,
        empties: u32,
        alpha: i32,
        mut take_next: impl FnMut() -> Option<(Square, u64)>,
    ) -> (i32, u8) {
        let (mut best, mut best_square) = (NONE, NO_MOVE);
        while let Some((square, flips)) = take_next() {
            let (own, other) = (opponent ^ flips, player ^ flips | square.bit());
            let score = -self.solve_endgame(own, other, odd ^ quadrant_mask(square), empties - 1, -alpha - 1);
            if self.halted {
                break;
            }
            if score > best {
                (best, best_square) = (score, square.index() as u8);
                if score > alpha {
                    break;
                }
            }
        }
        (best, best_square)
    }

    /// No move: the other side's turn, or the end.
    #[inline(always)]
    fn solve_after_pass(
        &mut self,
        (player, opponent): (u64, u64),
        odd: u64,
        empties: u32,
        alpha: i32,
    ) -> i32 {
        if self.vectors.legal_moves(opponent, player) == 0 {
            return ishi_othello::Board { player, opponent }.final_score();
        }
        -self.solve_endgame(opponent, player, odd, empties, -alpha - 1)
    }
}

/// What the table says of a position with so many empty squares, if it is proven and answers the question.
#[inline(always)]
fn proven_bound(entry: &TranspositionEntry, empties: u32, alpha: i32) -> Option<i32> {
    if u32::from(entry.depth) != empties || entry.confidence != CutConfidence::Full as u8 {
        return None;
    }
    entry.bound_against(alpha)
}

/// Eight moves at most in their order.
struct BlockOrder {
    /// A move in each entry: its cost, its square, its place among the moves; `u32::MAX`: none, or taken. What the table says comes first.
    keys: [u32; 8],
}

impl BlockOrder {
    #[inline(always)]
    fn new(mut moves: u64, expanded: &ExpandedMoves, odd: u64, hinted: [u8; 2]) -> BlockOrder {
        let mut keys = [u32::MAX; 8];
        for (place, (key, &replies)) in keys.iter_mut().zip(&expanded.replies).enumerate() {
            if moves == 0 {
                break;
            }
            let square = Square::from_lowest_bit(moves);
            moves &= moves - 1;
            let index = square.index() as u8;
            let cost = match index {
                _ if index == hinted[0] => 0,
                _ if index == hinted[1] => 1,
                _ => (endgame_cost(square, replies, odd) + 64) as u32,
            };
            *key = cost << 16 | u32::from(index) << 8 | place as u32;
        }
        BlockOrder { keys }
    }

    /// The best square that is left, with what a move there turns.
    #[inline(always)]
    fn take_next(&mut self, expanded: &ExpandedMoves) -> Option<(Square, u64)> {
        let least = self.keys.iter().fold(u32::MAX, |least, &key| least.min(key));
        if least == u32::MAX {
            return None;
        }
        let place = least as usize & 7;
        self.keys[place] = u32::MAX;
        Some((Square::from_lowest_bit(1 << (least >> 8 & 63)), expanded.flips[place]))
    }
}

/// What a move of a list costs: first come those that the table names.
#[inline(always)]
fn cost_in_list(choice: &ScoredMove, odd: u64, hinted: [u8; 2]) -> i32 {
    match choice.square.index() as u8 {
        index if index == hinted[0] => -2000,
        index if index == hinted[1] => -1000,
        _ => endgame_cost(choice.square, choice.replies, odd),
    }
}

/// What a move costs in the order of the endgame: few answers come first, corners, odd quadrants.
#[inline(always)]
pub(super) fn endgame_cost(square: Square, replies: u64, odd: u64) -> i32 {
    let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
    let parity = i32::from(odd & square.bit() != 0);
    let corner = i32::from(CORNERS & square.bit() != 0);
    16 * mobility - 8 * parity - 4 * corner
}
