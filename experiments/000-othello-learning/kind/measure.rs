//! Players as they came out, measured with games that no learning saw.

use ishi_othello::Wpc;
use ishi_othello::oneply::MatchTally;
use ishi_othello_learn::evolution::{
    LearnedPlayer, LearningOptions, mean_score, play_series, player_from_point, standard_deviation,
};
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};

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
