//! `ishi strings SIZE`: the most strings on a board, with a board and a proof.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ishi_grid::Board;
use ishi_grid::domination::{BoardShape, DEEP};
use ishi_grid::frontier::Wrap;
use ishi_grid::positions::GivenBoard;
use ishi_grid::strings::{self, StringsError, StringsTask};
use serde::Serialize;

use super::boards::BoardFormat;
use super::work::{SweepWatch, WorkCost, WorkMeter};
use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::size_in;

/// Options of `ishi strings SIZE`.
#[derive(Args, Debug)]
pub struct StringsSolveArgs {
    /// Lines of the board, as 19 or 9x13
    #[arg(value_parser = size_in(1..=10_000))]
    size: (usize, usize),
    /// Points that are given: a text of as many rows of ? (free) . (empty) # (a stone) X (black) O (white)
    #[arg(long, value_name = "FILE", conflicts_with = "wrap")]
    given: Option<PathBuf>,
    /// Join the columns at both ends (cylinder), or the rows as well (torus)
    #[arg(long, value_enum)]
    wrap: Option<WrapName>,
    /// Write the board here: rows of letters, a picture (.svg), or a record (.sgf); - is standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a proof that no board has more here; `ishi strings check FILE` checks it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["given", "wrap"])]
    certificate: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum WrapName {
    Cylinder,
    Torus,
}

impl WrapName {
    fn to_wrap(self) -> Wrap {
        match self {
            WrapName::Cylinder => Wrap::Cylinder,
            WrapName::Torus => Wrap::Torus,
        }
    }

    fn surface_name(self) -> &'static str {
        match self {
            WrapName::Cylinder => "cylinder",
            WrapName::Torus => "torus",
        }
    }
}

/// Boards with longer sides are not printed.
const MOST_PRINTED: usize = 60;

#[derive(Serialize)]
struct StringsSolveReport {
    width: usize,
    height: usize,
    /// `board`, `cylinder` or `torus`.
    surface: &'static str,
    /// Strings of the board found.
    strings: usize,
    /// No board has more.
    bound: usize,
    optimal: bool,
    empty_points: usize,
    /// Most states of a frontier, and states of all frontiers.
    widest_layer_states: usize,
    states: u64,
    /// Counted by the checker that shares nothing with the solver; boards without wraps only.
    verified: bool,
    /// Top row first.
    board: Board,
    #[serde(flatten)]
    cost: WorkCost,
}

/// Solves and prints.
pub fn run(args: &StringsSolveArgs, context: &Context) -> Result<(), Failure> {
    let (width, height) = args.size;
    if let Some(out) = &args.out {
        BoardFormat::from_path(out).check_size(width, height)?;
    }
    files::check_all_writable(&args.certificate, args.force)?;
    let given = args.given.as_deref().map(|path| read_given(path, width, height)).transpose()?;
    let meter = WorkMeter::start();
    let wrap = args.wrap.map(WrapName::to_wrap);
    let task = StringsTask { wrap, given, threads: context.threads, ..StringsTask::new(width, height) };
    let mut watch = SweepWatch::new(context);
    let found = strings::solve_task(&task, &mut |progress| {
        watch.observe_progress(progress.with_note(progress.note.as_str()))
    });
    drop(watch);
    let found = found.map_err(solve_failure)?;
    let report = StringsSolveReport {
        width,
        height,
        surface: args.wrap.map_or("board", WrapName::surface_name),
        strings: found.strings,
        bound: found.bound,
        optimal: found.strings == found.bound,
        empty_points: found.board.empty_count(),
        widest_layer_states: found.widest,
        states: found.states,
        verified: found.verified,
        board: found.board,
        cost: meter.read_cost(context),
    };
    let title = format!("{} strings on {width}x{height}", found.strings);
    if let Some(place) = &args.certificate {
        write_certificate(place, &report, args.force, context)?;
    }
    if let Some(out) = &args.out {
        files::write_file(
            out,
            BoardFormat::from_path(out).render(&report.board, &title).as_bytes(),
            args.force,
        )?;
    }
    files::print_result_beside(args.out.as_deref(), context, &report, || format_report(&report))
}

fn solve_failure(error: StringsError) -> Failure {
    match error {
        StringsError::Stopped => Failure::Interrupted,
        StringsError::Infeasible => Failure::Negative(error.to_string()),
        StringsError::Input(what) => Failure::Input(what.to_string()),
        StringsError::Wrong { .. } => Failure::Outside(error.to_string()),
    }
}

/// Writes the proof that no board has more strings.
fn write_certificate(
    place: &Path,
    report: &StringsSolveReport,
    force: bool,
    context: &Context,
) -> Result<(), Failure> {
    let StringsSolveReport { width, height, bound, .. } = *report;
    let proof = super::prove::checked_certificate(
        &BoardShape::new(width, height),
        width * height - bound,
        DEEP,
        context,
    )?;
    files::write_file(place, proof.to_string().as_bytes(), force)
}

fn read_given(path: &Path, width: usize, height: usize) -> Result<GivenBoard, Failure> {
    let text = String::from_utf8(files::read_file_or_stdin(path)?)
        .map_err(|_| Failure::Input(format!("{}: it must be text in UTF-8", path.display())))?;
    strings::read_given(&text, width, height).map_err(|error| Failure::in_file(path, error))
}

fn format_report(report: &StringsSolveReport) -> String {
    let StringsSolveReport { width, height, strings, bound, .. } = report;
    let surface = if report.surface == "board" { String::new() } else { format!(" {}", report.surface) };
    let mut text = if report.optimal {
        format!("{width}x{height}{surface}: {strings} strings, which is the most possible\n")
    } else {
        format!(
            "{width}x{height}{surface}: {strings} strings found; proved is that no board has more than {bound}\n"
        )
    };
    let (states, widest) = (report.states, report.widest_layer_states);
    text += &format!("{} empty points; {states} states, {widest} in the widest layer\n", report.empty_points);
    if report.verified {
        text += "the board was checked independently: every string has a liberty\n";
    } else {
        text += "no record of Go can hold a board with wraps: the checker does not know them\n";
    }
    if *width.max(height) <= MOST_PRINTED {
        text += &format!("\n{}\n", report.board);
    } else {
        text += "the board is too wide to print: --out board.txt, .svg or .sgf\n";
    }
    text + &report.cost.to_line()
}
