//! What is not SGF: names the formats that are found under wrong names.

use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};

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
        /// Which one.
        format: ForeignFormat,
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
            NotSgf::Foreign { format } => facts!["sgf-foreign", format, kind = format.kind()],
            NotSgf::NoGame { found } => facts!["sgf-no-game", found = format!("{found:?}")],
            NotSgf::TooLarge => facts!["sgf-too-large"],
        }
    }
}

/// A format that is found where a record was looked for. Shown as its name, with who writes it: `a GIB file (Tygem)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForeignFormat {
    /// A record of Tygem.
    Gib,
    /// A record of PandaNet.
    Ugf,
    /// A record of wBaduk or Cyberoro.
    Ngf,
    /// A file that gzip packed.
    Gzip,
    /// An archive of ZIP.
    Zip,
    /// An archive of RAR.
    Rar,
    /// An archive of 7z.
    SevenZip,
    /// A document.
    Pdf,
    /// A picture.
    Png,
    /// A picture.
    Jpeg,
    /// A picture.
    Gif,
    /// A program of Linux and its like.
    ElfProgram,
    /// A program of Windows.
    WindowsProgram,
    /// A program of macOS.
    MacProgram,
    /// A database of `SQLite`.
    Database,
    /// A page or another document of tags.
    WebPage,
    /// Anything else that is no text.
    Binary,
}

impl ForeignFormat {
    /// Its sort in a word, by which other languages name it. All programs are of one sort.
    pub fn kind(self) -> &'static str {
        self.kind_and_name().0
    }

    fn kind_and_name(self) -> (&'static str, &'static str) {
        match self {
            ForeignFormat::Gib => ("GIB", "a GIB file (Tygem)"),
            ForeignFormat::Ugf => ("UGF", "a UGF file (PandaNet)"),
            ForeignFormat::Ngf => ("NGF", "an NGF file (wBaduk, Cyberoro)"),
            ForeignFormat::Gzip => ("gzip", "a gzip archive"),
            ForeignFormat::Zip => ("ZIP", "a ZIP archive"),
            ForeignFormat::Rar => ("RAR", "a RAR archive"),
            ForeignFormat::SevenZip => ("archive", "an archive (7z)"),
            ForeignFormat::Pdf => ("PDF", "a PDF file"),
            ForeignFormat::Png => ("PNG", "a PNG picture"),
            ForeignFormat::Jpeg => ("JPEG", "a JPEG picture"),
            ForeignFormat::Gif => ("GIF", "a GIF picture"),
            ForeignFormat::ElfProgram => ("program", "a program (ELF)"),
            ForeignFormat::WindowsProgram => ("program", "a program of Windows"),
            ForeignFormat::MacProgram => ("program", "a program of macOS"),
            ForeignFormat::Database => ("database", "a database (SQLite)"),
            ForeignFormat::WebPage => ("web", "a web page or XML without a game in it"),
            ForeignFormat::Binary => ("binary", "a binary file"),
        }
    }
}

impl fmt::Display for ForeignFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind_and_name().1)
    }
}

const SIGNATURES: [(&[u8], ForeignFormat); 15] = [
    (b"\\HS", ForeignFormat::Gib),
    (b"\\[GIBOKIND", ForeignFormat::Gib),
    (b"[Header]", ForeignFormat::Ugf),
    (b"\x1f\x8b", ForeignFormat::Gzip),
    (b"PK\x03\x04", ForeignFormat::Zip),
    (b"Rar!", ForeignFormat::Rar),
    (b"7z\xbc\xaf\x27\x1c", ForeignFormat::SevenZip),
    (b"%PDF", ForeignFormat::Pdf),
    (b"\x89PNG", ForeignFormat::Png),
    (b"\xff\xd8\xff", ForeignFormat::Jpeg),
    (b"GIF8", ForeignFormat::Gif),
    (b"\x7fELF", ForeignFormat::ElfProgram),
    (b"MZ\x90\x00", ForeignFormat::WindowsProgram),
    (b"\xcf\xfa\xed\xfe", ForeignFormat::MacProgram),
    (b"SQLite format 3\x00", ForeignFormat::Database),
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
    Err(NotSgf::Foreign { format: ForeignFormat::Binary })
}

/// Says what a text without a game is.
pub(crate) fn format_by_content(text: &[u8]) -> NotSgf {
    let start = text.trim_ascii();
    if start.is_empty() {
        return NotSgf::Empty;
    }
    if start.split(|&b| b == b'\n').take(60).any(is_ngf_move) {
        return NotSgf::Foreign { format: ForeignFormat::Ngf };
    }
    let head = start[..start.len().min(200)].to_ascii_lowercase();
    if [&b"<!doctype"[..], b"<html", b"<?xml"].iter().any(|tag| head.starts_with(tag)) {
        return NotSgf::Foreign { format: ForeignFormat::WebPage };
    }
    // The message quotes it, which makes control characters visible.
    NotSgf::NoGame { found: String::from_utf8_lossy(&start[..start.len().min(40)]).into_owned() }
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
    use ishi_words::FactValue;

    use super::*;
    use crate::read_collection;

    /// Every large program has `(;` somewhere.
    #[test]
    fn programs_and_other_binary_files_are_no_records() {
        let game = b"\x00\x13(;GM[1]SZ[9];B[ee])";
        let heads: [(&[u8], ForeignFormat); 3] = [
            (b"\x7fELF\x02\x01\x01\x00", ForeignFormat::ElfProgram),
            (b"MZ\x90\x00\x03", ForeignFormat::WindowsProgram),
            (b"\x01\x02\x00\x00\x03\x00\x00\x00\x09", ForeignFormat::Binary),
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

    #[test]
    fn what_begins_a_text_is_quoted_once() {
        let error = read_collection(b"root\n\"x\\y").unwrap_err().to_string();
        assert!(error.contains(r#"the file begins with "root\n\"x\\y";"#), "{error}");
    }

    /// Texts in other languages choose by the kind.
    #[test]
    fn a_format_is_told_by_name_and_kind() {
        let told = |bytes: &[u8]| read_collection(bytes).unwrap_err().facts();
        let gib = facts!["sgf-foreign", format = "a GIB file (Tygem)", kind = "GIB"];
        assert_eq!(told(b"\\HS\r\n"), gib);
        let page = facts!["sgf-foreign", format = "a web page or XML without a game in it", kind = "web"];
        assert_eq!(told(b"<!DOCTYPE html><p>"), page);
        assert_eq!(told(b"MZ\x90\x00\x03").fields()[1], ("kind", FactValue::from("program")));
    }
}
