//! Monte-Carlo tree search that knows no game.
//!
//! A [`Domain`] says what can be played, how promising it looks, and how a playout ends; a [`Tree`] decides where the next
//! playout starts and keeps the statistics.

mod domain;
mod params;
mod tree;

pub use domain::{Action, Candidate, Domain, NodeId};
pub use params::{FinalMove, Params, Selection};
pub use tree::{Budget, ChildReport, Outcome, Tree};
