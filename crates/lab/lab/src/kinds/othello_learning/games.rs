//! Players and games: weights as learning has them on one side, the game's kernel on the other.

use ishi_othello::Wpc;
use ishi_othello::oneply::{Rules, Tally, play_games};
use ishi_rng::{Rng, Seed};
use serde::{Deserialize, Serialize};

use super::learner::Learned;
use super::options::{FirstPlayer, Options};

/// A point of the search as a player. Weights that are no numbers, or all too great, play at random.
pub(super) fn player(point: &[f64]) -> Wpc {
    Wpc::new(point).unwrap_or_else(|_| Wpc::random())
}

/// The player that learning starts from.
pub(super) fn first_player(options: &Options, seed: Seed) -> Vec<f64> {
    match options.first_player {
        FirstPlayer::RandomMoves => vec![0.0; options.weights],
        FirstPlayer::RandomWeights => {
            let mut rng = Rng::new(seed.child("first player", 0));
            (0..options.weights).map(|_| 2.0 * rng.unit() - 1.0).collect()
        }
    }
}

/// Results for `first`: disc differences; it has Black in every other game.
pub(super) fn play(options: &Options, first: &Wpc, second: &Wpc, seed: Seed, games: u64) -> Vec<i8> {
    play_games(first, second, &Rules { epsilon: options.epsilon }, seed, 0..games)
}

/// 1, 1/2 or 0.
pub(super) fn score(result: i8) -> f64 {
    0.5 * f64::from(1 + result.signum())
}

/// The mean score of `first`.
pub(super) fn mean_score(options: &Options, first: &Wpc, second: &Wpc, seed: Seed, games: u64) -> f64 {
    Tally::of(&play(options, first, second, seed, games)).score()
}

/// A player as it came out, measured with games that no learning saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Measured {
    /// Its weights, in the kernel's form.
    pub(super) weights: String,
    /// Its rating in its own group, where there is one.
    #[serde(default)]
    pub(super) rating: Option<f64>,
    /// Mean score against the standard player.
    pub(super) standard: f64,
    /// The standard deviation of the score over series of N games against the standard player.
    pub(super) series_sd: f64,
    /// Mean score against random moves.
    pub(super) random: f64,
}

impl Measured {
    /// Plays so many games against the standard player, a tenth as many against random moves.
    pub(super) fn new(options: &Options, learned: &Learned, seed: Seed, games: u64) -> Measured {
        let own = player(&learned.point);
        let results = play(options, &own, &Wpc::standard(), seed.child("standard", 0), games);
        let series: Vec<f64> =
            results.chunks_exact(options.games as usize).map(|series| Tally::of(series).score()).collect();
        let random = mean_score(options, &own, &Wpc::random(), seed.child("random", 0), (games / 10).max(2));
        Measured {
            weights: own.to_string().trim().to_string(),
            rating: learned.rating,
            standard: Tally::of(&results).score(),
            series_sd: deviation(&series, series.len() as f64 - 1.0),
            random,
        }
    }
}

/// The standard deviation with this divisor; 0 if there is none.
pub(super) fn deviation(values: &[f64], divisor: f64) -> f64 {
    if divisor <= 0.0 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / divisor).sqrt()
}
