//! Diagrams that every reader of captures must read alike, and positions to hold readers against.

use ishi_go::{Board, BoardSize, Color, Diagram, Move, Point};
use ishi_reading::{ReadingAnswer, ReadingOutcome};
use ishi_rng::Rng;

/// A question about a diagram: its text, a stone of the chain, and what comes out if the opponent moves first, and if the owner does.
pub(crate) type Case = (&'static str, &'static str, ReadingOutcome, ReadingOutcome);

/// Captures of attackers, a ko, two eyes, and one.
pub(crate) const COMMON: [Case; 4] = [
    (
        "
        . . O X . .
        . O X O X .
        . O X O X .
        . O a d X .
        . . O . . .
    ",
        "C3",
        ReadingOutcome::Works,
        ReadingOutcome::Works,
    ),
    (
        "
        . . . . . .
        . . O X . .
        . O X a X .
        . . O X . .
        . . . . . .
    ",
        "C3",
        ReadingOutcome::KoFirst,
        ReadingOutcome::Works,
    ),
    (
        "
        . X O . O .
        X . X O O O
        X X X X X O
        O O O O O O
        . . . . . .
    ",
        "C3",
        ReadingOutcome::Fails,
        ReadingOutcome::Works,
    ),
    (
        "
        . . X O . .
        X X X O . .
        O O O O . .
        . . . . . .
    ",
        "C3",
        ReadingOutcome::Works,
        ReadingOutcome::Fails,
    ),
];

/// Holds a reader's two answers against a diagram: their outcomes, and their moves against the marks `a` and `d`, where there are any.
pub(crate) fn judged(
    (text, prey, attack, defence): Case,
    read: impl FnOnce(&Board, Point) -> [ReadingAnswer; 2],
) {
    let diagram: Diagram = text.parse().unwrap();
    let board = diagram.to_board().unwrap();
    let prey = board.size().parse_point(prey).unwrap();
    let answers = read(&board, prey);
    assert_eq!(answers.each_ref().map(|answer| answer.outcome), [attack, defence], "{board}");
    for (mark, answer) in ['a', 'd'].into_iter().zip(answers) {
        if let Some(&point) = diagram.marks.get(&mark) {
            assert_eq!(answer.mv, Some(point), "{mark} in\n{board}");
        }
    }
}

/// Positions of random games on 9x9.
pub(crate) fn positions(mut rng: Rng, count: usize, moves: usize) -> Vec<Board> {
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut board = Board::new(BoardSize::square(9).unwrap());
        let mut color = Color::Black;
        for _ in 0..moves {
            let sensible: Vec<Point> =
                board.empty_points().filter(|&p| board.is_sensible(color, p)).collect();
            if sensible.is_empty() {
                break;
            }
            let point = sensible[rng.next_below(sensible.len() as u32) as usize];
            board.play_unchecked(color, Move::Play(point));
            color = !color;
        }
        boards.push(board);
    }
    boards
}
