//! A state of learning by evolution, as JSON: one that is taken can be told, kept and read again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::kept::check_evolution_state(bytes));
