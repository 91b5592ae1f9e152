//! No text makes the readers of Go problems, exercises and joseki panic, and no bytes those of packed joseki and networks; problems
//! that are taken can be set up or are refused with a reason.
#![no_main]

use ishi_go_play::problems::{sgf, text};
use ishi_patterns::{exercises, joseki, library, net::Network};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let words = String::from_utf8_lossy(bytes);
    for problem in text::parse(&words).unwrap_or_default() {
        let _ = problem.position();
    }
    if let Ok(reading) = ishi_sgf::read(bytes) {
        for game in &reading.collection.games {
            let _ = sgf::problem(game, "a problem").map(|problem| problem.position());
        }
    }
    let _ = exercises::parse(&words);
    let _ = library::text::parse_draft(&words);
    if let Ok(read) = joseki::text::parse(&words) {
        assert_eq!(joseki::text::parse(&joseki::text::write(&read)), Ok(read));
    }
    let _ = joseki::packed::unpack(bytes);
    let _ = Network::unpack(bytes);
});
