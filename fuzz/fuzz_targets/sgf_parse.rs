//! No bytes make the SGF reader panic, and what it read survives being written.
#![no_main]

use ishi_sgf::{GameInfo, GameTree, GoGame, Warnings, read_collection};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(reading) = read_collection(bytes) else { return };
    for warning in &reading.warnings {
        assert!(warning.place.offset as usize <= bytes.len(), "{warning}");
    }
    for game in &reading.collection.games {
        GameInfo::read_main_line(game, &mut Warnings::new());
        if let Ok(game) = GoGame::read_main_line(game) {
            assert!(game.moves().filter_map(|m| m.mv.point()).all(|point| game.size.contains(point)));
        }
    }
    let again = read_collection(reading.collection.to_sgf().as_bytes()).expect("what was written is SGF");
    let mut same = reading.collection;
    same.games.iter_mut().for_each(GameTree::normalise_root);
    assert!(again.collection == same, "the round trip changed the games");
});
