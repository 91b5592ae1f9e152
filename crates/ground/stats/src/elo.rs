//! Elo differences and expected scores, and the likelihood of superiority.
//!
//! Source: Elo, "The Rating of Chessplayers, Past and Present", 1978, with the logistic curve: 400 points are odds of
//! 10 to 1.

use crate::special::{binomial_at_most, normal_cdf};
use crate::{Interval, StatsError};

/// Elo points of a factor e in the odds: 400 / ln 10, 173.72.
pub const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The score in [0, 1] that the stronger by `difference` Elo expects. Infinite differences give 0 and 1.
///
/// ```
/// use ishi_stats::elo::expected_score;
/// assert_eq!(expected_score(0.0), 0.5);
/// assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
pub fn expected_score(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference / ELO_PER_NAT).exp())
}

/// The Elo difference at which `score` is expected: minus infinity for 0, plus infinity for 1.
///
/// ```
/// use ishi_stats::elo::elo_difference;
/// assert_eq!(elo_difference(0.75).unwrap().round(), 191.0);
/// let error = elo_difference(1.5).unwrap_err().to_string();
/// assert_eq!(error, "invalid score 1.5: it must lie from 0 to 1, as 0.55 does");
/// ```
///
/// # Errors
/// If `score` is not in [0, 1].
pub fn elo_difference(score: f64) -> Result<f64, StatsError> {
    if (0.0..=1.0).contains(&score) {
        Ok(elo_difference_unchecked(score))
    } else {
        Err(StatsError::new("score", score, "it must lie from 0 to 1, as 0.55 does"))
    }
}

/// As [`elo_difference`]; the caller knows that `score` is in [0, 1].
pub(crate) fn elo_difference_unchecked(score: f64) -> f64 {
    ELO_PER_NAT * (score.ln() - (-score).ln_1p())
}

/// The Elo differences at the ends of an interval of the score.
///
/// # Errors
/// If an end is not in [0, 1].
pub fn elo_difference_interval(score: Interval) -> Result<Interval, StatsError> {
    Ok(Interval { low: elo_difference(score.low)?, high: elo_difference(score.high)? })
}

/// The likelihood of superiority, normal approximation: Phi((wins - losses) / sqrt(wins + losses)); draws say nothing.
/// 0.5 without a decided game.
///
/// Source: Chess Programming Wiki, "Match Statistics".
pub fn likelihood_of_superiority(wins: u64, losses: u64) -> f64 {
    let (wins, losses) = (wins as f64, losses as f64);
    if wins + losses == 0.0 { 0.5 } else { normal_cdf((wins - losses) / (wins + losses).sqrt()) }
}

/// The likelihood of superiority, exact: the posterior probability that wins are likelier than losses when all rates
/// were equally likely before (draws cancel).
///
/// Source: Bayes' rule with a uniform prior: the posterior is Beta(wins + 1, losses + 1), whose part above one half is
/// a tail of `wins + losses + 1` fair coins (NIST Digital Library of Mathematical Functions, 8.17.5).
///
/// ```
/// use ishi_stats::elo::exact_likelihood_of_superiority;
/// assert_eq!(format!("{:.3}", exact_likelihood_of_superiority(15, 10)), "0.837");
/// ```
pub fn exact_likelihood_of_superiority(wins: u64, losses: u64) -> f64 {
    let coins = wins.saturating_add(losses).saturating_add(1);
    binomial_at_most(coins, 0.5, wins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_and_difference_are_inverse() {
        for elo in [-1200.0, -400.0, -3.5, 0.0, 0.1, 70.0, 800.0] {
            let back = elo_difference(expected_score(elo)).unwrap();
            assert!((back - elo).abs() < 1e-8, "{elo} became {back}");
        }
        assert_eq!(elo_difference(0.0).unwrap(), f64::NEG_INFINITY);
        assert_eq!(elo_difference(1.0).unwrap(), f64::INFINITY);
        let error = elo_difference(1.5).unwrap_err().to_string();
        assert_eq!(error, "invalid score 1.5: it must lie from 0 to 1, as 0.55 does");
        assert!(elo_difference(f64::NAN).is_err());
    }

    /// 1 - scipy.special.betainc(16, 11, 0.5) and scipy.stats.norm.cdf(1).
    #[test]
    fn superiority_matches_scipy() {
        assert!((exact_likelihood_of_superiority(15, 10) - 0.8365302085876465).abs() < 1e-10);
        assert!((likelihood_of_superiority(15, 10) - 0.8413447460685429).abs() < 1e-10);
        assert_eq!(likelihood_of_superiority(0, 0), 0.5);
        assert!((exact_likelihood_of_superiority(0, 0) - 0.5).abs() < 1e-13);
    }
}
