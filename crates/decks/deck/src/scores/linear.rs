//! The inverse of a positive definite matrix, by Cholesky's decomposition.

/// A square matrix, row after row.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SquareMatrix {
    side: usize,
    cells: Vec<f64>,
}

impl SquareMatrix {
    /// A matrix of zeros.
    #[must_use]
    pub(super) fn zeros(side: usize) -> SquareMatrix {
        SquareMatrix { side, cells: vec![0.0; side * side] }
    }

    /// A row.
    #[must_use]
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.side..(row + 1) * self.side]
    }

    /// A row, to write.
    pub(super) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.cells[row * self.side..(row + 1) * self.side]
    }

    /// The inverse of a symmetric positive definite matrix, of which only the lower triangle is read; `None` if it is not
    /// positive definite (or no number).
    #[must_use]
    pub(super) fn inverse(mut self) -> Option<SquareMatrix> {
        self.decompose_cholesky()?;
        self.invert_lower();
        Some(self.times_own_transpose())
    }

    /// The lower triangle becomes `L` of `A = L L'`.
    fn decompose_cholesky(&mut self) -> Option<()> {
        for row in 0..self.side {
            let (above, this) = self.cells.split_at_mut(row * self.side);
            for column in 0..row {
                let other = &above[column * self.side..column * self.side + column + 1];
                this[column] =
                    (this[column] - dot_product(&this[..column], &other[..column])) / other[column];
            }
            let rest = this[row] - dot_product(&this[..row], &this[..row]);
            if rest.is_nan() || rest <= 0.0 {
                return None;
            }
            this[row] = rest.sqrt();
        }
        Some(())
    }

    /// The lower triangle `L` becomes the transpose of its inverse, in the upper triangle.
    fn invert_lower(&mut self) {
        let side = self.side;
        let mut upper = SquareMatrix::zeros(side);
        // Column c of the inverse is row c of its transpose: forward substitution, L x = e_c.
        for column in 0..side {
            let x = upper.row_mut(column);
            x[column] = 1.0 / self.cells[column * side + column];
            for row in column + 1..side {
                let lower = &self.cells[row * side..row * side + row + 1];
                x[row] = -dot_product(&lower[column..row], &x[column..row]) / lower[row];
            }
        }
        self.cells = upper.cells;
    }

    /// The product `U U'` of an upper triangle `U`, whose rows are dot products of rows.
    fn times_own_transpose(&self) -> SquareMatrix {
        let mut product = SquareMatrix::zeros(self.side);
        for row in 0..self.side {
            for column in 0..=row {
                let cell = dot_product(&self.row(row)[row..], &self.row(column)[row..]);
                product.cells[row * self.side + column] = cell;
                product.cells[column * self.side + row] = cell;
            }
        }
        product
    }
}

/// The sum of products, in eight strands so that it can be done eight at a time; always in the same order.
fn dot_product(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a8.remainder().iter().zip(b8.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a8.zip(b8) {
        for at in 0..8 {
            sums[at] += x[at] * y[at];
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(rows: &[&[f64]]) -> SquareMatrix {
        let mut square = SquareMatrix::zeros(rows.len());
        for (at, row) in rows.iter().enumerate() {
            square.row_mut(at).copy_from_slice(row);
        }
        square
    }

    #[test]
    fn inverses_by_hand() {
        let inverse = of(&[&[4.0, 2.0], &[2.0, 3.0]]).inverse().unwrap();
        for (found, wanted) in inverse.cells.iter().zip([0.375, -0.25, -0.25, 0.5]) {
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
        assert_eq!(of(&[&[1.0, 2.0], &[2.0, 1.0]]).inverse(), None);
        assert_eq!(of(&[&[f64::NAN]]).inverse(), None);
    }

    proptest! {
        #[test]
        fn a_matrix_times_its_inverse_is_one(cells in proptest::collection::vec(-1.0..1.0f64, 19 * 19)) {
            let mut square = SquareMatrix::zeros(19);
            for row in 0..19 {
                for column in 0..19 {
                    let product = dot_product(&cells[row * 19..row * 19 + 19], &cells[column * 19..column * 19 + 19]);
                    square.row_mut(row)[column] = product + if row == column { 1.0 } else { 0.0 };
                }
            }
            let inverse = square.clone().inverse().unwrap();
            for row in 0..19 {
                for column in 0..19 {
                    let cell = dot_product(square.row(row), inverse.row(column));
                    let wanted = if row == column { 1.0 } else { 0.0 };
                    prop_assert!((cell - wanted).abs() < 1e-9, "{} {}: {}", row, column, cell);
                }
            }
        }
    }
}
