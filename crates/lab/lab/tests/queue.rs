//! Jobs and their queue, on both databases.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use ishi_lab::store::{
    CampaignDamage, CampaignSurvey, ClaimedTask, DamageCure, GameRow, KeptAs, Lease, MOST_TRIES, NewResult,
    QueueEntry, StoppedTasks, Store, StoreError, StoreTask, TaskCost, TaskJoin, TaskKind, WorkerNote,
    is_server,
};
use ishi_rng::checksum::{extend_checksum, fnv_checksum};
use serde_json::json;

use crate::postgres_server::{for_each_database, shared_server};

const LONG: Duration = Duration::from_secs(600);

fn task(number: u64) -> StoreTask {
    StoreTask::new(TaskKind::new("test"), json!({ "number": number }))
}

fn result(value: u64) -> NewResult {
    NewResult { result: json!(value), seed: "1".into(), cost: TaskCost::default(), games: Vec::new() }
}

fn entry(place: u64) -> QueueEntry {
    QueueEntry { place, task: task(place).id(), after: None }
}

/// A store with a job of so many tasks, in run `r` of campaign `c`.
fn with_job(path: &Path, tasks: u64) -> Store {
    let mut store = Store::open(path).unwrap();
    store.start_run("r", "test", &json!({})).unwrap();
    let entries: Vec<QueueEntry> = (0..tasks).map(entry).collect();
    assert_eq!(store.open_job("r", "c", &json!({ "do": "test" }), &entries).unwrap(), tasks);
    store
}

fn claim(store: &mut Store, worker: &str, most: u64, time: Duration) -> Vec<u64> {
    let claimed = store.claim_tasks("r", "c", most, Lease { worker, time }).unwrap();
    claimed.into_iter().map(|claimed| claimed.place).collect()
}

fn note(id: &str) -> WorkerNote {
    WorkerNote {
        id: id.into(),
        version: "1".into(),
        threads: 2,
        state: "works".into(),
        ..WorkerNote::default()
    }
}

#[test]
fn a_task_belongs_to_one_worker_until_its_lease_ends() {
    for_each_database(|path| {
        let mut store = with_job(path, 5);
        assert_eq!(claim(&mut store, "a", 2, LONG), [0, 1]);
        assert_eq!(claim(&mut store, "b", 2, Duration::ZERO), [2, 3], "what a has is left out");
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(claim(&mut store, "c", 9, LONG), [2, 3, 4], "the lease of b is over");
        assert!(store.prolong_lease(&note("b"), LONG).unwrap().is_empty(), "b has lost its tasks");
        let ours = store.prolong_lease(&note("a"), LONG).unwrap();
        assert_eq!(
            ours.into_iter().collect::<BTreeSet<_>>(),
            BTreeSet::from([("r".into(), 0), ("r".into(), 1)])
        );
        assert_eq!(store.give_back_tasks("a").unwrap(), 2);
        store.give_back_task("c", "r", 4).unwrap();
        assert_eq!(claim(&mut store, "d", 9, LONG), [0, 1, 4]);
    });
}

#[test]
fn a_heartbeat_prolongs_the_lease_and_notes_the_worker() {
    for_each_database(|path| {
        let mut store = with_job(path, 1);
        assert_eq!(claim(&mut store, "a", 1, Duration::ZERO), [0]);
        let done = WorkerNote { done: 7, ..note("a") };
        assert_eq!(store.prolong_lease(&done, LONG).unwrap(), [("r".to_string(), 0)]);
        std::thread::sleep(Duration::from_millis(20));
        assert!(claim(&mut store, "b", 1, LONG).is_empty());
        let workers = store.list_workers().unwrap();
        assert_eq!((workers.len(), workers[0].id.as_str(), workers[0].done), (1, "a", 7));
        assert!((0..60_000).contains(&workers[0].silent), "{}", workers[0].silent);
        let jobs = store.list_jobs().unwrap();
        assert_eq!((jobs.len(), jobs[0].open, jobs[0].claimed), (1, 1, 1));
    });
}

/// Changes rows behind the store's back, in a file or on the server of the tests.
pub(crate) fn change_rows(path: &Path, sql: &str) {
    match path.to_str().and_then(|text| text.strip_prefix("postgres://")) {
        Some(address) => {
            let name = address.rsplit('/').next().unwrap();
            shared_server().unwrap().ask(name, sql).unwrap();
        }
        None => rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap(),
    }
}

/// After the clock of the database was set back by a day, all that was written before is a day ahead.
#[test]
fn a_clock_that_is_set_back_keeps_no_task_from_others() {
    for_each_database(|path| {
        let mut store = with_job(path, 2);
        for worker in ["gone", "alive"] {
            store.note_worker(&note(worker)).unwrap();
            assert_eq!(claim(&mut store, worker, 1, LONG).len(), 1);
        }
        change_rows(
            path,
            "UPDATE queue SET lease = lease + 86400000; UPDATE workers SET seen = seen + 86400000",
        );
        assert_eq!(store.prolong_lease(&note("alive"), LONG).unwrap(), [("r".to_string(), 1)]);
        assert_eq!(claim(&mut store, "other", 9, LONG), [0], "who is alive keeps its task");
        assert!(claim(&mut store, "another", 9, LONG).is_empty());
    });
}

/// Nor does a worker get what it is at a second time, before its next heartbeat.
#[test]
fn a_clock_that_is_set_back_gives_nobody_its_own_tasks_again() {
    for_each_database(|path| {
        let mut store = with_job(path, 2);
        store.note_worker(&note("alive")).unwrap();
        assert_eq!(claim(&mut store, "alive", 1, LONG), [0]);
        change_rows(
            path,
            "UPDATE queue SET lease = lease + 86400000; UPDATE workers SET seen = seen + 86400000",
        );
        assert_eq!(claim(&mut store, "alive", 9, LONG), [1]);
    });
}

#[test]
fn the_first_result_takes_a_task_off_all_queues() {
    for_each_database(|path| {
        let mut store = with_job(path, 2);
        store.start_run("s", "test", &json!({})).unwrap();
        store.open_job("s", "other", &json!({}), &[QueueEntry { place: 7, ..entry(1) }]).unwrap();
        assert_eq!(
            store.keep_compared_result(&task(1), &result(1), Some(("r", 1)), "a").unwrap(),
            KeptAs::First
        );
        assert_eq!(claim(&mut store, "a", 9, LONG), [0]);
        assert_eq!(store.task_at_place("s", 7).unwrap(), Some(task(1).id()), "the other run has it, too");
        let open: Vec<(String, u64)> =
            store.list_jobs().unwrap().into_iter().map(|job| (job.run, job.open)).collect();
        assert_eq!(open, [("r".to_string(), 1), ("s".to_string(), 0)]);
        let again: Vec<QueueEntry> = (0..2).map(entry).collect();
        assert_eq!(store.open_job("r", "c", &json!({}), &again).unwrap(), 1, "what is finished stays out");
        assert_eq!(store.close_job("r", "c").unwrap(), 1);
        assert!(claim(&mut store, "b", 9, LONG).is_empty());
    });
}

#[test]
fn a_second_result_changes_nothing_and_a_difference_is_an_alarm() {
    for_each_database(|path| {
        let mut store = with_job(path, 1);
        let mut keep =
            |value, worker| store.keep_compared_result(&task(0), &result(value), Some(("r", 0)), worker);
        assert_eq!(keep(1, "a").unwrap(), KeptAs::First);
        assert_eq!(keep(1, "b").unwrap(), KeptAs::Same);
        assert_eq!(keep(2, "c").unwrap(), KeptAs::Different);
        assert_eq!(keep(2, "c").unwrap(), KeptAs::Different, "told again, kept once");
        assert_eq!(store.find_result(&task(0).id()).unwrap().unwrap().result, json!(1));
        let alarms = store.list_alarms().unwrap();
        assert_eq!(alarms.len(), 1);
        assert_eq!((alarms[0].kept.as_str(), alarms[0].came.as_str()), ("1", "2"));
        assert_eq!(alarms[0].worker, "c");
        assert_eq!(
            (store.count_alarms_of_run("r").unwrap(), store.count_alarms_of_run("q").unwrap()),
            (1, 0)
        );
    });
}

#[test]
fn a_task_that_goes_on_from_another_waits_for_it() {
    for_each_database(|path| {
        let mut store = Store::open(path).unwrap();
        store.start_run("r", "test", &json!({})).unwrap();
        let second = QueueEntry { after: Some(task(0).id()), ..entry(1) };
        store.open_job("r", "c", &json!({}), &[entry(0), second]).unwrap();
        assert_eq!(claim(&mut store, "a", 9, LONG), [0]);
        assert!(claim(&mut store, "b", 9, LONG).is_empty());
        store.keep_compared_result(&task(0), &result(0), Some(("r", 0)), "a").unwrap();
        let claimed = store.claim_tasks("r", "c", 9, Lease { worker: "b", time: LONG }).unwrap();
        assert_eq!(claimed, [ClaimedTask { place: 1, task: task(1).id(), after: Some(task(0).id()) }]);
    });
}

/// Tasks 0 to 2, a task that joins 1 and 2, and one that goes on from it.
fn with_joined_job(path: &Path) -> Store {
    let mut store = Store::open(path).unwrap();
    store.start_run("r", "test", &json!({})).unwrap();
    let last = QueueEntry { after: Some(task(3).id()), ..entry(4) };
    let entries = [entry(0), entry(1), entry(2), entry(3), last];
    let joins = [TaskJoin { place: 3, after: 1..3 }];
    assert_eq!(store.open_joined_job("r", "c", &json!({}), &entries, &joins).unwrap(), 5);
    store
}

fn finish(store: &mut Store, place: u64) {
    let kept = store.keep_compared_result(&task(place), &result(place), Some(("r", place)), "a");
    assert_eq!(kept.unwrap(), KeptAs::First);
}

#[test]
fn a_task_that_joins_others_waits_for_all_of_them() {
    for_each_database(|path| {
        let mut store = with_joined_job(path);
        assert_eq!(claim(&mut store, "a", 9, LONG), [0, 1, 2]);
        finish(&mut store, 2);
        assert!(claim(&mut store, "b", 9, LONG).is_empty(), "one of two is not enough");
        finish(&mut store, 1);
        assert_eq!(claim(&mut store, "b", 9, LONG), [3], "task 0 is none of those that it joins");
        assert!(claim(&mut store, "c", 9, LONG).is_empty());
        finish(&mut store, 3);
        assert_eq!(claim(&mut store, "c", 9, LONG), [4]);
    });
}

/// Whoever looks at a campaign finds what was stopped, with what it has finished and what it cost.
#[test]
fn a_job_that_is_stopped_says_so_until_it_is_opened_again() {
    for_each_database(|path| {
        let mut store = with_job(path, 5);
        finish(&mut store, 0);
        let only_job = |store: &Store| store.list_jobs().unwrap().remove(0);
        let open = only_job(&store);
        assert_eq!((open.open, open.stopped()), (4, 0));
        assert_eq!(store.stop_job(&open).unwrap(), StoppedTasks { left: 4, wanted_elsewhere: 0 });
        let stopped = only_job(&store);
        assert_eq!((stopped.open, stopped.stopped(), &stopped.job["do"]), (0, 4, &json!("test")));
        assert_eq!(store.stop_job(&stopped).unwrap(), StoppedTasks::default());
        assert_eq!(only_job(&store).stopped(), 4, "stopped twice, it still misses them");
        let course = store.survey_campaign("c").unwrap().courses.remove(0);
        assert_eq!((course.finished, course.open(), course.stopped()), (1, 0, 4));
        assert!(claim(&mut store, "a", 9, LONG).is_empty());
        let entries: Vec<QueueEntry> = (0..5).map(entry).collect();
        assert_eq!(store.open_job("r", "c", &json!({ "do": "test" }), &entries).unwrap(), 4);
        assert_eq!(only_job(&store).stopped(), 0);
        assert_eq!(store.close_job("r", "c").unwrap(), 4);
        let closed = only_job(&store);
        assert_eq!((closed.open, closed.stopped()), (0, 0), "nobody needs the rest");
        assert!(store.find_campaign_damage().unwrap().is_empty(), "all its rows are whole");
    });
}

/// A run that two campaigns want, `c` up to its third task and `longer` up to its fifth.
fn with_shared_run(path: &Path) -> Store {
    let mut store = with_job(path, 3);
    let entries: Vec<QueueEntry> = (0..5).map(entry).collect();
    assert_eq!(store.open_job("r", "longer", &json!({ "do": "test" }), &entries).unwrap(), 5);
    store
}

/// The jobs by campaign, with how many of their tasks are open and how many were left when they were stopped.
fn list_open(store: &Store) -> Vec<(String, u64, u64)> {
    let jobs = store.list_jobs().unwrap().into_iter();
    jobs.map(|job| (job.campaign.clone(), job.open, job.stopped())).collect()
}

/// What [`list_open`] gives of the campaigns `c` and `longer`.
fn both(c: (u64, u64), longer: (u64, u64)) -> Vec<(String, u64, u64)> {
    vec![("c".to_string(), c.0, c.1), ("longer".to_string(), longer.0, longer.1)]
}

#[test]
fn a_run_of_two_campaigns_is_done_once_and_counts_for_both() {
    for_each_database(|path| {
        let mut store = with_shared_run(path);
        assert_eq!(list_open(&store), both((3, 0), (5, 0)));
        assert_eq!(claim(&mut store, "a", 9, LONG), [0, 1, 2], "the rest is the other one's");
        let claimed = store.claim_tasks("r", "longer", 9, Lease { worker: "b", time: LONG }).unwrap();
        assert_eq!(claimed.iter().map(|task| task.place).collect::<Vec<_>>(), [3, 4]);
        finish(&mut store, 0);
        finish(&mut store, 4);
        assert_eq!(list_open(&store), both((2, 0), (3, 0)));
        let courses = store.campaign_courses().unwrap().courses;
        assert_eq!(courses.iter().map(|course| course.finished).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(courses.iter().map(|course| course.claimed()).collect::<Vec<_>>(), [2, 3]);

        for place in [1, 3] {
            store.note_failure("r", Some(place), "a", "it has ended").unwrap();
        }
        let failed = |campaign: &str| -> Vec<u64> {
            let failures = store.list_failures(campaign).unwrap();
            failures.into_iter().filter_map(|failure| failure.place).collect()
        };
        assert_eq!((failed("c"), failed("longer")), (vec![1], vec![1, 3]));
        let survey = store.survey_campaigns().unwrap();
        let told: Vec<(&str, Option<u64>)> =
            survey.failures.iter().map(|told| (told.campaign.as_str(), told.failure.place)).collect();
        assert_eq!(told, [("c", Some(1)), ("longer", Some(1)), ("longer", Some(3))]);
        assert!(survey.damaged.is_empty(), "{:?}", survey.damaged);
    });
}

#[test]
fn who_stops_one_campaign_stops_no_other() {
    for_each_database(|path| {
        let mut store = with_shared_run(path);
        let jobs = store.list_jobs().unwrap();
        assert_eq!(store.stop_job(&jobs[1]).unwrap(), StoppedTasks { left: 5, wanted_elsewhere: 3 });
        assert_eq!(list_open(&store), both((3, 0), (0, 5)));
        let of_longer = store.claim_tasks("r", "longer", 9, Lease { worker: "b", time: LONG }).unwrap();
        assert!(of_longer.is_empty() && !store.has_work_left("r", "longer").unwrap());
        assert_eq!(claim(&mut store, "a", 9, LONG), [0, 1, 2]);
        store.note_failure("r", None, "a", "it is not installed").unwrap();
        assert!(store.list_failures("longer").unwrap().is_empty(), "it wants nothing");
        assert_eq!(store.stop_job(&jobs[0]).unwrap(), StoppedTasks { left: 3, wanted_elsewhere: 0 });
        assert_eq!(list_open(&store), both((0, 3), (0, 5)));
        assert_eq!(store.note_failure("r", None, "a", "it is not installed").unwrap(), 0);

        // Both go on. What is decided for one of them is not for the other.
        let entries: Vec<QueueEntry> = (0..5).map(entry).collect();
        let job = json!({ "do": "test" });
        assert_eq!(store.open_job("r", "c", &job, &entries[..3]).unwrap(), 3);
        assert_eq!(store.open_job("r", "longer", &job, &entries).unwrap(), 5);
        assert_eq!(store.close_job("r", "c").unwrap(), 0);
        assert_eq!(list_open(&store), both((0, 0), (5, 0)));
        assert_eq!(store.close_job("r", "longer").unwrap(), 5);
        assert_eq!(list_open(&store), both((0, 0), (0, 0)));
        assert_eq!(store.close_job("r", "none").unwrap(), 0);
        assert!(store.find_campaign_damage().unwrap().is_empty(), "all rows are whole");
    });
}

/// A match that is asked for with fewer pairs than before leaves no pairs behind that nobody wants.
#[test]
fn a_job_that_wants_less_than_before_takes_the_rest_off_the_queue() {
    for_each_database(|path| {
        let mut store = with_job(path, 5);
        store.note_failure("r", Some(4), "a", "it has ended").unwrap();
        let entries: Vec<QueueEntry> = (0..2).map(entry).collect();
        assert_eq!(store.open_job("r", "c", &json!({}), &entries).unwrap(), 2);
        assert_eq!(claim(&mut store, "a", 9, LONG), [0, 1]);
        let more: Vec<QueueEntry> = (0..5).map(entry).collect();
        assert_eq!(store.open_job("r", "longer", &json!({}), &more).unwrap(), 5);
        assert_eq!(store.open_job("r", "c", &json!({}), &entries[..1]).unwrap(), 1);
        assert_eq!(list_open(&store), both((1, 0), (5, 0)), "another one wants them");
    });
}

/// A damaged job of one campaign goes without the tasks that another one wants.
#[test]
fn a_damaged_job_takes_nothing_from_another_campaign() {
    for_each_database(|path| {
        let mut store = with_shared_run(path);
        change_rows(path, "UPDATE jobs SET job = '{\"do\":' WHERE campaign = 'longer'");
        let survey = store.survey_campaigns().unwrap();
        assert_eq!((names(&survey), survey.damaged.len()), (vec!["c"], 1));
        assert!(store.list_work(Some("longer"), 9).is_err());
        assert_eq!(store.remove_damaged_campaign_rows().unwrap(), 1);
        assert_eq!(list_open(&store), [("c".to_string(), 3, 0)]);
        assert_eq!(claim(&mut store, "a", 9, LONG), [0, 1, 2]);
        change_rows(path, "UPDATE jobs SET end_place = 9");
        assert_eq!(store.remove_damaged_campaign_rows().unwrap(), 1);
        let open = store.open_job("r", "c", &json!({}), &[entry(7)]).unwrap();
        assert_eq!(open, 1, "its queue has gone with the last job");
    });
}

/// The checksum of a row of texts, as every version has made it.
fn checksum_of_texts(texts: &[&str]) -> String {
    let sum = texts.iter().fold(fnv_checksum(b"row"), |sum, text| {
        let sum = extend_checksum(extend_checksum(sum, b"t"), &(text.len() as u64).to_le_bytes());
        extend_checksum(sum, text.as_bytes())
    });
    format!("{sum:016x}")
}

/// Makes a database one of the schema before, where a run belonged to one campaign.
fn return_to_one_campaign_a_run(path: &Path) {
    const TABLES: &str = "CREATE TABLE old_jobs (run TEXT PRIMARY KEY REFERENCES runs (name), campaign TEXT NOT NULL, \
        job TEXT NOT NULL, checksum TEXT NOT NULL DEFAULT ''); \
        CREATE TABLE old_queue (run TEXT NOT NULL REFERENCES old_jobs (run), place BIGINT NOT NULL, \
        task TEXT NOT NULL, after_task TEXT NOT NULL, worker TEXT NOT NULL, lease BIGINT NOT NULL, \
        checksum TEXT NOT NULL DEFAULT '', PRIMARY KEY (run, place)); \
        INSERT INTO old_jobs SELECT run, campaign, job, '' FROM jobs; \
        INSERT INTO old_queue SELECT run, place, task, after_task, worker, lease, checksum FROM queue; \
        DROP TABLE queue; DROP TABLE jobs; ALTER TABLE old_jobs RENAME TO jobs; ALTER TABLE old_queue RENAME TO queue; \
        CREATE INDEX queue_by_task ON queue (task); CREATE INDEX queue_by_worker ON queue (worker); \
        DELETE FROM schema_migrations WHERE version >= 8";
    let order = if is_server(path) { " TEXT COLLATE \"C\" " } else { " TEXT " };
    change_rows(path, &TABLES.replace(" TEXT ", order));
    for (run, campaign) in [("r", "c"), ("s", "other")] {
        let sum = checksum_of_texts(&[run, campaign, "{\"do\":\"test\"}"]);
        change_rows(path, &format!("UPDATE jobs SET checksum = '{sum}' WHERE run = '{run}'"));
    }
}

#[test]
fn jobs_of_the_version_before_go_on_and_may_be_shared() {
    for_each_database(|path| {
        drop(with_two_campaigns(path));
        return_to_one_campaign_a_run(path);
        change_rows(path, "UPDATE jobs SET job = '{\"do\":\"tess\"}' WHERE run = 's'");
        let error = Store::open_read_only(path).unwrap_err();
        assert!(matches!(error, StoreError::Older { found: 7, .. }), "{error}");

        let mut store = Store::open(path).unwrap();
        let survey = store.survey_campaigns().unwrap();
        assert_eq!((names(&survey), survey.courses[0].open()), (vec!["c"], 4));
        let [damage] = &survey.damaged[..] else { panic!("{:?}", survey.damaged) };
        assert!(damage.cause.starts_with("job of run s: "), "what was damaged stays so: {}", damage.cause);
        assert_eq!(survey.failures.len(), 2);
        assert_eq!(store.remove_damaged_campaign_rows().unwrap(), 1);
        let entries: Vec<QueueEntry> = (0..5).map(entry).collect();
        assert_eq!(store.open_job("r", "longer", &json!({ "do": "test" }), &entries).unwrap(), 4);
        assert_eq!(list_open(&store), both((4, 0), (4, 0)));
        assert_eq!(claim(&mut store, "a", 1, LONG), [1], "the first is done");
        assert!(store.find_campaign_damage().unwrap().is_empty());
        assert!(store.open_job("none", "c", &json!({}), &[entry(0)]).is_err(), "there is no such run");
    });
}

/// What is finished when a job is opened again is not waited for, and a job that is closed leaves nothing behind.
#[test]
fn joins_last_as_long_as_their_job() {
    for_each_database(|path| {
        let mut store = with_joined_job(path);
        finish(&mut store, 1);
        assert_eq!(store.close_job("r", "c").unwrap(), 4);
        let entries = [entry(1), entry(2), entry(3)];
        let joins = [TaskJoin { place: 3, after: 1..3 }];
        assert_eq!(store.open_joined_job("r", "c", &json!({}), &entries, &joins).unwrap(), 2);
        assert_eq!(claim(&mut store, "a", 9, LONG), [2]);
        finish(&mut store, 2);
        assert_eq!(claim(&mut store, "a", 9, LONG), [3]);
        store.close_job("r", "c").unwrap();
        assert_eq!(store.open_job("r", "c", &json!({}), &[entry(3), entry(7)]).unwrap(), 2);
        assert_eq!(claim(&mut store, "a", 9, LONG), [3, 7], "the join has gone with its job");
    });
}

#[test]
fn a_task_that_fails_is_tried_last_and_given_up_at_last() {
    for_each_database(|path| {
        let mut store = with_job(path, 3);
        for tries in 1..=MOST_TRIES {
            assert!(store.has_work_left("r", "c").unwrap());
            let claimed = claim(&mut store, "a", 1, LONG);
            assert_eq!(claimed, [0], "try {tries}: the others are claimed");
            assert_eq!(store.note_failure("r", Some(0), "a", "it has ended").unwrap(), tries);
            store.give_back_task("a", "r", 0).unwrap();
            if tries == 1 {
                assert_eq!(claim(&mut store, "b", 9, LONG), [1, 2], "what has not failed comes first");
            }
        }
        assert!(claim(&mut store, "c", 9, LONG).is_empty(), "nobody tries it any more");
        assert!(store.has_work_left("r", "c").unwrap(), "b is at its tasks");
        finish(&mut store, 1);
        finish(&mut store, 2);
        assert!(!store.has_work_left("r", "c").unwrap());
        let jobs = store.list_jobs().unwrap();
        assert_eq!((jobs[0].open, jobs[0].failed), (1, 1));
        let failures = store.list_failures("c").unwrap();
        assert_eq!(failures.len(), 1);
        assert_eq!((failures[0].place, failures[0].tries, failures[0].is_given_up()), (Some(0), 3, true));
        assert_eq!((failures[0].cause.as_str(), failures[0].worker.as_str()), ("it has ended", "a"));
        assert!(store.list_failures("another").unwrap().is_empty());
        // Who opens the job again has it tried anew.
        store.open_job("r", "c", &json!({}), &[entry(0)]).unwrap();
        assert_eq!(claim(&mut store, "a", 9, LONG), [0]);
        assert!(store.list_failures("c").unwrap().is_empty());
    });
}

#[test]
fn a_failure_is_told_until_its_task_is_finished() {
    for_each_database(|path| {
        let mut store = with_job(path, 2);
        store.note_failure("r", Some(1), "a", "once").unwrap();
        assert_eq!(store.note_failure("r", None, "b", "not installed").unwrap(), 1);
        let long = "x".repeat(10_000);
        assert_eq!(store.note_failure("r", None, "c", &long).unwrap(), 2);
        let told = store.list_failures("c").unwrap();
        assert_eq!(told.iter().map(|failure| failure.place).collect::<Vec<_>>(), [None, Some(1)]);
        assert!(told[0].cause.len() == 2000 && !told[0].is_given_up(), "a long cause is cut");
        assert!(claim(&mut store, "d", 1, LONG) == [0], "a job that some cannot do is there for others");
        finish(&mut store, 1);
        assert_eq!(store.list_failures("c").unwrap().len(), 1, "task 1 is done");
        finish(&mut store, 0);
        assert!(store.list_failures("c").unwrap().is_empty(), "all is done");
    });
}

/// A worker that is late, and a job that goes on with what it has not done.
#[test]
fn a_closed_job_has_no_failures_and_an_open_one_can_forget_them() {
    for_each_database(|path| {
        let mut store = with_job(path, 1);
        store.start_run("s", "test", &json!({})).unwrap();
        store.open_job("s", "other", &json!({}), &[entry(7)]).unwrap();
        for run in ["r", "r", "r", "s"] {
            store.note_failure(run, Some(if run == "r" { 0 } else { 7 }), "a", "it has ended").unwrap();
        }
        assert!(claim(&mut store, "a", 9, LONG).is_empty());
        assert_eq!(store.forget_failures("c").unwrap(), 1);
        assert_eq!(claim(&mut store, "a", 9, LONG), [0], "it is tried anew");
        assert_eq!(store.list_failures("other").unwrap().len(), 1, "that of another campaign stays");
        store.close_job("r", "c").unwrap();
        assert_eq!(store.note_failure("r", Some(0), "a", "it has ended").unwrap(), 0);
        assert_eq!(store.note_failure("none", None, "a", "there is no such job").unwrap(), 0);
    });
}

/// Workers of an array are started at once, and leave a job at once.
#[test]
fn failures_that_come_at_once_are_all_counted() {
    for_each_database(|path| {
        drop(with_job(path, 1));
        let note_all = |worker: usize| {
            let (mut store, name) = (Store::open(path).unwrap(), format!("w{worker}"));
            (0..10)
                .map(|_| store.note_failure("r", None, &name, "not installed").unwrap())
                .collect::<Vec<u64>>()
        };
        let mut tries: Vec<u64> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4).map(|worker| scope.spawn(move || note_all(worker))).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        tries.sort_unstable();
        assert_eq!(tries, (1..=40).collect::<Vec<u64>>());
    });
}

/// Many at once: every task is claimed exactly once.
#[test]
fn claims_never_meet() {
    for_each_database(|path| {
        drop(with_job(path, 60));
        let claim_all = |worker: usize| {
            let mut store = Store::open(path).unwrap();
            let name = format!("w{worker}");
            let mut all = Vec::new();
            loop {
                let some = claim(&mut store, &name, 3, LONG);
                if some.is_empty() {
                    return all;
                }
                all.extend(some);
            }
        };
        let mut all: Vec<u64> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4).map(|worker| scope.spawn(move || claim_all(worker))).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        all.sort_unstable();
        // A claim that finds rows locked leaves them out, and may come back with nothing while some are left.
        let rest = claim(&mut Store::open(path).unwrap(), "last", 99, LONG);
        all.extend(rest);
        all.sort_unstable();
        assert_eq!(all, (0..60).collect::<Vec<u64>>());
    });
}

#[test]
fn a_campaign_knows_what_is_done_and_what_it_cost() {
    for_each_database(|path| {
        let mut store = with_job(path, 5);
        store.start_run("s", "test", &json!({})).unwrap();
        store.open_job("s", "c", &json!({ "do": "test" }), &[entry(90)]).unwrap();
        store.start_run("t", "test", &json!({})).unwrap();
        store.open_job("t", "other", &json!({ "do": "test" }), &[entry(80)]).unwrap();
        let cost = TaskCost { cpu_seconds: 1.5, wall_seconds: 2.0 };
        for (run, place) in [("r", 0), ("r", 1), ("s", 90), ("t", 80)] {
            let new = NewResult { cost, ..result(place) };
            store.keep_compared_result(&task(place), &new, Some((run, place)), "a").unwrap();
        }
        let wrong = store.keep_compared_result(&task(1), &result(7), Some(("r", 1)), "b").unwrap();
        assert_eq!(wrong, KeptAs::Different);
        assert_eq!(claim(&mut store, "a", 2, LONG), [2, 3]);
        let courses = store.campaign_courses().unwrap().courses;
        let [course, other] = &courses[..] else { panic!("{courses:?}") };
        assert_eq!((course.name.as_str(), other.name.as_str()), ("c", "other"));
        assert_eq!((course.jobs.len(), course.open(), course.claimed()), (2, 3, 2));
        assert_eq!((course.finished, course.cpu_seconds, course.alarms), (3, 4.5, 1));
        assert_eq!((other.finished, other.cpu_seconds, other.alarms), (1, 1.5, 0));
        assert_eq!(course.recent, 3, "all of it was finished just now");
        assert!((0..60).contains(&course.recent_seconds), "{}", course.recent_seconds);
        assert_eq!((other.tasks_per_second(), other.seconds_left()), (None, Some(0.0)));
    });
}

/// One match, of which one campaign wants more than the other: each has the figures of its own pairs. One that is stopped does not know any more which
/// these are.
#[test]
fn campaigns_have_the_figures_of_their_own_pairs() {
    for_each_database(|path| {
        let mut store = Store::open(path).unwrap();
        store.start_run("m", "match", &json!({ "a": "x", "b": "y" })).unwrap();
        let entries: Vec<QueueEntry> = (0..5).map(entry).collect();
        let job = json!({ "do": "match" });
        store.open_job("m", "less", &job, &entries[..2]).unwrap();
        store.open_job("m", "more", &job, &entries).unwrap();
        let game = |winner: &str| GameRow { winner: winner.into(), ..GameRow::default() };
        let cost = TaskCost { cpu_seconds: 1.5, wall_seconds: 1.5 };
        for place in 0..4 {
            let new = NewResult { cost, games: ["B", "W"].map(game).to_vec(), ..result(place) };
            store.keep_compared_result(&task(place), &new, Some(("m", place)), "a").unwrap();
        }
        for place in [1, 3] {
            let other = store.keep_compared_result(&task(place), &result(9), Some(("m", place)), "b");
            assert_eq!(other.unwrap(), KeptAs::Different);
        }
        assert_eq!(
            (store.count_alarms_before("m", 2).unwrap(), store.count_alarms_of_run("m").unwrap()),
            (1, 2)
        );
        let figures = |store: &Store| -> Vec<(u64, f64, u64, u64, u64)> {
            let courses = store.campaign_courses().unwrap().courses;
            let figures = courses.iter().map(|course| {
                let over_time = store.task_spans(course, 1).unwrap().unwrap().finished[0];
                let pairs = store.campaign_matches(&course.name, 60).unwrap()[0].finished();
                (course.finished, course.cpu_seconds, course.alarms, over_time, pairs)
            });
            figures.collect()
        };
        assert_eq!(figures(&store), [(2, 3.0, 1, 2, 2), (4, 6.0, 2, 4, 4)]);
        store.close_job("m", "less").unwrap();
        assert_eq!(figures(&store), [(4, 6.0, 2, 4, 4); 2]);
    });
}

/// Half points of a match's first player, who has Black in the first game of a pair and White in the second.
fn half_points([first, second]: [&str; 2]) -> usize {
    let of_game =
        |winner: &str, own: &str| if winner.is_empty() { 1 } else { 2 * usize::from(winner == own) };
    of_game(first, "B") + of_game(second, "W")
}

/// In whatever parts pairs are counted, they are those that one finds place by place.
#[test]
fn pairs_are_counted_as_one_by_one() {
    for_each_database(|path| {
        let mut store = Store::open(path).unwrap();
        let winner = |number: u64| ["B", "W", ""][(number % 3) as usize];
        let game = |winner: &str| GameRow { winner: winner.into(), ..GameRow::default() };
        let mut finished: Vec<Vec<(u64, usize)>> = Vec::new();
        for (number, (run, count)) in (0..).zip([("m", 40), ("n", 7), ("none", 2)]) {
            store.start_run(run, "match", &json!({ "a": run, "b": "y" })).unwrap();
            let entries: Vec<QueueEntry> =
                (0..count).map(|place| QueueEntry { place, ..entry(100 * number + place) }).collect();
            store.open_job(run, "c", &json!({ "do": "match" }), &entries).unwrap();
            let mut points = Vec::new();
            for place in (0..count).filter(|place| run != "none" && place % 5 != 3) {
                let winners = [winner(7 * place + number), winner(place * place / 2)];
                let of_task = 100 * number + place;
                let new = NewResult { games: winners.map(game).to_vec(), ..result(of_task) };
                store.keep_compared_result(&task(of_task), &new, Some((run, place)), "a").unwrap();
                points.push((place, half_points(winners)));
            }
            finished.push(points);
        }
        for most in [1, 4, 60] {
            let matches = store.campaign_matches("c", most).unwrap();
            assert_eq!(matches.len(), finished.len());
            for (found, points) in matches.iter().zip(&finished) {
                let places = points.last().map_or(1, |&(last, _)| last / u64::from(most) + 1);
                let mut slowly: BTreeMap<u64, [u64; 5]> = BTreeMap::new();
                for &(place, points) in points {
                    slowly.entry(place / places).or_default()[points] += 1;
                }
                assert_eq!(found.parts, slowly.into_values().collect::<Vec<_>>(), "{} by {most}", found.run);
                assert!(found.parts.len() <= most as usize);
                let all =
                    [0, 1, 2, 3, 4].map(|half| points.iter().filter(|&&(_, own)| own == half).count() as u64);
                assert_eq!(found.pairs, all);
            }
        }
    });
}

/// What curves are drawn of: results over time, workers, and what each match has brought.
#[test]
fn a_campaign_tells_its_course_over_time() {
    for_each_database(|path| {
        let mut store = Store::open(path).unwrap();
        store.start_run("m", "match", &json!({ "a_name": "x:k=1", "a": "a program", "b": "y" })).unwrap();
        let entries: Vec<QueueEntry> = (0..5).map(entry).collect();
        store.open_job("m", "c", &json!({ "do": "match" }), &entries).unwrap();
        let course = |store: &Store| store.campaign_courses().unwrap().courses.remove(0);
        assert_eq!(store.task_spans(&course(&store), 60).unwrap(), None, "nothing is finished");
        let game = |winner: &str| GameRow { winner: winner.into(), ..GameRow::default() };
        for (place, winners) in [(0, ["B", "W"]), (1, ["B", ""]), (2, ["W", "B"]), (4, ["W", "W"])] {
            let new = NewResult { games: winners.map(game).to_vec(), ..result(place) };
            store.keep_compared_result(&task(place), &new, Some(("m", place)), "a").unwrap();
        }
        let spans = store.task_spans(&course(&store), 60).unwrap().unwrap();
        assert_eq!(spans.finished.iter().sum::<u64>(), 4, "{spans:?}");
        assert!(spans.finished[0] > 0 && spans.end > spans.first, "{spans:?}");
        assert_eq!(store.task_spans(&course(&store), 1).unwrap().unwrap().finished, [4]);
        let matches = store.campaign_matches("c", 2).unwrap();
        let [only] = &matches[..] else { panic!("{matches:?}") };
        assert_eq!((only.run.as_str(), only.a.as_str(), only.b.as_str()), ("m", "x:k=1", "y"));
        assert_eq!((only.pairs, only.finished()), ([1, 0, 1, 1, 1], 4));
        // Three places each.
        assert_eq!(only.parts, [[1, 0, 0, 1, 1], [0, 0, 1, 0, 0]]);
        assert!(store.campaign_matches("other", 2).unwrap().is_empty());

        store.note_worker(&note("a")).unwrap();
        store.note_worker(&WorkerNote { state: "gone".into(), ..note("b") }).unwrap();
        let workers = store.worker_spans().unwrap();
        assert_eq!(workers.len(), 2);
        assert!(workers.iter().all(|each| each.threads == 2 && each.until > each.from), "{workers:?}");
        assert!(workers.iter().all(|each| each.from >= spans.first), "{workers:?}");
    });
}

/// Two campaigns, `c` with run `r` and `other` with run `s`. Each has tasks in the queue, one that has failed, and one that waits for others. Two
/// workers are there, and a task of `c` is finished.
fn with_two_campaigns(path: &Path) -> Store {
    let mut store = Store::open(path).unwrap();
    for (run, campaign, first) in [("r", "c", 0), ("s", "other", 20)] {
        store.start_run(run, "test", &json!({ "size": 9 })).unwrap();
        let entries: Vec<QueueEntry> = (first..first + 5).map(entry).collect();
        let join = TaskJoin { place: first + 4, after: first..first + 2 };
        store.open_joined_job(run, campaign, &json!({ "do": "test" }), &entries, &[join]).unwrap();
        store.note_failure(run, Some(first + 1), "a", "it has ended").unwrap();
    }
    store.keep_result_in_run(&task(0), &result(0), Some(("r", 0))).unwrap();
    store.note_worker(&note("a")).unwrap();
    store.note_worker(&note("b")).unwrap();
    store
}

/// The names of campaigns whose course is told.
fn names(survey: &CampaignSurvey) -> Vec<&str> {
    survey.courses.iter().map(|course| course.name.as_str()).collect()
}

/// Whoever looks sees everything else, is told what is damaged, and can have it taken out.
#[test]
fn damage_in_one_campaign_hides_no_other() {
    let damages = [
        ("UPDATE jobs SET job = '{\"do\":' WHERE run = 'r'", "c", "job of run r: "),
        ("UPDATE jobs SET campaign = 'd' WHERE run = 'r'", "d", "job of run r: "),
        ("UPDATE runs SET spec = 'odd' WHERE name = 'r'", "c", "run r: "),
        ("UPDATE failures SET cause = 'odd' WHERE run = 'r'", "c", "failure of task 1 of run r: "),
        ("UPDATE joins SET end_place = 7 WHERE run = 'r'", "c", "join of task 4 of run r: "),
        ("UPDATE workers SET done = 9 WHERE id = 'a'", "", "worker a: "),
    ];
    for (damage, campaign, whose) in damages {
        for_each_database(|path| {
            let mut store = with_two_campaigns(path);
            let whole = store.survey_campaigns().unwrap();
            assert_eq!((names(&whole), whole.workers.len()), (vec!["c", "other"], 2));
            assert_eq!((whole.failures.len(), whole.damaged.len()), (2, 0));

            change_rows(path, damage);
            let survey = store.survey_campaigns().unwrap();
            let [CampaignDamage { campaign: told, cause, cure, .. }] = &survey.damaged[..] else {
                panic!("{damage}: {:?}", survey.damaged)
            };
            assert_eq!(told, campaign, "{damage}");
            assert!(cause.starts_with(whose) && cause.ends_with("does not fit its checksum"), "{cause}");
            let courses = if damage.contains("jobs") { vec!["other"] } else { vec!["c", "other"] };
            assert_eq!(names(&survey), courses, "{damage}");
            let one = store.survey_campaign("other").unwrap();
            assert_eq!((names(&one), &one.damaged), (vec!["other"], &survey.damaged), "{damage}");
            assert_eq!(one.courses, survey.courses[courses.len() - 1..], "{damage}");
            let others: Vec<_> = survey.failures.iter().filter(|told| told.campaign == "other").collect();
            assert_eq!((others.len(), others[0].failure.place), (1, Some(21)), "{damage}");
            assert_eq!(survey.workers.len(), if campaign.is_empty() { 1 } else { 2 }, "{damage}");

            let removed = store.remove_damaged_campaign_rows().unwrap();
            if *cure == DamageCure::ForgetRun {
                assert_eq!(removed, 0, "a run goes by its own name");
                assert!(store.forget_damaged_run("r").unwrap());
            } else {
                assert_eq!((removed, *cure), (1, DamageCure::Remove), "{damage}");
            }
            let mended = store.survey_campaigns().unwrap();
            assert!(mended.damaged.is_empty() && names(&mended).contains(&"other"), "{damage}");
            assert_eq!(store.remove_damaged_campaign_rows().unwrap(), 0, "what is whole stays");
            assert!(store.find_result(&task(0).id()).unwrap().is_some());
        });
    }
}

/// Workers look again and again: they count no more than they must, and damage in other campaigns does not hold them up.
#[test]
fn workers_see_the_jobs_of_their_campaign() {
    for_each_database(|path| {
        let mut store = with_two_campaigns(path);
        assert_eq!(claim(&mut store, "a", 1, LONG).len(), 1);
        let work = |store: &Store, campaign: Option<&str>, most: u64| -> Vec<(String, u64, u64)> {
            let jobs = store.list_work(campaign, most).unwrap();
            jobs.into_iter().map(|job| (job.run, job.open, job.claimed)).collect()
        };
        let (r, s) = (|open: u64| ("r".to_string(), open, 0_u64), |open: u64| ("s".to_string(), open, 0_u64));
        assert_eq!(work(&store, None, 3), [r(3), s(3)]);
        assert_eq!((store.count_open("r", "c").unwrap(), store.count_open("r", "other").unwrap()), (4, 0));
        assert_eq!(work(&store, None, 100), [r(4), s(5)]);
        assert_eq!(work(&store, Some("other"), 100), [s(5)]);
        assert!(work(&store, Some("none"), 100).is_empty());
        change_rows(path, "UPDATE jobs SET job = '{\"do\":' WHERE run = 's'");
        assert!(store.list_work(None, 3).is_err(), "what a worker would compute with");
        assert_eq!(work(&store, Some("c"), 3), [r(3)]);
    });
}

/// A damaged task of the queue stops the workers of its run. It is taken out, and comes anew with the job.
#[test]
fn damaged_tasks_of_the_queue_are_taken_out_and_come_anew() {
    for_each_database(|path| {
        let mut store = with_two_campaigns(path);
        change_rows(path, "UPDATE queue SET task = 'odd' WHERE run = 'r' AND place = 3");
        let error =
            store.claim_tasks("r", "c", 5, Lease { worker: "a", time: LONG }).unwrap_err().to_string();
        assert!(
            error.contains("task 3 of run r in the queue: ") && error.contains("campaign mend"),
            "{error}"
        );
        let found = store.find_campaign_damage().unwrap();
        let [damage] = &found[..] else { panic!("{found:?}") };
        assert_eq!(
            (damage.campaign.as_str(), damage.run.as_str(), damage.cure),
            ("c", "r", DamageCure::Remove)
        );
        assert!(damage.cause.starts_with("task 3 of run r in the queue: "), "{}", damage.cause);
        assert_eq!(store.remove_damaged_campaign_rows().unwrap(), 1);
        assert!(store.find_campaign_damage().unwrap().is_empty());
        let entries: Vec<QueueEntry> = (0..5).map(entry).collect();
        let join = TaskJoin { place: 4, after: 0..2 };
        let open = store.open_joined_job("r", "c", &json!({ "do": "test" }), &entries, &[join]).unwrap();
        assert_eq!(open, 4, "the first is finished");
        let claimed = store.claim_tasks("r", "c", 5, Lease { worker: "a", time: LONG }).unwrap();
        assert!(
            claimed.iter().any(|claimed| claimed.place == 3 && claimed.task == task(3).id()),
            "{claimed:?}"
        );
    });
}

/// A queue may have millions of rows. Who looks for damage in it keeps nobody from writing.
#[test]
fn damage_is_looked_for_without_the_right_to_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = with_two_campaigns(&path);
    let writer = rusqlite::Connection::open(&path).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(store.remove_damaged_campaign_rows().unwrap(), 0);
    writer.execute_batch("ROLLBACK").unwrap();
}

/// SQLite takes values of any type. What is in the place of a time is told by the name of its task, and so are names that are no text.
#[test]
fn foreign_values_in_a_campaign_hide_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = with_two_campaigns(&path);
    change_rows(&path, "UPDATE tasks SET finished = X'ff'");
    let survey = store.survey_campaigns().unwrap();
    assert_eq!(names(&survey), ["other"]);
    let [lost] = &survey.damaged[..] else { panic!("{:?}", survey.damaged) };
    assert_eq!((lost.campaign.as_str(), lost.cure), ("c", DamageCure::CopyOnly));
    assert!(
        lost.cause.starts_with(&format!("task {}: column 2 is ", task(0).id().as_str())),
        "{}",
        lost.cause
    );
    assert_eq!(store.remove_damaged_campaign_rows().unwrap(), 0, "results are not taken out");
    let other = store.survey_campaign("other").unwrap();
    assert_eq!((names(&other), other.damaged.len()), (vec!["other"], 0), "tasks of others are not looked at");
    assert_eq!(store.survey_campaign("c").unwrap().damaged, survey.damaged);

    change_rows(&path, "UPDATE tasks SET finished = unixepoch(), cpu_seconds = 'x'");
    let survey = store.survey_campaigns().unwrap();
    assert_eq!(names(&survey), ["other"]);
    assert!(survey.damaged[0].cause.contains(": column 1 is "), "{:?}", survey.damaged);

    change_rows(&path, "UPDATE tasks SET cpu_seconds = 1.5");
    let broken = "PRAGMA foreign_keys = OFF; UPDATE jobs SET run = CAST(X'72ff' AS TEXT) WHERE run = 'r'; \
                  UPDATE workers SET id = X'61' WHERE id = 'a'; UPDATE workers SET seen = 'x' WHERE id = 'b'; \
                  UPDATE failures SET place = 'x' WHERE run = 's'";
    change_rows(&path, broken);
    let survey = store.survey_campaigns().unwrap();
    assert_eq!((names(&survey), survey.workers.len()), (vec!["other"], 0));
    let mut causes: Vec<&str> =
        survey.damaged.iter().filter_map(|damage| damage.cause.split(": ").next()).collect();
    causes.sort_unstable();
    assert_eq!(causes, ["failure of task x of run s", "job of run r\u{fffd}", "worker a", "worker b"]);
    assert!(store.worker_spans().unwrap().is_empty());
    assert_eq!(store.remove_damaged_campaign_rows().unwrap(), 4);
    assert!(store.survey_campaigns().unwrap().damaged.is_empty());

    // The same command makes the job anew.
    let entries: Vec<QueueEntry> = (0..5).map(entry).collect();
    assert_eq!(store.open_job("r", "c", &json!({ "do": "test" }), &entries).unwrap(), 4);
    store.note_worker(&note("a")).unwrap();
    let survey = store.survey_campaigns().unwrap();
    assert_eq!((names(&survey), survey.workers.len()), (vec!["c", "other"], 1));
}

/// A bit that has changed in a time makes a span that no number holds.
#[test]
fn impossible_times_of_tasks_are_told() {
    for_each_database(|path| {
        let mut store = with_two_campaigns(path);
        store.keep_result_in_run(&task(2), &result(2), Some(("r", 2))).unwrap();
        change_rows(
            path,
            &format!("UPDATE tasks SET finished = {} WHERE id = '{}'", i64::MIN, task(2).id().as_str()),
        );
        let course = store.campaign_courses().unwrap().courses.remove(0);
        let error = store.task_spans(&course, 60).unwrap_err().to_string();
        assert!(
            error.contains("tasks of c: the times at which they were finished are impossible"),
            "{error}"
        );
    });
}

/// A server that has counted the rows of another job knows nothing of a queue that was filled just now. It held each of its rows against each task that
/// was claimed, so that the first claims of a long job took half a minute.
#[test]
fn a_claim_reads_few_rows_of_a_long_queue_that_the_server_has_not_counted() {
    let Some(server) = shared_server() else { return };
    let address = server.new_database();
    let name = address.rsplit('/').next().unwrap();
    let ask = |sql: &str| server.ask(name, sql).unwrap().trim().to_string();
    let rows_read = || -> u64 {
        // What a connection has read is told when it has ended.
        let others = "SELECT COUNT(*) FROM pg_stat_activity \
                      WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
        while ask(others) != "0" {
            std::thread::sleep(Duration::from_millis(20));
        }
        let sql = "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'queue'";
        ask(sql).parse().unwrap()
    };
    let mut store = Store::open(Path::new(&address)).unwrap();
    ask("ALTER TABLE queue SET (autovacuum_enabled = off)");
    store.start_run("other", "test", &json!({})).unwrap();
    store.open_job("other", "c", &json!({}), &(0..400).map(entry).collect::<Vec<_>>()).unwrap();
    ask("ANALYZE queue");
    store.close_job("other", "c").unwrap();
    drop(store);
    drop(with_job(Path::new(&address), 3000));
    let before = rows_read();
    let mut store = Store::open(Path::new(&address)).unwrap();
    assert_eq!(claim(&mut store, "a", 100, LONG).len(), 100);
    drop(store);
    let read = rows_read() - before;
    assert!((100..1000).contains(&read), "{read} rows were read");
}
