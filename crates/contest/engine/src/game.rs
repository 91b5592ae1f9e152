//! Which game a player plays: the types that an engine's question and answer are made of.
//!
//! The rules crates know nothing of this. It has no rules and no boards, so that nothing is slower for it; a player
//! works with the concrete types of its own game.

use std::fmt::{Debug, Display};
use std::hash::Hash;

/// A game as players see it.
///
/// ```
/// use ishi_engine::{EngineAction, Game, Go, Othello};
/// assert_eq!((Go::NAME, Othello::NAME), ("go", "othello"));
/// let action: EngineAction<Othello> = EngineAction::Move("f5".parse().unwrap());
/// assert_eq!(action.to_string(), "f5");
/// ```
pub trait Game: Copy + Debug + Default + Eq + Send + Sync + 'static {
    /// The name in options and results, such as `go`.
    const NAME: &'static str;
    /// A player's colour.
    type Color: Copy + Debug + Display + Eq + Send + Sync;
    /// A point or square of the board.
    type Place: Copy + Debug + Display + Ord + Hash + Send + Sync;
    /// What is played in a turn.
    type Move: Copy + Debug + Display + Ord + Hash + Send + Sync;
    /// A position with its history.
    type Position: Clone + Debug + Send + Sync + 'static;
}

/// Go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go;

impl Game for Go {
    const NAME: &'static str = "go";
    type Color = ishi_go::Color;
    type Place = ishi_go::Point;
    type Move = ishi_go::Move;
    type Position = ishi_go::Position;
}

/// Othello.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Othello;

impl Game for Othello {
    const NAME: &'static str = "othello";
    type Color = ishi_othello::Color;
    type Place = ishi_othello::Square;
    type Move = ishi_othello::Move;
    type Position = ishi_othello::Position;
}
