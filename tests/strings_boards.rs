//! `ishi strings verify`, `construct` and `torture` from outside: boards as files, checked and built.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::Path;

use serde_json::Value;

use crate::support::program::run_with_input;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(args: &[&str], input: &[u8]) -> Value {
    let output = run_with_input(&[&["--json"], args].concat(), input);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)))
}

#[test]
fn boards_are_verified() {
    let good = run_with_input(&["strings", "verify", "-"], b"# three chains\nX X .\n. O O\nX . O\n");
    assert_eq!(good.status.code(), Some(0));
    assert_eq!(
        text(&good.stdout),
        "the board: 3x3, 3 chains (2 black, 1 white), 3 empty points; every chain has a liberty\n"
    );
    let small = run_with_input(&["strings", "verify", "-"], b"(;SZ[2]AB[aa][ab];W[ba])");
    assert_eq!(
        text(&small.stdout),
        "the set-up: 2x2, 1 chain (1 black, 0 white), 2 empty points; every chain has a liberty\n\
         the position after 1 move: 2x2, 2 chains (1 black, 1 white), 1 empty point; every chain has a liberty\n"
    );
    for (input, args, code, message) in [
        ("XX.\nOOX\nXOX", &["-"][..], 1, "ishi: the board: the white chain A2, B2, B1 has no liberty\n"),
        ("X.", &["-", "--expect", "2"], 1, "ishi: the board: 1 chain, not 2\n"),
        ("X.\nX", &["-"], 3, "ishi: -: line 2 has 1 cells, the rows above it have 2\n"),
        ("X.\n.?", &["-"], 3, "ishi: -: line 2, column 2: '?' is none of . (empty), X (black), O (white)\n"),
        ("", &["-"], 3, "ishi: -: the text holds no rows; "),
        ("(;GM[2])", &["-"], 3, "ishi: -: this is no game of Go"),
        ("", &["no-such-file"], 4, "ishi: cannot read no-such-file: "),
    ] {
        let output = run_with_input(&[&["strings", "verify"], args].concat(), input.as_bytes());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{input:?}: {error}");
        assert!(error.starts_with(message), "{input:?}: {error}");
    }
}

/// The set-up is looked at, and the position after the moves; a set-up that no game could have is named.
#[test]
fn records_are_verified() {
    let report = json(&["strings", "verify", "-"], b"(;SZ[3]AB[ab][ba]AW[cc];W[aa];B[bb];W[aa])");
    let positions = report["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 2, "{report}");
    assert_eq!((&positions[0]["position"], &positions[0]["chains"]), (&"the set-up".into(), &3.into()));
    assert_eq!(positions[1]["position"], "the position after 3 moves");
    let dead = json(&["strings", "verify", "-"], b"(;SZ[3]AB[ab][ba]AW[aa];B[cc])");
    assert_eq!((&dead["ok"], dead["positions"].as_array().unwrap().len()), (&false.into(), 1), "{dead}");
    let offender = &dead["positions"][0]["first_without_liberty"];
    assert_eq!((&offender["color"], &offender["points"][0]), (&"white".into(), &"A3".into()));
    let large = json(&["strings", "verify", "-"], b"(;SZ[52:1]AB[aa:ca]AW[Za])");
    assert_eq!((&large["positions"][0]["width"], &large["positions"][0]["chains"]), (&52.into(), &2.into()));
}

#[test]
fn large_boards_are_constructed_and_verified() {
    for (size, chains) in [("19", 277), ("25", 484), ("16x300", 3717), ("10000", 79_992_004_u64)] {
        let report = json(&["strings", "construct", size], b"");
        assert_eq!((&report["chains"], &report["verified"]), (&chains.into(), &true.into()), "{report}");
        assert_eq!(report["empty_points"], report["domination_number"], "{report}");
    }
    let board = run_with_input(&["-q", "strings", "construct", "123x77", "--out", "-"], b"");
    assert_eq!((board.status.code(), text(&board.stderr)), (Some(0), String::new()));
    let report = json(&["strings", "verify", "-", "--expect", "7500"], &board.stdout);
    assert_eq!((&report["ok"], &report["positions"][0]["width"]), (&true.into(), &123.into()), "{report}");
}

#[test]
fn constructed_boards_are_written_in_three_formats() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for name in ["board.txt", "board.sgf"] {
        let file = path(name);
        assert!(run_with_input(&["strings", "construct", "20x18", "--out", &file], b"").status.success());
        let report = json(&["strings", "verify", &file, "--expect", "276"], b"");
        assert_eq!(report["ok"], true, "{report}");
        let again = run_with_input(&["strings", "construct", "20x18", "--out", &file], b"");
        assert_eq!(again.status.code(), Some(3), "a file is not replaced without --force");
    }
    let record = std::fs::read_to_string(path("board.sgf")).unwrap();
    assert!(record.contains("MADEBY[ishi ") && record.contains(": ishi strings construct 20x18"), "{record}");
    let file = path("board.svg");
    assert!(run_with_input(&["strings", "construct", "20x18", "--out", &file], b"").status.success());
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<circle").count(), 276);
    for (args, code, message) in [
        (&["15"][..], 2, "16 to 100000 each"),
        (&["16x"], 2, "columns and rows such as 19x25"),
        (&["60", "--out", "x.sgf"], 3, "52 lines at most"),
        (&["60", "--out", "no/such/folder.txt"], 4, "cannot write no/such/folder.txt"),
    ] {
        let output = run_with_input(&[&["strings", "construct"], args].concat(), b"");
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

/// Every board is written, is a clean record, shows, and has a liberty for every chain.
#[test]
fn extreme_boards_are_written_as_records() {
    let folder = tempfile::tempdir().unwrap();
    let boards = folder.path().join("new").join("boards");
    let name = boards.display().to_string();
    let list = json(&["strings", "torture", &name], b"");
    let list = list.as_array().unwrap();
    assert!(list.len() >= 25);
    let index = std::fs::read_to_string(boards.join("README.md")).unwrap();
    for entry in list {
        let file = boards.join(format!("{}.sgf", entry["name"].as_str().unwrap()));
        assert!(index.contains(entry["about"].as_str().unwrap()));
        is_a_sound_record(&file, entry);
    }
    assert_eq!(run_with_input(&["strings", "torture", &name], b"").status.code(), Some(3));
    assert_eq!(run_with_input(&["strings", "torture", &name, "--force"], b"").status.code(), Some(0));
    assert_eq!(run_with_input(&["strings", "torture", "/dev/null/x"], b"").status.code(), Some(4));
}

fn is_a_sound_record(file: &Path, entry: &Value) {
    let name = file.display().to_string();
    let report = json(&["sgf", "check", &name], b"");
    assert_eq!(report[0]["warnings"], Value::Array(Vec::new()), "{report}");
    let game = &report[0]["games"][0];
    assert_eq!((&game["moves"], &game["illegal"]), (&entry["moves"], &Value::Array(Vec::new())), "{game}");
    assert!(run_with_input(&["sgf", "show", &name], b"").status.success(), "{name}");
    assert_eq!(json(&["strings", "verify", &name], b"")["ok"], true, "{name}");
}
