//! `ishi go label` and `ishi go positions` from games to training samples, with ishi itself as the judge.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::support::made_up_games;
use std::process::{Command, Stdio};

use crate::support::program::file;

commands_that_begin_with!(&["go"]);

/// ishi as a judge of few visits.
fn judge() -> String {
    format!("{} analysis --quiet --threads 1", env!("CARGO_BIN_EXE_ishi"))
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_string()
}

/// The labels of a file, sorted.
fn labels(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<String> =
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_string).collect();
    lines.sort();
    lines
}

/// The message of a command whose options are wrong.
fn usage(args: &[&str]) -> String {
    let output = ishi(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn games_become_labels_and_labels_samples() {
    let folder = tempfile::tempdir().unwrap();
    let games = made_up_games::games(folder.path(), "games.txt", 6);
    let [parts, whole, samples, moves] =
        ["parts.tsv", "whole.tsv", "samples.bin", "moves.bin"].map(|name| path(folder.path(), name));
    let judge = judge();
    let label = |out: &str, more: &[&str]| {
        let args = ["label", &games, "--quiet", "--judge", &judge, "--visits", "20", "--policy", "visits"];
        json(&[&args[..], &["--out", out], more].concat())
    };
    let report = label(&parts, &["--positions", "9"]);
    assert_eq!((&report["positions"], &report["added"], &report["games"]), (&9.into(), &9.into(), &6.into()));
    let report = label(&parts, &["--positions", "20", "--workers", "2"]);
    assert_eq!(
        (&report["positions"], &report["added"], &report["refused"]),
        (&20.into(), &11.into(), &0.into())
    );
    label(&whole, &["--positions", "20", "--in-flight", "3"]);
    assert_eq!(labels(&parts), labels(&whole), "neither the break nor the workers left a trace");

    // Other settings, another judge: the file stays as it is.
    let before = std::fs::read(&parts).unwrap();
    let args = ["label", &games, "--quiet", "--judge", &judge, "--out", &parts];
    let refused = refusal(&[&args[..], &["--visits", "21", "--policy", "visits"]].concat());
    assert!(refused.contains("begun with visits 20 (now visits 21); give another name"), "{refused}");
    let other = format!("{judge} --engine go-mcts:level=1");
    let args = ["label", &games, "--quiet", "--judge", &other, "--out", &parts, "--visits", "20"];
    let refused = refusal(&[&args[..], &["--policy", "visits"]].concat());
    assert!(refused.contains("begun with judge "), "{refused}");
    assert!(std::fs::read(&parts).unwrap() == before);

    let report = json(&["positions", &games, "--labels", &parts, "--out", &samples]);
    assert_eq!(report["positions"], 20);
    let bytes = std::fs::read(&samples).unwrap();
    assert_eq!(report["bytes"], bytes.len());
    let lines: Vec<String> = std::fs::read_to_string(&parts)
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(str::to_string)
        .collect();
    let records: Vec<&[u8]> = bytes[32..].chunks(1657).collect();
    assert_eq!(records.len(), 20);
    for (line, record) in lines.iter().zip(records) {
        let columns: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| f64::from(f32::from_le_bytes(record[at..at + 4].try_into().unwrap()));
        let game = u32::from_le_bytes(record[1645..1649].try_into().unwrap());
        assert_eq!(game, columns[0].parse::<u32>().unwrap() + 2, "its line, behind the head");
        let black = columns[1].parse::<usize>().unwrap() % 2 == 0;
        assert_eq!(record[1185], u8::from(!black));
        let sign = if black { 1.0 } else { -1.0 };
        assert!((number(1196) - sign * columns[5].parse::<f64>().unwrap()).abs() < 1e-4, "{line}");
        assert_eq!(number(1188), if black { 1.0 } else { 0.0 }, "Black won");
        assert_eq!(record[1182] & 0b101_1111, 0b101_1111, "all but the spread is known for certain");
        // A9, the first letter, is row 8: point 152.
        let owner = sign as i8 * (columns[8].as_bytes()[0] as i8 - b'm' as i8);
        assert_eq!(record[1284 + 152] as i8, owner, "{line}");
    }

    // A last line that is still being written is left out; games can be left out too.
    let text = std::fs::read_to_string(&parts).unwrap();
    let cut = file(folder.path(), "cut.tsv", &text[..text.len() - 3]);
    let report = json(&["positions", &games, "--labels", &cut, "--out", &samples, "--force"]);
    assert_eq!(report["positions"], 19);
    let args = ["positions", &games, "--labels", &parts, "--out", &samples, "--force", "--skip", "2"];
    let report = json(&args);
    let left_out = lines.iter().filter(|line| line.starts_with(['0', '1'])).count();
    assert_eq!((&report["positions"], &report["passed_over"]), (&(20 - left_out).into(), &left_out.into()));

    // Without labels: drawn as for labels, whatever the threads.
    let report = json(&["positions", &games, "--per-game", "3", "--out", &moves, "--threads", "1"]);
    assert_eq!(report["positions"], 18);
    let bytes = std::fs::read(&moves).unwrap();
    output(&["positions", &games, "--positions", "18", "--out", &moves, "--threads", "3", "--force"]);
    assert!(std::fs::read(&moves).unwrap() == bytes);
    assert!(bytes[32..].chunks(1657).all(|record| record[1182] == 0b110), "move and winner alone are known");

    // What is not to be learned is left out, and all else stays.
    let [all, some] = ["all.bin", "some.bin"].map(|name| path(folder.path(), name));
    output(&["positions", &games, "--labels", &parts, "--out", &all]);
    output(&["positions", &games, "--labels", &parts, "--out", &some, "--without", "played,owners"]);
    let [all, some] = [all, some].map(|name| std::fs::read(name).unwrap());
    for (all, some) in all[32..].chunks(1657).zip(some[32..].chunks(1657)) {
        assert_eq!((all[..1182] == some[..1182], all[1182] & !some[1182]), (true, 0b100_0010));
    }
    let refused = usage(&["positions", &games, "--out", "x.bin", "--without", "everything"]);
    assert!(refused.contains("must be one of judge-policy, played, game-winner"), "{refused}");
}

/// SGF files become records, records labels after passes, labels samples of the other side.
#[test]
fn sgf_files_become_records_and_passes_labels() {
    let folder = tempfile::tempdir().unwrap();
    let sgf = folder.path().join("sgf");
    std::fs::create_dir_all(sgf.join("club")).unwrap();
    for (name, text) in [
        ("#1.sgf", "(;SZ[9]KM[7]RE[W+R];B[ee];W[cc];B[gg])"),
        ("club/b.sgf", "(;SZ[9]AB[cc][gg];W[ee];B[ef])(;SZ[9];B[ee];B[cc])"),
        ("club/broken.sgf", "no record"),
        ("notes.txt", "not looked at"),
    ] {
        std::fs::write(sgf.join(name), text).unwrap();
    }
    let sgf = sgf.to_str().unwrap();
    let [records, packed, labels, samples] =
        ["games.txt", "games.txt.gz", "labels.tsv", "samples.bin"].map(|name| path(folder.path(), name));
    let refused = refusal(&["records", sgf, "--out", &records]);
    assert!(refused.contains("broken.sgf: "), "{refused}");
    let empty = path(folder.path(), "empty");
    std::fs::create_dir(&empty).unwrap();
    let refused = refusal(&["records", &empty, "--out", &records]);
    assert!(refused.contains("empty: there must be .sgf files in it"), "{refused}");
    let report = json(&["records", sgf, "--out", &records, "--skip-broken", "--source", "a club"]);
    assert_eq!([&report["games"], &report["moves"], &report["broken_files"]], [2, 5, 1]);
    assert_eq!(report["left_out"]["a side moves twice in a row"], 1);
    let text = std::fs::read_to_string(&records).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "1\ta club\t?\t9\t7\t0\t-\tW+R\t?\t?\tB\teeccgg");
    assert_eq!(lines[2], "club/b-1\ta club\t?\t9\t?\t2\tccgg\t?\t?\t?\tW\teeef");
    let refused = refusal(&["records", sgf, "--out", &records, "--skip-broken"]);
    assert!(refused.contains("--force"), "{refused}");
    output(&["records", sgf, "--out", &packed, "--skip-broken", "--source", "a club"]);

    let judge = judge();
    let args = ["label", &packed, "--quiet", "--judge", &judge, "--visits", "2", "--passes", "1"];
    let report = json(&[&args[..], &["--out", &labels]].concat());
    assert_eq!((&report["positions"], &report["refused"]), (&5.into(), &0.into()));
    let text = std::fs::read_to_string(&labels).unwrap();
    assert!(text.contains("passes 1") && text.contains("\n1\t0..\t7.0\t"), "{text}");
    let report = json(&["positions", &packed, "--labels", &labels, "--out", &samples]);
    assert_eq!(report["positions"], 5);
    let bytes = std::fs::read(&samples).unwrap();
    for record in bytes[32..].chunks(1657) {
        assert_eq!(record[1182] & 0b110, 0, "neither the move nor the winner is known after such a pass");
    }
    let refused = refusal(&[&args[..7], &["--out", &labels, "--passes", "0.5"]].concat());
    assert!(refused.contains("passes 1 (now passes 0.5)"), "{refused}");
    let refused = usage(&[&args[..7], &["--out", &labels, "--passes", "2"]].concat());
    assert!(refused.contains("write a number from 0 to 1"), "{refused}");
}

#[test]
fn what_cannot_be_labelled_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let games = made_up_games::games(folder.path(), "games.txt", 2);
    let out = path(folder.path(), "labels.tsv");
    let judge = judge();
    let label = |games: &str, judge: &str, out: &str, more: &[&str]| {
        refusal(&[&["label", games, "--judge", judge, "--out", out], more].concat())
    };
    assert!(label(&games, &judge, "-", &[]).contains("give a file"));
    assert!(label(&games, &judge, "labels.tsv.gz", &[]).contains("give a name without .gz"));
    assert!(label(&games, &judge, folder.path().to_str().unwrap(), &[]).contains("is a folder"));
    let error = label(&games, &judge, &out, &["--skip", "2"]);
    assert!(error.contains("games.txt: there is no game with moves after the first 2"), "{error}");
    let text = std::fs::read_to_string(&games).unwrap();
    let line = text.lines().last().unwrap();
    let twice = file(folder.path(), "twice.txt", format!("{line}\n{line}\n"));
    let error = label(&twice, &judge, &out, &[]);
    assert!(error.contains("the games of lines 1 and 2 are both \"1\""), "{error}");
    let start = |judge: &str| {
        let output = ishi(&["label", &games, "--judge", judge, "--out", &out]);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, error) = start("no-such-judge");
    assert!(code == Some(4) && error.contains("is it installed, and in PATH?"), "{error}");
    let (code, error) = start("echo hello");
    assert!(code == Some(4) && error.contains("its answer must be a line of JSON"), "{error}");
    assert!(!Path::new(&out).exists(), "no file is begun for a judge that is none");

    let positions = |labels: &str, more: &[&str]| {
        let samples = path(folder.path(), "samples.bin");
        refusal(&[&["positions", &games, "--labels", labels, "--out", &samples], more].concat())
    };
    let other = file(folder.path(), "other.tsv", "7\t1\t6.5\tchinese\t0.5\t0\t1\t\tm\n");
    let error = positions(&other, &[]);
    assert!(error.contains("other.tsv: line 1, no game \"7\" is among the games given"), "{error}");
    let bad = file(folder.path(), "bad.tsv", "# head\n1\t1\t6.5\tchinese\t0.5\t0\t1\t\tm\n");
    let error = positions(&bad, &[]);
    assert!(error.contains("bad.tsv: line 2, owners: 1 letters, a 9x9 board has 81 points"), "{error}");
    let error = positions(&bad, &[&games]);
    assert!(error.contains("two games have this id"), "{error}");
    let none = file(folder.path(), "none.tsv", "# head\n");
    assert!(positions(&none, &[]).contains("there is no position to write"));
}

#[test]
fn ctrl_c_keeps_what_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    let games = made_up_games::games(folder.path(), "games.txt", 20);
    let out = path(folder.path(), "labels.tsv");
    let args = ["go", "label", &games, "--judge", &judge(), "--out", &out, "--visits", "400"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    let mut child = command.args(args).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(said.any(|line| line.contains("0 of 800 positions are there")));
    while labels(&out).len() < 3 {
        std::thread::yield_now();
    }
    let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let rest: Vec<String> = said.collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let there = labels(&out).len();
    assert!((3..800).contains(&there));
    assert!(rest.iter().any(|line| line.starts_with(&format!("{there} positions are in "))), "{rest:?}");
}
