//! What is seen of the laboratory: progress on stderr, lists and figures on stdout.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ishi_arena::stopwatch::Stopwatch;
use ishi_lab::expected::Finding;
use ishi_lab::folder::Loaded;
use ishi_lab::report::{Comparison, Report};
use ishi_lab::runner::{Event, Observer, Progress};
use ishi_lab::store::Cost;
use serde_json::Value;

use crate::context::Context;

/// Lines of progress in a run that no terminal shows.
const LINES: u64 = 20;

/// Where progress goes.
enum Target {
    Nowhere,
    /// A terminal.
    Bar(ProgressBar),
    /// A file or a pipe.
    Lines,
}

/// Seconds between two early reports.
const EARLY_EVERY: f64 = 5.0;

/// The observer of a run.
pub(super) struct Live<'a> {
    target: Target,
    tasks: u64,
    done: u64,
    early: Option<Early<'a>>,
}

/// A report that is written again and again while the run goes on.
struct Early<'a> {
    loaded: &'a Loaded,
    out: PathBuf,
    progress: Progress,
    written: Option<Stopwatch>,
}

impl<'a> Live<'a> {
    /// Says what is going to be done. `before` is what was finished earlier, `out` the folder of the report.
    pub(super) fn new(
        loaded: &'a Loaded,
        context: &Context,
        db: &Path,
        before: Progress,
        out: PathBuf,
    ) -> Live<'a> {
        let target = if context.quiet {
            Target::Nowhere
        } else if std::io::stderr().is_terminal() {
            Target::Bar(bar())
        } else {
            Target::Lines
        };
        let early = loaded.experiment.reports_early();
        let early = early.then_some(Early { loaded, out, progress: before, written: None });
        let live = Live { target, tasks: 0, done: 0, early };
        let (name, variant, seed) = (&loaded.folder.name, loaded.variant, loaded.seed);
        live.say(&format!("{name} ({variant}): seed {seed}, kept in {}", db.display()));
        live
    }

    /// Ends the display.
    pub(super) fn close(&self) {
        if let Target::Bar(bar) = &self.target {
            bar.finish_and_clear();
        }
    }

    /// A line that stays.
    fn say(&self, text: &str) {
        match &self.target {
            Target::Nowhere => {}
            Target::Bar(bar) => bar.println(text),
            Target::Lines => anstream::eprintln!("{text}"),
        }
    }

    /// Writes the report as far as it is, every now and then. What goes wrong will be heard of at the end.
    fn report_early(&mut self, task: &str, result: &Value, cost: Cost) {
        let Some(early) = &mut self.early else { return };
        early.progress.add(task, result, cost);
        if early.written.as_ref().is_some_and(|watch| watch.wall_seconds() < EARLY_EVERY) {
            return;
        }
        early.written = Some(Stopwatch::start());
        let report = Report::new(early.loaded, early.progress.clone());
        let _ = report.and_then(|report| ishi_lab::report::write(&report, &early.out));
    }

    /// Moves the bar, or writes a line every now and then.
    fn step(&mut self, task: &str) {
        self.done += 1;
        match &self.target {
            Target::Nowhere => {}
            Target::Bar(bar) => {
                bar.set_message(task.to_string());
                bar.inc(1);
            }
            Target::Lines
                if self.done == self.tasks || self.done.is_multiple_of((self.tasks / LINES).max(1)) =>
            {
                self.say(&format!("{}/{} tasks: {task}", self.done, self.tasks));
            }
            Target::Lines => {}
        }
    }
}

impl Observer for Live<'_> {
    fn on(&mut self, event: &Event<'_>) {
        match *event {
            Event::Planned { tasks, done } => {
                (self.tasks, self.done) = (tasks as u64, done as u64);
                if let Target::Bar(bar) = &self.target {
                    bar.set_length(self.tasks);
                    bar.set_position(self.done);
                    bar.reset_eta();
                }
                if done > 0 {
                    self.say(&format!("{done} of {tasks} tasks were finished before"));
                }
            }
            Event::Skipped(reason) => self.say(&format!("SKIPPED: {reason}")),
            Event::Finished { task, result, cost, ref live } => {
                if let Some(text) = live {
                    self.say(text);
                }
                self.step(task);
                self.report_early(task, result, cost);
            }
        }
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} tasks  {eta} left  {wide_msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()).with_style(style)
}

/// The list of experiments.
pub(super) fn list(lines: &[Value], context: &Context) -> String {
    let mut text = format!("Experiments (progress with seed {}):\n", context.seed);
    for line in lines {
        let of = |key: &str| line[key].as_str().unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{:20} {}", of("name"), of("title"));
        match line.get("error").and_then(Value::as_str) {
            Some(error) => _ = writeln!(text, "{:20} cannot be used: {error}", ""),
            None => {
                let variant = |name| format!("{name}: {}", progress(&line[name]));
                let _ = writeln!(text, "{:20} {}; {}", "", variant("full"), variant("quick"));
            }
        }
    }
    if lines.is_empty() {
        text += "none\n";
    }
    text
}

/// `all 1050 tasks finished, report written`.
fn progress(variant: &Value) -> String {
    let (done, tasks) = (&variant["done"], &variant["tasks"]);
    let report = if variant["report"] == Value::Bool(true) { ", report written" } else { "" };
    if done == tasks {
        format!("all {tasks} tasks finished{report}")
    } else {
        format!("{done} of {tasks} tasks{report}")
    }
}

/// The figures of a report, and where it is.
pub(super) fn text(report: &Report, written: &[PathBuf]) -> String {
    let mut text = format!("{} ({}, seed {})\n\n", report.title, report.variant, report.seed);
    let mut rows = vec![["figure", "expected", "ours", "interval", "outcome"].map(String::from)];
    rows.extend(report.comparisons.iter().map(compared));
    rows.extend(report.other_findings.iter().map(found));
    text += &aligned(&rows);
    let _ = write!(text, "\n{}\n", report.summary());
    for miss in report.misses() {
        let _ = writeln!(text, "- {miss}");
    }
    for reason in &report.skipped {
        let _ = writeln!(text, "Not done: {reason}");
    }
    if report.variant == "quick" {
        text += "A quick run, for tests: nothing follows from its figures.\n";
    }
    let cpu = report.cost.cpu_seconds;
    let _ =
        writeln!(text, "{} tasks cost {:.4} CPU hours ({cpu:.1} CPU seconds).", report.tasks, cpu / 3600.0);
    for path in written.iter().take(2) {
        let _ = writeln!(text, "{}", path.display());
    }
    text
}

fn compared(comparison: &Comparison) -> [String; 5] {
    let [expected, ours, interval, outcome] = comparison.cells();
    [comparison.figure.what.clone(), expected, ours, interval, outcome]
}

fn found(finding: &Finding) -> [String; 5] {
    [finding.what.clone(), String::new(), finding.text(), finding.interval_text(), String::new()]
}

/// Columns side by side.
fn aligned(rows: &[[String; 5]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..5).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    text
}
