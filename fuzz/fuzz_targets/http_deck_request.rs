//! A request for a deck.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::servers::check_deck_request(bytes));
