//! No bytes make the readers of Othello's boards, transcripts, OBF, GGF, WTHOR and SGF panic, and what they read survives
//! being written.
#![no_main]

use ishi_othello::wthor::{WthorDatabase, WthorNames, WthorNamesKind};
use ishi_othello::{Position, ggf, obf};
use ishi_sgf::OthelloGame;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(database) = WthorDatabase::from_bytes(bytes) {
        database.games.iter().for_each(|game| drop(game.replay()));
        let written = database.to_bytes().expect("what was read can be written");
        assert!(WthorDatabase::from_bytes(&written).expect("what was written can be read") == database);
    }
    for kind in [WthorNamesKind::Players, WthorNamesKind::Tournaments] {
        let Ok(names) = WthorNames::from_bytes(kind, bytes) else { continue };
        // A name that fills its last byte is read, but not written.
        if let Ok(written) = names.to_bytes(kind) {
            assert!(
                WthorNames::from_bytes(kind, &written).expect("what was written can be read").names
                    == names.names
            );
        }
    }
    if let Ok(reading) = ishi_sgf::read_collection(bytes) {
        for game in reading.collection.games.iter().filter_map(|tree| OthelloGame::read_main_line(tree).ok())
        {
            let Ok(position) = game.replay_moves(None) else { continue };
            let again = OthelloGame::read_main_line(&OthelloGame::from_position(&position).to_tree())
                .expect("a game of Othello");
            assert!(again.replay_moves(None) == Ok(position));
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
        let again = Position::from_transcript(&game.to_transcript()).expect("a transcript");
        assert!(again.squares_played().eq(game.squares_played()));
    }
    if let Ok(problems) = obf::read_problems(text) {
        assert!(obf::read_problems(&obf::write_problems(&problems)) == Ok(problems));
    }
    if let Ok(games) = ggf::read_games(text) {
        games.iter().for_each(|game| drop(game.replay()));
        let again = ggf::read_games(&ggf::write_games(&games)).expect("what was written is GGF");
        assert!(again.len() == games.len());
    }
}
