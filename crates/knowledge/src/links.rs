//! Level 2: connections between chains of one colour, by their shape and by reading.

use ishi_go::{Board, Cell, Point};

use crate::chains::{ChainFacts, Chains, Shared};
use crate::tactical::{Joint, Tactician};

/// How two chains face each other, by the two nearest of their stones; of several kinds as near the first of this list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// Diagonal neighbours (コスミ, kosumi).
    Diagonal,
    /// Diagonal neighbours around a stone of the opponent (ハネ).
    Hane,
    /// One point between them (一間トビ).
    OnePointJump,
    /// A knight's move apart (ケイマ, keima).
    Knight,
    /// A knight's move apart with a stone of the opponent in it.
    HalfKnight,
    /// Two points between them (二間トビ).
    TwoPointJump,
    /// A large knight's move apart (大ゲイマ).
    LargeKnight,
    /// Two lines apart both ways (ハザマトビ).
    Elephant,
    /// Three points between them (三間トビ).
    ThreePointJump,
    /// The way from one to the other is on the first line (ワタリ, watari).
    FirstLine,
    /// Several common liberties, other than the two of diagonal neighbours.
    Multiple,
    /// A common liberty without any of these shapes.
    Common,
}

/// How strong a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkStrength {
    /// Even if the owner moves first no connection is found, near the two and with little effort.
    Cut,
    /// The opponent's first move cuts, the owner's connects by ko only.
    Cuttable,
    /// Whoever moves first decides.
    FirstMove,
    /// The opponent's first move does not cut, but something is left to play for (味, aji): by a stone of the opponent near, by a thin
    /// shape (a knight's move, even with nobody near), or by a ko that the opponent takes second.
    WithAji,
    /// The opponent's first move does not cut, and no stone of it is near that could help; or there are two common liberties, of which
    /// either joins, whoever stands beside.
    Solid,
}

impl LinkStrength {
    /// Does the opponent's first move not cut?
    pub fn holds(self) -> bool {
        self >= LinkStrength::WithAji
    }

    /// Does it matter who moves first?
    pub fn is_open(self) -> bool {
        matches!(self, LinkStrength::Cuttable | LinkStrength::FirstMove)
    }
}

/// A connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The nearest stones of the two chains.
    pub stones: [Point; 2],
    /// Their shape.
    pub kind: LinkKind,
    /// The empty points that the chains share, by the steps to the farther of them.
    pub shared: Shared,
    /// How strong it is.
    pub strength: LinkStrength,
    /// The opponent's move that cuts, if one does.
    pub cut: Option<Point>,
    /// The owner's move that connects, if one is needed and does.
    pub connect: Option<Point>,
}

/// Lines around a connection within which a stone of the opponent leaves aji.
const AJI_LINES: usize = 2;
/// Lines around a jump within which no stone of the opponent stands if its shape alone tells that it holds.
const FREE_LINES: usize = 3;
/// With so many liberties, and the other two at least, chains may be joined at leisure.
const LIBERTIES_TO_JOIN: usize = 4;

/// Do the points between two stones hold no stone? For jumps along a line.
fn is_free_between(board: &Board, a: Point, b: Point) -> bool {
    let columns = a.column().min(b.column())..=a.column().max(b.column());
    columns
        .flat_map(|column| {
            (a.row().min(b.row())..=a.row().max(b.row())).map(move |row| Point::new(column, row))
        })
        .filter(|&point| point != a && point != b)
        .all(|point| board.cell(point) == Cell::Empty)
}

/// The shape of two stones, if it is one that connects.
fn shape(board: &Board, a: Point, b: Point) -> Option<LinkKind> {
    let (across, up) = (a.column().abs_diff(b.column()), a.row().abs_diff(b.row()));
    let straight = |kind| is_free_between(board, a, b).then_some(kind);
    match (across.min(up), across.max(up)) {
        (1, 1) => {
            Some(if enemies(board, a, corners(a, b)) == 1 { LinkKind::Hane } else { LinkKind::Diagonal })
        }
        (0, 2) => straight(LinkKind::OnePointJump),
        (1, 2) => {
            let is_half = enemies(board, a, waist(a, b)) == 1;
            Some(if is_half { LinkKind::HalfKnight } else { LinkKind::Knight })
        }
        (0, 3) => straight(LinkKind::TwoPointJump),
        (1, 3) => Some(LinkKind::LargeKnight),
        (2, 2) => (board.cell(middle(a, b)) == Cell::Empty).then_some(LinkKind::Elephant),
        (0, 4) => straight(LinkKind::ThreePointJump),
        _ => None,
    }
}

/// The other two corners of the rectangle between two points: of diagonal neighbours, the points beside both.
pub(crate) fn corners(a: Point, b: Point) -> [Point; 2] {
    [Point::new(a.column(), b.row()), Point::new(b.column(), a.row())]
}

/// The weak point of an elephant's move.
fn middle(a: Point, b: Point) -> Point {
    Point::new(a.column().midpoint(b.column()), a.row().midpoint(b.row()))
}

/// The two points in the middle of a knight's move.
fn waist(a: Point, b: Point) -> [Point; 2] {
    if a.column().abs_diff(b.column()) == 2 {
        let middle = a.column().midpoint(b.column());
        [Point::new(middle, a.row()), Point::new(middle, b.row())]
    } else {
        let middle = a.row().midpoint(b.row());
        [Point::new(a.column(), middle), Point::new(b.column(), middle)]
    }
}

/// How many of the points the opponent of a stone holds.
fn enemies(board: &Board, stone: Point, points: [Point; 2]) -> usize {
    let enemy = board.color(stone).map(|color| !color);
    points.into_iter().filter(|&point| board.color(point) == enemy).count()
}

/// The nearest pair of stones that has a shape, by distance, then by the shape, then by their places.
fn nearest(board: &Board, a: &ChainFacts, b: &ChainFacts) -> Option<([Point; 2], LinkKind)> {
    let distance = |p: Point, q: Point| {
        let (across, up) = (p.column().abs_diff(q.column()), p.row().abs_diff(q.row()));
        across * across + up * up
    };
    let pairs = a.stones.iter().flat_map(|p| b.stones.iter().map(move |q| (p, q)));
    let shaped = pairs.filter_map(|(p, q)| Some((distance(p, q), [p, q], shape(board, p, q)?)));
    let found = shaped.min_by_key(|&(distance, [p, q], kind)| (distance, kind, p.index(), q.index()));
    found.map(|(_, stones, kind)| (stones, kind))
}

/// How two chains face each other: by their shape, unless it is the edge or the number of their common liberties that tells.
fn facing(board: &Board, a: &ChainFacts, b: &ChainFacts, shared: &Shared) -> Option<([Point; 2], LinkKind)> {
    let [common, two, _] = shared;
    let joint = if common.is_empty() { two } else { common };
    let is_at_edge = !joint.is_empty() && joint.iter().all(|point| touches_edge(board, point));
    let shaped = nearest(board, a, b);
    let kind = match shaped.map(|(_, shape)| shape) {
        Some(LinkKind::Diagonal) if common.len() <= 2 => LinkKind::Diagonal,
        _ if is_at_edge => LinkKind::FirstLine,
        _ if common.len() >= 2 => LinkKind::Multiple,
        Some(shape) => shape,
        None if common.is_empty() => return None,
        None => LinkKind::Common,
    };
    let at = |chain: &ChainFacts| {
        let joint = joint.first()?;
        chain.stones.iter().min_by_key(|&stone| (stone.steps_to(joint), stone.index()))
    };
    match shaped {
        Some((stones, _)) => Some((stones, kind)),
        None => Some(([at(a)?, at(b)?], kind)),
    }
}

fn touches_edge(board: &Board, point: Point) -> bool {
    point.neighbours().into_iter().any(|next| board.cell(next) == Cell::Border)
}

/// All connections of a board. Where the shape alone does not tell, they are read.
pub(crate) fn links(board: &Board, chains: &Chains, tactician: &mut impl Tactician) -> Vec<Link> {
    let all: Vec<&ChainFacts> = chains.iter().collect();
    let mut links = Vec::new();
    for (n, a) in all.iter().enumerate() {
        for b in all[n + 1..].iter().filter(|b| b.color == a.color) {
            let shared = a.shared(b);
            if let Some((stones, kind)) = facing(board, a, b, &shared) {
                let (strength, cut, connect) = joint(board, [a, b], (stones, kind), &shared, tactician);
                links.push(Link { stones, kind, shared, strength, cut, connect });
            }
        }
    }
    links
}

fn joint(
    board: &Board,
    [a, b]: [&ChainFacts; 2],
    (stones, kind): ([Point; 2], LinkKind),
    [common, ..]: &Shared,
    tactician: &mut impl Tactician,
) -> Joint {
    let liberties = [a, b].map(|chain| chain.liberties.len());
    let [fewer, more] = [liberties[0].min(liberties[1]), liberties[0].max(liberties[1])];
    // Either of two common liberties joins them.
    if common.len() >= 2 && fewer >= 2 && more >= LIBERTIES_TO_JOIN {
        return (LinkStrength::Solid, None, None);
    }
    if let Some(strength) = by_shape(board, stones, kind) {
        return (strength, None, None);
    }
    match tactician.joint(board, stones) {
        (LinkStrength::Solid, ..) if is_enemy_within(board, stones, AJI_LINES) => {
            (LinkStrength::WithAji, None, None)
        }
        read => read,
    }
}

/// What the shape alone tells of stones with nobody near: "A one-point jump is not cut."
fn by_shape(board: &Board, stones: [Point; 2], kind: LinkKind) -> Option<LinkStrength> {
    let strength = match kind {
        LinkKind::OnePointJump => LinkStrength::Solid,
        LinkKind::Knight => LinkStrength::WithAji,
        _ => return None,
    };
    (!is_enemy_within(board, stones, FREE_LINES)).then_some(strength)
}

/// Does a stone of the opponent stand within so many lines of either?
fn is_enemy_within(board: &Board, stones: [Point; 2], lines: usize) -> bool {
    let Some(own) = board.color(stones[0]) else { return false };
    let size = board.size();
    let range = |at: usize, end: usize| at.saturating_sub(lines)..(at + lines + 1).min(end);
    stones.into_iter().any(|stone| {
        let mut columns = range(stone.column(), size.width());
        columns.any(|column| {
            let mut rows = range(stone.row(), size.height());
            rows.any(|row| board.color(Point::new(column, row)) == Some(!own))
        })
    })
}
