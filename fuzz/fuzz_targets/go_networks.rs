//! Networks of moves and of the judge: what is read is written the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::kept::check_go_networks(bytes));
