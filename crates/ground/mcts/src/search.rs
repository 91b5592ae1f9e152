//! Playouts: down the tree, to the end of the game, and back up; on one thread or several.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::amaf::FirstPlays;
use crate::arena::{Arena, ROOT};
use crate::choice;
use crate::domain::{Action, Candidate, Domain, SearchNodeId};
use crate::node::{MAX_VISITS, Node, NodeLink, Reward};
use crate::params::{Opinion, Selection, TreeParams};
use crate::select::Selector;
use crate::tree::{SearchBudget, Tree};

/// After so many visits of a node the AMAF statistics of its children are halved: an `f32` counts to 2^24, and after that the
/// sum of rewards would still grow.
const AMAF_PERIOD: u32 = 1 << 21;

/// What one thread works with.
pub(crate) struct SearchThread<W> {
    pub(crate) worker: W,
    trace: Vec<Action>,
    candidates: Vec<Candidate>,
    first_plays: FirstPlays,
}

impl<W> SearchThread<W> {
    pub(crate) fn new<D: Domain<Worker = W>>(
        domain: &D,
        thread: usize,
        params: &TreeParams,
    ) -> SearchThread<W> {
        SearchThread {
            worker: domain.new_worker(thread),
            trace: Vec::new(),
            candidates: Vec::new(),
            first_plays: FirstPlays::new(domain.action_count(), params),
        }
    }
}

/// Why the threads came together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchEnd {
    /// The budget is spent.
    Spent,
    /// The choice is settled.
    Settled,
    /// The arena is full.
    Full,
}

/// A node on the way of a playout, and its children that gather AMAF (none: it is the leaf).
struct PathStep<'a> {
    node: &'a Node,
    children: &'a [Node],
}

/// What the threads of a search share.
pub(crate) struct TreeSearch<'a, D> {
    arena: &'a Arena,
    params: &'a TreeParams,
    selector: &'a Selector,
    domain: &'a D,
    /// Expand nothing any more: there is no memory, and dropping nodes gives none.
    frozen: bool,
    opinion: (bool, bool),
    /// Playouts begun.
    begun: AtomicU64,
    /// Playouts that may begin before the budget is asked again.
    limit: AtomicU64,
    full: AtomicBool,
    stop: AtomicBool,
}

impl<'a, D: Domain> TreeSearch<'a, D> {
    /// A search of a tree that goes on after `done` playouts.
    pub(crate) fn new(tree: &'a Tree, domain: &'a D, done: u64, frozen: bool) -> Self {
        TreeSearch {
            arena: &tree.arena,
            params: &tree.params,
            selector: &tree.selector,
            domain,
            frozen,
            opinion: opinion_targets(&tree.params),
            begun: AtomicU64::new(done),
            limit: AtomicU64::new(done),
            full: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        }
    }

    /// Searches until the budget ends or the arena is full. Gives why, and the playouts done in all.
    pub(crate) fn run_threads(
        &self,
        hands: &mut [SearchThread<D::Worker>],
        budget: &mut SearchBudget<'_>,
    ) -> (SearchEnd, u64) {
        let (first, others) = hands.split_first_mut().expect("a search has a thread");
        self.expand_root(first);
        let end = if others.is_empty() {
            self.run_leader::<false>(first, budget)
        } else {
            std::thread::scope(|scope| {
                for hand in others {
                    scope.spawn(|| self.run_follower(hand));
                }
                // If this thread panics, the others must end too.
                let _stop = StopOnDrop(&self.stop);
                self.run_leader::<true>(first, budget)
            })
        };
        (end, self.begun.load(Relaxed))
    }

    /// The thread that asks the budget.
    fn run_leader<const SHARED: bool>(
        &self,
        hand: &mut SearchThread<D::Worker>,
        budget: &mut SearchBudget<'_>,
    ) -> SearchEnd {
        let mut path = Vec::new();
        loop {
            let begun = self.begun.load(Relaxed);
            let remaining = (budget.remaining)(begun);
            if let Some(end) = self.check_end(remaining) {
                return end;
            }
            // The other threads ask nobody: this is how far they may go until the next look at the budget.
            self.limit.store(begun.saturating_add(remaining.min(self.visits_left())), Relaxed);
            for _ in 0..budget.check_every.max(1) {
                if self.full.load(Relaxed) {
                    return SearchEnd::Full;
                }
                if !self.begin_playout::<SHARED>() {
                    break;
                }
                self.run_playout::<SHARED>(hand, &mut path);
            }
        }
    }

    /// A thread that only plays.
    fn run_follower(&self, hand: &mut SearchThread<D::Worker>) {
        let mut path = Vec::new();
        while !self.stop.load(Relaxed) && !self.full.load(Relaxed) {
            if self.begin_playout::<true>() {
                self.run_playout::<true>(hand, &mut path);
            } else {
                std::thread::yield_now();
            }
        }
    }

    /// Is this the end, if that many playouts are left?
    fn check_end(&self, remaining: u64) -> Option<SearchEnd> {
        let root = self.arena.node(ROOT);
        let settled = || {
            self.begun.load(Relaxed) >= u64::from(self.params.settle_after)
                && choice::is_settled(self.params, self.arena.children_of(root), remaining)
        };
        if remaining == 0 || self.visits_left() == 0 {
            Some(SearchEnd::Spent)
        } else {
            (self.params.stop_when_settled && settled()).then_some(SearchEnd::Settled)
        }
    }

    /// Playouts that the root can still count.
    fn visits_left(&self) -> u64 {
        u64::from(MAX_VISITS.saturating_sub(self.arena.node(ROOT).visits()))
    }

    /// Takes one of the playouts that may begin.
    fn begin_playout<const SHARED: bool>(&self) -> bool {
        let limit = self.limit.load(Relaxed);
        let next = |begun| (begun < limit).then_some(begun + 1);
        if SHARED {
            return self.begun.fetch_update(Relaxed, Relaxed, next).is_ok();
        }
        let next = next(self.begun.load(Relaxed));
        next.inspect(|&next| self.begun.store(next, Relaxed)).is_some()
    }

    fn run_playout<const SHARED: bool>(
        &self,
        hand: &mut SearchThread<D::Worker>,
        path: &mut Vec<PathStep<'a>>,
    ) {
        self.domain.reset_worker(&mut hand.worker);
        let leaf = self.descend_to_leaf::<SHARED>(hand, path);
        hand.trace.clear();
        let reward = self.domain.run_playout(&mut hand.worker, leaf, &mut hand.trace);
        self.update_path::<SHARED>(hand, path, Reward::new(reward));
    }

    /// Goes from the root to the node where the playout starts.
    fn descend_to_leaf<const SHARED: bool>(
        &self,
        hand: &mut SearchThread<D::Worker>,
        path: &mut Vec<PathStep<'a>>,
    ) -> SearchNodeId {
        path.clear();
        let mut number = ROOT;
        let mut node = self.arena.node(ROOT);
        let mut expanded = false;
        loop {
            let visits = node.visits();
            // 1. The root was expanded before the first playout.
            if node.link() == NodeLink::Leaf && number != ROOT && !expanded && visits >= self.params.expand_at
            {
                expanded = true;
                self.expand_leaf(hand, node, SearchNodeId(number), path.len());
            }
            // 2. Without children (they may have come from another thread) this is where the playout starts.
            let NodeLink::Children(first) = node.link() else {
                path.push(PathStep { node, children: &[] });
                return SearchNodeId(number);
            };
            // 3. One of the children is next.
            let children = self.arena.node_block(first, node.child_count());
            let considered = self.selector.considered_count(visits, children.len());
            let index = self.selector.choose_child(visits, &children[..considered]);
            // Children that are about to be considered learn from the playouts before.
            let amaf = children.len().min(considered + self.params.amaf_margin as usize);
            path.push(PathStep { node, children: &children[..amaf] });
            node = &children[index];
            number = first + index as u32;
            if SHARED {
                node.pretend_losses(self.params.virtual_loss);
            }
            self.domain.play_action(&mut hand.worker, node.action());
        }
    }

    /// So that even without a playout the moves are known, and no thread begins before they are.
    fn expand_root(&self, hand: &mut SearchThread<D::Worker>) {
        let root = self.arena.node(ROOT);
        if root.link() == NodeLink::Leaf {
            self.domain.reset_worker(&mut hand.worker);
            self.expand_leaf(hand, root, SearchNodeId(ROOT), 0);
        }
    }

    /// Gives a leaf its children, if it can: another thread may be at it, or memory may be lacking.
    fn expand_leaf(
        &self,
        hand: &mut SearchThread<D::Worker>,
        leaf: &Node,
        number: SearchNodeId,
        depth: usize,
    ) {
        if self.frozen || self.full.load(Relaxed) || !leaf.claim_expansion() {
            return;
        }
        hand.candidates.clear();
        self.domain.list_candidates(&mut hand.worker, depth, &mut hand.candidates);
        if hand.candidates.is_empty() {
            leaf.set_terminal();
            return;
        }
        let Some(first) = self.arena.allocate_block(hand.candidates.len()) else {
            // The claim is given back: once memory is free the leaf may grow.
            leaf.set_leaf();
            self.full.store(true, Relaxed);
            return;
        };
        // Widening takes children from the front. Actions decide among equals, so that it does not matter in which order they were found.
        hand.candidates.sort_unstable_by(|a, b| b.prior.total_cmp(&a.prior).then(a.action.cmp(&b.action)));
        let (rate, amaf) = self.opinion;
        for (node, candidate) in
            self.arena.node_block(first, hand.candidates.len()).iter().zip(&hand.candidates)
        {
            node.reset_to_candidate(candidate, rate, amaf);
        }
        // Other threads see the children only when all of them are ready.
        self.domain.on_expanded(number);
        leaf.set_children(first, hand.candidates.len() as u16);
    }

    /// Counts a playout in every node on its way.
    fn update_path<const SHARED: bool>(
        &self,
        hand: &mut SearchThread<D::Worker>,
        path: &[PathStep<'a>],
        reward: Reward,
    ) {
        // Rewards by side: 0 moves at the root. A node counts for the side that moved there: the other than moves in it.
        let rewards = [reward, reward.for_other_side()];
        let rave = self.params.selection == Selection::Rave;
        let plays = &mut hand.first_plays;
        if rave {
            plays.load_trace(&hand.trace, (path.len() - 1) & 1);
        }
        let mut below: Option<&Node> = None;
        for (depth, step) in path.iter().enumerate().rev() {
            let side = depth & 1;
            let pretended = if SHARED && depth > 0 { self.params.virtual_loss } else { 0 };
            step.node.add_playout::<SHARED>(rewards[1 - side], pretended);
            if let (true, Some(child)) = (rave, below) {
                plays.prepend_play(child.action(), side);
                let reward = rewards[side].as_f32();
                for child in step.children {
                    child.add_amaf(reward, plays.weight(child.action(), side));
                }
                if step.node.visits().is_multiple_of(AMAF_PERIOD) {
                    step.children.iter().for_each(Node::halve_amaf);
                }
            }
            below = Some(step.node);
        }
    }
}

/// Where opinions go: into the rate, into AMAF.
fn opinion_targets(params: &TreeParams) -> (bool, bool) {
    match params.opinion {
        Opinion::Auto => {
            let rave = params.selection == Selection::Rave;
            (!rave, rave)
        }
        Opinion::Rate => (true, false),
        Opinion::Amaf => (false, true),
        Opinion::Both => (true, true),
    }
}

/// Tells the other threads to stop when the first one leaves, however it does.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
