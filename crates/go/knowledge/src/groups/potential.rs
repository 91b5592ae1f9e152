//! Where a group could still make eyes.

use ishi_go::{Board, Cell, Color, Point};
use ishi_reading::{ChainStatus, PointSet};

use super::{Group, GroupContext, ROOM, touches_space};
use crate::eyes::{EYE, EyeKind, HALF, TWO_EYES};
use crate::oracle::GroupStrength;
use crate::style::PotentialEyes;

/// How a group could make eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PotentialKind {
    /// By extending along the edge; or, of the document's five types, by extending the border of what the group holds.
    Edge,
    /// At the vital point of an eye space.
    VitalPoint,
    /// By joining friends that have eyes, or room for them.
    ConnectOut,
    /// By capturing a chain that can be captured.
    Capture,
    /// By closing the border of a line that is open; or, of the document's five types, by protecting the border where the opponent could come in.
    Border,
}

/// A way to make eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PotentialEye {
    /// How.
    pub kind: PotentialKind,
    /// The move.
    pub mv: Point,
    /// What it gains, in eighths of an eye.
    pub gain: u8,
    /// What the group has after it, in eighths of an eye; joined to friends, they together.
    pub total: u8,
    /// The points that an extension gains, or that a border's protection keeps.
    pub points: usize,
    /// The stone that is joined or taken, if one is.
    pub with: Option<Point>,
}

impl PotentialEye {
    fn new(kind: PotentialKind, mv: Point, gain: u8) -> PotentialEye {
        PotentialEye { kind, mv, gain, total: gain, points: 0, with: None }
    }
}

/// Lines from the edge from which a group can make a base by extending.
const LOW: std::ops::RangeInclusive<usize> = 2..=4;
/// Columns that are looked at, and that one half of an eye takes.
const EXTENSION: usize = 6;
const COLUMNS_A_HALF: usize = 2;

/// All ways, the best first; at each point the best, or of the document's five types the best of each.
pub(super) fn find_potential_eyes(
    view: &GroupContext<'_>,
    groups: &[Group],
    group: &Group,
) -> Vec<PotentialEye> {
    let are_five = view.style.potential == PotentialEyes::FiveTypes;
    let mut found = Vec::new();
    eyes_at_vital_points(view, group, &mut found);
    eyes_by_connecting(view, groups, group, &mut found);
    eyes_by_capturing(view, group, &mut found);
    if are_five {
        HeldArea::compute(view.board, groups, group).eyes_at_border(&mut found);
    } else {
        eyes_along_edge(view.board, group, &mut found);
    }
    found.retain(|way| way.gain > 0 && view.board.is_legal(group.color, way.mv));
    found.sort_by_key(|way| (std::cmp::Reverse(way.gain), way.mv.index()));
    let mut kept: Vec<PotentialEye> = Vec::new();
    for way in found {
        let is_new = |other: &PotentialEye| other.mv != way.mv || (are_five && other.kind != way.kind);
        if kept.iter().all(is_new) {
            kept.push(PotentialEye { total: way.total.saturating_add(group.eyes.second), ..way });
        }
    }
    kept
}

fn eyes_at_vital_points(view: &GroupContext<'_>, group: &Group, found: &mut Vec<PotentialEye>) {
    for space in view.spaces.iter().filter(|space| space.color == group.color && touches_space(group, space))
    {
        for &mv in &space.vital {
            let is_open = matches!(space.kind, EyeKind::Line { open: 1.. });
            let kind = if is_open { PotentialKind::Border } else { PotentialKind::VitalPoint };
            found.push(PotentialEye::new(kind, mv, space.eyes.first.saturating_sub(space.eyes.second)));
        }
    }
}

fn eyes_by_connecting(
    view: &GroupContext<'_>,
    groups: &[Group],
    group: &Group,
    found: &mut Vec<PotentialEye>,
) {
    for link in view.links.iter().filter(|link| link.strength.is_open()) {
        let [a, b] = link.stones;
        let friend = match (group.stones.contains(a), group.stones.contains(b)) {
            (true, false) => b,
            (false, true) => a,
            _ => continue,
        };
        let is_alive = |other: &&Group| other.strength != GroupStrength::Dead;
        let friend = groups.iter().find(|other| other.stones.contains(friend)).filter(is_alive);
        if let (Some(mv), Some(friend)) = (link.connect, friend) {
            let room = if friend.liberties.len() >= ROOM { EYE } else { 0 };
            let gain = friend.eyes.second.max(room).min(TWO_EYES);
            let way = PotentialEye::new(PotentialKind::ConnectOut, mv, gain);
            found.push(PotentialEye { total: friend.eyes.second, with: Some(friend.name()), ..way });
        }
    }
}

/// A stone taken makes half an eye, two or three an eye, and more nearly two.
fn eyes_by_capturing(view: &GroupContext<'_>, group: &Group, found: &mut Vec<PotentialEye>) {
    for (name, status) in view.status {
        let ChainStatus::InDanger { attack, .. } = status else { continue };
        let Some(prey) = view.chains.chain_at(*name) else { continue };
        let is_beside = !prey.stones.with_neighbours().intersection(&group.stones).is_empty();
        if let (Some(mv), true) = (attack.mv, prey.color != Some(group.color) && is_beside) {
            let halves = match prey.stones.len() {
                1 => 1,
                2 | 3 => 2,
                _ => 3,
            };
            let way = PotentialEye::new(PotentialKind::Capture, mv, HALF * halves);
            found.push(PotentialEye { with: Some(*name), ..way });
        }
    }
}

/// A base is made on the lines below the group's low stones: as far as they are empty to one side, less where the opponent is next.
fn eyes_along_edge(board: &Board, group: &Group, found: &mut Vec<PotentialEye>) {
    let mut best: [Option<PotentialEye>; 8] = [None; 8];
    for stone in group.stones.iter() {
        for (side, (line, down)) in
            edge_distances(board, stone).into_iter().enumerate().filter(|(_, (line, _))| LOW.contains(line))
        {
            for (way, sign) in [1, -1].into_iter().enumerate() {
                let one = EdgeStrip { board, stone, line, down, sign }.extension_potential(!group.color);
                let slot = &mut best[2 * side + way];
                if slot.map_or(0, |other| other.gain) < one.map_or(0, |one| one.gain) {
                    *slot = one;
                }
            }
        }
    }
    found.extend(best.into_iter().flatten());
}

/// The line of a point counted from each edge, and the way down to it: across and up.
fn edge_distances(board: &Board, point: Point) -> [(usize, [isize; 2]); 4] {
    let (column, row) = (point.column(), point.row());
    let (width, height) = (board.size().width(), board.size().height());
    [(column + 1, [-1, 0]), (width - column, [1, 0]), (row + 1, [0, -1]), (height - row, [0, 1])]
}

/// What lies beside a stone along an edge, to one side, from the stone's line down.
struct EdgeStrip<'a> {
    board: &'a Board,
    stone: Point,
    line: usize,
    down: [isize; 2],
    sign: isize,
}

impl EdgeStrip<'_> {
    /// The point so many columns on, and lines down.
    fn point_at(&self, on: usize, down: usize) -> Option<Point> {
        let [across, up] = self.down;
        let (on, down) = (self.sign * on as isize, down as isize);
        let column = self.stone.column().checked_add_signed(on * up + down * across)?;
        let row = self.stone.row().checked_add_signed(on * across + down * up)?;
        let size = self.board.size();
        (column < size.width() && row < size.height()).then(|| Point::new(column, row))
    }

    fn column_cells(&self, on: usize) -> impl Iterator<Item = Option<Cell>> {
        (0..self.line).map(move |down| self.point_at(on, down).map(|point| self.board.cell(point)))
    }

    fn extension_potential(&self, enemy: Color) -> Option<PotentialEye> {
        let is_free = |&on: &usize| self.column_cells(on).all(|cell| cell == Some(Cell::Empty));
        let free = (1..=EXTENSION).take_while(is_free).count();
        let is_met = self.column_cells(free + 1).flatten().any(|cell| cell.color() == Some(enemy));
        let room = free - usize::from(is_met && free > 0);
        let halves = (room / COLUMNS_A_HALF).min(2) as u8;
        let mv = self.point_at(if room >= EXTENSION - 2 { 2 } else { 1 }, 0)?;
        (halves > 0).then_some(PotentialEye::new(PotentialKind::Edge, mv, HALF * halves))
    }
}

/// Steps from a group's stones within which a point can be its own.
const HOLD: usize = 3;
/// Steps from a point at the border within which a move there changes what is held.
const CHANGE: usize = 2;
/// Points of open space that an eye takes: four columns of the three lines at the edge, as extensions along it count.
const EYE_POINTS: usize = 12;

/// What a group holds: the empty points near it that it reaches before the opponent does.
struct HeldArea<'a> {
    board: &'a Board,
    group: &'a Group,
    /// Empty points by the steps of the group to them, from one; and by those of the opponent's living stones.
    own: [PointSet; HOLD],
    enemy: [PointSet; HOLD],
    points: PointSet,
}

impl<'a> HeldArea<'a> {
    fn compute(board: &'a Board, groups: &[Group], group: &'a Group) -> HeldArea<'a> {
        let is_enemy = |other: &&Group| other.color != group.color && other.strength != GroupStrength::Dead;
        let enemies =
            groups.iter().filter(is_enemy).fold(PointSet::EMPTY, |all, other| all.union(&other.stones));
        let empties: PointSet = board.empty_points().collect();
        let (own, enemy) = (waves_around(&group.stones, &empties), waves_around(&enemies, &empties));
        let mut points = PointSet::EMPTY;
        for (wave, theirs) in own.iter().zip(accumulate_waves(&enemy)) {
            points.add_set(&wave.difference(&theirs));
        }
        HeldArea { board, group, own, enemy, points }
    }

    /// Extensions and protections, the best first; each counts for points that no better one has.
    fn eyes_at_border(&self, found: &mut Vec<PotentialEye>) {
        let mut ways: Vec<(PotentialKind, Point, PointSet)> = Vec::new();
        for mv in self.group.liberties.iter() {
            ways.push((PotentialKind::Edge, mv, self.points_gained(mv)));
            ways.push((PotentialKind::Border, mv, self.points_kept(mv)));
        }
        ways.sort_by_key(|(_, mv, points)| (std::cmp::Reverse(points.len()), mv.index()));
        let mut counted = PointSet::EMPTY;
        for (kind, mv, points) in ways.into_iter().filter(|(.., points)| !points.is_empty()) {
            if points.intersection(&counted).is_empty() {
                counted.add_set(&points);
                let gain = (points.len() * usize::from(EYE) / EYE_POINTS).min(usize::from(TWO_EYES)) as u8;
                found.push(PotentialEye { points: points.len(), ..PotentialEye::new(kind, mv, gain) });
            }
        }
    }

    /// What is held besides, with a stone at a liberty.
    fn points_gained(&self, mv: Point) -> PointSet {
        let near = waves_around(&PointSet::from_point(mv), &self.board.empty_points().collect());
        let mut gained = PointSet::EMPTY;
        for (wave, theirs) in near.iter().zip(accumulate_waves(&self.enemy)).take(CHANGE) {
            gained.add_set(&wave.difference(&theirs));
        }
        gained.difference(&self.points)
    }

    /// What is no longer held once the opponent has come to a liberty from stones of its own near it.
    fn points_kept(&self, mv: Point) -> PointSet {
        let comes = self.enemy[0].union(&self.enemy[1]).contains(mv);
        if !comes || !self.board.is_legal(!self.group.color, mv) {
            return PointSet::EMPTY;
        }
        let near = waves_around(&PointSet::from_point(mv), &self.board.empty_points().collect());
        let mut lost = PointSet::from_point(mv).intersection(&self.points);
        for (wave, nearer) in near.iter().zip(accumulate_waves(&self.own)).take(CHANGE) {
            lost.add_set(&wave.intersection(&self.points).difference(&nearer));
        }
        lost
    }
}

/// The points of each wave with those of all waves before it.
fn accumulate_waves(waves: &[PointSet; HOLD]) -> [PointSet; HOLD] {
    let mut all = PointSet::EMPTY;
    waves.map(|wave| {
        all.add_set(&wave);
        all
    })
}

/// The points of a set that are one, two and three steps from others, over points of the set.
fn waves_around(from: &PointSet, over: &PointSet) -> [PointSet; HOLD] {
    let (mut seen, mut last) = (*from, *from);
    [(); HOLD].map(|()| {
        last = last.with_neighbours().intersection(over).difference(&seen);
        seen.add_set(&last);
        last
    })
}
