//! No bytes make the readers of Othello's boards, transcripts, OBF, GGF, WTHOR and SGF panic, and what they read survives
//! being written.
#![no_main]

use ishi_othello::wthor::{Database, Names, NamesKind};
use ishi_othello::{Position, ggf, obf};
use ishi_sgf::OthelloGame;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(database) = Database::read(bytes) {
        database.games.iter().for_each(|game| drop(game.replay()));
        let written = database.write().expect("what was read can be written");
        assert!(Database::read(&written).expect("what was written can be read") == database);
    }
    for kind in [NamesKind::Players, NamesKind::Tournaments] {
        let Ok(names) = Names::read(kind, bytes) else { continue };
        // A name that fills its last byte is read, but not written.
        if let Ok(written) = names.write(kind) {
            assert!(Names::read(kind, &written).expect("what was written can be read").names == names.names);
        }
    }
    if let Ok(reading) = ishi_sgf::read(bytes) {
        for game in reading.collection.games.iter().filter_map(|tree| OthelloGame::read(tree).ok()) {
            let Ok(position) = game.replay(None) else { continue };
            let again = OthelloGame::read(&OthelloGame::of(&position).to_tree()).expect("a game of Othello");
            assert!(again.replay(None) == Ok(position));
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        texts(text);
    }
});

fn texts(text: &str) {
    if let Ok(position) = Position::from_text(text) {
        assert!(Position::from_text(&position.to_line()).as_ref() == Ok(&position));
        assert!(Position::from_text(&position.to_diagram()) == Ok(position));
    }
    if let Ok(game) = Position::from_transcript(text) {
        let again = Position::from_transcript(&game.transcript()).expect("a transcript");
        assert!(again.squares_played().eq(game.squares_played()));
    }
    if let Ok(problems) = obf::read(text) {
        assert!(obf::read(&obf::write(&problems)) == Ok(problems));
    }
    if let Ok(games) = ggf::read(text) {
        games.iter().for_each(|game| drop(game.replay()));
        let again = ggf::read(&ggf::write(&games)).expect("what was written is GGF");
        assert!(again.len() == games.len());
    }
}
