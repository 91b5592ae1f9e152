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

use super::collection::Library;
use super::diagram::{Diagram, Edges, Square};
use super::pattern::{Attribute, Branch, Claim, DEEPEST, Pattern, Words};
use crate::joseki::book::Kind;
use crate::table::checksum;

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
pub struct PackError(String);

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no packed patterns: {}; `ishi go shapes --out` writes them", self.0)
    }
}

impl std::error::Error for PackError {}

/// Do the bytes begin like packed patterns?
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Packs a library.
pub fn pack(library: &Library) -> Vec<u8> {
    let mut packing = Packing::default();
    for pattern in library.patterns() {
        packing.pattern(pattern);
    }
    let mut plain = Vec::new();
    put(&mut plain, library.patterns().len());
    for column in &packing.columns {
        put(&mut plain, column.len());
        plain.extend(column);
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let deflated =
        encoder.write_all(&plain).and_then(|()| encoder.finish()).expect("writing to memory does not fail");
    [MAGIC, &checksum(&deflated).to_le_bytes(), &deflated].concat()
}

fn put(column: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        column.push(number as u8 | 128);
        number >>= 7;
    }
    column.push(number as u8);
}

#[derive(Default)]
struct Packing<'a> {
    columns: [Vec<u8>; COLUMNS],
    texts: HashMap<&'a str, usize>,
}

impl<'a> Packing<'a> {
    fn text(&mut self, text: &'a str) -> usize {
        let next = self.texts.len();
        *self.texts.entry(text).or_insert_with(|| {
            put(&mut self.columns[TEXTS], text.len());
            self.columns[TEXTS].extend(text.as_bytes());
            next
        })
    }

    fn words(&mut self, column: usize, words: &'a Words) {
        for text in [&words.en, &words.ja] {
            let number = self.text(text);
            put(&mut self.columns[column], number);
        }
    }

    fn pattern(&mut self, pattern: &'a Pattern) {
        for text in [&pattern.name, &pattern.source] {
            let number = self.text(text);
            put(&mut self.columns[HEADS], number);
        }
        self.words(HEADS, &pattern.words);
        put(&mut self.columns[HEADS], pattern.seen as usize);
        let Diagram { edges, width, height, black, white, empty } = pattern.diagram;
        self.columns[FRAMES].extend([edges.bits(), width as u8, height as u8]);
        for square in squares(width, height) {
            let bit = |board: u64| u8::from(board & square.bit() != 0);
            let sign = bit(black) | bit(white) << 1 | bit(empty) << 2;
            self.columns[SIGNS].push(sign);
        }
        put(&mut self.columns[ATTRIBUTES], pattern.attributes.len());
        for &Attribute { at, claim } in &pattern.attributes {
            let (what, count) = match claim {
                Claim::Liberties(n) => (0, n),
                Claim::AtLeast(n) => (1, n),
                Claim::AtMost(n) => (2, n),
                Claim::Alive => (3, 0),
                Claim::Dead => (4, 0),
            };
            self.columns[ATTRIBUTES].extend([at.index() as u8, what, count]);
        }
        self.branches(&pattern.moves);
    }

    fn branches(&mut self, branches: &'a [Branch]) {
        put(&mut self.columns[BRANCHES], branches.len());
        for branch in branches {
            let kind = Kind::ALL.iter().position(|&kind| kind == branch.kind).unwrap_or(0);
            let head = kind << 1 | usize::from(branch.color == Color::White);
            self.columns[BRANCHES].extend([head as u8, branch.at.index() as u8]);
            put(&mut self.columns[BRANCHES], branch.played as usize);
            put(&mut self.columns[BRANCHES], branch.won as usize);
            self.words(BRANCHES, &branch.words);
            self.branches(&branch.replies);
        }
    }
}

fn squares(width: usize, height: usize) -> impl Iterator<Item = Square> {
    (0..height).flat_map(move |row| (0..width).map(move |column| Square::new(column, row)))
}

/// Unpacks a library.
///
/// # Errors
/// If the bytes are none, or damaged.
pub fn unpack(bytes: &[u8]) -> Result<Library, PackError> {
    let wrong = |problem: &str| PackError(problem.to_string());
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| wrong("they begin otherwise"))?;
    let (sum, deflated) = rest.split_first_chunk::<8>().ok_or_else(|| wrong("they are too few"))?;
    if u64::from_le_bytes(*sum) != checksum(deflated) {
        return Err(wrong("the checksum is another: the bytes are damaged"));
    }
    let mut plain = Vec::new();
    let read = DeflateDecoder::new(deflated).take(MOST).read_to_end(&mut plain);
    read.map_err(|error| PackError(format!("the bytes are damaged ({error})")))?;
    unpack_plain(&plain)
}

fn unpack_plain(plain: &[u8]) -> Result<Library, PackError> {
    let mut whole = Column(plain);
    let count = whole.number()?;
    let mut columns = [Column(&[]); COLUMNS];
    for column in &mut columns {
        let length = whole.number()?;
        *column = Column(whole.take(length)?);
    }
    let mut unpacking = Unpacking { columns, texts: Vec::new() };
    let mut library = Library::default();
    unpacking.read_texts()?;
    for _ in 0..count {
        let pattern = unpacking.pattern()?;
        let name = pattern.name.clone();
        library.add(pattern).map_err(|error| PackError(format!("pattern {name}: {error}")))?;
    }
    Ok(library)
}

/// What is left of a column.
#[derive(Clone, Copy)]
struct Column<'a>(&'a [u8]);

impl<'a> Column<'a> {
    fn byte(&mut self) -> Result<u8, PackError> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], PackError> {
        let short = || PackError("a column ends early".to_string());
        let (head, rest) = self.0.split_at_checked(length).ok_or_else(short)?;
        self.0 = rest;
        Ok(head)
    }

    fn number(&mut self) -> Result<usize, PackError> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(PackError("a number is too long".to_string()))
    }

    fn count(&mut self) -> Result<u32, PackError> {
        u32::try_from(self.number()?).map_err(|_| PackError("a number is too large".to_string()))
    }
}

struct Unpacking<'a> {
    columns: [Column<'a>; COLUMNS],
    texts: Vec<&'a str>,
}

impl Unpacking<'_> {
    fn read_texts(&mut self) -> Result<(), PackError> {
        while !self.columns[TEXTS].0.is_empty() {
            let length = self.columns[TEXTS].number()?;
            let text = std::str::from_utf8(self.columns[TEXTS].take(length)?);
            self.texts.push(text.map_err(|_| PackError("a text is no UTF-8".to_string()))?);
        }
        Ok(())
    }

    fn text(&mut self, column: usize) -> Result<String, PackError> {
        let number = self.columns[column].number()?;
        let text = self.texts.get(number).ok_or_else(|| PackError(format!("there is no text {number}")))?;
        Ok((*text).to_string())
    }

    fn words(&mut self, column: usize) -> Result<Words, PackError> {
        Ok(Words { en: self.text(column)?, ja: self.text(column)? })
    }

    fn pattern(&mut self) -> Result<Pattern, PackError> {
        let (name, source) = (self.text(HEADS)?, self.text(HEADS)?);
        let words = self.words(HEADS)?;
        let seen = self.columns[HEADS].count()?;
        Ok(Pattern {
            name,
            source,
            seen,
            words,
            diagram: self.diagram()?,
            attributes: self.attributes()?,
            moves: self.branches(0)?,
        })
    }

    fn diagram(&mut self) -> Result<Diagram, PackError> {
        let frames = &mut self.columns[FRAMES];
        let edges = Edges::from_bits(frames.byte()?);
        let (width, height) = (usize::from(frames.byte()?), usize::from(frames.byte()?));
        let mut diagram = Diagram { edges, width, height, black: 0, white: 0, empty: 0 };
        if width > 8 || height > 8 {
            return Err(PackError(format!("a frame of {width}x{height} points")));
        }
        for square in squares(width, height) {
            let sign = self.columns[SIGNS].byte()?;
            let boards = [&mut diagram.black, &mut diagram.white, &mut diagram.empty];
            for (n, board) in boards.into_iter().enumerate() {
                *board |= if sign >> n & 1 != 0 { square.bit() } else { 0 };
            }
        }
        Ok(diagram)
    }

    fn attributes(&mut self) -> Result<Vec<Attribute>, PackError> {
        let column = &mut self.columns[ATTRIBUTES];
        let count = column.number()?;
        let mut attributes = Vec::new();
        for _ in 0..count {
            let (at, what, n) = (Square::from_index(column.byte()?.into()), column.byte()?, column.byte()?);
            let claim = match what {
                0 => Claim::Liberties(n),
                1 => Claim::AtLeast(n),
                2 => Claim::AtMost(n),
                3 => Claim::Alive,
                4 => Claim::Dead,
                _ => return Err(PackError(format!("there is no claim {what}"))),
            };
            attributes.push(Attribute { at, claim });
        }
        Ok(attributes)
    }

    fn branches(&mut self, depth: usize) -> Result<Vec<Branch>, PackError> {
        let count = self.columns[BRANCHES].number()?;
        if depth >= DEEPEST && count > 0 {
            return Err(PackError(format!("more than {DEEPEST} moves in a line")));
        }
        let mut branches = Vec::new();
        for _ in 0..count {
            let column = &mut self.columns[BRANCHES];
            let (head, at) = (column.byte()?, column.byte()?);
            let kind = Kind::ALL.get(usize::from(head >> 1));
            let kind = *kind.ok_or_else(|| PackError(format!("there is no kind {}", head >> 1)))?;
            let color = if head & 1 == 0 { Color::Black } else { Color::White };
            let (played, won) = (column.count()?, column.count()?);
            let words = self.words(BRANCHES)?;
            let replies = self.branches(depth + 1)?;
            branches.push(Branch {
                color,
                at: Square::from_index(at.into()),
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
