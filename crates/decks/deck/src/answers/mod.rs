//! Answers that help: beyond the best deck, why it is so and what else there is.
//!
//! - [`mod@contribution`]: what each card of a deck contributes, and which pairs carry it.
//! - [`mod@why`]: why a card is not in the best deck, what it would cost to have it there, and which rule keeps it out.
//! - [`mod@best`]: the best decks that differ from each other.
//! - [`mod@acquire`]: the card not owned that raises the optimum most.
//! - [`mod@check`]: whether a given deck keeps the rules, and what it is worth.
//!
//! All of them ask the exact solver, so that what they say is proved where it says so; after a stop the answers say what
//! is known. They are data; words for them are made at the edge.

pub mod acquire;
pub mod best;
pub mod check;
pub mod contribution;
pub mod why;

use std::collections::BTreeMap;

use ishi_rng::Seed;

use crate::answer::{AnswerStatus, DeckAnswer, SolveEffort};
use crate::pool::PieceId;
use crate::problem::{Deck, Problem, Slot};
use crate::solve::{SolverObserver, SolverOptions, solve_problem};

pub use acquire::{Acquisition, Acquisitions, find_acquisitions};
pub use best::{count_missing_cards, find_best_decks};
pub use check::{CheckedDeck, DeckFault, check_deck};
pub use contribution::{CardContribution, ScoredPair, card_contributions, deck_pairs};
pub use why::{BindingRule, CardExplanation, explain_card};

/// Solves one problem after the other until the observer stops it.
pub(super) struct StoppableSolver<'o> {
    seed: Seed,
    observer: SolverObserver<'o>,
    pub(super) stopped: bool,
}

impl<'o> StoppableSolver<'o> {
    pub(super) fn new(seed: Seed, observer: SolverObserver<'o>) -> StoppableSolver<'o> {
        StoppableSolver { seed, observer, stopped: false }
    }

    /// The solver's answer; nothing is known after a stop.
    pub(super) fn solve_until_stopped(&mut self, problem: &Problem) -> DeckAnswer {
        if self.stopped {
            return DeckAnswer {
                status: AnswerStatus::Unknown,
                deck: None,
                value: None,
                bound: None,
                work: SolveEffort::default(),
            };
        }
        let options = SolverOptions { seed: self.seed, gap: 0, above: None };
        let (observer, stopped) = (&mut self.observer, &mut self.stopped);
        solve_problem(problem, &options, &mut |progress| {
            let next = observer(progress);
            *stopped |= next.is_break();
            next
        })
    }
}

impl StoppableSolver<'_> {
    /// The answer to a problem with further rules, which `more` adds to it as quotas. Bounds are strongest for quotas that do not overlap, and a
    /// deck often keeps the request's own quotas unasked: so those are left out at first, and if the best deck keeps them all the same it is
    /// the best with them.
    pub(super) fn solve_with_quotas(
        &mut self,
        problem: &Problem,
        more: &dyn Fn(Problem) -> Problem,
    ) -> DeckAnswer {
        let full = more(problem.clone());
        if problem.quotas().is_empty() || full.quotas().len() == problem.quotas().len() {
            return self.solve_until_stopped(&full);
        }
        let relaxed = self.solve_until_stopped(&more(problem.without_quotas()));
        let keeps = relaxed.deck.as_ref().is_some_and(|deck| full.check_deck(deck).is_ok());
        if keeps || relaxed.status == AnswerStatus::Infeasible {
            return relaxed;
        }
        if self.stopped {
            return DeckAnswer { status: AnswerStatus::Unknown, deck: None, value: None, ..relaxed };
        }
        let mut answer = self.solve_until_stopped(&full);
        tighten_bound(&mut answer, relaxed.bound);
        answer
    }
}

/// Gives an answer a bound that holds for another reason.
pub(super) fn tighten_bound(answer: &mut DeckAnswer, bound: Option<i64>) {
    let Some(bound) = bound else { return };
    answer.bound = Some(answer.bound.map_or(bound, |own| own.min(bound)));
    if answer.status == AnswerStatus::Feasible && answer.value == answer.bound {
        answer.status = AnswerStatus::Optimal;
    }
}

/// The pieces of a deck with how often each is in it.
#[must_use]
pub fn count_pieces(problem: &Problem, deck: &Deck) -> BTreeMap<PieceId, usize> {
    let mut counts = BTreeMap::new();
    for &slot in &deck.slots {
        *counts.entry(problem.piece_of(slot)).or_insert(0) += 1;
    }
    counts
}

/// The pieces of one deck that are not in another; copies count.
#[must_use]
pub fn missing_pieces(of: &BTreeMap<PieceId, usize>, from: &BTreeMap<PieceId, usize>) -> Vec<PieceId> {
    let lacking = |(&id, &count): (&PieceId, &usize)| {
        std::iter::repeat_n(id, count.saturating_sub(from.get(&id).copied().unwrap_or(0)))
    };
    of.iter().flat_map(lacking).collect()
}

/// The deck of these pieces, copies in order; `None` if a piece cannot be chosen as often.
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
/// use ishi_deck::PieceId;
/// use ishi_deck::answers::deck_from_pieces;
/// let deck = deck_from_pieces(&problem, &[PieceId(1), PieceId(0)], None).unwrap();
/// assert_eq!(deck.slots, [Slot(0), Slot(1)]);
/// assert!(deck_from_pieces(&problem, &[PieceId(1), PieceId(1)], None).is_none(), "there is one copy of it");
/// ```
#[must_use]
pub fn deck_from_pieces(problem: &Problem, pieces: &[PieceId], leader: Option<PieceId>) -> Option<Deck> {
    let mut used: BTreeMap<PieceId, u32> = BTreeMap::new();
    let mut slots = Vec::with_capacity(pieces.len());
    for &id in pieces {
        let first = problem.pieces().partition_point(|&piece| piece < id) as u32;
        let copy = used.entry(id).or_insert(0);
        let slot = Slot(first + *copy);
        *copy += 1;
        if problem.pieces().get(slot.index()) != Some(&id) {
            return None;
        }
        slots.push(slot);
    }
    let leader = match leader {
        None => None,
        Some(id) => Some(slots.iter().copied().find(|&slot| problem.piece_of(slot) == id)?),
    };
    Some(Deck::new(slots, leader))
}

#[cfg(test)]
mod tests;
