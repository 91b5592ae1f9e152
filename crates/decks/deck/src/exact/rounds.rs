//! The first stage: rounds of better bounds over the whole table and deletion, with decks looked for on the way.

use std::ops::ControlFlow;

use ishi_work::continue_unless;

use super::branch;
use super::dual::{StepOptions, SubgradientSolver};
use super::frame::ProofFrame;
use super::local::SwapSearch;
use super::node::node_bytes;
use super::search::ProofSearch;
use super::wide::TableBounds;

/// Steps of the search that finds a deck to begin with, and of the one for problems whose core stays large.
pub(super) const FIRST_STEPS: u64 = 120;
const LONG_STEPS: u64 = 3000;

/// A core of more items is not searched in a moment. Tests have small problems and are to come here too.
const LARGE_CORE: usize = if cfg!(test) { 3 } else { 150 };

/// Steps for better potentials between two reductions of the whole table, and how often.
const WIDE: StepOptions = StepOptions { most: 40, first: 1.0, patience: 4 };
pub(super) const WIDE_ROUNDS: usize = 40;

/// Steps between two tries to make a deck of a choice, and how many partners of each of its pieces are tried.
const TRY_EVERY: usize = 10;
const TRIED_PARTNERS: usize = 24;

/// Pieces of the decks that are tried after a reduction.
const TRIED_BEST: usize = 60;

/// So few items are searched at once.
const CORE: usize = if cfg!(test) { 2 } else { 60 };

/// Finds the best deck of a frame, or proves that none is better than what there is.
pub(super) fn prove_best_in_frame(frame: &ProofFrame<'_>, search: &mut ProofSearch<'_>) {
    prove_from_potentials(frame, None, search, i64::MAX);
}

/// The same with potentials and a bound that are there already.
pub(super) fn prove_from_potentials(
    frame: &ProofFrame<'_>,
    from: Option<&TableBounds<'_>>,
    search: &mut ProofSearch<'_>,
    bound: i64,
) {
    if frame.counts.least == 0 {
        frame.consider_slots([], search);
    }
    if frame.counts.most == 0 || frame.items.is_empty() {
        return;
    }
    let bytes = TableBounds::bytes_for(frame);
    if search.take_memory(bytes) {
        let wide = TableBounds::new(frame, search.factor, from);
        if search.best.is_none() {
            find_first_decks(&wide, search);
        }
        let mut moved = 0;
        prove_with_bounds(wide, search, bound, &mut moved);
        search.give_back_memory(moved);
    } else {
        search.leave_open(bound);
    }
    search.give_back_memory(bytes);
}

/// Takes the memory of what steps have moved, of which `moved` was taken before; whether the work goes on. What was moved must be given back with the
/// bounds.
pub(super) fn take_moves(wide: &TableBounds<'_>, moved: &mut usize, search: &mut ProofSearch<'_>) -> bool {
    let more = wide.bytes_of_moves().saturating_sub(*moved);
    *moved += more;
    more == 0 || search.take_memory(more)
}

/// `moved` is the memory that steps have taken so far.
fn prove_with_bounds(mut wide: TableBounds<'_>, search: &mut ProofSearch<'_>, bound: i64, moved: &mut usize) {
    let frame = wide.frame;
    let mut rounds = BoundRounds::new(&wide, bound);
    let mut left = WIDE_ROUNDS;
    while left > 0 {
        left -= 1;
        if rounds.run_round(&mut wide, search).is_break() {
            return;
        }
        if !take_moves(&wide, moved, search) {
            search.leave_open(rounds.bound);
            return;
        }
        if rounds.has_reduced {
            try_best_rows(frame, &mut wide, &rounds.order, search);
        }
        if rounds.order.len() <= CORE {
            break;
        }
        if rounds.is_stuck(search) {
            if rounds.order.len() <= LARGE_CORE || !frame.leaders.is_empty() {
                break;
            }
            // Too many for a matrix: the item that promises most is decided here.
            let item = rounds.order.remove(0);
            if let Some(child) = frame.with_item(item) {
                search.work.nodes += 1;
                prove_from_potentials(&child, Some(&wide), search, rounds.bound);
            }
            if search.is_stopped {
                search.leave_open(rounds.bound);
                return;
            }
            wide.retain_rows(|row| row != item);
            rounds.gap = i64::MAX;
            // Without that item the table may shrink again.
            left = WIDE_ROUNDS;
        }
    }
    let BoundRounds { order, bound, .. } = rounds;
    search.work.core = search.work.core.max(order.len());
    if order.len() > LARGE_CORE && !search.is_long {
        search.is_long = true;
        search.find_first_deck(LONG_STEPS);
    }
    let bytes = node_bytes(order.len(), frame.resource_count(), frame.counts.most);
    if search.take_memory(bytes) {
        branch::search_node(wide.extract_node(&order), frame, search, 0, bound);
    } else {
        search.leave_open(bound);
    }
    search.give_back_memory(bytes);
}

/// Rounds of better potentials and deletion.
pub(super) struct BoundRounds {
    dual: SubgradientSolver,
    pub(super) bound: i64,
    /// What is left, the most promising first.
    pub(super) order: Vec<u32>,
    /// The last round deleted, and what was left before it.
    pub(super) has_reduced: bool,
    before: usize,
    /// How much the last round lowered the bound.
    gained: i64,
    /// The gap at the last deletion.
    gap: i64,
    /// The bound is that of the whole problem.
    is_root: bool,
}

impl BoundRounds {
    pub(super) fn new(wide: &TableBounds<'_>, bound: i64) -> BoundRounds {
        let (order, before) = (wide.alive.clone(), wide.alive.len());
        let is_root = bound == i64::MAX && wide.frame.problem.leaders().is_none();
        BoundRounds {
            dual: SubgradientSolver::default(),
            bound,
            order,
            has_reduced: false,
            before,
            gained: 0,
            gap: i64::MAX,
            is_root,
        }
    }

    /// One round; `Break` if there is no better deck, or the work is stopped.
    pub(super) fn run_round(
        &mut self,
        wide: &mut TableBounds<'_>,
        search: &mut ProofSearch<'_>,
    ) -> ControlFlow<()> {
        let last = self.bound;
        let mut target = search.bound_target();
        let mut seen = 0;
        let found = self.dual.improve_bound(
            wide,
            &mut target,
            WIDE,
            &mut |wide: &TableBounds<'_>, choice, target| {
                seen += 1;
                if seen == 1 || seen % TRY_EVERY == 0 {
                    improve_choice(wide.frame, wide, choice, search);
                    *target = search.bound_target();
                }
                search.ask_observer(target);
            },
        );
        search.work.moves += std::mem::take(&mut self.dual.steps);
        let Some(found) = found else { return ControlFlow::Break(()) };
        self.bound = self.bound.min(found);
        self.gained = last.saturating_sub(self.bound);
        if self.is_root {
            search.bound = Some(self.bound);
        }
        if self.bound <= search.bound_target() {
            return ControlFlow::Break(());
        }
        // Deletion is dear; it waits until the gap is smaller, or goes on while it deletes.
        let gap = self.bound.saturating_sub(search.bound_target());
        let has_deleted = self.has_reduced && self.order.len() * 10 <= self.before * 9;
        self.has_reduced = has_deleted || gap / 8 <= self.gap / 10;
        if self.has_reduced {
            self.gap = gap;
            self.before = wide.alive.len();
            self.order = delete_hopeless_rows(wide, search);
        }
        search.notify_observer();
        if search.is_stopped {
            search.leave_open(self.bound);
            return ControlFlow::Break(());
        }
        continue_unless(self.order.is_empty() && wide.frame.counts.least > 0)
    }

    /// Neither deletes nor lowers the bound by much.
    pub(super) fn is_stuck(&self, search: &ProofSearch<'_>) -> bool {
        let has_deleted = self.has_reduced && self.order.len() * 10 <= self.before * 9;
        !has_deleted && self.gained < self.bound.saturating_sub(search.bound_target()) / 100
    }
}

/// The first decks: around the rows that promise most.
fn find_first_decks(wide: &TableBounds<'_>, search: &mut ProofSearch<'_>) {
    let mut rows = wide.alive.clone();
    rows.sort_unstable_by_key(|&row| (std::cmp::Reverse(wide.phi[row as usize]), row));
    for &row in rows.iter().take(48).step_by(6) {
        let mut choice = wide.chosen[row as usize].clone();
        choice.push(row);
        improve_choice(wide.frame, wide, &choice, search);
    }
}

/// Decks around the items whose bounds are largest.
fn try_best_rows(
    frame: &ProofFrame<'_>,
    wide: &mut TableBounds<'_>,
    rows: &[u32],
    search: &mut ProofSearch<'_>,
) {
    let order = wide.rank_rows_by_class();
    let mut seen: Vec<u32> = Vec::new();
    for &row in rows {
        if seen.contains(&row) {
            continue;
        }
        if wide.bound_with_item(row, &order).is_some() {
            let mut choice = wide.scratch.chosen.clone();
            choice.push(row);
            improve_choice(frame, wide, &choice, search);
            seen.extend(choice);
        }
        if seen.len() > TRIED_BEST {
            break;
        }
    }
}

/// Repairs and improves a choice, taking from what goes with it.
pub(super) fn improve_choice(
    frame: &ProofFrame<'_>,
    wide: &TableBounds<'_>,
    choice: &[u32],
    search: &mut ProofSearch<'_>,
) {
    let mut candidates: Vec<u32> = choice.to_vec();
    for &row in choice {
        candidates.extend(&wide.chosen[row as usize]);
        let partners = wide.frame.table.partners().partners_of(row as usize);
        candidates
            .extend(partners.iter().take(TRIED_PARTNERS).filter(|&&other| wide.is_alive[other as usize]));
    }
    candidates.extend(wide.best_own.iter().filter(|&&row| wide.is_alive[row as usize]));
    candidates.sort_unstable();
    candidates.dedup();
    candidates.retain(|&row| !frame.fixed.contains(&frame.slot[row as usize]));
    if let Some((rows, _)) = SwapSearch::repair_and_improve(frame, choice, &candidates) {
        frame.consider_slots(rows.iter().map(|&row| frame.slot[row as usize]), search);
    }
}

/// Deletes what no better deck has; gives what is left, the most promising first.
fn delete_hopeless_rows(wide: &mut TableBounds<'_>, search: &mut ProofSearch<'_>) -> Vec<u32> {
    let order = wide.rank_rows_by_class();
    let mut bounds: Vec<(i64, u32)> = Vec::new();
    for at in 0..wide.alive.len() {
        let row = wide.alive[at];
        if wide.rough_bound_with_item(row, &order) > search.bound_target()
            && let Some(bound) = wide.bound_with_item(row, &order)
            && bound > search.bound_target()
        {
            bounds.push((bound, row));
        }
        if at % 64 == 0 {
            search.notify_observer();
        }
    }
    bounds.sort_unstable_by_key(|&(bound, row)| (std::cmp::Reverse(bound), row));
    let kept: Vec<u32> = bounds.iter().map(|entry| entry.1).collect();
    let mut is_kept = vec![false; wide.is_alive.len()];
    for &row in &kept {
        is_kept[row as usize] = true;
    }
    wide.retain_rows(|row| is_kept[row as usize]);
    kept
}
