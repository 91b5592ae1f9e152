//! The runner with an experiment of a few lines: stops, failures, threads, tasks that run alone.

// Tests make files.
#![allow(clippy::disallowed_methods, missing_docs)]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ishi_lab::LabError;
use ishi_lab::estimate::{EstimateBasis, estimate_run};
use ishi_lab::expected::{
    ComparisonRule, ExpectedFigure, ExpectedFigures, FigureOrigin, FigureVerdict, ReportFinding,
};
use ishi_lab::experiment::{Experiment, ExperimentTask, TaskEnd, TaskOutput, TaskResults, Variant};
use ishi_lab::folder::{ExperimentFolder, LoadedExperiment};
use ishi_lab::kept;
use ishi_lab::report::{LabReport, ReportBody};
use ishi_lab::runner::{self, ExperimentRunEnd, RunEvent, RunOptions};
use ishi_lab::store::{self, Store};
use ishi_rng::Seed;
use ishi_rng::checksum::{NO_CHECKSUM, seal_text};
use ishi_rng::damage::{set_back_version, try_damaged_copies, try_mixed_copies};
use ishi_work::StopFlag;
use serde_json::{Value, json};

use crate::number_of_mutants;

const TASKS: u64 = 20;

/// Squares numbers; the first four tasks run alone, and are of a kind of their own. Task 10 fails while `broken` is set; after `stop_after` tasks the user stops.
#[derive(Default)]
struct Squares {
    broken: Arc<AtomicBool>,
    stop_after: Option<usize>,
    /// By how much the version of the results of the first four was raised.
    raised: u32,
    begun: AtomicUsize,
    running: AtomicUsize,
}

/// The kind of the first four tasks, with its version raised by so much.
fn solitary_kind(raised: u32) -> store::TaskKind {
    store::TaskKind::new("solitary-square").with_results_version(store::FIRST_RESULTS_VERSION + raised)
}

impl Experiment for Squares {
    fn tasks(&self) -> Vec<ExperimentTask> {
        let task = |number: u64| ExperimentTask {
            name: format!("square/{number:02}"),
            work: store::StoreTask::new(
                if number < 4 { solitary_kind(self.raised) } else { store::TaskKind::new("square") },
                json!({ "number": number }),
            ),
            alone: number < 4,
            after: None,
        };
        (0..TASKS).map(task).collect()
    }

    fn run_task(&self, task: &ExperimentTask, _: Option<&Value>, stop: &StopFlag) -> TaskEnd {
        let others = self.running.fetch_add(1, Ordering::SeqCst);
        assert!(!task.alone || others == 0, "{} runs alone", task.name);
        let number = task.work.spec()["number"].as_u64().unwrap();
        let begun = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        std::thread::yield_now();
        // Whoever lets it pause does so here.
        let _ = stop.is_requested();
        self.running.fetch_sub(1, Ordering::SeqCst);
        if self.stop_after.is_some_and(|after| begun > after) {
            stop.request();
            return Ok(None);
        }
        if number == 10 && self.broken.load(Ordering::SeqCst) {
            return Err(LabError::Task { task: task.name.clone(), error: "no ten today".into() });
        }
        Ok(Some(TaskOutput::from(json!(number * number))))
    }

    fn list_skipped(&self) -> Vec<String> {
        vec!["cubes: out of scope".into()]
    }

    fn build_report(&self, results: &TaskResults) -> Result<ReportBody, LabError> {
        let mut sum = 0;
        for task in self.tasks() {
            sum += results.get::<u64>(&task.name)?.unwrap_or(0);
        }
        let finding = ReportFinding {
            key: "sum".into(),
            what: "sum".into(),
            value: sum as f64,
            interval: None,
            unit: String::new(),
            decimals: 0,
            note: String::new(),
        };
        Ok(ReportBody { findings: vec![finding], ..ReportBody::default() })
    }
}

fn loaded(experiment: Squares) -> LoadedExperiment {
    let figure = ExpectedFigure {
        key: "sum".into(),
        line: 1,
        what: "sum of squares".into(),
        of: FigureOrigin::Measured,
        low: 2470.0,
        high: 2470.0,
        is_limit: false,
        compare: ComparisonRule::Equal,
        unit: String::new(),
        decimals: 0,
        source: "arithmetic".into(),
        place: String::new(),
        interval: None,
        null: None,
        why: String::new(),
    };
    LoadedExperiment {
        listed: std::sync::OnceLock::new(),
        folder: ExperimentFolder {
            number: 1,
            name: "001-squares".into(),
            path: PathBuf::from("nowhere/001-squares"),
        },
        kind: "squares",
        title: "Squares".into(),
        variant: Variant::Full,
        seed: Seed::new(1),
        expected: ExpectedFigures { figures: vec![figure], ..ExpectedFigures::default() },
        experiment: Box::new(experiment),
    }
}

/// Runs, and gives what was finished, as it was told.
fn run(
    loaded: &LoadedExperiment,
    store: &mut Store,
    threads: usize,
) -> (Result<ExperimentRunEnd, LabError>, Vec<String>) {
    let mut told = Vec::new();
    let mut observer = |event: &RunEvent<'_>| match event {
        RunEvent::Planned { tasks, done } => told.push(format!("{done} of {tasks}")),
        RunEvent::Skipped(reason) => told.push(format!("skipped {reason}")),
        RunEvent::Finished { task, .. } => told.push(task.to_string()),
    };
    let options = RunOptions { threads, stop: StopFlag::default(), observer: &mut observer };
    let end = runner::run_experiment(loaded, store, options);
    (end, told)
}

#[test]
fn all_threads_give_the_same_report() {
    let reports = [1, 2, 7].map(|threads| {
        let mut store = Store::in_memory().unwrap();
        let loaded = loaded(Squares::default());
        let (end, told) = run(&loaded, &mut store, threads);
        assert_eq!(end.unwrap(), ExperimentRunEnd::Complete);
        assert_eq!(told[..2], ["skipped cubes: out of scope", "0 of 20"]);
        assert_eq!(
            told[2..6],
            ["square/00", "square/01", "square/02", "square/03"],
            "what runs alone comes first"
        );
        assert_eq!(told.len(), 22);
        let progress = runner::read_progress(&loaded, &store).unwrap();
        assert!(progress.is_complete());
        LabReport::new(&loaded, progress).unwrap()
    });
    assert_eq!(reports[0].comparisons[0].verdict, FigureVerdict::Same);
    for report in &reports {
        assert_eq!(report.results, reports[0].results);
        assert_eq!(report.skipped, ["cubes: out of scope"]);
    }
}

#[test]
fn a_failure_keeps_everything_else_and_is_made_up_for() {
    let mut store = Store::in_memory().unwrap();
    let broken = Arc::new(AtomicBool::new(true));
    let loaded = loaded(Squares { broken: Arc::clone(&broken), ..Squares::default() });
    let (end, told) = run(&loaded, &mut store, 2);
    let error = end.unwrap_err();
    assert!(
        error.to_string().starts_with("task square/10 failed: no ten today; what is finished is kept"),
        "{error}"
    );
    assert!(!error.is_input());
    let before = runner::read_progress(&loaded, &store).unwrap();
    assert!(before.done >= 10 && before.done == told.len() - 2, "everything that was told is kept");
    broken.store(false, Ordering::SeqCst);
    let (end, told) = run(&loaded, &mut store, 2);
    assert_eq!(end.unwrap(), ExperimentRunEnd::Complete);
    assert_eq!(told[1], format!("{} of 20", before.done));
    assert_eq!(told.len() - 2, 20 - before.done, "nothing is done twice");
}

#[test]
fn a_stopped_run_goes_on() {
    let mut store = Store::in_memory().unwrap();
    for after in [3, 9] {
        let loaded = loaded(Squares { stop_after: Some(after), ..Squares::default() });
        let before = runner::read_progress(&loaded, &store).unwrap().done;
        let (end, _) = run(&loaded, &mut store, 2);
        assert_eq!(end.unwrap(), ExperimentRunEnd::Stopped);
        assert_eq!(runner::read_progress(&loaded, &store).unwrap().done, before + after);
    }
    let loaded = loaded(Squares::default());
    assert_eq!(run(&loaded, &mut store, 2).0.unwrap(), ExperimentRunEnd::Complete);
    assert_eq!(run(&loaded, &mut store, 2).1[1..], ["20 of 20"], "nothing is left");
    let runs = store.list_runs().unwrap().runs;
    assert_eq!(runs.len(), 1, "one run, however often it was stopped");
    assert!(runs[0].name.starts_with("001-squares full seed 1 "), "{}", runs[0].name);
    assert_eq!(runs[0].finished, TASKS);
}

/// Whoever lets a run share its place with others has it pause before every task and within tasks, but not while time is measured.
#[test]
fn a_run_pauses_where_it_asks_but_not_within_measurements() {
    let mut store = Store::in_memory().unwrap();
    let pauses = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&pauses);
    let stop = StopFlag::default().with_pause(move || _ = counted.fetch_add(1, Ordering::SeqCst));
    let options = RunOptions { threads: 1, stop, observer: &mut |_: &RunEvent<'_>| {} };
    let end = runner::run_experiment(&loaded(Squares::default()), &mut store, options).unwrap();
    assert_eq!(end, ExperimentRunEnd::Complete);
    // Four tasks run alone. Each of both parts asks before every task and once more at its end, the others within the task, too.
    assert_eq!(pauses.load(Ordering::SeqCst), (4 + 1) + (16 + 1) + 16);
}

/// The text of a report that was changed, with the checksum that it has now.
fn seal_again(text: &str) -> String {
    let mark = "\"checksum\": \"";
    let at = text.find(mark).unwrap() + mark.len();
    let blank = [&text[..at], NO_CHECKSUM, &text[at + NO_CHECKSUM.len()..]].concat();
    seal_text(&blank, mark)
}

/// What a report keeps is taken into an empty database, but for results of other tasks; then nothing of it is done again.
#[test]
fn kept_results_are_taken_back() {
    let place = tempfile::tempdir().unwrap();
    let in_place = || {
        let mut loaded = loaded(Squares::default());
        loaded.folder.path = place.path().to_path_buf();
        loaded
    };
    let mut empty = Store::in_memory().unwrap();
    assert_eq!(kept::restore_results(&in_place(), &mut empty).unwrap(), 0, "there is no report");

    let first = in_place();
    let mut store = Store::in_memory().unwrap();
    run(&first, &mut store, 1).0.unwrap();
    let progress = runner::read_progress(&first, &store).unwrap();
    let report = LabReport::new(&first, progress.clone()).unwrap();
    ishi_lab::report::write_report(&report, &first.folder.results_path(first.variant)).unwrap();
    // One of them was another task's, or an older version's.
    let path = first.folder.results_path(first.variant).join("results.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let id = first.tasks()[7].work.id().to_string();
    std::fs::write(&path, seal_again(&text.replacen(&id, &"0".repeat(64), 1))).unwrap();

    let second = in_place();
    assert_eq!(kept::restore_results(&second, &mut empty).unwrap(), 19);
    assert_eq!(kept::restore_results(&second, &mut empty).unwrap(), 0, "they are there already");
    let taken = runner::read_progress(&second, &empty).unwrap();
    assert_eq!(taken.costs.len(), 19);
    assert!(taken.costs.iter().all(|(name, cost)| *cost == progress.costs[name]));
    let (end, told) = run(&second, &mut empty, 1);
    assert_eq!(end.unwrap(), ExperimentRunEnd::Complete);
    assert_eq!(told[1..], ["19 of 20", "square/07"]);
    assert_eq!(runner::read_progress(&second, &empty).unwrap().results, progress.results);

    // Nor does a report tell of the other task's result as if it were that of the task of today.
    let read = ishi_lab::report::read_report(&second).unwrap().unwrap();
    assert_eq!((read.tasks, read.missing), (19, 1));
    assert!(!read.results.0.contains_key("square/07"));
    assert_eq!(read.comparisons[0].finding.as_ref().unwrap().value, 2470.0 - 49.0);

    let text = std::fs::read_to_string(&path).unwrap();
    let format = "  \"format\": \"ishi-results 1\",\n";
    assert!(text.contains(format), "{text}");
    std::fs::write(&path, seal_again(&text.replace("ishi-results 1", "ishi-results 2"))).unwrap();
    let error = kept::restore_results(&second, &mut empty).unwrap_err().to_string();
    assert!(
        error.contains("it must have \"format\": \"ishi-results 1\" and not \"format\": \"ishi-results 2\""),
        "{error}"
    );
    // A report of before there was a version.
    std::fs::write(&path, seal_again(&text.replace(format, ""))).unwrap();
    assert!(kept::restore_results(&second, &mut empty).is_ok());
    std::fs::write(&path, "[]").unwrap();
    let error = kept::restore_results(&second, &mut empty).unwrap_err().to_string();
    assert!(error.contains("results.json: no report of ishi: "), "{error}");
}

/// A kind whose version was raised is done again, and the results of the other kind stay.
#[test]
fn a_raised_version_throws_away_its_own_kind_alone() {
    let place = tempfile::tempdir().unwrap();
    let in_place = |raised| {
        let mut loaded = loaded(Squares { raised, ..Squares::default() });
        loaded.folder.path = place.path().to_path_buf();
        loaded
    };
    let first = in_place(0);
    let mut store = Store::in_memory().unwrap();
    run(&first, &mut store, 1).0.unwrap();
    let progress = runner::read_progress(&first, &store).unwrap();
    let report = LabReport::new(&first, progress).unwrap();
    ishi_lab::report::write_report(&report, &first.folder.results_path(first.variant)).unwrap();

    let raised = in_place(1);
    let mut empty = Store::in_memory().unwrap();
    assert_eq!(kept::restore_results(&raised, &mut empty).unwrap(), 16, "out of the report");
    assert_eq!(runner::count_tasks(&raised, &store).unwrap(), (20, 16));
    for store in [&mut empty, &mut store] {
        let (end, told) = run(&raised, store, 1);
        assert_eq!(end.unwrap(), ExperimentRunEnd::Complete);
        assert_eq!(told[1..], ["16 of 20", "square/00", "square/01", "square/02", "square/03"]);
    }
}

/// A report that was damaged, or is in part that of before a task was done.
#[test]
fn damaged_reports_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let mut experiment = loaded(Squares::default());
    experiment.folder.path = place.path().to_path_buf();
    let mut store = Store::in_memory().unwrap();
    run(&experiment, &mut store, 1).0.unwrap();
    let folder = experiment.folder.results_path(experiment.variant);
    let path = folder.join("results.json");
    let keep = |progress: runner::RunState| {
        let report = LabReport::new(&experiment, progress).unwrap();
        ishi_lab::report::write_report(&report, &folder).unwrap();
        std::fs::read(&path).unwrap()
    };
    let progress = runner::read_progress(&experiment, &store).unwrap();
    let mut early = progress.clone();
    early.results.0.remove("square/07").unwrap();
    early.costs.remove("square/07").unwrap();
    early.done -= 1;
    let [before, whole] = [early, progress].map(keep);
    assert_eq!(ishi_lab::report::read_report(&experiment).unwrap().unwrap().missing, 0);
    let mut empty = Store::in_memory().unwrap();
    let mut check = |what: &str, damaged: &[u8]| {
        std::fs::write(&path, damaged).unwrap();
        assert!(ishi_lab::report::read_report(&experiment).is_err(), "{what}");
        assert!(kept::read_times(&experiment).is_err(), "{what}");
        assert!(kept::restore_results(&experiment, &mut empty).is_err(), "{what}");
    };
    let mutants = number_of_mutants(300);
    try_damaged_copies(&whole, Seed::new(1), mutants, &mut check);
    try_mixed_copies(&whole, &before, Seed::new(1), mutants / 4, &mut check);
    let older = String::from_utf8(set_back_version(&whole).unwrap()).unwrap();
    check("of an older version", older.as_bytes());
    check("of an older version that is whole", seal_again(&older).as_bytes());
    std::fs::write(&path, &whole).unwrap();
    assert_eq!(
        kept::restore_results(&experiment, &mut empty).unwrap(),
        20,
        "nothing came of the damaged ones"
    );
}

/// Tasks are tried, and nothing of that is kept.
#[test]
fn an_estimate_tries_tasks_and_keeps_nothing() {
    let place = tempfile::tempdir().unwrap();
    let in_place = |experiment| {
        let mut loaded = loaded(experiment);
        loaded.folder.path = place.path().to_path_buf();
        loaded
    };
    let mut store = Store::in_memory().unwrap();
    let fresh = in_place(Squares::default());
    let found = estimate_run(&fresh, &store, &StopFlag::default()).unwrap();
    assert_eq!((found.missing, found.basis), (20, EstimateBasis::Tasks { done: 20, is_least: false }));
    assert_eq!(runner::count_tasks(&fresh, &store).unwrap(), (20, 0), "nothing is kept");
    let found = estimate_run(&fresh, &store, &StopFlag::raised_if(true)).unwrap();
    assert_eq!((found.missing, found.basis), (20, EstimateBasis::Nothing), "nobody waits");
    let some = in_place(Squares { stop_after: Some(3), ..Squares::default() });
    let found = estimate_run(&some, &store, &StopFlag::default()).unwrap();
    assert_eq!(found.basis, EstimateBasis::Tasks { done: 3, is_least: true }, "one was broken off");
    let broken = Squares { broken: Arc::new(AtomicBool::new(true)), ..Squares::default() };
    assert!(estimate_run(&in_place(broken), &store, &StopFlag::default()).is_err(), "it would fail");

    // A report says what each task took.
    run(&fresh, &mut store, 1).0.unwrap();
    let found = estimate_run(&fresh, &store, &StopFlag::default()).unwrap();
    assert_eq!((found.missing, found.seconds), (0, 0.0));
    let report = LabReport::new(&fresh, runner::read_progress(&fresh, &store).unwrap()).unwrap();
    ishi_lab::report::write_report(&report, &fresh.folder.results_path(fresh.variant)).unwrap();
    let times = kept::read_times(&fresh).unwrap().unwrap();
    assert_eq!(times.tasks.len(), 20);
    let (again, empty) = (in_place(Squares::default()), Store::in_memory().unwrap());
    let found = estimate_run(&again, &empty, &StopFlag::default()).unwrap();
    assert!(matches!(found.basis, EstimateBasis::Report { .. }), "{found:?}");
}

/// Chains of tasks, each of which adds its number to what the one before gave.
struct Chains {
    stop_at: Option<u64>,
}

const LENGTH: u64 = 5;

impl Experiment for Chains {
    fn tasks(&self) -> Vec<ExperimentTask> {
        let task = |number: u64| ExperimentTask {
            name: format!("chain/{number:02}"),
            work: store::StoreTask::new(store::TaskKind::new("chain"), json!({ "number": number })),
            alone: false,
            after: (!number.is_multiple_of(LENGTH)).then(|| format!("chain/{:02}", number - 1)),
        };
        (0..3 * LENGTH).map(task).collect()
    }

    fn run_task(&self, task: &ExperimentTask, before: Option<&Value>, _: &StopFlag) -> TaskEnd {
        let number = task.work.spec()["number"].as_u64().unwrap();
        assert_eq!(before.is_some(), task.after.is_some(), "{}", task.name);
        if self.stop_at == Some(number) {
            return Ok(None);
        }
        let sum = before.map_or(0, |value| value["checkpoint"].as_u64().unwrap());
        Ok(Some(TaskOutput::from(json!({ "number": number, "checkpoint": sum + number }))))
    }

    fn describe_finished_task(&self, task: &ExperimentTask, result: &Value) -> Option<String> {
        Some(format!("{} {}", task.name, result["checkpoint"]))
    }

    fn build_report(&self, _: &TaskResults) -> Result<ReportBody, LabError> {
        Ok(ReportBody::default())
    }
}

fn chains(stop_at: Option<u64>) -> LoadedExperiment {
    LoadedExperiment { experiment: Box::new(Chains { stop_at }), ..loaded(Squares::default()) }
}

#[test]
fn tasks_go_on_from_one_another_also_after_a_stop() {
    for threads in [1, 4] {
        let mut store = Store::in_memory().unwrap();
        for stop_at in [Some(3), Some(4)] {
            assert_eq!(run(&chains(stop_at), &mut store, threads).0.unwrap(), ExperimentRunEnd::Stopped);
        }
        let loaded = chains(None);
        assert_eq!(run(&loaded, &mut store, threads).0.unwrap(), ExperimentRunEnd::Complete);
        let progress = runner::read_progress(&loaded, &store).unwrap();
        let last = |number| progress.results.0[&format!("chain/{number:02}")]["checkpoint"].clone();
        assert_eq!([last(4), last(9), last(14)], [json!(10), json!(35), json!(60)]);
        let report = LabReport::new(&loaded, progress).unwrap();
        assert_eq!(report.results.0["chain/04"], json!({ "number": 4 }), "reports have no checkpoints");
    }
}

#[test]
fn the_observer_hears_what_the_experiment_tells() {
    let mut store = Store::in_memory().unwrap();
    let mut told = Vec::new();
    let mut observer = |event: &RunEvent<'_>| {
        if let RunEvent::Finished { live: Some(live), .. } = event {
            told.push(live.clone());
        }
    };
    let options = RunOptions { threads: 1, stop: StopFlag::default(), observer: &mut observer };
    runner::run_experiment(&chains(None), &mut store, options).unwrap();
    assert_eq!(told.len(), 15);
    assert!(told.contains(&"chain/04 10".to_string()), "{told:?}");
}

/// Nobody would ever begin it.
struct Orphan;

impl Experiment for Orphan {
    fn tasks(&self) -> Vec<ExperimentTask> {
        let work = store::StoreTask::new(store::TaskKind::new("orphan"), json!({}));
        vec![ExperimentTask { name: "orphan".into(), work, alone: false, after: Some("parent".into()) }]
    }

    fn run_task(&self, _: &ExperimentTask, _: Option<&Value>, _: &StopFlag) -> TaskEnd {
        Ok(None)
    }

    fn build_report(&self, _: &TaskResults) -> Result<ReportBody, LabError> {
        Ok(ReportBody::default())
    }
}

#[test]
fn a_task_that_could_never_begin_is_an_error() {
    let orphan = LoadedExperiment { experiment: Box::new(Orphan), ..loaded(Squares::default()) };
    let mut store = Store::in_memory().unwrap();
    let error = run(&orphan, &mut store, 2).0.unwrap_err().to_string();
    assert!(
        error.starts_with(
            "task orphan failed: it goes on from parent, which is no task that is done before it"
        ),
        "{error}"
    );
}
