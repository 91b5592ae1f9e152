//! The cuts of section 3, as we read it: what may be asked of some optimal board without losing the optimum.
//!
//! **Corners.** On boards with sides of at least 5, some optimal board has, at each of its four corners, just one
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
//! **Centre.** Every symmetry of the board takes solutions to solutions, and the corner cuts to each other. Take a point next to the
//! centre: of a solution and its images, choose one in which this point is empty if any point of its orbit is. That gives
//! `x(point) <= x(other)` for every other point of the orbit. Symmetries that keep the point are still free; go on with them and the
//! next point outwards, until none but the identity is left. On a square board with an odd side these are the four
//! neighbours of the centre, with an even side the four points around it.

use super::Constraint;

/// The shortest side with corner cuts.
pub const MIN_CORNER_SIDE: usize = 5;

/// A corner cut for each corner; none on a board with a side under [`MIN_CORNER_SIDE`].
#[must_use]
pub fn corners(width: usize, height: usize) -> Vec<Constraint> {
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
pub fn symmetries(width: usize, height: usize) -> Vec<Vec<usize>> {
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
pub fn orders(width: usize, height: usize) -> Vec<Constraint> {
    let mut points: Vec<usize> = (0..width * height).collect();
    // Twice the distance along each axis, so that all is whole.
    let distance = |point: usize| {
        let (x, y) = (point % width, point / width);
        (2 * x).abs_diff(width - 1).pow(2) + (2 * y).abs_diff(height - 1).pow(2)
    };
    points.sort_by_key(|&point| (distance(point), point));
    let mut free = symmetries(width, height);
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
