//! Texts that nobody guesses: keys of documents, tokens and codes.

/// A key for a new document: short, and hard to hit by chance.
pub(crate) fn new_key() -> String {
    random_text(1)
}

const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Letters and digits of a group; each is worth five bits.
const GROUP: usize = 10;

/// So many groups of letters and digits, with dashes between them.
pub(super) fn random_text(groups: usize) -> String {
    (0..groups).map(|_| encode_letters(random_number())).collect::<Vec<_>>().join("-")
}

/// Has the text the form of [`random_text`]?
pub(super) fn is_random_text(text: &str, groups: usize) -> bool {
    let is_group = |group: &str| group.len() == GROUP && group.bytes().all(|byte| ALPHABET.contains(&byte));
    text.split('-').count() == groups && text.split('-').all(is_group)
}

/// Keys must differ and not be guessed, so they do not follow from the seed.
fn random_number() -> u64 {
    getrandom::u64().expect("the system has random numbers")
}

fn encode_letters(number: u64) -> String {
    (0..GROUP).map(|at| char::from(ALPHABET[(number >> (at * 5) & 31) as usize])).collect()
}
