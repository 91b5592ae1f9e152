//! Tic-tac-toe, with exact values by full search.

use ishi_rng::{Rng, Seed};

use super::push_uniform_candidates;
use crate::domain::{Action, Candidate, Domain, SearchNodeId};

/// The lines of three, as sets of squares.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

/// A position; playouts are random. Squares are 0 to 8, row by row. A draw is worth 1/2.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe {
    board: TicTacToeBoard,
    seed: Seed,
}

/// Squares of the side to move, and of the other.
#[derive(Clone, Copy, Debug, Default)]
struct TicTacToeBoard {
    own: u16,
    other: u16,
}

/// The board and random numbers of one thread.
#[derive(Debug)]
pub struct TicTacToeWorker {
    board: TicTacToeBoard,
    /// Moves made since the root.
    moves: usize,
    rng: Rng,
}

impl TicTacToeBoard {
    fn play(self, square: u16) -> TicTacToeBoard {
        TicTacToeBoard { own: self.other, other: self.own | 1 << square }
    }

    fn empty_squares(self) -> u16 {
        FULL & !(self.own | self.other)
    }

    /// The value for the side to move, if the game is over.
    fn final_value(self) -> Option<f32> {
        if LINES.iter().any(|&line| line & !self.other == 0) {
            Some(0.0)
        } else {
            (self.empty_squares() == 0).then_some(0.5)
        }
    }

    fn legal_actions(self) -> impl Iterator<Item = Action> {
        let empty = self.empty_squares();
        (0..9).filter(move |square| empty >> square & 1 == 1).map(Action)
    }

    fn minimax_value(self) -> f32 {
        self.final_value().unwrap_or_else(|| {
            self.legal_actions().map(|square| 1.0 - self.play(square.0).minimax_value()).fold(0.0, f32::max)
        })
    }
}

impl TicTacToe {
    /// The position after these moves, which must be legal.
    pub fn new(moves: &[u16], seed: u64) -> TicTacToe {
        let board = moves.iter().fold(TicTacToeBoard::default(), |board, &square| board.play(square));
        TicTacToe { board, seed: Seed::new(seed) }
    }

    /// The position after one more move.
    pub fn after_move(&self, action: Action) -> TicTacToe {
        TicTacToe { board: self.board.play(action.0), ..*self }
    }

    /// What the side to move gets if both play well: 0, 1/2 or 1.
    pub fn minimax_value(&self) -> f32 {
        self.board.minimax_value()
    }
}

impl Domain for TicTacToe {
    type Worker = TicTacToeWorker;

    fn action_count(&self) -> usize {
        9
    }

    fn new_worker(&self, thread: usize) -> TicTacToeWorker {
        TicTacToeWorker { board: self.board, moves: 0, rng: self.seed.stream("tictactoe", thread as u64) }
    }

    fn reset_worker(&self, worker: &mut TicTacToeWorker) {
        worker.board = self.board;
        worker.moves = 0;
    }

    fn play_action(&self, worker: &mut TicTacToeWorker, action: Action) {
        worker.board = worker.board.play(action.0);
        worker.moves += 1;
    }

    fn list_candidates(&self, worker: &mut TicTacToeWorker, _depth: usize, candidates: &mut Vec<Candidate>) {
        if worker.board.final_value().is_none() {
            push_uniform_candidates(worker.board.legal_actions(), candidates);
        }
    }

    fn run_playout(&self, worker: &mut TicTacToeWorker, _leaf: SearchNodeId, trace: &mut Vec<Action>) -> f32 {
        loop {
            if let Some(value) = worker.board.final_value() {
                return if worker.moves.is_multiple_of(2) { value } else { 1.0 - value };
            }
            let choice = worker.rng.next_below(worker.board.empty_squares().count_ones()) as usize;
            let action = worker.board.legal_actions().nth(choice).expect("a square for each choice");
            self.play_action(worker, action);
            trace.push(action);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_everybody_knows() {
        let value = |moves: &[u16]| TicTacToe::new(moves, 1).minimax_value();
        assert_eq!(value(&[]), 0.5);
        // A corner is answered by the centre only.
        assert_eq!(value(&[0, 4]), 0.5);
        assert!([1, 2, 3, 5, 6, 7, 8].iter().all(|&square| value(&[0, square]) == 1.0));
    }
}
