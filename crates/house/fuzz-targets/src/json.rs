//! Things in documents of JSON, as who uses the libraries keeps and sends them.

use ishi_deck::{Deck, DeckAnswer, DeckRequest, Pool};
use ishi_go::{BoardSize, Rules};
use ishi_grid::Board as StringsBoard;
use ishi_othello::obf::ObfProblem;
use ishi_othello::{Board as OthelloBoard, Square, Wpc};
use ishi_sgf::{Collection, GameResult};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What is read is written so that it is read again. Gives how it was written at first, and then.
fn write_twice<T: Serialize + DeserializeOwned>(text: &str) -> Option<[String; 2]> {
    let write = |thing: &T| serde_json::to_string(thing).expect("it is JSON");
    let written = write(&serde_json::from_str(text).ok()?);
    let again: T = serde_json::from_str(&written).unwrap_or_else(|error| panic!("{written}: {error}"));
    let again = write(&again);
    Some([written, again])
}

/// What is read is written so that it is read again the same.
fn check_same<T: Serialize + DeserializeOwned>(text: &str) {
    if let Some([written, again]) = write_twice::<T>(text) {
        assert_eq!(again, written);
    }
}

/// Games, boards, moves, rules, records, pools and decks in JSON: no document makes what the rules do not know, and what is read is written
/// so that it is read again.
pub fn check_json_documents(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    check_same::<ishi_go::Board>(text);
    check_same::<BoardSize>(text);
    check_same::<ishi_go::Color>(text);
    check_same::<ishi_go::Move>(text);
    check_same::<ishi_go::Point>(text);
    check_same::<ishi_othello::Color>(text);
    check_same::<ishi_othello::Move>(text);
    check_same::<ishi_othello::Position>(text);
    check_same::<ObfProblem>(text);
    check_same::<OthelloBoard>(text);
    check_same::<Square>(text);
    check_same::<Wpc>(text);
    check_same::<StringsBoard>(text);
    check_same::<Collection>(text);
    check_same::<GameResult>(text);
    check_same::<Deck>(text);
    check_same::<DeckAnswer>(text);
    check_same::<DeckRequest>(text);
    // Their numbers may be rounded on the way.
    write_twice::<ishi_go::Position>(text);
    write_twice::<Rules>(text);
    write_twice::<Pool>(text);
}
