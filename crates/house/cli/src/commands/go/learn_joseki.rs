//! `ishi go learn-joseki`: joseki counted in records, and held against other games.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use ishi_patterns::joseki::book::Joseki;
use ishi_patterns::joseki::learn::{self, JosekiCoverage, JosekiLearnParams};
use serde::Serialize;

use super::games::{read_games, read_some_games};
use super::joseki::encode_book;
use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::number_in;

pub(super) const HELP: &str = "\
Examples:
  ishi go learn-joseki games.txt.gz --out my.txt          text, to read and edit
  ishi go learn-joseki games.txt.gz --out my.bin          packed: little more than a byte a move
  ishi go learn-joseki games.txt.gz --validate others.txt.gz
  ishi go learn-joseki games.txt.gz --min-count 10 --json

Counts the moves in the four corners (10x10 points each) of games on 19x19 without handicap. \
Corners, mirror images and colours are one. Other orders of the same moves meet in one \
position. --validate says how many of the first moves of other games are known. It also says how \
often the book's first answer to a move in a corner is the answer that was given there.

`ishi go records` makes games.txt.gz out of SGF. `ishi go joseki --book my.txt` looks at what \
was learned. docs/patterns.md explains it.";

/// Options of `ishi go learn-joseki`.
#[derive(Args, Debug)]
pub(super) struct LearnJosekiArgs {
    /// Games (of `ishi go records`) to count in; - is standard input
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// Count in the first so many games only
    #[arg(long = "games", value_name = "N", value_parser = number_in::<usize>(1..))]
    games_limit: Option<usize>,
    /// Where the joseki go: text if the name ends in .txt, else packed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// A move is kept if it was played so often
    #[arg(long, default_value_t = JosekiLearnParams::default().min_count, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    min_count: u32,
    /// Moves of a corner that are followed
    #[arg(long, default_value_t = JosekiLearnParams::default().depth, value_name = "N", value_parser = number_in::<usize>(1..))]
    depth: usize,
    /// Records to hold the joseki against
    #[arg(long, value_name = "GAMES")]
    validate: Option<PathBuf>,
    /// Moves of each of these games that are looked at
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = number_in::<usize>(1..))]
    validate_moves: usize,
}

#[derive(Serialize)]
struct LearnJosekiReport {
    games: usize,
    positions: usize,
    moves: usize,
    moves_played_5_times: usize,
    moves_played_10_times: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<JosekiValidation>,
}

#[derive(Serialize)]
struct JosekiValidation {
    games: usize,
    moves: usize,
    /// Share of the moves that the book knows.
    known: f64,
    answers: usize,
    /// Share of the answers in a corner that are the book's first.
    right: f64,
}

/// Counts, writes and measures.
pub(super) fn run(args: &LearnJosekiArgs, context: &Context) -> Result<(), Failure> {
    files::check_all_writable(&args.out, args.force)?;
    let valid = args.validate.as_deref().map(|path| read_games(path, usize::MAX)).transpose()?;
    let games = read_some_games(&args.games, args.games_limit)?;
    let params = JosekiLearnParams { min_count: args.min_count, depth: args.depth };
    let joseki = learn::learn_joseki_until(&games, params, &|| context.is_stop_requested())
        .ok_or(Failure::Interrupted)?;
    let mut report = build_report(&joseki, games.len());
    if let Some(out) = &args.out {
        let bytes = encode_book(&joseki, out);
        report.bytes = Some(bytes.len());
        files::write_file(out, &bytes, args.force)?;
    }
    if let Some(valid) = valid {
        let JosekiCoverage { moves, known, answers, right } =
            learn::measure_coverage(&joseki, &valid, args.validate_moves);
        let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
        let (known, right) = (share(known, moves), share(right, answers));
        report.validation = Some(JosekiValidation { games: valid.len(), moves, known, answers, right });
    }
    files::print_result_beside(args.out.as_deref(), context, &report, || report.to_text())
}

fn build_report(joseki: &Joseki, games: usize) -> LearnJosekiReport {
    LearnJosekiReport {
        games,
        positions: joseki.nodes().len(),
        moves: joseki.move_count(),
        moves_played_5_times: joseki.count_moves_played(5),
        moves_played_10_times: joseki.count_moves_played(10),
        bytes: None,
        validation: None,
    }
}

impl LearnJosekiReport {
    fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{} moves in {} positions of a corner, from {} games.",
            self.moves, self.positions, self.games
        );
        let _ = writeln!(text, "  played 10 times or more: {}", self.moves_played_10_times);
        let _ = writeln!(text, "  played  5 times or more: {}", self.moves_played_5_times);
        if let Some(bytes) = self.bytes {
            let each = bytes as f64 / self.moves.max(1) as f64;
            let _ = writeln!(text, "The file has {bytes} bytes, {each:.2} a move.");
        }
        if let Some(found) = &self.validation {
            let _ = writeln!(text, "{} moves of {} other games:", found.moves, found.games);
            let _ = writeln!(text, "  known to the book: {:.1} %", 100.0 * found.known);
            let _ = writeln!(
                text,
                "  its first answer in a corner is right: {:.1} % of {}",
                100.0 * found.right,
                found.answers
            );
        }
        text
    }
}
