//! Nim: take any number of stones from one heap; who takes the last stone wins.
//!
//! The side to move wins if and only if the exclusive or of the heaps is not 0 (Bouton, "Nim, a game with a complete
//! mathematical theory", 1901).

use ishi_rng::{Rng, Seed};

use super::alike;
use crate::domain::{Action, Candidate, Domain, NodeId};

/// Stones that a heap can have.
const TALLEST: u16 = 16;

/// A position of Nim; playouts are random.
#[derive(Clone, Debug)]
pub struct Nim {
    heaps: Vec<u16>,
    seed: Seed,
}

/// The board and random numbers of one thread.
#[derive(Debug)]
pub struct Worker {
    heaps: Vec<u16>,
    /// Moves made since the root.
    moves: usize,
    rng: Rng,
}

impl Nim {
    /// Heaps of at most 16 stones each; higher ones are cut.
    pub fn new(heaps: &[u16], seed: u64) -> Nim {
        Nim { heaps: heaps.iter().map(|&stones| stones.min(TALLEST)).collect(), seed: Seed::new(seed) }
    }

    /// Takes `stones` (1 to 16) from the heap with this index.
    pub fn action(heap: usize, stones: u16) -> Action {
        Action(heap as u16 * TALLEST + stones - 1)
    }

    /// Does the side to move win?
    pub fn wins(&self) -> bool {
        self.heaps.iter().fold(0, |all, &stones| all ^ stones) != 0
    }

    /// The position after a move.
    pub fn after(&self, action: Action) -> Nim {
        let mut next = self.clone();
        take(&mut next.heaps, action);
        next
    }
}

fn take(heaps: &mut [u16], action: Action) {
    heaps[usize::from(action.0 / TALLEST)] -= action.0 % TALLEST + 1;
}

fn moves(heaps: &[u16]) -> impl Iterator<Item = Action> {
    heaps
        .iter()
        .enumerate()
        .flat_map(|(heap, &stones)| (1..=stones).map(move |taken| Nim::action(heap, taken)))
}

impl Domain for Nim {
    type Worker = Worker;

    fn actions(&self) -> usize {
        self.heaps.len() * usize::from(TALLEST)
    }

    fn worker(&self, thread: usize) -> Worker {
        Worker { heaps: self.heaps.clone(), moves: 0, rng: self.seed.stream("nim", thread as u64) }
    }

    fn restart(&self, worker: &mut Worker) {
        worker.heaps.clone_from(&self.heaps);
        worker.moves = 0;
    }

    fn descend(&self, worker: &mut Worker, action: Action) {
        take(&mut worker.heaps, action);
        worker.moves += 1;
    }

    fn expand(&self, worker: &mut Worker, _depth: usize, candidates: &mut Vec<Candidate>) {
        alike(moves(&worker.heaps), candidates);
    }

    fn playout(&self, worker: &mut Worker, _leaf: NodeId, trace: &mut Vec<Action>) -> f32 {
        loop {
            let choices = worker.heaps.iter().map(|&stones| u32::from(stones)).sum();
            if choices == 0 {
                // Who moved last has won: after an odd number of moves that is the root's side.
                return (worker.moves % 2) as f32;
            }
            let choice = worker.rng.below(choices) as usize;
            let action = moves(&worker.heaps).nth(choice).expect("a move for each stone");
            self.descend(worker, action);
            trace.push(action);
        }
    }
}
