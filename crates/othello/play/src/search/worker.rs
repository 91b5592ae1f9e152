//! What the functions of a search share: one worker a thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ishi_othello::simd::Vectors;
use ishi_othello::{Board, Square};

use super::Confidence;
use super::last::quadrant;
use super::table::Table;
use crate::eval::{Evaluation, State, UNITS_PER_DISC};

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) evaluation: &'a Evaluation,
    /// Asked now and then: end the search?
    pub(super) stop: &'a (dyn Fn() -> bool + Sync),
    /// Set once the search is to end.
    pub(super) halted: AtomicBool,
    /// Positions visited by all threads, added now and then.
    pub(super) nodes: AtomicU64,
    /// Positions to visit at most.
    pub(super) node_limit: u64,
}

/// A thread of a search.
pub(super) struct Worker<'a, V: Vectors> {
    pub(super) vectors: V,
    pub(super) shared: &'a Shared<'a>,
    /// Positions visited.
    pub(super) nodes: u64,
    /// Of these, told to the others.
    told: u64,
    /// How sure cuts must be now.
    pub(super) confidence: Confidence,
    /// The search is to end: what functions return no longer means anything.
    pub(super) halted: bool,
}

/// Positions between questions whether to stop.
const LOOK_EVERY: u64 = 1 << 14;

impl<'a, V: Vectors> Worker<'a, V> {
    pub(super) fn new(vectors: V, shared: &'a Shared<'a>) -> Worker<'a, V> {
        Worker { vectors, shared, nodes: 0, told: 0, confidence: Confidence::Full, halted: false }
    }

    /// Is the search to end? Asks outside now and then.
    #[inline(always)]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes - self.told >= LOOK_EVERY {
            self.look();
        }
        self.halted
    }

    /// Tells how many positions were visited, and asks whether to stop.
    #[cold]
    pub(super) fn look(&mut self) {
        let shared = self.shared;
        let new = self.nodes - self.told;
        let total = shared.nodes.fetch_add(new, Ordering::Relaxed) + new;
        self.told = self.nodes;
        if total >= shared.node_limit || (shared.stop)() {
            shared.halted.store(true, Ordering::Relaxed);
        }
        self.halted |= shared.halted.load(Ordering::Relaxed);
    }
}

/// A position in the middle of a search.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) player: u64,
    pub(super) opponent: u64,
    /// Squares in quadrants with an odd number of empty squares.
    pub(super) odd: u64,
    /// Empty squares.
    pub(super) empties: u32,
    /// The second side of `state` is to move.
    pub(super) second: bool,
    pub(super) state: State,
}

impl Node {
    pub(super) fn new(board: Board) -> Node {
        Node {
            player: board.player,
            opponent: board.opponent,
            odd: super::last::odd_quadrants(board.empty()),
            empties: board.empties(),
            second: false,
            state: State::new(board),
        }
    }

    #[inline(always)]
    pub(super) fn after(&self, square: Square, flips: u64) -> Node {
        let state = if self.second {
            self.state.second_plays(square, flips)
        } else {
            self.state.first_plays(square, flips)
        };
        Node {
            player: self.opponent ^ flips,
            opponent: self.player ^ flips | square.bit(),
            odd: self.odd ^ quadrant(square),
            empties: self.empties - 1,
            second: !self.second,
            state,
        }
    }

    #[inline(always)]
    pub(super) fn pass(&self) -> Node {
        Node { player: self.opponent, opponent: self.player, second: !self.second, ..*self }
    }

    pub(super) fn final_score(&self) -> i32 {
        Board { player: self.player, opponent: self.opponent }.final_score()
    }

    /// The static value for the side to move, in units; `own`: how many moves that side has.
    #[inline(always)]
    pub(super) fn units<V: Vectors>(&self, worker: &Worker<'_, V>, own: u32) -> i32 {
        let other = worker.vectors.moves(self.opponent, self.player).count_ones();
        worker.shared.evaluation.value(&self.state, self.second, self.empties, own, other)
    }

    /// The static value for the side to move, in discs.
    #[inline(always)]
    pub(super) fn value<V: Vectors>(&self, worker: &Worker<'_, V>, own: u32) -> i32 {
        in_discs(self.units(worker, own))
    }
}

/// Units to the nearest disc, within what an estimate may be.
#[inline(always)]
pub(super) fn in_discs(units: i32) -> i32 {
    ((units + UNITS_PER_DISC / 2) >> UNITS_PER_DISC.ilog2()).clamp(-63, 63)
}

/// A move with what it leads to.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) square: Square,
    pub(super) flips: u64,
    /// The opponent's answers.
    pub(super) replies: u64,
    /// Lower is tried first.
    pub(super) cost: i32,
}

/// The legal moves of a position.
pub(super) struct Choices {
    list: [Choice; 36],
    length: usize,
}

impl Choices {
    /// All of `moves`, eight at a time.
    #[inline(always)]
    pub(super) fn new<V: Vectors>(vectors: V, player: u64, opponent: u64, mut moves: u64) -> Choices {
        let none = Choice { square: Square::lowest(1), flips: 0, replies: 0, cost: 0 };
        let mut choices = Choices { list: [none; 36], length: 0 };
        while moves != 0 {
            let mut squares = [Square::lowest(moves).index() as u8; 8];
            let mut number = 0;
            for square in &mut squares {
                if moves == 0 {
                    break;
                }
                *square = Square::lowest(moves).index() as u8;
                moves &= moves - 1;
                number += 1;
            }
            let expanded = vectors.expand(player, opponent, squares);
            let answers = expanded.flips.iter().zip(&expanded.replies);
            for (&square, (&flips, &replies)) in squares.iter().zip(answers).take(number) {
                if let Some(choice) = choices.list.get_mut(choices.length) {
                    let square = Square::lowest(1 << (square & 63));
                    *choice = Choice { square, flips, replies, cost: 0 };
                    choices.length += 1;
                }
            }
        }
        choices
    }

    #[inline(always)]
    pub(super) fn as_mut(&mut self) -> &mut [Choice] {
        &mut self.list[..self.length.min(36)]
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[Choice] {
        &self.list[..self.length.min(36)]
    }

    /// Brings the best of those from `first` on to `first`.
    #[inline(always)]
    pub(super) fn pick(&mut self, first: usize) -> Option<Choice> {
        let left = self.as_mut().get_mut(first..)?;
        let (mut best, mut cost) = (0, left.first()?.cost);
        for (i, choice) in left.iter().enumerate().skip(1) {
            if choice.cost < cost {
                (best, cost) = (i, choice.cost);
            }
        }
        left.swap(0, best);
        left.first().copied()
    }
}
