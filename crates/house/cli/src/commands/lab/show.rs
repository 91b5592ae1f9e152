//! What is seen of the laboratory: progress on stderr, lists and figures on stdout.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ishi_arena::stopwatch::Stopwatch;
use ishi_lab::expected::ReportFinding;
use ishi_lab::folder::LoadedExperiment;
use ishi_lab::report::{FigureComparison, LabReport};
use ishi_lab::runner::{RunEvent, RunObserver, RunState};
use ishi_lab::store::{DamagedRun, TaskCost};
use ishi_sheet::SheetTable;
use ishi_work::Progress;
use serde_json::Value;

use crate::context::Context;
use crate::progress::ProgressDisplay;

/// Lines of progress in a run that no terminal shows.
const LINES: usize = 20;

/// Seconds between two early reports.
const EARLY_EVERY: f64 = 5.0;

/// The observer of a run.
pub(super) struct LabDisplay<'a> {
    display: ProgressDisplay,
    progress: Progress,
    early: Option<EarlyReport<'a>>,
}

/// A report that is written again and again while the run goes on.
struct EarlyReport<'a> {
    loaded: &'a LoadedExperiment,
    out: PathBuf,
    progress: RunState,
    written: Option<Stopwatch>,
}

impl<'a> LabDisplay<'a> {
    /// Says what is going to be done. `before` is what was finished earlier, `out` the folder of the report.
    pub(super) fn new(
        loaded: &'a LoadedExperiment,
        context: &Context,
        db: &Path,
        before: RunState,
        out: PathBuf,
    ) -> LabDisplay<'a> {
        let template = "{bar:30} {pos}/{len} tasks  {eta} left  {wide_msg}";
        let display = ProgressDisplay::bar(context, template, 0);
        let early = loaded.experiment.reports_early();
        let early = early.then_some(EarlyReport { loaded, out, progress: before, written: None });
        let live = LabDisplay { display, progress: Progress::new(0, 0, "tasks"), early };
        let (name, variant, seed) = (&loaded.folder.name, loaded.variant, loaded.seed);
        live.display.print_line(&format!("{name} ({variant}): seed {seed}, kept in {}", db.display()));
        live
    }

    /// Ends the display.
    pub(super) fn close_display(&self) {
        self.display.clear();
    }

    /// Writes the report as far as it is, every now and then. What goes wrong will be heard of at the end.
    fn report_early(&mut self, task: &str, result: &Value, cost: TaskCost) {
        let Some(early) = &mut self.early else { return };
        early.progress.add_finished(task, result, cost);
        if early.written.as_ref().is_some_and(|watch| watch.wall_seconds() < EARLY_EVERY) {
            return;
        }
        early.written = Some(Stopwatch::start());
        let report = LabReport::new(early.loaded, early.progress.clone());
        let _ = report.and_then(|report| ishi_lab::report::write_report(&report, &early.out));
    }

    /// Moves the bar, or writes a line every now and then.
    fn advance_step(&mut self, task: &str) {
        self.progress.done += 1;
        if let Some(bar) = self.display.as_bar() {
            bar.set_message(task.to_string());
            bar.inc(1);
        } else if self.progress.rest() == 0 || self.progress.is_one_of(LINES) {
            self.display.print_line(&format!("{}: {task}", self.progress));
        }
    }
}

impl RunObserver for LabDisplay<'_> {
    fn on_event(&mut self, event: &RunEvent<'_>) {
        match *event {
            RunEvent::Planned { tasks, done } => {
                (self.progress.total, self.progress.done) = (tasks, done);
                if let Some(bar) = self.display.as_bar() {
                    bar.set_length(tasks as u64);
                    bar.set_position(done as u64);
                    bar.reset_eta();
                }
                if done > 0 {
                    self.display.print_line(&format!("{done} of {tasks} tasks were finished before"));
                }
            }
            RunEvent::Skipped(reason) => self.display.print_line(&format!("SKIPPED: {reason}")),
            RunEvent::Finished { task, result, cost, ref live } => {
                if let Some(text) = live {
                    self.display.print_line(text);
                }
                self.advance_step(task);
                self.report_early(task, result, cost);
            }
        }
    }
}

/// The list of experiments, and of the runs that are damaged.
pub(super) fn format_list(lines: &[Value], damaged: &[DamagedRun], context: &Context) -> String {
    let mut text = format!("Experiments (progress with seed {}):\n", context.seed);
    for line in lines {
        let of = |key: &str| line[key].as_str().unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{:20} {}", of("name"), of("title"));
        match line.get("error").and_then(Value::as_str) {
            Some(error) => _ = writeln!(text, "{:20} cannot be used: {error}", ""),
            None => {
                let variant = |name| format!("{name}: {}", format_progress(&line[name]));
                let _ = writeln!(text, "{:20} {}; {}", "", variant("full"), variant("quick"));
            }
        }
    }
    if lines.is_empty() {
        text += "none\n";
    }
    for run in damaged {
        let _ = writeln!(text, "damaged: the run {:?}", run.name);
    }
    text
}

/// `all 1050 tasks finished, report written`.
fn format_progress(variant: &Value) -> String {
    let (done, tasks) = (&variant["done"], &variant["tasks"]);
    let report = if variant["report"] == Value::Bool(true) { ", report written" } else { "" };
    if done == tasks {
        format!("all {tasks} tasks finished{report}")
    } else {
        format!("{done} of {tasks} tasks{report}")
    }
}

/// The figures of a report, and where it is.
pub(super) fn format_report(report: &LabReport, written: &[PathBuf]) -> String {
    let mut text = format!("{} ({}, seed {})\n\n", report.title, report.variant, report.seed);
    let mut table = SheetTable::new(["figure", "expected", "ours", "interval", "outcome"]);
    let findings = report.other_findings.iter().map(finding_cells);
    let rows = report.comparisons.iter().map(comparison_cells).chain(findings);
    rows.for_each(|cells| table.add_row(cells));
    text += &table.to_text();
    let _ = write!(text, "\n{}\n", report.summary());
    for miss in report.describe_misses() {
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

fn comparison_cells(comparison: &FigureComparison) -> [String; 5] {
    let [expected, ours, interval, outcome] = comparison.row_cells();
    [comparison.figure.what.clone(), expected, ours, interval, outcome]
}

fn finding_cells(finding: &ReportFinding) -> [String; 5] {
    [finding.what.clone(), String::new(), finding.format_value(), finding.format_interval(), String::new()]
}
