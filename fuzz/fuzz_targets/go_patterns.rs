//! Lines of records, and patterns as text, which are written and read again the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_go_patterns(bytes));
