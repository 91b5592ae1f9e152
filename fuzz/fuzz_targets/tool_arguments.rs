//! What a language model sends to a tool.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ishi_fuzz_targets::protocols::check_tool_arguments(bytes));
