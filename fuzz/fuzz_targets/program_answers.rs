//! What a program that judges positions answers.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::protocols::check_program_answers(bytes));
