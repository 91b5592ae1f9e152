//! Whether a given deck keeps the rules, and what it is worth.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{count_pieces, deck_from_pieces};
use crate::pool::{PieceId, Pool};
use crate::problem::{Deck, Problem};
use crate::request::{DeckRequest, LeaderRule, RequestError};

/// A rule that a deck breaks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DeckFault {
    /// Too many or too few pieces.
    Size {
        /// Its pieces.
        pieces: usize,
        /// At least so many.
        least: usize,
        /// At most so many.
        most: usize,
    },
    /// It costs too much.
    Cost {
        /// The resource's place.
        resource: usize,
        /// What it costs.
        cost: i64,
        /// What it may cost.
        limit: i64,
    },
    /// Too many pieces of a group.
    Group {
        /// Which, by its place.
        group: usize,
        /// Its pieces.
        pieces: usize,
        /// What a deck may have.
        limit: usize,
    },
    /// Too many or too few pieces with an attribute.
    Quota {
        /// The attribute, by its place.
        attribute: usize,
        /// Its pieces.
        pieces: usize,
        /// At least so many.
        at_least: usize,
        /// At most so many, if that was said.
        at_most: Option<usize>,
    },
    /// A piece more often than it is owned.
    NotOwned {
        /// Which.
        card: PieceId,
        /// The number of pieces in the deck.
        pieces: usize,
        /// Owned.
        owned: usize,
    },
    /// A piece that is banned.
    Banned(PieceId),
    /// A piece that is fixed is missing, or as often as it is fixed.
    Fixed(PieceId),
    /// Nobody leads, and somebody should.
    NoLeader,
    /// This piece may not lead, or nobody should.
    Leader(PieceId),
}

/// A deck that was looked at.
#[derive(Clone, Debug)]
pub struct CheckedDeck {
    /// The deck's pieces alone as a problem without rules.
    pub problem: Problem,
    /// The deck in it.
    pub deck: Deck,
    /// Its value in units.
    pub value: i64,
    /// The rules it breaks; none if it is within them.
    pub faults: Vec<DeckFault>,
}

/// Looks at a deck of these pieces. If one should lead and none is named, the best of those that may leads.
///
/// # Errors
/// If there is no such piece in the pool, or no piece at all.
pub fn check_deck(
    pool: &Arc<Pool>,
    request: &DeckRequest,
    pieces: &[PieceId],
    leader: Option<PieceId>,
) -> Result<CheckedDeck, RequestError> {
    let mut alone = DeckRequest::with_size(pieces.len()..=pieces.len(), pool.resources.len());
    alone.owned = Some(pieces.iter().map(|&id| (id, 1)).collect());
    alone.fixed = pieces.to_vec();
    let problem = Problem::new(pool.clone(), &alone)?;
    let deck = |leader| deck_from_pieces(&problem, pieces, leader);
    let leader = leader.filter(|leader| pieces.contains(leader)).or_else(|| {
        let mut able: Vec<PieceId> =
            pieces.iter().copied().filter(|&id| may_lead(&request.leader, id)).collect();
        able.sort_unstable();
        able.dedup();
        let value = |&id: &PieceId| deck(Some(id)).map(|deck| problem.deck_value(&deck));
        able.into_iter().rev().max_by_key(|id| value(id))
    });
    let deck = deck(leader).unwrap_or(Deck { slots: problem.slots().collect(), leader: None });
    let faults = find_faults(pool, request, &problem, &deck);
    Ok(CheckedDeck { value: problem.deck_value(&deck), faults, problem, deck })
}

fn may_lead(rule: &LeaderRule, id: PieceId) -> bool {
    match rule {
        LeaderRule::None => false,
        LeaderRule::Any => true,
        LeaderRule::OneOf(ids) => ids.contains(&id),
    }
}

fn find_faults(pool: &Pool, request: &DeckRequest, problem: &Problem, deck: &Deck) -> Vec<DeckFault> {
    let counts = count_pieces(problem, deck);
    let mut faults = Vec::new();
    let (least, most) = (*request.size.start(), *request.size.end());
    let pieces = deck.slots.len();
    if !request.size.contains(&pieces) {
        faults.push(DeckFault::Size { pieces, least, most });
    }
    for (resource, limit) in request.limits.iter().enumerate() {
        let cost = problem.deck_cost(deck, resource);
        if let Some(limit) = limit.filter(|&limit| cost > limit) {
            faults.push(DeckFault::Cost { resource, cost, limit });
        }
    }
    let mut groups: BTreeMap<usize, usize> = BTreeMap::new();
    for (id, count) in &counts {
        if let Some(group) = pool.piece(*id).group {
            *groups.entry(group).or_insert(0) += count;
        }
    }
    for (group, pieces) in groups {
        let limit = pool.groups[group].limit;
        if pieces > limit {
            faults.push(DeckFault::Group { group, pieces, limit });
        }
    }
    for quota in &request.quotas {
        let has = |id: &PieceId| pool.piece(*id).attributes.contains(&quota.attribute);
        let pieces = counts.iter().filter(|(id, _)| has(id)).map(|(_, count)| count).sum();
        let (attribute, at_least, at_most) = (quota.attribute, quota.at_least, quota.at_most);
        if pieces < at_least || at_most.is_some_and(|at_most| pieces > at_most) {
            faults.push(DeckFault::Quota { attribute, pieces, at_least, at_most });
        }
    }
    faults.extend(find_availability_faults(request, &counts));
    match (deck.leader.map(|leader| problem.piece_of(leader)), &request.leader) {
        (None, LeaderRule::None) => {}
        (None, _) => faults.push(DeckFault::NoLeader),
        (Some(leader), rule) if !may_lead(rule, leader) => faults.push(DeckFault::Leader(leader)),
        _ => {}
    }
    faults
}

/// Pieces that are not owned, banned, or fixed and missing.
fn find_availability_faults(request: &DeckRequest, counts: &BTreeMap<PieceId, usize>) -> Vec<DeckFault> {
    let mut faults = Vec::new();
    for (&card, &pieces) in counts {
        let owned = request
            .owned
            .as_ref()
            .map_or(1, |owned| owned.iter().filter(|(id, _)| *id == card).map(|(_, copies)| copies).sum());
        if request.banned.contains(&card) {
            faults.push(DeckFault::Banned(card));
        } else if pieces > owned {
            faults.push(DeckFault::NotOwned { card, pieces, owned });
        }
    }
    let mut fixed: BTreeMap<PieceId, usize> = BTreeMap::new();
    for &card in &request.fixed {
        *fixed.entry(card).or_insert(0) += 1;
    }
    let missing = |(card, count): &(PieceId, usize)| counts.get(card).copied().unwrap_or(0) < *count;
    faults.extend(fixed.into_iter().filter(missing).map(|(card, _)| DeckFault::Fixed(card)));
    faults
}
