//! Patterns as text, for people to read and edit.
//!
//! ```text
//! ishi-shapes 1
//!
//! pattern crosscut-extend
//! source hand-made
//! seen 1200
//! en the crosscut
//! ja 切り違い
//! : ? . . .
//! : . X O .
//! : . O X .
//! : . . . .
//! ---------
//! at B3 liberties 2+
//! B C1 120 61 normal
//!  en crosscut: extend
//!  W B4 80 40 urgent
//! ```
//!
//! Rows of the diagram begin with `:`, or with `|` if the left edge is there; `---` under them is the bottom edge, `+--` the corner.
//! Signs: `X` black, `O` white, `.` empty, `x` black or empty, `o` white or empty, `%` a stone of either colour, `_` anything on the
//! board, `?` anything. Points are A1 (lower left) to H8 of the diagram. `at` claims something of the chain there
//! ([`ChainClaim`]). A move has as many spaces as moves lead to it, colour, point, how often it was played, how often its
//! player won, and its [`MoveKind`](crate::joseki::book::MoveKind); its words follow, one space further in. Empty lines, and lines that begin with `#`, are remarks.

use std::fmt::Write;

use ishi_go::Color;
use ishi_words::{CodedError, CodedMessage, coded, facts};

use super::collection::PatternLibrary;
use super::diagram::{DiagramEdges, DiagramSquare, PatternDiagram, SIDE};
use super::pattern::{BilingualWords, ChainAttribute, ChainClaim, DEEPEST, Pattern, PatternBranch};
use crate::text_error::{TextError, no_first_line, parse_move_kind, wrong_first_line};

const MAGIC: &str = "ishi-shapes 1";

/// Signs by the bits black 1, white 2, empty 4.
const SIGNS: [char; 8] = ['?', 'X', 'O', '%', '.', 'x', 'o', '_'];

/// Writes a library.
pub fn write_library(library: &PatternLibrary) -> String {
    let mut text = format!("{MAGIC}\n");
    for pattern in library.patterns() {
        text.push('\n');
        text.push_str(&write_pattern(pattern));
    }
    text
}

/// Writes one pattern.
pub fn write_pattern(pattern: &Pattern) -> String {
    let mut text = format!("pattern {}\nsource {}\n", pattern.name, pattern.source);
    // Writing to a string cannot fail.
    if pattern.seen > 0 {
        let _ = writeln!(text, "seen {}", pattern.seen);
    }
    write_words(&pattern.words, 0, &mut text);
    text.push_str(&draw_diagram(&pattern.diagram));
    for ChainAttribute { at, claim } in &pattern.attributes {
        let _ = writeln!(text, "at {at} {claim}");
    }
    write_branches(&pattern.moves, 0, &mut text);
    text
}

/// The diagram's rows, and the edge.
pub fn draw_diagram(diagram: &PatternDiagram) -> String {
    let side = if diagram.edges.contains_all(DiagramEdges::LEFT) { '|' } else { ':' };
    let mut text = String::new();
    for row in (0..diagram.height).rev() {
        text.push(side);
        for column in 0..diagram.width {
            text.push(' ');
            text.push(square_sign(diagram, DiagramSquare::new(column, row)));
        }
        text.push('\n');
    }
    if diagram.edges.contains_all(DiagramEdges::BOTTOM) {
        text.push(if side == '|' { '+' } else { '-' });
        text.push_str(&"--".repeat(diagram.width));
        text.push('\n');
    }
    text
}

fn square_sign(diagram: &PatternDiagram, square: DiagramSquare) -> char {
    let bit = |board: u64| usize::from(board & square.bit() != 0);
    SIGNS[bit(diagram.black) | bit(diagram.white) << 1 | bit(diagram.empty) << 2]
}

fn write_words(words: &BilingualWords, depth: usize, text: &mut String) {
    for (language, sentence) in [("en", &words.en), ("ja", &words.ja)] {
        if !sentence.is_empty() {
            let _ = writeln!(text, "{}{language} {sentence}", " ".repeat(depth));
        }
    }
}

fn write_branches(branches: &[PatternBranch], depth: usize, text: &mut String) {
    for PatternBranch { color, at, kind, played, won, words, replies } in branches {
        let _ = writeln!(text, "{}{} {at} {played} {won} {kind}", " ".repeat(depth), color.letter());
        write_words(words, depth + 1, text);
        write_branches(replies, depth + 1, text);
    }
}

/// Reads a library.
///
/// # Errors
/// The first line that is wrong; of a pattern that is wrong as a whole, its first line.
pub fn parse_library(text: &str) -> Result<PatternLibrary, TextError> {
    let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line));
    match lines.next() {
        Some((_, MAGIC)) => {}
        Some((line, other)) => {
            return Err(TextError { line, problem: wrong_first_line(other, MAGIC) });
        }
        None => return Err(TextError { line: 1, problem: no_first_line(MAGIC) }),
    }
    let mut library = PatternLibrary::default();
    let mut entry: Option<PatternEntry> = None;
    for (line, content) in lines {
        let wrong = |problem: CodedMessage| TextError { line, problem };
        let content = content.trim_end();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        if let Some(name) = content.strip_prefix("pattern ") {
            if let Some(done) = entry.replace(PatternEntry::new(name, line)) {
                done.add_to_library(&mut library)?;
            }
        } else {
            let Some(entry) = &mut entry else {
                return Err(wrong(coded![
                    "pattern-text-before-first",
                    "{content} before the first pattern; `pattern NAME` begins one",
                    content = format!("{content:?}")
                ]));
            };
            entry.read_line(content).map_err(wrong)?;
        }
    }
    if let Some(done) = entry {
        done.add_to_library(&mut library)?;
    }
    Ok(library)
}

/// Reads one pattern as [`write_pattern`] writes it, without the checks of a library: an editor keeps what is not finished so.
///
/// # Errors
/// The first line that is wrong, or a second pattern.
pub fn parse_draft_pattern(text: &str) -> Result<Pattern, TextError> {
    let mut entry: Option<PatternEntry> = None;
    for (n, content) in text.lines().enumerate() {
        let wrong = |problem: CodedMessage| TextError { line: n + 1, problem };
        let content = content.trim_end();
        match (content.strip_prefix("pattern"), &mut entry) {
            (Some(name), None) => entry = Some(PatternEntry::new(name, n + 1)),
            (None, Some(entry)) if !content.is_empty() => entry.read_line(content).map_err(wrong)?,
            (None, Some(_)) => {}
            _ => {
                return Err(wrong(coded![
                    "pattern-text-not-one",
                    "{content}: it must be one pattern, which begins with its name",
                    content = format!("{content:?}")
                ]));
            }
        }
    }
    let none = || TextError {
        line: 1,
        problem: coded!["pattern-text-empty", "empty; `pattern NAME` begins a pattern"],
    };
    entry.ok_or_else(none)?.into_pattern()
}

/// A pattern that is being read.
struct PatternEntry {
    line: usize,
    pattern: Pattern,
    /// Rows from the top, the bits of [`SIGNS`].
    rows: Vec<Vec<usize>>,
    side: char,
    bottom: Option<char>,
    /// The place of the last move in each depth of the tree.
    path: Vec<usize>,
}

impl PatternEntry {
    fn new(name: &str, line: usize) -> PatternEntry {
        let diagram =
            PatternDiagram { edges: DiagramEdges::NONE, width: 1, height: 1, black: 0, white: 0, empty: 0 };
        let pattern = Pattern {
            name: name.trim().to_string(),
            source: String::new(),
            seen: 0,
            words: BilingualWords::default(),
            diagram,
            attributes: Vec::new(),
            moves: Vec::new(),
        };
        PatternEntry { line, pattern, rows: Vec::new(), side: ':', bottom: None, path: Vec::new() }
    }

    fn read_line(&mut self, content: &str) -> Result<(), CodedMessage> {
        let words = content.trim_start_matches(' ');
        let depth = content.len() - words.len();
        let (key, rest) = words.split_once(' ').unwrap_or((words, ""));
        let rest = rest.trim();
        match (depth, key) {
            (0, "source") => self.pattern.source = rest.to_string(),
            (0, "seen") => self.pattern.seen = parse_number("seen", rest)?,
            (_, "en" | "ja") => *self.sentence_slot(depth, key)? = rest.to_string(),
            (0, "at") => self.pattern.attributes.push(parse_attribute(rest)?),
            (_, "B" | "W") => self.add_branch(depth, words)?,
            (0, _) if words.starts_with([':', '|']) => self.add_row(words)?,
            (0, _) if words.starts_with(['-', '+']) => self.add_edge(words)?,
            _ => {
                return Err(coded![
                    "pattern-text-line",
                    "{content} begins with nothing known: source, seen, en, ja, at, B, W, or a row : or |",
                    content = format!("{content:?}")
                ]);
            }
        }
        Ok(())
    }

    /// The place of the words of the pattern (depth 0), or of the last move, which has to be right above.
    fn sentence_slot(&mut self, depth: usize, key: &str) -> Result<&mut String, CodedMessage> {
        let words = if depth == 0 {
            &mut self.pattern.words
        } else if depth == self.path.len() {
            let mut branch = &mut self.pattern.moves[self.path[0]];
            for &next in &self.path[1..] {
                branch = &mut branch.replies[next];
            }
            &mut branch.words
        } else {
            return Err(coded![
                "pattern-text-words",
                "words after {depth} spaces: those of a move stand one space further in",
                depth
            ]);
        };
        let place = if key == "en" { &mut words.en } else { &mut words.ja };
        if place.is_empty() {
            Ok(place)
        } else {
            Err(coded!["pattern-text-twice", "{key} stands twice", key])
        }
    }

    fn add_row(&mut self, words: &str) -> Result<(), CodedMessage> {
        if self.bottom.is_some() {
            return Err(coded!["pattern-text-row-below", "a row below the bottom edge"]);
        }
        let mut signs = words.chars();
        let side = signs.next().unwrap_or(':');
        if !self.rows.is_empty() && side != self.side {
            return Err(coded![
                "pattern-text-row-side",
                "the row begins with {side}, the one above with {above}",
                side,
                above = self.side
            ]);
        }
        self.side = side;
        let place = |sign: char| SIGNS.iter().position(|&known| known == sign);
        let unknown = |sign: char| {
            coded![
                "pattern-text-sign",
                "{sign} is no sign: it must be one of X O . x o % _ ?",
                sign = format!("{sign:?}")
            ]
        };
        let known = |sign: char| place(sign).ok_or_else(|| unknown(sign));
        let row: Result<Vec<usize>, CodedMessage> = signs.filter(|sign| *sign != ' ').map(known).collect();
        let row = row?;
        if row.is_empty() || row.len() > SIDE || self.rows.len() == SIDE {
            return Err(coded!["pattern-text-size", "a diagram must have 1 to 8 columns and rows"]);
        }
        if self.rows.first().is_some_and(|first| first.len() != row.len()) {
            return Err(coded![
                "pattern-text-row-length",
                "{signs} signs, the row above has {above}",
                signs = row.len(),
                above = self.rows[0].len()
            ]);
        }
        self.rows.push(row);
        Ok(())
    }

    fn add_edge(&mut self, words: &str) -> Result<(), CodedMessage> {
        let first = words.chars().next().unwrap_or('-');
        if !words[1..].bytes().all(|byte| byte == b'-') {
            return Err(coded![
                "pattern-text-edge",
                "{words}: an edge is --- or +---",
                words = format!("{words:?}")
            ]);
        }
        if self.bottom.replace(first).is_some() || self.rows.is_empty() {
            return Err(coded!["pattern-text-one-edge", "one edge stands right below the rows"]);
        }
        if (first == '+') != (self.side == '|') {
            return Err(coded![
                "pattern-text-corner",
                "in a corner rows begin with | and the bottom is +---; at an edge : and ---"
            ]);
        }
        Ok(())
    }

    fn add_branch(&mut self, depth: usize, words: &str) -> Result<(), CodedMessage> {
        let fields: Vec<&str> = words.split_whitespace().collect();
        let &[color, at, played, won, kind] = &fields[..] else {
            return Err(coded![
                "pattern-text-parts",
                "{words} has {parts} parts and must have 5: B C4 120 61 normal",
                words = format!("{words:?}"),
                parts = fields.len()
            ]);
        };
        let branch = PatternBranch {
            kind: parse_move_kind(kind)?,
            played: parse_number("played", played)?,
            won: parse_number("won", won)?,
            ..PatternBranch::new(if color == "B" { Color::Black } else { Color::White }, parse_square(at)?)
        };
        if depth > self.path.len() {
            return Err(coded![
                "pattern-text-depth",
                "{depth} spaces, but the move above leads to {most} at most",
                depth,
                most = self.path.len()
            ]);
        }
        if depth >= DEEPEST {
            return Err(coded![
                "pattern-text-deepest",
                "{depth} moves lead to it, {most} are the most",
                depth,
                most = DEEPEST - 1
            ]);
        }
        self.path.truncate(depth);
        let mut branches = &mut self.pattern.moves;
        for &next in &self.path {
            branches = &mut branches[next].replies;
        }
        branches.push(branch);
        self.path.push(branches.len() - 1);
        Ok(())
    }

    fn add_to_library(self, library: &mut PatternLibrary) -> Result<(), TextError> {
        let line = self.line;
        let pattern = self.into_pattern()?;
        let name = pattern.name.clone();
        library.add_pattern(pattern).map_err(|error| {
            let facts = facts!["pattern-text-pattern", name = &name, reason = error.facts()];
            TextError { line, problem: CodedMessage::new(format_args!("pattern {name}: {error}"), facts) }
        })
    }

    /// The pattern as it was written; nobody has checked whether it makes sense.
    fn into_pattern(mut self) -> Result<Pattern, TextError> {
        let line = self.line;
        let wrong = |problem: CodedMessage| TextError { line, problem };
        let name = &self.pattern.name;
        if self.rows.is_empty() {
            return Err(wrong(coded![
                "pattern-text-no-diagram",
                "pattern {name} has no diagram; its rows begin with : or |",
                name
            ]));
        }
        if self.side == '|' && self.bottom.is_none() {
            return Err(wrong(coded![
                "pattern-text-no-corner",
                "pattern {name}: rows begin with | but the corner +--- is missing",
                name
            ]));
        }
        let diagram = &mut self.pattern.diagram;
        (diagram.height, diagram.width) = (self.rows.len(), self.rows[0].len());
        diagram.edges = match (self.bottom, self.side) {
            (Some(_), '|') => DiagramEdges::CORNER,
            (Some(_), _) => DiagramEdges::BOTTOM,
            (None, _) => DiagramEdges::NONE,
        };
        for (row, signs) in self.rows.iter().rev().enumerate() {
            for (column, &sign) in signs.iter().enumerate() {
                let bit = DiagramSquare::new(column, row).bit();
                let put = |board: &mut u64, which: usize| *board |= if sign & which != 0 { bit } else { 0 };
                put(&mut diagram.black, 1);
                put(&mut diagram.white, 2);
                put(&mut diagram.empty, 4);
            }
        }
        Ok(self.pattern)
    }
}

fn parse_number(what: &str, text: &str) -> Result<u32, CodedMessage> {
    text.parse().map_err(|_| {
        coded![
            "pattern-text-number",
            "{what} must be a whole number from 0 to {most}, not {text}",
            what,
            text = format!("{text:?}"),
            most = u32::MAX
        ]
    })
}

fn parse_square(text: &str) -> Result<DiagramSquare, CodedMessage> {
    DiagramSquare::parse(text).ok_or_else(|| {
        coded![
            "pattern-text-point",
            "{text} is no point: it must be one from A1 to H8",
            text = format!("{text:?}")
        ]
    })
}

/// A claim about liberties without its number.
fn no_count(count: &str) -> CodedMessage {
    coded![
        "pattern-text-liberties",
        "{count} is no number of liberties; it must be written as `at C3 liberties 2`, `liberties 2+`, `liberties 2-`, `alive` or `dead`",
        count = format!("{count:?}")
    ]
}

fn parse_attribute(text: &str) -> Result<ChainAttribute, CodedMessage> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let claim = match words[..] {
        [_, "alive"] => ChainClaim::Alive,
        [_, "dead"] => ChainClaim::Dead,
        [_, "liberties", count] => {
            let digits = count.trim_end_matches(['+', '-']);
            let n = digits.parse().map_err(|_| no_count(count))?;
            match &count[digits.len()..] {
                "" => ChainClaim::Liberties(n),
                "+" => ChainClaim::AtLeast(n),
                "-" => ChainClaim::AtMost(n),
                _ => return Err(no_count(count)),
            }
        }
        _ => {
            return Err(coded![
                "pattern-text-claim",
                "{text}: it must be written as `at C3 liberties 2`, `liberties 2+`, `liberties 2-`, `alive` or `dead`",
                text = format!("{text:?}")
            ]);
        }
    };
    Ok(ChainAttribute { at: parse_square(words[0])?, claim })
}
