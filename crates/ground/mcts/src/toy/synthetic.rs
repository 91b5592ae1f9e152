//! The work of the tree without a game: playouts of random rewards, sized like those of Go.

use ishi_rng::{Rng, Seed};

use crate::domain::{Action, Candidate, Domain, SearchNodeId};

/// A domain whose positions all have the same number of candidates, and whose playouts cost next to nothing.
///
/// Priors fall like those of a move predictor, in an order that depends on the path; rewards lean on the first move.
#[derive(Clone, Debug)]
pub struct Synthetic {
    candidates: u16,
    /// Moves of a playout.
    moves: usize,
    seed: Seed,
}

/// A place in the tree, and random numbers of one thread.
#[derive(Debug)]
pub struct SyntheticWorker {
    path: Seed,
    first: Action,
    rng: Rng,
    /// A list of random moves, from a random place of which a playout takes its own.
    moves: Vec<Action>,
}

impl Synthetic {
    /// That many candidates in every position, and moves in every playout.
    pub fn new(candidates: u16, moves: usize, seed: u64) -> Synthetic {
        Synthetic { candidates, moves, seed: Seed::new(seed) }
    }
}

impl Domain for Synthetic {
    type Worker = SyntheticWorker;

    fn action_count(&self) -> usize {
        usize::from(self.candidates)
    }

    fn new_worker(&self, thread: usize) -> SyntheticWorker {
        let mut rng = self.seed.stream("synthetic", thread as u64);
        let length = 4 * (usize::from(self.candidates) + self.moves);
        let moves = (0..length).map(|_| Action(rng.next_below(u32::from(self.candidates)) as u16)).collect();
        SyntheticWorker { path: self.seed, first: Action(0), rng, moves }
    }

    fn reset_worker(&self, worker: &mut SyntheticWorker) {
        worker.path = self.seed;
    }

    fn play_action(&self, worker: &mut SyntheticWorker, action: Action) {
        if worker.path == self.seed {
            worker.first = action;
        }
        worker.path = worker.path.child_seed("move", u64::from(action.0));
    }

    fn list_candidates(&self, worker: &mut SyntheticWorker, _depth: usize, candidates: &mut Vec<Candidate>) {
        let mut rng = worker.path.stream("candidates", 0);
        let size = u32::from(self.candidates);
        let first = candidates.len();
        candidates.extend((0..self.candidates).map(|action| Candidate {
            action: Action(action),
            // The k-th move of a list is about 1 / (k + 8) probable; places in the list may be shared.
            prior: 1.0 / (8 + rng.next_below(size)) as f32,
            weight: 10.0,
            value: 0.5,
        }));
        let total: f32 = candidates[first..].iter().map(|candidate| candidate.prior).sum();
        candidates[first..].iter_mut().for_each(|candidate| candidate.prior /= total);
    }

    fn run_playout(&self, worker: &mut SyntheticWorker, _leaf: SearchNodeId, trace: &mut Vec<Action>) -> f32 {
        let start = worker.rng.next_below((worker.moves.len() - self.moves) as u32) as usize;
        trace.extend_from_slice(&worker.moves[start..start + self.moves]);
        let chance = 0.4 + 0.2 * f32::from(worker.first.0) / f32::from(self.candidates);
        f32::from(u8::from(worker.rng.chance(f64::from(chance))))
    }
}
