//! Rates, means and their intervals, as the tables have them.

use ishi_lab::expected::format_number;
use ishi_stats::{
    ConfidenceLevel, Interval, Proportion, SampleSummary, StatsError, TestAlternative, TestMethod, chi_square,
};

use crate::figures::{format_interval, wilson_interval};

/// Wins out of games; draws, which need a whole komi, count as not won.
pub(super) fn win_rate([won, drawn, lost]: [u64; 3]) -> Result<Proportion, StatsError> {
    Proportion::new(won, won + drawn + lost)
}

/// How much the first rate exceeds the second, with Newcombe's interval for the difference of two independent rates (Newcombe 1998,
/// method 10: Wilson's intervals put together).
pub(super) fn rate_difference(first: &Proportion, second: &Proportion) -> (f64, Interval) {
    let (a, b) = (wilson_interval(first), wilson_interval(second));
    let (p, q) = (first.rate(), second.rate());
    let below = ((p - a.low).powi(2) + (b.high - q).powi(2)).sqrt();
    let above = ((a.high - p).powi(2) + (q - b.low).powi(2)).sqrt();
    (p - q, Interval { low: p - q - below, high: p - q + above })
}

/// The two-sided p of two rates being the same: the z test with a common rate, which is the chi-square test of the table.
pub(super) fn same_rate_p_value(first: &Proportion, second: &Proportion) -> Result<f64, StatsError> {
    let row = |wins: &Proportion| vec![wins.successes(), wins.trials() - wins.successes()];
    Ok(chi_square::test_independence(&[row(first), row(second)])?.p_value)
}

/// The exact two-sided binomial test of one half, as in the paper's table 3.
pub(super) fn half_rate_p_value(wins: &Proportion) -> Result<f64, StatsError> {
    wins.p_value(TestMethod::Exact, TestAlternative::TwoSided, 0.5)
}

/// Games of each of two players that show the difference of these rates with a probability of 80 %, by a two-sided test
/// at 5 % (the normal approximation).
pub(super) fn games_needed(first: f64, second: f64) -> Option<f64> {
    let z = |level| ConfidenceLevel::new(level).map(ConfidenceLevel::z_score).ok();
    // Half of what lies outside 60 % is the 20 % that the test may miss.
    let both = z(0.95)? + z(0.6)?;
    let variance = first * (1.0 - first) + second * (1.0 - second);
    (first != second).then(|| both * both * variance / (first - second).powi(2))
}

/// The mean of a sample with its t interval; the mean alone, if there is only one value.
pub(super) fn mean_with_interval(sample: &[f64]) -> Option<(f64, Option<Interval>)> {
    let summary = SampleSummary::from_sample(sample).ok()?;
    Some((summary.mean(), summary.mean_interval(ConfidenceLevel::default())))
}

pub(super) fn mean_value(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

pub(super) fn format_optional(value: Option<f64>, decimals: usize) -> String {
    value.map_or(String::new(), |value| format_number(value, decimals))
}

/// An interval as text; empty if there is none.
pub(super) fn format_optional_interval(interval: Option<Interval>, decimals: usize) -> String {
    interval.map_or(String::new(), |interval| format_interval(interval, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe 1998, table II, example (a): 56/70 - 48/80 = 0.2, method 10: 0.0524 to 0.3339.
    #[test]
    fn differences_have_newcombes_interval() {
        let (more, interval) =
            rate_difference(&Proportion::new(56, 70).unwrap(), &Proportion::new(48, 80).unwrap());
        assert!((more - 0.2).abs() < 1e-12);
        assert_eq!(format_interval(interval, 4), "0.0524 to 0.3339");
    }

    /// The paper's table 2: 540 and 519 of 1000; z = 0.94 by hand. And 540 beside 491: z = 2.19.
    #[test]
    fn two_rates_are_compared_by_the_z_test() {
        let of = |wins| Proportion::new(wins, 1000).unwrap();
        assert_eq!(format_number(same_rate_p_value(&of(540), &of(519)).unwrap(), 3), "0.347");
        assert_eq!(format_number(same_rate_p_value(&of(540), &of(491)).unwrap(), 3), "0.028");
        assert_eq!(same_rate_p_value(&of(500), &of(500)).unwrap(), 1.0);
    }

    /// (1.95996 + 0.84162)^2 = 7.8489; times 0.2484 + 0.249639 over 0.021^2.
    #[test]
    fn a_difference_of_two_points_needs_thousands_of_games() {
        assert_eq!(format_number(games_needed(0.54, 0.519).unwrap(), 0), "8,864");
        assert_eq!(games_needed(0.5, 0.5), None);
    }
}
