//! `ishi match --game othello` and `ishi ratings` as a user meets them: built-in players, programs, a stop in between.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::support::program::{program_in as ishi, run_in as run, stderr, stdout, tell_missing};

/// Quick games of players that differ: a few seconds for all of them.
const MATCH: &[&str] =
    &["match", "--game", "othello", "othello:depth=2,exact=6,win_loss=6", "othello-wpc", "--pairs", "12"];

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", stderr(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A match of Othello with these arguments, as JSON, nothing kept.
fn othello(args: &[&str]) -> Value {
    let folder = folder();
    json(&run(
        folder.path(),
        &[&["match", "--game", "othello", "--no-db", "--json", "--quiet"], args].concat(),
    ))
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// The files of a folder with their texts.
fn files(folder: &Path) -> Vec<(String, String)> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut files: Vec<_> = paths.map(|path| (name(&path), std::fs::read_to_string(path).unwrap())).collect();
    files.sort();
    files
}

/// The records without what says how they were made, which has the number of threads.
fn without_commands(records: &[(String, String)]) -> Vec<(&str, String)> {
    let without = |text: &str| {
        let (before, made_by) = text.split_once("MADEBY[").expect("it says how it was made");
        let (_, after) = made_by.split_once(']').expect("it ends");
        format!("{before}{after}")
    };
    records.iter().map(|(name, text)| (name.as_str(), without(text))).collect()
}

#[test]
fn players_stand_in_the_expected_order_and_the_report_is_whole() {
    for weak in ["othello-random", "othello-greedy"] {
        let standard = othello(&["othello-wpc", weak, "--pairs", "60"]);
        assert!(standard["score"]["mean"].as_f64().unwrap() > 0.6, "{weak}: {}", standard["score"]);
    }
    let search = othello(&["othello:depth=3,exact=8,win_loss=8", "othello-wpc", "--pairs", "15"]);
    assert!(search["score"]["mean"].as_f64().unwrap() > 0.8, "{}", search["score"]);
    assert_eq!(search["game"], "othello");
    assert_eq!(search["settings"]["game"], "othello");
    assert_eq!(search["referee"], "discs");
    assert_eq!(search["reasons"], serde_json::json!({ "score": 30 }));
    let moves = search["moves_per_game"].as_f64().unwrap();
    assert!((50.0..=64.0).contains(&moves), "{moves}");
}

#[test]
fn a_match_that_is_killed_goes_on_with_the_same_games_on_any_threads() {
    let (whole, broken) = (folder(), folder());
    let finished = |folder: &Path, threads: &str| {
        let extra = ["--json", "--quiet", "--sgf", "games", "--threads", threads];
        json(&run(folder, &[MATCH, &extra[..]].concat()))
    };
    let uninterrupted = finished(whole.path(), "1");
    let mut child = ishi(broken.path(), &[MATCH, &["--threads", "2"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert_eq!(lines.filter(|line| line.starts_with("pair ")).take(2).count(), 2);
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = finished(broken.path(), "3");
    assert!(resumed["pairs_found"].as_u64().unwrap() >= 2);
    for key in ["results", "a", "pentanomial", "elo", "run"] {
        assert_eq!(resumed[key], uninterrupted[key], "{key}");
    }
    let records = files(&whole.path().join("games"));
    assert_eq!(records.len(), 24);
    let resumed = files(&broken.path().join("games"));
    assert_eq!(without_commands(&records), without_commands(&resumed), "the same games, move by move");
    assert!(
        records.iter().all(|(_, text)| text.starts_with("(;FF[4]") && text.contains("GM[2]")),
        "{records:?}"
    );
    // A record is an opening list: its moves are legal and its points are where they should be.
    let first = whole.path().join("first.sgf");
    let (head, _) = records[0].1.split_once("C[end of the opening]").unwrap();
    std::fs::write(&first, format!("{head})")).unwrap();
    let again =
        othello(&["othello-random", "othello-random", "--opening", first.to_str().unwrap(), "--pairs", "1"]);
    assert_eq!(again["reasons"]["score"], 2);
}

#[test]
fn a_sequential_test_ends_the_match_and_ratings_know_the_game() {
    let folder = folder();
    let players = ["match", "--game", "othello", "othello-wpc", "othello-random", "--pairs", "400", "--json"];
    let decided = json(&run(folder.path(), &[&players[..], &["--sprt", "0", "100"]].concat()));
    assert_eq!((&decided["end"], &decided["sprt"]["decision"]), (&"decided".into(), &"accept-h1".into()));
    let go = ["match", "go-random", "go-capture", "--size", "5", "--pairs", "1", "--quiet"];
    assert!(run(folder.path(), &go).status.success());
    let rated = |game: &str| json(&run(folder.path(), &["ratings", "ishi.db", "--game", game, "--json"]));
    let names = |rated: Value| -> Vec<String> {
        let players = rated["players"].as_array().unwrap().clone();
        players.iter().map(|player| player["name"].as_str().unwrap().to_string()).collect()
    };
    // Pairs that were finished beyond the decision are kept, too.
    assert!(rated("othello")["games"].as_u64().unwrap() >= decided["games"].as_u64().unwrap());
    assert_eq!(names(rated("othello")), ["othello-wpc", "othello-random"]);
    assert_eq!(rated("go")["games"], 2);
}

#[test]
fn openings_come_from_a_list_of_transcripts() {
    let folder = folder();
    let list = folder.path().join("xot.txt");
    std::fs::write(&list, "f5d6c3d3c4f4c5b3\n\n# another one\nF5 F6 E6 F4\n").unwrap();
    let args =
        ["match", "--game", "othello", "othello-random", "othello-random", "--pairs", "2", "--sgf", "games"];
    let output = run(folder.path(), &[&args[..], &["--opening", "xot.txt", "--no-db"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let records = files(&folder.path().join("games"));
    let begins = |n: usize, moves: &str| records[n].1.replace('\n', "").contains(moves);
    assert!(
        begins(0, ";B[f5];W[d6];B[c3];W[d3];B[c4];W[f4];B[c5];W[b3]C[end of the opening]"),
        "{}",
        records[0].1
    );
    assert!(begins(2, ";B[f5];W[f6];B[e6];W[f4]C[end of the opening]"), "{}", records[2].1);
}

fn fake(mode: &str) -> String {
    format!("sh '{}/../../../tests/engines/fake.sh' {mode}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn whoever_breaks_the_rules_or_fails_has_lost_and_hears_why() {
    for (mode, reason, detail) in [
        ("illegal", "illegal-move", "may not play a1: it turns no disc"),
        ("pass", "illegal-move", "may not pass: there are legal moves, such as"),
        ("outside", "garbage", "Z99"),
        ("crash", "illegal-move", "may not pass"),
        ("refuse", "disagreement", "illegal move"),
    ] {
        let result = othello(&["othello-random", &fake(mode), "--pairs", "1", "--opening", "random:2"]);
        let errors = result["errors"].as_array().unwrap();
        assert!(!errors.is_empty(), "{mode}: {result}");
        let error = errors
            .iter()
            .find(|error| error["reason"] == reason)
            .unwrap_or_else(|| panic!("{mode}: {errors:?}"));
        assert!(error["detail"].as_str().unwrap().contains(detail), "{mode}: {error}");
        assert_eq!(result["a"]["wins"], 2, "{mode}");
    }
    let resigned = othello(&["othello-random", &fake("resign"), "--pairs", "1"]);
    assert_eq!((&resigned["a"]["wins"], &resigned["reasons"]["resign"]), (&2.into(), &2.into()));
}

#[test]
fn wrong_arguments_say_what_is_right() {
    let folder = folder();
    let cases: &[(&[&str], i32, &str)] = &[
        (
            &["othello-rnd", "othello-random"],
            3,
            "no built-in player \"othello-rnd\" of Othello: there are othello-random",
        ),
        (&["go-flat", "othello-random"], 3, "there are othello-random, othello-greedy, othello-wpc, othello"),
        (&["othello:level=30", "othello-random"], 3, "a level must be a number from 1 to 20"),
        (&["othello-wpc:weights=1 2 3", "othello-random"], 3, "it must have 10 (a1 b1"),
        (&["othello-random", "othello-random", "--komi", "7.5"], 3, "--komi is an option of Go"),
        (&["othello-random", "othello-random", "--size", "9"], 3, "--size is an option of Go"),
        (&["othello-random", "othello-random", "--opening", "random:99"], 3, "write random:8"),
        (&["othello-random", "othello-random", "--opening", "no.txt"], 4, "cannot read the openings no.txt"),
        (&["othello-random", "gtp:/no/such/engine"], 4, "is it installed"),
    ];
    for (args, code, message) in cases {
        let output = run(folder.path(), &[&["match", "--game", "othello"], *args].concat());
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
    }
    std::fs::write(folder.path().join("bad.txt"), "f5f5\n").unwrap();
    let args = ["match", "--game", "othello", "othello-random", "othello-random", "--opening", "bad.txt"];
    let output = run(folder.path(), &args);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("bad.txt: line 1: byte 2, move 2: white may not play f5"),
        "{}",
        stderr(&output)
    );
    let chess = run(folder.path(), &["match", "--game", "chess", "a", "b"]);
    assert!(stderr(&chess).contains("[possible values: go, othello]"), "{}", stderr(&chess));
    assert!(!folder.path().join("ishi.db").exists(), "and no database is made");
}

/// The program of GRhino, if it is installed.
fn rhino() -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let program = folders.map(|folder| folder.join("gtp-rhino")).find(|file| file.is_file())?;
    Some(format!("gtp:{}", program.display()))
}

#[test]
fn a_match_against_grhino_is_played_to_the_end() {
    let Some(rhino) = rhino() else {
        tell_missing("gtp-rhino (the package grhino)");
        return;
    };
    // Random play passes often: GRhino passes by itself and refuses to be told.
    let player = format!("{rhino} -l 1 -b 0");
    let result = othello(&["othello-random", &player, "--pairs", "4", "--opening", "random:6"]);
    assert_eq!(result["errors"], serde_json::json!([]), "{result}");
    assert_eq!(result["reasons"]["score"], 8);
    assert!(
        result["score"]["mean"].as_f64().unwrap() < 0.5,
        "GRhino beats random moves: {}",
        result["score"]
    );
    assert_eq!(result["players"][1]["name"], "GTP GRhino 0.16.1");
}

/// Without players: a match to look at, which leaves nothing behind.
#[test]
fn the_match_to_look_at() {
    let folder = folder();
    let args = ["match", "--game", "othello", "--pairs", "1", "--playouts", "200"];
    let output = run(folder.path(), &args);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("   a b c d e f g h\n 1"), "{}", stderr(&output));
    assert!(stdout(&output).contains("ishi (A) against") && stdout(&output).contains("games of Othello"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
