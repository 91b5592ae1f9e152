//! The player that is guided by a network (`ishi-judge`): its tree has judged positions instead of playouts.

mod game;
mod params;
mod player;

pub use params::{NetworkEntry, NetworkParams};
pub use player::NetworkPlayer;
