//! Cutting a pattern out of a position, around a move.
//!
//! Fotland (1993) found windows of 8x8 points too small for fights: chains leave them, and what decides them lies outside. Two things are
//! done about it. The window is moved so that as few as possible of the chains near the move leave it; and of those that do, as of all
//! chains near the move, the pattern claims what the window does not show: how many liberties they have, up to
//! [`FEW`], and what becomes of their group where that is known.

use ishi_go::{Board, Chain, Color, Point};

use super::diagram::{DiagramEdges, DiagramSquare, DiagramTurn, PatternDiagram, SIDE, frame_mask};
use super::index::BoardRows;
use super::pattern::{
    BilingualWords, ChainAttribute, ChainClaim, FateOracle, GroupFate, Pattern, PatternBranch,
};

/// Chains within so many lines of the move belong to the fight.
const NEAR: usize = 2;
/// From how many liberties on they are not told apart.
pub const FEW: u8 = 4;
/// A window need not be more than so many points from its middle to the move.
const OFF: usize = 2;
/// A window with fewer stones says next to nothing: it would match in every opening.
pub const FEWEST_STONES: usize = 3;

/// A window on a position.
#[derive(Clone, Debug)]
pub struct PatternCut {
    /// The pattern; Black is the side that moved.
    pub pattern: Pattern,
    /// Is the move in a fight: chains of both sides near it, one of them with few liberties?
    pub fight: bool,
    /// Stones in the window.
    pub stones: usize,
    /// Chains near the move.
    pub chains: usize,
    /// Those of them that have stones or liberties outside the window.
    pub leaving: usize,
    /// Those that would have in the window around the move that was not moved.
    pub leaving_unmoved: usize,
}

/// Why a window is of no use as a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UselessReason {
    /// It holds fewer than [`FEWEST_STONES`] stones.
    FewStones,
    /// No stone stands within two lines of the move.
    NothingNear,
}

impl PatternCut {
    /// Why it is of no use, if it is of none: there is too little to match.
    pub fn useless_reason(&self) -> Option<UselessReason> {
        if self.stones < FEWEST_STONES {
            Some(UselessReason::FewStones)
        } else if self.chains == 0 {
            Some(UselessReason::NothingNear)
        } else {
            None
        }
    }
}

/// Cuts 8x8 points (the board, if it is smaller) around a move that `color` is about to make.
///
/// Returns `None` if a stone stands there.
pub fn cut_pattern(
    board: &Board,
    color: Color,
    at: Point,
    name: &str,
    source: &str,
    fates: &impl FateOracle,
) -> Option<PatternCut> {
    if board.color(at).is_some() {
        return None;
    }
    let chains = chains_near(board, at);
    let unmoved = window_corners(board, at).min_by_key(|&corner| distance_off_centre(board, corner, at))?;
    let badness = |corner| (count_leaving(board, corner, &chains), distance_off_centre(board, corner, at));
    let corner = window_corners(board, at).min_by_key(|&corner| badness(corner))?;
    let pattern = build_pattern(board, color, at, corner, &chains, fates, name, source)?;
    let stones = (pattern.diagram.black | pattern.diagram.white).count_ones() as usize;
    Some(PatternCut {
        pattern,
        stones,
        fight: is_fight(board, &chains),
        chains: chains.len(),
        leaving: count_leaving(board, corner, &chains),
        leaving_unmoved: count_leaving(board, unmoved, &chains),
    })
}

/// The lower left point of a window.
type WindowCorner = (usize, usize);

/// Width and height of windows.
fn window_extent(board: &Board) -> (usize, usize) {
    (board.size().width().min(SIDE), board.size().height().min(SIDE))
}

/// Windows that have the move not far from their middle; all of them lie on the board.
fn window_corners(board: &Board, at: Point) -> impl Iterator<Item = WindowCorner> {
    let (width, height) = window_extent(board);
    let range = |at: usize, side: usize, all: usize| {
        let last = all - side;
        let from = at.saturating_sub(side / 2 + OFF);
        let to = at.saturating_sub((side.saturating_sub(1) / 2).saturating_sub(OFF));
        from.min(last)..=to.min(last)
    };
    let rows = range(at.row(), height, board.size().height());
    let columns = range(at.column(), width, board.size().width());
    let holds = move |&(column, row): &WindowCorner| {
        (column..column + width).contains(&at.column()) && (row..row + height).contains(&at.row())
    };
    rows.flat_map(move |row| columns.clone().map(move |column| (column, row))).filter(holds)
}

/// How far the move is from the middle, in half points, and then an order.
fn distance_off_centre(board: &Board, (column, row): WindowCorner, at: Point) -> (usize, WindowCorner) {
    let (width, height) = window_extent(board);
    let off = |at: usize, from: usize, side: usize| (2 * (at - from) + 1).abs_diff(side);
    (off(at.column(), column, width) + off(at.row(), row, height), (column, row))
}

fn chains_near(board: &Board, at: Point) -> Vec<Chain> {
    let points = board.size().points().filter(|point| point.lines_to(at) <= NEAR);
    let mut chains: Vec<Chain> = points.filter_map(|point| board.chain(point)).collect();
    chains.sort_unstable();
    chains.dedup();
    chains
}

fn is_fight(board: &Board, chains: &[Chain]) -> bool {
    let of = |color| move |chain: &&Chain| board.color(chain.head()) == Some(color);
    let few = |chain: &Chain| board.chain_liberties(*chain).len() < usize::from(FEW);
    Color::ALL.iter().all(|&color| chains.iter().any(|chain| of(color)(&chain))) && chains.iter().any(few)
}

/// Chains with stones outside the window, or with few liberties of which some lie outside.
fn count_leaving(board: &Board, corner: WindowCorner, chains: &[Chain]) -> usize {
    chains.iter().filter(|&&chain| leaves_window(board, corner, chain)).count()
}

fn leaves_window(board: &Board, (column, row): WindowCorner, chain: Chain) -> bool {
    let (width, height) = window_extent(board);
    let inside = |point: &Point| {
        (column..column + width).contains(&point.column()) && (row..row + height).contains(&point.row())
    };
    let liberties = board.chain_liberties(chain);
    let few = liberties.len() < usize::from(FEW);
    !board.chain_stones(chain).all(|stone| inside(&stone)) || few && !liberties.iter().all(inside)
}

#[allow(clippy::too_many_arguments)]
fn build_pattern(
    board: &Board,
    color: Color,
    at: Point,
    corner: WindowCorner,
    chains: &[Chain],
    fates: &impl FateOracle,
    name: &str,
    source: &str,
) -> Option<Pattern> {
    let (width, height) = window_extent(board);
    let (left, bottom) = corner;
    let [black, white, empty] = BoardRows::from_board(board)
        .window_at(left as i32, bottom as i32, height)
        .map(|bits| bits & frame_mask(width, height));
    let mut edges = DiagramEdges::NONE;
    let touched = [
        (bottom == 0, DiagramEdges::BOTTOM),
        (left == 0, DiagramEdges::LEFT),
        (bottom + height == board.size().height(), DiagramEdges::TOP),
        (left + width == board.size().width(), DiagramEdges::RIGHT),
    ];
    for (touches, edge) in touched {
        edges = if touches { edges.union(edge) } else { edges };
    }
    let as_seen = PatternDiagram { edges, width, height, black, white, empty };
    let as_seen = if color == Color::Black { as_seen } else { as_seen.with_colors_exchanged() };
    // The first symmetry that lays it as patterns are written. On a board of 8 lines and fewer there is none.
    let turn = DiagramTurn::ALL.into_iter().find(|turn| turn.map_edges(edges).is_plain())?;
    let place = |point: Point| {
        let inside = (left..left + width).contains(&point.column())
            && (bottom..bottom + height).contains(&point.row());
        let square = || {
            turn.map_square(DiagramSquare::new(point.column() - left, point.row() - bottom), width, height)
        };
        inside.then(square)
    };
    let mut attributes = Vec::new();
    for &chain in chains {
        attributes.extend(chain_attributes(board, corner, chain, fates, place));
    }
    attributes.sort_unstable();
    Some(Pattern {
        name: name.to_string(),
        source: source.to_string(),
        seen: 0,
        words: BilingualWords::default(),
        diagram: as_seen.turned_by(turn),
        attributes,
        moves: vec![PatternBranch::new(Color::Black, place(at)?)],
    })
}

/// What the window does not show of a chain.
fn chain_attributes(
    board: &Board,
    corner: WindowCorner,
    chain: Chain,
    fates: &impl FateOracle,
    place: impl Fn(Point) -> Option<DiagramSquare>,
) -> Vec<ChainAttribute> {
    let Some((at, stone)) = board.chain_stones(chain).filter_map(|s| Some((place(s)?, s))).min() else {
        return Vec::new();
    };
    let fate = fates.group_fate(board, stone).map(|fate| match fate {
        GroupFate::Alive => ChainClaim::Alive,
        GroupFate::Dead => ChainClaim::Dead,
    });
    let liberties = leaves_window(board, corner, chain).then(|| {
        let count = board.chain_liberties(chain).len();
        u8::try_from(count).ok().filter(|&n| n < FEW).map_or(ChainClaim::AtLeast(FEW), ChainClaim::Liberties)
    });
    liberties.into_iter().chain(fate).map(|claim| ChainAttribute { at, claim }).collect()
}
