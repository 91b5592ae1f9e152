//! No line of a file of labels, and no answer of a judge, makes its reader panic.
#![no_main]

use ishi_go::BoardSize;
use ishi_analysis::labels::{Label, judge, label};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let size = BoardSize::square(9).unwrap();
    if let Ok(label) = Label::read(text, size) {
        let line = label.text(size);
        assert_eq!(Label::read(&line, size).unwrap().text(size), line);
    }
    let _ = label::place(text);
    let _ = judge::read_answer(text);
});
