//! Othello's records and positions as a user meets them: `ishi othello show`, `convert` and `perft`, `ishi sgf`.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ishi_othello::wthor::WthorDatabase;
use ishi_othello::{Position, obf};

use crate::support::program::tell_missing;

/// The shortest game: Black takes every white disc.
const SHORTEST: &str = "e6f4e3f6g5d6e7f5c5";

fn ishi(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ishi")).args(args).output().unwrap()
}

/// Standard output of a command that succeeds.
fn told(args: &[&str]) -> String {
    let output = ishi(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Standard error of a command that fails because of its input.
fn refused(args: &[&str]) -> String {
    let output = ishi(args);
    assert_eq!(output.status.code(), Some(3), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn positions_are_shown() {
    let board = told(&["othello", "show", "f5"]);
    assert!(board.contains("5 - - - X X X - -"), "{board}");
    assert!(board.contains("Move 1 of 1: black f5. X 4, O 1."), "{board}");
    assert!(board.contains("white (O) to move: f4 d6 f6"), "{board}");
    let picture = told(&["othello", "show", "f5", "--out", "-"]);
    assert!(picture.starts_with("<svg ") && picture.contains("<title>f5</title>"), "{picture}");
    let over = told(&["othello", "show", SHORTEST]);
    assert!(over.contains("The game is over: +64 for Black."), "{over}");
    let line = Position::start().to_line();
    let shown: serde_json::Value =
        serde_json::from_str(&told(&["othello", "show", &line, "--json"])).unwrap();
    assert_eq!(shown["position"], line);
    assert_eq!(shown["legal"], serde_json::json!(["d3", "c4", "f5", "e6"]));
}

#[test]
fn what_is_no_position_is_refused() {
    for (args, message) in [
        (&["othello", "show", "f5f6f5"][..], "move 3: black may not play f5: the square is occupied"),
        (&["othello", "show", "nothing.sgf"], "is no file, and no transcript"),
        (&["othello", "show", "f5", "--move", "2"], "no move 2: the game has 1"),
        (&["othello", "show", "f5", "--game", "2"], "no game 2 in f5: it has 1 game"),
        (&["othello", "perft", "3", "--position", "XO"], "is no file, and no transcript"),
    ] {
        let error = refused(args);
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

/// Converts from file to file; every format that keeps the moves leads back to the same transcripts.
#[test]
fn records_survive_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("games.txt"), format!("# two games\nF5 d6 3. c3 d3\n{SHORTEST}\n")).unwrap();
    let mut from = at("games.txt");
    for (format, name) in [("sgf", "a.sgf"), ("ggf", "a.ggf"), ("wthor", "a.wtb"), ("transcript", "b.txt")] {
        told(&["othello", "convert", text(&from), "--to", format, "-o", text(&at(name))]);
        from = at(name);
    }
    assert_eq!(fs::read_to_string(&from).unwrap(), format!("f5d6c3d3\n{SHORTEST}\n"));
    let boards = told(&["othello", "convert", text(&from), "--to", "obf", "-o", "-"]);
    let boards = obf::read_problems(&boards).unwrap();
    assert_eq!(boards[1].position.score(), 64);
    let error = refused(&["othello", "convert", text(&from), "--to", "sgf", "-o", text(&at("a.sgf"))]);
    assert!(error.contains("exists"), "{error}");
}

#[test]
fn names_go_with_wthor() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let game = "(;GM[Othello]PC[Tokyo]DT[2006]PB[Tamenori]PW[Seeley]RE[+4]B[f5]W[d6];)";
    fs::write(at("game.txt"), game).unwrap();
    told(&["othello", "convert", text(&at("game.txt")), "--to", "wthor", "-o", text(&at("g.wtb"))]);
    let database = WthorDatabase::from_bytes(&fs::read(at("g.wtb")).unwrap()).unwrap();
    assert_eq!((database.year, database.games[0].result), (2006, 34));
    let (jou, trn) = (at("g.jou"), at("g.trn"));
    let lists = ["--players", text(&jou), "--tournaments", text(&trn)];
    let wtb = at("g.wtb");
    let back = told(&[&["othello", "convert", text(&wtb), "--to", "ggf", "-o", "-"], &lists[..]].concat());
    for part in ["PC[Tokyo]", "DT[2006]", "PB[Tamenori]", "PW[Seeley]", "RE[+4]", "B[f5]W[d6]"] {
        assert!(back.contains(part), "{part} in {back}");
    }
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("problem.obf");
    let line = "-".repeat(27) + "XO" + &"-".repeat(35) + " X; F4:+30;";
    fs::write(&file, &line).unwrap();
    for format in ["transcript", "wthor"] {
        let error = refused(&["othello", "convert", text(&file), "--to", format, "-o", "-"]);
        assert!(error.contains("game 1 does not begin at the start"), "{error}");
    }
    assert!(
        told(&["othello", "convert", text(&file), "--to", "sgf", "-o", "-"]).contains("AB[d4]AW[e4]PL[B]")
    );
    fs::write(&file, line.replace("+30", "+99")).unwrap();
    let error = refused(&["othello", "show", text(&file)]);
    assert!(error.contains("problem.obf: line 1: invalid field \"F4:+99\""), "{error}");
}

#[test]
fn perft_counts() {
    let counts = told(&["othello", "perft", "6"]);
    assert!(counts.ends_with(" 6           8200  as published\n"), "{counts}");
    let json: serde_json::Value =
        serde_json::from_str(&told(&["othello", "perft", "2", "--position", "f5", "--json"])).unwrap();
    let found = [&json[1]["depth"], &json[1]["count"], &json[1]["published"]];
    assert_eq!(found, [&serde_json::json!(2), &serde_json::json!(14), &serde_json::Value::Null]);
}

#[test]
fn sgf_commands_know_othello() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    fs::write(&file, "(;GM[2]PB[a]PW[b]RE[B+2];B[f5];W[d6];B[f5])").unwrap();
    let report = told(&["sgf", "check", text(&file)]);
    assert!(
        report.contains("Othello 8x8, 4 nodes, 3 moves, a (black) against b (white), result B+2"),
        "{report}"
    );
    assert!(report.contains("move 3, black f5 at line 1"), "{report}");
    let shown = told(&["sgf", "show", text(&file), "--move", "2"]);
    assert!(shown.contains("6 - - - O - - - -"), "{shown}");
    assert!(refused(&["sgf", "show", text(&file)]).contains("the square is occupied"));
}

fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    // Past the test runner's capture, so that it is heard.
    tell_missing(format_args!("../shared ({})", path.display()));
    None
}

#[test]
fn the_endgame_suite_is_read() {
    let Some(folder) = shared("exams/othello/ffo") else { return };
    let mut problems = 0;
    for file in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let suite = obf::read_problems(&text).unwrap();
        problems += suite.len();
        for problem in &suite {
            let moves = problem.position.legal_moves();
            assert!(problem.scores.iter().all(|(mv, _)| moves.contains(mv)), "{problem}");
        }
        assert_eq!(obf::read_problems(&obf::write_problems(&suite)), Ok(suite));
    }
    assert_eq!(problems, 79);
}

#[test]
fn the_federations_games_are_read_and_replayed() {
    let Some(folder) = shared("data/othello/wthor") else { return };
    let (mut games, mut finished, mut same) = (0, 0, 0);
    for file in fs::read_dir(folder).unwrap() {
        let packed = fs::read(file.unwrap().path()).unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(packed.as_slice()), &mut bytes).unwrap();
        let database = WthorDatabase::from_bytes(&bytes).unwrap();
        assert!(database.to_bytes().unwrap() == bytes, "written as it was read");
        for game in &database.games {
            let position = game.replay().unwrap();
            games += 1;
            finished += usize::from(position.is_over());
            same += usize::from(position.is_over() && position.score() == game.score());
        }
    }
    eprintln!("{games} games, {finished} to the end, {same} of these with the score that is stored");
    assert!(games > 100_000 && finished * 100 > games * 99 && same == finished);
}
