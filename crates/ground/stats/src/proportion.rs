//! Wins out of games without draws: intervals of the rate and tests of a supposed rate.
//!
//! Sources: Wilson, JASA 22, 1927; Clopper and Pearson, Biometrika 26, 1934; Newcombe, Statistics in Medicine 17, 1998
//! (the formulas, with continuity correction too); Lancaster, JASA 56, 1961 (mid-p); R's `binom.test` for the
//! two-sided exact convention.

use crate::special::{binomial_at_least, binomial_at_most, binomial_pmf, find_root, normal_cdf};
use crate::{ConfidenceLevel, Interval, StatsError};

/// How to compute an interval of a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum IntervalMethod {
    /// Wilson's score interval: the rates that the normal test does not reject. The one to use by default.
    Wilson,
    /// Wilson's interval with continuity correction (Newcombe's method 4; R's `prop.test`).
    WilsonCorrected,
    /// The exact interval: never covers less than it says (R's `binom.test`).
    ClopperPearson,
    /// Rate plus and minus z standard errors, cut to [0, 1]; too short near 0 and 1.
    Wald,
}

/// How to compute a p-value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum TestMethod {
    /// Sums of binomial probabilities. Two-sided by the method of small p-values, as R's `binom.test`: all outcomes
    /// that are no more likely than the one observed (within a relative 1e-7, against rounding).
    Exact,
    /// As exact one-sided, but the observed outcome counts half. Two-sided: twice the smaller side, at most 1.
    MidP,
    /// The normal approximation with the standard error under `p0`.
    Normal,
    /// The normal approximation with the distance to the mean shortened by half a game, but not below 0.
    NormalCorrected,
}

/// What is to be shown against the hypothesis that the rate is `p0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum TestAlternative {
    /// The rate differs from `p0`.
    TwoSided,
    /// The rate is greater than `p0`.
    Greater,
    /// The rate is less than `p0`.
    Less,
}

/// `successes` out of `trials`, at least one trial.
///
/// ```
/// use ishi_stats::{TestAlternative, ConfidenceLevel, IntervalMethod, Proportion, TestMethod};
/// let wins = Proportion::new(540, 1000).unwrap();
/// let interval = wins.rate_interval(IntervalMethod::Wilson, ConfidenceLevel::default());
/// let p = wins.p_value(TestMethod::Exact, TestAlternative::TwoSided, 0.5).unwrap();
/// assert_eq!(format!("{:.3}-{:.3} p={p:.3}", interval.low, interval.high), "0.509-0.571 p=0.012");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::documents::ProportionDocument"))]
pub struct Proportion {
    successes: u64,
    trials: u64,
}

impl Proportion {
    /// `successes` out of `trials`.
    ///
    /// # Errors
    /// If `trials` is 0, if `successes` exceeds `trials`, or if `trials` exceeds 2^53 (doubles count no further).
    pub fn new(successes: u64, trials: u64) -> Result<Self, StatsError> {
        if trials == 0 || trials > 1 << 53 {
            return Err(StatsError::new("number of games", trials, "it must lie from 1 to 9007199254740992"));
        }
        if successes > trials {
            return Err(StatsError::new(
                "number of wins",
                successes,
                format!("it must lie from 0 to {trials}"),
            ));
        }
        Ok(Proportion { successes, trials })
    }

    /// How many succeeded.
    pub fn successes(&self) -> u64 {
        self.successes
    }

    /// How many were tried.
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// `successes / trials`.
    pub fn rate(&self) -> f64 {
        self.successes as f64 / self.trials as f64
    }

    /// An interval of the rate, within [0, 1].
    pub fn rate_interval(&self, method: IntervalMethod, confidence: ConfidenceLevel) -> Interval {
        match method {
            IntervalMethod::Wilson => self.wilson_interval(confidence.z_score()),
            IntervalMethod::WilsonCorrected => self.wilson_corrected_interval(confidence.z_score()),
            IntervalMethod::ClopperPearson => self.clopper_pearson_interval(confidence.tail_probability()),
            IntervalMethod::Wald => {
                let rate = self.rate();
                let error = (rate * (1.0 - rate) / self.trials as f64).sqrt();
                Interval::around_centre(rate, confidence.z_score() * error).clamp_to_unit()
            }
        }
    }

    fn wilson_interval(&self, z: f64) -> Interval {
        let (n, p) = (self.trials as f64, self.rate());
        let share = z * z / n;
        let half = z * (p * (1.0 - p) / n + share / (4.0 * n)).sqrt();
        self.with_exact_ends(
            Interval::around_centre(p + share / 2.0, half).map_ends(|end| end / (1.0 + share)),
        )
    }

    fn wilson_corrected_interval(&self, z: f64) -> Interval {
        let (n, p) = (self.trials as f64, self.rate());
        let root = |sign: f64| {
            z * (z * z - 1.0 / n + 4.0 * n * p * (1.0 - p) + sign * (4.0 * p - 2.0)).max(0.0).sqrt() + 1.0
        };
        let end = |offset: f64| (2.0 * n * p + z * z + offset) / (2.0 * (n + z * z));
        self.with_exact_ends(Interval { low: end(-root(1.0)), high: end(root(-1.0)) })
    }

    fn clopper_pearson_interval(&self, tail: f64) -> Interval {
        let (k, n) = (self.successes, self.trials);
        let low = find_root(|p| binomial_at_least(n, p, k) - tail, 0.0, 1.0);
        let high = find_root(|p| tail - binomial_at_most(n, p, k), 0.0, 1.0);
        self.with_exact_ends(Interval { low, high })
    }

    /// No success leaves 0 possible, no failure leaves 1 possible: no rounding error may say otherwise.
    fn with_exact_ends(&self, interval: Interval) -> Interval {
        let Interval { low, high } = interval.clamp_to_unit();
        Interval {
            low: if self.successes == 0 { 0.0 } else { low },
            high: if self.successes == self.trials { 1.0 } else { high },
        }
    }

    /// The p-value of the hypothesis that the true rate is `p0`.
    ///
    /// ```
    /// use ishi_stats::{Proportion, TestAlternative, TestMethod};
    /// // Nine of ten by a fair coin, or further from five either way: 22 of 1024 sequences.
    /// let wins = Proportion::new(9, 10).unwrap();
    /// let p = wins.p_value(TestMethod::Exact, TestAlternative::TwoSided, 0.5).unwrap();
    /// assert_eq!(format!("{p:.4}"), "0.0215");
    /// ```
    ///
    /// # Errors
    /// If `p0` is not strictly between 0 and 1.
    pub fn p_value(
        &self,
        method: TestMethod,
        alternative: TestAlternative,
        p0: f64,
    ) -> Result<f64, StatsError> {
        if !(p0 > 0.0 && p0 < 1.0) {
            return Err(StatsError::new("p0", p0, "it must lie between 0 and 1, as 0.5 does"));
        }
        let two_sided = alternative == TestAlternative::TwoSided;
        if two_sided && method == TestMethod::Exact {
            return Ok(self.exact_two_sided_p_value(p0));
        }
        let greater = self.one_sided_p_value(method, p0, true);
        let less = self.one_sided_p_value(method, p0, false);
        Ok(match alternative {
            TestAlternative::Greater => greater,
            TestAlternative::Less => less,
            TestAlternative::TwoSided => (2.0 * greater.min(less)).min(1.0),
        })
    }

    fn one_sided_p_value(&self, method: TestMethod, p0: f64, greater: bool) -> f64 {
        let (k, n) = (self.successes, self.trials);
        let exact = || if greater { binomial_at_least(n, p0, k) } else { binomial_at_most(n, p0, k) };
        match method {
            TestMethod::Exact => exact(),
            TestMethod::MidP => (exact() - binomial_pmf(n, p0, k) / 2.0).max(0.0),
            TestMethod::Normal => self.normal_tail(p0, greater, 0.0),
            TestMethod::NormalCorrected => self.normal_tail(p0, greater, 0.5),
        }
    }

    /// The correction moves the observed count towards the mean by half a game, never past it.
    fn normal_tail(&self, p0: f64, greater: bool, correction: f64) -> f64 {
        let n = self.trials as f64;
        let distance = self.successes as f64 - n * p0;
        let shortened = distance.signum() * (distance.abs() - correction).max(0.0);
        let z = shortened / (n * p0 * (1.0 - p0)).sqrt();
        if greater { normal_cdf(-z) } else { normal_cdf(z) }
    }

    fn exact_two_sided_p_value(&self, p0: f64) -> f64 {
        let (k, n) = (self.successes, self.trials);
        let mean = n as f64 * p0;
        let limit = binomial_pmf(n, p0, k) * (1.0 + 1e-7);
        let unlikely = |i: u64| binomial_pmf(n, p0, i) <= limit;
        if k as f64 == mean {
            1.0
        } else if (k as f64) < mean {
            // Beyond the mean the probabilities fall: the unlikely ones are a tail.
            let from = first_holding(mean.ceil() as u64, n + 1, unlikely);
            (binomial_at_most(n, p0, k) + binomial_at_least(n, p0, from)).min(1.0)
        } else {
            // Below the mean they rise; count the unlikely ones by their first likely successor.
            let until = first_holding(0, mean.floor() as u64 + 1, |i| !unlikely(i));
            let below = if until == 0 { 0.0 } else { binomial_at_most(n, p0, until - 1) };
            (binomial_at_least(n, p0, k) + below).min(1.0)
        }
    }
}

/// The first number of `low..high` for which `holds`, or `high`; `holds` must not change back.
fn first_holding(low: u64, high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (low, high);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
