//! The independent checker: how many chains stand on a board, and has every one a liberty?
//!
//! Pure rules of Go, written to be believed on its own: a board is bytes, `.` empty, `X` black, `O` white; a chain is a
//! largest set of stones of one colour joined along the lines; a liberty is an empty point beside one of its stones.
//! Nothing here comes from the solvers, or from anything else of this crate (a test reads this file and says so), so
//! that a mistake there is not repeated here.
//!
//! One pass over the rows with a union-find of the chains that reach the current row only; labels are given anew in
//! every row. Time is linear in the points, memory is linear in the width: 10,000 x 10,000 points need a few hundred
//! kilobytes beside the row that is looked at.

use std::mem;

use thiserror::Error;

/// An empty point.
pub const EMPTY: u8 = b'.';
/// A black stone.
pub const BLACK: u8 = b'X';
/// A white stone.
pub const WHITE: u8 = b'O';

/// Why bytes are no board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum VerifyError {
    /// A byte that stands for nothing.
    #[error(
        "column {x}, row {y} (from 0 at the top left): byte {byte} is none of . (empty), X (black), O (white)"
    )]
    Byte {
        /// Column, from 0.
        x: usize,
        /// Row, from 0.
        y: usize,
        /// The byte.
        byte: u8,
    },
    /// A row of another length than the board's width.
    #[error("row {y} (from 0) has {found} points, the board has {width} columns")]
    Row {
        /// Row, from 0.
        y: usize,
        /// Points of this row.
        found: usize,
        /// Columns of the board.
        width: usize,
    },
}

/// What the checker found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoardVerdict {
    /// Columns.
    pub width: usize,
    /// Rows seen.
    pub height: usize,
    /// Black and white stones.
    pub stones: [u64; 2],
    /// Black and white chains.
    pub chains: [u64; 2],
    /// Chains without a liberty.
    pub dead: u64,
    /// The first stone, in reading order, of a chain without a liberty: column and row, from 0 at the top left.
    pub first_dead: Option<(usize, usize)>,
}

impl BoardVerdict {
    /// Chains of both colours.
    ///
    /// ```
    /// use ishi_grid::verify::verify_board;
    /// let verdict = verify_board(3, 1, b"OX.").unwrap();
    /// assert_eq!((verdict.total_chains(), verdict.empty_count(), verdict.is_legal()), (2, 1, false));
    /// ```
    #[must_use]
    pub fn total_chains(&self) -> u64 {
        self.chains[0] + self.chains[1]
    }

    /// Empty points.
    #[must_use]
    pub fn empty_count(&self) -> u64 {
        (self.width * self.height) as u64 - self.stones[0] - self.stones[1]
    }

    /// Has every chain a liberty?
    #[must_use]
    pub fn is_legal(&self) -> bool {
        self.dead == 0
    }
}

/// Checks a whole board: `cells` are its rows one after the other, top row first.
///
/// # Errors
/// If there are not `width * height` bytes, or a byte is no point.
///
/// ```
/// use ishi_grid::verify::{chain_at, verify_board};
/// let verdict = verify_board(3, 2, b"OX.XXO").unwrap();
/// assert_eq!((verdict.chains, verdict.is_legal()), ([1, 2], false));
/// assert_eq!(verdict.first_dead, Some((0, 0)));
/// assert_eq!(chain_at(3, 2, b"OX.XXO", (0, 0)), [(0, 0)]);
/// ```
pub fn verify_board(width: usize, height: usize, cells: &[u8]) -> Result<BoardVerdict, VerifyError> {
    let mut verifier = Verifier::new(width);
    for row in cells.chunks(width.max(1)) {
        verifier.add_row(row)?;
    }
    let verdict = verifier.finish();
    if verdict.height != height {
        let found = if verdict.height < height { 0 } else { width };
        return Err(VerifyError::Row { y: verdict.height.min(height), found, width });
    }
    Ok(verdict)
}

/// The points of the chain at a stone, in reading order; empty if no stone stands there.
///
/// # Panics
/// If `at` is off the board, or `cells` are fewer than `width * height`.
#[must_use]
pub fn chain_at(width: usize, height: usize, cells: &[u8], at: (usize, usize)) -> Vec<(usize, usize)> {
    let start = at.1 * width + at.0;
    let color = cells[start];
    if color == EMPTY {
        return Vec::new();
    }
    let mut seen = std::collections::BTreeSet::from([start]);
    let mut todo = vec![start];
    while let Some(point) = todo.pop() {
        let (x, y) = (point % width, point / width);
        let sides = [
            (y > 0).then(|| point - width),
            (x > 0).then(|| point - 1),
            (x + 1 < width).then(|| point + 1),
            (y + 1 < height).then(|| point + width),
        ];
        let more = sides.into_iter().flatten().filter(|&side| cells[side] == color);
        todo.extend(more.filter(|&side| seen.insert(side)));
    }
    seen.into_iter().map(|point| (point % width, point / width)).collect()
}

/// A chain, as far as the rows so far show it.
#[derive(Clone, Copy)]
struct OpenChain {
    /// Itself, or a chain it was joined with.
    parent: u32,
    alive: bool,
    color: u8,
    /// Its first stone in reading order.
    first: (u32, u32),
}

/// No chain: the point is empty, or off the board.
const NONE: u32 = u32::MAX;

/// The checker for boards that come row by row.
///
/// ```
/// use ishi_grid::verify::Verifier;
/// let mut verifier = Verifier::new(2);
/// for row in [b"OX", b"X."] {
///     verifier.add_row(row).unwrap();
/// }
/// assert_eq!(verifier.finish().dead, 1);
/// ```
pub struct Verifier {
    verdict: BoardVerdict,
    /// The row before; empty before the first.
    above: Vec<u8>,
    /// The chain of every point of the row before, `NONE` where it is empty.
    labels: Vec<u32>,
    chains: Vec<OpenChain>,
    /// For giving labels anew: what a chain is called in the next row.
    renamed: Vec<u32>,
}

impl Verifier {
    /// A board of so many columns, no row seen yet.
    #[must_use]
    pub fn new(width: usize) -> Verifier {
        let verdict = BoardVerdict { width, ..BoardVerdict::default() };
        let labels = vec![NONE; width];
        Verifier { verdict, above: Vec::new(), labels, chains: Vec::new(), renamed: Vec::new() }
    }

    /// The next row, from the top.
    ///
    /// # Errors
    /// If it has another width, or a byte is no point.
    ///
    /// # Panics
    /// If the board has more than 2^32 rows or columns.
    pub fn add_row(&mut self, row: &[u8]) -> Result<(), VerifyError> {
        let (width, y) = (self.verdict.width, self.verdict.height);
        if row.len() != width {
            return Err(VerifyError::Row { y, found: row.len(), width });
        }
        if let Some(x) = row.iter().position(|byte| !matches!(*byte, EMPTY | BLACK | WHITE)) {
            return Err(VerifyError::Byte { x, y, byte: row[x] });
        }
        let row_number = u32::try_from(y).expect("fewer than 2^32 rows");
        let mut left = NONE;
        for x in 0..width {
            left = self.add_point(row, x, row_number, left);
        }
        self.above.clear();
        self.above.extend_from_slice(row);
        self.verdict.height += 1;
        self.relabel_chains();
        Ok(())
    }

    /// The verdict, after the last row.
    #[must_use]
    pub fn finish(mut self) -> BoardVerdict {
        self.labels.fill(NONE);
        self.relabel_chains();
        self.verdict
    }

    /// Takes in a point; `left` is the chain of the point to its left. Gives this point's chain.
    fn add_point(&mut self, row: &[u8], x: usize, y: u32, left: u32) -> u32 {
        let color = row[x];
        let up = self.labels[x];
        if color == EMPTY {
            for neighbour in [left, up] {
                if neighbour != NONE {
                    self.chains[neighbour as usize].alive = true;
                }
            }
            self.labels[x] = NONE;
            return NONE;
        }
        self.verdict.stones[usize::from(color == WHITE)] += 1;
        let same_up = up != NONE && self.above[x] == color;
        let same_left = left != NONE && row[x - 1] == color;
        let chain = match (same_up, same_left) {
            (true, true) => self.join_chains(up, left),
            (true, false) => up,
            (false, true) => left,
            (false, false) => {
                self.begin_chain(color, (u32::try_from(x).expect("fewer than 2^32 columns"), y))
            }
        };
        if (x > 0 && left == NONE) || (y > 0 && up == NONE) {
            self.chains[chain as usize].alive = true;
        }
        self.labels[x] = chain;
        chain
    }

    fn begin_chain(&mut self, color: u8, first: (u32, u32)) -> u32 {
        let label = u32::try_from(self.chains.len()).expect("at most two chains a column");
        self.chains.push(OpenChain { parent: label, alive: false, color, first });
        label
    }

    fn join_chains(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.chain_root(a), self.chain_root(b));
        if a == b {
            return a;
        }
        let other = self.chains[b as usize];
        let one = &mut self.chains[a as usize];
        one.alive |= other.alive;
        if (other.first.1, other.first.0) < (one.first.1, one.first.0) {
            one.first = other.first;
        }
        self.chains[b as usize].parent = a;
        a
    }

    fn chain_root(&mut self, label: u32) -> u32 {
        let mut at = label;
        while self.chains[at as usize].parent != at {
            // Halving the path keeps it short.
            let parent = self.chains[at as usize].parent;
            self.chains[at as usize].parent = self.chains[parent as usize].parent;
            at = parent;
        }
        at
    }

    /// After a row: chains that do not reach it are finished and counted, the others get labels from 0.
    fn relabel_chains(&mut self) {
        self.settle_liberties();
        self.renamed.clear();
        self.renamed.resize(self.chains.len(), NONE);
        let mut kept = Vec::with_capacity(self.verdict.width);
        let mut labels = mem::take(&mut self.labels);
        for label in labels.iter_mut().filter(|label| **label != NONE) {
            let root = self.chain_root(*label);
            let name = &mut self.renamed[root as usize];
            if *name == NONE {
                *name = u32::try_from(kept.len()).expect("at most one chain a column");
                kept.push(OpenChain { parent: *name, ..self.chains[root as usize] });
            }
            *label = *name;
        }
        self.labels = labels;
        let finished = mem::replace(&mut self.chains, kept);
        for (label, chain) in finished.iter().enumerate() {
            if chain.parent as usize == label && self.renamed[label] == NONE {
                self.count_chain(chain);
            }
        }
    }

    /// Liberties that were seen on a label after it was joined belong to its root.
    fn settle_liberties(&mut self) {
        for label in 0..self.chains.len() {
            if self.chains[label].alive {
                let root = self.chain_root(u32::try_from(label).expect("labels are 32 bits"));
                self.chains[root as usize].alive = true;
            }
        }
    }

    fn count_chain(&mut self, chain: &OpenChain) {
        let verdict = &mut self.verdict;
        verdict.chains[usize::from(chain.color == WHITE)] += 1;
        if chain.alive {
            return;
        }
        verdict.dead += 1;
        let first = (chain.first.0 as usize, chain.first.1 as usize);
        let later = verdict.first_dead.is_some_and(|(x, y)| (y, x) < (first.1, first.0));
        if !later {
            verdict.first_dead = Some(first);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The checker is believed because it stands alone.
    #[test]
    fn this_file_uses_nothing_of_the_crate() {
        let source = include_str!("verify.rs");
        let code = source.split("#[cfg(test)]").next().unwrap();
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let used: Vec<&&str> = code.iter().filter(|line| line.trim_start().starts_with("use ")).collect();
        assert_eq!(used, [&"use std::mem;", &"use thiserror::Error;"]);
        for word in ["crate", "super", "ishi_", "include", "mod "] {
            assert!(!code.iter().any(|line| line.contains(word)), "{word}");
        }
    }

    /// The slow way: a flood from every stone.
    fn slowly(width: usize, height: usize, cells: &[u8]) -> BoardVerdict {
        let mut verdict = BoardVerdict { width, height, ..BoardVerdict::default() };
        for point in (0..width * height).filter(|&point| cells[point] != EMPTY) {
            let color = usize::from(cells[point] == WHITE);
            verdict.stones[color] += 1;
            let at = (point % width, point / width);
            let chain = chain_at(width, height, cells, at);
            if chain[0] != at {
                continue;
            }
            verdict.chains[color] += 1;
            let free = |x: usize, y: usize| x < width && y < height && cells[y * width + x] == EMPTY;
            let alive = chain.iter().any(|&(x, y)| {
                free(x.wrapping_sub(1), y) || free(x + 1, y) || free(x, y.wrapping_sub(1)) || free(x, y + 1)
            });
            if !alive {
                verdict.dead += 1;
                verdict.first_dead.get_or_insert(at);
            }
        }
        verdict
    }

    #[test]
    fn shapes_that_join_late_are_one_chain() {
        let spiral = b"\
            XXXXXXX\
            X.....X\
            X.XXX.X\
            X.X.X.X\
            X.X...X\
            X.XXXXX\
            X......";
        let verdict = verify_board(7, 7, spiral).unwrap();
        assert_eq!((verdict.chains, verdict.stones, verdict.dead), ([1, 0], [28, 0], 0));
        let cup = b"X.X.XXXXXXXX";
        assert_eq!(verify_board(4, 3, cup).unwrap().chains, [1, 0]);
        assert_eq!(verify_board(1, 3, b"XOX").unwrap().dead, 3);
        assert_eq!(verify_board(2, 2, b"XXXX").unwrap().first_dead, Some((0, 0)));
        assert_eq!(verify_board(2, 2, b"....").unwrap().total_chains(), 0);
    }

    #[test]
    fn what_is_no_board_is_named() {
        let text = |result: Result<BoardVerdict, VerifyError>| result.unwrap_err().to_string();
        assert_eq!(
            text(verify_board(3, 2, b"...x..")),
            "column 0, row 1 (from 0 at the top left): byte 120 is none of . (empty), X (black), O (white)"
        );
        assert_eq!(text(verify_board(3, 2, b"....")), "row 1 (from 0) has 1 points, the board has 3 columns");
        assert_eq!(text(verify_board(3, 2, b"...")), "row 1 (from 0) has 0 points, the board has 3 columns");
        assert_eq!(
            text(verify_board(3, 1, b"......")),
            "row 1 (from 0) has 3 points, the board has 3 columns"
        );
    }

    /// All boards of 3 x 3.
    #[test]
    fn every_small_board_is_as_the_slow_way_says() {
        let mut cells = [EMPTY; 9];
        for number in 0..3_usize.pow(9) {
            let mut digits = number;
            for cell in &mut cells {
                *cell = [EMPTY, BLACK, WHITE][digits % 3];
                digits /= 3;
            }
            assert_eq!(
                verify_board(3, 3, &cells),
                Ok(slowly(3, 3, &cells)),
                "{}",
                String::from_utf8_lossy(&cells)
            );
        }
    }

    proptest! {
        /// Any board, mostly with few empty points, so that chains are long and dead ones are met.
        #[test]
        fn any_board_is_as_the_slow_way_says(
            width in 1..14_usize,
            cells in prop::collection::vec(prop_oneof![1 => Just(EMPTY), 5 => Just(BLACK), 4 => Just(WHITE)], 1..200),
        ) {
            let height = cells.len() / width;
            let cells = &cells[..width * height];
            prop_assert_eq!(verify_board(width, height, cells), Ok(slowly(width, height, cells)));
        }
    }
}
