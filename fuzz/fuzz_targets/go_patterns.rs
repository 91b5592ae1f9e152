//! No text makes the readers of records of Go games and of patterns panic, and no bytes those of move strengths and packed patterns.
#![no_main]

use ishi_patterns::{MovePredictor, library, records};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = records::parse_records(&text);
    if let Ok(read) = library::text::parse_library(&text) {
        assert_eq!(library::text::parse_library(&library::text::write_library(&read)), Ok(read));
    }
    let _ = library::packed::unpack_library(bytes);
    let _ = MovePredictor::from_bytes(bytes);
});
