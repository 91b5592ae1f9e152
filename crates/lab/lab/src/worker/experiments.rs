//! Experiments as jobs: the configuration travels with the job, so that a worker needs no folder of experiments.

use std::collections::BTreeMap;

use ishi_work::StopFlag;

use ishi_arena::stopwatch::Stopwatch;
use ishi_rng::Seed;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::job::{JobAnswer, PreparedJob};
use crate::error::LabError;
use crate::experiment::{ExperimentKind, Variant};
use crate::folder::{LoadedExperiment, find_folder};
use crate::runner::{experiment_run_name, start_experiment_run};
use crate::store::{QueueEntry, Store, StoreTask, TaskId};

/// The files of an experiment that a job needs.
const FILES: [&str; 2] = ["config.toml", "expected.toml"];

/// An experiment that a worker can do.
pub struct ExperimentJob {
    loaded: LoadedExperiment,
    /// The experiment's folder, for as long as there is work.
    _folder: TempDir,
}

/// How a worker does the experiment's tasks. `programs` are the programs that they start, with the contents of their files, as far as workers must
/// have the same.
///
/// # Errors
/// If a file of the experiment cannot be read.
pub fn describe_experiment_job(
    loaded: &LoadedExperiment,
    programs: &BTreeMap<String, String>,
) -> Result<Value, LabError> {
    let mut job = json!({
        "do": "experiment",
        "experiment": loaded.folder.name,
        "variant": loaded.variant,
        "seed": loaded.seed.to_string(),
    });
    for file in FILES {
        let path = loaded.folder.path.join(file);
        let text = std::fs::read_to_string(&path);
        job[file] = json!(text.map_err(|error| LabError::File { what: "read", path, error })?);
    }
    if !programs.is_empty() {
        job["programs"] = json!(programs);
    }
    Ok(job)
}

/// Opens the experiment as a job of the campaign. Tasks that nothing may run beside stay out of the queue: a worker would
/// measure the others. `programs` are as for [`describe_experiment_job`]. Gives the run, how many tasks are in the queue, and how many stay
/// out and are not finished.
///
/// # Errors
/// If the experiment cannot be read, or the store cannot be written.
pub fn open_experiment_job(
    loaded: &LoadedExperiment,
    campaign: &str,
    programs: &BTreeMap<String, String>,
    store: &mut Store,
) -> Result<(String, u64, u64), LabError> {
    let tasks = loaded.tasks();
    let job = describe_experiment_job(loaded, programs)?;
    start_experiment_run(loaded, store)?;
    let run = experiment_run_name(loaded);
    let id_of = |name: &String| tasks.iter().find(|task| task.name == *name).map(|task| task.work.id());
    let (mut entries, mut alone) = (Vec::new(), 0);
    for (place, task) in (0..).zip(tasks) {
        let id: TaskId = task.work.id();
        if task.alone {
            alone += u64::from(!store.is_finished(&id)?);
        } else {
            entries.push(QueueEntry { place, task: id, after: task.after.as_ref().and_then(id_of) });
        }
    }
    let open = store.open_job(&run, campaign, &job, &entries)?;
    Ok((run, open, alone))
}

impl ExperimentJob {
    /// Sets the experiment of a job up, which is of one of the `kinds`.
    ///
    /// # Errors
    /// If the job is not of this form, or this ishi has no such experiment.
    pub fn prepare(job: &Value, kinds: &[ExperimentKind]) -> Result<ExperimentJob, String> {
        let text = |key: &str| job[key].as_str().ok_or_else(|| format!("the job has no {key:?}"));
        let variant = match text("variant")? {
            "full" => Variant::Full,
            "quick" => Variant::Quick,
            other => return Err(format!("the variant is {other:?} and must be full or quick")),
        };
        let seed = text("seed")?.parse::<Seed>().map_err(|error| format!("the seed of the job: {error}"))?;
        let name = text("experiment")?;
        if name.contains(['/', '\\']) || name.starts_with('.') {
            return Err(format!("{name:?} must be the name of a folder, such as 010-ground"));
        }
        let place = tempfile::tempdir().map_err(|error| error.to_string())?;
        let folder = place.path().join(name);
        std::fs::create_dir(&folder).map_err(|error| error.to_string())?;
        for file in FILES {
            std::fs::write(folder.join(file), text(file)?).map_err(|error| error.to_string())?;
        }
        let found = find_folder(place.path(), name).map_err(|error| error.to_string())?;
        let loaded = found.load_experiment(kinds, variant, seed).map_err(|error| error.to_string())?;
        Ok(ExperimentJob { loaded, _folder: place })
    }

    /// The experiment, ready to be worked at.
    pub fn loaded(&self) -> &LoadedExperiment {
        &self.loaded
    }
}

impl PreparedJob for ExperimentJob {
    fn task(&self, place: u64) -> Option<StoreTask> {
        let tasks = self.loaded.tasks();
        tasks.get(usize::try_from(place).ok()?).map(|task| task.work.clone())
    }

    /// Some experiments measure times where nothing needs to stand alone.
    fn is_exact(&self) -> bool {
        false
    }

    fn do_task(&self, place: u64, before: Option<&Value>, stop: &StopFlag) -> JobAnswer {
        let task = usize::try_from(place).ok().and_then(|place| self.loaded.tasks().get(place));
        let task = task.ok_or_else(|| format!("the experiment has no task {place}"))?;
        let watch = Stopwatch::start();
        let output =
            self.loaded.experiment.run_task(task, before, stop).map_err(|error| error.to_string())?;
        Ok(output.map(|output| output.into_result(self.loaded.seed, &watch)))
    }
}
