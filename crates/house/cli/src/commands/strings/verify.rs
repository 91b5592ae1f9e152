//! `ishi strings verify`: the independent checker at work on a file.

use std::path::PathBuf;

use clap::Args;
use ishi_grid::verify::{BoardVerdict, Verifier, chain_at};
use ishi_words::format_count;
use serde::Serialize;

use super::boards::{self, FileBoard, LetterBoard};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi strings verify board.sgf                the set-up of a record, and the position after its moves
  ishi strings verify board.txt --expect 277   rows of . (empty), X (black) and O (white)
  ishi strings construct 100x80 --out - | ishi strings verify -

Counts the chains of a board by the rules of Go alone, and looks whether each has a liberty. The \
checker shares no code with the solvers.

Exit code 0: every chain has a liberty, and there are as many as --expect says. 1: not so, and \
the first chain without a liberty is named. 3: the file shows no board.";

/// Options of `ishi strings verify`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct VerifyArgs {
    /// A record (SGF) or a text; - is standard input
    file: PathBuf,
    /// Chains that the last position must have
    #[arg(long, value_name = "N")]
    expect: Option<u64>,
}

/// What is told of a position.
#[derive(Serialize)]
struct VerifiedPosition {
    position: String,
    width: usize,
    height: usize,
    chains: u64,
    black_chains: u64,
    white_chains: u64,
    black_stones: u64,
    white_stones: u64,
    empty_points: u64,
    /// Has every chain a liberty?
    alive: bool,
    chains_without_liberty: u64,
    /// The first chain without a liberty, in reading order.
    first_without_liberty: Option<DeadChain>,
}

#[derive(Serialize)]
struct DeadChain {
    color: &'static str,
    points: Vec<String>,
}

/// Checks a file.
pub fn run(args: &VerifyArgs, context: &Context) -> Result<(), Failure> {
    let file = args.file.display().to_string();
    let mut positions = Vec::new();
    for shown in boards::read_boards(&args.file)? {
        positions.push(verify_position(shown, context)?);
    }
    let wrong = find_fault(&positions, args.expect);
    let report = json_object! { file, positions, expected: args.expect, ok: wrong.is_none() };
    files::print_result(context, &report, || report.positions.iter().map(format_position).collect())?;
    wrong.map_or(Ok(()), |wrong| Err(Failure::Negative(wrong)))
}

/// Looks at a board row by row, so that it can be stopped.
pub fn verify_letters(letters: &LetterBoard, context: &Context) -> Result<BoardVerdict, Failure> {
    let mut verifier = Verifier::new(letters.width);
    for row in letters.cells.chunks(letters.width) {
        context.check_stop()?;
        verifier.add_row(row).map_err(Failure::input)?;
    }
    Ok(verifier.finish())
}

fn verify_position(shown: FileBoard, context: &Context) -> Result<VerifiedPosition, Failure> {
    let LetterBoard { width, height, cells } = &shown.letters;
    let verdict = verify_letters(&shown.letters, context)?;
    let offender = verdict.first_dead.map(|first| {
        let points = chain_at(*width, *height, cells, first);
        let color = if cells[first.1 * width + first.0] == b'X' { "black" } else { "white" };
        let points = points.into_iter().map(|point| boards::point_name(*width, *height, point)).collect();
        DeadChain { color, points }
    });
    Ok(VerifiedPosition {
        position: shown.what,
        width: *width,
        height: *height,
        chains: verdict.total_chains(),
        black_chains: verdict.chains[0],
        white_chains: verdict.chains[1],
        black_stones: verdict.stones[0],
        white_stones: verdict.stones[1],
        empty_points: verdict.empty_count(),
        alive: verdict.is_legal(),
        chains_without_liberty: verdict.dead,
        first_without_liberty: offender,
    })
}

fn format_position(report: &VerifiedPosition) -> String {
    let VerifiedPosition {
        position, width, height, chains, black_chains, white_chains, empty_points, ..
    } = report;
    let alive = match report.chains_without_liberty {
        0 => "every chain has a liberty".to_string(),
        1 => "1 chain has no liberty".to_string(),
        dead => format!("{dead} chains have no liberty"),
    };
    let (chains, empty_points) = (format_count(*chains, "chain"), format_count(*empty_points, "empty point"));
    format!(
        "{position}: {width}x{height}, {chains} ({black_chains} black, {white_chains} white), {empty_points}; \
         {alive}\n"
    )
}

/// Points that a message names.
const NAMED: usize = 12;

/// What is not as it should be.
fn find_fault(positions: &[VerifiedPosition], expect: Option<u64>) -> Option<String> {
    for report in positions {
        if let Some(DeadChain { color, points }) = &report.first_without_liberty {
            let named = points.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
            let more = points.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more points") } else { String::new() };
            return Some(format!("{}: the {color} chain {named}{more} has no liberty", report.position));
        }
    }
    let last = positions.last()?;
    let expected = expect.filter(|&expected| expected != last.chains)?;
    Some(format!("{}: {}, not {expected}", last.position, format_count(last.chains, "chain")))
}
