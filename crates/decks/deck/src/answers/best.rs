//! The best decks that differ from each other.
//!
//! The first is the best of all; each next is the best of those that lack at least so many cards of every deck before it. For the solver
//! this is one more rule: at most so many of an earlier deck's cards. So each answer has the solver's proof or gap.

use ishi_rng::Seed;

use super::{SolverObserver, StoppableSolver, count_pieces, deck_from_pieces, missing_pieces, tighten_bound};
use crate::answer::{AnswerStatus, DeckAnswer, SolveEffort};
use crate::pool::PieceId;
use crate::problem::{Deck, Problem};

/// How many cards of the first deck are not in the second; copies count.
#[must_use]
pub fn count_missing_cards(problem: &Problem, first: &Deck, second: &Deck) -> usize {
    missing_pieces(&count_pieces(problem, first), &count_pieces(problem, second)).len()
}

/// Up to `count` decks, the best first; each lacks at least `cards` cards of every deck before it. An answer without a deck ends the list:
/// if it is infeasible there is no further such deck.
///
/// A deck that only has another leader is the same deck.
pub fn find_best_decks(
    problem: &Problem,
    count: usize,
    cards: usize,
    seed: Seed,
    observer: SolverObserver<'_>,
) -> Vec<DeckAnswer> {
    let mut solver = StoppableSolver::new(seed, observer);
    let mut answers: Vec<DeckAnswer> = Vec::new();
    let mut decks: Vec<Deck> = Vec::new();
    while answers.len() < count && !solver.stopped {
        if decks.iter().any(|deck| deck.slots.len() < cards) {
            let none = DeckAnswer {
                status: AnswerStatus::Infeasible,
                deck: None,
                value: None,
                bound: None,
                work: SolveEffort::default(),
            };
            answers.push(none);
            break;
        }
        let mut answer = solver.solve_with_quotas(problem, &|problem| {
            with_difference_quotas(problem, &decks, cards, QuotaMembers::Slots)
        });
        // No later deck is better than an earlier one can be.
        if answer.status != AnswerStatus::Infeasible {
            tighten_bound(&mut answer, answers.last().and_then(|before| before.bound));
        }
        use_first_copies(problem, &mut answer);
        let apart =
            |deck: &Deck| decks.iter().all(|before| count_missing_cards(problem, before, deck) >= cards);
        if answer.deck.as_ref().is_some_and(|deck| !apart(deck)) {
            answer = solve_stricter(problem, &decks, cards, &answer, &mut solver);
        }
        let deck = answer.deck.clone();
        answers.push(answer);
        match deck {
            Some(deck) => decks.push(deck),
            None => break,
        }
    }
    answers
}

/// Which slots count as an earlier deck's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QuotaMembers {
    /// Its own slots. Another copy of one of its pieces does not count, so some decks are let through that are not
    /// different enough; the bound holds.
    Slots,
    /// All copies of its pieces. Some decks that are different enough are kept out; what is found is different enough.
    Pieces,
}

fn with_difference_quotas(problem: Problem, decks: &[Deck], cards: usize, members: QuotaMembers) -> Problem {
    let mut constrained = problem;
    for (at, deck) in decks.iter().enumerate() {
        let own = count_pieces(&constrained, deck);
        let is_member = |slot| match members {
            QuotaMembers::Slots => deck.slots.binary_search(&slot).is_ok(),
            QuotaMembers::Pieces => own.contains_key(&constrained.piece_of(slot)),
        };
        let members = constrained.slots().map(is_member).collect();
        let name = format!("of deck {}", at + 1);
        let at_most = deck.slots.len().saturating_sub(cards);
        constrained = constrained.with_quota(&name, members, 0, at_most);
    }
    constrained
}

/// Uses the first copies of each piece.
fn use_first_copies(problem: &Problem, answer: &mut DeckAnswer) {
    if let Some(deck) = &answer.deck {
        let pieces: Vec<PieceId> = deck.slots.iter().map(|&slot| problem.piece_of(slot)).collect();
        let leader = deck.leader.map(|slot| problem.piece_of(slot));
        answer.deck = deck_from_pieces(problem, &pieces, leader);
    }
}

/// Where copies let a deck through that is not different enough: the best among fewer decks, with the bound of more.
fn solve_stricter(
    problem: &Problem,
    decks: &[Deck],
    cards: usize,
    relaxed: &DeckAnswer,
    solver: &mut StoppableSolver<'_>,
) -> DeckAnswer {
    let mut answer = solver.solve_with_quotas(problem, &|problem| {
        with_difference_quotas(problem, decks, cards, QuotaMembers::Pieces)
    });
    use_first_copies(problem, &mut answer);
    answer.bound = relaxed.bound;
    answer.status = match answer.value {
        Some(value) if Some(value) == relaxed.bound => AnswerStatus::Optimal,
        Some(_) => AnswerStatus::Feasible,
        None => AnswerStatus::Unknown,
    };
    answer
}
