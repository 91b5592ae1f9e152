//! Level 2: connections between chains of one colour, by their shape and by reading.

use ishi_go::{Board, Cell, Point};
use ishi_reading::PointSet;

use crate::chains::{ChainFacts, Chains, PointsByDistance};
use crate::connections::{Connection, Connections};
use crate::tactical::{LinkVerdict, Tactician};

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
    /// A large knight's move apart with a stone on one of the two ways; only told where shared points lie on straight lines.
    HalfLargeKnight,
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
    /// The empty points that the chains share, by the steps to the farther of them; or, as [`SharedPoints`](crate::style::SharedPoints)
    /// says, their connection points by the lines to it.
    pub shared: PointsByDistance,
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
fn link_shape(board: &Board, a: Point, b: Point) -> Option<LinkKind> {
    let (across, up) = (a.column().abs_diff(b.column()), a.row().abs_diff(b.row()));
    let straight = |kind| is_free_between(board, a, b).then_some(kind);
    match (across.min(up), across.max(up)) {
        (1, 1) => Some(if count_enemies(board, a, rectangle_corners(a, b)) == 1 {
            LinkKind::Hane
        } else {
            LinkKind::Diagonal
        }),
        (0, 2) => straight(LinkKind::OnePointJump),
        (1, 2) => {
            let is_half = count_enemies(board, a, knight_waist(a, b)) == 1;
            Some(if is_half { LinkKind::HalfKnight } else { LinkKind::Knight })
        }
        (0, 3) => straight(LinkKind::TwoPointJump),
        (1, 3) => Some(LinkKind::LargeKnight),
        (2, 2) => (board.cell(midpoint_between(a, b)) == Cell::Empty).then_some(LinkKind::Elephant),
        (0, 4) => straight(LinkKind::ThreePointJump),
        _ => None,
    }
}

/// The other two corners of the rectangle between two points: of diagonal neighbours, the points beside both.
pub(crate) fn rectangle_corners(a: Point, b: Point) -> [Point; 2] {
    [Point::new(a.column(), b.row()), Point::new(b.column(), a.row())]
}

/// The weak point of an elephant's move.
fn midpoint_between(a: Point, b: Point) -> Point {
    Point::new(a.column().midpoint(b.column()), a.row().midpoint(b.row()))
}

/// The two points in the middle of a knight's move.
fn knight_waist(a: Point, b: Point) -> [Point; 2] {
    if a.column().abs_diff(b.column()) == 2 {
        let middle = a.column().midpoint(b.column());
        [Point::new(middle, a.row()), Point::new(middle, b.row())]
    } else {
        let middle = a.row().midpoint(b.row());
        [Point::new(a.column(), middle), Point::new(b.column(), middle)]
    }
}

/// How many of the points the opponent of a stone holds.
fn count_enemies(board: &Board, stone: Point, points: [Point; 2]) -> usize {
    let enemy = board.color(stone).map(|color| !color);
    points.into_iter().filter(|&point| board.color(point) == enemy).count()
}

/// The nearest pair of stones that has a shape, by distance, then by the shape, then by their places.
fn nearest_linked_stones(board: &Board, a: &ChainFacts, b: &ChainFacts) -> Option<([Point; 2], LinkKind)> {
    let distance = |p: Point, q: Point| {
        let (across, up) = (p.column().abs_diff(q.column()), p.row().abs_diff(q.row()));
        across * across + up * up
    };
    let pairs = a.stones.iter().flat_map(|p| b.stones.iter().map(move |q| (p, q)));
    let shaped = pairs.filter_map(|(p, q)| Some((distance(p, q), [p, q], link_shape(board, p, q)?)));
    let found = shaped.min_by_key(|&(distance, [p, q], kind)| (distance, kind, p.index(), q.index()));
    found.map(|(_, stones, kind)| (stones, kind))
}

/// How two chains face each other: by their shape, unless it is the edge or the number of their common liberties that tells.
fn facing_stones(
    board: &Board,
    a: &ChainFacts,
    b: &ChainFacts,
    shared: &PointsByDistance,
) -> Option<([Point; 2], LinkKind)> {
    let [common, two, _] = shared;
    let joint = if common.is_empty() { two } else { common };
    let is_at_edge = !joint.is_empty() && joint.iter().all(|point| touches_edge(board, point));
    let shaped = nearest_linked_stones(board, a, b);
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

/// All connections of a board, from their connection points where these are kept. Where the shape alone does not tell, they are read.
pub(crate) fn find_links(
    board: &Board,
    chains: &Chains,
    connections: Option<&Connections>,
    tactician: &mut impl Tactician,
) -> Vec<Link> {
    match connections {
        None => links_by_steps(board, chains, tactician),
        Some(connections) => links_on_straight_lines(board, chains, connections, tactician),
    }
}

/// Every pair of chains is looked at.
fn links_by_steps(board: &Board, chains: &Chains, tactician: &mut impl Tactician) -> Vec<Link> {
    let all: Vec<&ChainFacts> = chains.iter().collect();
    let mut links = Vec::new();
    for (n, a) in all.iter().enumerate() {
        for b in all[n + 1..].iter().filter(|b| b.color == a.color) {
            let shared = a.shared_points(b);
            if let Some((stones, kind)) = facing_stones(board, a, b, &shared) {
                let (strength, cut, connect) = judge_link(board, [a, b], (stones, kind), &shared, tactician);
                links.push(Link { stones, kind, shared, strength, cut, connect });
            }
        }
    }
    links
}

/// Pairs of chains that have connection points, and those of special patterns.
fn links_on_straight_lines(
    board: &Board,
    chains: &Chains,
    connections: &Connections,
    tactician: &mut impl Tactician,
) -> Vec<Link> {
    let mut links = Vec::new();
    let mut add = |names: [Point; 2], stones, kind, shared: PointsByDistance| {
        let [Some(a), Some(b)] = names.map(|name| chains.chain_at(name)) else { return };
        let (strength, cut, connect) = judge_link(board, [a, b], (stones, kind), &shared, tactician);
        links.push(Link { stones, kind, shared, strength, cut, connect });
    };
    let known = connections.all_connections();
    for connection in &known {
        if let Some((stones, kind)) = link_by_connection_points(board, connections, connection) {
            add(connection.0, stones, kind, connection.1);
        }
    }
    for (names, stones, kind, shared) in find_special_links(board, chains) {
        if known.iter().all(|(other, _)| *other != names) {
            add(names, stones, kind, shared);
        }
    }
    links
}

/// The type of a connection by the number of its points, and its stones (D. Fotland 1993, section 5).
fn link_by_connection_points(
    board: &Board,
    connections: &Connections,
    &(names, shared): &Connection,
) -> Option<([Point; 2], LinkKind)> {
    let nearest = shared.iter().find_map(PointSet::first)?;
    let meeting = connections.find_meeting(names, nearest)?;
    let [a, b] = meeting.stones;
    let is_straight = meeting.is_straight;
    let kind = match shared.map(|points| points.len()) {
        [1, 0, 0] if is_straight => LinkKind::OnePointJump,
        [1, 0, 0] if count_enemies(board, a, rectangle_corners(a, b)) == 1 => LinkKind::Hane,
        [0, 1 | 2, 0] if is_straight => LinkKind::TwoPointJump,
        [0, 1, 0] => LinkKind::HalfKnight,
        [0, 2, 0] if are_rectangle_corners(&shared[1], a, b) => LinkKind::Knight,
        [0, 0, 1 | 2] if is_straight => LinkKind::ThreePointJump,
        [0, 0, 1] => LinkKind::HalfLargeKnight,
        [0, 0, 2] if are_rectangle_corners(&shared[2], a, b) => LinkKind::LargeKnight,
        [1, 0, 0] => LinkKind::Common,
        _ => LinkKind::Multiple,
    };
    Some((meeting.stones, kind))
}

/// Are the points the other two corners of the stones' rectangle, as those of a whole knight's move are?
fn are_rectangle_corners(points: &PointSet, a: Point, b: Point) -> bool {
    rectangle_corners(a, b).iter().all(|&corner| points.contains(corner))
}

/// The names of two chains, a stone of each, the pattern, and the points by which it connects.
type SpecialLink = ([Point; 2], [Point; 2], LinkKind, PointsByDistance);

/// What connection points on straight lines do not find: the double kosumi (ハザマ), and the way along the first line below two stones on the
/// second (ワタリ).
fn find_special_links(board: &Board, chains: &Chains) -> Vec<SpecialLink> {
    let mut found: Vec<SpecialLink> = Vec::new();
    for a in board.size().points() {
        let Some(color) = board.color(a) else { continue };
        for (b, kind, points) in double_kosumi(board, a).into_iter().chain(along_the_edge(board, a)) {
            let names = [a, b].map(|stone| chains.chain_at(stone).map(ChainFacts::name));
            let [Some(first), Some(second)] = names else { continue };
            if board.color(b) != Some(color) || first == second {
                continue;
            }
            let names = if first.index() < second.index() { [first, second] } else { [second, first] };
            if found.iter().all(|(known, ..)| *known != names) {
                let stones = if names[0] == first { [a, b] } else { [b, a] };
                found.push((names, stones, kind, [PointSet::EMPTY, points, PointSet::EMPTY]));
            }
        }
    }
    found.sort_by_key(|(names, ..)| names.map(Point::index));
    found
}

/// Stones two lines up and two lines to either side, if the point between is free.
fn double_kosumi(board: &Board, a: Point) -> Vec<(Point, LinkKind, PointSet)> {
    let size = board.size();
    let sides = [a.column().checked_sub(2), Some(a.column() + 2).filter(|&column| column < size.width())];
    let above = a.row() + 2;
    let there = sides.into_iter().flatten().filter(|_| above < size.height());
    let free = there
        .map(|column| Point::new(column, above))
        .filter(|&b| board.cell(midpoint_between(a, b)) == Cell::Empty);
    free.map(|b| (b, LinkKind::Elephant, PointSet::from_point(midpoint_between(a, b)))).collect()
}

/// Lines between two stones on the second line, at most, that the first line joins.
const UNDER: usize = 3;

/// Stones further on along the second line, if the first line below is free from one to the other.
fn along_the_edge(board: &Board, a: Point) -> Vec<(Point, LinkKind, PointSet)> {
    let size = board.size();
    let (width, height) = (size.width(), size.height());
    let rows = [(1, 0), (height.saturating_sub(2), height - 1)];
    let columns = [(1, 0), (width.saturating_sub(2), width - 1)];
    let mut found = Vec::new();
    for lines in 2..=UNDER {
        let row =
            rows.into_iter().filter(|_| a.column() + lines < width).filter(|&(line, _)| a.row() == line);
        for (line, below) in row {
            let under = (0..=lines).map(|n| Point::new(a.column() + n, below));
            found.push((Point::new(a.column() + lines, line), under.collect::<PointSet>()));
        }
        let column =
            columns.into_iter().filter(|_| a.row() + lines < height).filter(|&(line, _)| a.column() == line);
        for (line, below) in column {
            let under = (0..=lines).map(|n| Point::new(below, a.row() + n));
            found.push((Point::new(line, a.row() + lines), under.collect::<PointSet>()));
        }
    }
    let is_free = |points: &PointSet| points.iter().all(|point| board.cell(point) == Cell::Empty);
    let free = found.into_iter().filter(|(_, points)| is_free(points));
    free.map(|(b, points)| (b, LinkKind::FirstLine, points)).collect()
}

fn judge_link(
    board: &Board,
    [a, b]: [&ChainFacts; 2],
    (stones, kind): ([Point; 2], LinkKind),
    [common, ..]: &PointsByDistance,
    tactician: &mut impl Tactician,
) -> LinkVerdict {
    let liberties = [a, b].map(|chain| chain.liberties.len());
    let [fewer, more] = [liberties[0].min(liberties[1]), liberties[0].max(liberties[1])];
    // Either of two common liberties joins them.
    if common.len() >= 2 && fewer >= 2 && more >= LIBERTIES_TO_JOIN {
        return (LinkStrength::Solid, None, None);
    }
    if let Some(strength) = strength_by_shape(board, stones, kind) {
        return (strength, None, None);
    }
    match tactician.link_verdict(board, stones) {
        (LinkStrength::Solid, ..) if is_enemy_within(board, stones, AJI_LINES) => {
            (LinkStrength::WithAji, None, None)
        }
        read => read,
    }
}

/// What the shape alone tells of stones with nobody near: "A one-point jump is not cut."
fn strength_by_shape(board: &Board, stones: [Point; 2], kind: LinkKind) -> Option<LinkStrength> {
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
