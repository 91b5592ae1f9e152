//! Searches: strong decks without a proof.
//!
//! Methods, from what was in use to what replaces it:
//! - [`greedy_construction()`]: takes what scores best with what is chosen. This is the method that the article replaced.
//! - [`hill_climbing()`]: swaps one piece for another as long as that is better, from random decks.
//! - [`variable_depth_search()`]: the article's search. A step is a depth-first search over up to three swaps, inside which the cost may pass the
//!   limit by ten, with backtracking.
//! - [`climb_by_swap_chains()`]: steps of up to three swaps too, but greedy: each swap is the best one, and none is taken back.
//! - [`simulated_annealing()`]: random swaps, worse ones with a chance that falls; what the article recommends where there is time.
//! - [`tabu_search()`]: ours. Starts spread over the archetypes, moves judged in a few microseconds by tables of gains, and a tabu search that
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

use ishi_rng::Seed;

pub use annealing::simulated_annealing;
pub use climb::{DEPTH, SLACK, climb_by_swap_chains, hill_climbing};
pub use construct::greedy_construction;
pub use depth::{
    SwapChoice, SwapTryOrder, VariableDepthOptions, variable_depth_search, variable_depth_search_step,
};
pub use tabu::{improve_deck, tabu_search};

use crate::answer::SolveEffort;
use crate::problem::{Deck, Problem};
use crate::solve::{SolverObserver, SolverState};
use state::DeckState;

/// How long and how a search looks.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The seed of what is random.
    pub seed: Seed,
    /// Steps: swaps, additions and removals that are carried out. The observer can stop earlier.
    pub steps: u64,
    /// Decks that [`hill_climbing()`], [`variable_depth_search()`] and [`climb_by_swap_chains()`] start from, and rounds of [`simulated_annealing()`]; [`tabu_search()`] has its
    /// own starts.
    pub starts: u64,
    /// The first of these decks. All others are random.
    pub begin: StartDeck,
}

/// The deck that a climb starts from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum StartDeck {
    /// A random deck that keeps the limits.
    #[default]
    Random,
    /// The deck of [`greedy_construction()`].
    Greedy,
    /// This deck, which holds all that is fixed.
    At(Deck),
}

impl SearchOptions {
    /// One start, and 20,000 steps.
    ///
    /// ```
    /// use ishi_deck::search::{SearchOptions, StartDeck};
    /// use ishi_rng::Seed;
    /// let options = SearchOptions { begin: StartDeck::Greedy, steps: 1_000, ..SearchOptions::new(Seed::new(7)) };
    /// assert_eq!(options.starts, 1);
    /// ```
    #[must_use]
    pub fn new(seed: Seed) -> SearchOptions {
        SearchOptions { seed, steps: 20_000, starts: 1, begin: StartDeck::Random }
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundDeck {
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
struct SearchRun<'o> {
    best: Option<(Deck, i64)>,
    moves: u64,
    most: u64,
    observer: SolverObserver<'o>,
    stopped: bool,
}

impl<'o> SearchRun<'o> {
    fn new(most: u64, observer: SolverObserver<'o>) -> SearchRun<'o> {
        SearchRun { best: None, moves: 0, most, observer, stopped: false }
    }

    fn notify_observer(&mut self) {
        let work = SolveEffort { moves: self.moves, ..SolveEffort::default() };
        let deck = self.best.as_ref().map(|(deck, _)| deck);
        let value = self.best.as_ref().map(|&(_, value)| value);
        self.stopped |= (self.observer)(&SolverState { deck, value, bound: None, work, bytes: 0 }).is_break();
    }

    /// A step was done.
    fn count_step(&mut self) {
        self.moves += 1;
        if self.moves.is_multiple_of(ASK) {
            self.notify_observer();
        }
    }

    fn is_over(&self) -> bool {
        self.stopped || self.moves >= self.most
    }

    fn best_value(&self) -> Option<i64> {
        self.best.as_ref().map(|&(_, value)| value)
    }

    /// Keeps the deck if it is allowed and the best so far.
    fn keep_if_best(&mut self, state: &DeckState<'_>) -> bool {
        let value = state.value();
        if self.best_value().is_some_and(|best| best >= value) || !state.is_feasible() {
            return false;
        }
        self.best = Some((state.to_deck(), value));
        self.notify_observer();
        true
    }

    fn into_found(self, problem: &Problem) -> Option<FoundDeck> {
        let (deck, value) = self.best?;
        // What is fixed may break a rule by itself.
        problem.check_deck(&deck).ok()?;
        debug_assert_eq!(problem.deck_value(&deck), value);
        Some(FoundDeck { deck, value, moves: self.moves })
    }
}

#[cfg(test)]
mod tests;
