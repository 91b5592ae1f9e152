//! `go-mcts`: Monte-Carlo tree search for Go.

mod domain;
mod engine;
mod params;
pub(crate) mod playout;
mod priors;
pub mod tabu;

pub use engine::MctsPlayer;
pub use params::{Params, SETTINGS, Setting};
pub use playout::{PlayoutParams, Playouts};
