//! What is not SGF: names the formats that are found under wrong names.

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::warning::shorten_text;

/// Why there is no game to read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotSgf {
    /// Nothing, or only white space.
    #[error("not SGF: the file is empty; a game begins with `(;`")]
    Empty,
    /// A known format.
    #[error("not SGF: this is {format}; it must be a record in SGF, which begins with `(;`")]
    Foreign {
        /// The name of the format and who writes it.
        format: &'static str,
    },
    /// Something else.
    #[error("not SGF: the file begins with {found:?}; a game begins with `(;`")]
    NoGame {
        /// How it begins.
        found: String,
    },
    /// Offsets are 32-bit numbers.
    #[error("too large: SGF is read up to 4 GiB")]
    TooLarge,
}

impl CodedError for NotSgf {
    fn facts(&self) -> ErrorFacts {
        match self {
            NotSgf::Empty => facts!["sgf-empty"],
            NotSgf::Foreign { format } => {
                // `GIB` of `a GIB file (Tygem)`.
                let kind = format.split(' ').nth(1).unwrap_or_default();
                facts!["sgf-foreign", format, kind]
            }
            NotSgf::NoGame { found } => facts!["sgf-no-game", found = format!("{found:?}")],
            NotSgf::TooLarge => facts!["sgf-too-large"],
        }
    }
}

const SIGNATURES: [(&[u8], &str); 15] = [
    (b"\\HS", "a GIB file (Tygem)"),
    (b"\\[GIBOKIND", "a GIB file (Tygem)"),
    (b"[Header]", "a UGF file (PandaNet)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "an archive (7z)"),
    (b"%PDF", "a PDF file"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\x7fELF", "a program (ELF)"),
    (b"MZ\x90\x00", "a program of Windows"),
    (b"\xcf\xfa\xed\xfe", "a program of macOS"),
    (b"SQLite format 3\x00", "a database (SQLite)"),
];

/// So many zero bytes among the first bytes, and no parenthesis there, are no text, even if there is something like a game further on.
const ZEROS_OF_BINARY_FILES: usize = 4;

/// The first bytes that are looked at for zeros.
const LOOKED_AT: usize = 64;

/// Formats that their first bytes tell.
pub(crate) fn format_by_first_bytes(bytes: &[u8]) -> Option<NotSgf> {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let named = SIGNATURES.iter().find(|(signature, _)| start.starts_with(signature));
    named.map(|&(_, format)| NotSgf::Foreign { format })
}

/// Refuses what is no text: in programs and other binary files stands by chance what looks like a game.
pub(crate) fn check_is_text(text: &[u8]) -> Result<(), NotSgf> {
    let start = &text[..text.len().min(LOOKED_AT)];
    let zeros = start.iter().filter(|&&byte| byte == 0).count();
    if zeros < ZEROS_OF_BINARY_FILES || start.contains(&b'(') {
        return Ok(());
    }
    Err(NotSgf::Foreign { format: "a binary file" })
}

/// Says what a text without a game is.
pub(crate) fn format_by_content(text: &[u8]) -> NotSgf {
    let start = text.trim_ascii();
    if start.is_empty() {
        return NotSgf::Empty;
    }
    if start.split(|&b| b == b'\n').take(60).any(is_ngf_move) {
        return NotSgf::Foreign { format: "an NGF file (wBaduk, Cyberoro)" };
    }
    let head = start[..start.len().min(200)].to_ascii_lowercase();
    if [&b"<!doctype"[..], b"<html", b"<?xml"].iter().any(|tag| head.starts_with(tag)) {
        return NotSgf::Foreign { format: "a web page or XML without a game in it" };
    }
    NotSgf::NoGame { found: shorten_text(&String::from_utf8_lossy(&start[..start.len().min(40)])) }
}

/// `PMABBREER`: PM, a number in two letters, a colour, the point twice.
fn is_ngf_move(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.len() >= 7
        && line.starts_with(b"PM")
        && line.iter().all(u8::is_ascii_uppercase)
        && matches!(line[4], b'B' | b'W')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_collection;

    /// Every large program has `(;` somewhere.
    #[test]
    fn programs_and_other_binary_files_are_no_records() {
        let game = b"\x00\x13(;GM[1]SZ[9];B[ee])";
        let heads: [(&[u8], &'static str); 3] = [
            (b"\x7fELF\x02\x01\x01\x00", "a program (ELF)"),
            (b"MZ\x90\x00\x03", "a program of Windows"),
            (b"\x01\x02\x00\x00\x03\x00\x00\x00\x09", "a binary file"),
        ];
        for (head, format) in heads {
            let bytes = [head, &[0x41; 100], game].concat();
            let error = read_collection(&bytes).unwrap_err();
            assert_eq!(error, NotSgf::Foreign { format });
            assert!(error.to_string().contains("it must be a record in SGF"), "{error}");
        }
        // A few zero bytes in a text are forgiven.
        assert_eq!(read_collection(game).unwrap().collection.games.len(), 1);
    }
}
