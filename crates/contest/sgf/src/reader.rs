//! The lenient reader: bytes to a collection, with a warning for everything that is not as FF[4] has it.
//!
//! One pass without recursion, linear in time and memory (a game whose CA is wrong is read twice, which happens
//! at most once for each encoding). Only input without any game is an error.
//!
//! Source: the grammar of SGF FF[4] (red-bean.com/sgf/sgf4.html) and what programs really write: docs/formats.md.

use std::borrow::Cow;
use std::collections::BTreeMap;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use ishi_words::format_count;

use crate::cursor::ByteCursor;
use crate::encoding;
use crate::foreign::{self, NotSgf};
use crate::text::mend_escapes;
use crate::tree::{Collection, GameTree, Ident, NodeId, Property, PropertyValue};
use crate::warning::{FileLocation, WarningKind, Warnings};

/// What was read.
#[derive(Clone, Debug)]
pub struct SgfReading {
    /// The games, at least one.
    pub collection: Collection,
    /// The encoding each game was read in, by its name in the WHATWG standard.
    pub encodings: Vec<&'static str>,
    /// What was not as it should be, in the order of the file.
    pub warnings: Warnings,
}

/// Reads SGF of any version and in any encoding.
///
/// # Errors
/// If there is no game in it: [`NotSgf`] names the format if it is a known one.
///
/// ```
/// let reading = ishi_sgf::read_collection(b"(;GM[1]SZ[9];B[ee];W[dd]").unwrap();
/// assert_eq!(reading.collection.games[0].main_line().count(), 3);
/// assert_eq!(
///     reading.warnings.iter().next().unwrap().to_string(),
///     "line 1, column 25 (byte 24): missing-close-paren: found end of file: 1 game tree closed"
/// );
/// ```
pub fn read_collection(bytes: &[u8]) -> Result<SgfReading, NotSgf> {
    if bytes.len() > u32::MAX as usize {
        return Err(NotSgf::TooLarge);
    }
    if let Some(error) = foreign::format_by_first_bytes(bytes) {
        return Err(error);
    }
    let (unicode, mark) = encoding::encoding_by_first_bytes(bytes).unzip();
    let mark = mark.unwrap_or(0);
    let utf16 = unicode.filter(|&e| e == UTF_16LE || e == UTF_16BE);
    let text = match utf16 {
        Some(encoding) => {
            Cow::Owned(encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned().into_bytes())
        }
        None => Cow::Borrowed(&bytes[mark..]),
    };
    foreign::check_is_text(&text)?;
    let mut reader = SgfReader::new(&text, mark, bytes.len(), unicode);
    reader.read_file();
    if reader.games.is_empty() {
        return Err(foreign::format_by_content(&text));
    }
    Ok(reader.finish())
}

/// How the encoding of a game was found.
#[derive(Clone, Copy)]
struct EncodingChoice<'a> {
    encoding: &'static Encoding,
    /// The CA value that names it, unless the first bytes of the file decide.
    label: Option<(&'a [u8], FileLocation)>,
}

/// What decoding a game showed.
#[derive(Clone, Copy, Default)]
struct DecodeCounts {
    /// Values with other bytes than ASCII.
    beyond_ascii: usize,
    /// Those among them that the encoding does not have.
    malformed: usize,
}

/// The state inside a game.
struct PartialGame {
    trees: Vec<GameTree>,
    /// The node that a `;` would follow; none before the first node of a game.
    current: Option<NodeId>,
    /// `current` at every `(` that is open.
    open: Vec<Option<NodeId>>,
    /// The node added last.
    last: NodeId,
    /// Do properties belong to `current`?
    in_node: bool,
    /// Was there no node yet since the last `(`?
    fresh: bool,
    long_names_told: bool,
    decoded: DecodeCounts,
}

impl PartialGame {
    fn new() -> PartialGame {
        PartialGame {
            trees: Vec::new(),
            current: None,
            open: vec![None],
            last: NodeId::ROOT,
            in_node: false,
            fresh: true,
            long_names_told: false,
            decoded: DecodeCounts::default(),
        }
    }

    /// A game taken up again after its end.
    fn resume_from(tree: GameTree, last: NodeId) -> PartialGame {
        PartialGame { trees: vec![tree], current: Some(last), last, fresh: false, ..PartialGame::new() }
    }

    fn add_node(&mut self) {
        let id = match (self.current, self.trees.last_mut()) {
            (Some(parent), Some(tree)) => tree.add_child(parent),
            _ => {
                self.trees.push(GameTree::new());
                NodeId::ROOT
            }
        };
        (self.current, self.last, self.in_node, self.fresh) = (Some(id), id, true, false);
    }

    fn open_tree(&mut self) {
        self.open.push(self.current);
        (self.in_node, self.fresh) = (false, true);
    }

    /// Closes a tree; says whether the game is at its end.
    fn close_tree(&mut self) -> bool {
        self.current = self.open.pop().flatten();
        (self.in_node, self.fresh) = (false, false);
        self.open.is_empty()
    }

    fn node_properties(&mut self) -> Option<&mut Vec<Property>> {
        let id = self.current?;
        self.trees.last_mut().map(|tree| &mut tree.node_mut(id).properties)
    }
}

/// Where the next game begins.
enum NextGame {
    /// `(;`, or `(` and a property.
    Paren,
    /// `;` without a parenthesis, before any game.
    Bare,
    /// `;` after the end of a game.
    Resumed,
    /// Nowhere.
    End,
}

struct SgfReader<'a> {
    bytes: &'a [u8],
    cursor: ByteCursor<'a>,
    warnings: Warnings,
    games: Vec<GameTree>,
    encodings: Vec<&'static Encoding>,
    /// Encoding by the first bytes of the file.
    unicode: Option<&'static Encoding>,
    /// The guess for games without a usable CA, made once.
    guess: Option<&'static Encoding>,
    /// Encodings that CA names wrongly in this file, and the right ones.
    corrections: BTreeMap<&'static str, &'static Encoding>,
    /// The last node of the last game.
    last: NodeId,
}

impl<'a> SgfReader<'a> {
    fn new(bytes: &'a [u8], mark: usize, length: usize, unicode: Option<&'static Encoding>) -> SgfReader<'a> {
        let utf16 = unicode.is_some_and(|e| e != UTF_8);
        SgfReader {
            bytes,
            cursor: ByteCursor::new(bytes, mark, length, utf16),
            warnings: Warnings::new(),
            games: Vec::new(),
            encodings: Vec::new(),
            unicode,
            guess: None,
            corrections: BTreeMap::new(),
            last: NodeId::ROOT,
        }
    }

    fn finish(mut self) -> SgfReading {
        self.warnings.sort();
        SgfReading {
            collection: Collection { games: self.games },
            encodings: self.encodings.iter().map(|encoding| encoding.name()).collect(),
            warnings: self.warnings,
        }
    }

    fn add_warning(
        &mut self,
        place: FileLocation,
        kind: WarningKind,
        found: impl Into<String>,
        done: impl Into<String>,
    ) {
        self.warnings.add_warning(place, kind, found, done);
    }

    // --- between games ---

    fn read_file(&mut self) {
        loop {
            match self.skip_to_game() {
                NextGame::End => return,
                NextGame::Paren => self.read_game(true),
                NextGame::Bare => {
                    let place = self.cursor.place();
                    self.add_warning(
                        place,
                        WarningKind::MissingOpenParen,
                        "`;`",
                        "read as the start of a game",
                    );
                    self.read_game(false);
                }
                NextGame::Resumed => self.resume_game(),
            }
        }
    }

    fn skip_to_game(&mut self) -> NextGame {
        // Where the text begins that is left out.
        let mut outside: Option<(FileLocation, usize)> = None;
        let start = loop {
            self.cursor.skip_whitespace();
            let here = (self.cursor.place(), self.cursor.byte_index());
            let rest = self.cursor.remaining_bytes();
            match self.cursor.peek_byte() {
                None => break NextGame::End,
                Some(b'(') => {
                    let parens = opening_length(rest);
                    if begins_game(&rest[parens..]) {
                        break NextGame::Paren;
                    }
                    outside.get_or_insert(here);
                    (0..parens).for_each(|_| self.cursor.advance_byte());
                }
                Some(b')') if !self.games.is_empty() => {
                    self.add_warning(here.0, WarningKind::ExtraCloseParen, "`)`", "left out");
                    self.cursor.advance_byte();
                }
                Some(b';') if begins_property(trim_leading_whitespace(&rest[1..])) => {
                    break if self.games.is_empty() { NextGame::Bare } else { NextGame::Resumed };
                }
                Some(_) => {
                    outside.get_or_insert(here);
                    self.cursor.advance_byte();
                }
            }
        };
        if let Some((place, at)) = outside {
            self.warn_outside(place, self.cursor.bytes_since(at));
        }
        start
    }

    fn warn_outside(&mut self, place: FileLocation, skipped: &[u8]) {
        let text = String::from_utf8_lossy(skipped);
        let text = text.trim_end();
        // A NUL or Ctrl-Z after the game is how CP/M and its heirs ended files.
        if !text.trim_matches(['\0', '\x1a']).is_empty() {
            let done = format!("{} bytes outside of games left out", skipped.len());
            self.add_warning(place, WarningKind::TextOutsideGame, quote_start(text), done);
        }
    }

    // --- one game ---

    fn read_game(&mut self, paren: bool) {
        let choice = self.choose_encoding();
        let start = self.cursor;
        let told = self.warnings.mark_end();
        let growing = self.read_partial_game(choice.encoding, paren);
        let Some(better) =
            self.better_encoding(&choice, growing.decoded, self.cursor.bytes_since(start.byte_index()))
        else {
            return self.keep_game(growing, choice);
        };
        self.cursor = start;
        self.warnings.truncate_to(told);
        self.corrections.insert(choice.encoding.name(), better);
        self.warn_correction(&choice, better);
        let growing = self.read_partial_game(better, paren);
        self.keep_game(growing, EncodingChoice { encoding: better, ..choice });
    }

    fn keep_game(&mut self, growing: PartialGame, choice: EncodingChoice<'_>) {
        let guessed = choice.label.is_none() && self.unicode.is_none() && choice.encoding != UTF_8;
        if guessed && growing.decoded.beyond_ascii > 0 {
            let place = growing.trees.first().map_or(FileLocation::NONE, first_place);
            let done = format!("read as {}", choice.encoding.name());
            self.add_warning(place, WarningKind::GuessedEncoding, "text that is not UTF-8, and no CA", done);
        }
        self.last = growing.last;
        self.encodings.extend(growing.trees.iter().map(|_| choice.encoding));
        self.games.extend(growing.trees);
    }

    fn resume_game(&mut self) {
        let (Some(tree), Some(&encoding)) = (self.games.pop(), self.encodings.last()) else { return };
        let place = self.cursor.place();
        self.add_warning(
            place,
            WarningKind::NodeAfterEnd,
            "`;` after the end of the game",
            "the game goes on",
        );
        self.cursor.set_encoding(encoding);
        let mut growing = PartialGame::resume_from(tree, self.last);
        self.read_tree(&mut growing, encoding, false);
        self.last = growing.last;
        self.encodings.extend(growing.trees.iter().skip(1).map(|_| encoding));
        self.games.extend(growing.trees);
    }

    /// Reads a game from its `(`, or from its `;` if there is no parenthesis.
    fn read_partial_game(&mut self, encoding: &'static Encoding, paren: bool) -> PartialGame {
        self.cursor.set_encoding(encoding);
        if paren {
            self.cursor.advance_byte();
        }
        let mut growing = PartialGame::new();
        self.read_tree(&mut growing, encoding, paren);
        growing
    }

    fn read_tree(&mut self, growing: &mut PartialGame, encoding: &'static Encoding, paren: bool) {
        loop {
            self.cursor.skip_whitespace();
            let place = self.cursor.place();
            match self.cursor.peek_byte() {
                None => return self.warn_end_of_file(growing, paren),
                Some(b'(') => {
                    self.cursor.advance_byte();
                    if growing.fresh && growing.current.is_some() {
                        self.add_warning(
                            place,
                            WarningKind::EmptyVariation,
                            "`((`",
                            "read as one parenthesis",
                        );
                    }
                    growing.open_tree();
                }
                Some(b')') => {
                    self.cursor.advance_byte();
                    if growing.fresh {
                        self.add_warning(place, WarningKind::EmptyVariation, "`()`", "left out");
                    }
                    if growing.close_tree() {
                        return;
                    }
                }
                Some(b';') => {
                    self.cursor.advance_byte();
                    growing.add_node();
                }
                Some(b'[') => self.read_stray_values(growing, encoding),
                Some(_) if begins_property(self.cursor.remaining_bytes()) => {
                    self.read_property(growing, encoding)
                }
                Some(_) => self.skip_junk(),
            }
        }
    }

    fn warn_end_of_file(&mut self, growing: &PartialGame, paren: bool) {
        // A game that began without a parenthesis may end without.
        let open = growing.open.len() - usize::from(!paren);
        if open > 0 {
            let done = format!("{} closed", format_count(open, "game tree"));
            self.add_warning(self.cursor.place(), WarningKind::MissingCloseParen, "end of file", done);
        }
    }

    fn skip_junk(&mut self) {
        let (place, at) = (self.cursor.place(), self.cursor.byte_index());
        while let Some(byte) = self.cursor.peek_byte() {
            if matches!(byte, b'(' | b')' | b';' | b'[') {
                break;
            }
            // A name is tried where a word begins, so that long junk is looked at once.
            let word = self.cursor.byte_index() == at
                || !self.bytes[self.cursor.byte_index() - 1].is_ascii_alphanumeric();
            if word && begins_property(self.cursor.remaining_bytes()) {
                break;
            }
            self.cursor.advance_byte();
        }
        let found = String::from_utf8_lossy(self.cursor.bytes_since(at)).into_owned();
        self.add_warning(place, WarningKind::JunkInGame, quote_start(found.trim_end()), "left out");
    }

    // --- one property ---

    fn read_property(&mut self, growing: &mut PartialGame, encoding: &'static Encoding) {
        let (place, at) = (self.cursor.place(), self.cursor.byte_index());
        while self.cursor.peek_byte().is_some_and(|b| b.is_ascii_alphanumeric()) {
            self.cursor.advance_byte();
        }
        let written = String::from_utf8_lossy(self.cursor.bytes_since(at)).into_owned();
        let ident = Ident::from_old_spelling(&written);
        if !growing.in_node {
            self.accept_property_without_node(growing, place, &written);
        }
        if *ident.as_str() != *written && !growing.long_names_told {
            growing.long_names_told = true;
            self.add_warning(
                place,
                WarningKind::LongPropertyName,
                written,
                format!("read as {ident}, like all such names"),
            );
        }
        let values = self.read_values(growing, encoding);
        let Some(properties) = growing.node_properties() else { return };
        let again = properties.iter().any(|p| *p.ident() == ident);
        properties.push(Property::from_parts(ident.clone(), values, place));
        if again && !is_list(ident.as_str()) {
            let found = format!("{ident} a second time in the node");
            // Moves are all played: `GoGame` says so.
            let is_move = matches!(ident.as_str(), "B" | "W");
            let done = if is_move { "both kept" } else { "both kept, the first counts" };
            self.add_warning(place, WarningKind::DuplicateProperty, found, done);
        }
    }

    fn accept_property_without_node(
        &mut self,
        growing: &mut PartialGame,
        place: FileLocation,
        written: &str,
    ) {
        let found = format!("{written} without `;` before it");
        if growing.fresh || growing.current.is_none() {
            growing.add_node();
            self.add_warning(place, WarningKind::MissingSemicolon, found, "read as if it were there");
        } else {
            growing.in_node = true;
            self.add_warning(
                place,
                WarningKind::MissingSemicolon,
                found,
                "added to the node before the variations",
            );
        }
    }

    /// Values after something that is no property: they go to the property before, if the node has one.
    fn read_stray_values(&mut self, growing: &mut PartialGame, encoding: &'static Encoding) {
        let place = self.cursor.place();
        let values = self.read_values(growing, encoding);
        let found = format!("[{}]", values.first().map_or("", PropertyValue::raw_text));
        let in_node = growing.in_node;
        let done = match growing.node_properties().filter(|_| in_node).and_then(|list| list.pop()) {
            Some(before) => {
                let ident = before.ident().clone();
                let joined = before.values().iter().cloned().chain(values).collect();
                let joined = Property::from_parts(ident.clone(), joined, before.place());
                growing.node_properties().expect("the property came from there").push(joined);
                format!("added to {ident}")
            }
            None => "left out".to_string(),
        };
        self.add_warning(place, WarningKind::ValueWithoutProperty, found, done);
    }

    fn read_values(&mut self, growing: &mut PartialGame, encoding: &'static Encoding) -> Vec<PropertyValue> {
        let mut values = Vec::new();
        loop {
            self.cursor.skip_whitespace();
            if self.cursor.peek_byte() != Some(b'[') {
                return values;
            }
            values.push(self.read_value(growing, encoding));
        }
    }

    fn read_value(&mut self, growing: &mut PartialGame, encoding: &'static Encoding) -> PropertyValue {
        let place = self.cursor.place();
        self.cursor.advance_byte();
        let at = self.cursor.byte_index();
        let closed = self.skip_value();
        let raw = self.cursor.bytes_since(at);
        if !closed {
            self.add_warning(
                place,
                WarningKind::UnclosedValue,
                "`[` without `]`",
                "read to the end of the file",
            );
        }
        if raw.contains(&0) {
            self.add_warning(place, WarningKind::NulByte, "NUL bytes in the value", "kept");
        }
        let text = self.decode_value(raw, place, &mut growing.decoded, encoding);
        if closed {
            self.cursor.advance_byte();
        }
        PropertyValue::from_escaped(text, place)
    }

    /// Goes to the `]` that ends the value; says whether there is one.
    fn skip_value(&mut self) -> bool {
        while let Some(byte) = self.cursor.peek_byte() {
            let length = self.cursor.character_length();
            if length == 1 && byte == b']' {
                return true;
            }
            self.cursor.advance_character(length);
            if length == 1 && byte == b'\\' {
                let length = self.cursor.character_length();
                self.cursor.advance_character(length);
            }
        }
        false
    }

    fn decode_value(
        &mut self,
        raw: &[u8],
        place: FileLocation,
        decoded: &mut DecodeCounts,
        encoding: &'static Encoding,
    ) -> String {
        let (text, malformed) = encoding.decode_without_bom_handling(raw);
        decoded.beyond_ascii += usize::from(!raw.is_ascii());
        if malformed {
            decoded.malformed += 1;
            let found = format!("bytes that {} does not have in {}", encoding.name(), quote_start(&text));
            self.add_warning(place, WarningKind::MalformedText, found, "replaced by U+FFFD");
        }
        mend_escapes(text.into_owned())
    }

    // --- encodings ---

    fn choose_encoding(&mut self) -> EncodingChoice<'a> {
        if self.unicode.is_some() {
            return EncodingChoice { encoding: UTF_8, label: None };
        }
        let Some((label, at)) = declared_encoding(self.cursor.remaining_bytes()) else {
            return EncodingChoice { encoding: self.guessed_encoding(), label: None };
        };
        let place = self.place_after(at);
        let text = String::from_utf8_lossy(label);
        let Some(encoding) = encoding::encoding_by_label(&text) else {
            let guess = self.guessed_encoding();
            let done = format!("read as {}", guess.name());
            self.add_warning(place, WarningKind::UnknownEncoding, format!("CA[{text}]"), done);
            return EncodingChoice { encoding: guess, label: Some((label, place)) };
        };
        let choice = EncodingChoice { encoding, label: Some((label, place)) };
        let Some(&better) = self.corrections.get(encoding.name()) else { return choice };
        self.warn_correction(&choice, better);
        EncodingChoice { encoding: better, ..choice }
    }

    /// The place `ahead` bytes on.
    fn place_after(&self, ahead: usize) -> FileLocation {
        let mut cursor = self.cursor;
        (0..ahead).for_each(|_| cursor.advance_byte());
        cursor.place()
    }

    fn guessed_encoding(&mut self) -> &'static Encoding {
        self.guess.get_or_insert_with(|| encoding::guess_encoding(self.bytes))
    }

    fn warn_correction(&mut self, choice: &EncodingChoice<'_>, better: &'static Encoding) {
        if let Some((label, place)) = choice.label {
            let found = format!("CA[{}]", String::from_utf8_lossy(label));
            let done = format!("the text is not in it, read as {}", better.name());
            self.add_warning(place, WarningKind::WrongEncoding, found, done);
        }
    }

    /// Another encoding than the one that CA names, if the game shows that CA is wrong.
    fn better_encoding(
        &self,
        choice: &EncodingChoice<'_>,
        decoded: DecodeCounts,
        game: &[u8],
    ) -> Option<&'static Encoding> {
        choice.label?;
        if decoded.beyond_ascii == 0 || self.corrections.contains_key(choice.encoding.name()) {
            return None;
        }
        // Every byte is a character of Latin-1, so only success as UTF-8 can prove it wrong.
        if choice.encoding == WINDOWS_1252 {
            return std::str::from_utf8(game).is_ok().then_some(UTF_8);
        }
        let wrong = 2 * decoded.malformed > decoded.beyond_ascii
            && !(choice.encoding == UTF_8 && encoding::is_mostly_utf8(game));
        let other = || Some(encoding::guess_encoding(game)).filter(|&e| e != choice.encoding);
        let fits = |e: &&'static Encoding| encoding::decodes_cleanly(e, game) || *e == UTF_8;
        if wrong { other().filter(fits) } else { None }
    }
}

/// The place of the first property.
fn first_place(tree: &GameTree) -> FileLocation {
    tree.root().properties.first().map_or(FileLocation::NONE, Property::place)
}

/// Properties that old programs write as `AB[aa]AB[bb]` instead of `AB[aa][bb]`: nothing is lost.
fn is_list(ident: &str) -> bool {
    const LISTS: [&str; 17] =
        ["AB", "AW", "AE", "TR", "SQ", "CR", "MA", "SL", "LB", "TB", "TW", "DD", "VW", "AR", "LN", "L", "M"];
    LISTS.contains(&ident)
}

/// Length of a run of `(` and white space.
fn opening_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&b| b == b'(' || b.is_ascii_whitespace()).count()
}

fn begins_game(after_parens: &[u8]) -> bool {
    after_parens.first() == Some(&b';') || begins_property(after_parens)
}

fn trim_leading_whitespace(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii_start()
}

/// Is this a name and a bracket? Names are short, white space between the two too, so that the answer is quick.
fn begins_property(bytes: &[u8]) -> bool {
    const LONGEST: usize = 100;
    let window = &bytes[..bytes.len().min(LONGEST)];
    let letters = window.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let bracket = window[letters..].trim_ascii_start().first();
    window.first().is_some_and(u8::is_ascii_alphabetic) && bracket == Some(&b'[')
}

/// The CA value of the game that begins here, and how far ahead it stands. Looked for without knowing the
/// encoding: `CA[...]` inside a text would have its `]` escaped.
fn declared_encoding(game: &[u8]) -> Option<(&[u8], usize)> {
    const FAR: usize = 8 * 1024;
    const LONGEST_LABEL: usize = 40;
    let window = &game[..game.len().min(FAR)];
    let mut in_root = false;
    for at in 0..window.len().saturating_sub(3) {
        let here = &window[at..];
        // The first variation ends the root, the next game ends this one.
        if in_root && here.starts_with(b"(;") {
            return None;
        }
        in_root |= here[0] == b';';
        if here.starts_with(b"CA[") && (at == 0 || !window[at - 1].is_ascii_alphabetic()) {
            let label = &here[3..here.len().min(3 + LONGEST_LABEL)];
            let end = label.iter().position(|&b| b == b']')?;
            let plain = label[..end].iter().all(|&b| b.is_ascii_graphic() || b == b' ');
            if plain && !label[..end].ends_with(b"\\") {
                return Some((&label[..end], at));
            }
        }
    }
    None
}

fn quote_start(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    let more = if text.chars().nth(40).is_some() { "…" } else { "" };
    format!("{short:?}{more}")
}
