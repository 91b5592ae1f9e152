//! What a proof carries along: the best deck, what must be beaten, the work, and the question whether to stop.

use ishi_rng::Seed;
use ishi_work::continue_unless;

use crate::answer::{AnswerStatus, DeckAnswer, SolveEffort};
use crate::problem::{Deck, Problem};
use crate::search as heuristic;
use crate::solve::{SolverObserver, SolverOptions, SolverState};
use crate::table::PairScoreTable;

/// The state of a proof.
pub(super) struct ProofSearch<'a> {
    pub(super) problem: &'a Problem,
    /// Potentials and bounds are in this many parts of a unit.
    pub(super) factor: i32,
    pub(super) best: Option<(Deck, i64)>,
    /// No better deck can be better by less than this, in units.
    pub(super) step: i64,
    gap: i64,
    above: Option<i64>,
    seed: Seed,
    /// The long search without proof has been done.
    pub(super) is_long: bool,
    pub(super) work: SolveEffort,
    pub(super) is_stopped: bool,
    /// What cannot be beaten in the parts that were left undone, in parts of a unit.
    pub(super) open: i64,
    /// The bound of all that is not done, in parts of a unit, for the observer.
    pub(super) bound: Option<i64>,
    /// What all tables and bounds take.
    bytes: usize,
    observer: SolverObserver<'a>,
}

/// Lower than any bound.
pub(super) const NOTHING: i64 = i64::MIN / 4;

impl<'a> ProofSearch<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        factor: i32,
        options: &SolverOptions,
        observer: SolverObserver<'a>,
    ) -> ProofSearch<'a> {
        ProofSearch {
            problem,
            factor,
            best: None,
            step: 1,
            gap: options.gap.max(0),
            above: options.above,
            seed: options.seed,
            is_long: false,
            work: SolveEffort::default(),
            is_stopped: false,
            open: NOTHING,
            bound: None,
            bytes: 0,
            observer,
        }
    }

    /// A part whose bound is at or below this holds no better deck.
    pub(super) fn bound_target(&self) -> i64 {
        let value = self.best.as_ref().map(|best| best.1).max(self.above);
        let Some(value) = value else { return NOTHING };
        let factor = i64::from(self.factor);
        ((value + self.step) * factor - 1).max((value + self.gap) * factor)
    }

    /// Takes a deck if it keeps the rules and is better.
    pub(super) fn consider_deck(&mut self, deck: Deck) -> bool {
        let value = self.problem.deck_value(&deck);
        if !self.is_better(value) || self.problem.check_deck(&deck).is_err() {
            return false;
        }
        self.best = Some((deck, value));
        self.notify_observer();
        true
    }

    /// Takes the deck that a search without proof finds.
    pub(super) fn find_first_deck(&mut self, steps: u64) {
        let mut options = heuristic::SearchOptions::new(self.seed);
        options.steps = steps;
        let found = heuristic::tabu_search(self.problem, &options, &mut |_| {
            self.notify_observer();
            continue_unless(self.is_stopped)
        });
        if let Some(found) = found {
            self.work.moves += found.moves;
            self.consider_deck(found.deck);
        }
    }

    /// Is a value better than that of the best deck?
    pub(super) fn is_better(&self, value: i64) -> bool {
        self.best.as_ref().is_none_or(|best| best.1 < value)
    }

    /// Tells the observer, who may stop the work.
    pub(super) fn notify_observer(&mut self) {
        let units = |bound: i64| bound.div_euclid(i64::from(self.factor));
        let progress = SolverState {
            deck: self.best.as_ref().map(|best| &best.0),
            value: self.best.as_ref().map(|best| best.1),
            bound: self.bound.map(units),
            work: self.work,
            bytes: self.bytes,
        };
        if (self.observer)(&progress).is_break() {
            self.is_stopped = true;
        }
    }

    /// Tells the observer between steps; if it stops the work, no bound is wanted any more.
    pub(super) fn ask_observer(&mut self, target: &mut i64) {
        self.notify_observer();
        if self.is_stopped {
            *target = i64::MAX;
        }
    }

    /// What came of it all.
    pub(super) fn into_answer(self, options: &SolverOptions) -> DeckAnswer {
        let units = |bound: i64| bound.div_euclid(i64::from(self.factor));
        let value = self.best.as_ref().map(|best| best.1);
        // What was pruned is no better than this.
        let pruned = value.map(|value| value + self.gap).max(options.above);
        let open = (self.open > NOTHING).then(|| units(self.open));
        let bound = pruned.max(open);
        let status = match value {
            Some(_) if value == bound => AnswerStatus::Optimal,
            Some(_) => AnswerStatus::Feasible,
            None if bound.is_none() => AnswerStatus::Infeasible,
            None => AnswerStatus::Unknown,
        };
        DeckAnswer { status, deck: self.best.map(|best| best.0), value, bound, work: self.work }
    }

    /// A part was left undone. Where no bound was computed, one holds that needs none.
    pub(super) fn leave_open(&mut self, bound: i64) {
        let bound = match bound {
            i64::MAX => greatest_value(self.problem).saturating_mul(i64::from(self.factor)),
            bound => bound,
        };
        self.open = self.open.max(bound);
    }

    /// So many bytes are about to be taken: the observer may stop that. Then they must be given back, too.
    pub(super) fn take_memory(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        self.notify_observer();
        !self.is_stopped
    }

    pub(super) fn give_back_memory(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}

/// No deck is worth more: as if its pieces and all its pairs were the best.
fn greatest_value(problem: &Problem) -> i64 {
    let pool = problem.pool();
    let size = *problem.size().end() as i64;
    let magnitude = |table: &PairScoreTable| i64::from(table.largest_magnitude());
    let piece = problem.slots().map(|slot| problem.slot_score(slot)).max().unwrap_or(0).max(0);
    let leader = problem.slots().map(|slot| problem.leader_score(slot)).max().unwrap_or(0).max(0);
    let beside_leader = magnitude(pool.leaders.as_ref().unwrap_or(&pool.pairs));
    let parts =
        [(size, piece), (size * (size - 1) / 2, magnitude(&pool.pairs)), (1, leader), (size, beside_leader)];
    parts.into_iter().fold(0, |sum: i64, (count, most)| sum.saturating_add(count.saturating_mul(most)))
}
