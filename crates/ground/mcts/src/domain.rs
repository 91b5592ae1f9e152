//! What the tree asks of a game.

/// A move as the tree stores it: a number below [`Domain::action_count`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Action(pub u16);

/// A node of the tree, for memories that a domain keeps of its leaves. The same node keeps its number during a search, until
/// [`Domain::on_renumbered`]; between searches numbers change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SearchNodeId(pub u32);

/// A move that may be played in a position, and what is thought of it before any playout.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Candidate {
    /// The move.
    pub action: Action,
    /// Probability that it is the move to play; those of a position sum to 1. Candidates are widened in the order of it,
    /// and it is PUCT's prior and the progressive bias.
    pub prior: f32,
    /// Playouts that the opinion below is worth; 0: none.
    pub weight: f32,
    /// Expected reward for the side that plays the move, 0 to 1.
    pub value: f32,
}

/// A game of two sides that move in turn, as the tree sees it. It owns the board, the rules and the playouts.
///
/// A playout of the tree is: `reset_worker`, `play_action` for every step from the root, perhaps `list_candidates` and one more `play_action`, then
/// `run_playout`.
///
/// ```
/// use ishi_mcts::{Action, Candidate, Domain, SearchBudget, SearchNodeId, Selection, Tree, TreeParams};
/// use ishi_rng::{Rng, Seed};
///
/// /// A sum that begins at 0: each side adds one or two in turn, and who reaches ten wins.
/// struct RaceToTen;
///
/// struct Runner {
///     sum: u16,
///     moves: usize,
///     rng: Rng,
/// }
///
/// impl RaceToTen {
///     fn steps(sum: u16) -> impl ExactSizeIterator<Item = Action> {
///         (1..(10 - sum).min(2) + 1).map(Action)
///     }
/// }
///
/// impl Domain for RaceToTen {
///     type Worker = Runner;
///
///     fn action_count(&self) -> usize {
///         3
///     }
///
///     fn new_worker(&self, thread: usize) -> Runner {
///         Runner { sum: 0, moves: 0, rng: Seed::new(7).stream("race", thread as u64) }
///     }
///
///     fn reset_worker(&self, worker: &mut Runner) {
///         (worker.sum, worker.moves) = (0, 0);
///     }
///
///     fn play_action(&self, worker: &mut Runner, action: Action) {
///         worker.sum += action.0;
///         worker.moves += 1;
///     }
///
///     fn list_candidates(&self, worker: &mut Runner, _depth: usize, candidates: &mut Vec<Candidate>) {
///         let steps = RaceToTen::steps(worker.sum);
///         // Nothing is known before playouts: all moves are as likely as each other.
///         let prior = 1.0 / steps.len() as f32;
///         candidates.extend(steps.map(|action| Candidate { action, prior, weight: 0.0, value: 0.5 }));
///     }
///
///     fn run_playout(&self, worker: &mut Runner, _leaf: SearchNodeId, trace: &mut Vec<Action>) -> f32 {
///         while worker.sum < 10 {
///             let mut steps = RaceToTen::steps(worker.sum);
///             let chosen = worker.rng.next_below(steps.len() as u32) as usize;
///             let action = steps.nth(chosen).unwrap();
///             self.play_action(worker, action);
///             trace.push(action);
///         }
///         // Who moved last has won: after an odd number of moves that is the root's side.
///         (worker.moves % 2) as f32
///     }
/// }
///
/// let mut tree = Tree::new(TreeParams { selection: Selection::Ucb1, exploration: 1.0, ..TreeParams::default() });
/// let mut remaining = |done| 5_000_u64.saturating_sub(done);
/// tree.search(&RaceToTen, &mut SearchBudget { remaining: &mut remaining, threads: 1, check_every: 100 });
/// // Who leaves 1, 4 or 7 wins.
/// assert_eq!(tree.ranked_children()[0].action, Action(1));
/// ```
pub trait Domain: Sync {
    /// What one thread works with: a board, random numbers, buffers.
    type Worker: Send;

    /// Actions are numbers below this.
    fn action_count(&self) -> usize;

    /// The worker of thread number `thread`, 0 for the first. The same number gives the same random numbers.
    fn new_worker(&self, thread: usize) -> Self::Worker;

    /// Puts the worker back at the root.
    fn reset_worker(&self, worker: &mut Self::Worker);

    /// Plays one step down the tree.
    fn play_action(&self, worker: &mut Self::Worker, action: Action);

    /// Gives the candidates of the position that the worker has reached, in any order, each action once, at most 65535; none:
    /// the game is over there, and every playout that comes here is a playout of no moves. `depth` is 0 at the root.
    fn list_candidates(&self, worker: &mut Self::Worker, depth: usize, candidates: &mut Vec<Candidate>);

    /// Plays from the position that the worker has reached to the end. Gives the reward, 0 to 1, for the side to move *at
    /// the root*, and writes the actions played into `trace` (empty when called), the side to move at the leaf first,
    /// sides taking turns.
    fn run_playout(&self, worker: &mut Self::Worker, leaf: SearchNodeId, trace: &mut Vec<Action>) -> f32;

    /// The leaf has been expanded: playouts start from it no more (but for one that another thread has under way).
    fn on_expanded(&self, _leaf: SearchNodeId) {}

    /// Nodes were dropped to make room in the middle of a search, and those that are left have new numbers: what is kept of
    /// leaves is void. No playout is under way.
    fn on_renumbered(&self) {}
}
