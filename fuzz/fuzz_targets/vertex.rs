//! No text makes the vertex reader panic, and what it read is written as the same vertex.
#![no_main]

use ishi_go::BoardSize;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, &str)| {
    let (width, height, text) = input;
    let side = |n: u8| BoardSize::MIN + usize::from(n) % (BoardSize::MAX - BoardSize::MIN + 1);
    let size = BoardSize::new(side(width), side(height)).expect("2 to 25 lines");
    if let Ok(mv) = size.parse_move(text) {
        assert_eq!(size.parse_move(&mv.to_string()), Ok(mv));
        assert!(mv.point().is_none_or(|point| size.contains(point)));
    }
});
