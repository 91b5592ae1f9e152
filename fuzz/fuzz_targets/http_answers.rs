//! What a server answers to our client of HTTP.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::protocols::check_http_answers(bytes));
