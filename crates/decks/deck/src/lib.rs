//! Deck building: choose the pieces of a deck so that the scores of its pairs are largest, within limits.
//!
//! The problem is that of I. Nagasawa, "Solving deck building as an optimisation problem" (DeNA engineering blog, 2020): sixteen
//! pieces, one of them the leader, out of the thousands that a player owns; limits on the cost, on pieces that count
//! as the same, on attributes; some pieces fixed. It is the quadratic knapsack problem with a count, groups and quotas.
//!
//! A [`Pool`] holds what is known of all pieces and is made once; a [`DeckRequest`] says what is wanted; a [`Problem`] is
//! both together, checked, and is what every search, bound and model works on. Scores are whole numbers, so that a proof is
//! rigorous.

pub mod answer;
pub mod answers;
#[cfg(feature = "serde")]
mod documents;
mod exact;
pub mod feasible;
pub mod generate;
pub mod models;
pub mod parts;
pub mod pool;
pub mod problem;
pub mod qkp;
pub mod request;
pub mod scores;
pub mod search;
pub mod solve;
pub mod table;

pub use answer::{AnswerStatus, DeckAnswer, SolveEffort};
pub use pool::{Piece, PieceId, Pool, PoolError};
pub use problem::{Deck, DeckViolation, Problem, Slot};
pub use request::{AttributeQuota, DeckAttribute, DeckRequest, LeaderRule, RequestError};
pub use solve::{SolverObserver, SolverOptions, SolverState, solve_problem};
pub use table::PairScoreTable;

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
