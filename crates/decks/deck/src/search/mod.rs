//! Searches: strong decks without a proof.
//!
//! Methods, from what was in use to what replaces it:
//! - [`greedy()`]: takes what scores best with what is chosen. This is the method that the article replaced.
//! - [`hill_climbing()`]: swaps one piece for another as long as that is better, from random decks.
//! - [`variable_depth()`]: the article's search. A step is a depth-first search over up to three swaps, inside which the cost may pass the
//!   limit by ten, with backtracking.
//! - [`swap_chains()`]: steps of up to three swaps too, but greedy: each swap is the best one, and none is taken back.
//! - [`annealing()`]: random swaps, worse ones with a chance that falls; what the article recommends where there is time.
//! - [`tabu()`]: ours. Starts spread over the archetypes, moves judged in a few microseconds by tables of gains, and a tabu search that
//!   swings over the limits.
//!
//! All of them answer to the whole [`Problem`]: sizes, several resources, quotas, groups, copies, fixed pieces, leaders, scores of either
//! sign. The same seed and number of steps give the same deck; time is the caller's affair, through the observer.

mod annealing;
mod climb;
mod construct;
mod depth;
mod state;
mod tabu;

use std::ops::ControlFlow;

use ishi_rng::Seed;

pub use annealing::annealing;
pub use climb::{DEPTH, SLACK, hill_climbing, swap_chains};
pub use construct::greedy;
pub use depth::{Order, Take, VariableDepth, variable_depth, variable_depth_step};
pub use tabu::{improve, tabu};

use crate::answer::Work;
use crate::problem::{Deck, Problem};
use crate::solve::Progress;
use state::State;

/// How long and how a search looks.
#[derive(Clone, Debug)]
pub struct Options {
    /// Of what is random.
    pub seed: Seed,
    /// Steps: swaps, additions and removals that are carried out. The observer can stop earlier.
    pub steps: u64,
    /// Decks that [`hill_climbing()`], [`variable_depth()`] and [`swap_chains()`] start from, and rounds of [`annealing()`]; [`tabu()`] has its
    /// own starts.
    pub starts: u64,
    /// The first of these decks. All others are random.
    pub begin: Begin,
}

/// The deck that a climb starts from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Begin {
    /// A random deck that keeps the limits.
    #[default]
    Random,
    /// The deck of [`greedy()`].
    Greedy,
    /// This deck, which holds all that is fixed.
    At(Deck),
}

impl Options {
    /// One start, and 20,000 steps.
    #[must_use]
    pub fn new(seed: Seed) -> Options {
        Options { seed, steps: 20_000, starts: 1, begin: Begin::Random }
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The deck; it keeps all rules.
    pub deck: Deck,
    /// Its value in units.
    pub value: i64,
    /// Steps that were done.
    pub moves: u64,
}

/// Steps between two questions to the observer.
const ASK: u64 = 32;

/// The best so far, the steps, and the observer.
struct Search<'o> {
    best: Option<(Deck, i64)>,
    moves: u64,
    most: u64,
    observer: &'o mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
    stopped: bool,
}

impl<'o> Search<'o> {
    fn new(most: u64, observer: &'o mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>) -> Search<'o> {
        Search { best: None, moves: 0, most, observer, stopped: false }
    }

    fn tell(&mut self) {
        let work = Work { moves: self.moves, ..Work::default() };
        let deck = self.best.as_ref().map(|(deck, _)| deck);
        let value = self.best.as_ref().map(|&(_, value)| value);
        self.stopped |= (self.observer)(&Progress { deck, value, bound: None, work }).is_break();
    }

    /// A step was done.
    fn step(&mut self) {
        self.moves += 1;
        if self.moves.is_multiple_of(ASK) {
            self.tell();
        }
    }

    fn is_over(&self) -> bool {
        self.stopped || self.moves >= self.most
    }

    fn best_value(&self) -> Option<i64> {
        self.best.as_ref().map(|&(_, value)| value)
    }

    /// Keeps the deck if it is allowed and the best so far.
    fn see(&mut self, state: &State<'_>) -> bool {
        let value = state.value();
        if self.best_value().is_some_and(|best| best >= value) || !state.is_feasible() {
            return false;
        }
        self.best = Some((state.deck(), value));
        self.tell();
        true
    }

    fn found(self, problem: &Problem) -> Option<Found> {
        let (deck, value) = self.best?;
        // What is fixed may break a rule by itself.
        problem.check(&deck).ok()?;
        debug_assert_eq!(problem.value(&deck), value);
        Some(Found { deck, value, moves: self.moves })
    }
}

#[cfg(test)]
mod tests;
