//! No text makes the reader of records of Go games panic, and no bytes that of move strengths.
#![no_main]

use ishi_patterns::{Predictor, records};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = records::parse(&String::from_utf8_lossy(bytes));
    let _ = Predictor::unpack(bytes);
});
