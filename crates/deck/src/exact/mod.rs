//! The exact solver: bounds, deletion, branch and bound.
//!
//! 1. [`frame`] decides the leader and puts what is fixed aside. 2. [`wide`] bounds over the whole table, which deletes nearly everything.
//! 3. [`branch`] searches what is left, the core. [`local`] finds decks on the way.

mod branch;
mod complete;
mod dual;
mod frame;
mod leader;
mod local;
mod node;
mod search;
#[cfg(test)]
mod tests;
mod wide;

use std::ops::ControlFlow;

use self::dual::{Dual, Steps};
use self::frame::{Frame, View};
use self::local::Local;
use self::search::{NOTHING, Search};
use self::wide::Wide;
use crate::answer::{Answer, Status};
use crate::problem::Problem;
use crate::solve::{Options, Progress};

/// Solves a problem.
pub(crate) fn solve(
    problem: &Problem,
    options: &Options,
    observer: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Answer {
    let mut search = Search::new(problem, factor(problem), step(problem), options, observer);
    let view = View::new(problem);
    if let Some(frame) = Frame::new(&view, None) {
        search.first_deck(FIRST_STEPS);
        match problem.leaders() {
            None => prove(&frame, &mut search),
            Some(leaders) => leader::prove(&view, leaders, &mut search),
        }
    }
    let units = |bound: i64| bound.div_euclid(i64::from(search.factor));
    let value = search.best.as_ref().map(|best| best.1);
    let open = (search.open > NOTHING).then(|| units(search.open));
    let (status, bound) = match (value, open) {
        (Some(value), Some(open)) if open > value + options.gap => (Status::Feasible, Some(open)),
        (Some(value), _) => (Status::Optimal, Some(value)),
        (None, Some(open)) => (Status::Unknown, Some(open)),
        (None, None) => (Status::Infeasible, None),
    };
    let work = search.work;
    Answer { status, deck: search.best.map(|best| best.0), value, bound, work }
}

/// Steps of the search that finds a deck to begin with, and of the one for problems whose core stays large.
const FIRST_STEPS: u64 = 120;
const LONG_STEPS: u64 = 3000;

/// A core of more items is not searched in a moment.
const LARGE_CORE: usize = 150;

/// The values of any two decks differ by a multiple of this, in units.
fn step(problem: &Problem) -> i64 {
    let pool = problem.pool();
    let tables = [Some(&pool.pairs), pool.leaders.as_ref()];
    let own = pool.pieces.iter().flat_map(|piece| [piece.score, piece.leader_score]);
    let steps = tables.into_iter().flatten().map(|table| i64::from(table.step())).chain(own);
    let mut step = 0;
    for value in steps {
        step = divisor(step, value.abs());
        if step == 1 {
            break;
        }
    }
    step.max(1)
}

/// The greatest common divisor.
fn divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// Parts of a unit: even, and as many as leave room for potentials to move.
fn factor(problem: &Problem) -> i32 {
    let tables = [Some(&problem.pool().pairs), problem.pool().leaders.as_ref()];
    let largest = tables.into_iter().flatten().map(|table| table.largest()).max().unwrap_or(1).max(1);
    let mut factor = 2;
    while factor < 1 << 12 && i64::from(largest) * i64::from(factor) * 2 <= 1 << 24 {
        factor *= 2;
    }
    factor
}

/// Steps for better potentials between two reductions of the whole table, and how often.
const WIDE: Steps = Steps { most: 40, first: 1.0, patience: 4 };
const WIDE_ROUNDS: usize = 40;

/// Steps between two tries to make a deck of a choice, and how many partners of each of its pieces are tried.
const TRY_EVERY: usize = 10;
const TRIED_PARTNERS: usize = 24;

/// Pieces of the decks that are tried after a reduction.
const TRIED_BEST: usize = 60;

/// So few items are searched at once.
const CORE: usize = 60;

/// Finds the best deck of a frame, or proves that none is better than what there is.
fn prove(frame: &Frame<'_>, search: &mut Search<'_>) {
    if frame.counts.least == 0 {
        frame.consider([], search);
    }
    if frame.counts.most == 0 || frame.items.is_empty() {
        return;
    }
    let wide = Wide::new(frame, search.factor, None);
    if search.best.is_none() {
        start(&wide, search);
    }
    prove_wide(wide, search, i64::MAX);
}

/// The same with bounds that are there already.
fn prove_wide(mut wide: Wide<'_>, search: &mut Search<'_>, bound: i64) {
    let frame = wide.frame;
    let mut rounds = Rounds::new(&wide, bound);
    for _ in 0..WIDE_ROUNDS {
        if rounds.next(&mut wide, search).is_break() {
            return;
        }
        if rounds.has_reduced {
            try_best(frame, &mut wide, &rounds.order, search);
        }
        if rounds.order.len() <= CORE || rounds.is_stuck(search) {
            break;
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
struct Rounds {
    dual: Dual,
    bound: i64,
    /// What is left, the most promising first.
    order: Vec<u32>,
    /// The last round deleted, and what was left before it.
    has_reduced: bool,
    before: usize,
    /// By how much the last round lowered the bound.
    gained: i64,
    /// The gap at the last deletion.
    gap: i64,
}

impl Rounds {
    fn new(wide: &Wide<'_>, bound: i64) -> Rounds {
        let (order, before) = (wide.alive.clone(), wide.alive.len());
        Rounds { dual: Dual::default(), bound, order, has_reduced: false, before, gained: 0, gap: i64::MAX }
    }

    /// One round; `Break` if there is no better deck, or the work is stopped.
    fn next(&mut self, wide: &mut Wide<'_>, search: &mut Search<'_>) -> ControlFlow<()> {
        let last = self.bound;
        let mut target = search.target();
        let mut seen = 0;
        let found = self.dual.improve(wide, &mut target, WIDE, &mut |wide: &Wide<'_>, choice, target| {
            seen += 1;
            if seen == 1 || seen % TRY_EVERY == 0 {
                try_from(wide.frame, wide, choice, search);
                *target = search.target();
            }
        });
        search.work.moves += std::mem::take(&mut self.dual.steps);
        let Some(found) = found else { return ControlFlow::Break(()) };
        self.bound = self.bound.min(found);
        self.gained = last.saturating_sub(self.bound);
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
    fn is_stuck(&self, search: &Search<'_>) -> bool {
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
fn try_from(frame: &Frame<'_>, wide: &Wide<'_>, choice: &[u32], search: &mut Search<'_>) {
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
