//! Reads the files of `../shared/exams/sgf-stress` and compares with what is known about them (`stress.tsv`).

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use ishi_sgf::{GameTree, GoGame, SgfReading, Warnings, read_collection};

/// Name, and what [`summary`] says of the file.
const EXPECTED: &str = include_str!("stress.tsv");

#[test]
#[allow(clippy::disallowed_methods)] // A test may read files.
fn stress_files_are_read_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/exams/sgf-stress");
    let Ok(entries) = fs::read_dir(&folder) else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: needs ../shared (exams/sgf-stress)");
        return;
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let line = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        format!("{name}\t{}", summary(&fs::read(path).unwrap()))
    };
    let found: Vec<String> = files.iter().map(line).collect();
    let expected: Vec<&str> = EXPECTED.lines().filter(|line| !line.starts_with('#')).collect();
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

/// Encodings, games, moves and warnings, or the error. Checks the round trip on the way.
fn summary(bytes: &[u8]) -> String {
    let reading = match read_collection(bytes) {
        Ok(reading) => reading,
        Err(error) => return error.to_string(),
    };
    round_trip(&reading);
    let games: Vec<String> = reading.collection.games.iter().map(game_summary).collect();
    let mut encodings = reading.encodings.clone();
    encodings.dedup();
    format!("{}\t{}\t{}", encodings.join(" "), games.join("; "), kinds(&reading.warnings))
}

fn game_summary(tree: &GameTree) -> String {
    let nodes = tree.node_count();
    match GoGame::read_main_line(tree) {
        Ok(game) => {
            let stones: usize = game.steps.iter().map(|s| s.setup.black.len() + s.setup.white.len()).sum();
            let (moves, warnings) = (game.moves().count(), kinds(&game.warnings));
            format!("{nodes} nodes, {}, {stones} set up, {moves} moves, {warnings}", game.size)
        }
        Err(error) => format!("{nodes} nodes, {error}"),
    }
}

fn kinds(warnings: &Warnings) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for warning in warnings {
        *counts.entry(warning.kind.name()).or_default() += 1;
    }
    let counts: Vec<String> = counts.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
    if counts.is_empty() { "no warning".into() } else { counts.join(", ") }
}

/// What is written is read back as the same, without a warning about its form.
fn round_trip(reading: &SgfReading) {
    let again = read_collection(reading.collection.to_sgf().as_bytes()).unwrap();
    let mut same = reading.collection.clone();
    same.games.iter_mut().for_each(GameTree::normalise_root);
    assert!(again.collection == same, "not the same after a round trip");
    let left = again.warnings.iter().filter(|w| !["nul-byte", "duplicate-property"].contains(&w.kind.name()));
    assert_eq!(left.count(), 0, "{:?}", again.warnings);
}
