//! The moves that the quick reader tries, the likely ones first.
//!
//! An attacker takes liberties, most gladly where the prey would gain most by extending; or plays beside them (nets, edges,
//! approach moves), saves its own weak chains around the prey, and takes those that the prey could join. The owner extends,
//! captures and threatens to capture what surrounds the prey, plays where the attacker would, and strengthens what it could
//! join. An atari that the attacked stones simply escape is left out: such moves would be most of the search.

use ishi_go::{Cell, Color, Point};

use crate::liberties::FewPoints;
use crate::point_set::PointSet;
use crate::quick::QuickReader;

/// Before all others.
const HINT: i32 = 1000;
/// Most moves of a ladder that is read to see whether an atari means anything.
const LADDER_NODES: u32 = 40;
/// Stones around the prey with more liberties are not attacked.
const ATTACKED: usize = 4;
/// Chains near the prey, that it could join or that stand beside its liberties, matter if they have so many liberties at most.
const WEAK: usize = 3;

/// Moves with the hopes set on them.
#[derive(Clone, Debug)]
pub(crate) struct QuickMoves {
    list: Vec<(i32, Point)>,
    /// All that were ever added.
    seen: PointSet,
}

impl QuickMoves {
    pub(crate) fn new() -> QuickMoves {
        QuickMoves { list: Vec::with_capacity(32), seen: PointSet::EMPTY }
    }

    /// Adds a move that is new; of a move that was added before the first hope counts.
    fn add_move(&mut self, hope: i32, point: Point) {
        if !self.seen.contains(point) {
            self.seen.insert(point);
            self.list.push((hope, point));
        }
    }

    fn add_all(&mut self, hope: i32, points: &PointSet) {
        points.iter().for_each(|point| self.add_move(hope, point));
    }

    /// Takes out the moves that were added since the last call, the most hopeful first.
    pub(crate) fn take_moves(&mut self) -> FewPoints<32> {
        self.list.sort_unstable_by_key(|&(hope, point)| (-hope, point.index()));
        self.list.drain(..).map(|(_, point)| point).collect()
    }
}

impl QuickReader {
    /// Adds moves that have worked nearby, in this order.
    pub(crate) fn add_hints(&self, hints: &[Option<Point>], moves: &mut QuickMoves) {
        for (n, point) in hints.iter().enumerate() {
            if let Some(point) = point.filter(|&point| self.board.cell(point) == Cell::Empty) {
                moves.add_move(HINT - n as i32, point);
            }
        }
    }

    /// Adds the attacker's moves: on the prey's liberties, and others if `indirect`.
    pub(crate) fn add_attacks(&self, indirect: bool, moves: &mut QuickMoves) {
        let liberties = *self.board.liberties(self.prey);
        for point in liberties.iter() {
            let gain = self.liberties_if_played(self.owner, point).union(&liberties).len() as i32 - 1;
            let own = self.liberties_if_played(!self.owner, point).len() as i32;
            moves.add_move(8 * gain.min(8) + own.min(4), point);
        }
        if indirect {
            self.add_rescues(moves);
            self.add_beside(&liberties, moves);
        }
    }

    /// Liberties of the attacker's weak chains around the prey, and of the weak chains beside those.
    fn add_rescues(&self, moves: &mut QuickMoves) {
        let board = &self.board;
        for &attacker in self.chains_beside(self.prey, !self.owner).points() {
            let count = board.liberty_count(attacker);
            if count > 2 {
                continue;
            }
            moves.add_all(if count == 1 { 60 } else { 8 }, board.liberties(attacker));
            for &other in self.chains_beside(attacker, self.owner).points() {
                let count = board.liberty_count(other);
                if count <= 2 && board.head(other) != board.head(self.prey) {
                    moves.add_all(if count == 1 { 50 } else { 6 }, board.liberties(other));
                }
            }
        }
    }

    /// The points beside the liberties, and liberties of weak chains there.
    fn add_beside(&self, liberties: &PointSet, moves: &mut QuickMoves) {
        for point in liberties.iter().flat_map(Point::neighbours) {
            if self.board.cell(point) == Cell::Empty {
                let touching = point.neighbours().into_iter().filter(|&n| liberties.contains(n)).count();
                moves.add_move(8 * touching as i32, point);
            } else if self.is_weak_friend(point) {
                moves.add_all(4, self.board.liberties(point));
            }
        }
    }

    /// Adds the owner's moves where the prey is in atari and would be taken: captures of what could take it, the last liberty,
    /// and where the capture of a single stone leaves the capturing stones two liberties, the other one.
    pub(crate) fn add_escapes(&mut self, moves: &mut QuickMoves) {
        let Some(last) = self.board.liberties(self.prey).first() else { return };
        let gain = self.liberties_if_played(self.owner, last).len() as i32;
        moves.add_move(20 * gain, last);
        self.add_captures(self.prey, moves);
        if self.board.stone_count(self.prey) > 1 {
            return;
        }
        for n in last.neighbours() {
            // What would be captured along with the prey.
            if self.board.color(n) == Some(self.owner) && self.board.liberty_count(n) == 1 {
                self.add_captures(n, moves);
            }
        }
        self.play(true, last);
        let points = *self.board.liberties(last);
        self.board.undo();
        if points.len() == 2 {
            moves.add_all(0, &points.difference(&PointSet::from_point(self.prey)));
        }
    }

    /// Captures of chains in atari beside one of the owner's.
    fn add_captures(&self, stone: Point, moves: &mut QuickMoves) {
        for &attacker in self.chains_beside(stone, !self.owner).points() {
            if self.board.liberty_count(attacker) == 1 {
                moves.add_all(40 + self.board.stone_count(attacker) as i32, self.board.liberties(attacker));
            }
        }
    }

    /// Adds the owner's moves against a threat; `widely` if this is the question itself.
    pub(crate) fn add_defences(&mut self, threat: Option<Point>, widely: bool, moves: &mut QuickMoves) {
        let liberties = *self.board.liberties(self.prey);
        let count = liberties.len() as i32;
        for point in liberties.iter() {
            let gain = self.liberties_if_played(self.owner, point).len() as i32;
            moves.add_move(10 * (gain.min(9) - count) + 32, point);
        }
        self.add_counters(&liberties, widely, moves);
        for point in liberties.iter().flat_map(Point::neighbours) {
            if self.is_weak_friend(point) {
                moves.add_all(3, self.board.liberties(point));
            } else if self.board.cell(point) == Cell::Empty && (widely || self.is_beside_friend(point)) {
                moves.add_move(20, point);
            }
        }
        if let Some(point) = threat {
            moves.add_move(35, point);
        }
    }

    /// Attacks on what surrounds the prey and its liberties.
    fn add_counters(&mut self, liberties: &PointSet, widely: bool, moves: &mut QuickMoves) {
        let mut attackers = self.chains_beside(self.prey, !self.owner);
        for n in liberties.iter().flat_map(Point::neighbours) {
            if self.board.color(n) == Some(!self.owner) && self.board.liberty_count(n) <= WEAK {
                attackers.add_point(self.board.head(n));
            }
        }
        for &attacker in attackers.points() {
            let points = *self.board.liberties(attacker);
            let hope = match points.len() {
                1 => 80,
                2 => 30,
                3 => 10,
                ATTACKED => 5,
                _ => continue,
            };
            let points = if widely { points } else { self.meaningful_attacks(attacker, points, liberties) };
            moves.add_all(hope, &points);
        }
    }

    /// Those of the points, a chain's liberties, at which an attack on it means something: all, if it cannot run; if it can,
    /// the prey's liberties, and where a ladder begins that catches it.
    fn meaningful_attacks(
        &mut self,
        attacker: Point,
        mut points: PointSet,
        liberties: &PointSet,
    ) -> PointSet {
        let others = points.difference(liberties);
        if points.len() == 1 || others.is_empty() || !self.can_run(attacker, &points) {
            return points;
        }
        let may_fall = points.len() == 2;
        for point in others.iter() {
            if !(may_fall && self.falls_to_ladder(attacker, point)) {
                points.remove(point);
            }
        }
        points
    }

    /// Can the attacker's chain, which has these liberties, get two more by one move?
    fn can_run(&self, attacker: Point, liberties: &PointSet) -> bool {
        debug_assert_eq!(self.board.liberties(attacker), liberties);
        let after = |point: Point| self.liberties_if_played(!self.owner, point).union(liberties).len() - 1;
        liberties.iter().any(|point| after(point) > liberties.len() + 1)
    }

    /// A stone of the owner that is not of the prey.
    fn is_friend(&self, point: Point) -> bool {
        self.board.color(point) == Some(self.owner) && self.board.head(point) != self.board.head(self.prey)
    }

    fn is_beside_friend(&self, point: Point) -> bool {
        point.neighbours().into_iter().any(|n| self.is_friend(n))
    }

    /// A chain of the owner that the prey could join, and that could be taken before.
    fn is_weak_friend(&self, point: Point) -> bool {
        self.is_friend(point) && self.board.liberty_count(point) <= WEAK
    }

    /// The liberties of the chain that a stone there would belong to; of captured stones only those beside it.
    fn liberties_if_played(&self, color: Color, point: Point) -> PointSet {
        let mut set = PointSet::EMPTY;
        for n in point.neighbours() {
            match self.board.cell(n) {
                Cell::Empty => set.insert(n),
                Cell::Border => {}
                cell if cell == Cell::from(color) => set.add_set(self.board.liberties(n)),
                _ if self.board.liberty_count(n) == 1 => set.insert(n),
                _ => {}
            }
        }
        set.remove(point);
        set
    }

    /// The chains of the colour beside a chain.
    fn chains_beside(&self, stone: Point, color: Color) -> FewPoints<24> {
        let mut heads = FewPoints::new();
        for n in self.board.stones(stone).flat_map(Point::neighbours) {
            if self.board.cell(n) == Cell::from(color) {
                heads.add_point(self.board.head(n));
            }
        }
        heads
    }

    /// Is a chain of the attacker with two liberties caught in a ladder that begins there?
    fn falls_to_ladder(&mut self, stone: Point, first: Point) -> bool {
        let end = self.nodes() + LADDER_NODES;
        self.is_legal(false, first) && self.is_chased_by(stone, first, end)
    }

    fn is_chased_by(&mut self, stone: Point, point: Point, end: u32) -> bool {
        self.play(false, point);
        let runs = self.can_flee(stone, end);
        self.board.undo();
        !runs
    }

    /// Does the attacker's chain, in atari and to move, get away from the ladder?
    fn can_flee(&mut self, stone: Point, end: u32) -> bool {
        if self.board.liberty_count(stone) > 1 || self.nodes() > end {
            return true;
        }
        let mut points = *self.board.liberties(stone);
        for &other in self.chains_beside(stone, self.owner).points() {
            if self.board.liberty_count(other) == 1 {
                points.add_set(self.board.liberties(other));
            }
        }
        points.iter().any(|point| self.is_legal(true, point) && self.can_flee_by(stone, point, end))
    }

    fn can_flee_by(&mut self, stone: Point, point: Point, end: u32) -> bool {
        self.play(true, point);
        let runs = match self.board.liberty_count(stone) {
            1 => false,
            2 => {
                let points = *self.board.liberties(stone);
                let mut points = points.iter();
                !points.any(|p| self.is_legal(false, p) && self.is_chased_by(stone, p, end))
            }
            _ => true,
        };
        self.board.undo();
        runs
    }
}
