//! Packed joseki, packed patterns and move strengths.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::kept::check_go_packed(bytes));
