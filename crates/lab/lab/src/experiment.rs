//! What an experiment is: tasks, how to do one, and what their results say.
//!
//! A [`ExperimentKind`] reads `config.toml` into an [`Experiment`]; the crate `ishi-experiments` has the kinds. docs/lab.md says how to add one.

use std::collections::BTreeMap;
use std::fmt;

use ishi_arena::process::EngineCommand;
use ishi_arena::stopwatch::Stopwatch;
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::body::ReportBody;
use crate::error::LabError;
use crate::source::{SourceError, TomlSource};
use crate::store::{self, GameRow, NewResult, TaskCost};

/// The whole experiment, or a small one of the same shape for tests. Their seeds differ, and their results are kept as
/// different runs and reported in different places, so that they are never mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// What the verdict rests on.
    Full,
    /// For tests.
    Quick,
}

impl Variant {
    /// Both.
    pub const ALL: [Variant; 2] = [Variant::Full, Variant::Quick];
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Variant::Full => "full",
            Variant::Quick => "quick",
        })
    }
}

/// The parameters of both variants, as `config.toml` has them: `[full...]` and `[quick...]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config<P> {
    /// Which kind of experiment; it was read before.
    #[serde(rename = "kind")]
    _kind: String,
    full: P,
    quick: P,
}

impl<P: DeserializeOwned> Config<P> {
    /// Reads the file and sets up an experiment from each variant, so that both are checked. The one that is wanted is given.
    ///
    /// # Errors
    /// If a key is missing, unknown or of the wrong type, and what `set_up` finds wrong.
    pub fn load_variant<E>(
        source: &TomlSource,
        wanted: Variant,
        mut set_up: impl FnMut(Variant, P) -> Result<E, SourceError>,
    ) -> Result<E, SourceError> {
        let config: Config<P> = source.parse()?;
        let full = set_up(Variant::Full, config.full)?;
        let quick = set_up(Variant::Quick, config.quick)?;
        Ok(match wanted {
            Variant::Full => full,
            Variant::Quick => quick,
        })
    }
}

/// Makes an experiment of its configuration.
pub type LoadExperiment = fn(&TomlSource, &ExperimentSetup) -> Result<Box<dyn Experiment>, SourceError>;

/// A kind of experiment.
#[derive(Debug)]
pub struct ExperimentKind {
    /// The word in `config.toml`.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Reads and checks the configuration, both variants of it, and sets one up.
    pub load: LoadExperiment,
}

/// What an experiment is set up with, besides its configuration.
#[derive(Clone, Debug)]
pub struct ExperimentSetup {
    /// Full or quick.
    pub variant: Variant,
    /// The seed, different for the variants.
    pub seed: Seed,
}

/// A piece of work. It is done whole or not at all: a minute is long for one.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentTask {
    /// Its name within the experiment, such as `speed/9x9/3`: for reports and progress.
    pub name: String,
    /// What is done; its id follows from it.
    pub work: store::StoreTask,
    /// Must nothing else run beside it? So for measurements of speed.
    pub alone: bool,
    /// The name of the task that this one goes on from, for work of many minutes that is done in pieces. `work` says
    /// everything that the result follows from all the same.
    pub after: Option<String>,
}

impl ExperimentTask {
    /// Work of a kind, as a specification says. Others may run beside it, and it goes on from none.
    pub fn new(name: impl Into<String>, kind: store::TaskKind, spec: Value) -> ExperimentTask {
        ExperimentTask {
            name: name.into(),
            work: store::StoreTask::new(kind, spec),
            alone: false,
            after: None,
        }
    }

    /// The same, beside which nothing else runs.
    #[must_use]
    pub fn run_alone(self) -> ExperimentTask {
        ExperimentTask { alone: true, ..self }
    }

    /// The same, going on from another task, if there is one.
    #[must_use]
    pub fn going_on_from(self, before: Option<&ExperimentTask>) -> ExperimentTask {
        ExperimentTask { after: before.map(|task| task.name.clone()), ..self }
    }

    /// Why it could not be done.
    pub fn failure(&self, error: impl fmt::Display) -> LabError {
        LabError::Task { task: self.name.clone(), error: error.to_string() }
    }

    /// What is to be done.
    ///
    /// # Errors
    /// If that is not of this form.
    pub fn read_spec<T: DeserializeOwned>(&self) -> Result<T, LabError> {
        T::deserialize(self.work.spec()).map_err(|error| self.failure(error))
    }
}

/// The member of a result that is for the task that goes on from it: it is kept in the database and left out of reports.
pub const CHECKPOINT: &str = "checkpoint";

/// What a task gives.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskOutput {
    /// The result. It follows from the task alone, measurements excepted.
    pub result: Value,
    /// Games that were played.
    pub games: Vec<GameRow>,
    /// What it cost, where the clocks of the thread that called do not know.
    pub cost: Option<TaskCost>,
}

impl TaskOutput {
    /// What is to be kept: with the seed of the whole run, and the cost by its own account, or else by the watch of the thread that did it.
    pub fn into_result(self, seed: Seed, watch: &Stopwatch) -> NewResult {
        let TaskOutput { result, games, cost } = self;
        let own = TaskCost { cpu_seconds: watch.cpu_seconds(), wall_seconds: watch.wall_seconds() };
        NewResult { result, seed: seed.to_string(), cost: cost.unwrap_or(own), games }
    }
}

impl From<Value> for TaskOutput {
    fn from(result: Value) -> TaskOutput {
        TaskOutput { result, games: Vec::new(), cost: None }
    }
}

/// How a task ends; `None` if it was broken off because its stop was set.
pub type TaskEnd = Result<Option<TaskOutput>, LabError>;

/// The results of an experiment's tasks, by name; all of them, or those there are yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskResults(pub BTreeMap<String, Value>);

impl TaskResults {
    /// A task's result as a type of yours; `None` if it is not there yet.
    ///
    /// # Errors
    /// If it is not of this form.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, LabError> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        T::deserialize(value)
            .map(Some)
            .map_err(|e| LabError::Result { task: name.to_string(), error: e.to_string() })
    }
}

/// A configured experiment.
pub trait Experiment: Send + Sync {
    /// All tasks in their order. They follow from configuration, variant and seed, and from nothing else.
    fn tasks(&self) -> Vec<ExperimentTask>;

    /// How many tasks there are. Experiments whose tasks take long to list count them without that.
    fn task_count(&self) -> usize {
        self.tasks().len()
    }

    /// Does a task; `None` if it was broken off because `stop` was set. `before` is the result of the task that it goes
    /// on from, if it names one.
    ///
    /// # Errors
    /// If something outside failed. Other tasks go on after the same command.
    fn run_task(&self, task: &ExperimentTask, before: Option<&Value>, stop: &StopFlag) -> TaskEnd;

    /// What to tell of a finished task while the others run; nothing for most.
    fn describe_finished_task(&self, _task: &ExperimentTask, _result: &Value) -> Option<String> {
        None
    }

    /// Can [`Experiment::build_report`] do with some of the results? Then the report is written again and again during a run.
    fn reports_early(&self) -> bool {
        false
    }

    /// What will not be done on this machine, and why: printed, and written into the report.
    fn list_skipped(&self) -> Vec<String> {
        Vec::new()
    }

    /// The programs that its tasks start; none for most.
    fn programs(&self) -> Vec<EngineCommand> {
        Vec::new()
    }

    /// Findings, tables and plots of all results.
    ///
    /// # Errors
    /// If results are missing or not of the form that they should have.
    fn build_report(&self, results: &TaskResults) -> Result<ReportBody, LabError>;
}
