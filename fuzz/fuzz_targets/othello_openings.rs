//! Openings of matches of Othello.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_othello_openings(bytes));
