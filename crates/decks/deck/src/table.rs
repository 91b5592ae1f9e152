//! Tables of scores: one whole number for each ordered pair of pieces.

use std::sync::OnceLock;

/// The largest score of a pair, in units either way: sums over a deck then stay far from the ends of 64 bits, and a bound has
/// room for finer units.
pub const MAX_SCORE: i32 = 1 << 26;

/// A square table, dense or sparse. A pair that a sparse table does not hold scores 0.
///
/// ```
/// use ishi_deck::PairScoreTable;
/// // What 1 scores as the leader beside 0 is not what 0 scores beside 1.
/// let leaders = PairScoreTable::from_entries(3, vec![(1, 0, 7)]);
/// assert_eq!((leaders.get(1, 0), leaders.get(0, 1)), (7, 0));
/// ```
#[derive(Clone, Debug)]
pub struct PairScoreTable {
    side: usize,
    cells: TableCells,
    /// Made when it is first asked for.
    facts: OnceLock<TableFacts>,
}

/// The same scores, whatever has been asked so far.
impl PartialEq for PairScoreTable {
    fn eq(&self, other: &PairScoreTable) -> bool {
        (self.side, &self.cells) == (other.side, &other.cells)
    }
}

/// What searches want to know of a table, found once.
#[derive(Clone, Debug)]
struct TableFacts {
    partners: PartnerLists,
    step: u32,
    /// All cells of a sparse table that is not too large.
    cells: Option<Vec<i32>>,
}

/// A sparse table of no more pieces is written out for searches: 256 MB at most.
const MOST_WRITTEN_OUT: usize = 8192;

/// The columns with the largest scores of each row.
#[derive(Clone, Debug)]
pub struct PartnerLists {
    each: usize,
    columns: Vec<u32>,
}

/// Partners that are kept of a row.
const PARTNERS: usize = 128;

impl PartnerLists {
    /// Whether the list of a row holds all other columns.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.each < PARTNERS
    }

    /// The columns with the largest scores of a row, the best first, without the diagonal. Whatever is not listed scores no more
    /// than the last.
    #[must_use]
    pub fn partners_of(&self, row: usize) -> &[u32] {
        &self.columns[row * self.each..(row + 1) * self.each]
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TableCells {
    /// Row after row.
    Dense(Vec<i32>),
    /// Of row `i`: `columns[starts[i]..starts[i + 1]]`, ascending, with their values.
    Sparse { starts: Vec<usize>, columns: Vec<u32>, values: Vec<i32> },
}

impl PairScoreTable {
    /// A table of zeros, sparse.
    #[must_use]
    pub fn empty(side: usize) -> PairScoreTable {
        PairScoreTable {
            side,
            cells: TableCells::Sparse { starts: vec![0; side + 1], columns: Vec::new(), values: Vec::new() },
            facts: OnceLock::new(),
        }
    }

    /// From `side * side` cells, row after row.
    ///
    /// ```
    /// use ishi_deck::PairScoreTable;
    /// let table = PairScoreTable::from_cells(2, vec![0, 4, 4, 0]);
    /// assert_eq!((table.side(), table.get(0, 1)), (2, 4));
    /// ```
    ///
    /// # Panics
    /// If there are more or fewer cells.
    #[must_use]
    pub fn from_cells(side: usize, cells: Vec<i32>) -> PairScoreTable {
        assert_eq!(cells.len(), side * side, "a table of {side} pieces");
        PairScoreTable { side, cells: TableCells::Dense(cells), facts: OnceLock::new() }
    }

    /// From `(row, column, score)`; dense if more than a fifth of the cells are given, which then takes less memory
    /// and time. A cell that is given twice has the score given last.
    ///
    /// ```
    /// use ishi_deck::PairScoreTable;
    /// let table = PairScoreTable::from_entries(3, vec![(0, 1, 4), (0, 1, 5)]);
    /// assert_eq!((table.get(0, 1), table.get(1, 0)), (5, 0));
    /// ```
    ///
    /// # Panics
    /// If a row or column is not in the table.
    #[must_use]
    pub fn from_entries(side: usize, mut entries: Vec<(u32, u32, i32)>) -> PairScoreTable {
        assert!(
            entries.iter().all(|&(row, column, _)| (row.max(column) as usize) < side),
            "outside the table"
        );
        if entries.len() * 5 > side * side {
            let mut cells = vec![0; side * side];
            for (row, column, score) in entries {
                cells[row as usize * side + column as usize] = score;
            }
            return PairScoreTable::from_cells(side, cells);
        }
        // Stable, so the last of equal cells stays last.
        entries.sort_by_key(|&(row, column, _)| (row, column));
        let mut starts = vec![0; side + 1];
        let mut columns: Vec<u32> = Vec::with_capacity(entries.len());
        let mut values = Vec::with_capacity(entries.len());
        let mut last = None;
        for (row, column, score) in entries {
            if last == Some((row, column)) {
                *values.last_mut().expect("there was one") = score;
                continue;
            }
            last = Some((row, column));
            starts[row as usize + 1] += 1;
            columns.push(column);
            values.push(score);
        }
        for row in 0..side {
            starts[row + 1] += starts[row];
        }
        PairScoreTable { side, cells: TableCells::Sparse { starts, columns, values }, facts: OnceLock::new() }
    }

    /// From `(row, column, score)` of unordered pairs: each is entered both ways.
    ///
    /// ```
    /// use ishi_deck::PairScoreTable;
    /// let pairs = PairScoreTable::from_symmetric_entries(9, &[(2, 5, 3)]);
    /// assert_eq!((pairs.get(2, 5), pairs.get(5, 2), pairs.get(2, 6)), (3, 3, 0));
    /// ```
    #[must_use]
    pub fn from_symmetric_entries(side: usize, entries: &[(u32, u32, i32)]) -> PairScoreTable {
        let both =
            entries.iter().flat_map(|&(row, column, score)| [(row, column, score), (column, row, score)]);
        PairScoreTable::from_entries(side, both.collect())
    }

    /// Pieces: rows and columns.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side
    }

    /// The score of `column` beside `row`.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> i32 {
        match &self.cells {
            TableCells::Dense(cells) => cells[row * self.side + column],
            TableCells::Sparse { starts, columns, values } => {
                let range = starts[row]..starts[row + 1];
                match columns[range.clone()].binary_search(&(column as u32)) {
                    Ok(at) => values[range.start + at],
                    Err(_) => 0,
                }
            }
        }
    }

    /// The row as a slice, if the table is dense.
    #[must_use]
    pub fn dense_row(&self, row: usize) -> Option<&[i32]> {
        match &self.cells {
            TableCells::Dense(cells) => Some(&cells[row * self.side..(row + 1) * self.side]),
            TableCells::Sparse { .. } => None,
        }
    }

    /// Writes the whole row into `out`, which has one place for each piece.
    pub fn write_row(&self, row: usize, out: &mut [i32]) {
        match &self.cells {
            TableCells::Dense(cells) => out.copy_from_slice(&cells[row * self.side..(row + 1) * self.side]),
            TableCells::Sparse { starts, columns, values } => {
                out.fill(0);
                for at in starts[row]..starts[row + 1] {
                    out[columns[at] as usize] = values[at];
                }
            }
        }
    }

    /// The cells of a row that are not 0, by column.
    ///
    /// ```
    /// use ishi_deck::PairScoreTable;
    /// let table = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// assert_eq!(table.nonzero_entries(1).collect::<Vec<_>>(), [(0, 5), (2, 9)]);
    /// ```
    pub fn nonzero_entries(&self, row: usize) -> impl Iterator<Item = (usize, i32)> + '_ {
        let (dense, sparse) = match &self.cells {
            TableCells::Dense(_) => (self.dense_row(row), None),
            TableCells::Sparse { starts, columns, values } => {
                let range = starts[row]..starts[row + 1];
                (None, Some(columns[range.clone()].iter().zip(&values[range])))
            }
        };
        let dense = dense.into_iter().flatten().copied().enumerate();
        let sparse = sparse.into_iter().flatten().map(|(&column, &value)| (column as usize, value));
        dense.chain(sparse).filter(|&(_, value)| value != 0)
    }

    /// The best partners of every piece. The first call makes the list: about ten microseconds a row of 2000 pieces.
    pub fn partners(&self) -> &PartnerLists {
        &self.table_facts().partners
    }

    /// The greatest common divisor of all scores; 0 if all are 0.
    #[must_use]
    pub fn common_divisor(&self) -> u32 {
        self.table_facts().step
    }

    fn table_facts(&self) -> &TableFacts {
        self.facts.get_or_init(|| TableFacts {
            partners: self.find_partners(),
            step: self.find_common_divisor(),
            cells: self.write_cells(),
        })
    }

    /// All cells, row after row, unless the table is sparse and too large for that. The first call writes them out.
    #[must_use]
    pub fn all_cells(&self) -> Option<&[i32]> {
        match &self.cells {
            TableCells::Dense(cells) => Some(cells),
            TableCells::Sparse { .. } => self.table_facts().cells.as_deref(),
        }
    }

    /// Bytes of what searches want to know of the table, whether it is there already or not.
    pub(crate) fn bytes_for_searches(&self) -> usize {
        let written_out = if self.is_written_out() { 4 * self.side * self.side } else { 0 };
        written_out + PairScoreTable::bytes_of_partners(self.side)
    }

    /// Bytes of a dense table, and of what searches want to know of it.
    pub(crate) fn bytes_of_dense(side: usize) -> usize {
        4 * side * side + PairScoreTable::bytes_of_partners(side)
    }

    fn bytes_of_partners(side: usize) -> usize {
        4 * side * PARTNERS.min(side.saturating_sub(1))
    }

    fn is_written_out(&self) -> bool {
        self.side <= MOST_WRITTEN_OUT && matches!(self.cells, TableCells::Sparse { .. })
    }

    fn write_cells(&self) -> Option<Vec<i32>> {
        if !self.is_written_out() {
            return None;
        }
        let mut cells = vec![0; self.side * self.side];
        for (row, out) in cells.chunks_mut(self.side.max(1)).enumerate() {
            self.write_row(row, out);
        }
        Some(cells)
    }

    fn find_partners(&self) -> PartnerLists {
        let each = PARTNERS.min(self.side.saturating_sub(1));
        let mut columns = Vec::with_capacity(each * self.side);
        let mut row = vec![0; self.side];
        let mut keys: Vec<u64> = Vec::with_capacity(self.side);
        for at in 0..self.side {
            self.write_row(at, &mut row);
            // The larger score first, then the smaller column: one number to compare.
            let key = |(column, &score): (usize, &i32)| {
                (u64::from(!(score as u32 ^ (1 << 31))) << 32) | column as u64
            };
            keys.clear();
            keys.extend(row.iter().enumerate().map(key).filter(|&key| key as u32 as usize != at));
            if each > 0 && each < keys.len() {
                keys.select_nth_unstable(each - 1);
                keys.truncate(each);
            }
            keys.sort_unstable();
            columns.extend(keys.iter().map(|&key| key as u32));
        }
        PartnerLists { each, columns }
    }

    fn find_common_divisor(&self) -> u32 {
        let values = match &self.cells {
            TableCells::Dense(cells) => cells,
            TableCells::Sparse { values, .. } => values,
        };
        let mut step = 0;
        for value in values {
            step = greatest_common_divisor(step, u64::from(value.unsigned_abs()));
            if step == 1 {
                break;
            }
        }
        step as u32
    }

    /// Is the score of every pair the same both ways?
    ///
    /// ```
    /// use ishi_deck::PairScoreTable;
    /// assert!(PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5)]).is_symmetric());
    /// assert!(!PairScoreTable::from_entries(3, vec![(0, 1, 5)]).is_symmetric());
    /// ```
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        (0..self.side)
            .all(|row| self.nonzero_entries(row).all(|(column, score)| self.get(column, row) == score))
    }

    /// The largest score either way, without its sign.
    #[must_use]
    pub fn largest_magnitude(&self) -> u32 {
        let values = match &self.cells {
            TableCells::Dense(cells) => cells,
            TableCells::Sparse { values, .. } => values,
        };
        values.iter().map(|value| value.unsigned_abs()).max().unwrap_or(0)
    }
}

/// The greatest common divisor.
pub(crate) fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_and_dense_agree() {
        let entries = [(0, 2, 5), (1, 2, -3), (0, 1, 7), (0, 2, 6)];
        let sparse = PairScoreTable::from_symmetric_entries(12, &entries);
        assert!(sparse.dense_row(0).is_none());
        let mut cells = vec![0; 144];
        for row in 0..12 {
            sparse.write_row(row, &mut cells[row * 12..(row + 1) * 12]);
        }
        let dense = PairScoreTable::from_cells(12, cells);
        for row in 0..12 {
            assert_eq!(
                sparse.nonzero_entries(row).collect::<Vec<_>>(),
                dense.nonzero_entries(row).collect::<Vec<_>>()
            );
            for column in 0..12 {
                assert_eq!(sparse.get(row, column), dense.get(row, column));
            }
        }
        assert_eq!((sparse.get(2, 0), sparse.get(2, 1), sparse.get(3, 3)), (6, -3, 0));
        assert!(sparse.is_symmetric() && dense.is_symmetric());
        assert_eq!(dense.largest_magnitude(), 7);
    }

    #[test]
    fn partners_come_best_first() {
        let table =
            PairScoreTable::from_symmetric_entries(12, &[(0, 2, 5), (0, 5, 9), (0, 7, -3), (1, 2, 4)]);
        let partners = table.partners();
        assert_eq!(partners.partners_of(0), [5, 2, 1, 3, 4, 6, 8, 9, 10, 11, 7]);
        assert_eq!(partners.partners_of(1)[..3], [2, 0, 3]);
        assert_eq!(table.common_divisor(), 1);
        assert_eq!(PairScoreTable::from_symmetric_entries(3, &[(0, 1, 6), (1, 2, -4)]).common_divisor(), 2);
        assert_eq!(PairScoreTable::empty(1).partners().partners_of(0), [0; 0]);
    }

    #[test]
    fn what_searches_want_is_counted_before_it_is_made() {
        let sparse = PairScoreTable::from_symmetric_entries(12, &[(0, 2, 5), (1, 2, -3)]);
        let taken = 4 * (sparse.all_cells().unwrap().len() + sparse.partners().columns.len());
        assert_eq!((sparse.bytes_for_searches(), PairScoreTable::bytes_of_dense(12)), (taken, taken));
        let dense = PairScoreTable::from_cells(12, vec![1; 144]);
        assert_eq!(dense.bytes_for_searches(), 4 * dense.partners().columns.len());
    }

    #[test]
    fn many_entries_make_a_dense_table() {
        assert!(PairScoreTable::from_symmetric_entries(2, &[(0, 1, 1)]).dense_row(0).is_some());
    }
}
