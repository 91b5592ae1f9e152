//! Players, times and openings of matches.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_arena_texts(bytes));
