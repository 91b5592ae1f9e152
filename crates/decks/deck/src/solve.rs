//! The solver: the best deck that can be found, with a bound, and a proof where there is time for one.

use std::ops::ControlFlow;

use ishi_rng::Seed;

use crate::answer::{DeckAnswer, SolveEffort};
use crate::problem::{Deck, Problem};

/// How to solve.
///
/// ```
/// use ishi_deck::SolverOptions;
/// use ishi_rng::Seed;
/// // A proof is asked for, and any deck will do.
/// let options = SolverOptions { seed: Seed::new(1), gap: 0, above: None };
/// ```
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// The seed of what is random in the search; the same seed gives the same answer.
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
    /// Bytes, about, of the tables and bounds that a proof holds, with those that it is about to take: on `Break` they are not taken. Searches without
    /// proof hold few and do not count them.
    pub bytes: usize,
}

/// Told now and then where the work is; can stop it.
pub type SolverObserver<'o> = &'o mut dyn FnMut(&SolverState<'_>) -> ControlFlow<()>;

/// Finds the best deck. `observer` is asked many times a second and at every better deck; on `Break` the best deck so far and an
/// honest bound are the answer.
///
/// ```
/// # use std::sync::Arc;
/// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
/// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
/// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
/// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
/// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
/// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
/// # let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
/// # let problem = Problem::new(Arc::new(pool), &request).unwrap();
/// use std::ops::ControlFlow;
/// use ishi_deck::{AnswerStatus, SolverOptions, solve_problem};
/// use ishi_rng::Seed;
///
/// let options = SolverOptions { seed: Seed::new(1), gap: 0, above: None };
/// let answer = solve_problem(&problem, &options, &mut |_| ControlFlow::Continue(()));
/// assert_eq!(answer.status, AnswerStatus::Optimal);
/// assert_eq!((answer.value, answer.bound), (Some(7), Some(7)));
/// let names = answer.deck.unwrap().slots.into_iter().map(|slot| problem.piece_name(slot)).collect::<Vec<_>>();
/// assert_eq!(names, ["Ant", "Bee"]);
/// ```
pub fn solve_problem(problem: &Problem, options: &SolverOptions, observer: SolverObserver<'_>) -> DeckAnswer {
    crate::exact::solve_exactly(problem, options, observer)
}
