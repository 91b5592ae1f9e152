//! The files that pages look at: the only place of this crate that opens any.

use std::fs;
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
