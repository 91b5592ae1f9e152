//! Games, boards, records, pools and decks in JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::json::check_json_documents(bytes));
