//! Learning to play Othello by temporal differences.
//!
//! - [`TdParams`], [`LearningRate`], [`SquashFunction`], [`StepRule`]: how to learn;
//! - [`OpponentMixture`], [`Opponent`]: from games with whom;
//! - [`Learner`]: a run, which can be stopped after any game and goes on bit for bit.
//!
//! docs/notes/othello.md says what was tried, and what helped.

mod checkpoint;
mod game;
mod learner;
mod opponent;
mod params;
mod rate;
mod squash;

pub use checkpoint::CheckpointError;
pub use learner::{Learner, UNIT, blank_network};
pub use opponent::{Opponent, OpponentMixture, SharedEvaluator};
pub use params::{StepRule, TdParams};
pub use rate::LearningRate;
pub use squash::SquashFunction;
