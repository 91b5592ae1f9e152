//! Groups closed in a corner, held against an exhaustive search of their few points: all positions that can come up, each ruling on ko,
//! and the attacker wins what he can force in a finite number of moves.

use std::collections::HashMap;

use ishi_go::{Board, BoardSize, Color, Move, Point};
use ishi_reading::{LifeReader, Outcome};
use ishi_rng::{Rng, Seed};

const OWNER: Color = Color::Black;
const POSITIONS: usize = 150;

/// Who may retake a ko at once.
#[derive(Clone, Copy, PartialEq)]
enum Ko {
    Nobody,
    Attacker,
    Owner,
}

/// A corner of so many columns and rows within a wall of the owner's, that within one of the attacker's.
struct Corner {
    columns: usize,
    rows: usize,
}

impl Corner {
    fn points(&self) -> Vec<Point> {
        (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| Point::new(column, row))).collect()
    }

    fn stone(&self) -> Point {
        Point::new(self.columns, 0)
    }

    /// Each point has no stone, the owner's, or the attacker's. None: stones would be captured.
    fn board(&self, cells: &[Option<Color>]) -> Option<Board> {
        let mut board = Board::new(BoardSize::square(9).unwrap());
        let mut put = |color: Color, point: Point| {
            board.is_legal(color, point) && board.play_unchecked(color, Move::Play(point)) == 0
        };
        for (beyond, color) in [(0, OWNER), (1, !OWNER)] {
            let (columns, rows) = (self.columns + beyond, self.rows + beyond);
            let wall = (0..=columns).map(|column| Point::new(column, rows));
            wall.chain((0..rows).map(|row| Point::new(columns, row)))
                .for_each(|point| assert!(put(color, point)));
        }
        let stones = self.points().into_iter().zip(cells);
        let stand = stones
            .filter_map(|(point, cell)| cell.map(|color| (color, point)))
            .all(|(color, point)| put(color, point));
        stand.then_some(board)
    }

    fn random(&self, rng: &mut Rng) -> Board {
        loop {
            let cells: Vec<_> =
                self.points().iter().map(|_| [None, None, Some(OWNER), Some(!OWNER)][rng.index(4)]).collect();
            if let Some(board) = self.board(&cells) {
                return board;
            }
        }
    }
}

/// A position: its cells, the ko, does the attacker move, has the other just passed?
type Key = (Vec<Option<Color>>, Option<Point>, bool, bool);

/// The positions that can come up, and which lead to which.
#[derive(Default)]
struct Graph {
    numbers: HashMap<Key, usize>,
    /// With the attacker to move, or not.
    attacking: Vec<bool>,
    before: Vec<Vec<usize>>,
    /// Moves that are not yet known to lose, for the owner.
    open: Vec<usize>,
    fallen: Vec<bool>,
}

impl Graph {
    /// Which of the boards fall if the attacker moves first, and if the owner does?
    fn solve(corner: &Corner, starts: &[Board], ko: Ko) -> Vec<[bool; 2]> {
        let mut graph = Graph::default();
        let mut todo = Vec::new();
        let numbers: Vec<[usize; 2]> = starts
            .iter()
            .map(|board| {
                [true, false].map(|attacking| graph.number(corner, board, attacking, false, &mut todo))
            })
            .collect();
        while let Some((number, board, attacking, passed)) = todo.pop() {
            graph.expand(corner, ko, (number, board, attacking, passed), &mut todo);
        }
        graph.fall();
        numbers.into_iter().map(|both| both.map(|number| graph.fallen[number])).collect()
    }

    fn number(
        &mut self,
        corner: &Corner,
        board: &Board,
        attacking: bool,
        passed: bool,
        todo: &mut Vec<(usize, Board, bool, bool)>,
    ) -> usize {
        let cells = corner.points().into_iter().map(|point| board.color(point)).collect();
        let fresh = self.numbers.len();
        let number = *self.numbers.entry((cells, board.ko(), attacking, passed)).or_insert(fresh);
        if number == fresh {
            self.attacking.push(attacking);
            self.before.push(Vec::new());
            self.open.push(0);
            self.fallen.push(false);
            todo.push((number, board.clone(), attacking, passed));
        }
        number
    }

    fn expand(
        &mut self,
        corner: &Corner,
        ko: Ko,
        (number, board, attacking, passed): (usize, Board, bool, bool),
        todo: &mut Vec<(usize, Board, bool, bool)>,
    ) {
        let color = if attacking { !OWNER } else { OWNER };
        let legal = corner.points().into_iter().filter(|&point| board.is_legal(color, point));
        for mv in legal.map(Move::Play).chain([Move::Pass]) {
            let mut next = board.clone();
            next.play_unchecked(color, mv);
            if next.color(corner.stone()) != Some(OWNER) {
                self.fallen[number] = true;
            }
            // Two passes: it lives.
            let ends = passed && mv == Move::Pass;
            self.open[number] += 1;
            if ends || self.fallen[number] {
                continue;
            }
            if next.ko().is_some() && ko == if attacking { Ko::Owner } else { Ko::Attacker } {
                next.play_unchecked(color, Move::Pass);
            }
            let after = self.number(corner, &next, !attacking, mv == Move::Pass, todo);
            self.before[after].push(number);
        }
    }

    /// From the positions that have fallen back to those from which they can be forced.
    fn fall(&mut self) {
        let mut todo: Vec<usize> = (0..self.fallen.len()).filter(|&number| self.fallen[number]).collect();
        while let Some(number) = todo.pop() {
            for before in self.before[number].clone() {
                self.open[before] -= 1;
                if !self.fallen[before] && (self.attacking[before] || self.open[before] == 0) {
                    self.fallen[before] = true;
                    todo.push(before);
                }
            }
        }
    }
}

/// The outcome for the side that moves first, from who has his way without a free ko, with one for himself, and with one for the other.
fn outcome(plain: bool, own: bool, others: bool) -> Outcome {
    match (plain, own, others) {
        (true, _, true) => Outcome::Works,
        (true, _, false) => Outcome::KoFirst,
        (false, true, _) => Outcome::KoSecond,
        (false, false, _) => Outcome::Fails,
    }
}

fn agrees(corner: &Corner, name: &str) {
    let mut rng = Seed::new(1).stream(name, 0);
    let mut boards = vec![corner.board(&vec![None; corner.points().len()]).unwrap()];
    boards.extend((0..POSITIONS).map(|_| corner.random(&mut rng)));
    let [plain, free, bound] =
        [Ko::Nobody, Ko::Attacker, Ko::Owner].map(|ko| Graph::solve(corner, &boards, ko));
    let mut reader = LifeReader::default();
    for (n, board) in boards.iter().enumerate() {
        let die = outcome(plain[n][0], free[n][0], bound[n][0]);
        let live = outcome(!plain[n][1], !bound[n][1], !free[n][1]);
        let read = [reader.die(board, corner.stone()), reader.live(board, corner.stone())];
        let read = read.map(|answer| answer.expect("a few points are read to the end").outcome);
        assert_eq!(read, [die, live], "{board}");
        // The empty space comes first.
        assert!(n > 0 || die == Outcome::Fails, "it lives, whatever threats there are");
    }
}

/// Nine points, the carpenter's square: it lives even if the attacker has any number of ko threats, as its wall has no gap.
#[test]
fn squares_in_the_corner_are_read_as_exhaustive_search_has_them() {
    agrees(&Corner { columns: 3, rows: 3 }, "square");
}

#[test]
fn eight_points_in_two_rows_are_read_as_exhaustive_search_has_them() {
    agrees(&Corner { columns: 4, rows: 2 }, "rows");
}
