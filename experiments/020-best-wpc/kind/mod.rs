//! The best weighted piece counters: ten weights learned from the rules of the game alone, and sixty-four trained against the
//! standard.
//!
//! Both are found by CMA-ES on the mean score over games of the league, with the same games for all points of a generation
//! (common random numbers) and new ones in the next. Where there is no opponent to train against, the hall of fame is
//! the opponent (Rosin and Belew 1997). A search is cut into pieces, a task each, that go on from one another bit for bit.

mod exam;
mod hall;
mod search;
mod standing;
mod train;

use std::path::Path;

use ishi_evolve::EvolveError;
use ishi_lab::LabError;
use ishi_lab::body::{LinePlot, PlotSeries, ReportBody, SheetBlock, SheetSection};
use ishi_lab::experiment::{
    CHECKPOINT, Config, Experiment, ExperimentKind, ExperimentSetup, ExperimentTask, TaskEnd, TaskOutput,
    TaskResults,
};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_lab::store::TaskKind;
use ishi_othello::{Wpc, WpcError};
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::standing::SearchStanding;

/// The kind, for the registry.
pub const KIND: ExperimentKind = ExperimentKind {
    name: "othello-wpc",
    about: "the best weighted piece counters of Othello, from the rules alone and against the standard",
    load: load_experiment,
};

/// The kinds of its tasks.
const RULES: TaskKind = TaskKind::new("othello-wpc-rules");
const STANDARD: TaskKind = TaskKind::new("othello-wpc-standard");

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CounterParams {
    rules: hall::HallParams,
    standard: train::TrainParams,
    exam: exam::ExamParams,
}

/// The experiment.
struct OthelloWpc {
    seed: Seed,
    rules: hall::HallParams,
    standard: train::TrainParams,
    exam: exam::Exam,
}

fn load_experiment(source: &TomlSource, setup: &ExperimentSetup) -> Result<Box<dyn Experiment>, SourceError> {
    let folder = source.path().parent().unwrap_or(Path::new(".")).to_path_buf();
    let counters = Config::<CounterParams>::load_variant(source, setup.variant, |_, params| {
        params.rules.check_ranges(source)?;
        params.standard.check_ranges(source)?;
        let exam = exam::Exam::new(source, &folder, params.exam)?;
        Ok(OthelloWpc { seed: setup.seed, rules: params.rules, standard: params.standard, exam })
    })?;
    Ok(Box::new(counters))
}

/// What a task does.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SearchSpec<S> {
    seed: u64,
    /// Everything that the search follows from.
    search: Value,
    step: S,
}

/// A step of either search, or the examination at its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SearchStep<S> {
    Search(S),
    Exam(Value),
}

/// The steps of a search as tasks in a row.
fn chain_tasks<S: Serialize>(
    counters: &OthelloWpc,
    kind: TaskKind,
    search: Value,
    steps: Vec<(String, S)>,
    exam: &str,
) -> Vec<ExperimentTask> {
    let steps = steps.into_iter().map(|(name, step)| (name, SearchStep::Search(step)));
    let exam = (exam.to_string(), SearchStep::Exam(counters.exam.description()));
    let mut tasks: Vec<ExperimentTask> = Vec::new();
    for (name, step) in steps.chain([exam]) {
        let spec = SearchSpec { seed: counters.seed.value(), search: search.clone(), step };
        let task = ExperimentTask::new(name, kind, json!(spec)).going_on_from(tasks.last());
        tasks.push(task);
    }
    tasks
}

/// Where the search stood, out of the result of the task before.
fn read_checkpoint<T: DeserializeOwned + Default>(
    task: &ExperimentTask,
    before: Option<&Value>,
) -> Result<T, LabError> {
    match before.and_then(|result| result.get(CHECKPOINT)) {
        None => Ok(T::default()),
        Some(kept) => T::deserialize(kept)
            .map_err(|e| LabError::Result { task: task.name.clone(), error: e.to_string() }),
    }
}

/// The result of a step, with what the next one needs.
fn step_output<T: Serialize>(stand: &SearchStanding, state: &T) -> TaskOutput {
    let mut result = json!(stand);
    result[CHECKPOINT] = json!(state);
    TaskOutput::from(result)
}

impl OthelloWpc {
    /// A step of a search, which `advance` does, or the examination at its end.
    fn run_step<T: DeserializeOwned + Default + Serialize, S: DeserializeOwned>(
        &self,
        task: &ExperimentTask,
        before: Option<&Value>,
        stop: &StopFlag,
        advance: impl FnOnce(&mut T, S) -> Result<Option<SearchStanding>, EvolveError>,
    ) -> TaskEnd {
        match task.read_spec::<SearchSpec<SearchStep<S>>>()?.step {
            SearchStep::Exam(_) => self.examine_result(task, before, stop),
            SearchStep::Search(step) => {
                let mut state: T = read_checkpoint(task, before)?;
                let stand = advance(&mut state, step).map_err(|error| task.failure(error))?;
                Ok(stand.map(|stand| step_output(&stand, &state)))
            }
        }
    }

    /// The examination of what a search recommends; nothing if it was told to stop.
    fn examine_result(&self, task: &ExperimentTask, before: Option<&Value>, stop: &StopFlag) -> TaskEnd {
        let stand: Option<SearchStanding> =
            before.and_then(|result| SearchStanding::deserialize(result).ok());
        let stand = stand.ok_or_else(|| task.failure("nothing was learned before it"))?;
        let wpc: Wpc = stand.weights.parse().map_err(|e: WpcError| task.failure(e))?;
        let seed = self.seed.child_seed("exam", 0).child_seed(task.work.kind().name(), 0);
        let report = self.exam.examine_player(&wpc, seed, stop).map_err(|error| task.failure(error))?;
        Ok(report.map(|report| TaskOutput::from(json!(report))))
    }
}

impl Experiment for OthelloWpc {
    fn tasks(&self) -> Vec<ExperimentTask> {
        let mut tasks = chain_tasks(self, RULES, json!(self.rules), self.rules.list_steps(), "rules/exam");
        tasks.extend(chain_tasks(
            self,
            STANDARD,
            json!(self.standard),
            self.standard.list_steps(),
            "standard/exam",
        ));
        tasks
    }

    fn run_task(&self, task: &ExperimentTask, before: Option<&Value>, stop: &StopFlag) -> TaskEnd {
        if task.work.kind() == RULES {
            let seed = self.seed.child_seed("rules", 0);
            return self.run_step(task, before, stop, |state: &mut hall::HallState, step| {
                self.rules.advance_step(state, step, seed, stop)
            });
        }
        let seed = self.seed.child_seed("standard", 0);
        self.run_step(task, before, stop, |state: &mut train::TrainState, step| {
            self.standard.advance_step(state, step, seed, stop)
        })
    }

    fn describe_finished_task(&self, _task: &ExperimentTask, result: &Value) -> Option<String> {
        let stand = SearchStanding::deserialize(result).ok()?;
        Some(format!("trained {:.3}, standard {:.3}", stand.trained, stand.standard))
    }

    fn list_skipped(&self) -> Vec<String> {
        self.exam.missing_players()
    }

    fn build_report(&self, results: &TaskResults) -> Result<ReportBody, LabError> {
        let mut body = ReportBody::default();
        for (key, heading, what) in [
            ("rules", "Ten weights from the rules alone", RULES_TEXT),
            ("standard", "Sixty-four weights against the standard", STANDARD_TEXT),
        ] {
            let mut blocks = vec![SheetBlock::Text(what.into())];
            if let Some(report) = results.get::<exam::ExamReport>(&format!("{key}/exam"))? {
                body.findings.extend(report.list_findings(key));
                blocks.push(SheetBlock::Text(format!(
                    "Weights: {}",
                    report.weights.trim().replace('\n', " / ")
                )));
                blocks.push(SheetBlock::Table(report.score_table()));
            }
            blocks.push(SheetBlock::Lines(key.to_string(), self.progress_plot(results, key)?));
            body.sections.push(SheetSection { heading: heading.into(), blocks });
        }
        body.sections.push(SheetSection {
            heading: "Examination".into(),
            blocks: vec![SheetBlock::Text(EXAM_TEXT.into())],
        });
        Ok(body)
    }
}

const RULES_TEXT: &str = "CMA-ES plays against a hall of fame that begins with the random player; the winner of each round \
    enters it. At the end of a run the opponents are members of the hall whose weights are shaken, so that the result \
    answers a neighbourhood and not a few players. Of all runs' results the one counts that does best against the others \
    and their halls. The standard is watched, not used.";
const STANDARD_TEXT: &str = "CMA-ES against the standard alone, several runs from zero; the best goes on with more games. \
    That such a score can be gamed shows in the other rows of the table.";
const EXAM_TEXT: &str = "By the league's rules (one move ahead, epsilon 0.1), with games that were not played in learning. \
    Intervals are Wilson's, 95 %. The mean is that of the scores against the players of the table, each counting as much.";

impl OthelloWpc {
    /// How the search went, step after step.
    fn progress_plot(&self, results: &TaskResults, key: &str) -> Result<LinePlot, LabError> {
        let mut lines = [Vec::new(), Vec::new()];
        let prefix = format!("{key}/");
        let steps = self
            .tasks()
            .into_iter()
            .filter(|task| task.name.starts_with(&prefix) && !task.name.ends_with("exam"));
        for (number, task) in steps.enumerate() {
            if let Some(stand) = results.get::<SearchStanding>(&task.name)? {
                lines[0].push((number as f64, stand.trained, None));
                lines[1].push((number as f64, stand.standard, None));
            }
        }
        let [trained, standard] = lines;
        let series = vec![
            PlotSeries { name: "against the opponents in training".into(), points: trained },
            PlotSeries { name: "against the standard".into(), points: standard },
        ];
        Ok(LinePlot::new("Score after each step", ["step", "mean score"], series))
    }
}
