//! What those who look on hear of the moves that are generated.

use ishi_go::BoardSize;
use ishi_go_play::catalog;
use ishi_go_play::session::{Session, SessionSettings};
use ishi_rng::Seed;
use ishi_words::Language;

use crate::answers;
use crate::host::TestHost;

/// Black's stone in the middle has one liberty left, and White is to move.
const ATARI: &str = "play b E5\nplay w E6\nplay b A1\nplay w D5\nplay b A2\nplay w F5\nplay b A3\n";

/// The answer to `genmove w`, and what was told.
fn told_of_genmove(engine: &str, spectators: Option<Language>) -> (String, Vec<String>) {
    let host = TestHost::default();
    let told = host.spectators.clone();
    let size = BoardSize::square(9).unwrap();
    let settings = SessionSettings { size, spectators, ..SessionSettings::default() };
    let engine = catalog::create_go_player(engine, Seed::new(1)).unwrap();
    let mut session = Session::new(engine, Box::new(host), settings).unwrap();
    let (text, _) = answers(&mut session, format!("{ATARI}7 genmove w\n").as_bytes());
    let vertex = text.split("=7 ").nth(1).unwrap().trim().to_string();
    let lines = told.lock().unwrap().clone();
    (vertex, lines)
}

#[test]
fn a_generated_move_is_told_with_what_it_does() {
    let (vertex, told) = told_of_genmove("go-capture", Some(Language::English));
    assert_eq!((vertex.as_str(), told.len()), ("E4", 1));
    assert!(told[0].starts_with("White E4 takes the stone at E5."), "{told:?}");
    let (_, told) = told_of_genmove("go-capture", Some(Language::Japanese));
    assert!(told[0].starts_with("白E4はE5の石を取ります。"), "{told:?}");
    assert_eq!(told_of_genmove("go-capture", None), ("E4".to_string(), vec![]), "nobody asked for it");
}

#[test]
fn a_player_that_searches_tells_what_it_expects() {
    let (vertex, told) = told_of_genmove("go-flat:playouts=200", Some(Language::English));
    assert!(told[0].starts_with(&format!("White {vertex}")) && told[0].contains(" % to win."), "{told:?}");
}
