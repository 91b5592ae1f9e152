//! `ishi go exercises`, and what a network learns from them, as a user meets them.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::Path;
use std::process::Command;

use ishi_go::{Board, BoardSize, Color, Move, Point};

commands_that_begin_with!(&["go", "--quiet"]);

fn file(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_string()
}

/// Games on 11x11 of moves that come from a sequence of numbers and fill no eyes.
fn games(folder: &Path) -> String {
    let size = BoardSize::square(11).unwrap();
    let mut number = 1_u64;
    let mut text = String::new();
    for game in 0..4 {
        let (mut board, mut color) = (Board::new(size), Color::Black);
        let mut moves = String::new();
        for _ in 0..110 {
            let points: Vec<Point> =
                board.empty_points().filter(|&point| board.is_sensible(color, point)).collect();
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let point = points[(number >> 33) as usize % points.len()];
            board.play_unchecked(color, Move::Play(point));
            moves.push(char::from(b'a' + point.column() as u8));
            moves.push(char::from(b'a' + 10 - point.row() as u8));
            color = !color;
        }
        text.push_str(&format!("g{game}\tmade\t2026\t11\t7.5\t0\t-\tB+R\t9d\t9d\tB\t{moves}\n"));
    }
    let path = file(folder, "games.txt");
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn exercises_are_drawn_and_learned_from() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path());
    let [whole, parts, network] = ["whole.txt", "parts.txt", "my.bin"].map(|name| file(folder.path(), name));
    let draw = |positions: &'static str, out: &str, more: &[&str]| {
        let args = ["exercises", &games, "--positions", positions, "--most", "2000", "--out", out];
        json(&[&args[..], more].concat())
    };
    let report = draw("24", &whole, &["--threads", "1"]);
    let count = report["exercises"].as_u64().unwrap();
    assert!(count > 30 && report["positions"] == 24, "{report}");
    // In two parts, by other threads: the same file.
    draw("10", &parts, &["--threads", "2"]);
    assert_eq!(draw("24", &parts, &["--threads", "3", "--resume"])["exercises"], count);
    assert!(std::fs::read(&whole).unwrap() == std::fs::read(&parts).unwrap());

    let evaluate = ["learn-network", "--exercises", "--evaluate-only", "--validate", &whole];
    let before = json(&evaluate);
    assert_eq!(before["accuracy"]["positions"], count);
    let learn = ["learn-network", "--exercises", &whole, "--out", &network, "--validate", &whole];
    let small = ["--blocks", "1", "--batch", "32", "--steps", "400", "--rate", "0.005"];
    let after = json(&[&learn[..], &small].concat());
    assert_eq!(after["exercises"], count);
    let likely = |report: &serde_json::Value| report["accuracy"]["log_likelihood"].as_f64().unwrap();
    // These it has seen, the shipped network others.
    assert!(likely(&after) > likely(&before) + 0.2, "{before} {after}");
    assert!(output(&evaluate).contains("positions:"));
}

/// Broken off and gone on with, it ends as if it had never stopped.
#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path());
    let out = file(folder.path(), "life.txt");
    let args = ["go", "exercises", &games, "--positions", "100000", "--most", "1000", "--out", &out];
    let mut child = Command::new(env!("CARGO_BIN_EXE_ishi"))
        .args(args)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    let mut lines = lines.map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("200 of 100000 positions: ")));
    let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let broken = std::fs::read_to_string(&out).unwrap();
    let done: u64 = broken.lines().nth(2).unwrap().strip_prefix("# positions ").unwrap().parse().unwrap();
    assert!((200..100_000).contains(&done));
    let (positions, whole) = ((done + 5).to_string(), file(folder.path(), "whole.txt"));
    let rest = ["exercises", &games, "--positions", &positions, "--most", "1000"];
    output(&[&rest[..], &["--resume", "--out", &out]].concat());
    output(&[&rest[..], &["--out", &whole]].concat());
    assert!(std::fs::read(&out).unwrap() == std::fs::read(&whole).unwrap(), "the break left a trace");
}

/// Questions of capture come out of games, are the same for any number of threads, and can be put to a player.
#[test]
fn capture_problems_are_drawn_and_asked() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path());
    let [one, two] = ["one.txt", "two.txt"].map(|name| file(folder.path(), name));
    let draw = |out: &str, threads: &'static str| {
        json(&["capture-problems", &games, "--most", "500", "--out", out, "--threads", threads])
    };
    let report = draw(&one, "1");
    let count = report["problems"].as_u64().unwrap();
    assert!(count >= 4 && report["games"] == 4, "{report}");
    assert_eq!(draw(&two, "3"), report);
    assert!(std::fs::read(&one).unwrap() == std::fs::read(&two).unwrap());
    let answers = json(&["problems", &one, "--engine", "go-random"]);
    assert_eq!(answers["total"]["asked"], count, "each of them is a problem");
    assert!(answers["total"]["right"].as_u64().unwrap() * 2 > count, "{answers}");
    let names = answers["problems"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap());
    assert!(names.into_iter().all(|name| name.starts_with('g') && name.split(':').count() == 4));
    assert!(refusal(&["capture-problems", &games, "--out", &one]).contains("--force"));
    let short = file(folder.path(), "short.txt");
    std::fs::write(&short, "g\tmade\t2026\t9\t7.5\t0\t-\tB+R\t9d\t9d\tB\taabb\n").unwrap();
    let error = refusal(&["capture-problems", &short, "--out", &two, "--force"]);
    assert!(error.contains("no game of more than 30 moves"), "{error}");
}

#[test]
fn what_is_no_exercise_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path());
    let [out, empty] = ["life.txt", "empty.txt"].map(|name| file(folder.path(), name));
    assert!(refusal(&["exercises", &games, "--out", "-"]).contains("give a file"));
    output(&["exercises", &games, "--positions", "2", "--most", "500", "--out", &out]);
    assert!(refusal(&["exercises", &games, "--out", &out]).contains("--force"));
    let other = refusal(&["exercises", &games, "--most", "501", "--resume", "--out", &out]);
    assert!(other.contains("not begun with these games, options and seed"), "{other}");
    let [short, flat] = ["short.txt", "flat.txt"].map(|name| file(folder.path(), name));
    std::fs::write(&short, "g\tmade\t2026\t9\t7.5\t0\t-\tB+R\t9d\t9d\tB\taabb\n").unwrap();
    let error = refusal(&["exercises", &short, "--out", &file(folder.path(), "none.txt")]);
    assert!(error.contains("there is no game of 60 moves or more"), "{error}");
    let network = file(folder.path(), "my.bin");
    std::fs::write(&flat, "5x3\tab\tbb\tB\t....\t-\tcc\tccdc\n").unwrap();
    let error = refusal(&["learn-network", "--exercises", &flat, "--out", &network]);
    assert!(error.contains("nothing stands on a square board"), "{error}");
    let error = refusal(&["learn-network", "--exercises", &games, "--out", &network]);
    assert!(error.contains("games.txt: line 1: 12 columns: there must be 8, separated by tabs"), "{error}");
    std::fs::write(&empty, "").unwrap();
    let error = refusal(&["learn-network", "--exercises", &empty, "--out", &network]);
    assert!(error.contains("empty.txt: there are no exercises"), "{error}");
    let validate = ["learn-network", "--exercises", "--evaluate-only", "--validate", &empty];
    assert!(refusal(&validate).contains("there is nothing to foretell"));
}
