//! Can a chain be captured? Can it be saved?
//!
//! The chain in question is the *prey*. Up to order 1 a capture is a ladder, read here; [`crate::lambda`] does the rest. A prey with
//! six liberties is not read.

use ishi_go::{Board, Cell, Color, Move, Point};

use crate::lambda::{KoRight, LambdaGoal, LambdaSearch, ReadingAnswer, ReadingEffort, ReadingOutcome};
use crate::point_set::PointSet;
use crate::watched::ReadingDependencies;

/// How a chain stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainStatus {
    /// It cannot be captured, as far as was read.
    Safe,
    /// Who moves first decides: the attacker by `attack`, the owner by `defence`; or there is a ko.
    InDanger {
        /// If the opponent moves first: not [`ReadingOutcome::Fails`].
        attack: ReadingAnswer,
        /// If the owner moves first.
        defence: ReadingAnswer,
    },
    /// It is captured even if its owner moves first; `attack` is how, should the opponent need to.
    Captured {
        /// If the opponent moves first.
        attack: ReadingAnswer,
    },
}

/// Most moves of a [`ChainReader::read_sequence`].
const SEQUENCE: usize = 60;
/// Deepest ladder.
const LADDER_DEPTH: usize = 120;
/// Most moves of a ladder.
pub(crate) const LADDER_NODES: u32 = 200;

/// Reads captures and connections. Keeps its board and its memory from call to call; answers do not depend on earlier calls.
///
/// ```
/// use ishi_go::Diagram;
/// use ishi_reading::{ReadingOutcome, ChainReader};
/// let diagram: Diagram = "
///     . . . . . .
///     . O O . . .
///     O X X . . .
///     . O O . . .
///     . . . . . .
/// ".parse().unwrap();
/// let board = diagram.to_board().unwrap();
/// let prey = board.size().parse_point("C3").unwrap();
/// let answer = ChainReader::default().attack(&board, prey);
/// assert_eq!((answer.outcome, answer.mv), (ReadingOutcome::Works, board.size().parse_point("D3").ok()));
/// ```
#[derive(Clone, Debug)]
pub struct ChainReader {
    pub(crate) search: LambdaSearch,
    /// Steps of detour, each way, within which the connection of two stones is read.
    pub(crate) near: Option<usize>,
}

impl Default for ChainReader {
    fn default() -> Self {
        ChainReader::new(ReadingEffort::default())
    }
}

impl ChainReader {
    /// A reader that reads so much.
    pub fn new(effort: ReadingEffort) -> ChainReader {
        ChainReader { search: LambdaSearch::new(effort), near: None }
    }

    /// The same, noting what its answers depend on; see [`ChainReader::take_dependencies`]. It reads a little slower.
    pub fn with_noting(mut self) -> ChainReader {
        self.search.board.begin_noting();
        self
    }

    /// What the answers since the last call of this depended on, for a reader that notes it ([`ChainReader::with_noting`]). On any board that
    /// has the same there, the answers are the same.
    pub fn take_dependencies(&mut self) -> ReadingDependencies {
        self.search.board.take_dependencies()
    }

    /// The same, reading connections only on the points that a path between the two stones passes with so many steps of detour each way:
    /// paths beyond do not connect. It is faster, and answers depend on less.
    pub fn with_detour_limit(self, steps: usize) -> ChainReader {
        ChainReader { near: Some(steps), ..self }
    }

    /// The same, believing a defence that held until the moves ran out. Without this call such a defence is attacked once more, with twice
    /// the moves, and another one is looked for where it falls. That takes half as long again for chains whose fate is in doubt.
    pub fn without_checks(self) -> ChainReader {
        ChainReader { search: self.search.without_checks(), ..self }
    }

    /// Can the chain of the stone be captured if its opponent moves first?
    pub fn attack(&mut self, board: &Board, stone: Point) -> ReadingAnswer {
        self.read_capture(board, stone, true)
    }

    /// Can the chain of the stone be saved if its owner moves first? Chains that nobody can capture are saved by any move.
    pub fn defend(&mut self, board: &Board, stone: Point) -> ReadingAnswer {
        self.read_capture(board, stone, false)
    }

    /// How the chain of the stone stands.
    pub fn chain_status(&mut self, board: &Board, stone: Point) -> ChainStatus {
        let attack = self.attack(board, stone);
        if attack.outcome == ReadingOutcome::Fails {
            return ChainStatus::Safe;
        }
        let defence = self.defend(board, stone);
        match (attack.outcome, defence.outcome) {
            (ReadingOutcome::Works, ReadingOutcome::Fails) => ChainStatus::Captured { attack },
            _ => ChainStatus::InDanger { attack, defence },
        }
    }

    /// The moves by which the chain of the stone is captured, or saved, if both sides play as they were read; the opponent moves
    /// first, or the owner. What is lost resists where it takes longest to read. It ends when the chain is gone or safe, or when it
    /// cannot even gain a liberty.
    pub fn read_sequence(&mut self, board: &Board, stone: Point, attacking: bool) -> Vec<(Color, Point)> {
        let (mut board, mut moves, mut attacking) = (board.clone(), Vec::new(), attacking);
        let Some(owner) = board.color(stone) else { return moves };
        while board.color(stone) == Some(owner) && moves.len() < SEQUENCE {
            let answer = self.read_capture(&board, stone, attacking);
            let color = if attacking { !owner } else { owner };
            let mv = match answer.outcome {
                ReadingOutcome::Fails if attacking => break,
                ReadingOutcome::Fails => self.longest_resistance(&board, stone),
                _ => answer.mv.filter(|&mv| board.is_legal(color, mv)),
            };
            let Some(mv) = mv else { break };
            board.play_unchecked(color, Move::Play(mv));
            moves.push((color, mv));
            attacking = !attacking;
        }
        moves
    }

    /// The move of a lost chain's owner that takes longest to refute: it extends, or takes attackers in atari, and is not in atari then.
    fn longest_resistance(&mut self, board: &Board, stone: Point) -> Option<Point> {
        let (owner, chain) = (board.color(stone)?, board.chain(stone)?);
        let mut moves: PointSet = board.chain_liberties(chain).into_iter().collect();
        for next in board.chain_stones(chain).flat_map(Point::neighbours) {
            if board.color(next) == Some(!owner)
                && let Some(last) = board.chain(next).and_then(|attacker| board.atari_liberty(attacker))
            {
                moves.insert(last);
            }
        }
        let legal = moves.iter().filter(|&mv| board.is_legal(owner, mv));
        let tried = legal.filter_map(|mv| {
            let mut next = board.clone();
            next.play_unchecked(owner, Move::Play(mv));
            let free = next.chain(stone).is_some_and(|chain| next.chain_liberties(chain).len() > 1);
            free.then(|| (self.attack(&next, stone).nodes, std::cmp::Reverse(mv.index()), mv))
        });
        tried.max().map(|(.., mv)| mv)
    }

    fn read_capture(&mut self, board: &Board, prey: Point, attacking: bool) -> ReadingAnswer {
        let Some(owner) = board.color(prey) else {
            return ReadingAnswer::without_reading(ReadingOutcome::Fails);
        };
        let mut ask =
            |board: &Board| self.search.ask_question(board, !owner, &CaptureGoal { prey }, attacking);
        match without_ko_ban(board, prey) {
            None => ask(board),
            Some(free) => answer_after_ban(attacking, |is_free| ask(if is_free { &free } else { board })),
        }
    }
}

/// Where the ban of ko alone keeps the chain of a stone from being taken: the board without it, as it is after a threat.
pub(crate) fn without_ko_ban(board: &Board, stone: Point) -> Option<Board> {
    let ko = board.ko_point()?;
    (board.atari_liberty(board.chain(stone)?)? == ko).then(|| {
        let mut free = board.clone();
        free.set_ko(None);
        free
    })
}

/// The answer about a chain that a ban protects: its owner's move ends the ban, and its opponent needs a threat first.
///
/// `ask` asks with the ban, or without.
pub(crate) fn answer_after_ban(attacking: bool, mut ask: impl FnMut(bool) -> ReadingAnswer) -> ReadingAnswer {
    if !attacking {
        return ask(true);
    }
    let (now, later) = (ask(false), ask(true));
    if now.outcome != ReadingOutcome::Fails || later.outcome == ReadingOutcome::Fails {
        return now;
    }
    ReadingAnswer { outcome: ReadingOutcome::KoSecond, mv: later.mv, nodes: now.nodes + later.nodes }
}

/// The chain of this stone is to be taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CaptureGoal {
    pub(crate) prey: Point,
}

impl LambdaGoal for CaptureGoal {
    const BASE: u8 = 1;

    fn is_reached(&self, search: &LambdaSearch, last: Point) -> Option<bool> {
        self.is_gone(search).then(|| self.is_final(search, last))
    }

    fn move_distance(&self, search: &LambdaSearch, most: usize) -> usize {
        search.board.liberties_to(most + 1, self.prey)
    }

    fn base_move(&self, search: &mut LambdaSearch, zone: &mut PointSet) -> Option<Point> {
        self.find_ladder(search, zone, LADDER_NODES)
    }

    /// The prey's liberties, the points beside them, and the liberties of weak attackers.
    fn add_zone(&self, search: &LambdaSearch, zone: &mut PointSet) {
        if self.is_gone(search) {
            return;
        }
        zone.add_set(&search.board.empty_of(&search.board.liberties(self.prey).with_neighbours()));
        for &attacker in search.chains_beside(self.prey, search.seeker).points() {
            search.add_weak_liberties(attacker, zone);
        }
    }

    /// The liberties and the points beside them; liberties of attackers that have two at most, and of the prey's stones beside
    /// those; liberties of weak friends that the prey could join.
    fn candidate_moves(&self, search: &LambdaSearch, order: u8) -> [PointSet; 2] {
        let (board, owner) = (&search.board, !search.seeker);
        let liberties = *board.liberties(self.prey);
        if liberties.len() > order as usize {
            // Whatever does not take a liberty leaves too many.
            return [liberties, PointSet::EMPTY];
        }
        let mut likely = liberties;
        let mut points = board.empty_of(&liberties.with_neighbours());
        for &attacker in search.chains_beside(self.prey, search.seeker).points() {
            if board.liberties_to(2, attacker) == 1 {
                likely.add_set(board.liberties(attacker));
            }
            if board.liberties_to(3, attacker) <= 2 {
                points.add_set(board.liberties(attacker));
                for &other in search.chains_beside(attacker, owner).points() {
                    if board.liberties_to(3, other) <= 2 {
                        points.add_set(board.liberties(other));
                    }
                }
            }
        }
        for liberty in liberties.iter() {
            for n in liberty.neighbours() {
                if board.color(n) == Some(owner) && board.liberties_to(4, n) <= 3 {
                    points.add_set(board.liberties(n));
                }
            }
        }
        [likely, points.difference(&likely)]
    }
}

impl CaptureGoal {
    /// The attacker's first move of a ladder of so many moves at most.
    pub(crate) fn find_ladder(
        &self,
        search: &mut LambdaSearch,
        zone: &mut PointSet,
        nodes: u32,
    ) -> Option<Point> {
        let end = search.nodes + nodes;
        self.read_ladder(search, zone, 0, end)
    }

    fn is_gone(&self, search: &LambdaSearch) -> bool {
        search.board.color(self.prey) != Some(!search.seeker)
    }

    /// Is the capture of the prey by the last move final? Not if the capturing stones are taken in turn (snapback), nor by
    /// ko, if the owner has threats.
    fn is_final(&self, search: &LambdaSearch, last: Point) -> bool {
        if search.by_ko {
            search.board.note_forbidden(!search.seeker);
            return search.ko != KoRight::Opponent;
        }
        search.board.liberties_to(2, last) > 1 || !search.board.is_legal(!search.seeker, self.prey)
    }

    /// The attacker's first move of a ladder that captures.
    fn read_ladder(
        &self,
        search: &mut LambdaSearch,
        zone: &mut PointSet,
        depth: usize,
        end: u32,
    ) -> Option<Point> {
        match search.board.liberties_to(3, self.prey) {
            1 => self.capturing_move(search, zone),
            2 if depth < LADDER_DEPTH && search.nodes < end => {
                for point in self.atari_points(search)? {
                    if !search.board.is_legal(search.seeker, point) {
                        continue;
                    }
                    let mut own = PointSet::from_point(point);
                    search.play(true, point);
                    let escapes = self.can_escape(search, &mut own, depth + 1, end);
                    search.board.undo();
                    if !escapes {
                        search.add_rescue_points(point, &mut own);
                        zone.add_set(&own);
                        return Some(point);
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// The two liberties, the one with more room first: it is what the prey would gain.
    fn atari_points(&self, search: &LambdaSearch) -> Option<[Point; 2]> {
        let mut points = search.board.liberties(self.prey).iter();
        let mut pair = [points.next()?, points.next()?];
        let room = |point: Point| {
            point.neighbours().into_iter().filter(|&n| search.board.cell(n) == Cell::Empty).count()
        };
        if room(pair[1]) > room(pair[0]) {
            pair.swap(0, 1);
        }
        Some(pair)
    }

    /// The last liberty, if the capture is final.
    fn capturing_move(&self, search: &mut LambdaSearch, zone: &mut PointSet) -> Option<Point> {
        let last = search.board.liberties(self.prey).first()?;
        if !search.board.is_legal(search.seeker, last) {
            return None;
        }
        if search.board.is_single(self.prey) {
            search.play(true, last);
            let is_final = self.is_final(search, last);
            search.add_weak_liberties(last, zone);
            search.board.undo();
            if !is_final {
                return None;
            }
        }
        self.add_zone(search, zone);
        Some(last)
    }

    /// Does the prey, in atari, get away from the ladder?
    fn can_escape(&self, search: &mut LambdaSearch, zone: &mut PointSet, depth: usize, end: u32) -> bool {
        self.add_zone(search, zone);
        let mut moves = *search.board.liberties(self.prey);
        // Besides running, the prey may take chains around it that are in atari themselves.
        for &attacker in search.chains_beside(self.prey, search.seeker).points() {
            if search.board.liberties_to(2, attacker) == 1 {
                moves.add_set(search.board.liberties(attacker));
            }
        }
        if self.is_recaptured(search, &mut moves) {
            return true;
        }
        for point in moves.iter() {
            if !search.board.is_legal(!search.seeker, point) {
                continue;
            }
            search.play(false, point);
            let escapes = search.board.liberties_to(3, self.prey) > 2
                || self.read_ladder(search, zone, depth + 1, end).is_none();
            search.board.undo();
            if escapes {
                return true;
            }
        }
        false
    }

    /// Would the capture of the prey, a stone in atari, not be final, by ko or snapback? If it would, adds the move that changes
    /// that: the other liberty of the stones that capture.
    fn is_recaptured(&self, search: &mut LambdaSearch, moves: &mut PointSet) -> bool {
        if !search.board.is_single(self.prey) {
            return false;
        }
        let liberty = search.board.liberties(self.prey).first();
        let Some(last) = liberty.filter(|&last| search.board.is_legal(search.seeker, last)) else {
            return false;
        };
        search.play(true, last);
        let is_final = self.is_final(search, last);
        if search.board.liberties_to(3, last) == 2 {
            moves.add_set(search.board.liberties(last));
            moves.remove(self.prey);
        }
        search.board.undo();
        !is_final
    }
}
