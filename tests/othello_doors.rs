//! `ishi gtp --game othello` and `ishi nboard` from outside: real pipes, and a real opponent.

#![allow(clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
#[cfg(unix)]
use std::time::{Duration, Instant};

use crate::support::program::tell_missing;

const ISHI: &str = env!("CARGO_BIN_EXE_ishi");

/// Exit code, stdout and stderr after this input.
fn run(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = start(ISHI, args);
    let mut stdin = child.stdin.take().unwrap();
    // A program that refuses its options does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn start(program: &str, args: &[&str]) -> Child {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

const OTHELLO: [&str; 9] = ["gtp", "--game", "othello", "--level", "2", "--threads", "1", "--hash", "12"];

#[test]
fn the_session_is_the_one_of_othello() {
    let (code, out, err) = run(&OTHELLO, "1 list_games\n2 name\n3 gogui-rules_legal_moves\n4 ishi-engine\n");
    assert_eq!(code, Some(0));
    let expected = "=1 Othello\n\n=2 ishi othello\n\n=3 D3 C4 F5 E6\n\n=4 othello:level=2,";
    assert!(out.starts_with(expected), "{out}");
    assert!(err.starts_with("ishi gtp: othello:level=2,threads=1,hash=12,book=yes, seed 1"), "{err}");
}

#[test]
fn reasons_are_given_in_words() {
    let corner = "gogui-setup b c3 w b2 w d4\nishi-hints\n";
    let (_, out, _) = run(&OTHELLO, corner);
    assert!(out.contains("A1 ") && out.contains("takes the corner a1"), "{out}");
}

#[test]
fn wrong_options_say_what_is_right() {
    for (args, code, text) in [
        (vec!["gtp", "--game", "chess"], 2, "possible values: go, othello"),
        (
            vec!["gtp", "--game", "othello", "--engine", "go-flat"],
            3,
            "no engine \"go-flat\": there are othello-random",
        ),
        (vec!["gtp", "--game", "othello", "--level", "21"], 2, "a level must be a number from 1 to 20"),
        (vec!["nboard", "--level", "0"], 2, "a level must be a number from 1 to 20"),
        (vec!["nboard", "--rating", "0"], 2, "a rating must be a number from "),
        (vec!["nboard", "--rating", "1000", "--level", "3"], 2, "cannot be used with"),
        (
            vec!["gtp", "--game", "othello", "--engine", "othello:rating=9999"],
            3,
            "invalid rating \"9999\": a rating must be a number from ",
        ),
        (vec!["nboard", "--hash", "9"], 2, "it must be a whole number from 10 to 30"),
        (vec!["nboard", "--name", "two words"], 3, "NBoard takes one word"),
    ] {
        let (found, out, err) = run(&args, "name\n");
        assert_eq!((found, out.as_str()), (Some(code), ""), "{args:?}: {err}");
        assert!(err.contains(text), "{args:?}: {err}");
    }
}

#[test]
fn nboard_answers_all_that_was_written_ahead() {
    let args = ["nboard", "--threads", "1", "--hash", "12", "--no-book"];
    let script = "nboard 2\nset depth 3\nping 4\nmove F5\ngo\nhint 2\nquit\nlearn\n";
    let (code, out, err) = run(&args, script);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let begin = "set myname ishi\nset myname ishi3\npong 4\nstatus ishi is thinking\nsearch ";
    assert!(out.starts_with(begin), "{out}");
    assert!(out.contains("\n=== ") && out.ends_with("status\n"), "{out}");
}

/// Exit code, stdout and stderr of the program with 4 GB of addresses.
#[cfg(target_os = "linux")]
fn run_with_little_memory(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let script = "ulimit -v 4000000; exec \"$0\" \"$@\"";
    let mut child = start("sh", &[&["-c", script, ISHI], args].concat());
    // A program that refuses its options does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The largest table takes 16 GiB. Where they are not there, that is said: nothing is aborted.
#[cfg(target_os = "linux")]
#[test]
fn a_table_without_memory_is_refused_at_every_door() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("end.obf");
    std::fs::write(&file, "-OOO-XOO-OOOXOOOOOOXOXOOOOXOOXOOOXOOOXOOOOXOOOOOO-XXXOOO--XXXOOO X;\n").unwrap();
    let words = "no memory for a hash table of 2^30 entries";
    for args in [
        vec!["gtp", "--game", "othello", "--hash", "30"],
        vec!["gtp", "--game", "othello", "--engine", "othello:hash=30"],
        vec!["nboard", "--hash", "30"],
        vec!["othello", "solve", file.to_str().unwrap(), "--hash", "30"],
        vec!["match", "--game", "othello", "othello:hash=30", "othello-random", "--pairs", "1", "--no-db"],
    ] {
        let (code, out, err) = run_with_little_memory(&args, "");
        assert_eq!((code, out.as_str()), (Some(3), ""), "{args:?}: {err}");
        assert!(err.contains(words) && err.contains("hash must be smaller"), "{args:?}: {err}");
    }
    // A session whose player needs no table goes on.
    let args = ["gtp", "--game", "othello", "--engine", "othello-random", "--hash", "30"];
    let (code, out, err) = run_with_little_memory(&args, "ishi-values\nlist_games\n");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with(&format!("? {words}")) && out.ends_with("= Othello\n\n"), "{out}");
}

/// Linux grants more than it has, and ends whoever takes it at its word. So it is asked what is free. A table that waits to be written counts.
#[cfg(target_os = "linux")]
#[test]
fn tables_larger_than_what_is_free_are_refused_though_the_system_would_grant_them() {
    let system = std::fs::read_to_string("/proc/meminfo").unwrap();
    let free = system.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.strip_suffix("kB"));
    let kilobytes: u64 = free.unwrap().trim().parse().unwrap();
    if kilobytes >= 32 << 20 {
        let needs = "a machine with less than 32 GiB of free memory";
        tell_missing(needs);
        return;
    }
    // A table of 16 GiB for the player, and one for the commands that analyse.
    let args = ["gtp", "--game", "othello", "--engine", "othello:hash=30", "--hash", "30"];
    let (code, out, err) = run(&args, "ishi-values\nlist_games\n");
    let words = "no memory for a hash table of 2^30 entries";
    let is_first = code == Some(3) && out.is_empty() && err.contains(words);
    let is_second =
        code == Some(0) && out.starts_with(&format!("? {words}")) && out.ends_with("= Othello\n\n");
    assert!(is_first || is_second, "{code:?}\n{out}\n{err}");
    // Each player of a match fits by itself.
    let args = [
        "match",
        "--game",
        "othello",
        "othello:hash=30",
        "othello:hash=30,level=1",
        "--pairs",
        "1",
        "--no-db",
    ];
    let (code, out, err) = run(&args, "");
    assert!(code == Some(3) && out.is_empty() && err.contains(words), "{code:?}\n{out}\n{err}");
}

/// A deep search is given up when the GUI has gone.
#[test]
fn nboard_ends_with_its_gui() {
    let mut child = start(ISHI, &["nboard", "--threads", "1", "--hash", "12", "--no-book"]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"nboard 2\nset depth 60\nmove F5\nmove D6\nhint 5\n").unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("search") {
        line.clear();
        assert!(stdout.read_line(&mut line).unwrap() > 0);
    }
    drop((stdin, stdout));
    assert!(child.wait().unwrap().code().is_some());
}

/// A program at the other end of a GTP line.
struct Player {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Player {
    fn new(program: &str, args: &[&str]) -> Player {
        let mut child = start(program, args);
        let (stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Player { child, stdin, stdout }
    }

    /// The answer without its sign; panics if the command failed.
    fn ask(&mut self, command: &str) -> String {
        writeln!(self.stdin, "{command}").unwrap();
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).unwrap() > 0, "the program ended at {command}");
            if line.trim().is_empty() && !answer.is_empty() {
                break;
            }
            answer += line.trim();
        }
        let text = answer.strip_prefix('=').unwrap_or_else(|| panic!("{command}: {answer}"));
        text.trim().to_string()
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// GRhino answers `genmove` with `pass`, but is not told of passes: it knows no such `play`.
#[test]
fn whole_games_with_grhino() {
    let rhino = "/usr/games/gtp-rhino";
    if !Path::new(rhino).exists() {
        tell_missing("gtp-rhino (Debian's package grhino)");
        return;
    }
    for rhino_is_black in [true, false] {
        let mut players = [Player::new(rhino, &["--level=1"]), Player::new(ISHI, &OTHELLO)];
        players.iter_mut().for_each(|player| drop(player.ask("set_game Othello")));
        let (mut passes, mut turn) = (0, 0);
        while passes < 2 {
            let color = ["b", "w"][turn % 2];
            let mover = usize::from((turn % 2 == 0) != rhino_is_black);
            let mv = players[mover].ask(&format!("genmove {color}"));
            let pass = mv.eq_ignore_ascii_case("pass");
            if mover == 0 || !pass {
                players[1 - mover].ask(&format!("play {color} {mv}"));
            }
            passes = if pass { passes + 1 } else { 0 };
            turn += 1;
            assert!(turn < 130, "the game does not end");
        }
        let [rhino, ishi] = players.each_mut().map(|player| player.ask("final_score"));
        assert_eq!(rhino, ishi);
        assert_eq!(players[1].ask("gogui-rules_legal_moves"), "");
    }
}

/// Who thinks types nothing. Ctrl-C is heard all the same, and what was done is kept.
#[cfg(unix)]
#[test]
fn ctrl_c_is_heard_at_a_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let [game, missed] = ["game.txt", "missed.txt"].map(|name| folder.path().join(name));
    let play = ["othello", "play", "--level", "1", "--save", game.to_str().unwrap()];
    let practice = ["othello", "practice", "--file", missed.to_str().unwrap()];
    for (args, prompt, kept) in [(&play[..], "your move", &game), (&practice[..], "to move", &missed)] {
        let mut child = start(ISHI, args);
        let typing = child.stdin.take().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains(prompt) {
            line.clear();
            assert_ne!(out.read_line(&mut line).unwrap(), 0, "{args:?}: no prompt");
        }
        let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{args:?}: Ctrl-C is not heard");
            std::thread::sleep(Duration::from_millis(20));
        };
        drop(typing);
        assert_eq!(status.code(), Some(130), "{args:?}");
        assert!(kept.is_file(), "{args:?}");
    }
}

/// A game, and what was missed, are kept at the end. A place that cannot keep them is refused before a move is asked for.
#[test]
fn a_place_that_keeps_nothing_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("none").join("kept.txt");
    let nowhere = nowhere.to_str().unwrap();
    for args in [["othello", "play", "--save", nowhere], ["othello", "practice", "--file", nowhere]] {
        let (code, out, err) = run(&args, "quit\n");
        assert_eq!((code, out.as_str()), (Some(4), ""), "{args:?}: {err}");
        assert!(err.contains("kept.txt: there is no folder"), "{args:?}: {err}");
    }
}

#[test]
fn practice_without_new_positions_says_why_nothing_is_asked() {
    let (code, out, err) = run(&["othello", "practice", "--count", "0"], "");
    assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
    assert!(err.contains("nothing missed is due, and --count 0 asks nothing new"), "{err}");
}
