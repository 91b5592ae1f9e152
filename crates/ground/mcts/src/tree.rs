//! The tree.

use crate::arena::{Arena, ROOT};
use crate::choice;
use crate::domain::{Action, Domain};
use crate::node::{Node, NodeLink};
use crate::params::TreeParams;
use crate::search::{SearchEnd, SearchThread, TreeSearch};
use crate::select::Selector;

/// When a search ends, and who hears of it.
pub struct SearchBudget<'a> {
    /// Given the playouts begun in this search, how many can still come (an estimate, if time is the limit)? 0: stop. If what
    /// it says has been used up, it is asked again. Asked from the thread that called, every few playouts.
    pub remaining: &'a mut dyn FnMut(u64) -> u64,
    /// Threads that search; 0 is taken for 1.
    pub threads: usize,
    /// Playouts of a thread between two looks at `remaining`; 0 is taken for 1.
    pub check_every: u32,
}

/// What a search did.
pub struct SearchOutcome<W> {
    /// Playouts of this search.
    pub playouts: u64,
    /// Did it end because the choice was settled?
    pub settled: bool,
    /// Times that nodes were dropped because memory was full.
    pub prunings: u32,
    /// The workers, for what they have gathered.
    pub workers: Vec<W>,
}

/// What the tree knows of a child of the root.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ChildReport {
    /// The move.
    pub action: Action,
    /// Playouts through it.
    pub visits: u32,
    /// Their mean reward for the side to move at the root, 0 to 1; 0 without visits.
    pub win_rate: f32,
    /// Lower confidence bound of it (Wilson's, [`TreeParams::lcb_z`] standard deviations: 95 % on one side by default).
    pub lower_bound: f32,
    /// Prior probability.
    pub prior: f32,
    /// AMAF playouts (with the opinion, if it went there), and their mean reward; 0 and 0 without.
    pub amaf: (f32, f32),
    /// Expected continuation, this move first: the most visited ones.
    pub variation: Vec<Action>,
    /// Playouts through each of its moves.
    pub variation_visits: Vec<u32>,
}

/// A search tree.
///
/// ```
/// use ishi_mcts::toy::Nim;
/// use ishi_mcts::{SearchBudget, TreeParams, Selection, Tree};
///
/// // Who takes the last stone wins; the one winning move is to make all heaps' exclusive or vanish: 5 to 3 in heap 2.
/// let game = Nim::new(&[1, 2, 5], 2026);
/// let mut tree = Tree::new(TreeParams { selection: Selection::Ucb1, exploration: 1.0, ..TreeParams::default() });
/// let outcome = tree.search(
///     &game,
///     &mut SearchBudget { remaining: &mut |done| 20_000_u64.saturating_sub(done), threads: 1, check_every: 100 },
/// );
/// assert!(outcome.playouts <= 20_000);
/// let best = &tree.ranked_children()[0];
/// assert_eq!(best.action, Nim::take_action(2, 2));
/// assert!(best.win_rate > 0.9);
/// // The move is played: its part of the tree stays.
/// assert_eq!(tree.advance(best.action), best.visits);
/// ```
pub struct Tree {
    pub(crate) params: TreeParams,
    pub(crate) selector: Selector,
    pub(crate) arena: Arena,
}

impl Tree {
    /// An empty tree. What [`TreeParams::check`] finds fault with is not looked for here.
    pub fn new(params: TreeParams) -> Tree {
        Tree { selector: Selector::new(&params), arena: Arena::new(params.memory), params }
    }

    /// Its parameters.
    pub fn params(&self) -> &TreeParams {
        &self.params
    }

    /// Runs playouts of `domain` until the budget ends, the choice is settled, or the root has 66 million visits.
    ///
    /// With one thread the result depends on the domain, the parameters and the tree before only. When memory is full, the
    /// threads meet, the least visited nodes lose their children (down to half of the memory), and the search goes on; if that
    /// does not help, it goes on without growing.
    pub fn search<D: Domain>(
        &mut self,
        domain: &D,
        budget: &mut SearchBudget<'_>,
    ) -> SearchOutcome<D::Worker> {
        let mut hands: Vec<_> = (0..budget.threads.max(1))
            .map(|thread| SearchThread::new(domain, thread, &self.params))
            .collect();
        let (mut done, mut prunings, mut frozen) = (0, 0, false);
        let settled = loop {
            let search = TreeSearch::new(self, domain, done, frozen);
            let (end, begun) = search.run_threads(&mut hands, budget);
            done = begun;
            match end {
                SearchEnd::Spent => break false,
                SearchEnd::Settled => break true,
                SearchEnd::Full => {
                    domain.on_renumbered();
                    frozen = !self.prune();
                    prunings += 1;
                }
            }
        };
        let workers = hands.into_iter().map(|hand| hand.worker).collect();
        SearchOutcome { playouts: done, settled, prunings, workers }
    }

    /// Playouts through the root.
    pub fn visits(&self) -> u32 {
        self.root().visits()
    }

    /// Mean reward of the playouts for the side to move at the root, 0 to 1; none without playouts.
    ///
    /// ```
    /// # use ishi_mcts::toy::Nim;
    /// # use ishi_mcts::{SearchBudget, Selection, Tree, TreeParams};
    /// # let game = Nim::new(&[1, 2, 5], 2026);
    /// # let mut tree = Tree::new(TreeParams { selection: Selection::Ucb1, exploration: 1.0, ..TreeParams::default() });
    /// # let mut remaining = |done| 20_000_u64.saturating_sub(done);
    /// # tree.search(&game, &mut SearchBudget { remaining: &mut remaining, threads: 1, check_every: 100 });
    /// // Whoever is to move wins.
    /// assert!(tree.mean_reward().is_some_and(|reward| reward > 0.5));
    /// ```
    pub fn mean_reward(&self) -> Option<f32> {
        self.root().mean_reward().map(|rate| 1.0 - rate)
    }

    /// The children of the root, the one to play first.
    ///
    /// ```
    /// # use ishi_mcts::toy::Nim;
    /// # use ishi_mcts::{SearchBudget, Selection, Tree, TreeParams};
    /// # let game = Nim::new(&[1, 2, 5], 2026);
    /// # let mut tree = Tree::new(TreeParams { selection: Selection::Ucb1, exploration: 1.0, ..TreeParams::default() });
    /// # let mut remaining = |done| 20_000_u64.saturating_sub(done);
    /// # tree.search(&game, &mut SearchBudget { remaining: &mut remaining, threads: 1, check_every: 100 });
    /// assert_eq!(tree.ranked_children()[0].action, Nim::take_action(2, 2));
    /// ```
    pub fn ranked_children(&self) -> Vec<ChildReport> {
        let children = self.arena.children_of(self.root());
        let order = choice::rank_children(&self.params, children);
        order.into_iter().map(|index| self.report_child(&children[index])).collect()
    }

    /// Makes the child with this action the root and keeps what is below it. Gives the visits kept; 0 if there is no such
    /// child, and then the tree is empty.
    ///
    /// ```
    /// # use ishi_mcts::toy::Nim;
    /// # use ishi_mcts::{SearchBudget, Selection, Tree, TreeParams};
    /// # let game = Nim::new(&[1, 2, 5], 2026);
    /// # let mut tree = Tree::new(TreeParams { selection: Selection::Ucb1, exploration: 1.0, ..TreeParams::default() });
    /// # let mut remaining = |done| 20_000_u64.saturating_sub(done);
    /// # tree.search(&game, &mut SearchBudget { remaining: &mut remaining, threads: 1, check_every: 100 });
    /// let kept = tree.advance(Nim::take_action(2, 2));
    /// assert!(kept > 0 && kept == tree.visits());
    /// ```
    pub fn advance(&mut self, action: Action) -> u32 {
        let NodeLink::Children(first) = self.root().link() else {
            self.clear();
            return 0;
        };
        let children = self.arena.children_of(self.root());
        let Some(index) = children.iter().position(|child| child.action() == action) else {
            self.clear();
            return 0;
        };
        self.arena.compact(first + index as u32, |_| true);
        self.visits()
    }

    /// Removes the root's children whose action is not to be kept, with their playouts. If none is left, the root is expanded
    /// afresh by the next search. Gives the number removed.
    pub fn retain_root(&mut self, keep: &dyn Fn(Action) -> bool) -> usize {
        let root = self.root();
        let children = self.arena.children_of(root);
        let NodeLink::Children(first) = root.link() else { return 0 };
        let mut kept = 0;
        for child in children {
            if keep(child.action()) {
                children[kept].copy_from(child);
                kept += 1;
            } else {
                root.forget_child(child);
            }
        }
        let removed = children.len() - kept;
        if kept == 0 {
            root.set_leaf();
        } else {
            root.set_children(first, kept as u16);
        }
        if removed > 0 {
            self.arena.compact(ROOT, |_| true);
        }
        removed
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.arena.clear();
    }

    /// Nodes of the tree, and the bytes allocated for nodes. What `advance` and pruning free stays allocated for what comes.
    pub fn memory_use(&self) -> (usize, usize) {
        (self.arena.used_nodes(), self.arena.allocated_bytes())
    }

    pub(crate) fn root(&self) -> &Node {
        self.arena.node(ROOT)
    }

    fn report_child(&self, child: &Node) -> ChildReport {
        let (visits, rate) = (child.visits(), child.mean_reward().unwrap_or(0.0));
        let bound = choice::lower_bound(f64::from(rate), f64::from(visits), f64::from(self.params.lcb_z));
        let (count, sum) = child.amaf_stats();
        let (variation, variation_visits) =
            self.principal_variation(child).map(|node| (node.action(), node.visits())).unzip();
        ChildReport {
            action: child.action(),
            visits,
            win_rate: rate,
            lower_bound: bound as f32,
            prior: child.prior(),
            amaf: if count > 0.0 { (count, sum / count) } else { (0.0, 0.0) },
            variation,
            variation_visits,
        }
    }

    /// This node and what was visited most after it.
    fn principal_variation<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = &'a Node> {
        std::iter::successors(Some(node), |node| {
            // The first among equals, which has the highest prior.
            let next = self.arena.children_of(node).iter().rev().max_by_key(|child| child.visits());
            next.filter(|next| next.visits() > 0)
        })
    }

    /// Drops the children of the least visited nodes until half of the memory is free. Gives whether that made room.
    pub(crate) fn prune(&mut self) -> bool {
        let mut parents = Vec::new();
        self.arena.for_each_parent(|node| parents.push((node.visits(), node.child_count())));
        parents.sort_unstable_by(|a, b| b.cmp(a));
        let (before, half) = (self.arena.used_nodes(), self.arena.capacity() / 2);
        let mut nodes = 0;
        let overflow = parents.iter().find(|&&(_, children)| {
            nodes += children;
            nodes > half
        });
        // All with as few visits as the first that does not fit go.
        let threshold = overflow.map_or(0, |&(visits, _)| visits.saturating_add(1));
        self.arena.compact(ROOT, |node| node.visits() >= threshold);
        let used = self.arena.used_nodes();
        used < before && used <= self.arena.capacity() / 4 * 3
    }
}
