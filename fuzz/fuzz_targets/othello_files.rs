//! Books of other programs, and players in files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_othello_files(bytes));
