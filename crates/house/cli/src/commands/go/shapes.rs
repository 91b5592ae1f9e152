//! `ishi go shapes`: the pattern database: listed, searched, matched, edited, turned from one form into the other.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_go::{Color, Position};
use ishi_knowledge::{Analysis, GroupFates, rules};
use ishi_patterns::joseki::book::MoveKind;
use ishi_patterns::library::{
    BilingualWords, FateOracle, MovePurpose, NoFates, PAGE, Pattern, PatternBranch, PatternIndex,
    PatternLibrary, PatternMatch, SuggestedMove, packed, text,
};
use ishi_sheet::SheetTable;
use serde::Serialize;

use crate::commands::explain::record::SgfRecord;
use crate::context::{Context, Failure};
use crate::files::{self, print_json};
use crate::numbers::{number_in, parse_move_number};

pub(super) const HELP: &str = "\
Examples:
  ishi go shapes                         the first page of the patterns that ship
  ishi go shapes corner --page 2         those with \"corner\" in name, source or words
  ishi go shapes --purpose cut           those whose first move cuts
  ishi go shapes --show monkey-jump      one as text, with its moves
  ishi go shapes --match sample:lesson --move 15    what matches before move 15, what it suggests and advises against
  ishi go shapes --library my.txt --match game.sgf --json
  ishi go shapes --library my.txt --check        is the file sound? how much is in it?
  ishi go shapes --library my.txt --out my.bin   packs it; --out other.txt the other way round
  ishi go shapes --library my.bin --add more.txt --remove bend --out new.bin

A pattern is up to 8x8 points, each black, white, empty, either of two, or anything; what it \
claims of chains (liberties, alive, dead); and a tree of moves with counts and words. It is \
matched in all symmetries and both colours. docs/patterns.md has the text's form.";

/// Options of `ishi go shapes`.
#[derive(Args, Debug)]
pub(super) struct ShapesArgs {
    /// List only patterns with this in their name, source or words
    #[arg(value_name = "TEXT")]
    search: Option<String>,
    /// Patterns of `ishi go learn-shapes`, text or packed; the shipped ones if not given
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// List only patterns of this purpose: cut, connect, life, endgame, invade, prevent, break-out, enclose, shape
    #[arg(long, value_name = "PURPOSE", conflicts_with_all = ["show", "matched", "check", "out"])]
    purpose: Option<MovePurpose>,
    /// Which page of the list, from 1
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number_in::<usize>(1..))]
    page: usize,
    /// Patterns on a page
    #[arg(long, default_value_t = PAGE, value_name = "N", value_parser = number_in::<usize>(1..))]
    per_page: usize,
    /// Show this pattern as text, and what its moves without words are called by their shapes
    #[arg(long, value_name = "NAME", conflicts_with_all = ["search", "matched", "check", "out"])]
    show: Option<String>,
    /// Match the positions of a record (SGF)
    #[arg(long = "match", id = "matched", value_name = "FILE", conflicts_with_all = ["search", "check", "out"])]
    matched: Option<PathBuf>,
    /// Before this move of the main line, from 1; at its end if not given
    #[arg(long = "move", value_name = "N", requires = "matched", value_parser = parse_move_number)]
    number: Option<usize>,
    /// Take all groups' fates as unknown, which is faster; claims about them then do not hold
    #[arg(long, requires = "matched")]
    no_fates: bool,
    /// How many moves to show: suggested ones, and as many that patterns advise against
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = number_in::<usize>(1..))]
    top: usize,
    /// Read everything and say how much there is
    #[arg(long, conflicts_with_all = ["search", "out"])]
    check: bool,
    /// Add the patterns of this file
    #[arg(long, value_name = "FILE", requires = "out")]
    add: Vec<PathBuf>,
    /// Put the patterns of this file in the place of those with the same names
    #[arg(long, value_name = "FILE", requires = "out")]
    replace: Vec<PathBuf>,
    /// Take out the pattern of this name
    #[arg(long, value_name = "NAME", requires = "out")]
    remove: Vec<String>,
    /// Write all patterns: text if the name ends in .txt, else packed
    #[arg(long, value_name = "FILE", conflicts_with = "search")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

/// Does what the options say.
pub(super) fn run(args: &ShapesArgs, context: &Context) -> Result<(), Failure> {
    let library = args.library.as_deref().map(read_library).transpose()?;
    if let Some(record) = &args.matched {
        let given = library.map(PatternIndex::new);
        return match_record(
            args,
            given.as_ref().unwrap_or_else(|| PatternIndex::shipped()),
            record,
            context,
        );
    }
    let mut library = library.unwrap_or_else(PatternLibrary::shipped);
    if let Some(out) = &args.out {
        files::check_writable(out, args.force)?;
        edit_library(&mut library, args)?;
        return files::write_file(out, &encode_library(&library, out), args.force);
    }
    if let Some(name) = &args.show {
        let pattern = library.find_pattern(name).ok_or_else(|| unknown_pattern(&library, name))?;
        return show_pattern(pattern, context);
    }
    if args.check { check_library(&library, context) } else { list_patterns(&library, args, context) }
}

/// The patterns as the name of their file wants them.
pub(super) fn encode_library(library: &PatternLibrary, out: &Path) -> Vec<u8> {
    if out.extension().is_some_and(|end| end == "txt") {
        text::write_library(library).into_bytes()
    } else {
        packed::pack_library(library)
    }
}

/// Reads patterns in either form.
pub(super) fn read_library(path: &Path) -> Result<PatternLibrary, Failure> {
    let wrong = |problem: String| Failure::in_file(path, problem);
    let bytes = files::read_file_or_stdin(path)?;
    if packed::is_packed_library(&bytes) {
        return packed::unpack_library(&bytes).map_err(|error| wrong(error.to_string()));
    }
    let plain =
        String::from_utf8(bytes).map_err(|_| wrong("neither text nor packed patterns".to_string()))?;
    text::parse_library(&plain).map_err(|error| wrong(error.to_string()))
}

fn unknown_pattern(library: &PatternLibrary, name: &str) -> Failure {
    let near: Vec<&str> = library.search_text(name).take(3).map(|pattern| pattern.name.as_str()).collect();
    let hint = if near.is_empty() { String::new() } else { format!("; there are {}", near.join(", ")) };
    Failure::input(format!("no pattern is named {name:?}{hint}"))
}

fn edit_library(library: &mut PatternLibrary, args: &ShapesArgs) -> Result<(), Failure> {
    for name in &args.remove {
        library.remove_pattern(name).map_err(|_| unknown_pattern(library, name))?;
    }
    for path in &args.replace {
        for pattern in read_library(path)?.patterns() {
            let replaced = library.replace_pattern(&pattern.name, pattern.clone());
            replaced.map_err(|error| Failure::in_file(path, error))?;
        }
    }
    for path in &args.add {
        for pattern in read_library(path)?.patterns() {
            let added = library.add_pattern(pattern.clone());
            added.map_err(|error| Failure::in_file(path, error))?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct ShapeReport<'a> {
    name: &'a str,
    source: &'a str,
    seen: u32,
    /// What its first move is for.
    purpose: &'static str,
    #[serde(flatten)]
    words: &'a BilingualWords,
    /// The diagram as in the text form: rows from the top, then the edge.
    diagram: Vec<String>,
    attributes: Vec<String>,
    moves: &'a [PatternBranch],
}

impl<'a> ShapeReport<'a> {
    fn from_pattern(pattern: &'a Pattern) -> ShapeReport<'a> {
        let attribute = |a: &ishi_patterns::library::ChainAttribute| format!("{} {}", a.at, a.claim);
        ShapeReport {
            name: &pattern.name,
            source: &pattern.source,
            seen: pattern.seen,
            purpose: pattern.purpose().name(),
            words: &pattern.words,
            diagram: text::draw_diagram(&pattern.diagram).lines().map(str::to_string).collect(),
            attributes: pattern.attributes.iter().map(attribute).collect(),
            moves: &pattern.moves,
        }
    }
}

#[derive(Serialize)]
struct NamedShapeMove {
    /// The moves up to this one, as `B B2`.
    moves: Vec<String>,
    #[serde(flatten)]
    words: BilingualWords,
}

fn show_pattern(pattern: &Pattern, context: &Context) -> Result<(), Failure> {
    let mut named = pattern.clone();
    rules::name_moves(&mut named);
    let mut shapes = Vec::new();
    gather_names(&pattern.moves, &named.moves, &mut Vec::new(), &mut shapes);
    if context.json {
        return print_json(&json_object! {
            #[serde(flatten)]
            pattern: ShapeReport::from_pattern(pattern),
            // What moves that have no words are called, by the shapes that they make.
            shapes,
        });
    }
    let mut text = text::write_pattern(pattern);
    let _ = writeln!(text, "# purpose of the first move: {}", pattern.purpose());
    for NamedShapeMove { moves, words } in &shapes {
        // Remarks: they are no words of the pattern's. Writing to a string cannot fail.
        let _ = writeln!(text, "# {}: {}", moves.join(" "), words.en);
    }
    files::print_bytes(text.as_bytes())
}

/// The names of moves that had no words.
fn gather_names(
    written: &[PatternBranch],
    named: &[PatternBranch],
    moves: &mut Vec<String>,
    shapes: &mut Vec<NamedShapeMove>,
) {
    for (written, named) in written.iter().zip(named) {
        moves.push(format!("{} {}", named.color.letter(), named.at));
        if written.words != named.words {
            shapes.push(NamedShapeMove { moves: moves.clone(), words: named.words.clone() });
        }
        gather_names(&written.replies, &named.replies, moves, shapes);
        moves.pop();
    }
}

fn list_patterns(library: &PatternLibrary, args: &ShapesArgs, context: &Context) -> Result<(), Failure> {
    let mut all: Vec<&Pattern> = match &args.search {
        Some(text) => library.search_text(text).collect(),
        None => library.patterns().iter().collect(),
    };
    all.retain(|pattern| args.purpose.is_none_or(|purpose| pattern.purpose() == purpose));
    let pages = all.len().div_ceil(args.per_page).max(1);
    if args.page > pages {
        return Err(Failure::input(format!("--page {}: there are pages 1 to {pages}", args.page)));
    }
    let shown: Vec<ShapeReport> = all
        .iter()
        .skip((args.page - 1) * args.per_page)
        .take(args.per_page)
        .map(|p| ShapeReport::from_pattern(p))
        .collect();
    if context.json {
        return print_json(&json_object! { patterns: all.len(), page: args.page, pages, shown });
    }
    if let (true, Some(text)) = (all.is_empty(), &args.search) {
        return files::print_bytes(
            format!("no pattern has {text:?} in its name, source or words\n").as_bytes(),
        );
    }
    let mut out = format!("{} patterns, page {} of {pages}\n", all.len(), args.page);
    let mut table = SheetTable::new(["name", "purpose", "#seen", "#played", "#wins", "moves"])
        .with_text_widths(&[26, 9, 7, 7, 4])
        .with_text_gaps(&[1, 1, 1, 2, 2]);
    for pattern in all.iter().skip((args.page - 1) * args.per_page).take(args.per_page) {
        let first = &pattern.moves[0];
        table.add_row([
            pattern.name.clone(),
            pattern.purpose().to_string(),
            pattern.seen.to_string(),
            first.played.to_string(),
            format_win_share(first),
            pattern.move_count().to_string(),
        ]);
    }
    out.push_str(&table.to_text());
    files::print_bytes(out.as_bytes())
}

/// The share of games won, as text.
fn format_win_share(branch: &PatternBranch) -> String {
    if branch.played == 0 {
        "-".to_string()
    } else {
        format!("{:.0} %", 100.0 * f64::from(branch.won) / f64::from(branch.played))
    }
}

#[derive(Serialize)]
struct LibraryCheck {
    patterns: usize,
    moves: usize,
    attributes: usize,
    /// Patterns by their source.
    sources: std::collections::BTreeMap<String, usize>,
    /// Patterns by what their first move is for.
    purposes: std::collections::BTreeMap<&'static str, usize>,
    packed_bytes: usize,
}

fn check_library(library: &PatternLibrary, context: &Context) -> Result<(), Failure> {
    let mut checked = LibraryCheck {
        patterns: library.patterns().len(),
        moves: library.patterns().iter().map(Pattern::move_count).sum(),
        attributes: library.patterns().iter().map(|pattern| pattern.attributes.len()).sum(),
        sources: std::collections::BTreeMap::new(),
        purposes: std::collections::BTreeMap::new(),
        packed_bytes: packed::pack_library(library).len(),
    };
    for pattern in library.patterns() {
        *checked.sources.entry(pattern.source.clone()).or_default() += 1;
        *checked.purposes.entry(pattern.purpose().name()).or_default() += 1;
    }
    if context.json {
        return print_json(&checked);
    }
    let LibraryCheck { patterns, moves, attributes, packed_bytes, .. } = checked;
    let mut out =
        format!("{patterns} patterns, {moves} moves, {attributes} claims; packed {packed_bytes} bytes\n");
    for (source, count) in &checked.sources {
        let _ = writeln!(out, "  {count:>6}  {source}");
    }
    let _ = writeln!(out, "by purpose:");
    for (purpose, count) in &checked.purposes {
        let _ = writeln!(out, "  {count:>6}  {purpose}");
    }
    files::print_bytes(out.as_bytes())
}

// --- match ---

#[derive(Serialize)]
struct ShapeMatchReport<'a> {
    to_move: String,
    matches: usize,
    suggested: Vec<MatchedMove<'a>>,
    /// Moves that patterns call bad.
    advised_against: Vec<MatchedMove<'a>>,
}

#[derive(Serialize)]
struct MatchedMove<'a> {
    point: String,
    pattern: &'a str,
    kind: &'static str,
    seen: u32,
    played: u32,
    won: u32,
    #[serde(flatten)]
    words: &'a BilingualWords,
    /// The most played answers, in turn.
    sequence: Vec<String>,
}

fn match_record(
    args: &ShapesArgs,
    index: &PatternIndex,
    record: &Path,
    context: &Context,
) -> Result<(), Failure> {
    let (position, _) = SgfRecord::read_file(record, 1)?.position_before(args.number)?;
    let report = if args.no_fates {
        suggest_moves(index, &position, &NoFates, args.top)
    } else {
        let analysis = Analysis::analyze(&position, &mut ishi_knowledge::NoOracle);
        suggest_moves(index, &position, &GroupFates(&analysis), args.top)
    };
    if context.json {
        return print_json(&report);
    }
    let mut out = format!("{}\n", position.board());
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{} to move; {} patterns match, either side's.", report.to_move, report.matches);
    for found in &report.suggested {
        out.push_str(&found.to_line(&format!("({})", found.kind)));
    }
    for found in &report.advised_against {
        out.push_str(&found.to_line("advises against it"));
    }
    files::print_bytes(out.as_bytes())
}

impl MatchedMove<'_> {
    /// A line, with what the pattern says to the move; and another one if it goes on.
    fn to_line(&self, says: &str) -> String {
        let MatchedMove {
            point, pattern, seen, played, won, words: BilingualWords { en, .. }, sequence, ..
        } = self;
        let share = |part: u32, of: u32| 100.0 * f64::from(part) / f64::from(of.max(1));
        let counts = if *seen > 0 {
            format!("seen {seen}, played {:.0} %, won {:.0} %", share(*played, *seen), share(*won, *played))
        } else {
            "not counted".to_string()
        };
        let mut text = format!("{point:<4} {pattern} {says}: {counts}. {en}").trim_end().to_string() + "\n";
        if sequence.len() > 1 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "     {}", sequence.join(" "));
        }
        text
    }
}

/// Moves for the side to move, the most usual first; those that patterns call bad apart.
fn suggest_moves<'a>(
    index: &'a PatternIndex,
    position: &Position,
    fates: &impl FateOracle,
    top: usize,
) -> ShapeMatchReport<'a> {
    let (board, to_move) = (position.board(), position.to_move());
    let matches = index.find_matches(board, fates);
    let mut found = Vec::new();
    for matched in &matches {
        let pattern = index.pattern_of(matched);
        for suggested in matched.suggested_moves(pattern, &pattern.moves, board.size()) {
            if suggested.color == to_move && position.is_legal(to_move, suggested.at.into()) {
                found.push((matched, pattern, suggested));
            }
        }
    }
    let usual =
        |pattern: &Pattern, branch: &PatternBranch| f64::from(branch.played) / f64::from(pattern.seen.max(1));
    found.sort_by(|a, b| {
        usual(b.1, b.2.branch)
            .total_cmp(&usual(a.1, a.2.branch))
            .then(a.2.at.cmp(&b.2.at))
            .then(a.1.name.cmp(&b.1.name))
    });
    // A pattern whose "anything" lies differently may match in several ways.
    found.dedup_by_key(|(_, pattern, suggested)| (suggested.at, &pattern.name));
    let (bad, good): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(_, _, suggested)| suggested.branch.kind == MoveKind::Bad);
    let as_found = |(matched, pattern, suggested): (&PatternMatch, &'a Pattern, SuggestedMove<'a>)| {
        let mut sequence = vec![format_move(suggested.color, suggested.at)];
        let mut branch = suggested.branch;
        while let Some(next) =
            matched.suggested_moves(pattern, &branch.replies, board.size()).max_by_key(|s| s.branch.played)
        {
            sequence.push(format_move(next.color, next.at));
            branch = next.branch;
        }
        let words = &suggested.branch.words;
        let words = if words.en.is_empty() && words.ja.is_empty() { &pattern.words } else { words };
        MatchedMove {
            point: suggested.at.to_string(),
            pattern: &pattern.name,
            kind: suggested.branch.kind.name(),
            seen: pattern.seen,
            played: suggested.branch.played,
            won: suggested.branch.won,
            words,
            sequence,
        }
    };
    ShapeMatchReport {
        to_move: to_move.to_string(),
        matches: matches.len(),
        suggested: good.into_iter().take(top).map(as_found).collect(),
        advised_against: bad.into_iter().take(top).map(as_found).collect(),
    }
}

fn format_move(color: Color, point: ishi_go::Point) -> String {
    format!("{}:{point}", color.letter())
}
