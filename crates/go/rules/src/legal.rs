//! Counts of legal positions: arrangements of stones in which every chain has a liberty.
//!
//! Known as sequence A094777 of the On-Line Encyclopedia of Integer Sequences for squares (1, 57, 12675, 24318165, ...);
//! Tromp and Farnebäck, "Combinatorics of Go" (2016), count up to 19x19 by dynamic programming. Here every arrangement
//! is enumerated, independently of [`crate::Board`], which makes it a check of the rules rather than a fast count.
//!
//! For each set of empty points the flood fill answers once per set of stones of one colour whether all of them
//! have a liberty; an arrangement is legal if that holds for Black's set and for White's.

use std::fmt;

use ishi_work::Stop;

/// The largest board that [`count_legal_positions`] takes, in points: 3^20 arrangements take about half a minute.
pub const MAX_POINTS: usize = 20;

/// No count for this board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalCountError {
    width: usize,
    height: usize,
}

impl fmt::Display for LegalCountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LegalCountError { width, height } = self;
        write!(f, "cannot enumerate a {width}x{height} board: it must have 1 to {MAX_POINTS} points")
    }
}

impl std::error::Error for LegalCountError {}

/// The number of legal positions of a board of `width` columns and `height` rows.
///
/// ```
/// assert_eq!(ishi_go::legal::count_legal_positions(2, 2), Ok(57));
/// assert_eq!(ishi_go::legal::count_legal_positions(1, 1), Ok(1));
/// ```
///
/// # Errors
/// If the board has no point or more than [`MAX_POINTS`].
pub fn count_legal_positions(width: usize, height: usize) -> Result<u64, LegalCountError> {
    Ok(count_legal_positions_until(width, height, &|| false)?.unwrap_or(0))
}

/// [`count_legal_positions`], which asks every now and then whether to stop; `None` if it was stopped.
///
/// # Errors
/// As [`count_legal_positions`].
pub fn count_legal_positions_until(
    width: usize,
    height: usize,
    stop: &dyn Stop,
) -> Result<Option<u64>, LegalCountError> {
    let points = width.checked_mul(height).filter(|points| (1..=MAX_POINTS).contains(points));
    let points = points.ok_or(LegalCountError { width, height })?;
    // Fewer columns than rows or the other way round makes no difference, and short rows fit the word better.
    let board = PointGrid::new(width.min(height), points);
    let mut free = vec![false; 1 << points];
    let counts = (0..=board.all)
        .map(|stones| (!stop.is_requested()).then(|| board.count_colourings(stones, &mut free)));
    Ok(counts.sum())
}

/// A board as a set of points: bit `row * width + column`.
struct PointGrid {
    width: usize,
    all: u32,
    /// All points but those of the first column, and but those of the last.
    not_first: u32,
    not_last: u32,
}

impl PointGrid {
    fn new(width: usize, points: usize) -> PointGrid {
        let all = (1 << points) - 1;
        let first = (0..points).step_by(width).fold(0, |set, point| set | 1 << point);
        PointGrid { width, all, not_first: all & !first, not_last: all & !(first << (width - 1)) }
    }

    /// The points beside a set (and perhaps some of its own).
    #[inline(always)]
    fn adjacent_points(&self, set: u32) -> u32 {
        let sideways = (set << 1) & self.not_first | (set >> 1) & self.not_last;
        sideways | (set << self.width) & self.all | set >> self.width
    }

    /// In how many ways can `stones` be coloured such that every chain has a liberty? `free` is scratch space with
    /// an entry for every set of points.
    fn count_colourings(&self, stones: u32, free: &mut [bool]) -> u64 {
        let liberties = self.all & !stones;
        let beside_liberties = self.adjacent_points(liberties);
        for set in subsets_of(stones) {
            free[set as usize] = self.has_liberties(set, beside_liberties);
        }
        subsets_of(stones).filter(|&black| free[black as usize] && free[(stones ^ black) as usize]).count()
            as u64
    }

    /// Does every chain of a set reach a point of `beside_liberties`?
    #[inline(always)]
    fn has_liberties(&self, set: u32, beside_liberties: u32) -> bool {
        let mut reached = set & beside_liberties;
        loop {
            let more = (reached | self.adjacent_points(reached)) & set;
            if more == reached {
                return reached == set;
            }
            reached = more;
        }
    }
}

/// All subsets of a set, the set itself first and the empty set last.
fn subsets_of(set: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(set), move |&subset| (subset != 0).then(|| (subset - 1) & set))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares: OEIS A094777. Rectangles: Tromp and Farnebäck's table of L(m, n).
    #[test]
    fn counts_agree_with_the_published_table() {
        let table = [
            (1, 1, 1),
            (1, 2, 5),
            (1, 3, 15),
            (1, 4, 41),
            (1, 5, 113),
            (2, 2, 57),
            (2, 3, 489),
            (2, 4, 4125),
            (2, 5, 35117),
            (3, 3, 12675),
            (3, 4, 321689),
            (3, 5, 8180343),
            (4, 4, 24318165),
        ];
        for (width, height, positions) in table {
            assert_eq!(count_legal_positions(width, height), Ok(positions), "{width}x{height}");
            if width * height <= 12 {
                assert_eq!(count_legal_positions(height, width), Ok(positions), "{height}x{width}");
            }
        }
    }

    #[test]
    fn a_count_can_be_stopped() {
        assert_eq!(count_legal_positions_until(4, 5, &|| true), Ok(None));
        assert_eq!(count_legal_positions_until(2, 2, &|| false), Ok(Some(57)));
    }

    #[test]
    fn boards_that_are_too_large_are_refused() {
        for (width, height) in [(0, 3), (5, 5), (21, 1), (usize::MAX, 2), (0, 0)] {
            let error = count_legal_positions(width, height).unwrap_err().to_string();
            assert!(error.contains("must have 1 to 20 points"), "{error}");
        }
    }
}
