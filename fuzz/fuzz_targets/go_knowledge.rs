//! No text makes the readers of Go problems, exercises and joseki panic, and no bytes those of packed joseki and networks; problems
//! that are taken can be set up or are refused with a reason.
#![no_main]

use ishi_go_play::problems::{sgf, text};
use ishi_patterns::{exercises, joseki, library, net::MoveNetwork};
use ishi_rng::checksum::append_checksum;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let words = String::from_utf8_lossy(bytes);
    for problem in text::parse_problems(&words).unwrap_or_default() {
        let _ = problem.position();
    }
    if let Ok(reading) = ishi_sgf::read_collection(bytes) {
        for game in &reading.collection.games {
            let _ = sgf::read_problem(game, "a problem").map(|problem| problem.position());
        }
    }
    let _ = exercises::parse_exercises(&words);
    let _ = library::text::parse_draft_pattern(&words);
    if let Ok(read) = joseki::text::parse_joseki(&words) {
        assert_eq!(joseki::text::parse_joseki(&joseki::text::write_joseki(&read)), Ok(read));
    }
    let _ = joseki::packed::unpack_joseki(bytes);
    // A right checksum behind the bytes, so that they are looked at.
    let mut whole = bytes.to_vec();
    append_checksum(&mut whole);
    let _ = MoveNetwork::from_bytes(&whole);
});
