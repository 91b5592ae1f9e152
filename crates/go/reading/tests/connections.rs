//! Connections and cuts on diagrams; what was read held against every reply.

use ishi_go::{Board, Diagram, Move, Point};
use ishi_reading::{ChainReader, ReadingOutcome};

fn read(text: &str) -> (Board, Diagram) {
    let diagram: Diagram = text.parse().unwrap();
    (diagram.to_board().unwrap(), diagram)
}

/// Can the chains of two vertices be connected, and can they be cut? A mark `c` is the move that connects, `x` the one that cuts.
fn judged(text: &str, a: &str, b: &str, connect: ReadingOutcome, cut: ReadingOutcome) {
    let (board, diagram) = read(text);
    let point = |name: &str| board.size().parse_point(name).unwrap();
    let mut reader = ChainReader::default();
    for (a, b) in [(a, b), (b, a)] {
        let connects = reader.connect(&board, point(a), point(b));
        let cuts = reader.disconnect(&board, point(a), point(b));
        assert_eq!((connects.outcome, cuts.outcome), (connect, cut), "{a} {b}\n{board}");
        for (mark, answer) in [('c', connects), ('x', cuts)] {
            if let Some(&marked) = diagram.marks.get(&mark) {
                assert_eq!(answer.mv, Some(marked), "{mark} in\n{board}");
            }
        }
    }
}

#[test]
fn stones_that_touch_are_connected() {
    judged(
        "
        . . . . .
        . X X . .
        . . . . .
    ",
        "B2",
        "C2",
        ReadingOutcome::Works,
        ReadingOutcome::Fails,
    );
}

#[test]
fn two_ways_to_join_cannot_be_cut() {
    // A diagonal, and a bamboo joint.
    judged(
        "
        . . . . .
        . . X . .
        . X . . .
        . . . . .
    ",
        "B2",
        "C3",
        ReadingOutcome::Works,
        ReadingOutcome::Fails,
    );
    judged(
        "
        . . . . . .
        . X . X O .
        . X . X O .
        . . O O . .
    ",
        "B2",
        "D2",
        ReadingOutcome::Works,
        ReadingOutcome::Fails,
    );
}

#[test]
fn one_way_to_join_can_be_cut() {
    judged(
        "
        . . . O O . .
        . X X c X X .
        . O O O O O .
        . . . . . . .
    ",
        "B3",
        "F3",
        ReadingOutcome::Works,
        ReadingOutcome::Works,
    );
    judged(
        "
        . . . O O . .
        . X X x X X .
        . O O O O O .
        . . . . . . .
    ",
        "B3",
        "F3",
        ReadingOutcome::Works,
        ReadingOutcome::Works,
    );
}

#[test]
fn capturing_the_cutting_stone_joins() {
    judged(
        "
        . . . . . .
        . . O O . .
        . X X O X .
        . X . X X .
        . . . . . .
    ",
        "B2",
        "D2",
        ReadingOutcome::Works,
        ReadingOutcome::Fails,
    );
    // The stone that cuts is taken in a ladder.
    judged(
        "
        . . . . . . .
        . . X . . . .
        . X O X . . .
        . . . . . . .
        . . . . . . .
    ",
        "B3",
        "D3",
        ReadingOutcome::Works,
        ReadingOutcome::Fails,
    );
}

#[test]
fn stones_of_two_colours_or_none_are_not_connected() {
    let (board, _) = read(
        "
        . . . .
        . X O .
        . . . .
    ",
    );
    let mut reader = ChainReader::default();
    let point = |name: &str| board.size().parse_point(name).unwrap();
    for (a, b) in [("B2", "C2"), ("A1", "B2"), ("A1", "A2")] {
        assert_eq!(reader.connect(&board, point(a), point(b)).outcome, ReadingOutcome::Fails);
        assert_eq!(reader.disconnect(&board, point(a), point(b)).outcome, ReadingOutcome::Fails);
    }
}

/// Where no cut was found, every single move of the opponent leaves a connection.
#[test]
fn no_move_cuts_what_was_read_as_connected() {
    let (board, _) = read(
        "
        . . . . . . . . .
        . . X . . . O . .
        . . . . . O . . .
        . . X . X . . O .
        . . O X O . X . .
        . . . O . X . X .
        . X . . . . . . .
        . . . . O . . X .
        . . . . . . . . .
    ",
    );
    let mut reader = ChainReader::default();
    let heads: Vec<Point> = board.chains().map(|chain| chain.head()).collect();
    let mut connected = 0;
    for &a in &heads {
        for &b in heads.iter().filter(|&&b| b > a && board.color(a) == board.color(b)) {
            let owner = board.color(a).unwrap();
            let joins = reader.connect(&board, a, b).outcome == ReadingOutcome::Works;
            if !joins || reader.disconnect(&board, a, b).outcome != ReadingOutcome::Fails {
                continue;
            }
            connected += 1;
            for cut in board.empty_points().filter(|&point| board.is_legal(!owner, point)) {
                let mut after = board.clone();
                after.play_unchecked(!owner, Move::Play(cut));
                let answer = reader.connect(&after, a, b);
                assert_eq!(answer.outcome, ReadingOutcome::Works, "{a} {b} after {cut}\n{board}");
            }
        }
    }
    assert!(connected > 3, "{connected}");
}
