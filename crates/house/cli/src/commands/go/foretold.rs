//! How well moves were foretold, as the commands that learn from records tell it.

use std::fmt::Write;
use std::time::Duration;

use ishi_patterns::evaluate::Accuracy;
use serde::Serialize;

/// What foretelling the moves of some games has shown.
#[derive(Serialize)]
pub(super) struct PredictionReport {
    /// 0: they are no games' positions.
    games: usize,
    positions: u64,
    /// Shares of positions whose move was among the first 1, 5 and 20.
    top_1: f64,
    top_5: f64,
    top_20: f64,
    /// Mean natural logarithm of the probability of the move played.
    log_likelihood: f64,
    /// Replaying included.
    cpu_microseconds_per_position: f64,
}

impl PredictionReport {
    pub(super) fn from_accuracy(accuracy: &Accuracy, games: usize, cpu: Duration) -> PredictionReport {
        let [top_1, top_5, top_20] = accuracy.top_shares();
        PredictionReport {
            games,
            positions: accuracy.positions,
            top_1,
            top_5,
            top_20,
            log_likelihood: accuracy.log_likelihood(),
            cpu_microseconds_per_position: cpu.as_secs_f64() * 1e6 / accuracy.positions.max(1) as f64,
        }
    }

    /// Writes the shares as lines for people.
    pub(super) fn write_lines(&self, text: &mut String) {
        // Writing to a string cannot fail.
        let of = if self.games > 0 { format!(" of {} games", self.games) } else { String::new() };
        let _ = writeln!(text, "{} positions{of}:", self.positions);
        for (top, share) in [(1, self.top_1), (5, self.top_5), (20, self.top_20)] {
            let _ = writeln!(text, "  among the first {top:>2}: {:.2} %", 100.0 * share);
        }
        let _ = writeln!(text, "  mean log-likelihood: {:.4}", self.log_likelihood);
        let _ = writeln!(text, "  CPU per position: {:.0} us", self.cpu_microseconds_per_position);
    }
}
