//! `ishi strings construct`: very large boards with the most chains, built and verified.

use std::path::PathBuf;

use clap::Args;
use ishi_arena::stopwatch::process_cpu_time;
use ishi_grid::construct::{self, Construction, SHORTEST, domination_number};
use ishi_grid::verify::{BoardVerdict, Verifier};
use serde::Serialize;

use super::boards::BoardFormat;
use super::work::peak_bytes;
use crate::context::{Context, Failure, write_to_stderr};
use crate::numbers::size_in;
use crate::{figures, files};

const HELP: &str = "\
Examples:
  ishi strings construct 10000               79,992,004 chains on 10,000 x 10,000 points
  ishi strings construct 300x200 --out board.txt
  ishi strings construct 25 --out board.svg  a picture; .sgf makes a record

On every board of 16 lines or more each way floor((n + 2)(m + 2) / 5) - 4 empty points are enough, and \
none does with fewer (Goncalves, Pinlou, Rao and Thomasse 2011). This builds the board of the proof, and \
has it counted by the independent checker. Smaller boards: ishi strings 15.";

/// Options of `ishi strings construct`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct ConstructArgs {
    /// Lines of the board, as 300 or 10000x8000; 16 or more each way
    #[arg(value_parser = size_in(SHORTEST..=MOST))]
    size: (usize, usize),
    /// Write the board here: rows of letters, a picture (.svg), or a record (.sgf); - is standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

/// Lines each way that are built: a board of a million times a million would take days.
const MOST: usize = 100_000;

#[derive(Serialize)]
struct ConstructReport {
    width: usize,
    height: usize,
    chains: u64,
    black_chains: u64,
    white_chains: u64,
    empty_points: u64,
    /// `floor((n + 2)(m + 2) / 5) - 4`.
    domination_number: usize,
    verified: bool,
    cpu_seconds: f64,
    /// The most memory that the process has held so far; Linux only.
    peak_bytes: Option<u64>,
}

/// Builds, verifies, and writes.
pub fn run(args: &ConstructArgs, context: &Context) -> Result<(), Failure> {
    let (width, height) = args.size;
    if let Some(out) = &args.out {
        BoardFormat::from_path(out).check_size(width, height)?;
    }
    let before = process_cpu_time();
    let construction = construct::construct_empties(width, height)
        .ok_or_else(|| Failure::Input(format!("a board of {width}x{height} is not constructed")))?;
    let verdict = verify_construction(&construction, context)?;
    let cpu_seconds = (process_cpu_time() - before).as_secs_f64();
    let expected = domination_number(width, height).unwrap_or_default();
    let verified = verdict.is_legal() && verdict.empty_count() == expected as u64;
    let report = ConstructReport {
        width,
        height,
        chains: verdict.total_chains(),
        black_chains: verdict.chains[0],
        white_chains: verdict.chains[1],
        empty_points: verdict.empty_count(),
        domination_number: expected,
        verified,
        cpu_seconds,
        peak_bytes: None,
    };
    write_board(args, &construction)?;
    print_report(args, &ConstructReport { peak_bytes: peak_bytes(), ..report }, context)?;
    if verified { Ok(()) } else { Err(Failure::Negative("the board is not optimal".to_string())) }
}

/// Has the independent checker look at every row as it is built.
fn verify_construction(construction: &Construction, context: &Context) -> Result<BoardVerdict, Failure> {
    let mut verifier = Verifier::new(construction.width());
    let mut letters = Vec::with_capacity(construction.width());
    for y in 0..construction.height() {
        context.check_stop()?;
        construction.write_row(y, &mut letters);
        verifier.add_row(&letters).map_err(Failure::outside)?;
    }
    Ok(verifier.finish())
}

fn print_report(args: &ConstructArgs, report: &ConstructReport, context: &Context) -> Result<(), Failure> {
    let text = files::result_text(context, report, || format_report(report))?;
    // Standard output may be taken by the board.
    if args.out.as_deref().is_some_and(files::is_standard) {
        if !context.quiet {
            write_to_stderr(format_args!("{text}"));
        }
        return Ok(());
    }
    files::print_bytes(text.as_bytes())
}

fn format_report(report: &ConstructReport) -> String {
    let ConstructReport { width, height, chains, black_chains, white_chains, empty_points, .. } = report;
    let verdict = if report.verified { "verified: every chain has a liberty" } else { "NOT verified" };
    let memory =
        report.peak_bytes.map_or(String::new(), |bytes| format!(", {} MB at most", bytes / 1_000_000));
    format!(
        "{width}x{height}: {chains} chains ({black_chains} black, {white_chains} white), {empty_points} empty points\n\
         floor(({width} + 2)({height} + 2) / 5) - 4 = {}\n{verdict}\n{} of CPU{memory}\n",
        report.domination_number,
        figures::format_seconds(report.cpu_seconds),
    )
}

fn write_board(args: &ConstructArgs, construction: &Construction) -> Result<(), Failure> {
    let Some(out) = &args.out else { return Ok(()) };
    let format = BoardFormat::from_path(out);
    if format != BoardFormat::Text {
        let (width, height) = (construction.width(), construction.height());
        let title =
            format!("{} chains on {width}x{height}, every one with a liberty", construction.string_count());
        return files::write_file(
            out,
            format.render(&construction.to_board(), &title).as_bytes(),
            args.force,
        );
    }
    let mut text = Vec::with_capacity((construction.width() + 1) * construction.height());
    let mut letters = Vec::new();
    for y in 0..construction.height() {
        construction.write_row(y, &mut letters);
        text.extend_from_slice(&letters);
        text.push(b'\n');
    }
    files::write_file(out, &text, args.force)
}
