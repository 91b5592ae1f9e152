//! Levels 1 and 2 together: chains; how they stand, their links and eyes. From scratch, or kept from position to position.

use std::collections::BTreeMap;

use ishi_go::{Board, BoardObserver, Chain, Color, Move, Point, Position};
use ishi_reading::{ChainReader, ChainStatus, PointSet, ReadingDependencies, ReadingEffort, ReadingOutcome};

use crate::analysis::Analysis;
use crate::chains::Chains;
use crate::check::{self, Mismatch};
use crate::connections::Connections;
use crate::eyes::{self, EyeSpace};
use crate::links::{self, Link, LinkStrength};
use crate::oracle::Oracle;
use crate::style::{SharedPoints, Style};

/// Chains with more liberties are not read: they are safe for the moment.
pub(crate) const READ_LIBERTIES: usize = 5;

/// How much level 2 reads: what takes longer is mostly no clearer in the end. With ten times as much, rules suggest the moves of strong
/// players no more often, and claims of explanations, which are read again anyway, hold no more often (docs/notes/explain.md).
const EFFORT: ReadingEffort = ReadingEffort { nodes: [200, 0, 0] };
/// Steps of detour, each way, within which the connection of two stones is read.
const NEAR: usize = 1;

/// The reader of level 2.
pub(crate) fn tactical_reader() -> ChainReader {
    ChainReader::new(EFFORT).with_detour_limit(NEAR).without_checks()
}

/// Levels 1 and 2 of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Tactical {
    /// How they were found.
    pub style: Style,
    /// The chains.
    pub chains: Chains,
    /// Connection points on straight lines, if the style goes by them.
    pub connections: Option<Connections>,
    /// The chains that were read, by their names.
    pub status: Vec<(Point, ChainStatus)>,
    /// Connections.
    pub links: Vec<Link>,
    /// Eye spaces.
    pub spaces: Vec<EyeSpace>,
}

/// What follows from the stones alone, kept move by move.
#[derive(Clone, Debug)]
struct TrackedStones {
    chains: Chains,
    connections: Option<Connections>,
}

impl TrackedStones {
    fn from_board(style: Style, board: &Board) -> TrackedStones {
        let are_straight = style.shared == SharedPoints::StraightLines;
        TrackedStones {
            chains: Chains::from_board(board),
            connections: are_straight.then(|| Connections::from_board(board)),
        }
    }
}

impl BoardObserver for TrackedStones {
    fn on_place(&mut self, board: &Board, color: Color, point: Point) {
        self.chains.on_place(board, color, point);
        self.connections.iter_mut().for_each(|connections| connections.on_place(board, color, point));
    }

    fn on_capture(&mut self, board: &Board, color: Color, point: Point) {
        self.chains.on_capture(board, color, point);
        self.connections.iter_mut().for_each(|connections| connections.on_capture(board, color, point));
    }

    fn on_merge(&mut self, board: &Board, kept: Chain, gone: Chain) {
        self.chains.on_merge(board, kept, gone);
        self.connections.iter_mut().for_each(|connections| connections.on_merge(board, kept, gone));
    }
}

impl Tactical {
    /// From scratch, in ishi's way.
    pub fn from_board(board: &Board) -> Tactical {
        Tactical::in_style(Style::ishi(), board)
    }

    /// From scratch, in a style.
    pub fn in_style(style: Style, board: &Board) -> Tactical {
        Tactical::from_stones(style, board, TrackedStones::from_board(style, board), &mut tactical_reader())
    }

    fn from_stones(
        style: Style,
        board: &Board,
        stones: TrackedStones,
        tactician: &mut impl Tactician,
    ) -> Tactical {
        let TrackedStones { chains, connections } = stones;
        let few = chains.iter().filter(|chain| chain.liberties.len() <= READ_LIBERTIES);
        let status: Vec<(Point, ChainStatus)> =
            few.map(|chain| (chain.name(), tactician.chain_status(board, chain.name()))).collect();
        let links = links::find_links(board, &chains, connections.as_ref(), tactician);
        let spaces = eyes::find_eye_spaces(style, board, &captured_stones(&chains, &status));
        Tactical { style, chains, connections, status, links, spaces }
    }
}

fn captured_stones(chains: &Chains, status: &[(Point, ChainStatus)]) -> PointSet {
    let mut dead = PointSet::EMPTY;
    for (name, status) in status {
        if let (ChainStatus::Captured { .. }, Some(chain)) = (status, chains.chain_at(*name)) {
            dead.add_set(&chain.stones);
        }
    }
    dead
}

/// What reading says of a connection: its strength, the cut, and the move that connects.
pub(crate) type LinkVerdict = (LinkStrength, Option<Point>, Option<Point>);

/// Who answers what level 2 asks.
pub(crate) trait Tactician {
    /// How the chain of a stone stands.
    fn chain_status(&mut self, board: &Board, stone: Point) -> ChainStatus;

    /// How well the chains of two stones are connected.
    fn link_verdict(&mut self, board: &Board, stones: [Point; 2]) -> LinkVerdict;
}

impl Tactician for ChainReader {
    fn chain_status(&mut self, board: &Board, stone: Point) -> ChainStatus {
        ChainReader::chain_status(self, board, stone)
    }

    fn link_verdict(&mut self, board: &Board, [a, b]: [Point; 2]) -> LinkVerdict {
        let [cut, connect] = ChainReader::read_both_questions(self, board, a, b);
        let strength = match (cut.outcome, connect.outcome) {
            (ReadingOutcome::Fails, _) => return (LinkStrength::Solid, None, None),
            (ReadingOutcome::KoSecond, ReadingOutcome::Works) => LinkStrength::WithAji,
            (_, ReadingOutcome::Fails) => LinkStrength::Cut,
            (_, ReadingOutcome::KoFirst | ReadingOutcome::KoSecond) => LinkStrength::Cuttable,
            (_, ReadingOutcome::Works) => LinkStrength::FirstMove,
        };
        (strength, cut.mv, connect.mv)
    }
}

/// Readings of one question that are kept at most: the position of the game, and some that a look-ahead passes through.
const HELD: usize = 6;
/// Positions after which a reading that nobody has asked for is dropped.
const FORGOTTEN: u64 = 200;

/// What a position looks like to its readers.
#[derive(Clone, Debug)]
struct BoardSnapshot {
    by_color: [PointSet; 2],
    ko: Option<Point>,
    /// The name of the chain on each point, by [`Point::index`].
    names: Vec<Option<Point>>,
    /// The number of liberties of the chain on each point.
    liberties: Vec<u16>,
}

impl BoardSnapshot {
    fn from_chains(board: &Board, chains: &Chains) -> BoardSnapshot {
        let mut sight = BoardSnapshot { ko: board.ko_point(), ..BoardSnapshot::blank() };
        for chain in chains.iter() {
            let name = chain.name();
            sight.by_color[chain.color.map_or(0, Color::index)].add_set(&chain.stones);
            let liberties = chain.liberties.len() as u16;
            for stone in chain.stones.iter() {
                sight.names[stone.index()] = Some(name);
                sight.liberties[stone.index()] = liberties;
            }
        }
        sight
    }

    fn blank() -> BoardSnapshot {
        let by_color = [PointSet::EMPTY; 2];
        BoardSnapshot {
            by_color,
            ko: None,
            names: vec![None; Point::INDICES],
            liberties: vec![0; Point::INDICES],
        }
    }
}

/// An answer, and what the board must look like for it to hold.
#[derive(Clone, Debug)]
struct CachedAnswer<T> {
    seen: ReadingDependencies,
    /// The stones of both colours on the points seen, and the ban of ko.
    by_color: [PointSet; 2],
    ko: Option<Point>,
    answer: T,
    /// Number of the position for which it was last asked.
    used: u64,
}

impl<T> CachedAnswer<T> {
    fn new(seen: ReadingDependencies, sight: &BoardSnapshot, answer: T, used: u64) -> CachedAnswer<T> {
        let by_color = sight.by_color.map(|stones| stones.intersection(&seen.points));
        let ko = sight.ko.filter(|&point| seen.points.contains(point));
        CachedAnswer { by_color, ko, seen, answer, used }
    }

    fn holds_for(&self, now: &BoardSnapshot) -> bool {
        let points = &self.seen.points;
        now.by_color.map(|stones| stones.intersection(points)) == self.by_color
            && now.ko.filter(|&point| points.contains(point)) == self.ko
            && self.seen.names.iter().all(|&(stone, name)| now.names[stone.index()] == Some(name))
            && self
                .seen
                .liberties
                .iter()
                .all(|&(stone, least)| usize::from(now.liberties[stone.index()]) >= least)
    }
}

/// Answers by their questions.
#[derive(Clone, Debug)]
struct AnswerCache<K, T>(BTreeMap<K, Vec<CachedAnswer<T>>>);

impl<K: Ord, T: Copy> AnswerCache<K, T> {
    fn new() -> AnswerCache<K, T> {
        AnswerCache(BTreeMap::new())
    }

    fn find_valid(&mut self, key: &K, now: &BoardSnapshot, number: u64) -> Option<T> {
        let held = self.0.get_mut(key)?.iter_mut().find(|held| held.holds_for(now))?;
        held.used = number;
        Some(held.answer)
    }

    fn insert_answer(&mut self, key: K, held: CachedAnswer<T>) {
        let all = self.0.entry(key).or_default();
        if all.len() >= HELD {
            let oldest = all.iter().enumerate().min_by_key(|(_, held)| held.used).map(|(index, _)| index);
            all.swap_remove(oldest.unwrap_or(0));
        }
        all.push(held);
    }

    fn drop_older_than(&mut self, before: u64) {
        self.0.retain(|_, all| {
            all.retain(|held| held.used >= before);
            !all.is_empty()
        });
    }
}

/// How much a [`Keeper`] had to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadingCounts {
    /// Questions that level 2 asked.
    pub asked: u64,
    /// Those that had to be read.
    pub read: u64,
}

/// A reader that notes what it looks at, and keeps its answers as long as that stays as it is.
#[derive(Clone, Debug)]
struct CachingReader {
    reader: ChainReader,
    status: AnswerCache<Point, ChainStatus>,
    joints: AnswerCache<[Point; 2], LinkVerdict>,
    now: BoardSnapshot,
    number: u64,
    work: ReadingCounts,
}

impl CachingReader {
    fn cache_entry<T>(&mut self, answer: T) -> CachedAnswer<T> {
        self.work.read += 1;
        let seen = self.reader.take_dependencies();
        CachedAnswer::new(seen, &self.now, answer, self.number)
    }
}

impl Tactician for CachingReader {
    fn chain_status(&mut self, board: &Board, stone: Point) -> ChainStatus {
        self.work.asked += 1;
        if let Some(known) = self.status.find_valid(&stone, &self.now, self.number) {
            return known;
        }
        let answer = self.reader.chain_status(board, stone);
        let held = self.cache_entry(answer);
        self.status.insert_answer(stone, held);
        answer
    }

    fn link_verdict(&mut self, board: &Board, stones: [Point; 2]) -> LinkVerdict {
        self.work.asked += 1;
        if let Some(known) = self.joints.find_valid(&stones, &self.now, self.number) {
            return known;
        }
        let answer = Tactician::link_verdict(&mut self.reader, board, stones);
        let held = self.cache_entry(answer);
        self.joints.insert_answer(stones, held);
        answer
    }
}

/// Keeps levels 1 and 2 from position to position: chains follow the moves, and a reading is done again only where a point has changed
/// that it looked at. Which positions come in which order does not matter, so moves may be taken back; what is found is always what
/// [`Tactical::from_board`] finds.
///
/// ```
/// use ishi_go::{BoardSize, Position, Rules};
/// use ishi_knowledge::{Keeper, Tactical};
/// let mut position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
/// let mut keeper = Keeper::new();
/// for vertex in ["D4", "D16", "E4", "Q4", "D5"] {
///     let mv = position.size().parse_move(vertex).unwrap();
///     position.play(position.to_move(), mv).unwrap();
///     assert_eq!(keeper.tactical_for(position.board()), Tactical::from_board(position.board()));
/// }
/// assert!(keeper.reading_counts().read < keeper.reading_counts().asked);
/// ```
#[derive(Clone, Debug)]
pub struct Keeper {
    style: Style,
    memoir: CachingReader,
    stones: Option<(Board, TrackedStones)>,
    is_checking: bool,
    differences: Vec<Mismatch>,
}

impl Default for Keeper {
    fn default() -> Self {
        Keeper::new()
    }
}

impl Keeper {
    /// Nothing is known yet; positions will be judged in ishi's way.
    pub fn new() -> Keeper {
        Keeper::with_style(Style::ishi())
    }

    /// Nothing is known yet; positions will be judged in a style.
    pub fn with_style(style: Style) -> Keeper {
        let memoir = CachingReader {
            reader: tactical_reader().with_noting(),
            status: AnswerCache::new(),
            joints: AnswerCache::new(),
            now: BoardSnapshot::blank(),
            number: 0,
            work: ReadingCounts::default(),
        };
        Keeper { style, memoir, stones: None, is_checking: false, differences: Vec::new() }
    }

    /// The same in checking mode: everything is found from scratch as well, and what differs is noted.
    pub fn with_checking(self) -> Keeper {
        Keeper { is_checking: true, ..self }
    }

    /// What checking has found since the last call of this; nothing, unless there is an error in the program.
    pub fn take_differences(&mut self) -> Vec<Mismatch> {
        std::mem::take(&mut self.differences)
    }

    /// Levels 1 and 2 of a position.
    pub fn tactical_for(&mut self, board: &Board) -> Tactical {
        let memoir = &mut self.memoir;
        memoir.number += 1;
        if memoir.number.is_multiple_of(FORGOTTEN) {
            memoir.status.drop_older_than(memoir.number.saturating_sub(FORGOTTEN));
            memoir.joints.drop_older_than(memoir.number.saturating_sub(FORGOTTEN));
        }
        let stones = follow_stones(self.style, &mut self.stones, board);
        memoir.now = BoardSnapshot::from_chains(board, &stones.chains);
        let tactical = Tactical::from_stones(self.style, board, stones, memoir);
        if self.is_checking {
            self.differences.extend(check::compare_tactical(
                board,
                &tactical,
                &Tactical::in_style(self.style, board),
            ));
        }
        tactical
    }

    /// All levels of a position.
    pub fn analyze(&mut self, position: &Position, oracle: &mut impl Oracle) -> Analysis {
        Analysis::from_tactical(position, self.tactical_for(position.board()), oracle)
    }

    /// How positions are judged.
    pub(crate) fn style(&self) -> Style {
        self.style
    }

    /// Questions asked and read so far.
    pub fn reading_counts(&self) -> ReadingCounts {
        self.memoir.work
    }
}

/// What the stones of a board are: as on the last one and by a move, if it is so, otherwise from scratch.
fn follow_stones(style: Style, last: &mut Option<(Board, TrackedStones)>, board: &Board) -> TrackedStones {
    let followed = last.take().and_then(|(before, stones)| stones_after_move(before, board, stones));
    let stones = followed.unwrap_or_else(|| TrackedStones::from_board(style, board));
    *last = Some((board.clone(), stones.clone()));
    stones
}

/// The stones after the move that leads from one board to the other, if there is one.
fn stones_after_move(mut before: Board, board: &Board, mut stones: TrackedStones) -> Option<TrackedStones> {
    if before.size() != board.size() {
        return None;
    }
    if before.hash() != board.hash() {
        let (color, mv) = find_only_move(&before, board)?;
        before.play_observed(color, mv, &mut stones);
    }
    (before.hash() == board.hash()).then_some(stones)
}

/// The only stone that stands on one board and not on the other before it.
fn find_only_move(before: &Board, after: &Board) -> Option<(Color, Move)> {
    let is_new = |point: &Point| before.color(*point).is_none() && after.color(*point).is_some();
    let mut placed = after.size().points().filter(is_new);
    let point = placed.next()?;
    let color = after.color(point).filter(|_| placed.next().is_none())?;
    before.is_legal(color, point).then_some((color, Move::Play(point)))
}
