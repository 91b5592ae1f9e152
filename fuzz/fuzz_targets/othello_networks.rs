//! Networks of Othello: one that is read is written so that it reads the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::kept::check_othello_networks(bytes));
