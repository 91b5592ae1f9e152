//! How much luck there is in a rating: players that are exactly as strong as the members of the group are rated.

use ishi_othello::Wpc;
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};

use super::games::{deviation, play};
use super::options::{Options, Rating};
use super::rating;

/// The word for the work.
pub(super) const TASK: &str = "othello-even-ratings";

/// Ratings of even players by one way of rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Spread {
    /// Elo or likelihood.
    pub(super) rating: Rating,
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
pub(super) fn spreads(options: &Options, seed: Seed, groups: u64) -> Vec<Spread> {
    let standard = Wpc::standard();
    let members = vec![options.start_rating; options.group];
    let ways = [Rating::Elo, Rating::Likelihood];
    let mut rated = [Vec::new(), Vec::new()];
    for number in 0..groups * options.population as u64 {
        let seed = seed.child("candidate", number);
        let results: Vec<Vec<i8>> = (0..options.group as u64)
            .map(|member| play(options, &standard, &standard, seed.child("member", member), options.games))
            .collect();
        for (way, all) in ways.iter().zip(&mut rated) {
            let options = Options { rating: *way, ..options.clone() };
            all.push(rating::candidate(&options, &members, &results));
        }
    }
    ways.iter().zip(&rated).map(|(&way, all)| spread(options, way, all)).collect()
}

fn spread(options: &Options, rating: Rating, all: &[f64]) -> Spread {
    let count = all.len() as f64;
    let best: Vec<f64> =
        all.chunks(options.population).map(|group| group.iter().copied().fold(f64::MIN, f64::max)).collect();
    let groups = best.len() as f64;
    Spread {
        rating,
        mean: all.iter().sum::<f64>() / count,
        sd: deviation(all, count - 1.0),
        best: best.iter().sum::<f64>() / groups,
        best_sd: deviation(&best, groups - 1.0),
        admitted: best.iter().filter(|&&best| best > options.admission).count() as f64 / groups,
        groups: best.len() as u64,
    }
}
