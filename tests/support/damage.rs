//! Files that a bad disk, or a stranger, has changed.

use std::path::Path;

/// Flips a bit wherever the text stands in the file: of the byte that is so far behind the text's beginning.
pub(crate) fn flip_bit_at(file: &Path, text: &str, behind: usize) {
    let mut bytes = std::fs::read(file).unwrap();
    let text = text.as_bytes();
    let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(text)).collect();
    assert!(!places.is_empty(), "the text stands there as it is");
    places.into_iter().for_each(|at| bytes[at + behind] ^= 1);
    std::fs::write(file, bytes).unwrap();
}
