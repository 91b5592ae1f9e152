//! No text makes the readers of short texts panic: seeds, rules, sizes, engines, confidences, results, colours. What they
//! read is written as the same thing.
#![no_main]

use ishi_go::{BoardSize, Color, Rules};
use ishi_go_play::catalog;
use ishi_rng::{Rng, Seed};
use ishi_sgf::GameResult;
use ishi_stats::ConfidenceLevel;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(seed) = text.parse::<Seed>() {
        assert_eq!(seed.to_string().parse(), Ok(seed));
    }
    if let Ok(rng) = text.parse::<Rng>() {
        assert_eq!(rng.to_string().parse(), Ok(rng));
    }
    if let Ok(rules) = text.parse::<Rules>() {
        assert_eq!(rules.to_string().parse::<Rules>().ok(), Some(rules));
    }
    if let Ok(size) = text.parse::<BoardSize>() {
        assert_eq!(size.to_string().parse::<BoardSize>().ok(), Some(size));
    }
    if let Ok(result) = text.parse::<GameResult>() {
        assert_eq!(result.to_string().parse::<GameResult>().ok(), Some(result));
    }
    if let Ok(engine) = catalog::create_go_player(text, Seed::new(1)) {
        assert!(catalog::create_go_player(&engine.spec(), Seed::new(1)).is_ok());
    }
    let _ = (text.parse::<Color>(), text.parse::<ConfidenceLevel>());
});
