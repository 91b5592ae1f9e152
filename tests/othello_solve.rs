//! `ishi othello solve` and `ishi othello evaluation` as a user meets them.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::Path;
use std::process::{Command, Output};

use ishi_othello::{Board, Square, iter_squares};
use ishi_rng::Seed;
use serde_json::Value;

fn ishi(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ishi"))
        .current_dir(folder)
        .args(["othello", "--quiet"])
        .args(args)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Exit code and message.
fn refused(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = ishi(folder, args);
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The exact score, the plain way.
fn plain(board: Board) -> i32 {
    if board.is_over() {
        return board.final_score();
    }
    match board.children().map(|(_, child)| -plain(child)).max() {
        Some(best) => best,
        None => -plain(board.pass()),
    }
}

/// A position of a random game with seven empty squares and a legal move.
fn position(number: u64) -> Board {
    let mut rng = Seed::new(5).stream("solve", number);
    loop {
        let mut board = Board::START;
        while board.empty_count() > 7 && !board.is_over() {
            let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
            board = rng.choose(&moves).map_or(board.pass(), |&square| board.play_unchecked(square));
        }
        if board.empty_count() == 7 && board.legal_moves() != 0 {
            return board;
        }
    }
}

/// A line of a file: black is to move, and one of the best moves has this score.
fn line(board: Board, score: i32) -> String {
    let disc = |square: Square| match (board.player & square.bit(), board.opponent & square.bit()) {
        (0, 0) => '-',
        (0, _) => 'O',
        _ => 'X',
    };
    let drawn: String = Square::all().map(disc).collect();
    let best = board.children().max_by_key(|&(_, child)| -plain(child)).unwrap().0;
    format!("{drawn} X; {best}:{score:+};\n")
}

#[test]
fn scores_are_found_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let boards: Vec<Board> = (0..4).map(position).collect();
    let scores: Vec<i32> = boards.iter().map(|&board| plain(board)).collect();
    let right: String = boards.iter().zip(&scores).map(|(&board, &score)| line(board, score)).collect();
    std::fs::write(folder.path().join("right.obf"), &right).unwrap();
    let output = ishi(folder.path(), &["solve", "right.obf", "--threads", "1", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    for (solved, score) in report["positions"].as_array().unwrap().iter().zip(&scores) {
        assert_eq!(
            (solved["score"].as_i64(), solved["correct"].as_bool()),
            (Some((*score).into()), Some(true))
        );
    }
    let text = stdout(&ishi(folder.path(), &["solve", "right.obf", "--only", "2-3"]));
    assert!(text.contains("2 positions") && text.lines().count() == 4, "{text}");
    let signs = ishi(folder.path(), &["solve", "right.obf", "--win-loss"]);
    assert!(signs.status.success() && stdout(&signs).contains(" ok "), "{}", stdout(&signs));
    // One score is wrong.
    std::fs::write(folder.path().join("wrong.obf"), line(boards[0], (scores[0] + 2).min(64) - 4)).unwrap();
    let (code, message) = refused(folder.path(), &["solve", "wrong.obf"]);
    assert_eq!(code, 1);
    assert!(message.contains("1 scores differ"), "{message}");
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.obf"), line(position(0), plain(position(0)))).unwrap();
    std::fs::write(folder.path().join("bad.obf"), "XXXX X;\n").unwrap();
    std::fs::write(folder.path().join("empty.obf"), "").unwrap();
    for (args, code, part) in [
        (vec!["solve", "bad.obf"], 3, "bad.obf: line 1"),
        (vec!["solve", "empty.obf"], 3, "there are no positions in it: it must be OBF"),
        (vec!["solve", "one.obf", "--only", "2"], 3, "has 1 positions"),
        (vec!["solve", "absent.obf"], 4, "absent.obf"),
        (vec!["evaluation", "fit", "--out", "x.bin"], 3, "nothing to learn from"),
        (vec!["evaluation", "error", "--records", "bad.obf"], 3, "bad.obf"),
        (vec!["evaluation", "self-play", "--out", "bad.obf"], 3, "bad.obf"),
    ] {
        let (found, message) = refused(folder.path(), &args);
        assert_eq!(found, code, "{args:?}: {message}");
        assert!(message.contains(part), "{args:?}: {message}");
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("bad.obf")).unwrap(), "XXXX X;\n");
}

#[test]
fn self_play_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let play = |out: &str, games: &str| {
        let args =
            ["evaluation", "self-play", "--out", out, "--games", games, "--depth", "2", "--exact", "8"];
        let output = ishi(folder.path(), &args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read(folder.path().join(out)).unwrap()
    };
    play("parts.bin", "3");
    // A kill in the middle of a write.
    let path = folder.path().join("parts.bin");
    let torn = std::fs::read(&path).unwrap();
    std::fs::write(&path, &torn[..torn.len() - 5]).unwrap();
    assert_eq!(play("parts.bin", "6"), play("whole.bin", "6"));
}
