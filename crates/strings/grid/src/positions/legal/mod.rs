//! The number of legal positions, in all and by number of chains.
//!
//! Source: J. Tromp, G. Farneback, "Combinatorics of Go" (2006, revised 2016), section 3: a position is legal if every
//! chain has a liberty. Of a frontier it matters which stones belong to a chain without liberties so far; stones whose
//! chain has a liberty need nothing more. What differs here: states are merged in hash tables, counts are whole
//! numbers of fixed size, not residues; of two frontiers with exchanged colours one is kept, and so after
//! each row of two mirror images.

use std::num::NonZeroUsize;

use num_bigint::BigUint;

use super::frontier::{ChainFrontier, FrontierSpot, KeyStyle, Placement, WIDEST};
use super::{LayerWork, PositionsError, cells_done, report_progress, upright_sides};
use crate::layers::{LayerObserver, ask_within};

mod tables;

use tables::{CountTables, WordCount};

/// Columns of a frontier at most when chains are counted: the number of chains takes the other bits of the key.
const WIDEST_BY_CHAINS: usize = 12;
/// Where the number of chains stands in a key.
const CHAINS: u32 = 4 * WIDEST_BY_CHAINS as u32;
/// 64-bit words of the largest counts.
const MOST_WORDS: usize = 32;

/// The count of [`count_legal()`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegalCount {
    /// Legal positions.
    pub positions: BigUint,
    /// Work done.
    pub work: LayerWork,
}

/// The counts of [`count_by_chains()`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainCounts {
    /// Legal positions with 0, 1, 2, ... chains; the last one is not zero.
    pub positions: Vec<BigUint>,
    /// Work done.
    pub work: LayerWork,
}

impl ChainCounts {
    /// All legal positions.
    #[must_use]
    pub fn total_positions(&self) -> BigUint {
        self.positions.iter().sum()
    }
}

/// Counts the legal positions of a board, exactly.
///
/// The shorter side has at most 16 points. The result does not depend on `threads`.
///
/// # Errors
/// [`PositionsError`]: no cells, too wide, too many cells, stopped.
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::ops::ControlFlow;
/// let found = ishi_grid::positions::count_legal(3, 3, NonZeroUsize::MIN, &mut |_| ControlFlow::Continue(())).unwrap();
/// assert_eq!(found.positions, 12675u32.into());
/// ```
pub fn count_legal(
    width: usize,
    height: usize,
    threads: NonZeroUsize,
    observe: LayerObserver<'_>,
) -> Result<LegalCount, PositionsError> {
    let (width, height) = upright_sides(width, height, WIDEST)?;
    let (ways, work) = count_ways(&CountGrid { width, height, by_chains: false }, threads, observe)?;
    Ok(LegalCount { positions: ways.into_iter().map(|(_, ways)| ways).sum(), work })
}

/// Counts the legal positions of a board by their number of chains, exactly.
///
/// The shorter side has at most 12 points. The result does not depend on `threads`.
///
/// # Errors
/// [`PositionsError`]: no cells, too wide, too many cells, stopped.
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::ops::ControlFlow;
/// let found = ishi_grid::positions::count_by_chains(2, 2, NonZeroUsize::MIN, &mut |_| ControlFlow::Continue(())).unwrap();
/// // The empty board, 24 positions with one chain, 32 with two.
/// assert_eq!(found.positions, [1u32, 24, 32].map(Into::into));
/// ```
pub fn count_by_chains(
    width: usize,
    height: usize,
    threads: NonZeroUsize,
    observe: LayerObserver<'_>,
) -> Result<ChainCounts, PositionsError> {
    let (width, height) = upright_sides(width, height, WIDEST_BY_CHAINS)?;
    let (ways, work) = count_ways(&CountGrid { width, height, by_chains: true }, threads, observe)?;
    let mut positions = Vec::new();
    for (key, ways) in ways {
        let chains = (key >> CHAINS) as usize;
        if positions.len() <= chains {
            positions.resize(chains + 1, BigUint::ZERO);
        }
        positions[chains] += ways;
    }
    Ok(ChainCounts { positions, work })
}

struct CountGrid {
    width: usize,
    height: usize,
    by_chains: bool,
}

impl CountGrid {
    /// All that can follow a key by one more cell.
    fn for_each_successor(&self, key: u64, cell: usize, mut found: impl FnMut(u64)) {
        let spot = FrontierSpot::new(cell, self.width, false);
        let style = KeyStyle { tracked: self.by_chains, turned: true };
        let (frontier, chains) = self.read_key(key);
        for put in [Placement::Empty, Placement::Stone(0), Placement::Stone(1)] {
            if let Some((next, more)) = frontier.put_point(spot, put) {
                let mut key = next.to_key(style);
                // Of a whole row and its mirror image one is enough.
                if spot.x + 1 == self.width {
                    key = key.min(next.mirrored().to_key(style));
                }
                if self.by_chains {
                    key |= (chains + i64::from(more)).cast_unsigned() << CHAINS;
                }
                found(key);
            }
        }
    }

    fn read_key(&self, key: u64) -> (ChainFrontier, i64) {
        if self.by_chains {
            (ChainFrontier::from_key(key & ((1 << CHAINS) - 1), self.width), (key >> CHAINS) as i64)
        } else {
            (ChainFrontier::from_key(key, self.width), 0)
        }
    }
}

/// Chooses the size of the counts: at most three to the number of cells.
fn count_ways(
    grid: &CountGrid,
    threads: NonZeroUsize,
    observe: LayerObserver<'_>,
) -> Result<(KeyWays, LayerWork), PositionsError> {
    let cells = grid.width * grid.height;
    // log2(3) < 1.585
    match (cells * 1585 / 1000 + 1).div_ceil(64) {
        1 => count_ways_with::<1>(grid, threads, observe),
        2 => count_ways_with::<2>(grid, threads, observe),
        3 => count_ways_with::<3>(grid, threads, observe),
        4 => count_ways_with::<4>(grid, threads, observe),
        5..=6 => count_ways_with::<6>(grid, threads, observe),
        7..=12 => count_ways_with::<12>(grid, threads, observe),
        13..=MOST_WORDS => count_ways_with::<MOST_WORDS>(grid, threads, observe),
        _ => Err(PositionsError::TooManyCells { cells, most: 64 * MOST_WORDS * 1000 / 1585 - 1 }),
    }
}

/// Final keys and their counts.
type KeyWays = Vec<(u64, BigUint)>;

fn count_ways_with<const W: usize>(
    grid: &CountGrid,
    threads: NonZeroUsize,
    observe: LayerObserver<'_>,
) -> Result<(KeyWays, LayerWork), PositionsError> {
    let cells = grid.width * grid.height;
    let mut work = LayerWork::default();
    let mut tables = CountTables::<W>::with_key(0);
    let mut step = cells_done("legal positions", 0, cells, 1, 0);
    for cell in 0..cells {
        let next = ask_within(observe, step, |stop| {
            tables.next_layer(threads, stop, |key, found| grid.for_each_successor(key, cell, found))
        });
        let (next, bytes) = next.ok_or(PositionsError::Stopped)?;
        tables = next;
        let states = tables.state_count();
        work.add_layer(states, bytes);
        step = cells_done("legal positions", cell + 1, cells, states, bytes);
        report_progress(observe, step)?;
    }
    let whole = |(key, count): (u64, WordCount<W>)| (key, count.to_big());
    let ways = tables.entries().filter(|(key, _)| grid.read_key(*key).0.all_free()).map(whole).collect();
    Ok((ways, work))
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::super::tests::by_chains_brute_force;
    use super::*;

    fn count(width: usize, height: usize, threads: usize) -> BigUint {
        let threads = NonZeroUsize::new(threads).unwrap();
        count_legal(width, height, threads, &mut |_| ControlFlow::Continue(())).unwrap().positions
    }

    fn split(width: usize, height: usize) -> Vec<BigUint> {
        count_by_chains(width, height, NonZeroUsize::MIN, &mut |_| ControlFlow::Continue(()))
            .unwrap()
            .positions
    }

    /// Tromp and Farneback, "Combinatorics of Go", table of the number of legal positions (OEIS A094777).
    #[test]
    fn published_counts_of_squares() {
        let published =
            ["1", "57", "12675", "24318165", "414295148741", "62567386502084877", "83677847847984287628595"];
        for (i, published) in published.iter().enumerate() {
            assert_eq!(count(i + 1, i + 1, 2).to_string(), *published, "{}", i + 1);
        }
    }

    #[test]
    fn brute_force_agrees() {
        for (width, height) in
            [(1, 1), (1, 2), (1, 3), (1, 8), (2, 3), (3, 2), (2, 5), (3, 4), (6, 2), (4, 3)]
        {
            let counts = by_chains_brute_force(width, height);
            let most = counts.iter().rposition(|count| *count > 0).unwrap();
            let counts: Vec<BigUint> = counts[..=most].iter().map(|count| (*count).into()).collect();
            assert_eq!(split(width, height), counts, "{width}x{height}");
            assert_eq!(count(width, height, 1), counts.iter().sum(), "{width}x{height}");
        }
    }

    /// Two engines that share nothing but the sizes.
    #[test]
    fn the_most_chains_are_the_optimal_positions() {
        for (width, height) in [(4, 4), (5, 5), (4, 6), (3, 8), (5, 6)] {
            let split = split(width, height);
            assert_eq!(split.iter().sum::<BigUint>(), count(width, height, 1), "{width}x{height}");
            let optimal = super::super::count_optimal(width, height, NonZeroUsize::MIN, &mut |_| {
                ControlFlow::Continue(())
            });
            let optimal = optimal.unwrap();
            assert_eq!(split.len() - 1, optimal.chains, "{width}x{height}");
            assert_eq!(split.last(), Some(&optimal.positions), "{width}x{height}");
        }
    }

    #[test]
    fn long_boards_have_long_counts() {
        // Six sizes of counts; a strip's counts must agree however the words are chosen.
        let text = |height| count(1, height, 1).to_string();
        // Tromp and Farneback, section 2: one-dimensional boards, 1, 5, 15, 41, 113, 313, ...
        assert_eq!(
            [text(1), text(2), text(3), text(4), text(5), text(6)],
            ["1", "5", "15", "41", "113", "313"]
        );
        // a(n) = 3 a(n-1) - a(n-2) + a(n-3) there.
        for height in [40, 41, 100, 160, 300, 700, 1200] {
            let [a, b, c, d] = [3, 2, 1, 0].map(|less| count(1, height - less, 1));
            assert_eq!(d + b, c * 3u32 + a, "{height}");
        }
    }

    /// Within a layer the observer hears the step before it again, after so many states each.
    #[test]
    fn long_layers_hear_a_stop() {
        use crate::layers::{LayerStep, STATES_A_LOOK};
        let run = |threads: usize, most: usize| {
            let mut heard: Vec<LayerStep> = Vec::new();
            let counted = count_legal(6, 6, NonZeroUsize::new(threads).unwrap(), &mut |step| {
                heard.push(step);
                ishi_work::continue_unless(heard.len() > most)
            });
            (counted, heard)
        };
        let (counted, heard) = run(1, usize::MAX);
        counted.unwrap();
        for cell in 1..36 {
            let layer: Vec<&LayerStep> = heard.iter().filter(|step| step.done == cell).collect();
            assert_eq!(layer.len(), 1 + layer[0].note.states / STATES_A_LOOK, "after cell {cell}");
        }
        assert!(heard.len() > 2 * 36);
        for threads in [1, 2] {
            for most in [0, heard.len() / 3, heard.len() / 2] {
                let (stopped, heard) = run(threads, most);
                assert_eq!((stopped, heard.len()), (Err(PositionsError::Stopped), most + 1));
            }
        }
    }

    #[test]
    fn bad_sizes_and_stops_are_errors() {
        let go_on = &mut |_| ControlFlow::Continue(());
        let threads = NonZeroUsize::MIN;
        assert_eq!(count_legal(3, 0, threads, go_on), Err(PositionsError::NoCells));
        assert_eq!(count_legal(17, 18, threads, go_on), Err(PositionsError::TooWide { width: 17, most: 16 }));
        assert_eq!(
            count_by_chains(13, 13, threads, go_on),
            Err(PositionsError::TooWide { width: 13, most: 12 })
        );
        let most = PositionsError::TooManyCells { cells: 2000, most: 1291 };
        assert_eq!(count_legal(2, 1000, threads, go_on), Err(most));
        assert_eq!(count_legal(5, 5, threads, &mut |_| ControlFlow::Break(())), Err(PositionsError::Stopped));
    }
}
