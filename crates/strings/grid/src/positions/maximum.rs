//! The most chains on a board some points of which are given.
//!
//! The frontier is that of the count by chains, its cost the number of points that are no chain of their own:
//! `cells - chains`, which grows by 1 with an empty point, by the number of chains it joins with a stone that joins
//! any, and by nothing with a stone that begins a chain. Of equal frontiers the cheapest is kept, and where it came
//! from.
//!
//! What prunes the search is a relaxation to domination. Call a point with a cost *dear*. A stone that begins
//! a chain is free, and must in the end have an empty neighbour or a stone beside it to the right or below that joins it,
//! which is dear; and below a chain without liberties that has one last stone on the frontier comes a dear point.
//! So the dear points dominate the others. A table over the whole frontier, with three digits a column
//! (`frontier::PointNeeds`), holds the least number of dear points still to come for every such frontier and cell; given points count in
//! it. What cannot stay within the limit by the table is dropped; the limit begins at the table's value for the empty
//! frontier, which no board can beat, and is raised by one until a board is found, which then is optimal.

use ishi_work::Stop;

use super::frontier::{ChainFrontier, FrontierSpot, KeyStyle, Placement, PointNeeds};
use super::{LayerWork, PositionsError, cells_done, report_progress};
use crate::layers::{LayerObserver, STATES_A_LOOK, ask_within};
use crate::{Board, Cell};

/// Columns of a frontier at most: the table has three to that many entries a cell.
pub const WIDEST: usize = 12;
/// Entries of the table at most.
const MOST_ENTRIES: usize = 1 << 31;
/// The name of the only pass.
const PASS: &str = "most chains";
/// No board at all.
const NEVER: u8 = u8::MAX;

/// What is given of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PointConstraint {
    /// Nothing.
    #[default]
    Any,
    /// It is empty.
    Empty,
    /// It holds a stone of either colour.
    Stone,
    /// It holds a black stone.
    Black,
    /// It holds a white stone.
    White,
}

impl PointConstraint {
    /// May the cell stand there?
    ///
    /// ```
    /// use ishi_grid::Cell;
    /// use ishi_grid::positions::PointConstraint;
    /// assert!(PointConstraint::Stone.allows(Cell::White));
    /// assert!(!PointConstraint::Stone.allows(Cell::Empty));
    /// ```
    #[must_use]
    pub fn allows(self, cell: Cell) -> bool {
        match self {
            PointConstraint::Any => true,
            PointConstraint::Empty => cell == Cell::Empty,
            PointConstraint::Stone => cell != Cell::Empty,
            PointConstraint::Black => cell == Cell::Black,
            PointConstraint::White => cell == Cell::White,
        }
    }
}

/// A board some points of which are given.
///
/// ```
/// use std::ops::ControlFlow;
/// use ishi_grid::positions::{GivenBoard, PointConstraint, find_maximum};
/// // Two black stones in a row are one chain.
/// let mut given = GivenBoard::new(3, 1);
/// given.set_point(0, 0, PointConstraint::Black);
/// given.set_point(1, 0, PointConstraint::Black);
/// let found = find_maximum(&given, &mut |_| ControlFlow::Continue(())).unwrap().unwrap();
/// assert_eq!((found.chains, found.board.to_string().as_str()), (1, "X X .\n"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenBoard {
    width: usize,
    height: usize,
    around: bool,
    points: Vec<PointConstraint>,
}

impl GivenBoard {
    /// A board with nothing given.
    #[must_use]
    pub fn new(width: usize, height: usize) -> GivenBoard {
        GivenBoard { width, height, around: false, points: vec![PointConstraint::Any; width * height] }
    }

    /// A cylinder with nothing given: the last column touches the first one. Its circumference may be odd; with one
    /// or two columns it has no neighbours that the board has not.
    #[must_use]
    pub fn new_cylinder(circumference: usize, height: usize) -> GivenBoard {
        GivenBoard { around: true, ..GivenBoard::new(circumference, height) }
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

    /// What is given of column `x`, row `y`, both from 0 at the top left.
    #[must_use]
    pub fn point(&self, x: usize, y: usize) -> PointConstraint {
        self.points[y * self.width + x]
    }

    /// Gives a point.
    ///
    /// ```
    /// use ishi_grid::positions::{GivenBoard, PointConstraint};
    /// let mut given = GivenBoard::new(3, 1);
    /// given.set_point(2, 0, PointConstraint::Stone);
    /// assert_eq!((given.point(0, 0), given.point(2, 0)), (PointConstraint::Any, PointConstraint::Stone));
    /// ```
    pub fn set_point(&mut self, x: usize, y: usize, point: PointConstraint) {
        self.points[y * self.width + x] = point;
    }

    /// Columns and rows exchanged.
    fn transposed(&self) -> GivenBoard {
        let mut given = GivenBoard::new(self.height, self.width);
        for y in 0..self.height {
            for x in 0..self.width {
                given.set_point(y, x, self.point(x, y));
            }
        }
        given
    }

    fn has_colours(&self) -> bool {
        self.points.iter().any(|point| matches!(point, PointConstraint::Black | PointConstraint::White))
    }
}

/// A board with the most chains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MaximumChains {
    /// The most chains, each with a liberty.
    pub chains: usize,
    /// A board that has them, and what is given.
    pub board: Board,
    /// Work done.
    pub work: LayerWork,
}

/// Finds the most chains that a board with the given points can have, every one with a liberty; `None` if no legal
/// board has them, as when all points are to hold stones.
///
/// The frontier, the shorter side or a cylinder's circumference, has at most [`WIDEST`] points. The time grows with how
/// far the given points take the best board from that of the relaxation.
///
/// # Errors
/// [`PositionsError`]: no cells, too wide, too many cells, stopped.
pub fn find_maximum(
    given: &GivenBoard,
    observe: LayerObserver<'_>,
) -> Result<Option<MaximumChains>, PositionsError> {
    if given.width > given.height && !given.around {
        let found = find_maximum_upright(&given.transposed(), observe)?;
        let turn = |found: MaximumChains| MaximumChains { board: transpose_board(&found.board), ..found };
        return Ok(found.map(turn));
    }
    find_maximum_upright(given, observe)
}

fn transpose_board(board: &Board) -> Board {
    let mut turned = Board::new(board.height(), board.width());
    for y in 0..board.height() {
        for x in 0..board.width() {
            turned.set(y, x, board.cell(x, y));
        }
    }
    turned
}

/// Bytes of the table for a board of so many columns, the shorter side, and cells.
pub(crate) fn table_bytes(width: usize, cells: usize) -> usize {
    (cells + 1).saturating_mul(3usize.saturating_pow(width as u32))
}

fn find_maximum_upright(
    given: &GivenBoard,
    observe: LayerObserver<'_>,
) -> Result<Option<MaximumChains>, PositionsError> {
    let (width, cells) = (given.width, given.points.len());
    if cells == 0 {
        return Err(PositionsError::NoCells);
    }
    if width > WIDEST {
        return Err(PositionsError::TooWide { width, most: WIDEST });
    }
    let most = MOST_ENTRIES / 3usize.pow(width as u32) - 1;
    if cells > most {
        return Err(PositionsError::TooManyCells { cells, most });
    }
    let first = cells_done(PASS, 0, cells, 1, 0);
    let table = ask_within(observe, first, |stop| RelaxationTable::compute(given, stop));
    let table = table.ok_or(PositionsError::Stopped)?;
    let mut search = MaximumSearch { given, table: &table, work: LayerWork::default(), limit: 0 };
    let least = table.least_to_come(&ChainFrontier::from_key(0, width), 0);
    if least == NEVER {
        return Ok(None);
    }
    for limit in usize::from(least)..=cells {
        search.limit = limit;
        if let Some(found) = search.find_board(observe)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The relaxation: by cell, then by the frontier's digits to base three, column 0 the lowest.
struct RelaxationTable {
    width: usize,
    powers: Vec<usize>,
    rows: Vec<Vec<u8>>,
}

impl PointNeeds {
    fn digit(self) -> usize {
        match self {
            PointNeeds::Empty => 0,
            PointNeeds::Nothing => 1,
            PointNeeds::Below => 2,
        }
    }
}

impl RelaxationTable {
    /// Computes the table. Asks at every cell whether to stop, and gives nothing then.
    fn compute(given: &GivenBoard, stop: &dyn Stop) -> Option<RelaxationTable> {
        let (width, cells) = (given.width, given.points.len());
        let powers: Vec<usize> = (0..=width).map(|x| 3usize.pow(x as u32)).collect();
        let mut table = RelaxationTable { width, powers, rows: Vec::new() };
        let below = |state: usize| (0..width).any(|x| table.digit_at(state, x) == PointNeeds::Below.digit());
        let mut row: Vec<u8> =
            (0..table.powers[width]).map(|state| if below(state) { NEVER } else { 0 }).collect();
        let mut rows = Vec::with_capacity(cells + 1);
        for cell in (0..cells).rev() {
            if stop.is_requested() {
                return None;
            }
            let options = CellOptions::new(given, cell);
            let before =
                (0..table.powers[width]).map(|state| table.least_before(state, &options, &row)).collect();
            rows.push(std::mem::replace(&mut row, before));
        }
        rows.push(row);
        rows.reverse();
        table.rows = rows;
        Some(table)
    }

    fn digit_at(&self, state: usize, x: usize) -> usize {
        state / self.powers[x] % 3
    }

    /// The least number of dear points to come before a cell, from that after it.
    fn least_before(&self, state: usize, options: &CellOptions, after: &[u8]) -> u8 {
        let spot = options.spot;
        let [empty, nothing, below] =
            [PointNeeds::Empty, PointNeeds::Nothing, PointNeeds::Below].map(PointNeeds::digit);
        let up = if spot.top { nothing } else { self.digit_at(state, spot.x) };
        let left = (spot.x > 0).then(|| self.digit_at(state, spot.x - 1));
        let right = spot.around.then(|| self.digit_at(state, 0));
        let rest = state - self.powers[spot.x] * self.digit_at(state, spot.x);
        let mut best = NEVER;
        if options.free && up != below {
            let covered = up == empty || left == Some(empty) || right == Some(empty);
            let new = if covered { nothing } else { below };
            best = after[rest + self.powers[spot.x] * new];
        }
        // A dear point is what its neighbours ask for.
        let mut mended = rest;
        if left == Some(below) {
            mended -= self.powers[spot.x - 1];
        }
        if right == Some(below) {
            mended -= self.powers[0];
        }
        if options.empty {
            best = best.min(add_dear_point(after[mended + self.powers[spot.x] * empty]));
        }
        if options.joins {
            best = best.min(add_dear_point(after[mended + self.powers[spot.x] * nothing]));
        }
        best
    }

    fn least_to_come(&self, frontier: &ChainFrontier, cell: usize) -> u8 {
        let state: usize = (0..self.width).map(|x| frontier.point_needs(x).digit() * self.powers[x]).sum();
        self.rows[cell][state]
    }
}

/// One more; what is too large stays a lower bound.
fn add_dear_point(least: u8) -> u8 {
    if least == NEVER { NEVER } else { (least + 1).min(NEVER - 1) }
}

/// What the relaxation can put on a cell.
struct CellOptions {
    spot: FrontierSpot,
    empty: bool,
    /// A stone that begins a chain.
    free: bool,
    /// A stone that joins one; only where an empty point, which is never worse, is not allowed.
    joins: bool,
}

impl CellOptions {
    fn new(given: &GivenBoard, cell: usize) -> CellOptions {
        let (x, y) = (cell % given.width, cell / given.width);
        let (point, spot) = (given.points[cell], FrontierSpot::new(cell, given.width, given.around));
        let up = (y > 0).then(|| given.point(x, y - 1));
        let left = (x > 0).then(|| given.point(x - 1, y));
        let right = spot.around.then(|| given.point(0, y));
        let near = [up, left, right].into_iter().flatten();
        let mut colours = [Cell::Black, Cell::White].into_iter();
        let joins =
            colours.any(|colour| point.allows(colour) && near.clone().any(|other| other.allows(colour)));
        let empty = point.allows(Cell::Empty);
        CellOptions { spot, empty, free: point != PointConstraint::Empty, joins: joins && !empty }
    }
}

/// A state of the search: the key, its cost, its parent in the layer before, what was put and whether all colours
/// were turned then.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SearchState {
    key: u64,
    cost: u32,
    parent: u32,
    put: u8,
    turned: bool,
}

/// How a state came about.
#[derive(Clone, Copy)]
struct SearchStep {
    parent: u32,
    put: u8,
    turned: bool,
}

struct MaximumSearch<'a> {
    given: &'a GivenBoard,
    table: &'a RelaxationTable,
    work: LayerWork,
    limit: usize,
}

const PUTS: [(Placement, Cell); 3] =
    [(Placement::Empty, Cell::Empty), (Placement::Stone(0), Cell::Black), (Placement::Stone(1), Cell::White)];

impl MaximumSearch<'_> {
    /// A board within the limit.
    fn find_board(&mut self, observe: LayerObserver<'_>) -> Result<Option<MaximumChains>, PositionsError> {
        let cells = self.given.points.len();
        let table: usize = self.table.rows.iter().map(Vec::capacity).sum();
        let mut steps: Vec<Vec<SearchStep>> = Vec::with_capacity(cells);
        let mut layer = vec![(0, 0)];
        let mut kept = 0;
        let mut progress = cells_done(PASS, 0, cells, 1, table);
        for cell in 0..cells {
            let states = ask_within(observe, progress, |stop| self.next_layer(&layer, cell, stop));
            let states = states.ok_or(PositionsError::Stopped)?;
            layer = states.iter().map(|state| (state.key, state.cost)).collect();
            let step = |state: &SearchState| SearchStep {
                parent: state.parent,
                put: state.put,
                turned: state.turned,
            };
            steps.push(states.iter().map(step).collect());
            kept += states.len() * size_of::<SearchStep>();
            let (states, bytes) = (states.len(), table + kept + states.capacity() * size_of::<SearchState>());
            self.work.add_layer(states, bytes);
            progress = cells_done(PASS, cell + 1, cells, states, bytes);
            report_progress(observe, progress)?;
        }
        let free =
            |(_, state): &(usize, &(u64, u32))| ChainFrontier::from_key(state.0, self.given.width).all_free();
        let best = layer.iter().enumerate().filter(free).min_by_key(|(_, state)| state.1);
        Ok(best.map(|(last, state)| MaximumChains {
            chains: cells - state.1 as usize,
            board: self.reconstruct_board(&steps, last),
            work: self.work,
        }))
    }

    /// The next layer: every key once, ascending, with its least cost. Nothing if it is told to stop.
    fn next_layer(&self, layer: &[(u64, u32)], cell: usize, stop: &dyn Stop) -> Option<Vec<SearchState>> {
        let width = self.given.width;
        let spot = FrontierSpot::new(cell, width, self.given.around);
        let style = KeyStyle { tracked: true, turned: !self.given.has_colours() };
        let mut states = Vec::with_capacity(2 * layer.len());
        for (parent, (key, cost)) in layer.iter().enumerate() {
            if (parent + 1).is_multiple_of(STATES_A_LOOK) && stop.is_requested() {
                return None;
            }
            let frontier = ChainFrontier::from_key(*key, width);
            for (put, (what, stone)) in PUTS.into_iter().enumerate() {
                if !self.given.points[cell].allows(stone) {
                    continue;
                }
                let Some((next, more)) = frontier.put_point(spot, what) else { continue };
                let cost = cost + (1 - more).unsigned_abs();
                let least = self.table.least_to_come(&next, cell + 1);
                if least == NEVER || cost as usize + usize::from(least) > self.limit {
                    continue;
                }
                let turned = style.turned && next.turns_colours();
                let key = next.to_key(style);
                states.push(SearchState { key, cost, parent: parent as u32, put: put as u8, turned });
            }
        }
        states.sort_unstable();
        states.dedup_by_key(|state| state.key);
        states.shrink_to_fit();
        Some(states)
    }

    /// The board that leads to a state of the last layer.
    fn reconstruct_board(&self, steps: &[Vec<SearchStep>], last: usize) -> Board {
        let mut path = Vec::with_capacity(steps.len());
        let mut at = last;
        for layer in steps.iter().rev() {
            let step = layer[at];
            path.push(step);
            at = step.parent as usize;
        }
        path.reverse();
        let mut board = Board::new(self.given.width, self.given.height);
        let mut turned = false;
        for (cell, step) in path.into_iter().enumerate() {
            let stone = match PUTS[step.put as usize].1 {
                Cell::Black if turned => Cell::White,
                Cell::White if turned => Cell::Black,
                stone => stone,
            };
            board.set(cell % self.given.width, cell / self.given.width, stone);
            turned ^= step.turned;
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    fn most(given: &GivenBoard) -> Option<MaximumChains> {
        find_maximum(given, &mut |_| ControlFlow::Continue(())).unwrap()
    }

    /// Chains of a board by flood fill, `None` if one has no liberty.
    fn chains(given: &GivenBoard, board: &[Cell]) -> Option<usize> {
        let (width, height) = (given.width, given.height);
        let near = |i: usize| {
            let (x, y) = (i % width, i / width);
            let mut near = Vec::new();
            near.extend((x > 0).then(|| i - 1));
            near.extend((x + 1 < width).then(|| i + 1));
            near.extend((y > 0).then(|| i - width));
            near.extend((y + 1 < height).then(|| i + width));
            near.extend((given.around && x == 0).then(|| i + width - 1));
            near.extend((given.around && x + 1 == width).then(|| i + 1 - width));
            near
        };
        let mut seen = vec![false; board.len()];
        let mut chains = 0;
        for start in (0..board.len()).filter(|i| board[*i] != Cell::Empty) {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let (mut stack, mut liberty) = (vec![start], false);
            while let Some(i) = stack.pop() {
                for j in near(i) {
                    liberty |= board[j] == Cell::Empty;
                    if board[j] == board[start] && !seen[j] {
                        seen[j] = true;
                        stack.push(j);
                    }
                }
            }
            chains += 1;
            if !liberty {
                return None;
            }
        }
        Some(chains)
    }

    fn brute_force(given: &GivenBoard, board: &mut Vec<Cell>) -> Option<usize> {
        if board.len() == given.points.len() {
            return chains(given, board);
        }
        let mut best = None;
        for (_, cell) in PUTS {
            if given.points[board.len()].allows(cell) {
                board.push(cell);
                best = best.max(brute_force(given, board));
                board.pop();
            }
        }
        best
    }

    fn check(given: &GivenBoard) {
        let found = most(given);
        let expected = brute_force(given, &mut Vec::new());
        assert_eq!(found.as_ref().map(|found| found.chains), expected, "{given:?}");
        let Some(found) = found else { return };
        assert_eq!((found.board.width(), found.board.height()), (given.width, given.height));
        assert_eq!(chains(given, found.board.cells()), expected, "{given:?}\n{}", found.board);
        let kept = |(point, cell): (&PointConstraint, &Cell)| point.allows(*cell);
        assert!(given.points.iter().zip(found.board.cells()).all(kept), "{given:?}\n{}", found.board);
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config { cases: 400, failure_persistence: None, ..Default::default() })]

        /// Small boards and cylinders, about half of the points given.
        #[test]
        fn brute_force_agrees(
            size in 0usize..8,
            around: bool,
            digits in proptest::collection::vec(0usize..8, 10),
        ) {
            let (width, height) = [(1, 4), (2, 2), (3, 1), (3, 2), (3, 3), (2, 4), (5, 2), (4, 2)][size];
            let mut given = if around { GivenBoard::new_cylinder(width, height) } else { GivenBoard::new(width, height) };
            let kinds = [PointConstraint::Empty, PointConstraint::Stone, PointConstraint::Black, PointConstraint::White];
            for (point, digit) in given.points.iter_mut().zip(digits) {
                *point = kinds.get(digit).copied().unwrap_or_default();
            }
            check(&given);
        }
    }

    #[test]
    fn nothing_given_gives_the_domination_number() {
        let chains: Vec<usize> = (1..=9).map(|n| most(&GivenBoard::new(n, n)).unwrap().chains).collect();
        assert_eq!(chains, [0, 2, 6, 12, 18, 26, 37, 48, 61]);
    }

    #[test]
    fn odd_cylinders() {
        for (circumference, height) in [(3, 1), (3, 2), (3, 4), (5, 1), (5, 2), (7, 1)] {
            check(&GivenBoard::new_cylinder(circumference, height));
        }
    }

    #[test]
    fn a_board_full_of_stones_is_impossible() {
        let mut given = GivenBoard::new(3, 3);
        given.points.fill(PointConstraint::Stone);
        assert_eq!(most(&given), None);
    }

    /// A black square of nine stones in the middle of 7x7 is one chain.
    #[test]
    fn a_block_is_one_chain() {
        let mut given = GivenBoard::new(7, 7);
        for (x, y) in [(2, 2), (3, 2), (4, 2), (2, 3), (3, 3), (4, 3), (2, 4), (3, 4), (4, 4)] {
            given.set_point(x, y, PointConstraint::Black);
        }
        let found = most(&given).unwrap();
        assert_eq!(chains(&given, found.board.cells()), Some(found.chains));
        assert!((20..=49 - 8 - 8).contains(&found.chains), "{}", found.board);
    }

    #[test]
    fn bad_sizes_and_stops_are_errors() {
        let go_on = &mut |_| ControlFlow::Continue(());
        assert_eq!(find_maximum(&GivenBoard::new(0, 4), go_on), Err(PositionsError::NoCells));
        let wide = PositionsError::TooWide { width: 13, most: 12 };
        assert_eq!(find_maximum(&GivenBoard::new(13, 14), go_on), Err(wide.clone()));
        assert_eq!(find_maximum(&GivenBoard::new_cylinder(13, 2), go_on), Err(wide));
        let stop = &mut |_| ControlFlow::Break(());
        assert_eq!(find_maximum(&GivenBoard::new(4, 4), stop), Err(PositionsError::Stopped));
    }
}
