//! Piece counters, which are written and read again the same, and published players.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_othello_players(bytes));
