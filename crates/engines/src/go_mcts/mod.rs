//! `go-mcts`: Monte-Carlo tree search for Go.

mod domain;
mod engine;
pub mod measure;
mod params;
pub(crate) mod playout;
mod priors;
pub mod tabu;

pub use engine::MctsPlayer;
pub use params::{Params, SETTINGS, Setting};
pub use playout::{PlayoutParams, Playouts};
