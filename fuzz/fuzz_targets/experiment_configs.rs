//! The configuration of an experiment.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::documents::check_experiment_config(bytes));
