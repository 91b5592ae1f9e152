//! Summary of a sample of numbers: mean, deviation, t interval, percentiles.

use crate::special::student_quantile;
use crate::{ConfidenceLevel, Interval, StatsError};

/// A sample, kept sorted.
///
/// ```
/// use ishi_stats::{ConfidenceLevel, SampleSummary};
/// let seconds = SampleSummary::from_sample(&[2.3, 1.9, 4.4, 3.1]).unwrap();
/// assert_eq!(seconds.percentile(50.0).unwrap(), 2.7);
/// assert!(seconds.mean_interval(ConfidenceLevel::default()).unwrap().contains(seconds.mean()));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<f64>", into = "Vec<f64>"))]
pub struct SampleSummary {
    pub(crate) sorted: Vec<f64>,
    mean: f64,
    std_dev: Option<f64>,
}

impl SampleSummary {
    /// Summarizes `sample`, in any order.
    ///
    /// # Errors
    /// An empty sample, or a value that is not finite.
    pub fn from_sample(sample: &[f64]) -> Result<Self, StatsError> {
        if sample.is_empty() {
            return Err(StatsError::new("sample size", 0, "at least one value is needed"));
        }
        if let Some(bad) = sample.iter().find(|value| !value.is_finite()) {
            return Err(StatsError::new("value", bad, "values must be finite numbers"));
        }
        let mut sorted = sample.to_vec();
        sorted.sort_by(f64::total_cmp);
        // In sorted order, so that the sums do not depend on the order in which the sample came.
        let n = sorted.len() as f64;
        let mean = sorted.iter().map(|value| value / n).sum::<f64>();
        let squares: f64 = sorted.iter().map(|value| (value - mean).powi(2)).sum();
        let std_dev = (sorted.len() > 1).then(|| (squares / (n - 1.0)).sqrt());
        Ok(SampleSummary { sorted, mean, std_dev })
    }

    /// Number of values.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// The arithmetic mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard deviation of the sample (divisor n - 1), or `None` of a single value.
    pub fn std_dev(&self) -> Option<f64> {
        self.std_dev
    }

    /// The standard error of the mean, or `None` of a single value.
    pub fn std_error(&self) -> Option<f64> {
        self.std_dev().map(|deviation| deviation / (self.count() as f64).sqrt())
    }

    /// The smallest value.
    pub fn min(&self) -> f64 {
        self.sorted[0]
    }

    /// The greatest value.
    pub fn max(&self) -> f64 {
        self.sorted[self.count() - 1]
    }

    /// The 50th percentile.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Student's interval of the mean, or `None` of a single value.
    pub fn mean_interval(&self, confidence: ConfidenceLevel) -> Option<Interval> {
        let error = self.std_error()?;
        let quantile = student_quantile(confidence.tail_probability(), self.count() as f64 - 1.0);
        Some(Interval::around_centre(self.mean, quantile * error))
    }

    /// The percentile `percent`, with linear interpolation between the values (type 7 of Hyndman and Fan, The American
    /// Statistician 50, 1996; the default of R and NumPy).
    ///
    /// # Errors
    /// If `percent` is not in [0, 100].
    pub fn percentile(&self, percent: f64) -> Result<f64, StatsError> {
        if (0.0..=100.0).contains(&percent) {
            Ok(self.quantile(percent / 100.0))
        } else {
            Err(StatsError::new("percentile", percent, "it must lie from 0 to 100"))
        }
    }

    fn quantile(&self, share: f64) -> f64 {
        let place = share * (self.count() - 1) as f64;
        let below = place.floor() as usize;
        let above = (below + 1).min(self.count() - 1);
        let weight = place - below as f64;
        self.sorted[below] * (1.0 - weight) + self.sorted[above] * weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(ours: f64, reference: f64) {
        assert!((ours - reference).abs() < 1e-9, "{ours} is not {reference}");
    }

    /// numpy.mean, std(ddof=1), percentile; scipy.stats.sem and t.interval.
    #[test]
    fn summary_matches_numpy_and_scipy() {
        let summary = SampleSummary::from_sample(&[2.3, 1.9, 4.4, 3.1, 2.8, 5.0, 3.3, 2.2]).unwrap();
        close(summary.mean(), 3.125);
        close(summary.std_dev().unwrap(), 1.089888591947426);
        close(summary.std_error().unwrap(), 0.3853338070519414);
        let interval = summary.mean_interval(ConfidenceLevel::default()).unwrap();
        close(interval.low, 2.2138303348864046);
        close(interval.high, 4.036169665113595);
        for (percent, value) in
            [(0.0, 1.9), (10.0, 2.11), (25.0, 2.275), (50.0, 2.95), (90.0, 4.58), (100.0, 5.0)]
        {
            close(summary.percentile(percent).unwrap(), value);
        }
        assert_eq!((summary.min(), summary.max(), summary.count()), (1.9, 5.0, 8));
    }

    #[test]
    fn one_value_has_no_deviation() {
        let summary = SampleSummary::from_sample(&[4.0]).unwrap();
        assert_eq!((summary.mean(), summary.median()), (4.0, 4.0));
        assert_eq!((summary.std_dev(), summary.std_error()), (None, None));
        assert_eq!(summary.mean_interval(ConfidenceLevel::default()), None);
    }

    #[test]
    fn bad_samples_are_errors() {
        assert!(SampleSummary::from_sample(&[]).is_err());
        assert_eq!(
            SampleSummary::from_sample(&[1.0, f64::NAN]).unwrap_err().to_string(),
            "invalid value NaN: values must be finite numbers"
        );
        assert!(SampleSummary::from_sample(&[1.0]).unwrap().percentile(101.0).is_err());
    }
}
