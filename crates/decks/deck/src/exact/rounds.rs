//! The first stage: rounds of better bounds over the whole table and deletion, with decks looked for on the way.

use std::ops::ControlFlow;

use super::branch;
use super::dual::{Dual, Steps};
use super::frame::Frame;
use super::local::Local;
use super::search::Search;
use super::wide::Wide;

/// Steps of the search that finds a deck to begin with, and of the one for problems whose core stays large.
pub(super) const FIRST_STEPS: u64 = 120;
const LONG_STEPS: u64 = 3000;

/// A core of more items is not searched in a moment. Tests have small problems and are to come here too.
const LARGE_CORE: usize = if cfg!(test) { 3 } else { 150 };

/// Steps for better potentials between two reductions of the whole table, and how often.
const WIDE: Steps = Steps { most: 40, first: 1.0, patience: 4 };
pub(super) const WIDE_ROUNDS: usize = 40;

/// Steps between two tries to make a deck of a choice, and how many partners of each of its pieces are tried.
const TRY_EVERY: usize = 10;
const TRIED_PARTNERS: usize = 24;

/// Pieces of the decks that are tried after a reduction.
const TRIED_BEST: usize = 60;

/// So few items are searched at once.
const CORE: usize = if cfg!(test) { 2 } else { 60 };

/// Finds the best deck of a frame, or proves that none is better than what there is.
pub(super) fn prove(frame: &Frame<'_>, search: &mut Search<'_>) {
    prove_from(frame, None, search, i64::MAX);
}

/// The same with potentials and a bound that are there already.
pub(super) fn prove_from(frame: &Frame<'_>, from: Option<&Wide<'_>>, search: &mut Search<'_>, bound: i64) {
    if frame.counts.least == 0 {
        frame.consider([], search);
    }
    if frame.counts.most == 0 || frame.items.is_empty() {
        return;
    }
    let wide = Wide::new(frame, search.factor, from);
    if search.best.is_none() {
        start(&wide, search);
    }
    prove_wide(wide, search, bound);
}

fn prove_wide(mut wide: Wide<'_>, search: &mut Search<'_>, bound: i64) {
    let frame = wide.frame;
    let mut rounds = Rounds::new(&wide, bound);
    let mut left = WIDE_ROUNDS;
    while left > 0 {
        left -= 1;
        if rounds.next(&mut wide, search).is_break() {
            return;
        }
        if rounds.has_reduced {
            try_best(frame, &mut wide, &rounds.order, search);
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
            if let Some(child) = frame.choose(item) {
                search.work.nodes += 1;
                prove_from(&child, Some(&wide), search, rounds.bound);
            }
            if search.is_stopped {
                search.leave(rounds.bound);
                return;
            }
            wide.retain(|row| row != item);
            rounds.gap = i64::MAX;
            left = WIDE_ROUNDS;
        }
    }
    let Rounds { order, bound, .. } = rounds;
    search.work.core = search.work.core.max(order.len());
    if order.len() > LARGE_CORE && !search.is_long {
        search.is_long = true;
        search.first_deck(LONG_STEPS);
    }
    branch::branch(wide.node(&order), frame, search, 0, bound);
}

/// Rounds of better potentials and deletion.
pub(super) struct Rounds {
    dual: Dual,
    pub(super) bound: i64,
    /// What is left, the most promising first.
    pub(super) order: Vec<u32>,
    /// The last round deleted, and what was left before it.
    pub(super) has_reduced: bool,
    before: usize,
    /// By how much the last round lowered the bound.
    gained: i64,
    /// The gap at the last deletion.
    gap: i64,
    /// The bound is that of the whole problem.
    is_root: bool,
}

impl Rounds {
    pub(super) fn new(wide: &Wide<'_>, bound: i64) -> Rounds {
        let (order, before) = (wide.alive.clone(), wide.alive.len());
        let is_root = bound == i64::MAX && wide.frame.problem.leaders().is_none();
        Rounds {
            dual: Dual::default(),
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
    pub(super) fn next(&mut self, wide: &mut Wide<'_>, search: &mut Search<'_>) -> ControlFlow<()> {
        let last = self.bound;
        let mut target = search.target();
        let mut seen = 0;
        let found = self.dual.improve(wide, &mut target, WIDE, &mut |wide: &Wide<'_>, choice, target| {
            seen += 1;
            if seen == 1 || seen % TRY_EVERY == 0 {
                try_from(wide.frame, wide, choice, search);
                *target = search.target();
            }
            search.ask(target);
        });
        search.work.moves += std::mem::take(&mut self.dual.steps);
        let Some(found) = found else { return ControlFlow::Break(()) };
        self.bound = self.bound.min(found);
        self.gained = last.saturating_sub(self.bound);
        if self.is_root {
            search.bound = Some(self.bound);
        }
        if self.bound <= search.target() {
            return ControlFlow::Break(());
        }
        // Deletion is dear; it waits until the gap is smaller, or goes on while it deletes.
        let gap = self.bound.saturating_sub(search.target());
        let has_deleted = self.has_reduced && self.order.len() * 10 <= self.before * 9;
        self.has_reduced = has_deleted || gap / 8 <= self.gap / 10;
        if self.has_reduced {
            self.gap = gap;
            self.before = wide.alive.len();
            self.order = reduce(wide, search);
        }
        search.tell();
        if search.is_stopped {
            search.leave(self.bound);
            return ControlFlow::Break(());
        }
        if self.order.is_empty() && wide.frame.counts.least > 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Neither deletes nor lowers the bound by much.
    pub(super) fn is_stuck(&self, search: &Search<'_>) -> bool {
        let has_deleted = self.has_reduced && self.order.len() * 10 <= self.before * 9;
        !has_deleted && self.gained < self.bound.saturating_sub(search.target()) / 100
    }
}

/// The first decks: around the rows that promise most.
fn start(wide: &Wide<'_>, search: &mut Search<'_>) {
    let mut rows = wide.alive.clone();
    rows.sort_unstable_by_key(|&row| (std::cmp::Reverse(wide.phi[row as usize]), row));
    for &row in rows.iter().take(48).step_by(6) {
        let mut choice = wide.chosen[row as usize].clone();
        choice.push(row);
        try_from(wide.frame, wide, &choice, search);
    }
}

/// Decks around the items whose bounds are largest.
fn try_best(frame: &Frame<'_>, wide: &mut Wide<'_>, rows: &[u32], search: &mut Search<'_>) {
    let order = wide.order();
    let mut seen: Vec<u32> = Vec::new();
    for &row in rows {
        if seen.contains(&row) {
            continue;
        }
        if wide.bound_with(row, &order).is_some() {
            let mut choice = wide.scratch.chosen.clone();
            choice.push(row);
            try_from(frame, wide, &choice, search);
            seen.extend(choice);
        }
        if seen.len() > TRIED_BEST {
            break;
        }
    }
}

/// Repairs and improves a choice, taking from what goes with it.
pub(super) fn try_from(frame: &Frame<'_>, wide: &Wide<'_>, choice: &[u32], search: &mut Search<'_>) {
    let mut candidates: Vec<u32> = choice.to_vec();
    for &row in choice {
        candidates.extend(&wide.chosen[row as usize]);
        let partners = wide.frame.table.partners().of(row as usize);
        candidates
            .extend(partners.iter().take(TRIED_PARTNERS).filter(|&&other| wide.is_alive[other as usize]));
    }
    candidates.extend(wide.best_own.iter().filter(|&&row| wide.is_alive[row as usize]));
    candidates.sort_unstable();
    candidates.dedup();
    candidates.retain(|&row| !frame.fixed.contains(&frame.slot[row as usize]));
    if let Some((rows, _)) = Local::run(frame, choice, &candidates) {
        frame.consider(rows.iter().map(|&row| frame.slot[row as usize]), search);
    }
}

/// Deletes what no better deck has; gives what is left, the most promising first.
fn reduce(wide: &mut Wide<'_>, search: &mut Search<'_>) -> Vec<u32> {
    let order = wide.order();
    let mut bounds: Vec<(i64, u32)> = Vec::new();
    for at in 0..wide.alive.len() {
        let row = wide.alive[at];
        if wide.rough_bound_with(row, &order) > search.target()
            && let Some(bound) = wide.bound_with(row, &order)
            && bound > search.target()
        {
            bounds.push((bound, row));
        }
        if at % 64 == 0 {
            search.tell();
        }
    }
    bounds.sort_unstable_by_key(|&(bound, row)| (std::cmp::Reverse(bound), row));
    let kept: Vec<u32> = bounds.iter().map(|entry| entry.1).collect();
    let mut is_kept = vec![false; wide.is_alive.len()];
    for &row in &kept {
        is_kept[row as usize] = true;
    }
    wide.retain(|row| is_kept[row as usize]);
    kept
}
