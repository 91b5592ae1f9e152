//! An NBoard session: nothing ends it, and every ping is answered.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::protocols::check_nboard(bytes));
