//! What a database costs a campaign: tasks a second from claim to result, how long a claim takes, what a pair of games loses, how it grows with
//! the workers, and what that means for a thousand cores. Prints tables in Markdown.
//!
//! `cargo run --release -p ishi-lab --example queue_speed -- [--quick] DB...`: each DB is a file that does not exist yet, or an empty database
//! of a server that takes 70 connections. A database takes about four minutes, with `--quick` some seconds, which say little. Tasks sleep, so that
//! the machine is left to the database and to the workers' own work.

#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ishi_lab::store::{
    Lease, NewResult, OpenJob, QueueEntry, Store, StoreError, StoreTask, TaskCost, is_server,
};
use ishi_lab::worker::{PreparedJob, WorkerEvent, WorkerOptions, Workshop, work_at_jobs};
use ishi_work::StopFlag;
use serde_json::{Value, json};

/// The usual time of a claimed task.
const LEASE: Duration = Duration::from_secs(60);

/// A claim of a real worker is for about so long.
const BATCH_SECONDS: f64 = 30.0;

/// The plan is for so many cores.
const CORES: f64 = 1000.0;

/// Tasks of a run that do nothing but sleep.
#[derive(Clone, Copy)]
struct Load {
    /// The run's name, its own among all.
    run: &'static str,
    tasks: u64,
    workers: u64,
    work: Duration,
    /// Tasks of a claim; `None`: as real workers do, some 30 seconds of work, and at most an eighth of what there is.
    batch: Option<u64>,
}

impl Load {
    fn task(&self, place: u64) -> StoreTask {
        StoreTask::new("speed", json!({ "run": self.run, "number": place }))
    }

    fn fill_queue(&self, database: &Path) -> Result<(), StoreError> {
        let mut store = Store::open(database)?;
        store.start_run(self.run, "speed", &json!({ "run": self.run }))?;
        let entry = |place| QueueEntry { place, task: self.task(place).id(), after: None };
        let entries: Vec<QueueEntry> = (0..self.tasks).map(entry).collect();
        let job = json!({ "do": "nothing" });
        let open = store.open_job(self.run, self.run, &job, &entries)?;
        assert_eq!(open, self.tasks, "the database must be new");
        Ok(())
    }

    fn batch_size(&self) -> u64 {
        let in_time = BATCH_SECONDS / self.work.as_secs_f64().max(1e-4);
        let fair = self.tasks / self.workers / 8;
        self.batch.unwrap_or((in_time as u64).min(fair).max(1))
    }

    /// A simulated worker does tasks until there are none. Gives how long each claim took, in seconds.
    fn do_tasks(&self, database: &Path, name: &str) -> Result<Vec<f64>, StoreError> {
        let mut store = Store::open(database)?;
        let mut claims = Vec::new();
        loop {
            let start = Instant::now();
            let claimed =
                store.claim_tasks(self.run, self.batch_size(), Lease { worker: name, time: LEASE })?;
            claims.push(start.elapsed().as_secs_f64());
            if claimed.is_empty() {
                return Ok(claims);
            }
            for claimed in claimed {
                std::thread::sleep(self.work);
                let (task, new) = (self.task(claimed.place), new_result(claimed.place));
                store.keep_compared_result(&task, &new, Some((self.run, claimed.place)), name)?;
            }
        }
    }

    /// Does all tasks, each worker by a connection of its own.
    fn measure(&self, database: &Path) -> Result<LoadTimes, StoreError> {
        self.fill_queue(database)?;
        let start = Instant::now();
        let claims: Result<Vec<Vec<f64>>, StoreError> = std::thread::scope(|scope| {
            let work = |number: u64| scope.spawn(move || self.do_tasks(database, &format!("w{number}")));
            let started: Vec<_> = (0..self.workers).map(work).collect();
            started.into_iter().map(|worker| worker.join().expect("a worker ends")).collect()
        });
        let seconds = start.elapsed().as_secs_f64();
        let mut claims: Vec<f64> = claims?.into_iter().flatten().collect();
        claims.sort_by(f64::total_cmp);
        Ok(LoadTimes { load: *self, seconds, claims })
    }
}

fn new_result(place: u64) -> NewResult {
    NewResult { result: json!(place), seed: "1".into(), cost: TaskCost::default(), games: Vec::new() }
}

/// How long it took.
struct LoadTimes {
    load: Load,
    seconds: f64,
    /// Seconds of each claim, the shortest first.
    claims: Vec<f64>,
}

impl LoadTimes {
    fn tasks_per_second(&self) -> f64 {
        self.load.tasks as f64 / self.seconds
    }

    /// Milliseconds that this share of the claims took at most.
    fn claim_milliseconds(&self, share: f64) -> f64 {
        let place = (self.claims.len() as f64 * share) as usize;
        1e3 * self.claims[place.min(self.claims.len() - 1)]
    }

    /// The share of the workers' time in which tasks were done.
    fn busy_share(&self) -> f64 {
        let worked = self.load.tasks as f64 * self.load.work.as_secs_f64();
        worked / (self.load.workers as f64 * self.seconds)
    }

    fn to_row(&self) -> String {
        let Load { tasks, workers, work, .. } = self.load;
        format!(
            "| {workers} | {} | {tasks} | {} | {:.0} | {:.1} % | {:.1} | {:.1} |",
            work.as_millis(),
            self.load.batch_size(),
            self.tasks_per_second(),
            100.0 * self.busy_share(),
            self.claim_milliseconds(0.5),
            self.claim_milliseconds(0.99)
        )
    }
}

const HEAD: &str = "| workers | ms a task | tasks | tasks a claim | tasks a second | workers busy | claim, median ms | claim, p99 ms |\n\
                    | --- | --- | --- | --- | --- | --- | --- | --- |";

/// Real workers do [`Load`]s.
impl Workshop for Load {
    fn prepare_job(&self, _: &OpenJob, _: &Store) -> Result<Arc<dyn PreparedJob>, String> {
        Ok(Arc::new(*self))
    }
}

impl PreparedJob for Load {
    fn task(&self, place: u64) -> Option<StoreTask> {
        (place < self.tasks).then(|| Load::task(self, place))
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn do_task(&self, place: u64, _: Option<&Value>, _: &StopFlag) -> Result<Option<NewResult>, String> {
        std::thread::sleep(self.work);
        Ok(Some(new_result(place)))
    }
}

/// What a worker of one thread, with its connection, heartbeat and looks at the queue, takes beyond the tasks themselves: a share of them.
fn measure_overhead(load: Load, database: &Path) -> Result<f64, Box<dyn Error>> {
    load.fill_queue(database)?;
    let mut store = Store::open(database)?;
    let options = WorkerOptions {
        name: "overhead".to_string(),
        threads: 1,
        lease: LEASE,
        campaign: Some(load.run.to_string()),
        stays: false,
        lives: None,
        drain: StopFlag::default(),
        stop: StopFlag::default(),
        observer: &mut |_: &WorkerEvent<'_>| {},
    };
    let start = Instant::now();
    let report = work_at_jobs(&mut store, &load, options)?;
    assert_eq!(report.done, load.tasks);
    let worked = load.tasks as f64 * load.work.as_secs_f64();
    Ok(start.elapsed().as_secs_f64() / worked - 1.0)
}

/// What so many cores ask of a database that keeps so many results a second at most, for tasks of some lengths.
fn print_plan(most: f64) {
    println!("\n{CORES} cores, of {most:.0} results a second at most:\n");
    println!("| seconds a task | results a second | share of the database's time | cores at half of it |");
    println!("| --- | --- | --- | --- |");
    for seconds in [0.05, 0.5, 2.0, 10.0, 60.0] {
        let asked = CORES / seconds;
        println!("| {seconds} | {asked:.0} | {:.1} % | {:.0} |", 100.0 * asked / most, 0.5 * most * seconds);
    }
}

fn measure_database(database: &Path, is_quick: bool) -> Result<(), Box<dyn Error>> {
    let sort = if is_server(database) { "PostgreSQL" } else { "SQLite" };
    println!("\n### {sort}\n\n{HEAD}");
    let part = |tasks: u64| if is_quick { (tasks / 50).max(8) } else { tasks };
    let milliseconds = Duration::from_millis;
    let load = |run, tasks, workers, work, batch| Load { run, tasks: part(tasks), workers, work, batch };
    let idle = [
        load("one-by-one", 4000, 1, milliseconds(0), Some(1)),
        load("batches", 4000, 1, milliseconds(0), Some(100)),
        load("eight", 8000, 8, milliseconds(0), Some(100)),
    ];
    let mut most: f64 = 0.0;
    for load in idle {
        let times = load.measure(database)?;
        println!("{}", times.to_row());
        most = most.max(times.tasks_per_second());
    }
    // Ten seconds of each.
    for (run, workers) in [("g1", 1), ("g2", 2), ("g4", 4), ("g8", 8), ("g16", 16), ("g32", 32)] {
        println!("{}", load(run, 200 * workers, workers, milliseconds(50), None).measure(database)?.to_row());
    }
    // An hour's worth of work.
    println!("{}", load("hour", 72_000, 64, milliseconds(50), None).measure(database)?.to_row());
    let pair = Load { tasks: if is_quick { 2 } else { 15 }, ..load("pairs", 0, 1, milliseconds(2000), None) };
    let overhead = measure_overhead(pair, database)?;
    println!("\nA pair of two games of a second takes {:.2} % longer with its worker.", 100.0 * overhead);
    print_plan(most);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (options, databases): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    assert!(options.iter().all(|option| option == "--quick"), "the only option is --quick");
    assert!(
        !databases.is_empty(),
        "give a file that does not exist yet, or the address of an empty database"
    );
    for database in databases {
        measure_database(&PathBuf::from(database), !options.is_empty())?;
    }
    Ok(())
}
