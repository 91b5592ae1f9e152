//! What a position is worth, in discs: a sum of weights of patterns, learned for each phase of the game.

pub mod file;
mod patterns;
pub mod positions;
pub mod selfplay;
mod state;
pub mod train;
mod weights;

pub use patterns::{FEATURES, USED};
pub use state::PatternState;
pub use weights::{Evaluation, PHASES, PLIES_PER_PHASE, UNITS_PER_DISC, count_learned_weights, phase_index};
