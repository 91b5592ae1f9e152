//! What the knowledge cannot read itself it asks: is a group dead or alive?

use ishi_go::{Board, Point};

/// How a group stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Its owner cannot save it.
    Dead,
    /// Who moves first decides.
    Critical,
    /// It lives, but has no two eyes yet and could be attacked.
    Unsettled,
    /// It lives.
    Alive,
}

/// How a group stands, and by which moves that is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// Dead, critical or alive; [`Strength::Unsettled`] is never answered.
    pub strength: Strength,
    /// The opponent's move that kills, where there is one.
    pub kill: Option<Point>,
    /// The owner's move that saves, where there is one.
    pub save: Option<Point>,
}

/// Somebody who knows the fate of groups: a search, or a reader.
pub trait Oracle {
    /// The fate of the group of this stone, if the oracle can say.
    fn fate(&mut self, board: &Board, stone: Point) -> Option<Fate>;
}

/// Nobody to ask: groups are judged by their looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl Oracle for NoOracle {
    fn fate(&mut self, _: &Board, _: Point) -> Option<Fate> {
        None
    }
}
