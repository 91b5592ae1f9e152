//! A game of Othello of the search against random moves: what a game has to tell the tree, all of it, in one file.
//!
//! `cargo run --release -p ishi-mcts --example othello -- PLAYOUTS SEED`; the search has Black.

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It is told what to do, and says how the game went.

use ishi_mcts::{Action, Candidate, Domain, SearchBudget, SearchNodeId, Selection, Tree, TreeParams};
use ishi_othello::{Color, Move, Position, Square};
use ishi_rng::{Rng, Seed};

/// Squares are actions 0 to 63, and a pass is this one.
const PASS: u16 = 64;

/// A position of Othello to search; playouts are random.
struct OthelloDomain {
    root: Position,
    seed: Seed,
}

/// What one thread works with.
struct OthelloWorker {
    position: Position,
    rng: Rng,
}

fn to_action(mv: Move) -> Action {
    Action(mv.square().map_or(PASS, |square| square.index() as u16))
}

fn to_move(action: Action) -> Move {
    Square::new(usize::from(action.0)).map_or(Move::Pass, Move::Play)
}

impl Domain for OthelloDomain {
    type Worker = OthelloWorker;

    fn action_count(&self) -> usize {
        usize::from(PASS) + 1
    }

    fn new_worker(&self, thread: usize) -> OthelloWorker {
        OthelloWorker { position: self.root.clone(), rng: self.seed.stream("othello", thread as u64) }
    }

    fn reset_worker(&self, worker: &mut OthelloWorker) {
        worker.position.clone_from(&self.root);
    }

    fn play_action(&self, worker: &mut OthelloWorker, action: Action) {
        worker.position.play(to_move(action)).expect("the tree plays what was listed");
    }

    fn list_candidates(&self, worker: &mut OthelloWorker, _depth: usize, candidates: &mut Vec<Candidate>) {
        let moves = worker.position.legal_moves();
        let prior = 1.0 / moves.len().max(1) as f32;
        let candidate = |mv| Candidate { action: to_action(mv), prior, weight: 0.0, value: 0.5 };
        candidates.extend(moves.into_iter().map(candidate));
    }

    fn run_playout(&self, worker: &mut OthelloWorker, _: SearchNodeId, trace: &mut Vec<Action>) -> f32 {
        let OthelloWorker { position, rng } = worker;
        while let Some(&mv) = rng.choose(&position.legal_moves()) {
            position.play(mv).expect("it is legal");
            trace.push(to_action(mv));
        }
        let reward = 0.5 + 0.5 * position.score().signum() as f32;
        if self.root.to_move() == Color::Black { reward } else { 1.0 - reward }
    }
}

/// The move with the most playouts.
fn find_best_move(position: &Position, playouts: u64, seed: Seed) -> Move {
    let domain = OthelloDomain { root: position.clone(), seed };
    let mut tree = Tree::new(TreeParams { selection: Selection::Ucb1, ..TreeParams::default() });
    let mut remaining = |done| playouts.saturating_sub(done);
    tree.search(&domain, &mut SearchBudget { remaining: &mut remaining, threads: 1, check_every: 100 });
    to_move(tree.ranked_children()[0].action)
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a whole number"));
    let (playouts, seed) = (numbers.next().unwrap_or(500), Seed::new(numbers.next().unwrap_or(1)));
    let mut position = Position::start();
    let mut opponent = seed.stream("opponent", 0);
    while let Some(&drawn) = opponent.choose(&position.legal_moves()) {
        let number = position.moves().len() as u64;
        let mv = match position.to_move() {
            Color::Black => find_best_move(&position, playouts, seed.child_seed("search", number)),
            Color::White => drawn,
        };
        position.play(mv).expect("it is legal");
    }
    println!("{} moves, {:+} discs for the search", position.moves().len(), position.score());
}
