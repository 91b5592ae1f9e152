//! Players of Othello, and what they learn from.

pub mod book;
pub mod coach;
pub mod depth;
pub mod eval;
pub mod judges;
pub mod league;
pub mod learn;
pub mod levels;
pub(crate) mod lines;
pub mod nboard;
pub mod ntuple;
pub mod openings;
pub(crate) mod players;
pub mod search;
pub mod session;
