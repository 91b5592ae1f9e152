//! Checksums of files that are kept and read again: FNV-1a, 64 bits (G. Fowler, L. C. Noll and K.-P. Vo). They tell damage, not
//! malice.
//!
//! Bytes end with the checksum of all before it. A text has it in sixteen hexadecimal digits near its beginning, so that one
//! that is cut off is found out; it is that of the text with sixteen zeros in their place. A file that grows line by line has
//! one behind each line.

use std::fmt;

/// Bytes of a checksum behind others.
pub const CHECKSUM_BYTES: usize = 8;

/// Sixteen zeros: they stand where [`seal_text`] puts the checksum.
pub const NO_CHECKSUM: &str = "0000000000000000";

/// What stands before the checksum in the first line of a text.
const LINES_MARK: &str = "# checksum ";
/// Bytes in turn of a head that nobody writes by chance.
const PART_OF_HEAD: usize = 8;
/// What stands before the checksum of a line.
const LINE_MARK: &str = "sum:";

/// FNV-1a of no bytes.
const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a of the bytes, 64 bits.
///
/// ```
/// use ishi_rng::checksum::fnv_checksum;
/// assert_eq!(fnv_checksum(b"foobar"), 0x8594_4171_f739_67e8);
/// ```
pub fn fnv_checksum(bytes: &[u8]) -> u64 {
    extend_checksum(EMPTY, bytes)
}

/// The checksum of what had the checksum `sum`, with these bytes behind it.
pub fn extend_checksum(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Why a checksum does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChecksumError {
    /// The bytes are too few to hold one.
    Short {
        /// How many there are.
        length: usize,
    },
    /// A text has none.
    Missing,
    /// The content has another one.
    Wrong {
        /// Where it stands, in bytes from the start.
        at: usize,
        /// The content's.
        content: u64,
    },
}

impl fmt::Display for ChecksumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChecksumError::Short { length } => {
                write!(f, "byte {length}: it is cut off, as a checksum must stand at its end")
            }
            ChecksumError::Missing => f.write_str("it is damaged: a checksum of 16 digits must stand in it"),
            ChecksumError::Wrong { at, content } => {
                write!(f, "byte {at}: it is damaged or cut off: the checksum must be {content:016x}")
            }
        }
    }
}

impl std::error::Error for ChecksumError {}

/// Puts the checksum of the bytes behind them, the lowest byte first.
pub fn append_checksum(bytes: &mut Vec<u8>) {
    let sum = fnv_checksum(bytes);
    bytes.extend(sum.to_le_bytes());
}

/// The bytes without the checksum behind them, which must be theirs.
///
/// # Errors
/// If they are too few, or have another checksum.
///
/// ```
/// use ishi_rng::checksum::{append_checksum, split_checksum};
/// let mut bytes = b"content".to_vec();
/// append_checksum(&mut bytes);
/// assert_eq!(split_checksum(&bytes), Ok(&b"content"[..]));
/// bytes[0] ^= 1;
/// assert!(split_checksum(&bytes).unwrap_err().to_string().starts_with("byte 7: it is damaged"));
/// ```
pub fn split_checksum(bytes: &[u8]) -> Result<&[u8], ChecksumError> {
    let (content, stated) =
        bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(ChecksumError::Short { length: bytes.len() })?;
    let found = fnv_checksum(content);
    if found == u64::from_le_bytes(*stated) {
        Ok(content)
    } else {
        Err(ChecksumError::Wrong { at: content.len(), content: found })
    }
}

/// The text with its checksum in the place of [`NO_CHECKSUM`] behind the first `mark`. Without the two it stays as it is.
///
/// ```
/// use ishi_rng::checksum::{NO_CHECKSUM, check_sealed_text, seal_text};
/// let text = seal_text(&format!("# checksum {NO_CHECKSUM}\n1 2 3\n"), "# checksum ");
/// assert_eq!(check_sealed_text(&text, "# checksum "), Ok(()));
/// assert!(check_sealed_text(&text.replace('2', "4"), "# checksum ").is_err());
/// ```
pub fn seal_text(text: &str, mark: &str) -> String {
    let sum = fnv_checksum(text.as_bytes());
    text.replacen(&format!("{mark}{NO_CHECKSUM}"), &format!("{mark}{sum:016x}"), 1)
}

/// Is the text as [`seal_text`] made it?
///
/// # Errors
/// If there are no sixteen bytes behind the first `mark`, or others than the text's checksum.
pub fn check_sealed_text(text: &str, mark: &str) -> Result<(), ChecksumError> {
    let at = text.find(mark).ok_or(ChecksumError::Missing)? + mark.len();
    let end = at + NO_CHECKSUM.len();
    let (Some(stated), Some(after)) = (text.get(at..end), text.get(end..)) else {
        return Err(ChecksumError::Missing);
    };
    let parts = [&text[..at], NO_CHECKSUM, after];
    let content = parts.iter().fold(EMPTY, |sum, part| extend_checksum(sum, part.as_bytes()));
    // As text: other ways to write the same number are damage, too.
    if stated == format!("{content:016x}") { Ok(()) } else { Err(ChecksumError::Wrong { at, content }) }
}

/// A text in which `#` begins a remark, with its checksum as a remark in the first line. Whoever changes such a text by hand takes
/// that line away.
///
/// ```
/// use ishi_rng::checksum::{check_sealed_lines, seal_lines};
/// let text = seal_lines("1 2 3\n");
/// assert!(text.starts_with("# checksum ") && text.ends_with("\n1 2 3\n"));
/// assert_eq!(check_sealed_lines(&text, "# my-numbers "), Ok(()));
/// assert_eq!(check_sealed_lines("1 2 3\n", "# my-numbers "), Ok(()), "none is asked for");
/// assert!(check_sealed_lines(&text.replace('3', "4"), "# my-numbers ").is_err());
/// ```
pub fn seal_lines(text: &str) -> String {
    seal_text(&format!("{LINES_MARK}{NO_CHECKSUM}\n{text}"), LINES_MARK)
}

/// Is a text that begins with a checksum as [`seal_lines`] made it? One without any is taken as it is. `head` is what the line behind the checksum
/// begins with, such as `# ishi-piece-counter `: a text without a checksum need not have it, but must not have parts of it.
///
/// # Errors
/// If the checksum is not the text's, or damaged itself: a part of one in the first line, or one elsewhere. If the text has zeros, or a part of its head.
pub fn check_sealed_lines(text: &str, head: &str) -> Result<(), ChecksumError> {
    if text.starts_with(LINES_MARK) {
        return check_sealed_text(text, LINES_MARK);
    }
    let first = text.lines().next().unwrap_or_default();
    let is_digits =
        |word: &str| word.len() == NO_CHECKSUM.len() && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    // A longer line is a remark of its own, in which such digits may stand.
    let is_short = first.len() < 2 * NO_CHECKSUM.len();
    let has_half = first.starts_with('#') && is_short && first.split_whitespace().any(is_digits);
    // Nobody writes zeros by hand, and a text that ends within the mark was cut off there.
    let is_cut = !text.is_empty() && LINES_MARK.starts_with(text);
    if has_half
        || is_cut
        || text.contains('\0')
        || text.contains(LINES_MARK)
        || has_scrambled_head(text, head)
    {
        return Err(ChecksumError::Missing);
    }
    Ok(())
}

/// Has a line some bytes in turn of the head, and does not begin with it? Then blocks of a kept text were exchanged, so that the line of its
/// checksum is none any more. A part without a hyphen is a word, as people write it in remarks.
fn has_scrambled_head(text: &str, head: &str) -> bool {
    let windows = head.as_bytes().windows(PART_OF_HEAD);
    let parts: Vec<&[u8]> = windows.filter(|part| part.contains(&b'-')).collect();
    let has_part = |line: &str| line.as_bytes().windows(PART_OF_HEAD).any(|found| parts.contains(&found));
    text.lines().any(|line| !line.starts_with(head) && has_part(line))
}

/// The line, given without its end, with its checksum behind it after `gap`.
///
/// ```
/// use ishi_rng::checksum::{seal_line, split_sealed_line};
/// let line = seal_line("boards 3x3 10", ' ');
/// assert!(line.starts_with("boards 3x3 10 sum:"));
/// assert_eq!(split_sealed_line(&line, ' '), Ok(("boards 3x3 10", true)));
/// assert_eq!(split_sealed_line("boards 3x3 10", ' '), Ok(("boards 3x3 10", false)));
/// assert!(split_sealed_line(&line.replace("10", "11"), ' ').is_err());
/// ```
pub fn seal_line(line: &str, gap: char) -> String {
    format!("{line}{gap}{LINE_MARK}{:016x}", fnv_checksum(line.as_bytes()))
}

/// The line without the checksum that [`seal_line`] put behind it, and whether it has one.
///
/// # Errors
/// If it has another one than it must have.
pub fn split_sealed_line(line: &str, gap: char) -> Result<(&str, bool), ChecksumError> {
    let Some((content, last)) = line.rsplit_once(gap) else { return Ok((line, false)) };
    let Some(stated) = last.strip_prefix(LINE_MARK) else { return Ok((line, false)) };
    let found = fnv_checksum(content.as_bytes());
    if stated == format!("{found:016x}") {
        Ok((content, true))
    } else {
        Err(ChecksumError::Wrong { at: line.len() - stated.len(), content: found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::damage::try_damaged_copies;

    /// The head of a kept text, without its version.
    const HEAD: &str = "# ishi-numbers ";

    /// Published test vectors (draft-eastlake-fnv).
    #[test]
    fn checksums_are_the_published_ones() {
        for (text, sum) in
            [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            assert_eq!(fnv_checksum(text.as_bytes()), sum, "{text}");
        }
    }

    #[test]
    fn damaged_bytes_have_another_checksum() {
        let mut bytes: Vec<u8> = (0..=255).collect();
        append_checksum(&mut bytes);
        assert_eq!(split_checksum(&bytes).unwrap().len(), 256);
        assert_eq!(split_checksum(&bytes[..7]), Err(ChecksumError::Short { length: 7 }));
        try_damaged_copies(&bytes, Seed::new(1), 1000, |what, damaged| {
            assert!(split_checksum(damaged).is_err(), "{what}");
        });
    }

    #[test]
    fn damaged_texts_have_another_checksum() {
        let mark = "\"sum\": \"";
        let text = seal_text(&format!("{{\"sum\": \"{NO_CHECKSUM}\", \"words\": \"äöü 囲碁\"}}\n"), mark);
        assert_eq!(check_sealed_text(&text, mark), Ok(()));
        try_damaged_copies(text.as_bytes(), Seed::new(2), 1000, |what, damaged| {
            let taken = std::str::from_utf8(damaged).is_ok_and(|text| check_sealed_text(text, mark).is_ok());
            assert!(!taken, "{what}");
        });
        assert_eq!(check_sealed_text("sum: 12", "sum: "), Err(ChecksumError::Missing));
    }

    /// What damages the mark of the checksum may damage what follows, too, so that half a checksum is none.
    #[test]
    fn a_damaged_checksum_is_not_taken_for_none() {
        let text = seal_lines("1 2 3\n4 5 6\n");
        for damaged in [
            text.replace("check", "chceck"),
            text.replace("# c", "#  c"),
            format!("\n{text}"),
            text[..7].to_string(),
            text.replace("checksum", "c\0\0"),
        ] {
            assert_eq!(check_sealed_lines(&damaged, HEAD), Err(ChecksumError::Missing), "{damaged}");
        }
        for by_hand in ["# made by hand\n1 2 3\n", "# of the games 0123456789abcdef with seed 1\n1 2 3\n", ""]
        {
            assert_eq!(check_sealed_lines(by_hand, HEAD), Ok(()), "{by_hand}");
        }
    }

    /// Blocks at the beginning were exchanged: neither the checksum nor the head is left, but parts of them are.
    #[test]
    fn a_scrambled_head_is_not_taken_for_a_remark() {
        for damaged in [
            "# cheumbers 1\n1 2 3\n# ishi-ncksum 0123\n",
            "# chehi-numbers 1\n1 2 3\n",
            "# ishi-numbers 1\n1 2 3\n# my# ishi-numb\n",
            "x# ishi-numbers 1\n1 2 3\n",
        ] {
            assert_eq!(check_sealed_lines(damaged, HEAD), Err(ChecksumError::Missing), "{damaged}");
        }
        for by_hand in ["# ishi-numbers 1\n1 2 3\n", "# my numbers of ishi\n1 2 3\n", "# ishi-\n1 2 3\n"] {
            assert_eq!(check_sealed_lines(by_hand, HEAD), Ok(()), "{by_hand}");
        }
    }

    /// A line that has lost its checksum is another line, too: whoever reads it finds one word more.
    #[test]
    fn damaged_lines_are_found_out() {
        let line = seal_line("boards 20x25 4192532450", ' ');
        try_damaged_copies(line.as_bytes(), Seed::new(3), 1000, |what, damaged| {
            let Ok(text) = std::str::from_utf8(damaged) else { return };
            if damaged.len() == line.len() {
                let found = split_sealed_line(text, ' ');
                assert!(found.is_err() || found == Ok((text, false)), "{what}");
            }
        });
    }
}
