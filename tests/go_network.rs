//! `ishi go learn-network` as a user meets it: a small network is learned, measured, gone on with, and refused where it is damaged.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::Path;
use std::process::Command;

use crate::support::made_up_games::games;

commands_that_begin_with!(&["go", "learn-network", "--quiet"]);

fn file(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_string()
}

const SMALL: [&str; 6] = ["--blocks", "1", "--batch", "32", "--rate", "0.005"];

#[test]
fn a_network_is_learned_measured_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let (train, valid) = (games(folder.path(), "train.txt", 24), games(folder.path(), "valid.txt", 4));
    let network = file(folder.path(), "my.bin");
    let learn =
        [&["--steps", "150", "--out", &network, "--validate", &valid, "--json", &train][..], &SMALL].concat();
    let report: serde_json::Value = serde_json::from_str(&output(&learn)).unwrap();
    assert_eq!((&report["games"], &report["blocks"]), (&24.into(), &1.into()));
    assert_eq!(report["bytes"].as_u64().unwrap(), std::fs::metadata(&network).unwrap().len());
    let accuracy = &report["accuracy"];
    assert_eq!(accuracy["positions"], 160);
    assert!(accuracy["top_1"].as_f64().unwrap() > 0.5, "{accuracy}");
    let again = output(&["--evaluate-only", "--validate", &valid, "--network", &network, "--json"]);
    let again: serde_json::Value = serde_json::from_str(&again).unwrap();
    assert_eq!(
        (&again["accuracy"]["top_1"], &again["accuracy"]["top_5"]),
        (&accuracy["top_1"], &accuracy["top_5"])
    );
    // What is begun with it knows as much after one small step; what is begun with nothing does not.
    let (more, fresh) = (file(folder.path(), "more.bin"), file(folder.path(), "fresh.bin"));
    let step = ["--steps", "1", "--rate", "0.00001", "--validate", &valid, "--json", &train];
    let top = |args: &[&str]| {
        let report: serde_json::Value = serde_json::from_str(&output(&[&step[..], args].concat())).unwrap();
        report["accuracy"]["top_1"].as_f64().unwrap()
    };
    assert!(top(&["--from", &network, "--out", &more]) > 0.5);
    assert!(top(&["--blocks", "1", "--out", &fresh]) < 0.5);
    // A state belongs to what it began with.
    let resume = ["--steps", "1", "--rate", "0.00001", "--resume", &train];
    output(&[&resume[..], &["--from", &network, "--out", &more]].concat());
    let error = refusal(&[&resume[..], &["--from", &fresh, "--out", &more]].concat());
    assert!(error.contains("the state belongs to other lessons, options or another seed"), "{error}");
    // The same command does not replace the file, and would give the same one with other threads.
    assert!(refusal(&learn).contains("--force"));
    let first = std::fs::read(&network).unwrap();
    output(&[&learn[..], &["--force", "--threads", "3"]].concat());
    assert!(first == std::fs::read(&network).unwrap(), "the threads changed the network");
}

#[test]
fn what_cannot_be_used_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let train = games(folder.path(), "train.txt", 2);
    let out = file(folder.path(), "my.bin");
    assert!(refusal(&[&train, "--skip", "2", "--out", &out]).contains("there are no games after 2"));
    let damaged = file(folder.path(), "damaged.bin");
    std::fs::write(&damaged, b"ishinet2").unwrap();
    let error = refusal(&["--evaluate-only", "--validate", &train, "--network", &damaged]);
    assert!(error.contains("damaged.bin: the network is cut off"), "{error}");
    let error = refusal(&[&train, "--out", &out, "--from", &damaged]);
    assert!(error.contains("damaged.bin: the network is cut off"), "{error}");
    assert_eq!(ishi(&[&train, "--out", &out, "--from", &damaged, "--blocks", "2"]).status.code(), Some(2));
    std::fs::write(format!("{out}.state"), b"nothing").unwrap();
    let error = refusal(&[&train, "--out", &out, "--resume"]);
    assert!(error.contains("my.bin.state: not a state of learning"), "{error}");
    assert_eq!(ishi(&[&train, "--out", &out, "--blocks", "41"]).status.code(), Some(2));
    assert_eq!(ishi(&[&train]).status.code(), Some(2), "somewhere it must go");
}

/// Broken off and gone on with, it ends as if it had never stopped.
#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_learned() {
    let folder = tempfile::tempdir().unwrap();
    let train = games(folder.path(), "train.txt", 20);
    let (whole, parts) = (file(folder.path(), "whole.bin"), file(folder.path(), "parts.bin"));
    let learn = |out: &str| {
        let mut args: Vec<String> =
            ["go", "learn-network", &train, "--steps", "300", "--out", out].map(String::from).into();
        args.extend(SMALL.map(String::from));
        args
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_ishi"))
        .args(learn(&parts))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    let mut lines = lines.map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("step 50 of 300: ")));
    let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let run =
        |args: Vec<String>| Command::new(env!("CARGO_BIN_EXE_ishi")).args(args).arg("-q").output().unwrap();
    let mut rest = learn(&parts);
    rest.push("--resume".to_string());
    assert!(run(rest).status.success());
    assert!(run(learn(&whole)).status.success());
    assert!(std::fs::read(&parts).unwrap() == std::fs::read(&whole).unwrap(), "the break left a trace");
}
