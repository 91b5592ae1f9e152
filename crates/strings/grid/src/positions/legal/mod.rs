//! The number of legal positions, in all and by number of chains.
//!
//! Source: J. Tromp, G. Farneback, "Combinatorics of Go" (2006, revised 2016), section 3: a position is legal if every
//! chain has a liberty. Of a frontier it matters which stones belong to a chain without liberties so far; stones whose
//! chain has a liberty need nothing more. What differs here: states are merged in hash tables, counts are whole
//! numbers of fixed size, not residues; of two frontiers with exchanged colours one is kept, and so after
//! each row of two mirror images.

use std::num::NonZeroUsize;

use num_bigint::BigUint;

use super::frontier::{Frontier, Put, Spot, Style, WIDEST};
use super::{Observer, PositionsError, Progress, Work, tell, upright};

mod tables;

use tables::{Count, Tables};

/// Columns of a frontier at most when chains are counted: the number of chains takes the other bits of the key.
const WIDEST_BY_CHAINS: usize = 12;
/// Where the number of chains stands in a key.
const CHAINS: u32 = 4 * WIDEST_BY_CHAINS as u32;
/// 64-bit words of the largest counts.
const MOST_WORDS: usize = 32;

/// The count of [`legal()`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Legal {
    /// Legal positions.
    pub positions: BigUint,
    /// Work done.
    pub work: Work,
}

/// The counts of [`by_chains()`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByChains {
    /// Legal positions with 0, 1, 2, ... chains; the last one is not zero.
    pub positions: Vec<BigUint>,
    /// Work done.
    pub work: Work,
}

impl ByChains {
    /// All legal positions.
    #[must_use]
    pub fn total(&self) -> BigUint {
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
/// let found = ishi_grid::positions::legal(3, 3, NonZeroUsize::MIN, &mut |_| ControlFlow::Continue(())).unwrap();
/// assert_eq!(found.positions, 12675u32.into());
/// ```
pub fn legal(
    width: usize,
    height: usize,
    threads: NonZeroUsize,
    observe: &mut Observer,
) -> Result<Legal, PositionsError> {
    let (width, height) = upright(width, height, WIDEST)?;
    let (ways, work) = run(&Grid { width, height, by_chains: false }, threads, observe)?;
    Ok(Legal { positions: ways.into_iter().map(|(_, ways)| ways).sum(), work })
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
/// let found = ishi_grid::positions::by_chains(2, 2, NonZeroUsize::MIN, &mut |_| ControlFlow::Continue(())).unwrap();
/// // The empty board, 24 positions with one chain, 32 with two.
/// assert_eq!(found.positions, [1u32, 24, 32].map(Into::into));
/// ```
pub fn by_chains(
    width: usize,
    height: usize,
    threads: NonZeroUsize,
    observe: &mut Observer,
) -> Result<ByChains, PositionsError> {
    let (width, height) = upright(width, height, WIDEST_BY_CHAINS)?;
    let (ways, work) = run(&Grid { width, height, by_chains: true }, threads, observe)?;
    let mut positions = Vec::new();
    for (key, ways) in ways {
        let chains = (key >> CHAINS) as usize;
        if positions.len() <= chains {
            positions.resize(chains + 1, BigUint::ZERO);
        }
        positions[chains] += ways;
    }
    Ok(ByChains { positions, work })
}

struct Grid {
    width: usize,
    height: usize,
    by_chains: bool,
}

impl Grid {
    /// All that can follow a key by one more cell.
    fn follow(&self, key: u64, cell: usize, mut found: impl FnMut(u64)) {
        let spot = Spot::new(cell, self.width, false);
        let style = Style { tracked: self.by_chains, turned: true };
        let (frontier, chains) = self.read(key);
        for put in [Put::Empty, Put::Stone(0), Put::Stone(1)] {
            if let Some((next, more)) = frontier.put(spot, put) {
                let mut key = next.write(style);
                // Of a whole row and its mirror image one is enough.
                if spot.x + 1 == self.width {
                    key = key.min(next.mirrored().write(style));
                }
                if self.by_chains {
                    key |= (chains + i64::from(more)).cast_unsigned() << CHAINS;
                }
                found(key);
            }
        }
    }

    fn read(&self, key: u64) -> (Frontier, i64) {
        if self.by_chains {
            (Frontier::read(key & ((1 << CHAINS) - 1), self.width), (key >> CHAINS) as i64)
        } else {
            (Frontier::read(key, self.width), 0)
        }
    }
}

/// Chooses the size of the counts: at most three to the number of cells.
fn run(grid: &Grid, threads: NonZeroUsize, observe: &mut Observer) -> Result<(Ways, Work), PositionsError> {
    let cells = grid.width * grid.height;
    // log2(3) < 1.585
    match (cells * 1585 / 1000 + 1).div_ceil(64) {
        1 => run_with::<1>(grid, threads, observe),
        2 => run_with::<2>(grid, threads, observe),
        3 => run_with::<3>(grid, threads, observe),
        4 => run_with::<4>(grid, threads, observe),
        5..=6 => run_with::<6>(grid, threads, observe),
        7..=12 => run_with::<12>(grid, threads, observe),
        13..=MOST_WORDS => run_with::<MOST_WORDS>(grid, threads, observe),
        _ => Err(PositionsError::TooManyCells { cells, most: 64 * MOST_WORDS * 1000 / 1585 - 1 }),
    }
}

/// Final keys and their counts.
type Ways = Vec<(u64, BigUint)>;

fn run_with<const W: usize>(
    grid: &Grid,
    threads: NonZeroUsize,
    observe: &mut Observer,
) -> Result<(Ways, Work), PositionsError> {
    let cells = grid.width * grid.height;
    let mut work = Work::default();
    let mut tables = Tables::<W>::start(0);
    for cell in 0..cells {
        let (next, bytes) = tables.step(threads, |key, found| grid.follow(key, cell, found));
        tables = next;
        let states = tables.states();
        work.layer(states, bytes);
        tell(observe, Progress { pass: "legal positions", done: cell + 1, cells, states, bytes })?;
    }
    let whole = |(key, count): (u64, Count<W>)| (key, count.to_big());
    let ways = tables.entries().filter(|(key, _)| grid.read(*key).0.all_free()).map(whole).collect();
    Ok((ways, work))
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::super::tests::by_chains_brute_force;
    use super::*;

    fn count(width: usize, height: usize, threads: usize) -> BigUint {
        let threads = NonZeroUsize::new(threads).unwrap();
        legal(width, height, threads, &mut |_| ControlFlow::Continue(())).unwrap().positions
    }

    fn split(width: usize, height: usize) -> Vec<BigUint> {
        by_chains(width, height, NonZeroUsize::MIN, &mut |_| ControlFlow::Continue(())).unwrap().positions
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
            let optimal =
                super::super::optimal(width, height, NonZeroUsize::MIN, &mut |_| ControlFlow::Continue(()));
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

    #[test]
    fn bad_sizes_and_stops_are_errors() {
        let go_on = &mut |_| ControlFlow::Continue(());
        let threads = NonZeroUsize::MIN;
        assert_eq!(legal(3, 0, threads, go_on), Err(PositionsError::NoCells));
        assert_eq!(legal(17, 18, threads, go_on), Err(PositionsError::TooWide { width: 17, most: 16 }));
        assert_eq!(by_chains(13, 13, threads, go_on), Err(PositionsError::TooWide { width: 13, most: 12 }));
        let most = PositionsError::TooManyCells { cells: 2000, most: 1291 };
        assert_eq!(legal(2, 1000, threads, go_on), Err(most));
        assert_eq!(legal(5, 5, threads, &mut |_| ControlFlow::Break(())), Err(PositionsError::Stopped));
    }
}
