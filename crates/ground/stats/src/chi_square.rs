//! Pearson's chi-square tests: goodness of fit and independence.
//!
//! Source: Pearson, Philosophical Magazine 50, 1900; no continuity correction (R: `chisq.test(correct = FALSE)`).
//! The approximation is usually trusted when no expected count is below 5: see [`ChiSquare::smallest_expected`].

use crate::StatsError;
use crate::special::chi_square_tail;

/// The result of a chi-square test.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ChiSquare {
    /// The sum of (observed - expected)^2 / expected.
    pub statistic: f64,
    /// Degrees of freedom.
    pub degrees: usize,
    /// The probability of a statistic at least this large if the hypothesis holds.
    pub p_value: f64,
    /// The smallest expected count; below 5 the p-value is rough.
    pub smallest_expected: f64,
}

impl ChiSquare {
    fn from_cells(cells: impl Iterator<Item = (u64, f64)>, degrees: usize) -> Self {
        let (mut statistic, mut smallest_expected) = (0.0, f64::INFINITY);
        for (observed, expected) in cells {
            statistic += (observed as f64 - expected).powi(2) / expected;
            smallest_expected = expected.min(smallest_expected);
        }
        let p_value = chi_square_tail(statistic, degrees as f64);
        ChiSquare { statistic, degrees, p_value, smallest_expected }
    }
}

/// Tests whether the counts follow the `weights` (any positive scale; [1, 1, 2] expects a quarter, a quarter, a half).
///
/// ```
/// use ishi_stats::chi_square::test_goodness_of_fit;
/// let test = test_goodness_of_fit(&[16, 18, 16, 14, 12, 12], &[1.0; 6]).unwrap();
/// assert_eq!((test.statistic.round(), test.degrees), (2.0, 5));
/// assert_eq!(format!("{:.4}", test.p_value), "0.8491");
/// ```
///
/// # Errors
/// Fewer than two categories, as many weights as counts not given, a weight that is not positive and finite, or
/// counts that are all 0.
pub fn test_goodness_of_fit(observed: &[u64], weights: &[f64]) -> Result<ChiSquare, StatsError> {
    if observed.len() < 2 {
        return Err(StatsError::new("number of categories", observed.len(), "at least 2 are needed"));
    }
    if weights.len() != observed.len() {
        let expected = format!("there must be one for each of the {} counts", observed.len());
        return Err(StatsError::new("number of weights", weights.len(), expected));
    }
    let sum: f64 = weights.iter().sum();
    if let Some(bad) = weights.iter().find(|&&w| !(w > 0.0 && w.is_finite() && sum.is_finite())) {
        return Err(StatsError::new("weight", bad, "weights must be positive, and their sum finite"));
    }
    let total: f64 = observed.iter().map(|&count| count as f64).sum();
    if total == 0.0 {
        return Err(StatsError::new("total count", 0, "at least one count must be above 0"));
    }
    let cells = observed.iter().zip(weights).map(|(&count, weight)| (count, total * (weight / sum)));
    Ok(ChiSquare::from_cells(cells, observed.len() - 1))
}

/// Tests whether rows and columns of a contingency table are independent.
///
/// ```
/// use ishi_stats::chi_square::test_independence;
/// // Agresti, Categorical Data Analysis (2002), table 3.2: education and belief.
/// let test = test_independence(&[vec![178, 138, 108], vec![570, 648, 442], vec![138, 252, 252]]).unwrap();
/// assert_eq!(format!("{:.1} on {}", test.statistic, test.degrees), "69.2 on 4");
/// ```
///
/// # Errors
/// Fewer than two rows or columns, rows of different length, or a row or column whose counts are all 0.
pub fn test_independence(table: &[Vec<u64>]) -> Result<ChiSquare, StatsError> {
    let columns = table.first().map_or(0, Vec::len);
    if table.len() < 2 || columns < 2 {
        let size = format!("{}x{columns}", table.len());
        return Err(StatsError::new("table", size, "at least 2 rows and 2 columns are needed"));
    }
    if let Some(row) = table.iter().position(|row| row.len() != columns) {
        let value = format!("{} with {} columns", row + 1, table[row].len());
        return Err(StatsError::new("row", value, format!("it must have {columns}, as row 1 has")));
    }
    let sum = |counts: &mut dyn Iterator<Item = u64>| counts.map(|count| count as f64).sum::<f64>();
    let row_sums: Vec<f64> = table.iter().map(|row| sum(&mut row.iter().copied())).collect();
    let column_sums: Vec<f64> = (0..columns).map(|c| sum(&mut table.iter().map(|row| row[c]))).collect();
    for (name, sums) in [("row", &row_sums), ("column", &column_sums)] {
        if let Some(empty) = sums.iter().position(|&sum| sum == 0.0) {
            return Err(StatsError::new(name, empty + 1, "its counts are all 0; leave it out"));
        }
    }
    let total: f64 = row_sums.iter().sum();
    let cells = table.iter().zip(&row_sums).flat_map(|(row, row_sum)| {
        row.iter().zip(&column_sums).map(move |(&count, column_sum)| (count, row_sum / total * column_sum))
    });
    Ok(ChiSquare::from_cells(cells, (table.len() - 1) * (columns - 1)))
}
