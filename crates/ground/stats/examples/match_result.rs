//! What a match says: the score with its interval, the Elo difference, and whether a sequential test may stop it.
//!
//! `cargo run -p ishi-stats --example match_result -- WINS DRAWS LOSSES`

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It is told what to do, and says what follows.

use ishi_stats::{ConfidenceLevel, GameOutcomes, Sprt, SprtDecision, StatsError};

fn tell_result(outcomes: &GameOutcomes) -> Result<(), StatsError> {
    let report = outcomes.score_report(ConfidenceLevel::default())?;
    println!(
        "{} games, score {:.3} ({:.3} to {:.3})",
        report.games, report.score, report.interval.low, report.interval.high
    );
    println!("Elo {:+.0} ({:+.0} to {:+.0})", report.elo, report.elo_interval.low, report.elo_interval.high);
    let test = Sprt::new(0.0, 30.0, 0.05, 0.05)?;
    println!(
        "{}",
        match test.sprt_report(outcomes).decision {
            SprtDecision::Continue => "play on: neither 0 nor 30 Elo is decided",
            SprtDecision::AcceptH0 => "stop: no gain of 30 Elo",
            SprtDecision::AcceptH1 => "stop: a gain",
        }
    );
    Ok(())
}

fn main() -> Result<(), StatsError> {
    let numbers: Vec<u64> =
        std::env::args().skip(1).map(|text| text.parse().expect("a whole number")).collect();
    let [wins, draws, losses] = numbers[..] else {
        println!("60 wins, 20 draws and 40 losses, as nothing else is given:");
        return tell_result(&GameOutcomes::from_games(60, 20, 40));
    };
    tell_result(&GameOutcomes::from_games(wins, draws, losses))
}
