//! Smallest sets of empty points that give every stone a liberty: minimum dominating sets of grids, exactly.
//!
//! The *loss* of a set `D` is `5 |D| - cells`: what its points cover twice or beyond the edge. It is never negative and adds
//! up over points, so bounds are bounds on losses (Gonçalves et al. 2011). `shape` describes the problem, `band`,
//! `kernel` and `potential` bound the loss to come, `sweep` (over `key` and `tally`) is the exact search. `memory` holds both to what they may take.

mod band;
mod certify;
mod checkpoint;
mod count;
mod kernel;
mod key;
mod memory;
mod potential;
mod shape;
mod solve;
mod sweep;
mod tally;
#[cfg(test)]
mod tests;

pub use certify::{ProofLimits, build_certificate};
pub use checkpoint::{SaveCheckpoint, SweepCheckpointError, SweepCheckpoints};
pub use count::{BoardCounts, CountError, count_boards, count_boards_with_checkpoints};
pub use potential::{DEEP, DEEPEST};
pub use shape::{BoardShape, CellConstraint};
pub use solve::{BoardSolution, DominationOptions, DominationStatus, solve_domination};
