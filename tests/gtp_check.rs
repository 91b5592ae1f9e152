//! `ishi gtp-check` from outside: engines that are sound, engines that are not, and GNU Go.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::program::tell_missing;

fn ishi(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ishi")).arg("gtp-check").args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Exit code and report.
fn checked(args: &[&str]) -> (Option<i32>, Value) {
    let output = ishi(&[&["--json"], args].concat());
    let report = serde_json::from_slice(&output.stdout);
    (output.status.code(), report.unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr))))
}

fn fake(mode: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/engines/fake.sh");
    format!("sh '{}' {mode}", script.display())
}

/// The check of this name.
fn named<'a>(report: &'a Value, name: &str) -> &'a Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["check"] == name).unwrap_or_else(|| panic!("no {name} in {report}"))
}

fn faults(report: &Value) -> Vec<&Value> {
    let fine = |check: &&Value| check["outcome"] != "passed" && check["outcome"] != "skipped";
    report["checks"].as_array().unwrap().iter().filter(fine).collect()
}

/// One that does not read would never see that ishi is gone.
#[cfg(target_os = "linux")]
#[test]
fn engines_do_not_outlive_a_killed_ishi() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let engine = format!("sh -c 'sleep 1000 & echo $! >{}; exec sleep 1000'", file.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    let quiet = std::process::Stdio::null;
    let mut child = command.args(["gtp-check", &engine]).stdout(quiet()).stderr(quiet()).spawn().unwrap();
    let wait_for = |done: &dyn Fn() -> bool| {
        (0..600).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            done()
        })
    };
    let pid = || std::fs::read_to_string(&file).ok().filter(|text| text.ends_with('\n'));
    assert!(wait_for(&|| pid().is_some()), "the engine has not started");
    let pid = pid().unwrap().trim().to_string();
    child.kill().unwrap();
    child.wait().unwrap();
    // Whoever inherits it may not have reaped it yet.
    let stat = || std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let is_gone = || stat().rsplit(") ").next().is_none_or(|rest| rest.is_empty() || rest.starts_with('Z'));
    assert!(wait_for(&is_gone), "process {pid} of the engine is still there: {}", stat());
}

#[test]
fn our_players_know_the_protocol() {
    for engine in ["go-random", "go-capture", "go-flat:playouts=30"] {
        let (code, report) = checked(&[engine, "--only", "protocol"]);
        assert_eq!((code, faults(&report)), (Some(0), Vec::new()), "{engine}");
        assert_eq!((&report["skipped"], report["passed"].as_u64() > Some(25)), (&0.into(), true), "{report}");
    }
}

#[test]
fn our_players_play_on_extreme_boards() {
    let boards = [
        "most-chains-", // played ones too
        "most-stones-captured-19",
        "most-chains-captured-",
        "captures-again-and-again",
        "triple-ko",
        "two-eyes",
        "ladder-25",
        "handicap",
    ];
    let options: Vec<&str> = boards.iter().flat_map(|name| ["--board", name]).collect();
    let searched = ["--board", "most-chains-19", "--board", "kos-19"];
    for (engine, options) in [("go-random", &options[..]), ("go-flat", &searched)] {
        let (code, report) = checked(&[&[engine], options].concat());
        assert_eq!((code, faults(&report)), (Some(0), Vec::new()), "{engine}");
        assert_eq!(report["passed"], report["checks"].as_array().unwrap().len(), "nothing is skipped");
    }
}

#[test]
fn faults_are_told_apart_and_the_engine_is_started_again() {
    for (mode, outcome, note) in [
        ("crash", "crashed", "exit status: 3"),
        ("killed", "crashed", "signal: 9"),
        ("outside", "failed", "Z99"),
        ("garbage", "failed", "I have no idea"),
        ("hang", "timed out", "within 3 s"),
    ] {
        let checks = ["--check", "genmove", "--check", "quit", "--timeout", "3"];
        let (code, report) = checked(&[&[fake(mode).as_str()], &checks[..]].concat());
        assert_eq!(code, Some(1), "{mode}");
        let genmove = named(&report, "genmove");
        assert_eq!(genmove["outcome"], outcome, "{mode}: {genmove}");
        assert!(genmove["note"].as_str().unwrap().contains(note), "{mode}: {genmove}");
        // It was started again, and goes on.
        assert_eq!(named(&report, "quit")["outcome"], "passed", "{mode}: {report}");
    }
    // It answers commands with an id only.
    let checks = ["--check", "required", "--check", "unknown", "--check", "nothing", "--timeout", "5"];
    let (_, report) = checked(&[&[fake("noise").as_str()], &checks[..]].concat());
    let said = &named(&report, "unknown command")["conversation"][0];
    assert!(said["sent"].as_str().unwrap().ends_with("make_tea") && said["answer"] == "? unknown command");
    let missing = named(&report, "required commands");
    assert!(missing["note"].as_str().unwrap().contains("known_command"), "{missing}");
    assert_eq!(named(&report, "nothing but answers")["outcome"], "failed", "{report}");
}

#[test]
fn last_words_are_quoted() {
    let (_, report) = checked(&[&fake("crash"), "--check", "genmove", "--timeout", "20"]);
    let note = named(&report, "genmove")["note"].as_str().unwrap();
    assert!(note.contains("on stderr: out of memory, alas"), "{note}");
    assert_eq!(report["checks"].as_array().unwrap().len(), 2, "{report}");
}

/// An engine that loses boards is found out: the fake one takes a stone on a stone.
#[test]
fn boards_are_compared() {
    let (code, report) = checked(&[&fake("pass"), "--board", "two-eyes", "--timeout", "20"]);
    assert_eq!(code, Some(1));
    let board = named(&report, "two-eyes-19");
    assert_eq!(board["outcome"], "failed", "{board}");
    assert!(board["note"].as_str().unwrap().contains("was accepted"), "{board}");
    assert_eq!(named(&report, "two-eyes-25")["outcome"], "skipped", "it refuses boards above 19 lines");
}

#[test]
fn the_table_is_read_by_people() {
    let output = ishi(&["go-random", "--board", "most-chains-19", "--verbose"]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{table}");
    assert!(table.starts_with("check "), "{table}");
    assert!(table.contains("\nmost-chains-19 ") && table.contains("genmove white -> = "), "{table}");
    assert!(table.ends_with("1 passed, 0 skipped, 0 failed, 0 crashed, 0 timed out\n"), "{table}");
}

#[test]
fn what_cannot_be_checked_is_said() {
    for (args, code, message) in [
        (&["go-rndom"][..], 3, "no built-in player"),
        (&["gtp:no-such-program"], 4, "cannot start \"no-such-program\""),
        (&["go-random", "--board", "chess"], 3, "there are most-chains-19"),
        (&["go-random", "--timeout", "soon"], 2, "write seconds such as 60"),
    ] {
        let output = ishi(args);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

/// GNU Go 3.8 knows the protocol but for lines above 1,000 bytes, and aborts on the board with the most chains.
#[test]
fn gnu_go_is_checked() {
    let program = "/usr/games/gnugo";
    if !Path::new(program).exists() {
        tell_missing("GNU Go (the Debian package gnugo)");
        return;
    }
    let engine = format!("{program} --mode gtp --level 1");
    let (code, report) = checked(&[&engine, "--only", "protocol"]);
    let names: Vec<&Value> = faults(&report).iter().map(|check| &check["check"]).collect();
    assert_eq!((code, names), (Some(1), vec![&Value::from("long comment")]), "{report}");
    // Its table of 288 chains overflows as it reads ahead on this board.
    let (code, report) = checked(&[&engine, "--board", "most-chains-19", "--board", "two-eyes-19"]);
    assert_eq!(code, Some(1));
    let crash = named(&report, "most-chains-19");
    assert_eq!(crash["outcome"], "crashed", "{crash}");
    assert!(crash["note"].as_str().unwrap().contains("SIGABRT"), "{crash}");
    assert_eq!(named(&report, "two-eyes-19")["outcome"], "passed", "{report}");
}
