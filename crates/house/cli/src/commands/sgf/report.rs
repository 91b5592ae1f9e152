//! What `ishi sgf check` says of a game, be it of Go or of Othello.

use std::fmt::Write;

use ishi_sgf::GameInfo;
use serde::Serialize;

/// What is in a game's record, and what is wrong with it.
#[derive(Serialize)]
pub(super) struct SgfGameReport {
    /// `Go`, `Othello` or `other`.
    pub(super) game: &'static str,
    pub(super) size: String,
    pub(super) nodes: usize,
    /// Moves of the main line; null if the game cannot be put on a board, and then `error` says why.
    pub(super) moves: Option<usize>,
    pub(super) error: Option<String>,
    pub(super) encoding: &'static str,
    pub(super) info: GameInfo,
    pub(super) illegal: Vec<String>,
}

/// Adds a line to a text.
pub(super) fn push_line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "{arguments}");
}
