//! Where a group could still make eyes.

use ishi_go::{Board, Cell, Color, Point};
use ishi_reading::{PointSet, Status};

use super::{Group, ROOM, View, touches};
use crate::eyes::{EYE, EyeKind, HALF, TWO_EYES};
use crate::oracle::Strength;
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
pub struct Potential {
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

impl Potential {
    fn new(kind: PotentialKind, mv: Point, gain: u8) -> Potential {
        Potential { kind, mv, gain, total: gain, points: 0, with: None }
    }
}

/// Lines from the edge from which a group can make a base by extending.
const LOW: std::ops::RangeInclusive<usize> = 2..=4;
/// Columns that are looked at, and that one half of an eye takes.
const EXTENSION: usize = 6;
const COLUMNS_A_HALF: usize = 2;

/// All ways, the best first; at each point the best, or of the document's five types the best of each.
pub(super) fn of(view: &View<'_>, groups: &[Group], group: &Group) -> Vec<Potential> {
    let are_five = view.style.potential == PotentialEyes::FiveTypes;
    let mut found = Vec::new();
    at_vital_points(view, group, &mut found);
    by_connecting(view, groups, group, &mut found);
    by_capturing(view, group, &mut found);
    if are_five {
        Held::of(view.board, groups, group).at_the_border(&mut found);
    } else {
        along_the_edge(view.board, group, &mut found);
    }
    found.retain(|way| way.gain > 0 && view.board.is_legal(group.color, way.mv));
    found.sort_by_key(|way| (std::cmp::Reverse(way.gain), way.mv.index()));
    let mut kept: Vec<Potential> = Vec::new();
    for way in found {
        let is_new = |other: &Potential| other.mv != way.mv || (are_five && other.kind != way.kind);
        if kept.iter().all(is_new) {
            kept.push(Potential { total: way.total.saturating_add(group.eyes.second), ..way });
        }
    }
    kept
}

fn at_vital_points(view: &View<'_>, group: &Group, found: &mut Vec<Potential>) {
    for space in view.spaces.iter().filter(|space| space.color == group.color && touches(group, space)) {
        for &mv in &space.vital {
            let is_open = matches!(space.kind, EyeKind::Line { open: 1.. });
            let kind = if is_open { PotentialKind::Border } else { PotentialKind::VitalPoint };
            found.push(Potential::new(kind, mv, space.eyes.first.saturating_sub(space.eyes.second)));
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
            let room = if friend.liberties.len() >= ROOM { EYE } else { 0 };
            let gain = friend.eyes.second.max(room).min(TWO_EYES);
            let way = Potential::new(PotentialKind::ConnectOut, mv, gain);
            found.push(Potential { total: friend.eyes.second, with: Some(friend.name()), ..way });
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
            let way = Potential::new(PotentialKind::Capture, mv, HALF * halves);
            found.push(Potential { with: Some(*name), ..way });
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
                if slot.map_or(0, |other| other.gain) < one.map_or(0, |one| one.gain) {
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
        (halves > 0).then_some(Potential::new(PotentialKind::Edge, mv, HALF * halves))
    }
}

/// Steps from a group's stones within which a point can be its own.
const HOLD: usize = 3;
/// Steps from a point at the border within which a move there changes what is held.
const CHANGE: usize = 2;
/// Points of open space that an eye takes: four columns of the three lines at the edge, as extensions along it count.
const EYE_POINTS: usize = 12;

/// What a group holds: the empty points near it that it reaches before the opponent does.
struct Held<'a> {
    board: &'a Board,
    group: &'a Group,
    /// Empty points by the steps of the group to them, from one; and by those of the opponent's living stones.
    own: [PointSet; HOLD],
    enemy: [PointSet; HOLD],
    points: PointSet,
}

impl<'a> Held<'a> {
    fn of(board: &'a Board, groups: &[Group], group: &'a Group) -> Held<'a> {
        let is_enemy = |other: &&Group| other.color != group.color && other.strength != Strength::Dead;
        let enemies =
            groups.iter().filter(is_enemy).fold(PointSet::EMPTY, |all, other| all.or(&other.stones));
        let empties: PointSet = board.empties().collect();
        let (own, enemy) = (waves(&group.stones, &empties), waves(&enemies, &empties));
        let mut points = PointSet::EMPTY;
        for (wave, theirs) in own.iter().zip(so_far(&enemy)) {
            points.add(&wave.without(&theirs));
        }
        Held { board, group, own, enemy, points }
    }

    /// Extensions and protections, the best first; each counts for points that no better one has.
    fn at_the_border(&self, found: &mut Vec<Potential>) {
        let mut ways: Vec<(PotentialKind, Point, PointSet)> = Vec::new();
        for mv in self.group.liberties.iter() {
            ways.push((PotentialKind::Edge, mv, self.gained(mv)));
            ways.push((PotentialKind::Border, mv, self.kept(mv)));
        }
        ways.sort_by_key(|(_, mv, points)| (std::cmp::Reverse(points.len()), mv.index()));
        let mut counted = PointSet::EMPTY;
        for (kind, mv, points) in ways.into_iter().filter(|(.., points)| !points.is_empty()) {
            if points.and(&counted).is_empty() {
                counted.add(&points);
                let gain = (points.len() * usize::from(EYE) / EYE_POINTS).min(usize::from(TWO_EYES)) as u8;
                found.push(Potential { points: points.len(), ..Potential::new(kind, mv, gain) });
            }
        }
    }

    /// What is held besides, with a stone at a liberty.
    fn gained(&self, mv: Point) -> PointSet {
        let near = waves(&PointSet::of(mv), &self.board.empties().collect());
        let mut gained = PointSet::EMPTY;
        for (wave, theirs) in near.iter().zip(so_far(&self.enemy)).take(CHANGE) {
            gained.add(&wave.without(&theirs));
        }
        gained.without(&self.points)
    }

    /// What is no longer held once the opponent has come to a liberty from stones of its own near it.
    fn kept(&self, mv: Point) -> PointSet {
        let comes = self.enemy[0].or(&self.enemy[1]).contains(mv);
        if !comes || !self.board.is_legal(!self.group.color, mv) {
            return PointSet::EMPTY;
        }
        let near = waves(&PointSet::of(mv), &self.board.empties().collect());
        let mut lost = PointSet::of(mv).and(&self.points);
        for (wave, nearer) in near.iter().zip(so_far(&self.own)).take(CHANGE) {
            lost.add(&wave.and(&self.points).without(&nearer));
        }
        lost
    }
}

/// The points of each wave with those of all waves before it.
fn so_far(waves: &[PointSet; HOLD]) -> [PointSet; HOLD] {
    let mut all = PointSet::EMPTY;
    waves.map(|wave| {
        all.add(&wave);
        all
    })
}

/// The points of a set that are one, two and three steps from others, over points of the set.
fn waves(from: &PointSet, over: &PointSet) -> [PointSet; HOLD] {
    let (mut seen, mut last) = (*from, *from);
    [(); HOLD].map(|()| {
        last = last.grown().and(over).without(&seen);
        seen.add(&last);
        last
    })
}
