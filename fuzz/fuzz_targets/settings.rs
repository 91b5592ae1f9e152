//! Words and settings of command lines, files, forms and protocols.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::settings::check_settings(bytes));
