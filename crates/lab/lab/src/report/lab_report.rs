//! What every report has: expected figures beside ours, seed, version, machine, cost.

use std::collections::BTreeMap;

use ishi_words::format_count;
use serde::Serialize;
use serde_json::{Value, json};

use crate::body::{SheetSection, SheetTable};
use crate::expected::{ExpectedFigure, FigureVerdict, ReportFinding};
use crate::folder::LoadedExperiment;
use crate::kept::{self, KeptTask};
use crate::machine::Machine;
use crate::runner::RunState;
use crate::store::TaskCost;

/// An expected figure beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FigureComparison {
    /// What was expected.
    pub figure: ExpectedFigure,
    /// What was found.
    pub finding: Option<ReportFinding>,
    /// What came of it.
    pub verdict: FigureVerdict,
}

impl FigureComparison {
    /// Holds a figure against the finding of its key.
    pub(super) fn from_figure(figure: &ExpectedFigure, findings: &[ReportFinding]) -> FigureComparison {
        let finding = findings.iter().find(|finding| finding.key == figure.key);
        FigureComparison {
            figure: figure.clone(),
            finding: finding.cloned(),
            verdict: figure.judge_finding(finding),
        }
    }

    /// Expected, ours, our interval, what came of it.
    pub fn row_cells(&self) -> [String; 4] {
        let ours = self.finding.as_ref().map_or("-".to_string(), ReportFinding::format_value);
        let interval = self.finding.as_ref().map_or(String::new(), ReportFinding::format_interval);
        [self.figure.format_value(), ours, interval, self.verdict.describe_verdict()]
    }

    /// The class of its row in a page, which colours the outcome.
    pub fn outcome_class(&self) -> &'static str {
        match self.verdict.is_success() {
            Some(true) => "good",
            Some(false) => "bad",
            None => "",
        }
    }
}

/// A whole report.
#[derive(Clone, Debug, PartialEq)]
pub struct LabReport {
    /// The folder's name.
    pub experiment: String,
    /// The experiment's title.
    pub title: String,
    /// `full` or `quick`.
    pub variant: String,
    /// The seed.
    pub seed: String,
    /// The versions of ishi that did the tasks.
    pub versions: Vec<String>,
    /// The machines of the measurements, or else the one that writes the report.
    pub machines: Vec<Machine>,
    /// Finished tasks.
    pub tasks: usize,
    /// Tasks that are not finished: a report written during a run.
    pub missing: usize,
    /// What they cost.
    pub cost: TaskCost,
    /// Expected figures beside ours.
    pub comparisons: Vec<FigureComparison>,
    /// Findings for which nothing is expected.
    pub other_findings: Vec<ReportFinding>,
    /// What was not done, and why.
    pub skipped: Vec<String>,
    /// What the kind of experiment has to say.
    pub sections: Vec<SheetSection>,
    /// Every task's result.
    pub results: crate::experiment::TaskResults,
    /// Their tasks, so that the results can be taken into a database.
    pub kept: BTreeMap<String, KeptTask>,
}

impl LabReport {
    /// The report on finished tasks.
    ///
    /// # Errors
    /// If results are missing or cannot be used.
    pub fn new(loaded: &LoadedExperiment, progress: RunState) -> Result<LabReport, crate::LabError> {
        let body = loaded.experiment.build_report(&progress.results)?;
        let kept = kept::kept_tasks(loaded.tasks(), &progress);
        let figures = &loaded.expected.figures;
        let is_other = |finding: &&ReportFinding| figures.iter().all(|figure| figure.key != finding.key);
        let machines = if body.machines.is_empty() { vec![Machine::current()] } else { body.machines };
        Ok(LabReport {
            experiment: loaded.folder.name.clone(),
            title: loaded.title.clone(),
            variant: loaded.variant.to_string(),
            seed: loaded.seed.to_string(),
            versions: progress.versions.into_iter().collect(),
            machines,
            tasks: progress.done,
            missing: progress.tasks - progress.done,
            cost: progress.cost,
            comparisons: figures
                .iter()
                .map(|figure| FigureComparison::from_figure(figure, &body.findings))
                .collect(),
            other_findings: body.findings.iter().filter(is_other).cloned().collect(),
            skipped: loaded.experiment.list_skipped(),
            sections: body.sections,
            results: without_checkpoints(progress.results),
            kept,
        })
    }

    /// Was this a quick run, from which nothing follows?
    pub fn is_quick(&self) -> bool {
        self.variant == "quick"
    }

    /// The command that writes it again.
    pub(super) fn writing_command(&self) -> String {
        let quick = if self.is_quick() { " --quick" } else { "" };
        format!("ishi lab report {}{quick} --seed {}", self.experiment, self.seed)
    }

    /// How it was made, in a line, as its pictures say it: version, machines, seed and command.
    pub(super) fn describe_making(&self) -> String {
        let machines = self
            .machines
            .iter()
            .map(|Machine { build, cpu, system, .. }| format!("{build}, {cpu}, {system}"));
        let machines: Vec<String> = machines.collect();
        format!("{}, seed {}: {}", machines.join("; "), self.seed, self.writing_command())
    }

    /// Everything as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "experiment": self.experiment,
            "title": self.title,
            "variant": self.variant,
            "seed": self.seed,
            "versions": self.versions,
            "machines": self.machines,
            "tasks": self.tasks,
            "cost": { "cpu_seconds": self.cost.cpu_seconds, "wall_seconds": self.cost.wall_seconds },
            "skipped": self.skipped,
            "comparisons": self.comparisons,
            "other_findings": self.other_findings,
            "results": self.results.0,
            "kept": self.kept,
        })
    }

    /// Expected figures beside ours.
    pub fn comparison_table(&self) -> SheetTable {
        let columns = [
            "figure",
            "#expected",
            "#found here",
            "#interval",
            "outcome",
            "why",
            "source of the expected figure",
        ];
        let mut table = SheetTable::new(columns);
        for comparison in &self.comparisons {
            let [expected, ours, interval, outcome] = comparison.row_cells();
            let ExpectedFigure { what, why, source, .. } = &comparison.figure;
            table.add_row([what, &expected, &ours, &interval, &outcome, why, source]);
        }
        table.without_empty_column("why")
    }

    /// Findings without expected figures.
    pub fn other_findings_table(&self) -> Option<SheetTable> {
        let mut table = SheetTable::new(["figure", "#found here", "#interval"]);
        for finding in &self.other_findings {
            table.add_row([finding.what.clone(), finding.format_value(), finding.format_interval()]);
        }
        (!table.rows().is_empty()).then_some(table)
    }

    /// Seed, version, machine, cost.
    pub fn provenance_table(&self) -> SheetTable {
        let mut table = SheetTable::new(["", ""]);
        let mut line = |what: &str, value: String| table.add_row([what.to_string(), value]);
        line("variant", self.variant.clone());
        line("seed", self.seed.clone());
        line("ishi", self.versions.join(", "));
        for machine in &self.machines {
            let Machine { cpu, cores, system, build } = machine;
            let cores = format_count(*cores, "core");
            line("machine", format!("{cpu}, {cores}, {system}"));
            line("build", build.clone());
        }
        let missing = match self.missing {
            0 => String::new(),
            missing => format!(" ({missing} more are not finished: an early report)"),
        };
        line("tasks", format!("{}{missing}", self.tasks));
        line("cost", format_cost(self.cost));
        table
    }

    /// `3 of 4 measured figures that can be judged are as expected; of settings and arithmetic 5 of 5.` What is not stands in [`LabReport::describe_misses`].
    pub fn summary(&self) -> String {
        let judged = |is_given: bool| -> Vec<bool> {
            let comparisons = self.comparisons.iter().filter(|one| one.figure.is_from_document() == is_given);
            comparisons.filter_map(|one| one.verdict.is_success()).collect()
        };
        let (measured, given) = (judged(false), judged(true));
        let good = |judged: &[bool]| judged.iter().filter(|good| **good).count();
        if measured.is_empty() && given.is_empty() {
            return "None of the expected figures can be judged yet.".to_string();
        }
        let mut text = match measured.len() {
            0 => "None of the measured figures can be judged yet".to_string(),
            all => {
                format!("{} of {all} measured figures that can be judged are as expected", good(&measured))
            }
        };
        if !given.is_empty() {
            text += &format!("; of settings and arithmetic {} of {}", good(&given), given.len());
        }
        text + if self.describe_misses().is_empty() { "." } else { ". These are not:" }
    }

    /// What is not as expected: `boards: expected 22, found 23`.
    pub fn describe_misses(&self) -> Vec<String> {
        let missed = self.comparisons.iter().filter(|one| one.verdict.is_success() == Some(false));
        let text = |one: &FigureComparison| {
            let ours = one.finding.as_ref().map_or(String::new(), ReportFinding::format_value);
            format!("{}: expected {}, found {ours}", one.figure.what, one.figure.format_value())
        };
        missed.map(text).collect()
    }
}

/// What only the next task needs is no finding.
fn without_checkpoints(mut results: crate::experiment::TaskResults) -> crate::experiment::TaskResults {
    for object in results.0.values_mut().filter_map(Value::as_object_mut) {
        object.remove(crate::experiment::CHECKPOINT);
    }
    results
}

fn format_cost(cost: TaskCost) -> String {
    let hours = cost.cpu_seconds / 3600.0;
    format!("{hours:.4} CPU hours ({:.1} CPU seconds)", cost.cpu_seconds)
}
