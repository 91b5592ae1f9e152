//! Playouts: exact golden counts for a fixed seed, and what must hold of every playout.

use ishi_go::{Board, BoardSize, Cell, Color, Move, Point, playout};
use ishi_rng::{Rng, Seed};

/// Width, height, playouts, and what they add up to from seed 1: moves, Black's lead, stones left, and the exclusive
/// or of the final hashes. A change here is a change of behaviour: say so in the commit, and in SIGNATURES.toml.
const GOLDEN: &[(usize, usize, u32, Totals)] = &[
    (9, 9, 1000, Totals { moves: 110498, lead: 1052, stones: 68281, hash: 12650654159337094104 }),
    (19, 19, 100, Totals { moves: 45448, lead: 560, stones: 31305, hash: 212350449121935019 }),
    (13, 7, 500, Totals { moves: 62327, lead: 310, stones: 38289, hash: 9941075754835020931 }),
    (25, 25, 20, Totals { moves: 15480, lead: 180, stones: 10895, hash: 7558532573729270753 }),
    (2, 2, 200, Totals { moves: 1845, lead: 136, stones: 483, hash: 3817598113636931212 }),
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    moves: u64,
    lead: i64,
    stones: u64,
    hash: u64,
}

fn board(width: usize, height: usize) -> Board {
    Board::new(BoardSize::new(width, height).unwrap())
}

fn totals(width: usize, height: usize, playouts: u32) -> Totals {
    let empty = board(width, height);
    let mut scratch = empty.clone();
    let mut rng = Seed::new(1).stream("playout", 0);
    let mut totals = Totals::default();
    for _ in 0..playouts {
        scratch.copy_from(&empty);
        let end = playout::play_random_playout(
            &mut scratch,
            Color::Black,
            playout::default_move_limit(&empty),
            &mut rng,
        );
        totals.moves += u64::from(end.moves);
        totals.lead += i64::from(end.score);
        totals.stones += Color::ALL.iter().map(|&color| scratch.stone_count(color) as u64).sum::<u64>();
        totals.hash ^= scratch.hash();
    }
    totals
}

#[test]
fn golden_counts() {
    for &(width, height, playouts, expected) in GOLDEN {
        assert_eq!(totals(width, height, playouts), expected, "{width}x{height}");
    }
}

/// At the end neither side has a legal point left that is not its own eye, unless the playout was cut.
#[test]
fn playouts_end_when_nothing_is_left() {
    let mut rng = Seed::new(2).stream("playout", 0);
    for side in [2, 3, 5, 9, 13] {
        for _ in 0..50 {
            let mut board = board(side, side);
            let limit = playout::default_move_limit(&board);
            let end = playout::play_random_playout(&mut board, Color::White, limit, &mut rng);
            if end.cut {
                assert_eq!(end.moves, limit);
                continue;
            }
            for color in Color::ALL {
                let left = board.empty_points().find(|&point| board.is_sensible(color, point));
                assert_eq!(left, None, "{side}x{side}, {color}");
            }
        }
    }
}

/// `is_sensible` is legal and no own eye, on every empty point of random boards.
#[test]
fn sensible_is_legal_and_no_eye() {
    let mut rng = Seed::new(3).stream("playout", 0);
    let mut seen = [0; 2];
    for limit in 0..300 {
        let mut board = board(9, 9);
        playout::play_random_playout(&mut board, Color::Black, limit, &mut rng);
        for point in board.empty_points() {
            for color in Color::ALL {
                let expected = board.is_legal(color, point) && !board.is_eyelike(color, point);
                assert_eq!(board.is_sensible(color, point), expected, "{point} {color} at move {limit}");
                seen[usize::from(expected)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 1000), "both answers occur: {seen:?}");
}

/// The first move of a playout is uniform over the points (chi-square, 80 degrees of freedom, fixed seed).
#[test]
fn first_moves_are_uniform() {
    let empty = board(9, 9);
    let mut rng = Seed::new(4).stream("playout", 0);
    let mut counts = vec![0u32; Point::INDICES];
    const GAMES: u32 = 81 * 200;
    for _ in 0..GAMES {
        let mut board = empty.clone();
        playout::play_random_playout(&mut board, Color::Black, 1, &mut rng);
        let stone = board.size().points().find(|&point| board.cell(point) == Cell::Black).unwrap();
        counts[stone.index()] += 1;
    }
    let chi: f64 =
        empty.size().points().map(|p| (f64::from(counts[p.index()]) - 200.0).powi(2) / 200.0).sum();
    assert!(chi < 124.8, "chi-square {chi} is passed once in a thousand streams");
}

/// The rejection of candidates keeps every allowed point equally likely: one eye and three other points.
#[test]
fn later_moves_are_uniform_too() {
    let size = BoardSize::new(3, 3).unwrap();
    // Black owns the eye at A1; B3, C3, C1, C2 are empty or taken as the diagram says:
    //   X . .
    //   X X .
    //   . X .
    let stones = ["A3", "A2", "B2", "B1"].map(|v| (Color::Black, size.parse_point(v).unwrap()));
    let start = Board::from_stones(size, stones).unwrap();
    let mut rng: Rng = Seed::new(5).stream("playout", 0);
    let mut counts = vec![0u32; Point::INDICES];
    for _ in 0..4000 {
        let mut board = start.clone();
        playout::play_random_playout(&mut board, Color::Black, 1, &mut rng);
        let played =
            size.points().find(|&p| start.cell(p) == Cell::Empty && board.cell(p) == Cell::Black).unwrap();
        counts[played.index()] += 1;
    }
    let open = ["B3", "C3", "C2", "C1"].map(|v| counts[size.parse_point(v).unwrap().index()]);
    assert_eq!(open.iter().sum::<u32>(), 4000, "never the eye: {counts:?}");
    assert!(open.iter().all(|&count| count.abs_diff(1000) < 120), "{open:?}");
}

/// A playout without a move is the board as it stands.
#[test]
fn a_limit_of_nothing_changes_nothing() {
    let mut board = board(9, 9);
    board.play_unchecked(Color::Black, Move::Play(Point::new(4, 4)));
    let end =
        playout::play_random_playout(&mut board, Color::White, 0, &mut Seed::new(1).stream("playout", 0));
    assert_eq!((end.moves, end.score, end.cut), (0, 81, true));
}
