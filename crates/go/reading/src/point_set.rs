//! Sets of points as bits, one for every index of a board: union, growth and look-up are a few machine words.

use std::cell::Cell;

use ishi_go::Point;

/// Words of a set: every point of a 25x25 board and its border.
const WORDS: usize = 14;

/// Columns from one row to the next, as [`Point::index`] counts.
const STRIDE: u32 = 32;

/// Spaces of fewer points are small.
pub(crate) const SMALL: usize = 32;

/// A set of points.
///
/// ```
/// use ishi_go::Point;
/// use ishi_reading::PointSet;
/// let set: PointSet = [Point::new(3, 3), Point::new(3, 4)].into_iter().collect();
/// assert!(set.contains(Point::new(3, 4)) && set.len() == 2);
/// assert_eq!(set.with_neighbours().len(), 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// No points.
    pub const EMPTY: PointSet = PointSet([0; WORDS]);

    /// The set of one point.
    #[inline]
    pub fn from_point(point: Point) -> PointSet {
        let mut set = PointSet::EMPTY;
        set.insert(point);
        set
    }

    /// Adds a point.
    #[inline]
    pub fn insert(&mut self, point: Point) {
        self.0[word_index(point)] |= bit_mask(point);
    }

    /// Takes a point out.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.0[word_index(point)] &= !bit_mask(point);
    }

    /// Is the point in the set?
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.0[word_index(point)] & bit_mask(point) != 0
    }

    /// Is there no point?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Number of points.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// One of the points, the lowest.
    #[inline]
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// The points, from the lowest up.
    #[inline]
    pub fn iter(&self) -> PointSetIter {
        PointSetIter { set: self.0, word: 0 }
    }

    /// The set and every orthogonal neighbour of its points, those on the border too.
    #[inline]
    pub fn with_neighbours(&self) -> PointSet {
        let set = &self.0;
        let mut grown = *set;
        for i in 0..WORDS {
            let below = if i > 0 { set[i - 1] } else { 0 };
            let above = if i + 1 < WORDS { set[i + 1] } else { 0 };
            grown[i] |= set[i] << 1 | below >> 63 | set[i] >> 1 | above << 63;
            grown[i] |= set[i] << STRIDE | below >> (64 - STRIDE) | set[i] >> STRIDE | above << (64 - STRIDE);
        }
        PointSet(grown)
    }

    /// The set grown within these points as far as it goes, or until it has more than `most`.
    pub fn flood_within(mut self, within: &PointSet, most: usize) -> PointSet {
        loop {
            let grown = self.with_neighbours().intersection(within);
            if grown == self || self.len() > most {
                return self;
            }
            self = grown;
        }
    }

    /// The points that hang together with one within a set, point by point; none if there are more than `most`, which is 31 or less.
    pub(crate) fn find_small_space(start: Point, within: &PointSet, most: usize) -> Option<PointSet> {
        debug_assert!(most < SMALL);
        let mut space = PointSet::from_point(start);
        let mut found = [start; SMALL];
        let (mut count, mut next) = (1, 0);
        while next < count {
            for point in found[next].neighbours() {
                if within.contains(point) && !space.contains(point) {
                    if count >= most {
                        return None;
                    }
                    space.insert(point);
                    found[count] = point;
                    count += 1;
                }
            }
            next += 1;
        }
        Some(space)
    }

    /// The points that are in either set.
    #[inline]
    pub fn union(mut self, other: &PointSet) -> PointSet {
        self.add_set(other);
        self
    }

    /// The points that are in both sets.
    #[inline]
    pub fn intersection(mut self, other: &PointSet) -> PointSet {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        self
    }

    /// The points that are not in the other set.
    #[inline]
    pub fn difference(mut self, other: &PointSet) -> PointSet {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= !b);
        self
    }

    /// Adds the points of another set.
    #[inline]
    pub fn add_set(&mut self, other: &PointSet) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }
}

#[inline]
fn word_index(point: Point) -> usize {
    (point.index() / 64).min(WORDS - 1)
}

#[inline]
fn bit_mask(point: Point) -> u64 {
    1 << (point.index() % 64)
}

/// A set that grows behind shared references.
#[derive(Clone, Debug, Default)]
pub(crate) struct PointMarks([Cell<u64>; WORDS]);

impl PointMarks {
    /// Adds a point.
    #[inline]
    pub(crate) fn insert(&self, point: Point) {
        let word = &self.0[word_index(point)];
        word.set(word.get() | bit_mask(point));
    }

    /// Takes a point out.
    #[inline]
    pub(crate) fn remove(&self, point: Point) {
        let word = &self.0[word_index(point)];
        word.set(word.get() & !bit_mask(point));
    }

    /// Adds the points of a set.
    #[inline]
    pub(crate) fn add_set(&self, points: &PointSet) {
        self.0.iter().zip(points.0).for_each(|(word, more)| word.set(word.get() | more));
    }

    /// Is the point marked?
    #[inline]
    pub(crate) fn contains(&self, point: Point) -> bool {
        self.0[word_index(point)].get() & bit_mask(point) != 0
    }

    /// Those of the points that are marked.
    #[inline]
    pub(crate) fn marked_among(&self, points: &PointSet) -> PointSet {
        let mut marked = *points;
        marked.0.iter_mut().zip(&self.0).for_each(|(a, b)| *a &= b.get());
        marked
    }

    /// All that are marked; none are afterwards.
    pub(crate) fn take_all(&self) -> PointSet {
        PointSet(std::array::from_fn(|i| self.0[i].take()))
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        points.into_iter().for_each(|point| set.insert(point));
        set
    }
}

impl std::fmt::Debug for PointSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(Point::index)).finish()
    }
}

/// The points of a [`PointSet`], from the lowest up.
#[derive(Clone, Debug)]
pub struct PointSetIter {
    set: [u64; WORDS],
    word: usize,
}

impl Iterator for PointSetIter {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.word < WORDS {
            let bits = self.set[self.word];
            if bits != 0 {
                self.set[self.word] = bits & (bits - 1);
                return Some(Point::from_index(self.word * 64 + bits.trailing_zeros() as usize));
            }
            self.word += 1;
        }
        None
    }
}
