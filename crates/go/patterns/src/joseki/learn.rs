//! Joseki counted in records of games, and held against other games.

use std::collections::HashMap;

use ishi_go::{BoardSize, Color, Point};
use ishi_work::Stop;

use super::book::{Joseki, JosekiBranch, MoveKind, MoveStats};
use super::corner::{
    CornerBoard, CornerHashes, CornerKey, CornerMove, CornerPoint, board_point, corner_points,
};
use crate::records::RecordedGame;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JosekiLearnParams {
    /// A move is kept if it was played so often.
    pub min_count: u32,
    /// Moves of a corner that are followed.
    pub depth: usize,
}

impl Default for JosekiLearnParams {
    fn default() -> Self {
        JosekiLearnParams { min_count: 3, depth: 30 }
    }
}

/// What one move of one position has seen.
#[derive(Clone, Copy, Debug)]
struct JosekiTally {
    to: CornerKey,
    stats: MoveStats,
    /// Times it followed a move of its own colour.
    again: u32,
    /// Times the next move of the game was in the same corner.
    answered: u32,
}

/// A game as the corners see it.
struct CornerWalk {
    size: BoardSize,
    corners: [CornerBoard; 4],
    moves: [usize; 4],
}

impl CornerWalk {
    fn new(size: BoardSize) -> CornerWalk {
        CornerWalk { size, corners: Default::default(), moves: [0; 4] }
    }

    /// The corners that the point lies in, with the move there.
    fn moves_in_corners(
        &self,
        color: Color,
        point: Point,
    ) -> impl Iterator<Item = (usize, CornerMove)> + use<> {
        let places = corner_points(self.size, point).into_iter().enumerate();
        places.filter_map(move |(corner, place)| Some((corner, CornerMove { color, point: place? })))
    }
}

/// Counts the moves in the corners of games on 19x19 without handicap, and keeps those that were played often.
pub fn learn_joseki(records: &[RecordedGame], params: JosekiLearnParams) -> Joseki {
    learn_joseki_until(records, params, &|| false).unwrap_or_default()
}

/// The same; `stop` is asked before every game. `None` if it said so.
pub fn learn_joseki_until(
    records: &[RecordedGame],
    params: JosekiLearnParams,
    stop: &dyn Stop,
) -> Option<Joseki> {
    let mut tallies: HashMap<(CornerKey, CornerMove), JosekiTally> = HashMap::new();
    for record in records.iter().filter(|record| is_counted_game(record)) {
        if stop.is_requested() {
            return None;
        }
        count_game(record, params.depth, &mut tallies);
    }
    tallies.retain(|_, tally| tally.stats.count >= params.min_count);
    let mut following: HashMap<CornerKey, Vec<JosekiTally>> = HashMap::new();
    for (&(key, _), &tally) in &tallies {
        following.entry(key).or_default().push(tally);
    }
    let mut branches: HashMap<CornerKey, Vec<_>> = HashMap::new();
    for (&(key, mv), tally) in &tallies {
        let after = following.get(&tally.to).map_or(&[][..], Vec::as_slice);
        branches.entry(key).or_default().push((mv, tally.to, classify_move(tally, after), tally.stats));
    }
    (!stop.is_requested()).then(|| Joseki::from_branches(branches))
}

/// Only games of 19 lines without stones set up have joseki to count.
fn is_counted_game(record: &RecordedGame) -> bool {
    record.setup.is_empty() && record.size.width() == 19 && record.size.height() == 19
}

fn count_game(
    record: &RecordedGame,
    depth: usize,
    tallies: &mut HashMap<(CornerKey, CornerMove), JosekiTally>,
) {
    let mut walk = CornerWalk::new(record.size);
    let mut color = record.first;
    // What the last move of the game was in the corners: answered, if the next one is there too.
    let mut open: Vec<(usize, (CornerKey, CornerMove))> = Vec::new();
    for mv in &record.moves {
        let Some(point) = mv.point() else {
            color = !color;
            open.clear();
            continue;
        };
        let here: Vec<(usize, CornerMove)> = walk.moves_in_corners(color, point).collect();
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
            let again = board.last_move().is_some_and(|last| last.color == mv.color);
            if !board.play(mv) {
                walk.moves[corner] = depth;
                continue;
            }
            let fresh =
                JosekiTally { to: board.corner().key(), stats: MoveStats::default(), again: 0, answered: 0 };
            let tally = tallies.entry(place).or_insert(fresh);
            tally.stats.add_stats(MoveStats {
                count: 1,
                score: game_score(record, color),
                year: record.year.unwrap_or(0),
            });
            tally.again += u32::from(again);
            open.push((corner, place));
        }
        color = !color;
    }
}

/// Twice what the game was worth to a colour.
fn game_score(record: &RecordedGame, color: Color) -> u32 {
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
fn classify_move(tally: &JosekiTally, after: &[JosekiTally]) -> MoveKind {
    let count = tally.stats.count;
    if tally.again * 2 > count {
        return MoveKind::Ignore;
    }
    if count < ENOUGH {
        return MoveKind::Normal;
    }
    if is_clearly_below(&tally.stats, BAD) {
        return MoveKind::Bad;
    }
    let share = |part: u32| f64::from(part) / f64::from(count);
    if share(tally.answered) < ANSWERED {
        return MoveKind::Normal;
    }
    let refutes = |answer: &JosekiTally| {
        answer.stats.count >= ENOUGH
            && share(answer.stats.count) <= TRICK.0
            && is_clearly_above(&answer.stats, TRICK.1)
    };
    if tally.stats.win_rate() >= 0.5 && after.iter().any(refutes) {
        return MoveKind::Trick;
    }
    let most = after.iter().map(|answer| answer.stats.count).max().unwrap_or(0);
    if after.len() >= HARD.0 && share(most) <= HARD.1 {
        return MoveKind::Hard;
    }
    if share(tally.answered) >= URGENT { MoveKind::Urgent } else { MoveKind::Normal }
}

/// Half the width of the interval of a win rate, two standard deviations of a fair game.
fn win_rate_margin(stats: &MoveStats) -> f64 {
    1.0 / f64::from(stats.count).sqrt()
}

fn is_clearly_below(stats: &MoveStats, rate: f64) -> bool {
    stats.win_rate() + win_rate_margin(stats) < rate
}

fn is_clearly_above(stats: &MoveStats, rate: f64) -> bool {
    stats.win_rate() - win_rate_margin(stats) > rate
}

/// How well joseki foretell games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct JosekiCoverage {
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
pub fn measure_coverage(joseki: &Joseki, records: &[RecordedGame], moves: usize) -> JosekiCoverage {
    let mut coverage = JosekiCoverage::default();
    for record in records.iter().filter(|record| is_counted_game(record)) {
        cover_game(joseki, record, moves, &mut coverage);
    }
    coverage
}

fn cover_game(joseki: &Joseki, record: &RecordedGame, moves: usize, coverage: &mut JosekiCoverage) {
    let mut walk = CornerWalk::new(record.size);
    let (mut color, mut last) = (record.first, None);
    for mv in record.moves.iter().take(moves) {
        if let Some(point) = mv.point() {
            coverage.moves += 1;
            let here: Vec<(usize, CornerMove)> = walk.moves_in_corners(color, point).collect();
            let known = |&(corner, mv): &(usize, CornerMove)| {
                joseki.find_branch(walk.corners[corner].corner(), mv).is_some()
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
fn first_choices(joseki: &Joseki, walk: &CornerWalk, color: Color, points: [Point; 2]) -> Vec<Point> {
    let [a, b] = points.map(|point| corner_points(walk.size, point));
    let both = (0..4).filter(|&corner| a[corner].is_some() && b[corner].is_some());
    let choices = both.flat_map(|corner| {
        let position = walk.corners[corner].corner();
        let places = first_choice(joseki, position, color);
        places.into_iter().map(move |place| board_point(walk.size, corner, place))
    });
    choices.collect()
}

/// The most played move of a colour in a corner: more than one point if the position is symmetric.
fn first_choice(joseki: &Joseki, corner: &CornerHashes, color: Color) -> Vec<CornerPoint> {
    let of_color = |branch: &JosekiBranch| -> Vec<CornerPoint> {
        corner.moves_here(branch.mv).filter(|mv| mv.color == color).map(|mv| mv.point).collect()
    };
    joseki
        .standard_branches(corner)
        .iter()
        .map(of_color)
        .find(|places| !places.is_empty())
        .unwrap_or_default()
}
