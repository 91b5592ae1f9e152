//! Lines of points between walls of one colour, or between its wall and the edge, that are open at an end.
//!
//! A line is as many eyes as it is long once its ends are closed. Who moves first at an end decides how much of it is left: beside a stone of
//! the opponent, whose hane (ハネ) takes a point and whose next makes the owner give way, more than at an end that lies open. So six
//! stones on the second line die, seven depend on the move, and eight live.

use ishi_go::{Board, Cell, Color, Point};
use ishi_reading::PointSet;

use super::{EYE, EyeCount, EyeKind, EyeSpace, TWO_EYES, add_once};
use crate::style::{Style, VitalPoints};

/// Longer lines are territory rather than eyes.
const LONGEST: usize = 12;

/// One end of a line.
#[derive(Clone, Copy)]
enum LineEnd {
    /// Held by the owner, or the edge.
    Closed,
    /// Nobody has closed it at this point.
    Open { outside: Point, inside: Point, near_enemy: bool, is_free: bool },
}

impl LineEnd {
    /// Points that are lost if the opponent moves twice there, if it moves first, and if the owner does.
    fn points_lost(self) -> [usize; 3] {
        match self {
            LineEnd::Closed => [0, 0, 0],
            LineEnd::Open { near_enemy: true, .. } => [3, 2, 1],
            LineEnd::Open { near_enemy: false, .. } => [2, 1, 0],
        }
    }

    /// The owner's move that closes it: outside, unless the opponent is near, or a stone is there.
    fn closing_move(self) -> Option<Point> {
        match self {
            LineEnd::Closed => None,
            LineEnd::Open { outside, near_enemy: false, is_free: true, .. } => Some(outside),
            LineEnd::Open { inside, .. } => Some(inside),
        }
    }
}

/// The lines of a board that are open at one end or both and are worth something. `taken` are points of spaces that are closed.
pub(super) fn find_open_lines(
    style: Style,
    board: &Board,
    dead: &PointSet,
    taken: &PointSet,
) -> Vec<EyeSpace> {
    let mut found: Vec<EyeSpace> = Vec::new();
    for color in Color::ALL {
        for across in [true, false] {
            let field = LineFinder { style, board, dead, taken, color, across };
            found.extend(field.find_lines());
        }
    }
    // A point is of one line only: the longest.
    found
        .sort_by_key(|space| (std::cmp::Reverse(space.points.len()), space.points.first().map(Point::index)));
    let mut kept: Vec<EyeSpace> = Vec::new();
    for space in found {
        if kept.iter().all(|other| other.points.intersection(&space.points).is_empty()) {
            kept.push(space);
        }
    }
    kept
}

/// Where lines of a colour in one direction are looked for.
struct LineFinder<'a> {
    style: Style,
    board: &'a Board,
    dead: &'a PointSet,
    taken: &'a PointSet,
    color: Color,
    across: bool,
}

impl LineFinder<'_> {
    fn find_lines(&self) -> Vec<EyeSpace> {
        let size = self.board.size();
        let (count, length) =
            if self.across { (size.height(), size.width()) } else { (size.width(), size.height()) };
        let mut found = Vec::new();
        for line in 0..count {
            let at = |n: usize| if self.across { Point::new(n, line) } else { Point::new(line, n) };
            let mut start = 0;
            while start < length {
                let run = (start..length).take_while(|&n| self.is_inside(at(n))).count();
                if run > 0 && run <= LONGEST {
                    let before = self.classify_end(start.checked_sub(1).map(at), at(start));
                    let after = self
                        .classify_end((start + run < length).then(|| at(start + run)), at(start + run - 1));
                    let points = (start..start + run).map(at).collect();
                    found.extend(self.line_space(points, [before, after]));
                }
                start += run + 1;
            }
        }
        found
    }

    fn is_own(&self, point: Point) -> bool {
        self.board.color(point) == Some(self.color) && !self.dead.contains(point)
    }

    fn is_enemy(&self, point: Point) -> bool {
        self.board.color(point) == Some(!self.color) && !self.dead.contains(point)
    }

    /// Is an empty point closed in on both sides of the line?
    fn is_inside(&self, point: Point) -> bool {
        let is_along = |next: Point| {
            if self.across { next.row() == point.row() } else { next.column() == point.column() }
        };
        let mut walls = 0;
        for next in point.neighbours() {
            if self.board.cell(next) == Cell::Border || is_along(next) {
                continue;
            }
            if !self.is_own(next) {
                return false;
            }
            walls += 1;
        }
        walls > 0 && self.board.cell(point) == Cell::Empty && !self.taken.contains(point)
    }

    fn classify_end(&self, outside: Option<Point>, inside: Point) -> LineEnd {
        let Some(outside) = outside.filter(|&point| !self.is_own(point)) else { return LineEnd::Closed };
        let near_enemy =
            self.is_enemy(outside) || outside.neighbours().into_iter().any(|next| self.is_enemy(next));
        LineEnd::Open { outside, inside, near_enemy, is_free: self.board.cell(outside) == Cell::Empty }
    }

    fn line_space(&self, points: PointSet, ends: [LineEnd; 2]) -> Option<EyeSpace> {
        let open = ends.iter().filter(|end| !matches!(end, LineEnd::Closed)).count();
        let [one, other] = ends.map(LineEnd::points_lost);
        let left = |lost: usize| eyes_of_length(points.len().saturating_sub(lost));
        let least = left(usize::max(one[0] + other[1], one[1] + other[0]));
        let second = left(one[1] + other[1]);
        // The owner closes the end where that keeps more; the opponent is first at the other.
        let gains = [one[1] - one[2], other[1] - other[2]];
        let first = left(one[1] + other[1] - gains[0].max(gains[1]));
        let best = if gains[0] >= gains[1] { [0, 1] } else { [1, 0] };
        let is_vital =
            |&n: &usize| n == best[0] || self.style.vital == VitalPoints::All && gains[n] == gains[best[0]];
        let mut vital = Vec::new();
        if first > second {
            let closing = best.into_iter().filter(is_vital).filter_map(|n| ends[n].closing_move());
            closing.for_each(|point| add_once(&mut vital, point));
        }
        (open > 0 && first > 0).then_some(EyeSpace {
            color: self.color,
            points,
            kind: EyeKind::Line { open: open as u8 },
            eyes: EyeCount { least, second, first },
            vital,
        })
    }
}

/// What a closed line of so many points is worth if the opponent moves first.
fn eyes_of_length(length: usize) -> u8 {
    match length {
        0 => 0,
        1..=3 => EYE,
        _ => TWO_EYES,
    }
}
