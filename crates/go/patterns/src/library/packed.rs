//! Patterns packed.
//!
//! `ishi-shapes-packed 1` and a line feed, a checksum (FNV-1a of what follows, 8 bytes, least byte first), then the columns below,
//! deflated together. A column is its length in bytes and its content; numbers are written in groups of seven bits, the lowest first, the
//! high bit set but in the last. Nothing is rounded: unpacking gives the same library back.
//!
//! | column | of each pattern |
//! | --- | --- |
//! | texts | all different texts, in the order in which they are first needed, each with its length before it |
//! | heads | numbers of name, source, English, Japanese in the texts; seen |
//! | frames | edges, width, height |
//! | signs | a byte for each point of the frame: black 1, white 2, empty 4 |
//! | attributes | their number; each a point, what is claimed (0 to 4), and the liberties |
//! | branches | depth first: colour and kind in one byte, point, played, won, texts of both words; before each list its length |

use std::collections::HashMap;
use std::fmt;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use ishi_go::Color;
use ishi_rng::checksum::fnv_checksum;

use super::collection::PatternLibrary;
use super::diagram::{DiagramEdges, DiagramSquare, PatternDiagram};
use super::pattern::{BilingualWords, ChainAttribute, ChainClaim, DEEPEST, Pattern, PatternBranch};
use crate::joseki::book::MoveKind;

const MAGIC: &[u8] = b"ishi-shapes-packed 1\n";
const COLUMNS: usize = 6;
const TEXTS: usize = 0;
const HEADS: usize = 1;
const FRAMES: usize = 2;
const SIGNS: usize = 3;
const ATTRIBUTES: usize = 4;
const BRANCHES: usize = 5;
/// No library unpacks to more bytes.
const MOST: u64 = 1 << 28;

/// Why bytes are no patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternPackError(String);

impl fmt::Display for PatternPackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no packed patterns: {}; `ishi go shapes --out` writes them", self.0)
    }
}

impl std::error::Error for PatternPackError {}

/// Do the bytes begin like packed patterns?
pub fn is_packed_library(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Packs a library.
pub fn pack_library(library: &PatternLibrary) -> Vec<u8> {
    let mut packing = LibraryPacker::default();
    for pattern in library.patterns() {
        packing.add_pattern(pattern);
    }
    let mut plain = Vec::new();
    put_varint(&mut plain, library.patterns().len());
    for column in &packing.columns {
        put_varint(&mut plain, column.len());
        plain.extend(column);
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let deflated =
        encoder.write_all(&plain).and_then(|()| encoder.finish()).expect("writing to memory does not fail");
    [MAGIC, &fnv_checksum(&deflated).to_le_bytes(), &deflated].concat()
}

fn put_varint(column: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        column.push(number as u8 | 128);
        number >>= 7;
    }
    column.push(number as u8);
}

#[derive(Default)]
struct LibraryPacker<'a> {
    columns: [Vec<u8>; COLUMNS],
    texts: HashMap<&'a str, usize>,
}

impl<'a> LibraryPacker<'a> {
    fn add_text(&mut self, text: &'a str) -> usize {
        let next = self.texts.len();
        *self.texts.entry(text).or_insert_with(|| {
            put_varint(&mut self.columns[TEXTS], text.len());
            self.columns[TEXTS].extend(text.as_bytes());
            next
        })
    }

    fn add_words(&mut self, column: usize, words: &'a BilingualWords) {
        for text in [&words.en, &words.ja] {
            let number = self.add_text(text);
            put_varint(&mut self.columns[column], number);
        }
    }

    fn add_pattern(&mut self, pattern: &'a Pattern) {
        for text in [&pattern.name, &pattern.source] {
            let number = self.add_text(text);
            put_varint(&mut self.columns[HEADS], number);
        }
        self.add_words(HEADS, &pattern.words);
        put_varint(&mut self.columns[HEADS], pattern.seen as usize);
        let PatternDiagram { edges, width, height, black, white, empty } = pattern.diagram;
        self.columns[FRAMES].extend([edges.bits(), width as u8, height as u8]);
        for square in frame_squares(width, height) {
            let bit = |board: u64| u8::from(board & square.bit() != 0);
            let sign = bit(black) | bit(white) << 1 | bit(empty) << 2;
            self.columns[SIGNS].push(sign);
        }
        put_varint(&mut self.columns[ATTRIBUTES], pattern.attributes.len());
        for &ChainAttribute { at, claim } in &pattern.attributes {
            let (what, count) = match claim {
                ChainClaim::Liberties(n) => (0, n),
                ChainClaim::AtLeast(n) => (1, n),
                ChainClaim::AtMost(n) => (2, n),
                ChainClaim::Alive => (3, 0),
                ChainClaim::Dead => (4, 0),
            };
            self.columns[ATTRIBUTES].extend([at.index() as u8, what, count]);
        }
        self.add_branches(&pattern.moves);
    }

    fn add_branches(&mut self, branches: &'a [PatternBranch]) {
        put_varint(&mut self.columns[BRANCHES], branches.len());
        for branch in branches {
            let kind = MoveKind::ALL.iter().position(|&kind| kind == branch.kind).unwrap_or(0);
            let head = kind << 1 | usize::from(branch.color == Color::White);
            self.columns[BRANCHES].extend([head as u8, branch.at.index() as u8]);
            put_varint(&mut self.columns[BRANCHES], branch.played as usize);
            put_varint(&mut self.columns[BRANCHES], branch.won as usize);
            self.add_words(BRANCHES, &branch.words);
            self.add_branches(&branch.replies);
        }
    }
}

fn frame_squares(width: usize, height: usize) -> impl Iterator<Item = DiagramSquare> {
    (0..height).flat_map(move |row| (0..width).map(move |column| DiagramSquare::new(column, row)))
}

/// Unpacks a library.
///
/// # Errors
/// If the bytes are none, or damaged.
pub fn unpack_library(bytes: &[u8]) -> Result<PatternLibrary, PatternPackError> {
    let wrong = |problem: &str| PatternPackError(problem.to_string());
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| wrong("byte 0: they must begin with ishi-shapes-packed 1"))?;
    let (sum, deflated) = rest
        .split_first_chunk::<8>()
        .ok_or_else(|| wrong("byte 21: they are cut off: a checksum must follow"))?;
    let found = fnv_checksum(deflated);
    if u64::from_le_bytes(*sum) != found {
        let at = MAGIC.len();
        let problem = format!("byte {at}: they are damaged or cut off: the checksum must be {found:016x}");
        return Err(PatternPackError(problem));
    }
    let mut plain = Vec::new();
    // A few bytes can inflate to any number, so no more are taken than a library may have.
    let read = DeflateDecoder::new(deflated).take(MOST).read_to_end(&mut plain);
    read.map_err(|error| PatternPackError(format!("the bytes are damaged ({error})")))?;
    unpack_plain(&plain)
}

fn unpack_plain(plain: &[u8]) -> Result<PatternLibrary, PatternPackError> {
    let mut whole = PackedColumn(plain);
    let count = whole.read_varint()?;
    let mut columns = [PackedColumn(&[]); COLUMNS];
    for column in &mut columns {
        let length = whole.read_varint()?;
        *column = PackedColumn(whole.take_bytes(length)?);
    }
    let mut unpacking = LibraryUnpacker { columns, texts: Vec::new() };
    let mut library = PatternLibrary::default();
    unpacking.read_texts()?;
    for _ in 0..count {
        let pattern = unpacking.read_pattern()?;
        let name = pattern.name.clone();
        library.add_pattern(pattern).map_err(|error| PatternPackError(format!("pattern {name}: {error}")))?;
    }
    Ok(library)
}

/// What is left of a column.
#[derive(Clone, Copy)]
struct PackedColumn<'a>(&'a [u8]);

impl<'a> PackedColumn<'a> {
    fn read_byte(&mut self) -> Result<u8, PatternPackError> {
        self.take_bytes(1).map(|bytes| bytes[0])
    }

    fn take_bytes(&mut self, length: usize) -> Result<&'a [u8], PatternPackError> {
        let short = || PatternPackError("a column ends early".to_string());
        let (head, rest) = self.0.split_at_checked(length).ok_or_else(short)?;
        self.0 = rest;
        Ok(head)
    }

    fn read_varint(&mut self) -> Result<usize, PatternPackError> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.read_byte()?;
            number |= usize::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(PatternPackError("a number is too long".to_string()))
    }

    fn read_count(&mut self) -> Result<u32, PatternPackError> {
        u32::try_from(self.read_varint()?).map_err(|_| PatternPackError("a number is too large".to_string()))
    }
}

struct LibraryUnpacker<'a> {
    columns: [PackedColumn<'a>; COLUMNS],
    texts: Vec<&'a str>,
}

impl LibraryUnpacker<'_> {
    fn read_texts(&mut self) -> Result<(), PatternPackError> {
        while !self.columns[TEXTS].0.is_empty() {
            let length = self.columns[TEXTS].read_varint()?;
            let text = std::str::from_utf8(self.columns[TEXTS].take_bytes(length)?);
            self.texts.push(text.map_err(|_| PatternPackError("a text is no UTF-8".to_string()))?);
        }
        Ok(())
    }

    fn read_text(&mut self, column: usize) -> Result<String, PatternPackError> {
        let number = self.columns[column].read_varint()?;
        let text =
            self.texts.get(number).ok_or_else(|| PatternPackError(format!("there is no text {number}")))?;
        Ok((*text).to_string())
    }

    fn read_words(&mut self, column: usize) -> Result<BilingualWords, PatternPackError> {
        Ok(BilingualWords { en: self.read_text(column)?, ja: self.read_text(column)? })
    }

    fn read_pattern(&mut self) -> Result<Pattern, PatternPackError> {
        let (name, source) = (self.read_text(HEADS)?, self.read_text(HEADS)?);
        let words = self.read_words(HEADS)?;
        let seen = self.columns[HEADS].read_count()?;
        Ok(Pattern {
            name,
            source,
            seen,
            words,
            diagram: self.read_diagram()?,
            attributes: self.read_attributes()?,
            moves: self.read_branches(0)?,
        })
    }

    fn read_diagram(&mut self) -> Result<PatternDiagram, PatternPackError> {
        let frames = &mut self.columns[FRAMES];
        let edges = DiagramEdges::from_bits(frames.read_byte()?);
        let (width, height) = (usize::from(frames.read_byte()?), usize::from(frames.read_byte()?));
        let mut diagram = PatternDiagram { edges, width, height, black: 0, white: 0, empty: 0 };
        // Checked before the squares are read: they are the bits of a word of 8x8.
        if width > 8 || height > 8 {
            return Err(PatternPackError(format!("a frame of {width}x{height} points")));
        }
        for square in frame_squares(width, height) {
            let sign = self.columns[SIGNS].read_byte()?;
            let boards = [&mut diagram.black, &mut diagram.white, &mut diagram.empty];
            for (n, board) in boards.into_iter().enumerate() {
                *board |= if sign >> n & 1 != 0 { square.bit() } else { 0 };
            }
        }
        Ok(diagram)
    }

    fn read_attributes(&mut self) -> Result<Vec<ChainAttribute>, PatternPackError> {
        let column = &mut self.columns[ATTRIBUTES];
        let count = column.read_varint()?;
        // No room is made ahead: the count comes from the bytes, and damaged ones could ask for all memory.
        let mut attributes = Vec::new();
        for _ in 0..count {
            let (at, what, n) = (
                DiagramSquare::from_index(column.read_byte()?.into()),
                column.read_byte()?,
                column.read_byte()?,
            );
            let claim = match what {
                0 => ChainClaim::Liberties(n),
                1 => ChainClaim::AtLeast(n),
                2 => ChainClaim::AtMost(n),
                3 => ChainClaim::Alive,
                4 => ChainClaim::Dead,
                _ => return Err(PatternPackError(format!("there is no claim {what}"))),
            };
            attributes.push(ChainAttribute { at, claim });
        }
        Ok(attributes)
    }

    fn read_branches(&mut self, depth: usize) -> Result<Vec<PatternBranch>, PatternPackError> {
        let count = self.columns[BRANCHES].read_varint()?;
        // Reading branches calls itself, so bytes must not say how deep.
        if depth >= DEEPEST && count > 0 {
            return Err(PatternPackError(format!("more than {DEEPEST} moves in a line")));
        }
        let mut branches = Vec::new();
        for _ in 0..count {
            let column = &mut self.columns[BRANCHES];
            let (head, at) = (column.read_byte()?, column.read_byte()?);
            let kind = MoveKind::ALL.get(usize::from(head >> 1));
            let kind = *kind.ok_or_else(|| PatternPackError(format!("there is no kind {}", head >> 1)))?;
            let color = if head & 1 == 0 { Color::Black } else { Color::White };
            let (played, won) = (column.read_count()?, column.read_count()?);
            let words = self.read_words(BRANCHES)?;
            let replies = self.read_branches(depth + 1)?;
            branches.push(PatternBranch {
                color,
                at: DiagramSquare::from_index(at.into()),
                kind,
                played,
                won,
                words,
                replies,
            });
        }
        Ok(branches)
    }
}
