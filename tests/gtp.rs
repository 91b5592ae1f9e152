//! `ishi gtp` from outside: real pipes, a real client, and the arena's own controller.

#![allow(clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ishi_arena::process::{EngineProcess, ProcessEnd, ProcessOptions};
use ishi_go::{BoardSize, Color, Move};
use ishi_gtp::{FinalScore, GenmoveAnswer, StoneStatus};

use crate::support::program::tell_missing;

const ISHI: &str = env!("CARGO_BIN_EXE_ishi");

fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/clients")
}

fn start(args: &[&str]) -> Child {
    let mut command = Command::new(ISHI);
    command.arg("gtp").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Exit code, stdout and stderr after this input.
fn run(args: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let mut child = start(args);
    let mut stdin = child.stdin.take().unwrap();
    // A program that refuses its options does not read.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_end_of_input_and_quit_are_good_ends() {
    let (code, out, err) = run(&["--engine", "go-random", "--seed", "7"], b"1 name\n2 boardsize 9");
    assert_eq!((code, out.as_str()), (Some(0), "=1 ishi go-random\n\n=2\n\n"));
    assert_eq!(err, "ishi gtp: go-random, seed 7\n");
    let (code, out, err) = run(&["--quiet"], b"quit\nname\n");
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "=\n\n", ""));
    assert_eq!(run(&["--quiet", "--name", "KataGo-ishi"], b"name\n").1, "= KataGo-ishi\n\n");
    assert_eq!(run(&["--quiet"], b"").0, Some(0));
}

/// The network of the judge's own tests: three blocks of random weights, which play legal moves.
#[test]
fn a_network_out_of_a_file_plays() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../go/judge/tests/fixture-network.bin");
    let file = file.to_str().unwrap();
    let engine = "go-network:visits=8,batch=2";
    let args = ["--quiet", "--network", file, "--engine", engine, "--size", "9"];
    let (code, out, err) = run(&args, b"genmove b\ngenmove w\nishi-engine\nname\n");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let answers: Vec<&str> = out.split("\n\n").collect();
    for answer in &answers[..2] {
        let vertex = answer.strip_prefix("= ").unwrap();
        assert!(BoardSize::square(9).unwrap().parse_move(vertex).is_ok(), "{answer}");
    }
    assert_eq!(answers[2..4], [format!("= {engine}"), "= ishi go-network".to_string()]);

    // Stopped by the next line, before any move has been looked at.
    let (_, out, _) = run(&args, b"kata-analyze b 50\n\nquit\n");
    assert!(!out.contains("visits 0"), "{out}");

    let refused = |args: &[&str]| {
        let (code, _, err) = run(args, b"");
        assert_ne!(code, Some(0), "{args:?}");
        err
    };
    assert!(refused(&["--network", file, "--engine", "go-mcts"]).contains("--network is for go-network"));
    assert!(refused(&["--network", file, "--engine", "go-network:visits=0"]).contains("invalid visits"));
    assert!(refused(&["--network", "/no/such/file"]).contains("/no/such/file"));
    let damaged = std::env::temp_dir().join(format!("ishi-damaged-{}.jdg", std::process::id()));
    let mut bytes = std::fs::read(file).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    assert!(refused(&["--network", damaged.to_str().unwrap()]).contains("damaged"));
    std::fs::remove_file(damaged).unwrap();
}

#[test]
fn options_set_the_game_up() {
    let script = b"query_boardsize\nget_komi\nkata-get-rules\nishi-engine\n";
    let args =
        ["--engine", "go-flat:playouts=10", "--size", "9x13", "--komi", "-5.5", "--rules", "new_zealand"];
    let (code, out, _) = run(&args, script);
    assert_eq!(code, Some(0));
    let answers: Vec<&str> = out.split("\n\n").collect();
    assert_eq!(answers[..2], ["= 9 13", "= -5.5"]);
    assert!(answers[2].contains("SITUATIONAL") && answers[3].starts_with("= go-flat:playouts=10,"), "{out}");
}

#[test]
fn wrong_options_say_what_is_right() {
    for (args, code, text) in [
        (["--engine", "go-flt"], 3, "no engine \"go-flt\": there are go-random"),
        (["--size", "26"], 2, "write the number of lines such as 9"),
        (["--size", "9by9"], 2, "or columns and rows such as 19x7, 2 to 25 each"),
        (["--komi", "nan"], 2, "write a number from -400 to 400"),
        (["--rules", "ing"], 2, "the rule sets are chinese"),
    ] {
        let (found, out, err) = run(&args, b"name\n");
        assert_eq!((found, out.as_str()), (Some(code), ""), "{args:?}");
        assert!(err.contains(text), "{args:?}: {err}");
    }
}

/// The same seed gives the same game, another one another.
#[test]
fn the_seed_decides() {
    let script = b"boardsize 9\ngenmove b\ngenmove w\ngenmove b\ngenmove w\nmove_history\n";
    let game = |seed| run(&["--engine", "go-flat:playouts=50", "--seed", seed], script).1;
    assert_eq!(game("3"), game("3"));
    assert_ne!(game("3"), game("4"));
}

/// One byte without a newline ends an analysis; it is the beginning of the next command.
#[test]
fn a_single_byte_ends_an_analysis() {
    let mut child = start(&["--quiet", "--size", "9", "--engine", "go-flat"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    stdin.write_all(b"1 lz-analyze b 1\n").unwrap();
    assert_eq!(lines.next().unwrap(), "=1");
    assert!(lines.next().unwrap().starts_with("info move "));
    stdin.write_all(b"n").unwrap();
    assert!(lines.by_ref().any(|line| line.is_empty()), "the stream closes with its blank line");
    stdin.write_all(b"ame\n").unwrap();
    assert_eq!(lines.next().unwrap(), "= ishi go-flat");
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// `# interrupt` ends a search that would take hours; commands written ahead wait for it.
#[test]
fn an_interrupt_ends_a_search() {
    let mut child = start(&["--quiet", "--size", "9", "--engine", "go-flat:playouts=1000000000000"]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"1 genmove b\n2 name\n# interrupt\n3 quit\n").unwrap();
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert!(output.starts_with("=1 ") && output.ends_with("\n\n=2 ishi go-flat\n\n=3\n\n"), "{output}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_search_and_the_program() {
    let mut child = start(&["--quiet", "--size", "9", "--engine", "go-flat:playouts=1000000000000"]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"name\ngenmove b\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "= ishi go-flat");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// A controller that goes away is no reason to hang.
#[test]
fn a_closed_output_is_an_error() {
    let mut child = start(&["--quiet"]);
    drop(child.stdout.take());
    // So many that the pipe could not hold the answers, whoever else may hold it open for a moment.
    let _ = child.stdin.take().unwrap().write_all(&b"list_commands\n".repeat(1000));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("ishi: the line to the controller failed: "), "{text}");
}

#[test]
fn records_are_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my game.sgf");
    let script = format!(
        "boardsize 9\nplay b E5\nplay w C3\nprintsgf {0}\nclear_board\nloadsgf {0} 2\nmove_history\nloadsgf {1}\n",
        file.display(),
        folder.path().display()
    );
    let (code, out, _) = run(&["--quiet"], script.as_bytes());
    assert_eq!(code, Some(0));
    let answers: Vec<&str> = out.split("\n\n").collect();
    assert_eq!(answers[6], "= black E5", "{out}");
    assert!(answers[7].starts_with("? cannot load file\n"), "{out}");
    let written = std::fs::read_to_string(file).unwrap();
    assert!(written.starts_with("(;FF[4]") && written.contains("MADEBY[ishi "), "{written}");
    assert!(written.contains(": ishi gtp --quiet"), "{written}");
}

/// Our own controller plays our own player to the end.
#[test]
fn the_arenas_controller_plays_a_game() {
    let command = format!("'{ISHI}' gtp --quiet --engine go-capture").parse().unwrap();
    let mut client = EngineProcess::start_client(&command, ProcessOptions::default()).unwrap();
    client.set_limit(Some(Duration::from_secs(60)));
    assert_eq!(client.name().unwrap(), "ishi go-capture");
    assert!(client.list_commands().unwrap().contains("genmove"));
    client.boardsize(BoardSize::new(7, 5).unwrap()).unwrap();
    client.set_komi(0.5).unwrap();
    assert_eq!(
        client.fixed_handicap(2).unwrap_err().to_string().matches("invalid number of stones").count(),
        1
    );
    let mut passes = 0;
    for color in Color::ALL.into_iter().cycle().take(200) {
        let generated = client.genmove(color).unwrap();
        passes = if generated == GenmoveAnswer::Move(Move::Pass) { passes + 1 } else { 0 };
        if passes == 2 {
            break;
        }
    }
    assert!(matches!(client.final_score().unwrap(), FinalScore::Win(..)));
    client.final_status_list(StoneStatus::Dead).unwrap();
    assert!(client.cputime().unwrap() >= 0.0);
    client.undo().unwrap();
    let (status, end) = client.into_connection().stop();
    assert_eq!((status.code(), end), (Some(0), ProcessEnd::ByItself));
}

/// Sabaki's GTP library for Node plays a whole game, and everything that Sabaki sends is answered.
#[test]
fn a_real_client_plays_a_whole_game() {
    if !clients().join("node_modules/@sabaki/gtp").exists()
        || Command::new("node").arg("-v").output().is_err()
    {
        tell_missing("node and @sabaki/gtp (npm ci --prefix tests/clients)");
        return;
    }
    let output = Command::new("node").arg(clients().join("whole_game.js")).arg(ISHI).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let game: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let moves = game["moves"].as_array().unwrap();
    assert!(moves.len() > 40, "{game}");
    assert_eq!(moves[moves.len() - 2..], ["pass", "pass"], "{game}");
    assert!(FinalScore::parse(game["score"].as_str().unwrap()).is_some(), "{game}");
    assert_eq!(game["history"], 4, "{game}");
    for lines in game["lines"].as_array().unwrap() {
        assert!(lines.as_u64() >= Some(3), "{game}");
    }
    let generated = game["generated"].as_str().unwrap();
    assert!(BoardSize::square(9).unwrap().parse_move(generated).is_ok(), "{game}");
    assert_eq!(game["exit"], 0, "{game}");
}

#[test]
fn parameters_come_from_files_and_change_by_gtp() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "# mine\npreset = \"tabu18-hash\"\nplayouts = 60\n").unwrap();
    let config = file.to_str().unwrap();
    let script = b"ishi-engine\nishi-param playouts\nishi-param playouts 50\nishi-param playouts\nishi-param playouts no\n";
    let (code, out, _) = run(&["--size", "5", "--config", config, "--engine", "go-mcts:tenure=9"], script);
    assert_eq!(code, Some(0));
    let answers: Vec<&str> = out.split("\n\n").collect();
    assert!(answers[0].starts_with("= go-mcts:playouts=60,") && answers[0].contains("tenure=9"), "{out}");
    assert_eq!(answers[1..4], ["= 60", "=", "= 50"]);
    assert!(answers[4].starts_with("? playouts=no is out of range: write a number from 1"), "{out}");

    // What is printed can be read again, and says the same.
    let (_, printed, _) = run(&["--engine", "go-mcts:level=3", "--print-config"], b"");
    std::fs::write(&file, &printed).unwrap();
    let (_, again, _) = run(&["--config", config, "--print-config"], b"");
    assert_eq!(printed, again);
    assert!(printed.contains("playouts = 150\n"), "{printed}");

    std::fs::write(&file, "playouts = 0\n").unwrap();
    let (code, _, err) = run(&["--config", config, "--engine", "go-mcts"], b"");
    assert_eq!(code, Some(3));
    assert!(
        err.contains("mine.toml:1:12: playouts: playouts=0 is out of range: write a number from 1"),
        "{err}"
    );
    let (code, _, err) = run(&["--config", config, "--engine", "go-flat"], b"");
    assert_eq!(
        (code, err.contains("mine.toml:1:12: playouts: engine go-flat has no parameter")),
        (Some(3), true),
        "{err}"
    );
    std::fs::write(&file, &printed).unwrap();
    let (code, _, err) = run(&["--config", config, "--engine", "go-network"], b"");
    let wrong = "mine.toml:3:10: engine: these are parameters of go-mcts, not of go-network";
    assert_eq!((code, err.contains(wrong)), (Some(3), true), "{err}");
}

/// A rank is a player of its own, with the same moves for the same seed.
#[test]
fn ranks_are_players() {
    let game = |seed: &str| {
        let args = ["--rank", "12k", "--size", "9", "--seed", seed, "--quiet"];
        run(&args, b"genmove b\ngenmove w\ngenmove b\nishi-engine\nishi-param rank 7k\nishi-engine\n")
    };
    let (code, out, err) = game("1");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("= go-rank:rank=12k\n") && out.contains("= go-rank:rank=7k\n"), "{out}");
    assert_eq!(game("1").1, out);
    let others = ["2", "3", "4"].map(|seed| game(seed).1);
    assert!(others.iter().any(|other| *other != out), "{out}");
    let (code, _, err) = run(&["--rank", "31k"], b"");
    assert_eq!((code, err.contains("\"31k\" must be a rank from 25k to ")), (Some(2), true), "{err}");
    let (code, _, err) = run(&["--rank", "8k", "--level", "3"], b"");
    assert_eq!((code, err.contains("--level")), (Some(2), true), "{err}");
}

/// Without --engine it is the strong player. Levels are those of the player with playouts, threads are of both.
#[test]
fn the_usual_player_has_levels_and_threads() {
    let named = |args: &[&str], command: &str| run(args, format!("{command}\n").as_bytes()).1;
    assert_eq!(named(&["-q"], "ishi-engine"), "= go-network\n\n");
    assert_eq!(named(&["-q", "--threads", "2"], "ishi-engine"), "= go-network:threads=2\n\n");
    let engine = named(&["-q", "--level", "3", "--threads", "2"], "ishi-param playouts");
    assert_eq!(engine, "= 150\n\n");
    assert_eq!(named(&["-q", "--level", "3", "--threads", "2"], "ishi-param threads"), "= 2\n\n");
    assert_eq!(
        named(&["-q", "--engine", "go-mcts:threads=3", "--threads", "2"], "ishi-param threads"),
        "= 3\n\n"
    );
    for (args, problem) in [
        (&["--level", "11"][..], "--level 11: in Go it must be 1 to 10"),
        (&["--level", "3", "--engine", "go-flat"], "--level 3 and --engine go-flat: give one of them"),
        (&["--engine", "go-mctsx"], "no engine \"go-mctsx\""),
    ] {
        let (code, _, err) = run(args, b"");
        assert_eq!((code, err.contains(problem)), (Some(3), true), "{err}");
    }
}

/// What is found in the opponent's time serves the next move, if the opponent does what was expected: more visits than the search of
/// that move has playouts.
#[test]
fn a_player_ponders() {
    let engine = "go-mcts:ponder=yes,settle=no,playouts=20,resign=0";
    let mut child = start(&["--engine", engine, "--size", "3", "--quiet"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    stdin.write_all(b"lz-genmove_analyze b 100000\n").unwrap();
    let mut lines = std::io::BufRead::lines(&mut out).map(Result::unwrap);
    let found = lines.find(|line| line.starts_with("info move ")).unwrap();
    assert!(lines.any(|line| line.starts_with("play ")));
    let expected = found.split(" pv ").nth(1).and_then(|line| line.split(' ').nth(1)).unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let next = format!("play w {expected}\nlz-genmove_analyze b 100000\nquit\n");
    stdin.write_all(next.as_bytes()).unwrap();
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert!(child.wait().unwrap().success());
    let words: Vec<&str> = rest.split_whitespace().collect();
    let visits = words.windows(2).filter(|pair| pair[0] == "visits");
    let sum: u64 = visits.map(|pair| pair[1].parse::<u64>().unwrap()).sum();
    assert!(sum > 40, "{sum} visits: {rest}");
}
