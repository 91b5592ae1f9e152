//! Numbers of optimal boards of any size, from counts of small ones.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use thiserror::Error;

use super::Polynomial;

/// The side that the recurrence begins at, by the side modulo 5, on boards that do not lose most: as found on boards of 20, 21 and 22
/// lines. Nobody has counted enough wider ones.
pub const FIRST: [usize; 5] = [20, 26, 27, 33, 29];

/// The side that it begins at on boards that lose most, whatever the class: as found on boards of 25 lines.
pub const FIRST_WITH_MOST_LOSS: usize = 33;

/// Boards with fewer lines on the shorter side are narrow.
pub const NARROW: usize = 20;

/// Boards that lose most are narrow with fewer lines than this on the shorter side. (On 20 lines their number has a factor more that is
/// linear in the other side.)
pub const NARROW_WITH_MOST_LOSS: usize = 25;

/// The loss of a smallest set is `2 (width + height) - 16` less the rest of `(width + 2) (height + 2)` modulo 5: has it no rest?
fn loses_most(width: usize, height: usize) -> bool {
    ((width + 2) * (height + 2)).is_multiple_of(PERIOD)
}

/// Must the boards be counted because the recurrence was not found to hold between boards of this width?
fn is_narrow(width: usize, height: usize) -> bool {
    let least = if loses_most(width, height) { NARROW_WITH_MOST_LOSS } else { NARROW };
    width.min(height) < least
}

/// Columns after which an edge looks the same.
const PERIOD: usize = 5;

/// Counts of optimal boards, and the recurrence between them.
///
/// ```
/// use ishi_grid::growth::{RectangleCounts, CriticalEdge};
/// let mut counts = RectangleCounts::new(&CriticalEdge::new(7).characteristic_polynomial());
/// for (height, boards) in [(20, 77900162_u64), (25, 4192532450), (30, 217955787848), (35, 11358302622818),
///     (40, 592663491551042), (45, 30908091363494408)] {
///     counts.insert(20, height, boards.into());
/// }
/// assert_eq!(counts.board_count(20, 50).unwrap(), 1612037252497461602_u64.into());
/// ```
#[derive(Clone, Debug)]
pub struct RectangleCounts {
    recurrence: Polynomial,
    /// Counts by the sides of their rectangles, the shorter side first.
    counts: BTreeMap<(usize, usize), BigUint>,
}

/// A board that must be counted first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the boards of {width}x{height} must be counted first")]
pub struct MissingCount {
    /// The shorter side.
    pub width: usize,
    /// The longer side.
    pub height: usize,
}

/// A counted board and what the recurrence says, from smaller boards alone.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CountPrediction {
    /// The shorter side.
    pub width: usize,
    /// The longer side.
    pub height: usize,
    /// What was counted.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_digits"))]
    pub counted: BigUint,
    /// What follows from the counts of smaller boards.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_digits"))]
    pub predicted: BigUint,
}

/// Writes the number as text: it is larger than what other programs read as numbers.
#[cfg(feature = "serde")]
fn serialize_digits<S: serde::Serializer>(number: &BigUint, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

impl RectangleCounts {
    /// No counts yet; the characteristic polynomial is that of one edge.
    #[must_use]
    pub fn new(side: &Polynomial) -> RectangleCounts {
        RectangleCounts { recurrence: side.nonzero_roots().root_products(2), counts: BTreeMap::new() }
    }

    /// The characteristic polynomial of the recurrence in one side of the board, five lines a step.
    #[must_use]
    pub fn recurrence(&self) -> &Polynomial {
        &self.recurrence
    }

    /// Takes note of a count.
    pub fn insert(&mut self, width: usize, height: usize, boards: BigUint) {
        self.counts.insert(order_sides(width, height), boards);
    }

    /// The counts that a number follows from: the board itself, if it is narrow or both sides are small.
    #[must_use]
    pub fn needed_counts(&self, width: usize, height: usize) -> Vec<(usize, usize)> {
        let (width, height) = order_sides(width, height);
        if is_narrow(width, height) {
            return vec![(width, height)];
        }
        let most = loses_most(width, height);
        let (widths, heights) = (self.smaller_sides(width, most), self.smaller_sides(height, most));
        let pairs = widths.iter().flat_map(|w| heights.iter().map(|h| order_sides(*w, *h)));
        let mut needed: Vec<(usize, usize)> = pairs.collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Sides, in the same class, whose boards say what a side's boards are.
    fn smaller_sides(&self, side: usize, loses_most: bool) -> Vec<usize> {
        let (first, steps) = (first_side(side, loses_most), self.recurrence.degree());
        if side < first + PERIOD * steps {
            return vec![side];
        }
        (0..steps).map(|step| first + PERIOD * step).collect()
    }

    /// The number of optimal boards: as counted where the board is small, else by the recurrence in both sides.
    ///
    /// # Errors
    /// A board that must be counted first.
    pub fn board_count(&self, width: usize, height: usize) -> Result<BigUint, MissingCount> {
        let (width, height) = order_sides(width, height);
        if is_narrow(width, height) {
            return self.known_count(width, height).cloned();
        }
        let most = loses_most(width, height);
        let widths = self.smaller_sides(width, most);
        let column = |w: &usize| {
            let counts: Result<Vec<BigInt>, MissingCount> = self
                .smaller_sides(height, most)
                .iter()
                .map(|h| self.known_count(*w, *h).map(|count| BigInt::from(count.clone())))
                .collect();
            Ok(self.extend_recurrence(counts?, first_side(height, most), height))
        };
        let row: Result<Vec<BigInt>, MissingCount> = widths.iter().map(column).collect();
        Ok(self.extend_recurrence(row?, first_side(width, most), width).magnitude().clone())
    }

    fn known_count(&self, width: usize, height: usize) -> Result<&BigUint, MissingCount> {
        let (width, height) = order_sides(width, height);
        self.counts.get(&(width, height)).ok_or(MissingCount { width, height })
    }

    /// Goes on to a side from the numbers of the sides from `first` on; a single number is that of the side.
    fn extend_recurrence(&self, mut numbers: Vec<BigInt>, first: usize, side: usize) -> BigInt {
        while numbers.len() > 1 && first + PERIOD * (numbers.len() - 1) < side {
            let next = self.recurrence.next_number(&numbers);
            numbers.push(next);
        }
        numbers.pop().unwrap_or_default()
    }

    /// All counts that also follow from those of smaller boards.
    #[must_use]
    pub fn predictions(&self) -> Vec<CountPrediction> {
        let mut found = Vec::new();
        for ((width, height), counted) in &self.counts {
            if self.needed_counts(*width, *height) == [(*width, *height)] {
                continue;
            }
            if let Ok(predicted) = self.board_count(*width, *height) {
                let counted = counted.clone();
                found.push(CountPrediction { width: *width, height: *height, counted, predicted });
            }
        }
        found
    }
}

/// The first side of its class that the recurrence is used from.
fn first_side(side: usize, loses_most: bool) -> usize {
    if loses_most {
        FIRST_WITH_MOST_LOSS + (side + PERIOD - FIRST_WITH_MOST_LOSS % PERIOD) % PERIOD
    } else {
        FIRST[side % PERIOD]
    }
}

fn order_sides(width: usize, height: usize) -> (usize, usize) {
    (width.min(height), width.max(height))
}

#[cfg(test)]
mod tests {
    use super::super::CriticalEdge;
    use super::*;

    /// Counts by `ishi strings count`, a board a line.
    const COUNTS: &str = include_str!("../../../../../data/strings/boards.txt");

    fn counted() -> RectangleCounts {
        let mut counts = RectangleCounts::new(&CriticalEdge::new(7).characteristic_polynomial());
        for line in COUNTS.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [_, size, boards] = words[..] else { panic!("{line}") };
            let (width, height) = size.split_once('x').unwrap();
            counts.insert(width.parse().unwrap(), height.parse().unwrap(), boards.parse().unwrap());
        }
        counts
    }

    #[test]
    fn the_recurrence_predicts_what_was_counted() {
        let predictions = counted().predictions();
        for prediction in &predictions {
            assert_eq!(
                prediction.predicted, prediction.counted,
                "{}x{}",
                prediction.width, prediction.height
            );
        }
        // Squares among them, and boards of every class that grow in one side only.
        assert!(predictions.iter().any(|prediction| prediction.width == prediction.height));
        let longer = predictions.iter().filter(|prediction| prediction.width < prediction.height);
        let classes: std::collections::BTreeSet<usize> = longer.map(|board| board.height % 5).collect();
        assert_eq!(classes.len(), 5, "{classes:?}");
    }

    #[test]
    fn the_counts_are_those_of_the_counter() {
        let counts = counted();
        for (width, height) in [(16, 16), (20, 25), (20, 29), (22, 22)] {
            let counted = crate::sequences::count_optimal_boards(
                width,
                height,
                &mut crate::sequences::TermWork {
                    threads: std::num::NonZeroUsize::MIN,
                    observe: &mut |_| std::ops::ControlFlow::Continue(()),
                },
            );
            assert_eq!(
                *counts.known_count(width, height).unwrap(),
                counted.unwrap().boards,
                "{width}x{height}"
            );
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let empty = RectangleCounts::new(&CriticalEdge::new(7).characteristic_polynomial());
        assert_eq!(empty.board_count(30, 20), Err(MissingCount { width: 20, height: 30 }));
        assert_eq!(empty.needed_counts(60, 9), [(9, 60)]);
        assert_eq!(empty.needed_counts(20, 63), [(20, 63)]);
        assert_eq!(empty.needed_counts(50, 50).len(), 21);
        assert_eq!(empty.needed_counts(50, 21), [(20, 21), (21, 25), (21, 30), (21, 35), (21, 40), (21, 45)]);
        assert!(empty.predictions().is_empty());
    }
}
