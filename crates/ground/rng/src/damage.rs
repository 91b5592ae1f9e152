//! Damage to kept files, for the tests of their readers: flipped bits, cut ends, swapped blocks, zeros. Like the rest of the crate it
//! follows from a seed.

use crate::{Rng, Seed};

/// The longest block that is swapped or set to zero.
const LONGEST: usize = 64;

/// Hands over `number` damaged copies of the bytes, each with words for what was done to it. Those that happen to be the same
/// as the bytes are left out.
pub fn try_damaged_copies(bytes: &[u8], seed: Seed, number: u64, mut check: impl FnMut(&str, &[u8])) {
    for copy in 0..number {
        let mut rng = seed.stream("damage", copy);
        let (what, damaged) = damage_copy(bytes, copy % 8, &mut rng);
        if damaged != bytes {
            check(&what, &damaged);
        }
    }
}

/// A copy with one damage: of eight kinds five are flipped bits.
fn damage_copy(bytes: &[u8], kind: u64, rng: &mut Rng) -> (String, Vec<u8>) {
    let mut copy = bytes.to_vec();
    if copy.is_empty() {
        return ("nothing is left".to_string(), copy);
    }
    let at = rng.next_index(copy.len());
    let length = 1 + rng.next_index(LONGEST.min(copy.len() - at));
    let what = match kind {
        5 => {
            copy.truncate(at);
            format!("cut off at byte {at}")
        }
        6 => {
            let other = rng.next_index(copy.len() + 1 - length);
            (0..length).for_each(|byte| copy.swap(at + byte, other + byte));
            format!("{length} bytes swapped between {at} and {other}")
        }
        7 => {
            copy[at..at + length].fill(0);
            format!("{length} bytes from byte {at} are zeros")
        }
        _ => {
            let bit = rng.next_index(8);
            copy[at] ^= 1 << bit;
            format!("bit {bit} of byte {at} flipped")
        }
    };
    (what, copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_damage_is_done() {
        let bytes: Vec<u8> = (1..=200).collect();
        let mut seen = Vec::new();
        try_damaged_copies(&bytes, Seed::new(1), 80, |what, damaged| {
            assert_ne!(damaged, bytes);
            seen.push(what.to_string());
        });
        for words in ["flipped", "cut off", "swapped", "zeros"] {
            assert!(seen.iter().any(|what| what.contains(words)), "{words}");
        }
    }

    #[test]
    fn no_bytes_are_left_as_they_are() {
        try_damaged_copies(b"", Seed::new(1), 8, |what, _| panic!("{what}"));
    }
}
