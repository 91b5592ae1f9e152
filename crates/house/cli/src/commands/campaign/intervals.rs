//! Shares and means of works, with intervals of 95 %.

use ishi_stats::{ConfidenceLevel, Interval, IntervalMethod, Proportion, SampleSummary};
use serde::Serialize;

/// A share as so many of so many, with Wilson's interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct ShareEstimate {
    are: u64,
    of: u64,
    /// `None` of nothing.
    share: Option<f64>,
    interval: Option<Interval>,
}

impl ShareEstimate {
    /// `are` of `of`.
    pub(crate) fn new(are: usize, of: usize) -> ShareEstimate {
        let (are, of) = (are as u64, of as u64);
        let known = Proportion::new(are, of).ok();
        let interval =
            known.map(|known| known.rate_interval(IntervalMethod::Wilson, ConfidenceLevel::default()));
        ShareEstimate { are, of, share: known.map(|known| known.rate()), interval }
    }
}

/// `17 of 20 (85.0 %, 95 % interval 64.0 to 94.8 %)`.
impl std::fmt::Display for ShareEstimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.are, self.of)?;
        let Some((share, interval)) = self.share.zip(self.interval) else { return Ok(()) };
        let [share, low, high] = [share, interval.low, interval.high].map(|part| 100.0 * part);
        write!(f, " ({share:.1} %, 95 % interval {low:.1} to {high:.1} %)")
    }
}

/// The mean of values that do not depend on each other, with Student's interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct MeanEstimate {
    values: usize,
    mean: f64,
    /// `None` of a single value.
    interval: Option<Interval>,
}

impl MeanEstimate {
    /// The mean of these values; `None` if there are none.
    pub(crate) fn from_values(values: &[f64]) -> Option<MeanEstimate> {
        let summary = SampleSummary::from_sample(values).ok()?;
        let interval = summary.mean_interval(ConfidenceLevel::default());
        Some(MeanEstimate { values: summary.count(), mean: summary.mean(), interval })
    }
}

/// `1.25 (95 % interval -0.50 to 3.00)`.
impl std::fmt::Display for MeanEstimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2}", self.mean)?;
        let Some(Interval { low, high }) = self.interval else { return Ok(()) };
        write!(f, " (95 % interval {low:.2} to {high:.2})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The intervals were computed with another program: Wilson's and Student's.
    #[test]
    fn shares_and_means_have_their_intervals() {
        let share = ShareEstimate::new(17, 20);
        assert_eq!(share.to_string(), "17 of 20 (85.0 %, 95 % interval 64.0 to 94.8 %)");
        assert_eq!(ShareEstimate::new(0, 0).to_string(), "0 of 0");
        let mean = MeanEstimate::from_values(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!(mean.to_string(), "2.50 (95 % interval 0.45 to 4.55)");
        assert_eq!(MeanEstimate::from_values(&[2.0]).unwrap().to_string(), "2.00");
        assert_eq!(MeanEstimate::from_values(&[]), None);
    }
}
