//! The exact solver: bounds, deletion, branch and bound.
//!
//! How it goes: `frame` decides the leader and puts what is fixed aside. `rounds` improves bounds over the whole table (`wide`) by steps of `dual`
//! and deletes what no better deck has, which is nearly everything. `branch` searches what is left, the core, as `node`s.
//! `leader` does this for groups of leaders. `complete` is the one thing that all bounds are made of; `local` finds decks on the way;
//! `search` carries the best deck along.
//!
//! Every bound is a whole number, and every step of the potentials keeps it a bound, so that "optimal" is proved, whatever the steps are.

mod branch;
mod complete;
mod dual;
mod frame;
mod leader;
mod local;
mod node;
mod rounds;
mod search;
#[cfg(test)]
mod tests;
mod wide;

use self::frame::{ProofFrame, TableView};
use self::search::ProofSearch;
use crate::answer::DeckAnswer;
use crate::problem::Problem;
use crate::solve::{SolverObserver, SolverOptions};
use crate::table::greatest_common_divisor;

/// Solves a problem.
pub(crate) fn solve_exactly(
    problem: &Problem,
    options: &SolverOptions,
    observer: SolverObserver<'_>,
) -> DeckAnswer {
    let mut search = ProofSearch::new(problem, potential_factor(problem), options, observer);
    if !search.take_memory(TableView::bytes_for(problem)) {
        search.leave_open(i64::MAX);
        return search.into_answer(options);
    }
    search.step = value_step(problem);
    let view = TableView::new(problem);
    if let Some(frame) = ProofFrame::new(&view, None) {
        search.find_first_deck(rounds::FIRST_STEPS);
        match problem.leaders() {
            None => rounds::prove_best_in_frame(&frame, &mut search),
            Some(leaders) => leader::prove_leaders(&view, leaders, &mut search),
        }
    }
    search.into_answer(options)
}

/// The values of any two decks differ by a multiple of this, in units.
fn value_step(problem: &Problem) -> i64 {
    let pool = problem.pool();
    let tables = [Some(&pool.pairs), pool.leaders.as_ref()];
    let own = pool.pieces.iter().flat_map(|piece| [piece.score, piece.leader_score]);
    let steps = tables.into_iter().flatten().map(|table| i64::from(table.common_divisor())).chain(own);
    let mut step = 0;
    for value in steps {
        step = greatest_common_divisor(step, value.unsigned_abs());
        if step == 1 {
            break;
        }
    }
    step.max(1) as i64
}

/// Parts of a unit: even, and as many as leave room for potentials to move.
fn potential_factor(problem: &Problem) -> i32 {
    let tables = [Some(&problem.pool().pairs), problem.pool().leaders.as_ref()];
    let largest =
        tables.into_iter().flatten().map(|table| table.largest_magnitude()).max().unwrap_or(1).max(1);
    let mut factor = 2;
    while factor < 1 << 12 && i64::from(largest) * i64::from(factor) * 2 <= 1 << 24 {
        factor *= 2;
    }
    factor
}
