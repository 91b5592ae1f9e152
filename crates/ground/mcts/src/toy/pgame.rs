//! P-games: random game trees with known values.
//!
//! Every move is worth a random whole number of points to the side that makes it; after a fixed number of moves the side with
//! more points in all wins. Source: Smith and Nau, "An analysis of forward pruning", AAAI 1994; used to show that UCT
//! converges by Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006, section 3.1.

use ishi_rng::{Rng, Seed};

use super::alike;
use crate::domain::{Action, Candidate, Domain, NodeId};

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
pub struct Worker {
    place: Place,
    rng: Rng,
}

#[derive(Clone, Copy, Debug)]
struct Place {
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
    pub fn values(&self) -> Vec<f32> {
        (0..self.branching).map(|action| self.value(self.step(self.root(), action))).collect()
    }

    fn root(&self) -> Place {
        Place { path: self.seed.value(), depth: 0, lead: 0 }
    }

    fn step(&self, place: Place, action: u16) -> Place {
        let path = Seed::new(place.path).child("move", u64::from(action)).value();
        let points = (path % (HIGHEST + 1)) as i64;
        let lead = if place.depth.is_multiple_of(2) { place.lead + points } else { place.lead - points };
        Place { path, depth: place.depth + 1, lead }
    }

    fn result(place: Place) -> f32 {
        match place.lead.signum() {
            1 => 1.0,
            0 => 0.5,
            _ => 0.0,
        }
    }

    /// For the root's side.
    fn value(&self, place: Place) -> f32 {
        if place.depth == self.depth {
            return PGame::result(place);
        }
        let values = (0..self.branching).map(|action| self.value(self.step(place, action)));
        if place.depth.is_multiple_of(2) { values.fold(0.0, f32::max) } else { values.fold(1.0, f32::min) }
    }
}

impl Domain for PGame {
    type Worker = Worker;

    fn actions(&self) -> usize {
        usize::from(self.branching)
    }

    fn worker(&self, thread: usize) -> Worker {
        Worker { place: self.root(), rng: self.seed.stream("playout", thread as u64) }
    }

    fn restart(&self, worker: &mut Worker) {
        worker.place = self.root();
    }

    fn descend(&self, worker: &mut Worker, action: Action) {
        worker.place = self.step(worker.place, action.0);
    }

    fn expand(&self, worker: &mut Worker, _depth: usize, candidates: &mut Vec<Candidate>) {
        if worker.place.depth < self.depth {
            alike((0..self.branching).map(Action), candidates);
        }
    }

    fn playout(&self, worker: &mut Worker, _leaf: NodeId, trace: &mut Vec<Action>) -> f32 {
        while worker.place.depth < self.depth {
            let action = Action(worker.rng.below(u32::from(self.branching)) as u16);
            self.descend(worker, action);
            trace.push(action);
        }
        PGame::result(worker.place)
    }
}
