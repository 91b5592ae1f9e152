//! The solver: the best deck that can be found, with a bound, and a proof where there is time for one.

use std::ops::ControlFlow;

use ishi_rng::Seed;

use crate::answer::{DeckAnswer, SolveEffort};
use crate::problem::{Deck, Problem};

/// How to solve.
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// Of what is random in the search; the same seed gives the same answer.
    pub seed: Seed,
    /// Enough is a gap of so many units; 0 asks for a proof.
    pub gap: i64,
    /// Only decks of a larger value than this are of interest.
    pub above: Option<i64>,
}

/// Where a solver or a search is: nobody knows how much is still to be done.
#[derive(Clone, Debug)]
pub struct SolverState<'a> {
    /// The best deck so far.
    pub deck: Option<&'a Deck>,
    /// Its value.
    pub value: Option<i64>,
    /// No deck has a larger value.
    pub bound: Option<i64>,
    /// What it took so far.
    pub work: SolveEffort,
}

/// Told now and then where the work is; can stop it.
pub type SolverObserver<'o> = &'o mut dyn FnMut(&SolverState<'_>) -> ControlFlow<()>;

/// Finds the best deck. `observer` is asked many times a second and at every better deck; on `Break` the best deck so far and an
/// honest bound are the answer.
pub fn solve_problem(problem: &Problem, options: &SolverOptions, observer: SolverObserver<'_>) -> DeckAnswer {
    crate::exact::solve_exactly(problem, options, observer)
}
