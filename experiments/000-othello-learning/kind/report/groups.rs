//! The players that runs of many players end with.

use super::super::measure::MeasuredMember;
use super::trial::{LearningTrial, mean_value};
use ishi_lab::body::SheetTable;
use ishi_lab::expected::format_number;

/// The players that runs of many players end with.
pub(super) fn group_table(trials: &[LearningTrial], with_paper: bool) -> SheetTable {
    let columns = [
        "seed",
        "#games, millions",
        "#populations",
        "#best-rated against standard",
        "#sd of a series",
        "#members' mean",
        "#best member",
        "#lowest member",
        "#winner of a longer league",
        "#against random",
        "weights of the best-rated, or of the league's winner",
    ];
    let mut table = SheetTable::new(columns);
    if with_paper {
        table.add_row(["paper", "55", "", "0.483", "0.0697"]);
    }
    for trial in trials {
        let (Some(champion), Some(point)) = (trial.champion(), trial.points.last()) else { continue };
        let of = |value: fn(&MeasuredMember) -> f64| trial.final_members().iter().map(value);
        let average = |value| format_number(mean_value(of(value)).unwrap_or(f64::NAN), 3);
        let best_rated = trial.members_by_rating().first().copied();
        let text = |value: Option<f64>, decimals| {
            value.map_or(String::new(), |value| format_number(value, decimals))
        };
        table.add_row([
            trial.seed.to_string(),
            format_number(trial.games as f64 / 1e6, 2),
            point.k.to_string(),
            text(best_rated.map(|m| m.standard), 3),
            text(best_rated.map(|m| m.series_sd), 4),
            average(|member| member.standard),
            format_number(of(|member| member.standard).fold(0.0, f64::max), 3),
            format_number(of(|member| member.standard).fold(1.0, f64::min), 3),
            format_number(champion.standard, 3),
            average(|member| member.random),
            shorten_weights(&best_rated.unwrap_or(champion).weights),
        ]);
    }
    table
}

/// Weights with three decimals.
pub(super) fn shorten_weights(weights: &str) -> String {
    let round = |word: &str| word.parse::<f64>().map_or(word.to_string(), |v| format_number(v, 3));
    weights.split_whitespace().map(round).collect::<Vec<_>>().join(" ")
}
