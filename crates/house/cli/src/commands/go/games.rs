//! Records of games as files: what the commands that learn from them share.

use std::path::Path;

use ishi_patterns::records::{self, RecordedGame};

use crate::context::Failure;
use crate::files;

/// The text of a file, packed by gzip or not.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    decode_text(path, files::read_unpacked(path)?)
}

/// The bytes of this file as text.
pub(super) fn decode_text(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|_| Failure::in_file(path, "it must be text in UTF-8"))
}

/// Are these the bytes of a record as SGF?
pub(super) fn is_sgf(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'(')
}

/// The first `limit` games of a file, packed by gzip or not.
pub(super) fn read_games(path: &Path, limit: usize) -> Result<Vec<RecordedGame>, Failure> {
    parse_games(path, files::read_unpacked(path)?, limit)
}

/// [`read_games()`], all of them without a limit; there must be one at least.
pub(super) fn read_some_games(path: &Path, limit: Option<usize>) -> Result<Vec<RecordedGame>, Failure> {
    let games = read_games(path, limit.unwrap_or(usize::MAX))?;
    if games.is_empty() { Err(Failure::in_file(path, "there are no games")) } else { Ok(games) }
}

/// The first `limit` games in the bytes of this file.
pub(super) fn parse_games(path: &Path, bytes: Vec<u8>, limit: usize) -> Result<Vec<RecordedGame>, Failure> {
    let games = records::parse_first_records(&decode_text(path, bytes)?, limit);
    games.map_err(|error| Failure::in_file(path, error))
}
