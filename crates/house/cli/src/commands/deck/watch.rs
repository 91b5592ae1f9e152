//! Progress of a solver on stderr, and Ctrl-C.

use std::ops::ControlFlow;

use ishi_deck::{Pool, SolverState};
use ishi_deck_documents::SolveRequest;
use ishi_deck_documents::solve::{SolveClock, WorkMeter};

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
    /// A watch that shows nothing yet.
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

/// A watch with the limits of a request: a solver ends at its steps, at its time, or at Ctrl-C.
pub(super) struct LimitedWatch<'a> {
    watch: SolverWatch<'a>,
    clock: SolveClock,
    meter: WorkMeter,
}

impl LimitedWatch<'_> {
    /// The time runs from now on.
    pub(super) fn start<'a>(wish: &SolveRequest, context: &'a Context) -> LimitedWatch<'a> {
        LimitedWatch {
            watch: SolverWatch::new(context),
            clock: SolveClock::start(wish.settings.time_limit),
            meter: WorkMeter::new(wish.settings.work_limit),
        }
    }

    /// Names what is at work from now on.
    pub(super) fn begin_part(&mut self, name: &str) {
        self.watch.part = name.to_string();
    }

    /// Looks at a solver's state; `Break` when a limit is reached, and after Ctrl-C.
    pub(super) fn observe_state(&mut self, pool: &Pool, state: &SolverState<'_>) -> ControlFlow<()> {
        let next = self.watch.observe_state(pool, state);
        let is_over = self.meter.is_used_up(&state.work) || self.clock.is_time_up();
        if is_over { ControlFlow::Break(()) } else { next }
    }

    /// Shows nothing more; the seconds since the start.
    pub(super) fn finish(self) -> f64 {
        self.clock.elapsed_seconds()
    }
}

fn state_line(part: &str, pool: &Pool, state: &SolverState<'_>) -> String {
    let score =
        |units: Option<i64>| units.map_or("?".to_string(), |units| numbers::format_score(pool, units));
    let (value, bound) = (score(state.value), score(state.bound));
    let part = if part.is_empty() { String::new() } else { format!("{part}: ") };
    format!("{part}value {value}, bound {bound}, {} nodes", state.work.nodes)
}
