//! Players of Othello, and what they learn from.

pub mod book;
pub mod coach;
pub mod eval;
pub mod learn;
pub mod levels;
pub mod ntuple;
pub mod openings;
pub(crate) mod players;
pub mod search;
