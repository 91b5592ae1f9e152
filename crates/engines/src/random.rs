//! `go-random`: a legal move at random, never into an own eye; the zero of every rating list.

use ishi_go::{Cell, Color, Move, Point, Position};
use ishi_rng::Seed;

use crate::engine::{Choice, Control, Engine};

/// Plays uniformly among the legal moves that fill no own eye and are no suicide, and passes when there is none.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    seed: Seed,
}

impl RandomPlayer {
    /// A player with this seed.
    pub fn new(seed: Seed) -> Self {
        RandomPlayer { seed }
    }
}

/// The legal points that are neither own eyes nor suicide and that `control` allows; row by row from A1.
pub(crate) fn sensible_moves(position: &Position, color: Color, control: &Control<'_>) -> Vec<Move> {
    let board = position.board();
    let sensible = |&point: &Point| board.cell(point) == Cell::Empty && board.is_sensible(color, point);
    let allowed = |mv: &Move| control.allows(*mv) && position.is_legal(color, *mv);
    position.size().points().filter(sensible).map(Move::Play).filter(allowed).collect()
}

impl Engine for RandomPlayer {
    fn name(&self) -> &str {
        "go-random"
    }

    fn spec(&self) -> String {
        self.name().to_string()
    }

    fn set_seed(&mut self, seed: Seed) {
        self.seed = seed;
    }

    fn choose(&mut self, position: &Position, color: Color, control: &mut Control<'_>) -> Choice {
        let mut rng = self.seed.stream("move", position.moves().len() as u64);
        let moves = sensible_moves(position, color, control);
        Choice::plain(rng.choose(&moves).copied().unwrap_or(Move::Pass))
    }
}
