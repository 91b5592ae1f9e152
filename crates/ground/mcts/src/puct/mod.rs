//! Search that is guided by judgements of positions instead of playouts: each step down goes to the move that looks best or has been
//! looked at too little for its prior (PUCT; Silver et al., "Mastering the game of Go without human knowledge", Nature 550, 2017), and each
//! leaf is judged once, several of them together.
//!
//! A [`JudgedGame`] game says what a position is worth and which moves it has; a [`JudgedTree`] keeps what was learned. The result depends on
//! the game, the parameters and the number of leaves that are judged together, never on threads.

mod node;
mod params;
mod report;
mod search;
#[cfg(test)]
mod tests;

use crate::domain::Action;

pub use params::{JudgedParams, JudgedParamsError};
pub use report::JudgedMove;
pub use search::JudgedTree;

/// What a position is worth for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worth {
    /// Chance to win, 0 to 1; a draw counts half.
    pub win: f32,
    /// Expected lead in points.
    pub lead: f32,
}

impl Worth {
    /// The same position seen by the other side.
    #[must_use]
    pub fn for_other_side(self) -> Worth {
        Worth { win: 1.0 - self.win, lead: -self.lead }
    }
}

/// A position that a search has come to and wants judged.
#[derive(Clone, Debug)]
pub struct JudgedLeaf<P> {
    /// The position.
    pub position: P,
    /// The moves from the root to it; none: it is the root.
    pub path: Vec<Action>,
    /// To be filled in: what it is worth for the side to move.
    pub worth: Worth,
    /// To be filled in: its moves with their priors, which need not sum to 1. None: the game is over here.
    pub moves: Vec<(Action, f32)>,
}

/// A game of two sides that move in turn, and a judge of its positions.
pub trait JudgedGame {
    /// A position.
    type Position: Clone;

    /// The position that the search starts from.
    fn root(&self) -> Self::Position;

    /// Plays a move that the judge gave for this position.
    fn play(&self, position: &mut Self::Position, action: Action);

    /// Fills in worth and moves of all leaves.
    fn judge_leaves(&mut self, leaves: &mut [JudgedLeaf<Self::Position>]);
}
