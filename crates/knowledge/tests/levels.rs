//! The levels of analysis held against each other and against the board, over games of random moves.

use ishi_go::{Board, BoardSize, Color, Diagram, Move, Point, Position, Rules};
use ishi_knowledge::{Analysis, Chains, EyeKind, LinkStrength, NoOracle, Strength, rules};
use ishi_rng::Seed;

/// A game of random moves on a board of so many lines; `see` is told of the board after every move.
fn random_game(side: usize, seed: u64, moves: usize, mut see: impl FnMut(&Board, &Chains)) {
    let mut board = Board::new(BoardSize::square(side).unwrap());
    let mut chains = Chains::default();
    let (mut rng, mut color) = (Seed::new(seed).stream("levels", 0), Color::Black);
    for _ in 0..moves {
        let points: Vec<Point> = board.empties().filter(|&p| board.is_legal(color, p)).collect();
        let mv = rng.choose(&points).map_or(Move::Pass, |&point| Move::Play(point));
        board.play_observed(color, mv, &mut chains);
        see(&board, &chains);
        color = !color;
    }
}

#[test]
fn chains_follow_the_board_move_by_move() {
    for seed in 0..20 {
        let side = [5, 7, 9, 19][seed as usize % 4];
        random_game(side, seed, 200, |board, chains| assert_eq!(*chains, Chains::of(board), "\n{board}"));
    }
}

/// Suicide takes the chain that was just made.
#[test]
fn chains_follow_suicide() {
    let text = "
        . X . .
        X X . .
        . . . .
        . . . .
    ";
    let mut board = text.parse::<Diagram>().unwrap().board().unwrap();
    let mut chains = Chains::of(&board);
    let corner = board.size().parse_point("A4").unwrap();
    board.play_observed(Color::White, Move::Play(corner), &mut chains);
    assert_eq!(board.color(corner), None, "suicide takes the stone off");
    assert_eq!(chains, Chains::of(&board));
}

fn analysed(text: &str) -> (Position, Analysis) {
    let diagram: Diagram = text.parse().unwrap();
    let position = diagram.position(Rules::CHINESE, Color::Black).unwrap();
    let analysis = Analysis::of(&position, &mut NoOracle);
    (position, analysis)
}

#[test]
fn a_group_with_two_eyes_is_alive_and_its_links_hold() {
    let (position, analysis) = analysed(
        "
        . . . . . . .
        . . . . . . .
        O O O O O . .
        X X X X O . .
        . X . X O . .
    ",
    );
    let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
    let group = analysis.group(point("A2")).unwrap();
    assert_eq!((group.color, group.strength), (Color::Black, Strength::Alive));
    let eyes: Vec<EyeKind> =
        analysis.spaces.iter().filter(|space| space.color == Color::Black).map(|space| space.kind).collect();
    assert_eq!(eyes, [EyeKind::Single, EyeKind::Single]);
    assert!(analysis.influence.on(Color::Black, point("A1")) > 0.0);
    assert!(position.size().points().all(|p| analysis.influence.balance(p).abs() <= 1.0));
}

#[test]
fn a_knights_move_that_can_be_cut_is_no_group() {
    let (position, analysis) = analysed(
        "
        . . . . . . . . .
        . . . . . . . . .
        . . . . O . . . .
        . . . O X . . . .
        . . X . O . . . .
        . . . O . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    ",
    );
    let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
    let link = analysis.links.iter().find(|link| link.stones.contains(&point("C5"))).unwrap();
    assert_ne!(link.strength, LinkStrength::Solid);
    assert_ne!(analysis.group(point("C5")).unwrap().name(), analysis.group(point("E6")).unwrap().name());
}

/// Whatever stands on the board, suggestions are legal, each move comes once, and the best comes first.
#[test]
fn suggestions_are_legal_and_in_order() {
    for seed in 0..6 {
        let side = [9, 13, 19][seed as usize % 3];
        let mut boards = Vec::new();
        random_game(side, 100 + seed, side * side / 2, |board, _| boards.push(board.clone()));
        for board in boards.iter().skip(10).step_by(40) {
            let size = board.size();
            let stones = size.points().filter_map(|point| Some((board.color(point)?, point)));
            let position = Position::from_setup(size, Rules::CHINESE, stones, Color::White).unwrap();
            let suggestions = rules::suggest(&position, &Analysis::of(&position, &mut NoOracle));
            assert!(suggestions.is_sorted_by(|a, b| a.value >= b.value));
            let mut moves: Vec<usize> = suggestions.iter().map(|found| found.mv.index()).collect();
            assert!(suggestions.iter().all(|found| position.is_legal(Color::White, found.mv.into())));
            moves.sort_unstable();
            moves.dedup();
            assert_eq!(moves.len(), suggestions.len());
        }
    }
}

/// 200 rules at least, in every family.
#[test]
fn there_are_rules_of_every_family() {
    assert!(rules::all().count() >= 200, "{}", rules::all().count());
    for family in ishi_knowledge::Family::ALL {
        let found = rules::all().any(|rule| rule.family == family);
        assert!(found || family.name() == "race", "no rule is about {}", family.name());
    }
}
