//! Exact local search on the board of Go: what becomes of a chain when both sides read it out.
//!
//! - [`Ladder`]: is a chain lost (or won) by ataris all the way?
//! - [`ChainReader`]: can a chain be captured, can it be saved, can two chains be connected or cut, and what of ko?
//! - [`CaptureSettler`]: what of a capture is believed after long search both ways, and by which moves?
//! - [`LifeReader`]: does a group that is closed in live or die, and which move decides it?
//! - [`RaceReader`]: which of two chains that stand against each other is captured, or is it seki?
//! - [`ReadingBoard`] and [`PointSet`]: the board that these searches play on.
//! - [`spaces_within`]: which small spaces do stones close in?
//! - [`liberties_after`]: how many liberties would a stone have, without playing it?

mod board;
mod capture;
mod closed;
mod connection;
mod eyes;
mod ladder;
mod lambda;
mod liberties;
mod life;
mod point_set;
mod proof;
mod quick;
mod quick_moves;
mod race;
mod region;
mod settled;
mod watched;

pub use board::ReadingBoard;
pub use capture::{ChainReader, ChainStatus};
pub use ladder::Ladder;
pub use lambda::{ReadingAnswer, ReadingEffort, ReadingOutcome};
pub use liberties::{FewPoints, liberties_after};
pub use life::{LastingKo, LifeExercise, LifeReader, LifeZone};
pub use point_set::{PointSet, PointSetIter};
pub use quick::QuickReader;
pub use race::RaceReader;
pub use region::spaces::spaces_within;
pub use settled::{CaptureSettler, SettledCapture};
pub use watched::ReadingDependencies;
