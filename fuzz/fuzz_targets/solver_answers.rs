//! What a solver of integer programmes answers.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::documents::check_solver_answers(bytes));
