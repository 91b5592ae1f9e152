//! The address of a database, and files that it may name.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::documents::check_database_address(bytes));
