//! Mutants of kept files: each is refused, or means the same. `ISHI_MUTANTS` is how many of each format are tried.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::collections::BTreeSet;
use std::path::Path;

use ishi_fuzz_targets::exact::{MutantTally, list_exact_formats, tallies_to_text, try_mutants};
use ishi_fuzz_targets::number_from_environment;
use ishi_rng::Seed;

const MUTANTS: u64 = 300;

#[test]
fn no_mutant_is_taken_with_another_answer() {
    let mutants = number_from_environment("ISHI_MUTANTS", MUTANTS);
    let seed = Seed::new(number_from_environment("ISHI_FUZZ_SEED", 1));
    let rows: Vec<(&str, MutantTally)> =
        list_exact_formats().iter().map(|format| (format.name, try_mutants(format, seed, mutants))).collect();
    println!("{}", tallies_to_text(&rows));
    for (name, tally) in &rows {
        assert!(tally.different.is_empty(), "{name}: another answer after {:?}", tally.different);
        assert!(tally.refused > mutants / 2, "{name}: damage must be seen: {tally:?}");
    }
}

/// Kept files as docs/formats.md calls them, with the format of this crate that damages them.
const DAMAGED_HERE: [(&str, &str); 21] = [
    ("checkpoint of a count", "checkpoint of a count"),
    ("certificate of a board", "certificate"),
    ("network of moves", "network of moves"),
    ("state of its learning (`.state`)", "state of its learning"),
    ("move strengths", "move strengths"),
    ("packed joseki", "packed joseki"),
    ("packed patterns", "packed patterns"),
    ("exercises", "exercises"),
    ("the judge's network", "network that judges"),
    ("training samples (`.bin`)", "training sample"),
    ("positions of self-play", "positions of self-play"),
    ("book of openings", "book of openings"),
    ("evaluation", "evaluation of Othello"),
    ("n-tuple network (`.nt`)", "n-tuple network"),
    ("checkpoint of its learning (`.td`)", "checkpoint of its learning"),
    ("state of an optimiser", "state of an optimiser"),
    ("index of games", "index of games"),
    ("piece counter", "piece counter"),
    ("pool of cards", "pool of cards"),
    ("scores of pairs and of leaders", "scores of pairs"),
    ("openings that were missed", "openings that were missed"),
];

/// The others, with the source whose tests damage or edit them.
const DAMAGED_ELSEWHERE: [(&str, &str); 8] = [
    ("numbers that took long", "crates/house/cli/src/commands/strings/ledger.rs"),
    ("labels", "crates/contest/analysis/src/labels/tests.rs"),
    ("state of its learning (`checkpoint.pt`)", "train/tests/test_learn.py"),
    ("run of evolution", "crates/house/cli/src/commands/othello/train/checkpoint.rs"),
    ("answers of a judge", "crates/house/cli/src/commands/explain/answers.rs"),
    ("kept measurements", "crates/house/cli/src/commands/go/study/teach/kept.rs"),
    ("kept review", "crates/house/cli/src/commands/explain/folder.rs"),
    ("kept report (`results.json`)", "crates/lab/lab/tests/runner.rs"),
];

/// A new kept file stands in the list of formats, and a test damages it.
#[test]
fn every_kept_file_of_the_list_is_damaged_by_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let text = std::fs::read_to_string(root.join("docs/formats.md")).unwrap();
    let (_, table) = text.split_once("| file | written by | begins with | checksum |\n").unwrap();
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    let listed: BTreeSet<&str> = rows.map(|row| row.split('|').nth(1).unwrap().trim()).collect();
    let known: BTreeSet<&str> =
        DAMAGED_HERE.iter().chain(&DAMAGED_ELSEWHERE).map(|&(file, _)| file).collect();
    assert_eq!(listed, known, "the table of docs/formats.md and what is damaged in tests");
    let formats: BTreeSet<&str> = list_exact_formats().iter().map(|format| format.name).collect();
    let damaged: BTreeSet<&str> = DAMAGED_HERE.iter().map(|&(_, format)| format).collect();
    assert_eq!(formats, damaged);
    for (file, source) in DAMAGED_ELSEWHERE {
        let text = std::fs::read_to_string(root.join(source)).unwrap();
        assert!(["damage", "edited"].iter().any(|word| text.contains(word)), "{source} must damage {file}");
    }
}
