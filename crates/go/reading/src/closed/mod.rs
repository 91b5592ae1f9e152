//! Groups that are closed in with few points: their life read to the end, with every legal move of both sides.
//!
//! - [`region`]: which points matter, and what lies around them that never changes;
//! - [`rules`]: positions as two words of bits, moves, captures, kos, and life that needs no reading (D. B. Benson, "Life in the game of Go",
//!   1976);
//! - [`memory`]: what is known of positions, exactly: no position is ever mistaken for another, and none is forgotten;
//! - [`solver`]: the search by proof numbers (df-pn).

mod memory;
mod region;
mod rules;
mod solver;

pub(crate) use region::ClosedRegion;
pub(crate) use solver::{ClosedQuestion, ClosedSolver};
