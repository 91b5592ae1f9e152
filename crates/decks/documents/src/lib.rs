//! Pools, requests and answers of deck building as documents: JSON, TOML and CSV.
//!
//! - [`pool`]: the pool document, read and written; the other ways to list pieces and scores.
//! - [`request`]: what is wanted, and how to solve it.
//! - [`solve`]: by any method, within a time.
//! - [`answer`]: what was found.
//! - [`listing`]: decks that somebody else made.
//! - [`words`]: why there is no deck, which rule a deck breaks.
//! - [`text`]: JSON and TOML with the line, column and field of what is wrong.
//! - [`names`]: pieces by name, with the nearest names of one that there is not.
//! - [`samples`]: a pool and a request that ship with ishi.
//!
//! docs/decks.md says what may stand in them. Every complaint names file, line and field and what would be right. The command line, the
//! server and the experiments read and write through this module.

// Documents stand in files, and answers end at a time.
#![allow(clippy::disallowed_methods)]

pub mod answer;
mod csv;
mod document;
mod error;
pub mod listing;
pub mod names;
pub mod pool;
pub mod request;
pub mod samples;
mod scores;
mod seal;
mod sealed_csv;
pub mod solve;
pub mod text;
pub mod words;

pub use answer::AnswerDocument;
pub use error::DocumentError;
pub use names::PieceNames;
pub use pool::{PoolFile, TableFiles};
pub use request::{SolveMethod, SolveRequest, SolveSettings};
pub use sealed_csv::seal_score_table;

#[cfg(test)]
mod tests;
