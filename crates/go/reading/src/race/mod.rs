//! Races (semeai, 攻め合い): two chains of which each lives by the death of the other, unless it makes two eyes, joins safe
//! stones, or both stand in seki.
//!
//! Search: df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002) over a fixed region, in
//! which both sides may pass; two passes in a row leave the stones as they are. A chain that is captured has not lost the
//! race yet: what took it may have no room for two eyes in its place (中手, nakade), and be captured after all.

mod region;

use ishi_go::{Board, BoardSize, Color, Point};

use crate::board::ReadingBoard;
use crate::eyes;
use crate::lambda::{Answer, Ko};
use crate::point_set::PointSet;
use crate::proof::{Child, Fall, Memory, NOTHING, Numbers, Path, Summary, rests_on};
use region::Region;

/// Capturing more stones than this makes room for two eyes: nakade have six stones at most.
const NAKADE: usize = 6;
/// Deepest line of moves.
const DEPTH: usize = 100;
/// Positions that are remembered at least and at most: two to these powers.
const MEMORY: (u32, u32) = (18, 22);

/// Reads races. Keeps its memory from question to question; answers do not depend on earlier questions.
///
/// ```
/// use ishi_go::Diagram;
/// use ishi_reading::{Outcome, RaceReader};
/// let diagram: Diagram = "
///     . . . . . . .
///     O O O O O O .
///     O X X X X O .
///     . X O O X O .
///     . X O . X O .
/// ".parse().unwrap();
/// let board = diagram.board().unwrap();
/// let [black, white] = ["B1", "C1"].map(|vertex| board.size().parse_point(vertex).unwrap());
/// let mut reader = RaceReader::default();
/// // Whoever moves first wins: Black captures at once, White lets Black capture three stones too late for a second eye.
/// assert_eq!(reader.survive(&board, black, white).unwrap().outcome, Outcome::Works);
/// assert_eq!(reader.survive(&board, white, black).unwrap().outcome, Outcome::Works);
/// ```
#[derive(Clone, Debug)]
pub struct RaceReader {
    board: ReadingBoard,
    owner: Color,
    target: Point,
    rival: Point,
    region: Region,
    /// When a chain has been captured on the way to the present position: the length of the path then, and was it too large for
    /// a nakade?
    target_fell: Option<(usize, bool)>,
    rival_fell: Option<(usize, bool)>,
    ko: Ko,
    ko_seen: bool,
    nodes: u32,
    most: u32,
    /// Where the present search ends.
    limit: u32,
    memory: Memory,
    path: Path,
    /// What the last look or search rests on; see [`Child`].
    rests_on: usize,
    calls: u64,
    salt: u64,
}

impl Default for RaceReader {
    fn default() -> Self {
        RaceReader::new(300_000)
    }
}

impl RaceReader {
    /// A reader that plays at most so many moves for a search; a question needs one, or two where there is a ko. A million moves
    /// take about 0.7 s. It remembers one position for every move or more, 16 bytes each, and four million at most.
    pub fn new(most: u32) -> RaceReader {
        let size = BoardSize::square(19).expect("a size");
        RaceReader {
            board: ReadingBoard::new(&Board::new(size)),
            owner: Color::Black,
            target: Point::new(0, 0),
            rival: Point::new(0, 0),
            region: Region::default(),
            target_fell: None,
            rival_fell: None,
            ko: Ko::Nobody,
            ko_seen: false,
            nodes: 0,
            most,
            limit: 0,
            memory: Memory::for_moves(most, MEMORY),
            path: Path::default(),
            rests_on: NOTHING,
            calls: 0,
            salt: 0,
        }
    }

    /// Does the chain of `stone` survive its race with that of `rival` if its owner moves first? Seki is survival. `None`: it could
    /// not be read to the end, or they are not two stones of different colours.
    pub fn survive(&mut self, board: &Board, stone: Point, rival: Point) -> Option<Answer> {
        self.ask(board, stone, rival, false)
    }

    /// Does the chain of `stone` fall in its race with that of `rival` if the rival moves first? `None` as for [`RaceReader::survive`].
    pub fn fall(&mut self, board: &Board, stone: Point, rival: Point) -> Option<Answer> {
        self.ask(board, stone, rival, true)
    }

    /// Empty points of the region in which the race of these two was last read.
    pub fn room(&self) -> usize {
        self.region.points.and(self.board.empty()).len()
    }

    fn ask(&mut self, board: &Board, target: Point, rival: Point, attacking: bool) -> Option<Answer> {
        self.owner = board.color(target)?;
        if board.color(rival)? == self.owner {
            return None;
        }
        self.board.set(board);
        (self.target, self.rival) = (target, rival);
        self.region = Region::of(&self.board, [target, rival]);
        (self.nodes, self.ko_seen) = (0, false);
        self.answer(attacking)
    }

    fn color(&self, attacking: bool) -> Color {
        if attacking { !self.owner } else { self.owner }
    }

    fn key(&self, attacking: bool, passed: bool) -> u64 {
        let ko = self.board.ko().map_or(0, |point| point.index() as u64 + 1);
        let state = [attacking, passed, self.target_fell.is_some(), self.rival_fell.is_some()]
            .iter()
            .fold(ko, |sum, &bit| sum << 1 | u64::from(bit));
        let mixed = self.board.hash() ^ self.salt ^ state.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ mixed >> 32
    }

    /// Plays, or passes, and keeps to the ruling on ko.
    fn play(&mut self, attacking: bool, mv: Option<Point>) {
        let Some(point) = mv else { return self.board.pass() };
        self.nodes += 1;
        let standing = if attacking { self.target_fell } else { self.rival_fell }.is_none();
        let prey = if attacking { self.target } else { self.rival };
        let many = standing && self.board.stone_count(prey) > NAKADE;
        self.board.play(self.color(attacking), point);
        if standing && self.board.color(prey) != Some(self.color(!attacking)) {
            let fell = Some((self.path.len(), many));
            *if attacking { &mut self.target_fell } else { &mut self.rival_fell } = fell;
        }
        if self.board.ko().is_some() {
            self.ko_seen = true;
            if self.ko == if attacking { Ko::Opponent } else { Ko::Seeker } {
                self.board.lift_ko();
            }
        }
    }

    fn undo(&mut self) {
        self.board.undo();
        for fell in [&mut self.target_fell, &mut self.rival_fell] {
            if fell.is_some_and(|(length, _)| length == self.path.len()) {
                *fell = None;
            }
        }
    }

    /// What can be said of a position without searching it, or is remembered of it.
    fn look(&mut self, attacking: bool, passed: bool) -> Numbers {
        self.rests_on = NOTHING;
        match (self.target_fell, self.rival_fell) {
            (Some((first, _)), Some((second, _))) => {
                return if first < second { Numbers::HOLDS } else { Numbers::FALLS };
            }
            (None, Some((_, true))) => return Numbers::HOLDS,
            (Some((_, true)), None) => return Numbers::FALLS,
            _ => {}
        }
        let key = self.key(attacking, passed);
        if let Some(before) = self.path.position(key) {
            self.rests_on = before;
            // Round and round takes nothing.
            return Numbers::HOLDS;
        }
        // What is settled is never searched, so it is not among what is remembered.
        if let Some(numbers) = self.memory.get(key) {
            return numbers;
        }
        match (self.target_fell, self.rival_fell) {
            (Some(_), None) if self.lives(self.rival) => return Numbers::FALLS,
            (None, _) if self.lives(self.target) => return Numbers::HOLDS,
            (None, None) if attacking && self.can_take_many() => return Numbers::FALLS,
            _ => {}
        }
        let board = &self.board;
        // The more liberties, the further it is from being captured; squares leave fewer races open than the numbers do.
        let distance =
            |stone: Point, fell: bool| if fell { 1 } else { (board.liberty_count(stone) as u32).pow(2) };
        Numbers {
            proof: distance(self.target, self.target_fell.is_some()),
            disproof: distance(self.rival, self.rival_fell.is_some()),
        }
    }

    /// Has the stone's chain joined safe stones, or two eyes?
    fn lives(&self, stone: Point) -> bool {
        let (board, region) = (&self.board, &self.region);
        board.color(stone).is_some_and(|color| {
            region.is_out(board, stone, color) || eyes::has_two_eyes(board, stone, color, &region.points)
        })
    }

    /// Can the whole target, too many stones for a nakade, be taken at once?
    fn can_take_many(&self) -> bool {
        let board = &self.board;
        board.liberty_count(self.target) == 1
            && board.stone_count(self.target) > NAKADE
            && board.liberties(self.target).first().is_some_and(|last| board.is_legal(!self.owner, last))
    }

    /// The points worth a move of this side.
    fn moves(&self, attacking: bool) -> PointSet {
        let board = &self.board;
        let all = self.region.points.and(board.empty());
        let in_atari = self.target_fell.is_none()
            && !attacking
            && board.liberty_count(self.target) == 1
            && board.stone_count(self.target) > NAKADE;
        if !in_atari {
            return all;
        }
        let mut forced = *board.liberties(self.target);
        let enemies = self.board.stones(self.target).flat_map(Point::neighbours);
        for enemy in enemies.chain(self.rival_fell.is_none().then_some(self.rival)) {
            if board.color(enemy) == Some(!self.owner) && board.liberty_count(enemy) == 1 {
                forced.add(board.liberties(enemy));
            }
        }
        forced
    }

    /// The position after each move that may be worth it, up to one that decides.
    fn children(&mut self, attacking: bool, passed: bool) -> Vec<Child> {
        let color = self.color(attacking);
        let mut children = Vec::with_capacity(24);
        let moves = self.moves(attacking).without(&self.plain_liberties(color));
        let plain = self.plain_liberties(!color);
        // One plain liberty of a chain is as good as another.
        let mut tried = PointSet::EMPTY;
        // Liberties first: they decide most often.
        let chains = [(self.target, self.target_fell), (self.rival, self.rival_fell)];
        let standing = chains.into_iter().filter(|(_, fell)| fell.is_none());
        let liberties = standing.fold(PointSet::EMPTY, |set, (stone, _)| set.or(self.board.liberties(stone)));
        for point in liberties.and(&moves).iter().chain(moves.without(&liberties).iter()) {
            if !self.board.is_legal(color, point) || eyes::is_own_eye(&self.board, point, color) {
                continue;
            }
            if plain.contains(point)
                && let Some(chain) = self.only_chain_beside(point, !color)
            {
                if tried.contains(chain) {
                    continue;
                }
                tried.insert(chain);
            }
            self.play(attacking, Some(point));
            let numbers = self.look(!attacking, false);
            self.undo();
            children.push(Child { mv: Some(point), numbers, rests_on: self.rests_on });
            if numbers.is_won(attacking) {
                return children;
            }
        }
        let passes = self.board.is_idle(None);
        self.play(attacking, None);
        self.rests_on = NOTHING;
        let numbers = match (passed && passes, self.target_fell) {
            (true, None) => Numbers::HOLDS,
            (true, Some(_)) => Numbers::FALLS,
            (false, _) => self.look(!attacking, passes),
        };
        self.undo();
        children.push(Child { mv: None, numbers, rests_on: self.rests_on });
        children
    }

    /// The points that are nothing but liberties of one chain of this colour: every one touches the chain, safe enemies, and no empty point
    /// that is not such a liberty itself. None can become an eye or join anything, so the enemy may fill them in any order, and to the
    /// owner they are worth no move.
    fn plain_liberties(&self, color: Color) -> PointSet {
        let board = &self.board;
        let region = &self.region;
        let safe = region.safe_of(board, !color);
        let others = board.of(!color).and(&region.points).without(&safe);
        let kept_from = others.or(region.safe_stones(color)).grown();
        let mut plain = board.empty().and(&region.points).and(&safe.grown()).without(&kept_from);
        for point in plain.iter() {
            if self.only_chain_beside(point, color).is_none() {
                plain.remove(point);
            }
        }
        loop {
            let open = board.empty().without(&plain).grown().and(&plain);
            if open.is_empty() {
                return plain;
            }
            plain = plain.without(&open);
        }
    }

    /// The chain of this colour beside the point, if there is one and no other.
    fn only_chain_beside(&self, point: Point, color: Color) -> Option<Point> {
        let beside = point.neighbours().into_iter().filter(|&stone| self.board.color(stone) == Some(color));
        let mut heads = beside.map(|stone| self.board.head(stone));
        let first = heads.next()?;
        heads.all(|head| head == first).then_some(first)
    }

    fn node(&mut self, attacking: bool, passed: bool, threshold: Numbers) -> (Numbers, Option<Point>) {
        let key = self.key(attacking, passed);
        let depth = self.path.len();
        self.path.push(key);
        let mut children = self.children(attacking, passed);
        let (numbers, best) = loop {
            let summary = Summary::of(&children, attacking);
            let (numbers, child) = (summary.numbers, children[summary.best]);
            let is_over = self.nodes >= self.limit || self.path.len() > DEPTH;
            if numbers.is_known() || numbers.reach(threshold) || is_over {
                break (numbers, summary.best);
            }
            let below = summary.threshold(threshold, child.numbers, attacking);
            let passes = self.board.is_idle(child.mv);
            self.play(attacking, child.mv);
            let numbers = self.node(!attacking, passes, below).0;
            children[summary.best] = Child { mv: child.mv, numbers, rests_on: self.rests_on };
            self.undo();
        };
        self.path.pop();
        self.rests_on = rests_on(&children, best, numbers, attacking);
        if self.rests_on >= depth {
            self.rests_on = NOTHING;
            self.memory.put(key, numbers);
        }
        (numbers, children[best].mv)
    }
}

impl Fall for RaceReader {
    fn search(&mut self, attacking: bool, ko: Ko) -> Option<(bool, Option<Point>)> {
        self.calls += 1;
        self.salt = self.calls.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.path.clear();
        self.ko = ko;
        (self.target_fell, self.rival_fell) = (None, None);
        self.limit = self.nodes + self.most;
        let (numbers, mv) = self.node(attacking, false, Numbers::ANY);
        numbers.is_known().then_some((numbers.proof == 0, mv))
    }

    fn has_seen_ko(&self) -> bool {
        self.ko_seen
    }

    fn nodes(&self) -> u32 {
        self.nodes
    }
}
