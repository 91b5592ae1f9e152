//! What a proof carries along: the best deck, what must be beaten, the work, and the question whether to stop.

use std::ops::ControlFlow;

use ishi_rng::Seed;

use crate::answer::{Answer, Status, Work};
use crate::problem::{Deck, Problem};
use crate::search as heuristic;
use crate::solve::{Options, Progress};

/// The state of a proof.
pub(super) struct Search<'a> {
    pub(super) problem: &'a Problem,
    /// Potentials and bounds are in this many parts of a unit.
    pub(super) factor: i32,
    pub(super) best: Option<(Deck, i64)>,
    /// No better deck can be better by less than this, in units.
    step: i64,
    gap: i64,
    above: Option<i64>,
    seed: Seed,
    /// The long search without proof has been done.
    pub(super) is_long: bool,
    pub(super) work: Work,
    pub(super) is_stopped: bool,
    /// What cannot be beaten in the parts that were left undone, in parts of a unit.
    pub(super) open: i64,
    /// The bound of all that is not done, in parts of a unit, for the observer.
    pub(super) bound: Option<i64>,
    observer: &'a mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
}

/// Lower than any bound.
pub(super) const NOTHING: i64 = i64::MIN / 4;

impl<'a> Search<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        factor: i32,
        step: i64,
        options: &Options,
        observer: &'a mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
    ) -> Search<'a> {
        Search {
            problem,
            factor,
            best: None,
            step,
            gap: options.gap.max(0),
            above: options.above,
            seed: options.seed,
            is_long: false,
            work: Work::default(),
            is_stopped: false,
            open: NOTHING,
            bound: None,
            observer,
        }
    }

    /// A part whose bound is at or below this holds no better deck.
    pub(super) fn target(&self) -> i64 {
        let value = self.best.as_ref().map(|best| best.1).max(self.above);
        let Some(value) = value else { return NOTHING };
        let factor = i64::from(self.factor);
        ((value + self.step) * factor - 1).max((value + self.gap) * factor)
    }

    /// Takes a deck if it keeps the rules and is better.
    pub(super) fn consider(&mut self, deck: Deck) -> bool {
        let value = self.problem.value(&deck);
        if !self.is_better(value) || self.problem.check(&deck).is_err() {
            return false;
        }
        self.best = Some((deck, value));
        self.tell();
        true
    }

    /// Takes the deck that a search without proof finds.
    pub(super) fn first_deck(&mut self, steps: u64) {
        let mut options = heuristic::Options::new(self.seed);
        options.steps = steps;
        let found = heuristic::tabu(self.problem, &options, &mut |_| {
            self.tell();
            if self.is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Some(found) = found {
            self.work.moves += found.moves;
            self.consider(found.deck);
        }
    }

    /// Is a value better than that of the best deck?
    pub(super) fn is_better(&self, value: i64) -> bool {
        self.best.as_ref().is_none_or(|best| best.1 < value)
    }

    /// Tells the observer, who may stop the work.
    pub(super) fn tell(&mut self) {
        let units = |bound: i64| bound.div_euclid(i64::from(self.factor));
        let progress = Progress {
            deck: self.best.as_ref().map(|best| &best.0),
            value: self.best.as_ref().map(|best| best.1),
            bound: self.bound.map(units),
            work: self.work,
        };
        if (self.observer)(&progress).is_break() {
            self.is_stopped = true;
        }
    }

    /// Tells the observer between steps; if it stops the work, no bound is wanted any more.
    pub(super) fn ask(&mut self, target: &mut i64) {
        self.tell();
        if self.is_stopped {
            *target = i64::MAX;
        }
    }

    /// What came of it all.
    pub(super) fn answer(self, options: &Options) -> Answer {
        let units = |bound: i64| bound.div_euclid(i64::from(self.factor));
        let value = self.best.as_ref().map(|best| best.1);
        // What was pruned is no better than this.
        let pruned = value.map(|value| value + self.gap).max(options.above);
        let open = (self.open > NOTHING).then(|| units(self.open));
        let bound = pruned.max(open);
        let status = match value {
            Some(_) if value == bound => Status::Optimal,
            Some(_) => Status::Feasible,
            None if bound.is_none() => Status::Infeasible,
            None => Status::Unknown,
        };
        Answer { status, deck: self.best.map(|best| best.0), value, bound, work: self.work }
    }

    /// A part was left undone.
    pub(super) fn leave(&mut self, bound: i64) {
        self.open = self.open.max(bound);
    }
}
