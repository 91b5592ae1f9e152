//! What the commands of this folder share: progress of a sweep on stderr, and what it cost.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ishi_arena::stopwatch::process_cpu_time;
use serde::Serialize;

use crate::context::Context;
use crate::{figures, files};

/// Shows how far a sweep is, and stops it on Ctrl-C.
pub struct SweepWatch<'a> {
    context: &'a Context,
    bar: Option<ProgressBar>,
    told: Instant,
}

/// Time between two lines of progress where there is no terminal.
const BETWEEN: Duration = Duration::from_secs(10);

impl SweepWatch<'_> {
    /// Nothing is shown yet.
    pub fn new(context: &Context) -> SweepWatch<'_> {
        let bar = (!context.quiet && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()).with_style(style)
        });
        SweepWatch { context, bar, told: Instant::now() }
    }

    /// `done` of `all` points or boards, with a note.
    pub fn observe_progress(&mut self, done: usize, all: usize, note: &str) -> ControlFlow<()> {
        match &self.bar {
            Some(bar) => {
                bar.set_length(all as u64);
                bar.set_position(done as u64);
                bar.set_message(note.to_string());
            }
            None if !self.context.quiet && self.told.elapsed() >= BETWEEN => {
                self.told = Instant::now();
                // Nobody reads it any more: that is no reason to end the work.
                let _ = writeln!(anstream::stderr(), "{done}/{all}  {note}");
            }
            None => {}
        }
        if self.context.is_stop_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for SweepWatch<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// What the work cost.
#[derive(Serialize)]
pub struct WorkCost {
    threads: usize,
    cpu_seconds: f64,
    wall_seconds: f64,
    /// The process's largest memory, where the system says it.
    peak_megabytes: Option<u64>,
}

/// Begins to measure.
pub struct WorkMeter {
    start: Instant,
    cpu: Duration,
}

impl WorkMeter {
    /// From now on.
    pub fn start() -> WorkMeter {
        WorkMeter { start: Instant::now(), cpu: process_cpu_time() }
    }

    /// Until now.
    pub fn read_cost(&self, context: &Context) -> WorkCost {
        WorkCost {
            threads: context.threads,
            cpu_seconds: (process_cpu_time() - self.cpu).as_secs_f64(),
            wall_seconds: self.start.elapsed().as_secs_f64(),
            peak_megabytes: peak_bytes().map(|bytes| bytes >> 20),
        }
    }
}

impl WorkCost {
    /// One line.
    pub fn to_line(&self) -> String {
        let threads = if self.threads == 1 { "thread" } else { "threads" };
        let memory =
            self.peak_megabytes.map_or(String::new(), |megabytes| format!(", {megabytes} MB at most"));
        format!("{} of CPU, {} {threads}{memory}\n", figures::format_seconds(self.cpu_seconds), self.threads)
    }
}

/// The process's largest memory so far, where the system says it: Linux keeps a high-water mark.
pub fn peak_bytes() -> Option<u64> {
    let status = files::read_text(Path::new("/proc/self/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
