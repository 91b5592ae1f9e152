//! Players and games: weights as learning has them on one side, the game's kernel on the other.

use ishi_othello::Wpc;
use ishi_othello::oneply::{LeagueRules, MatchTally, play_games};
use ishi_rng::{Rng, Seed};

use super::options::{FirstPlayer, LearningOptions};

/// A point of the search as a player. Weights that are no numbers, or all too great, play at random.
pub fn player_from_point(point: &[f64]) -> Wpc {
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
pub fn play_series(options: &LearningOptions, first: &Wpc, second: &Wpc, seed: Seed, games: u64) -> Vec<i8> {
    play_games(first, second, &options.league_rules(), seed, 0..games)
}

/// 1, 1/2 or 0.
pub(super) fn result_score(result: i8) -> f64 {
    0.5 * f64::from(1 + result.signum())
}

/// The mean score of `first`.
pub fn mean_score(options: &LearningOptions, first: &Wpc, second: &Wpc, seed: Seed, games: u64) -> f64 {
    MatchTally::from_results(&play_series(options, first, second, seed, games)).mean_score()
}

/// The mean of the scores against these opponents, each with so many games.
pub fn mean_score_of_all(
    rules: &LeagueRules,
    own: &Wpc,
    opponents: &[Wpc],
    seed: Seed,
    games_each: u64,
) -> f64 {
    let score = |(number, opponent): (u64, &Wpc)| {
        let seed = seed.child_seed("opponent", number);
        MatchTally::from_results(&play_games(own, opponent, rules, seed, 0..games_each)).mean_score()
    };
    (0..).zip(opponents).map(score).sum::<f64>() / opponents.len().max(1) as f64
}

/// The standard deviation with this divisor; 0 if there is none.
pub fn standard_deviation(values: &[f64], divisor: f64) -> f64 {
    if divisor <= 0.0 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / divisor).sqrt()
}
