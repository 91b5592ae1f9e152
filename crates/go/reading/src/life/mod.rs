//! Life and death (死活): can a group that is closed in make two eyes, or a seki, or get out; can it be killed?
//!
//! Search: df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002). The moves are the points
//! nearer to the group than to its enemies, the liberties of its stones, and those of enemies beside it that have few; so the
//! region follows the fight. Both sides may pass, and two passes in a row leave the group alive: a seki is life. A group with
//! several liberties beyond all that has escaped. Moves that have decided positions before are tried first (history heuristic,
//! J. Schaeffer, 1989).

mod exercises;
mod line;
mod region;
mod tsumego;

use ishi_go::{Board, BoardSize, Color, Point};

use crate::board::ReadingBoard;
use crate::eyes;
use crate::lambda::{Answer, Ko};
use crate::point_set::PointSet;
use crate::proof::{Child, Fall, Memory, NOTHING, Numbers, Path, Summary, rests_on};
pub use exercises::Exercise;
use region::Region;

/// A chain with so many liberties beyond the region has escaped.
const ESCAPED: usize = 3;
/// Enemies beside the group with at most so many liberties take part in the fight.
const WEAK: usize = 3;
/// Enemies with more liberties stay out of a fight for some moves to come.
const FAR_FROM_WEAK: usize = WEAK + 5;
/// Deepest line of moves.
const DEPTH: usize = 100;
/// Positions that are remembered at least and at most: two to these powers.
const MEMORY: (u32, u32) = (12, 22);

/// Where a group has its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Its stones, and the points nearer to it than to its enemies.
    pub core: PointSet,
    /// What its fate depends on: the core, all that is played on to decide about it and two steps more, the liberties of its own stones there, and of
    /// enemies there with up to eight. Others would have to lose five before they take part in the fight.
    pub all: PointSet,
}

/// Reads the life of groups. Keeps its memory from question to question; answers do not depend on earlier questions.
///
/// ```
/// use ishi_go::Diagram;
/// use ishi_reading::{LifeReader, Outcome};
/// let diagram: Diagram = "
///     . . . . . . .
///     O O O O O . .
///     X X X X O . .
///     . . . X O . .
/// ".parse().unwrap();
/// let board = diagram.board().unwrap();
/// let [stone, vital] = ["A2", "B1"].map(|vertex| board.size().parse_point(vertex).unwrap());
/// let mut reader = LifeReader::default();
/// // Three points in a row: whoever plays in the middle has his way.
/// let kill = reader.die(&board, stone).unwrap();
/// assert_eq!((kill.outcome, kill.mv), (Outcome::Works, Some(vital)));
/// let save = reader.live(&board, stone).unwrap();
/// assert_eq!((save.outcome, save.mv), (Outcome::Works, Some(vital)));
/// ```
#[derive(Clone, Debug)]
pub struct LifeReader {
    board: ReadingBoard,
    owner: Color,
    target: Point,
    region: Region,
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
    /// How often a point has decided a position: for the owner, for the attacker.
    history: Vec<[u32; 2]>,
    /// Do the groups have walls with gaps, as in problems?
    has_gaps: bool,
    /// The first move must be one of these.
    first: Option<PointSet>,
    calls: u64,
    salt: u64,
}

impl Default for LifeReader {
    fn default() -> Self {
        LifeReader::new(300_000)
    }
}

impl LifeReader {
    /// A reader that plays at most so many moves for a search; a question needs one, or two where there is a ko. A million moves
    /// take about 0.4 s. It remembers one position for every move or more, 16 bytes each, and four million at most.
    pub fn new(most: u32) -> LifeReader {
        let size = BoardSize::square(19).expect("a size");
        LifeReader {
            board: ReadingBoard::new(&Board::new(size)),
            owner: Color::Black,
            target: Point::new(0, 0),
            region: Region::default(),
            ko: Ko::Nobody,
            ko_seen: false,
            nodes: 0,
            most,
            limit: 0,
            memory: Memory::for_moves(most, MEMORY),
            path: Path::default(),
            rests_on: NOTHING,
            history: vec![[0; 2]; Point::INDICES],
            has_gaps: false,
            first: None,
            calls: 0,
            salt: 0,
        }
    }

    /// From now on at most so many moves are played for a search; more than [`LifeReader::new`] was told are remembered badly.
    pub fn set_most(&mut self, most: u32) {
        self.most = most;
    }

    /// Moves that were played for the last question.
    pub fn moves_read(&self) -> u32 {
        self.nodes
    }

    /// Where the group of `stone` has its life, and what that depends on. `None`: it is not closed in, or there is no stone.
    pub fn zone(&mut self, board: &Board, stone: Point) -> Option<Zone> {
        self.board.set(board);
        let Region { core, reach, .. } = Region::of(&self.board, stone, self.has_gaps)?;
        let around = reach.grown().grown();
        let mut all = around;
        let owner = board.color(stone)?;
        for stone in around.and(&self.board.of(owner).or(self.board.of(!owner))).iter() {
            if self.board.color(stone) == Some(owner) || self.board.liberty_count(stone) <= FAR_FROM_WEAK {
                all.add(self.board.liberties(stone));
            }
        }
        Some(Zone { core, all })
    }

    /// Does the group of `stone` die if its enemy moves first? `None`: it is not closed in, it could not be read to the end, or
    /// there is no stone.
    pub fn die(&mut self, board: &Board, stone: Point) -> Option<Answer> {
        self.ask(board, stone, true)
    }

    /// Does the group of `stone` live if its owner moves first? Seki is life. `None` as for [`LifeReader::die`].
    pub fn live(&mut self, board: &Board, stone: Point) -> Option<Answer> {
        self.ask(board, stone, false)
    }

    fn ask(&mut self, board: &Board, target: Point, attacking: bool) -> Option<Answer> {
        self.begin(board, target)?;
        self.answer(attacking)
    }

    /// Sets up a question about a group. `None`: it is not closed in, or there is no stone.
    fn begin(&mut self, board: &Board, target: Point) -> Option<()> {
        (self.nodes, self.ko_seen) = (0, false);
        self.owner = board.color(target)?;
        self.board.set(board);
        self.target = target;
        self.region = Region::of(&self.board, target, self.has_gaps)?;
        Some(())
    }

    fn color(&self, attacking: bool) -> Color {
        if attacking { !self.owner } else { self.owner }
    }

    fn key(&self, attacking: bool, passed: bool) -> u64 {
        let ko = self.board.ko().map_or(0, |point| point.index() as u64 + 1);
        let state = ko << 2 | u64::from(attacking) << 1 | u64::from(passed);
        let mixed = self.board.hash() ^ self.salt ^ state.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ mixed >> 32
    }

    /// Plays, or passes, and keeps to the ruling on ko.
    fn play(&mut self, attacking: bool, mv: Option<Point>) {
        let Some(point) = mv else { return self.board.pass() };
        self.nodes += 1;
        self.board.play(self.color(attacking), point);
        if self.board.ko().is_some() {
            self.ko_seen = true;
            if self.ko == if attacking { Ko::Opponent } else { Ko::Seeker } {
                self.board.lift_ko();
            }
        }
    }

    /// What can be said of a position without searching it, or is remembered of it.
    fn look(&mut self, attacking: bool, passed: bool) -> Numbers {
        self.rests_on = NOTHING;
        let board = &self.board;
        if board.color(self.target) != Some(self.owner) || attacking && self.can_be_taken() {
            return Numbers::FALLS;
        }
        let key = self.key(attacking, passed);
        if let Some(before) = self.path.position(key) {
            self.rests_on = before;
            // Round and round takes nothing: a double ko is life, whatever threats there are.
            return Numbers::HOLDS;
        }
        if let Some(numbers) = self.memory.get(key) {
            return numbers;
        }
        // Only the owner's move brings life.
        if attacking && self.lives() {
            return Numbers::HOLDS;
        }
        // The more liberties, the further it is from being captured.
        Numbers { proof: board.liberty_count(self.target) as u32, disproof: 1 }
    }

    /// Can the target be taken at once?
    fn can_be_taken(&self) -> bool {
        let board = &self.board;
        let last = board.liberties(self.target).first();
        board.liberty_count(self.target) == 1 && last.is_some_and(|last| board.is_legal(!self.owner, last))
    }

    /// Has the target escaped, or two eyes?
    fn lives(&self) -> bool {
        let reach = &self.region.reach;
        let beyond = self.board.liberties(self.target).without(reach);
        beyond.len() >= ESCAPED || eyes::has_two_eyes(&self.board, self.target, self.owner, reach)
    }

    /// The points worth a move of this side, the likely ones first.
    fn moves(&self, attacking: bool) -> Vec<Point> {
        let board = &self.board;
        let set = if !attacking && board.liberty_count(self.target) == 1 {
            self.answers_to_atari()
        } else {
            self.points_of_fight(attacking)
        };
        let set = match &self.first {
            Some(first) if self.path.len() == 1 => set.and(first),
            _ => set,
        };
        let color = self.color(attacking);
        let is_move = |&point: &Point| board.is_legal(color, point) && !eyes::is_own_eye(board, point, color);
        let mut moves: Vec<Point> = set.iter().filter(is_move).collect();
        moves.sort_by_key(|point| std::cmp::Reverse(self.history[point.index()][usize::from(attacking)]));
        moves
    }

    /// The last liberty of the target, and those of enemies beside it in atari.
    fn answers_to_atari(&self) -> PointSet {
        let board = &self.board;
        let mut answers = *board.liberties(self.target);
        for enemy in board.stones(self.target).flat_map(Point::neighbours) {
            if board.color(enemy) == Some(!self.owner) && board.liberty_count(enemy) == 1 {
                answers.add(board.liberties(enemy));
            }
        }
        answers
    }

    /// The points near the group, the liberties of the owner's stones there, and of weak enemies beside these. The owner stays within reach, so
    /// that the attacker can always answer.
    fn points_of_fight(&self, attacking: bool) -> PointSet {
        let board = &self.board;
        let Region { near, reach, .. } = &self.region;
        let beside = board.of(self.owner).and(&reach.grown()).grown();
        let mut points = near.or(&beside);
        let mut enemies = beside.and(board.of(!self.owner));
        while let Some(enemy) = enemies.first() {
            enemies = enemies.without(&board.stones(enemy).collect());
            if board.liberty_count(enemy) <= WEAK {
                points.add(board.liberties(enemy));
            }
        }
        let empty = points.and(board.empty());
        if attacking { empty } else { empty.and(reach) }
    }

    /// The position after each move that may be worth it, up to one that decides.
    fn children(&mut self, attacking: bool, passed: bool) -> Vec<Child> {
        let moves = self.moves(attacking);
        let mut children = Vec::with_capacity(moves.len() + 1);
        for mv in moves.into_iter().map(Some) {
            let child = self.child(attacking, passed, mv);
            children.push(child);
            if child.numbers.is_won(attacking) {
                return children;
            }
        }
        children.push(self.child(attacking, passed, None));
        children
    }

    /// The position after a move, or a pass.
    fn child(&mut self, attacking: bool, passed: bool, mv: Option<Point>) -> Child {
        let passes = self.board.is_idle(mv);
        self.play(attacking, mv);
        self.rests_on = NOTHING;
        let is_over = passed && passes;
        let numbers = if is_over { Numbers::HOLDS } else { self.look(!attacking, passes) };
        self.board.undo();
        Child { mv, numbers, rests_on: self.rests_on }
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
            self.board.undo();
        };
        let mv = children[best].mv;
        if let (true, Some(point)) = (numbers.is_won(attacking), mv) {
            self.history[point.index()][usize::from(attacking)] += 1;
        }
        self.path.pop();
        self.rests_on = rests_on(&children, best, numbers, attacking);
        if self.rests_on >= depth {
            self.rests_on = NOTHING;
            self.memory.put(key, numbers);
        }
        (numbers, mv)
    }
}

impl Fall for LifeReader {
    fn search(&mut self, attacking: bool, ko: Ko) -> Option<(bool, Option<Point>)> {
        self.calls += 1;
        self.salt = self.calls.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.path.clear();
        self.history.fill([0; 2]);
        self.ko = ko;
        self.limit = self.nodes.saturating_add(self.most);
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
