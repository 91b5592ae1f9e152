//! A checkpoint of a count is refused, or counted on from.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::kept::check_count_checkpoint(bytes));
