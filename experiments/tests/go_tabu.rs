//! The quick form of the experiment on tabu lists: it plays, measures, resumes and reports, and its configuration is checked.

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
use serde_json::Value;

use crate::experiments;

fn quick() -> LoadedExperiment {
    folder::find_folder(experiments(), "go-tabu")
        .unwrap()
        .load_experiment(KINDS, Variant::Quick, Seed::new(1))
        .unwrap()
}

fn run(loaded: &LoadedExperiment, store: &mut Store, threads: usize) -> Vec<String> {
    let mut done = Vec::new();
    let mut observer = |event: &RunEvent<'_>| match event {
        RunEvent::Finished { task, .. } => done.push(task.to_string()),
        RunEvent::Skipped(reason) => {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "SKIPPED: needs gnugo: {reason}");
        }
        RunEvent::Planned { .. } => {}
    };
    let options = RunOptions { threads, stop: StopFlag::default(), observer: &mut observer };
    assert_eq!(runner::run_experiment(loaded, store, options).unwrap(), ExperimentRunEnd::Complete);
    done
}

/// Results without what is measured by a clock.
fn without_times(store: &Store, loaded: &LoadedExperiment) -> Vec<(String, Value)> {
    let results = runner::read_progress(loaded, store).unwrap().results.0.into_iter();
    results
        .filter(|(name, _)| !name.starts_with("time/"))
        .map(|(name, mut value)| {
            for time in ["seconds", "opponent_seconds"] {
                value.as_object_mut().unwrap().remove(time);
            }
            (name, value)
        })
        .collect()
}

#[test]
fn the_quick_form_plays_measures_and_reports() {
    let loaded = quick();
    let mut store = Store::in_memory().unwrap();
    let done = run(&loaded, &mut store, 2);
    assert_eq!(run(&loaded, &mut store, 2), Vec::<String>::new(), "nothing is done twice");
    let report = LabReport::new(&loaded, runner::read_progress(&loaded, &store).unwrap()).unwrap();
    let expected = report.comparisons.iter().filter_map(|comparison| comparison.finding.as_ref());
    let findings: Vec<&ReportFinding> = expected.chain(&report.other_findings).collect();
    let value = |key: &str| findings.iter().find(|finding| finding.key == key).map(|finding| finding.value);
    for player in ["uct", "tabu18", "tabu18-hash", "tabu18-hash-win"] {
        let [black, white, both] =
            ["black", "white", "both"].map(|color| value(&format!("paper.{player}.{color}")).unwrap());
        assert_eq!(both, (black + white) / 2.0, "{player}: as many games as Black as as White");
    }
    assert!(value("paper.best") >= value("paper.uct.both"));
    // What follows from the paper's counts alone: its tables 1 and 3, equation 12, and its own tests.
    assert_eq!(value("settings.gTabu18.threshold"), Some(30.0));
    assert_eq!(value("settings.gTabu18.L"), Some(18.0));
    let rounded = |key: &str, decimals: usize| value(key).map(|value| format!("{value:.decimals$}"));
    for (key, p) in [
        ("gnugo-uct", "0.242"),
        ("gTabu18", "0.591"),
        ("gTabu18-hash", "0.155"),
        ("gTabu18-hash-win", "0.012"),
        ("gTabu18-hash-win.gnugo-uct", "0.347"),
        ("gTabu18-hash-win.gTabu18", "0.028"),
    ] {
        assert_eq!(rounded(&format!("tests.{key}.p"), 3).as_deref(), Some(p), "{key}");
    }
    assert_eq!(rounded("tests.gTabu18-hash-win.low", 3).as_deref(), Some("0.509"));
    assert_eq!(rounded("tests.gTabu18-hash-win.high", 3).as_deref(), Some("0.571"));
    assert_eq!(value("refusals.equation-12.0"), Some(0.0));
    assert!(value("head.strong-hash-win.both").is_some());
    assert!(value("time.tabu18-hash-win.ratio").unwrap() > 0.0);
    // What tabu lists are there for.
    assert!(value("repeats.2.tabu18-hash.most") < value("repeats.2.uct, leaves of 30.most"));
    assert_eq!(value("refusals.hash.0"), Some(0.0));
    assert!(value("refusals.hash.3") > Some(0.0) && value("refusals.moves.6") > value("refusals.moves.3"));
    let headings: Vec<&str> = report.sections.iter().map(|section| section.heading.as_str()).collect();
    assert_eq!(
        headings,
        [
            "Settings: table 1",
            "What the paper's games show: tables 2 and 3",
            "Games: paper",
            "Games: strong",
            "Games: head",
            "Repeated positions: figure 5",
            "Refused candidates: table 4 and equation 12",
            "Thinking time",
            "Seconds a game: figure 6"
        ]
    );
    let games = store.find_games(&GameFilter::default()).unwrap();
    assert_eq!(games.len(), 2 * done.iter().filter(|name| name.contains(" - ")).count());
    assert!(games.iter().all(|game| game.reason != "illegal" && game.reason != "crash"), "{games:?}");
}

/// Rounds: two pairs of the stage that says so are played before it is the next stage's turn.
#[test]
fn stages_take_turns() {
    let loaded = quick();
    let games = loaded.tasks().iter().map(|task| task.name.as_str()).filter(|name| name.contains(" - "));
    // Where GNU Go is not installed its stage has no tasks.
    let games: Vec<&str> = games.filter(|name| !name.contains("GNU Go")).collect();
    assert_eq!(
        games,
        [
            "paper/uct - capture/0000",
            "paper/tabu18 - capture/0000",
            "paper/tabu18-hash - capture/0000",
            "paper/tabu18-hash-win - capture/0000",
            "head/strong-hash-win - strong/0000",
            "head/strong-hash-win - strong/0001",
            "paper/uct - capture/0001",
            "paper/tabu18 - capture/0001",
            "paper/tabu18-hash - capture/0001",
            "paper/tabu18-hash-win - capture/0001",
        ]
    );
}

/// What is only counted is not listed: openings take long to find.
#[test]
fn tasks_are_counted_without_being_listed() {
    for name in ["go-tabu", "many-faces"] {
        let folder = folder::find_folder(experiments(), name).unwrap();
        let loaded = folder.load_experiment(KINDS, Variant::Quick, Seed::new(1)).unwrap();
        let counted = runner::count_tasks(&loaded, &Store::in_memory().unwrap()).unwrap();
        assert!(loaded.listed.get().is_none(), "{name}");
        assert_eq!(counted, (loaded.tasks().len(), 0), "{name}");
    }
}

#[test]
fn games_and_measurements_are_the_same_for_any_number_of_threads() {
    let results = [1, 3].map(|threads| {
        let (loaded, mut store) = (quick(), Store::in_memory().unwrap());
        run(&loaded, &mut store, threads);
        without_times(&store, &loaded)
    });
    assert!(!results[0].is_empty());
    assert_eq!(results[0], results[1]);
}

/// What is said of the experiment with `from` replaced by `to` in its configuration.
fn error_of(from: &str, to: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    let experiment = place.path().join("001-go-tabu");
    std::fs::create_dir(&experiment).unwrap();
    for name in ["config.toml", "expected.toml"] {
        let mut text = std::fs::read_to_string(experiments().join("001-go-tabu").join(name)).unwrap();
        if name == "config.toml" {
            assert!(text.contains(from), "{name} has no {from:?}");
            text = text.replacen(from, to, 1);
        }
        std::fs::write(experiment.join(name), text).unwrap();
    }
    let folder = folder::find_folder(place.path(), "go-tabu").unwrap();
    folder
        .load_experiment(KINDS, Variant::Quick, Seed::new(1))
        .err()
        .unwrap_or_else(|| panic!("{to:?} is accepted"))
        .to_string()
}

#[test]
fn mistakes_in_the_configuration_are_named() {
    let cases = [
        ("preset=uct\"", "preset=utc\"", "full.measure.setting.player: go-mcts:preset=utc: "),
        ("go-mcts:preset=uct\"", "go-flat\"", "only go-mcts can be measured"),
        ("Q16 D4", "Q16 Q16", "full.measure.game.moves: move 2, Q16: "),
        (
            "after = [42, 150]",
            "after = [42, 181]",
            "full.measure.repeats.after: 181: it must be at most 180, as the game has so many moves",
        ),
        ("searches = 3", "searches = 0", "full.measure.repeats.searches: 0: searches must be 1 to 1000"),
        ("2179, 2348]", "2179, 2348, 1, 2, 3, 4]", "no more numbers than there are tenures"),
        ("won = [266, 253]", "won = [266, 501]", "no more games can be won than were played"),
        ("ours = [\"paper\", \"uct\"]", "ours = [\"paper\", \"utc\"]", "a stage and of one of its players"),
        ("pairs_a_round = 6", "pairs_a_round = 0", "full.stage.pairs_a_round: 0: pairs must be 1 to 100000"),
        ("tenures = [0, 1,", "tenures = [0, 1001,", "1001: a tenure must be 0 to 1000"),
        ("repetitions = 9", "repetitions = 0", "repetitions must be 1 to 1000"),
        (
            "name = \"tabu18\", player",
            "name = \"uct, leaves of 30\", player",
            "this name stands twice: change one",
        ),
        ("name = \"paper-9\"", "name = \"paper\"", "this stage is named twice: change one"),
        ("name = \"paper-9\"", "name = \"paper 9\"", "a name has letters, digits and -"),
        ("pairs = 50\n", "pairs = 0\n", "full.stage.pairs: 0: pairs must be 1 to 100000"),
        (", pairs = 3 }", ", pairs = 0 }", "full.stage.players.pairs: 0: pairs must be 1 to 100000"),
        ("opening_moves = 0", "opening_moves = 91", "openings on this board must have 0 to 90 moves"),
        ("side = 9", "side = 1", "a board must have 2 to 25 lines"),
        ("player = \"go-capture\"", "player = \"go-captur\"", "quick.stage.opponent.player: go-captur: "),
    ];
    for (from, to, rest) in cases {
        let error = error_of(from, to);
        assert!(error.contains("config.toml:") && error.contains(rest), "{to:?}\nexpected {rest}\n{error}");
    }
}
