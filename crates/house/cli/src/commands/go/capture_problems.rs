//! `ishi go capture-problems`: questions of capture out of records, settled by long search.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use ishi_go_play::problems::captures::{self, CaptureDrawer};
use ishi_go_play::problems::text::format_problem;
use ishi_patterns::records::{self, RecordedGame};
use serde::Serialize;

use super::games::read_text;
use crate::context::{Context, Failure};
use crate::files;

pub(super) const HELP: &str = "\
Examples:
  ishi go capture-problems games.txt.gz --out captures.txt
  ishi go capture-problems games.txt.gz --games 500 --most 5000 --out captures.txt --threads 2
  ishi go problems captures.txt --engine go-random --exact          the readers' answers to them

Draws two positions from each game, and from each up to three chains of up to four liberties. The quick reader and \
lambda search differ about these chains, or take long to read them. Each is asked `attack`, and `defend` where it can \
be captured. Long search both ways settles the answer, with every move near the chain that brings it about. Where the \
quick reader answers otherwise, searches six times as long settle it. What is not settled is left out, and counted. \
The file is one of problems (docs/reading.md). A name is GAME:MOVE:CHAIN:QUESTION, so that questions can be parted by \
games. The result does not depend on --threads. The \
records are games as `ishi go records` makes them out of SGF. At Ctrl-C nothing is \
written (exit code 130).";

/// Games that are drawn from at a time.
const BATCH: u64 = 20;

/// Options of `ishi go capture-problems`.
#[derive(Args, Debug)]
pub(super) struct CaptureProblemsArgs {
    /// Games (of `ishi go records`) to draw positions from; - is standard input
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// Where the problems go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Draw from so many games, the first ones
    #[arg(long = "games", id = "limit", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games_limit: Option<u64>,
    /// Moves of each search that settles a question, at most; proofs have twice as many
    #[arg(long, default_value_t = 3000, value_name = "N", value_parser = clap::value_parser!(u32).range(100..))]
    most: u32,
}

#[derive(Serialize)]
struct CaptureProblemsReport {
    /// Games that positions were drawn from.
    games: u64,
    problems: usize,
    /// Questions that were not settled.
    unsettled: usize,
}

/// Draws the questions, and writes them.
pub(super) fn run(args: &CaptureProblemsArgs, context: &Context) -> Result<(), Failure> {
    files::check_writable(&args.out, args.force)?;
    let text = read_text(&args.games)?;
    let wrong = |problem: String| Failure::in_file(&args.games, problem);
    let games: Vec<RecordedGame> = records::parse_records(&text).map_err(|error| wrong(error.to_string()))?;
    if !games.iter().any(captures::is_long_enough) {
        return Err(wrong("there is no game of more than 30 moves on a square board".to_string()));
    }
    let wanted = args.games_limit.unwrap_or(u64::MAX).min(games.len() as u64);
    let mut report = CaptureProblemsReport { games: wanted, problems: 0, unsettled: 0 };
    let mut out = format!("# questions of capture, searches of {} moves, seed {}\n", args.most, context.seed);
    let mut done = 0;
    while done < wanted {
        let end = wanted.min(done + BATCH);
        let batch = context.map_numbers(
            done..end,
            || CaptureDrawer::new(args.most, context.seed),
            |drawer, number| drawer.draw(&games[number as usize], number),
        );
        if (batch.len() as u64) < end - done {
            return Err(Failure::Interrupted);
        }
        for drawn in batch {
            report.problems += drawn.settled.len();
            report.unsettled += drawn.unsettled;
            for of in &drawn.settled {
                // Writing to a string cannot fail.
                let _ = writeln!(out, "{}", format_problem(&of.problem, of.to_move));
            }
        }
        done = end;
        context.print_progress(format_args!("{done} of {wanted} games: {} problems", report.problems));
    }
    files::write_file(&args.out, out.as_bytes(), args.force)?;
    files::print_result(context, &report, || {
        let (CaptureProblemsReport { games, problems, unsettled }, seed) = (&report, context.seed);
        format!("{problems} problems from {games} games, {unsettled} questions not settled, seed {seed}.\n")
    })
}
