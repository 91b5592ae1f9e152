//! Squares of which no point is covered twice: in their middle they are a perfect code.

use std::collections::BTreeSet;

/// A square of `side` x `side` points (3 to 8) each of which is covered just once by sets of the infinite grid.
#[derive(Clone, Copy, Debug)]
pub struct LosslessWindow {
    /// Points each way.
    pub side: usize,
}

/// Points of the square that a set covers, and those it has, as bits.
#[derive(Clone, Copy)]
struct WindowCover {
    covered: u64,
    chosen: u64,
}

impl LosslessWindow {
    /// How the sets look `margin` points and more from the square's edge, as bits row by row.
    ///
    /// # Panics
    /// When the side is not 3 to 8.
    #[must_use]
    pub fn possible_middles(self, margin: usize) -> BTreeSet<u64> {
        assert!((3..=8).contains(&self.side), "a window has 3 to 8 points each way");
        let mut covers = Vec::new();
        self.extend_cover(WindowCover { covered: 0, chosen: 0 }, &mut covers);
        let middle = self.middle_bits(margin);
        covers.into_iter().map(|chosen| chosen & middle).collect()
    }

    /// How the ten perfect codes look there: `x + 2y = c` and `x + 3y = c` modulo 5.
    #[must_use]
    pub fn code_middles(self, margin: usize) -> BTreeSet<u64> {
        let middle = self.middle_bits(margin);
        let codes = [2, 3].into_iter().flat_map(|slope| (0..5).map(move |shift| (slope, shift)));
        codes.map(|(slope, shift)| self.point_bits(|x, y| (x + slope * y) % 5 == shift) & middle).collect()
    }

    /// Do the ten codes differ in the points that the middles of two squares, one beside or below the other, have in common?
    #[must_use]
    pub fn neighbours_agree(self, margin: usize) -> bool {
        let inner = margin..self.side - margin;
        let beside = self.point_bits(|x, y| inner.contains(&x) && inner.contains(&y) && x > margin);
        let below = self.point_bits(|x, y| inner.contains(&x) && inner.contains(&y) && y > margin);
        let differ = |common: u64| {
            let seen: BTreeSet<u64> =
                self.code_middles(margin).into_iter().map(|code| code & common).collect();
            seen.len() == 10
        };
        differ(beside) && differ(below)
    }

    fn point_bits(self, is: impl Fn(usize, usize) -> bool) -> u64 {
        let points = (0..self.side * self.side).filter(|i| is(i % self.side, i / self.side));
        points.map(|i| 1 << i).sum()
    }

    fn middle_bits(self, margin: usize) -> u64 {
        let inner = margin..self.side.saturating_sub(margin);
        self.point_bits(|x, y| inner.contains(&x) && inner.contains(&y))
    }

    /// Covers the first point that is not covered in all ways: by itself or by a neighbour, which may lie outside.
    fn extend_cover(self, cover: WindowCover, found: &mut Vec<u64>) {
        let side = self.side as i32;
        let first = cover.covered.trailing_ones() as i32;
        if first >= side * side {
            found.push(cover.chosen);
            return;
        }
        let (x, y) = (first % side, first / side);
        for (dx, dy) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (centre, covers) = (self.point_bit(x + dx, y + dy), self.cross_bits(x + dx, y + dy));
            if cover.covered & covers == 0 {
                let next = WindowCover { covered: cover.covered | covers, chosen: cover.chosen | centre };
                self.extend_cover(next, found);
            }
        }
    }

    /// The point's bit; none outside.
    fn point_bit(self, x: i32, y: i32) -> u64 {
        let inside = |z: i32| (0..self.side as i32).contains(&z);
        if inside(x) && inside(y) { 1 << (y * self.side as i32 + x) } else { 0 }
    }

    fn cross_bits(self, x: i32, y: i32) -> u64 {
        [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)].map(|(dx, dy)| self.point_bit(x + dx, y + dy)).iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_lossless_square_is_a_perfect_code() {
        let window = LosslessWindow { side: 6 };
        assert_eq!(window.possible_middles(1), window.code_middles(1));
        assert_eq!(window.code_middles(1).len(), 10);
        assert!(window.neighbours_agree(1));
        // Without a margin it need not be one: the bound is not empty.
        assert!(window.possible_middles(0).len() > 10);
    }

    /// All sets of the points in and around a square of 3 x 3, by brute force.
    #[test]
    fn small_squares_are_those_of_brute_force() {
        let points: Vec<(i32, i32)> =
            (-1..4).flat_map(|y| (-1..4).map(move |x| (x, y))).filter(|p| near(*p)).collect();
        let mut middles = BTreeSet::new();
        for set in 0u32..1 << points.len() {
            let has = |x, y| points.iter().position(|p| *p == (x, y)).is_some_and(|i| set >> i & 1 == 1);
            let once = |i: i32| {
                let (x, y) = (i % 3, i / 3);
                let crosses = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)];
                crosses.iter().filter(|(dx, dy)| has(x + dx, y + dy)).count() == 1
            };
            if (0..9).all(once) {
                middles.insert((0..9).filter(|i| has(i % 3, i / 3)).map(|i| 1u64 << i).sum());
            }
        }
        assert_eq!(LosslessWindow { side: 3 }.possible_middles(0), middles);
    }

    /// In the square or beside it.
    fn near((x, y): (i32, i32)) -> bool {
        let inside = |z: i32| (0..3).contains(&z);
        inside(x) || inside(y)
    }
}
