//! Cuts: what may be asked of some optimal board without losing the optimum.
//!
//! # The paper's (section 3)
//!
//! Points are `(row, column)` from 1; "empty" is the paper's `x = 1`.
//!
//! **Corners** (theorem 2): of `(1, 3) (2, 2) (2, 3) (3, 1) (3, 2)`, and of their images in the other corners, at least one is empty.
//! For let all five be stones in an optimal board. `(2, 2)` needs an empty neighbour, so `(1, 2)` or `(2, 1)` is empty.
//! - If both are: `(1, 2)` gives way to `(1, 3)`, which is as good to `(1, 3)` and itself; `(1, 1)` and `(2, 2)` keep `(2, 1)`.
//! - If only `(1, 2)` is: `(2, 1)` needs `(1, 1)`, which gives way to `(2, 2)`: `(1, 1)` keeps `(1, 2)`, and `(2, 1)` has `(2, 2)`. Likewise for `(2, 1)`.
//!
//! The number of empty points stays, one corner is mended, and from sides of 5 on `(1, 1)`, `(1, 2)` and `(2, 1)` are in no other corner's
//! five points, so four steps mend all. On smaller boards these cuts are left out.
//!
//! **Centre**: the cuts in the corners are the same under all symmetries, so of a board and its eight images one may be chosen. With an
//! even side, `c = n / 2`, turn an empty one of the four middle points to `(c, c + 1)` and then a stone, if there is one, opposite or
//! beside it, so that `(c, c)` is empty only if all are: six patterns are left (figure 4). With an odd side, `c = (n + 1) / 2`, the
//! same is done with the four neighbours of the centre, `(c - 1, c)` for the first and `(c, c - 1)` for the last. The centre needs an
//! empty point: itself or, with these orders, `(c - 1, c)`.
//!
//! The paper knows squares only. On other rectangles we use the corners alone.
//!
//! # Ishi's
//!
//! **Corners**: on boards with sides of at least 5, some optimal board has, at each of its four corners, just one
//! empty point among the corner and its two neighbours. At least one there must be, or the corner, stone or not, would have
//! no empty point beside it. Let the empty points be a smallest set that meets the liberty constraints; call the corner
//! `c`, its neighbours `a` along the top and `b` down the side, and the next points beyond them `a'` and `b'`.
//! - If all three are empty, `c` can be filled: `a` is beside it. So the set was not smallest.
//! - If `c` and `a` are empty, only `b` may lose its last empty neighbour when `c` is filled (`c` keeps `a`); empty `b'` instead. It was
//!   not empty before, or the set was not smallest. Likewise for `c` and `b`, with `a'`.
//! - If `a` and `b` are empty, fill `b` and empty `b'`: `c` and the diagonal point have `a` beside them, `b` and what lies
//!   beyond has `b'`.
//!
//! Each step keeps the number of empty points and mends one corner; with sides of at least 5, `a'` and `b'` belong to no
//! other corner, so four steps at most mend all. On smaller boards these cuts are left out.
//!
//! **Centre**: every symmetry of the board takes solutions to solutions, and the corner cuts to each other. Take a point next to the
//! centre: of a solution and its images, choose one in which this point is empty if any point of its orbit is. That gives
//! `x(point) <= x(other)` for every other point of the orbit. Symmetries that keep the point are still free; go on with them and the
//! next point outwards, until none but the identity is left. On a square board with an odd side these are the four
//! neighbours of the centre, with an even side the four points around it.

use super::{Constraint, StringsFormulation};

/// The shortest side with corner cuts.
pub const MIN_CORNER_SIDE: usize = 5;

/// The cuts of a formulation.
#[must_use]
pub fn formulation_cuts(formulation: StringsFormulation, width: usize, height: usize) -> Vec<Constraint> {
    match formulation {
        StringsFormulation::Section2 => Vec::new(),
        StringsFormulation::Section3 => {
            [paper_corner_cuts(width, height), paper_centre_cuts(width, height)].concat()
        }
        StringsFormulation::Ishi => [corner_cuts(width, height), order_cuts(width, height)].concat(),
    }
}

/// Theorem 2 of the paper, for each corner; none on a board with a side under [`MIN_CORNER_SIDE`].
#[must_use]
pub fn paper_corner_cuts(width: usize, height: usize) -> Vec<Constraint> {
    /// Rows and columns from the corner, from 0.
    const FIVE: [(usize, usize); 5] = [(0, 2), (1, 1), (1, 2), (2, 0), (2, 1)];
    if width.min(height) < MIN_CORNER_SIDE {
        return Vec::new();
    }
    let corner = |(bottom, right): (bool, bool)| {
        let point = |(row, column): (usize, usize)| {
            let row = if bottom { height - 1 - row } else { row };
            let column = if right { width - 1 - column } else { column };
            row * width + column
        };
        Constraint::Open(FIVE.into_iter().map(point).collect())
    };
    [(false, false), (false, true), (true, false), (true, true)].map(corner).to_vec()
}

/// The paper's cuts around the centre of a square; none on other boards.
#[must_use]
pub fn paper_centre_cuts(width: usize, height: usize) -> Vec<Constraint> {
    let n = width;
    if n != height || n < 2 {
        return Vec::new();
    }
    // As the paper counts: row and column from 1.
    let point = |row: usize, column: usize| (row - 1) * n + column - 1;
    // `x_a <= x_b` of empty points: a stone on b has one on a.
    let orders = |pairs: &[(usize, usize)]| -> Vec<Constraint> {
        pairs.iter().map(|&(a, b)| Constraint::Order(b, a)).collect()
    };
    if n.is_multiple_of(2) {
        let c = n / 2;
        let [first, last] = [point(c, c + 1), point(c, c)];
        let [below, across] = [point(c + 1, c), point(c + 1, c + 1)];
        return orders(&[(last, first), (last, below), (last, across), (below, first), (across, first)]);
    }
    let c = n.div_ceil(2);
    let [first, last] = [point(c - 1, c), point(c, c - 1)];
    let [below, across] = [point(c + 1, c), point(c, c + 1)];
    let mut cuts = orders(&[(last, first), (last, across), (last, below), (below, first), (across, first)]);
    cuts.push(Constraint::Open(vec![point(c, c), first]));
    cuts
}

/// A corner cut for each corner; none on a board with a side under [`MIN_CORNER_SIDE`].
#[must_use]
pub fn corner_cuts(width: usize, height: usize) -> Vec<Constraint> {
    if width.min(height) < MIN_CORNER_SIDE {
        return Vec::new();
    }
    let corner = |(x, beside): (usize, usize), (y, below): (usize, usize)| {
        Constraint::Corner([y * width + x, y * width + beside, below * width + x])
    };
    let (left, right) = ((0, 1), (width - 1, width - 2));
    let (top, bottom) = ((0, 1), (height - 1, height - 2));
    vec![corner(left, top), corner(right, top), corner(left, bottom), corner(right, bottom)]
}

/// The symmetries of the board as maps of points, the identity first: 8 of a square, 4 of other rectangles, fewer where some
/// are the same.
#[must_use]
pub fn board_symmetries(width: usize, height: usize) -> Vec<Vec<usize>> {
    let mut maps: Vec<Vec<usize>> = Vec::new();
    let turns: &[bool] = if width == height { &[false, true] } else { &[false] };
    for &swap in turns {
        for (flip_x, flip_y) in [(false, false), (true, false), (false, true), (true, true)] {
            let image = |point: usize| {
                let (x, y) = (point % width, point / width);
                let (x, y) = if swap { (y, x) } else { (x, y) };
                let x = if flip_x { width - 1 - x } else { x };
                let y = if flip_y { height - 1 - y } else { y };
                y * width + x
            };
            let map: Vec<usize> = (0..width * height).map(image).collect();
            if !maps.contains(&map) {
                maps.push(map);
            }
        }
    }
    maps
}

/// The cuts around the centre: `Order(point, other)`, until no symmetry is free.
#[must_use]
pub fn order_cuts(width: usize, height: usize) -> Vec<Constraint> {
    let mut points: Vec<usize> = (0..width * height).collect();
    // Twice the distance along each axis, so that all is whole.
    let distance = |point: usize| {
        let (x, y) = (point % width, point / width);
        (2 * x).abs_diff(width - 1).pow(2) + (2 * y).abs_diff(height - 1).pow(2)
    };
    points.sort_by_key(|&point| (distance(point), point));
    let mut free = board_symmetries(width, height);
    let mut cuts = Vec::new();
    for point in points {
        if free.len() == 1 {
            break;
        }
        let mut orbit: Vec<usize> = free.iter().map(|map| map[point]).collect();
        orbit.sort_unstable();
        orbit.dedup();
        cuts.extend(
            orbit.iter().filter(|&&other| other != point).map(|&other| Constraint::Order(point, other)),
        );
        free.retain(|map| map[point] == point);
    }
    cuts
}
