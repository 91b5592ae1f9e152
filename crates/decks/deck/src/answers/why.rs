//! Why a card is not in the best deck, and what it would cost to have it there.
//!
//! The best deck with the card fixed is set beside the best of all: the difference is the card's price. A rule keeps the card out if the
//! price falls when the rule is dropped; both optima are found again without it.

use std::sync::Arc;

use ishi_rng::Seed;

use super::{SolverObserver, StoppableSolver, count_pieces, missing_pieces};
use crate::answer::{AnswerStatus, DeckAnswer};
use crate::feasible::{DeckRule, Feasibility, explain_feasibility};
use crate::pool::{PieceId, Pool};
use crate::problem::Problem;
use crate::request::{DeckRequest, RequestError};

/// A rule that has to do with the price of a card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BindingRule {
    /// The rule.
    pub rule: DeckRule,
    /// The card's price without it, in units; less than with it.
    pub price: i64,
}

/// Why a card is in the best deck or not.
#[derive(Clone, Debug)]
pub struct CardExplanation {
    /// The card.
    pub card: PieceId,
    /// Is it owned and not banned? If not, it is taken as if it were.
    pub allowed: bool,
    /// The best deck of all.
    pub best: DeckAnswer,
    /// Is the card in it?
    pub is_in: bool,
    /// The best deck with the card; of a card that is in the best deck, the best deck without it.
    pub other: DeckAnswer,
    /// The problem whose slots [`CardExplanation::best`] is made of.
    pub best_problem: Problem,
    /// The problem whose slots [`CardExplanation::other`] is made of.
    pub other_problem: Problem,
    /// What the other deck is worth less than the best, in units, if both were found.
    pub price: Option<i64>,
    /// Are both proved?
    pub proved: bool,
    /// Pieces of the best deck that are not in the other.
    pub leaves: Vec<PieceId>,
    /// Pieces of the other deck that are not in the best.
    pub comes: Vec<PieceId>,
    /// Rules without which the card would be cheaper, the most important first. Proved only.
    pub bindings: Vec<BindingRule>,
    /// Why there is no deck with the card, if there is none.
    pub verdict: Option<Feasibility>,
}

/// Looks why a card is not in the best deck of a request (or what it does for the deck if it is).
///
/// # Errors
/// If the request makes no sense for the pool.
pub fn explain_card(
    pool: &Arc<Pool>,
    request: &DeckRequest,
    card: PieceId,
    seed: Seed,
    observer: SolverObserver<'_>,
) -> Result<CardExplanation, RequestError> {
    let best_problem = Problem::new(pool.clone(), request)?;
    let mut solver = StoppableSolver::new(seed, observer);
    let best = solver.solve_until_stopped(&best_problem);
    let allowed = best_problem.pieces().binary_search(&card).is_ok();
    let deck = best.deck.as_ref().map(|deck| count_pieces(&best_problem, deck)).unwrap_or_default();
    let is_in = deck.contains_key(&card);
    let changed = if is_in { request_without_card(request, card) } else { request_with_card(request, card) };
    // A card that is fixed has no deck without it.
    let other_problem = Problem::new(pool.clone(), changed.as_ref().unwrap_or(request))?;
    let other = solver.solve_until_stopped(&other_problem);
    let other_deck = other.deck.as_ref().map(|deck| count_pieces(&other_problem, deck)).unwrap_or_default();
    let proved = best.status == AnswerStatus::Optimal && other.status == AnswerStatus::Optimal;
    let verdict = other.deck.is_none().then(|| explain_feasibility(&other_problem));
    let mut found = CardExplanation {
        card,
        allowed,
        is_in,
        price: best.value.zip(other.value).map(|(best, other)| best - other),
        proved,
        leaves: if other.deck.is_some() { missing_pieces(&deck, &other_deck) } else { Vec::new() },
        comes: if other.deck.is_some() { missing_pieces(&other_deck, &deck) } else { Vec::new() },
        best,
        other,
        best_problem,
        other_problem,
        bindings: Vec::new(),
        verdict,
    };
    if !is_in {
        found.bindings = find_binding_rules(pool, request, &found, &mut solver)?;
    }
    Ok(found)
}

/// The request with a card fixed once (more), owned and allowed.
fn request_with_card(request: &DeckRequest, card: PieceId) -> Option<DeckRequest> {
    let mut request = request.clone();
    request.banned.retain(|&id| id != card);
    if let Some(owned) = &mut request.owned
        && !owned.iter().any(|&(id, copies)| id == card && copies > 0)
    {
        owned.push((card, 1));
    }
    request.fixed.push(card);
    Some(request)
}

/// The request with a card banned; `None` if it is fixed.
fn request_without_card(request: &DeckRequest, card: PieceId) -> Option<DeckRequest> {
    let mut request = request.clone();
    request.banned.push(card);
    (!request.fixed.contains(&card)).then_some(request)
}

/// The rules that a request can do without, and the request without each.
fn list_relaxations(
    pool: &Pool,
    request: &DeckRequest,
    card: PieceId,
) -> Vec<(DeckRule, Arc<Pool>, DeckRequest)> {
    let shared = Arc::new(pool.clone());
    let mut found = Vec::new();
    for (at, limit) in request.limits.iter().enumerate() {
        if limit.is_some() {
            let mut fewer = request.clone();
            fewer.limits[at] = None;
            found.push((DeckRule::Limit(at), shared.clone(), fewer));
        }
    }
    for (at, quota) in request.quotas.iter().enumerate() {
        if quota.at_least > 0 {
            let mut fewer = request.clone();
            fewer.quotas[at].at_least = 0;
            found.push((DeckRule::QuotaAtLeast(at), shared.clone(), fewer));
        }
        if quota.at_most.is_some() {
            let mut fewer = request.clone();
            fewer.quotas[at].at_most = None;
            found.push((DeckRule::QuotaAtMost(at), shared.clone(), fewer));
        }
    }
    if let Some(group) = pool.pieces[card.index()].group {
        let mut free = pool.clone();
        free.groups[group].limit = usize::MAX;
        found.push((DeckRule::Groups, Arc::new(free), request.clone()));
    }
    found
}

/// Rules without which the price is smaller.
fn find_binding_rules(
    pool: &Arc<Pool>,
    request: &DeckRequest,
    found: &CardExplanation,
    solver: &mut StoppableSolver<'_>,
) -> Result<Vec<BindingRule>, RequestError> {
    let mut bindings = Vec::new();
    if found.price.is_some_and(|price| price <= 0) {
        return Ok(bindings);
    }
    for (rule, pool, fewer) in list_relaxations(pool, request, found.card) {
        let best = solver.solve_until_stopped(&Problem::new(pool.clone(), &fewer)?);
        let Some(forced) = request_with_card(&fewer, found.card) else { continue };
        let other = solver.solve_until_stopped(&Problem::new(pool, &forced)?);
        let proved = best.status == AnswerStatus::Optimal && other.status == AnswerStatus::Optimal;
        let price = best.value.zip(other.value).map(|(best, other)| best - other);
        if let Some(price) = price.filter(|&price| proved && found.price.is_none_or(|before| price < before))
        {
            bindings.push(BindingRule { rule, price });
        }
    }
    bindings.sort_by_key(|binding| (binding.price, binding.rule));
    Ok(bindings)
}
