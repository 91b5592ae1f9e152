//! A form of the workbench: the first line is the path, the rest the form as it is sent. `KEY0` to `KEY4` in the path are a game of Go, one
//! of Othello, a collection of patterns, one of joseki, and a table of cards, with their rooms.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::servers::check_form(bytes));
