//! Numbers that took long, kept in a file line by line, so that work which was stopped goes on where it was.

use std::path::{Path, PathBuf};

use ishi_grid::sequences::{BigUint, KeptNumbers};

use crate::context::Failure;
use crate::files;

/// What was computed, and the file that keeps it.
pub struct Ledger {
    /// Where the numbers are kept; `None` if they are not.
    path: Option<PathBuf>,
    numbers: KeptNumbers,
}

impl Ledger {
    /// Reads the file, if there is one; without a path numbers are kept for this run only.
    pub fn open(path: Option<&Path>) -> Result<Ledger, Failure> {
        let mut ledger = Ledger { path: path.map(Path::to_path_buf), numbers: KeptNumbers::default() };
        if let Some(path) = path.filter(|path| path.exists()) {
            ledger.read_file(path)?;
        }
        Ok(ledger)
    }

    /// Takes in the numbers of a file.
    pub fn read_file(&mut self, path: &Path) -> Result<(), Failure> {
        let bytes = files::read_file_or_stdin(path)?;
        let read = self.numbers.read_text(&String::from_utf8_lossy(&bytes));
        read.map_err(|error| Failure::Input(format!("{}, {error}", path.display())))
    }

    /// The numbers of an index, if they are known.
    pub fn get(&self, kind: &str, index: &str) -> Option<&[BigUint]> {
        self.numbers.get(kind, index)
    }

    /// All indices of a kind, with their numbers.
    pub fn rows_of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = (&'a str, &'a [BigUint])> {
        self.numbers.rows_of_kind(kind)
    }

    /// Takes note, in the file at once.
    pub fn append_row(&mut self, kind: &str, index: &str, row: Vec<BigUint>) -> Result<(), Failure> {
        if let Some(path) = &self.path {
            let line = KeptNumbers::row_line(kind, index, &row);
            let head = if path.exists() { String::new() } else { KeptNumbers::head_line() + "\n" };
            files::append_to_file(path, format!("{head}{line}\n").as_bytes())?;
        }
        self.numbers.insert(kind, index, row);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ishi_fuzz_targets::number_from_environment;
    use ishi_rng::Seed;
    use ishi_rng::checksum::seal_line;
    use ishi_rng::damage::try_damaged_copies;

    use super::*;

    #[test]
    fn what_was_put_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.txt");
        let mut ledger = Ledger::open(Some(&path)).unwrap();
        ledger.append_row("boards", "3x3", vec![10u32.into()]).unwrap();
        ledger.append_row("rows", "2", vec![1u32.into(), 24u32.into()]).unwrap();
        let again = Ledger::open(Some(&path)).unwrap();
        assert_eq!(again.get("boards", "3x3"), Some(&[BigUint::from(10u32)][..]));
        assert_eq!(
            again.rows_of_kind("rows").map(|(index, row)| (index, row.len())).collect::<Vec<_>>(),
            [("2", 2)]
        );
        assert_eq!(again.get("boards", "4x4"), None);
    }

    #[test]
    fn a_file_begins_with_its_version_and_another_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.txt");
        let mut ledger = Ledger::open(Some(&path)).unwrap();
        ledger.append_row("boards", "3x3", vec![10u32.into()]).unwrap();
        ledger.append_row("boards", "4x4", vec![2u32.into()]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# ishi-numbers 1 sum:") && text.lines().count() == 3, "{text}");
        std::fs::write(&path, seal_line("# ishi-numbers 2", ' ') + "\nboards 3x3 10\n").unwrap();
        let Err(Failure::Input(message)) = Ledger::open(Some(&path)) else { panic!("it is another version") };
        assert!(
            message.contains("line 1: must be \"# ishi-numbers 1\", not \"# ishi-numbers 2\""),
            "{message}"
        );
        // What was kept before there was a version, and by hand.
        std::fs::write(&path, "# ours\nboards 3x3 10\n").unwrap();
        assert!(Ledger::open(Some(&path)).unwrap().get("boards", "3x3").is_some());
    }

    #[test]
    fn a_wrong_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.txt");
        for wrong in ["boards", "boards 3x3", "boards 3x3 ten", "boards 3x3 -1"] {
            std::fs::write(&path, format!("# a remark\n{wrong}\n")).unwrap();
            let Err(Failure::Input(message)) = Ledger::open(Some(&path)) else { panic!("{wrong}") };
            assert!(message.contains("line 2") && message.contains(wrong), "{message}");
        }
    }

    /// Lines may be missing, as in a file that was cut off, but none is another.
    #[test]
    fn a_damaged_line_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.txt");
        let mut known = Ledger::open(Some(&path)).unwrap();
        for (size, boards) in [("3x3", 10u32), ("20x20", 1_234_567), ("20x25", 4_192_532), ("6x6", 288)] {
            known.append_row("boards", size, vec![boards.into()]).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        let known_lines = known.numbers.to_text();
        let mut refused: u64 = 0;
        let mutants = number_from_environment("ISHI_MUTANTS", 300);
        try_damaged_copies(&whole, Seed::new(1), mutants, |what, damaged| {
            std::fs::write(&path, damaged).unwrap();
            match Ledger::open(Some(&path)) {
                Ok(read) => {
                    let read = read.numbers.to_text();
                    assert!(read.lines().all(|line| known_lines.contains(line)), "{what}");
                }
                Err(_) => refused += 1,
            }
        });
        assert!(refused > mutants * 5 / 6, "{refused}");
    }

    /// A number that was cut off while it was written is not taken for a whole one, and two numbers of one index are not both right.
    #[test]
    fn damaged_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.txt");
        for (text, part) in [
            ("boards 3x3 10\nboards 20x25 41925", "line 2: must end with a line break"),
            ("boards 3x3 10\nboards 3x3 11\n", "line 2: must have the numbers that boards 3x3 had before"),
        ] {
            std::fs::write(&path, text).unwrap();
            let Err(Failure::Input(message)) = Ledger::open(Some(&path)) else { panic!("{text}") };
            assert!(message.contains(part), "{message}");
        }
        std::fs::write(&path, "boards 3x3 10\r\nboards 3x3 10\r\n").unwrap();
        assert!(Ledger::open(Some(&path)).is_ok());
    }
}
