//! Points that are given of a board, of as many rows and columns as there are and of others.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::documents::check_given_board(bytes));
