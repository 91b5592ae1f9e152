//! A certificate is written and read again the same, and checked where that is quick.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::kept::check_certificate_text(bytes));
