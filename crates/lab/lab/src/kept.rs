//! Results that a report keeps, taken back into a database: what was done once is not done again where only the report is left.
//!
//! `results.json` names for each of its results the id of the task, which stands for its description and for the version of
//! its kind's results. A result is taken only if the experiment has a task of that name and that id today.

use std::collections::BTreeMap;

use ishi_words::coded;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::LabError;
use crate::experiment::{CHECKPOINT, ExperimentTask};
use crate::folder::LoadedExperiment;
use crate::report::results_text::check_results_text;
use crate::runner::RunState;
use crate::store::{NewResult, Store, TaskCost};

/// What `results.json` says of the task of one of its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptTask {
    /// The task's id.
    pub id: String,
    /// What it cost.
    pub cpu_seconds: f64,
    /// The same, elapsed.
    pub wall_seconds: f64,
}

/// The part of `results.json` that is needed.
#[derive(Deserialize)]
struct KeptResultsFile {
    /// Kept tasks by name; files of older versions have none.
    #[serde(default)]
    kept: BTreeMap<String, KeptTask>,
    results: BTreeMap<String, Value>,
    #[serde(default)]
    cost: KeptTotal,
}

/// What all tasks of a report cost.
#[derive(Default, Deserialize)]
struct KeptTotal {
    wall_seconds: f64,
}

/// What the tasks of a kept report took, elapsed, in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeptTimes {
    /// Seconds of the tasks that are kept, by name.
    pub tasks: BTreeMap<String, f64>,
    /// The mean of the others, of which the report has the sum only.
    pub others: f64,
}

impl KeptTimes {
    /// What a task took; the mean of those whose own time is not known, if it is one of them or is new.
    pub fn time_of(&self, name: &str) -> f64 {
        self.tasks.get(name).copied().unwrap_or(self.others)
    }
}

/// The tasks of the finished results, by name. Those that others go on from are left out: their results are not kept whole.
pub fn kept_tasks(tasks: &[ExperimentTask], progress: &RunState) -> BTreeMap<String, KeptTask> {
    let one = |task: &ExperimentTask| {
        let result = progress.results.0.get(&task.name)?;
        let TaskCost { cpu_seconds, wall_seconds } = *progress.costs.get(&task.name)?;
        let id = task.work.id().to_string();
        let is_whole = result.get(CHECKPOINT).is_none();
        is_whole.then(|| (task.name.clone(), KeptTask { id, cpu_seconds, wall_seconds }))
    };
    tasks.iter().filter_map(one).collect()
}

/// The experiment's `results.json`, if there is one.
fn read_results_file(loaded: &LoadedExperiment) -> Result<Option<KeptResultsFile>, LabError> {
    let path = loaded.folder.results_path(loaded.variant).join("results.json");
    if !path.is_file() {
        return Ok(None);
    }
    let failed = |error| LabError::File { what: "read", path: path.clone(), error };
    let text = std::fs::read_to_string(&path).map_err(failed)?;
    let wrong = |cause: String| {
        let path = path.display();
        LabError::Input(coded!["lab-no-report", "{path}: no report of ishi: {cause}", path, cause])
    };
    check_results_text(&text).map_err(wrong)?;
    serde_json::from_str(&text).map(Some).map_err(|error| wrong(error.to_string()))
}

/// What the tasks of the experiment's `results.json` took, if there is one with tasks in it.
///
/// # Errors
/// If the file cannot be read or is not a report's.
pub fn read_times(loaded: &LoadedExperiment) -> Result<Option<KeptTimes>, LabError> {
    let Some(KeptResultsFile { kept, results, cost }) = read_results_file(loaded)? else { return Ok(None) };
    let tasks: BTreeMap<String, f64> =
        kept.into_iter().map(|(name, task)| (name, task.wall_seconds)).collect();
    let (known, others) = (tasks.values().sum::<f64>(), results.len().saturating_sub(tasks.len()));
    // Tasks that are new are taken for tasks in the mean, where each of the others is known.
    let mean = match others {
        0 => cost.wall_seconds / results.len().max(1) as f64,
        others => (cost.wall_seconds - known).max(0.0) / others as f64,
    };
    Ok((!results.is_empty()).then_some(KeptTimes { tasks, others: mean }))
}

/// Takes what the experiment's `results.json` keeps of tasks that the database has no result of, and says how many these are; their
/// games' records are not kept there. Without such a file nothing is taken.
///
/// # Errors
/// If the file cannot be read or is not a report's, or the database cannot be written.
pub fn restore_results(loaded: &LoadedExperiment, store: &mut Store) -> Result<usize, LabError> {
    let Some(KeptResultsFile { kept, results, .. }) = read_results_file(loaded)? else { return Ok(0) };
    let mut taken = 0;
    for task in loaded.tasks() {
        let id = task.work.id();
        // A task whose description has changed is another one, and the old result is not its own.
        let same = kept.get(&task.name).filter(|kept| kept.id == id.as_str());
        let Some((kept, result)) = same.zip(results.get(&task.name)) else { continue };
        let cost = TaskCost { cpu_seconds: kept.cpu_seconds, wall_seconds: kept.wall_seconds };
        let seed = loaded.seed.to_string();
        let new = NewResult { result: result.clone(), seed, cost, games: Vec::new() };
        taken += usize::from(store.keep_result(&task.work, &new)?);
    }
    Ok(taken)
}
