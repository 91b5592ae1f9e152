//! The quick variant of the search for the best piece counters.

// Tests read and make files.
#![allow(clippy::disallowed_methods, missing_docs)]

use std::collections::BTreeMap;

use ishi_experiments::KINDS;
use ishi_lab::experiment::{TaskResults, Variant};
use ishi_lab::folder;
use ishi_othello::Wpc;
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde_json::Value;

use crate::experiments;

/// All results of the quick variant, each task from what the one before it gave.
fn results() -> (TaskResults, ishi_lab::report::ReportBody) {
    let loaded = folder::find_folder(experiments(), "020")
        .unwrap()
        .load_experiment(KINDS, Variant::Quick, Seed::new(3))
        .unwrap();
    let stop = StopFlag::default();
    let mut results = BTreeMap::<String, Value>::new();
    for task in loaded.experiment.tasks() {
        let before = task.after.as_ref().map(|name| &results[name]);
        let output = loaded.experiment.run_task(&task, before, &stop).unwrap().unwrap();
        results.insert(task.name, output.result);
    }
    let results = TaskResults(results);
    let body = loaded.experiment.build_report(&results).unwrap();
    (results, body)
}

#[test]
fn the_search_is_repeatable_and_learns_to_beat_chance() {
    let (first, body) = results();
    assert_eq!(first, results().0);
    let random = body.findings.iter().find(|finding| finding.key == "rules.random").unwrap();
    assert!(random.value > 0.6, "{random:?}");
    let exam = first.0["standard/exam"]["weights"].as_str().unwrap();
    assert!(exam.parse::<Wpc>().unwrap().octant_weights().is_none(), "64 weights have no symmetry: {exam}");
}

#[test]
fn a_stop_is_heard() {
    let loaded = folder::find_folder(experiments(), "020")
        .unwrap()
        .load_experiment(KINDS, Variant::Full, Seed::new(1))
        .unwrap();
    let stop = StopFlag::default();
    stop.request();
    let tasks = loaded.experiment.tasks();
    assert!(loaded.experiment.run_task(&tasks[0], None, &stop).unwrap().is_none());
}

#[test]
fn mistakes_are_named_with_their_place() {
    let cases = [
        ("runs = 2\nrounds", "runs = 0\nrounds", "full.rules.runs: 0: runs must be 1 to 100"),
        (
            "games = [1500, 1500]",
            "games = [1500, 15]",
            "games must be [first, last], from 2 to 10000000, ascending",
        ),
        (
            "shaken_by = 0.05",
            "shaken_by = 7.0",
            "weights, of which the greatest is 1, must be shaken by 0 to 1",
        ),
    ];
    for (from, to, message) in cases {
        let place = tempfile::tempdir().unwrap();
        let experiment = place.path().join("020-best-wpc");
        std::fs::create_dir(&experiment).unwrap();
        for file in ["config.toml", "expected.toml"] {
            let text = std::fs::read_to_string(experiments().join("020-best-wpc").join(file)).unwrap();
            assert!(file != "config.toml" || text.contains(from), "{from}");
            std::fs::write(experiment.join(file), text.replacen(from, to, 1)).unwrap();
        }
        let folder = folder::find_folder(place.path(), "020").unwrap();
        let error = folder.load_experiment(KINDS, Variant::Full, Seed::new(1)).err().unwrap().to_string();
        assert!(error.contains(message), "{error}");
    }
}
