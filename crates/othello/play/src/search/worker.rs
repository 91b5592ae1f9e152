//! What the functions of a search share: one worker a thread.

use std::sync::atomic::{AtomicU64, Ordering};

use ishi_othello::simd::{Portable, Vectors};
use ishi_othello::{Board, CORNERS, Square};
use ishi_work::{Stop, StopFlag};

use super::CutConfidence;
use super::last::quadrant_mask;
use super::stability::{self, StableEdges};
use super::table::{BoardSearchOutcome, TranspositionTable, hash_board};
use crate::eval::{Evaluation, PatternState, UNITS_PER_DISC};

/// What all threads of a search share.
pub(super) struct SharedSearch<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) evaluation: &'a Evaluation,
    /// Asked now and then: end the search?
    pub(super) stop: &'a (dyn Stop + Sync),
    /// Raised once the search is to end.
    pub(super) halted: StopFlag,
    /// Positions visited by all threads, added now and then.
    pub(super) nodes: AtomicU64,
    /// Positions to visit at most.
    pub(super) node_limit: u64,
}

/// A thread of a search.
pub(super) struct SearchWorker<'a, V: Vectors> {
    pub(super) vectors: V,
    pub(super) shared: &'a SharedSearch<'a>,
    /// Positions near the end, of this thread alone.
    pub(super) near: &'a TranspositionTable,
    /// Positions visited.
    pub(super) nodes: u64,
    /// Of these, told to the others.
    told: u64,
    /// How sure cuts must be now.
    pub(super) confidence: CutConfidence,
    /// What is searched now only prepares a proof, which does not depend on how sure it is.
    pub(super) preparing: bool,
    /// Stable discs of edges.
    edges: &'static StableEdges,
    /// The search is to end: what functions return no longer means anything.
    pub(super) halted: bool,
}

/// Positions between questions whether to stop.
const LOOK_EVERY: u64 = 1 << 14;

impl<'a, V: Vectors> SearchWorker<'a, V> {
    pub(super) fn new(
        vectors: V,
        shared: &'a SharedSearch<'a>,
        near: &'a TranspositionTable,
    ) -> SearchWorker<'a, V> {
        let confidence = CutConfidence::Full;
        let edges = stability::stable_edge_table();
        SearchWorker {
            vectors,
            shared,
            near,
            nodes: 0,
            told: 0,
            confidence,
            preparing: false,
            edges,
            halted: false,
        }
    }

    /// An upper bound by the opponent's stable discs, if it is no more than `alpha`.
    #[inline(always)]
    pub(super) fn stable_bound(&self, player: u64, opponent: u64, alpha: i32) -> Option<i32> {
        // Were all its discs stable: would that be enough?
        if 64 - 2 * opponent.count_ones() as i32 > alpha {
            return None;
        }
        let stable = stability::stable_discs(self.edges, opponent, player);
        let bound = 64 - 2 * stable.count_ones() as i32;
        (bound <= alpha).then_some(bound)
    }

    /// Keeps in a table what a search has found: score and best move, so many plies deep and so sure, asked within a window from alpha to beta.
    /// Before it, so many positions had been visited.
    #[inline(always)]
    pub(super) fn keep_result(
        &self,
        table: &TranspositionTable,
        key: u64,
        (depth, confidence): (u32, CutConfidence),
        (alpha, beta): (i32, i32),
        (score, best): (i32, u8),
        before: u64,
    ) {
        let cost = (self.nodes - before + 1).ilog2() as u8;
        let (depth, confidence) = (depth as u8, confidence as u8);
        table.store_outcome(key, &BoardSearchOutcome { depth, confidence, alpha, beta, score, best, cost });
    }

    /// Is the search to end? Asks outside now and then.
    #[inline(always)]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes - self.told >= LOOK_EVERY {
            self.check_limits();
        }
        self.halted
    }

    /// Tells how many positions were visited, and asks whether to stop.
    #[cold]
    pub(super) fn check_limits(&mut self) {
        let shared = self.shared;
        let new = self.nodes - self.told;
        let total = shared.nodes.fetch_add(new, Ordering::Relaxed) + new;
        self.told = self.nodes;
        if total >= shared.node_limit || shared.stop.is_requested() {
            shared.halted.request();
        }
        self.halted |= shared.halted.is_requested();
    }
}

/// A position in the middle of a search.
#[derive(Clone, Copy)]
pub(super) struct SearchNode {
    pub(super) player: u64,
    pub(super) opponent: u64,
    /// The legal moves of the side to move.
    pub(super) moves: u64,
    /// Squares in quadrants with an odd number of empty squares.
    pub(super) odd: u64,
    /// Empty squares.
    pub(super) empties: u32,
    /// The second side of `state` is to move.
    pub(super) second: bool,
    pub(super) state: PatternState,
}

impl SearchNode {
    pub(super) fn new(board: Board) -> SearchNode {
        SearchNode {
            player: board.player,
            opponent: board.opponent,
            moves: board.legal_moves(),
            odd: super::last::odd_quadrants(board.empty_squares()),
            empties: board.empty_count(),
            second: false,
            state: PatternState::new(board),
        }
    }

    /// After a move on `square` that turns `flips` and leaves the opponent `replies`.
    #[inline(always)]
    pub(super) fn after_move<V: Vectors>(
        &self,
        vectors: V,
        square: Square,
        flips: u64,
        replies: u64,
    ) -> SearchNode {
        let state = if self.second {
            self.state.after_second_plays(vectors, square, flips)
        } else {
            self.state.after_first_plays(vectors, square, flips)
        };
        SearchNode {
            player: self.opponent ^ flips,
            opponent: self.player ^ flips | square.bit(),
            moves: replies,
            odd: self.odd ^ quadrant_mask(square),
            empties: self.empties - 1,
            second: !self.second,
            state,
        }
    }

    /// After a pass, which leaves the opponent these moves.
    #[inline(always)]
    pub(super) fn pass(&self, moves: u64) -> SearchNode {
        SearchNode { player: self.opponent, opponent: self.player, moves, second: !self.second, ..*self }
    }

    /// After a move of the root.
    pub(super) fn child(&self, square: Square) -> SearchNode {
        let board = Board { player: self.player, opponent: self.opponent };
        let replies = board.play_unchecked(square).legal_moves();
        self.after_move(Portable, square, board.flips(square), replies)
    }

    pub(super) fn final_score(&self) -> i32 {
        Board { player: self.player, opponent: self.opponent }.final_score()
    }

    /// The static value for the side to move, in units.
    #[inline(always)]
    pub(super) fn value_in_units<V: Vectors>(&self, worker: &SearchWorker<'_, V>) -> i32 {
        let own = self.moves.count_ones();
        let other = worker.vectors.legal_moves(self.opponent, self.player).count_ones();
        worker.shared.evaluation.value_in_units(&self.state, self.second, self.empties, own, other)
    }

    /// The static value for the side to move, in discs.
    #[inline(always)]
    pub(super) fn value_in_discs<V: Vectors>(&self, worker: &SearchWorker<'_, V>) -> i32 {
        units_to_discs(self.value_in_units(worker))
    }
}

/// Units to the nearest disc, within what an estimate may be.
#[inline(always)]
fn units_to_discs(units: i32) -> i32 {
    ((units + UNITS_PER_DISC / 2) >> UNITS_PER_DISC.ilog2()).clamp(-63, 63)
}

/// A move with what it leads to.
#[derive(Clone, Copy)]
pub(super) struct ScoredMove {
    pub(super) flips: u64,
    /// The opponent's answers.
    pub(super) replies: u64,
    /// The hash of the board after it, once [`MoveList::prefetch_children`] has filled it in.
    pub(super) key: u64,
    /// Lower is tried first.
    pub(super) cost: i32,
    pub(super) square: Square,
}

impl ScoredMove {
    /// Has it been taken from its list?
    #[inline(always)]
    pub(super) fn is_taken(&self) -> bool {
        self.cost == TAKEN
    }
}

/// The most moves that a position can have is less than this.
pub(super) const MOST_MOVES: usize = 36;

/// The legal moves of a position, `N` at most.
pub(super) struct MoveList<const N: usize> {
    list: [ScoredMove; N],
    length: usize,
}

impl<const N: usize> MoveList<N> {
    /// No moves. The list is filled where it stands: moving it would cost more than searching some positions.
    #[inline(always)]
    pub(super) fn empty() -> MoveList<N> {
        let none = ScoredMove { flips: 0, replies: 0, key: 0, cost: 0, square: Square::from_lowest_bit(1) };
        MoveList { list: [none; N], length: 0 }
    }

    /// Adds all of `moves`, eight at a time.
    #[inline(always)]
    pub(super) fn add_moves<V: Vectors>(&mut self, vectors: V, player: u64, opponent: u64, mut moves: u64) {
        while moves != 0 {
            let expanded = vectors.expand_moves(player, opponent, moves);
            for (flips, replies) in expanded.flips.into_iter().zip(expanded.replies) {
                if moves == 0 {
                    break;
                }
                if let Some(choice) = self.list.get_mut(self.length) {
                    let square = Square::from_lowest_bit(moves);
                    *choice = ScoredMove { square, flips, replies, key: 0, cost: 0 };
                    self.length += 1;
                }
                moves &= moves - 1;
            }
        }
    }

    /// Puts a move first that leaves the opponent few answers, a corner before others. Where little is searched below a move, to sort all of them
    /// would cost more than it saves.
    #[inline(always)]
    pub(super) fn put_least_mobile_first(&mut self) {
        let (mut first, mut least) = (0, i32::MAX);
        for (place, choice) in self.as_slice().iter().enumerate() {
            let corner = i32::from(CORNERS & choice.square.bit() != 0);
            let answers = choice.replies.count_ones() as i32 - 2 * corner;
            if answers < least {
                (first, least) = (place, answers);
            }
        }
        if first > 0 {
            self.as_mut().swap(0, first);
        }
    }

    /// Gives every move the hash of the board after it, and asks for what the table has there: all at once, as memory
    /// is slow.
    #[inline(always)]
    pub(super) fn prefetch_children(&mut self, (player, opponent): (u64, u64), table: &TranspositionTable) {
        for choice in self.as_mut() {
            let (own, other) = (opponent ^ choice.flips, player ^ choice.flips | choice.square.bit());
            choice.key = hash_board(own, other);
            table.prefetch(choice.key);
        }
    }

    /// Does the table know a child that is good enough, for a search of this depth with cuts this sure? The list has been
    /// through [`MoveList::prefetch_children`].
    #[inline(always)]
    pub(super) fn known_bound(
        &self,
        table: &TranspositionTable,
        alpha: i32,
        depth: u32,
        confidence: CutConfidence,
    ) -> Option<i32> {
        for choice in self.as_slice() {
            if let Some(entry) = table.get(choice.key)
                && u32::from(entry.depth) >= depth - 1
                && entry.confidence >= confidence as u8
                && -i32::from(entry.upper) > alpha
            {
                return Some(-i32::from(entry.upper));
            }
        }
        None
    }

    #[inline(always)]
    pub(super) fn as_mut(&mut self) -> &mut [ScoredMove] {
        &mut self.list[..self.length.min(N)]
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[ScoredMove] {
        &self.list[..self.length.min(N)]
    }

    /// Takes the move on this square, if there is one.
    #[inline(always)]
    pub(super) fn take_move(&mut self, square: u8) -> Option<ScoredMove> {
        let choice = self.as_mut().iter_mut().find(|choice| choice.square.index() as u8 == square)?;
        let found = *choice;
        choice.cost = TAKEN;
        Some(found)
    }

    /// Takes the best of the moves that are left.
    #[inline(always)]
    pub(super) fn take_best(&mut self) -> Option<ScoredMove> {
        // Cost and place in one number: the least is found without branches, which could not be foretold.
        let ranked = |(place, choice): (usize, &ScoredMove)| i64::from(choice.cost) << 32 | place as i64;
        let best = self.as_slice().iter().enumerate().map(ranked).fold(i64::MAX, i64::min);
        let choice = self.list.get_mut(best as u32 as usize)?;
        if choice.is_taken() {
            return None;
        }
        let found = *choice;
        choice.cost = TAKEN;
        Some(found)
    }
}

/// The cost of a move that was taken: more than any other.
const TAKEN: i32 = i32::MAX;
