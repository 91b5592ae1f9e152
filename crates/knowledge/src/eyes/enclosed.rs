//! Closed spaces with stones of the other side in them, or with diagonals that the other side holds: how many eyes, by reading.
//!
//! A space is read apart from the rest of the board, on boards of its own. On the first the wall around it has nothing else but two
//! liberties (eyes are not counted by who is short of liberties), and everything beyond it is the opponent's, who keeps what it holds
//! of the diagonals: a wall that lives has two eyes. On the second the wall has one eye instead of the liberties: who lives then has an eye
//! here. On the third all is the owner's: what lives inside makes the space nobody's.

use std::cell::RefCell;
use std::collections::HashMap;

use ishi_go::{Board, Cell, Color, Move, Point};
use ishi_reading::{LifeReader, Outcome, PointSet};

use super::{EyeCount, LARGEST};

/// Moves that may be played for a question.
const MOVES: u32 = 20_000;
/// Liberties of a wall that has nothing else: with three it would have escaped.
const LIBERTIES: usize = 2;
/// Spaces that are remembered at most.
const REMEMBERED: usize = 10_000;

/// A closed space with stones of the other side in it.
pub(super) struct Enclosed {
    pub(super) color: Color,
    pub(super) points: PointSet,
    pub(super) eyes: EyeCount,
    /// The point that decides, where one does.
    pub(super) vital: Option<Point>,
}

/// The closed spaces whose prisoners cannot be saved.
pub(super) fn spaces(board: &Board) -> Vec<Enclosed> {
    let empties: PointSet = board.empties().collect();
    let mut found: Vec<Enclosed> = Vec::new();
    for color in [Color::Black, Color::White] {
        let free: PointSet = board.size().points().filter(|&p| board.color(p) != Some(color)).collect();
        let mut todo = empties;
        while let Some(start) = todo.first() {
            let points = PointSet::of(start).flooded(&free, usize::MAX);
            todo = todo.without(&points);
            let prisoners = points.without(&empties);
            let is_new = found.iter().all(|other| other.points.and(&points).is_empty());
            if points.len() <= LARGEST && !prisoners.is_empty() && is_new {
                let worth = READ.with_borrow_mut(|read| read.worth(board, color, points, prisoners));
                found.extend(worth.map(|(eyes, vital)| Enclosed { color, points, eyes, vital }));
            }
        }
    }
    found
}

/// What an empty closed space is worth if the opponent holds some of its diagonals. `None`: it holds none, or that cannot be read.
pub(super) fn with_open_diagonals(board: &Board, color: Color, points: PointSet) -> Worth {
    let apart = Apart { board, color, points, prisoners: PointSet::EMPTY };
    let (wall, held) = apart.wall();
    if wall == held {
        return None;
    }
    READ.with_borrow_mut(|read| read.worth(board, color, points, PointSet::EMPTY))
}

/// Eyes and the point that decides, if one does.
pub(super) type Worth = Option<(EyeCount, Option<Point>)>;

thread_local! {
    /// What this thread has read: the same spaces stand on the board move after move.
    static READ: RefCell<Read> = RefCell::new(Read { life: LifeReader::new(MOVES), known: HashMap::new() });
}

struct Read {
    life: LifeReader,
    /// By the last point of the board, the owner, the space, its prisoners, and what of the wall is held.
    known: HashMap<(Point, Color, [PointSet; 3]), Worth>,
}

impl Read {
    fn worth(&mut self, board: &Board, color: Color, points: PointSet, prisoners: PointSet) -> Worth {
        let size = board.size();
        let apart = Apart { board, color, points, prisoners };
        let (wall, held) = apart.wall();
        let key = (Point::new(size.width() - 1, size.height() - 1), color, [points, prisoners, held]);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let worth = apart.worth(&wall, &held, &mut self.life);
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(key, worth);
        worth
    }
}

/// A space to be read apart, and the board where it lies.
struct Apart<'a> {
    board: &'a Board,
    color: Color,
    points: PointSet,
    prisoners: PointSet,
}

impl Apart<'_> {
    fn worth(&self, wall: &PointSet, held: &PointSet, life: &mut LifeReader) -> Worth {
        let [alone, helped] = [false, true].map(|eye| self.board_of(wall, held, !self.color, eye));
        let (alone, helped, safe) = (alone?, helped?, self.board_of(wall, wall, self.color, false)?);
        let length = |&head: &Point| alone.chain(head).map(|chain| alone.chain_length(chain));
        let stone = heads(&alone, held).into_iter().max_by_key(length)?;
        for chain in heads(&safe, &self.prisoners) {
            if life.live(&safe, chain)?.outcome >= Outcome::KoFirst {
                return None;
            }
        }
        let [kill, save] = [life.die(&alone, stone)?, life.live(&alone, stone)?];
        // With one eye more, who lives has one here.
        let [kill_helped, save_helped] = [life.die(&helped, stone)?, life.live(&helped, stone)?];
        let halves = |alone: Outcome, helped: Outcome| match (alone, helped) {
            (Outcome::Works, _) => 4,
            (Outcome::KoFirst, _) => 3,
            (_, Outcome::Works) => 2,
            (_, Outcome::KoFirst) => 1,
            _ => 0,
        };
        let second = halves(resisted(kill.outcome), resisted(kill_helped.outcome));
        let first = halves(save.outcome, save_helped.outcome);
        if first == 0 {
            return Some((EyeCount::default(), None));
        }
        let least =
            if second < 4 || self.falls_to_two_moves(life, &alone, stone)? { second.min(2) } else { 4 };
        let vital = if first > 2 { [save.mv, kill.mv] } else { [save_helped.mv, kill_helped.mv] };
        let vital = vital.into_iter().flatten().find(|&point| self.points.contains(point));
        Some((EyeCount { least, second, first }, vital.filter(|_| second != first)))
    }

    /// Can the opponent take one of two eyes by moving twice?
    fn falls_to_two_moves(&self, life: &mut LifeReader, alone: &Board, stone: Point) -> Option<bool> {
        for point in self.points.iter().filter(|&point| alone.is_legal(!self.color, point)) {
            let mut once = alone.clone();
            once.play_unchecked(!self.color, Move::Play(point));
            once.play_unchecked(self.color, Move::Pass);
            if life.die(&once, stone)?.outcome >= Outcome::KoFirst {
                return Some(true);
            }
        }
        Some(false)
    }

    /// All points beside the space, diagonally too; and those of them that the opponent does not hold.
    fn wall(&self) -> (PointSet, PointSet) {
        let beside = |point: Point| point.neighbours().into_iter().chain(point.diagonals());
        let around = self.points.iter().flat_map(beside);
        let is_wall = |&point: &Point| self.is_on_board(point) && !self.points.contains(point);
        let wall: PointSet = around.filter(is_wall).collect();
        (wall, wall.iter().filter(|&point| self.board.color(point) != Some(!self.color)).collect())
    }

    fn is_on_board(&self, point: Point) -> bool {
        self.board.cell(point) != Cell::Border
    }

    /// The space with its prisoners and what is held of its wall; beyond it a colour's stones with two eyes, and, if they are the opponent's,
    /// some liberties of the wall, or one eye if it is to be helped. Corners that the wall cuts off are the wall's. `None` where there is no room for that.
    fn board_of(&self, wall: &PointSet, held: &PointSet, beyond: Color, helped: bool) -> Option<Board> {
        let size = self.board.size();
        let outside: PointSet = size.points().collect();
        let outside = outside.without(&self.points).without(wall);
        let open = largest_part(&outside);
        let mut spare = self.holes(&open)?.to_vec();
        if beyond != self.color && !helped {
            let beside = open.and(&held.grown());
            for _ in 0..LIBERTIES {
                let is_free = |point: &Point| spare.iter().all(|other| other.lines_to(*point) > 2);
                let liberty = beside.iter().find(is_free)?;
                spare.push(liberty);
            }
        }
        let mut own = held.or(&outside.without(&open));
        if helped {
            let around = |point: Point| -> PointSet {
                let near = point.neighbours().into_iter().chain(point.diagonals());
                near.filter(|&near| self.is_on_board(near)).collect()
            };
            let is_free = |point: &Point| {
                spare.iter().all(|other| other.lines_to(*point) > 3)
                    && around(*point).without(&open).without(held).is_empty()
            };
            let eye = open.and(&held.grown()).iter().find(is_free)?;
            own.add(&around(eye));
            spare.push(eye);
        }
        let mut board = Board::new(size);
        let mut put = |points: &PointSet, color: Color| {
            points.iter().all(|point| {
                board.is_legal(color, point) && board.play_unchecked(color, Move::Play(point)) == 0
            })
        };
        let mut filled = open.without(&own);
        spare.iter().for_each(|&point| filled.remove(point));
        let stands = put(&self.prisoners, !self.color)
            && put(&own, self.color)
            && put(&filled.or(&wall.without(held)), beyond);
        stands.then_some(board)
    }

    /// Two points for eyes, far from the wall: all around each there are stones.
    fn holes(&self, open: &PointSet) -> Option<[Point; 2]> {
        let is_deep = |point: &Point| {
            let around = point.neighbours().into_iter().chain(point.diagonals());
            around.filter(|&near| self.is_on_board(near)).all(|near| open.contains(near))
        };
        let distance = |point: Point| self.points.iter().map(|inside| inside.lines_to(point)).min();
        let mut deep: Vec<Point> = open.iter().filter(is_deep).collect();
        deep.sort_by_key(|&point| std::cmp::Reverse(distance(point)));
        let first = *deep.first()?;
        deep.iter().find(|second| first.lines_to(**second) > 2).map(|&second| [first, second])
    }
}

/// What an attack that comes to this leaves to the defender, who moves second.
fn resisted(attack: Outcome) -> Outcome {
    match attack {
        Outcome::Works => Outcome::Fails,
        Outcome::KoFirst => Outcome::KoSecond,
        Outcome::KoSecond => Outcome::KoFirst,
        Outcome::Fails => Outcome::Works,
    }
}

/// A stone of each chain.
fn heads(board: &Board, stones: &PointSet) -> Vec<Point> {
    let mut heads: Vec<Point> = Vec::new();
    for stone in stones.iter() {
        if heads.iter().all(|&head| board.chain(head) != board.chain(stone)) {
            heads.push(stone);
        }
    }
    heads
}

/// The largest of the parts that hang together.
fn largest_part(points: &PointSet) -> PointSet {
    let mut todo = *points;
    let mut largest = PointSet::EMPTY;
    while let Some(start) = todo.first() {
        let part = PointSet::of(start).flooded(points, usize::MAX);
        todo = todo.without(&part);
        if part.len() > largest.len() {
            largest = part;
        }
    }
    largest
}
