//! Groups closed in a corner, held against an exhaustive search of their few points: all positions that can come up, each ruling on ko,
//! and the attacker wins what he can force in a finite number of moves.

use std::collections::{BTreeSet, HashMap};

use ishi_go::{Board, BoardSize, Color, Move, Point};
use ishi_reading::{LifeReader, ReadingOutcome};
use ishi_rng::{Rng, Seed};

use crate::closed_regions::outcome;

const OWNER: Color = Color::Black;

/// Who may retake a ko at once.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Ko {
    Nobody,
    Attacker,
    Owner,
}

/// A place: column and row, from 0.
type Place = (usize, usize);

/// An eye space in a corner within a wall of the owner's, that within the attacker's stones, but for a few outside liberties of the wall.
struct Corner {
    inside: BTreeSet<Place>,
    wall: BTreeSet<Place>,
    outside: Vec<Place>,
    attackers: Vec<Place>,
}

impl Corner {
    /// An eye space of these points, with so many outside liberties at most.
    fn new(inside: impl IntoIterator<Item = Place>, liberties: usize) -> Corner {
        let inside: BTreeSet<Place> = inside.into_iter().collect();
        let wall = ring(&inside);
        let within = &inside | &wall;
        let next = ring(&within);
        // The wall lies towards the corner of what touches it.
        let is_liberty = |&&(column, row): &&Place| {
            let beside = [(column.wrapping_sub(1), row), (column, row.wrapping_sub(1))];
            beside.iter().any(|place| wall.contains(place))
        };
        let outside: Vec<Place> = next.iter().filter(is_liberty).take(liberties).copied().collect();
        let filled = next.iter().filter(|place| !outside.contains(place)).copied();
        let attackers = filled.chain(ring(&(&within | &next))).collect();
        Corner { inside, wall, outside, attackers }
    }

    /// The corner of a drawing: rows from the edge on, `X` the owner's wall, `O` the attacker's, `.` to be played on, `-` not.
    fn drawn(rows: &[&str]) -> Corner {
        let places = |sign: char| {
            rows.iter().enumerate().flat_map(move |(row, text)| {
                text.chars()
                    .enumerate()
                    .filter(move |&(_, c)| c == sign)
                    .map(move |(column, _)| (column, row))
            })
        };
        Corner {
            inside: places('.').collect(),
            wall: places('X').collect(),
            outside: Vec::new(),
            attackers: places('O').collect(),
        }
    }

    /// The points that may be played on.
    fn points(&self) -> Vec<Point> {
        self.inside.iter().chain(&self.outside).map(point).collect()
    }

    fn stone(&self) -> Point {
        self.wall.first().map(point).expect("a wall has stones")
    }

    /// Each point has no stone, the owner's, or the attacker's. None: stones would be captured.
    fn board(&self, cells: &[Option<Color>]) -> Option<Board> {
        let mut board = Board::new(BoardSize::square(9).unwrap());
        let mut put = |color: Color, point: Point| {
            board.is_legal(color, point) && board.play_unchecked(color, Move::Play(point)) == 0
        };
        if !self.wall.iter().all(|place| put(OWNER, point(place)))
            || !self.attackers.iter().all(|place| put(!OWNER, point(place)))
        {
            return None;
        }
        let stones = self.points().into_iter().zip(cells);
        let stand = stones
            .filter_map(|(point, cell)| cell.map(|color| (color, point)))
            .all(|(color, point)| put(color, point));
        stand.then_some(board)
    }

    /// Stones of the wall that do not hang together with the first one may be captured, and their points be played on. Gives the board
    /// with them; none if it has no legal position.
    fn free_loose_stones(&mut self) -> Option<Board> {
        let stones = self.wall.iter().chain(&self.attackers).map(point);
        let distinct = stones.collect::<BTreeSet<Point>>().len() == self.wall.len() + self.attackers.len();
        let board = distinct.then(|| self.board(&vec![None; self.points().len()]))??;
        let chain = board.chain(self.stone())?;
        let (kept, loose): (BTreeSet<Place>, BTreeSet<Place>) =
            self.wall.iter().partition(|place| board.chain(point(place)) == Some(chain));
        self.wall = kept;
        self.inside.extend(&loose);
        let cells: Vec<Option<Color>> =
            self.inside.iter().map(|place| loose.contains(place).then_some(OWNER)).collect();
        self.board(&cells)
    }

    /// Do all of the attacker's chains have liberties enough that nobody fills?
    fn attackers_are_safe(&self, board: &Board) -> bool {
        let points = self.points();
        let is_attacker = |chain| board.chain_stones(chain).all(|stone| board.color(stone) == Some(!OWNER));
        board.chains().filter(|&chain| is_attacker(chain)).all(|chain| {
            board.chain_liberties(chain).iter().filter(|&point| !points.contains(point)).count() > 3
        })
    }

    /// A position after a few random moves, none of which has just made a ko.
    fn played(&self, begin: &Board, rng: &mut Rng) -> Board {
        loop {
            let (mut board, mut attacking) = (begin.clone(), rng.next_index(2) == 0);
            for _ in 0..rng.next_index(9) {
                let color = if attacking { !OWNER } else { OWNER };
                let legal: Vec<_> =
                    self.points().into_iter().filter(|&point| board.is_legal(color, point)).collect();
                let mv =
                    if legal.is_empty() { Move::Pass } else { legal[rng.next_index(legal.len())].into() };
                board.play_unchecked(color, mv);
                attacking = !attacking;
            }
            if board.color(self.stone()) == Some(OWNER) && board.ko_point().is_none() {
                return board;
            }
        }
    }

    fn random(&self, rng: &mut Rng) -> Board {
        loop {
            let cells: Vec<_> = self
                .points()
                .iter()
                .map(|_| [None, None, Some(OWNER), Some(!OWNER)][rng.next_index(4)])
                .collect();
            if let Some(board) = self.board(&cells) {
                return board;
            }
        }
    }
}

/// Points that are played on at most, so that all positions can be searched.
const MOST: usize = 8;

/// A random eye space of two to six points in the corner, at the side or in the middle, in a wall with gaps, and that in a ring of the attacker's
/// with gaps. None: it is too large, or stones of the attacker would be in danger beyond the points that are played on.
fn random_corner(rng: &mut Rng) -> Option<(Corner, Board)> {
    let begin = [(0, 0), (2, 0), (3, 3)][rng.next_index(3)];
    let points = 2 + rng.next_index(5);
    let space = random_space(begin, points, rng);
    let mut corner =
        Corner { wall: ring(&space), outside: Vec::new(), inside: space.clone(), attackers: Vec::new() };
    let within = &space | &corner.wall;
    let mut next = ring(&within);
    let beyond = ring(&(&within | &next));
    if beyond.iter().any(|&(column, row)| column.max(row) > 8) {
        return None;
    }
    for _ in 0..rng.next_index(3) {
        let gap = take_one(&mut corner.wall, rng);
        corner.inside.insert(gap);
    }
    for _ in 0..rng.next_index(3) {
        let gap = take_one(&mut next, rng);
        corner.inside.insert(gap);
    }
    corner.attackers = next.into_iter().chain(beyond).collect();
    let board = corner.free_loose_stones()?;
    (corner.inside.len() <= MOST && corner.attackers_are_safe(&board)).then_some((corner, board))
}

/// So many points that hang together, a step before this place at most.
fn random_space(begin: Place, points: usize, rng: &mut Rng) -> BTreeSet<Place> {
    let mut space = BTreeSet::from([begin]);
    while space.len() < points {
        let all: Vec<Place> = space.iter().copied().collect();
        let (column, row) = all[rng.next_index(all.len())];
        let to = [
            (column + 1, row),
            (column, row + 1),
            (column.wrapping_sub(1), row),
            (column, row.wrapping_sub(1)),
        ];
        let (column, row) = to[rng.next_index(to.len())];
        if column < 6 && row < 5 && column + 1 >= begin.0 && row + 1 >= begin.1 {
            space.insert((column, row));
        }
    }
    space
}

fn take_one(places: &mut BTreeSet<Place>, rng: &mut Rng) -> Place {
    let place = *places.iter().nth(rng.next_index(places.len())).expect("there are places");
    places.remove(&place);
    place
}

/// So many columns and rows from the corner on.
fn rectangle(columns: usize, rows: usize) -> impl Iterator<Item = Place> + Clone {
    (0..columns).flat_map(move |column| (0..rows).map(move |row| (column, row)))
}

fn point(&(column, row): &Place) -> Point {
    Point::new(column, row)
}

/// The places of a corner around others, diagonally, too.
fn ring(places: &BTreeSet<Place>) -> BTreeSet<Place> {
    let around = places.iter().flat_map(|&(column, row)| {
        let columns = column.saturating_sub(1)..=column + 1;
        columns.flat_map(move |column| (row.saturating_sub(1)..=row + 1).map(move |row| (column, row)))
    });
    around.filter(|place| !places.contains(place)).collect()
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
        let number = *self.numbers.entry((cells, board.ko_point(), attacking, passed)).or_insert(fresh);
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
            // A pass that lets a ko be taken back is a move elsewhere.
            let passes = mv == Move::Pass && board.ko_point().is_none();
            let mut next = board.clone();
            next.play_unchecked(color, mv);
            if next.color(corner.stone()) != Some(OWNER) {
                self.fallen[number] = true;
            }
            // Two passes: it lives.
            let ends = passed && passes;
            self.open[number] += 1;
            if ends || self.fallen[number] {
                continue;
            }
            if next.ko_point().is_some() && ko == if attacking { Ko::Owner } else { Ko::Attacker } {
                next.play_unchecked(color, Move::Pass);
            }
            let after = self.number(corner, &next, !attacking, passes, todo);
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

/// Reads random positions of the corner, the empty one first, and holds all to exhaustive search. Gives what becomes of the empty
/// space's group if the attacker moves first.
fn agrees(corner: &Corner, name: &str, positions: usize) -> ReadingOutcome {
    let mut rng = Seed::new(1).stream(name, 0);
    let mut boards = vec![corner.board(&vec![None; corner.points().len()]).unwrap()];
    boards.extend((0..positions).map(|_| corner.random(&mut rng)));
    are_read_rightly(corner, &boards)
}

/// Holds what is read of the boards to exhaustive search. Gives what becomes of the first one's group if the attacker moves first.
fn are_read_rightly(corner: &Corner, boards: &[Board]) -> ReadingOutcome {
    let [plain, free, bound] =
        [Ko::Nobody, Ko::Attacker, Ko::Owner].map(|ko| Graph::solve(corner, boards, ko));
    let mut reader = LifeReader::default();
    let dies = |n: usize| outcome(plain[n][0], free[n][0], bound[n][0]);
    for (n, board) in boards.iter().enumerate() {
        let live = outcome(!plain[n][1], !bound[n][1], !free[n][1]);
        let read = [reader.read_death(board, corner.stone()), reader.read_life(board, corner.stone())];
        let read = read.map(|answer| answer.expect("a few points are read to the end").outcome);
        assert_eq!(read, [dies(n), live], "{board}");
    }
    dies(0)
}

/// Nine points, the carpenter's square: it lives even if the attacker has any number of ko threats, as its wall has no gap.
#[test]
fn squares_in_the_corner_are_read_as_exhaustive_search_has_them() {
    assert_eq!(agrees(&Corner::new(rectangle(3, 3), 0), "square", 150), ReadingOutcome::Fails);
}

#[test]
fn eight_points_in_two_rows_are_read_as_exhaustive_search_has_them() {
    assert_eq!(agrees(&Corner::new(rectangle(4, 2), 0), "rows", 150), ReadingOutcome::Fails);
}

/// Two rows of three in the corner: dead without a liberty outside, a ko with one, alive with two.
#[test]
fn six_points_are_read_with_any_liberties_outside_as_exhaustive_search_has_them() {
    let empty = [0, 1, 2, 3].map(|liberties| agrees(&Corner::new(rectangle(3, 2), liberties), "six", 40));
    assert_eq!(
        empty,
        [ReadingOutcome::Works, ReadingOutcome::KoFirst, ReadingOutcome::Fails, ReadingOutcome::Fails]
    );
}

/// Five points, two rows of three less one: dead, however many liberties there are outside.
#[test]
fn bulky_fives_are_dead_with_any_liberties_outside_as_exhaustive_search_has_them() {
    for missing in [(0, 0), (2, 0), (0, 1), (2, 1)] {
        for across in [false, true] {
            let turned = |(column, row): Place| if across { (row, column) } else { (column, row) };
            let five = rectangle(3, 2).filter(|&place| place != missing).map(turned);
            for liberties in 0..5 {
                let corner = Corner::new(five.clone(), liberties);
                assert_eq!(
                    agrees(&corner, "bulky five", 20),
                    ReadingOutcome::Works,
                    "{missing:?} {liberties}"
                );
            }
        }
    }
}

/// The L group in the corner, whose wall has gaps on both sides: it is dead, whatever ko threats its owner has. Its wall closed on both sides, and
/// with a stone of its own on one. Points that its enemies are as near to, and those behind stones that may be captured, decide in many of
/// these positions.
#[test]
fn groups_in_walls_with_gaps_are_read_as_exhaustive_search_has_them() {
    let walls = [
        ["....O", "..XOO", "..XO-", ".XXO-", ".OOO-", "OO---"],
        ["...OO", "..XOO", "..XO-", ".XXO-", "OOOO-", "-----"],
        ["....O", "..XOO", "..XO-", ".XXO-", "XOOO-", "OO---"],
    ];
    for rows in walls {
        let corner = Corner::drawn(&rows);
        let mut rng = Seed::new(1).stream("L", 0);
        let empty = corner.board(&vec![None; corner.points().len()]).unwrap();
        let played: Vec<Board> = (0..300).map(|_| corner.played(&empty, &mut rng)).collect();
        let boards = [vec![empty], played].concat();
        assert_eq!(are_read_rightly(&corner, &boards), ReadingOutcome::Works);
    }
}

/// Random eye spaces in walls with gaps: their random positions are held to exhaustive search.
fn random_corners_are_read_rightly(corners: usize) {
    let mut read = 0;
    for n in 0.. {
        let mut rng = Seed::new(7).stream("corners", n);
        let Some((corner, begin)) = random_corner(&mut rng) else { continue };
        let played: Vec<Board> = (0..20).map(|_| corner.played(&begin, &mut rng)).collect();
        are_read_rightly(&corner, &[vec![begin], played].concat());
        read += 1;
        if read == corners {
            return;
        }
    }
}

#[test]
fn random_corners_are_read_as_exhaustive_search_has_them() {
    random_corners_are_read_rightly(150);
}

#[test]
#[ignore = "takes some minutes"]
fn many_random_corners_are_read_as_exhaustive_search_has_them() {
    random_corners_are_read_rightly(10_000);
}
