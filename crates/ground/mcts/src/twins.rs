//! The tree against what it should be, counted from scratch.

use std::collections::BTreeMap;
use std::sync::Mutex;

use proptest::prelude::*;

use crate::domain::{Action, Candidate, Domain, SearchNodeId};
use crate::node::{Node, NodeLink};
use crate::params::{Selection, TreeParams};
use crate::toy::{Nim, Synthetic};
use crate::tree::{SearchBudget, Tree};

/// A playout as the domain saw it.
#[derive(Clone, Debug)]
struct Played {
    path: Vec<Action>,
    trace: Vec<Action>,
    reward: f32,
}

/// A domain that writes down what is asked of it.
struct Logged<D> {
    domain: D,
    played: Mutex<Vec<Played>>,
}

impl<D: Domain> Domain for Logged<D> {
    type Worker = (D::Worker, Vec<Action>);

    fn action_count(&self) -> usize {
        self.domain.action_count()
    }
    fn new_worker(&self, thread: usize) -> Self::Worker {
        (self.domain.new_worker(thread), Vec::new())
    }
    fn reset_worker(&self, (worker, path): &mut Self::Worker) {
        self.domain.reset_worker(worker);
        path.clear();
    }
    fn play_action(&self, (worker, path): &mut Self::Worker, action: Action) {
        self.domain.play_action(worker, action);
        path.push(action);
    }
    fn list_candidates(
        &self,
        (worker, path): &mut Self::Worker,
        depth: usize,
        candidates: &mut Vec<Candidate>,
    ) {
        assert_eq!(depth, path.len());
        self.domain.list_candidates(worker, depth, candidates);
    }
    fn run_playout(
        &self,
        (worker, path): &mut Self::Worker,
        leaf: SearchNodeId,
        trace: &mut Vec<Action>,
    ) -> f32 {
        assert!(trace.is_empty());
        let reward = self.domain.run_playout(worker, leaf, trace);
        self.played.lock().unwrap().push(Played { path: path.clone(), trace: trace.clone(), reward });
        reward
    }
}

/// Visits, sum of rewards, AMAF visits and sum of AMAF rewards of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counts {
    visits: u32,
    reward: f32,
    amaf: (f32, f32),
}

/// Nodes by their path.
type Nodes = BTreeMap<Vec<Action>, Counts>;

/// For the side that made the move number `depth` (from 1), who moved at an even depth if that is odd.
fn reward_for_mover(played: &Played, depth: usize) -> f32 {
    if depth % 2 == 1 { played.reward } else { 1.0 - played.reward }
}

/// Counts from scratch. Of AMAF, what a naive reading of the definition gives: for the node after `depth` moves, every action
/// that its side to move plays first from there on.
fn recount(log: &[Played]) -> Nodes {
    let mut nodes = Nodes::new();
    for played in log {
        let all: Vec<Action> = played.path.iter().chain(&played.trace).copied().collect();
        for depth in 0..=played.path.len() {
            let here = nodes.entry(played.path[..depth].to_vec()).or_default();
            here.visits += 1;
            here.reward += reward_for_mover(played, depth);
            if depth == played.path.len() {
                continue;
            }
            for (index, &action) in all.iter().enumerate().skip(depth) {
                if !all[depth..index].contains(&action) && (index - depth) % 2 == 0 {
                    let path = [&played.path[..depth], &[action]].concat();
                    let child = nodes.entry(path).or_default();
                    child.amaf.0 += 1.0;
                    child.amaf.1 += reward_for_mover(played, depth + 1);
                }
            }
        }
    }
    nodes
}

fn counts(node: &Node) -> Counts {
    let visits = node.visits();
    Counts { visits, reward: node.mean_reward().unwrap_or(0.0) * visits as f32, amaf: node.amaf_stats() }
}

/// All nodes of a tree.
fn nodes(tree: &Tree) -> Nodes {
    fn add(tree: &Tree, node: &Node, path: &mut Vec<Action>, nodes: &mut Nodes) {
        nodes.insert(path.clone(), counts(node));
        for child in tree.arena.children_of(node) {
            path.push(child.action());
            add(tree, child, path, nodes);
            path.pop();
        }
    }
    let mut nodes = Nodes::new();
    add(tree, tree.root(), &mut Vec::new(), &mut nodes);
    nodes
}

/// Those below the root's child with this action, with paths from there.
fn below(nodes: Nodes, action: Action) -> Nodes {
    let there = nodes.into_iter().filter(|(path, _)| path.first() == Some(&action));
    there.map(|(path, counts)| (path[1..].to_vec(), counts)).collect()
}

fn close(a: Counts, b: Counts) -> bool {
    let near = |a: f32, b: f32| (a - b).abs() <= 1e-3 * (1.0 + a.abs());
    a.visits == b.visits && near(a.reward, b.reward) && near(a.amaf.0, b.amaf.0) && near(a.amaf.1, b.amaf.1)
}

fn search<D: Domain>(tree: &mut Tree, domain: &D, playouts: u64, threads: usize) -> u32 {
    let mut remaining = |done| playouts.saturating_sub(done);
    tree.search(domain, &mut SearchBudget { remaining: &mut remaining, threads, check_every: 16 }).prunings
}

/// What holds in every node when no thread searches: playouts that went no further than the node are between the bounds, no
/// reward is out of range, and children stand by falling prior.
fn check_node(tree: &Tree, node: &Node, root: bool, own: std::ops::RangeInclusive<u32>) {
    let children = tree.arena.children_of(node);
    if children.is_empty() {
        return;
    }
    let below: u32 = children.iter().map(Node::visits).sum();
    let here = node.visits() - below;
    assert!(root || own.contains(&here), "{here} playouts of its own, not {own:?}");
    let flipped =
        |node: &Node| f64::from(node.visits()) * (1.0 - f64::from(node.mean_reward().unwrap_or(1.0)));
    let rest = f64::from(node.visits()) * f64::from(node.mean_reward().unwrap_or(0.0))
        - children.iter().map(flipped).sum::<f64>();
    assert!((-0.01..=f64::from(here) + 0.01).contains(&rest), "{rest} won of {here}");
    assert!(children.is_sorted_by(|a, b| a.prior() >= b.prior()));
    children.iter().for_each(|child| check_node(tree, child, false, own.clone()));
}

/// Blocks lie behind their parents' and next to each other (there is one chunk).
fn check_blocks(tree: &Tree) {
    let mut blocks = Vec::new();
    tree.arena.for_each_parent(|node| {
        if let NodeLink::Children(first) = node.link() {
            blocks.push((first as usize, node.child_count()));
        }
    });
    blocks.sort_unstable();
    let end = blocks.iter().fold(1, |end, &(first, length)| {
        assert_eq!(first, end);
        end + length
    });
    assert_eq!(end, tree.memory_use().0);
}

/// Playouts that start from a node before it is expanded, on one thread.
fn own_playouts(params: &TreeParams) -> std::ops::RangeInclusive<u32> {
    params.expand_at..=params.expand_at.max(1)
}

fn any_params() -> impl Strategy<Value = TreeParams> {
    let selection = prop_oneof![
        Just(Selection::Ucb1),
        Just(Selection::Ucb1Tuned),
        Just(Selection::Rave),
        Just(Selection::Puct)
    ];
    (selection, 0_u32..6, 0_u32..4, prop_oneof![Just(0.0_f32), Just(0.5)]).prop_map(
        |(selection, expand_at, widening_start, exploration)| TreeParams {
            selection,
            expand_at,
            widening_start,
            widening_visits: 5.0,
            exploration,
            amaf_margin: 1_000,
            stop_when_settled: false,
            ..TreeParams::default()
        },
    )
}

/// With blocks of 1000 nodes, each chunk of 65536 ends in a gap, and gaps differ before and after.
#[test]
fn many_chunks_move_as_one() {
    let mut tree = Tree::new(TreeParams {
        expand_at: 1,
        widening_start: 5,
        stop_when_settled: false,
        ..TreeParams::default()
    });
    search(&mut tree, &Synthetic::new(1_000, 5, 3), 600, 1);
    assert!(tree.memory_use().0 > 4 * (1 << 16));
    let before = nodes(&tree);
    tree.arena.compact(0, |_| true);
    assert_eq!(nodes(&tree), before);
    tree.arena.compact(0, |node| node.visits() > 3);
    let pruned = nodes(&tree);
    assert!(pruned.len() > 3_000 && pruned.len() < before.len() && pruned.len() <= tree.memory_use().0);
    assert!(pruned.iter().all(|(path, counts)| before[path] == *counts));
    let best = tree.ranked_children()[0].action;
    tree.advance(best);
    assert_eq!(nodes(&tree), below(pruned, best));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_tree_counts_what_was_played(params in any_params(), seed: u64, moves in 0_usize..12) {
        let rave = params.selection == Selection::Rave;
        let log = Logged { domain: Synthetic::new(9, moves, seed), played: Mutex::default() };
        let mut tree = Tree::new(params.clone());
        search(&mut tree, &log, 300, 1);
        let expected = recount(&log.played.lock().unwrap());
        for (path, counted) in nodes(&tree) {
            let mut expected = expected.get(&path).copied().unwrap_or_default();
            // The opinion of the toy: ten playouts at a half each.
            if !path.is_empty() {
                expected.amaf = if rave { (expected.amaf.0 + 10.0, expected.amaf.1 + 5.0) } else { (0.0, 0.0) };
            } else {
                expected.amaf = (0.0, 0.0);
            }
            prop_assert!(close(counted, expected), "{path:?}: {counted:?}, expected {expected:?}");
        }
        check_node(&tree, tree.root(), true, own_playouts(&params));
        check_blocks(&tree);
    }

    #[test]
    fn threads_lose_no_playout_in_any_node(params in any_params(), seed: u64, virtual_loss in 0_u32..4) {
        let mut tree = Tree::new(TreeParams { virtual_loss, ..params.clone() });
        let log = Logged { domain: Nim::new(&[3, 4, 5], seed), played: Mutex::default() };
        search(&mut tree, &log, 1_000, 3);
        let expected = recount(&log.played.lock().unwrap());
        for (path, counted) in nodes(&tree) {
            let expected = expected.get(&path).copied().unwrap_or_default();
            prop_assert_eq!((counted.visits, counted.reward.round()), (expected.visits, expected.reward), "{:?}", path);
        }
        // Others play on from a leaf that one thread expands.
        check_node(&tree, tree.root(), true, 0..=1_000);
        check_blocks(&tree);
    }

    #[test]
    fn advancing_keeps_exactly_the_subtree(params in any_params(), seed: u64, child in 0_usize..9) {
        let mut tree = Tree::new(params.clone());
        search(&mut tree, &Synthetic::new(9, 20, seed), 500, 1);
        let action = tree.ranked_children()[child].action;
        let kept = below(nodes(&tree), action);
        tree.advance(action);
        prop_assert_eq!(nodes(&tree), kept);
        check_blocks(&tree);
        search(&mut tree, &Synthetic::new(9, 20, seed), 100, 1);
        check_blocks(&tree);
        check_node(&tree, tree.root(), true, own_playouts(&params));
    }

    #[test]
    fn pruning_drops_the_least_visited_only(params in any_params(), seed: u64) {
        let mut tree = Tree::new(TreeParams { memory: 32 * 2_000, expand_at: params.expand_at.max(1), ..params });
        search(&mut tree, &Synthetic::new(9, 20, seed), 600, 1);
        let before = nodes(&tree);
        tree.prune();
        let after = nodes(&tree);
        prop_assert!(after.len() <= 1_000 || after.len() == before.len());
        // What is left is as it was, and what is gone was below a node with fewer visits than any that kept its children.
        let parents = |nodes: &Nodes| -> Vec<Vec<Action>> {
            nodes.keys().filter(|path| !path.is_empty()).map(|path| path[..path.len() - 1].to_vec()).collect()
        };
        let least = parents(&after).iter().map(|path| before[path].visits).min().unwrap();
        let kept = parents(&after);
        for parent in parents(&before) {
            prop_assert!(kept.contains(&parent) || before[&parent].visits < least);
        }
        for (path, counts) in &after {
            prop_assert_eq!(counts, &before[path]);
        }
        check_blocks(&tree);
    }

    #[test]
    fn a_search_that_prunes_stays_whole(params in any_params(), seed: u64, threads in 1_usize..3) {
        let mut tree = Tree::new(TreeParams { memory: 32 * 500, ..params.clone() });
        let domain = Synthetic::new(9, 20, seed);
        let prunings = search(&mut tree, &domain, 3_000, threads);
        prop_assert!(prunings > 0 || tree.memory_use().0 < 500);
        prop_assert_eq!(tree.visits(), 3_000);
        check_node(&tree, tree.root(), true, 0..=3_000);
        check_blocks(&tree);
    }
}
