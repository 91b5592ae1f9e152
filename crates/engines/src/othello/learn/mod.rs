//! Learning to play Othello by temporal differences.
mod game;
mod rate;
mod squash;
mod td;

pub use rate::Rate;
pub use squash::Squash;
pub use td::{Learner, TdParams};
