//! Mutants of kept files: each is refused, or means the same. `ISHI_MUTANTS` is how many of each format are tried.

#![allow(missing_docs)]

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
