//! Numbers that took long.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::kept::check_kept_numbers(bytes));
