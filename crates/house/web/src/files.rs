//! The files that pages look at: the only place of this crate that opens any.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// The text of a file; none if it cannot be read.
pub(crate) fn read_text_or_empty(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// When a file was changed last, if it is there.
pub(crate) fn last_change(path: impl AsRef<Path>) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// A file to read from in places.
pub(crate) fn open_to_read(path: impl AsRef<Path>) -> io::Result<File> {
    File::open(path)
}
