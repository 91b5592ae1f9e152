//! NBoard's protocol: sessions as the specification and NBoard itself have them, and lines nobody should send.
//!
//! A script in tests/nboard has lines to the player after `< ` and the expected answers after `> `, as the
//! specification writes them. `...` stands for any text; `> ...` alone for any number of lines.

#![allow(clippy::disallowed_methods)]

use std::fs;
use std::path::PathBuf;

use ishi_engine::StoppedClock;
use ishi_gtp::{CommandInput, Inbox, ServeEnd};
use ishi_othello::{Move, Position};
use ishi_othello_play::levels::{Level, LevelPlayer};
use ishi_othello_play::nboard::{NBoard, NBoardSettings, is_ping};
use ishi_othello_play::search::{SearchParams, Searcher};
use ishi_rng::Seed;
use proptest::prelude::*;

fn nboard(settings: NBoardSettings) -> NBoard {
    let searcher = Searcher::new(SearchParams { hash_bits: 14, threads: 1 });
    NBoard::new(LevelPlayer::new(Level::LOWEST, Seed::new(1), searcher), Box::new(StoppedClock), settings)
}

/// A player that searches: without a book.
fn searching() -> NBoard {
    nboard(NBoardSettings { book: None, ..NBoardSettings::default() })
}

/// What is answered to these bytes, which have all arrived.
fn answers(nboard: &mut NBoard, input: &[u8]) -> (String, ServeEnd) {
    let mut inbox = Inbox::with_interrupt(is_ping);
    inbox.push_bytes(input);
    inbox.close();
    let mut output = Vec::new();
    let ended = nboard.serve_lines(&mut inbox, &mut output).unwrap();
    (String::from_utf8(output).unwrap(), ended)
}

/// Lines that begin with this sign, without it.
fn lines<'a>(script: &'a str, sign: &str) -> Vec<&'a str> {
    script.lines().filter_map(|line| line.strip_prefix(sign)).map(str::trim).collect()
}

fn same_line(expected: &str, found: &str) -> bool {
    let mut parts = expected.split("...");
    let Some(mut rest) = found.strip_prefix(parts.next().unwrap_or("")) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (number, part) in parts.iter().enumerate() {
        let last = number + 1 == parts.len();
        let at = if last { rest.ends_with(part).then(|| rest.len() - part.len()) } else { rest.find(part) };
        let Some(at) = at else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

fn same_lines(expected: &[&str], found: &[&str]) -> bool {
    match (expected, found) {
        ([], _) => found.is_empty(),
        (["...", rest @ ..], _) => (0..=found.len()).any(|skipped| same_lines(rest, &found[skipped..])),
        ([first, rest @ ..], [line, more @ ..]) => same_line(first, line) && same_lines(rest, more),
        _ => false,
    }
}

#[test]
fn scripts() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/nboard");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let script = fs::read_to_string(&file).unwrap();
        let mut input = lines(&script, "< ").join("\n");
        input.push('\n');
        let (output, _) = answers(&mut searching(), input.as_bytes());
        let found: Vec<&str> = output.lines().collect();
        assert!(same_lines(&lines(&script, ">"), &found), "{}: found\n{output}", file.display());
    }
}

/// Every position of a game with passes: `go` answers with a legal move, and with PA where that must be.
#[test]
fn go_is_legal_everywhere() {
    let mut rng = Seed::new(3).stream("game", 0);
    for _ in 0..20 {
        let mut game = Position::start();
        let mut nboard = searching();
        let mut script = String::from("nboard 2\nset depth 1\n");
        while !game.is_over() {
            let (output, _) = answers(&mut nboard, format!("{script}go\n").as_bytes());
            let answer = output.lines().find_map(|line| line.strip_prefix("=== ")).unwrap().to_string();
            let mv: Move = answer.split('/').next().unwrap().parse().unwrap();
            assert!(game.legal_moves().contains(&mv), "{answer} in {game:?}");
            let mv = *rng.choose(&game.legal_moves()).unwrap();
            game.play(mv).unwrap();
            let name = if mv == Move::Pass { "PA".to_string() } else { mv.to_string().to_uppercase() };
            script = format!("move {name}/0/0\n");
        }
        let (output, _) = answers(&mut nboard, format!("{script}go\n").as_bytes());
        assert!(output.contains("\n=== PA\n"), "{output}");
    }
}

/// A ping behind a deep hint ends it: its lines come before the pong.
#[test]
fn a_ping_stops_what_runs() {
    let script = b"nboard 2\nset depth 60\nmove F5\nmove D6\nhint 3\nping 8\n";
    let (output, ended) = answers(&mut searching(), script);
    assert_eq!(ended, ServeEnd::EndOfInput);
    assert!(output.ends_with("status\npong 8\n"), "{output}");
    let (output, _) = answers(&mut searching(), b"nboard 2\nset depth 60\nmove F5\nmove D6\ngo\nping 9\n");
    assert!(output.contains("=== ") && output.ends_with("pong 9\n"), "{output}");
    let (output, _) = answers(&mut searching(), b"nboard 2\nset depth 60\nmove F5\nanalyze\nping 9\n");
    assert!(output.ends_with("status\npong 9\n"), "{output}");
}

/// The game is over for a GUI that has closed its end: what runs ends, with the pipe's error.
#[test]
fn a_closed_output_ends_the_loop() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut inbox = Inbox::with_interrupt(is_ping);
    inbox.push_bytes(b"set depth 60\nmove F5\nmove D6\nhint 5\n");
    let error = searching().serve_lines(&mut inbox, &mut Closed).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    assert!(inbox.has_pending_input(), "the first line that could not be answered was the last");
}

#[test]
fn a_fixed_level_takes_no_depth() {
    let settings = NBoardSettings { fixed_level: true, book: None, name: "mine".to_string() };
    let (output, _) = answers(&mut nboard(settings), b"nboard 2\nset depth 60\nmove F5\ngo\n");
    assert!(output.starts_with("set myname mine\nstatus mine is thinking\n"), "{output}");
    assert!(output.contains("=== "), "{output}");
}

/// The book answers first, and a draw in it is worth what contempt says.
#[test]
fn the_book_is_told() {
    let (output, _) =
        answers(&mut nboard(NBoardSettings::default()), b"nboard 2\nset depth 2\nmove F5\ngo\n");
    assert!(output.contains("=== "), "{output}");
    let told = output.contains("\nbook ");
    assert_eq!(told, !output.contains("\nsearch "), "book or search, not both: {output}");
}

/// After F5 D6, C5 draws and C3 and C4 are worth a disc. After F5 D6 C5 F4 D3, G5 draws and E3 and C4 are worth more.
/// Contempt puts the draw first or last for Black, and the other way round for White, up to the largest numbers.
#[test]
fn contempt_orders_the_draws_of_the_book() {
    let squares_told = |moves: &str, contempt: i32| {
        let game: String = moves.split(' ').map(|square| format!("move {square}\n")).collect();
        let script = format!("nboard 2\nset depth 1\nset contempt {contempt}\n{game}hint 9\n");
        let (output, _) = answers(&mut nboard(NBoardSettings::default()), script.as_bytes());
        let told = output.lines().filter_map(|line| line.strip_prefix("book "));
        told.map(|line| line[..2].to_string()).collect::<Vec<_>>()
    };
    for (moves, draw, first, last) in
        [("F5 D6", "C5", i32::MAX, i32::MIN), ("F5 D6 C5 F4 D3", "G5", i32::MIN, i32::MAX)]
    {
        assert_eq!(squares_told(moves, first)[0], draw);
        assert_ne!(squares_told(moves, 0)[0], draw);
        assert_eq!(squares_told(moves, last).last().unwrap(), draw);
    }
}

/// Whoever sends a move that cannot be read would else play on another board. Other lines that are not understood stay without an answer.
#[test]
fn a_move_that_cannot_be_read_is_told() {
    let (output, _) =
        answers(&mut searching(), b"move z9\nmove\nset depth deep\nnonsense\nmove D3\nping 1\n");
    let told =
        |text: &str| format!("status move ignored: {text:?} must be a square such as F5, or PA for a pass\n");
    assert_eq!(output, format!("{}{}pong 1\n", told("z9"), told("")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_make_it_panic(input in proptest::collection::vec(any::<u8>(), 0..300)) {
        answers(&mut searching(), &input);
    }

    #[test]
    fn every_ping_is_answered_whatever_comes_between(
        lines in proptest::collection::vec(
            "(move (F5|D6|PA|a1|C3/1/2)|set (depth [1-3]|contempt (-?9|-2147483648|2147483647)|game \\(;GM\\[Othello\\]B\\[f5\\];\\)|game x)|hint [0-9]|go|learn|analyze|[a-z]{3}|F5)",
            0..12,
        ),
    ) {
        let script: String = lines.iter().enumerate().map(|(n, line)| format!("{line}\nping {n}\n")).collect();
        let (output, _) = answers(&mut searching(), format!("set depth 1\n{script}").as_bytes());
        let pongs: Vec<&str> = output.lines().filter(|line| line.starts_with("pong")).collect();
        prop_assert_eq!(pongs, (0..lines.len()).map(|n| format!("pong {n}")).collect::<Vec<_>>());
        let moves = output.lines().filter(|line| line.starts_with("===")).count();
        prop_assert_eq!(moves, lines.iter().filter(|line| *line == "go").count());
    }
}
