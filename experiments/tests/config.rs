//! Mistakes in an experiment's files: every one is found before anything is run, and named by line, column and key.

// Tests make files.
#![allow(clippy::disallowed_methods, missing_docs)]

use std::path::PathBuf;

use ishi_experiments::KINDS;
use ishi_lab::experiment::Variant;
use ishi_lab::folder;
use ishi_rng::Seed;
use ishi_rng::damage::try_damaged_copies;

use crate::experiments;

fn ground() -> PathBuf {
    experiments().join("010-ground")
}

/// What is said of the ground experiment with `from` replaced by `to` in one of its files.
fn error_of(file: &str, from: &str, to: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    let experiment = place.path().join("010-ground");
    std::fs::create_dir(&experiment).unwrap();
    for name in ["config.toml", "expected.toml"] {
        let mut text = std::fs::read_to_string(ground().join(name)).unwrap();
        if name == file {
            assert!(text.contains(from), "{name} has no {from:?}");
            text = text.replacen(from, to, 1);
        }
        std::fs::write(experiment.join(name), text).unwrap();
    }
    let folder = folder::find_folder(place.path(), "ground").unwrap();
    let error = folder.load_experiment(KINDS, Variant::Full, Seed::new(1)).err();
    error.unwrap_or_else(|| panic!("{to:?} is accepted")).to_string()
}

/// The line of the first occurrence in the file, counted from 1.
fn line_of(file: &str, text: &str) -> usize {
    let all = std::fs::read_to_string(ground().join(file)).unwrap();
    all[..all.find(text).unwrap()].matches('\n').count() + 1
}

#[test]
fn mistakes_in_the_configuration_are_named_with_their_place() {
    // What is replaced, by what; column, key and message.
    let cases = [
        (
            "\"ground\"",
            "\"grund\"",
            "8: kind: grund: the kinds of experiments are decks, go-knowledge, go-tabu, ground",
        ),
        (
            "repetitions = 11",
            "repetitions = 0",
            "15: full.speed.repetitions: 0: repetitions must be 1 to 1000",
        ),
        (
            "repetitions = 11",
            "repetitions = -1",
            "15: full.speed.repetitions: invalid value: integer `-1`, expected u32",
        ),
        (
            "repetitions = 11",
            "repetition = 11",
            "1: full.speed.repetition: unknown field `repetition`, expected",
        ),
        (
            "repetitions = 3",
            "repetitions = 0",
            "15: quick.speed.repetitions: 0: repetitions must be 1 to 1000",
        ),
        (
            "side = 13, playouts = 30000",
            "side = 20, playouts = 30000",
            "14: full.speed.boards.side: 20: a board of the reference must have 2 to 19 lines",
        ),
        (
            "side = 13, playouts = 30000",
            "side = 9, playouts = 30000",
            "14: full.speed.boards.side: 9: this board is named twice",
        ),
        ("side = 13, playouts = 30000", "playouts = 30000", "5: full.speed.boards: missing field `side`"),
        (
            "[519, 1000]",
            "[1001, 1000]",
            "12: full.statistics.matches: invalid number of wins 1001: it must lie from 0 to 1000",
        ),
        (
            "[519, 1000]",
            "[519]",
            "12: full.statistics.matches: invalid length 1, expected an array of length 2",
        ),
        ("side = 9\n", "side = 26\n", "8: full.ratings.side: 26: a board must have 2 to 25 lines"),
        ("komi = 7.5", "komi = \"7.5\"", "8: full.ratings.komi: invalid type: string \"7.5\", expected f64"),
        ("komi = 7.5", "komi = nan", "8: full.ratings.komi: "),
        (
            "opening_moves = 4",
            "opening_moves = 40",
            "17: full.ratings.opening_moves: 40: openings on this board must have 0 to 20 moves",
        ),
        ("pairs = 25", "pairs = 0", "9: full.ratings.pairs: 0: pairs must be 1 to 100000"),
        ("pairs = 25\n", "", "1: full.ratings: missing field `pairs`"),
        (
            "\"go-capture\",\n    \"go-flat:playouts=50\"",
            "\"go-capture\",\n    \"go-flat:playout=50\"",
            "5: full.ratings.players: go-flat:playout=50: ",
        ),
        (
            "\"go-random\"",
            "\"gnugo --mode gtp\"",
            "5: full.ratings.players: gnugo --mode gtp: only built-in players stand here",
        ),
        (
            "\"go-random\"",
            "\"go-capture\"",
            "5: full.ratings.players: go-capture: this player is named twice",
        ),
        (
            "name = \"GNU Go 3.8 level 1\"",
            "nam = \"GNU Go\"",
            "12: full.ratings.anchor.nam: unknown field `nam`, expected `name` or `command`",
        ),
        ("[full.speed]", "[full.spede]", "7: full.spede: unknown field `spede`, expected one of `speed`"),
        ("[full.statistics]", "[full.statistics", "17: unclosed table, expected `]`"),
    ];
    for (from, to, rest) in cases {
        let error = error_of("config.toml", from, to);
        let first = error.lines().next().unwrap();
        let (_, place) = first.split_once("config.toml:").unwrap_or_else(|| panic!("{to:?}: {error}"));
        let (line, place) = place.split_once(':').unwrap_or_else(|| panic!("{to:?}: {error}"));
        assert!(place.starts_with(rest), "{to:?}\nexpected {rest}\n{error}");
        // A key that is missing is said of its table, and of several lines the last may be the wrong one.
        let expected = line_of("config.toml", from);
        let line: usize = line.parse().unwrap();
        assert!(
            line.abs_diff(expected) <= if rest.contains("missing") { 6 } else { 1 },
            "{to:?} {line} {expected}"
        );
    }
}

#[test]
fn mistakes_in_the_expected_figures_are_named_with_their_place() {
    let error = error_of("expected.toml", "value = 150000", "value = \"fast\"");
    let line = line_of("expected.toml", "value = 150000");
    assert!(
        error.contains(&format!("expected.toml:{line}:9: figure.value: invalid type: string \"fast\"")),
        "{error}"
    );
}

#[test]
fn tasks_follow_from_configuration_and_seed() {
    let load = |variant, seed| {
        let folder = folder::find_folder(experiments(), "10").unwrap();
        folder.load_experiment(KINDS, variant, Seed::new(seed)).unwrap().experiment.tasks()
    };
    let quick = load(Variant::Quick, 1);
    assert_eq!(quick, load(Variant::Quick, 1));
    let ids = |tasks: &[ishi_lab::experiment::ExperimentTask]| {
        tasks.iter().map(|task| task.work.id()).collect::<Vec<_>>()
    };
    let mut unique = ids(&quick);
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), quick.len(), "no two tasks are the same");
    let full = ids(&load(Variant::Full, 1));
    assert!(ids(&quick).iter().all(|id| !full.contains(id)), "quick and full tasks are never the same");
    let other = ids(&load(Variant::Quick, 2));
    let shared = ids(&quick).iter().filter(|id| other.contains(id)).count();
    assert_eq!(shared, 3, "only the statistics do not depend on the seed");
}

/// Files travel in queues of campaigns, and disks damage them: each is taken or refused with its name, and none ends the reader.
#[test]
fn damaged_files_are_taken_or_refused_with_their_name() {
    for name in ["000-othello-learning", "020-best-wpc"] {
        for file in ["config.toml", "expected.toml"] {
            let place = tempfile::tempdir().unwrap();
            let experiment = place.path().join(name);
            std::fs::create_dir(&experiment).unwrap();
            for whole in ["config.toml", "expected.toml"] {
                std::fs::copy(experiments().join(name).join(whole), experiment.join(whole)).unwrap();
            }
            let folder = folder::find_folder(place.path(), name).unwrap();
            let bytes = std::fs::read(experiment.join(file)).unwrap();
            let mut refused = 0;
            try_damaged_copies(&bytes, Seed::new(1), 60, |what, damaged| {
                std::fs::write(experiment.join(file), damaged).unwrap();
                if let Err(error) = folder.load_experiment(KINDS, Variant::Quick, Seed::new(1)) {
                    refused += 1;
                    assert!(error.to_string().contains(".toml"), "{name}/{file}, {what}: {error}");
                }
            });
            assert!(refused > 0, "{name}/{file}: no damage was noticed");
        }
    }
}
