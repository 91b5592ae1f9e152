//! A GTP session of Go: nothing ends it, and every command is answered once, with its id.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::protocols::check_go_gtp(bytes));
