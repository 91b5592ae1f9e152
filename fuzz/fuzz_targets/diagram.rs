//! Diagrams: the board that is drawn is read back as the same board.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_diagram(bytes));
