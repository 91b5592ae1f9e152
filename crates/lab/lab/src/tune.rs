//! Tuning players: values of parameters that win more games, found by matches alone.
//!
//! - [`TuningSpace`]: the parameters of a player that are tuned, checked against the player's own table.
//! - [`Tuner`]: which values are tried next, from the scores of all that were tried before, by SPSA or CMA-ES; when to end.
//!
//! Neither plays: who does asks for points, plays matches of them, and tells the scores. A tuner is led again by the same
//! scores to where it stood, so that finished games are its only state.

mod space;
mod tuner;

pub use space::{TunedParameter, TunedScale, TuningSpace};
pub use tuner::{SmoothedGain, Tuner, TuningEnd, TuningMethod, TuningOptions, TuningStep};
