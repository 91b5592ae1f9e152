//! The most chains on boards whose lines are closed to rings: cylinders and tori.
//!
//! Take any position in which every chain has a liberty, and in every chain a stone with a liberty. Without the other
//! stones there are as many chains as before, every one a single stone with a liberty. So some best position has only
//! single stones, and is just this: a set of empty points that **dominates** the board, and whose other points can be
//! **coloured with two colours** so that neighbours differ.
//!
//! On the plane, and where all rings have an even number of points, the points alternate like a chess board and any set
//! can be coloured: this is theorem 1 of Miyashiro, Yano and Muramatsu, and the number of chains is the number of points
//! less the domination number. A ring of odd length cannot alternate all around. There the empty points must also break
//! every ring of stones of odd length, and the domination number gives only an upper bound. The sweep then keeps for
//! every stone on the frontier a spin: whether its colour is the one of the chess board. Neighbours have the same spin,
//! except across the seam where a ring of odd length closes.
//!
//! Rings of fewer than three points are refused: on a ring of two the neighbour on the left is the one on the right, and
//! on a ring of one a point would be its own neighbour.

use thiserror::Error;

use super::graph::{Graph, Wrap, cell_neighbours};
use super::sweep::{SweepError, SweepOptions, SweepProblem};
use super::symmetry::{RectangleSymmetry, quotient_problem};
use super::values::Witness;
use crate::board::{Board, Cell};
use crate::layers::LayerObserver;

/// Most points of a board.
pub const MOST_CELLS: usize = 2048;

/// Why a board is not solved.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WrappedError {
    /// A ring of fewer than three points.
    #[error(
        "a ring of {length} points: a line that wraps needs at least 3, so that its neighbours on both sides differ"
    )]
    Ring {
        /// Its points.
        length: usize,
    },
    /// No points, or too many.
    #[error("a board with wraps must have 1 to {MOST_CELLS} points, not {width}x{height}")]
    Size {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// The sweep failed.
    #[error(transparent)]
    Sweep(#[from] SweepError),
}

/// A board with the most chains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrappedSolution {
    /// Chains: the stones, every one a chain of its own.
    pub strings: usize,
    /// Empty points.
    pub empties: usize,
    /// Such a board.
    pub board: Board,
}

/// The most chains on a board of `width` columns and `height` rows. On a [`Wrap::Cylinder`] the rows are rings of `width`
/// points, on a [`Wrap::Torus`] the columns are rings as well.
///
/// # Errors
/// Rings of fewer than 3 points, boards without points or with more than [`MOST_CELLS`], and what a sweep can meet:
/// too long a frontier, more states than the options allow, the observer's wish.
pub fn solve_wrapped(
    width: usize,
    height: usize,
    wrap: Wrap,
    options: SweepOptions,
    observe: LayerObserver<'_>,
) -> Result<WrappedSolution, WrappedError> {
    check_wrap(width, height, wrap)?;
    let (problem, cells) =
        wrapped_problem(width, height, wrap, needs_spins(width, height, wrap), options.threads)?;
    let empty = match width * height {
        0..=128 => find_empties::<2>(&problem, &cells, options, observe)?,
        129..=512 => find_empties::<8>(&problem, &cells, options, observe)?,
        _ => find_empties::<{ MOST_CELLS / 64 }>(&problem, &cells, options, observe)?,
    };
    let board = colour_stones(width, height, wrap, &empty);
    let empties = board.empty_count();
    Ok(WrappedSolution { strings: width * height - empties, empties, board })
}

/// Bytes of a state of [`solve_wrapped`] on a board of so many cells: its key, its loss, and the points that it has chosen.
pub(crate) fn bytes_of_state(cells: usize) -> usize {
    let words = match cells {
        0..=128 => 2,
        129..=512 => 8,
        _ => MOST_CELLS / 64,
    };
    32 + 8 * words
}

/// The domination number of a board: what [`solve_wrapped`] finds where all rings are even, and a lower bound on its empty
/// points elsewhere.
///
/// # Errors
/// Those of [`solve_wrapped`].
pub fn domination_number(
    width: usize,
    height: usize,
    wrap: Wrap,
    options: SweepOptions,
    observe: LayerObserver<'_>,
) -> Result<usize, WrappedError> {
    check_wrap(width, height, wrap)?;
    let (problem, _) = wrapped_problem(width, height, wrap, false, options.threads)?;
    let (size, ()) = problem.smallest_sets(&super::values::LeastLoss, options, observe)?;
    Ok(size as usize)
}

fn check_wrap(width: usize, height: usize, wrap: Wrap) -> Result<(), WrappedError> {
    let rings = match wrap {
        Wrap::Plane => vec![],
        Wrap::Cylinder => vec![width],
        Wrap::Torus => vec![width, height],
    };
    if width == 0 || height == 0 || width.saturating_mul(height) > MOST_CELLS {
        return Err(WrappedError::Size { width, height });
    }
    match rings.into_iter().find(|&length| length < 3) {
        Some(length) => Err(WrappedError::Ring { length }),
        None => Ok(()),
    }
}

/// Is there a ring of odd length?
fn needs_spins(width: usize, height: usize, wrap: Wrap) -> bool {
    match wrap {
        Wrap::Plane => false,
        Wrap::Cylinder => !width.is_multiple_of(2),
        Wrap::Torus => !width.is_multiple_of(2) || !height.is_multiple_of(2),
    }
}

/// Points on the frontier that share a region.
const BAND: usize = 10;

/// The sweep, and the cell of every vertex; where the lines close to a ring, turned to the best place to start at.
fn wrapped_problem(
    width: usize,
    height: usize,
    wrap: Wrap,
    spins: bool,
    threads: usize,
) -> Result<(SweepProblem, Vec<usize>), SweepError> {
    let (problem, cells) = unturned_problem(width, height, wrap, spins, threads)?;
    let (_, lines, closed) = sweep_lines(width, height, wrap);
    Ok((if closed { problem.with_turns(lines, wrap == Wrap::Torus) } else { problem }, cells))
}

/// How a board with wraps is swept, so that the frontier is short: line by line downwards (or else to the right), the
/// number of lines, and whether the last one is next to the first, so that the first one stays on the frontier.
fn sweep_lines(width: usize, height: usize, wrap: Wrap) -> (bool, usize, bool) {
    match wrap {
        Wrap::Plane => (true, height, false),
        Wrap::Cylinder if width <= 2 * height => (true, height, false),
        Wrap::Cylinder => (false, width, true),
        Wrap::Torus if width <= height => (true, height, true),
        Wrap::Torus => (false, width, true),
    }
}

/// The sweep that finds all sets.
pub(super) fn unturned_problem(
    width: usize,
    height: usize,
    wrap: Wrap,
    spins: bool,
    threads: usize,
) -> Result<(SweepProblem, Vec<usize>), SweepError> {
    let mut cells: Vec<usize> = (0..width * height).collect();
    if wrap == Wrap::Plane {
        cells.sort_by_key(|&cell| (cell % width + cell / width, cell % width));
        return Ok((quotient_problem(width, height, RectangleSymmetry::Identity, threads)?, cells));
    }
    let (down, lines, closed) = sweep_lines(width, height, wrap);
    let length = width * height / lines;
    let bands = (length * if closed { 2 } else { 1 }).div_ceil(BAND);
    let band = length.div_ceil(bands);
    let place = |cell: usize| {
        let (x, y) = (cell % width, cell / width);
        if down { (y, x) } else { (x, y) }
    };
    let mut order = cells.clone();
    order.sort_by_key(|&cell| place(cell));
    let regions: Vec<Option<usize>> = cells.iter().map(|&cell| Some(place(cell).1 / band)).collect();
    let graph = Graph::for_board(width, height, wrap);
    Ok((SweepProblem::new(&graph, &order, &regions, spins, threads)?, cells))
}

/// The empty points of a best board, cell by cell.
fn find_empties<const WORDS: usize>(
    problem: &SweepProblem,
    cells: &[usize],
    options: SweepOptions,
    observe: LayerObserver<'_>,
) -> Result<Vec<bool>, SweepError> {
    let (_, chosen) = problem.smallest_sets(&Witness::<WORDS>, options, observe)?;
    let mut empty = vec![false; cells.len()];
    for (vertex, &cell) in cells.iter().enumerate() {
        empty[cell] = chosen.contains(vertex);
    }
    Ok(empty)
}

/// Colours the points that are not empty so that neighbours differ; in every connected part the first point has the
/// colour of the chess board.
fn colour_stones(width: usize, height: usize, wrap: Wrap, empty: &[bool]) -> Board {
    let mut colours: Vec<Option<Cell>> = empty.iter().map(|&empty| empty.then_some(Cell::Empty)).collect();
    for first in 0..empty.len() {
        if colours[first].is_some() {
            continue;
        }
        colours[first] = Some(Cell::alternating_stone(first % width, first / width));
        let mut open = vec![first];
        while let Some(cell) = open.pop() {
            let other = if colours[cell] == Some(Cell::White) { Cell::Black } else { Cell::White };
            for (next, _) in cell_neighbours(cell, width, height, wrap) {
                if colours[next].is_none() {
                    colours[next] = Some(other);
                    open.push(next);
                }
            }
        }
    }
    let mut board = Board::new(width, height);
    for (cell, colour) in colours.into_iter().enumerate() {
        board.set(cell % width, cell / width, colour.unwrap_or_default());
    }
    board
}
