//! The SGF reader: what it read survives being written.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_sgf(bytes));
