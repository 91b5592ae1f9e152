//! `ishi go shapes`: the pattern database: listed, searched, matched, edited, turned from one form into the other.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_go::{Color, Position};
use ishi_knowledge::{Analysis, GroupFates, rules};
use ishi_patterns::joseki::book::Kind;
use ishi_patterns::library::{
    Branch, Fates, Index, Library, Match, NoFates, PAGE, Pattern, Purpose, Suggested, packed, text,
};
use serde::Serialize;

use super::games::{check_place, positive};
use crate::commands::explain::{move_number, record::Record};
use crate::context::{Context, Failure};
use crate::files;

pub(super) const HELP: &str = "\
Examples:
  ishi go shapes                         the first page of the patterns that ship
  ishi go shapes corner --page 2         those with \"corner\" in name, source or words
  ishi go shapes --purpose cut           those whose first move cuts
  ishi go shapes --show monkey-jump      one as text, with its moves
  ishi go shapes --match game.sgf --move 57      what matches before move 57, what it suggests and advises against
  ishi go shapes --library my.txt --match game.sgf --json
  ishi go shapes --library my.txt --check        is the file sound? how much is in it?
  ishi go shapes --library my.txt --out my.bin   packs it; --out other.txt the other way round
  ishi go shapes --library my.bin --add more.txt --remove bend --out new.bin

A pattern is up to 8x8 points, each black, white, empty, either of two, or anything; what it
claims of chains (liberties, alive, dead); and a tree of moves with counts and words. It is
matched in all symmetries and both colours. docs/shapes.md has the text's form.";

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
    purpose: Option<Purpose>,
    /// Which page of the list, from 1
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = positive)]
    page: usize,
    /// Patterns on a page
    #[arg(long, default_value_t = PAGE, value_name = "N", value_parser = positive)]
    per_page: usize,
    /// Show this pattern as text, and what its moves without words are called by their shapes
    #[arg(long, value_name = "NAME", conflicts_with_all = ["search", "matched", "check", "out"])]
    show: Option<String>,
    /// Match the positions of a record (SGF)
    #[arg(long = "match", id = "matched", value_name = "FILE", conflicts_with_all = ["search", "check", "out"])]
    matched: Option<PathBuf>,
    /// Before this move of the main line, from 1; at its end if not given
    #[arg(long = "move", value_name = "N", requires = "matched", allow_negative_numbers = true, value_parser = move_number)]
    number: Option<usize>,
    /// Take all groups' fates as unknown, which is faster; claims about them then do not hold
    #[arg(long, requires = "matched")]
    no_fates: bool,
    /// How many moves to show: suggested ones, and as many that patterns advise against
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = positive)]
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
        let given = library.map(Index::new);
        return matched(args, given.as_ref().unwrap_or_else(|| Index::shipped()), record, context);
    }
    let mut library = library.unwrap_or_else(Library::shipped);
    if let Some(out) = &args.out {
        check_place(out, args.force)?;
        edit(&mut library, args)?;
        return files::write(out, &bytes_of(&library, out), args.force);
    }
    if let Some(name) = &args.show {
        let pattern = library.find(name).ok_or_else(|| unknown(&library, name))?;
        return show(pattern, context);
    }
    if args.check { check(&library, context) } else { list(&library, args, context) }
}

/// The patterns as the name of their file wants them.
pub(super) fn bytes_of(library: &Library, out: &Path) -> Vec<u8> {
    if out.extension().is_some_and(|end| end == "txt") {
        text::write(library).into_bytes()
    } else {
        packed::pack(library)
    }
}

/// Reads patterns in either form.
pub(super) fn read_library(path: &Path) -> Result<Library, Failure> {
    let wrong = |problem: String| Failure::input(format!("{}: {problem}", path.display()));
    let bytes = files::read(path)?;
    if packed::is_packed(&bytes) {
        return packed::unpack(&bytes).map_err(|error| wrong(error.to_string()));
    }
    let plain =
        String::from_utf8(bytes).map_err(|_| wrong("neither text nor packed patterns".to_string()))?;
    text::parse(&plain).map_err(|error| wrong(error.to_string()))
}

fn unknown(library: &Library, name: &str) -> Failure {
    let near: Vec<&str> = library.search(name).take(3).map(|pattern| pattern.name.as_str()).collect();
    let hint = if near.is_empty() { String::new() } else { format!("; there are {}", near.join(", ")) };
    Failure::input(format!("no pattern is named {name:?}{hint}"))
}

fn edit(library: &mut Library, args: &ShapesArgs) -> Result<(), Failure> {
    for name in &args.remove {
        library.remove(name).map_err(|_| unknown(library, name))?;
    }
    for path in &args.replace {
        for pattern in read_library(path)?.patterns() {
            let replaced = library.replace(&pattern.name, pattern.clone());
            replaced.map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        }
    }
    for path in &args.add {
        for pattern in read_library(path)?.patterns() {
            let added = library.add(pattern.clone());
            added.map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Shown<'a> {
    name: &'a str,
    source: &'a str,
    seen: u32,
    /// What its first move is for.
    purpose: &'static str,
    en: &'a str,
    ja: &'a str,
    /// As in the text form: rows from the top, then the edge.
    diagram: Vec<String>,
    attributes: Vec<String>,
    moves: Vec<ShownMove<'a>>,
}

#[derive(Serialize)]
struct ShownMove<'a> {
    color: char,
    point: String,
    kind: &'static str,
    played: u32,
    won: u32,
    en: &'a str,
    ja: &'a str,
    replies: Vec<ShownMove<'a>>,
}

impl<'a> Shown<'a> {
    fn of(pattern: &'a Pattern) -> Shown<'a> {
        let attribute = |a: &ishi_patterns::library::Attribute| format!("{} {}", a.at, a.claim);
        Shown {
            name: &pattern.name,
            source: &pattern.source,
            seen: pattern.seen,
            purpose: pattern.purpose().name(),
            en: &pattern.words.en,
            ja: &pattern.words.ja,
            diagram: text::draw(&pattern.diagram).lines().map(str::to_string).collect(),
            attributes: pattern.attributes.iter().map(attribute).collect(),
            moves: pattern.moves.iter().map(ShownMove::of).collect(),
        }
    }
}

impl<'a> ShownMove<'a> {
    fn of(branch: &'a Branch) -> ShownMove<'a> {
        ShownMove {
            color: branch.color.letter(),
            point: branch.at.to_string(),
            kind: branch.kind.name(),
            played: branch.played,
            won: branch.won,
            en: &branch.words.en,
            ja: &branch.words.ja,
            replies: branch.replies.iter().map(ShownMove::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct ShownAlone<'a> {
    #[serde(flatten)]
    pattern: Shown<'a>,
    /// What moves that have no words are called, by the shapes that they make.
    shapes: Vec<NamedMove>,
}

#[derive(Serialize)]
struct NamedMove {
    /// The moves up to this one, as `B B2`.
    moves: Vec<String>,
    en: String,
    ja: String,
}

fn show(pattern: &Pattern, context: &Context) -> Result<(), Failure> {
    let mut named = pattern.clone();
    rules::name_moves(&mut named);
    let mut shapes = Vec::new();
    gather_names(&pattern.moves, &named.moves, &mut Vec::new(), &mut shapes);
    if context.json {
        return super::print_json(&ShownAlone { pattern: Shown::of(pattern), shapes });
    }
    let mut text = text::write_pattern(pattern);
    let _ = writeln!(text, "# purpose of the first move: {}", pattern.purpose());
    for NamedMove { moves, en, .. } in &shapes {
        // Remarks: they are no words of the pattern's. Writing to a string cannot fail.
        let _ = writeln!(text, "# {}: {en}", moves.join(" "));
    }
    files::print(text.as_bytes())
}

/// The names of moves that had no words.
fn gather_names(written: &[Branch], named: &[Branch], moves: &mut Vec<String>, shapes: &mut Vec<NamedMove>) {
    for (written, named) in written.iter().zip(named) {
        moves.push(format!("{} {}", named.color.letter(), named.at));
        if written.words != named.words {
            let (en, ja) = (named.words.en.clone(), named.words.ja.clone());
            shapes.push(NamedMove { moves: moves.clone(), en, ja });
        }
        gather_names(&written.replies, &named.replies, moves, shapes);
        moves.pop();
    }
}

#[derive(Serialize)]
struct Listing<'a> {
    patterns: usize,
    page: usize,
    pages: usize,
    shown: Vec<Shown<'a>>,
}

fn list(library: &Library, args: &ShapesArgs, context: &Context) -> Result<(), Failure> {
    let mut all: Vec<&Pattern> = match &args.search {
        Some(text) => library.search(text).collect(),
        None => library.patterns().iter().collect(),
    };
    all.retain(|pattern| args.purpose.is_none_or(|purpose| pattern.purpose() == purpose));
    let pages = all.len().div_ceil(args.per_page).max(1);
    if args.page > pages {
        return Err(Failure::input(format!("--page {}: there are pages 1 to {pages}", args.page)));
    }
    let shown: Vec<Shown> =
        all.iter().skip((args.page - 1) * args.per_page).take(args.per_page).map(|p| Shown::of(p)).collect();
    if context.json {
        return super::print_json(&Listing { patterns: all.len(), page: args.page, pages, shown });
    }
    if let (true, Some(text)) = (all.is_empty(), &args.search) {
        return files::print(format!("no pattern has {text:?} in its name, source or words\n").as_bytes());
    }
    let mut out = format!("{} patterns, page {} of {pages}\n", all.len(), args.page);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{:<26} {:<9} {:>7} {:>7}  wins  moves", "name", "purpose", "seen", "played");
    for pattern in all.iter().skip((args.page - 1) * args.per_page).take(args.per_page) {
        let _ = writeln!(
            out,
            "{:<26} {:<9} {:>7} {:>7}  {:>4}  {}",
            pattern.name,
            pattern.purpose(),
            pattern.seen,
            pattern.moves[0].played,
            wins(&pattern.moves[0]),
            pattern.move_count()
        );
    }
    files::print(out.as_bytes())
}

/// The share of games won, as text.
fn wins(branch: &Branch) -> String {
    if branch.played == 0 {
        "-".to_string()
    } else {
        format!("{:.0} %", 100.0 * f64::from(branch.won) / f64::from(branch.played))
    }
}

#[derive(Serialize)]
struct Checked {
    patterns: usize,
    moves: usize,
    attributes: usize,
    /// Patterns by their source.
    sources: std::collections::BTreeMap<String, usize>,
    /// Patterns by what their first move is for.
    purposes: std::collections::BTreeMap<&'static str, usize>,
    packed_bytes: usize,
}

fn check(library: &Library, context: &Context) -> Result<(), Failure> {
    let mut checked = Checked {
        patterns: library.patterns().len(),
        moves: library.patterns().iter().map(Pattern::move_count).sum(),
        attributes: library.patterns().iter().map(|pattern| pattern.attributes.len()).sum(),
        sources: std::collections::BTreeMap::new(),
        purposes: std::collections::BTreeMap::new(),
        packed_bytes: packed::pack(library).len(),
    };
    for pattern in library.patterns() {
        *checked.sources.entry(pattern.source.clone()).or_default() += 1;
        *checked.purposes.entry(pattern.purpose().name()).or_default() += 1;
    }
    if context.json {
        return super::print_json(&checked);
    }
    let Checked { patterns, moves, attributes, packed_bytes, .. } = checked;
    let mut out =
        format!("{patterns} patterns, {moves} moves, {attributes} claims; packed {packed_bytes} bytes\n");
    for (source, count) in &checked.sources {
        let _ = writeln!(out, "  {count:>6}  {source}");
    }
    let _ = writeln!(out, "by purpose:");
    for (purpose, count) in &checked.purposes {
        let _ = writeln!(out, "  {count:>6}  {purpose}");
    }
    files::print(out.as_bytes())
}

// --- match ---

#[derive(Serialize)]
struct MatchReport<'a> {
    to_move: String,
    matches: usize,
    suggested: Vec<Found<'a>>,
    /// Moves that patterns call bad.
    advised_against: Vec<Found<'a>>,
}

#[derive(Serialize)]
struct Found<'a> {
    point: String,
    pattern: &'a str,
    kind: &'static str,
    seen: u32,
    played: u32,
    won: u32,
    en: &'a str,
    ja: &'a str,
    /// The most played answers, in turn.
    sequence: Vec<String>,
}

fn matched(args: &ShapesArgs, index: &Index, record: &Path, context: &Context) -> Result<(), Failure> {
    let (position, _) = Record::read(record, 1)?.before(args.number)?;
    let report = if args.no_fates {
        suggestions(index, &position, &NoFates, args.top)
    } else {
        let analysis = Analysis::of(&position, &mut ishi_knowledge::NoOracle);
        suggestions(index, &position, &GroupFates(&analysis), args.top)
    };
    if context.json {
        return super::print_json(&report);
    }
    let mut out = format!("{}\n", position.board());
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{} to move; {} patterns match, either side's.", report.to_move, report.matches);
    for found in &report.suggested {
        out.push_str(&found.told(&format!("({})", found.kind)));
    }
    for found in &report.advised_against {
        out.push_str(&found.told("advises against it"));
    }
    files::print(out.as_bytes())
}

impl Found<'_> {
    /// A line, with what the pattern says to the move; and another one if it goes on.
    fn told(&self, says: &str) -> String {
        let Found { point, pattern, seen, played, won, en, sequence, .. } = self;
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
fn suggestions<'a>(index: &'a Index, position: &Position, fates: &impl Fates, top: usize) -> MatchReport<'a> {
    let (board, to_move) = (position.board(), position.to_move());
    let matches = index.matches(board, fates);
    let mut found = Vec::new();
    for matched in &matches {
        let pattern = index.pattern(matched);
        for suggested in matched.moves(pattern, &pattern.moves, board.size()) {
            if suggested.color == to_move && position.is_legal(to_move, suggested.at.into()) {
                found.push((matched, pattern, suggested));
            }
        }
    }
    let usual =
        |pattern: &Pattern, branch: &Branch| f64::from(branch.played) / f64::from(pattern.seen.max(1));
    found.sort_by(|a, b| {
        usual(b.1, b.2.branch)
            .total_cmp(&usual(a.1, a.2.branch))
            .then(a.2.at.cmp(&b.2.at))
            .then(a.1.name.cmp(&b.1.name))
    });
    // A pattern whose "anything" lies differently may match in several ways.
    found.dedup_by_key(|(_, pattern, suggested)| (suggested.at, &pattern.name));
    let (bad, good): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(_, _, suggested)| suggested.branch.kind == Kind::Bad);
    let as_found = |(matched, pattern, suggested): (&Match, &'a Pattern, Suggested<'a>)| {
        let mut sequence = vec![told(suggested.color, suggested.at)];
        let mut branch = suggested.branch;
        while let Some(next) =
            matched.moves(pattern, &branch.replies, board.size()).max_by_key(|s| s.branch.played)
        {
            sequence.push(told(next.color, next.at));
            branch = next.branch;
        }
        let words = &suggested.branch.words;
        let words = if words.en.is_empty() && words.ja.is_empty() { &pattern.words } else { words };
        Found {
            point: suggested.at.to_string(),
            pattern: &pattern.name,
            kind: suggested.branch.kind.name(),
            seen: pattern.seen,
            played: suggested.branch.played,
            won: suggested.branch.won,
            en: &words.en,
            ja: &words.ja,
            sequence,
        }
    };
    MatchReport {
        to_move: to_move.to_string(),
        matches: matches.len(),
        suggested: good.into_iter().take(top).map(as_found).collect(),
        advised_against: bad.into_iter().take(top).map(as_found).collect(),
    }
}

fn told(color: Color, point: ishi_go::Point) -> String {
    format!("{}:{point}", color.letter())
}
