//! Answers as documents.

use std::collections::BTreeMap;

use ishi_deck::{AnswerStatus, Deck, Problem, SolveEffort};
use serde::{Deserialize, Serialize};

use super::request::SolveMethod;
use super::solve::TimedAnswer;

/// What is spent of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceSpending {
    /// What the deck spends.
    pub spent: i64,
    /// At most; absent where it does not matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

/// A deck in words and numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeckDocument {
    /// Its pieces by name, the leader first, otherwise in the order of the pool; of copies each.
    pub deck: Vec<String>,
    /// Who leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leader: Option<String>,
    /// The sum of its scores.
    pub value: f64,
    /// What it costs.
    pub costs: BTreeMap<String, ResourceSpending>,
    /// How many pieces of each attribute it has.
    pub attributes: BTreeMap<String, usize>,
}

impl DeckDocument {
    /// The document of this deck.
    #[must_use]
    pub fn from_deck(problem: &Problem, deck: &Deck) -> DeckDocument {
        let pool = problem.pool();
        let name = |&slot| problem.piece_name(slot).to_string();
        let mut names: Vec<String> = deck.leader.iter().map(name).collect();
        names.extend(deck.slots.iter().filter(|&&slot| Some(slot) != deck.leader).map(name));
        let resources = pool.resources.iter().enumerate();
        let costs = resources.map(|(at, resource)| {
            let spent = ResourceSpending { spent: problem.deck_cost(deck, at), limit: problem.limits()[at] };
            (resource.clone(), spent)
        });
        let mut attributes = BTreeMap::new();
        for &slot in &deck.slots {
            for &attribute in &pool.piece(problem.piece_of(slot)).attributes {
                *attributes.entry(pool.attributes[attribute].clone()).or_insert(0) += 1;
            }
        }
        DeckDocument {
            deck: names,
            leader: deck.leader.as_ref().map(name),
            value: pool.score_of_units(problem.deck_value(deck)),
            costs: costs.collect(),
            attributes,
        }
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerDocument {
    /// How sure it is.
    pub status: AnswerStatus,
    /// How it was found.
    pub method: SolveMethod,
    /// The deck, where there is one.
    #[serde(flatten)]
    pub deck: Option<DeckDocument>,
    /// No deck has a larger value.
    pub bound: Option<f64>,
    /// Bound and value apart, as a share of the bound; 0 where it is proved.
    pub gap: Option<f64>,
    /// What it took.
    pub work: SolveEffort,
    /// Time on the clock.
    pub seconds: f64,
    /// Why there is no deck, where that is so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// Why the proof was given up, where memory ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_up: Option<String>,
}

impl AnswerDocument {
    /// The document of this answer.
    #[must_use]
    pub fn from_timed_answer(problem: &Problem, timed: &TimedAnswer, method: SolveMethod) -> AnswerDocument {
        let answer = &timed.answer;
        AnswerDocument {
            status: answer.status,
            method,
            deck: answer.deck.as_ref().map(|deck| DeckDocument::from_deck(problem, deck)),
            bound: answer.bound.map(|bound| problem.pool().score_of_units(bound)),
            gap: answer.relative_gap(),
            work: answer.work,
            seconds: timed.seconds,
            reasons: timed.reasons.iter().map(ToString::to_string).collect(),
            given_up: timed.given_up.as_ref().map(ToString::to_string),
        }
    }
}
