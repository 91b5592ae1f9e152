//! P-games: random game trees with known values.
//!
//! Every move is worth a random whole number of points to the side that makes it; after a fixed number of moves the side with
//! more points in all wins. Source: Smith and Nau, "An analysis of forward pruning", AAAI 1994; used to show that UCT
//! converges by Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006, section 3.1.

use ishi_rng::{Rng, Seed};

use super::push_uniform_candidates;
use crate::domain::{Action, Candidate, Domain, SearchNodeId};

/// Moves are worth 0 to this many points.
const HIGHEST: u64 = 127;

/// A P-game tree; playouts are random. A draw is worth 1/2.
///
/// The action of a move is its index, the same at every depth, so that AMAF learns nothing true from it: the hardest case for
/// RAVE.
#[derive(Clone, Debug)]
pub struct PGame {
    branching: u16,
    depth: usize,
    seed: Seed,
}

/// A place in the tree, and random numbers of one thread.
#[derive(Debug)]
pub struct PGameWorker {
    place: PGamePlace,
    rng: Rng,
}

#[derive(Clone, Copy, Debug)]
struct PGamePlace {
    /// Names the path from the root.
    path: u64,
    depth: usize,
    /// Points of the root's side less those of the other.
    lead: i64,
}

impl PGame {
    /// A tree with that many moves in every position and that many moves in a game.
    pub fn new(branching: u16, depth: usize, seed: u64) -> PGame {
        PGame { branching, depth, seed: Seed::new(seed) }
    }

    /// What the side to move at the root gets by each move if both play well: 0, 1/2 or 1.
    pub fn move_values(&self) -> Vec<f32> {
        (0..self.branching)
            .map(|action| self.minimax_value(self.next_place(self.root_place(), action)))
            .collect()
    }

    fn root_place(&self) -> PGamePlace {
        PGamePlace { path: self.seed.value(), depth: 0, lead: 0 }
    }

    fn next_place(&self, place: PGamePlace, action: u16) -> PGamePlace {
        let path = Seed::new(place.path).child_seed("move", u64::from(action)).value();
        let points = (path % (HIGHEST + 1)) as i64;
        let lead = if place.depth.is_multiple_of(2) { place.lead + points } else { place.lead - points };
        PGamePlace { path, depth: place.depth + 1, lead }
    }

    fn final_result(place: PGamePlace) -> f32 {
        match place.lead.signum() {
            1 => 1.0,
            0 => 0.5,
            _ => 0.0,
        }
    }

    /// For the root's side.
    fn minimax_value(&self, place: PGamePlace) -> f32 {
        if place.depth == self.depth {
            return PGame::final_result(place);
        }
        let values = (0..self.branching).map(|action| self.minimax_value(self.next_place(place, action)));
        if place.depth.is_multiple_of(2) { values.fold(0.0, f32::max) } else { values.fold(1.0, f32::min) }
    }
}

impl Domain for PGame {
    type Worker = PGameWorker;

    fn action_count(&self) -> usize {
        usize::from(self.branching)
    }

    fn new_worker(&self, thread: usize) -> PGameWorker {
        PGameWorker { place: self.root_place(), rng: self.seed.stream("playout", thread as u64) }
    }

    fn reset_worker(&self, worker: &mut PGameWorker) {
        worker.place = self.root_place();
    }

    fn play_action(&self, worker: &mut PGameWorker, action: Action) {
        worker.place = self.next_place(worker.place, action.0);
    }

    fn list_candidates(&self, worker: &mut PGameWorker, _depth: usize, candidates: &mut Vec<Candidate>) {
        if worker.place.depth < self.depth {
            push_uniform_candidates((0..self.branching).map(Action), candidates);
        }
    }

    fn run_playout(&self, worker: &mut PGameWorker, _leaf: SearchNodeId, trace: &mut Vec<Action>) -> f32 {
        while worker.place.depth < self.depth {
            let action = Action(worker.rng.next_below(u32::from(self.branching)) as u16);
            self.play_action(worker, action);
            trace.push(action);
        }
        PGame::final_result(worker.place)
    }
}
