//! Smallest dominating sets of a board up to its symmetries, by Burnside's lemma.
//!
//! A set that a symmetry leaves alone is a set of whole orbits: a dominating set of the quotient, whose vertices weigh as
//! many cells as the orbit has. The number of classes is the mean of the numbers of sets that the symmetries leave alone:
//! over the 8 symmetries of a square, or the 4 of any other rectangle.
//!
//! What is counted here are sets of empty points. On the boards of theorem 1 the stones' colours follow from the point
//! (White on even points), and on boards with an even side some symmetries swap the two colours everywhere. Two boards
//! are the same here when their sets of empty points are.

use std::ops::ControlFlow;

use num_bigint::BigUint;
use thiserror::Error;

use super::graph::{Graph, Wrap};
use super::sweep::{KeepWays, SweepError, SweepOptions, SweepProblem};
use super::values::{BigCount, SmallCount, WayValues};
use crate::layers::{LayerObserver, LayerStep};

/// A symmetry of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RectangleSymmetry {
    /// Everything stays.
    Identity,
    /// Left and right change places.
    Columns,
    /// Top and bottom change places.
    Rows,
    /// Half a turn.
    HalfTurn,
    /// A quarter of a turn; a square has two of them, there and back.
    QuarterTurn,
    /// Rows become columns (squares); there are two of them, one for each long diagonal.
    Diagonal,
}

impl RectangleSymmetry {
    /// The symmetries of a board, each with how many of its kind there are: 8 in all for a square, else 4. A square's
    /// `Rows` are counted with its `Columns`.
    #[must_use]
    pub fn all_for_board(width: usize, height: usize) -> Vec<(RectangleSymmetry, u32)> {
        use RectangleSymmetry::{Columns, Diagonal, HalfTurn, Identity, QuarterTurn, Rows};
        if width == height {
            vec![(Identity, 1), (Columns, 2), (HalfTurn, 1), (QuarterTurn, 2), (Diagonal, 2)]
        } else {
            vec![(Identity, 1), (Columns, 1), (Rows, 1), (HalfTurn, 1)]
        }
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RectangleSymmetry::Identity => "identity",
            RectangleSymmetry::Columns => "left and right swapped",
            RectangleSymmetry::Rows => "top and bottom swapped",
            RectangleSymmetry::HalfTurn => "half turn",
            RectangleSymmetry::QuarterTurn => "quarter turn",
            RectangleSymmetry::Diagonal => "diagonal reflection",
        }
    }

    /// Where a point goes; quarter turns and diagonal reflections are meant for squares.
    fn point_image(self, x: usize, y: usize, width: usize, height: usize) -> (usize, usize) {
        match self {
            RectangleSymmetry::Identity => (x, y),
            RectangleSymmetry::Columns => (width - 1 - x, y),
            RectangleSymmetry::Rows => (x, height - 1 - y),
            RectangleSymmetry::HalfTurn => (width - 1 - x, height - 1 - y),
            RectangleSymmetry::QuarterTurn => (height - 1 - y, x),
            RectangleSymmetry::Diagonal => (y, x),
        }
    }

    /// The point of an orbit that stands for it: nearest to the top left corner along the diagonal, then leftmost.
    fn orbit_representative(self, x: usize, y: usize, width: usize, height: usize) -> (usize, usize) {
        let mut best = (x, y);
        let mut next = self.point_image(x, y, width, height);
        while next != (x, y) {
            if (next.0 + next.1, next.0) < (best.0 + best.1, best.0) {
                best = next;
            }
            next = self.point_image(next.0, next.1, width, height);
        }
        best
    }
}

/// Why sets are not counted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SymmetryError {
    /// A board without points.
    #[error("a board must have at least one column and one row, not {width}x{height}")]
    NoBoard {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A smaller dominating set exists than the caller says.
    #[error("the smallest dominating sets have {found} cells, not {given}")]
    Smaller {
        /// A size that occurs.
        found: u32,
        /// The size given.
        given: u32,
    },
    /// The numbers of sets do not add up to whole classes: the total given is not the right one.
    #[error("the sets left alone by the symmetries add up to {sum}, which {symmetries} does not divide")]
    Remainder {
        /// Their sum.
        sum: BigUint,
        /// Number of symmetries.
        symmetries: u32,
    },
    /// A sweep failed.
    #[error("{}: {error}", symmetry.name())]
    Sweep {
        /// The symmetry of the quotient.
        symmetry: RectangleSymmetry,
        /// How.
        error: SweepError,
    },
}

/// Smallest dominating sets, up to symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymmetryOrbits {
    /// Every kind of symmetry, how many of the kind there are, and how many sets each of them leaves alone.
    pub fixed: Vec<(RectangleSymmetry, u32, BigUint)>,
    /// Classes of sets.
    pub classes: BigUint,
}

/// The number of classes of smallest dominating sets of a board up to its symmetries. `size` is their size and `total`
/// their number; where `total` is not given, it is counted here too (which suits small boards).
///
/// # Errors
/// See [`SymmetryError`].
pub fn count_orbits(
    width: usize,
    height: usize,
    size: u32,
    total: Option<&BigUint>,
    options: SweepOptions,
    observe: &mut dyn FnMut(RectangleSymmetry, LayerStep) -> ControlFlow<()>,
) -> Result<SymmetryOrbits, SymmetryError> {
    let mut fixed = Vec::new();
    for (symmetry, times) in RectangleSymmetry::all_for_board(width, height) {
        let count = match total {
            Some(total) if symmetry == RectangleSymmetry::Identity => total.clone(),
            _ => self::count_fixed_sets(width, height, symmetry, size, options, &mut |progress| {
                observe(symmetry, progress)
            })?,
        };
        fixed.push((symmetry, times, count));
    }
    let symmetries: u32 = fixed.iter().map(|(_, times, _)| times).sum();
    let sum: BigUint = fixed.iter().map(|(_, times, count)| count * *times).sum();
    if &sum % symmetries != BigUint::ZERO {
        return Err(SymmetryError::Remainder { sum, symmetries });
    }
    Ok(SymmetryOrbits { fixed, classes: sum / symmetries })
}

/// The number of dominating sets of `size` cells, the smallest size there is, that a symmetry leaves alone.
///
/// # Errors
/// See [`SymmetryError`].
pub fn count_fixed_sets(
    width: usize,
    height: usize,
    symmetry: RectangleSymmetry,
    size: u32,
    options: SweepOptions,
    observe: LayerObserver<'_>,
) -> Result<BigUint, SymmetryError> {
    if width == 0 || height == 0 {
        return Err(SymmetryError::NoBoard { width, height });
    }
    if symmetry == RectangleSymmetry::Rows {
        return count_fixed_sets(height, width, RectangleSymmetry::Columns, size, options, observe);
    }
    let failed = |error| SymmetryError::Sweep { symmetry, error };
    let problem = quotient_problem(width, height, symmetry, options.threads).map_err(failed)?;
    // Counts of fixed width are quicker and nearly always fit: only what overflows is counted again in numbers of any size.
    match sets_of_size(&problem, &SmallCount, size, options, &mut *observe) {
        Ok(found) => exact_count(found.map(|(found, count)| (found, BigUint::from(count))), size),
        Err(SweepError::Overflow) => {
            exact_count(sets_of_size(&problem, &BigCount, size, options, observe).map_err(failed)?, size)
        }
        Err(error) => Err(failed(error)),
    }
}

fn sets_of_size<V: WayValues>(
    problem: &SweepProblem,
    values: &V,
    size: u32,
    options: SweepOptions,
    observe: LayerObserver<'_>,
) -> Result<Option<(u32, V::Value)>, SweepError> {
    Ok(problem.sets_up_to(values, size, KeepWays::Least, options, observe)?.into_iter().next())
}

fn exact_count(found: Option<(u32, BigUint)>, given: u32) -> Result<BigUint, SymmetryError> {
    match found {
        None => Ok(BigUint::ZERO),
        Some((found, count)) if found == given => Ok(count),
        Some((found, _)) => Err(SymmetryError::Smaller { found, given }),
    }
}

/// The quotient of a board, swept along antidiagonals from the top left corner.
///
/// # Errors
/// A frontier that is too long.
pub fn quotient_problem(
    width: usize,
    height: usize,
    symmetry: RectangleSymmetry,
    threads: usize,
) -> Result<SweepProblem, SweepError> {
    let cells = orbit_representatives(width, height, symmetry);
    let mut problem = relaxed_quotient(width, height, symmetry, &cells, threads)?;
    if symmetry == RectangleSymmetry::HalfTurn && width == height && width > 2 * BAND + 1 {
        let until = cells.iter().filter(|(x, y)| x + y + 1 < width).count();
        let number = |point: (usize, usize)| cells.iter().position(|&cell| cell == point).unwrap_or_default();
        let left = (0..BAND).map(|place| number((place, width - 2 - place))).collect();
        let right = (0..BAND).map(|place| number((width - 2 - place, place))).collect();
        problem.couple_regions(until, [left, right]);
    }
    Ok(problem)
}

/// The cells that stand for their orbits, in the order of the sweep.
pub(super) fn orbit_representatives(
    width: usize,
    height: usize,
    symmetry: RectangleSymmetry,
) -> Vec<(usize, usize)> {
    let mut cells: Vec<(usize, usize)> =
        (0..width * height).map(|cell| (cell % width, cell / width)).collect();
    cells.retain(|&(x, y)| symmetry.orbit_representative(x, y, width, height) == (x, y));
    cells.sort_by_key(|&(x, y)| (x + y, antidiagonal_order(symmetry, x, y, width, height)));
    cells
}

/// The quotient, its regions bounded each for itself.
pub(super) fn relaxed_quotient(
    width: usize,
    height: usize,
    symmetry: RectangleSymmetry,
    cells: &[(usize, usize)],
    threads: usize,
) -> Result<SweepProblem, SweepError> {
    let mut numbers = vec![0; width * height];
    for (number, &(x, y)) in cells.iter().enumerate() {
        numbers[y * width + x] = number;
    }
    let orbit = |cell: usize| {
        let (x, y) = symmetry.orbit_representative(cell % width, cell / width, width, height);
        numbers[y * width + x]
    };
    let orbits: Vec<usize> = (0..width * height).map(orbit).collect();
    let graph = Graph::for_quotient(width, height, Wrap::Plane, &orbits);
    let order: Vec<usize> = (0..cells.len()).collect();
    let regions: Vec<Option<usize>> =
        cells.iter().map(|&(x, y)| Some(cell_region(symmetry, x, y, width, height))).collect();
    SweepProblem::new(&graph, &order, &regions, false, threads)
}

/// The order within an antidiagonal. Where its two ends touch each other, from the ends to the middle.
fn antidiagonal_order(
    symmetry: RectangleSymmetry,
    x: usize,
    y: usize,
    width: usize,
    height: usize,
) -> (usize, usize) {
    let folded = match symmetry {
        RectangleSymmetry::HalfTurn => 2 * (x + y) + 3 >= width + height,
        RectangleSymmetry::QuarterTurn => 2 * (x + y) + 1 >= width,
        _ => false,
    };
    if folded { (width + height - x.abs_diff(y), x) } else { (0, x) }
}

/// Cells of an antidiagonal that share a region.
const BAND: usize = 9;

/// Bands along the borders, then bands along those.
fn cell_region(symmetry: RectangleSymmetry, x: usize, y: usize, width: usize, height: usize) -> usize {
    let columns = if symmetry == RectangleSymmetry::Columns { width.div_ceil(2) } else { width };
    let left = x.min(height - 1 - y);
    let right = y.min(columns - 1 - x);
    match symmetry {
        RectangleSymmetry::Diagonal => left / BAND,
        _ if left <= right => 2 * (left / BAND),
        _ => 2 * (right / BAND) + 1,
    }
}
