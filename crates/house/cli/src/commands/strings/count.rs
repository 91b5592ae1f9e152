//! `ishi strings count`: how many boards of alternating colours there are, by their number of strings.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use ishi_grid::domination::{
    BoardCounts, BoardShape, CountError, DEEPEST, DominationOptions, DominationStatus, SweepCheckpoints,
    count_boards, count_boards_with_checkpoints, solve_domination,
};
use ishi_grid::frontier::{self, symmetry};
use ishi_grid::{LayerObserver, LayerStep, construct};
use serde::Serialize;

use super::work::{SweepWatch, WorkCost, WorkMeter};
use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::size_in;

const HELP: &str = "\
Examples:
  ishi strings count 39                     optimal boards of 39x39
  ishi strings count 6 --numbers 3          also boards with one and two strings less
  ishi strings count 12 --up-to-symmetry    turned and mirrored boards are one
  ishi strings count 64 --checkpoint 64.part   minutes; go on after Ctrl-C with the same command
  ishi strings count 5 --all                by every number of strings

The boards that are counted have white stones on even and black stones on odd points, every stone \
with a liberty. These are the boards of theorem 1. ishi strings positions counts in any colours. \
Up to symmetry, boards count as one if a symmetry carries their empty points into each other.";

/// Up to so many lines tables of the usual depth are enough.
const FEW_STATES: usize = 24;

/// Counts boards exactly.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct CountArgs {
    /// Lines of the board, as 19 or 9x13
    #[arg(value_parser = size_in(1..=127))]
    size: (usize, usize),
    /// Numbers of strings to count: 1 for the optimum, 2 for one string less as well, and so on
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=128))]
    numbers: u8,
    /// Every number of strings, down to the empty board; for small boards
    #[arg(long, conflicts_with = "numbers")]
    all: bool,
    /// Count optimal boards up to the symmetries of the board as well
    #[arg(long, conflicts_with_all = ["numbers", "all"])]
    up_to_symmetry: bool,
    /// Save the work here every minute and on Ctrl-C, and go on from there next time
    #[arg(long, value_name = "FILE", conflicts_with = "up_to_symmetry")]
    checkpoint: Option<PathBuf>,
}

/// Time between two checkpoints.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(60);

/// Whole numbers are text: they are larger than what other programs read as numbers.
#[derive(Serialize)]
struct CountReport {
    width: usize,
    height: usize,
    rows: Vec<CountRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symmetry: Option<SymmetryReport>,
    widest_layer_states: usize,
    states: u64,
    #[serde(flatten)]
    cost: WorkCost,
}

#[derive(Serialize)]
struct CountRow {
    strings: usize,
    boards: String,
}

#[derive(Serialize)]
struct SymmetryReport {
    boards: String,
    fixed: Vec<FixedCount>,
}

#[derive(Serialize)]
struct FixedCount {
    symmetry: &'static str,
    /// Symmetries of the kind.
    times: u32,
    /// Boards that each of them leaves alone.
    boards: String,
}

/// Counts and prints.
pub fn run(args: &CountArgs, context: &Context) -> Result<(), Failure> {
    files::check_all_writable(&args.checkpoint, true)?;
    let (width, height) = args.size;
    let meter = WorkMeter::start();
    let shape = BoardShape::new(width, height);
    let counts = count_with_progress(args, &shape, context)?;
    let symmetry = args.up_to_symmetry.then(|| count_up_to_symmetry(&counts, &shape, context)).transpose()?;
    let most = shape.cell_count() - counts.empties;
    let rows = counts.boards.iter().map(ToString::to_string).enumerate();
    let report = CountReport {
        width,
        height,
        rows: rows.map(|(less, boards)| CountRow { strings: most - less, boards }).collect(),
        symmetry,
        widest_layer_states: counts.widest,
        states: counts.states,
        cost: meter.read_cost(context),
    };
    files::print_result(context, &report, || format_report(&report))
}

fn count_with_progress(
    args: &CountArgs,
    shape: &BoardShape,
    context: &Context,
) -> Result<BoardCounts, Failure> {
    let options = DominationOptions { threads: context.threads, ..DominationOptions::default() };
    let mut watch = SweepWatch::new(context);
    let mut observer = |step: LayerStep| watch.observe_layer(step, "");
    let empties = match construct::construct_empties(shape.width(), shape.height()) {
        // The count would find any smaller set: that the construction is optimal need not be proved before.
        Some(built) => built.empty_count(),
        None => solve_empties(shape, options, &mut observer)?,
    };
    let most = shape.cell_count() - empties + 1;
    let numbers = if args.all { most } else { usize::from(args.numbers).min(most) };
    // Deeper tables take longer, and save more than that where there are many states.
    let depth = if shape.width().min(shape.height()) > FEW_STATES { DEEPEST } else { options.depth };
    let options = DominationOptions { depth, ..options };
    let Some(path) = &args.checkpoint else {
        return count_boards(shape, empties, numbers, options, &mut observer).map_err(count_failure);
    };
    let resume = path.exists().then(|| files::read_file_or_stdin(path)).transpose()?;
    let (mut written, mut trouble) = (Instant::now(), None);
    let mut save = |bytes: &dyn Fn() -> Vec<u8>| {
        if written.elapsed() >= BETWEEN_CHECKPOINTS || context.is_stop_requested() {
            trouble = files::write_file(path, &bytes(), true).err().or(trouble.take());
            written = Instant::now();
        }
    };
    let checkpoints = SweepCheckpoints { resume, save: &mut save };
    let counts =
        count_boards_with_checkpoints(shape, empties, numbers, options, &mut observer, Some(checkpoints));
    match (counts, trouble) {
        (Ok(counts), trouble) => {
            // A count that is finished needs no checkpoint.
            if let Some(trouble) = trouble {
                tell!("ishi: warning: {trouble}");
            }
            files::remove_if_possible(path);
            Ok(counts)
        }
        (Err(CountError::Checkpoint(error)), _) => Err(Failure::in_file(path, error)),
        (Err(_), Some(trouble)) => Err(trouble),
        (Err(error), None) => Err(count_failure(error)),
    }
}

fn solve_empties(
    shape: &BoardShape,
    options: DominationOptions,
    observer: LayerObserver<'_>,
) -> Result<usize, Failure> {
    let solution = solve_domination(shape, options, observer);
    match (solution.status, solution.empties) {
        (DominationStatus::Optimal, Some(empties)) => Ok(empties),
        (DominationStatus::Stopped, _) => Err(Failure::Interrupted),
        _ => Err(Failure::Input("the board is too large to be solved".into())),
    }
}

fn count_failure(error: CountError) -> Failure {
    match error {
        CountError::Stopped => Failure::Interrupted,
        error => Failure::input(error),
    }
}

fn count_up_to_symmetry(
    counts: &BoardCounts,
    shape: &BoardShape,
    context: &Context,
) -> Result<SymmetryReport, Failure> {
    let mut watch = SweepWatch::new(context);
    let mut stopped = false;
    let options = frontier::SweepOptions { threads: context.threads, ..frontier::SweepOptions::default() };
    let orbits = symmetry::count_orbits(
        shape.width(),
        shape.height(),
        counts.empties as u32,
        Some(&counts.boards[0]),
        options,
        &mut |symmetry, progress| {
            let flow = watch.observe_layer(progress, format_args!("{}: ", symmetry.name()));
            stopped |= flow == ControlFlow::Break(());
            flow
        },
    );
    if stopped {
        return Err(Failure::Interrupted);
    }
    let orbits = orbits.map_err(Failure::input)?;
    let fixed = orbits.fixed.iter().map(|(symmetry, times, boards)| FixedCount {
        symmetry: symmetry.name(),
        times: *times,
        boards: boards.to_string(),
    });
    Ok(SymmetryReport { boards: orbits.classes.to_string(), fixed: fixed.collect() })
}

fn format_report(report: &CountReport) -> String {
    let CountReport { width, height, .. } = report;
    let mut text = format!("{width}x{height}, boards of alternating colours\n");
    let widest = report.rows.iter().map(|row| row.boards.len()).max().unwrap_or(0);
    for (less, row) in report.rows.iter().enumerate() {
        let note = if less == 0 { "  the most possible" } else { "" };
        text += &format!("{:6} strings  {:>widest$}{note}\n", row.strings, row.boards);
    }
    if let Some(symmetry) = &report.symmetry {
        text += &format!("up to symmetry  {}\n", symmetry.boards);
        for fixed in &symmetry.fixed {
            text += &format!("  left alone by {} ({}): {}\n", fixed.symmetry, fixed.times, fixed.boards);
        }
    }
    let (states, widest) = (report.states, report.widest_layer_states);
    text + &format!("{states} states, {widest} in the widest layer\n{}", report.cost.to_line())
}
