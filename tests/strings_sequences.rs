//! `ishi strings growth` and `ishi strings oeis` as a user meets them.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn ishi(args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    Command::new(env!("CARGO_BIN_EXE_ishi")).arg("strings").args(args).current_dir(root).output().unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = ishi(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[args, &["--json"]].concat())).unwrap()
}

/// Exit code and message.
fn refused(args: &[&str]) -> (i32, String) {
    let output = ishi(args);
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn the_recurrence_agrees_with_all_counts_that_are_kept() {
    let report = json(&["growth", "--counts", "data/strings/boards.txt"]);
    assert_eq!(report["side_polynomial"], "x^3 - 5x^2 - 13x - 22");
    assert_eq!(report["square_rate"].as_str().unwrap().split_at(9).0, "2720.2239");
    for fact in ["primitive", "open_strip_loses_one_a_column", "lossless_squares_are_codes"] {
        assert_eq!(report[fact], true, "{fact}");
    }
    let predictions = report["predictions"].as_array().unwrap();
    assert!(predictions.iter().all(|prediction| prediction["agrees"] == true));
    assert!(predictions.iter().any(|prediction| prediction["width"] == 50 && prediction["height"] == 50));
}

#[test]
fn numbers_follow_from_counts_and_wrong_ones_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("counts.txt");
    let file = path.to_str().unwrap();
    let counts = "boards 20x20 77900162\nboards 20x25 4192532450\nboards 20x30 217955787848\n\
                  boards 20x35 11358302622818\nboards 20x40 592663491551042\nboards 20x45 30908091363494408\n";
    fs::write(&path, counts).unwrap();
    let number = &json(&["growth", "20x50", "--counts", file])["number"];
    assert_eq!((&number["boards"], &number["counts"]), (&"1612037252497461602".into(), &6.into()));
    // A small board is counted, and kept.
    assert_eq!(json(&["growth", "9", "--counts", file])["number"]["boards"], "32");
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept.lines().last().unwrap().starts_with("boards 9x9 32 sum:"), "{kept}");
    fs::write(&path, format!("{counts}boards 20x50 1612037252497461603\n")).unwrap();
    let (code, message) = refused(&["growth", "--counts", file]);
    assert_eq!(code, 1);
    assert!(message.contains("1 counted numbers are not what the recurrence predicts"), "{message}");
}

#[test]
fn wrong_files_and_sizes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("counts.txt");
    let file = path.to_str().unwrap();
    for (text, part) in [("boards 20x20\n", "line 1: must be"), ("boards 20y20 5\n", "the size \"20y20\"")] {
        fs::write(&path, text).unwrap();
        let (code, message) = refused(&["growth", "--counts", file]);
        assert_eq!(code, 3, "{text}");
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(refused(&["growth", "0"]).0, 2);
}

#[test]
fn sequences_are_written_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let place = out.to_str().unwrap();
    let report = json(&["oeis", place, "--to", "5"]);
    assert_eq!(report.as_array().unwrap().len(), 7);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let lines = |name: &str| -> Vec<String> {
        read(name).lines().filter(|line| !line.starts_with('#')).map(String::from).collect()
    };
    assert_eq!(lines("b347632.txt"), ["1 1", "2 6", "3 10", "4 2", "5 22"]);
    assert_eq!(lines("b193764.txt"), ["2 2", "3 6", "4 12", "5 18"]);
    assert_eq!(lines("b-any-colours.txt"), ["1 1", "2 32", "3 32", "4 4", "5 44"]);
    assert!(read("optimal-boards.txt").contains("DATA\n1, 6, 10, 2, 22\n"));
    // Terms that are kept are not computed again; damaged ones are refused, and those written by hand need no checksum.
    let kept = read("terms.txt").replace("any-colours 5 44", "any-colours 5 45");
    fs::write(out.join("terms.txt"), &kept).unwrap();
    let (code, message) = refused(&["oeis", place, "--to", "6", "--sequence", "any-colours"]);
    assert!(code == 3 && message.contains("it is damaged or cut off"), "{message}");
    let by_hand = |line: &str| match line.strip_prefix("any-colours 5 45 ") {
        Some(_) => "any-colours 5 45\n".to_string(),
        None => format!("{line}\n"),
    };
    let kept: String = kept.lines().map(by_hand).collect();
    fs::write(out.join("terms.txt"), kept).unwrap();
    stdout(&["oeis", place, "--to", "6", "--sequence", "any-colours"]);
    assert_eq!(lines("b-any-colours.txt")[4..], ["5 45", "6 680"]);
}

#[test]
fn the_list_names_them_and_other_names_are_refused() {
    let list = stdout(&["oeis", "--list"]);
    for name in ["most-strings", "A193764", "A347632", "A350820", "coloured-classes", "positions-by-strings"]
    {
        assert!(list.contains(name), "{name}");
    }
    let (code, message) = refused(&["oeis", "out", "--sequence", "primes"]);
    assert_eq!(code, 2);
    assert!(message.contains("must be one of most-strings"), "{message}");
    assert_eq!(refused(&["oeis"]).0, 2);
}
