//! Tic-tac-toe, with exact values by full search.

use ishi_rng::{Rng, Seed};

use super::alike;
use crate::domain::{Action, Candidate, Domain, NodeId};

/// The lines of three, as sets of squares.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

/// A position; playouts are random. Squares are 0 to 8, row by row. A draw is worth 1/2.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe {
    board: Board,
    seed: Seed,
}

/// Squares of the side to move, and of the other.
#[derive(Clone, Copy, Debug, Default)]
struct Board {
    own: u16,
    other: u16,
}

/// The board and random numbers of one thread.
#[derive(Debug)]
pub struct Worker {
    board: Board,
    /// Moves made since the root.
    moves: usize,
    rng: Rng,
}

impl Board {
    fn play(self, square: u16) -> Board {
        Board { own: self.other, other: self.own | 1 << square }
    }

    fn empty(self) -> u16 {
        FULL & !(self.own | self.other)
    }

    /// The value for the side to move, if the game is over.
    fn result(self) -> Option<f32> {
        if LINES.iter().any(|&line| line & !self.other == 0) {
            Some(0.0)
        } else {
            (self.empty() == 0).then_some(0.5)
        }
    }

    fn squares(self) -> impl Iterator<Item = Action> {
        let empty = self.empty();
        (0..9).filter(move |square| empty >> square & 1 == 1).map(Action)
    }

    fn value(self) -> f32 {
        self.result().unwrap_or_else(|| {
            self.squares().map(|square| 1.0 - self.play(square.0).value()).fold(0.0, f32::max)
        })
    }
}

impl TicTacToe {
    /// The position after these moves, which must be legal.
    pub fn new(moves: &[u16], seed: u64) -> TicTacToe {
        let board = moves.iter().fold(Board::default(), |board, &square| board.play(square));
        TicTacToe { board, seed: Seed::new(seed) }
    }

    /// The position after one more move.
    pub fn after(&self, action: Action) -> TicTacToe {
        TicTacToe { board: self.board.play(action.0), ..*self }
    }

    /// What the side to move gets if both play well: 0, 1/2 or 1.
    pub fn value(&self) -> f32 {
        self.board.value()
    }
}

impl Domain for TicTacToe {
    type Worker = Worker;

    fn actions(&self) -> usize {
        9
    }

    fn worker(&self, thread: usize) -> Worker {
        Worker { board: self.board, moves: 0, rng: self.seed.stream("tictactoe", thread as u64) }
    }

    fn restart(&self, worker: &mut Worker) {
        worker.board = self.board;
        worker.moves = 0;
    }

    fn descend(&self, worker: &mut Worker, action: Action) {
        worker.board = worker.board.play(action.0);
        worker.moves += 1;
    }

    fn expand(&self, worker: &mut Worker, _depth: usize, candidates: &mut Vec<Candidate>) {
        if worker.board.result().is_none() {
            alike(worker.board.squares(), candidates);
        }
    }

    fn playout(&self, worker: &mut Worker, _leaf: NodeId, trace: &mut Vec<Action>) -> f32 {
        loop {
            if let Some(value) = worker.board.result() {
                return if worker.moves.is_multiple_of(2) { value } else { 1.0 - value };
            }
            let choice = worker.rng.below(worker.board.empty().count_ones()) as usize;
            let action = worker.board.squares().nth(choice).expect("a square for each choice");
            self.descend(worker, action);
            trace.push(action);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_everybody_knows() {
        let value = |moves: &[u16]| TicTacToe::new(moves, 1).value();
        assert_eq!(value(&[]), 0.5);
        // A corner is answered by the centre only.
        assert_eq!(value(&[0, 4]), 0.5);
        assert!([1, 2, 3, 5, 6, 7, 8].iter().all(|&square| value(&[0, square]) == 1.0));
    }
}
