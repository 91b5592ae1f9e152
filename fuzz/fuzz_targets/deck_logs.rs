//! Logs of decks in all forms, and knapsacks with pairs as text.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::documents::check_deck_logs(bytes));
