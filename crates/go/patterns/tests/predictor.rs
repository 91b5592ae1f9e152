//! The shipped predictor: symmetric, the same on boards of all sizes, and as good as it is said to be.

#![allow(clippy::disallowed_methods)] // A test may read files.

use std::io::{Read, Write};
use std::path::Path;

use ishi_go::{Board, BoardSize, Color, Move, Point, Symmetry};
use ishi_patterns::{FeatureScratch, MoveContext, MovePredictor, evaluate, records};
use ishi_rng::{Rng, Seed};

/// A random game's position: the board, the side to move and the last two moves.
struct Case {
    board: Board,
    to_move: Color,
    moves: Vec<Point>,
}

impl Case {
    fn random(size: BoardSize, length: usize, rng: &mut Rng) -> Case {
        let (mut board, mut to_move, mut moves) = (Board::new(size), Color::Black, Vec::new());
        for _ in 0..length {
            let choices: Vec<Point> = size
                .points()
                .filter(|&point| board.is_legal(to_move, point) && !board.is_eyelike(to_move, point))
                .collect();
            let Some(&point) = rng.choose(&choices) else { break };
            board.play_unchecked(to_move, Move::Play(point));
            moves.push(point);
            to_move = !to_move;
        }
        Case { board, to_move, moves }
    }

    fn context(&self) -> MoveContext<'_> {
        let back = |n: usize| self.moves.len().checked_sub(n).map(|at| self.moves[at]);
        MoveContext { board: &self.board, to_move: self.to_move, last: back(1), before: back(2) }
    }
}

fn rated(context: &MoveContext, scratch: &mut FeatureScratch) -> Vec<(Point, f32)> {
    let mut out = Vec::new();
    MovePredictor::shipped().rate_moves(context, scratch, &mut out);
    out
}

#[test]
fn the_shipped_table_can_be_read() {
    let predictor = MovePredictor::from_bytes(MovePredictor::shipped_bytes()).unwrap();
    assert!(predictor.model().keys.len() > 100_000);
    assert!(MovePredictor::shipped_bytes().len() < 3_000_000);
}

#[test]
fn every_legal_move_of_any_board_has_a_strength() {
    let mut scratch = FeatureScratch::new();
    for (n, (width, height)) in
        [(2, 2), (2, 25), (5, 5), (9, 9), (13, 7), (19, 19), (25, 25)].into_iter().enumerate()
    {
        let size = BoardSize::new(width, height).unwrap();
        for length in [0, 3, size.area() / 2, size.area()] {
            let mut rng = Seed::new(31).stream("sizes", n as u64);
            let case = Case::random(size, length, &mut rng);
            let rated = rated(&case.context(), &mut scratch);
            let legal: Vec<Point> =
                size.points().filter(|&point| case.board.is_legal(case.to_move, point)).collect();
            assert_eq!(rated.iter().map(|&(point, _)| point).collect::<Vec<_>>(), legal);
            assert!(rated.iter().all(|&(_, gamma)| gamma > 0.0 && gamma.is_finite()));
        }
    }
}

#[test]
fn the_quick_strengths_are_those_of_the_model() {
    let mut scratch = FeatureScratch::new();
    for n in 0..20 {
        let mut rng = Seed::new(35).stream("quick", n);
        let case = Case::random(BoardSize::square(19).unwrap(), rng.next_index(200), &mut rng);
        let context = case.context();
        for (point, gamma) in rated(&context, &mut scratch) {
            let score = MovePredictor::shipped().model().score_move(&scratch, &context, point);
            assert!((gamma.ln() - score).abs() < 1e-3, "{point}: {gamma} and e^{score}");
        }
    }
}

#[test]
fn a_used_scratch_changes_nothing() {
    let mut rng = Seed::new(32).stream("scratch", 0);
    let mut used = FeatureScratch::new();
    for n in 0..30 {
        let size = BoardSize::square([9, 19, 5][n % 3]).unwrap();
        let case = Case::random(size, 10 + rng.next_index(150), &mut rng);
        assert_eq!(rated(&case.context(), &mut used), rated(&case.context(), &mut FeatureScratch::new()));
    }
}

#[test]
fn the_eight_symmetries_and_the_colours_change_nothing() {
    let mut scratch = FeatureScratch::new();
    let (mut compared, mut different) = (0, 0);
    for n in 0..12 {
        let mut rng = Seed::new(33).stream("symmetry", n);
        let size = BoardSize::square(if n % 2 == 0 { 9 } else { 19 }).unwrap();
        let length = 5 + rng.next_index(size.area() / 2);
        let case = Case::random(size, length, &mut rng);
        let here = rated(&case.context(), &mut scratch);
        for &symmetry in Symmetry::for_size(size) {
            for swap in [false, true] {
                let other = transformed(&case, symmetry, swap);
                let there = rated(&other.context(), &mut scratch);
                for &(point, gamma) in &here {
                    let image = symmetry.map_point(size, point);
                    let same = there.iter().find(|(point, _)| *point == image).unwrap().1;
                    compared += 1;
                    different += usize::from((gamma.ln() - same.ln()).abs() > 1e-3);
                }
            }
        }
    }
    // Ladders that give up at their limit have looked at other moves on a turned board: there, and only there, it may differ.
    assert!(different * 500 < compared, "{different} of {compared}");
}

/// The same game on a turned board, perhaps with exchanged colours.
fn transformed(case: &Case, symmetry: Symmetry, swap: bool) -> Case {
    let size = case.board.size();
    let mut board = Board::new(size);
    let moves: Vec<Point> = case.moves.iter().map(|&point| symmetry.map_point(size, point)).collect();
    let turn = |color: Color| if swap { !color } else { color };
    let mut color = Color::Black;
    for &point in &moves {
        board.play_unchecked(turn(color), Move::Play(point));
        color = !color;
    }
    Case { board, to_move: turn(case.to_move), moves }
}

#[test]
fn strengths_for_playouts_are_symmetric_and_know_hane_from_eyes() {
    let playouts = MovePredictor::shipped().playout_strengths();
    let size = BoardSize::square(9).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for n in 0..20 {
        let mut rng = Seed::new(34).stream("shapes", n);
        let case = Case::random(size, 40, &mut rng);
        for &symmetry in Symmetry::for_size(size) {
            let other = transformed(&case, symmetry, true);
            for point in case.board.empty_points() {
                let here = playouts.shape_strength(case.to_move, case.board.neighbourhood(point));
                let image = symmetry.map_point(size, point);
                assert_eq!(here, playouts.shape_strength(other.to_move, other.board.neighbourhood(image)));
                seen.insert(here.to_bits());
            }
        }
    }
    assert!(seen.len() > 100, "shapes differ: {}", seen.len());
    assert!(playouts.distance_strength(2) > playouts.distance_strength(15), "answers are near the last move");
}

#[test]
fn moves_of_strong_players_are_foretold() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/go/games-valid.txt.gz");
    let Ok(packed) = std::fs::read(&file) else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: needs ../shared/data/go/games-valid.txt.gz");
        return;
    };
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
    let games = records::parse_first_records(&text, 20).unwrap();
    let accuracy = evaluate::evaluate_model(MovePredictor::shipped().model(), &games, 2, &|| false);
    let [first, fifth, twentieth] = accuracy.top_shares();
    assert!(accuracy.positions > 3000);
    assert!(first > 0.37 && fifth > 0.65 && twentieth > 0.84, "{:?}", accuracy.top_shares());
}
