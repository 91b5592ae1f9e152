//! Monte-Carlo tree search that knows no game.
//!
//! A [`Domain`] says what can be played, how promising it looks, and how a playout ends; a [`Tree`] decides where the next
//! playout starts and keeps the statistics. [`toy`] has games with known answers.

mod amaf;
mod arena;
mod choice;
#[cfg(feature = "serde")]
mod documents;
mod domain;
mod node;
mod params;
mod puct;
mod search;
mod select;
pub mod toy;
mod tree;

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;

#[cfg(test)]
mod twins;

pub use domain::{Action, Candidate, Domain, SearchNodeId};
pub use params::{FinalMove, Opinion, Selection, TreeParams, TreeParamsError};
pub use puct::{JudgedGame, JudgedLeaf, JudgedMove, JudgedParams, JudgedParamsError, JudgedTree, Worth};
pub use tree::{ChildReport, SearchBudget, SearchOutcome, Tree};
