//! How much luck there is in a rating: players that are exactly as strong as the members of the group are rated.

use ishi_lab::store::TaskKind;
use ishi_othello::Wpc;
use ishi_othello_learn::evolution::{
    LearningOptions, RatingMethod, play_series, rate_candidate, standard_deviation,
};
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};

/// The word for the work.
pub(super) const TASK: TaskKind = TaskKind::new("othello-even-ratings");

/// Ratings of even players by one way of rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RatingSpread {
    /// Elo or likelihood.
    pub(super) rating: RatingMethod,
    /// Mean of the ratings.
    pub(super) mean: f64,
    /// Standard deviation of the ratings.
    pub(super) sd: f64,
    /// Mean of the best of NP ratings.
    pub(super) best: f64,
    /// Its standard deviation.
    pub(super) best_sd: f64,
    /// How often the best of NP is above the rating for admission.
    pub(super) admitted: f64,
    /// Groups of NP ratings.
    pub(super) groups: u64,
}

/// Rates the standard player in a full group of standard players, `groups` times NP times.
pub(super) fn measure_rating_spreads(
    options: &LearningOptions,
    seed: Seed,
    groups: u64,
) -> Vec<RatingSpread> {
    let standard = Wpc::standard();
    let members = vec![options.start_rating; options.group];
    let ways = [RatingMethod::Elo, RatingMethod::Likelihood];
    let mut rated = [Vec::new(), Vec::new()];
    for number in 0..groups * options.population as u64 {
        let seed = seed.child_seed("candidate", number);
        let results: Vec<Vec<i8>> = (0..options.group as u64)
            .map(|member| {
                play_series(options, &standard, &standard, seed.child_seed("member", member), options.games)
            })
            .collect();
        for (way, all) in ways.iter().zip(&mut rated) {
            let options = LearningOptions { rating: *way, ..options.clone() };
            all.push(rate_candidate(&options, &members, &results));
        }
    }
    ways.iter().zip(&rated).map(|(&way, all)| rating_spread(options, way, all)).collect()
}

fn rating_spread(options: &LearningOptions, rating: RatingMethod, all: &[f64]) -> RatingSpread {
    let count = all.len() as f64;
    let best: Vec<f64> =
        all.chunks(options.population).map(|group| group.iter().copied().fold(f64::MIN, f64::max)).collect();
    let groups = best.len() as f64;
    RatingSpread {
        rating,
        mean: all.iter().sum::<f64>() / count,
        sd: standard_deviation(all, count - 1.0),
        best: best.iter().sum::<f64>() / groups,
        best_sd: standard_deviation(&best, groups - 1.0),
        admitted: best.iter().filter(|&&best| best > options.admission).count() as f64 / groups,
        groups: best.len() as u64,
    }
}
