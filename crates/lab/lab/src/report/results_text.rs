//! The text of `results.json`: its checksum and its version.

use ishi_rng::checksum::{ChecksumError, NO_CHECKSUM, check_sealed_text, seal_text};

/// What stands before the checksum of `results.json`.
const CHECKSUM_MARK: &str = "\"checksum\": \"";
/// The member behind it; the number is the version. Reports of before have none.
const FORMAT_MEMBER: &str = "\"format\": \"ishi-results 1\"";
/// What stands before the version.
const FORMAT_MARK: &str = "\"format\": \"ishi-results ";

/// The whole text, around what stands behind the version.
pub(super) fn seal_results(members: &str) -> String {
    let text = format!("{{\n  {CHECKSUM_MARK}{NO_CHECKSUM}\",\n  {FORMAT_MEMBER},{members}\n}}\n");
    seal_text(&text, CHECKSUM_MARK)
}

/// Is the text of a `results.json` as a report wrote it? If not, why.
pub(crate) fn check_results_text(text: &str) -> Result<(), String> {
    check_sealed_text(text, CHECKSUM_MARK).map_err(|error| match error {
        ChecksumError::Missing => {
            "it has no checksum: it was made by an older ishi or damaged; `ishi lab run` makes the report again".to_string()
        }
        _ => format!("{error}; `ishi lab run` makes the report again"),
    })?;
    let mut first = text.lines().take(FORMAT_LINES).map(|line| line.trim().trim_end_matches(','));
    match first.find(|line| line.starts_with(FORMAT_MARK) && *line != FORMAT_MEMBER) {
        Some(other) => Err(format!(
            "it must have {FORMAT_MEMBER} and not {other}, as another ishi wrote it; `ishi lab run` makes the report again"
        )),
        None => Ok(()),
    }
}

/// The format stands in one of the first lines.
const FORMAT_LINES: usize = 3;
