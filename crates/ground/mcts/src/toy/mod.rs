//! Games with known answers, to see that a search finds them, and as examples of a [`crate::Domain`].

mod nim;
mod pgame;
mod synthetic;
mod tictactoe;

pub use nim::Nim;
pub use pgame::PGame;
pub use synthetic::Synthetic;
pub use tictactoe::TicTacToe;

use crate::domain::{Action, Candidate};

/// Candidates of which nothing is known: all are alike.
fn push_uniform_candidates(actions: impl Iterator<Item = Action>, candidates: &mut Vec<Candidate>) {
    candidates.extend(actions.map(|action| Candidate { action, prior: 0.0, weight: 0.0, value: 0.5 }));
    let prior = 1.0 / candidates.len().max(1) as f32;
    candidates.iter_mut().for_each(|candidate| candidate.prior = prior);
}
