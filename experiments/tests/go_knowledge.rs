//! The quick form of the experiment on The Many Faces of Go: it studies, plays, counts, resumes and reports, and its configuration is checked.

// Tests make files.
#![allow(clippy::disallowed_methods, missing_docs)]

use ishi_experiments::KINDS;
use ishi_lab::expected::ReportFinding;
use ishi_lab::experiment::Variant;
use ishi_lab::folder::{self, LoadedExperiment};
use ishi_lab::report::LabReport;
use ishi_lab::runner::{self, ExperimentRunEnd, RunEvent, RunOptions};
use ishi_lab::store::{GameFilter, Store};
use ishi_rng::Seed;
use ishi_work::StopFlag;

use crate::experiments;

fn quick() -> LoadedExperiment {
    folder::find_folder(experiments(), "many-faces")
        .unwrap()
        .load_experiment(KINDS, Variant::Quick, Seed::new(1))
        .unwrap()
}

fn run(loaded: &LoadedExperiment, store: &mut Store) -> Vec<String> {
    let mut done = Vec::new();
    let mut observer = |event: &RunEvent<'_>| match event {
        RunEvent::Finished { task, .. } => done.push(task.to_string()),
        RunEvent::Skipped(reason) => {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "SKIPPED: {reason}");
        }
        RunEvent::Planned { .. } => {}
    };
    let options = RunOptions { threads: 1, stop: StopFlag::default(), observer: &mut observer };
    assert_eq!(runner::run_experiment(loaded, store, options).unwrap(), ExperimentRunEnd::Complete);
    done
}

#[test]
fn the_quick_form_plays_counts_and_reports() {
    let loaded = quick();
    let mut store = Store::in_memory().unwrap();
    let done = run(&loaded, &mut store);
    assert_eq!(run(&loaded, &mut store), Vec::<String>::new(), "nothing is done twice");
    let report = LabReport::new(&loaded, runner::read_progress(&loaded, &store).unwrap()).unwrap();
    let expected = report.comparisons.iter().filter_map(|comparison| comparison.finding.as_ref());
    let findings: Vec<&ReportFinding> = expected.chain(&report.other_findings).collect();
    let value = |key: &str| findings.iter().find(|finding| finding.key == key).map(|finding| finding.value);
    // What the document says of sente, and of the editor's page.
    assert_eq!(
        [value("sente.first"), value("sente.220"), value("patterns.page")],
        [Some(7.0), Some(1.0), Some(36.0)]
    );
    assert!(value("joseki.bytes") > Some(0.5) && value("joseki.bytes") < Some(1.2));
    assert_eq!(value("check.differences"), Some(0.0));
    assert!(value("games.capture-5.many-faces.won").is_some());
    let is_studied = done.iter().any(|name| name.starts_with("study/"));
    assert_eq!(value("study.many-faces.chosen").is_some(), is_studied, "without records nothing is studied");
    assert_eq!(value("positions.ishi"), None, "one position makes no mean");
    let games = store.find_games(&GameFilter::default()).unwrap();
    assert_eq!(games.len(), 2 * done.iter().filter(|name| name.contains(" - ")).count());
    assert!(games.iter().all(|game| game.reason != "illegal" && game.reason != "crash"), "{games:?}");
}

/// What is said of the experiment with `from` replaced by `to` in its configuration.
fn error_of(from: &str, to: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    let experiment = place.path().join("002-many-faces");
    std::fs::create_dir(&experiment).unwrap();
    for name in ["config.toml", "expected.toml"] {
        let mut text = std::fs::read_to_string(experiments().join("002-many-faces").join(name)).unwrap();
        if name == "config.toml" {
            assert!(text.contains(from), "{name} has no {from:?}");
            text = text.replacen(from, to, 1);
        }
        std::fs::write(experiment.join(name), text).unwrap();
    }
    let folder = folder::find_folder(place.path(), "many-faces").unwrap();
    let loaded = folder.load_experiment(KINDS, Variant::Quick, Seed::new(1));
    loaded.err().unwrap_or_else(|| panic!("{to:?} is accepted")).to_string()
}

#[test]
fn mistakes_in_the_configuration_are_named() {
    let cases = [
        ("\"many-faces\"]", "\"many-face\"]", "preset=many-face is unknown: write ishi or many-faces"),
        ("check_games = 10", "check_games = 0", "games must be 1 to 1000"),
        ("pairs = 1\n", "pairs = 0\n", "pairs must be 1 to 100000"),
        ("handicap = 9", "handicap = 1", "handicaps must be 2 to 9 stones"),
        ("name = \"gnugo-19\"", "name = \"gnugo-9\"", "this stage is named twice: change one"),
        ("urgent-first=yes", "urgent-first=maybe", "urgent-first=maybe is unknown: write no or yes"),
    ];
    for (from, to, rest) in cases {
        let error = error_of(from, to);
        assert!(error.contains("config.toml:") && error.contains(rest), "{to:?}\nexpected {rest}\n{error}");
    }
}
