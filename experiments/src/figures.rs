//! Figures with intervals, as the reports of several kinds write them.

use ishi_lab::expected::{ReportFinding, format_number};
use ishi_stats::{ConfidenceLevel, Interval, IntervalMethod, Proportion};

/// A finding in per cent, Elo, points and so on.
pub(super) fn make_finding(
    key: impl Into<String>,
    what: impl Into<String>,
    value: f64,
    interval: Option<Interval>,
    unit_and_decimals: (&str, usize),
) -> ReportFinding {
    let interval = interval.map(|Interval { low, high }| [low, high]);
    ReportFinding::new(key, what, value, unit_and_decimals).with_interval(interval)
}

pub(super) fn wilson_interval(share: &Proportion) -> Interval {
    share.rate_interval(IntervalMethod::Wilson, ConfidenceLevel::default())
}

pub(super) fn interval_in_percent(interval: Interval) -> Interval {
    interval.map_ends(|rate| 100.0 * rate)
}

pub(super) fn format_interval(Interval { low, high }: Interval, decimals: usize) -> String {
    format!("{} to {}", format_number(low, decimals), format_number(high, decimals))
}

/// The mean; 0 of no values.
pub(super) fn mean_or_zero(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0u64), |(sum, count), value| (sum + value, count + 1));
    sum / count.max(1) as f64
}
