//! Confidence levels and intervals.

use std::fmt;
use std::str::FromStr;

use crate::StatsError;
use crate::special::normal_quantile;

/// A two-sided confidence level, strictly between 0 and 1. The default is 0.95.
///
/// ```
/// use ishi_stats::ConfidenceLevel;
/// assert_eq!(ConfidenceLevel::default(), ConfidenceLevel::new(0.95).unwrap());
/// let error = ConfidenceLevel::new(95.0).unwrap_err().to_string();
/// assert_eq!(error, "invalid confidence 95: it must lie between 0 and 1, as 0.95 does");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64"))]
pub struct ConfidenceLevel(f64);

impl ConfidenceLevel {
    /// The level `level`.
    ///
    /// # Errors
    /// If `level` is not strictly between 0 and 1.
    pub fn new(level: f64) -> Result<Self, StatsError> {
        if level > 0.0 && level < 1.0 {
            Ok(ConfidenceLevel(level))
        } else {
            Err(StatsError::new("confidence", level, "it must lie between 0 and 1, as 0.95 does"))
        }
    }

    /// The level as a number, 0.95 for 95%.
    pub fn level(self) -> f64 {
        self.0
    }

    /// The probability left outside on either side: 0.025 for 95%.
    pub fn tail_probability(self) -> f64 {
        (1.0 - self.0) / 2.0
    }

    /// The standard normal quantile of the interval: 1.959964 for 95%.
    pub fn z_score(self) -> f64 {
        -normal_quantile(self.tail_probability())
    }
}

impl Default for ConfidenceLevel {
    fn default() -> Self {
        ConfidenceLevel(0.95)
    }
}

impl fmt::Display for ConfidenceLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for ConfidenceLevel {
    type Err = StatsError;

    fn from_str(text: &str) -> Result<Self, StatsError> {
        let error = || StatsError::new("confidence", format!("{text:?}"), "write a number such as 0.95");
        text.trim().parse().map_err(|_| error()).and_then(ConfidenceLevel::new)
    }
}

/// An interval with its ends, `low <= high`; an end may be infinite (Elo).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// `centre` plus and minus `half_width`.
    pub(crate) fn around_centre(centre: f64, half_width: f64) -> Self {
        Interval { low: centre - half_width, high: centre + half_width }
    }

    /// The same interval cut to [0, 1].
    pub(crate) fn clamp_to_unit(self) -> Self {
        Interval { low: self.low.clamp(0.0, 1.0), high: self.high.clamp(0.0, 1.0) }
    }

    /// Both ends mapped by the increasing function `f`.
    pub fn map_ends(self, f: impl Fn(f64) -> f64) -> Self {
        Interval { low: f(self.low), high: f(self.high) }
    }

    /// Whether `value` lies in the interval, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// `high - low`.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}
