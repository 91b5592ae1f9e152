//! Connection points of the chains of one colour, in the manner of D. Fotland 1993, section 5, kept with every move.
//!
//! A connection point of two chains is a liberty of one from which the other lies one to three lines away, straight on over empty points.
//! That finds kosumi, hane, jumps and knight's moves of up to three lines. Every point and every chain has a list of its connections.
//! Underneath, each point knows the nearest stone in each direction; a stone that is put or taken changes this on four short rays only, and
//! with it the connections of these points.

use std::collections::{BTreeMap, BTreeSet};

use ishi_go::{Board, BoardObserver, BoardSize, Chain, Color, Point};
use ishi_reading::PointSet;

use crate::chains::PointsByDistance;

/// Lines from a connection point to the farther chain, at most.
const REACH: usize = 3;

/// The four directions: up, right, down, left. The opposite of one is two further.
const WAYS: [[isize; 2]; 4] = [[0, 1], [1, 0], [0, -1], [-1, 0]];

fn opposite_direction(way: usize) -> usize {
    (way + 2) % 4
}

/// The point so many lines on from a point, if that is on the board.
fn step_in_direction(size: BoardSize, from: Point, way: usize, lines: usize) -> Option<Point> {
    let [across, up] = WAYS[way].map(|step| step * lines as isize);
    let (column, row) = (from.column().checked_add_signed(across)?, from.row().checked_add_signed(up)?);
    (column < size.width() && row < size.height()).then(|| Point::new(column, row))
}

/// Two chains by their numbers, the smaller first.
type ChainPair = [u16; 2];

/// Where two chains meet at a connection point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meeting {
    /// A stone of either.
    pub(crate) stones: [Point; 2],
    /// Do they and the point lie on one line?
    pub(crate) is_straight: bool,
}

/// Two chains of one colour, by their names, and the points by which they connect, by the lines to the farther of them.
pub type Connection = ([Point; 2], PointsByDistance);

/// All connections of a board. As a [`BoardObserver`] it follows the board move by move; [`Connections::from_board`] is the same from scratch.
///
/// ```
/// use ishi_go::{Board, BoardSize, Color, Move};
/// use ishi_knowledge::Connections;
/// let size = BoardSize::square(9).unwrap();
/// let (mut board, mut connections) = (Board::new(size), Connections::for_empty_board(size));
/// for vertex in ["C5", "E6"] {
///     let point = size.parse_point(vertex).unwrap();
///     board.play_observed(Color::Black, Move::Play(point), &mut connections);
/// }
/// let (_, [one, two, three]) = connections.all_connections()[0];
/// assert_eq!([one.len(), two.len(), three.len()], [0, 2, 0], "a knight's move");
/// assert_eq!(connections, Connections::from_board(&board));
/// ```
#[derive(Clone, Debug)]
pub struct Connections {
    size: BoardSize,
    /// Lines to the nearest stone in each direction, 0 if it is farther than [`REACH`]; by [`Point::index`].
    nearest: Vec<[u8; 4]>,
    /// The number of the chain on each point.
    chain: Vec<Option<u16>>,
    /// Of every chain by its number: whose it is, and its stones. `None`: there is no such chain.
    chains: Vec<Option<(Color, PointSet)>>,
    /// The points of every pair of chains that has some.
    pairs: BTreeMap<ChainPair, PointsByDistance>,
    /// The connections that each point belongs to, with the lines to the farther chain.
    at_point: Vec<Vec<(ChainPair, u8)>>,
    /// The connections of each chain.
    of_chain: Vec<BTreeSet<ChainPair>>,
}

impl PartialEq for Connections {
    /// The same connections in all lists; the chains' numbers do not count.
    fn eq(&self, other: &Connections) -> bool {
        let points = || self.size.points();
        self.size == other.size
            && points().all(|point| self.nearest[point.index()] == other.nearest[point.index()])
            && self.all_connections() == other.all_connections()
            && points().all(|point| {
                self.connections_at(point) == other.connections_at(point)
                    && self.connections_of_chain(point) == other.connections_of_chain(point)
            })
    }
}

impl Connections {
    /// Those of an empty board.
    pub fn for_empty_board(size: BoardSize) -> Connections {
        Connections {
            size,
            nearest: vec![[0; 4]; Point::INDICES],
            chain: vec![None; Point::INDICES],
            chains: vec![None; Point::INDICES],
            pairs: BTreeMap::new(),
            at_point: vec![Vec::new(); Point::INDICES],
            of_chain: vec![BTreeSet::new(); Point::INDICES],
        }
    }

    /// The connections of a board, from scratch.
    pub fn from_board(board: &Board) -> Connections {
        let mut found = Connections::for_empty_board(board.size());
        for chain in board.chains() {
            let stones: PointSet = board.chain_stones(chain).collect();
            let (Some(first), Some(color)) = (stones.first(), board.color(chain.head())) else { continue };
            stones.iter().for_each(|stone| found.chain[stone.index()] = Some(first.index() as u16));
            found.chains[first.index()] = Some((color, stones));
        }
        for point in board.size().points() {
            for way in 0..WAYS.len() {
                let is_stone = |&lines: &usize| {
                    step_in_direction(board.size(), point, way, lines)
                        .is_some_and(|next| board.color(next).is_some())
                };
                let lines = (1..=REACH).find(is_stone);
                found.nearest[point.index()][way] = lines.unwrap_or(0) as u8;
            }
        }
        board.empty_points().for_each(|point| found.add_point(point));
        found
    }

    /// Every connection once, in the order of the chains' names.
    pub fn all_connections(&self) -> Vec<Connection> {
        let mut all: Vec<Connection> =
            self.pairs.iter().map(|(&pair, &shared)| (self.chain_names(pair), shared)).collect();
        all.sort_by_key(|(names, _)| names.map(Point::index));
        all
    }

    /// The connections that an empty point belongs to, by the names of their chains; and the lines to the farther one.
    pub fn connections_at(&self, point: Point) -> Vec<([Point; 2], usize)> {
        let entries = self.at_point[point.index()].iter();
        let mut found: Vec<_> =
            entries.map(|&(pair, lines)| (self.chain_names(pair), usize::from(lines))).collect();
        found.sort_by_key(|(names, _)| names.map(Point::index));
        found
    }

    /// The connections of the chain on a point, by the names of their chains.
    pub fn connections_of_chain(&self, stone: Point) -> Vec<[Point; 2]> {
        let number = self.chain[stone.index()];
        let pairs = number.into_iter().flat_map(|number| &self.of_chain[usize::from(number)]);
        let mut found: Vec<[Point; 2]> = pairs.map(|&pair| self.chain_names(pair)).collect();
        found.sort_by_key(|names| names.map(Point::index));
        found
    }

    /// How two chains meet at a connection point of theirs.
    pub(crate) fn find_meeting(&self, names: [Point; 2], point: Point) -> Option<Meeting> {
        let [a, b] = names.map(|name| self.chain[name.index()]);
        let ways = (0..WAYS.len()).flat_map(|one| (0..WAYS.len()).map(move |other| (one, other)));
        let near = |way: usize| Some((self.lines_to_stone(point, way)?, self.nearest_stone(point, way)?));
        let met = ways.filter_map(|(one, other)| {
            let ((lines, first), (more, second)) = (near(one)?, near(other)?);
            let are_theirs = self.chain[first.index()] == a && self.chain[second.index()] == b;
            let touches = lines.min(more) == 1;
            let is_straight = other == opposite_direction(one);
            (are_theirs && touches)
                .then_some((lines.max(more), Meeting { stones: [first, second], is_straight }))
        });
        met.min_by_key(|(lines, meeting)| (*lines, meeting.stones.map(Point::index)))
            .map(|(_, meeting)| meeting)
    }

    fn lines_to_stone(&self, point: Point, way: usize) -> Option<u8> {
        Some(self.nearest[point.index()][way]).filter(|&lines| lines > 0)
    }

    /// The nearest stone in a direction.
    fn nearest_stone(&self, point: Point, way: usize) -> Option<Point> {
        step_in_direction(self.size, point, way, usize::from(self.lines_to_stone(point, way)?))
    }

    fn chain_names(&self, pair: ChainPair) -> [Point; 2] {
        let mut names = pair.map(|number| {
            let (_, stones) = self.chains[usize::from(number)].as_ref().expect("a chain of a connection");
            stones.first().expect("a chain has a stone")
        });
        names.sort_by_key(|name| name.index());
        names
    }

    /// Puts the connections of a point, which is empty, into all lists.
    fn add_point(&mut self, point: Point) {
        for (pair, lines) in self.find_pairs_at(point) {
            self.at_point[point.index()].push((pair, lines));
            self.pairs.entry(pair).or_default()[usize::from(lines) - 1].insert(point);
            pair.into_iter().for_each(|number| {
                self.of_chain[usize::from(number)].insert(pair);
            });
        }
    }

    /// Takes the connections of a point out of all lists.
    fn remove_point(&mut self, point: Point) {
        for (pair, lines) in std::mem::take(&mut self.at_point[point.index()]) {
            let Some(shared) = self.pairs.get_mut(&pair) else { continue };
            shared[usize::from(lines) - 1].remove(point);
            if shared.iter().all(PointSet::is_empty) {
                self.pairs.remove(&pair);
                pair.into_iter().for_each(|number| {
                    self.of_chain[usize::from(number)].remove(&pair);
                });
            }
        }
    }

    /// What connects at an empty point: pairs of chains, with the lines to the farther of them.
    fn find_pairs_at(&self, point: Point) -> Vec<(ChainPair, u8)> {
        let mut found: Vec<(ChainPair, u8)> = Vec::new();
        let near = |way: usize| {
            let number = self.chain[self.nearest_stone(point, way)?.index()]?;
            Some((number, self.chains[usize::from(number)].as_ref()?.0, self.lines_to_stone(point, way)?))
        };
        let seen: Vec<_> = (0..WAYS.len()).filter_map(near).collect();
        for (n, &(a, color, lines)) in seen.iter().enumerate() {
            for &(b, other, more) in &seen[n + 1..] {
                if a == b || color != other || lines.min(more) != 1 {
                    continue;
                }
                let (pair, lines) = ([a.min(b), a.max(b)], lines.max(more));
                match found.iter_mut().find(|(known, _)| *known == pair) {
                    Some((_, known)) => *known = lines.min(*known),
                    None => found.push((pair, lines)),
                }
            }
        }
        found
    }

    /// Finds the connections of points again; points with a stone have none.
    fn refresh_points(&mut self, points: &PointSet) {
        for point in points.iter() {
            self.remove_point(point);
            if self.chain[point.index()].is_none() {
                self.add_point(point);
            }
        }
    }

    /// The points on the rays from a point, each with the lines to it and the direction, as far as the first stone of each.
    fn points_on_rays(&self, point: Point) -> Vec<(Point, usize, usize)> {
        let mut found = Vec::new();
        for way in 0..WAYS.len() {
            for lines in 1..=REACH {
                let Some(next) = step_in_direction(self.size, point, way, lines) else { break };
                found.push((next, lines, way));
                if self.chain[next.index()].is_some() {
                    break;
                }
            }
        }
        found
    }

    /// A number that no chain has: the index of its first stone while that is free.
    fn unused_number(&self, wanted: usize) -> usize {
        let free = |&number: &usize| self.chains[number].is_none();
        Some(wanted)
            .filter(free)
            .or_else(|| (0..Point::INDICES).find(free))
            .expect("fewer chains than points")
    }
}

impl BoardObserver for Connections {
    fn on_place(&mut self, _: &Board, color: Color, point: Point) {
        let number = self.unused_number(point.index());
        let rays = self.points_on_rays(point);
        self.chain[point.index()] = Some(number as u16);
        self.chains[number] = Some((color, PointSet::from_point(point)));
        let mut changed = PointSet::from_point(point);
        for (next, lines, way) in rays {
            self.nearest[next.index()][opposite_direction(way)] = lines as u8;
            changed.insert(next);
        }
        self.refresh_points(&changed);
    }

    fn on_capture(&mut self, _: &Board, _: Color, point: Point) {
        let Some(number) = self.chain[point.index()] else { return };
        let rays = self.points_on_rays(point);
        let mut changed = PointSet::from_point(point);
        for &(next, lines, way) in &rays {
            let beyond = usize::from(self.nearest[point.index()][opposite_direction(way)]);
            let is_near = beyond > 0 && lines + beyond <= REACH;
            self.nearest[next.index()][opposite_direction(way)] =
                if is_near { (lines + beyond) as u8 } else { 0 };
            changed.insert(next);
        }
        // Names go by stones: the lists must be left while the chain still stands.
        changed.iter().for_each(|point| self.remove_point(point));
        self.chain[point.index()] = None;
        let slot = &mut self.chains[usize::from(number)];
        if let Some((_, stones)) = slot {
            stones.remove(point);
            if stones.is_empty() {
                *slot = None;
            }
        }
        self.refresh_points(&changed);
    }

    fn on_merge(&mut self, _: &Board, kept: Chain, gone: Chain) {
        let number = |chain: Chain| self.chain[chain.head().index()];
        let (Some(kept), Some(gone)) = (number(kept), number(gone)) else { return };
        let Some((_, stones)) = self.chains[usize::from(gone)].take() else { return };
        let mut changed = PointSet::EMPTY;
        for stone in stones.iter() {
            self.chain[stone.index()] = Some(kept);
            self.points_on_rays(stone).iter().for_each(|&(next, ..)| changed.insert(next));
        }
        if let Some((_, all)) = &mut self.chains[usize::from(kept)] {
            all.add_set(&stones);
        }
        self.refresh_points(&changed);
    }
}
