//! Very large boards: the most chains on any board of 16 lines or more each way, by construction.
//!
//! A board of theorem 1 is the grid without a dominating set of empty points. For `n, m >= 16` the smallest dominating
//! sets have `floor((n + 2)(m + 2) / 5) - 4` points (D. Gonçalves, A. Pinlou, M. Rao, S. Thomassé, "The domination
//! number of grids", SIAM J. Discrete Math. 25, 2011). That so few suffice was shown by T. Y. Chang ("Domination
//! numbers of grid graphs", thesis, University of South Florida, 1992), and this module does it his way:
//!
//! 1. The points with `x + 2y = c` modulo 5 (or `x + 3y = c`) are a perfect code of the infinite grid: every point is in
//!    it or beside exactly one of its points. So a board with a border line all round holds about
//!    `(n + 2)(m + 2) / 5` of them, and they dominate the board.
//! 2. Points of the border are moved inwards by one. Whatever of the board they dominated is still dominated.
//! 3. Near the corners some are not needed. A corner looks the same wherever it is but for mirror and shift, so each of
//!    its ten kinds is repaired once: in the [`CORNER`] x [`CORNER`] points of the corner a smallest set is found that
//!    dominates all that the rest leaves undominated, by dynamic programming over the cells.
//!
//! What differs from the source is step 3, which there is done by hand. Of the ten codes the best is taken. How many
//! points it has above the formula depends on the sides modulo 5 only, so the 25 smallest boards show that the
//! formula is attained for all (the tests try many more).
//!
//! A [`Construction`] takes a few hundred bytes however large its board, and answers for any point in constant time.

use crate::board::{Board, Cell};

/// The shortest side of a board that can be constructed.
pub const SHORTEST: usize = 16;

/// Lines of a corner that is repaired. Corners of a board of [`SHORTEST`] lines are apart from each other.
pub const CORNER: usize = 5;

/// Points of a smallest dominating set of a board, for sides of [`SHORTEST`] lines and more.
///
/// ```
/// assert_eq!(ishi_grid::construct::domination_number(19, 19), Some(84));
/// assert_eq!(ishi_grid::construct::domination_number(15, 19), None);
/// ```
#[must_use]
pub fn domination_number(width: usize, height: usize) -> Option<usize> {
    (width.min(height) >= SHORTEST).then(|| (width + 2) * (height + 2) / 5 - 4)
}

/// A smallest set of empty points of a board with both sides of [`SHORTEST`] lines or more; `None` for other boards.
///
/// ```
/// let construction = ishi_grid::construct::construct_empties(19, 19).unwrap();
/// assert_eq!((construction.empty_count(), construction.string_count()), (84, 277));
/// assert_eq!(construction.to_board().empty_count(), 84);
/// ```
#[must_use]
pub fn construct_empties(width: usize, height: usize) -> Option<Construction> {
    if width.min(height) < SHORTEST {
        return None;
    }
    PerfectCode::all_codes()
        .map(|code| Construction::from_code(width, height, code))
        .min_by_key(Construction::empty_count)
}

/// A perfect code of the infinite grid: the points with `x + slope * y + shift` divisible by 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PerfectCode {
    /// 2 or 3.
    slope: usize,
    /// 0 to 4.
    shift: usize,
}

impl PerfectCode {
    fn all_codes() -> impl Iterator<Item = PerfectCode> {
        [2, 3].into_iter().flat_map(|slope| (0..5).map(move |shift| PerfectCode { slope, shift }))
    }

    /// Is the point in the code? Columns and rows from the border, which has number 0.
    fn contains_point(self, x: usize, y: usize) -> bool {
        (x + self.slope * (y % 5) + self.shift).is_multiple_of(5)
    }

    /// The same code seen in a mirror: column 0 of the mirrored board is `last` of this one.
    fn mirrored(self, last: usize) -> PerfectCode {
        // last - x + slope * y + shift = 0 is x - slope * y - shift - last = 0.
        PerfectCode { slope: 5 - self.slope, shift: (10 - self.shift - last % 5) % 5 }
    }

    /// The same code upside down: row 0 is row `last` of this one.
    fn upside_down(self, last: usize) -> PerfectCode {
        // x + slope * (last - y) + shift = 0.
        PerfectCode { slope: 5 - self.slope, shift: (self.shift + self.slope * (last % 5)) % 5 }
    }

    /// Is the point empty after the border has been moved inwards? Columns and rows of the board, from 0; there is no
    /// other border near.
    fn is_projected_empty(self, x: usize, y: usize) -> bool {
        let (x, y) = (x + 1, y + 1);
        self.contains_point(x, y)
            || (x == 1 && self.contains_point(0, y))
            || (y == 1 && self.contains_point(x, 0))
    }

    /// Points of the code in columns 0 to `columns - 1` and rows 0 to `rows - 1`.
    fn count_points(self, columns: usize, rows: usize) -> usize {
        // Of five columns in a row each has one in every row; the rest is looked at in the first five rows.
        let rest = |row: usize| (columns / 5 * 5..columns).filter(|&x| self.contains_point(x, row)).count();
        let repeated = |row: usize| (rows + 4 - row) / 5;
        columns / 5 * rows + (0..5).map(|row| rest(row) * repeated(row)).sum::<usize>()
    }
}

/// The repaired corner at the top left of a board.
type CornerPoints = [[bool; CORNER]; CORNER];

/// A set of empty points that dominates a board, given by rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Construction {
    width: usize,
    height: usize,
    code: PerfectCode,
    count: usize,
    /// Top left, top right, bottom left, bottom right, each turned so that its corner is at the top left.
    corners: [CornerPoints; 4],
}

impl Construction {
    fn from_code(width: usize, height: usize, code: PerfectCode) -> Construction {
        // The border line beyond the last one.
        let (right, below) = (width + 1, height + 1);
        let mirrored = code.mirrored(right);
        let seen = [code, mirrored, code.upside_down(below), mirrored.upside_down(below)];
        let mut count = code.count_points(width + 2, height + 2);
        let corners = seen.map(|code| {
            let corner = repair_corner(code);
            let points = |set: &CornerPoints| set.iter().flatten().filter(|&&empty| empty).count();
            // Only the border's own corner point is not moved inwards.
            count -= usize::from(code.contains_point(0, 0)) + points(&projected_corner(code));
            count += points(&corner);
            corner
        });
        Construction { width, height, code, count, corners }
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of empty points.
    #[must_use]
    pub fn empty_count(&self) -> usize {
        self.count
    }

    /// Number of chains: all other points.
    ///
    /// ```
    /// use ishi_grid::construct::construct_empties;
    /// let board = construct_empties(1_000, 1_000).unwrap();
    /// assert_eq!(board.string_count(), 1_000 * 1_000 - board.empty_count());
    /// ```
    #[must_use]
    pub fn string_count(&self) -> usize {
        self.width * self.height - self.count
    }

    /// Is the point empty? Columns and rows from 0 at the top left.
    #[must_use]
    pub fn is_empty_point(&self, x: usize, y: usize) -> bool {
        let (right, below) = (self.width - 1 - x, self.height - 1 - y);
        let (u, v) = (x.min(right), y.min(below));
        if u < CORNER && v < CORNER {
            return self.corners[usize::from(right < x) + 2 * usize::from(below < y)][v][u];
        }
        let (a, b, code) = (x + 1, y + 1, self.code);
        code.contains_point(a, b)
            || (x == 0 && code.contains_point(0, b))
            || (y == 0 && code.contains_point(a, 0))
            || (right == 0 && code.contains_point(a + 1, b))
            || (below == 0 && code.contains_point(a, b + 1))
    }

    /// What stands on the point: nothing, or the stone of theorem 1.
    #[must_use]
    pub fn cell(&self, x: usize, y: usize) -> Cell {
        if self.is_empty_point(x, y) { Cell::Empty } else { Cell::alternating_stone(x, y) }
    }

    /// Puts the letters of row `y` (`.`, `X`, `O`, nothing between them) in place of what is in `letters`.
    ///
    /// ```
    /// use ishi_grid::construct::construct_empties;
    /// let board = construct_empties(20, 18).unwrap();
    /// let mut letters = Vec::new();
    /// board.write_row(17, &mut letters);
    /// assert_eq!(letters.len(), 20);
    /// assert_eq!(letters[3] == b'.', board.is_empty_point(3, 17));
    /// ```
    pub fn write_row(&self, y: usize, letters: &mut Vec<u8>) {
        letters.clear();
        letters.extend(
            (0..self.width).map(|x| if self.is_empty_point(x, y) { b'.' } else { STONES[(x + y) % 2] }),
        );
    }

    /// The board, a byte for every point.
    ///
    /// ```
    /// use ishi_grid::construct::construct_empties;
    /// let board = construct_empties(19, 19).unwrap().to_board();
    /// assert_eq!(board.empty_count(), 84);
    /// ```
    #[must_use]
    pub fn to_board(&self) -> Board {
        Board::with_alternating_stones(self.width, self.height, |x, y| self.is_empty_point(x, y))
    }
}

/// The letters of [`Cell::alternating_stone`].
const STONES: [u8; 2] = *b"OX";

fn projected_corner(code: PerfectCode) -> CornerPoints {
    std::array::from_fn(|y| std::array::from_fn(|x| code.is_projected_empty(x, y)))
}

/// How a point of the corner stands while the corner is filled, row by row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CornerState {
    /// Empty: it dominates itself and its neighbours.
    Empty,
    /// A stone with an empty point beside it.
    Dominated,
    /// A stone without one so far.
    Open,
}

const STATES: [CornerState; 3] = [CornerState::Empty, CornerState::Dominated, CornerState::Open];

/// Frontiers: the states of the last [`CORNER`] cells, as a number in base 3, column 0 the lowest digit.
const FRONTIERS: usize = 3_usize.pow(CORNER as u32);

/// No set leads to this frontier.
const IMPOSSIBLE: u8 = u8::MAX;

/// A smallest set of points of the top left corner that dominates, with what `code` leaves outside the corner, the
/// corner and the points beside it.
fn repair_corner(code: PerfectCode) -> CornerPoints {
    let mut best = [IMPOSSIBLE; FRONTIERS];
    // Before the first row: stones that need nothing.
    best[FRONTIERS / 2] = 0;
    // For every cell and frontier after it: the frontier before.
    let mut came_from = Vec::new();
    for cell in 0..CORNER * CORNER {
        let (x, y) = (cell % CORNER, cell / CORNER);
        let mut next = [IMPOSSIBLE; FRONTIERS];
        let mut from = vec![0; FRONTIERS];
        for before in (0..FRONTIERS).filter(|&before| best[before] != IMPOSSIBLE) {
            for empty in [false, true] {
                let Some(after) = fill_cell(code, (x, y), before, empty) else { continue };
                let points = best[before] + u8::from(empty);
                if points < next[after] {
                    next[after] = points;
                    from[after] = before;
                }
            }
        }
        best = next;
        came_from.push(from);
    }
    let closed = |&frontier: &usize| (0..CORNER).all(|x| state_at(frontier, x) != CornerState::Open);
    let mut at = (0..FRONTIERS).filter(closed).min_by_key(|&frontier| best[frontier]).expect("one is closed");
    let mut corner = [[false; CORNER]; CORNER];
    for (cell, from) in came_from.iter().enumerate().rev() {
        let (x, y) = (cell % CORNER, cell / CORNER);
        corner[y][x] = state_at(at, x) == CornerState::Empty;
        at = from[at];
    }
    corner
}

/// The frontier after the cell `(x, y)` is filled; `None` if a point could no longer be dominated.
fn fill_cell(code: PerfectCode, (x, y): (usize, usize), before: usize, empty: bool) -> Option<usize> {
    let last = CORNER - 1;
    let up = if y > 0 { state_at(before, x) } else { CornerState::Dominated };
    if up == CornerState::Open && !empty {
        return None;
    }
    let left = (x > 0).then(|| state_at(before, x - 1));
    // The points beyond the corner's right and lower side.
    let beyond = [(x == last).then_some((x + 1, y)), (y == last).then_some((x, y + 1))];
    let beyond = beyond.into_iter().flatten();
    if !empty && beyond.clone().any(|(x, y)| !dominated_outside(code, x, y)) {
        return None;
    }
    let beside = up == CornerState::Empty
        || left == Some(CornerState::Empty)
        || beyond.clone().any(|(x, y)| code.is_projected_empty(x, y));
    let state = match (empty, beside) {
        (true, _) => CornerState::Empty,
        (false, true) => CornerState::Dominated,
        (false, false) => CornerState::Open,
    };
    let after = with_state_at(before, x, state);
    let helped = empty && left == Some(CornerState::Open);
    Some(if helped { with_state_at(after, x - 1, CornerState::Dominated) } else { after })
}

/// Is a point beside the corner dominated by points outside it?
fn dominated_outside(code: PerfectCode, x: usize, y: usize) -> bool {
    let outside = |x: usize, y: usize| (x >= CORNER || y >= CORNER) && code.is_projected_empty(x, y);
    outside(x, y)
        || outside(x + 1, y)
        || outside(x, y + 1)
        || (x > 0 && outside(x - 1, y))
        || (y > 0 && outside(x, y - 1))
}

fn state_at(frontier: usize, x: usize) -> CornerState {
    STATES[frontier / 3_usize.pow(x as u32) % 3]
}

fn with_state_at(frontier: usize, x: usize, state: CornerState) -> usize {
    let unit = 3_usize.pow(x as u32);
    frontier - frontier / unit % 3 * unit + state as usize * unit
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::verify::{BoardVerdict, Verifier};

    /// What the independent checker says of a construction.
    fn verdict(construction: &Construction) -> BoardVerdict {
        let mut verifier = Verifier::new(construction.width());
        let mut letters = Vec::new();
        for y in 0..construction.height() {
            construction.write_row(y, &mut letters);
            verifier.add_row(&letters).unwrap();
        }
        verifier.finish()
    }

    fn assert_optimal(width: usize, height: usize) {
        let construction = construct_empties(width, height).unwrap();
        let found = verdict(&construction);
        assert_eq!(found.first_dead, None, "{width}x{height}");
        assert_eq!(found.total_chains() as usize, construction.string_count(), "{width}x{height}");
        assert_eq!(found.empty_count() as usize, construction.empty_count(), "{width}x{height}");
        assert_eq!(Some(construction.empty_count()), domination_number(width, height), "{width}x{height}");
    }

    #[test]
    fn every_board_from_16_to_60_lines_attains_the_formula() {
        for width in 16..=60 {
            for height in 16..=60 {
                assert_optimal(width, height);
            }
        }
    }

    /// The number of points above the formula depends on the sides modulo 5 only.
    #[test]
    fn five_more_lines_change_nothing_but_the_middle() {
        for (width, height) in (16..21).flat_map(|width| (16..21).map(move |height| (width, height))) {
            for code in PerfectCode::all_codes() {
                let excess = |width: usize, height: usize| {
                    Construction::from_code(width, height, code).empty_count()
                        - domination_number(width, height).unwrap()
                };
                let here = excess(width, height);
                for (wider, higher) in [(5, 0), (0, 5), (5, 5), (100_000, 5), (1_000_000, 2_000_000)] {
                    assert_eq!(excess(width + wider, height + higher), here, "{width}x{height} {code:?}");
                }
            }
        }
    }

    #[test]
    fn samples_to_300_lines_attain_the_formula() {
        for (width, height) in
            [(16, 300), (300, 17), (301, 302), (64, 250), (199, 203), (128, 131), (300, 300)]
        {
            assert_optimal(width, height);
        }
    }

    #[test]
    fn boards_under_16_lines_are_not_constructed() {
        for (width, height) in [(15, 16), (16, 15), (0, 0), (1, 100), (15, 1000)] {
            assert_eq!((construct_empties(width, height), domination_number(width, height)), (None, None));
        }
    }

    #[test]
    fn rows_cells_and_boards_agree() {
        let construction = construct_empties(17, 22).unwrap();
        let board = construction.to_board();
        let mut letters = Vec::new();
        for y in 0..22 {
            construction.write_row(y, &mut letters);
            for (x, &letter) in letters.iter().enumerate() {
                assert_eq!(board.cell(x, y), construction.cell(x, y));
                assert_eq!(board.cell(x, y).letter(), letter as char);
            }
        }
    }

    /// The corners' sets are as small as trying all sets of fewer points shows.
    #[test]
    fn repaired_corners_are_smallest() {
        for code in PerfectCode::all_codes() {
            let corner = repair_corner(code);
            let size = corner.iter().flatten().filter(|&&empty| empty).count();
            assert!(dominates(code, &corner), "{code:?}");
            assert!(!any_set_dominates(code, size - 1), "{code:?}");
        }
    }

    fn dominates(code: PerfectCode, corner: &CornerPoints) -> bool {
        let empty = |x: usize, y: usize| {
            if x < CORNER && y < CORNER { corner[y][x] } else { code.is_projected_empty(x, y) }
        };
        (0..=CORNER).all(|y| {
            (0..=CORNER).filter(|&x| x < CORNER || y < CORNER).all(|x| {
                empty(x, y)
                    || empty(x + 1, y)
                    || empty(x, y + 1)
                    || (x > 0 && empty(x - 1, y))
                    || (y > 0 && empty(x, y - 1))
            })
        })
    }

    /// Is there a dominating set of so many points in the corner? Tries them all.
    fn any_set_dominates(code: PerfectCode, size: usize) -> bool {
        let mut set: Vec<usize> = (0..size).collect();
        loop {
            let mut corner = [[false; CORNER]; CORNER];
            set.iter().for_each(|&cell| corner[cell / CORNER][cell % CORNER] = true);
            if dominates(code, &corner) {
                return true;
            }
            // The next set in order.
            let Some(i) = (0..size).rev().find(|&i| set[i] + size - i < CORNER * CORNER) else {
                return false;
            };
            set[i] += 1;
            (i + 1..size).for_each(|j| set[j] = set[j - 1] + 1);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_board_attains_the_formula(width in 16..700_usize, height in 16..400_usize) {
            assert_optimal(width, height);
        }
    }
}
