//! Eyes: spaces that one side has closed in, and how many eyes they are worth.

use ishi_go::{Board, Cell, Color, Point};
use ishi_reading::PointSet;

/// Eyes in halves: what a space is worth if the opponent moves twice in it, if the opponent moves first, and if its owner does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EyeCount {
    /// If the opponent moves twice.
    pub least: u8,
    /// If the opponent moves first.
    pub second: u8,
    /// If the owner moves first.
    pub first: u8,
}

/// The form of an eye space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EyeKind {
    /// One point whose diagonals make it an eye.
    Single,
    /// One point that can be taken away by its diagonals.
    False,
    /// Two points.
    Two,
    /// Three points or more in a line or bent line.
    Line,
    /// Any other form.
    Big,
    /// Captured stones stand in it.
    OfDeadStones,
}

/// A space that one side has closed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EyeSpace {
    /// Whose it is.
    pub color: Color,
    /// Its points, with the dead stones in it.
    pub points: PointSet,
    /// Its form.
    pub kind: EyeKind,
    /// What it is worth.
    pub eyes: EyeCount,
    /// The point that decides, where one does.
    pub vital: Option<Point>,
}

/// Larger spaces are territory rather than eyes: two eyes and more.
const LARGEST: usize = 10;

/// The eye spaces of a board. Dead stones count as their opponents' points.
pub(crate) fn spaces(board: &Board, dead: &PointSet) -> Vec<EyeSpace> {
    let mut free: PointSet = dead.iter().collect();
    free.add(&board.empties().collect());
    let mut todo = free;
    let mut found = Vec::new();
    while let Some(start) = todo.first() {
        let points = PointSet::of(start).flooded(&free, usize::MAX);
        todo = todo.without(&points);
        if let Some(color) = owner(board, &points, dead) {
            found.push(space(board, color, points, dead));
        }
    }
    found
}

/// The colour of all living stones around the points, if it is one.
fn owner(board: &Board, points: &PointSet, dead: &PointSet) -> Option<Color> {
    let mut around = points.grown().without(points).without(dead).iter().filter_map(|p| board.color(p));
    let first = around.next()?;
    around.all(|color| color == first).then_some(first)
}

fn space(board: &Board, color: Color, points: PointSet, dead: &PointSet) -> EyeSpace {
    let most_inside = most_central(&points);
    let inside = points.and(dead).len();
    let eye = |kind, [least, second, first]: [u8; 3], vital| EyeSpace {
        color,
        points,
        kind,
        eyes: EyeCount { least, second, first },
        vital,
    };
    let neighbours = |point: Point| point.neighbours().into_iter().filter(|&n| points.contains(n)).count();
    let ends = points.iter().filter(|&point| neighbours(point) <= 1).count();
    match points.len() {
        1 if is_false(board, color, points.first().expect("one point")) => {
            eye(EyeKind::False, [0, 0, 1], points.first())
        }
        1 => eye(EyeKind::Single, [2, 2, 2], None),
        2 => eye(EyeKind::Two, [2, 2, 2], None),
        n if inside > 0 && n <= 6 => eye(EyeKind::OfDeadStones, [2, 2, 3], most_inside),
        3 => eye(EyeKind::Line, [2, 2, 4], most_inside),
        4 if is_square(&points) => eye(EyeKind::Big, [2, 2, 2], None),
        4 if ends == 2 => eye(EyeKind::Line, [2, 4, 4], None),
        4 | 5 if points.iter().any(|point| neighbours(point) + 1 >= points.len()) => {
            eye(EyeKind::Big, [2, 2, 4], most_inside)
        }
        5 if ends == 2 => eye(EyeKind::Line, [3, 4, 4], None),
        5 => eye(EyeKind::Big, [2, 3, 4], most_inside),
        n if n <= LARGEST => eye(EyeKind::Big, [3, 4, 4], None),
        _ => eye(EyeKind::Big, [4, 4, 4], None),
    }
}

/// Can an eye of one point be taken away? In the middle two diagonals of the opponent do it, on the edge one.
fn is_false(board: &Board, color: Color, point: Point) -> bool {
    let diagonals = point.diagonals();
    let on_edge = diagonals.iter().any(|&p| board.cell(p) == Cell::Border);
    let enemies = diagonals.iter().filter(|&&p| board.color(p) == Some(!color)).count();
    enemies >= if on_edge { 1 } else { 2 }
}

fn is_square(points: &PointSet) -> bool {
    let min = |f: fn(Point) -> usize| points.iter().map(f).min().unwrap_or(0);
    let max = |f: fn(Point) -> usize| points.iter().map(f).max().unwrap_or(0);
    let sides = [max(Point::column) - min(Point::column), max(Point::row) - min(Point::row)];
    points.len() == 4 && sides == [1, 1]
}

/// The point with most neighbours in the set.
fn most_central(points: &PointSet) -> Option<Point> {
    let inside = |point: Point| point.neighbours().into_iter().filter(|&n| points.contains(n)).count();
    points.iter().max_by_key(|&point| (inside(point), std::cmp::Reverse(point.index())))
}
