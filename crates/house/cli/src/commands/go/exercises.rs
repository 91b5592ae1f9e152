//! `ishi go exercises`: positions whose life and death reading has settled, out of records.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_patterns::exercises;
use ishi_patterns::records::{self, RecordedGame};
use ishi_rng::checksum::{check_sealed_lines, fnv_checksum, seal_lines};
use serde::Serialize;

use super::games::read_text;
use crate::context::{Context, Failure};
use crate::files;

pub(super) const HELP: &str = "\
Examples:
  ishi go exercises games.txt.gz --positions 20000 --out life.txt --threads 2
  ishi go exercises games.txt.gz --positions 20000 --out life.txt --resume
  ishi go learn-network life.txt --exercises --from my.bin --rate 0.002 --out life.bin

Draws positions from the records, and reads the life and death of their groups. Some are cut out as \
problems are drawn, and some get a few stones by chance. Where reading finds the answer, the file gets \
the positions on the way in which few moves are right, with these moves. docs/patterns.md has the \
format, and what a network learns from them.

Games of fewer than 60 moves are left out. The file is written every 200 positions, and at Ctrl-C (exit code 130). --resume goes on \
from there, with the same options. The result does not depend on --threads. `ishi go records` \
makes games.txt.gz out of SGF.";

/// Positions between two savings.
const SAVE_EVERY: u64 = 200;
/// How the line begins that says how far it is.
const DONE: &str = "# positions ";

/// Options of `ishi go exercises`.
#[derive(Args, Debug)]
pub(super) struct ExercisesArgs {
    /// Games (of `ishi go records`) to draw positions from; - is standard input
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// Where the exercises go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Go on from the file as it is
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Positions to draw
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    positions: u64,
    /// Moves that are read for a group at most
    #[arg(long, default_value_t = 40_000, value_name = "N", value_parser = clap::value_parser!(u32).range(100..))]
    most: u32,
}

/// Reads, and writes what is found.
pub(super) fn run(args: &ExercisesArgs, context: &Context) -> Result<(), Failure> {
    if files::is_standard(&args.out) {
        return Err(Failure::input("--out: give a file, as it is written again and again"));
    }
    files::check_writable(&args.out, args.force || args.resume)?;
    let records = read_text(&args.games)?;
    let wrong = |problem: String| Failure::in_file(&args.games, problem);
    let games: Vec<RecordedGame> =
        records::parse_records(&records).map_err(|error| wrong(error.to_string()))?;
    if !games.iter().any(exercises::is_long_enough) {
        return Err(wrong("there is no game of 60 moves or more".to_string()));
    }
    let sum = fnv_checksum(records.as_bytes());
    let purpose =
        format!("{}2 games {sum:016x} most {} seed {}", exercises::HEAD_NAME, args.most, context.seed);
    let (mut text, mut done) =
        if args.resume { read_unfinished(&args.out, &purpose)? } else { (String::new(), 0) };
    let save = |text: &str, done: u64| {
        files::write_file(&args.out, seal_lines(&format!("{purpose}\n{DONE}{done}\n{text}")).as_bytes(), true)
    };
    while done < args.positions {
        let end = args.positions.min(done + SAVE_EVERY);
        let draw = |number| exercises::draw_exercises(&games, number, args.most, context.seed);
        for found in context.map_numbers(done..end, || {}, |_, number| draw(number)) {
            for exercise in found {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{exercise}");
            }
            done += 1;
        }
        save(&text, done)?;
        if done < end {
            return Err(Failure::Interrupted);
        }
        let found = text.lines().count();
        context.print_progress(format_args!("{done} of {} positions: {found} exercises", args.positions));
    }
    save(&text, done)?;
    let report = ExercisesReport { games: games.len(), positions: done, exercises: text.lines().count() };
    files::print_result(context, &report, || {
        let (ExercisesReport { games, positions, exercises }, seed) = (&report, context.seed);
        format!("{exercises} exercises from {positions} positions of {games} games, seed {seed}.\n")
    })
}

/// What a file of the same options has already: its exercises, and from how many positions.
fn read_unfinished(path: &Path, purpose: &str) -> Result<(String, u64), Failure> {
    let text = read_text(path)?;
    let wrong = |problem: String| Failure::in_file(path, problem);
    if text.starts_with("# ishi-exercises-1 ") {
        let problem = "made by an older ishi, without a checksum: it can be learned from, but not gone on with; give another --out";
        return Err(wrong(problem.to_string()));
    }
    check_sealed_lines(&text, exercises::HEAD_NAME)
        .map_err(|error| wrong(format!("{error}; begin again with --force")))?;
    let other = || wrong("not begun with these games, options and seed".to_string());
    let (_, unsealed) = text.split_once('\n').ok_or_else(other)?;
    let rest = unsealed.strip_prefix(purpose).and_then(|rest| rest.strip_prefix('\n')).ok_or_else(other)?;
    let (done, rest) = rest.split_once('\n').ok_or_else(other)?;
    let done = done.strip_prefix(DONE).and_then(|done| done.parse().ok()).ok_or_else(other)?;
    exercises::parse_exercises(rest).map_err(|error| Failure::in_file(path, error))?;
    let end = if rest.is_empty() || rest.ends_with('\n') { "" } else { "\n" };
    Ok((format!("{rest}{end}"), done))
}

#[derive(Serialize)]
struct ExercisesReport {
    /// Games that positions were drawn from.
    games: usize,
    positions: u64,
    exercises: usize,
}
