//! A line of a file of labels, which is written the same again, and the answer of a judge.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::documents::check_labels(bytes));
