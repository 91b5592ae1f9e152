//! What an engine says to a controller.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::protocols::check_gtp_answers(bytes));
