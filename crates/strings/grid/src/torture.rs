//! Extreme boards: legal, and as far from ordinary games as boards can be.
//!
//! Programs keep tables of chains, liberties, captures, kos and moves, and few of their authors met the board that fills
//! one of them. R. Miyashiro, Y. Yano and M. Muramatsu end their paper on the maximum number of strings (RIMS 1584,
//! 2008) with the remark that nearly every Go program of its day crashed on the board of its figure 2. These are boards
//! of that kind, each built by a rule that its function states; only the two boards with the most liberties are
//! finds of a search (simulated annealing over connected sets of stones), and are not proved to be the best.
//!
//! A [`TortureBoard`] is a set-up and moves as data. Nothing here knows the rules of Go: `ishi strings torture` writes the
//! boards as records, and the tests play them.

use crate::board::{Board, Cell};
use crate::construct;

/// A move as data: who, and where (column and row from 0 at the top left), or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TortureMove {
    /// [`Cell::Black`] or [`Cell::White`].
    pub color: Cell,
    /// `None` is a pass.
    pub at: Option<(usize, usize)>,
}

/// An extreme board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TortureBoard {
    /// Short and unique, fit for a file's name: `most-chains-19`.
    pub name: String,
    /// What it is, in a sentence or two.
    pub about: String,
    /// The set-up.
    pub board: Board,
    /// Who is to play: [`Cell::Black`] or [`Cell::White`].
    pub to_play: Cell,
    /// Moves from the set-up; legal in turn under `rules`.
    pub moves: Vec<TortureMove>,
    /// Handicap, if all stones are handicap stones.
    pub handicap: usize,
    /// `chinese`, or `japanese` where positions come again.
    pub rules: &'static str,
}

impl TortureBoard {
    fn new(name: &str, about: &str, board: Board, to_play: Cell) -> TortureBoard {
        let name = format!("{name}-{}", board.width());
        TortureBoard {
            name,
            about: about.to_string(),
            board,
            to_play,
            moves: Vec::new(),
            handicap: 0,
            rules: "chinese",
        }
    }

    fn with_moves(mut self, moves: Vec<TortureMove>) -> TortureBoard {
        self.moves = moves;
        self
    }
}

/// All of them, 19x19 and 25x25.
///
/// ```
/// let boards = ishi_grid::torture::all_torture_boards();
/// let most = boards.iter().find(|torture| torture.name == "most-chains-19").unwrap();
/// assert_eq!(most.board.empty_count(), 84);
/// ```
#[must_use]
pub fn all_torture_boards() -> Vec<TortureBoard> {
    let sizes = [19, 25];
    let mut all = Vec::new();
    all.extend(sizes.map(most_chains));
    all.extend(sizes.map(most_chains_played));
    all.extend([most_liberties(&LIBERTIES_19), most_liberties(&LIBERTIES_25)]);
    all.extend(sizes.map(longest_chain));
    all.extend(sizes.map(longest_snake));
    all.extend(sizes.map(most_stones_captured));
    all.extend(sizes.map(most_chains_captured));
    all.push(captures_again_and_again(19));
    all.extend(sizes.map(most_kos));
    all.push(kos_in_turn(19));
    all.extend(sizes.map(one_empty_point));
    all.extend(sizes.map(two_eyes));
    all.extend(sizes.map(most_eyes));
    all.extend(sizes.map(ladder_board));
    all.extend([snapbacks_board(), sekis_board()]);
    all.push(handicap_board(25));
    all
}

fn optimal_board(side: usize) -> Board {
    construct::construct_empties(side, side).expect("16 lines or more").to_board()
}

fn most_chains(side: usize) -> TortureBoard {
    let board = optimal_board(side);
    let about = format!(
        "The most chains that can stand on the board, {}, every one a single stone with a liberty, and most of them \
         with one only.",
        side * side - board.empty_count()
    );
    TortureBoard::new("most-chains", &about, board, Cell::Black)
}

/// The same stones played one after the other.
fn most_chains_played(side: usize) -> TortureBoard {
    let board = optimal_board(side);
    let [mut black, mut white] = [Cell::Black, Cell::White].map(|color| points_with(&board, color));
    let mut moves = Vec::new();
    for color in [Cell::Black, Cell::White].into_iter().cycle() {
        let list = if color == Cell::Black { &mut black } else { &mut white };
        moves.push(TortureMove { color, at: list.pop() });
        if black.is_empty() && white.is_empty() {
            break;
        }
    }
    let about = "The board with the most chains, reached by moves without a capture.";
    TortureBoard::new("most-chains-played", about, Board::new(side, side), Cell::Black).with_moves(moves)
}

/// The points that hold this, in reading order.
fn points_with(board: &Board, cell: Cell) -> Vec<(usize, usize)> {
    let cells = board.cells().iter().enumerate().filter(|(_, found)| **found == cell);
    cells.map(|(at, _)| (at % board.width(), at / board.width())).collect()
}

fn most_liberties(rows: &[&str]) -> TortureBoard {
    let board: Board = rows.join("\n").parse().expect("rows of letters");
    let about = format!(
        "One chain of {} stones with {} liberties, the most that a search found.",
        points_with(&board, Cell::Black).len(),
        count_liberties(&board)
    );
    TortureBoard::new("most-liberties", &about, board, Cell::White)
}

/// Empty points beside a stone.
fn count_liberties(board: &Board) -> usize {
    let stone =
        |x: usize, y: usize| x < board.width() && y < board.height() && board.cell(x, y) != Cell::Empty;
    let beside = |&&(x, y): &&(usize, usize)| {
        stone(x.wrapping_sub(1), y) || stone(x + 1, y) || stone(x, y.wrapping_sub(1)) || stone(x, y + 1)
    };
    points_with(board, Cell::Empty).iter().filter(beside).count()
}

/// A board of this colour with the given empty points.
fn filled_board(side: usize, color: Cell, empty: impl Fn(usize, usize) -> bool) -> Board {
    let mut board = Board::new(side, side);
    for (x, y) in (0..side * side).map(|at| (at % side, at / side)) {
        if !empty(x, y) {
            board.set(x, y, color);
        }
    }
    board
}

fn longest_chain(side: usize) -> TortureBoard {
    let board = filled_board(side, Cell::Black, |x, y| (x, y) == (side / 2, side / 2));
    let about =
        "The longest chain: all points but one, its only liberty. For Black to play there is suicide.";
    TortureBoard::new("longest-chain", about, board, Cell::Black)
}

/// Rows of stones, joined at their ends in turn.
fn longest_snake(side: usize) -> TortureBoard {
    let board = filled_board(side, Cell::White, |x, y| {
        let end = if y % 4 == 1 { side - 1 } else { 0 };
        y % 2 == 1 && x != end
    });
    let about = format!(
        "A snake: one chain of {} stones in which each stone touches two others, but for its two ends.",
        side * side - board.empty_count()
    );
    TortureBoard::new("snake", &about, board, Cell::Black)
}

fn most_stones_captured(side: usize) -> TortureBoard {
    let last = (side - 1, side - 1);
    let board = filled_board(side, Cell::Black, |x, y| (x, y) == last);
    let about = format!("The largest capture: one white stone takes {} black ones.", side * side - 1);
    let moves = vec![TortureMove { color: Cell::White, at: Some(last) }];
    TortureBoard::new("most-stones-captured", &about, board, Cell::White).with_moves(moves)
}

/// Walls of steps from the corners to the centre part the board in four; each wall keeps an eye in its corner.
fn most_chains_captured(side: usize) -> TortureBoard {
    let half = side / 2;
    let mut board = filled_board(side, Cell::White, |x, y| (x, y) == (half, half));
    for turn in 0..4 {
        let mut put = |dx: usize, dy: usize, cell| {
            let (x, y) = turn_point((dx, dy), turn, half);
            board.set(x, y, cell);
        };
        for step in 1..half {
            put(step, step, Cell::Black);
            put(step + 1, step, Cell::Black);
        }
        put(half - 1, half, Cell::Black);
        put(half, half, Cell::Empty);
    }
    let captured = points_with(&board, Cell::White).len();
    let about = format!(
        "The most chains that one move can take: Black plays the centre and takes 4, {captured} stones."
    );
    let moves = vec![TortureMove { color: Cell::Black, at: Some((half, half)) }];
    TortureBoard::new("most-chains-captured", &about, board, Cell::Black).with_moves(moves)
}

/// The point that lies `(dx, dy)` from the centre, turned by so many right angles.
fn turn_point((dx, dy): (usize, usize), turns: usize, half: usize) -> (usize, usize) {
    match turns {
        0 => (half + dx, half + dy),
        1 => (half - dy, half + dx),
        2 => (half - dx, half - dy),
        _ => (half + dy, half - dx),
    }
}

/// One side fills the board but for a point while the other passes, and the other takes all. Three times, from other
/// points, so that no position comes again.
fn captures_again_and_again(side: usize) -> TortureBoard {
    let area = side * side;
    let mut moves = Vec::new();
    // What is left on the board by the round before, and where the next round ends.
    let rounds = [(None, 0), (Some(0), area - 1), (Some(area - 1), 1)];
    for ((left, end), color) in rounds.into_iter().zip([Cell::Black, Cell::White, Cell::Black]) {
        let other = if color == Cell::Black { Cell::White } else { Cell::Black };
        let point = |at: usize| Some((at % side, at / side));
        if left.is_some() {
            // The round before has ended with a move of `color`.
            moves.push(TortureMove { color: other, at: None });
        }
        for at in (0..area).filter(|&at| at != end && Some(at) != left) {
            moves.push(TortureMove { color, at: point(at) });
            moves.push(TortureMove { color: other, at: None });
        }
        moves.pop();
        moves.push(TortureMove { color: other, at: point(end) });
    }
    let about = format!(
        "A game of {} moves in which {} stones are taken: three times all points but one are filled and taken by one move.",
        moves.len(),
        3 * (area - 1)
    );
    TortureBoard::new("captures-again-and-again", &about, Board::new(side, side), Cell::Black)
        .with_moves(moves)
}

/// A place of [`most_kos`]: the point beside the black wall, and the one beside the white wall.
#[derive(Clone, Copy)]
struct KoPlace {
    beside_black: (usize, usize),
    beside_white: (usize, usize),
}

/// Between a black and a white wall lie two columns; in every second row one of their two points is empty, the stone on
/// the other can be taken, and be taken back.
fn ko_board(side: usize) -> (Board, Vec<KoPlace>) {
    let mut board = Board::new(side, side);
    let mut kos = Vec::new();
    for strip in 0..(side - 1) / 3 {
        let x = 3 * strip;
        let black_first = strip % 2 == 0;
        let (black_wall, white_wall) = if black_first { (x, x + 3) } else { (x + 3, x) };
        let (black, white) = if black_first { (x + 1, x + 2) } else { (x + 2, x + 1) };
        for y in 0..side {
            board.set(black_wall, y, Cell::Black);
            board.set(white_wall, y, Cell::White);
            if y % 2 == 0 {
                board.set(black, y, Cell::Black);
                board.set(white, y, Cell::White);
                continue;
            }
            kos.push(KoPlace { beside_black: (black, y), beside_white: (white, y) });
            if y % 4 == 1 {
                board.set(black, y, Cell::White);
            } else {
                board.set(white, y, Cell::Black);
            }
        }
    }
    (board, kos)
}

fn most_kos(side: usize) -> TortureBoard {
    let (board, kos) = ko_board(side);
    let about = format!(
        "{} kos at once, about half of them open to each side; any of them can be taken and taken back.",
        kos.len()
    );
    TortureBoard::new("kos", &about, board, Cell::Black)
}

/// Three of the kos, taken in turn: after six moves the position is what it was.
fn kos_in_turn(side: usize) -> TortureBoard {
    const ROUNDS: usize = 10;
    let (board, kos) = ko_board(side);
    let take = |color: Cell, ko: &KoPlace| {
        let at = if color == Cell::Black { ko.beside_white } else { ko.beside_black };
        TortureMove { color, at: Some(at) }
    };
    // The first and the third can be taken by Black, the second by White.
    let [a, b, c] = [&kos[0], &kos[1], &kos[2]];
    let round = [
        take(Cell::Black, a),
        take(Cell::White, b),
        take(Cell::Black, c),
        take(Cell::White, a),
        take(Cell::Black, b),
        take(Cell::White, c),
    ];
    let about = format!(
        "A triple ko among all others: {} moves go round it, and the position comes again every six. The rules of the \
         record allow that; under superko the sixth move is illegal.",
        round.len() * ROUNDS
    );
    let torture = TortureBoard::new("triple-ko", &about, board, Cell::Black);
    TortureBoard { rules: "japanese", ..torture }.with_moves(round.repeat(ROUNDS))
}

/// Four chains that part the board from its centre like the sails of a windmill.
fn one_empty_point(side: usize) -> TortureBoard {
    let half = side / 2;
    let mut board = Board::new(side, side);
    for turn in 0..4 {
        let color = if turn % 2 == 0 { Cell::Black } else { Cell::White };
        for dx in 1..=half {
            for (x, y) in (0..=dx).map(|dy| turn_point((dx, dy), turn, half)) {
                board.set(x, y, color);
            }
            // Above the row of the centre, up to the diagonal that belongs to the next sail.
            for dy in 1..dx {
                let (x, y) = turn_point((dx, 0), turn, half);
                let (x, y) = match turn {
                    0 => (x, y - dy),
                    1 => (x + dy, y),
                    2 => (x, y + dy),
                    _ => (x - dy, y),
                };
                board.set(x, y, color);
            }
        }
    }
    let about = "A full board but for the centre, the only liberty of two black and two white chains: whoever plays takes \
                 half of the stones.";
    TortureBoard::new("one-empty-point", about, board, Cell::Black)
}

fn two_eyes(side: usize) -> TortureBoard {
    let eyes = [(0, 0), (side - 1, side - 1)];
    let board = filled_board(side, Cell::Black, |x, y| eyes.contains(&(x, y)));
    let about = "One black chain with two eyes fills the board: White has no legal move but a pass.";
    TortureBoard::new("two-eyes", about, board, Cell::White)
}

fn most_eyes(side: usize) -> TortureBoard {
    let board = filled_board(side, Cell::White, |x, y| x % 2 == 1 && y % 2 == 1);
    let about = format!("One white chain with {} eyes of one point.", board.empty_count());
    TortureBoard::new("most-eyes", &about, board, Cell::Black)
}

/// From the corner at the top left to the one at the bottom right.
fn ladder_board(side: usize) -> TortureBoard {
    let mut board = Board::new(side, side);
    board.set(1, 1, Cell::White);
    [(0, 1), (1, 0), (1, 2), (2, 0)].iter().for_each(|&(x, y)| board.set(x, y, Cell::Black));
    let mut moves = Vec::new();
    let turn = |color, x, y| TortureMove { color, at: Some((x, y)) };
    for step in 1..side - 2 {
        moves.push(turn(Cell::White, step + 1, step));
        moves.push(turn(Cell::Black, step + 2, step));
        moves.push(turn(Cell::White, step + 1, step + 1));
        moves.push(turn(Cell::Black, step + 1, step + 2));
    }
    moves.push(turn(Cell::White, side - 1, side - 2));
    moves.push(turn(Cell::Black, side - 1, side - 1));
    let about = format!(
        "A ladder across the board, {} moves; the last takes all {} stones that fled.",
        moves.len(),
        2 * (side - 2)
    );
    TortureBoard::new("ladder", &about, board, Cell::White).with_moves(moves)
}

/// The attacker is `X`; he throws in at `p`, is taken from `q`, and takes all at `p`.
const SNAPBACK: [&str; 5] = ["XXXXX", "XOOOX", "XOpOX", "XOqXX", "XXXX."];

fn snapbacks_board() -> TortureBoard {
    let mut board = Board::new(19, 19);
    let mut moves = Vec::new();
    for tile in 0..9 {
        let corner = (tile % 3 * 7, tile / 3 * 7);
        let (attacker, other) =
            if tile % 2 == 0 { (Cell::Black, Cell::White) } else { (Cell::White, Cell::Black) };
        put_tile(&mut board, corner, &SNAPBACK, attacker, other);
        let at = |x: usize, y: usize| Some((corner.0 + x, corner.1 + y));
        for (color, at) in [(attacker, at(2, 2)), (other, at(2, 3)), (attacker, at(2, 2))] {
            moves.push(TortureMove { color, at });
        }
    }
    let about =
        "Nine snapbacks, five by Black and four by White: each throws in a stone, loses it, and takes seven.";
    TortureBoard::new("snapbacks", about, board, Cell::Black).with_moves(moves)
}

/// The inner chains of both colours have the same two liberties.
const SEKI: [&str; 5] = ["XXXXXX", "XOOOOX", "XO..OX", "OXXXXO", "OOOOOO"];

fn sekis_board() -> TortureBoard {
    let mut board = Board::new(19, 19);
    for tile in 0..12 {
        let corner = (tile % 3 * 6, tile / 3 * 4);
        let (x, o) = if tile / 3 % 2 == 0 { (Cell::Black, Cell::White) } else { (Cell::White, Cell::Black) };
        put_tile(&mut board, corner, &SEKI, x, o);
    }
    let about =
        "Twelve sekis: pairs of chains that share their only two liberties, within walls that share theirs.";
    TortureBoard::new("sekis", about, board, Cell::Black)
}

fn put_tile(board: &mut Board, corner: (usize, usize), tile: &[&str], x_is: Cell, o_is: Cell) {
    for (y, row) in tile.iter().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            let cell = match letter {
                'X' => x_is,
                'O' => o_is,
                _ => Cell::Empty,
            };
            board.set(corner.0 + x, corner.1 + y, cell);
        }
    }
}

fn handicap_board(side: usize) -> TortureBoard {
    let mut board = Board::new(side, side);
    let odd = (0..side * side).map(|at| (at % side, at / side)).filter(|&(x, y)| (x + y) % 2 == 1);
    odd.for_each(|(x, y)| board.set(x, y, Cell::Black));
    let stones = side * side - board.empty_count();
    let about = format!("A handicap of {stones} stones, on every second point; White is to move.");
    TortureBoard { handicap: stones, ..TortureBoard::new("handicap", &about, board, Cell::White) }
}

/// A chain of 132 stones with 229 liberties.
#[rustfmt::skip]
const LIBERTIES_19: [&str; 19] = [
    ".X............X..X.",
    ".XXXXXXXXXXXXXX..X.",
    ".X............X..X.",
    ".X.........X..X..X.",
    ".XXXXXXXXX.X..X..X.",
    ".X.........X..X..X.",
    ".X..X...X..X..X..X.",
    ".X..X.X.X..X..X..X.",
    ".X..X.XXXXXX..X..X.",
    ".X..X......X..X..X.",
    ".X..X......X..X..X.",
    ".X..XXXXXXXXXXX..X.",
    ".X..X............X.",
    ".X..X..........X.X.",
    ".X..X.XXXXXXXXXXXX.",
    ".X..X............X.",
    ".X..X............X.",
    ".X.XXXXXXXXXXXXXXX.",
    ".X...............X.",
];

/// A chain of 222 stones with 401 liberties.
#[rustfmt::skip]
const LIBERTIES_25: [&str; 25] = [
    "....................X..X.",
    ".XXXXXXXXXXXXXXXXXXXX..X.",
    ".X..............X...X..X.",
    ".X..............XX..X..X.",
    ".XXXXXXXXXXXXXX..X..X..X.",
    ".X............X..X..X..X.",
    ".X.........X..X..X..X..X.",
    ".X.XXXXXXXXX..X..X..X..X.",
    ".X.........X..X..X..X..X.",
    ".X......X..X..X..X..X..X.",
    ".X.XXXXXX..X..X..X..X..X.",
    ".X......X..X..X..X..X..X.",
    ".X..X..XX..X..X..X..X..X.",
    ".X..X..X...X..X..X..X..X.",
    ".X..X..X.XXX..X..X..X..X.",
    ".X..X..X...X..X..X..X..X.",
    ".X..X..X...X..X..X..X..X.",
    ".X..XXXXXXXX..X..X..X..X.",
    ".X..X......X..X..X..X..X.",
    ".X..X.........X........X.",
    ".X..XXXXXXXXXXXXXXXXXX.X.",
    ".XX....................X.",
    ".X.....................X.",
    ".XXXXXXXXXXXXXXXXXXXXXXX.",
    ".X.......................",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::{BoardVerdict, verify_board};

    fn letters(board: &Board) -> Vec<u8> {
        board.cells().iter().map(|cell| cell.letter() as u8).collect()
    }

    fn verdict(board: &Board) -> BoardVerdict {
        verify_board(board.width(), board.height(), &letters(board)).unwrap()
    }

    fn named(name: &str) -> TortureBoard {
        all_torture_boards().into_iter().find(|torture| torture.name == name).unwrap()
    }

    #[test]
    fn every_board_is_legal_and_named_once() {
        let all = all_torture_boards();
        for torture in &all {
            assert!(verdict(&torture.board).is_legal(), "{}", torture.name);
            assert!(matches!(torture.to_play, Cell::Black | Cell::White));
            assert!(
                torture.moves.first().is_none_or(|turn| turn.color == torture.to_play),
                "{}",
                torture.name
            );
        }
        let mut names: Vec<&str> = all.iter().map(|torture| torture.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
    }

    #[test]
    fn chains_are_as_many_as_said() {
        for (name, black, white) in [
            ("most-chains-19", 138, 139),
            ("most-chains-25", 244, 240),
            ("most-liberties-19", 1, 0),
            ("most-liberties-25", 1, 0),
            ("longest-chain-19", 1, 0),
            ("longest-chain-25", 1, 0),
            ("snake-19", 0, 1),
            ("most-stones-captured-25", 1, 0),
            ("most-chains-captured-19", 4, 4),
            ("most-chains-captured-25", 4, 4),
            ("one-empty-point-19", 2, 2),
            ("one-empty-point-25", 2, 2),
            ("two-eyes-19", 1, 0),
            ("most-eyes-19", 0, 1),
            ("handicap-25", 312, 0),
        ] {
            assert_eq!(verdict(&named(name).board).chains, [black, white], "{name}");
        }
    }

    /// A stone of a snake has two of its own beside it, its ends one.
    #[test]
    fn snakes_touch_themselves_nowhere() {
        for name in ["snake-19", "snake-25"] {
            let board = named(name).board;
            let side = board.width();
            let stone = |x: usize, y: usize| x < side && y < side && board.cell(x, y) == Cell::White;
            let mut ends = 0;
            for (x, y) in points_with(&board, Cell::White) {
                let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
                let count = beside.into_iter().filter(|&(x, y)| stone(x, y)).count();
                assert!(count <= 2, "{name}: {x} {y}");
                ends += usize::from(count == 1);
            }
            assert_eq!(ends, 2, "{name}");
        }
    }

    #[test]
    fn liberties_and_kos_are_as_many_as_said() {
        for (name, stones, free) in [("most-liberties-19", 132, 229), ("most-liberties-25", 222, 401)] {
            let board = named(name).board;
            let found = (points_with(&board, Cell::Black).len(), count_liberties(&board));
            assert_eq!(found, (stones, free));
        }
        assert_eq!((ko_board(19).1.len(), ko_board(25).1.len()), (54, 96));
    }
}
