//! A position of Othello as people have it at hand.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_othello_given(bytes));
