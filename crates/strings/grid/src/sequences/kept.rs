//! Numbers that took long, kept as text: a line each, `boards 20x25 4192532450`, with its checksum behind it. Lines written by hand need
//! none.

use std::collections::BTreeMap;

use ishi_rng::checksum::{seal_line, split_sealed_line};

use super::BigUint;

/// What a text begins with whose lines are written by this program; the number is the version. Texts without it are older, or written by
/// hand.
const HEAD: &str = "# ishi-numbers 1";
/// What stands before the version.
const NAME: &str = "# ishi-numbers ";

/// What was computed, by kind and index.
///
/// ```
/// use ishi_grid::sequences::KeptNumbers;
/// let mut kept = KeptNumbers::default();
/// kept.read_text("# by hand\nboards 3x3 10\nrows 2 1 24 32\n").unwrap();
/// assert_eq!(kept.get("rows", "2").unwrap().len(), 3);
/// assert!(kept.to_text().starts_with("# ishi-numbers 1 sum:"));
/// let error = kept.read_text("boards 3x3 11\n").unwrap_err();
/// assert_eq!(error, "line 1: must have the numbers that boards 3x3 had before, or leave it out");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptNumbers {
    rows: BTreeMap<(String, String), Vec<BigUint>>,
}

impl KeptNumbers {
    /// Takes in the numbers of a text.
    ///
    /// # Errors
    /// The line, from 1, and what it must be.
    pub fn read_text(&mut self, text: &str) -> Result<(), String> {
        for (number, line) in text.split_inclusive('\n').enumerate() {
            self.read_line(line).map_err(|what| format!("line {}: {what}", number + 1))?;
        }
        Ok(())
    }

    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let Some(line) = line.strip_suffix('\n') else {
            return Err(format!("must end with a line break, or its last digits may be missing: {line:?}"));
        };
        let line = line.strip_suffix('\r').unwrap_or(line);
        // Of remarks, too: a damaged line may look like one.
        let (line, _) = split_sealed_line(line, ' ')
            .map_err(|error| format!("{error}; compute it again, or correct it and leave out sum:"))?;
        if line.starts_with(NAME) && line != HEAD {
            return Err(format!("must be {HEAD:?}, not {line:?}: another ishi wrote it"));
        }
        let content = line.trim_start();
        if content.starts_with('#') || content.is_empty() {
            return Ok(());
        }
        let (key, row) = parse_row(content).ok_or_else(|| {
            format!(
                "must be a kind, an index and whole numbers, such as \"boards 20x25 4192532450\", not {line:?}"
            )
        })?;
        if self.rows.get(&key).is_some_and(|known| *known != row) {
            return Err(format!(
                "must have the numbers that {} {} had before, or leave it out",
                key.0, key.1
            ));
        }
        self.rows.insert(key, row);
        Ok(())
    }

    /// The numbers of an index, if they are known.
    #[must_use]
    pub fn get(&self, kind: &str, index: &str) -> Option<&[BigUint]> {
        self.rows.get(&(kind.to_string(), index.to_string())).map(Vec::as_slice)
    }

    /// All indices of a kind, with their numbers.
    pub fn rows_of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = (&'a str, &'a [BigUint])> {
        let of_kind = self.rows.iter().filter(move |((found, _), _)| found == kind);
        of_kind.map(|((_, index), row)| (index.as_str(), row.as_slice()))
    }

    /// Takes note of the numbers of an index. Kind and index are words without spaces, and there is at least one number.
    pub fn insert(&mut self, kind: &str, index: &str, row: Vec<BigUint>) {
        self.rows.insert((kind.to_string(), index.to_string()), row);
    }

    /// The line that a text begins with, without its line break.
    #[must_use]
    pub fn head_line() -> String {
        seal_line(HEAD, ' ')
    }

    /// The line of an index, without its line break.
    #[must_use]
    pub fn row_line(kind: &str, index: &str, row: &[BigUint]) -> String {
        let numbers: Vec<String> = row.iter().map(ToString::to_string).collect();
        seal_line(&format!("{kind} {index} {}", numbers.join(" ")), ' ')
    }

    /// All of it as a text that is read again the same.
    #[must_use]
    pub fn to_text(&self) -> String {
        let rows = self.rows.iter().map(|((kind, index), row)| KeptNumbers::row_line(kind, index, row));
        std::iter::once(KeptNumbers::head_line()).chain(rows).map(|line| line + "\n").collect()
    }
}

fn parse_row(line: &str) -> Option<((String, String), Vec<BigUint>)> {
    let mut words = line.split_whitespace();
    let key = (words.next()?.to_string(), words.next()?.to_string());
    let row: Option<Vec<BigUint>> = words.map(|word| word.parse().ok()).collect();
    row.filter(|row| !row.is_empty()).map(|row| (key, row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<KeptNumbers, String> {
        let mut kept = KeptNumbers::default();
        kept.read_text(text).map(|()| kept)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut kept = KeptNumbers::default();
        kept.insert("boards", "3x3", vec![10u32.into()]);
        kept.insert("rows", "2", vec![1u32.into(), 24u32.into()]);
        assert_eq!(read(&kept.to_text()), Ok(kept));
    }

    /// Before its first word a line may have spaces, and is a remark all the same.
    #[test]
    fn remarks_are_passed_over_wherever_they_begin() {
        assert_eq!(read("# a\n  # b 1 2\n\t\n"), Ok(KeptNumbers::default()));
    }

    #[test]
    fn wrong_lines_say_which_they_are() {
        for (text, words) in [
            ("boards 3x3 10\nboards 20x25 41925", "line 2: must end with a line break"),
            ("boards 3x3 10\nboards 3x3 11\n", "line 2: must have the numbers that boards 3x3 had before"),
            ("boards 3x3 10 sum:0\n", "line 1: "),
            ("boards 3x3\n", "line 1: must be a kind, an index and whole numbers"),
            ("# ishi-numbers 2\n", "line 1: must be \"# ishi-numbers 1\""),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(words), "{error}");
        }
    }
}
