//! Books of other programs, read and written: Edax's (`book.dat`) and Egaroucid's (`.egbk3`).
//!
//! Like ours, both keep the least of the eight boards that are the same but for symmetry. Numbers are little-endian. Moves are
//! squares, 0 = a1 row by row; 64 is a pass, and more is no move.
//!
//! **Edax 4**: `XADEKOOB`; version 4 and release (1 byte each); date (2 for the year, 5, and 1 unused); level, empty squares, errors
//! in the middle game and at the end, verbosity (4 each); number of positions (4). Then each: discs of the side to move, of the other
//! (8 each); games won, drawn, lost, lines (4 each); value, lower and upper bound (2 each); number of links, level (1 each); the links
//! and the leaf, each a value and a move (1 each). A link leads to a position of the book. The leaf is the best move that does not.
//!
//! **Egaroucid**: `DICUORAGE`; version 3 (1); number of positions (4). Then 25 bytes each: discs (8 each), value, level (1 each),
//! lines (4), value, move and level of the leaf (1 each). Links are not written: they are the moves to other positions. The author
//! puts a1 at the highest bit. Of the least of eight boards that makes no difference.

use std::collections::BTreeMap;

use ishi_othello::{Board, Square, iter_squares};

use super::file::{BookReader, book_error};
use super::{Book, BookEntry, BookError, position_after};

const EDAX_MAGIC: &[u8; 8] = b"XADEKOOB";
const EDAX_VERSION: u8 = 4;
const EDAX_RELEASE: u8 = 4;
/// What Edax writes for a leaf that is not there: value and move.
const EDAX_NO_LEAF: (i8, u8) = (-127, NO_MOVE);

const EGAROUCID_MAGIC: &[u8; 9] = b"DICUORAGE";
const EGAROUCID_VERSION: u8 = 3;
/// What Egaroucid writes for a value that is not known.
const NO_VALUE: i8 = -126;
/// What Egaroucid writes for a level that is not known.
const NO_LEVEL: i8 = -1;

/// All moves are links.
const NO_MOVE: u8 = 65;
/// The best of the other moves is not known.
const UNKNOWN_MOVE: u8 = 125;

/// How a book is written.
///
/// ```
/// use ishi_othello_play::book::{Book, BookFormat};
/// let edax = Book::builtin().to_format(BookFormat::Edax);
/// assert_eq!(BookFormat::from_bytes(&edax), BookFormat::Edax);
/// let read = Book::from_any_format(&edax).unwrap();
/// assert_eq!(read.to_format(BookFormat::Edax), edax);
/// assert_eq!(BookFormat::from_file_name("my.egbk3"), BookFormat::Egaroucid);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// Our own.
    Ishi,
    /// Edax's `book.dat`.
    Edax,
    /// Egaroucid's `.egbk3`.
    Egaroucid,
}

impl BookFormat {
    /// The format that a file of this name is to have: `.dat` Edax, `.egbk3` Egaroucid, else our own.
    pub fn from_file_name(name: &str) -> BookFormat {
        match name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
            Some("dat") => BookFormat::Edax,
            Some("egbk3") => BookFormat::Egaroucid,
            _ => BookFormat::Ishi,
        }
    }

    /// The format that these bytes have by their beginning; our own if it is no other.
    pub fn from_bytes(bytes: &[u8]) -> BookFormat {
        if bytes.starts_with(EDAX_MAGIC) {
            BookFormat::Edax
        } else if bytes.starts_with(EGAROUCID_MAGIC) {
            BookFormat::Egaroucid
        } else {
            BookFormat::Ishi
        }
    }
}

impl Book {
    /// Reads a book of any [`BookFormat`].
    ///
    /// # Errors
    /// If the bytes are no book, of another version, damaged, or one that cannot be: says where.
    pub fn from_any_format(bytes: &[u8]) -> Result<Book, BookError> {
        match BookFormat::from_bytes(bytes) {
            BookFormat::Ishi => Book::from_bytes(bytes),
            BookFormat::Edax => read_edax(bytes),
            BookFormat::Egaroucid => read_egaroucid(bytes),
        }
    }

    /// Writes the book. Other programs get the positions that are searched, and of the moves that lead to none of them the best one
    /// alone. Egaroucid gets no counts of games.
    pub fn to_format(&self, format: BookFormat) -> Vec<u8> {
        match format {
            BookFormat::Ishi => self.to_bytes(),
            BookFormat::Edax => write_edax(self),
            BookFormat::Egaroucid => write_egaroucid(self),
        }
    }

    fn from_positions(positions: Vec<(Board, BookEntry)>) -> Book {
        let mut book = Book::default();
        for (board, entry) in positions {
            let known = book.entries.get(&board).map_or(0, |known| known.depth);
            // Positions where the side to move must pass have no moves, and are left out.
            if !entry.moves.is_empty() && entry.depth > known {
                book.has_records |= entry.games > 0;
                book.entries.insert(board, entry);
            }
        }
        book.compute_negamax();
        book
    }
}

// --- reading ---

/// A level as the depth of a search, which is what levels of both programs are in the middle game.
fn depth_of_level(level: u8) -> u8 {
    // Levels that are not known are negative.
    if level > 127 { 1 } else { level.clamp(1, 60) }
}

fn read_board(reader: &mut BookReader<'_>) -> Result<Board, BookError> {
    let start = reader.offset;
    let player = u64::from_le_bytes(reader.take_bytes()?);
    let opponent = u64::from_le_bytes(reader.take_bytes()?);
    match player & opponent {
        0 => Ok(Board { player, opponent }),
        _ => Err(book_error(start, "a square has two discs".to_string())),
    }
}

fn check_foreign_version(version: u8, expected: u8, at: usize) -> Result<(), BookError> {
    match version == expected {
        true => Ok(()),
        false => Err(book_error(at, format!("the version must be {expected}, not {version}"))),
    }
}

fn read_edax(bytes: &[u8]) -> Result<Book, BookError> {
    let mut reader = BookReader { bytes, offset: EDAX_MAGIC.len() };
    let [version, _release] = reader.take_bytes()?;
    check_foreign_version(version, EDAX_VERSION, EDAX_MAGIC.len())?;
    // The date, and the options.
    reader.take_bytes::<28>()?;
    let count = u32::from_le_bytes(reader.take_bytes()?);
    let mut positions = Vec::new();
    // Edax, too, reads up to the end of the file.
    while reader.offset < bytes.len() {
        positions.push(read_edax_position(&mut reader)?);
    }
    if (positions.len() as u64) < u64::from(count) {
        let problem = format!("it is cut off: {count} positions must be there, not {}", positions.len());
        return Err(book_error(reader.offset, problem));
    }
    Ok(Book::from_positions(positions))
}

fn read_edax_position(reader: &mut BookReader<'_>) -> Result<(Board, BookEntry), BookError> {
    let board = read_board(reader)?;
    let (canonical, symmetry) = board.canonical_form();
    let mut counts = [0u32; 4];
    for count in &mut counts {
        *count = u32::from_le_bytes(reader.take_bytes()?);
    }
    let [won, drawn, lost, _lines] = counts;
    // Value and bounds follow from the moves.
    reader.take_bytes::<6>()?;
    let [links, level] = reader.take_bytes()?;
    let mut moves: Vec<(Square, i8)> = Vec::new();
    // The links, and the leaf.
    for _ in 0..=links {
        let Some((square, value)) = read_edax_move(board, reader)? else { continue };
        let square = symmetry.map_square(square);
        if moves.iter().all(|&(known, _)| known != square) {
            moves.push((square, value));
        }
    }
    let games = won.saturating_add(drawn).saturating_add(lost);
    let points = won.saturating_mul(2).saturating_add(drawn);
    Ok((canonical, BookEntry { moves, depth: depth_of_level(level), games, points, value: 0 }))
}

/// A move with its value; `None` for a pass, and where there is none.
fn read_edax_move(board: Board, reader: &mut BookReader<'_>) -> Result<Option<(Square, i8)>, BookError> {
    let start = reader.offset;
    let [value, square] = reader.take_bytes()?;
    let value = i8::from_le_bytes([value]);
    let Some(square) = Square::new(usize::from(square)) else { return Ok(None) };
    if !board.is_legal(square) {
        return Err(book_error(start + 1, format!("move {square} is not legal")));
    }
    match (-64..=64).contains(&value) {
        true => Ok(Some((square, value))),
        false => Err(book_error(start, format!("value {value} must lie from -64 to 64"))),
    }
}

/// A position of Egaroucid's, on the canonical board.
struct LeafPosition {
    value: i8,
    depth: u8,
    leaf: Option<(Square, i8)>,
}

fn read_egaroucid(bytes: &[u8]) -> Result<Book, BookError> {
    let mut reader = BookReader { bytes, offset: EGAROUCID_MAGIC.len() };
    let [version] = reader.take_bytes()?;
    check_foreign_version(version, EGAROUCID_VERSION, EGAROUCID_MAGIC.len())?;
    let count = u32::from_le_bytes(reader.take_bytes()?);
    let mut positions: BTreeMap<Board, LeafPosition> = BTreeMap::new();
    for _ in 0..count {
        let (board, position) = read_egaroucid_position(&mut reader)?;
        let known = positions.get(&board).map_or(0, |known| known.depth);
        // Values that are not known stand beyond 64.
        if (-64..=64).contains(&position.value) && position.depth > known {
            positions.insert(board, position);
        }
    }
    if reader.offset != bytes.len() {
        return Err(book_error(reader.offset, format!("nothing must follow {count} positions")));
    }
    let link =
        |(&board, position): (&Board, &LeafPosition)| (board, link_position(board, position, &positions));
    Ok(Book::from_positions(positions.iter().map(link).collect()))
}

fn read_egaroucid_position(reader: &mut BookReader<'_>) -> Result<(Board, LeafPosition), BookError> {
    let board = read_board(reader)?;
    let (canonical, symmetry) = board.canonical_form();
    let [value, level] = reader.take_bytes()?;
    // Lines beyond it.
    reader.take_bytes::<4>()?;
    let [leaf_value, leaf_move, _leaf_level] = reader.take_bytes()?;
    let leaf_value = i8::from_le_bytes([leaf_value]);
    // Egaroucid itself passes over leaves that are not legal.
    let legal = Square::new(usize::from(leaf_move)).filter(|&square| board.is_legal(square));
    let leaf = legal.filter(|_| (-64..=64).contains(&leaf_value));
    let leaf = leaf.map(|square| (symmetry.map_square(square), leaf_value));
    let value = i8::from_le_bytes([value]);
    Ok((canonical, LeafPosition { value, depth: depth_of_level(level), leaf }))
}

/// The moves to other positions, worth what those are, and the leaf.
fn link_position(
    board: Board,
    position: &LeafPosition,
    positions: &BTreeMap<Board, LeafPosition>,
) -> BookEntry {
    let link = |square: Square| {
        let (next, sign) = position_after(board, square);
        let value = i32::from(positions.get(&next.canonical_form().0)?.value);
        Some((square, (sign * value) as i8))
    };
    let mut moves: Vec<(Square, i8)> = iter_squares(board.legal_moves()).filter_map(link).collect();
    let leaf = position.leaf.filter(|(leaf, _)| moves.iter().all(|(square, _)| square != leaf));
    moves.extend(leaf);
    BookEntry { moves, depth: position.depth, ..BookEntry::default() }
}

// --- writing ---

/// The moves of a position as other programs keep them.
struct LinkedMoves {
    /// Moves to positions that are written, too, with their values and those positions.
    links: Vec<(Square, i8, Board)>,
    /// The best of the others.
    leaf: Option<(Square, i8)>,
}

impl LinkedMoves {
    /// `through_passes`: does a move lead to the position after a forced pass?
    fn of_position(book: &Book, board: Board, entry: &BookEntry, through_passes: bool) -> LinkedMoves {
        let mut linked = LinkedMoves { links: Vec::new(), leaf: None };
        for (square, value) in book.move_values(board, entry) {
            let value = value as i8;
            let direct = board.play_unchecked(square);
            let next = if through_passes { position_after(board, square).0 } else { direct };
            let next = next.canonical_form().0;
            if book.entries.get(&next).is_some_and(|entry| entry.depth > 0) {
                linked.links.push((square, value, next));
            } else if linked.leaf.is_none_or(|(_, best)| value > best) {
                linked.leaf = Some((square, value));
            }
        }
        linked
    }
}

/// A position as it is written.
struct WrittenPosition<'a> {
    board: Board,
    entry: &'a BookEntry,
    linked: LinkedMoves,
    /// Lines that end beyond it, as many as the number can hold.
    lines: u32,
}

/// The positions that are searched, in ascending order.
fn list_written_positions(book: &Book, through_passes: bool) -> Vec<WrittenPosition<'_>> {
    let searched = book.entries.iter().filter(|(_, entry)| entry.depth > 0);
    let mut positions: Vec<WrittenPosition<'_>> = searched
        .map(|(&board, entry)| {
            let linked = LinkedMoves::of_position(book, board, entry, through_passes);
            WrittenPosition { board, entry, linked, lines: 0 }
        })
        .collect();
    // From the positions with the fewest empty squares back to the start.
    positions.sort_by_key(|position| (position.board.empty_count(), position.board));
    let mut lines: BTreeMap<Board, u32> = BTreeMap::new();
    for position in &mut positions {
        let beyond = position.linked.links.iter().map(|(_, _, next)| lines.get(next).copied().unwrap_or(0));
        let own = u32::from(position.linked.leaf.is_some());
        position.lines = beyond.fold(own, u32::saturating_add);
        lines.insert(position.board, position.lines);
    }
    positions.sort_by_key(|position| position.board);
    positions
}

fn write_edax(book: &Book) -> Vec<u8> {
    let positions = list_written_positions(book, false);
    let mut bytes = EDAX_MAGIC.to_vec();
    bytes.extend([EDAX_VERSION, EDAX_RELEASE]);
    // No clock is asked: the same book gives the same bytes.
    bytes.extend(1970u16.to_le_bytes());
    bytes.extend([1, 1, 0, 0, 0, 0]);
    let level = positions.iter().map(|position| u32::from(position.entry.depth)).max().unwrap_or(1);
    let empties = positions.iter().map(|position| position.board.empty_count()).min().unwrap_or(60);
    let (midgame_error, end_error, verbosity) = (2, 1, 1);
    for option in [level, empties, midgame_error, end_error, verbosity, positions.len() as u32] {
        bytes.extend(option.to_le_bytes());
    }
    positions.iter().for_each(|position| write_edax_position(position, &mut bytes));
    bytes
}

fn write_edax_position(position: &WrittenPosition<'_>, bytes: &mut Vec<u8>) {
    let WrittenPosition { board, entry, linked, lines } = position;
    write_board(*board, bytes);
    // Half points do not say how many games were drawn: as few as can be.
    let (won, drawn) = (entry.points / 2, entry.points % 2);
    let lost = entry.games.saturating_sub(won + drawn);
    for count in [won, drawn, lost, *lines] {
        bytes.extend(count.to_le_bytes());
    }
    for bound in [entry.value; 3] {
        bytes.extend(i16::from(bound).to_le_bytes());
    }
    bytes.extend([linked.links.len() as u8, entry.depth]);
    for &(square, value, _) in &linked.links {
        bytes.extend([value as u8, square.index() as u8]);
    }
    let leaf = linked.leaf.map(|(square, value)| (value, square.index() as u8));
    let (value, square) = leaf.unwrap_or(EDAX_NO_LEAF);
    bytes.extend([value as u8, square]);
}

fn write_egaroucid(book: &Book) -> Vec<u8> {
    let positions = list_written_positions(book, true);
    let mut bytes = EGAROUCID_MAGIC.to_vec();
    bytes.push(EGAROUCID_VERSION);
    bytes.extend((positions.len() as u32).to_le_bytes());
    positions.iter().for_each(|position| write_egaroucid_position(position, &mut bytes));
    bytes
}

fn write_egaroucid_position(position: &WrittenPosition<'_>, bytes: &mut Vec<u8>) {
    let WrittenPosition { board, entry, linked, lines } = position;
    write_board(*board, bytes);
    bytes.extend([entry.value as u8, entry.depth]);
    bytes.extend(lines.to_le_bytes());
    let all_linked = linked.links.len() == board.legal_moves().count_ones() as usize;
    let missing = if all_linked { NO_MOVE } else { UNKNOWN_MOVE };
    let leaf = linked.leaf.map(|(square, value)| (value, square.index() as u8, entry.depth as i8));
    let (value, square, level) = leaf.unwrap_or((NO_VALUE, missing, NO_LEVEL));
    bytes.extend([value as u8, square, level as u8]);
}

fn write_board(board: Board, bytes: &mut Vec<u8>) {
    bytes.extend(board.player.to_le_bytes());
    bytes.extend(board.opponent.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_rng::Seed;
    use ishi_rng::damage::try_damaged_copies;

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    fn read(bytes: &[u8]) -> Book {
        Book::from_any_format(bytes).unwrap()
    }

    fn problem(bytes: &[u8]) -> String {
        Book::from_any_format(bytes).unwrap_err().to_string()
    }

    /// The start, and the position after f5 and its images: the one link of the start, whose other moves are the same move, turned.
    fn small() -> Book {
        let start = Board::START.canonical_form().0;
        let after = Board::START.play_unchecked(square("f5")).canonical_form().0;
        let entry = |board: Board, value: i8| BookEntry {
            moves: board.children().map(|(square, _)| (square, value)).collect(),
            depth: 9,
            games: 7,
            points: 9,
            value: 0,
        };
        let mut book =
            Book { entries: [(start, entry(start, 3)), (after, entry(after, -2))].into(), has_records: true };
        book.compute_negamax();
        book
    }

    /// Byte for byte, from the descriptions of the formats.
    #[test]
    fn positions_stand_where_other_programs_look_for_them() {
        let (start, after) = (Board::START.canonical_form().0, Board::START.play_unchecked(square("f5")));
        let number = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let disc = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let edax = small().to_format(BookFormat::Edax);
        assert_eq!((&edax[..9], number(&edax, 18), number(&edax, 38)), (&b"XADEKOOB\x04"[..], 9, 2));
        // The start has four links and no leaf, the other position three moves, of which none is in the book.
        let sizes = (16 + 16 + 6 + 2 + 2 * 5, 16 + 16 + 6 + 2 + 2);
        assert_eq!(edax.len(), 42 + sizes.0 + sizes.1);
        let at = [42, 42 + sizes.1].into_iter().find(|&at| disc(&edax, at) == start.player).unwrap();
        assert_eq!(
            [16, 20, 24, 28].map(|more| number(&edax, at + more)),
            [4, 1, 2, 4],
            "won, drawn, lost, lines"
        );
        assert_eq!((edax[at + 38], edax[at + 39]), (4, 9), "links and level");
        // By negamax the start's moves are worth 2.
        assert_eq!(i16::from_le_bytes([edax[at + 32], edax[at + 33]]), 2);
        let last = at + sizes.0;
        assert_eq!(edax[last - 2..last], [(-127i8) as u8, 65]);
        let egaroucid = small().to_format(BookFormat::Egaroucid);
        assert_eq!((&egaroucid[..10], number(&egaroucid, 10)), (&b"DICUORAGE\x03"[..], 2));
        assert_eq!(egaroucid.len(), 14 + 2 * 25);
        let at = [14, 39].into_iter().find(|&at| disc(&egaroucid, at) == start.player).unwrap();
        assert_eq!(egaroucid[at + 16..at + 18], [2, 9], "value and level");
        assert_eq!(number(&egaroucid, at + 18), 4);
        assert_eq!(egaroucid[at + 22..at + 25], [(-126i8) as u8, 65, (-1i8) as u8]);
        let other = if at == 14 { 39 } else { 14 };
        assert_eq!(disc(&egaroucid, other), after.canonical_form().0.player);
        assert_eq!(egaroucid[other + 22] as i8, -2, "the leaf's value");
    }

    /// What is read of a book that was written has the same positions with the same values, and Edax's the same counts of games.
    #[test]
    fn books_come_back_from_other_programs() {
        for book in [&small(), Book::builtin()] {
            let edax = read(&book.to_format(BookFormat::Edax));
            assert_eq!(edax.count_searched(), book.count_searched());
            for (board, entry) in book.entries().filter(|(_, entry)| entry.depth() > 0) {
                let known = edax.get(board).unwrap();
                assert_eq!((known.value(), known.depth()), (entry.value(), entry.depth()), "{board:?}");
                assert_eq!((known.games(), known.success()), (entry.games(), entry.success()));
                assert_eq!(edax.moves(board)[0].value, book.moves(board)[0].value);
            }
            assert_eq!(edax.to_format(BookFormat::Edax), book.to_format(BookFormat::Edax));
            let egaroucid = read(&book.to_format(BookFormat::Egaroucid));
            assert_eq!(egaroucid.count_searched(), book.count_searched());
            assert!(!egaroucid.has_records());
            // Egaroucid takes every move to a position of the book for one of the book: a second time nothing is new.
            let again = read(&egaroucid.to_format(BookFormat::Egaroucid));
            for (board, entry) in egaroucid.entries() {
                assert_eq!(again.get(board).map(BookEntry::value), Some(entry.value()), "{board:?}");
                assert_eq!(again.moves(board), egaroucid.moves(board));
            }
            assert_eq!(read(&again.to_format(BookFormat::Egaroucid)), again);
        }
        let start = read(&small().to_format(BookFormat::Egaroucid));
        assert_eq!(start.get(Board::START).map(BookEntry::value), Some(2));
    }

    /// Boards that other programs have turned otherwise are turned to ours, with their moves.
    #[test]
    fn boards_may_be_turned() {
        let after = Board::START.play_unchecked(square("f5"));
        let turned = ishi_othello::Symmetry::ALL
            .into_iter()
            .map(|symmetry| (symmetry, symmetry.map_board(after)))
            .find(|(_, board)| board.canonical_form().0 != *board);
        let (symmetry, board) = turned.unwrap();
        let mut bytes = EGAROUCID_MAGIC.to_vec();
        bytes.push(EGAROUCID_VERSION);
        bytes.extend(1u32.to_le_bytes());
        write_board(board, &mut bytes);
        bytes.extend([3, 12, 0, 0, 0, 0, 3, symmetry.map_square(square("d6")).index() as u8, 12]);
        let moves = read(&bytes).moves(after);
        assert_eq!(moves.len(), 1);
        assert_eq!((moves[0].square, moves[0].value), (square("d6"), 3));
    }

    #[test]
    fn errors_say_where() {
        let edax = small().to_format(BookFormat::Edax);
        let change = |bytes: &[u8], at: usize, byte: u8| {
            let mut changed = bytes.to_vec();
            changed[at] = byte;
            changed
        };
        assert!(problem(&change(&edax, 8, 3)).contains("byte 8: the version must be 4, not 3"));
        assert!(problem(&edax[..edax.len() - 1]).contains("more bytes are needed"));
        assert!(problem(&edax[..42]).contains("it is cut off: 2 positions must be there, not 0"));
        assert!(problem(&change(&edax, edax.len() - 1, 0)).contains("move a1 is not legal"));
        let mut overlapping = edax.clone();
        overlapping.copy_within(42..50, 50);
        assert!(problem(&overlapping).contains("byte 42: a square has two discs"));
        let egaroucid = small().to_format(BookFormat::Egaroucid);
        assert!(problem(&change(&egaroucid, 9, 2)).contains("byte 9: the version must be 3, not 2"));
        assert!(problem(&egaroucid[..40]).contains("more bytes are needed"));
        assert!(problem(&[&egaroucid[..], &[0]].concat()).contains("nothing must follow 2 positions"));
        assert!(problem(b"no book").contains("a book starts with ISHIBOOK"));
    }

    /// These formats have no checksum: damage may go unseen, but nothing panics, and what is read can be written.
    #[test]
    fn damaged_books_do_no_harm() {
        for format in [BookFormat::Edax, BookFormat::Egaroucid] {
            try_damaged_copies(&small().to_format(format), Seed::new(1), 400, |what, damaged| {
                if let Ok(book) = Book::from_any_format(damaged) {
                    let again = Book::from_bytes(&book.to_bytes());
                    assert_eq!(again.as_ref(), Ok(&book), "{what}");
                }
            });
        }
    }
}
