//! Races on diagrams, each asked from both sides; random ones, held against themselves turned round and with more moves to read.

use ishi_go::{Board, BoardSize, Color, Diagram, Move, Point, Symmetry};
use ishi_reading::{RaceReader, ReadingOutcome};
use ishi_rng::Seed;

/// The outcomes for `stone` against `rival`: what its owner reaches by moving first, and what the rival does.
fn judged(text: &str, stone: &str, rival: &str, survive: ReadingOutcome, fall: ReadingOutcome) {
    let board = text.parse::<Diagram>().unwrap().to_board().unwrap();
    let [stone, rival]: [Point; 2] = [stone, rival].map(|vertex| board.size().parse_point(vertex).unwrap());
    let mut reader = RaceReader::default();
    let answers = [reader.read_survival(&board, stone, rival), reader.read_fall(&board, stone, rival)];
    let outcomes = answers.map(|answer| answer.expect("read to the end").outcome);
    assert_eq!(outcomes, [survive, fall], "{board}");
}

#[test]
fn whoever_moves_first_wins_an_even_race() {
    let text = "
        . . . . . . . .
        . . . . . . . .
        O O O O X X X X
        O . X X O O . X
        O . X X O O . X
    ";
    judged(text, "C1", "E1", ReadingOutcome::Works, ReadingOutcome::Works);
    judged(text, "E1", "C1", ReadingOutcome::Works, ReadingOutcome::Works);
}

#[test]
fn an_eye_each_and_a_shared_liberty_are_seki() {
    let text = "
        . . . . . . .
        . . . . . . .
        O O O X X X X
        X X X O O O O
        . X X . O O .
    ";
    judged(text, "C1", "E1", ReadingOutcome::Works, ReadingOutcome::Fails);
    judged(text, "E1", "C1", ReadingOutcome::Works, ReadingOutcome::Fails);
}

#[test]
fn an_eye_wins_against_none() {
    let text = "
        . . . . . . . .
        . . . . . . . .
        O O O X X X X X
        X X X O O O . X
        . X X . O O O X
    ";
    judged(text, "C1", "E1", ReadingOutcome::Works, ReadingOutcome::Fails);
    judged(text, "E1", "C1", ReadingOutcome::Fails, ReadingOutcome::Works);
}

/// Seven liberties each, in a row along the safe stones of the other: they can be filled in any order, and only one is read.
#[test]
fn liberties_of_which_one_is_as_good_as_another_are_counted() {
    let text = "
        . . . . . . . . . .
        O O O O O O O O . .
        . . . . . . . O . .
        X X X X X X X O . .
        O O O O O O O X . .
        . . . . . . . X . .
        X X X X X X X X . .
        . . . . . . . . . .
    ";
    let board = text.parse::<Diagram>().unwrap().to_board().unwrap();
    let [black, white]: [Point; 2] = ["A5", "A4"].map(|vertex| board.size().parse_point(vertex).unwrap());
    let mut reader = RaceReader::default();
    for (stone, rival) in [(black, white), (white, black)] {
        for answer in [reader.read_survival(&board, stone, rival), reader.read_fall(&board, stone, rival)] {
            let answer = answer.unwrap();
            assert_eq!(answer.outcome, ReadingOutcome::Works);
            assert!(answer.nodes < 1000, "{}", answer.nodes);
        }
    }
}

/// The same, but for a point at which Black's chain can join safe stones: White must take it, and then one liberty is missing in the race.
#[test]
fn a_liberty_beside_own_safe_stones_is_not_like_another() {
    let text = "
        . . . . . . . X . . . . .
        O O O O O O O X . . . . .
        . . . . . . . X . . . . .
        X X X X X X X O O O O O .
        O O O O O O O X X X X X .
        . . . . . . . X . . . . .
        X X X X X X X X . . . . .
        . . . . . . . . . . . . .
    ";
    judged(text, "A5", "A4", ReadingOutcome::Works, ReadingOutcome::Works);
    let board = text.parse::<Diagram>().unwrap().to_board().unwrap();
    let [black, white, joint]: [Point; 3] =
        ["A5", "A4", "G6"].map(|vertex| board.size().parse_point(vertex).unwrap());
    assert_eq!(RaceReader::default().read_fall(&board, black, white).unwrap().mv, Some(joint));
}

/// White's three stones can be taken, but what is left then is no more than one eye.
#[test]
fn who_captures_a_nakade_has_not_won() {
    let text = "
        . . . . . . .
        . . . . . . .
        O O O O O O .
        X X X X X O .
        . O O O X O .
    ";
    judged(text, "E1", "C1", ReadingOutcome::Fails, ReadingOutcome::Works);
}

#[test]
fn two_stones_of_one_colour_run_no_race() {
    let board = ". . .\nX . X\n. . .".parse::<Diagram>().unwrap().to_board().unwrap();
    let [a, b] = ["A2", "C2"].map(|vertex| board.size().parse_point(vertex).unwrap());
    assert_eq!(RaceReader::default().read_survival(&board, a, b), None);
}

/// A position late in a game of random moves.
fn random_board(seed: u64, moves: usize) -> Board {
    let mut board = Board::new(BoardSize::square(7).unwrap());
    let (mut rng, mut color) = (Seed::new(seed).stream("races", 0), Color::Black);
    for _ in 0..moves {
        let points: Vec<Point> = board.empty_points().filter(|&p| board.is_sensible(color, p)).collect();
        let mv = rng.choose(&points).map_or(Move::Pass, |&point| Move::Play(point));
        board.play_unchecked(color, mv);
        color = !color;
    }
    board.set_ko(None);
    board
}

/// Pairs of stones of different colours that stand beside each other, one of each pair of chains.
pub(crate) fn rivals(board: &Board) -> Vec<(Point, Point)> {
    let mut pairs: Vec<(Point, Point)> = Vec::new();
    let of = |point: Point| board.chain(point);
    for stone in board.size().points().filter(|&p| board.color(p) == Some(Color::Black)) {
        for rival in stone.neighbours() {
            let is_new = !pairs.iter().any(|&(a, b)| of(a) == of(stone) && of(b) == of(rival));
            if board.color(rival) == Some(Color::White) && is_new {
                pairs.push((stone, rival));
            }
        }
    }
    pairs
}

/// A board turned round, and where its points go.
fn turned(board: &Board) -> (Board, impl Fn(Point) -> Point) {
    let (size, turn) = (board.size(), Symmetry::for_size(board.size())[5]);
    (turn.map_board(board), move |point: Point| turn.map_move(size, point.into()).point().unwrap())
}

#[test]
fn random_races_turned_round_end_the_same() {
    let (mut few, mut many) = (RaceReader::new(2_000), RaceReader::new(20_000));
    let (mut asked, mut known) = (0, 0);
    for seed in 0..60 {
        let board = random_board(seed, 44);
        let (other, to) = turned(&board);
        for (stone, rival) in rivals(&board) {
            asked += 1;
            let Some(here) = few.read_survival(&board, stone, rival) else { continue };
            let Some(there) = many.read_survival(&other, to(stone), to(rival)) else { continue };
            known += 1;
            let clear = |outcome| matches!(outcome, ReadingOutcome::Works | ReadingOutcome::Fails);
            if clear(here.outcome) && clear(there.outcome) {
                assert_eq!(here.outcome, there.outcome, "{stone} {rival}\n{board}");
            }
        }
    }
    assert!(known * 5 > asked, "{known} of {asked} were read to the end");
}

/// White has just taken a ko, and Black, with one liberty, may not retake it at once.
#[test]
fn who_may_not_retake_a_ko_needs_a_threat_for_the_race() {
    let diagram: Diagram = "
        . . . . . . .
        . . O O O O .
        . . O O O O O
        . O O X X O .
        . O O X . X O
        . O O X X O .
        . O . X X O O
    "
    .parse()
    .unwrap();
    let mut board = diagram.to_board().unwrap();
    let [stone, rival, taking, retaking] =
        ["D4", "F2", "E3", "F3"].map(|vertex| board.size().parse_point(vertex).unwrap());
    board.play_unchecked(Color::White, Move::Play(taking));
    assert_eq!(board.ko_point(), Some(retaking));
    let answer = RaceReader::default().read_survival(&board, stone, rival).unwrap();
    assert_eq!((answer.outcome, answer.mv), (ReadingOutcome::KoSecond, Some(retaking)));
}
