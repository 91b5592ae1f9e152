//! SHA-256 as text.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes, in hexadecimal digits.
pub(crate) fn hex_digest(bytes: &[u8]) -> String {
    hex_text(&Sha256::digest(bytes))
}

/// The SHA-256 of all that is read, in hexadecimal digits, a piece at a time.
pub(crate) fn hex_digest_of_reader(mut input: impl Read) -> io::Result<String> {
    let (mut hasher, mut piece) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match input.read(&mut piece) {
            Ok(0) => return Ok(hex_text(&hasher.finalize())),
            Ok(length) => hasher.update(&piece[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The SHA-256 of parts, each with its length before it, so that nothing can move from one part to the next.
pub(crate) fn hex_digest_of_parts(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hex_text(&hasher.finalize())
}

/// The first twelve digits of [`hex_digest`]: enough for a name.
pub(crate) fn short_digest(text: &str) -> String {
    hex_text(&Sha256::digest(text.as_bytes())[..6])
}

/// Bytes in hexadecimal digits, two each.
pub(crate) fn hex_text(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads [`hex_text`].
pub(crate) fn parse_hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    pairs.iter().map(byte).collect()
}
