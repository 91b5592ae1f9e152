//! Games as SGF that become lines of records.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_sgf_records(bytes));
