//! Doing an experiment's tasks: in parallel, each kept as soon as it is finished.
//!
//! What a task gives follows from the task, so that neither the number of threads nor a kill in the middle changes a
//! result: the same command goes on with what is missing. Measurements of speed run alone, before everything else. A task
//! that goes on from another waits for it (`queue`).

mod queue;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};

use serde_json::{Value, json};

use self::queue::Queue;
use crate::error::LabError;
use crate::experiment::{Experiment, Output, Results, Task};
use crate::folder::Loaded;
use crate::store::{Cost, NewResult, Store, TaskId};
use ishi_arena::stopwatch::Stopwatch;

/// What happens in a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
    /// So many tasks there are, and so many are finished already.
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
        cost: Cost,
        /// What the experiment tells of it.
        live: Option<String>,
    },
}

/// Hears of the run, in the calling thread.
pub trait Observer {
    /// Something happened.
    fn on(&mut self, event: &Event<'_>);
}

/// Every closure observes.
impl<F: FnMut(&Event<'_>)> Observer for F {
    fn on(&mut self, event: &Event<'_>) {
        self(event);
    }
}

/// How to go about a run.
pub struct RunOptions<'a> {
    /// Tasks that run at once, at least 1.
    pub threads: usize,
    /// Set it to stop: running tasks end as soon as they can, finished ones are kept.
    pub stop: Arc<AtomicBool>,
    /// Hears of everything.
    pub observer: &'a mut dyn Observer,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Every task is finished.
    Complete,
    /// It was stopped; the same command goes on.
    Stopped,
}

/// How far an experiment is, and what it has cost so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// All tasks.
    pub tasks: usize,
    /// Finished ones.
    pub done: usize,
    /// The sum of the finished tasks' cost.
    pub cost: Cost,
    /// The versions of ishi that did them.
    pub versions: BTreeSet<String>,
    /// The results of the finished tasks.
    pub results: Results,
    /// What each of them cost, by name.
    pub costs: BTreeMap<String, Cost>,
}

impl Progress {
    /// Is everything done?
    pub fn is_complete(&self) -> bool {
        self.done == self.tasks
    }

    /// One task more is finished.
    pub fn add(&mut self, task: &str, result: &Value, cost: Cost) {
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
pub fn run(loaded: &Loaded, store: &mut Store, options: RunOptions<'_>) -> Result<RunEnd, LabError> {
    let tasks = loaded.tasks();
    let name = run_name(loaded, tasks);
    let spec = json!({
        "experiment": loaded.folder.name,
        "variant": loaded.variant,
        "seed": loaded.seed.to_string(),
        "tasks": tasks.len(),
    });
    store.start_run(&name, "experiment", &spec)?;
    queue::check(tasks)?;
    let known = BTreeMap::new();
    let mut keeper = Keeper { loaded, store, run: name, known, observer: options.observer };
    let missing = keeper.missing(tasks)?;
    let (alone, together): (Vec<Work>, Vec<Work>) = missing.into_iter().partition(|work| work.task.alone);
    for (works, threads) in [(alone, 1), (together, options.threads.max(1))] {
        if keeper.work_off(&works, threads, &options.stop)? == RunEnd::Stopped {
            return Ok(RunEnd::Stopped);
        }
    }
    Ok(RunEnd::Complete)
}

/// Name, variant, seed and what of the configuration is in the tasks: a changed configuration is another run, and
/// tasks that stay the same are not done again.
fn run_name(loaded: &Loaded, tasks: &[Task]) -> String {
    let ids: Vec<String> = tasks.iter().map(|task| task.work.id().to_string()).collect();
    let digest = crate::store::Task::new("experiment", json!(ids)).id();
    let short: String = digest.as_str().chars().take(8).collect();
    format!("{} {} seed {} {short}", loaded.folder.name, loaded.variant, loaded.seed)
}

/// The name of the run in the database.
pub fn name_of(loaded: &Loaded) -> String {
    run_name(loaded, loaded.tasks())
}

/// All tasks, and how many of them are finished: less than [`progress`] asks for.
///
/// # Errors
/// If the database cannot be read.
pub fn count(loaded: &Loaded, store: &Store) -> Result<(usize, usize), LabError> {
    let tasks = loaded.tasks();
    let mut done = 0;
    for task in tasks {
        done += usize::from(store.is_finished(&task.work.id())?);
    }
    Ok((tasks.len(), done))
}

/// How far the experiment is.
///
/// # Errors
/// If the database cannot be read.
pub fn progress(loaded: &Loaded, store: &Store) -> Result<Progress, LabError> {
    let tasks = loaded.tasks();
    let mut progress = Progress { tasks: tasks.len(), ..Progress::default() };
    for task in tasks {
        if let Some(finished) = store.result(&task.work.id())? {
            progress.add(&task.name, &finished.result, finished.cost);
            progress.versions.insert(finished.version);
        }
    }
    Ok(progress)
}

/// A task with its place in the run.
struct Work<'a> {
    place: u64,
    task: &'a Task,
}

/// From a worker: the work's number and what came of it.
type Done = (usize, Result<Option<(Cost, Output)>, LabError>);

/// Keeps results as they come.
struct Keeper<'a> {
    loaded: &'a Loaded,
    store: &'a mut Store,
    run: String,
    /// Results of earlier runs that missing tasks go on from.
    known: BTreeMap<String, Value>,
    observer: &'a mut dyn Observer,
}

impl Keeper<'_> {
    /// What is not finished yet. What is, belongs to this run from now on.
    fn missing<'t>(&mut self, tasks: &'t [Task]) -> Result<Vec<Work<'t>>, LabError> {
        let is_followed: BTreeSet<&str> = tasks.iter().filter_map(|task| task.after.as_deref()).collect();
        let mut missing = Vec::new();
        for (place, task) in (0..).zip(tasks) {
            let id = task.work.id();
            match self.store.result(&id)? {
                None => missing.push(Work { place, task }),
                Some(finished) => {
                    self.belongs(place, &id)?;
                    if is_followed.contains(task.name.as_str()) {
                        self.known.insert(task.name.clone(), finished.result);
                    }
                }
            }
        }
        for reason in self.loaded.experiment.skipped() {
            self.observer.on(&Event::Skipped(&reason));
        }
        self.observer.on(&Event::Planned { tasks: tasks.len(), done: tasks.len() - missing.len() });
        Ok(missing)
    }

    fn belongs(&mut self, place: u64, id: &TaskId) -> Result<(), LabError> {
        if self.store.task_at(&self.run, place)?.is_none() {
            self.store.add_to_run(&self.run, place, id)?;
        }
        Ok(())
    }

    /// Does the works on so many threads. After a failure nothing new is begun, but what is running is kept.
    fn work_off(
        &mut self,
        works: &[Work<'_>],
        threads: usize,
        stop: &Arc<AtomicBool>,
    ) -> Result<RunEnd, LabError> {
        let tasks: Vec<&Task> = works.iter().map(|work| work.task).collect();
        let experiment = self.loaded.experiment.as_ref();
        let shared = Shared {
            queue: Queue::new(tasks.clone(), self.known.clone()),
            tasks,
            experiment,
            stop: Arc::clone(stop),
        };
        let mut kept = 0;
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..threads.min(works.len()) {
                let (shared, sender) = (&shared, sender.clone());
                scope.spawn(move || shared.work(&sender));
            }
            drop(sender);
            let mut failure = None;
            for (number, done) in receiver {
                match done.and_then(|output| self.keep_if_done(&works[number], output)) {
                    Ok(Some(result)) => {
                        kept += 1;
                        shared.queue.kept(number, &result);
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
        Ok(if kept == works.len() { RunEnd::Complete } else { RunEnd::Stopped })
    }

    /// Keeps a result; gives it, if there was one.
    fn keep_if_done(
        &mut self,
        work: &Work<'_>,
        done: Option<(Cost, Output)>,
    ) -> Result<Option<Value>, LabError> {
        let Some((cost, output)) = done else { return Ok(None) };
        let seed = self.loaded.seed.to_string();
        let new = NewResult { result: output.result, seed, cost, games: output.games };
        self.store.finish_in_run(&work.task.work, &new, Some((&self.run, work.place)))?;
        let live = self.loaded.experiment.live(work.task, &new.result);
        let (task, result) = (work.task.name.as_str(), &new.result);
        self.observer.on(&Event::Finished { task, result, cost, live });
        Ok(Some(new.result))
    }
}

/// What the workers share.
struct Shared<'a> {
    queue: Queue<'a>,
    tasks: Vec<&'a Task>,
    experiment: &'a dyn Experiment,
    stop: Arc<AtomicBool>,
}

impl Shared<'_> {
    /// Takes one task after the other until there is none, somebody says stop, or one has failed.
    fn work(&self, results: &Sender<Done>) {
        while !self.stop.load(Ordering::Relaxed) {
            let Some((number, before)) = self.queue.next() else { return };
            let watch = Stopwatch::start();
            let output = self.experiment.run(self.tasks[number], before.as_ref(), &self.stop);
            let own = Cost { cpu_seconds: watch.cpu_seconds(), wall_seconds: watch.wall_seconds() };
            let with_cost = |output: Output| (output.cost.unwrap_or(own), output);
            if results.send((number, output.map(|output| output.map(with_cost)))).is_err() {
                return;
            }
        }
        self.queue.close();
    }
}
