//! Can two chains be connected? Can they be cut?
//!
//! Connected is what is one chain, and not in atari. Whoever wants that is the seeker of [`crate::lambda`]: an attempt of order 0 is a
//! move that joins the chains at once.

use ishi_go::{Board, BoardSize, Color, Point};

use crate::capture::{Capture, LADDER_NODES, Reader};
use crate::lambda::{Answer, Goal, Outcome, Search};
use crate::liberties::Few;
use crate::point_set::PointSet;

/// Stones of a path that are counted; longer ones are too long for any order.
const LONGEST: usize = 5;

/// Most moves of a ladder that captures what cuts, where connections are read within a window only.
const NEAR_LADDER: u32 = 32;

/// No path.
const NEVER: usize = 99;

impl Reader {
    /// Can the chains of two stones of one colour be connected if their owner moves first? Two stones of one chain are.
    pub fn connect(&mut self, board: &Board, a: Point, b: Point) -> Answer {
        self.connection(board, a, b, true)
    }

    /// Can the chains of two stones of one colour be kept apart if their opponent moves first?
    pub fn disconnect(&mut self, board: &Board, a: Point, b: Point) -> Answer {
        self.connection(board, a, b, false)
    }

    fn connection(&mut self, board: &Board, a: Point, b: Point, connecting: bool) -> Answer {
        let owner = board.color(a).filter(|&color| board.color(b) == Some(color));
        let (Some(owner), Some(chain)) = (owner, board.chain(a)) else {
            return Answer::at_once(Outcome::Fails);
        };
        if board.chain(b) == Some(chain) {
            return Answer::at_once(if connecting { Outcome::Works } else { Outcome::Fails });
        }
        self.search.ask(board, owner, &self.goal(board, owner, [a, b]), connecting)
    }

    /// Both questions about two stones of one colour that are not of one chain: [`Reader::disconnect`] and [`Reader::connect`]. What
    /// they have in common is read once.
    pub fn joint(&mut self, board: &Board, a: Point, b: Point) -> [Answer; 2] {
        let owner = board.color(a).filter(|&color| board.color(b) == Some(color));
        match owner.filter(|_| board.chain(a) != board.chain(b)) {
            Some(owner) => self.search.ask_both(board, owner, &self.goal(board, owner, [a, b])),
            None => [self.disconnect(board, a, b), self.connect(board, a, b)],
        }
    }

    fn goal(&self, board: &Board, owner: Color, [a, b]: [Point; 2]) -> Connection {
        let window = self.near.map(|lines| around(board.size(), [a, b], lines));
        Connection { owner, a, b, window }
    }
}

/// The chains of these stones are to be one.
#[derive(Clone, Copy, Debug)]
struct Connection {
    owner: Color,
    a: Point,
    b: Point,
    /// All that matters stands within; none: the whole board.
    window: Option<PointSet>,
}

/// The points that a path of single steps from one stone to the other can pass with so many steps of detour each way: an oval around both.
fn around(size: BoardSize, [a, b]: [Point; 2], lines: usize) -> PointSet {
    let most = a.steps_to(b) + 2 * lines;
    size.points().filter(|&point| a.steps_to(point) + point.steps_to(b) <= most).collect()
}

/// By number of stones, from 1: the empty points at which so many stones, the last one there, make a chain with the first.
/// Chains of the owner on the way cost nothing; chains of the opponent that have two liberties at most can be taken.
struct Reach {
    within: [PointSet; LONGEST + 1],
}

impl Goal for Connection {
    const BASE: u8 = 0;

    fn window(&self) -> Option<&PointSet> {
        self.window.as_ref()
    }

    fn is_reached(&self, search: &Search, _: Point) -> Option<bool> {
        let board = &search.board;
        let stands = board.color(self.a) == Some(self.owner) && board.color(self.b) == Some(self.owner);
        (stands && board.is_one_chain(self.a, self.b)).then(|| board.liberties_to(2, self.a) > 1)
    }

    fn distance(&self, search: &Search, most: usize) -> usize {
        let board = &search.board;
        if board.color(self.a) != Some(self.owner) || board.color(self.b) != Some(self.owner) {
            return NEVER;
        }
        if self.cutters(search).next().is_some() {
            return 1;
        }
        let most = most.min(LONGEST);
        let beside = self.liberties(search, self.b);
        let reach = self.reach(search, self.a, most);
        (1..=most).find(|&stones| !reach.within[stones].and(&beside).is_empty()).unwrap_or(NEVER)
    }

    fn base(&self, search: &mut Search, zone: &mut PointSet) -> Option<Point> {
        let [from_a, from_b] = [self.a, self.b].map(|stone| self.liberties(search, stone));
        let all = from_a.or(&from_b);
        for point in from_a.and(&from_b).iter() {
            if self.joins(search, point, &all, zone) {
                zone.insert(point);
                search.add_captured(point, zone);
                self.add_zone(search, zone);
                return Some(point);
            }
        }
        let cutters: Few<8> = self.cutters(search).collect();
        let nodes = if self.window.is_some() { NEAR_LADDER } else { LADDER_NODES };
        for &prey in cutters.points() {
            let mut own = PointSet::EMPTY;
            if let Some(point) = (Capture { prey }).by_ladder(search, &mut own, nodes) {
                zone.add(&own);
                self.add_zone(search, zone);
                return Some(point);
            }
        }
        None
    }

    /// The liberties of the two chains where they have few.
    fn add_zone(&self, search: &Search, zone: &mut PointSet) {
        for stone in [self.a, self.b] {
            if search.board.color(stone) == Some(self.owner) {
                search.add_weak(stone, zone);
            }
        }
    }

    /// The points of all paths that are short enough, the liberties of weak chains of the opponent beside the two, and those of the
    /// two themselves if they are weak.
    fn moves(&self, search: &Search, order: u8) -> [PointSet; 2] {
        let board = &search.board;
        let stones = order as usize + 1;
        let [from_a, from_b] = [self.a, self.b].map(|stone| self.reach(search, stone, stones.min(LONGEST)));
        let mut points = PointSet::EMPTY;
        for first in 1..=stones.min(LONGEST) {
            points.add(&from_a.within[first].and(&from_b.within[(stones + 1 - first).min(LONGEST)]));
        }
        for stone in [self.a, self.b] {
            if board.liberties_to(3, stone) <= 2 {
                points.add(board.liberties(stone));
            }
            for &enemy in self.beside(search, stone).points() {
                if board.liberties_to(3, enemy) <= 2 {
                    points.add(board.liberties(enemy));
                }
            }
        }
        [board.empty_of(&points), PointSet::EMPTY]
    }
}

impl Connection {
    /// Does a stone on a common liberty join the two chains for good? Adds its chain's liberties to the zone if they are few. `all` are
    /// liberties of the two; where they are many it need not be played.
    fn joins(&self, search: &mut Search, point: Point, all: &PointSet, zone: &mut PointSet) -> bool {
        if all.len() > search.few() + 1 {
            return true;
        }
        if !search.board.is_legal(self.owner, point) {
            return false;
        }
        search.play(true, point);
        let joins = self.is_reached(search, point) == Some(true);
        if joins {
            search.add_weak(point, zone);
        }
        search.board.undo();
        joins
    }

    /// Chains of the opponent that stand between the two and have two liberties at most: their capture joins the two.
    fn cutters<'a>(&self, search: &'a Search) -> impl Iterator<Item = Point> + 'a {
        let board = &search.board;
        let beside_b = self.beside(search, self.b);
        let enemies = self.beside(search, self.a);
        let count = enemies.len();
        (0..count)
            .map(move |i| enemies.points()[i])
            .filter(move |enemy| beside_b.points().contains(enemy) && board.liberties_to(3, *enemy) <= 2)
    }

    /// Those of the points that matter.
    fn within(&self, points: PointSet) -> PointSet {
        self.window.map_or(points, |window| points.and(&window))
    }

    /// The stones of the chain of a stone.
    fn stones(&self, search: &Search, stone: Point) -> PointSet {
        match &self.window {
            Some(window) => search.board.stones_within(stone, window),
            None => search.board.stones(stone).collect(),
        }
    }

    /// The liberties of the chain of a stone.
    fn liberties(&self, search: &Search, stone: Point) -> PointSet {
        match &self.window {
            Some(window) => {
                let stones = search.board.stones_within(stone, window);
                search.board.empty_of(&stones.grown().and(window))
            }
            None => *search.board.liberties(stone),
        }
    }

    /// The chains of the opponent beside the chain of a stone.
    fn beside(&self, search: &Search, stone: Point) -> Few<24> {
        match &self.window {
            Some(window) => {
                let around = search.board.stones_within(stone, window).grown().and(window);
                let enemies = search.board.stones_of(!self.owner, &around);
                enemies.iter().map(|enemy| search.board.head(enemy)).collect()
            }
            None => search.beside(stone, !self.owner),
        }
    }

    /// As far as `most` stones.
    fn reach(&self, search: &Search, from: Point, most: usize) -> Reach {
        let board = &search.board;
        let mut within = [PointSet::EMPTY; LONGEST + 1];
        // Stones that are joined by so many moves.
        let mut joined = [PointSet::EMPTY; LONGEST + 1];
        joined[0] = self.stones(search, from);
        let (mut seen, mut reached) = (joined[0], PointSet::EMPTY);
        for moves in 0..most {
            let beside = self.within(joined[moves].grown());
            self.take(search, &beside, moves, &mut seen, &mut joined);
            let mut fresh = board.empty_of(&beside).without(&reached);
            within[moves + 1] = within[moves].or(&fresh);
            if moves + 1 == most {
                break;
            }
            let around = self.within(fresh.grown());
            for stone in board.stones_of(self.owner, &around).without(&seen).iter() {
                if !seen.contains(stone) {
                    let stones = self.stones(search, stone);
                    seen.add(&stones);
                    fresh.add(&stones);
                }
            }
            reached.add(&fresh);
            joined[moves + 1].add(&fresh);
        }
        Reach { within }
    }

    /// Chains of the opponent beside these points that may be taken: their stones are then points to play on.
    fn take(
        &self,
        search: &Search,
        beside: &PointSet,
        moves: usize,
        seen: &mut PointSet,
        joined: &mut [PointSet; LONGEST + 1],
    ) {
        let board = &search.board;
        for stone in board.stones_of(!self.owner, beside).iter() {
            let liberties = board.liberties_to(3, stone);
            if liberties > 2 || seen.contains(stone) {
                continue;
            }
            for stone in self.stones(search, stone).iter() {
                seen.insert(stone);
                if let Some(joined) = joined.get_mut(moves + liberties + 1) {
                    joined.insert(stone);
                }
            }
        }
    }
}
