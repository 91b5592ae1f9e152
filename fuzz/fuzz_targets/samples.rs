//! Training samples, which are written and read again the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::documents::check_samples(bytes));
