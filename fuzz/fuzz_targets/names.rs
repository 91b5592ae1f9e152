//! Short texts: what is read is written as the same thing.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_names(bytes));
