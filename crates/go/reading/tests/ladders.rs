//! Ladders on diagrams, and held against an exhaustive search on small boards.

use ishi_go::{Board, BoardSize, Cell, Chain, Color, Diagram, Move, Point};
use ishi_reading::{Ladder, liberties_after};
use ishi_rng::{Rng, Seed};

/// The board of a diagram, the chain at the vertex, and the marked points.
fn read(text: &str, prey: &str) -> (Board, Chain, Diagram) {
    let diagram: Diagram = text.parse().unwrap();
    let board = diagram.to_board().unwrap();
    let chain = board.chain(board.size().parse_point(prey).unwrap()).unwrap();
    (board, chain, diagram)
}

/// A chain with two liberties: is it caught, and by the marked move `a`?
fn attack(text: &str, prey: &str) {
    let (board, chain, diagram) = read(text, prey);
    let found = Ladder::default().find_attack(&board, chain);
    assert_eq!(found, diagram.marks.get(&'a').copied(), "{board}");
    if let Some(point) = found {
        assert!(Ladder::default().does_catch(&board, chain, point));
    }
}

/// A chain in atari: is it lost whatever its owner does?
fn captured(text: &str, prey: &str, lost: bool) {
    let (board, chain, diagram) = read(text, prey);
    assert_eq!(Ladder::default().captures(&board, chain), lost, "{board}");
    let escape = Ladder::default().find_escape(&board, chain);
    assert_eq!(escape.is_none(), lost);
    if let Some(&a) = diagram.marks.get(&'a') {
        assert_eq!(escape, Some(a), "{board}");
    }
}

#[test]
fn a_ladder_runs_to_the_edge_unless_it_is_broken() {
    attack(
        "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . a . . .
        . . . . . X O . .
        . . . . O X O . .
        . . . . . O . . .
        . . . . . . . . .
    ",
        "F3",
    );
    // A breaker of the prey's colour on the diagonal.
    attack(
        "
        . . . . . . . . .
        . . . . . . . . .
        . . X . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X O . .
        . . . . O X O . .
        . . . . . O . . .
        . . . . . . . . .
    ",
        "F3",
    );
}

#[test]
fn extending_into_a_ladder_loses_and_joining_a_friend_saves() {
    let lost = "
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . . O . . . .
        . . . . . . .
    ";
    captured(lost, "C3", false);
    captured(
        "
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . . O O . . .
        . . . . . . .
    ",
        "C3",
        true,
    );
    captured(
        "
        . . . . . . .
        . . . . . . .
        . . . . . X .
        . . O . . . .
        . O X a . . .
        . . O O . . .
        . . . . . . .
    ",
        "C3",
        false,
    );
}

#[test]
fn the_edge_has_no_liberties() {
    captured(
        "
        . . . . .
        . . . . .
        . . . . .
        O O O O .
        X X X X .
    ",
        "A1",
        true,
    );
    captured(
        "
        . . . . . .
        . . . . . .
        . . . . . .
        O O O . X .
        X X X a . .
    ",
        "A1",
        false,
    );
}

#[test]
fn capturing_an_attacker_in_atari_saves() {
    // The white stones beside have two liberties: they cannot be taken.
    captured(
        "
        . . . . . .
        . . . . . .
        . . . . . .
        . X O O O .
        X O X X O .
        . O O . O .
    ",
        "C2",
        true,
    );
    captured(
        "
        . . . . . . .
        . . . . . . .
        . X X O O . .
        X O O X . . .
        . X a O O . .
        . . . . . . .
    ",
        "D3",
        false,
    );
}

#[test]
fn a_snapback_is_no_escape() {
    // Black at a takes one stone; White retakes there and captures four.
    let text = "
        . . . . . . .
        . O O O O . .
        O X X X O . .
        O O X . O . .
        . O O O . . .
        . . . . . . .
    ";
    captured(text, "B4", true);
}

#[test]
fn a_ko_is_not_retaken_in_a_ladder() {
    let (mut board, chain, diagram) = read(
        "
        . . . . .
        . X O . .
        X a X O .
        . X O . .
        . . . . .
    ",
        "C3",
    );
    let ko = diagram.marks[&'a'];
    board.play_unchecked(Color::White, Move::Play(ko));
    let retake = board.ko_point().unwrap();
    assert_eq!(retake, chain.head());
    // Black may not retake, White may fill.
    let taker = board.chain(ko).unwrap();
    assert_eq!(board.atari_liberty(taker), Some(retake));
    assert_eq!(Ladder::default().find_escape(&board, taker), Some(retake));
}

#[test]
fn who_has_no_two_liberties_is_not_attacked() {
    let (board, chain, _) = read(". . . . .\n. . . . .\n. . X . .\n. . . . .\n. . . . .", "C3");
    let mut ladder = Ladder::default();
    assert_eq!(ladder.find_attack(&board, chain), None);
    assert_eq!(ladder.find_escape(&board, chain), None);
    assert!(!ladder.captures(&board, chain));
}

#[test]
fn the_limit_ends_a_search() {
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X O . .
        . . . . O X O . .
        . . . . . O . . .
        . . . . . . . . .
    ";
    let (board, chain, _) = read(text, "F3");
    let mut short = Ladder::new(4);
    assert_eq!(short.find_attack(&board, chain), None);
    assert!(short.nodes() <= 6);
}

/// The definition, tried out: the attacker plays liberties of the prey that leave it in atari or take it, the defender anything.
fn caught(board: &Board, prey: Point, attacker_moves: bool) -> bool {
    let Some(chain) = board.chain(prey) else { return true };
    let color = board.color(prey).unwrap();
    let liberties = board.chain_liberties(chain);
    let after = |color: Color, mv: Move| {
        let mut next = board.clone();
        next.play_unchecked(color, mv);
        next
    };
    let legal = |color: Color, point: Point| {
        let own = point.neighbours().into_iter().any(|n| board.color(n) == Some(color));
        board.is_legal(color, point)
            || (board.ko_point() == Some(point) && own && !board.is_suicide(color, point))
    };
    if attacker_moves {
        if liberties.len() > 2 {
            return false;
        }
        liberties
            .iter()
            .any(|&point| legal(!color, point) && caught(&after(!color, Move::Play(point)), prey, false))
    } else {
        let moves = board
            .size()
            .points()
            .filter(|&point| board.cell(point) == Cell::Empty && legal(color, point))
            .map(Move::Play);
        liberties.len() == 1
            && moves.chain([Move::Pass]).all(|mv| {
                let next = after(color, mv);
                // Suicide is not legal, so the prey still stands.
                caught(&next, prey, true)
            })
    }
}

fn random_board(size: BoardSize, moves: usize, rng: &mut Rng) -> Board {
    let mut board = Board::new(size);
    let mut color = Color::Black;
    for _ in 0..moves {
        let choices: Vec<Point> =
            board.empty_points().filter(|&point| board.is_sensible(color, point)).collect();
        match rng.choose(&choices) {
            Some(&point) => board.play_unchecked(color, Move::Play(point)),
            None => board.play_unchecked(color, Move::Pass),
        };
        color = !color;
    }
    board
}

#[test]
fn ladders_agree_with_trying_everything() {
    let (mut tried, mut lost, mut ladder) = (0, 0, Ladder::new(100_000));
    for game in 0..400 {
        let mut rng = Seed::new(77).stream("ladder", game);
        let size = BoardSize::new(4 + game as usize % 3, 4 + game as usize / 3 % 3).unwrap();
        let moves = 6 + rng.next_index(size.area());
        let mut board = random_board(size, moves, &mut rng);
        // A ko ban binds whoever moves; the exhaustive search sees it too.
        if game % 2 == 0 {
            board.set_ko(None);
        }
        for chain in board.chains() {
            let prey = chain.head();
            let expected = match board.chain_liberties(chain).len() {
                1 => caught(&board, prey, false),
                2 => caught(&board, prey, true),
                _ => false,
            };
            let found = ladder.captures(&board, chain) || ladder.find_attack(&board, chain).is_some();
            assert_eq!(found, expected, "{prey}\n{board:?}");
            tried += usize::from(board.first_liberties::<3>(chain).1 < 3);
            lost += usize::from(found);
        }
    }
    assert!(tried > 500 && lost > 200 && lost < tried, "{lost} of {tried}");
}

#[test]
fn liberties_after_a_move_are_those_of_playing_it() {
    for game in 0..60 {
        let mut rng = Seed::new(78).stream("liberties", game);
        let size = BoardSize::new(5 + game as usize % 5, 7).unwrap();
        let board = random_board(size, 10 + rng.next_index(40), &mut rng);
        for color in Color::ALL {
            for point in board.empty_points().filter(|&point| board.is_legal(color, point)) {
                let mut next = board.clone();
                next.play_unchecked(color, Move::Play(point));
                let mut truth = next.chain_liberties(next.chain(point).unwrap());
                truth.sort();
                let mut all = liberties_after::<40>(&board, color, point).points().to_vec();
                all.sort();
                assert_eq!(all, truth, "{color} {point}\n{board}");
                assert_eq!(liberties_after::<3>(&board, color, point).len(), truth.len().min(3));
            }
        }
    }
}

#[test]
fn few_liberties_are_the_first_ones() {
    for game in 0..20 {
        let mut rng = Seed::new(79).stream("few", game);
        let board = random_board(BoardSize::square(9).unwrap(), 60, &mut rng);
        for chain in board.chains() {
            let all = board.chain_liberties(chain);
            let (few, found) = board.first_liberties::<3>(chain);
            assert_eq!(few[..found], all[..all.len().min(3)]);
        }
    }
}
