//! Nakade: the vital point of a small eye space.
//!
//! A space of three to six points inside one colour's stones is one eye or two, depending on who plays its vital point first.
//! The shapes that have one are those of the literature (three in a row or bent; pyramid and T four, square; bulky and crossed
//! five; rabbity six): exactly those in which one point touches enough of the others.

use ishi_go::{Board, Cell, Color, Point};

/// The largest space with a vital point.
const MOST: usize = 6;

/// Points of a space with a vital point have at most so many empty neighbours of eight (the middle of the rabbity six).
const WIDEST: u32 = 5;

/// The vital point of the empty region at `start`, if the region has three to six points, all its borders are stones of one
/// colour, and its shape has such a point.
pub(crate) fn vital_point_of_space(board: &Board, start: Point) -> Option<Point> {
    let mut region = [start; MOST];
    let mut count = 1;
    let mut owner: Option<Color> = None;
    let mut next = 0;
    while next < count {
        if count_empty_around(board, region[next]) > WIDEST {
            return None;
        }
        for n in region[next].neighbours() {
            match board.cell(n) {
                Cell::Empty => {
                    if !region[..count].contains(&n) {
                        if count == MOST {
                            return None;
                        }
                        region[count] = n;
                        count += 1;
                    }
                }
                Cell::Border => {}
                stone => {
                    let color = stone.color();
                    if owner.is_some() && owner != color {
                        return None;
                    }
                    owner = color;
                }
            }
        }
        next += 1;
    }
    vital_point_of_region(&region[..count])
}

/// The vital point of a connected region, by the numbers of neighbours that its points have in it.
fn vital_point_of_region(region: &[Point]) -> Option<Point> {
    if region.len() < 3 {
        return None;
    }
    let degree = |point: Point| point.neighbours().iter().filter(|n| region.contains(n)).count();
    let mut degrees = [0; MOST];
    for (place, &point) in degrees.iter_mut().zip(region) {
        *place = degree(point);
    }
    let degrees = &degrees[..region.len()];
    let edges: usize = degrees.iter().sum::<usize>() / 2;
    let (best, &most) = degrees.iter().enumerate().max_by_key(|&(_, degree)| degree)?;
    let dead = match (region.len(), most, edges) {
        // Three: the middle. Four: the middle of the pyramid. Any point of a square kills, and is worth nothing else.
        (3, 2, _) | (4, 3, _) => true,
        // Five: crossed, or bulky (a square with a tail).
        (5, 4, _) | (5, 3, 5) => true,
        // Six: the rabbit (a square with two tails at one corner, or a crossed five with a corner filled).
        (6, 4, 6) => true,
        _ => false,
    };
    dead.then_some(region[best])
}

/// Vital points of the small spaces beside the last move.
#[inline]
pub(crate) fn vital_point_beside(board: &Board, last: Point) -> Option<Point> {
    let around = last.neighbours().into_iter().filter(|&n| board.cell(n) == Cell::Empty);
    let mut narrow = around.filter(|&n| (1..=WIDEST).contains(&count_empty_around(board, n)));
    narrow.find_map(|n| vital_point_of_space(board, n))
}

/// How many of a point's eight neighbours are empty.
#[inline]
fn count_empty_around(board: &Board, point: Point) -> u32 {
    let code = board.neighbourhood(point).0;
    (!(code | code >> 1) & 0x5555).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_boards::{board_of_rows, point_of};

    /// A region given by rows of `#` and others, and its vital point by column and row from the top.
    fn check(rows: &[&str], wanted: Option<(usize, usize)>) {
        let cells = |(row, text): (usize, &&str)| {
            let point = move |column| Point::new(column, 10 - row);
            let taken = text.char_indices().filter(|&(_, cell)| cell == '#');
            taken.map(|(column, _)| point(column)).collect::<Vec<_>>()
        };
        let region: Vec<Point> = rows.iter().enumerate().flat_map(cells).collect();
        let wanted = wanted.map(|(column, row)| Point::new(column, 10 - row));
        assert_eq!(vital_point_of_region(&region), wanted, "{rows:?}");
    }

    #[test]
    fn shapes_of_the_literature_have_their_vital_points() {
        check(&["##"], None);
        check(&["###"], Some((1, 0)));
        check(&["##", "#."], Some((0, 0)));
        check(&["####"], None);
        check(&["##", "##"], None);
        check(&["###", ".#."], Some((1, 0)));
        check(&["##.", ".##"], None);
        check(&[".#.", "###", ".#."], Some((1, 1)));
        check(&["##", "##", "#."], Some((0, 1)));
        check(&["#####"], None);
        check(&["###", "#..", "#.."], None);
        check(&["##.", "###", ".#."], Some((1, 1)));
        check(&["###", "###"], None);
    }

    #[test]
    fn only_closed_regions_of_one_owner_count() {
        let vital = |rows: &str, vertex: &str| {
            let board = board_of_rows(rows);
            vital_point_of_space(&board, point_of(&board, vertex)).map(|point| point.to_string())
        };
        let closed = ". . . . .\n. . . . .\nX X X X .\n. . . X .\nX X X X .\n";
        assert_eq!(vital(closed, "A2").as_deref(), Some("B2"));
        let mixed = ". . . . .\n. . . . .\nX O X X .\n. . . X .\nX X X X .\n";
        assert_eq!(vital(mixed, "A2"), None);
        assert_eq!(vital(closed, "A5"), None, "the open board");
    }

    #[test]
    fn it_is_seen_beside_the_last_move() {
        let rows = ". . . . .\n. . . . .\nX X X X .\n. . . X .\nX X X X .\n";
        let board = board_of_rows(rows);
        let answer = |vertex: &str| vital_point_beside(&board, point_of(&board, vertex));
        assert_eq!(answer("B3"), Some(point_of(&board, "B2")));
        assert_eq!(answer("E5"), None);
    }
}
