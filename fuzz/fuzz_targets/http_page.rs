//! The address of a page of the workbench.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::servers::check_page_address(bytes));
