//! Players of Othello: [`catalog`] makes them from a text such as `othello:level=12`.

pub mod book;
pub mod catalog;
pub mod coach;
pub mod depth;
pub mod eval;
pub(crate) mod human;
pub mod judges;
pub mod league;
pub mod levels;
pub(crate) mod lines;
pub mod nboard;
pub mod ntuple;
pub mod openings;
pub(crate) mod players;
pub mod practice;
pub mod rating;
pub mod search;
pub mod session;
