//! Down the tree to leaves, all of them to the judge, and back up.

use crate::domain::Action;

use super::node::{JudgedNode, ROOT, WorthSums};
use super::{JudgedGame, JudgedLeaf, JudgedParams, Worth};

/// A tree of judged positions.
///
/// ```
/// use ishi_mcts::{Action, JudgedGame, JudgedParams, JudgedTree, JudgedLeaf, Worth};
///
/// /// A heap; who takes the last stone, taking one or two, wins. The judge knows nothing but ends.
/// struct Heap(u32);
///
/// impl JudgedGame for Heap {
///     type Position = u32;
///     fn root(&self) -> u32 {
///         self.0
///     }
///     fn play(&self, left: &mut u32, action: Action) {
///         *left -= u32::from(action.0);
///     }
///     fn judge_leaves(&mut self, leaves: &mut [JudgedLeaf<u32>]) {
///         for leaf in leaves {
///             leaf.moves = (1..=leaf.position.min(2)).map(|taken| (Action(taken as u16), 1.0)).collect();
///             leaf.worth = Worth { win: if leaf.position == 0 { 0.0 } else { 0.5 }, lead: 0.0 };
///         }
///     }
/// }
///
/// let mut tree = JudgedTree::new(JudgedParams::default());
/// assert_eq!(tree.search(&mut Heap(8), &mut |done| 500_u64.saturating_sub(done)), 500);
/// // Three left lose, so two are taken from eight to leave six.
/// assert_eq!(tree.ranked_moves()[0].action, Action(2));
/// ```
#[derive(Clone, Debug)]
pub struct JudgedTree {
    params: JudgedParams,
    pub(super) nodes: Vec<JudgedNode>,
}

impl JudgedTree {
    /// An empty tree. What [`JudgedParams::check`] finds fault with is not looked for here.
    pub fn new(params: JudgedParams) -> JudgedTree {
        JudgedTree { params, nodes: vec![JudgedNode::default()] }
    }

    /// Its parameters.
    pub fn params(&self) -> &JudgedParams {
        &self.params
    }

    /// Positions in the tree.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is nothing known yet?
    pub fn is_empty(&self) -> bool {
        !self.nodes[ROOT].is_judged
    }

    /// What the judge says of the root itself, for the side to move; none before the first search.
    pub fn root_worth(&self) -> Option<Worth> {
        self.nodes[ROOT].is_judged.then_some(self.nodes[ROOT].worth)
    }

    /// Goes down and judges until `remaining`, given the visits made in this search, says 0. Gives these visits. The first visit of a
    /// fresh tree judges the root.
    pub fn search<G: JudgedGame>(&mut self, game: &mut G, remaining: &mut dyn FnMut(u64) -> u64) -> u64 {
        let mut done = 0;
        let mut leaves = Vec::new();
        let mut ways: Vec<Vec<usize>> = Vec::new();
        loop {
            let left = remaining(done).min(u64::from(u32::MAX - self.nodes[ROOT].sums.visits));
            if left == 0 {
                return done;
            }
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(self.params.batch);
            let ended = self.gather_leaves(game, most, &mut leaves, &mut ways);
            game.judge_leaves(&mut leaves);
            done += ended + leaves.len() as u64;
            for (leaf, way) in leaves.drain(..).zip(ways.drain(..)) {
                self.record_judgement(&leaf, &way);
            }
        }
    }

    /// Goes down until there are `most` leaves to judge, or the next way comes to one that waits already. Gives how many ways came to
    /// positions that need no judge; these count at once.
    fn gather_leaves<G: JudgedGame>(
        &mut self,
        game: &G,
        most: usize,
        leaves: &mut Vec<JudgedLeaf<G::Position>>,
        ways: &mut Vec<Vec<usize>>,
    ) -> u64 {
        let mut ended = 0;
        while leaves.len() + (ended as usize) < most {
            let (leaf, way) = self.descend_to_leaf(game);
            let end = way[way.len() - 1];
            if self.nodes[end].is_judged {
                let worth = self.nodes[end].worth;
                self.add_worth_on_way(&way, worth);
                ended += 1;
            } else if self.nodes[end].pending > 0 {
                // It waits for the judge already.
                break;
            } else {
                for &node in &way {
                    self.nodes[node].pending += 1;
                }
                leaves.push(leaf);
                ways.push(way);
            }
        }
        ended
    }

    /// The way from the root to a position that is not judged, or that ends there because the game or the memory does.
    fn descend_to_leaf<G: JudgedGame>(&mut self, game: &G) -> (JudgedLeaf<G::Position>, Vec<usize>) {
        let mut position = game.root();
        let (mut way, mut path) = (vec![ROOT], Vec::new());
        let mut at = ROOT;
        while self.nodes[at].is_judged && !self.nodes[at].is_over() {
            let edge = self.choose_edge(at);
            let action = self.nodes[at].edges[edge].action;
            let Some(next) = self.follow_edge(at, edge) else { break };
            game.play(&mut position, action);
            path.push(action);
            way.push(next);
            at = next;
        }
        (JudgedLeaf { position, path, worth: Worth::default(), moves: Vec::new() }, way)
    }

    /// The position after a move; none if it is new and there is no room.
    fn follow_edge(&mut self, at: usize, edge: usize) -> Option<usize> {
        if let Some(next) = self.nodes[at].edges[edge].to {
            return Some(next as usize);
        }
        if self.nodes.len() >= self.params.most_positions {
            return None;
        }
        let next = self.nodes.len();
        self.nodes.push(JudgedNode::default());
        self.nodes[at].edges[edge].to = Some(u32::try_from(next).ok()?);
        Some(next)
    }

    /// The move that is looked at next: mean utility, and what its prior adds as long as it has few visits.
    fn choose_edge(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let seen = |to: Option<u32>| {
            to.map(|to| &self.nodes[to as usize]).filter(|node| node.visits_with_pending() > 0.0)
        };
        let mass: f32 = node.edges.iter().filter(|edge| seen(edge.to).is_some()).map(|edge| edge.prior).sum();
        let here = -node.sums.mean_of(node.sums.utility);
        // A move that was not tried counts as worse than the position itself, the more so the more of the likely moves were tried.
        let unseen = here - f64::from(self.params.first_play_reduction) * f64::from(mass).sqrt();
        let visits = f64::from(node.sums.visits) + f64::from(node.pending);
        let weight = self.params.prior_weight(visits) * visits.max(1.0).sqrt();
        let mut best = (f64::NEG_INFINITY, 0);
        for (index, edge) in node.edges.iter().enumerate() {
            let (value, tried) =
                seen(edge.to).map_or((unseen, 0.0), |node| (node.mean_utility(), node.visits_with_pending()));
            let score = value + weight * f64::from(edge.prior) / (1.0 + tried);
            if score > best.0 {
                best = (score, index);
            }
        }
        best.1
    }

    /// Keeps what was said of a leaf, and counts it on its way.
    fn record_judgement<P>(&mut self, leaf: &JudgedLeaf<P>, way: &[usize]) {
        let end = way[way.len() - 1];
        let width = if end == ROOT { usize::MAX } else { self.params.width };
        self.nodes[end].set_judgement(leaf.worth, &leaf.moves, width);
        for &node in way {
            self.nodes[node].pending -= 1;
        }
        self.add_worth_on_way(way, leaf.worth);
    }

    /// Adds a worth, of the side to move at the end of the way, to all positions on it.
    fn add_worth_on_way(&mut self, way: &[usize], worth: Worth) {
        // A position counts for the side that moved to it.
        let mut worth = worth.for_other_side();
        for &node in way.iter().rev() {
            self.nodes[node].sums.add_worth(worth, &self.params);
            worth = worth.for_other_side();
        }
    }

    /// Plays a move: what is known of the position after it stays, all else goes. Gives the visits that stay.
    pub fn advance(&mut self, action: Action) -> u32 {
        let to = self.nodes[ROOT].edges.iter().find(|edge| edge.action == action).and_then(|edge| edge.to);
        let Some(to) = to.map(|to| to as usize).filter(|&to| self.nodes[to].is_judged) else {
            self.clear();
            return 0;
        };
        let mut kept: Vec<JudgedNode> = Vec::new();
        let mut waiting = std::collections::VecDeque::from([to]);
        let mut number = 1;
        // Breadth first: the children of each get the next numbers in turn.
        while let Some(old) = waiting.pop_front() {
            let mut node = std::mem::take(&mut self.nodes[old]);
            for edge in &mut node.edges {
                if let Some(to) = edge.to {
                    waiting.push_back(to as usize);
                    edge.to = Some(number);
                    number += 1;
                }
            }
            kept.push(node);
        }
        self.nodes = kept;
        self.nodes[ROOT].sums.visits
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(JudgedNode::default());
    }
}

impl JudgedNode {
    /// Visits, and ways that are not judged yet.
    fn visits_with_pending(&self) -> f64 {
        f64::from(self.sums.visits) + f64::from(self.pending)
    }

    /// Mean utility for the side that moved here; ways that wait count as lost.
    fn mean_utility(&self) -> f64 {
        (self.sums.utility - f64::from(self.pending)) / self.visits_with_pending().max(1.0)
    }
}

impl WorthSums {
    /// Standard error of the mean utility; two visits are needed to tell one.
    pub(super) fn utility_standard_error(&self) -> Option<f64> {
        let visits = f64::from(self.visits);
        let mean = self.mean_of(self.utility);
        (self.visits > 1)
            .then(|| ((self.squares / visits - mean * mean).max(0.0) / (visits - 1.0) + 1e-4 / visits).sqrt())
    }
}
