//! The files of games in the folder of `--sgf`.

use std::path::Path;

use ishi_arena::{GameRecord, PairTask};

use super::game::PlayedGame;
use crate::context::Failure;
use crate::files;

/// Writes the records of a game, and the transcript if something went wrong, into the folder.
pub(super) fn write_game<G: PlayedGame>(
    folder: &Path,
    task: &PairTask<G>,
    number: usize,
    game: &GameRecord<G>,
) -> Result<(), Failure> {
    let path = |ending: &str| folder.join(game_file(task.index, number, ending));
    files::write_sgf(&path("sgf"), &game.to_sgf(task, number), true)?;
    if !game.transcript.is_empty() {
        files::write_file(&path("transcript.txt"), (game.transcript.join("\n") + "\n").as_bytes(), true)?;
    }
    Ok(())
}

/// `pair-0001-game-1.sgf`.
pub(super) fn game_file(pair: u64, number: usize, ending: &str) -> String {
    format!("pair-{:04}-game-{}.{ending}", pair + 1, number + 1)
}
