//! Workers beside each other: what they leave is what one leaves, whatever happens to them.

use ishi_work::StopFlag;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::time::{Duration, Instant};

use ishi_lab::store::{
    KeptAs, Lease, MOST_TRIES, NewResult, OpenJob, QueueEntry, Store, StoreTask, TaskCost, TaskJoin, TaskKind,
};
use ishi_lab::worker::{
    JoinedResults, LEASE, PreparedJob, WorkerEvent, WorkerOptions, WorkerReport, Workshop, work_at_jobs,
};
use serde_json::{Value, json};

use crate::postgres_server::for_each_database;
use crate::queue::change_rows;

const TASKS: u64 = 40;

fn task(number: u64) -> StoreTask {
    StoreTask::new(TaskKind::new("square"), json!({ "number": number }))
}

/// Squares numbers, each in some milliseconds.
struct Squares {
    milliseconds: u64,
    /// What is added to the squares: 0 for a worker that is right.
    error: u64,
    done: AtomicU64,
}

impl PreparedJob for Squares {
    fn task(&self, place: u64) -> Option<StoreTask> {
        (place < TASKS).then(|| task(place))
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn do_task(&self, place: u64, _: Option<&Value>, stop: &StopFlag) -> Result<Option<NewResult>, String> {
        std::thread::sleep(Duration::from_millis(self.milliseconds));
        if stop.is_requested() {
            return Ok(None);
        }
        self.done.fetch_add(1, Ordering::Relaxed);
        let result = json!(place * place + self.error);
        Ok(Some(NewResult { result, seed: "1".into(), cost: TaskCost::default(), games: Vec::new() }))
    }
}

struct SquareShop {
    milliseconds: u64,
    error: u64,
}

impl Workshop for SquareShop {
    fn prepare_job(&self, job: &OpenJob, _: &Store) -> Result<Arc<dyn PreparedJob>, String> {
        let SquareShop { milliseconds, error } = *self;
        match job.job["do"].as_str() {
            Some("squares") => Ok(Arc::new(Squares { milliseconds, error, done: AtomicU64::new(0) })),
            other => Err(format!("nobody here does {other:?}")),
        }
    }
}

fn open_squares(path: &Path) -> Store {
    let mut store = Store::open(path).unwrap();
    store.start_run("r", "squares", &json!({})).unwrap();
    let entries: Vec<QueueEntry> =
        (0..TASKS).map(|place| QueueEntry { place, task: task(place).id(), after: None }).collect();
    store.open_job("r", "c", &json!({ "do": "squares" }), &entries).unwrap();
    store
}

struct Orders<'a> {
    name: &'a str,
    drain: StopFlag,
    stop: StopFlag,
}

fn orders(name: &str) -> Orders<'_> {
    Orders { name, drain: StopFlag::default(), stop: StopFlag::default() }
}

fn options_of<'a>(orders: &Orders<'_>, observer: &'a mut dyn FnMut(&WorkerEvent<'_>)) -> WorkerOptions<'a> {
    WorkerOptions {
        name: orders.name.to_string(),
        threads: 2,
        lease: LEASE,
        campaign: None,
        stays: false,
        lives: None,
        drain: orders.drain.clone(),
        stop: orders.stop.clone(),
        observer,
    }
}

fn work(
    path: &Path,
    shop: &SquareShop,
    orders: &Orders<'_>,
    observer: &mut dyn FnMut(&WorkerEvent<'_>),
) -> WorkerReport {
    let mut store = Store::open(path).unwrap();
    work_at_jobs(&mut store, shop, options_of(orders, observer)).unwrap()
}

/// Everything of the run that does not name times.
fn table(path: &Path) -> Vec<(u64, String, String, String)> {
    let results = Store::open_read_only(path).unwrap().results_of_run("r").unwrap();
    let row = |(place, kept): (u64, ishi_lab::store::FinishedTask)| {
        (place, kept.id.to_string(), kept.spec.to_string(), kept.result.to_string())
    };
    results.into_iter().map(row).collect()
}

#[test]
fn one_two_and_eight_workers_leave_the_same_table() {
    let alone = tempfile::tempdir().unwrap();
    let alone = alone.path().join("one.db");
    drop(open_squares(&alone));
    let shop = SquareShop { milliseconds: 1, error: 0 };
    let report = work(&alone, &shop, &orders("one"), &mut |_| {});
    assert_eq!((report.done, report.repeated, report.stopped), (TASKS, 0, false));
    let expected = table(&alone);
    assert_eq!(expected.len() as u64, TASKS);
    for workers in [1, 2, 8] {
        for_each_database(|path| {
            drop(open_squares(path));
            let shop = &shop;
            let reports: Vec<WorkerReport> = std::thread::scope(|scope| {
                let start = |number: usize| {
                    scope.spawn(move || work(path, shop, &orders(&format!("w{number}")), &mut |_| {}))
                };
                let started: Vec<_> = (0..workers).map(start).collect();
                started.into_iter().map(|worker| worker.join().unwrap()).collect()
            });
            assert_eq!(reports.iter().map(|report| report.done).sum::<u64>(), TASKS);
            assert_eq!(reports.iter().map(|report| report.different).sum::<u64>(), 0);
            assert_eq!(table(path), expected, "{workers} workers");
        });
    }
}

#[test]
fn a_worker_that_drains_finishes_what_runs_and_gives_back_the_rest() {
    for_each_database(|path| {
        let store = open_squares(path);
        let orders = orders("d");
        let drain = orders.drain.clone();
        let mut finished = 0;
        let shop = SquareShop { milliseconds: 20, error: 0 };
        let report = work(path, &shop, &orders, &mut |event| {
            finished += u64::from(matches!(event, WorkerEvent::Finished(..)));
            if finished >= 3 {
                drain.request();
            }
        });
        assert!(report.stopped && (3..=5).contains(&report.done), "{report:?}");
        let jobs = store.list_jobs().unwrap();
        assert_eq!((jobs[0].open, jobs[0].claimed), (TASKS - report.done, 0));
        assert_eq!(store.list_workers().unwrap()[0].state, "gone");
    });
}

#[test]
fn a_worker_that_is_stopped_gives_everything_back() {
    for_each_database(|path| {
        let store = open_squares(path);
        let orders = orders("s");
        let stop = orders.stop.clone();
        let shop = SquareShop { milliseconds: 20, error: 0 };
        let report = work(path, &shop, &orders, &mut |event| {
            if matches!(event, WorkerEvent::Finished(..)) {
                stop.request();
            }
        });
        assert!(report.stopped && report.done < 5, "{report:?}");
        let jobs = store.list_jobs().unwrap();
        assert_eq!((jobs[0].open, jobs[0].claimed), (TASKS - report.done, 0));
    });
}

/// A worker whose lease ends while it works is a second one for its tasks: what it finds is compared.
#[test]
fn results_after_the_lease_are_compared() {
    for_each_database(|path| {
        let mut store = open_squares(path);
        let report = std::thread::scope(|scope| {
            let late = scope.spawn(|| {
                let orders = orders("late");
                let drain = orders.drain.clone();
                let wrong = SquareShop { milliseconds: 300, error: 5 };
                work(path, &wrong, &orders, &mut |_| _ = drain.request())
            });
            while store.list_jobs().unwrap()[0].claimed == 0 {
                std::thread::sleep(Duration::from_millis(5));
            }
            // Its results are there before it comes with its own.
            for number in 0..2 {
                let result = json!(number * number);
                let new =
                    NewResult { result, seed: "1".into(), cost: TaskCost::default(), games: Vec::new() };
                let kept = store.keep_compared_result(&task(number), &new, Some(("r", number)), "first");
                assert_eq!(kept.unwrap(), KeptAs::First);
            }
            late.join().unwrap()
        });
        assert_eq!((report.done, report.different), (0, 2), "{report:?}");
        assert_eq!(store.list_alarms().unwrap().len(), 2);
        let shop = SquareShop { milliseconds: 1, error: 0 };
        let report = work(path, &shop, &orders("rest"), &mut |_| {});
        assert_eq!(report.done, TASKS - 2);
    });
}

#[test]
fn jobs_that_do_not_fit_are_left_to_others() {
    for_each_database(|path| {
        let mut store = open_squares(path);
        store.start_run("x", "cubes", &json!({})).unwrap();
        let foreign = StoreTask::new(TaskKind::new("cube"), json!({}));
        let entry = |place| QueueEntry { place, task: foreign.id(), after: None };
        store.open_job("x", "c", &json!({ "do": "cubes" }), &[entry(0)]).unwrap();
        store.start_run("y", "squares", &json!({ "another": "version" })).unwrap();
        store.open_job("y", "c", &json!({ "do": "squares" }), &[entry(1)]).unwrap();
        let shop = SquareShop { milliseconds: 1, error: 0 };
        let report = work(path, &shop, &orders("w"), &mut |_| {});
        assert_eq!(report.done, TASKS);
        assert!(
            report.unfit["x"].contains("cubes") && report.unfit["y"].contains("another version"),
            "{report:?}"
        );
        let open: u64 = store.list_jobs().unwrap().iter().map(|job| job.open).sum();
        assert_eq!(open, 2);
    });
}

/// Campaigns that share a run may ask for other programs.
#[test]
fn a_job_that_does_not_fit_keeps_nobody_from_that_of_another_campaign() {
    for_each_database(|path| {
        let mut store = open_squares(path);
        let entry = |place| QueueEntry { place, task: task(place).id(), after: None };
        let all: Vec<QueueEntry> = (0..TASKS).map(entry).collect();
        for campaign in ["a", "z"] {
            store.open_job("r", campaign, &json!({ "do": "cubes" }), &all).unwrap();
        }
        let shop = SquareShop { milliseconds: 1, error: 0 };
        assert_eq!(work(path, &shop, &orders("w"), &mut |_| {}).done, TASKS);
    });
}

/// Workers of either campaign do what both want, and no more than their own wants.
#[test]
fn workers_of_either_campaign_do_a_run_that_both_want() {
    for_each_database(|path| {
        let mut store = open_squares(path);
        let entry = |place| QueueEntry { place, task: task(place).id(), after: None };
        let half: Vec<QueueEntry> = (0..TASKS / 2).map(entry).collect();
        store.open_job("r", "half", &json!({ "do": "squares" }), &half).unwrap();
        let shop = SquareShop { milliseconds: 1, error: 0 };
        let work_at = |campaign: &str| {
            let orders = orders(campaign);
            let observer: &mut dyn FnMut(&WorkerEvent<'_>) = &mut |_| {};
            let options =
                WorkerOptions { campaign: Some(campaign.to_string()), ..options_of(&orders, observer) };
            work_at_jobs(&mut Store::open(path).unwrap(), &shop, options).unwrap()
        };
        assert_eq!(work_at("none").done, 0);
        assert_eq!(work_at("half").done, TASKS / 2, "no more than this campaign wants");
        assert_eq!(work_at("c").done, TASKS / 2, "the rest");
        let courses = store.campaign_courses().unwrap().courses;
        let told: Vec<(&str, u64, u64)> =
            courses.iter().map(|course| (course.name.as_str(), course.open(), course.finished)).collect();
        assert_eq!(told, [("c", 0, TASKS), ("half", 0, TASKS)]);
    });
}

/// Squares of which some fail, and a sum of all that are before a place.
struct FailingSquares {
    squares: Squares,
    /// Do tasks at this place fail, the so-manieth time that they are tried here?
    fails: fn(u64, u64) -> bool,
    tried: Mutex<BTreeMap<u64, u64>>,
}

impl PreparedJob for FailingSquares {
    fn task(&self, place: u64) -> Option<StoreTask> {
        self.squares.task(place)
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn do_task(
        &self,
        place: u64,
        before: Option<&Value>,
        stop: &StopFlag,
    ) -> Result<Option<NewResult>, String> {
        let tries = {
            let mut tried = self.tried.lock().unwrap();
            let tries = tried.entry(place).or_default();
            *tries += 1;
            *tries
        };
        if (self.fails)(place, tries) {
            return Err(format!("the engine of task {place} has ended"));
        }
        self.squares.do_task(place, before, stop)
    }
}

struct FailingShop(fn(u64, u64) -> bool);

impl Workshop for FailingShop {
    fn prepare_job(&self, _: &OpenJob, _: &Store) -> Result<Arc<dyn PreparedJob>, String> {
        let squares = Squares { milliseconds: 0, error: 0, done: AtomicU64::new(0) };
        Ok(Arc::new(FailingSquares { squares, fails: self.0, tried: Mutex::default() }))
    }
}

fn work_with_failures(path: &Path, name: &str, fails: fn(u64, u64) -> bool) -> WorkerReport {
    let mut store = Store::open(path).unwrap();
    let mut observer = |_: &WorkerEvent<'_>| {};
    work_at_jobs(&mut store, &FailingShop(fails), options_of(&orders(name), &mut observer)).unwrap()
}

/// One task that fails whoever does it holds nothing else up, and ends as a failure with a name.
#[test]
fn a_task_that_always_fails_is_given_up_and_named() {
    for_each_database(|path| {
        let store = open_squares(path);
        let report = work_with_failures(path, "w", |place, _| place == 17);
        assert_eq!((report.done, report.failed, report.mended), (TASKS - 1, MOST_TRIES, 0));
        assert!(report.unfit.is_empty(), "{report:?}");
        let failures = store.list_failures("c").unwrap();
        assert_eq!(failures.len(), 1);
        assert!(failures[0].is_given_up() && failures[0].place == Some(17), "{failures:?}");
        assert_eq!(failures[0].cause, "the engine of task 17 has ended");
        // Others find nothing to do, and do not wait for ever.
        let report = work_with_failures(path, "x", |_, _| false);
        assert_eq!((report.done, report.failed), (0, 0));
    });
}

#[test]
fn a_task_that_fails_once_is_done_at_the_second_try() {
    for_each_database(|path| {
        let store = open_squares(path);
        let report = work_with_failures(path, "w", |place, tries| place == 5 && tries == 1);
        assert_eq!((report.done, report.failed, report.mended), (TASKS, 1, 1));
        assert!(store.list_failures("c").unwrap().is_empty());
    });
}

/// A machine that lacks something must not use up the tries of all tasks.
#[test]
fn a_worker_at_which_all_fails_leaves_the_job_to_others() {
    for_each_database(|path| {
        let store = open_squares(path);
        let report = work_with_failures(path, "broken", |_, _| true);
        assert!((3..=4).contains(&report.failed) && report.done == 0, "{report:?}");
        assert!(report.unfit["r"].contains("has ended"), "{report:?}");
        let failures = store.list_failures("c").unwrap();
        assert!(failures[0].place.is_none() && failures[0].worker == "broken", "{failures:?}");
        assert!(failures.iter().all(|failure| !failure.is_given_up() && failure.tries == 1), "{failures:?}");
        let report = work_with_failures(path, "whole", |_, _| false);
        assert_eq!((report.done, report.failed), (TASKS, 0));
        assert!(store.list_failures("c").unwrap().is_empty());
    });
}

/// Do all tasks of the next test fail?
static BROKEN: AtomicBool = AtomicBool::new(true);

/// With `--stay` nobody starts a worker again, and who mends its machine gives the campaign's command again.
#[test]
fn a_worker_that_waits_tries_a_job_anew_that_is_opened_again() {
    for_each_database(|path| {
        BROKEN.store(true, Ordering::SeqCst);
        let mut store = open_squares(path);
        let orders = orders("w");
        let wait_for = |store: &Store, is_so: fn(&Store) -> bool| {
            let is_so = |_: &u32| {
                is_so(store) || {
                    std::thread::sleep(Duration::from_millis(20));
                    false
                }
            };
            (0..3000).find(is_so)
        };
        let (left, done, report) = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let mut store = Store::open(path).unwrap();
                let mut observer = |_: &WorkerEvent<'_>| {};
                let options = WorkerOptions { stays: true, ..options_of(&orders, &mut observer) };
                let shop = FailingShop(|_, _| BROKEN.load(Ordering::SeqCst));
                work_at_jobs(&mut store, &shop, options).unwrap()
            });
            let left = wait_for(&store, |store| store.find_job_failure("r").unwrap().is_some());
            BROKEN.store(false, Ordering::SeqCst);
            store.forget_failures("c").unwrap();
            // Another one that cannot do it may be earlier.
            store.note_failure("r", None, "other", "not installed").unwrap();
            let done = wait_for(&store, |store| store.list_jobs().unwrap()[0].open == 0);
            orders.drain.request();
            (left, done, waiting.join().unwrap())
        });
        assert!(left.is_some() && done.is_some(), "{report:?}");
        assert_eq!(report.done, TASKS);
        assert!(report.unfit.is_empty(), "{report:?}");
    });
}

/// The last square is replaced by the sum of those before it.
struct SumOfSquares {
    squares: Squares,
    /// Told of each place at which a task is looked for.
    look: LookAtPlace,
}

type LookAtPlace = Arc<dyn Fn(u64) + Send + Sync>;

impl PreparedJob for SumOfSquares {
    fn task(&self, place: u64) -> Option<StoreTask> {
        (self.look)(place);
        self.squares.task(place)
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn joined_places(&self, place: u64) -> Range<u64> {
        if place == TASKS - 1 { 0..TASKS - 1 } else { 0..0 }
    }

    fn do_task(
        &self,
        place: u64,
        before: Option<&Value>,
        stop: &StopFlag,
    ) -> Result<Option<NewResult>, String> {
        self.squares.do_task(place, before, stop)
    }

    fn join_results(
        &self,
        _: u64,
        joined: &mut JoinedResults<'_>,
        _: &StopFlag,
    ) -> Result<Option<NewResult>, String> {
        let squares = joined.collect::<Result<Vec<Value>, String>>()?;
        let sum: u64 = squares.iter().filter_map(Value::as_u64).sum();
        let result = json!({ "of": squares.len(), "sum": sum, "last": squares.last() });
        Ok(Some(NewResult { result, seed: "1".into(), cost: TaskCost::default(), games: Vec::new() }))
    }
}

struct SumShop(LookAtPlace);

impl Workshop for SumShop {
    fn prepare_job(&self, _: &OpenJob, _: &Store) -> Result<Arc<dyn PreparedJob>, String> {
        let squares = Squares { milliseconds: 1, error: 0, done: AtomicU64::new(0) };
        Ok(Arc::new(SumOfSquares { squares, look: Arc::clone(&self.0) }))
    }
}

/// A job whose last task joins all others.
fn open_sum(path: &Path) -> Store {
    let mut store = Store::open(path).unwrap();
    store.start_run("r", "squares", &json!({})).unwrap();
    let entries: Vec<QueueEntry> =
        (0..TASKS).map(|place| QueueEntry { place, task: task(place).id(), after: None }).collect();
    let joins = [TaskJoin { place: TASKS - 1, after: 0..TASKS - 1 }];
    store.open_joined_job("r", "c", &json!({ "do": "squares" }), &entries, &joins).unwrap();
    store
}

/// What waits for a task that is given up will never be done, and no worker waits with it.
#[test]
fn nobody_waits_for_what_is_given_up() {
    for_each_database(|path| {
        let store = open_sum(path);
        let report = work_with_failures(path, "w", |place, _| place == 17);
        assert_eq!((report.done, report.failed), (TASKS - 2, MOST_TRIES));
        let jobs = store.list_jobs().unwrap();
        assert_eq!((jobs[0].open, jobs[0].claimed, jobs[0].failed), (2, 0, 1));
        assert_eq!(work_with_failures(path, "x", |_, _| false).done, 0);
    });
}

#[test]
fn a_task_that_joins_others_has_all_their_results() {
    for_each_database(|path| {
        let store = open_sum(path);
        let done: u64 = std::thread::scope(|scope| {
            let start = |name: &'static str| {
                scope.spawn(move || {
                    let mut store = Store::open(path).unwrap();
                    let mut observer = |_: &WorkerEvent<'_>| {};
                    let shop = SumShop(Arc::new(|_: u64| ()));
                    work_at_jobs(&mut store, &shop, options_of(&orders(name), &mut observer)).unwrap().done
                })
            };
            let workers = [start("a"), start("b"), start("c")];
            workers.into_iter().map(|worker| worker.join().unwrap()).sum()
        });
        assert_eq!(done, TASKS);
        let sum: u64 = (0..TASKS - 1).map(|number| number * number).sum();
        let last = store.find_result(&task(TASKS - 1).id()).unwrap().unwrap();
        let square = (TASKS - 2) * (TASKS - 2);
        assert_eq!(last.result, json!({ "of": TASKS - 1, "sum": sum, "last": square }));
    });
}

/// Many large results take longer to gather than a lease lasts. Whoever gathers them still has the task, so that they are gathered once.
#[test]
fn who_gathers_results_for_longer_than_its_lease_keeps_the_task() {
    const SHORT: Duration = Duration::from_secs(2);
    for_each_database(|path| {
        drop(open_sum(path));
        let (stolen, held_up) = (Arc::new(AtomicU64::new(u64::MAX)), Arc::new(AtomicBool::new(false)));
        let (database, seen, late) = (path.to_path_buf(), Arc::clone(&stolen), Arc::clone(&held_up));
        let (gathers, last) = (AtomicBool::new(false), Mutex::new(Instant::now()));
        let look = move |place: u64| {
            if place == TASKS - 1 {
                gathers.store(true, Ordering::SeqCst);
                *last.lock().unwrap() = Instant::now();
            }
            if !gathers.load(Ordering::SeqCst) || place == TASKS - 1 {
                return;
            }
            std::thread::sleep(SHORT / 30);
            if place == TASKS - 2 {
                let mut store = Store::open(&database).unwrap();
                let lease = Lease { worker: "thief", time: SHORT };
                seen.store(store.claim_tasks("r", "c", 10, lease).unwrap().len() as u64, Ordering::SeqCst);
            }
            let before = std::mem::replace(&mut *last.lock().unwrap(), Instant::now());
            late.fetch_or(before.elapsed() > SHORT / 4, Ordering::SeqCst);
        };
        let (shop, orders) = (SumShop(Arc::new(look)), orders("w"));
        let mut observer = |_: &WorkerEvent<'_>| {};
        let options = WorkerOptions { lease: SHORT, ..options_of(&orders, &mut observer) };
        let report = work_at_jobs(&mut Store::open(path).unwrap(), &shop, options).unwrap();
        // A machine that holds a program up for so long ends the lease of whoever gives signs of life, too.
        let is_kept = stolen.load(Ordering::SeqCst) == 0 || held_up.load(Ordering::SeqCst);
        assert!(is_kept, "another worker could take the task");
        assert_eq!((report.done, report.failed), (TASKS, 0));
    });
}

/// The damaged row of a task that waits for others may be taken out while workers are there. They do not claim the task again and again then.
#[test]
fn a_task_that_no_longer_waits_for_others_is_made_to_wait_again() {
    const LONG: Duration = Duration::from_secs(600);
    for_each_database(|path| {
        let mut store = open_sum(path);
        let claimed = store.claim_tasks("r", "c", 1, Lease { worker: "other", time: LONG }).unwrap();
        assert_eq!(claimed[0].place, 0);
        change_rows(path, "DELETE FROM joins");
        let looks = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&looks);
        let look = move |place: u64| {
            if place == TASKS - 1 {
                count.fetch_add(1, Ordering::SeqCst);
            }
        };
        let shop = SumShop(Arc::new(look));
        let report = std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let (orders, mut observer) = (orders("w"), |_: &WorkerEvent<'_>| {});
                let options = options_of(&orders, &mut observer);
                work_at_jobs(&mut Store::open(path).unwrap(), &shop, options).unwrap()
            });
            while looks.load(Ordering::SeqCst) == 0 || store.list_jobs().unwrap()[0].open > 2 {
                std::thread::sleep(Duration::from_millis(5));
            }
            std::thread::sleep(Duration::from_millis(500));
            let (result, cost) = (json!(0), TaskCost::default());
            let first = NewResult { result, seed: "1".into(), cost, games: Vec::new() };
            store.keep_compared_result(&task(0), &first, Some(("r", 0)), "other").unwrap();
            worker.join().unwrap()
        });
        assert_eq!((report.done, report.failed), (TASKS - 1, 0));
        let looks = looks.load(Ordering::SeqCst);
        assert_eq!(looks, 3, "it is claimed for nothing once, then with all results, and then kept");
    });
}

/// A cluster kills a worker soon after it has asked it to end.
#[test]
fn who_is_asked_to_end_gathers_no_more_results_and_gives_the_task_back() {
    for_each_database(|path| {
        let store = open_sum(path);
        let (orders, gathered) = (orders("w"), Arc::new(AtomicU64::new(0)));
        let (drain, count) = (orders.drain.clone(), Arc::clone(&gathered));
        // The last task is looked for when it is claimed, and after that those that it joins.
        let look = move |place: u64| {
            if place == TASKS - 1 {
                drain.request();
            } else if drain.is_requested() {
                count.fetch_add(1, Ordering::SeqCst);
            }
        };
        let (shop, mut observer) = (SumShop(Arc::new(look)), |_: &WorkerEvent<'_>| {});
        let options = options_of(&orders, &mut observer);
        let report = work_at_jobs(&mut Store::open(path).unwrap(), &shop, options).unwrap();
        assert_eq!(gathered.load(Ordering::SeqCst), 0, "results were gathered for nothing");
        assert!(report.stopped && report.done == TASKS - 1 && report.failed == 0, "{report:?}");
        let jobs = store.list_jobs().unwrap();
        assert_eq!((jobs[0].open, jobs[0].claimed), (1, 0));
    });
}

/// Squares that wait for each other, and note where the result is that they go on from.
struct PairedSquares {
    squares: Squares,
    both: Barrier,
    places: Arc<Mutex<Vec<usize>>>,
}

impl PreparedJob for PairedSquares {
    fn task(&self, place: u64) -> Option<StoreTask> {
        self.squares.task(place)
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn do_task(
        &self,
        place: u64,
        before: Option<&Value>,
        stop: &StopFlag,
    ) -> Result<Option<NewResult>, String> {
        if let Some(before) = before {
            self.both.wait();
            self.places.lock().unwrap().push(std::ptr::from_ref(before) as usize);
        }
        self.squares.do_task(place, before, stop)
    }
}

struct PairedShop(Arc<Mutex<Vec<usize>>>);

impl Workshop for PairedShop {
    fn prepare_job(&self, _: &OpenJob, _: &Store) -> Result<Arc<dyn PreparedJob>, String> {
        let squares = Squares { milliseconds: 0, error: 0, done: AtomicU64::new(0) };
        Ok(Arc::new(PairedSquares { squares, both: Barrier::new(2), places: Arc::clone(&self.0) }))
    }
}

/// A result may be large, and a worker claims many tasks that go on from it.
#[test]
fn tasks_that_go_on_from_the_same_one_share_its_result() {
    for_each_database(|path| {
        let mut store = Store::open(path).unwrap();
        store.start_run("r", "squares", &json!({})).unwrap();
        let entry = |place: u64| {
            let after = (place > 0).then(|| task(0).id());
            QueueEntry { place, task: task(place).id(), after }
        };
        let entries: Vec<QueueEntry> = (0..3).map(entry).collect();
        store.open_job("r", "c", &json!({ "do": "squares" }), &entries).unwrap();
        let places: Arc<Mutex<Vec<usize>>> = Arc::default();
        let (shop, orders) = (PairedShop(Arc::clone(&places)), orders("w"));
        let mut observer = |_: &WorkerEvent<'_>| {};
        let report = work_at_jobs(&mut store, &shop, options_of(&orders, &mut observer)).unwrap();
        assert_eq!(report.done, 3);
        let places = places.lock().unwrap();
        assert!(places.len() == 2 && places[0] == places[1], "one result for both: {places:?}");
    });
}
