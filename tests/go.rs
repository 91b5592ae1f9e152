//! `ishi go` as a user meets it: counts, drawings, scores, and errors that say what is right.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn ishi_with_input(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    command.arg("go").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Standard output of a command that succeeds.
fn output(args: &[&str], input: &str) -> String {
    let output = ishi_with_input(args, input);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The message of a command that refuses its input.
fn refusal(args: &[&str], input: &str) -> String {
    let output = ishi_with_input(args, input);
    assert_eq!(output.status.code(), Some(3), "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn json(args: &[&str], input: &str) -> serde_json::Value {
    serde_json::from_str(&output(&[args, &["--json"]].concat(), input)).unwrap()
}

const KO: &str = ".XO.\nX.XO\n.XO.\n....\n";

#[test]
fn legal_positions_are_counted() {
    assert!(output(&["legal", "2"], "").starts_with("2x2: 57 legal positions of 81 arrangements (70.37%)"));
    assert_eq!(json(&["legal", "3", "2"], "")["legal"], 489);
    assert!(
        refusal(&["legal", "9"], "").contains("cannot enumerate a 9x9 board: it must have 1 to 20 points")
    );
}

#[test]
fn perft_counts_by_depth() {
    let report = json(&["perft", "--size", "2", "--depth", "4", "--rules", "new_zealand"], "");
    assert_eq!(report["rules"], "new-zealand");
    let sequences: Vec<u64> =
        report["depths"].as_array().unwrap().iter().map(|line| line["sequences"].as_u64().unwrap()).collect();
    assert_eq!(sequences, [5, 21, 68, 180]);
    assert_eq!(report["depths"][3]["suicides"], 24);
    let text = output(&["perft", "--diagram", "-", "--depth", "2", "--rules", "japanese"], KO);
    assert_eq!(text.lines().count(), 4);
    assert!(text.contains("refused-ko"));
}

#[test]
fn drawings_are_read_back() {
    let drawn = output(&["show", "--diagram", "-", "w:B3"], KO);
    assert!(drawn.contains(" 3 X(O). O 3\n"), "{drawn}");
    assert!(drawn.contains("Prisoners: black 0, white 1."), "{drawn}");
    let again = json(&["show", "--diagram", "-"], &drawn);
    assert_eq!(again["rows"], serde_json::json!([".XO.", "XO.O", ".XO.", "...."]));
}

#[test]
fn positions_are_scored_by_their_rules() {
    let game = ["show", "--diagram", "-", "--komi", "0.5"];
    let wall = ".XO.\n.XO.\n.XO.\nOXO.\n";
    let score = |more: &[&str]| json(&[&game, more].concat(), wall)["score"].clone();
    assert_eq!(score(&["--rules", "chinese"]), "W+5.5");
    assert_eq!(score(&["--rules", "chinese", "--dead", "A1"]), "W+0.5");
    assert_eq!(score(&["--rules", "japanese", "--dead", "A1"]), "B+0.5");
    let handicap = json(&["show", "--handicap", "2", "--komi", "0", "--rules", "aga", "--size", "9"], "");
    assert_eq!(handicap["score"], "B+80");
    assert_eq!(handicap["to_move"], "white");
}

#[test]
fn what_is_wrong_is_said() {
    let ko = refusal(&["show", "--diagram", "-", "w:B3", "b:C3"], KO);
    assert_eq!(ko, "ishi: illegal move black C3: ko: the stone may not be retaken at once\n");
    assert!(refusal(&["show", "J10", "--size", "9"], "").contains("this 9x9 board goes from A1 to J9"));
    assert!(refusal(&["show", "x:A1"], "").contains("invalid color \"x\""));
    assert!(refusal(&["show", "--diagram", "-"], "X?\n..\n").contains("unknown character '?' in line 1"));
    assert!(refusal(&["show", "--diagram", "-"], "XO\nOX\n").contains("has no liberty"));
    assert!(refusal(&["show", "--dead", "D4"], "").contains("no stone at D4"));
    assert!(refusal(&["show", "--handicap", "10"], "").contains("a 19x19 board takes 2 to 9 stones"));
    for wrong in [
        ["show", "--size", "1"],
        ["show", "--rules", "ing"],
        ["show", "--komi", "inf"],
        ["show", "--komi", "1e99"],
        ["legal", "two", "3"],
    ] {
        assert_eq!(ishi_with_input(&wrong, "").status.code(), Some(2), "{wrong:?}");
    }
}
