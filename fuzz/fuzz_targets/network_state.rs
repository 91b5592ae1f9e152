//! The state of the learning of a network of moves.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::kept::check_network_state(bytes));
