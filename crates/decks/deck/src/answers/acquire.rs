//! What to acquire next: the card not owned that raises the optimum most.
//!
//! Instead of one problem for each card that is not owned, one problem for all: every such card may be chosen, but at most one of
//! them. Its optimum is the best that one more card can do, so the proof covers all cards at once.

use std::sync::Arc;

use ishi_rng::Seed;

use super::{SolverObserver, StoppableSolver, tighten_bound};
use crate::answer::{AnswerStatus, DeckAnswer};
use crate::pool::{PieceId, Pool};
use crate::problem::Problem;
use crate::request::{DeckRequest, RequestError};

/// A card to acquire.
#[derive(Clone, PartialEq, Debug)]
pub struct Acquisition {
    /// Which.
    pub card: PieceId,
    /// The best deck with it, of the problem in [`Acquisitions::problem`]; its bound holds for all cards that are not listed before.
    pub answer: DeckAnswer,
}

/// What to acquire.
#[derive(Clone, Debug)]
pub struct Acquisitions {
    /// The best deck of what is owned.
    pub now: DeckAnswer,
    /// The cards that raise its value most, the best first.
    pub cards: Vec<Acquisition>,
    /// Is it proved that they are the best, in this order, and (if they are fewer than asked for) that no other card raises the value?
    pub proved: bool,
    /// No card that is listed last or not at all makes a deck of a larger value than this, in units, where something is known.
    pub others: Option<i64>,
    /// The problem whose slots the decks of [`Acquisitions::cards`] are made of: owned pieces and one copy of each other.
    pub problem: Problem,
    /// The problem whose slots the deck of [`Acquisitions::now`] is made of.
    pub owned: Problem,
}

/// Finds up to `count` cards that raise the optimum most, out of those that are not owned and not banned. Each is judged alone: what it brings
/// to what is owned now.
///
/// # Errors
/// If the request makes no sense for the pool.
pub fn find_acquisitions(
    pool: &Arc<Pool>,
    request: &DeckRequest,
    count: usize,
    seed: Seed,
    observer: SolverObserver<'_>,
) -> Result<Acquisitions, RequestError> {
    let owned = Problem::new(pool.clone(), request)?;
    let mut all = request.clone();
    let mut candidates = vec![false; pool.pieces.len()];
    if let Some(list) = &mut all.owned {
        candidates.fill(true);
        for (id, _) in list.iter().filter(|(_, copies)| *copies > 0) {
            candidates[id.index()] = false;
        }
        list.extend((0..candidates.len()).filter(|&at| candidates[at]).map(|at| (PieceId(at as u32), 1)));
    }
    let problem = Problem::new(pool.clone(), &all)?;
    let mut solver = StoppableSolver::new(seed, observer);
    let now = solver.solve_until_stopped(&owned);
    let mut found = Acquisitions { now, cards: Vec::new(), proved: false, others: None, problem, owned };
    found.proved = matches!(found.now.status, AnswerStatus::Optimal | AnswerStatus::Infeasible);
    while found.cards.len() < count && !solver.stopped {
        let mut answer = solver
            .solve_with_quotas(&found.problem, &|problem| found.limit_to_one_candidate(problem, &candidates));
        // No later card is better than an earlier one can be.
        tighten_bound(&mut answer, found.others);
        found.proved &= matches!(answer.status, AnswerStatus::Optimal | AnswerStatus::Infeasible);
        let better = answer.deck.as_ref().filter(|_| answer.value > found.now.value);
        let pieces =
            better.into_iter().flat_map(|deck| &deck.slots).map(|&slot| found.problem.piece_of(slot));
        let Some(card) = pieces.into_iter().find(|card| candidates[card.index()]) else {
            found.others = answer.bound;
            break;
        };
        candidates[card.index()] = false;
        found.others = answer.bound;
        found.cards.push(Acquisition { card, answer });
    }
    found.proved &= !solver.stopped;
    Ok(found)
}

impl Acquisitions {
    /// One of the candidates may be chosen, and none of the cards that were found before.
    pub(super) fn limit_to_one_candidate(&self, mut problem: Problem, candidates: &[bool]) -> Problem {
        let members = |which: &dyn Fn(PieceId) -> bool| -> Vec<bool> {
            self.problem.pieces().iter().map(|&id| which(id)).collect()
        };
        let candidates = members(&|id| candidates[id.index()]);
        if candidates.contains(&true) {
            problem = problem.with_quota("not owned", candidates, 0, 1);
        }
        if !self.cards.is_empty() {
            let before = members(&|id| self.cards.iter().any(|found| found.card == id));
            problem = problem.with_quota("listed before", before, 0, 0);
        }
        problem
    }
}
