//! Level 2: connections between chains of one colour, by their shape and by reading.

use ishi_go::{Board, Cell, Point};

use crate::chains::{ChainFacts, Chains};
use crate::tactical::Tactician;

/// How two chains face each other, by the two nearest of their stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// Diagonal neighbours (コスミ, kosumi).
    Diagonal,
    /// One point between them (一間トビ).
    OnePointJump,
    /// A knight's move apart (ケイマ, keima).
    Knight,
    /// Two points between them (二間トビ).
    TwoPointJump,
    /// A large knight's move apart (大ゲイマ).
    LargeKnight,
    /// Two lines apart both ways (ハザマトビ).
    Elephant,
    /// Three points between them (三間トビ).
    ThreePointJump,
    /// A common liberty without any of these shapes.
    Common,
}

/// How strong a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkStrength {
    /// Even the owner's move does not connect.
    Cut,
    /// Whoever moves first decides.
    Cuttable,
    /// The opponent's first move does not cut.
    Solid,
}

/// A connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The nearest stones of the two chains.
    pub stones: [Point; 2],
    /// Their shape.
    pub kind: LinkKind,
    /// How strong it is.
    pub strength: LinkStrength,
    /// The opponent's move that cuts, if one does.
    pub cut: Option<Point>,
    /// The owner's move that connects, if one is needed and does.
    pub connect: Option<Point>,
}

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
        (1, 1) => Some(LinkKind::Diagonal),
        (0, 2) => straight(LinkKind::OnePointJump),
        (1, 2) => Some(LinkKind::Knight),
        (0, 3) => straight(LinkKind::TwoPointJump),
        (1, 3) => Some(LinkKind::LargeKnight),
        (2, 2) => Some(LinkKind::Elephant),
        (0, 4) => straight(LinkKind::ThreePointJump),
        _ => None,
    }
}

/// The nearest pair of stones that has a shape, by distance, then by their places.
fn nearest(board: &Board, a: &ChainFacts, b: &ChainFacts) -> Option<([Point; 2], LinkKind)> {
    let distance = |p: Point, q: Point| {
        let (across, up) = (p.column().abs_diff(q.column()), p.row().abs_diff(q.row()));
        across * across + up * up
    };
    let pairs = a.stones.iter().flat_map(|p| b.stones.iter().map(move |q| (p, q)));
    let shaped = pairs.filter_map(|(p, q)| Some((distance(p, q), [p, q], shape(board, p, q)?)));
    if let Some((_, stones, kind)) =
        shaped.min_by_key(|&(distance, [p, q], _)| (distance, p.index(), q.index()))
    {
        return Some((stones, kind));
    }
    let common = a.liberties.and(&b.liberties).first()?;
    let beside = |chain: &ChainFacts| common.neighbours().into_iter().find(|&n| chain.stones.contains(n));
    Some(([beside(a)?, beside(b)?], LinkKind::Common))
}

/// All connections of a board. Where the shape alone does not tell, they are read.
pub(crate) fn links(board: &Board, chains: &Chains, tactician: &mut impl Tactician) -> Vec<Link> {
    let all: Vec<&ChainFacts> = chains.iter().collect();
    let mut links = Vec::new();
    for (n, a) in all.iter().enumerate() {
        for b in &all[n + 1..] {
            if a.color == b.color
                && let Some((stones, kind)) = nearest(board, a, b)
            {
                links.push(link(board, [a, b], stones, kind, tactician));
            }
        }
    }
    links
}

fn link(
    board: &Board,
    [a, b]: [&ChainFacts; 2],
    stones: [Point; 2],
    kind: LinkKind,
    tactician: &mut impl Tactician,
) -> Link {
    let solid = Link { stones, kind, strength: LinkStrength::Solid, cut: None, connect: None };
    // Two common liberties, neither of which stands alone: either connects.
    let ways = a.liberties.and(&b.liberties);
    if kind == LinkKind::Diagonal && ways.len() >= 2 {
        return solid;
    }
    let (strength, cut, connect) = tactician.joint(board, stones);
    Link { strength, cut, connect, ..solid }
}
