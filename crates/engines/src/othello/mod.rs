//! Players of Othello, and what they learn from.

pub mod eval;
pub mod openings;
pub mod search;
