//! Figures that an experiment is held against.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::documents::check_lab_texts(bytes));
