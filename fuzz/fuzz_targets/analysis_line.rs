//! A line of the analysis protocol: every position of a query that is taken can be set up.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::protocols::check_analysis_line(bytes));
