//! The rules of Othello.
//!
//! Two boards, as in Go: [`Board`] for search (two bitboards, no history), [`Position`] for games (colours, history,
//! undo, errors that name the rule). a1 is the top left corner.
//!
//! Nothing here prints, opens files, reads clocks or searches.

mod board;
mod color;
#[cfg(feature = "serde")]
mod documents;
pub mod games_index;
pub mod ggf;
mod given;
pub mod obf;
pub mod oneply;
pub mod perft;
pub mod picture;
mod portable;
mod position;
pub mod simd;
mod square;
mod symmetry;
mod text;
mod transcript;
mod wpc;
pub mod wthor;

pub use board::Board;
pub use color::{Color, ColorError};
pub use given::{GivenPositionError, looks_like_a_link};
pub use position::{BrokenRule, IllegalMove, Position};
pub use simd::Isa;
pub use square::{CORNERS, Move, Square, SquareError, SquareIter, iter_squares};
pub use symmetry::Symmetry;
pub use text::BoardTextError;
pub use transcript::TranscriptError;
pub use wpc::{FULL_WEIGHT, Wpc, WpcError, seal_counter_text};

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
