//! Exact optimisation and counting on grids.
//!
//! The maximum string problem (R. Miyashiro, Y. Yano, M. Muramatsu, "The maximum string problem in Go",
//! RIMS 1584, 2008) asks for the largest number of chains on a board, every one with a liberty. By its theorem 1 an
//! optimal board has white stones on even points and black stones on odd ones, so it is the grid without a smallest
//! dominating set of empty points.

pub mod board;
pub mod construct;
#[cfg(feature = "serde")]
mod documents;
pub mod domination;
pub mod frontier;
pub mod growth;
mod layers;
pub mod models;
pub mod picture;
pub mod positions;
pub mod sequences;
pub mod strings;
pub mod torture;
pub mod verify;

pub use board::{Board, Cell};
/// Certificates and their checker: a crate of its own, so that it cannot use what it checks.
pub use ishi_certificate as certificate;
pub use layers::{LayerNote, LayerObserver, LayerStep};

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
