//! Any bytes as a request to either server. `HOST` is its address.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::servers::check_head(bytes));
