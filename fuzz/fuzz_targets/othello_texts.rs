//! Boards, transcripts, OBF, GGF, WTHOR and SGF of Othello, each by its own reader: what was read survives being written.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_othello_texts(bytes));
