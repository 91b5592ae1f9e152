//! What a player is, in either game: an [`Engine`] of a [`Game`] answers a position with a [`Choice`].
//!
//! It knows neither processes nor files nor clocks: limits, clock, stop flag and observer come in a [`Control`]. What an
//! engine does depends on its parameters, its seed and the position, and, if it is limited by time, on the clock; never on
//! earlier calls, but for players that say so.
//!
//! - [`budget`] says what a player may cost where strangers choose it.
//! - [`catalog`] and [`parameter`] read and write players as texts such as `go-flat:playouts=500`.
//! - [`time`] divides the time of a game, [`clock`] counts it, and [`session`] is what the protocol's sessions of both games share.
//!
//! The players themselves are in `ishi-go-play` and `ishi-othello-play`.

pub mod budget;
pub mod catalog;
pub mod clock;
mod engine;
mod game;
pub mod parameter;
pub mod session;
pub mod time;

pub use engine::{
    AnswerPurpose, Choice, Control, Engine, EngineAction, EngineSetting, MoveReport, SearchLimits,
    SearchReport,
};
pub use game::{Game, Go, Othello};
pub use ishi_work::{Clock, StoppedClock};
pub use parameter::Parameter;
