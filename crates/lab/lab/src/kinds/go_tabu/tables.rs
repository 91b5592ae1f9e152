//! The report: every table and figure of the paper beside ours, and what is beyond it.

mod games;
mod paper;
mod playouts;
mod times;

use ishi_stats::{
    Alternative, Confidence, Interval, IntervalMethod, Proportion, StatsError, Summary, TestMethod,
    chi_square,
};

use crate::expected::{Finding, number};

pub(super) use games::games;
pub(super) use paper::{settings, tests_of_the_paper};
pub(super) use playouts::{refusals, repeats};
pub(super) use times::{seconds, times};

/// A finding in per cent, Elo and so on.
fn finding(
    key: String,
    what: String,
    value: f64,
    interval: Option<Interval>,
    (unit, decimals): (&str, usize),
) -> Finding {
    let interval = interval.map(|Interval { low, high }| [low, high]);
    Finding { key, what, value, interval, unit: unit.into(), decimals, note: String::new() }
}

/// Wins out of games; draws, which need a whole komi, count as not won.
fn rate([won, drawn, lost]: [u64; 3]) -> Result<Proportion, StatsError> {
    Proportion::new(won, won + drawn + lost)
}

fn wilson(wins: &Proportion) -> Interval {
    wins.interval(IntervalMethod::Wilson, Confidence::default())
}

fn percent(interval: Interval) -> Interval {
    interval.map(|rate| 100.0 * rate)
}

fn range(interval: Interval, decimals: usize) -> String {
    format!("{} to {}", number(interval.low, decimals), number(interval.high, decimals))
}

/// How much the first rate exceeds the second, with Newcombe's interval for the difference of two independent rates (Newcombe 1998,
/// method 10: Wilson's intervals put together).
fn difference(first: &Proportion, second: &Proportion) -> (f64, Interval) {
    let (a, b) = (wilson(first), wilson(second));
    let (p, q) = (first.rate(), second.rate());
    let below = ((p - a.low).powi(2) + (b.high - q).powi(2)).sqrt();
    let above = ((a.high - p).powi(2) + (q - b.low).powi(2)).sqrt();
    (p - q, Interval { low: p - q - below, high: p - q + above })
}

/// The two-sided p of two rates being the same: the z test with a common rate, which is the chi-square test of the table.
fn same_rate(first: &Proportion, second: &Proportion) -> Result<f64, StatsError> {
    let row = |wins: &Proportion| vec![wins.successes(), wins.trials() - wins.successes()];
    Ok(chi_square::independence(&[row(first), row(second)])?.p_value)
}

/// The exact two-sided binomial test of one half, as in the paper's table 3.
fn p_of_half(wins: &Proportion) -> Result<f64, StatsError> {
    wins.test(TestMethod::Exact, Alternative::TwoSided, 0.5)
}

/// Games of each of two players that show the difference of these rates with a probability of 80 %, by a two-sided test
/// at 5 % (the normal approximation).
fn games_needed(first: f64, second: f64) -> Option<f64> {
    let z = |level| Confidence::new(level).map(Confidence::z).ok();
    // Half of what lies outside 60 % is the 20 % that the test may miss.
    let both = z(0.95)? + z(0.6)?;
    let variance = first * (1.0 - first) + second * (1.0 - second);
    (first != second).then(|| both * both * variance / (first - second).powi(2))
}

/// The mean of a sample with its t interval; the mean alone, if there is only one value.
fn mean_of(sample: &[f64]) -> Option<(f64, Option<Interval>)> {
    let summary = Summary::of(sample).ok()?;
    Some((summary.mean(), summary.interval(Confidence::default())))
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn text(value: Option<f64>, decimals: usize) -> String {
    value.map_or(String::new(), |value| number(value, decimals))
}

/// An interval as text; empty if there is none.
fn interval_text(interval: Option<Interval>, decimals: usize) -> String {
    interval.map_or(String::new(), |interval| range(interval, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe 1998, table II, example (a): 56/70 - 48/80 = 0.2, method 10: 0.0524 to 0.3339.
    #[test]
    fn differences_have_newcombes_interval() {
        let (more, interval) =
            difference(&Proportion::new(56, 70).unwrap(), &Proportion::new(48, 80).unwrap());
        assert!((more - 0.2).abs() < 1e-12);
        assert_eq!(range(interval, 4), "0.0524 to 0.3339");
    }

    /// The paper's table 2: 540 and 519 of 1000; z = 0.94 by hand. And 540 beside 491: z = 2.19.
    #[test]
    fn two_rates_are_compared_by_the_z_test() {
        let of = |wins| Proportion::new(wins, 1000).unwrap();
        assert_eq!(number(same_rate(&of(540), &of(519)).unwrap(), 3), "0.347");
        assert_eq!(number(same_rate(&of(540), &of(491)).unwrap(), 3), "0.028");
        assert_eq!(same_rate(&of(500), &of(500)).unwrap(), 1.0);
    }

    /// (1.95996 + 0.84162)^2 = 7.8489; times 0.2484 + 0.249639 over 0.021^2.
    #[test]
    fn a_difference_of_two_points_needs_thousands_of_games() {
        assert_eq!(number(games_needed(0.54, 0.519).unwrap(), 0), "8,864");
        assert_eq!(games_needed(0.5, 0.5), None);
    }
}
