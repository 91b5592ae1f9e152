//! No text makes the reader of diagrams panic, and the board it draws is read back as the same board.
#![no_main]

use ishi_go::Diagram;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(Ok(board)) = text.parse::<Diagram>().map(|diagram| diagram.to_board()) {
        let again: Diagram = board.to_string().parse().expect("a drawn board");
        assert_eq!(again.to_board().expect("a legal board").hash(), board.hash());
    }
});
