//! A form of the workbench: the first line is the path, the rest the form as it is sent. `KEY0` to `KEY7` in the path are a game of Go, one
//! of Othello, a collection of patterns, one of joseki, a table of cards, a draft of a pattern, a board of strings and a game that is searched for
//! patterns, with their rooms.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::servers::check_form(bytes));
