//! Progress of a solver on stderr, and Ctrl-C.

use std::ops::ControlFlow;

use ishi_deck::{Pool, SolverState};

use super::numbers;
use crate::context::Context;
use crate::progress::ProgressDisplay;

/// Shows the best deck's value and the bound so far.
pub(super) struct SolverWatch<'a> {
    context: &'a Context,
    display: ProgressDisplay,
    /// What is at work, if there is more than one thing.
    pub(super) part: String,
}

impl SolverWatch<'_> {
    /// Nothing is shown yet.
    pub(super) fn new(context: &Context) -> SolverWatch<'_> {
        SolverWatch { context, display: ProgressDisplay::spinner(context), part: String::new() }
    }

    /// Looks at a solver's state; `Break` after Ctrl-C.
    pub(super) fn observe_state(&mut self, pool: &Pool, state: &SolverState<'_>) -> ControlFlow<()> {
        let part = &self.part;
        self.display.show_message(|| state_line(part, pool, state));
        self.context.stop.to_flow()
    }
}

fn state_line(part: &str, pool: &Pool, state: &SolverState<'_>) -> String {
    let score =
        |units: Option<i64>| units.map_or("?".to_string(), |units| numbers::format_score(pool, units));
    let (value, bound) = (score(state.value), score(state.bound));
    let part = if part.is_empty() { String::new() } else { format!("{part}: ") };
    format!("{part}value {value}, bound {bound}, {} nodes", state.work.nodes)
}
