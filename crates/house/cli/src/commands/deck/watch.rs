//! Progress of a solver on stderr, and Ctrl-C.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ishi_deck::{Pool, SolverProgress};

use super::numbers;
use crate::context::Context;

/// Shows the best deck's value and the bound so far.
pub(super) struct SolverWatch<'a> {
    context: &'a Context,
    bar: Option<ProgressBar>,
    told: Instant,
    /// What is at work, if there is more than one thing.
    pub(super) part: String,
}

/// Time between two lines of progress where there is no terminal.
const BETWEEN: Duration = Duration::from_secs(10);

/// Time between two pictures on a terminal.
const PICTURE: Duration = Duration::from_millis(100);

impl SolverWatch<'_> {
    /// Nothing is shown yet.
    pub(super) fn new(context: &Context) -> SolverWatch<'_> {
        let bar = (!context.quiet && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{spinner} {elapsed}  {msg}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style)
        });
        SolverWatch { context, bar, told: Instant::now(), part: String::new() }
    }

    /// Looks at a solver's progress; `Break` after Ctrl-C.
    pub(super) fn observe_progress(&mut self, pool: &Pool, progress: &SolverProgress<'_>) -> ControlFlow<()> {
        let elapsed = self.told.elapsed();
        match &self.bar {
            Some(bar) if elapsed >= PICTURE => {
                self.told = Instant::now();
                bar.set_message(self.progress_line(pool, progress));
                bar.tick();
            }
            None if !self.context.quiet && elapsed >= BETWEEN => {
                self.told = Instant::now();
                // Nobody reads it any more: that is no reason to end the work.
                let _ = writeln!(anstream::stderr(), "{}", self.progress_line(pool, progress));
            }
            _ => {}
        }
        if self.context.is_stop_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn progress_line(&self, pool: &Pool, progress: &SolverProgress<'_>) -> String {
        let score =
            |units: Option<i64>| units.map_or("?".to_string(), |units| numbers::format_score(pool, units));
        let (value, bound) = (score(progress.value), score(progress.bound));
        let part = if self.part.is_empty() { String::new() } else { format!("{}: ", self.part) };
        format!("{part}value {value}, bound {bound}, {} nodes", progress.work.nodes)
    }
}

impl Drop for SolverWatch<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
