//! How many optimal boards are left after the cuts.

use num_bigint::BigUint;

use super::{Constraint, cuts};
use crate::domination::{CountError, Given, Options, Progress, Shape, count};

/// Counts the boards of theorem 1 with `empties` empty points, the least possible number, that meet all cuts of [`cuts`]:
/// the boards among which a solver of formulation 2 chooses.
///
/// The points that cuts speak of are given every stone and empty point that the cuts allow, in turn; the rest is counted
/// by the frontier solver.
///
/// # Errors
/// See [`CountError`].
pub fn count_after_cuts(
    width: usize,
    height: usize,
    empties: usize,
    options: Options,
    observer: &mut dyn FnMut(Progress) -> std::ops::ControlFlow<()>,
) -> Result<BigUint, CountError> {
    let mut sum = BigUint::ZERO;
    for assignment in assignments(width, height) {
        let mut shape = Shape::new(width, height);
        for (point, stone) in assignment {
            let what = if stone { Given::Stone } else { Given::Empty };
            shape.give(point % width, point / width, what);
        }
        match count(&shape, empties, 1, options, observer) {
            Ok(counts) => sum += &counts.boards[0],
            Err(CountError::Infeasible) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(sum)
}

/// All ways to fill the points of the cuts that the cuts allow.
fn assignments(width: usize, height: usize) -> Vec<Vec<(usize, bool)>> {
    let mut constraints = cuts::corners(width, height);
    constraints.extend(cuts::orders(width, height));
    let mut found = vec![Vec::new()];
    for constraint in constraints {
        let points = match constraint {
            Constraint::Corner(points) => points.to_vec(),
            Constraint::Order(first, second) => vec![first, second],
            Constraint::Liberty(_) | Constraint::Strings(_) => Vec::new(),
        };
        for &point in &points {
            // A point that is new may hold a stone or not.
            let is_new = found
                .first()
                .is_some_and(|known: &Vec<(usize, bool)>| known.iter().all(|(p, _)| *p != point));
            if is_new {
                found = found
                    .iter()
                    .flat_map(|known| [true, false].map(|stone| [&known[..], &[(point, stone)]].concat()))
                    .collect();
            }
        }
        let holds = |known: &Vec<(usize, bool)>| {
            let stone = |point: usize| known.iter().any(|&(p, stone)| p == point && stone);
            constraint.holds(stone, width * height)
        };
        found.retain(holds);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_meet_the_cuts() {
        assert_eq!(assignments(1, 1), [Vec::new()]);
        // Three choices at each corner; around the centre the northern point decides over the others, and west over east.
        assert_eq!(assignments(5, 5).len(), 81 * (1 + 2 * 3));
        assert_eq!(assignments(6, 4).len(), 1 + 8);
    }

    /// The numbers that listing all boards gives (`tests` of [`super::super`]).
    #[test]
    fn boards_are_as_many_as_listed() {
        for (width, height, empties, left) in
            [(5, 5, 7, 7u32), (5, 6, 8, 7), (7, 5, 9, 3), (6, 6, 10, 64), (7, 7, 12, 1)]
        {
            let counted = count_after_cuts(width, height, empties, Options::default(), &mut |_| {
                std::ops::ControlFlow::Continue(())
            });
            assert_eq!(counted, Ok(BigUint::from(left)), "{width}x{height}");
        }
    }
}
