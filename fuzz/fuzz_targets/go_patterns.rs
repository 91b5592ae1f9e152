//! No text makes the readers of records of Go games and of patterns panic, and no bytes those of move strengths and packed patterns.
#![no_main]

use ishi_patterns::{Predictor, library, records};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = records::parse(&text);
    if let Ok(read) = library::text::parse(&text) {
        assert_eq!(library::text::parse(&library::text::write(&read)), Ok(read));
    }
    let _ = library::packed::unpack(bytes);
    let _ = Predictor::unpack(bytes);
});
