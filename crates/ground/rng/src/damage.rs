//! Damage to kept files, for the tests of their readers: flipped bits, cut ends, swapped blocks, zeros, older versions. Like the rest of the
//! crate it follows from a seed.
//!
//! "An older version" is two things. A file of an older program has another number in its head ([`set_back_version`], which is among the
//! damaged copies). A file that was written anew, but not everywhere, has blocks of what it was before ([`try_mixed_copies`]).

use crate::{Rng, Seed};

/// The longest block that is swapped or set to zero.
const LONGEST: usize = 64;
/// The longest block of an older content, in bytes: a sector of a disk.
const SECTOR: usize = 512;
/// So many bytes from its start a file may have numbers that tell what it is.
const HEAD: usize = 96;
/// The name before the version of a format, in small letters.
const NAME: &[u8] = b"ishi";
/// So far behind the name the version is looked for.
const BEHIND_NAME: usize = 40;

/// Hands over `number` damaged copies of the bytes, each with words for what was done to it. Those that happen to be the same
/// as the bytes are left out.
pub fn try_damaged_copies(bytes: &[u8], seed: Seed, number: u64, mut check: impl FnMut(&str, &[u8])) {
    for copy in 0..number {
        let mut rng = seed.stream("damage", copy);
        let (what, damaged) = damage_copy(bytes, copy % 16, &mut rng);
        if damaged != bytes {
            check(&what, &damaged);
        }
    }
}

/// A copy with one damage: of sixteen kinds ten are flipped bits.
fn damage_copy(bytes: &[u8], kind: u64, rng: &mut Rng) -> (String, Vec<u8>) {
    let mut copy = bytes.to_vec();
    if copy.is_empty() {
        return ("nothing is left".to_string(), copy);
    }
    let at = rng.next_index(copy.len());
    let length = 1 + rng.next_index(LONGEST.min(copy.len() - at));
    let what = match kind {
        5 | 13 => {
            copy.truncate(at);
            format!("cut off at byte {at}")
        }
        6 | 14 => {
            let other = rng.next_index(copy.len() + 1 - length);
            (0..length).for_each(|byte| copy.swap(at + byte, other + byte));
            format!("{length} bytes swapped between {at} and {other}")
        }
        7 => {
            copy[at..at + length].fill(0);
            format!("{length} bytes from byte {at} are zeros")
        }
        15 => set_back_number(&mut copy, rng),
        _ => {
            let bit = rng.next_index(8);
            copy[at] ^= 1 << bit;
            format!("bit {bit} of byte {at} flipped")
        }
    };
    (what, copy)
}

/// Every other time the version, if there is one; otherwise any number of the head.
fn set_back_number(copy: &mut [u8], rng: &mut Rng) -> String {
    let numbers: Vec<usize> = (0..copy.len().min(HEAD)).filter(|&at| is_number(copy[at])).collect();
    let version = find_version(copy).filter(|_| rng.next_index(2) == 0);
    match version.or_else(|| rng.choose(&numbers).copied()) {
        Some(at) => {
            copy[at] -= 1;
            format!("the number of byte {at} set back by one")
        }
        None => "without a number".to_string(),
    }
}

/// A digit above 0, or a small number as a byte.
fn is_number(byte: u8) -> bool {
    matches!(byte, 1..=9 | b'1'..=b'9')
}

/// Where the version of a format stands: behind the name `ishi` of its head.
fn find_version(bytes: &[u8]) -> Option<usize> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let name = head.windows(NAME.len()).position(|word| word.eq_ignore_ascii_case(NAME))? + NAME.len();
    let behind = &bytes[name..bytes.len().min(name + BEHIND_NAME)];
    behind.iter().position(|&byte| is_number(byte)).map(|at| name + at)
}

/// The bytes with the version that was before theirs. Their checksum is as it was. `None` if there is no version.
///
/// ```
/// use ishi_rng::damage::set_back_version;
/// assert_eq!(set_back_version(b"ishi-labels-2\n7").unwrap(), b"ishi-labels-1\n7");
/// assert_eq!(set_back_version(b"7"), None);
/// ```
pub fn set_back_version(bytes: &[u8]) -> Option<Vec<u8>> {
    let at = find_version(bytes)?;
    let mut older = bytes.to_vec();
    older[at] -= 1;
    Some(older)
}

/// Hands over `number` files that are in part the bytes and in part what the file had before, each with words for what it is. Those that
/// happen to be either are left out: whoever finds the whole of an older content has it.
pub fn try_mixed_copies(
    bytes: &[u8],
    before: &[u8],
    seed: Seed,
    number: u64,
    mut check: impl FnMut(&str, &[u8]),
) {
    for copy in 0..number {
        let mut rng = seed.stream("mixture", copy);
        let (what, mixed) = mix_copy(bytes, before, copy % 3, &mut rng);
        if mixed != bytes && mixed != before {
            check(&what, &mixed);
        }
    }
}

fn mix_copy(bytes: &[u8], before: &[u8], kind: u64, rng: &mut Rng) -> (String, Vec<u8>) {
    let shorter = bytes.len().min(before.len());
    let at = rng.next_index(shorter.max(1));
    match kind {
        0 => (format!("from byte {at} on as before"), [&bytes[..at], &before[at..]].concat()),
        1 => (format!("as before up to byte {at}"), [&before[..at], &bytes[at..]].concat()),
        _ => {
            let end = (at + 1 + rng.next_index(SECTOR)).min(shorter);
            let mixed = [&bytes[..at], &before[at..end], &bytes[end..]].concat();
            (format!("bytes {at} to {end} as before"), mixed)
        }
    }
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
        for words in ["flipped", "cut off", "swapped", "zeros", "set back"] {
            assert!(seen.iter().any(|what| what.contains(words)), "{words}");
        }
    }

    #[test]
    fn no_bytes_are_left_as_they_are() {
        try_damaged_copies(b"", Seed::new(1), 16, |what, _| panic!("{what}"));
        try_mixed_copies(b"", b"", Seed::new(1), 6, |what, _| panic!("{what}"));
    }

    #[test]
    fn versions_are_found_where_formats_have_them() {
        let cases: [(&[u8], &[u8]); 4] = [
            (b"ishiswp2\x06\0", b"ishiswp1\x06\0"),
            (b"ISHIBOOK\x02\0", b"ISHIBOOK\x01\0"),
            (
                b"# checksum 0123456789abcdef\n# ishi-exercises-2\n",
                b"# checksum 0123456789abcdef\n# ishi-exercises-1\n",
            ),
            (b"{\"format\":\"ishi-othello-evolution 2\"", b"{\"format\":\"ishi-othello-evolution 1\""),
        ];
        for (bytes, older) in cases {
            assert_eq!(set_back_version(bytes).as_deref(), Some(older));
        }
        for none in [&b""[..], b"ish", b"ishi", b"# checksum 0123456789abcdef\n1 2 3\n", b"2 ishi"] {
            assert_eq!(set_back_version(none), None);
        }
        // Half of the copies whose number is set back have another version.
        let bytes = b"ishiswp2 and 3 and 4 and 5";
        let mut versions = 0;
        try_damaged_copies(bytes, Seed::new(1), 1600, |_, damaged| {
            versions += u64::from(damaged == b"ishiswp1 and 3 and 4 and 5");
        });
        assert!((40..90).contains(&versions), "{versions} of 100");
    }

    #[test]
    fn mixtures_are_made_of_both() {
        let (bytes, before) = ([1u8; 300], [2u8; 200]);
        let mut seen = Vec::new();
        try_mixed_copies(&bytes, &before, Seed::new(1), 60, |what, mixed| {
            assert!(mixed.contains(&1) && mixed.contains(&2), "{what}");
            seen.push(what.to_string());
        });
        for words in ["on as before", "as before up to", " to "] {
            assert!(seen.iter().any(|what| what.contains(words)), "{words}");
        }
        try_mixed_copies(&bytes, &bytes, Seed::new(1), 60, |what, _| panic!("{what}"));
    }
}
