//! A file of Othello in any format, by its name or by what is in it, and converted into every format that has a place for it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_othello_records(bytes));
