//! A checkpoint of learning by temporal differences that is read is one again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::kept::check_td_checkpoint(bytes));
