//! What a database costs a campaign: tasks a second from claim to result, how long a claim takes, what a pair of games loses, how it grows with
//! the workers, and what that means for a thousand cores. Prints Markdown, a section for each database, as docs/notes/campaigns.md has them.
//!
//! `cargo run --release -p ishi-lab --example queue_speed -- [--quick] [--hour-share SHARE] DB...`: each DB is a file that does not exist yet,
//! or an empty database of a server that takes 70 connections. A database takes about four minutes where it keeps a thousand results a second.
//! Most of that is an hour's worth of tasks: for a slow machine `--hour-share 0.1` does a tenth of it, and all the rest as always. With `--quick`
//! all takes some seconds, and says little. Tasks sleep, so that the machine is left to the database and to the workers' own work.

#![allow(clippy::disallowed_methods)]

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ishi_lab::machine::Machine;
use ishi_lab::store::{
    Lease, NewResult, OpenJob, QueueEntry, Store, StoreError, StoreTask, TaskCost, TaskKind, WorkerNote,
    is_server,
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

/// An hour's worth of tasks of [`SHORT`].
const HOUR: u64 = 72_000;

/// The time of a task in most rows.
const SHORT: Duration = Duration::from_millis(50);

/// A run with `--quick` does one task of so many.
const QUICK: u64 = 50;

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
        StoreTask::new(TaskKind::new("speed"), json!({ "run": self.run, "number": place }))
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

    /// A simulated worker does tasks until there are none, and sends heartbeats as real ones do. Gives how long each claim took, in seconds.
    fn do_tasks(&self, database: &Path, name: &str) -> Result<Vec<f64>, StoreError> {
        let mut store = Store::open(database)?;
        let note = WorkerNote { id: name.to_string(), state: "works".to_string(), ..WorkerNote::default() };
        let (mut claims, mut beat) = (Vec::new(), Instant::now());
        loop {
            let start = Instant::now();
            let lease = Lease { worker: name, time: LEASE };
            let claimed = store.claim_tasks(self.run, self.run, self.batch_size(), lease)?;
            claims.push(start.elapsed().as_secs_f64());
            if claimed.is_empty() {
                return Ok(claims);
            }
            for claimed in claimed {
                std::thread::sleep(self.work);
                let (task, new) = (self.task(claimed.place), new_result(claimed.place));
                store.keep_compared_result(&task, &new, Some((self.run, claimed.place)), name)?;
                if beat.elapsed() >= LEASE / 4 {
                    beat = Instant::now();
                    store.prolong_lease(&note, LEASE)?;
                }
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
            "| {workers} | {} | {} | {} | {} | {:.1} % | {:.1} | {:.1} |",
            work.as_millis(),
            group_digits(tasks as f64),
            self.load.batch_size(),
            group_digits(self.tasks_per_second()),
            100.0 * self.busy_share(),
            self.claim_milliseconds(0.5),
            self.claim_milliseconds(0.99)
        )
    }
}

const HEAD: &str = "| workers | ms a task | tasks | tasks a claim | tasks a second | workers busy | claim, median ms | claim, p99 ms |\n\
                    | --- | --- | --- | --- | --- | --- | --- | --- |";

/// A whole number, its thousands apart.
fn group_digits(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

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
fn write_plan(most: f64, out: &mut dyn Write) -> io::Result<()> {
    let (cores, most_told) = (group_digits(CORES), group_digits(most));
    writeln!(out, "\nThe database kept {most_told} results a second at most. Of that {cores} cores ask:\n")?;
    writeln!(
        out,
        "| seconds a task | results a second | share of the database's time | cores at half of it |"
    )?;
    writeln!(out, "| --- | --- | --- | --- |")?;
    for seconds in [0.05, 0.5, 2.0, 10.0, 60.0] {
        let (asked, fed) = (CORES / seconds, 0.5 * most * seconds);
        let (share, asked, fed) = (100.0 * asked / most, group_digits(asked), group_digits(fed));
        writeln!(out, "| {seconds} | {asked} | {share:.1} % | {fed} |")?;
    }
    Ok(())
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
struct Orders {
    is_quick: bool,
    /// The share of an hour's worth of tasks that is done.
    hour_share: f64,
    databases: Vec<PathBuf>,
}

impl Orders {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Orders, String> {
        let mut orders = Orders { is_quick: false, hour_share: 1.0, databases: Vec::new() };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--quick" => orders.is_quick = true,
                "--hour-share" => orders.hour_share = read_share(&words.next().unwrap_or_default())?,
                option if option.starts_with("--") => {
                    return Err(format!("{option}: the options are --quick and --hour-share SHARE"));
                }
                database => orders.databases.push(PathBuf::from(database)),
            }
        }
        if orders.databases.is_empty() {
            return Err(
                "give a file that does not exist yet, or the address of an empty database".to_string()
            );
        }
        Ok(orders)
    }

    /// So many tasks, or a few of them.
    fn part(&self, tasks: u64) -> u64 {
        if self.is_quick { (tasks / QUICK).max(8) } else { tasks }
    }

    /// The options that make its figures other ones.
    fn describe(&self) -> String {
        let quick = if self.is_quick { ", --quick" } else { "" };
        let share = format!(", --hour-share {}", self.hour_share);
        format!("{quick}{}", if self.hour_share < 1.0 { share.as_str() } else { "" })
    }
}

fn read_share(word: &str) -> Result<f64, String> {
    let share = word.parse::<f64>().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| format!("--hour-share {word:?}: it must be a number above 0, and at most 1"))
}

/// All loads of the table but the pairs: without work first, then of growing numbers of workers, and an hour's worth at last.
fn list_loads(orders: &Orders) -> Vec<Load> {
    let load =
        |run, tasks, workers, work, batch| Load { run, tasks: orders.part(tasks), workers, work, batch };
    let mut loads = vec![
        load("one-by-one", 4000, 1, Duration::ZERO, Some(1)),
        load("batches", 4000, 1, Duration::ZERO, Some(100)),
        load("eight", 8000, 8, Duration::ZERO, Some(100)),
    ];
    // Ten seconds of each.
    for (run, workers) in [("g1", 1), ("g2", 2), ("g4", 4), ("g8", 8), ("g16", 16), ("g32", 32)] {
        loads.push(load(run, 200 * workers, workers, SHORT, None));
    }
    let hour = HOUR as f64 * orders.hour_share;
    loads.push(load("hour", (hour as u64).max(64), 64, SHORT, None));
    loads
}

/// Measures, and writes a section of Markdown.
fn measure_database(database: &Path, orders: &Orders, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let sort = if is_server(database) { "PostgreSQL" } else { "SQLite" };
    let Machine { cpu, cores, system, build } = Machine::current();
    writeln!(
        out,
        "\n## {sort}\nOn {system}, {cores} cores ({cpu}), by {build}{}.\n\n{HEAD}",
        orders.describe()
    )?;
    let (mut most, mut hours_worth): (f64, f64) = (0.0, 0.0);
    for load in list_loads(orders) {
        let times = load.measure(database)?;
        writeln!(out, "{}", times.to_row())?;
        if load.work.is_zero() {
            most = most.max(times.tasks_per_second());
        }
        hours_worth = load.tasks as f64 * load.work.as_secs_f64() / 60.0;
    }
    let pairs = if orders.is_quick { 2 } else { 15 };
    let pair =
        Load { run: "pairs", tasks: pairs, workers: 1, work: Duration::from_millis(2000), batch: None };
    let overhead = measure_overhead(pair, database)?;
    writeln!(out, "\nThe tasks of the last row are worth {hours_worth:.0} minutes of one worker.")?;
    writeln!(out, "A pair of two games of a second takes {:.2} % longer with its worker.", 100.0 * overhead)?;
    write_plan(most, out)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let orders = Orders::read(std::env::args().skip(1))?;
    for database in &orders.databases {
        measure_database(database, &orders, &mut io::stdout())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Orders, String> {
        Orders::read(words.iter().map(|word| word.to_string()))
    }

    #[test]
    fn a_share_of_the_hour_leaves_the_other_rows_as_they_are() {
        let whole = read(&["a.db"]).unwrap();
        let part = read(&["--hour-share", "0.1", "a.db", "postgres://me@h/d"]).unwrap();
        assert_eq!(part.databases, ["a.db", "postgres://me@h/d"].map(PathBuf::from));
        let tasks = |orders: &Orders| list_loads(orders).iter().map(|load| load.tasks).collect::<Vec<u64>>();
        let (whole_tasks, part_tasks) = (tasks(&whole), tasks(&part));
        assert_eq!((whole_tasks.last(), part_tasks.last()), (Some(&72_000), Some(&7200)));
        assert_eq!(whole_tasks[..9], part_tasks[..9]);
        assert_eq!((whole.describe(), part.describe()), (String::new(), ", --hour-share 0.1".to_string()));
        let refused: [&[&str]; 4] =
            [&[], &["--fast", "a.db"], &["--hour-share", "0", "a.db"], &["a.db", "--hour-share"]];
        for words in refused {
            assert!(read(words).is_err(), "{words:?}");
        }
        assert_eq!(group_digits(1234.4) + &group_digits(999.0) + &group_digits(1e6), "1,2349991,000,000");
    }

    /// The whole table, of a few tasks.
    #[test]
    fn every_row_of_the_table_is_measured() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("speed.db");
        let orders = read(&["--quick", "--hour-share", "0.05", database.to_str().unwrap()]).unwrap();
        let mut out = Vec::new();
        measure_database(&database, &orders, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains("\n## SQLite\nOn ") && text.contains(", --quick, --hour-share 0.05."),
            "{text}"
        );
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).collect();
        assert_eq!(rows.len(), 2 + 10 + 2 + 5, "{text}");
        let columns = |row: &str| row.matches('|').count();
        assert!(
            rows[..12].iter().all(|row| columns(row) == 9) && rows[12..].iter().all(|row| columns(row) == 5)
        );
        assert!(text.contains("longer with its worker."), "{text}");
    }
}
