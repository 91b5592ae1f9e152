//! The sequential probability ratio test between two Elo differences, generalized to games with draws and to pairs.
//!
//! Sources: Wald, Annals of Mathematical Statistics 16, 1945 (test and bounds); Van den Bergh, notes to fishtest
//! (GSPRT_approximation.pdf): the GSPRT replaces the unknown distribution of outcomes under each hypothesis by the most likely one with the expected
//! score of that hypothesis. Elo is logistic, as in cutechess and in fishtest's "logistic" bounds.

use crate::elo::expected_score;
use crate::{GameOutcomes, StatsError};

/// A sequential test of `elo0` against `elo1 > elo0` with error probabilities `alpha` and `beta`.
///
/// ```
/// use ishi_stats::{SprtDecision, GameOutcomes, Sprt};
/// let sprt = Sprt::new(0.0, 30.0, 0.05, 0.05).unwrap();
/// assert_eq!(sprt.sprt_report(&GameOutcomes::from_games(60, 10, 50)).decision, SprtDecision::Continue);
/// assert_eq!(sprt.sprt_report(&GameOutcomes::from_games(600, 100, 500)).decision, SprtDecision::AcceptH1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::documents::SprtDocument"))]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum SprtDecision {
    /// Neither bound is reached: play on.
    Continue,
    /// The lower bound is reached: the difference is taken to be `elo0` (or less).
    AcceptH0,
    /// The upper bound is reached: the difference is taken to be `elo1` (or more).
    AcceptH1,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SprtReport {
    /// Log likelihood ratio of H1 to H0, natural logarithm.
    pub llr: f64,
    /// ln(beta / (1 - alpha)): at or below it H0 is accepted.
    pub lower: f64,
    /// ln((1 - beta) / alpha): at or above it H1 is accepted.
    pub upper: f64,
    /// What follows.
    pub decision: SprtDecision,
}

impl Sprt {
    /// The test of "the difference is `elo0`" (H0) against "it is `elo1`" (H1). `alpha` is the probability of
    /// accepting H1 when H0 holds, `beta` that of accepting H0 when H1 holds.
    ///
    /// # Errors
    /// Bounds that are not finite or not `elo0 < elo1`, or beyond 4000 Elo; `alpha` or `beta` not strictly between 0
    /// and 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, StatsError> {
        for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-4000.0..=4000.0).contains(&elo) {
                return Err(StatsError::new(name, elo, "it must lie from -4000 to 4000"));
            }
        }
        if elo0 >= elo1 {
            return Err(StatsError::new("elo1", elo1, format!("it must be greater than elo0, {elo0}")));
        }
        for (name, error) in [("alpha", alpha), ("beta", beta)] {
            if !(error > 0.0 && error < 0.5) {
                return Err(StatsError::new(name, error, "it must lie between 0 and 0.5, as 0.05 does"));
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// ln(beta / (1 - alpha)), negative.
    pub fn lower_bound(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// ln((1 - beta) / alpha), positive.
    ///
    /// ```
    /// use ishi_stats::Sprt;
    /// let sprt = Sprt::new(0.0, 30.0, 0.05, 0.05).unwrap();
    /// assert_eq!(format!("{:.3}", sprt.upper_bound()), "2.944");
    /// assert_eq!(format!("{:.3}", sprt.lower_bound()), "-2.944");
    /// ```
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The generalized log likelihood ratio of H1 to H0; 0 before the first game.
    pub fn log_likelihood_ratio(&self, outcomes: &GameOutcomes) -> f64 {
        let (s0, s1) = (expected_score(self.elo0), expected_score(self.elo1));
        outcomes.log_likelihood(s1) - outcomes.log_likelihood(s0)
    }

    /// The normal approximation (s1 - s0)(2s - s0 - s1) / (2 variance of s), as cutechess-style tools print it; 0
    /// while the variance is 0. It differs from [`Sprt::log_likelihood_ratio`] by terms of higher order in the Elo bounds.
    pub fn approximate_log_likelihood_ratio(&self, outcomes: &GameOutcomes) -> f64 {
        let (s0, s1) = (expected_score(self.elo0), expected_score(self.elo1));
        let total = outcomes.outcome_count();
        if total == 0.0 {
            return 0.0;
        }
        let score = outcomes.mean_score();
        let variance = outcomes.variance_around(score) / total;
        if variance <= 0.0 { 0.0 } else { (s1 - s0) * (2.0 * score - s0 - s1) / (2.0 * variance) }
    }

    /// The ratio, the bounds and the decision. Stop at the first decision: later results do not take it back.
    pub fn sprt_report(&self, outcomes: &GameOutcomes) -> SprtReport {
        let (llr, lower, upper) =
            (self.log_likelihood_ratio(outcomes), self.lower_bound(), self.upper_bound());
        let decision = match llr {
            llr if llr >= upper => SprtDecision::AcceptH1,
            llr if llr <= lower => SprtDecision::AcceptH0,
            _ => SprtDecision::Continue,
        };
        SprtReport { llr, lower, upper, decision }
    }
}
