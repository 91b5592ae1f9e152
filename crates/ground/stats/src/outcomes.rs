//! The outcomes of games with draws, or of game pairs: score, variance, Elo, and the likelihood of a supposed score.
//!
//! One representation serves both: values in [0, 1], ascending from 0 to 1, with a count for each.
//!
//! Source for the likelihood: Van den Bergh, "The MLE of a multinomial distribution with given expectation" (notes to
//! fishtest, support_MLE_multinomial.pdf): the distribution that fits the counts best among those with a given mean multiplies each share
//! by 1 / (1 + x (a - mean)). What differs: outcomes that did not occur stay possible without a made-up count for them
//! (fishtest counts 0.001), because x is found as the maximum of the dual problem.

use crate::elo::elo_difference_unchecked;
use crate::special::{find_root, normal_cdf};
use crate::{ConfidenceLevel, Interval, StatsError};

const GAME_VALUES: [f64; 3] = [0.0, 0.5, 1.0];
const PAIR_VALUES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Counts of outcomes: of single games (loss, draw, win) or of game pairs (0, 1/2, 1, 3/2 and 2 points).
///
/// ```
/// use ishi_stats::{ConfidenceLevel, GameOutcomes};
/// let match_result = GameOutcomes::from_games(60, 20, 40).score_report(ConfidenceLevel::default()).unwrap();
/// assert!((match_result.score - 70.0 / 120.0).abs() < 1e-12);
/// assert_eq!(match_result.elo.round(), 58.0);
/// assert!(match_result.elo_interval.contains(58.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(from = "crate::documents::OutcomesDocument", into = "crate::documents::OutcomesDocument")
)]
pub struct GameOutcomes {
    /// Counts by ascending value; single games use the first three places.
    pub(crate) counts: [u64; 5],
    pub(crate) pairs: bool,
}

/// What the outcomes say about the score and the Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ScoreReport {
    /// Number of games (twice the number of pairs).
    pub games: u64,
    /// Mean score per game, in [0, 1].
    pub score: f64,
    /// Variance of the score of a game: trinomial, or twice the variance of a pair's mean (pentanomial).
    pub variance_per_game: f64,
    /// Standard error of `score`.
    pub std_error: f64,
    /// The confidence of the intervals.
    pub confidence: ConfidenceLevel,
    /// The scores that the likelihood ratio test does not reject: sound near 0 and 1 too.
    pub interval: Interval,
    /// `score` plus and minus z standard errors, cut to [0, 1]: the usual figure, of no width after wins only.
    pub wald: Interval,
    /// The Elo difference of `score`; infinite for 0 and 1.
    pub elo: f64,
    /// The Elo differences at the ends of `interval`.
    pub elo_interval: Interval,
    /// Likelihood of superiority, normal approximation with the variance under equal strength.
    pub superiority: f64,
}

impl GameOutcomes {
    /// Single games (trinomial).
    pub fn from_games(wins: u64, draws: u64, losses: u64) -> Self {
        GameOutcomes { counts: [losses, draws, wins, 0, 0], pairs: false }
    }

    /// Game pairs (pentanomial): how many pairs brought 0, 1/2, 1, 3/2 and 2 points.
    ///
    /// Both games of a pair start from the same opening with colours swapped, so that they are not independent; the
    /// pair is what is.
    ///
    /// ```
    /// use ishi_stats::{ConfidenceLevel, GameOutcomes};
    /// let pairs = GameOutcomes::from_pairs([13, 37, 50, 25, 3]);
    /// let report = pairs.score_report(ConfidenceLevel::default()).unwrap();
    /// assert_eq!((report.games, report.score), (256, 0.4375));
    /// ```
    pub fn from_pairs(counts: [u64; 5]) -> Self {
        GameOutcomes { counts, pairs: true }
    }

    /// Number of games; two to a pair.
    pub fn number_of_games(&self) -> u64 {
        let outcomes = self.counts.iter().fold(0_u64, |sum, &count| sum.saturating_add(count));
        if self.pairs { outcomes.saturating_mul(2) } else { outcomes }
    }

    /// Values with their counts as numbers.
    pub(crate) fn value_counts(&self) -> impl Iterator<Item = (f64, f64)> {
        let values: &[f64] = if self.pairs { &PAIR_VALUES } else { &GAME_VALUES };
        values.iter().zip(&self.counts).map(|(&value, &count)| (value, count as f64))
    }

    /// Number of outcomes, of games or of pairs.
    pub(crate) fn outcome_count(&self) -> f64 {
        self.value_counts().map(|(_, count)| count).sum()
    }

    pub(crate) fn mean_score(&self) -> f64 {
        self.value_counts().map(|(value, count)| value * count).sum::<f64>() / self.outcome_count()
    }

    /// Mean of the squared distance from `centre`.
    pub(crate) fn variance_around(&self, centre: f64) -> f64 {
        self.value_counts().map(|(value, count)| count * (value - centre).powi(2)).sum::<f64>()
            / self.outcome_count()
    }

    /// All figures at once.
    ///
    /// # Errors
    /// If there is no game.
    pub fn score_report(&self, confidence: ConfidenceLevel) -> Result<ScoreReport, StatsError> {
        let total = self.outcome_count();
        if total == 0.0 {
            return Err(StatsError::new("number of games", 0, "at least one is needed"));
        }
        let score = self.mean_score();
        let variance = self.variance_around(score);
        let std_error = (variance / total).sqrt();
        let interval = self.likelihood_interval(confidence);
        Ok(ScoreReport {
            games: self.number_of_games(),
            score,
            variance_per_game: if self.pairs { 2.0 * variance } else { variance },
            std_error,
            confidence,
            interval,
            wald: Interval::around_centre(score, confidence.z_score() * std_error).clamp_to_unit(),
            elo: elo_difference_unchecked(score),
            elo_interval: interval.map_ends(elo_difference_unchecked),
            superiority: self.likelihood_of_superiority(),
        })
    }

    /// Phi(distance from 1/2, in standard errors under equal strength); 1/2 if nothing differs from 1/2.
    fn likelihood_of_superiority(&self) -> f64 {
        let error = (self.variance_around(0.5) / self.outcome_count()).sqrt();
        if error == 0.0 { 0.5 } else { normal_cdf((self.mean_score() - 0.5) / error) }
    }

    /// The log likelihood of the best distribution with mean `mean` (in (0, 1)), relative to the best of all; at most 0.
    ///
    /// The dual problem: maximise the sum of n ln(1 + x (a - mean)) over the x that keep every factor positive.
    pub(crate) fn log_likelihood(&self, mean: f64) -> f64 {
        let slope = |x: f64| -> f64 {
            self.value_counts()
                .filter(|&(_, count)| count > 0.0)
                .map(|(value, count)| count * (value - mean) / (1.0 + x * (value - mean)))
                .sum()
        };
        // The factor of value 1 bounds x below, that of value 0 above; both ends are reached only if the value did
        // not occur, and the bisection ends there by itself.
        let x = find_root(|x| -slope(x), -1.0 / (1.0 - mean), 1.0 / mean);
        let sum: f64 = self
            .value_counts()
            .filter(|&(_, count)| count > 0.0)
            .map(|(value, count)| count * (x * (value - mean)).ln_1p())
            .sum();
        -sum.max(0.0)
    }

    /// The means whose log likelihood lies at most z^2 / 2 below the best (Wilks).
    fn likelihood_interval(&self, confidence: ConfidenceLevel) -> Interval {
        let (mean, allowed) = (self.mean_score(), confidence.z_score().powi(2) / 2.0);
        let excess = |at: f64| self.log_likelihood(at) + allowed;
        let low = if mean <= 0.0 { 0.0 } else { find_root(excess, 0.0, mean) };
        let high = if mean >= 1.0 { 1.0 } else { find_root(|at| -excess(at), mean, 1.0) };
        Interval { low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(outcomes: GameOutcomes) -> ScoreReport {
        outcomes.score_report(ConfidenceLevel::default()).unwrap()
    }

    #[test]
    fn trinomial_variance_by_hand() {
        // 6 wins, 2 draws, 2 losses: mean 0.7, mean square 0.65, variance 0.16.
        let report = report(GameOutcomes::from_games(6, 2, 2));
        assert!((report.score - 0.7).abs() < 1e-15);
        assert!((report.variance_per_game - 0.16).abs() < 1e-15);
        assert!((report.std_error - 0.016_f64.sqrt()).abs() < 1e-15);
        assert_eq!(report.games, 10);
    }

    /// A published fishtest-style page (montytest, run 69d3c8dc7c5b3724e29d2712): pairs 13, 37, 50, 25, 3.
    #[test]
    fn pentanomial_figures_match_a_published_run() {
        let report = report(GameOutcomes::from_pairs([13, 37, 50, 25, 3]));
        assert_eq!(report.games, 256);
        assert_eq!(report.score, 0.4375);
        assert_eq!(format!("{:.5}", report.variance_per_game), "0.11523");
        assert_eq!(format!("{:.4}", report.elo), "-43.6578");
    }

    #[test]
    fn superiority_equals_the_formula_for_decided_games() {
        let report = report(GameOutcomes::from_games(15, 7, 10));
        assert!((report.superiority - crate::elo::likelihood_of_superiority(15, 10)).abs() < 1e-12);
    }

    /// Wins only: the likelihood interval is exp(-z^2 / 2n) to 1; draws only: symmetric, and not of width 0.
    #[test]
    fn extreme_results_keep_a_sensible_interval() {
        let drop = (-ConfidenceLevel::default().z_score().powi(2) / 20.0).exp();
        let all_won = report(GameOutcomes::from_games(10, 0, 0));
        assert!((all_won.interval.low - drop).abs() < 1e-9, "{:?}", all_won.interval);
        assert_eq!((all_won.interval.high, all_won.elo), (1.0, f64::INFINITY));
        let all_lost = report(GameOutcomes::from_games(0, 0, 10));
        assert!((all_lost.interval.high - (1.0 - drop)).abs() < 1e-9, "{:?}", all_lost.interval);
        let all_drawn = report(GameOutcomes::from_games(0, 10, 0));
        assert!((all_drawn.interval.high - (1.0 - drop / 2.0)).abs() < 1e-9, "{:?}", all_drawn.interval);
        assert!((all_drawn.interval.low - drop / 2.0).abs() < 1e-9, "{:?}", all_drawn.interval);
        assert_eq!(all_drawn.superiority, 0.5);
    }

    #[test]
    fn no_game_is_an_error() {
        let error = GameOutcomes::from_games(0, 0, 0)
            .score_report(ConfidenceLevel::default())
            .unwrap_err()
            .to_string();
        assert_eq!(error, "invalid number of games 0: at least one is needed");
    }

    #[test]
    fn likelihood_is_that_of_a_coin_without_draws() {
        let outcomes = GameOutcomes::from_games(30, 0, 20);
        for mean in [0.3_f64, 0.5, 0.6, 0.61, 0.9] {
            let coin = 30.0 * (mean / 0.6).ln() + 20.0 * ((1.0 - mean) / 0.4).ln();
            assert!((outcomes.log_likelihood(mean) - coin).abs() < 1e-9, "{mean}");
        }
    }
}
