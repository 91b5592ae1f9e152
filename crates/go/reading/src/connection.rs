//! Can two chains be connected? Can they be cut?
//!
//! Connected is what is one chain, and not in atari. Whoever wants that is the seeker of [`crate::lambda`]: an attempt of order 0 is a
//! move that joins the chains at once.

use ishi_go::{Board, BoardSize, Color, Point};

use crate::capture::{CaptureGoal, ChainReader, LADDER_NODES};
use crate::lambda::{LambdaGoal, LambdaSearch, ReadingAnswer, ReadingOutcome};
use crate::liberties::FewPoints;
use crate::point_set::PointSet;

/// Stones of a path that are counted; longer ones are too long for any order.
const LONGEST: usize = 5;

/// Most moves of a ladder that captures what cuts, where connections are read within a window only.
const NEAR_LADDER: u32 = 32;

/// No path.
const NEVER: usize = 99;

impl ChainReader {
    /// Can the chains of two stones of one colour be connected if their owner moves first? Two stones of one chain are.
    pub fn connect(&mut self, board: &Board, a: Point, b: Point) -> ReadingAnswer {
        self.read_connection(board, a, b, true)
    }

    /// Can the chains of two stones of one colour be kept apart if their opponent moves first?
    pub fn disconnect(&mut self, board: &Board, a: Point, b: Point) -> ReadingAnswer {
        self.read_connection(board, a, b, false)
    }

    fn read_connection(&mut self, board: &Board, a: Point, b: Point, connecting: bool) -> ReadingAnswer {
        let owner = board.color(a).filter(|&color| board.color(b) == Some(color));
        let (Some(owner), Some(chain)) = (owner, board.chain(a)) else {
            return ReadingAnswer::without_reading(ReadingOutcome::Fails);
        };
        if board.chain(b) == Some(chain) {
            return ReadingAnswer::without_reading(if connecting {
                ReadingOutcome::Works
            } else {
                ReadingOutcome::Fails
            });
        }
        self.search.ask_question(board, owner, &self.connection_goal(board, owner, [a, b]), connecting)
    }

    /// Both questions about two stones of one colour that are not of one chain: [`ChainReader::disconnect`] and [`ChainReader::connect`]. What
    /// they have in common is read once.
    pub fn read_both_questions(&mut self, board: &Board, a: Point, b: Point) -> [ReadingAnswer; 2] {
        let owner = board.color(a).filter(|&color| board.color(b) == Some(color));
        match owner.filter(|_| board.chain(a) != board.chain(b)) {
            Some(owner) => self.search.ask_both(board, owner, &self.connection_goal(board, owner, [a, b])),
            None => [self.disconnect(board, a, b), self.connect(board, a, b)],
        }
    }

    fn connection_goal(&self, board: &Board, owner: Color, [a, b]: [Point; 2]) -> ConnectionGoal {
        let window = self.near.map(|lines| points_around(board.size(), [a, b], lines));
        ConnectionGoal { owner, a, b, window }
    }
}

/// The chains of these stones are to be one.
#[derive(Clone, Copy, Debug)]
struct ConnectionGoal {
    owner: Color,
    a: Point,
    b: Point,
    /// All that matters stands within; none: the whole board.
    window: Option<PointSet>,
}

/// The points that a path of single steps from one stone to the other can pass with so many steps of detour each way: an oval around both.
fn points_around(size: BoardSize, [a, b]: [Point; 2], lines: usize) -> PointSet {
    let most = a.steps_to(b) + 2 * lines;
    size.points().filter(|&point| a.steps_to(point) + point.steps_to(b) <= most).collect()
}

/// By number of stones, from 1: the empty points at which so many stones, the last one there, make a chain with the first.
/// Chains of the owner on the way cost nothing; chains of the opponent that have two liberties at most can be taken.
struct PathReach {
    within: [PointSet; LONGEST + 1],
}

impl LambdaGoal for ConnectionGoal {
    const BASE: u8 = 0;

    fn noted_window(&self) -> Option<&PointSet> {
        self.window.as_ref()
    }

    fn is_reached(&self, search: &LambdaSearch, _: Point) -> Option<bool> {
        let board = &search.board;
        let stands = board.color(self.a) == Some(self.owner) && board.color(self.b) == Some(self.owner);
        (stands && board.is_one_chain(self.a, self.b)).then(|| board.liberties_to(2, self.a) > 1)
    }

    fn move_distance(&self, search: &LambdaSearch, most: usize) -> usize {
        let board = &search.board;
        if board.color(self.a) != Some(self.owner) || board.color(self.b) != Some(self.owner) {
            return NEVER;
        }
        if self.cutting_chains(search).next().is_some() {
            return 1;
        }
        let most = most.min(LONGEST);
        let beside = self.chain_liberties(search, self.b);
        let reach = self.path_reach(search, self.a, most);
        (1..=most).find(|&stones| !reach.within[stones].intersection(&beside).is_empty()).unwrap_or(NEVER)
    }

    fn base_move(&self, search: &mut LambdaSearch, zone: &mut PointSet) -> Option<Point> {
        let [from_a, from_b] = [self.a, self.b].map(|stone| self.chain_liberties(search, stone));
        let all = from_a.union(&from_b);
        for point in from_a.intersection(&from_b).iter() {
            if self.does_join(search, point, &all, zone) {
                zone.insert(point);
                search.add_rescue_points(point, zone);
                self.add_zone(search, zone);
                return Some(point);
            }
        }
        let cutters: FewPoints<8> = self.cutting_chains(search).collect();
        let nodes = if self.window.is_some() { NEAR_LADDER } else { LADDER_NODES };
        for &prey in cutters.points() {
            let mut own = PointSet::EMPTY;
            if let Some(point) = (CaptureGoal { prey }).find_ladder(search, &mut own, nodes) {
                zone.add_set(&own);
                self.add_zone(search, zone);
                return Some(point);
            }
        }
        None
    }

    /// The liberties of the two chains where they have few.
    fn add_zone(&self, search: &LambdaSearch, zone: &mut PointSet) {
        for stone in [self.a, self.b] {
            if search.board.color(stone) == Some(self.owner) {
                search.add_weak_liberties(stone, zone);
            }
        }
    }

    /// The points of all paths that are short enough, the liberties of weak chains of the opponent beside the two, and those of the
    /// two themselves if they are weak.
    fn candidate_moves(&self, search: &LambdaSearch, order: u8) -> [PointSet; 2] {
        let board = &search.board;
        let stones = order as usize + 1;
        let [from_a, from_b] =
            [self.a, self.b].map(|stone| self.path_reach(search, stone, stones.min(LONGEST)));
        let mut points = PointSet::EMPTY;
        for first in 1..=stones.min(LONGEST) {
            points.add_set(
                &from_a.within[first].intersection(&from_b.within[(stones + 1 - first).min(LONGEST)]),
            );
        }
        for stone in [self.a, self.b] {
            if board.liberties_to(3, stone) <= 2 {
                points.add_set(board.liberties(stone));
            }
            for &enemy in self.enemies_beside(search, stone).points() {
                if board.liberties_to(3, enemy) <= 2 {
                    points.add_set(board.liberties(enemy));
                }
            }
        }
        [board.empty_of(&points), PointSet::EMPTY]
    }
}

impl ConnectionGoal {
    /// Does a stone on a common liberty join the two chains for good? Adds its chain's liberties to the zone if they are few. `all` are
    /// liberties of the two; where they are many it need not be played.
    fn does_join(
        &self,
        search: &mut LambdaSearch,
        point: Point,
        all: &PointSet,
        zone: &mut PointSet,
    ) -> bool {
        if all.len() > search.few_liberties() + 1 {
            return true;
        }
        if !search.board.is_legal(self.owner, point) {
            return false;
        }
        search.play(true, point);
        let joins = self.is_reached(search, point) == Some(true);
        if joins {
            search.add_weak_liberties(point, zone);
        }
        search.board.undo();
        joins
    }

    /// Chains of the opponent that stand between the two and have two liberties at most: their capture joins the two.
    fn cutting_chains<'a>(&self, search: &'a LambdaSearch) -> impl Iterator<Item = Point> + 'a {
        let board = &search.board;
        let beside_b = self.enemies_beside(search, self.b);
        let enemies = self.enemies_beside(search, self.a);
        let count = enemies.len();
        (0..count)
            .map(move |i| enemies.points()[i])
            .filter(move |enemy| beside_b.points().contains(enemy) && board.liberties_to(3, *enemy) <= 2)
    }

    /// Those of the points that matter.
    fn within_window(&self, points: PointSet) -> PointSet {
        self.window.map_or(points, |window| points.intersection(&window))
    }

    /// The stones of the chain of a stone.
    fn chain_stones(&self, search: &LambdaSearch, stone: Point) -> PointSet {
        match &self.window {
            Some(window) => search.board.stones_within(stone, window),
            None => search.board.stones(stone).collect(),
        }
    }

    /// The liberties of the chain of a stone.
    fn chain_liberties(&self, search: &LambdaSearch, stone: Point) -> PointSet {
        match &self.window {
            Some(window) => {
                let stones = search.board.stones_within(stone, window);
                search.board.empty_of(&stones.with_neighbours().intersection(window))
            }
            None => *search.board.liberties(stone),
        }
    }

    /// The chains of the opponent beside the chain of a stone.
    fn enemies_beside(&self, search: &LambdaSearch, stone: Point) -> FewPoints<24> {
        match &self.window {
            Some(window) => {
                let around = search.board.stones_within(stone, window).with_neighbours().intersection(window);
                let enemies = search.board.stones_of(!self.owner, &around);
                enemies.iter().map(|enemy| search.board.head(enemy)).collect()
            }
            None => search.chains_beside(stone, !self.owner),
        }
    }

    /// The reach of paths through `most` stones at the most.
    fn path_reach(&self, search: &LambdaSearch, from: Point, most: usize) -> PathReach {
        let board = &search.board;
        let mut within = [PointSet::EMPTY; LONGEST + 1];
        // Stones that are joined by so many moves.
        let mut joined = [PointSet::EMPTY; LONGEST + 1];
        joined[0] = self.chain_stones(search, from);
        let (mut seen, mut reached) = (joined[0], PointSet::EMPTY);
        for moves in 0..most {
            let beside = self.within_window(joined[moves].with_neighbours());
            self.add_capturable(search, &beside, moves, &mut seen, &mut joined);
            let mut fresh = board.empty_of(&beside).difference(&reached);
            within[moves + 1] = within[moves].union(&fresh);
            if moves + 1 == most {
                break;
            }
            let around = self.within_window(fresh.with_neighbours());
            for stone in board.stones_of(self.owner, &around).difference(&seen).iter() {
                if !seen.contains(stone) {
                    let stones = self.chain_stones(search, stone);
                    seen.add_set(&stones);
                    fresh.add_set(&stones);
                }
            }
            reached.add_set(&fresh);
            joined[moves + 1].add_set(&fresh);
        }
        PathReach { within }
    }

    /// Chains of the opponent beside these points that may be taken: their stones are then points to play on.
    fn add_capturable(
        &self,
        search: &LambdaSearch,
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
            for stone in self.chain_stones(search, stone).iter() {
                seen.insert(stone);
                if let Some(joined) = joined.get_mut(moves + liberties + 1) {
                    joined.insert(stone);
                }
            }
        }
    }
}
