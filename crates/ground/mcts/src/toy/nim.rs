//! Nim: take any number of stones from one heap; who takes the last stone wins.
//!
//! The side to move wins if and only if the exclusive or of the heaps is not 0 (Bouton, "Nim, a game with a complete
//! mathematical theory", 1901).

use ishi_rng::{Rng, Seed};

use super::push_uniform_candidates;
use crate::domain::{Action, Candidate, Domain, SearchNodeId};

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
pub struct NimWorker {
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
    pub fn take_action(heap: usize, stones: u16) -> Action {
        Action(heap as u16 * TALLEST + stones - 1)
    }

    /// Does the side to move win?
    ///
    /// ```
    /// use ishi_mcts::toy::Nim;
    /// assert!(Nim::new(&[1, 2, 5], 1).is_winning());
    /// assert!(!Nim::new(&[1, 2, 3], 1).is_winning());
    /// ```
    pub fn is_winning(&self) -> bool {
        self.heaps.iter().fold(0, |all, &stones| all ^ stones) != 0
    }

    /// The position after a move.
    ///
    /// ```
    /// use ishi_mcts::toy::Nim;
    /// assert!(!Nim::new(&[1, 2, 5], 1).after_move(Nim::take_action(2, 2)).is_winning());
    /// ```
    pub fn after_move(&self, action: Action) -> Nim {
        let mut next = self.clone();
        take_stones(&mut next.heaps, action);
        next
    }
}

fn take_stones(heaps: &mut [u16], action: Action) {
    heaps[usize::from(action.0 / TALLEST)] -= action.0 % TALLEST + 1;
}

fn legal_actions(heaps: &[u16]) -> impl Iterator<Item = Action> {
    heaps
        .iter()
        .enumerate()
        .flat_map(|(heap, &stones)| (1..=stones).map(move |taken| Nim::take_action(heap, taken)))
}

impl Domain for Nim {
    type Worker = NimWorker;

    fn action_count(&self) -> usize {
        self.heaps.len() * usize::from(TALLEST)
    }

    fn new_worker(&self, thread: usize) -> NimWorker {
        NimWorker { heaps: self.heaps.clone(), moves: 0, rng: self.seed.stream("nim", thread as u64) }
    }

    fn reset_worker(&self, worker: &mut NimWorker) {
        worker.heaps.clone_from(&self.heaps);
        worker.moves = 0;
    }

    fn play_action(&self, worker: &mut NimWorker, action: Action) {
        take_stones(&mut worker.heaps, action);
        worker.moves += 1;
    }

    fn list_candidates(&self, worker: &mut NimWorker, _depth: usize, candidates: &mut Vec<Candidate>) {
        push_uniform_candidates(legal_actions(&worker.heaps), candidates);
    }

    fn run_playout(&self, worker: &mut NimWorker, _leaf: SearchNodeId, trace: &mut Vec<Action>) -> f32 {
        loop {
            let choices = worker.heaps.iter().map(|&stones| u32::from(stones)).sum();
            if choices == 0 {
                // Who moved last has won: after an odd number of moves that is the root's side.
                return (worker.moves % 2) as f32;
            }
            let choice = worker.rng.next_below(choices) as usize;
            let action = legal_actions(&worker.heaps).nth(choice).expect("a move for each stone");
            self.play_action(worker, action);
            trace.push(action);
        }
    }
}
