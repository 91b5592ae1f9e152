//! Doing an experiment's tasks: in parallel, each kept as soon as it is finished.
//!
//! What a task gives follows from the task, so that neither the number of threads nor a kill in the middle changes a
//! result: the same command goes on with what is missing. Measurements of speed run alone, before everything else. A task
//! that goes on from another waits for it (`queue`).

mod queue;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{SyncSender, sync_channel};

use ishi_work::StopFlag;
use serde_json::{Value, json};

use self::queue::TaskQueue;
use crate::error::LabError;
use crate::experiment::{Experiment, ExperimentTask, TaskOutput, TaskResults};
use crate::folder::LoadedExperiment;
use crate::store::{NewResult, Store, StoreTask, TaskCost, TaskId, TaskKind};
use ishi_arena::stopwatch::Stopwatch;

/// What happens in a run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEvent<'a> {
    /// How many tasks there are, and how many of them are finished already.
    Planned {
        /// All.
        tasks: usize,
        /// Finished in earlier runs.
        done: usize,
    },
    /// Something will not be done, and why.
    Skipped(&'a str),
    /// A task is finished and kept.
    Finished {
        /// Its name.
        task: &'a str,
        /// What came out.
        result: &'a Value,
        /// What it cost.
        cost: TaskCost,
        /// What the experiment tells of it.
        live: Option<String>,
    },
}

/// Hears of the run, in the calling thread.
pub trait RunObserver {
    /// Something happened.
    fn on_event(&mut self, event: &RunEvent<'_>);
}

/// Every closure observes.
impl<F: FnMut(&RunEvent<'_>)> RunObserver for F {
    fn on_event(&mut self, event: &RunEvent<'_>) {
        self(event);
    }
}

/// How to go about a run.
pub struct RunOptions<'a> {
    /// Tasks that run at once, at least 1.
    pub threads: usize,
    /// Set it to stop: running tasks end as soon as they can, finished ones are kept. If it has a pause, tasks pause where they ask;
    /// those that run alone do not, as they measure time.
    pub stop: StopFlag,
    /// Hears of everything.
    pub observer: &'a mut dyn RunObserver,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExperimentRunEnd {
    /// Every task is finished.
    Complete,
    /// It was stopped; the same command goes on.
    Stopped,
}

/// How far an experiment is, and what it has cost so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunState {
    /// All tasks.
    pub tasks: usize,
    /// Finished ones.
    pub done: usize,
    /// The sum of the finished tasks' cost.
    pub cost: TaskCost,
    /// The versions of ishi that did them.
    pub versions: BTreeSet<String>,
    /// The results of the finished tasks.
    pub results: TaskResults,
    /// What each of them cost, by name.
    pub costs: BTreeMap<String, TaskCost>,
}

impl RunState {
    /// Is everything done?
    pub fn is_complete(&self) -> bool {
        self.done == self.tasks
    }

    /// One task more is finished.
    pub fn add_finished(&mut self, task: &str, result: &Value, cost: TaskCost) {
        self.done += 1;
        self.cost.cpu_seconds += cost.cpu_seconds;
        self.cost.wall_seconds += cost.wall_seconds;
        self.results.0.insert(task.to_string(), result.clone());
        self.costs.insert(task.to_string(), cost);
    }
}

/// Does whatever is missing.
///
/// # Errors
/// If a task or the database fails. What is finished is kept, also what other threads finish after the failure.
pub fn run_experiment(
    loaded: &LoadedExperiment,
    store: &mut Store,
    options: RunOptions<'_>,
) -> Result<ExperimentRunEnd, LabError> {
    let tasks = loaded.tasks();
    let name = start_experiment_run(loaded, store)?;
    let known = BTreeMap::new();
    let mut keeper = ResultKeeper { loaded, store, run: name, known, observer: options.observer };
    let missing = keeper.find_missing(tasks)?;
    let (alone, together): (Vec<PlannedTask>, Vec<PlannedTask>) =
        missing.into_iter().partition(|work| work.task.alone);
    // What measures time comes first, one task at a time, so that nothing of ours takes the processor from it.
    for (works, threads) in [(alone, 1), (together, options.threads.max(1))] {
        if keeper.run_missing(&works, threads, &options.stop)? == ExperimentRunEnd::Stopped {
            return Ok(ExperimentRunEnd::Stopped);
        }
    }
    Ok(ExperimentRunEnd::Complete)
}

/// Makes the run of an experiment, or finds it again, and gives its name.
///
/// # Errors
/// If a task goes on from one that is not before it, or the database cannot be written.
pub fn start_experiment_run(loaded: &LoadedExperiment, store: &mut Store) -> Result<String, LabError> {
    let tasks = loaded.tasks();
    let name = run_name(loaded, tasks);
    let spec = json!({
        "experiment": loaded.folder.name,
        "variant": loaded.variant,
        "seed": loaded.seed.to_string(),
        "tasks": tasks.len(),
    });
    store.start_run(&name, "experiment", &spec)?;
    queue::check_order(tasks)?;
    Ok(name)
}

/// Name, variant, seed and what of the configuration is in the tasks: a changed configuration is another run, and
/// tasks that stay the same are not done again.
fn run_name(loaded: &LoadedExperiment, tasks: &[ExperimentTask]) -> String {
    let ids: Vec<String> = tasks.iter().map(|task| task.work.id().to_string()).collect();
    let digest = StoreTask::new(TaskKind::new("experiment"), json!(ids)).id();
    let short: String = digest.as_str().chars().take(8).collect();
    format!("{} {} seed {} {short}", loaded.folder.name, loaded.variant, loaded.seed)
}

/// The name of the run in the database.
pub fn experiment_run_name(loaded: &LoadedExperiment) -> String {
    run_name(loaded, loaded.tasks())
}

/// All tasks, and how many of them are finished: less than [`read_progress`] asks for. Of what was never run with this store nothing is
/// finished, and what its tasks are is not asked, which takes some experiments seconds.
///
/// # Errors
/// If the database cannot be read.
pub fn count_tasks(loaded: &LoadedExperiment, store: &Store) -> Result<(usize, usize), LabError> {
    if !was_run(loaded, store)? {
        return Ok((loaded.task_count(), 0));
    }
    let tasks = loaded.tasks();
    let mut done = 0;
    for task in tasks {
        done += usize::from(store.is_finished(&task.work.id())?);
    }
    Ok((tasks.len(), done))
}

/// Has the experiment been run with this store, in this variant, with this seed? A run that is damaged may be this one.
fn was_run(loaded: &LoadedExperiment, store: &Store) -> Result<bool, LabError> {
    let (variant, seed) = (json!(loaded.variant), json!(loaded.seed.to_string()));
    let is_ours = |spec: &Value| {
        spec["experiment"] == loaded.folder.name.as_str()
            && spec["variant"] == variant
            && spec["seed"] == seed
    };
    Ok(store.experiment_specs()?.iter().any(|spec| spec.as_ref().is_none_or(is_ours)))
}

/// How far the experiment is.
///
/// # Errors
/// If the database cannot be read.
pub fn read_progress(loaded: &LoadedExperiment, store: &Store) -> Result<RunState, LabError> {
    let tasks = loaded.tasks();
    let mut progress = RunState { tasks: tasks.len(), ..RunState::default() };
    for task in tasks {
        if let Some(finished) = store.find_result(&task.work.id())? {
            progress.add_finished(&task.name, &finished.result, finished.cost);
            progress.versions.insert(finished.version);
        }
    }
    Ok(progress)
}

/// A task with its place in the run.
struct PlannedTask<'a> {
    place: u64,
    task: &'a ExperimentTask,
}

/// From a worker: the work's number and what came of it.
type WorkerResult = (usize, Result<Option<(TaskCost, TaskOutput)>, LabError>);

/// Keeps results as they come.
struct ResultKeeper<'a> {
    loaded: &'a LoadedExperiment,
    store: &'a mut Store,
    run: String,
    /// Results of earlier runs that missing tasks go on from.
    known: BTreeMap<String, Value>,
    observer: &'a mut dyn RunObserver,
}

impl ResultKeeper<'_> {
    /// What is not finished yet. What is, belongs to this run from now on.
    fn find_missing<'t>(&mut self, tasks: &'t [ExperimentTask]) -> Result<Vec<PlannedTask<'t>>, LabError> {
        // Results may be large: only those that another task goes on from stay in memory.
        let is_followed: BTreeSet<&str> = tasks.iter().filter_map(|task| task.after.as_deref()).collect();
        let mut missing = Vec::new();
        for (place, task) in (0..).zip(tasks) {
            let id = task.work.id();
            match self.store.find_result(&id)? {
                None => missing.push(PlannedTask { place, task }),
                Some(finished) => {
                    self.record_in_run(place, &id)?;
                    if is_followed.contains(task.name.as_str()) {
                        self.known.insert(task.name.clone(), finished.result);
                    }
                }
            }
        }
        for reason in self.loaded.experiment.list_skipped() {
            self.observer.on_event(&RunEvent::Skipped(&reason));
        }
        self.observer.on_event(&RunEvent::Planned { tasks: tasks.len(), done: tasks.len() - missing.len() });
        Ok(missing)
    }

    fn record_in_run(&mut self, place: u64, id: &TaskId) -> Result<(), LabError> {
        if self.store.task_at_place(&self.run, place)?.is_none() {
            self.store.add_to_run(&self.run, place, id)?;
        }
        Ok(())
    }

    /// Does the works on so many threads. After a failure nothing new is begun, but what is running is kept.
    fn run_missing(
        &mut self,
        works: &[PlannedTask<'_>],
        threads: usize,
        stop: &StopFlag,
    ) -> Result<ExperimentRunEnd, LabError> {
        let tasks: Vec<&ExperimentTask> = works.iter().map(|work| work.task).collect();
        let experiment = self.loaded.experiment.as_ref();
        let shared = SharedWork {
            queue: TaskQueue::new(tasks.clone(), self.known.clone()),
            tasks,
            experiment,
            stop: stop.clone(),
        };
        let mut kept = 0;
        std::thread::scope(|scope| {
            // Who observes may let a run wait: then its workers wait with the result that they have.
            let (sender, receiver) = sync_channel(0);
            for _ in 0..threads.min(works.len()) {
                let (shared, sender) = (&shared, sender.clone());
                scope.spawn(move || shared.run_worker(&sender));
            }
            drop(sender);
            let mut failure = None;
            for (number, done) in receiver {
                match done.and_then(|output| self.keep_result(&works[number], output)) {
                    Ok(Some(result)) => {
                        kept += 1;
                        shared.queue.mark_kept(number, &result);
                    }
                    Ok(None) => shared.queue.close(),
                    Err(error) => {
                        shared.queue.close();
                        failure.get_or_insert(error);
                    }
                }
            }
            failure.map_or(Ok(()), Err)
        })?;
        Ok(if kept == works.len() { ExperimentRunEnd::Complete } else { ExperimentRunEnd::Stopped })
    }

    /// Keeps a result; gives it, if there was one.
    fn keep_result(
        &mut self,
        work: &PlannedTask<'_>,
        done: Option<(TaskCost, TaskOutput)>,
    ) -> Result<Option<Value>, LabError> {
        let Some((cost, output)) = done else { return Ok(None) };
        let seed = self.loaded.seed.to_string();
        let new = NewResult { result: output.result, seed, cost, games: output.games };
        self.store.keep_result_in_run(&work.task.work, &new, Some((&self.run, work.place)))?;
        let live = self.loaded.experiment.describe_finished_task(work.task, &new.result);
        let (task, result) = (work.task.name.as_str(), &new.result);
        self.observer.on_event(&RunEvent::Finished { task, result, cost, live });
        Ok(Some(new.result))
    }
}

/// What the workers share.
struct SharedWork<'a> {
    queue: TaskQueue<'a>,
    tasks: Vec<&'a ExperimentTask>,
    experiment: &'a dyn Experiment,
    stop: StopFlag,
}

impl SharedWork<'_> {
    /// Takes one task after the other until there is none, somebody says stop, or one has failed.
    fn run_worker(&self, results: &SyncSender<WorkerResult>) {
        while !self.stop.is_requested() {
            let Some((number, before)) = self.queue.take_next() else { return };
            let task = self.tasks[number];
            let stop = if task.alone { self.stop.without_pause() } else { self.stop.clone() };
            let watch = Stopwatch::start();
            let output = self.experiment.run_task(task, before.as_ref(), &stop);
            let own = TaskCost { cpu_seconds: watch.cpu_seconds(), wall_seconds: watch.wall_seconds() };
            let with_cost = |output: TaskOutput| (output.cost.unwrap_or(own), output);
            if results.send((number, output.map(|output| output.map(with_cost)))).is_err() {
                return;
            }
        }
        self.queue.close();
    }
}
