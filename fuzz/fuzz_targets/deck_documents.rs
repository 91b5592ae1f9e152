//! Pools, requests, decks and collections: a pool that is read is written and read again the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::documents::check_deck_documents(bytes));
