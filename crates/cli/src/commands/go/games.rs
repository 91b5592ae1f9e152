//! Records of games as files: what the commands that learn from them share.

use std::io::Read;
use std::path::Path;

use ishi_patterns::records::{self, Record};

use crate::context::Failure;
use crate::files;

/// An option's whole number from 1 on.
pub(super) fn positive(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("{text:?}: write a whole number from 1 on"))
}

/// Says before the long work that its result could not be written.
pub(super) fn check_place(out: &Path, force: bool) -> Result<(), Failure> {
    files::check_place(out, force)
}

/// The text of a file, packed by gzip or not.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    let wrong = |problem: String| Failure::input(format!("{}: {problem}", path.display()));
    let mut bytes = files::read(path)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Vec::new();
        let unpacked = flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain);
        unpacked.map_err(|error| wrong(format!("damaged gzip: {error}")))?;
        bytes = plain;
    }
    String::from_utf8(bytes).map_err(|_| wrong("this is no text".to_string()))
}

/// The first `limit` games of a file, packed by gzip or not.
pub(super) fn read(path: &Path, limit: usize) -> Result<Vec<Record>, Failure> {
    let games = records::parse_first(&read_text(path)?, limit);
    games.map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}
