//! Mutants of inputs, as a fuzzer makes them, but the same for the same seed.

use ishi_rng::{Rng, Seed};

/// A mutant is changed in one to so many places.
const MOST_CHANGES: usize = 4;
/// The longest part that is moved, left out or put in.
const LONGEST_BLOCK: usize = 96;
/// No mutant is longer.
const LONGEST: usize = 1 << 16;

/// What stands in the place of numbers: ends of ranges, and what is none.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967295",
    "9223372036854775808",
    "18446744073709551615",
    "99999999999999999999999999",
    "0.5",
    "-0",
    "1e308",
    "1e999",
    "nan",
    "inf",
    "",
];

/// The input with one to four changes. `other` is an input of the same target, of which parts are put in; `words` are such words.
pub fn mutate_input(input: &[u8], other: &[u8], words: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=rng.next_index(MOST_CHANGES) {
        change_once(&mut bytes, other, words, rng);
    }
    bytes.truncate(LONGEST);
    bytes
}

/// So many mutants of these inputs, for parsers that no target reaches, as they are part of a program.
#[must_use]
pub fn list_mutants(inputs: &[&[u8]], words: &[&str], seed: Seed, number: u64) -> Vec<Vec<u8>> {
    let mutant = |number: u64| {
        let mut rng = seed.stream("mutant", number);
        let [input, other] = [(); 2].map(|()| rng.choose(inputs).copied().unwrap_or_default());
        mutate_input(input, other, words, &mut rng)
    };
    (0..number).map(mutant).collect()
}

fn change_once(bytes: &mut Vec<u8>, other: &[u8], words: &[&str], rng: &mut Rng) {
    let block = draw_block(bytes.len(), rng);
    let at = block.start;
    match rng.next_index(9) {
        0 | 1 => change_byte(bytes, at, |byte| byte ^ (1 << rng.next_index(8))),
        2 => change_byte(bytes, at, |_| rng.next_u32() as u8),
        3 => drop(bytes.drain(block)),
        4 => {
            let copy = bytes[block].to_vec();
            let place = rng.next_index(bytes.len() + 1);
            bytes.splice(place..place, copy);
        }
        5 => {
            let word = rng.choose(words).copied().unwrap_or("\n");
            bytes.splice(at..at, word.bytes());
        }
        6 => replace_number(bytes, at, rng),
        7 => {
            let part = draw_block(other.len(), rng);
            bytes.splice(block, other[part].iter().copied());
        }
        // Cutting off loses most of an input: seldom.
        _ if rng.chance(0.2) => bytes.truncate(at),
        _ => replace_number(bytes, at, rng),
    }
}

fn change_byte(bytes: &mut [u8], at: usize, change: impl FnOnce(u8) -> u8) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte = change(*byte);
    }
}

/// A part of so many bytes, perhaps an empty one.
fn draw_block(length: usize, rng: &mut Rng) -> std::ops::Range<usize> {
    let start = rng.next_index(length + 1);
    start..start + rng.next_index((length - start).min(LONGEST_BLOCK) + 1)
}

/// Puts another number in the place of the first from there on.
fn replace_number(bytes: &mut Vec<u8>, from: usize, rng: &mut Rng) {
    let start = bytes[from..].iter().position(u8::is_ascii_digit).map_or(from, |at| from + at);
    let end = bytes[start..]
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .map_or(bytes.len(), |length| start + length);
    let number = rng.choose(NUMBERS).copied().unwrap_or_default();
    bytes.splice(start..end, number.bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_follow_from_the_seed_and_are_many() {
        let draw = |number| {
            mutate_input(b"size 19 komi 7.5", b"other", &["word"], &mut Seed::new(1).stream("mutant", number))
        };
        let mut mutants: Vec<Vec<u8>> = (0..300).map(draw).collect();
        assert_eq!(mutants, (0..300).map(draw).collect::<Vec<_>>());
        let has = |part: &[u8]| mutants.iter().any(|mutant| mutant.windows(part.len()).any(|at| at == part));
        assert!(has(b"word") && has(b"18446744073709551615") && has(b"th"), "all sorts of changes are made");
        mutants.sort();
        mutants.dedup();
        assert!(mutants.len() > 250, "{}", mutants.len());
    }

    #[test]
    fn nothing_can_be_mutated_too() {
        for number in 0..200 {
            mutate_input(b"", b"", &[], &mut Seed::new(2).stream("mutant", number));
        }
    }
}
