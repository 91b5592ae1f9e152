//! Why a card is not in the best deck, and what it would cost to have it there.
//!
//! The best deck with the card fixed is set beside the best of all: the difference is the card's price. A rule keeps the card out if the
//! price falls when the rule is dropped; both optima are found again without it.

use std::sync::Arc;

use ishi_rng::Seed;

use super::{Observer, Solver, counts, missing};
use crate::answer::{Answer, Status};
use crate::feasible::{Rule, Verdict, explain};
use crate::pool::{PieceId, Pool};
use crate::problem::Problem;
use crate::request::{Request, RequestError};

/// A rule that has to do with the price of a card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    /// The rule.
    pub rule: Rule,
    /// The card's price without it, in units; less than with it.
    pub price: i64,
}

/// Why a card is in the best deck or not.
#[derive(Clone, Debug)]
pub struct Why {
    /// The card.
    pub card: PieceId,
    /// Is it owned and not banned? If not, it is taken as if it were.
    pub allowed: bool,
    /// The best deck of all.
    pub best: Answer,
    /// Is the card in it?
    pub is_in: bool,
    /// The best deck with the card; of a card that is in the best deck, the best deck without it.
    pub other: Answer,
    /// The problem whose slots [`Why::best`] is made of.
    pub best_problem: Problem,
    /// The problem whose slots [`Why::other`] is made of.
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
    pub bindings: Vec<Binding>,
    /// Why there is no deck with the card, if there is none.
    pub verdict: Option<Verdict>,
}

/// Looks why a card is not in the best deck of a request (or what it does for the deck if it is).
///
/// # Errors
/// If the request makes no sense for the pool.
pub fn why(
    pool: &Arc<Pool>,
    request: &Request,
    card: PieceId,
    seed: Seed,
    observer: Observer<'_>,
) -> Result<Why, RequestError> {
    let best_problem = Problem::new(pool.clone(), request)?;
    let mut solver = Solver::new(seed, observer);
    let best = solver.solve(&best_problem);
    let allowed = best_problem.pieces().binary_search(&card).is_ok();
    let deck = best.deck.as_ref().map(|deck| counts(&best_problem, deck)).unwrap_or_default();
    let is_in = deck.contains_key(&card);
    let changed = if is_in { without(request, card) } else { with(request, card) };
    // A card that is fixed has no deck without it.
    let other_problem = Problem::new(pool.clone(), changed.as_ref().unwrap_or(request))?;
    let other = solver.solve(&other_problem);
    let other_deck = other.deck.as_ref().map(|deck| counts(&other_problem, deck)).unwrap_or_default();
    let proved = best.status == Status::Optimal && other.status == Status::Optimal;
    let verdict = other.deck.is_none().then(|| explain(&other_problem));
    let mut found = Why {
        card,
        allowed,
        is_in,
        price: best.value.zip(other.value).map(|(best, other)| best - other),
        proved,
        leaves: if other.deck.is_some() { missing(&deck, &other_deck) } else { Vec::new() },
        comes: if other.deck.is_some() { missing(&other_deck, &deck) } else { Vec::new() },
        best,
        other,
        best_problem,
        other_problem,
        bindings: Vec::new(),
        verdict,
    };
    if !is_in {
        found.bindings = bindings(pool, request, &found, &mut solver)?;
    }
    Ok(found)
}

/// The request with a card fixed once (more), owned and allowed.
fn with(request: &Request, card: PieceId) -> Option<Request> {
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
fn without(request: &Request, card: PieceId) -> Option<Request> {
    let mut request = request.clone();
    request.banned.push(card);
    (!request.fixed.contains(&card)).then_some(request)
}

/// The rules that a request can do without, and the request without each.
fn relaxations(pool: &Pool, request: &Request, card: PieceId) -> Vec<(Rule, Arc<Pool>, Request)> {
    let shared = Arc::new(pool.clone());
    let mut found = Vec::new();
    for (at, limit) in request.limits.iter().enumerate() {
        if limit.is_some() {
            let mut fewer = request.clone();
            fewer.limits[at] = None;
            found.push((Rule::Limit(at), shared.clone(), fewer));
        }
    }
    for (at, quota) in request.quotas.iter().enumerate() {
        if quota.at_least > 0 {
            let mut fewer = request.clone();
            fewer.quotas[at].at_least = 0;
            found.push((Rule::QuotaAtLeast(at), shared.clone(), fewer));
        }
        if quota.at_most.is_some() {
            let mut fewer = request.clone();
            fewer.quotas[at].at_most = None;
            found.push((Rule::QuotaAtMost(at), shared.clone(), fewer));
        }
    }
    if let Some(group) = pool.pieces[card.index()].group {
        let mut free = pool.clone();
        free.groups[group].limit = usize::MAX;
        found.push((Rule::Groups, Arc::new(free), request.clone()));
    }
    found
}

/// Rules without which the price is smaller.
fn bindings(
    pool: &Arc<Pool>,
    request: &Request,
    found: &Why,
    solver: &mut Solver<'_>,
) -> Result<Vec<Binding>, RequestError> {
    let mut bindings = Vec::new();
    if found.price.is_some_and(|price| price <= 0) {
        return Ok(bindings);
    }
    for (rule, pool, fewer) in relaxations(pool, request, found.card) {
        let best = solver.solve(&Problem::new(pool.clone(), &fewer)?);
        let Some(forced) = with(&fewer, found.card) else { continue };
        let other = solver.solve(&Problem::new(pool, &forced)?);
        let proved = best.status == Status::Optimal && other.status == Status::Optimal;
        let price = best.value.zip(other.value).map(|(best, other)| best - other);
        if let Some(price) = price.filter(|&price| proved && found.price.is_none_or(|before| price < before))
        {
            bindings.push(Binding { rule, price });
        }
    }
    bindings.sort_by_key(|binding| (binding.price, binding.rule));
    Ok(bindings)
}
