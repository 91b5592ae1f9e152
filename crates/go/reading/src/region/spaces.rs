//! Spaces: points of a set that hang together, and nothing larger.

use crate::point_set::{PointSet, SMALL};

/// The parts of `within` that hang together, have `most` points at most, and hold one of the starts, each once. `starts` belong to `within`.
///
/// Within all that one side has no stones on, these are the spaces that its stones and the edge close in.
///
/// ```
/// use ishi_go::Point;
/// use ishi_reading::{PointSet, spaces_within};
/// let row = |columns: std::ops::Range<usize>| columns.map(|column| Point::new(column, 0));
/// let free: PointSet = row(0..2).chain(row(3..7)).collect();
/// let sizes: Vec<usize> = spaces_within(free, free, 10).map(|space| space.len()).collect();
/// assert_eq!(sizes, [2, 4]);
/// assert_eq!(spaces_within(free, free, 3).count(), 1);
/// ```
pub fn spaces_within(starts: PointSet, within: PointSet, most: usize) -> impl Iterator<Item = PointSet> {
    let mut todo = starts;
    std::iter::from_fn(move || {
        while let Some(start) = todo.first() {
            todo.remove(start);
            let space = if most < SMALL {
                PointSet::find_small_space(start, &within, most)
            } else {
                Some(PointSet::from_point(start).flood_within(&within, most))
            };
            let Some(space) = space else { continue };
            todo = todo.difference(&space);
            if space.len() <= most {
                return Some(space);
            }
        }
        None
    })
}
