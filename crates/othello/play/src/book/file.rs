//! The book as bytes.
//!
//! Version 2, numbers little-endian: the text `ISHIBOOK`, version (1 byte), flags (1 byte: bit 0, records were
//! counted), number of positions (4), then the positions in ascending order of (player, opponent), each: player (8),
//! opponent (8), games (4), half points (4), depth (1), number of moves (1), and for each move square (1) and value
//! (1, signed); at the end the checksum of all this (FNV-1a, 8). Values by negamax are not kept: they follow from the rest.

use std::fmt;

use ishi_othello::{Board, Square};
use ishi_rng::checksum::{ChecksumError, append_checksum, split_checksum};

use super::{Book, BookEntry};

const MAGIC: &[u8; 8] = b"ISHIBOOK";
const VERSION: u8 = 2;
/// Where the version stands.
const VERSION_AT: usize = MAGIC.len();
const HAS_RECORDS: u8 = 1;

/// Bytes that are no book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookError {
    /// Where, in bytes from the start.
    offset: usize,
    problem: String,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a book of openings: byte {}: {}", self.offset, self.problem)
    }
}

impl std::error::Error for BookError {}

impl Book {
    /// Reads a book.
    ///
    /// # Errors
    /// If the bytes are no book of this version, are damaged, or are one that cannot be: an illegal move, a board that is not
    /// canonical, a value beyond 64. Says where.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        check_version(bytes)?;
        let content = split_checksum(bytes).map_err(checksum_error)?;
        let mut reader = BookReader { bytes: content, offset: VERSION_AT + 1 };
        let (count, flags) = read_header(&mut reader)?;
        let mut book = Book { has_records: flags & HAS_RECORDS != 0, ..Book::default() };
        for _ in 0..count {
            let start = reader.offset;
            let (board, entry) = read_position(&mut reader)?;
            let in_order = book.entries.last_key_value().is_none_or(|(last, _)| *last < board);
            if !in_order {
                return Err(book_error(start, "positions are not in ascending order".to_string()));
            }
            book.entries.insert(board, entry);
        }
        if reader.offset != content.len() {
            return Err(book_error(reader.offset, format!("nothing must follow {count} positions")));
        }
        book.compute_negamax();
        Ok(book)
    }

    /// Writes a book; [`Book::from_bytes`] reads it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, if self.has_records { HAS_RECORDS } else { 0 }]);
        bytes.extend((self.entries.len() as u32).to_le_bytes());
        for (board, entry) in &self.entries {
            bytes.extend(board.player.to_le_bytes());
            bytes.extend(board.opponent.to_le_bytes());
            bytes.extend(entry.games.to_le_bytes());
            bytes.extend(entry.points.to_le_bytes());
            bytes.extend([entry.depth, entry.moves.len() as u8]);
            bytes.extend(entry.moves.iter().flat_map(|&(square, value)| [square.index() as u8, value as u8]));
        }
        append_checksum(&mut bytes);
        bytes
    }
}

/// An error at this byte.
pub(super) fn book_error(offset: usize, problem: String) -> BookError {
    BookError { offset, problem }
}

/// Bytes that are read one part after another.
pub(super) struct BookReader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) offset: usize,
}

impl BookReader<'_> {
    /// The next `N` bytes.
    pub(super) fn take_bytes<const N: usize>(&mut self) -> Result<[u8; N], BookError> {
        let rest = self.bytes.get(self.offset..).unwrap_or_default();
        let taken = rest.first_chunk().copied();
        let taken = taken.ok_or_else(|| book_error(self.offset, format!("{N} more bytes are needed")))?;
        self.offset += N;
        Ok(taken)
    }
}

fn checksum_error(error: ChecksumError) -> BookError {
    match error {
        ChecksumError::Wrong { at, content } => {
            book_error(at, format!("it is damaged or cut off: the checksum must be {content:016x}"))
        }
        ChecksumError::Short { length } => book_error(length, "it is cut off: more must follow".to_string()),
        ChecksumError::Missing => book_error(0, "it has no checksum".to_string()),
    }
}

/// Do the bytes begin as a book of this version?
fn check_version(bytes: &[u8]) -> Result<(), BookError> {
    let rest =
        bytes.strip_prefix(MAGIC).ok_or_else(|| book_error(0, "a book starts with ISHIBOOK".to_string()))?;
    match rest.first() {
        None => Err(book_error(VERSION_AT, "it is cut off: the version must follow".to_string())),
        Some(1) => {
            let problem =
                "version 1 is that of an older ishi, without a checksum: build the book again".to_string();
            Err(book_error(VERSION_AT, problem))
        }
        Some(&VERSION) => Ok(()),
        Some(version) => {
            Err(book_error(VERSION_AT, format!("version {version} is not known, only {VERSION}")))
        }
    }
}

/// The number of positions and the flags, behind the version.
fn read_header(reader: &mut BookReader<'_>) -> Result<(u32, u8), BookError> {
    let [flags] = reader.take_bytes()?;
    if flags & !HAS_RECORDS != 0 {
        return Err(book_error(9, format!("flags {flags} are not known")));
    }
    Ok((u32::from_le_bytes(reader.take_bytes()?), flags))
}

fn read_position(reader: &mut BookReader<'_>) -> Result<(Board, BookEntry), BookError> {
    let start = reader.offset;
    let player = u64::from_le_bytes(reader.take_bytes()?);
    let opponent = u64::from_le_bytes(reader.take_bytes()?);
    let board = Board { player, opponent };
    if player & opponent != 0 {
        return Err(book_error(start, "a square has two discs".to_string()));
    }
    if board.canonical_form().0 != board {
        return Err(book_error(start, "the board is not in canonical form".to_string()));
    }
    let games = u32::from_le_bytes(reader.take_bytes()?);
    let points = u32::from_le_bytes(reader.take_bytes()?);
    if u64::from(points) > 2 * u64::from(games) {
        return Err(book_error(start, format!("{points} half points in {games} games")));
    }
    let [depth, count] = reader.take_bytes()?;
    if (depth == 0) != (count == 0) {
        return Err(book_error(start, format!("{count} moves from a search of depth {depth}")));
    }
    let moves = (0..count).map(|_| read_move(board, reader)).collect::<Result<Vec<_>, _>>()?;
    Ok((board, BookEntry { moves, depth, games, points, value: 0 }))
}

fn read_move(board: Board, reader: &mut BookReader<'_>) -> Result<(Square, i8), BookError> {
    let start = reader.offset;
    let [square, value] = reader.take_bytes()?;
    let value = i8::from_le_bytes([value]);
    let legal = Square::new(usize::from(square)).filter(|&square| board.is_legal(square));
    let square = legal.ok_or_else(|| book_error(start, format!("move {square} is not legal")))?;
    if !(-64..=64).contains(&value) {
        return Err(book_error(start + 1, format!("value {value} must lie from -64 to 64")));
    }
    Ok((square, value))
}

#[cfg(test)]
mod tests {
    use ishi_rng::Seed;
    use ishi_rng::damage::try_damaged_copies;
    use proptest::prelude::*;

    use super::*;

    fn small() -> Book {
        let board = Board::START.canonical_form().0;
        let moves = board.children().map(|(square, _)| (square, -3)).collect();
        let entry = BookEntry { moves, depth: 9, games: 7, points: 8, value: 0 };
        let mut book = Book { entries: [(board, entry)].into(), has_records: true };
        book.compute_negamax();
        book
    }

    #[test]
    fn what_is_written_can_be_read() {
        let book = small();
        assert_eq!(Book::from_bytes(&book.to_bytes()), Ok(book));
        assert_eq!(Book::from_bytes(&Book::default().to_bytes()), Ok(Book::default()));
    }

    #[test]
    fn the_book_that_is_built_in_can_be_read() {
        let book = Book::from_bytes(super::super::BUILTIN).unwrap();
        assert!(!book.is_empty());
        assert!(book.get(Board::START).is_some());
        assert_eq!(book.to_bytes(), super::super::BUILTIN);
    }

    #[test]
    fn errors_say_where() {
        let problem = |bytes: &[u8]| Book::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(problem(b"ISHI"), "not a book of openings: byte 0: a book starts with ISHIBOOK");
        assert_eq!(problem(b"NOTABOOK\x01"), "not a book of openings: byte 0: a book starts with ISHIBOOK");
        assert!(problem(b"ISHIBOOK").contains("byte 8: it is cut off: the version must follow"));
        assert!(problem(b"ISHIBOOK\x02").contains("byte 1: it is damaged or cut off"));
        let whole = small().to_bytes();
        let good = split_checksum(&whole).unwrap();
        let sealed = |content: &[u8]| {
            let mut bytes = content.to_vec();
            append_checksum(&mut bytes);
            problem(&bytes)
        };
        let broken = |at: usize, byte: u8| {
            let mut content = good.to_vec();
            content[at] = byte;
            sealed(&content)
        };
        assert!(broken(8, 9).contains("version 9 is not known, only 2"));
        assert!(
            broken(8, 1).contains("byte 8: version 1 is that of an older ishi, without a checksum: build")
        );
        assert!(broken(9, 2).contains("flags 2 are not known"));
        assert!(broken(10, 2).contains("more bytes are needed"));
        assert!(broken(10, 0).contains("nothing must follow 0 positions"));
        assert!(broken(good.len() - 2, 0).contains("move 0 is not legal"));
        assert!(broken(good.len() - 1, 100).contains("value 100 must lie from -64 to 64"));
        assert!(sealed(&good[..good.len() - 1]).contains("more bytes are needed"));
    }

    #[test]
    fn damaged_books_are_refused() {
        for book in [&small().to_bytes()[..], super::super::BUILTIN] {
            try_damaged_copies(book, Seed::new(1), 400, |what, damaged| {
                assert!(Book::from_bytes(damaged).is_err(), "{what}");
            });
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Book::from_bytes(&bytes);
        }

        /// Nor does any byte of a book that is changed and has a checksum that fits.
        #[test]
        fn no_change_makes_it_panic(at in 0usize..60, byte: u8) {
            let whole = small().to_bytes();
            let mut bytes = split_checksum(&whole).unwrap().to_vec();
            let at = at % bytes.len();
            bytes[at] = byte;
            append_checksum(&mut bytes);
            if let Ok(book) = Book::from_bytes(&bytes) {
                prop_assert_eq!(book.to_bytes(), bytes);
            }
        }
    }
}
