//! What the playouts of a search look like: how often they begin alike, and how many candidates tabu lists refuse.
//!
//! For figure 5 and table 4 of M. Itoh and T. Ohta, "An application of Monte-Carlo tree search including game state tabu
//! lists for playing 19x19 Go" (2016). The search is the player's own; what is seen is replayed from what the playouts
//! report to the tree, so that the measurement changes nothing.

use std::collections::BTreeMap;

use ishi_go::{Board, Color, Move, Position};
use ishi_mcts::{Action, Candidate, Domain, SearchBudget, SearchNodeId, Tree};
use ishi_rng::Seed;

use super::engine::build_domain;
use super::params::MctsParams;
use super::playout::move_of_action;
use super::tabu::{LeafPlace, TabuCounters, TabuLists, TabuParams};
use ishi_engine::{Control, SearchLimits};

/// Moves of each playout that are looked at: those that the paper's lists know.
pub const MOVES: usize = 5;

/// What a search's playouts were.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayoutObservations {
    /// Playouts.
    pub playouts: u64,
    /// What the tabu lists were asked, and what they refused.
    pub tabu: TabuCounters,
    /// How often each position came that stood on the board after one of the first [`MOVES`] moves of a playout, most
    /// often first. Positions with the same stones after the same number of moves of a playout are the same, if as many passes
    /// led to them from the root (section 5.3: a pass changes the hash).
    pub repeats: Vec<u64>,
    /// What a policy is refused at most that draws uniformly among the moves that may be played; an estimate of ours, and not
    /// equation 12 of the paper ([`expected_refusals_below`](super::tabu::expected_refusals_below)). It is the mean over playouts of the sum, over the first [`MOVES`] moves, of L_k / (n - L_k): n moves could be played,
    /// and the leaf's queues have length L_k. A queue holds L_k of the n at most, and the number of failures before a success of
    /// probability 1 - q is q / (1 - q) in the mean. Where n is not greater than L_k it counts L_k, after which anything is
    /// allowed.
    pub uniform: f64,
}

/// Searches with so many playouts on one thread from a position, and looks on.
///
/// ```
/// use ishi_go_play::go_mcts::{MctsParams, measure};
/// use ishi_go::{BoardSize, Position, Rules};
/// use ishi_rng::Seed;
/// let position = Position::new(BoardSize::square(5).unwrap(), Rules::CHINESE);
/// let observed = measure::observe_playouts(&MctsParams::default(), &position, 100, Seed::new(1));
/// assert_eq!(observed.playouts, 100);
/// assert!(observed.repeats.iter().sum::<u64>() <= 500);
/// ```
pub fn observe_playouts(
    params: &MctsParams,
    position: &Position,
    playouts: u64,
    seed: Seed,
) -> PlayoutObservations {
    let lists = TabuLists::new(params.tabu);
    let color = position.to_move();
    let mut unheard = |_: &_| ();
    let control = Control::with_limits(SearchLimits::default(), &mut unheard);
    let watched = WatchedDomain {
        inner: build_domain(params, &lists, seed, position, color, &control),
        root: position.board(),
        color,
        played: position.moves().len(),
        tabu: params.tabu,
    };
    let mut tree = Tree::new(ishi_mcts::TreeParams { stop_when_settled: false, ..params.tree.clone() });
    let mut remaining = |done: u64| playouts.saturating_sub(done);
    let outcome =
        tree.search(&watched, &mut SearchBudget { remaining: &mut remaining, threads: 1, check_every: 16 });
    let (mut repeats, mut uniform, mut seen) = (Vec::new(), 0.0, 0);
    for worker in outcome.workers {
        repeats.extend(worker.positions.into_values());
        uniform += worker.uniform;
        seen += worker.playouts;
    }
    repeats.sort_unstable_by(|a, b| b.cmp(a));
    PlayoutObservations {
        playouts: seen,
        tabu: lists.counters(),
        repeats,
        uniform: uniform / seen.max(1) as f64,
    }
}

/// A domain with somebody looking on.
struct WatchedDomain<'a, D> {
    inner: D,
    root: &'a Board,
    color: Color,
    /// Moves of the game before the root.
    played: usize,
    tabu: TabuParams,
}

/// A worker, the board beside it, and what was seen.
struct WatchedWorker<W> {
    inner: W,
    board: Board,
    color: Color,
    depth: usize,
    /// Passes since the root.
    passes: u32,
    /// How often a position came, by the number of moves of the playout, the passes since the root and its hash.
    positions: BTreeMap<(u8, u32, u64), u64>,
    uniform: f64,
    playouts: u64,
}

impl<D: Domain> Domain for WatchedDomain<'_, D> {
    type Worker = WatchedWorker<D::Worker>;

    fn action_count(&self) -> usize {
        self.inner.action_count()
    }

    fn new_worker(&self, thread: usize) -> Self::Worker {
        WatchedWorker {
            inner: self.inner.new_worker(thread),
            board: self.root.clone(),
            color: self.color,
            depth: 0,
            passes: 0,
            positions: BTreeMap::new(),
            uniform: 0.0,
            playouts: 0,
        }
    }

    fn reset_worker(&self, worker: &mut Self::Worker) {
        self.inner.reset_worker(&mut worker.inner);
        worker.board.copy_from(self.root);
        (worker.color, worker.depth, worker.passes) = (self.color, 0, 0);
    }

    fn play_action(&self, worker: &mut Self::Worker, action: Action) {
        self.inner.play_action(&mut worker.inner, action);
        worker.play_move(move_of_action(action));
        worker.depth += 1;
    }

    fn list_candidates(&self, worker: &mut Self::Worker, depth: usize, candidates: &mut Vec<Candidate>) {
        self.inner.list_candidates(&mut worker.inner, depth, candidates);
    }

    fn run_playout(&self, worker: &mut Self::Worker, leaf: SearchNodeId, trace: &mut Vec<Action>) -> f32 {
        let reward = self.inner.run_playout(&mut worker.inner, leaf, trace);
        let place = LeafPlace { played: self.played, depth: worker.depth, area: self.root.size().area() };
        worker.watch_playout(trace, self.tabu.length_at(place));
        reward
    }

    fn on_expanded(&self, leaf: SearchNodeId) {
        self.inner.on_expanded(leaf);
    }

    fn on_renumbered(&self) {
        self.inner.on_renumbered();
    }
}

impl<W> WatchedWorker<W> {
    fn play_move(&mut self, mv: Move) {
        self.board.play_unchecked(self.color, mv);
        self.passes += u32::from(mv == Move::Pass);
        self.color = !self.color;
    }

    /// Plays the first moves of a playout again; the board is set back before the next.
    fn watch_playout(&mut self, trace: &[Action], length: u16) {
        self.playouts += 1;
        for (number, &action) in trace.iter().take(MOVES).enumerate() {
            if length > 0 {
                self.uniform += self.expected_refusals(length);
            }
            self.play_move(move_of_action(action));
            *self.positions.entry((number as u8, self.passes, self.board.hash())).or_default() += 1;
        }
    }

    /// See [`PlayoutObservations::uniform`].
    fn expected_refusals(&self, length: u16) -> f64 {
        let moves =
            self.board.empty_points().filter(|&point| self.board.is_sensible(self.color, point)).count();
        let length = f64::from(length);
        if moves as f64 > length { (length / (moves as f64 - length)).min(length) } else { length }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Rules};

    use super::*;
    use crate::go_mcts::tabu::TabuKind;

    /// The paper's search, small: uniform playouts, leaves that stay leaves for long.
    fn paper(kind: TabuKind, tenure: u16) -> MctsParams {
        let mut params = MctsParams::default();
        for (key, value) in [("selection", "ucb1"), ("exploration", "1.5"), ("expand", "30"), ("prior", "0")]
        {
            params.set_param(key, value).unwrap();
        }
        for part in ["lgrf", "atari", "nakade", "two-liberties", "shapes"] {
            params.set_param(part, "0").unwrap();
        }
        params.tabu.kind = kind;
        params.tabu.tenure = tenure;
        params
    }

    fn observed(kind: TabuKind, tenure: u16) -> PlayoutObservations {
        let position = Position::new(BoardSize::square(5).unwrap(), Rules::CHINESE);
        observe_playouts(&paper(kind, tenure), &position, 1000, Seed::new(7))
    }

    #[test]
    fn every_position_of_every_playout_is_counted() {
        let plain = observed(TabuKind::None, 18);
        assert_eq!((plain.playouts, plain.tabu.refused, plain.uniform), (1000, 0, 0.0));
        assert_eq!(plain.repeats.iter().sum::<u64>(), 5000);
        assert!(plain.repeats.is_sorted_by(|a, b| a >= b));
        assert!(plain.repeats[0] > 2, "on 5x5 positions come again: {:?}", &plain.repeats[..5]);
        assert_eq!(plain, observed(TabuKind::None, 18), "the same seed, the same playouts");
    }

    #[test]
    fn lists_refuse_no_more_than_uniform_drawing_may_and_positions_come_less_often() {
        let plain = observed(TabuKind::None, 0);
        for (kind, tenure) in
            [(TabuKind::Moves, 4), (TabuKind::Hash, 4), (TabuKind::Hash, 8), (TabuKind::HashWin, 4)]
        {
            let tabu = observed(kind, tenure);
            let refused = tabu.tabu.refused as f64 / tabu.playouts as f64;
            assert_eq!(tabu.tabu.playouts, tabu.playouts);
            assert!(
                refused > 0.0 && refused <= tabu.uniform,
                "{kind} {tenure}: {refused} of {}",
                tabu.uniform
            );
            assert!(tabu.repeats.len() > plain.repeats.len(), "{kind} {tenure}: no more different positions");
        }
        assert_eq!(observed(TabuKind::Hash, 0), plain, "L = 0 is as without");
    }
}
