//! Exact local search on the board of Go: what becomes of a chain when both sides read it out.
//!
//! - [`Ladder`]: is a chain lost (or won) by ataris all the way?
//! - [`liberties_after`]: how many liberties would a stone have, without playing it?

mod ladder;
mod liberties;

pub use ladder::Ladder;
pub use liberties::{Few, liberties_after};
