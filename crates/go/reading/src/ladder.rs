//! Ladders (シチョウ): a chain is driven by ataris until it is captured or breaks out.
//!
//! The chain to be caught is the *prey*. Its owner, in atari, extends or captures one of the chains around it that is in
//! atari itself; with three liberties it has escaped. The other side plays one of the prey's two liberties. Nothing else is
//! tried: the answer "captured" is a proof that every defence by extending and capturing fails, but for threats
//! elsewhere; the answer "not captured" only says that a ladder does not do it. A stone that the ko rule
//! forbids to retake is not retaken, by either side.
//!
//! Both sides mostly have one move that can work, and then it is played on the same board; only where there are more is the
//! board copied. The boards are kept from call to call.

use ishi_go::{Board, Cell, Chain, Color, Move, Point};

use crate::liberties::{FewPoints, liberties_after};

/// Copies of the board that may be under way at once: choices that are still open.
const LEVELS: usize = 24;

/// Captures that are tried for one defence; with more to choose from, the prey is taken to escape.
const CAPTURES: usize = 8;

/// Reads ladders. Keeps its boards from call to call, so that it allocates only at first.
///
/// ```
/// use ishi_go::Diagram;
/// let diagram: Diagram = "
///     . . . . . . .
///     . . O X . . .
///     . O X . . . .
///     . . O . . . .
///     . . . . . . .
/// ".parse().unwrap();
/// let board = diagram.to_board().unwrap();
/// let prey = board.chain(board.size().parse_point("C3").unwrap()).unwrap();
/// let mut ladder = ishi_reading::Ladder::new(200);
/// assert!(!ladder.captures(&board, prey), "it joins the stone above");
/// ```
#[derive(Clone, Debug)]
pub struct Ladder {
    boards: Vec<Board>,
    limit: u32,
    nodes: u32,
}

impl Default for Ladder {
    /// A limit that a ladder across a 19x19 board keeps within.
    fn default() -> Self {
        Ladder::new(300)
    }
}

impl Ladder {
    /// A reader that gives up after `limit` moves of one call and then says "not captured". A ladder across a 19x19 board
    /// takes some 70 moves.
    pub fn new(limit: u32) -> Ladder {
        Ladder { boards: Vec::new(), limit, nodes: 0 }
    }

    /// Moves that the last call played.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Is a chain in atari lost in a ladder even when its owner moves now? False for a chain that is not in atari.
    pub fn captures(&mut self, board: &Board, chain: Chain) -> bool {
        board.atari_liberty(chain).is_some() && self.find_escape(board, chain).is_none()
    }

    /// A move by which the owner of a chain in atari keeps it from being caught in a ladder: a capture or an extension.
    /// None if there is no such move, or the chain is not in atari.
    pub fn find_escape(&mut self, board: &Board, chain: Chain) -> Option<Point> {
        self.nodes = 0;
        let last = board.atari_liberty(chain)?;
        let prey = chain.head();
        let color = board.color(prey)?;
        if may_play(board, color, last) && liberties_after::<3>(board, color, last).is_full() {
            return Some(last);
        }
        let defences = LadderDefences::for_prey(board, prey, color, last);
        if defences.points.is_empty() {
            return None;
        }
        if defences.overflow {
            return Some(defences.points.points()[0]);
        }
        self.load_board(board);
        self.defend_with(0, prey, color, defences.points.points())
    }

    /// A move by which the opponent of a chain with exactly two liberties catches it in a ladder; None if there is no such
    /// move, or the chain has not two liberties.
    pub fn find_attack(&mut self, board: &Board, chain: Chain) -> Option<Point> {
        self.nodes = 0;
        let (liberties, found) = board.first_liberties::<3>(chain);
        if found != 2 {
            return None;
        }
        let prey = chain.head();
        let color = board.color(prey)?;
        let (moves, count) = promising_ataris(board, color, [liberties[0], liberties[1]]);
        if count == 0 {
            return None;
        }
        self.load_board(board);
        self.attack_with(0, prey, color, &moves[..count])
    }

    /// Does the attacker's move at `point`, a liberty of a chain with two, catch that chain in a ladder?
    pub fn does_catch(&mut self, board: &Board, chain: Chain, point: Point) -> bool {
        self.nodes = 0;
        let (liberties, found) = board.first_liberties::<3>(chain);
        let prey = chain.head();
        let Some(color) = board.color(prey) else { return false };
        if found != 2 || !liberties[..2].contains(&point) {
            return false;
        }
        let (moves, count) = promising_ataris(board, color, [liberties[0], liberties[1]]);
        if !moves[..count].contains(&point) {
            return false;
        }
        self.load_board(board);
        self.attack_with(0, prey, color, &[point]).is_some()
    }

    fn load_board(&mut self, board: &Board) {
        if self.boards.is_empty() {
            // A board can be copied onto one of any size.
            self.boards.resize(LEVELS, Board::new(board.size()));
        }
        self.boards[0].copy_from(board);
    }

    /// Copies the board of a level to the next one; false if there is none.
    fn branch_board(&mut self, level: usize) -> bool {
        let (below, above) = self.boards.split_at_mut(level + 1);
        match above.first_mut() {
            Some(next) => {
                next.copy_from(&below[level]);
                true
            }
            None => false,
        }
    }

    /// The first of these moves of the prey's owner after which it is not caught.
    fn defend_with(&mut self, level: usize, prey: Point, color: Color, moves: &[Point]) -> Option<Point> {
        for (i, &point) in moves.iter().enumerate() {
            let here = if i + 1 == moves.len() {
                level
            } else if self.branch_board(level) {
                level + 1
            } else {
                return Some(point);
            };
            self.nodes += 1;
            self.boards[here].play_unchecked(color, Move::Play(point));
            if !self.is_caught_after_defence(here, prey, color) {
                return Some(point);
            }
        }
        None
    }

    /// The prey's owner has moved: does the ladder go on to its capture?
    fn is_caught_after_defence(&mut self, level: usize, prey: Point, color: Color) -> bool {
        if self.nodes >= self.limit {
            return false;
        }
        let board = &self.boards[level];
        let Some(chain) = board.chain(prey) else { return true };
        let (liberties, found) = board.first_liberties::<3>(chain);
        match found {
            0 => true,
            // Taken at once, unless the ko rule forbids it.
            1 => board.ko_point() != Some(liberties[0]),
            2 => {
                let (moves, count) = promising_ataris(board, color, [liberties[0], liberties[1]]);
                self.attack_with(level, prey, color, &moves[..count]).is_some()
            }
            _ => false,
        }
    }

    /// The first of these moves of the prey's opponent after which it is caught.
    fn attack_with(&mut self, level: usize, prey: Point, color: Color, moves: &[Point]) -> Option<Point> {
        for (i, &point) in moves.iter().enumerate() {
            let here = if i + 1 == moves.len() {
                level
            } else if self.branch_board(level) {
                level + 1
            } else {
                return None;
            };
            self.nodes += 1;
            self.boards[here].play_unchecked(!color, Move::Play(point));
            if self.is_caught_after_attack(here, prey, color) {
                return Some(point);
            }
        }
        None
    }

    /// The prey is in atari and its owner to move: is it lost?
    fn is_caught_after_attack(&mut self, level: usize, prey: Point, color: Color) -> bool {
        if self.nodes >= self.limit {
            return false;
        }
        let board = &self.boards[level];
        let Some(chain) = board.chain(prey) else { return true };
        let Some(last) = board.atari_liberty(chain) else { return false };
        let defences = LadderDefences::for_prey(board, prey, color, last);
        if defences.overflow {
            return false;
        }
        let (mut moves, count) = ([last; CAPTURES + 1], defences.points.len());
        moves[..count].copy_from_slice(defences.points.points());
        self.defend_with(level, prey, color, &moves[..count]).is_none()
    }
}

/// The moves that may save a chain in atari.
struct LadderDefences {
    points: FewPoints<{ CAPTURES + 1 }>,
    /// There are more than were counted.
    overflow: bool,
}

impl LadderDefences {
    /// Captures of chains around the prey that are in atari, then the extension to the last liberty, as far as they are legal.
    fn for_prey(board: &Board, prey: Point, color: Color, last: Point) -> LadderDefences {
        let mut points = FewPoints::new();
        let (enemy, ko) = (Cell::from(!color), board.ko_point());
        if let Some(chain) = board.chain(prey) {
            for stone in board.chain_stones(chain) {
                for n in stone.neighbours() {
                    if board.cell(n) == enemy
                        && let Some(liberty) = board.chain(n).and_then(|chain| board.atari_liberty(chain))
                        && ko != Some(liberty)
                    {
                        points.add_point(liberty);
                    }
                }
            }
        }
        let overflow = points.is_full();
        if may_play(board, color, last) {
            points.add_point(last);
        }
        LadderDefences { points, overflow }
    }
}

/// May this colour play on this empty point? The ko ban binds only who would retake: whose stones stand around the
/// point may fill it.
fn may_play(board: &Board, color: Color, point: Point) -> bool {
    let filling = || point.neighbours().into_iter().any(|n| board.cell(n) == Cell::from(color));
    !board.is_suicide(color, point) && (board.ko_point() != Some(point) || filling())
}

/// The liberties at which an attacker may put a chain into atari with hope, the better one first: not where that is
/// illegal, nor where the chain's extension at the other liberty gives it three liberties at once.
fn promising_ataris(board: &Board, prey: Color, [a, b]: [Point; 2]) -> ([Point; 2], usize) {
    let room =
        |point: Point| point.neighbours().into_iter().filter(|&n| board.cell(n) == Cell::Empty).count();
    let (room_a, room_b) = (room(a), room(b));
    // The larger room is blocked first: it is what the prey would gain.
    let order =
        if room_a >= room_b { [(a, b, room_b), (b, a, room_a)] } else { [(b, a, room_a), (a, b, room_b)] };
    let (mut moves, mut count) = ([a; 2], 0);
    for (point, other, room) in order {
        let touching = usize::from(point.neighbours().contains(&other));
        if room - touching < 3 && may_play(board, !prey, point) {
            moves[count] = point;
            count += 1;
        }
    }
    (moves, count)
}
