//! Players out of files: `wpc:FILE` is the piece counter in a file, as `ishi othello train wpc` writes it.

use std::path::Path;

use ishi_othello_play::league::LeagueMember;

use crate::context::Failure;
use crate::files::{self, ReadFile};

/// What such a player begins with.
const PREFIX: &str = "wpc:";

/// Is the player in a file?
pub(crate) fn names_file(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// The player as the catalog knows it: what begins with `wpc:` is read, all else stays as it is.
///
/// # Errors
/// If the file cannot be read, or holds no piece counter.
pub fn catalog_spec(text: &str) -> Result<String, Failure> {
    catalog_spec_from(text, &mut files::read_file_or_stdin)
}

/// As [`catalog_spec`], with a file that `read` gives.
pub(crate) fn catalog_spec_from(text: &str, read: &mut ReadFile<'_>) -> Result<String, Failure> {
    let Some(name) = text.strip_prefix(PREFIX) else { return Ok(text.to_string()) };
    if name.is_empty() {
        return Err(Failure::input("wpc: names no file: write wpc:FILE, a file of 10 or 64 weights"));
    }
    match LeagueMember::from_bytes(&read(Path::new(name))?) {
        Ok(LeagueMember::Counter(wpc)) => {
            let weights = wpc.to_string();
            let weights: Vec<&str> = weights.split_whitespace().collect();
            Ok(format!("othello-wpc:weights={}", weights.join(" ")))
        }
        Ok(LeagueMember::Network(_)) => Err(Failure::input(format!(
            "{name} is a network: wpc:FILE takes 10 or 64 weights; networks play in `ishi othello league`"
        ))),
        Err(error) => Err(Failure::input(format!("{name}: {error}"))),
    }
}

#[cfg(test)]
// Tests write files.
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;

    #[test]
    fn files_become_players_and_other_players_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            format!("wpc:{}", path.display())
        };
        assert_eq!(catalog_spec("othello:level=3").unwrap(), "othello:level=3");
        let ten =
            file("ten.txt", "# No. 1\n1 -0.25 0.1 0.05 -0.25 0.01 0.01 0.05 0.02 0.5\n# No. 2: 1 2 3\n");
        let spec = "othello-wpc:weights=1 -0.25 0.1 0.05 -0.25 0.01 0.01 0.05 0.02 0.5";
        assert_eq!(catalog_spec(&ten).unwrap(), spec);
        let error = |text: &str| match catalog_spec(text) {
            Err(Failure::Input(text) | Failure::Outside(text)) => text,
            other => unreachable!("{other:?}"),
        };
        assert!(error("wpc:").contains("write wpc:FILE"));
        assert!(error(&file("two.txt", "1 2")).contains("with 2 weights"));
        assert!(error(&file("net", "{ 1 { 1 1 { 0 } { -1 0 1 } } }")).contains("is a network"));
        assert!(error("wpc:/no/such/file").contains("/no/such/file"));
    }
}
