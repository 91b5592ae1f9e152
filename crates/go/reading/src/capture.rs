//! Can a chain be captured? Can it be saved?
//!
//! The chain in question is the *prey*. Up to order 1 a capture is a ladder, read here; [`crate::lambda`] does the rest. A prey with
//! six liberties is not read.

use ishi_go::{Board, Cell, Color, Move, Point};

use crate::lambda::{Answer, Effort, Goal, Ko, Outcome, Search};
use crate::point_set::PointSet;
use crate::watched::Seen;

/// How a chain stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It cannot be captured, as far as was read.
    Safe,
    /// Who moves first decides: the attacker by `attack`, the owner by `defence`; or there is a ko.
    InDanger {
        /// If the opponent moves first: not [`Outcome::Fails`].
        attack: Answer,
        /// If the owner moves first.
        defence: Answer,
    },
    /// It is captured even if its owner moves first; `attack` is how, should the opponent need to.
    Captured {
        /// If the opponent moves first.
        attack: Answer,
    },
}

/// Most moves of a [`Reader::sequence`].
const SEQUENCE: usize = 60;
/// Deepest ladder.
const LADDER_DEPTH: usize = 120;
/// Most moves of a ladder.
pub(crate) const LADDER_NODES: u32 = 200;

/// Reads captures and connections. Keeps its board and its memory from call to call; answers do not depend on earlier calls.
///
/// ```
/// use ishi_go::Diagram;
/// use ishi_reading::{Outcome, Reader};
/// let diagram: Diagram = "
///     . . . . . .
///     . O O . . .
///     O X X . . .
///     . O O . . .
///     . . . . . .
/// ".parse().unwrap();
/// let board = diagram.board().unwrap();
/// let prey = board.size().parse_point("C3").unwrap();
/// let answer = Reader::default().attack(&board, prey);
/// assert_eq!((answer.outcome, answer.mv), (Outcome::Works, board.size().parse_point("D3").ok()));
/// ```
#[derive(Clone, Debug)]
pub struct Reader {
    pub(crate) search: Search,
    /// Steps of detour, each way, within which the connection of two stones is read.
    pub(crate) near: Option<usize>,
}

impl Default for Reader {
    fn default() -> Self {
        Reader::new(Effort::default())
    }
}

impl Reader {
    /// A reader that reads so much.
    pub fn new(effort: Effort) -> Reader {
        Reader { search: Search::new(effort), near: None }
    }

    /// The same, noting what its answers depend on; see [`Reader::take_seen`]. It reads a little slower.
    pub fn watched(mut self) -> Reader {
        self.search.board.watch();
        self
    }

    /// What the answers since the last call of this depended on, for a reader that notes it ([`Reader::watched`]). On any board that
    /// has the same there, the answers are the same.
    pub fn take_seen(&mut self) -> Seen {
        self.search.board.take_seen()
    }

    /// The same, reading connections only on the points that a path between the two stones passes with so many steps of detour each way:
    /// paths beyond do not connect. It is faster, and answers depend on less.
    pub fn near(self, steps: usize) -> Reader {
        Reader { near: Some(steps), ..self }
    }

    /// Can the chain of the stone be captured if its opponent moves first?
    pub fn attack(&mut self, board: &Board, stone: Point) -> Answer {
        self.capture(board, stone, true)
    }

    /// Can the chain of the stone be saved if its owner moves first? Chains that nobody can capture are saved by any move.
    pub fn defend(&mut self, board: &Board, stone: Point) -> Answer {
        self.capture(board, stone, false)
    }

    /// How the chain of the stone stands.
    pub fn status(&mut self, board: &Board, stone: Point) -> Status {
        let attack = self.attack(board, stone);
        if attack.outcome == Outcome::Fails {
            return Status::Safe;
        }
        let defence = self.defend(board, stone);
        match (attack.outcome, defence.outcome) {
            (Outcome::Works, Outcome::Fails) => Status::Captured { attack },
            _ => Status::InDanger { attack, defence },
        }
    }

    /// The moves by which the chain of the stone is captured, or saved, if both sides play as they were read; the opponent moves
    /// first, or the owner. What is lost resists where it takes longest to read. It ends when the chain is gone or safe, or when it
    /// cannot even gain a liberty.
    pub fn sequence(&mut self, board: &Board, stone: Point, attacking: bool) -> Vec<(Color, Point)> {
        let (mut board, mut moves, mut attacking) = (board.clone(), Vec::new(), attacking);
        let Some(owner) = board.color(stone) else { return moves };
        while board.color(stone) == Some(owner) && moves.len() < SEQUENCE {
            let answer = self.capture(&board, stone, attacking);
            let color = if attacking { !owner } else { owner };
            let mv = match answer.outcome {
                Outcome::Fails if attacking => break,
                Outcome::Fails => self.resistance(&board, stone),
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
    fn resistance(&mut self, board: &Board, stone: Point) -> Option<Point> {
        let (owner, chain) = (board.color(stone)?, board.chain(stone)?);
        let mut moves: PointSet = board.chain_liberties(chain).into_iter().collect();
        for next in board.chain_stones(chain).flat_map(Point::neighbours) {
            if board.color(next) == Some(!owner)
                && let Some(last) = board.chain(next).and_then(|attacker| board.atari(attacker))
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

    fn capture(&mut self, board: &Board, prey: Point, attacking: bool) -> Answer {
        let Some(owner) = board.color(prey) else { return Answer::at_once(Outcome::Fails) };
        let mut ask = |board: &Board| self.search.ask(board, !owner, &Capture { prey }, attacking);
        match without_ban(board, prey) {
            None => ask(board),
            Some(free) => after_ban(attacking, |is_free| ask(if is_free { &free } else { board })),
        }
    }
}

/// Where the ban of ko alone keeps the chain of a stone from being taken: the board without it, as it is after a threat.
pub(crate) fn without_ban(board: &Board, stone: Point) -> Option<Board> {
    let ko = board.ko()?;
    (board.atari(board.chain(stone)?)? == ko).then(|| {
        let mut free = board.clone();
        free.set_ko(None);
        free
    })
}

/// The answer about a chain that a ban protects: its owner's move ends the ban, and its opponent needs a threat first.
///
/// `ask` asks with the ban, or without.
pub(crate) fn after_ban(attacking: bool, mut ask: impl FnMut(bool) -> Answer) -> Answer {
    if !attacking {
        return ask(true);
    }
    let (now, later) = (ask(false), ask(true));
    if now.outcome != Outcome::Fails || later.outcome == Outcome::Fails {
        return now;
    }
    Answer { outcome: Outcome::KoSecond, mv: later.mv, nodes: now.nodes + later.nodes }
}

/// The chain of this stone is to be taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capture {
    pub(crate) prey: Point,
}

impl Goal for Capture {
    const BASE: u8 = 1;

    fn is_reached(&self, search: &Search, last: Point) -> Option<bool> {
        self.is_gone(search).then(|| self.is_final(search, last))
    }

    fn distance(&self, search: &Search, most: usize) -> usize {
        search.board.liberties_to(most + 1, self.prey)
    }

    fn base(&self, search: &mut Search, zone: &mut PointSet) -> Option<Point> {
        self.by_ladder(search, zone, LADDER_NODES)
    }

    /// The prey's liberties, the points beside them, and the liberties of weak attackers.
    fn add_zone(&self, search: &Search, zone: &mut PointSet) {
        if self.is_gone(search) {
            return;
        }
        zone.add(&search.board.empty_of(&search.board.liberties(self.prey).grown()));
        for &attacker in search.beside(self.prey, search.seeker).points() {
            search.add_weak(attacker, zone);
        }
    }

    /// The liberties and the points beside them; liberties of attackers that have two at most, and of the prey's stones beside
    /// those; liberties of weak friends that the prey could join.
    fn moves(&self, search: &Search, order: u8) -> [PointSet; 2] {
        let (board, owner) = (&search.board, !search.seeker);
        let liberties = *board.liberties(self.prey);
        if liberties.len() > order as usize {
            // Whatever does not take a liberty leaves too many.
            return [liberties, PointSet::EMPTY];
        }
        let mut likely = liberties;
        let mut points = board.empty_of(&liberties.grown());
        for &attacker in search.beside(self.prey, search.seeker).points() {
            if board.liberties_to(2, attacker) == 1 {
                likely.add(board.liberties(attacker));
            }
            if board.liberties_to(3, attacker) <= 2 {
                points.add(board.liberties(attacker));
                for &other in search.beside(attacker, owner).points() {
                    if board.liberties_to(3, other) <= 2 {
                        points.add(board.liberties(other));
                    }
                }
            }
        }
        for liberty in liberties.iter() {
            for n in liberty.neighbours() {
                if board.color(n) == Some(owner) && board.liberties_to(4, n) <= 3 {
                    points.add(board.liberties(n));
                }
            }
        }
        [likely, points.without(&likely)]
    }
}

impl Capture {
    /// The attacker's first move of a ladder of so many moves at most.
    pub(crate) fn by_ladder(&self, search: &mut Search, zone: &mut PointSet, nodes: u32) -> Option<Point> {
        let end = search.nodes + nodes;
        self.ladder(search, zone, 0, end)
    }

    fn is_gone(&self, search: &Search) -> bool {
        search.board.color(self.prey) != Some(!search.seeker)
    }

    /// Is the capture of the prey by the last move final? Not if the capturing stones are taken in turn (snapback), nor by
    /// ko, if the owner has threats.
    fn is_final(&self, search: &Search, last: Point) -> bool {
        if search.by_ko {
            return search.ko != Ko::Opponent;
        }
        search.board.liberties_to(2, last) > 1 || !search.board.is_legal(!search.seeker, self.prey)
    }

    /// The attacker's first move of a ladder that captures.
    fn ladder(&self, search: &mut Search, zone: &mut PointSet, depth: usize, end: u32) -> Option<Point> {
        match search.board.liberties_to(3, self.prey) {
            1 => self.take(search, zone),
            2 if depth < LADDER_DEPTH && search.nodes < end => {
                for point in self.ataris(search)? {
                    if !search.board.is_legal(search.seeker, point) {
                        continue;
                    }
                    let mut own = PointSet::of(point);
                    search.play(true, point);
                    let escapes = self.escapes(search, &mut own, depth + 1, end);
                    search.board.undo();
                    if !escapes {
                        search.add_captured(point, &mut own);
                        zone.add(&own);
                        return Some(point);
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// The two liberties, the one with more room first: it is what the prey would gain.
    fn ataris(&self, search: &Search) -> Option<[Point; 2]> {
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
    fn take(&self, search: &mut Search, zone: &mut PointSet) -> Option<Point> {
        let last = search.board.liberties(self.prey).first()?;
        if !search.board.is_legal(search.seeker, last) {
            return None;
        }
        if search.board.is_single(self.prey) {
            search.play(true, last);
            let is_final = self.is_final(search, last);
            search.add_weak(last, zone);
            search.board.undo();
            if !is_final {
                return None;
            }
        }
        self.add_zone(search, zone);
        Some(last)
    }

    /// Does the prey, in atari, get away from the ladder?
    fn escapes(&self, search: &mut Search, zone: &mut PointSet, depth: usize, end: u32) -> bool {
        self.add_zone(search, zone);
        let mut moves = *search.board.liberties(self.prey);
        for &attacker in search.beside(self.prey, search.seeker).points() {
            if search.board.liberties_to(2, attacker) == 1 {
                moves.add(search.board.liberties(attacker));
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
                || self.ladder(search, zone, depth + 1, end).is_none();
            search.board.undo();
            if escapes {
                return true;
            }
        }
        false
    }

    /// Would the capture of the prey, a stone in atari, not be final, by ko or snapback? If it would, adds the move that changes
    /// that: the other liberty of the stones that capture.
    fn is_recaptured(&self, search: &mut Search, moves: &mut PointSet) -> bool {
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
            moves.add(search.board.liberties(last));
            moves.remove(self.prey);
        }
        search.board.undo();
        !is_final
    }
}
