//! Players of Go and of Othello.
//!
//! An [`Engine`] of a [`Game`] answers a position with a [`Choice`]. It knows neither processes nor files nor
//! clocks: limits, clock, stop flag and observer come in a [`Control`]. What an engine does depends on its parameters,
//! its seed and the position, and, if it is limited by time, on the clock; never on earlier calls, but for players that say so
//! ([`go_mcts`], which keeps one tree for a game).
//!
//! [`catalog`] makes engines from a text such as `go-flat:playouts=500`.

pub mod analyst;
mod capture;
pub mod catalog;
pub mod checking;
mod engine;
pub mod explain;
pub mod flat;
mod game;
pub mod go_mcts;
pub mod go_network;
pub mod go_rank;
pub mod judge;
pub mod knowledge;
pub mod othello;
mod parameter;
pub mod problems;
mod random;
pub mod restrict;
pub mod rule_fields;
pub mod session;
mod simple;
pub mod tactics;
pub mod time;
mod tree_root;

pub use engine::{
    Action, Choice, Clock, Control, Engine, Limits, MoveReport, Purpose, Report, Setting, StoppedClock,
};
pub use game::{Game, Go, Othello};
pub use parameter::Parameter;
