//! Joseki counted in records of games, and held against other games.

use std::collections::HashMap;

use ishi_go::{BoardSize, Color, Point};

use super::book::{Branch, Joseki, Kind, Stats};
use super::corner::{Corner, CornerBoard, CornerMove, CornerPoint, Key, board_point, places};
use crate::records::Record;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnParams {
    /// A move is kept if it was played so often.
    pub min_count: u32,
    /// Moves of a corner that are followed.
    pub depth: usize,
}

impl Default for LearnParams {
    fn default() -> Self {
        LearnParams { min_count: 3, depth: 30 }
    }
}

/// What one move of one position has seen.
#[derive(Clone, Copy, Debug)]
struct Tally {
    to: Key,
    stats: Stats,
    /// Times it followed a move of its own colour.
    again: u32,
    /// Times the next move of the game was in the same corner.
    answered: u32,
}

/// A game as the corners see it.
struct Walk {
    size: BoardSize,
    corners: [CornerBoard; 4],
    moves: [usize; 4],
}

impl Walk {
    fn new(size: BoardSize) -> Walk {
        Walk { size, corners: Default::default(), moves: [0; 4] }
    }

    /// The corners that the point lies in, with the move there.
    fn in_corners(&self, color: Color, point: Point) -> impl Iterator<Item = (usize, CornerMove)> + use<> {
        let places = places(self.size, point).into_iter().enumerate();
        places.filter_map(move |(corner, place)| Some((corner, CornerMove { color, point: place? })))
    }
}

/// Counts the moves in the corners of games on 19x19 without handicap, and keeps those that were played often.
pub fn learn(records: &[Record], params: LearnParams) -> Joseki {
    learn_until(records, params, &|| false).unwrap_or_default()
}

/// The same; `stop` is asked before every game. `None` if it said so.
pub fn learn_until(records: &[Record], params: LearnParams, stop: &dyn Fn() -> bool) -> Option<Joseki> {
    let mut tallies: HashMap<(Key, CornerMove), Tally> = HashMap::new();
    for record in records.iter().filter(|record| is_counted(record)) {
        if stop() {
            return None;
        }
        count(record, params.depth, &mut tallies);
    }
    tallies.retain(|_, tally| tally.stats.count >= params.min_count);
    let mut following: HashMap<Key, Vec<Tally>> = HashMap::new();
    for (&(key, _), &tally) in &tallies {
        following.entry(key).or_default().push(tally);
    }
    let mut branches: HashMap<Key, Vec<_>> = HashMap::new();
    for (&(key, mv), tally) in &tallies {
        let after = following.get(&tally.to).map_or(&[][..], Vec::as_slice);
        branches.entry(key).or_default().push((mv, tally.to, kind(tally, after), tally.stats));
    }
    (!stop()).then(|| Joseki::from_branches(branches))
}

/// Only games of 19 lines without stones set up have joseki to count.
fn is_counted(record: &Record) -> bool {
    record.setup.is_empty() && record.size.width() == 19 && record.size.height() == 19
}

fn count(record: &Record, depth: usize, tallies: &mut HashMap<(Key, CornerMove), Tally>) {
    let mut walk = Walk::new(record.size);
    let mut color = record.first;
    // What the last move of the game was in the corners: answered, if the next one is there too.
    let mut open: Vec<(usize, (Key, CornerMove))> = Vec::new();
    for mv in &record.moves {
        let Some(point) = mv.point() else {
            color = !color;
            open.clear();
            continue;
        };
        let here: Vec<(usize, CornerMove)> = walk.in_corners(color, point).collect();
        for (corner, place) in std::mem::take(&mut open) {
            if here.iter().any(|&(c, _)| c == corner)
                && let Some(tally) = tallies.get_mut(&place)
            {
                tally.answered += 1;
            }
        }
        for (corner, mv) in here {
            let board = &mut walk.corners[corner];
            walk.moves[corner] += 1;
            if walk.moves[corner] > depth {
                continue;
            }
            let place = (board.corner().key(), board.corner().standard_move(mv));
            let again = board.last().is_some_and(|last| last.color == mv.color);
            if !board.play(mv) {
                walk.moves[corner] = depth;
                continue;
            }
            let fresh = Tally { to: board.corner().key(), stats: Stats::default(), again: 0, answered: 0 };
            let tally = tallies.entry(place).or_insert(fresh);
            tally.stats.add(Stats { count: 1, score: score(record, color), year: record.year.unwrap_or(0) });
            tally.again += u32::from(again);
            open.push((corner, place));
        }
        color = !color;
    }
}

/// Twice what the game was worth to a colour.
fn score(record: &Record, color: Color) -> u32 {
    match record.winner {
        Some(winner) => 2 * u32::from(winner == color),
        None => 1,
    }
}

/// Plays of a move from which on its results and answers say something of it.
const ENOUGH: u32 = 20;
/// Share of answers at once that makes a move urgent.
const URGENT: f64 = 0.9;
/// Share of answers at once below which the moves after a move are no answers to it.
const ANSWERED: f64 = 0.5;
/// A move is hard if there are so many answers, and none of them has a larger share than this.
const HARD: (usize, f64) = (5, 0.35);
/// A move is bad if its win rate is below this by two standard deviations.
const BAD: f64 = 0.47;
/// A move is a trick if an answer that is given at most so often wins more than this by two standard deviations, though the move
/// itself wins half of its games.
const TRICK: (f64, f64) = (0.3, 0.55);

/// What the counts say of a move, given the moves after it.
fn kind(tally: &Tally, after: &[Tally]) -> Kind {
    let count = tally.stats.count;
    if tally.again * 2 > count {
        return Kind::Ignore;
    }
    if count < ENOUGH {
        return Kind::Normal;
    }
    if is_below(&tally.stats, BAD) {
        return Kind::Bad;
    }
    let share = |part: u32| f64::from(part) / f64::from(count);
    if share(tally.answered) < ANSWERED {
        return Kind::Normal;
    }
    let refutes = |answer: &Tally| {
        answer.stats.count >= ENOUGH
            && share(answer.stats.count) <= TRICK.0
            && is_above(&answer.stats, TRICK.1)
    };
    if tally.stats.win_rate() >= 0.5 && after.iter().any(refutes) {
        return Kind::Trick;
    }
    let most = after.iter().map(|answer| answer.stats.count).max().unwrap_or(0);
    if after.len() >= HARD.0 && share(most) <= HARD.1 {
        return Kind::Hard;
    }
    if share(tally.answered) >= URGENT { Kind::Urgent } else { Kind::Normal }
}

/// Half the width of the interval of a win rate, two standard deviations of a fair game.
fn margin(stats: &Stats) -> f64 {
    1.0 / f64::from(stats.count).sqrt()
}

fn is_below(stats: &Stats, rate: f64) -> bool {
    stats.win_rate() + margin(stats) < rate
}

fn is_above(stats: &Stats, rate: f64) -> bool {
    stats.win_rate() - margin(stats) > rate
}

/// How well joseki foretell games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Moves that were asked about.
    pub moves: usize,
    /// Those that are in the book: a branch of their corner's position.
    pub known: usize,
    /// Moves in the same corner as the move before, where the book has an answer to that.
    pub answers: usize,
    /// Those of them that are the book's first answer.
    pub right: usize,
}

/// Holds joseki against the first so many moves of games.
pub fn coverage(joseki: &Joseki, records: &[Record], moves: usize) -> Coverage {
    let mut coverage = Coverage::default();
    for record in records.iter().filter(|record| is_counted(record)) {
        cover(joseki, record, moves, &mut coverage);
    }
    coverage
}

fn cover(joseki: &Joseki, record: &Record, moves: usize, coverage: &mut Coverage) {
    let mut walk = Walk::new(record.size);
    let (mut color, mut last) = (record.first, None);
    for mv in record.moves.iter().take(moves) {
        if let Some(point) = mv.point() {
            coverage.moves += 1;
            let here: Vec<(usize, CornerMove)> = walk.in_corners(color, point).collect();
            let known = |&(corner, mv): &(usize, CornerMove)| {
                joseki.branch(walk.corners[corner].corner(), mv).is_some()
            };
            coverage.known += usize::from(here.iter().any(known));
            let choices = last.map_or(Vec::new(), |last| first_choices(joseki, &walk, color, [last, point]));
            coverage.answers += usize::from(!choices.is_empty());
            coverage.right += usize::from(choices.contains(&point));
            for (corner, mv) in here {
                walk.corners[corner].play(mv);
            }
        }
        last = mv.point();
        color = !color;
    }
}

/// What the book plays first in the corners that hold both points.
fn first_choices(joseki: &Joseki, walk: &Walk, color: Color, points: [Point; 2]) -> Vec<Point> {
    let [a, b] = points.map(|point| places(walk.size, point));
    let both = (0..4).filter(|&corner| a[corner].is_some() && b[corner].is_some());
    let choices = both.flat_map(|corner| {
        let position = walk.corners[corner].corner();
        let places = first_choice(joseki, position, color);
        places.into_iter().map(move |place| board_point(walk.size, corner, place))
    });
    choices.collect()
}

/// The most played move of a colour in a corner: more than one point if the position is symmetric.
fn first_choice(joseki: &Joseki, corner: &Corner, color: Color) -> Vec<CornerPoint> {
    let of_color = |branch: &Branch| -> Vec<CornerPoint> {
        corner.moves_here(branch.mv).filter(|mv| mv.color == color).map(|mv| mv.point).collect()
    };
    joseki
        .standard_branches(corner)
        .iter()
        .map(of_color)
        .find(|places| !places.is_empty())
        .unwrap_or_default()
}
