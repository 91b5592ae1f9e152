//! What each card of a deck contributes, and which pairs carry it.

use crate::problem::{Deck, Problem, Slot};

/// What a card of a deck contributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CardContribution {
    /// The card.
    pub slot: Slot,
    /// What the deck loses in value if the card is taken out and nothing comes in its place, in units: its own score and those of its pairs. Of the leader, what
    /// it scores as the leader.
    pub loss: i64,
    /// The best card in its place that keeps the deck within the rules, and what the deck then loses, in units; less than 0 if the
    /// deck were better with it. `None` if there is no such card.
    pub replaced: Option<(Slot, i64)>,
}

/// A pair of cards of a deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredPair {
    /// One card; the leader, if it is one of them.
    pub a: Slot,
    /// The other.
    pub b: Slot,
    /// What they score together, in units.
    pub score: i64,
}

/// What each card of a deck contributes, the most important first. A leader is replaced by a card that may lead.
#[must_use]
pub fn card_contributions(problem: &Problem, deck: &Deck) -> Vec<CardContribution> {
    let value = problem.deck_value(deck);
    let mut found: Vec<CardContribution> = deck
        .slots
        .iter()
        .map(|&slot| {
            let rest = slots_without(deck, slot);
            let loss = problem.slot_score(slot) + slot_gain(problem, deck, &rest, slot);
            CardContribution { slot, loss, replaced: find_replacement(problem, deck, &rest, slot, value) }
        })
        .collect();
    found.sort_by_key(|card| (std::cmp::Reverse(card.loss), card.slot));
    found
}

fn slots_without(deck: &Deck, slot: Slot) -> Vec<Slot> {
    deck.slots.iter().copied().filter(|&other| other != slot).collect()
}

/// What pairs with the rest score, and leading if it leads.
fn slot_gain(problem: &Problem, deck: &Deck, rest: &[Slot], slot: Slot) -> i64 {
    if deck.leader == Some(slot) {
        let pairs = rest.iter().map(|&other| i64::from(problem.leader_pair_score(slot, other)));
        return problem.leader_score(slot) + pairs.sum::<i64>();
    }
    let pair = |other: Slot| match deck.leader {
        Some(leader) if leader == other => problem.leader_pair_score(leader, slot),
        _ => problem.pair_score(other, slot),
    };
    rest.iter().map(|&other| i64::from(pair(other))).sum()
}

/// The best card in the place of another, and the loss of value.
fn find_replacement(
    problem: &Problem,
    deck: &Deck,
    rest: &[Slot],
    slot: Slot,
    value: i64,
) -> Option<(Slot, i64)> {
    let leads = deck.leader == Some(slot);
    let mut best: Option<(Slot, i64)> = None;
    for other in problem.slots() {
        // Another copy of the same piece changes nothing.
        if deck.slots.binary_search(&other).is_ok() || problem.piece_of(other) == problem.piece_of(slot) {
            continue;
        }
        let leader = if leads { Some(other) } else { deck.leader };
        let mut slots = rest.to_vec();
        slots.push(other);
        let swapped = Deck::new(slots, leader);
        let base: i64 = if leads { problem.deck_value(&swapped) } else { 0 };
        // Where the leader stays, all but this card's scores stay too.
        let worth = if leads {
            base
        } else {
            let own = problem.slot_score(slot) + slot_gain(problem, deck, rest, slot);
            value - own + problem.slot_score(other) + slot_gain(problem, &swapped, rest, other)
        };
        if best.is_none_or(|(_, loss)| value - worth < loss) && problem.check_deck(&swapped).is_ok() {
            best = Some((other, value - worth));
        }
    }
    best
}

/// All pairs of a deck, the largest score first.
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
/// use ishi_deck::answers::deck_pairs;
/// let pairs = deck_pairs(&problem, &Deck::new(vec![Slot(0), Slot(1)], None));
/// assert_eq!((pairs.len(), pairs[0].a, pairs[0].b), (1, Slot(0), Slot(1)));
/// ```
#[must_use]
pub fn deck_pairs(problem: &Problem, deck: &Deck) -> Vec<ScoredPair> {
    let mut pairs = Vec::with_capacity(deck.slots.len() * deck.slots.len() / 2);
    for (at, &a) in deck.slots.iter().enumerate() {
        for &b in &deck.slots[at + 1..] {
            let (a, b) = if deck.leader == Some(b) { (b, a) } else { (a, b) };
            let score = if deck.leader == Some(a) {
                problem.leader_pair_score(a, b)
            } else {
                problem.pair_score(a, b)
            };
            pairs.push(ScoredPair { a, b, score: i64::from(score) });
        }
    }
    pairs.sort_by_key(|pair| (std::cmp::Reverse(pair.score), pair.a, pair.b));
    pairs
}
