//! Answers to the last move: captures, escapes from atari, chains short of liberties, shapes.
//!
//! Each part looks at the last move's surroundings only and fills a list of points; the playout takes one of them at random.
//! The order of the parts is that of MoGo (Gelly and others 2006); chains with two liberties are in the manner of Pachi
//! (Baudis and Gailly, "Pachi: state of the art open source Go program", ACG 13, 2011, section 4).

use ishi_go::{Board, Cell, Chain, Color, Point};
use ishi_reading::{Ladder, liberties_after};

use super::shapes::ShapeTable;

/// Points proposed by a part, few.
#[derive(Clone, Debug)]
pub(crate) struct MoveProposals {
    points: [Point; MoveProposals::MOST],
    count: usize,
}

impl MoveProposals {
    const MOST: usize = 32;

    pub(crate) fn new() -> MoveProposals {
        MoveProposals { points: [Point::from_index(0); MoveProposals::MOST], count: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a point, if there is room and it is not there already.
    #[inline]
    pub(crate) fn add_point(&mut self, point: Point) {
        if self.count < MoveProposals::MOST && !self.as_slice().contains(&point) {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[Point] {
        &self.points[..self.count]
    }
}

/// Captures and escapes around the last move, which `color` answers. With a reader of ladders, nobody runs who is caught.
pub(crate) fn propose_atari_answers(
    board: &Board,
    color: Color,
    last: Point,
    mut ladder: Option<&mut Ladder>,
    found: &mut MoveProposals,
) {
    if let Some(chain) = board.chain(last) {
        propose_capture(board, color, chain, found);
    }
    for_each_neighbour_chain(board, last, color, |chain| {
        if let Some(liberty) = board.atari_liberty(chain) {
            propose_counter_captures(board, color, chain, found);
            if gains_by_running(board, color, chain, liberty, ladder.as_deref_mut()) {
                found.add_point(liberty);
            }
        }
    });
}

/// The point that captures the chain, if it is in atari and the point may be played.
#[inline]
pub(crate) fn propose_capture(board: &Board, color: Color, chain: Chain, found: &mut MoveProposals) {
    if let Some(liberty) = board.atari_liberty(chain)
        && board.is_legal(color, liberty)
    {
        found.add_point(liberty);
    }
}

/// Does a chain of `color` gain by running to its last liberty? It must have two after that, and if it has no more, it must
/// not be caught in a ladder.
#[inline]
fn gains_by_running(
    board: &Board,
    color: Color,
    chain: Chain,
    liberty: Point,
    ladder: Option<&mut Ladder>,
) -> bool {
    if !board.is_legal(color, liberty) || board.self_atari_size(color, liberty) > 0 {
        return false;
    }
    match ladder {
        Some(ladder) if liberties_after::<3>(board, color, liberty).len() <= 2 => {
            !ladder.captures(board, chain)
        }
        _ => true,
    }
}

/// Captures of enemy chains in atari beside the chain.
fn propose_counter_captures(board: &Board, color: Color, chain: Chain, found: &mut MoveProposals) {
    let enemy = Cell::from(!color);
    let mut last_head = None;
    for stone in board.chain_stones(chain) {
        if board.neighbourhood(stone).0 & 0xff == 0 {
            continue;
        }
        for n in stone.neighbours() {
            if board.cell(n) == enemy {
                let attacker = board.chain(n);
                if attacker != last_head {
                    last_head = attacker;
                    if let Some(attacker) = attacker {
                        propose_capture(board, color, attacker, found);
                    }
                }
            }
        }
    }
}

/// Chains with two liberties: `color` lengthens its own beside the last move, and shortens the last move's.
pub(crate) fn propose_two_liberty_answers(
    board: &Board,
    color: Color,
    last: Point,
    found: &mut MoveProposals,
) {
    for_each_neighbour_chain(board, last, color, |chain| propose_lengthening(board, color, chain, found));
    if let Some(chain) = board.chain(last) {
        propose_shortening(board, color, chain, found);
    }
}

/// The two liberties of a chain that has no more. Most chains have, and most of those are told by their pseudo-liberties.
#[inline]
fn two_liberties(board: &Board, chain: Chain) -> Option<[Point; 2]> {
    let pairs = board.pseudo_liberties(chain);
    if pairs > 8 || board.chain_length(chain) <= 2 && pairs != 2 {
        return None;
    }
    let ([a, b, _], count) = board.first_liberties::<3>(chain);
    (count == 2).then_some([a, b])
}

/// Moves that give an own chain of two liberties three or more.
fn propose_lengthening(board: &Board, color: Color, chain: Chain, found: &mut MoveProposals) {
    let Some(liberties) = two_liberties(board, chain) else { return };
    propose_counter_captures(board, color, chain, found);
    for liberty in liberties {
        if liberties_after::<3>(board, color, liberty).len() >= 3 && board.is_legal(color, liberty) {
            found.add_point(liberty);
        }
    }
}

/// Moves that put an enemy chain of two liberties into an atari from which it gains little by running.
fn propose_shortening(board: &Board, color: Color, chain: Chain, found: &mut MoveProposals) {
    let Some(liberties) = two_liberties(board, chain) else { return };
    for (mine, theirs) in [(liberties[0], liberties[1]), (liberties[1], liberties[0])] {
        // Its run takes one liberty more if my stone stands beside it: a cautious count.
        if liberties_after::<3>(board, !color, theirs).len() <= 2
            && board.is_legal(color, mine)
            && board.self_atari_size(color, mine) == 0
        {
            found.add_point(mine);
        }
    }
}

/// Points around the last move that complete a good shape and are no self-atari.
pub(crate) fn propose_shape_answers(
    board: &Board,
    shapes: &ShapeTable,
    color: Color,
    last: Point,
    found: &mut MoveProposals,
) {
    for point in last.neighbours().into_iter().chain(last.diagonals()) {
        if board.cell(point) == Cell::Empty
            && shapes.has_shape(color, board.neighbourhood(point))
            && board.is_legal(color, point)
            && board.self_atari_size(color, point) == 0
        {
            found.add_point(point);
        }
    }
}

/// Calls `action` with each chain of `color` beside the point, once.
#[inline]
fn for_each_neighbour_chain(board: &Board, point: Point, color: Color, mut action: impl FnMut(Chain)) {
    let own = Cell::from(color);
    let mut seen = [None; 4];
    for (side, n) in point.neighbours().into_iter().enumerate() {
        if board.cell(n) == own {
            let chain = board.chain(n);
            if !seen.contains(&chain) {
                seen[side] = chain;
                chain.into_iter().for_each(&mut action);
            }
        }
    }
}
