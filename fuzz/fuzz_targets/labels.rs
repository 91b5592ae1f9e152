//! No line of a file of labels, and no answer of a judge, makes its reader panic.
#![no_main]

use ishi_analysis::labels::{PositionLabel, judge, label};
use ishi_go::BoardSize;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let size = BoardSize::square(9).unwrap();
    if let Ok(label) = PositionLabel::from_line(text, size) {
        let line = label.to_line(size);
        assert_eq!(PositionLabel::from_line(&line, size).unwrap().to_line(size), line);
    }
    let _ = label::read_place(text);
    let _ = label::split_checksum_column(text);
    let _ = judge::parse_answer(text);
});
