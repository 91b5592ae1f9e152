//! The rules of Go.
//!
//! Two boards with the same member names (the split is Fuego's and KataGo's):
//! - [`Board`]: stones, chains, liberties, hash, simple ko. Flat, copied cheaply, without history: made for playouts
//!   and search.
//! - [`Position`]: a board with its history, the [`Rules`], superko, komi and undo: made for games.
//!
//! Boards are drawn as text ([`Diagram`]) and as SVG ([`picture`]).
//!
//! Nothing here prints, opens files, reads clocks or searches.

mod board;
mod color;
#[cfg(feature = "serde")]
mod documents;
pub mod handicap;
pub mod legal;
mod moves;
pub mod perft;
pub mod picture;
pub mod playout;
mod point;
mod position;
mod rules;
pub mod score;
mod symmetry;
mod text;
pub mod zobrist;

pub use board::{Board, BoardObserver, Chain, NoObserver, SetupError};
pub use color::{Cell, Color, ColorError};
pub use moves::{Move, VertexError};
pub use point::{BoardSize, Neighbourhood, Point, SizeError, SizeTextError};
pub use position::{BrokenRule, HandicapPlacementError, IllegalMove, KomiError, Position};
pub use rules::{Compensation, KoRule, Rules, RulesError, Scoring};
pub use score::{DeadStonesError, Score, ScoreTally};
pub use symmetry::Symmetry;
pub use text::{Diagram, DiagramError};

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
