//! Life and death on diagrams, each asked from both sides; random groups, held against themselves turned round and with more moves
//! to read.

use ishi_go::{Board, BoardSize, Color, Diagram, Move, Point, Symmetry};
use ishi_reading::{LifeReader, ReadingAnswer, ReadingOutcome};
use ishi_rng::Seed;

use ReadingOutcome::{Fails, KoFirst, KoSecond, Works};

/// Black's group with a stone on the vertex: what White reaches by moving first, and what Black does.
fn read(text: &str, stone: &str) -> (Diagram, [ReadingAnswer; 2]) {
    let diagram = text.parse::<Diagram>().unwrap();
    let board = diagram.to_board().unwrap();
    let stone = board.size().parse_point(stone).unwrap();
    let mut reader = LifeReader::new(1_000_000);
    let answers = [reader.read_death(&board, stone), reader.read_life(&board, stone)];
    (diagram, answers.map(|answer| answer.expect("read to the end")))
}

fn judged(text: &str, stone: &str, die: ReadingOutcome, live: ReadingOutcome) {
    let (diagram, answers) = read(text, stone);
    assert_eq!(answers.map(|answer| answer.outcome), [die, live], "{}", diagram.to_board().unwrap());
}

/// Whoever moves first has his way, and on the point a.
fn depends_on_the_vital_point(text: &str, stone: &str) {
    let (diagram, answers) = read(text, stone);
    for answer in answers {
        assert_eq!((answer.outcome, answer.mv), (Works, Some(diagram.marks[&'a'])));
    }
}

#[test]
fn three_in_a_row_depend_on_the_middle() {
    depends_on_the_vital_point(
        "
        . . . . . . .
        O O O O O . .
        X X X X O . .
        . a . X O . .
        ",
        "A2",
    );
}

#[test]
fn a_bulky_five_depends_on_its_middle() {
    depends_on_the_vital_point(
        "
        . . . . . . . .
        O O O O O . . .
        X X X O O . . .
        . . X X O . . .
        . a . X O . . .
        ",
        "A3",
    );
}

#[test]
fn a_rabbity_six_depends_on_its_middle() {
    depends_on_the_vital_point(
        "
        . . . . . . . .
        O O O O . . . .
        X X X O O . . .
        X . X X O . . .
        . a . X O . . .
        . . X X O . . .
        ",
        "A4",
    );
}

#[test]
fn two_points_are_no_two_eyes() {
    let text = "
        . . . . . . .
        O O O O . . .
        X X X O . . .
        . . X O . . .
    ";
    judged(text, "A2", Works, Fails);
}

#[test]
fn four_in_a_row_live() {
    let text = "
        . . . . . . . .
        O O O O O O . .
        X X X X X O . .
        . . . . X O . .
    ";
    judged(text, "A2", Fails, Works);
}

#[test]
fn a_square_of_four_is_dead() {
    let text = "
        . . . . . . . .
        O O O O . . . .
        X X X O . . . .
        . . X O . . . .
        . . X O . . . .
    ";
    judged(text, "A3", Works, Fails);
}

/// The six points need two liberties outside to live, with one it is a ko.
#[test]
fn rectangular_six_in_the_corner_depend_on_liberties_outside() {
    let none = "
        . . . . . . . .
        O O O O O . . .
        X X X X O O . .
        . . . X O . . .
        . . . X O . . .
    ";
    judged(none, "A3", Works, Works);
    let one = "
        . . . . . . . .
        O O O O O . . .
        X X X X . O . .
        . . . X O O . .
        . . . X O . . .
    ";
    judged(one, "A3", KoFirst, Works);
    let two = "
        . . . . . . . .
        O O O O O . . .
        X X X X . O . .
        . . . X . O . .
        . . . X O . . .
    ";
    judged(two, "A3", Fails, Works);
}

/// White is in already: the points around that stone are Black's all the same.
#[test]
fn a_prisoner_takes_no_room_away() {
    let text = "
        . . . . . . . .
        O O O O O O . .
        X X X X O O . .
        . . . X O O . .
        . O X X O O . .
        . . . X O . . .
    ";
    judged(text, "A4", Fails, Works);
}

#[test]
fn seki_is_life() {
    let text = "
        . . . . . . . . . .
        O O O O O O O O . .
        X X X X X X X O . .
        . O O O O . X O . .
    ";
    judged(text, "A2", Fails, Works);
}

/// The last liberty is no way out, but a capture is, of stones that share no liberty with the group.
#[test]
fn a_capture_beside_the_group_saves_it() {
    let text = "
        . . . . . . . .
        . . . . . . . .
        O O O O O . . .
        X X X O O . . .
        X . X O O . . .
        O X X O O . . .
        . O X O . . . .
    ";
    judged(text, "A4", Works, Works);
}

/// White's stone on G3 has three liberties, all of them in the fight: it may be taken with the corner.
#[test]
fn stones_whose_liberties_lie_in_the_fight_shut_nothing_off() {
    judged(
        "
        . . . . . . .
        . . O O O O .
        . . O O O O O
        . O O X X O .
        . O O X O . O
        . O O X X O .
        . . . X X O O
        ",
        "D4",
        Works,
        KoSecond,
    );
}

/// White has just taken a ko, and Black may not retake it at once. Without a threat he is dead. With one he takes it, and then E3 or the corner.
/// The group is closed in, or has a gap beside C1.
#[test]
fn who_may_not_retake_a_ko_needs_a_threat() {
    for row in [". O . X X O O", ". . . X X O O"] {
        let text = "
        . . . . . . .
        . . O O O O .
        . . O O O O O
        . O O X X O .
        . O O X . X O
        . O O X X O .
        ";
        let mut board = format!("{text}{row}").parse::<Diagram>().unwrap().to_board().unwrap();
        let [stone, taking, retaking] = ["D4", "E3", "F3"].map(|at| board.size().parse_point(at).unwrap());
        board.play_unchecked(Color::White, Move::Play(taking));
        assert_eq!(board.ko_point(), Some(retaking));
        let answer = LifeReader::new(1_000_000).read_life(&board, stone).expect("read to the end");
        assert_eq!((answer.outcome, answer.mv), (KoSecond, Some(retaking)), "{board}");
        board.set_ko(None);
        let answer = LifeReader::new(1_000_000).read_life(&board, stone).expect("read to the end");
        assert_ne!(answer.outcome, Fails, "{board}");
    }
}

/// Black can take four stones by E1. White plays in their place, and Black has one eye there. The solver of closed groups says the same after
/// three million moves.
#[test]
fn the_attacker_plays_where_stones_were_taken() {
    let diagram: Diagram = "
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        O O . . O O O O O . .
        . O . . O X X X O . .
        . O . . O X . . O O .
        . O . . O X X X X O .
        . O O O O X O . X O .
        . . . . . O . O X O .
    "
    .parse()
    .unwrap();
    let board = diagram.to_board().unwrap();
    let stone = board.size().parse_point("F3").unwrap();
    let answer = LifeReader::new(5000).read_life(&board, stone).expect("read to the end");
    assert_eq!(answer.outcome, Fails);
}

#[test]
fn there_must_be_a_stone() {
    let board = Board::new(BoardSize::square(9).unwrap());
    let mut reader = LifeReader::default();
    assert_eq!(reader.read_death(&board, Point::new(0, 0)), None);
    assert_eq!(reader.read_life(&board, Point::new(0, 0)), None);
    assert_eq!(reader.solve_problem(&board, Color::Black, &[Point::new(0, 0)]), None);
}

#[test]
fn a_problem_is_solved_by_one_of_the_points_that_are_offered() {
    let diagram: Diagram = "
        . . . . . . . .
        O O O O O . . .
        X X X O O . . .
        . . X X O . . .
        b a . X O . . .
    "
    .parse()
    .unwrap();
    let (board, vital) = (diagram.to_board().unwrap(), diagram.marks[&'a']);
    let points: Vec<Point> = board.empty_points().collect();
    let mut reader = LifeReader::default();
    assert_eq!(reader.solve_problem(&board, Color::White, &points), Some(vital));
    assert_eq!(reader.solve_problem(&board, Color::Black, &points), Some(vital));
    assert_eq!(reader.solve_problem(&board, Color::White, &[diagram.marks[&'b']]), None);
}

/// A position late in a game of random moves.
fn random_board(seed: u64, moves: usize) -> Board {
    let mut board = Board::new(BoardSize::square(7).unwrap());
    let (mut rng, mut color) = (Seed::new(seed).stream("life", 0), Color::Black);
    for _ in 0..moves {
        let points: Vec<Point> = board.empty_points().filter(|&p| board.is_sensible(color, p)).collect();
        let mv = rng.choose(&points).map_or(Move::Pass, |&point| Move::Play(point));
        board.play_unchecked(color, mv);
        color = !color;
    }
    board.set_ko(None);
    board
}

/// White's stone that would cut the corner off is taken from beyond it. Without that the corner was a ko.
#[test]
fn a_cutting_stone_is_taken_beyond_the_region() {
    let corner = "
        . . X X O . . .
        . X X O . . . .
        a O O O O . O .
        . X X . . . . .
        . O . X . . O .
        X . . . X . . .
        . O O . . . . .
        . . . X . X . .
        ";
    judged(corner, "C8", Works, Works);
    let (diagram, [_, save]) = read(corner, "C8");
    assert_eq!(save.mv, Some(diagram.marks[&'a']));
}

#[test]
fn random_groups_turned_round_end_the_same() {
    let (mut few, mut many) = (LifeReader::new(3_000), LifeReader::new(30_000));
    let (mut asked, mut known) = (0, 0);
    let is_clear = |answer: &ReadingAnswer| !matches!(answer.outcome, KoFirst | KoSecond);
    for seed in 0..60 {
        let board = random_board(seed, 44);
        let turn = Symmetry::for_size(board.size())[5];
        let other = turn.map_board(&board);
        for chain in board.chains() {
            let stone = board.chain_stones(chain).next().unwrap();
            let turned = turn.map_move(board.size(), stone.into()).point().unwrap();
            asked += 1;
            let Some(here) = few.read_death(&board, stone) else { continue };
            let Some(there) = many.read_death(&other, turned) else { continue };
            known += 1;
            if is_clear(&here) && is_clear(&there) {
                assert_eq!(here.outcome, there.outcome, "{stone}\n{board}");
            }
        }
    }
    assert!(known * 3 > asked, "{known} of {asked} were read to the end");
}
