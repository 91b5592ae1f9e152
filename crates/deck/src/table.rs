//! Tables of scores: one whole number for each ordered pair of pieces.

/// The largest score of a pair, in units either way: sums over a deck then stay far from the ends of 64 bits, and a bound has
/// room for finer units.
pub const MAX_SCORE: i32 = 1 << 27;

/// A square table, dense or sparse. A pair that a sparse table does not hold scores 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    side: usize,
    cells: Cells,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Cells {
    /// Row after row.
    Dense(Vec<i32>),
    /// Of row `i`: `columns[starts[i]..starts[i + 1]]`, ascending, with their values.
    Sparse { starts: Vec<usize>, columns: Vec<u32>, values: Vec<i32> },
}

impl Table {
    /// A table of zeros, sparse.
    #[must_use]
    pub fn empty(side: usize) -> Table {
        Table {
            side,
            cells: Cells::Sparse { starts: vec![0; side + 1], columns: Vec::new(), values: Vec::new() },
        }
    }

    /// From `side * side` cells, row after row.
    ///
    /// # Panics
    /// If there are more or fewer cells.
    #[must_use]
    pub fn dense(side: usize, cells: Vec<i32>) -> Table {
        assert_eq!(cells.len(), side * side, "a table of {side} pieces");
        Table { side, cells: Cells::Dense(cells) }
    }

    /// From `(row, column, score)`; dense if more than a fifth of the cells are given, which then takes less memory
    /// and time. A cell that is given twice has the score given last.
    ///
    /// # Panics
    /// If a row or column is not in the table.
    #[must_use]
    pub fn from_entries(side: usize, mut entries: Vec<(u32, u32, i32)>) -> Table {
        assert!(
            entries.iter().all(|&(row, column, _)| (row.max(column) as usize) < side),
            "outside the table"
        );
        if entries.len() * 5 > side * side {
            let mut cells = vec![0; side * side];
            for (row, column, score) in entries {
                cells[row as usize * side + column as usize] = score;
            }
            return Table::dense(side, cells);
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
        Table { side, cells: Cells::Sparse { starts, columns, values } }
    }

    /// From `(row, column, score)` of unordered pairs: each is entered both ways.
    #[must_use]
    pub fn symmetric(side: usize, entries: &[(u32, u32, i32)]) -> Table {
        let both =
            entries.iter().flat_map(|&(row, column, score)| [(row, column, score), (column, row, score)]);
        Table::from_entries(side, both.collect())
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
            Cells::Dense(cells) => cells[row * self.side + column],
            Cells::Sparse { starts, columns, values } => {
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
    pub fn row(&self, row: usize) -> Option<&[i32]> {
        match &self.cells {
            Cells::Dense(cells) => Some(&cells[row * self.side..(row + 1) * self.side]),
            Cells::Sparse { .. } => None,
        }
    }

    /// Writes the whole row into `out`, which has one place for each piece.
    pub fn row_into(&self, row: usize, out: &mut [i32]) {
        match &self.cells {
            Cells::Dense(cells) => out.copy_from_slice(&cells[row * self.side..(row + 1) * self.side]),
            Cells::Sparse { starts, columns, values } => {
                out.fill(0);
                for at in starts[row]..starts[row + 1] {
                    out[columns[at] as usize] = values[at];
                }
            }
        }
    }

    /// The cells of a row that are not 0, by column.
    pub fn entries(&self, row: usize) -> impl Iterator<Item = (usize, i32)> + '_ {
        let (dense, sparse) = match &self.cells {
            Cells::Dense(_) => (self.row(row), None),
            Cells::Sparse { starts, columns, values } => {
                let range = starts[row]..starts[row + 1];
                (None, Some(columns[range.clone()].iter().zip(&values[range])))
            }
        };
        let dense = dense.into_iter().flatten().copied().enumerate();
        let sparse = sparse.into_iter().flatten().map(|(&column, &value)| (column as usize, value));
        dense.chain(sparse).filter(|&(_, value)| value != 0)
    }

    /// Is the score of every pair the same both ways?
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        (0..self.side).all(|row| self.entries(row).all(|(column, score)| self.get(column, row) == score))
    }

    /// The largest score either way, without its sign.
    #[must_use]
    pub fn largest(&self) -> u32 {
        let values = match &self.cells {
            Cells::Dense(cells) => cells,
            Cells::Sparse { values, .. } => values,
        };
        values.iter().map(|value| value.unsigned_abs()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_and_dense_agree() {
        let entries = [(0, 2, 5), (1, 2, -3), (0, 1, 7), (0, 2, 6)];
        let sparse = Table::symmetric(12, &entries);
        assert!(sparse.row(0).is_none());
        let mut cells = vec![0; 144];
        for row in 0..12 {
            sparse.row_into(row, &mut cells[row * 12..(row + 1) * 12]);
        }
        let dense = Table::dense(12, cells);
        for row in 0..12 {
            assert_eq!(sparse.entries(row).collect::<Vec<_>>(), dense.entries(row).collect::<Vec<_>>());
            for column in 0..12 {
                assert_eq!(sparse.get(row, column), dense.get(row, column));
            }
        }
        assert_eq!((sparse.get(2, 0), sparse.get(2, 1), sparse.get(3, 3)), (6, -3, 0));
        assert!(sparse.is_symmetric() && dense.is_symmetric());
        assert_eq!(dense.largest(), 7);
    }

    #[test]
    fn many_entries_make_a_dense_table() {
        assert!(Table::symmetric(2, &[(0, 1, 1)]).row(0).is_some());
    }
}
