//! Players of Othello, and what they learn from.

pub mod coach;
pub mod eval;
pub mod levels;
pub mod openings;
pub mod search;
