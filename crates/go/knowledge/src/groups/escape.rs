//! Where a group could run to, and what lies there.

use ishi_go::{Board, Point};

use super::{Group, ROOM};
use crate::eyes::TWO_EYES;
use crate::oracle::GroupStrength;
use crate::style::{EscapePoints, Style};

/// What lies in the direction of an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapeTarget {
    /// Nothing for many lines.
    Open,
    /// Friends that have two eyes, or much room, by the name of their group.
    Strong(Point),
    /// Friends that have to live themselves.
    Weak(Point),
    /// The opponent's stones, so many lines away.
    Enemy {
        /// Lines from the point to the stones.
        lines: usize,
    },
    /// The edge.
    Edge,
}

/// Where a way out leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapeDirection {
    /// To rows of higher numbers.
    Up,
    /// To later columns.
    Right,
    /// To rows of lower numbers.
    Down,
    /// To earlier columns.
    Left,
}

/// A point by which a group could get out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escape {
    /// The liberty where the way out begins.
    pub point: Point,
    /// Where it leads.
    pub direction: EscapeDirection,
    /// What lies ahead.
    pub ahead: EscapeTarget,
}

impl Escape {
    /// What the way is worth, in half eyes: friends with two eyes as much as these.
    pub fn worth(&self) -> f32 {
        match self.ahead {
            EscapeTarget::Strong(_) => 4.0,
            EscapeTarget::Open => 2.0,
            EscapeTarget::Enemy { lines: 4.. } | EscapeTarget::Weak(_) => 1.0,
            EscapeTarget::Enemy { lines: 3 } => 0.5,
            EscapeTarget::Enemy { .. } | EscapeTarget::Edge => 0.0,
        }
    }
}

/// Lines that are looked ahead.
const FAR: usize = 7;
/// An edge nearer than this stops whoever runs; farther away there is room on the way.
const NEAR_EDGE: usize = 4;
/// Lines from an edge on which nobody gets out along it.
const LOW: isize = 2;

/// Ways out, the best first: the best in each of the four directions, or, as the style says, all. Ways that lead nowhere are left out.
pub(super) fn find_escapes(style: Style, board: &Board, groups: &[Group], group: &Group) -> Vec<Escape> {
    const WAYS: [([isize; 2], EscapeDirection); 4] = [
        ([0, 1], EscapeDirection::Up),
        ([1, 0], EscapeDirection::Right),
        ([0, -1], EscapeDirection::Down),
        ([-1, 0], EscapeDirection::Left),
    ];
    let mut found: Vec<Escape> = Vec::new();
    for (way, direction) in WAYS {
        let is_beside = |point: Point| {
            step_from(board, point, way.map(|d| -d), 1, 0).is_some_and(|before| group.stones.contains(before))
        };
        let starts = group.liberties.iter().filter(|&point| is_beside(point));
        let look =
            |point| Some(Escape { point, direction, ahead: look_ahead(board, groups, group, point, way)? });
        let escapes = starts.filter_map(look);
        if style.escapes == EscapePoints::Lists {
            found.extend(escapes.filter(|escape| escape.worth() > 0.0));
            continue;
        }
        let best = escapes
            .max_by(|a, b| a.worth().total_cmp(&b.worth()).then(b.point.index().cmp(&a.point.index())));
        found.extend(best.filter(|escape| escape.worth() > 0.0));
    }
    found.sort_by(|a, b| b.worth().total_cmp(&a.worth()).then(a.point.index().cmp(&b.point.index())));
    found
}

/// The point so many lines on in a direction, and to the side.
fn step_from(board: &Board, from: Point, [across, up]: [isize; 2], on: isize, aside: isize) -> Option<Point> {
    let column = from.column().checked_add_signed(on * across + aside * up)?;
    let row = from.row().checked_add_signed(on * up + aside * across)?;
    let size = board.size();
    (column < size.width() && row < size.height()).then(|| Point::new(column, row))
}

/// The first that is met in a cone: straight on, and from the second line one point to either side, too; dead stones are passed over.
/// `None`: its own stones.
fn look_ahead(
    board: &Board,
    groups: &[Group],
    group: &Group,
    from: Point,
    way: [isize; 2],
) -> Option<EscapeTarget> {
    let runs_low = [LOW, -LOW].into_iter().any(|aside| step_from(board, from, way, 0, aside).is_none());
    let room = if runs_low { EscapeTarget::Edge } else { EscapeTarget::Open };
    for lines in 0..FAR {
        let Some(middle) = step_from(board, from, way, lines as isize, 0) else {
            return Some(if lines < NEAR_EDGE { EscapeTarget::Edge } else { room });
        };
        let aside = if lines == 0 { 0 } else { 1 };
        let points = (-aside..=aside).filter_map(|side| step_from(board, from, way, lines as isize, side));
        let of = |point: Point| groups.iter().find(|other| other.stones.contains(point));
        let met: Vec<&Group> =
            points.filter_map(of).filter(|other| other.strength != GroupStrength::Dead).collect();
        if met.iter().any(|other| other.color != group.color) {
            return Some(EscapeTarget::Enemy { lines });
        }
        if let Some(other) = met.iter().find(|other| other.name() != group.name()) {
            let is_strong = other.eyes.second >= TWO_EYES || other.liberties.len() >= ROOM;
            return Some(if is_strong {
                EscapeTarget::Strong(other.name())
            } else {
                EscapeTarget::Weak(other.name())
            });
        }
        if group.stones.contains(middle) {
            return None;
        }
    }
    Some(room)
}
