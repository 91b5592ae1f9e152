//! What a lenient reader says: which place, what stood there, what was done about it.

use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};
#[cfg(feature = "serde")]
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// A place in the file that was read. Ordered by offset.
///
/// Lines and columns count from 1, columns in characters; the offset counts bytes of the file from 0. Something
/// made by a program has no place: [`FileLocation::NONE`], whose line is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileLocation {
    /// Bytes before this place.
    pub offset: u32,
    /// Line, from 1; 0 means nowhere.
    pub line: u32,
    /// Character in the line, from 1.
    pub column: u32,
}

impl FileLocation {
    /// The place of what no file holds.
    pub const NONE: FileLocation = FileLocation { offset: 0, line: 0, column: 0 };
}

/// `line 3, column 5 (byte 42)`.
impl fmt::Display for FileLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == FileLocation::NONE {
            return f.write_str("not from a file");
        }
        write!(f, "line {}, column {} (byte {})", self.line, self.column, self.offset)
    }
}

impl CodedError for FileLocation {
    fn facts(&self) -> ErrorFacts {
        if *self == FileLocation::NONE {
            return facts!["sgf-no-place"];
        }
        facts!["sgf-place", line = self.line, column = self.column, offset = self.offset]
    }
}

macro_rules! warning_kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The kinds of warnings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum WarningKind { $($(#[$doc])* $name,)* }

        impl WarningKind {
            /// Every kind, in the order of the declaration.
            pub const ALL: &[WarningKind] = &[$(WarningKind::$name,)*];

            /// The name that `ishi sgf check` prints: words joined by hyphens.
            pub const fn name(self) -> &'static str {
                match self { $(WarningKind::$name => $text,)* }
            }
        }
    };
}

warning_kinds! {
    /// Text before, between or after the games.
    TextOutsideGame = "text-outside-game",
    /// Something between properties that is none.
    JunkInGame = "junk-in-game",
    /// A game that begins with `;` instead of `(;`.
    MissingOpenParen = "missing-open-paren",
    /// The file ends inside a game tree.
    MissingCloseParen = "missing-close-paren",
    /// A `)` that closes nothing.
    ExtraCloseParen = "extra-close-paren",
    /// A node after the end of its game.
    NodeAfterEnd = "node-after-end",
    /// A property before the first `;` of a tree.
    MissingSemicolon = "missing-semicolon",
    /// `()` or `(` without a node.
    EmptyVariation = "empty-variation",
    /// A `[value]` that belongs to no property.
    ValueWithoutProperty = "value-without-property",
    /// The file ends inside a value.
    UnclosedValue = "unclosed-value",
    /// NUL bytes in a value.
    NulByte = "nul-byte",
    /// A name with lower case letters, as `FF[1]` to `FF[3]` had them; told once a game.
    LongPropertyName = "long-property-name",
    /// The same property twice in a node.
    DuplicateProperty = "duplicate-property",
    /// CA names no encoding that is known.
    UnknownEncoding = "unknown-encoding",
    /// The text is not in the encoding that CA names.
    WrongEncoding = "wrong-encoding",
    /// No CA, and not UTF-8: the encoding was guessed.
    GuessedEncoding = "guessed-encoding",
    /// Bytes that the encoding does not have.
    MalformedText = "malformed-text",
    /// GM says that the game is not Go.
    OtherGame = "other-game",
    /// SZ is no board size.
    BadSize = "bad-size",
    /// KM is no usable komi.
    BadKomi = "bad-komi",
    /// KM counts hundredths or quarter stones, as Fox writes it.
    KomiInHundredths = "komi-in-hundredths",
    /// HA is no handicap.
    BadHandicap = "bad-handicap",
    /// HA without set-up stones, or with another number of them.
    HandicapStones = "handicap-stones",
    /// TM is no number of seconds.
    BadTime = "bad-time",
    /// RE is no result that is known.
    UnknownResult = "unknown-result",
    /// No point of the board.
    BadPoint = "bad-point",
    /// A move written as `D4` or `Pass`.
    VertexText = "vertex-text",
    /// A rectangle with its corners the wrong way round.
    ReversedRectangle = "reversed-rectangle",
    /// Two moves in a node.
    TwoMoves = "two-moves",
    /// Set-up and move in the same node.
    SetupWithMove = "setup-with-move",
    /// AB, AW and AE of a node name the same point.
    PointTwice = "point-twice",
    /// PL is neither B nor W.
    BadPlayer = "bad-player",
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One warning: where, what was found, what was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where it stands.
    pub place: FileLocation,
    /// What kind.
    pub kind: WarningKind,
    /// What was found, quoted and shortened.
    pub found: String,
    /// What was done about it.
    pub done: String,
}

/// `line 1, column 9 (byte 8): bad-size: found SZ[0]: read as 19x19`.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: found {}: {}", self.place, self.kind, self.found, self.done)
    }
}

impl CodedError for Warning {
    fn facts(&self) -> ErrorFacts {
        let Warning { place, kind, found, done } = self;
        facts!["sgf-warning", place = place.facts(), kind, found, done]
    }
}

/// The place by line, column and byte, then the rest.
#[cfg(feature = "serde")]
impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Warning", 6)?;
        fields.serialize_field("line", &self.place.line)?;
        fields.serialize_field("column", &self.place.column)?;
        fields.serialize_field("byte", &self.place.offset)?;
        fields.serialize_field("kind", self.kind.name())?;
        fields.serialize_field("found", &self.found)?;
        fields.serialize_field("done", &self.done)?;
        fields.end()
    }
}

/// Warnings in the order of their places; at most [`Warnings::LIMIT`] are kept, the others are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    kept: Vec<Warning>,
    omitted: usize,
}

impl Warnings {
    /// How many warnings are kept: a hostile file must not fill the memory.
    pub const LIMIT: usize = 1000;

    /// No warnings.
    pub fn new() -> Warnings {
        Warnings::default()
    }

    /// Adds a warning, or counts it if there are too many.
    pub fn push(&mut self, warning: Warning) {
        if self.kept.len() < Self::LIMIT { self.kept.push(warning) } else { self.omitted += 1 }
    }

    pub(crate) fn add_warning(
        &mut self,
        place: FileLocation,
        kind: WarningKind,
        found: impl Into<String>,
        done: impl Into<String>,
    ) {
        if self.kept.len() < Self::LIMIT {
            self.kept.push(Warning { place, kind, found: shorten_text(&found.into()), done: done.into() });
        } else {
            self.omitted += 1;
        }
    }

    /// Adds all of `other`.
    pub fn append(&mut self, other: Warnings) {
        self.omitted += other.omitted;
        for warning in other.kept {
            self.push(warning);
        }
    }

    /// How many there are, to go back to.
    pub(crate) fn mark_end(&self) -> (usize, usize) {
        (self.kept.len(), self.omitted)
    }

    /// Forgets what was added since the mark.
    pub(crate) fn truncate_to(&mut self, (kept, omitted): (usize, usize)) {
        self.kept.truncate(kept);
        self.omitted = omitted;
    }

    /// Drops the warnings of this kind.
    pub(crate) fn forget_kind(&mut self, kind: WarningKind) {
        self.kept.retain(|warning| warning.kind != kind);
    }

    /// Sorts by place: after appending the warnings of several readings.
    pub fn sort(&mut self) {
        self.kept.sort_by_key(|warning| warning.place);
    }

    /// The warnings that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Warning> {
        self.kept.iter()
    }

    /// How many were only counted.
    pub fn omitted_count(&self) -> usize {
        self.omitted
    }

    /// How many there are, with those only counted.
    pub fn len(&self) -> usize {
        self.kept.len() + self.omitted
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of this kind were kept.
    pub fn count_kind(&self, kind: WarningKind) -> usize {
        self.iter().filter(|warning| warning.kind == kind).count()
    }
}

impl<'a> IntoIterator for &'a Warnings {
    type Item = &'a Warning;
    type IntoIter = std::slice::Iter<'a, Warning>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// At most 60 characters, control characters made visible.
pub(crate) fn shorten_text(text: &str) -> String {
    let mut short: String = text.chars().take(60).flat_map(visible_chars).collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    short
}

fn visible_chars(c: char) -> Vec<char> {
    if c.is_control() { c.escape_default().collect() } else { vec![c] }
}
