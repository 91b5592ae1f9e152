//! What the commands of this folder share: progress of a sweep on stderr, and what it cost.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use ishi_arena::stopwatch::process_cpu_time;
use ishi_grid::LayerStep;
use ishi_words::format_count;
use ishi_work::Progress;
use serde::Serialize;

use crate::context::Context;
use crate::progress::ProgressDisplay;
use crate::{figures, files};

/// Shows how far a sweep is, and stops it on Ctrl-C.
pub struct SweepWatch<'a> {
    context: &'a Context,
    display: ProgressDisplay,
}

impl SweepWatch<'_> {
    /// A watch that shows nothing yet.
    pub fn new(context: &Context) -> SweepWatch<'_> {
        SweepWatch { context, display: ProgressDisplay::bar(context, "{bar:30} {pos}/{len}  {msg}", 0) }
    }

    /// Shows how many points or boards are done, with a note.
    pub fn observe_progress(&mut self, progress: Progress<&str>) -> ControlFlow<()> {
        let line = |Progress { done, total, note, .. }: Progress<&str>| format!("{done}/{total}  {note}");
        self.display.show_progress(progress, line);
        self.context.stop.to_flow()
    }

    /// A layer of states is done, which `what` says more of.
    pub fn observe_layer(&mut self, step: LayerStep, what: impl Display) -> ControlFlow<()> {
        self.observe_progress(step.with_note(format!("{what}{} states", step.note.states).as_str()))
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
        let threads = format_count(self.threads, "thread");
        let memory =
            self.peak_megabytes.map_or(String::new(), |megabytes| format!(", {megabytes} MB at most"));
        format!("{} of CPU, {threads}{memory}\n", figures::format_seconds(self.cpu_seconds))
    }
}

/// The process's largest memory so far, where the system says it: Linux keeps a high-water mark.
pub fn peak_bytes() -> Option<u64> {
    let status = files::read_text(Path::new("/proc/self/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
