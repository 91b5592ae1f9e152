//! `ishi go learn-patterns` as a user meets it: a small table is learned, measured and refused where it is damaged.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::process::Command;

use crate::support::made_up_games::games;

commands_that_begin_with!(&["go", "learn-patterns", "--quiet"]);

#[test]
fn a_table_is_learned_measured_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let (train, valid) = (games(folder.path(), "train.txt", 24), games(folder.path(), "valid.txt", 4));
    let table = folder.path().join("my.bin");
    let table = table.to_str().unwrap();
    let learn = ["--out", table, "--min-count", "2", "--min-seen", "2", "--validate", &valid, "--json"];
    let args = [&[train.as_str()], &learn[..]].concat();
    let report: serde_json::Value = serde_json::from_str(&output(&args)).unwrap();
    assert_eq!(report["games"], 24);
    assert_eq!(report["bytes"].as_u64().unwrap(), std::fs::metadata(table).unwrap().len());
    let accuracy = &report["accuracy"];
    assert_eq!(accuracy["positions"], 160);
    assert!(accuracy["top_1"].as_f64().unwrap() > 0.5, "{accuracy}");
    let again = output(&["--evaluate-only", "--validate", &valid, "--table", table, "--json"]);
    let again: serde_json::Value = serde_json::from_str(&again).unwrap();
    let (now, then) = (&again["accuracy"]["top_1"], &accuracy["top_1"]);
    assert!((now.as_f64().unwrap() - then.as_f64().unwrap()).abs() < 0.05, "{now} after {then}");
    // The same command does not replace the file, and would give the same one with other threads.
    assert!(refusal(&args).contains("--force"));
    let first = std::fs::read(table).unwrap();
    output(&[&args[..], &["--force", "--threads", "3"]].concat());
    assert!(first == std::fs::read(table).unwrap(), "the threads changed the table");
}

#[test]
fn the_shipped_table_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let valid = games(folder.path(), "valid.txt", 2);
    let text = output(&["--evaluate-only", "--validate", &valid]);
    assert!(text.contains("80 positions of 2 games:") && text.contains("among the first 20:"), "{text}");
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.txt");
    std::fs::write(&bad, "1\tx\t2000\t9\t6.5\t0\t-\tB+R\t?\t?\tB\taazz\n").unwrap();
    let bad = bad.to_str().unwrap();
    let error = refusal(&[bad]);
    assert!(
        error.contains("bad.txt: line 1, moves: \"zz\", number 2, is no point of a 9x9 board"),
        "{error}"
    );
    let error = refusal(&["--evaluate-only", "--validate", bad, "--table", bad]);
    assert!(error.contains("bad.txt"), "{error}");
    let good = games(folder.path(), "good.txt", 1);
    let error = refusal(&["--evaluate-only", "--validate", &good, "--table", bad]);
    assert!(error.contains("not a table of move strengths"), "{error}");
    let empty = folder.path().join("empty.txt");
    std::fs::write(&empty, "#id\n").unwrap();
    assert!(refusal(&[empty.to_str().unwrap()]).contains("there are no games"));
    let error = refusal(&["--evaluate-only", "--validate", empty.to_str().unwrap()]);
    assert!(error.contains("there are no games to foretell"), "{error}");
    let output = ishi(&[&good, "--out", "no/such/folder/my.bin"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{error}");
    assert!(error.contains("there is no folder no/such/folder"), "{error}");
    assert_eq!(ishi(&["--min-count", "0", &good]).status.code(), Some(2));
}

#[test]
fn moves_are_foretold() {
    let predict = |args: &[&str]| {
        let ishi =
            Command::new(env!("CARGO_BIN_EXE_ishi")).args(["go", "predict"]).args(args).output().unwrap();
        (ishi.status.code(), String::from_utf8(ishi.stdout).unwrap(), String::from_utf8(ishi.stderr).unwrap())
    };
    let (code, text, _) = predict(&["Q16", "D4", "--top", "3", "--json"]);
    assert_eq!(code, Some(0));
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&report["to_move"], &report["legal_moves"]), (&"black".into(), &359.into()));
    let probabilities: Vec<f64> =
        report["moves"].as_array().unwrap().iter().map(|mv| mv["probability"].as_f64().unwrap()).collect();
    assert_eq!(probabilities.len(), 3);
    assert!(probabilities.is_sorted_by(|a, b| a >= b) && probabilities[0] < 1.0, "{probabilities:?}");
    let (code, text, _) = predict(&["--size", "9", "C3", "C4", "G7", "D3", "--top", "1"]);
    assert_eq!(code, Some(0));
    assert_eq!(text.lines().last().unwrap().split_whitespace().count(), 3, "{text}");
    let (code, _, error) = predict(&["Q16", "Q16"]);
    assert_eq!(code, Some(3));
    assert!(error.contains("Q16"), "{error}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let train = games(folder.path(), "train.txt", 400);
    let table = folder.path().join("my.bin");
    let mut child = Command::new(env!("CARGO_BIN_EXE_ishi"))
        .args(["go", "learn-patterns", &train, "--fit-games", "2", "--passes", "100000", "--out"])
        .arg(&table)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The rounds of minorisation-maximisation are told; after the last one the polish goes on for hours.
    let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    let mut lines = lines.map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("fitting, round 6")));
    let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let valid = games(folder.path(), "valid.txt", 2);
    let text = output(&["--evaluate-only", "--validate", &valid, "--table", table.to_str().unwrap()]);
    assert!(text.contains("80 positions of 2 games"), "{text}");
}
