//! No bytes make the readers of opening books and of lists of openings panic; a book that is read is written the same.
#![no_main]

use ishi_othello_play::book::Book;
use ishi_othello_play::openings::OpeningNames;
use ishi_rng::checksum::append_checksum;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // A right checksum behind the bytes, so that they are looked at.
    let mut whole = bytes.to_vec();
    append_checksum(&mut whole);
    if let Ok(book) = Book::from_bytes(&whole) {
        assert_eq!(book.to_bytes(), whole);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = OpeningNames::parse(text);
    }
});
