//! Positions of self-play.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::kept::check_self_play_positions(bytes));
