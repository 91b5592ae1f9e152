//! The pattern database: patterns of up to 8x8 points with attributes, move trees, counts and explanations, matched in all symmetries
//! and both colours (D. Fotland, "Knowledge representation in The Many Faces of Go", 1993, section on the pattern database).
//!
//! [`Pattern`] is one of them, [`PatternLibrary`] a collection with what an editor needs. [`text`] is the form for people, [`packed`] the one
//! that ships. [`PatternIndex`] finds what matches, [`PatternMatcher`] keeps that up to date while a game goes on. [`mine`] finds patterns in
//! records, [`cut`] cuts one out of a position.

mod collection;
pub mod cut;
mod diagram;
mod index;
mod matcher;
pub mod mine;
pub mod packed;
mod pattern;
mod picture;
mod purpose;
mod reshape;
pub mod text;

pub use collection::{PAGE, PatternLibrary, PatternLibraryError};
pub use diagram::{DiagramEdges, DiagramSquare, DiagramTurn, PatternDiagram, SIDE};
pub use index::{PatternIndex, PatternMatch, SuggestedMove};
pub use matcher::PatternMatcher;
pub use pattern::{
    BilingualWords, ChainAttribute, ChainClaim, FateOracle, GroupFate, NoFates, Pattern, PatternBranch,
    PatternError, PatternForm,
};
pub use picture::PointSign;
pub use purpose::MovePurpose;
