//! A vertex on a board whose sides the first two bytes say: what was read is written as the same vertex.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_vertex(bytes));
