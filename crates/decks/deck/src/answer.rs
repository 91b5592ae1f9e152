//! What a solver answers.

use crate::problem::Deck;

/// How sure the answer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum AnswerStatus {
    /// No deck is better: proved.
    Optimal,
    /// A deck and a bound, with a gap between them: the work was stopped.
    Feasible,
    /// There is no deck within the limits: proved.
    Infeasible,
    /// No deck was found, and it is not proved that there is none.
    Unknown,
}

/// The answer of a solver.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DeckAnswer {
    /// How sure it is.
    pub status: AnswerStatus,
    /// The best deck that was found.
    pub deck: Option<Deck>,
    /// Its value in units.
    pub value: Option<i64>,
    /// No deck has a larger value, in units; `None` where there is no deck at all.
    pub bound: Option<i64>,
    /// What it took.
    pub work: SolveEffort,
}

/// What an answer took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SolveEffort {
    /// Slots that were left after the bounds had deleted what cannot be in a better deck.
    pub core: usize,
    /// Nodes of the branch and bound.
    pub nodes: u64,
    /// Leaders that had to be looked at one by one.
    pub leaders: usize,
    /// Steps of local search.
    pub moves: u64,
}

impl DeckAnswer {
    /// The gap between bound and value, as a share of the bound's size; 0 if proved, `None` without a deck.
    ///
    /// ```
    /// use ishi_deck::{AnswerStatus, DeckAnswer, SolveEffort};
    /// let (value, bound) = (Some(95), Some(100));
    /// let answer = DeckAnswer { status: AnswerStatus::Feasible, deck: None, value, bound, work: SolveEffort::default() };
    /// assert_eq!(answer.relative_gap(), Some(0.05));
    /// ```
    #[must_use]
    pub fn relative_gap(&self) -> Option<f64> {
        let (value, bound) = (self.value?, self.bound?);
        let size = bound.unsigned_abs().max(value.unsigned_abs()).max(1);
        Some((bound - value) as f64 / size as f64)
    }
}
