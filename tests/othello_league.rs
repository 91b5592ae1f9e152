//! `ishi othello league` as a user meets it.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::program::tell_missing;

fn league(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ishi"))
        .args(["othello", "league", "--quiet"])
        .args(args)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A file with these weights, in a folder that vanishes with the first value.
fn file(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    (folder, path.to_string_lossy().into_owned())
}

#[test]
fn the_same_for_any_number_of_threads() {
    let (_folder, corners) = file("corners.txt", "1 0 0 0 0 0 0 0 0 0 # only corners count\n");
    let run = |threads| {
        let games = ["standard", "random", &corners, "--games", "300", "--seed", "7", "--threads", threads];
        stdout(&league(&games))
    };
    let one = run("1");
    assert_eq!(one, run("3"));
    let places: Vec<&str> =
        one.lines().filter(|line| line.starts_with("  ") && line.contains(" to ")).collect();
    assert!(places[0].contains("standard") && places[2].contains("random"), "{one}");
}

#[test]
fn json_adds_up() {
    let value: Value =
        serde_json::from_str(&stdout(&league(&["random", "standard", "--games", "100", "--json"]))).unwrap();
    assert!(value["made_by"]["command"].as_str().unwrap().starts_with("ishi othello league"), "{value}");
    let pairing = &value["pairings"][0];
    let number = |key: &str| pairing[key].as_u64().unwrap();
    assert_eq!(number("wins") + number("draws") + number("losses"), 200);
    assert_eq!((pairing["player"].as_str(), value["complete"].as_bool()), (Some("standard"), Some(true)));
    let score = pairing["score"].as_f64().unwrap();
    assert!(score > 0.7 && pairing["interval"]["low"].as_f64().unwrap() < score, "{value}");
    assert_eq!(value["players"][0]["mean_score"].as_f64(), Some(score));
    assert!(value["players"][0]["elo"].as_f64().unwrap() > 50.0);
}

/// Arguments, and a part of the message.
const FAILURES: &[(&[&str], i32, &str)] = &[
    (&["standard", "no/such/file"], 3, "no player \"no/such/file\""),
    (&["standard", "standard"], 3, "\"standard\" is in the league twice"),
    (&["standard"], 2, "required"),
    (&["standard", "random", "--epsilon", "2"], 2, "\"2\" is no probability"),
    (&["standard", "random", "--games", "0"], 2, "it must be a whole number from 1 to 100000000"),
];

#[test]
fn failures_say_what_is_right() {
    for (args, code, message) in FAILURES {
        let output = league(args);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), text.contains(message)), (Some(*code), true), "{args:?}: {text}");
    }
    let (_folder, path) = file("three.txt", "1 2 3");
    let output = league(&["standard", &path]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("three.txt: invalid piece counter with 3 weights: it must have 10"), "{text}");
}

#[test]
fn stopped_it_prints_what_is_finished() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ishi"))
        .args(["othello", "league", "standard", "random", "--games", "1000000", "--threads", "1", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first line of progress: something is finished.
    let mut line = String::new();
    let mut progress = BufReader::new(child.stderr.take().unwrap());
    progress.read_line(&mut line).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{line}");
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["complete"].as_bool(), Some(false));
    assert!(value["pairings"][0]["wins"].as_u64().unwrap() > 0, "{value}");
}

#[test]
fn published_players_beat_the_standard() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/exams/othello/players");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        tell_missing("../shared (published players)");
        return;
    };
    let files: Vec<String> =
        entries.map(|entry| entry.unwrap().path().to_string_lossy().into_owned()).collect();
    let mut args = vec!["standard", "random", "--games", "100", "--json"];
    args.extend(files.iter().map(String::as_str));
    let value: Value = serde_json::from_str(&stdout(&league(&args))).unwrap();
    let players = value["players"].as_array().unwrap();
    let names: Vec<&str> = players.iter().map(|player| player["name"].as_str().unwrap()).collect();
    assert_eq!(names.last(), Some(&"random"), "{names:?}");
    // Used the right way as White, the best against the standard is as good as published: 0.955.
    let pairings = value["pairings"].as_array().unwrap();
    let against_standard = pairings
        .iter()
        .find(|pairing| pairing["player"] == "Jaskowski2014All2" && pairing["opponent"] == "standard");
    assert!(against_standard.is_none_or(|pairing| pairing["score"].as_f64().unwrap() > 0.9), "{pairings:?}");
}
