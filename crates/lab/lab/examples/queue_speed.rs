//! How many tasks a second a database takes, from claim to result, and how long a claim takes.
//!
//! `cargo run --release -p ishi-lab --example queue_speed -- DB [TASKS] [WORKERS] [MILLISECONDS]`: DB is a file that does not exist
//! yet, or an empty database of a server; each of the workers has a connection and claims by itself, and a task sleeps so many
//! milliseconds.

#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ishi_lab::store::{Lease, NewResult, QueueEntry, Store, StoreError, StoreTask, TaskCost};
use serde_json::json;

/// The usual time of a claimed task.
const LEASE: Duration = Duration::from_secs(60);

fn task(number: u64) -> StoreTask {
    StoreTask::new("speed", json!({ "number": number }))
}

fn number_of(argument: usize, otherwise: u64) -> u64 {
    std::env::args().nth(argument).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn fill_queue(database: &Path, tasks: u64) -> Result<(), StoreError> {
    let mut store = Store::open(database)?;
    store.start_run("speed", "speed", &json!({}))?;
    let entry = |place| QueueEntry { place, task: task(place).id(), after: None };
    let entries: Vec<QueueEntry> = (0..tasks).map(entry).collect();
    let open = store.open_job("speed", "speed", &json!({ "do": "nothing" }), &entries)?;
    assert_eq!(open, tasks, "the database must be new");
    Ok(())
}

/// Does tasks until there are none; how long each claim took, in seconds.
fn do_tasks(database: &Path, name: &str, batch: u64, work: Duration) -> Result<Vec<f64>, StoreError> {
    let mut store = Store::open(database)?;
    let mut claims = Vec::new();
    loop {
        let start = Instant::now();
        let claimed = store.claim_tasks("speed", batch, Lease { worker: name, time: LEASE })?;
        claims.push(start.elapsed().as_secs_f64());
        if claimed.is_empty() {
            return Ok(claims);
        }
        for claimed in claimed {
            std::thread::sleep(work);
            let result = json!(claimed.place);
            let new = NewResult { result, seed: "1".into(), cost: TaskCost::default(), games: Vec::new() };
            store.keep_compared_result(&task(claimed.place), &new, Some(("speed", claimed.place)), name)?;
        }
    }
}

fn main() -> Result<(), StoreError> {
    let database = PathBuf::from(std::env::args().nth(1).expect("the first argument must be a database"));
    let (tasks, workers) = (number_of(2, 2000), number_of(3, 1));
    let work = Duration::from_millis(number_of(4, 0));
    let batch = (tasks / workers / 8).clamp(1, 100);
    fill_queue(&database, tasks)?;
    let start = Instant::now();
    let claims: Result<Vec<Vec<f64>>, StoreError> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..workers)
            .map(|number| {
                let database = &database;
                scope.spawn(move || do_tasks(database, &format!("w{number}"), batch, work))
            })
            .collect();
        started.into_iter().map(|worker| worker.join().expect("a worker ends")).collect()
    });
    let seconds = start.elapsed().as_secs_f64();
    let mut claims: Vec<f64> = claims?.into_iter().flatten().collect();
    claims.sort_by(f64::total_cmp);
    let (median, last) = (claims[claims.len() / 2], claims[(claims.len() * 99 / 100).min(claims.len() - 1)]);
    println!(
        "{tasks} tasks of {} ms, {workers} workers, batches of {batch}: {seconds:.2} s",
        work.as_millis()
    );
    println!(
        "{:.0} tasks a second; a claim takes {:.1} ms (median), {:.1} ms (p99)",
        tasks as f64 / seconds,
        1e3 * median,
        1e3 * last
    );
    Ok(())
}
