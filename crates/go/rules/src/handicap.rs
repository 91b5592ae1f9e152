//! Where handicap stones go.
//!
//! Fixed placement follows the GTP 2 specification (draft 2, section 4.1.1) as its reference implementation, GNU Go,
//! has it: star points on the third line of boards with 7 to 11 lines and on the fourth line above; four stones at
//! most on boards of 7 lines or an even number, nine on the others, none below 7. On rectangular boards each direction
//! follows its own number of lines.

use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::point::{BoardSize, Point};

/// No such handicap on this board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandicapError {
    stones: usize,
    size: BoardSize,
    most: usize,
}

impl fmt::Display for HandicapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HandicapError { stones, size, most } = self;
        write!(f, "invalid handicap {stones}: ")?;
        match most {
            0 => write!(f, "a {size} board has no fixed handicap points"),
            _ => write!(f, "a {size} board takes 2 to {most} stones"),
        }
    }
}

impl std::error::Error for HandicapError {}

impl CodedError for HandicapError {
    fn facts(&self) -> ErrorFacts {
        let HandicapError { stones, size, most } = self;
        match most {
            0 => facts!["go-handicap-none", stones, size],
            _ => facts!["go-handicap", stones, size, most],
        }
    }
}

/// The most stones that [`fixed_placement`] places on this board: 0, 4 or 9.
pub fn max_fixed_stones(size: BoardSize) -> usize {
    let odd = size.width() % 2 == 1 && size.height() % 2 == 1;
    match size.width().min(size.height()) {
        0..7 => 0,
        9.. if odd => 9,
        _ => 4,
    }
}

/// The points of a fixed handicap, 2 to 9 stones, in the order of the specification's table.
///
/// ```
/// use ishi_go::{BoardSize, handicap};
/// let size = BoardSize::square(19).unwrap();
/// let points: Vec<String> = handicap::fixed_placement(size, 3).unwrap().iter().map(|p| p.to_string()).collect();
/// assert_eq!(points, ["D4", "Q16", "D16"]);
/// assert_eq!(handicap::fixed_placement(size, 10).unwrap_err().to_string(),
///     "invalid handicap 10: a 19x19 board takes 2 to 9 stones");
/// ```
///
/// # Errors
/// If the board has no fixed placement for this many stones.
pub fn fixed_placement(size: BoardSize, stones: usize) -> Result<Vec<Point>, HandicapError> {
    let most = max_fixed_stones(size);
    if stones < 2 || stones > most {
        return Err(HandicapError { stones, size, most });
    }
    let all = star_points(size);
    let mut points = all[..stones.min(4)].to_vec();
    if stones >= 6 {
        points.extend(&all[4..6]);
    }
    if stones >= 8 {
        points.extend(&all[6..8]);
    }
    if stones >= 5 && stones % 2 == 1 {
        points.push(all[8]);
    }
    Ok(points)
}

/// The star points (hoshi), which boards are marked with: corners (lower left, upper right, upper left, lower right),
/// then left, right, bottom, top and centre. Four, nine or none, as [`max_fixed_stones`].
///
/// ```
/// use ishi_go::{BoardSize, Point, handicap};
/// let points = handicap::star_points(BoardSize::square(19).unwrap());
/// assert_eq!((points.len(), points[0]), (9, Point::new(3, 3)));
/// ```
pub fn star_points(size: BoardSize) -> Vec<Point> {
    let ends = |lines: usize| {
        let low = if lines >= 12 { 3 } else { 2 };
        (low, lines / 2, lines.saturating_sub(low + 1))
    };
    let ((left, center, right), (low, middle, high)) = (ends(size.width()), ends(size.height()));
    let order = [
        (left, low),
        (right, high),
        (left, high),
        (right, low),
        (left, middle),
        (right, middle),
        (center, low),
        (center, high),
        (center, middle),
    ];
    order[..max_fixed_stones(size)].iter().map(|&(column, row)| Point::new(column, row)).collect()
}

/// The points that boards are marked with where people play: nine from 15 lines on, from 9 lines on the corners and the centre, on smaller
/// boards and those with an even number of lines what a fixed handicap has of corners.
///
/// ```
/// use ishi_go::{BoardSize, handicap};
/// let marked = |side| handicap::marked_points(BoardSize::square(side).unwrap()).len();
/// assert_eq!([5, 7, 9, 10, 13, 19].map(marked), [0, 4, 5, 4, 5, 9]);
/// ```
pub fn marked_points(size: BoardSize) -> Vec<Point> {
    let all = star_points(size);
    let least = size.width().min(size.height());
    match all.as_slice() {
        [corners @ .., center] if corners.len() == 8 && least < 15 => {
            let center = (least >= 9).then_some(*center);
            corners[..4].iter().copied().chain(center).collect()
        }
        _ => all,
    }
}

/// A free placement of 2 to `area - 1` stones: the star points first, then always the point that lies furthest from
/// the stones placed so far and from the edge's first two lines.
///
/// # Errors
/// If fewer than two stones or as many as the board has points are asked for.
pub fn free_placement(size: BoardSize, stones: usize) -> Result<Vec<Point>, HandicapError> {
    let most = size.area() - 1;
    if stones < 2 || stones > most {
        return Err(HandicapError { stones, size, most });
    }
    let mut points = match max_fixed_stones(size) {
        0 => Vec::new(),
        most_fixed => fixed_placement(size, stones.min(most_fixed)).unwrap_or_default(),
    };
    while points.len() < stones {
        let vacant = size.points().filter(|point| !points.contains(point));
        let Some(best) = vacant.max_by_key(|&point| room_around(size, &points, point)) else { break };
        points.push(best);
    }
    Ok(points)
}

/// How much room a point has: the squared distance to the nearest of `points`, or to a line outside the board if that
/// is nearer. (The edge repels half as much as a stone, so that stones end up on the lines 3 and 4.)
fn room_around(size: BoardSize, points: &[Point], point: Point) -> usize {
    let square = |a: usize, b: usize| a.abs_diff(b).pow(2);
    let distance = |other: &Point| square(point.column(), other.column()) + square(point.row(), other.row());
    let (right, top) = (size.width() - 1 - point.column(), size.height() - 1 - point.row());
    let line = 1 + point.column().min(point.row()).min(right).min(top);
    points.iter().map(distance).min().unwrap_or(usize::MAX).min(2 * line * line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(points: &[Point]) -> String {
        points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn fixed_placement_follows_the_table() {
        let at =
            |side, stones| fixed_placement(BoardSize::square(side).unwrap(), stones).map(|p| names(&p)).ok();
        let text = |names: &str| Some(names.to_string());
        assert_eq!(at(19, 9), text("D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"));
        assert_eq!(at(19, 8), text("D4 Q16 D16 Q4 D10 Q10 K4 K16"));
        assert_eq!(at(19, 7), text("D4 Q16 D16 Q4 D10 Q10 K10"));
        assert_eq!(at(19, 5), text("D4 Q16 D16 Q4 K10"));
        assert_eq!(at(13, 5), text("D4 K10 D10 K4 G7"));
        assert_eq!(at(12, 4), text("D4 J9 D9 J4"));
        assert_eq!(at(11, 3), text("C3 J9 C9"));
        assert_eq!(at(9, 9), text("C3 G7 C7 G3 C5 G5 E3 E7 E5"));
        assert_eq!(at(8, 4), text("C3 F6 C6 F3"));
        assert_eq!(at(7, 2), text("C3 E5"));
        for (side, stones) in [(6, 2), (7, 5), (8, 5), (19, 1), (19, 10), (2, 2), (24, 5)] {
            assert_eq!(at(side, stones), None, "{side} {stones}");
        }
    }

    #[test]
    fn rectangles_take_each_side_on_its_own() {
        let points = fixed_placement(BoardSize::new(19, 9).unwrap(), 5).unwrap();
        assert_eq!(names(&points), "D3 Q7 D7 Q3 K5");
        assert!(fixed_placement(BoardSize::new(19, 10).unwrap(), 5).is_err());
    }

    #[test]
    fn free_placement_gives_distinct_points_for_every_number() {
        for size in
            [BoardSize::square(2).unwrap(), BoardSize::new(3, 7).unwrap(), BoardSize::square(9).unwrap()]
        {
            for stones in 2..size.area() {
                let mut points = free_placement(size, stones).unwrap();
                assert!(points.iter().all(|&point| size.contains(point)));
                points.sort();
                points.dedup();
                assert_eq!(points.len(), stones);
            }
            assert!(
                free_placement(size, size.area()).is_err()
                    && free_placement(size, 1).is_err()
                    && free_placement(size, 0).is_err()
            );
        }
    }
}
