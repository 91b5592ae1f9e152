//! Numbers of optimal boards of any size, from counts of small ones.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use thiserror::Error;

use super::Polynomial;

/// The recurrence holds between all counted boards from these sides on, by the side modulo 5, if the other side has
/// [`NARROWEST`] lines or more.
pub const FIRST: [usize; 5] = [20, 26, 27, 28, 29];

/// The shorter side of boards that the recurrence is used for.
pub const NARROWEST: usize = 20;

/// Columns after which an edge looks the same.
const PERIOD: usize = 5;

/// Counts of optimal boards, and the recurrence between them.
///
/// ```
/// use ishi_grid::growth::{Rectangles, Side};
/// let mut counts = Rectangles::new(&Side::new(7).characteristic());
/// for (height, boards) in [(20, 77900162_u64), (25, 4192532450), (30, 217955787848), (35, 11358302622818),
///     (40, 592663491551042), (45, 30908091363494408)] {
///     counts.insert(20, height, boards.into());
/// }
/// assert_eq!(counts.number(20, 50).unwrap(), 1612037252497461602_u64.into());
/// ```
#[derive(Clone, Debug)]
pub struct Rectangles {
    recurrence: Polynomial,
    /// By sides, the shorter one first.
    counts: BTreeMap<(usize, usize), BigUint>,
}

/// A board that must be counted first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the boards of {width}x{height} must be counted first")]
pub struct Missing {
    /// The shorter side.
    pub width: usize,
    /// The longer side.
    pub height: usize,
}

/// A counted board and what the recurrence says, from smaller boards alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prediction {
    /// The shorter side.
    pub width: usize,
    /// The longer side.
    pub height: usize,
    /// What was counted.
    pub counted: BigUint,
    /// What follows from the counts of smaller boards.
    pub predicted: BigUint,
}

impl Rectangles {
    /// No counts yet; the characteristic polynomial is that of one edge.
    #[must_use]
    pub fn new(side: &Polynomial) -> Rectangles {
        Rectangles { recurrence: side.nonzero_roots().products(2), counts: BTreeMap::new() }
    }

    /// The characteristic polynomial of the recurrence in one side of the board, five lines a step.
    #[must_use]
    pub fn recurrence(&self) -> &Polynomial {
        &self.recurrence
    }

    /// Takes note of a count.
    pub fn insert(&mut self, width: usize, height: usize, boards: BigUint) {
        self.counts.insert(ordered(width, height), boards);
    }

    /// The counts that a number follows from: the board itself, if it is narrow or both sides are small.
    #[must_use]
    pub fn needed(&self, width: usize, height: usize) -> Vec<(usize, usize)> {
        let (width, height) = ordered(width, height);
        if width < NARROWEST {
            return vec![(width, height)];
        }
        let (widths, heights) = (self.small(width), self.small(height));
        let pairs = widths.iter().flat_map(|w| heights.iter().map(|h| ordered(*w, *h)));
        let mut needed: Vec<(usize, usize)> = pairs.collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Sides, in the same class, whose boards say what a side's boards are.
    fn small(&self, side: usize) -> Vec<usize> {
        let (first, steps) = (FIRST[side % PERIOD], self.recurrence.degree());
        if side < first + PERIOD * steps {
            return vec![side];
        }
        (0..steps).map(|step| first + PERIOD * step).collect()
    }

    /// The number of optimal boards: as counted where the board is small, else by the recurrence in both sides.
    ///
    /// # Errors
    /// A board that must be counted first.
    pub fn number(&self, width: usize, height: usize) -> Result<BigUint, Missing> {
        let (width, height) = ordered(width, height);
        if width < NARROWEST {
            return self.count(width, height).cloned();
        }
        let widths = self.small(width);
        let column = |w: &usize| {
            let counts: Result<Vec<&BigUint>, Missing> =
                self.small(height).iter().map(|h| self.count(*w, *h)).collect();
            Ok(self.extend(counts?.into_iter().map(|count| BigInt::from(count.clone())).collect(), height))
        };
        let row: Result<Vec<BigInt>, Missing> = widths.iter().map(column).collect();
        Ok(self.extend(row?, width).magnitude().clone())
    }

    fn count(&self, width: usize, height: usize) -> Result<&BigUint, Missing> {
        let (width, height) = ordered(width, height);
        self.counts.get(&(width, height)).ok_or(Missing { width, height })
    }

    /// Goes on from the numbers of the small sides to a side; a single number is that of the side.
    fn extend(&self, mut numbers: Vec<BigInt>, side: usize) -> BigInt {
        let steps = side.saturating_sub(FIRST[side % PERIOD]) / PERIOD;
        while numbers.len() > 1 && numbers.len() <= steps {
            let next = self.recurrence.next(&numbers);
            numbers.push(next);
        }
        numbers.pop().unwrap_or_default()
    }

    /// All counts that also follow from those of smaller boards.
    #[must_use]
    pub fn predictions(&self) -> Vec<Prediction> {
        let mut found = Vec::new();
        for ((width, height), counted) in &self.counts {
            if self.needed(*width, *height) == [(*width, *height)] {
                continue;
            }
            if let Ok(predicted) = self.number(*width, *height) {
                let counted = counted.clone();
                found.push(Prediction { width: *width, height: *height, counted, predicted });
            }
        }
        found
    }
}

fn ordered(width: usize, height: usize) -> (usize, usize) {
    (width.min(height), width.max(height))
}

#[cfg(test)]
mod tests {
    use super::super::Side;
    use super::*;

    /// Counts by `ishi strings count`, a board a line.
    const COUNTS: &str = include_str!("../../../../data/strings/boards.txt");

    fn counted() -> Rectangles {
        let mut counts = Rectangles::new(&Side::new(7).characteristic());
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
        // Squares of every class among them, and boards that grow in one side only.
        let squares = predictions.iter().filter(|prediction| prediction.width == prediction.height);
        let classes: std::collections::BTreeSet<usize> = squares.map(|square| square.width % 5).collect();
        assert_eq!(classes.len(), 5, "{classes:?}");
        assert!(predictions.iter().any(|prediction| prediction.width < prediction.height));
    }

    #[test]
    fn the_counts_are_those_of_the_counter() {
        let counts = counted();
        for (width, height) in [(16, 16), (20, 25), (19, 24), (22, 22)] {
            let counted = crate::sequences::optimal_boards(
                width,
                height,
                &mut crate::sequences::Work {
                    threads: std::num::NonZeroUsize::MIN,
                    observe: &mut |_, _, _| std::ops::ControlFlow::Continue(()),
                },
            );
            assert_eq!(*counts.count(width, height).unwrap(), counted.unwrap().boards, "{width}x{height}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let empty = Rectangles::new(&Side::new(7).characteristic());
        assert_eq!(empty.number(30, 20), Err(Missing { width: 20, height: 30 }));
        assert_eq!(empty.needed(60, 9), [(9, 60)]);
        assert_eq!(empty.needed(50, 50).len(), 21);
        assert_eq!(empty.needed(50, 21), [(20, 21), (21, 25), (21, 30), (21, 35), (21, 40), (21, 45)]);
        assert!(empty.predictions().is_empty());
    }
}
