//! Problems, exercises and joseki as text: problems that are taken can be set up or are refused with a reason, joseki and exercises are
//! written and read again the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::games::check_go_knowledge(bytes));
