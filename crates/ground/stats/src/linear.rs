//! Symmetric positive definite systems, by Cholesky decomposition.
//!
//! A few dozen players make matrices of a few dozen rows: no library of linear algebra is needed for that.

/// A symmetric matrix, row by row.
#[derive(Clone, Debug)]
pub(crate) struct SymmetricMatrix {
    size: usize,
    cells: Vec<f64>,
}

impl SymmetricMatrix {
    pub(crate) fn zero(size: usize) -> Self {
        SymmetricMatrix { size, cells: vec![0.0; size * size] }
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    /// Adds `weight` times the outer product of the sparse vector `entries` (index, value) with itself.
    pub(crate) fn add_outer_product(&mut self, entries: &[(usize, f64)], weight: f64) {
        for &(i, a) in entries {
            for &(j, b) in entries {
                self.cells[i * self.size + j] += weight * a * b;
            }
        }
    }

    /// Every cell times `factor`.
    pub(crate) fn scaled_by(mut self, factor: f64) -> Self {
        self.cells.iter_mut().for_each(|cell| *cell *= factor);
        self
    }

    /// The lower triangular factor, or `None` if the matrix is not (numerically) positive definite.
    pub(crate) fn cholesky_factor(&self) -> Option<CholeskyFactor> {
        let n = self.size;
        let mut lower = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let dot: f64 = (0..j).map(|k| lower[i * n + k] * lower[j * n + k]).sum();
                let rest = self.get(i, j) - dot;
                if i != j {
                    lower[i * n + j] = rest / lower[j * n + j];
                } else if rest > 1e-13 * self.get(i, i) && rest.is_finite() {
                    lower[i * n + i] = rest.sqrt();
                } else {
                    return None;
                }
            }
        }
        Some(CholeskyFactor { size: n, lower })
    }
}

/// The Cholesky factor of a [`SymmetricMatrix`] matrix.
pub(crate) struct CholeskyFactor {
    size: usize,
    lower: Vec<f64>,
}

impl CholeskyFactor {
    /// The solution of matrix times x = `right`.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (n, lower) = (self.size, &self.lower);
        let mut x = right.to_vec();
        for i in 0..n {
            let dot: f64 = (0..i).map(|k| lower[i * n + k] * x[k]).sum();
            x[i] = (x[i] - dot) / lower[i * n + i];
        }
        for i in (0..n).rev() {
            let dot: f64 = (i + 1..n).map(|k| lower[k * n + i] * x[k]).sum();
            x[i] = (x[i] - dot) / lower[i * n + i];
        }
        x
    }

    /// The inverse of the matrix.
    pub(crate) fn inverse_matrix(&self) -> SymmetricMatrix {
        let mut inverse = SymmetricMatrix::zero(self.size);
        for column in 0..self.size {
            let mut unit = vec![0.0; self.size];
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                inverse.cells[row * self.size + column] = value;
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_times_matrix_is_one() {
        let mut matrix = SymmetricMatrix::zero(3);
        for (entries, weight) in
            [([(0, 1.0), (1, -1.0)], 2.0), ([(1, 1.0), (2, -1.0)], 3.0), ([(0, 1.0), (2, 0.5)], 1.0)]
        {
            matrix.add_outer_product(&entries, weight);
        }
        let inverse = matrix.cholesky_factor().unwrap().inverse_matrix();
        for i in 0..3 {
            for j in 0..3 {
                let cell: f64 = (0..3).map(|k| matrix.get(i, k) * inverse.get(k, j)).sum();
                assert!((cell - f64::from(u8::from(i == j))).abs() < 1e-12, "{i} {j} {cell}");
            }
        }
    }

    #[test]
    fn singular_matrices_have_no_factor() {
        let mut matrix = SymmetricMatrix::zero(2);
        matrix.add_outer_product(&[(0, 1.0), (1, -1.0)], 5.0);
        assert!(matrix.cholesky_factor().is_none());
    }
}
