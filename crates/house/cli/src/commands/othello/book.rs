//! `ishi othello book`: builds, shows and checks opening books.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use ishi_othello::{Board, Position};
use ishi_othello_play::book::{Book, BookBuilder, BookFormat, BookMove, BuildEnd, BuildParams, BuildStep};
use ishi_othello_play::levels::LevelLimits;
use ishi_othello_play::openings::OpeningNames;
use ishi_othello_play::search::{SearchEffort, SearchParams, Searcher};
use serde::Serialize;

use super::coach::{Language, WallClock, input, moves_text, print_json, print_text, words};
use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::parse_thinking_time;
use crate::progress::StepDisplay;

const HELP: &str = "\
Examples:
  ishi othello book show                 what the built-in book plays
  ishi othello book show f5d6c3
  ishi othello book build my.book --records WTH_*.wtb --positions 5000
  ishi othello book check my.book
  ishi othello book convert my.book book.dat     for Edax";

const BUILD_HELP: &str = "\
Examples:
  ishi othello book build my.book --records WTH_*.wtb --positions 5000 --depth 14
  ishi othello book build my.book --time 3600      go on with it for an hour

Takes positions that occur often in the records, searches every move of each, and then \
extends the best lines, until the book has its positions. The book is saved every half \
minute and at Ctrl-C. The same command goes on with it. Records are counted once, when the \
book is begun.";

const SHOW_HELP: &str = "\
Examples:
  ishi othello book show f5d6c3d3c4
  ishi othello book show f5f6 --book my.book --json

The value is in discs for the side to move, by negamax over the book. Games and success (the \
share of points) are those of the records.";

const CHECK_HELP: &str = "\
Examples:
  ishi othello book check                the book that is built in
  ishi othello book check my.book --json

The exit code is 1 if positions are not searched yet, or cannot be reached from the start by \
moves of the book.";

const CONVERT_HELP: &str = "\
Examples:
  ishi othello book convert my.book book.dat         for Edax
  ishi othello book convert my.book book.egbk3       for Egaroucid
  ishi othello book convert book.egbk3 my.book       from Egaroucid

The content of the file tells the format that is read. The ending of the name tells the one \
that is written: .dat is Edax's, .egbk3 is Egaroucid's, and any other ishi's. FROM may be \
builtin, the book that is built in. Other programs get the positions that are searched. Of \
the moves that leave the book they get the best one of each position.";

/// Opening books.
#[derive(Args, Debug)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug)]
enum BookCommand {
    /// Build a book from records and own search, or go on with one
    Build(BookBuildArgs),
    /// Show what a book knows of a position
    Show(BookShowArgs),
    /// Say what is in a book and whether it is whole
    Check(BookCheckArgs),
    /// Write a book in the format of ishi, Edax or Egaroucid
    Convert(BookConvertArgs),
}

#[derive(Args, Debug)]
#[command(after_long_help = BUILD_HELP)]
struct BookBuildArgs {
    /// The book; if it exists, the work goes on from it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Records (WTHOR, SGF, GGF, transcripts) whose frequent positions are taken
    #[arg(long, value_name = "FILE", num_args = 1..)]
    records: Vec<PathBuf>,
    /// Positions at most
    #[arg(long, default_value_t = 12_000, value_name = "N")]
    positions: usize,
    /// Games in which a position must occur to be taken from records
    #[arg(long, default_value_t = 20, value_name = "N")]
    least_games: u32,
    /// Moves of a game that are looked at
    #[arg(long, default_value_t = 24, value_name = "N")]
    plies: usize,
    /// Plies that the search of each move looks ahead
    #[arg(long, default_value_t = 12, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=40))]
    depth: u32,
    /// Seconds to work at most
    #[arg(long, value_name = "SECONDS", value_parser = parse_thinking_time)]
    time: Option<Duration>,
}

#[derive(Args, Debug)]
#[command(after_long_help = SHOW_HELP)]
struct BookShowArgs {
    /// Moves such as f5d6c3, or a board
    #[arg(value_name = "POSITION", default_value = "start", allow_hyphen_values = true)]
    position: String,
    /// A book; if not given, the one that is built in
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Language of the names of openings
    #[arg(long, default_value = "en", value_name = "en|ja")]
    lang: Language,
}

#[derive(Args, Debug)]
#[command(after_long_help = CHECK_HELP)]
struct BookCheckArgs {
    /// A book; if not given, the one that is built in
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_long_help = CONVERT_HELP)]
struct BookConvertArgs {
    /// A book of ishi, Edax or Egaroucid; builtin for the one that is built in
    #[arg(value_name = "FROM")]
    from: PathBuf,
    /// The file to write; its ending says the format
    #[arg(value_name = "TO")]
    to: PathBuf,
    /// Replace a file that exists
    #[arg(long)]
    force: bool,
}

/// Builds, shows, checks or converts a book.
pub fn run(args: &BookArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        BookCommand::Build(args) => build_book(args, context),
        BookCommand::Show(args) => show_position(args, context),
        BookCommand::Check(args) => check_book(args, context),
        BookCommand::Convert(args) => convert_book(args, context),
    }
}

/// Reads a book of any format, or takes the one that is built in.
pub(super) fn load_book(path: Option<&Path>) -> Result<Book, Failure> {
    let Some(path) = path else { return Ok(Book::builtin().clone()) };
    let bytes = files::read_file_or_stdin(path)?;
    Book::from_any_format(&bytes).map_err(|error| Failure::in_file(path, error))
}

/// Reads a book of ishi's own format, which alone is gone on with.
fn load_own_book(path: &Path) -> Result<Book, Failure> {
    let bytes = files::read_file_or_stdin(path)?;
    Book::from_bytes(&bytes).map_err(|error| Failure::in_file(path, error))
}

// --- build ---

/// Time between two savings.
const SAVE_EVERY: Duration = Duration::from_secs(30);

fn build_book(args: &BookBuildArgs, context: &Context) -> Result<(), Failure> {
    let mut builder = create_builder(args, context)?;
    let clock = WallClock::start();
    let stop = || context.is_stop_requested();
    let limits = LevelLimits { time: args.time, clock: &clock, stop: &stop };
    let left = args.positions.saturating_sub(builder.book().count_searched());
    let mut progress = StepDisplay::new(left as u64, "positions", context);
    let mut saved = Instant::now();
    let mut observer = |step: &BuildStep, book: &Book| {
        progress.finish_step(&format!("{:+}", step.value));
        if saved.elapsed() >= SAVE_EVERY {
            // A disk that is full now may have room later: the last saving decides.
            let _ = save_book(&args.file, book);
            saved = Instant::now();
        }
    };
    // One thread, so that the same command makes the same book.
    let mut searcher = Searcher::new(SearchParams { hash_bits: 18, threads: 1 });
    let ended = builder.build_book(&mut searcher, limits, &mut observer);
    drop(progress);
    save_book(&args.file, builder.book())?;
    report_build(&args.file, builder.book(), ended, context)
}

/// A builder with the book so far, or with the positions of the records.
fn create_builder(args: &BookBuildArgs, context: &Context) -> Result<BookBuilder, Failure> {
    let book = if args.file.exists() { load_own_book(&args.file)? } else { Book::default() };
    let effort = SearchEffort { depth: args.depth, ..BuildParams::default().effort };
    let params = BuildParams {
        plies: args.plies,
        least_games: args.least_games,
        positions: args.positions,
        effort,
        ..BuildParams::default()
    };
    let counted = book.has_records();
    let mut builder = BookBuilder::new(book, params);
    if !args.records.is_empty() && counted && !context.quiet {
        tell!("{}: records were counted when the book was begun", args.file.display());
    }
    if !args.records.is_empty() && !counted {
        for path in &args.records {
            input::visit_games(path, &mut |game, score| builder.count_game(game, score))?;
        }
        builder.take_counts();
    }
    Ok(builder)
}

fn save_book(path: &Path, book: &Book) -> Result<(), Failure> {
    let error = |error| Failure::outside(format!("cannot write {}: {error}", path.display()));
    files::write_or_replace(path, &book.to_bytes(), true).map_err(error)
}

fn report_build(path: &Path, book: &Book, ended: BuildEnd, context: &Context) -> Result<(), Failure> {
    let (positions, searched) = (book.len(), book.count_searched());
    let ended = match ended {
        BuildEnd::Full => "full",
        BuildEnd::Exhausted => "exhausted",
        BuildEnd::Stopped => "stopped",
    };
    let report = json_object! { positions, searched, ended };
    files::print_result(context, &report, || {
        format!("{}: {positions} positions, {searched} of them searched ({ended})\n", path.display())
    })?;
    context.check_stop()
}

// --- show ---

fn show_position(args: &BookShowArgs, context: &Context) -> Result<(), Failure> {
    let position = input::parse_position(&args.position)?;
    let book = load_book(args.book.as_deref())?;
    let board = position.board();
    if context.json {
        return print_json(&build_show_report(&book, &position));
    }
    let Some(entry) = book.get(board) else {
        return Err(Failure::Negative(format!("{}: the book does not know this position", args.position)));
    };
    let names = OpeningNames::builtin();
    let name = names.title_of_game(&position, args.lang);
    let name =
        name.map(|name| args.lang.choose(format!(", {name}"), format!("、{name}"))).unwrap_or_default();
    let (value, depth, games, side) = (entry.value(), entry.depth(), entry.games(), position.to_move());
    let side_in_japanese = words::color_name(side, Language::Japanese);
    let mut text = args.lang.choose(
        format!("{value:+} for {side} (depth {depth}, {games} games){name}\n"),
        format!("{side_in_japanese}番から見て{value:+}（{depth}手読み、{games}局）{name}\n"),
    );
    text.push_str(args.lang.choose("move  value  games  success\n", "手    評価    局数 得点率\n"));
    for known in book.moves(board) {
        let success =
            known.success.map_or("    -".to_string(), |success| format!("{:4.0}%", 100.0 * success));
        let opening = names.opening_at(board.play_unchecked(known.square));
        let name = opening.and_then(|opening| opening.name(args.lang)).unwrap_or_default();
        let line = moves_text(&best_variation(&book, board, known));
        let _ = writeln!(
            text,
            "{}    {:>+4}  {:>6}   {success}   {line}  {name}",
            known.square, known.value, known.games
        );
    }
    print_text(text)
}

fn build_show_report(book: &Book, position: &Position) -> impl Serialize {
    let board = position.board();
    let entry = book.get(board);
    let json = |known: BookMove| {
        json_object! {
            #[serde(flatten)]
            known,
            opening: OpeningNames::builtin().opening_at(board.play_unchecked(known.square)),
            variation: moves_text(&best_variation(book, board, known)),
        }
    };
    json_object! {
        opening: OpeningNames::builtin().last_opening(position),
        in_book: entry.is_some(),
        value: entry.map(|entry| entry.value()),
        depth: entry.map_or(0, |entry| entry.depth()),
        games: entry.map_or(0, |entry| entry.games()),
        moves: book.moves(board).into_iter().map(json).collect::<Vec<_>>(),
    }
}

/// A move and the best answers in the book.
fn best_variation(book: &Book, board: Board, first: BookMove) -> Vec<ishi_othello::Square> {
    let mut line = vec![first.square];
    let mut board = board.play_unchecked(first.square);
    loop {
        if board.legal_moves() == 0 {
            board = board.pass();
        }
        match book.moves(board).first() {
            Some(best) if line.len() < 60 => {
                line.push(best.square);
                board = board.play_unchecked(best.square);
            }
            _ => return line,
        }
    }
}

// --- convert ---

fn convert_book(args: &BookConvertArgs, context: &Context) -> Result<(), Failure> {
    files::check_writable(&args.to, args.force)?;
    let is_builtin = args.from.as_os_str() == "builtin" && !args.from.exists();
    let book = load_book((!is_builtin).then_some(args.from.as_path()))?;
    let bytes = book.to_format(BookFormat::from_file_name(&args.to.to_string_lossy()));
    files::write_file(&args.to, &bytes, args.force)?;
    let report = json_object! { positions: book.count_searched(), bytes: bytes.len() };
    if args.to.as_os_str() == "-" {
        return Ok(());
    }
    files::print_result(context, &report, || {
        format!("{}: {} positions, {} bytes\n", args.to.display(), report.positions, report.bytes)
    })
}

// --- check ---

#[derive(Serialize)]
struct BookCheckReport {
    positions: usize,
    searched: usize,
    reachable: usize,
    has_records: bool,
    bytes: usize,
    deepest_ply: u32,
    value_of_start: Option<i32>,
}

fn check_book(args: &BookCheckArgs, context: &Context) -> Result<(), Failure> {
    let book = load_book(args.file.as_deref())?;
    let report = BookCheckReport {
        positions: book.len(),
        searched: book.count_searched(),
        reachable: book.reachable_positions().len(),
        has_records: book.has_records(),
        bytes: book.to_bytes().len(),
        deepest_ply: book.entries().map(|(board, _)| 60 - board.empty_count().min(60)).max().unwrap_or(0),
        value_of_start: book.get(Board::START).map(|entry| entry.value()),
    };
    files::print_result(context, &report, || format_check_report(&report))?;
    let problem = |count: usize, what: &str| Failure::Negative(format!("{count} positions {what}"));
    match (report.positions - report.searched, report.positions - report.reachable) {
        (0, 0) => Ok(()),
        (0, lost) => Err(problem(lost, "cannot be reached from the start")),
        (open, _) => Err(problem(open, "are not searched yet")),
    }
}

fn format_check_report(report: &BookCheckReport) -> String {
    let records = if report.has_records { "with" } else { "without" };
    format!(
        "{} positions, {} searched, {} reached from the start, {records} counts of records, {} bytes\n\
         deepest after {} moves; value of the start for Black: {}\n",
        report.positions,
        report.searched,
        report.reachable,
        report.bytes,
        report.deepest_ply,
        report.value_of_start.map_or("unknown".to_string(), |value| format!("{value:+}")),
    )
}
