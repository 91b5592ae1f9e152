//! Players and games: weights as learning has them on one side, the game's kernel on the other.

use ishi_othello::Wpc;
use ishi_othello::oneply::{LeagueRules, MatchTally, play_games};
use ishi_rng::{Rng, Seed};
use serde::{Deserialize, Serialize};

use super::learner::LearnedPlayer;
use super::options::{FirstPlayer, LearningOptions};

/// A point of the search as a player. Weights that are no numbers, or all too great, play at random.
pub(super) fn player_from_point(point: &[f64]) -> Wpc {
    Wpc::new(point).unwrap_or_else(|_| Wpc::random())
}

/// The player that learning starts from.
pub(super) fn first_player(options: &LearningOptions, seed: Seed) -> Vec<f64> {
    match options.first_player {
        FirstPlayer::RandomMoves => vec![0.0; options.weights],
        FirstPlayer::RandomWeights => {
            let mut rng = Rng::new(seed.child_seed("first player", 0));
            (0..options.weights).map(|_| 2.0 * rng.next_unit() - 1.0).collect()
        }
    }
}

/// Results for `first`: disc differences; it has Black in every other game.
pub(super) fn play_series(
    options: &LearningOptions,
    first: &Wpc,
    second: &Wpc,
    seed: Seed,
    games: u64,
) -> Vec<i8> {
    play_games(first, second, &LeagueRules { epsilon: options.epsilon }, seed, 0..games)
}

/// 1, 1/2 or 0.
pub(super) fn result_score(result: i8) -> f64 {
    0.5 * f64::from(1 + result.signum())
}

/// The mean score of `first`.
pub(super) fn mean_score(
    options: &LearningOptions,
    first: &Wpc,
    second: &Wpc,
    seed: Seed,
    games: u64,
) -> f64 {
    MatchTally::from_results(&play_series(options, first, second, seed, games)).mean_score()
}

/// A player as it came out, measured with games that no learning saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MeasuredMember {
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

impl MeasuredMember {
    /// Plays so many games against the standard player, a tenth as many against random moves.
    pub(super) fn new(
        options: &LearningOptions,
        learned: &LearnedPlayer,
        seed: Seed,
        games: u64,
    ) -> MeasuredMember {
        let own = player_from_point(&learned.point);
        let results = play_series(options, &own, &Wpc::standard(), seed.child_seed("standard", 0), games);
        let series: Vec<f64> = results
            .chunks_exact(options.games as usize)
            .map(|series| MatchTally::from_results(series).mean_score())
            .collect();
        let random =
            mean_score(options, &own, &Wpc::random(), seed.child_seed("random", 0), (games / 10).max(2));
        MeasuredMember {
            weights: own.to_string().trim().to_string(),
            rating: learned.rating,
            standard: MatchTally::from_results(&results).mean_score(),
            series_sd: standard_deviation(&series, series.len() as f64 - 1.0),
            random,
        }
    }
}

/// The standard deviation with this divisor; 0 if there is none.
pub(super) fn standard_deviation(values: &[f64], divisor: f64) -> f64 {
    if divisor <= 0.0 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / divisor).sqrt()
}
