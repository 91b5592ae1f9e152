//! Where a group could still make eyes.

use ishi_go::{Board, Cell, Color, Point};
use ishi_reading::Status;

use super::{Group, ROOM, TWO_EYES, View, touches};
use crate::eyes::EyeKind;
use crate::oracle::Strength;

/// How a group could make eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PotentialKind {
    /// By extending along the edge.
    Edge,
    /// At the vital point of an eye space.
    VitalPoint,
    /// By joining friends that have eyes, or room for them.
    ConnectOut,
    /// By capturing a chain that can be captured.
    Capture,
    /// By closing the border of a line that is open.
    Border,
}

/// A way to make eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Potential {
    /// How.
    pub kind: PotentialKind,
    /// The move.
    pub mv: Point,
    /// What it gains, in half eyes.
    pub halves: u8,
}

/// Lines from the edge from which a group can make a base by extending.
const LOW: std::ops::RangeInclusive<usize> = 2..=4;
/// Columns that are looked at, and that one half of an eye takes.
const EXTENSION: usize = 6;
const COLUMNS_A_HALF: usize = 2;

/// All ways, the best first; of each kind those at different points.
pub(super) fn of(view: &View<'_>, groups: &[Group], group: &Group) -> Vec<Potential> {
    let mut found = Vec::new();
    at_vital_points(view, group, &mut found);
    by_connecting(view, groups, group, &mut found);
    by_capturing(view, group, &mut found);
    along_the_edge(view.board, group, &mut found);
    found.retain(|way| way.halves > 0 && view.board.is_legal(group.color, way.mv));
    found.sort_by_key(|way| (std::cmp::Reverse(way.halves), way.mv.index()));
    let mut kept: Vec<Potential> = Vec::new();
    for way in found {
        if kept.iter().all(|other| other.mv != way.mv) {
            kept.push(way);
        }
    }
    kept
}

fn at_vital_points(view: &View<'_>, group: &Group, found: &mut Vec<Potential>) {
    for space in view.spaces.iter().filter(|space| space.color == group.color && touches(group, space)) {
        if let Some(mv) = space.vital {
            let is_open = matches!(space.kind, EyeKind::Line { open: 1.. });
            let kind = if is_open { PotentialKind::Border } else { PotentialKind::VitalPoint };
            found.push(Potential { kind, mv, halves: space.eyes.first.saturating_sub(space.eyes.second) });
        }
    }
}

fn by_connecting(view: &View<'_>, groups: &[Group], group: &Group, found: &mut Vec<Potential>) {
    for link in view.links.iter().filter(|link| link.strength.is_open()) {
        let [a, b] = link.stones;
        let friend = match (group.stones.contains(a), group.stones.contains(b)) {
            (true, false) => b,
            (false, true) => a,
            _ => continue,
        };
        let is_alive = |other: &&Group| other.strength != Strength::Dead;
        let friend = groups.iter().find(|other| other.stones.contains(friend)).filter(is_alive);
        if let (Some(mv), Some(friend)) = (link.connect, friend) {
            let room = if friend.liberties.len() >= ROOM { 2 } else { 0 };
            let halves = friend.eyes.second.max(room).min(TWO_EYES);
            found.push(Potential { kind: PotentialKind::ConnectOut, mv, halves });
        }
    }
}

/// A stone taken makes half an eye, two or three an eye, and more nearly two.
fn by_capturing(view: &View<'_>, group: &Group, found: &mut Vec<Potential>) {
    for (name, status) in view.status {
        let Status::InDanger { attack, .. } = status else { continue };
        let Some(prey) = view.chains.at(*name) else { continue };
        let is_beside = !prey.stones.grown().and(&group.stones).is_empty();
        if let (Some(mv), true) = (attack.mv, prey.color != Some(group.color) && is_beside) {
            let halves = match prey.stones.len() {
                1 => 1,
                2 | 3 => 2,
                _ => 3,
            };
            found.push(Potential { kind: PotentialKind::Capture, mv, halves });
        }
    }
}

/// A base is made on the lines below the group's low stones: as far as they are empty to one side, less where the opponent is next.
fn along_the_edge(board: &Board, group: &Group, found: &mut Vec<Potential>) {
    let mut best: [Option<Potential>; 8] = [None; 8];
    for stone in group.stones.iter() {
        for (side, (line, down)) in
            edges(board, stone).into_iter().enumerate().filter(|(_, (line, _))| LOW.contains(line))
        {
            for (way, sign) in [1, -1].into_iter().enumerate() {
                let one = Strip { board, stone, line, down, sign }.extension(!group.color);
                let slot = &mut best[2 * side + way];
                if slot.map_or(0, |other| other.halves) < one.map_or(0, |one| one.halves) {
                    *slot = one;
                }
            }
        }
    }
    found.extend(best.into_iter().flatten());
}

/// The line of a point counted from each edge, and the way down to it: across and up.
fn edges(board: &Board, point: Point) -> [(usize, [isize; 2]); 4] {
    let (column, row) = (point.column(), point.row());
    let (width, height) = (board.size().width(), board.size().height());
    [(column + 1, [-1, 0]), (width - column, [1, 0]), (row + 1, [0, -1]), (height - row, [0, 1])]
}

/// What lies beside a stone along an edge, to one side, from the stone's line down.
struct Strip<'a> {
    board: &'a Board,
    stone: Point,
    line: usize,
    down: [isize; 2],
    sign: isize,
}

impl Strip<'_> {
    /// So many columns on, and lines down.
    fn at(&self, on: usize, down: usize) -> Option<Point> {
        let [across, up] = self.down;
        let (on, down) = (self.sign * on as isize, down as isize);
        let column = self.stone.column().checked_add_signed(on * up + down * across)?;
        let row = self.stone.row().checked_add_signed(on * across + down * up)?;
        let size = self.board.size();
        (column < size.width() && row < size.height()).then(|| Point::new(column, row))
    }

    fn column(&self, on: usize) -> impl Iterator<Item = Option<Cell>> {
        (0..self.line).map(move |down| self.at(on, down).map(|point| self.board.cell(point)))
    }

    fn extension(&self, enemy: Color) -> Option<Potential> {
        let is_free = |&on: &usize| self.column(on).all(|cell| cell == Some(Cell::Empty));
        let free = (1..=EXTENSION).take_while(is_free).count();
        let is_met = self.column(free + 1).flatten().any(|cell| cell.color() == Some(enemy));
        let room = free - usize::from(is_met && free > 0);
        let halves = (room / COLUMNS_A_HALF).min(2) as u8;
        let mv = self.at(if room >= EXTENSION - 2 { 2 } else { 1 }, 0)?;
        (halves > 0).then_some(Potential { kind: PotentialKind::Edge, mv, halves })
    }
}
