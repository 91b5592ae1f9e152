//! How many boards are left after the cuts.

use num_bigint::BigUint;

use super::{Constraint, StringsFormulation, cuts};
use crate::domination::{BoardShape, CellConstraint, CountError, DominationOptions, count_boards};
use crate::layers::LayerObserver;

/// Which boards to count.
#[derive(Clone, Copy, Debug)]
pub struct CountAfterCuts {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Whose cuts.
    pub formulation: StringsFormulation,
    /// Empty points of an optimal board.
    pub empties: usize,
    /// How many numbers: boards with so many empty points, with one more, and so on.
    pub numbers: usize,
}

/// Counts the boards of theorem 1 that meet all cuts of a formulation: the boards among which its solver chooses.
///
/// The points of short cuts are given every stone and empty point that the cuts allow, in turn. Cuts of many points, "not
/// all of these are stones", are left to inclusion and exclusion: all boards, less those with stones on all points of
/// one cut, and those of two again, and so on. The rest is counted by the frontier solver.
///
/// # Errors
/// See [`CountError`].
pub fn count_after_cuts(
    asked: CountAfterCuts,
    options: DominationOptions,
    observer: LayerObserver<'_>,
) -> Result<Vec<BigUint>, CountError> {
    let CountAfterCuts { width, height, formulation, empties, numbers } = asked;
    let (long, short): (Vec<Constraint>, Vec<Constraint>) =
        cuts::formulation_cuts(formulation, width, height).into_iter().partition(is_long);
    let mut sums = [vec![BigUint::ZERO; numbers], vec![BigUint::ZERO; numbers]];
    for assignment in allowed_assignments(&short, width * height) {
        for broken in 0..1usize << long.len() {
            let stones = long.iter().enumerate().filter(|(place, _)| broken >> place & 1 == 1);
            let stones = stones.flat_map(|(_, cut)| constraint_points(cut)).map(|point| (point, true));
            let Some(shape) = given_shape(width, height, assignment.iter().copied().chain(stones)) else {
                continue;
            };
            match count_boards(&shape, empties, numbers, options, observer) {
                Ok(counts) => {
                    // The fewest empty points with what is given may be more.
                    let more = counts.empties - empties;
                    let sum = &mut sums[broken.count_ones() as usize % 2];
                    sum.iter_mut().skip(more).zip(&counts.boards).for_each(|(sum, boards)| *sum += boards);
                }
                Err(CountError::Infeasible) => {}
                Err(error) => return Err(error),
            }
        }
    }
    let [with, without] = sums;
    Ok(with.into_iter().zip(without).map(|(with, without)| with - without).collect())
}

/// A board with given points; none if a point would have to be both.
fn given_shape(
    width: usize,
    height: usize,
    points: impl Iterator<Item = (usize, bool)>,
) -> Option<BoardShape> {
    let mut shape = BoardShape::new(width, height);
    let mut known = vec![None; width * height];
    for (point, stone) in points {
        if known[point] == Some(!stone) {
            return None;
        }
        known[point] = Some(stone);
    }
    for (point, stone) in known.into_iter().enumerate() {
        let Some(stone) = stone else { continue };
        shape.set_given(
            point % width,
            point / width,
            if stone { CellConstraint::Stone } else { CellConstraint::Empty },
        );
    }
    Some(shape)
}

fn constraint_points(constraint: &Constraint) -> Vec<usize> {
    match constraint {
        Constraint::Corner(points) => points.to_vec(),
        Constraint::Order(first, second) => vec![*first, *second],
        Constraint::Open(points) => points.clone(),
        Constraint::Liberty(_) | Constraint::Strings(_) => Vec::new(),
    }
}

/// Is it "not all of these are stones" of many points?
fn is_long(constraint: &Constraint) -> bool {
    matches!(constraint, Constraint::Open(points) if points.len() > 2)
}

/// All ways to fill the points of some cuts that these cuts allow.
fn allowed_assignments(constraints: &[Constraint], cells: usize) -> Vec<Vec<(usize, bool)>> {
    let mut found = vec![Vec::new()];
    for constraint in constraints {
        for point in constraint_points(constraint) {
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
            constraint.is_met_by(stone, cells)
        };
        found.retain(holds);
    }
    found
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    #[test]
    fn assignments_meet_the_cuts() {
        let of = |width, height| {
            allowed_assignments(
                &cuts::formulation_cuts(StringsFormulation::Ishi, width, height),
                width * height,
            )
        };
        assert_eq!(of(1, 1), [Vec::new()]);
        // Three choices at each corner; around the centre the northern point decides over the others, and west over east.
        assert_eq!(of(5, 5).len(), 81 * (1 + 2 * 3));
        assert_eq!(of(6, 4).len(), 1 + 8);
        // Figure 4 of the paper: six patterns around the centre of an even board.
        assert_eq!(allowed_assignments(&cuts::paper_centre_cuts(8, 8), 64).len(), 6);
    }

    /// The numbers that listing all boards gives (`tests` of [`super::super`]).
    #[test]
    fn boards_are_as_many_as_listed() {
        for (formulation, (width, height), empties, left) in [
            (StringsFormulation::Section2, (5, 5), 7, vec![22u32, 1545]),
            (StringsFormulation::Section3, (5, 5), 7, vec![7, 437]),
            (StringsFormulation::Section2, (6, 6), 10, vec![288, 20896]),
            (StringsFormulation::Section3, (6, 6), 10, vec![64, 4745]),
            (StringsFormulation::Section3, (5, 6), 8, vec![13]),
            (StringsFormulation::Section3, (7, 7), 12, vec![1]),
            (StringsFormulation::Ishi, (5, 5), 7, vec![7]),
            (StringsFormulation::Ishi, (5, 6), 8, vec![7]),
            (StringsFormulation::Ishi, (7, 5), 9, vec![3]),
            (StringsFormulation::Ishi, (6, 6), 10, vec![64, 3733]),
            (StringsFormulation::Ishi, (7, 7), 12, vec![1]),
        ] {
            let asked = CountAfterCuts { width, height, formulation, empties, numbers: left.len() };
            let counted =
                count_after_cuts(asked, DominationOptions::default(), &mut |_| ControlFlow::Continue(()));
            let left: Vec<BigUint> = left.into_iter().map(BigUint::from).collect();
            assert_eq!(counted, Ok(left), "{width}x{height}, {}", formulation.short_name());
        }
    }
}
