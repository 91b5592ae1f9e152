//! Positions with the most chains, in any colours, under the rules of Go.
//!
//! Take a position whose chains all have a liberty, and of each chain one stone with a liberty. All other points, the
//! set D, dominate the grid: a stone that was taken has an empty neighbour. So there are at most `cells - gamma`
//! chains, and in a position with that many, D is a smallest dominating set however the stones are taken. Then
//! - a stone of D (a *leaf*) has no empty neighbour and no other leaf beside it: D without it would still dominate;
//! - so a chain is a *star*: a centre, which alone has liberties, and leaves around it;
//! - a leaf has centres on all sides, just one of them of its own colour.
//!
//! And any such arrangement on a smallest dominating set is a position with the most chains. So the count has two passes:
//! 1. the graph of all smallest dominating sets and their possible leaves (module `sets`);
//! 2. the colours (module `decorate`): those of a chequered board times a *spin*. Neighbouring stones have equal spins
//!    except a leaf and its own centre, so a frontier of the graph has few ways to be coloured.

use std::num::NonZeroUsize;

use num_bigint::BigUint;

use super::{LayerWork, PositionsError, cells_done, report_progress, upright_sides};
use crate::layers::{LayerObserver, ask_within};

mod bound;
mod decorate;
mod sets;

/// Cells of a frontier at most: two bits each and two more in 64.
pub const WIDEST: usize = 31;
/// Cells of a board at most; the tables grow with them.
pub const MOST_CELLS: usize = 4096;

/// The count of [`count_optimal()`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptimalCount {
    /// Positions with the most chains; every orientation and both colourings count.
    pub positions: BigUint,
    /// The most chains: cells less the domination number.
    pub chains: usize,
    /// Smallest dominating sets of the grid: boards by theorem 1 of Miyashiro, Yano and Muramatsu.
    pub sets: BigUint,
    /// Work of the search for the smallest dominating sets.
    pub search: LayerWork,
    /// Work of the count.
    pub count: LayerWork,
}

/// Counts the positions with the most chains on a board, in any colours.
///
/// The shorter side has at most [`WIDEST`] points, the board at most [`MOST_CELLS`]. The result does not depend on `threads`.
///
/// # Errors
/// [`PositionsError`]: no cells, too wide, too many cells, stopped.
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::ops::ControlFlow;
/// let found = ishi_grid::positions::count_optimal(2, 2, NonZeroUsize::MIN, &mut |_| ControlFlow::Continue(())).unwrap();
/// // Two stones of any colours on a diagonal (8), two of different colours on a side (8), three stones with both
/// // colours (16): two chains can stand there in 32 ways, more cannot.
/// assert_eq!((found.chains, found.positions), (2, 32u32.into()));
/// ```
pub fn count_optimal(
    width: usize,
    height: usize,
    threads: NonZeroUsize,
    observe: LayerObserver<'_>,
) -> Result<OptimalCount, PositionsError> {
    let (width, height) = upright_sides(width, height, WIDEST)?;
    let cells = width * height;
    if cells > MOST_CELLS {
        return Err(PositionsError::TooManyCells { cells, most: MOST_CELLS });
    }
    let mut search = LayerWork::default();
    let sets = sets::find_smallest_sets(width, height, &mut search, observe)?;
    let chains = cells - sets.size;
    let mut count = LayerWork::default();
    let positions = count_decorated(width, height, &sets, threads, &mut count, observe)?;
    let all = cells_done("positions", cells, cells, count.widest, count.bytes);
    let sets = ask_within(observe, all, |stop| sets.count_paths(stop)).ok_or(PositionsError::Stopped)?;
    Ok(OptimalCount { positions, chains, sets, search, count })
}

/// The positions over the graph of smallest dominating sets.
fn count_decorated(
    width: usize,
    height: usize,
    sets: &sets::DominatingSets,
    threads: NonZeroUsize,
    work: &mut LayerWork,
    observe: LayerObserver<'_>,
) -> Result<BigUint, PositionsError> {
    let cells = width * height;
    let mut layer = decorate::DecoratedLayer::start();
    let mut step = cells_done("positions", 0, cells, 1, sets.byte_size());
    for cell in 0..cells {
        let (from, to) = (&sets.layers[cell], &sets.layers[cell + 1]);
        let place = sets::CellPlace::new(cell, width, height);
        let next =
            ask_within(observe, step, |stop| decorate::place_cell(&layer, from, to, &place, threads, stop));
        let next = next.ok_or(PositionsError::Stopped)?;
        let (states, bytes) = (next.state_count(), sets.byte_size() + layer.byte_size() + next.byte_size());
        layer = next;
        work.add_layer(states, bytes);
        step = cells_done("positions", cell + 1, cells, states, bytes);
        report_progress(observe, step)?;
    }
    Ok(layer.total_ways())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::super::tests::by_chains_brute_force;
    use super::*;

    fn found(width: usize, height: usize, threads: usize) -> OptimalCount {
        let threads = NonZeroUsize::new(threads).unwrap();
        count_optimal(width, height, threads, &mut |_| ControlFlow::Continue(())).unwrap()
    }

    #[test]
    fn brute_force_agrees() {
        let sizes =
            [(1, 1), (1, 2), (1, 7), (1, 10), (2, 2), (2, 3), (2, 5), (3, 2), (3, 3), (3, 4), (2, 6), (4, 4)];
        for (width, height) in sizes {
            let counts = by_chains_brute_force(width, height);
            let found = found(width, height, 1);
            let most = counts.iter().rposition(|count| *count > 0).unwrap();
            assert_eq!((found.chains, found.positions), (most, counts[most].into()), "{width}x{height}");
        }
    }

    #[test]
    fn threads_change_nothing() {
        let (one, two) = (found(13, 14, 1), found(14, 13, 2));
        assert_eq!((one.chains, one.positions, one.sets), (two.chains, two.positions, two.sets));
    }

    /// The tables of a large board take seconds before the first cell, and what follows the search does, too: the observer is asked within.
    #[test]
    fn tables_and_layers_hear_a_stop() {
        let run = |threads: usize, most: usize| {
            let mut heard = Vec::new();
            let counted = count_optimal(12, 13, NonZeroUsize::new(threads).unwrap(), &mut |step| {
                heard.push((step.note.pass, step.done));
                ishi_work::continue_unless(heard.len() > most)
            });
            (counted, heard)
        };
        let (counted, heard) = run(1, usize::MAX);
        counted.unwrap();
        // Two blocks, each asked for every column of every row.
        let tables = heard.iter().take_while(|(_, done)| *done == 0).count();
        assert!(tables >= 12 * 13, "{tables} looks before the first cell");
        // The graph is built and its paths are counted layer by layer.
        for pass in ["smallest dominating sets", "positions"] {
            let after = heard.iter().filter(|(name, done)| (*name, *done) == (pass, 12 * 13)).count();
            assert!(after > 12 * 13, "{after} looks after {pass}");
        }
        let last = heard.len() - 1;
        for (threads, most) in [(1, 0), (1, tables / 2), (1, last / 2), (1, last), (2, 0), (2, last / 2)] {
            let (stopped, heard) = run(threads, most);
            assert_eq!((stopped, heard.len()), (Err(PositionsError::Stopped), most + 1));
        }
    }

    #[test]
    fn bad_sizes_and_stops_are_errors() {
        let go_on = &mut |_| ControlFlow::Continue(());
        let threads = NonZeroUsize::MIN;
        assert_eq!(count_optimal(0, 5, threads, go_on), Err(PositionsError::NoCells));
        assert_eq!(
            count_optimal(40, 32, threads, go_on),
            Err(PositionsError::TooWide { width: 32, most: 31 })
        );
        assert_eq!(
            count_optimal(5, 5, threads, &mut |_| ControlFlow::Break(())),
            Err(PositionsError::Stopped)
        );
    }
}
