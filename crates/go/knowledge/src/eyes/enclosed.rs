//! Closed spaces with stones of the other side in them, or with diagonals that the other side holds: how many eyes, by reading.
//!
//! A space is read apart from the rest of the board, on boards of its own. On the first the wall around it has nothing else but two
//! liberties (eyes are not counted by who is short of liberties), and everything beyond it is the opponent's, who keeps what it holds
//! of the diagonals: a wall that lives has two eyes. On the second the wall has one eye instead of the liberties: who lives then has an eye
//! here. On the third all is the owner's: what lives inside makes the space nobody's.

use std::cell::RefCell;
use std::collections::HashMap;

use ishi_go::{Board, Cell, Color, Move, Point};
use ishi_reading::{LifeReader, PointSet, ReadingAnswer, ReadingOutcome, spaces_within};

use super::{EYE, EyeCount, HALF, LARGEST, TWO_EYES, add_once};
use crate::style::{EyeUnit, Style, VitalPoints};

/// Moves that may be played for a space.
const MOVES: u32 = 20_000;
/// Liberties of a wall that has nothing else: with three it would have escaped.
const LIBERTIES: usize = 2;
/// Spaces that are remembered at most.
const REMEMBERED: usize = 10_000;

/// A closed space with stones of the other side in it.
pub(super) struct EnclosedSpace {
    pub(super) color: Color,
    pub(super) points: PointSet,
    pub(super) eyes: EyeCount,
    /// The points that decide, where some do.
    pub(super) vital: Vec<Point>,
}

/// The closed spaces whose prisoners cannot be saved, the larger before what lies in them; those that dead stones close in are none.
pub(super) fn find_enclosed_spaces(style: Style, board: &Board, dead: &PointSet) -> Vec<EnclosedSpace> {
    let empties: PointSet = board.empty_points().collect();
    let mut closed = Vec::new();
    for color in [Color::Black, Color::White] {
        let free: PointSet = board.size().points().filter(|&p| board.color(p) != Some(color)).collect();
        for points in spaces_within(empties, free, usize::MAX) {
            let wall = points.with_neighbours().difference(&points);
            let has_prisoners = !points.difference(&empties).is_empty();
            if points.len() <= LARGEST && has_prisoners && wall.intersection(dead).is_empty() {
                closed.push((color, points));
            }
        }
    }
    closed.sort_by_key(|(_, points)| std::cmp::Reverse(points.len()));
    let mut found: Vec<EnclosedSpace> = Vec::new();
    for (color, points) in closed {
        if found.iter().all(|other| other.points.intersection(&points).is_empty()) {
            let worth = cached_worth(style, IsolatedSpace::from_points(board, color, points));
            found.extend(worth.map(|(eyes, vital)| EnclosedSpace { color, points, eyes, vital }));
        }
    }
    found
}

/// What an empty closed space is worth if the opponent holds some of its diagonals. `None`: it holds none, or that cannot be read.
pub(super) fn worth_with_lost_diagonals(
    style: Style,
    board: &Board,
    color: Color,
    points: PointSet,
) -> SpaceWorth {
    let space = IsolatedSpace::from_points(board, color, points);
    if space.wall == space.held { None } else { cached_worth(style, space) }
}

/// Eyes and the points that decide, if some do.
pub(super) type SpaceWorth = Option<(EyeCount, Vec<Point>)>;

thread_local! {
    /// What this thread has read: the same spaces stand on the board move after move.
    static READ: RefCell<SpaceCache> = RefCell::new(SpaceCache { life: LifeReader::new(MOVES), known: HashMap::new() });
}

struct SpaceCache {
    life: LifeReader,
    known: HashMap<SpaceKey, SpaceWorth>,
}

/// The last point of the board, the owner, the space, its prisoners, what of the wall is held; and what is counted.
type SpaceKey = (Point, Color, [PointSet; 3], (EyeUnit, VitalPoints));

fn cached_worth(style: Style, space: IsolatedSpace<'_>) -> SpaceWorth {
    READ.with_borrow_mut(|SpaceCache { life, known }| {
        let size = space.board.size();
        let last = Point::new(size.width() - 1, size.height() - 1);
        let sets = [space.points, space.prisoners, space.held];
        let key = (last, space.color, sets, (style.eyes, style.vital));
        if let Some(worth) = known.get(&key) {
            return worth.clone();
        }
        let worth = space.compute_worth(style, &mut LifeQuestions { life, left: MOVES });
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(key, worth.clone());
        worth
    })
}

/// Questions about one space, as long as there are moves left for them.
struct LifeQuestions<'a> {
    life: &'a mut LifeReader,
    left: u32,
}

impl LifeQuestions<'_> {
    fn ask_killing(&mut self, board: &Board, stone: Point) -> Option<ReadingAnswer> {
        let answer = self.life.read_death(board, stone);
        self.charge_moves(answer)
    }

    fn ask_living(&mut self, board: &Board, stone: Point) -> Option<ReadingAnswer> {
        let answer = self.life.read_life(board, stone);
        self.charge_moves(answer)
    }

    fn charge_moves(&mut self, answer: Option<ReadingAnswer>) -> Option<ReadingAnswer> {
        self.left = self.left.checked_sub(answer?.nodes)?;
        answer
    }
}

/// A space to be read apart, and the board where it lies.
struct IsolatedSpace<'a> {
    board: &'a Board,
    color: Color,
    points: PointSet,
    prisoners: PointSet,
    /// All points beside it, diagonally too.
    wall: PointSet,
    /// Those of them that the opponent does not hold.
    held: PointSet,
}

impl IsolatedSpace<'_> {
    fn from_points(board: &Board, color: Color, points: PointSet) -> IsolatedSpace<'_> {
        let is_enemys = |&point: &Point| board.color(point) == Some(!color);
        let wall: PointSet =
            points.iter().flat_map(|point| surrounding_points(board, point).iter()).collect();
        let wall = wall.difference(&points);
        IsolatedSpace {
            board,
            color,
            points,
            prisoners: points.iter().filter(is_enemys).collect(),
            wall,
            held: wall.iter().filter(|point| !is_enemys(point)).collect(),
        }
    }

    fn compute_worth(&self, style: Style, questions: &mut LifeQuestions<'_>) -> SpaceWorth {
        let stone = largest_component(&self.held).first()?;
        let safe = self.isolated_board(&self.wall, self.color, false)?;
        for chain in chain_heads(&safe, &self.prisoners) {
            if questions.ask_living(&safe, chain)?.outcome >= ReadingOutcome::KoFirst {
                return None;
            }
        }
        let [alone, helped] =
            [false, true].map(|helped| self.isolated_board(&self.held, !self.color, helped));
        let (alone, helped) = (alone?, helped?);
        let [kill, save] = [questions.ask_killing(&alone, stone)?, questions.ask_living(&alone, stone)?];
        // With one eye more, who lives has one here.
        let [kill_helped, save_helped] =
            [questions.ask_killing(&helped, stone)?, questions.ask_living(&helped, stone)?];
        let second = eyes_from_outcomes(
            style.eyes,
            defender_outcome(kill.outcome),
            defender_outcome(kill_helped.outcome),
        );
        let first = eyes_from_outcomes(style.eyes, save.outcome, save_helped.outcome);
        let least = if second == TWO_EYES && !self.falls_to_two_moves(questions, &alone, stone)? {
            TWO_EYES
        } else if second >= EYE && !self.falls_to_two_moves(questions, &helped, stone)? {
            EYE
        } else {
            0
        };
        let moves = if first > EYE { [save.mv, kill.mv] } else { [save_helped.mv, kill_helped.mv] };
        let vital = moves.into_iter().flatten().find(|&point| self.points.contains(point));
        let count = EyeCount { least, second, first };
        let mut vital: Vec<Point> = vital.filter(|_| second != first).into_iter().collect();
        if style.vital == VitalPoints::All && second != first {
            let questions = &mut LifeQuestions { life: &mut *questions.life, left: MOVES };
            for point in
                self.deciding_points(style, questions, [&alone, &helped], stone, count).unwrap_or_default()
            {
                add_once(&mut vital, point);
            }
        }
        Some((count, vital))
    }

    /// The points by which the owner gets all that the space is worth, or the opponent leaves it the least. `None`: there were too many
    /// moves to read.
    fn deciding_points(
        &self,
        style: Style,
        questions: &mut LifeQuestions<'_>,
        boards: [&Board; 2],
        stone: Point,
        count: EyeCount,
    ) -> Option<Vec<Point>> {
        let mut found = Vec::new();
        for point in self.points.iter() {
            for color in [self.color, !self.color] {
                if !boards.iter().all(|board| board.is_legal(color, point)) {
                    continue;
                }
                let after = boards.map(|board| {
                    let mut after = board.clone();
                    after.play_unchecked(color, Move::Play(point));
                    after
                });
                let is_owners = color == self.color;
                let mut outcome = |board: &Board| {
                    let of = if is_owners { LifeQuestions::ask_killing } else { LifeQuestions::ask_living };
                    Some(of(questions, board, stone)?.outcome)
                        .map(|outcome| if is_owners { defender_outcome(outcome) } else { outcome })
                };
                let left = eyes_from_outcomes(style.eyes, outcome(&after[0])?, outcome(&after[1])?);
                let decides = if is_owners { left >= count.first } else { left <= count.second };
                if decides {
                    add_once(&mut found, point);
                }
            }
        }
        Some(found)
    }

    /// Does the wall of one of its boards fall if the opponent moves twice?
    fn falls_to_two_moves(
        &self,
        questions: &mut LifeQuestions<'_>,
        board: &Board,
        stone: Point,
    ) -> Option<bool> {
        for point in self.points.iter().filter(|&point| board.is_legal(!self.color, point)) {
            let mut once = board.clone();
            once.play_unchecked(!self.color, Move::Play(point));
            once.play_unchecked(self.color, Move::Pass);
            if questions.ask_killing(&once, stone)?.outcome >= ReadingOutcome::KoFirst {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The space with its prisoners and what is held of its wall; beyond it a colour's stones with two eyes, and, if they are the opponent's,
    /// some liberties of the wall, or one eye if it is to be helped. Corners that the wall cuts off are the wall's. `None` where there is no room for that.
    fn isolated_board(&self, held: &PointSet, beyond: Color, helped: bool) -> Option<Board> {
        let size = self.board.size();
        let outside: PointSet = size.points().collect();
        let outside = outside.difference(&self.points).difference(&self.wall);
        let open = largest_component(&outside);
        let mut spare = self.eye_holes(&open)?.to_vec();
        let beside = open.intersection(&largest_component(held).with_neighbours());
        if beyond != self.color && !helped {
            for _ in 0..LIBERTIES {
                let is_free = |point: &Point| spare.iter().all(|other| other.lines_to(*point) > 2);
                let liberty = beside.iter().find(is_free)?;
                spare.push(liberty);
            }
        }
        let mut own = held.union(&outside.difference(&open));
        if helped {
            let is_free = |point: &Point| {
                spare.iter().all(|other| other.lines_to(*point) > 3)
                    && surrounding_points(self.board, *point).difference(&open).difference(held).is_empty()
            };
            let eye = beside.iter().find(is_free)?;
            own.add_set(&surrounding_points(self.board, eye));
            spare.push(eye);
        }
        let mut board = Board::new(size);
        let mut put = |points: &PointSet, color: Color| {
            points.iter().all(|point| {
                board.is_legal(color, point) && board.play_unchecked(color, Move::Play(point)) == 0
            })
        };
        let mut filled = open.difference(&own);
        spare.iter().for_each(|&point| filled.remove(point));
        let stands = put(&self.prisoners, !self.color)
            && put(&own, self.color)
            && put(&filled.union(&self.wall.difference(held)), beyond);
        stands.then_some(board)
    }

    /// Two points for eyes, far from the wall: all around each there are stones.
    fn eye_holes(&self, open: &PointSet) -> Option<[Point; 2]> {
        let is_deep = |point: &Point| surrounding_points(self.board, *point).difference(open).is_empty();
        let distance = |point: Point| self.points.iter().map(|inside| inside.lines_to(point)).min();
        let mut deep: Vec<Point> = open.iter().filter(is_deep).collect();
        deep.sort_by_key(|&point| std::cmp::Reverse(distance(point)));
        let first = *deep.first()?;
        deep.iter().find(|second| first.lines_to(**second) > 2).map(|&second| [first, second])
    }
}

/// Eyes of a wall that comes to so much without help, and with one eye more. What a ko decides counts half of what is at stake; in eighths
/// three quarters if the owner takes it first, one quarter if the opponent does.
fn eyes_from_outcomes(unit: EyeUnit, alone: ReadingOutcome, helped: ReadingOutcome) -> u8 {
    let (first, second) = match unit {
        EyeUnit::Halves => (HALF, 0),
        EyeUnit::Eighths => (EYE * 3 / 4, EYE / 4),
    };
    match (alone, helped) {
        (ReadingOutcome::Works, _) => TWO_EYES,
        (ReadingOutcome::KoFirst, _) => EYE + first,
        (ReadingOutcome::KoSecond, ReadingOutcome::Works) => EYE + second,
        (_, ReadingOutcome::Works) => EYE,
        (_, ReadingOutcome::KoFirst) => first,
        (_, ReadingOutcome::KoSecond) => second,
        _ => 0,
    }
}

/// What an attack that comes to this leaves to the defender, who moves second.
fn defender_outcome(attack: ReadingOutcome) -> ReadingOutcome {
    match attack {
        ReadingOutcome::Works => ReadingOutcome::Fails,
        ReadingOutcome::KoFirst => ReadingOutcome::KoSecond,
        ReadingOutcome::KoSecond => ReadingOutcome::KoFirst,
        ReadingOutcome::Fails => ReadingOutcome::Works,
    }
}

/// The points around one, eight or, at the edge, fewer.
fn surrounding_points(board: &Board, point: Point) -> PointSet {
    let near = point.neighbours().into_iter().chain(point.diagonals());
    near.filter(|&near| board.cell(near) != Cell::Border).collect()
}

/// A stone of each chain.
fn chain_heads(board: &Board, stones: &PointSet) -> Vec<Point> {
    let mut heads: Vec<Point> = Vec::new();
    for stone in stones.iter() {
        if heads.iter().all(|&head| board.chain(head) != board.chain(stone)) {
            heads.push(stone);
        }
    }
    heads
}

/// The largest of the parts that hang together.
fn largest_component(points: &PointSet) -> PointSet {
    spaces_within(*points, *points, usize::MAX)
        .reduce(|largest, part| if part.len() > largest.len() { part } else { largest })
        .unwrap_or_default()
}
