//! The second stage: branch and bound over the core.

use super::dual::{StepOptions, SubgradientSolver};
use super::frame::ProofFrame;
use super::node::{BranchNode, CoreBounds, node_bytes};
use super::search::{NOTHING, ProofSearch};
use crate::problem::Slot;

/// Steps for better potentials at the root of the core, and at the nodes below.
const ROOT: StepOptions = StepOptions { most: 200, first: 1.0, patience: 4 };
const BELOW: StepOptions = StepOptions { most: 20, first: 1.0, patience: 3 };

/// Looks for a better deck in a node; what is left undone is told to the search.
pub(super) fn search_node(
    node: BranchNode,
    frame: &ProofFrame<'_>,
    search: &mut ProofSearch<'_>,
    depth: usize,
    bound: i64,
) {
    search.work.nodes += 1;
    search.notify_observer();
    if search.is_stopped {
        search.leave_open(bound);
        return;
    }
    if node.counts.least == 0 {
        frame.consider_slots(node.chosen.iter().copied(), search);
    }
    if node.counts.most == 0 {
        return;
    }
    let mut core = CoreBounds::new(node);
    let mut bound = bound;
    let mut dual = SubgradientSolver::default();
    loop {
        let Some(item) = tighten_core(&mut core, frame, search, &mut dual, depth, &mut bound) else { return };
        let node = &core.node;
        let bytes = node_bytes(node.len() - 1, node.resource_count(), node.counts.most);
        if search.take_memory(bytes) {
            search_node(node.choose_item(item), frame, search, depth + 1, bound);
        }
        search.give_back_memory(bytes);
        // Decks with the item are done with: what is left to prove is of decks without it.
        let rest: Vec<usize> = (0..core.node.len()).filter(|&other| other != item).collect();
        if search.is_stopped {
            search.leave_open(bound);
            return;
        }
        core.keep_items(&rest);
    }
}

/// Improves the bound and deletes items until nothing is left (`None`) or the item to branch on stands out.
fn tighten_core(
    core: &mut CoreBounds,
    frame: &ProofFrame<'_>,
    search: &mut ProofSearch<'_>,
    dual: &mut SubgradientSolver,
    depth: usize,
    bound: &mut i64,
) -> Option<usize> {
    let steps = if depth == 0 { ROOT } else { BELOW };
    loop {
        let mut target = search.bound_target();
        let found =
            dual.improve_bound(core, &mut target, steps, &mut |core: &CoreBounds, choice, target| {
                let slots = choice.iter().map(|&item| core.node.slots[item as usize]);
                let chosen: Vec<Slot> = core.node.chosen.iter().copied().chain(slots).collect();
                if frame.consider_slots(chosen, search) {
                    *target = search.bound_target();
                }
                search.ask_observer(target);
            })?;
        search.work.moves += std::mem::take(&mut dual.steps);
        *bound = (*bound).min(found);
        if *bound <= search.bound_target() {
            return None;
        }
        let before = core.node.len();
        let reduced = reduce_core(core, search.bound_target());
        *bound = (*bound).min(reduced.bound);
        if *bound <= search.bound_target() || core.node.len() == 0 {
            return None;
        }
        search.notify_observer();
        if search.is_stopped {
            search.leave_open(*bound);
            return None;
        }
        // A round that deletes less than a tenth of the items, and forbids few pairs, brings less than to branch.
        if core.node.len() * 10 > before * 9 && reduced.forbidden * 20 < before {
            return Some(reduced.best);
        }
    }
}

/// What a reduction came to.
struct CoreReduction {
    /// The bound of the node.
    bound: i64,
    /// The item with the largest bound.
    best: usize,
    /// Pairs that were forbidden.
    forbidden: usize,
}

/// Deletes items, and forbids pairs, that no better deck has.
fn reduce_core(core: &mut CoreBounds, target: i64) -> CoreReduction {
    let n = core.node.len();
    let mut pairs = Vec::new();
    let mut bounds = Vec::with_capacity(n);
    for item in 0..n {
        let bound = core.bound_with_item(item).unwrap_or(NOTHING);
        bounds.push(bound);
        if bound > target {
            let is_hopeless = |&other: &usize| other != item && core.bound_with_pair(bound, other) <= target;
            pairs.extend((0..n).filter(is_hopeless).map(|other| (item, other)));
        }
    }
    let items: Vec<usize> = (0..n).filter(|&item| bounds[item] > target).collect();
    let mut forbidden = 0;
    // Only now: each bound was that of the node without any new ban.
    for (a, b) in pairs {
        if bounds[b] > target && !core.node.is_forbidden(a, b) {
            core.node.forbid_pair(a, b);
            forbidden += 1;
        }
    }
    if items.len() < n || forbidden > 0 {
        core.keep_items(&items);
    }
    let mut kept: Vec<i64> = items.iter().map(|&item| bounds[item]).collect();
    let best = (0..kept.len()).max_by_key(|&at| kept[at]).unwrap_or(0);
    // Every item of a deck has a bound no less than its value, so the least of the best ones bounds the deck too.
    let least = (core.node.counts.least as usize).max(1);
    kept.sort_unstable_by_key(|&bound| std::cmp::Reverse(bound));
    let bound = kept.get(least - 1).copied().unwrap_or(NOTHING);
    CoreReduction { bound, best, forbidden }
}
