//! `ishi strings growth`: how the number of optimal boards grows, and the number for boards too large to count.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use ishi_grid::growth::{
    CountPrediction, CriticalEdge, LosslessWindow, Polynomial, RectangleCounts, Strip, StripGround,
};
use ishi_grid::sequences::{SequenceError, TermWork, count_optimal_boards};
use ishi_work::Progress;
use serde::Serialize;

use super::ledger::Ledger;
use super::work::SweepWatch;
use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::size_in;

const HELP: &str = "\
Examples:
  ishi strings growth                      the matrix of an edge, its polynomial, the recurrences
  ishi strings growth --counts data/strings/boards.txt     and what they predict of boards that were counted
  ishi strings growth 100 --counts counts.txt              the number of optimal boards of 100x100
  ishi strings growth 20x1000 --counts counts.txt --json

A large optimal board is a perfect code within a border. Walks along the border have a transfer \
matrix, so the numbers of boards satisfy linear recurrences in each side, five lines a step. \
Boards that the recurrence needs are counted first and added to --counts, so that after Ctrl-C the same \
command goes on. It is proved that the recurrence holds from some size on. That it holds from the \
sizes used here is what counts of boards of 20, 21, 22 and 25 lines say (docs/strings.md).";

/// Rows below an edge that can hold critical states: ten rows and one of the code.
const DEPTH: usize = 11;

/// The open strip whose rate bounds what an edge loses.
const OPEN: Strip = Strip { depth: 10, ground: StripGround::Open };

/// Points each way of a square whose middle is a code if it loses nothing, and the margin around the middle.
const WINDOW: (LosslessWindow, usize) = (LosslessWindow { side: 6 }, 1);

/// The kind of lines in the file of counts.
const KIND: &str = "boards";

/// Decimals of the rates.
const DECIMALS: u32 = 20;

/// Prints recurrences and numbers.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct GrowthArgs {
    /// Lines of the board, as 100 or 20x1000
    #[arg(value_parser = size_in(1..=10_000))]
    size: Option<(usize, usize)>,
    /// File of counts, lines such as `boards 20x25 4192532450`; new ones are added
    #[arg(long, value_name = "FILE")]
    counts: Option<PathBuf>,
}

/// Whole numbers are text: they are larger than what other programs read as numbers.
#[derive(Serialize)]
struct GrowthReport {
    states: Vec<String>,
    matrix: Vec<Vec<u64>>,
    primitive: bool,
    open_strip_loses_one_a_column: bool,
    lossless_squares_are_codes: bool,
    side_polynomial: String,
    rectangle_polynomial: String,
    square_polynomial: String,
    side_rate: Option<String>,
    square_rate: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<BoardCount>,
    predictions: Vec<CheckedPrediction>,
}

#[derive(Serialize)]
struct BoardCount {
    width: usize,
    height: usize,
    boards: String,
    /// Counts that it follows from.
    counts: usize,
    /// Is it the count itself? A number by the recurrence is right if the recurrence holds from these sizes on, which is not proved.
    is_counted: bool,
}

#[derive(Serialize)]
struct CheckedPrediction {
    #[serde(flatten)]
    prediction: CountPrediction,
    agrees: bool,
}

/// Computes and prints.
pub fn run(args: &GrowthArgs, context: &Context) -> Result<(), Failure> {
    let mut ledger = Ledger::open(args.counts.as_deref())?;
    let side = CriticalEdge::new(DEPTH);
    let polynomial = side.characteristic_polynomial().nonzero_roots();
    let mut rectangles = known_rectangles(&ledger, &polynomial)?;
    let number = args
        .size
        .map(|size| count_or_extrapolate(size, &mut rectangles, &mut ledger, context))
        .transpose()?;
    let predictions: Vec<CheckedPrediction> =
        rectangles.predictions().into_iter().map(checked_prediction).collect();
    let wrong = predictions.iter().filter(|prediction| !prediction.agrees).count();
    let report = GrowthReport {
        primitive: side.is_primitive(),
        open_strip_loses_one_a_column: OPEN.potentials().is_some(),
        lossless_squares_are_codes: {
            let (window, margin) = WINDOW;
            window.possible_middles(margin) == window.code_middles(margin) && window.neighbours_agree(margin)
        },
        side_polynomial: polynomial.to_string(),
        rectangle_polynomial: rectangles.recurrence().to_string(),
        square_polynomial: polynomial.root_products(4).to_string(),
        side_rate: polynomial.positive_root(1, DECIMALS),
        square_rate: polynomial.positive_root(4, DECIMALS),
        states: side.states,
        matrix: side.matrix,
        number,
        predictions,
    };
    files::print_result(context, &report, || format_report(&report))?;
    if wrong > 0 {
        return Err(Failure::Negative(format!(
            "{wrong} counted numbers are not what the recurrence predicts"
        )));
    }
    Ok(())
}

fn known_rectangles(ledger: &Ledger, polynomial: &Polynomial) -> Result<RectangleCounts, Failure> {
    let mut rectangles = RectangleCounts::new(polynomial);
    for (index, row) in ledger.rows_of_kind(KIND) {
        let (width, height) = size_in(1..=10_000)(index)
            .map_err(|wrong| Failure::Input(format!("the size {index:?} in the file of counts: {wrong}")))?;
        rectangles.insert(width, height, row[0].clone());
    }
    Ok(rectangles)
}

/// Counts what is missing, then extrapolates.
fn count_or_extrapolate(
    (width, height): (usize, usize),
    rectangles: &mut RectangleCounts,
    ledger: &mut Ledger,
    context: &Context,
) -> Result<BoardCount, Failure> {
    let needed = rectangles.needed_counts(width, height);
    let mut watch = SweepWatch::new(context);
    for (place, (w, h)) in needed.iter().enumerate() {
        let index = format!("{w}x{h}");
        if ledger.get(KIND, &index).is_some() {
            continue;
        }
        let boards = Progress::new(place, needed.len(), "boards");
        let mut observe = |step: Progress<&str>| watch.observe_progress(boards.with_note(step.note));
        let threads = NonZeroUsize::new(context.threads).unwrap_or(NonZeroUsize::MIN);
        let counted = count_optimal_boards(*w, *h, &mut TermWork { threads, observe: &mut observe });
        let boards = counted.map_err(|error| match error {
            SequenceError::Stopped => Failure::Interrupted,
            error => Failure::input(error),
        })?;
        ledger.append_row(KIND, &index, vec![boards.boards.clone()])?;
        rectangles.insert(*w, *h, boards.boards);
    }
    let boards = rectangles.board_count(width, height).map_err(Failure::input)?;
    let is_counted = needed.len() == 1;
    Ok(BoardCount { width, height, boards: boards.to_string(), counts: needed.len(), is_counted })
}

fn checked_prediction(prediction: CountPrediction) -> CheckedPrediction {
    CheckedPrediction { agrees: prediction.counted == prediction.predicted, prediction }
}

fn format_report(report: &GrowthReport) -> String {
    let yes = |is: bool| if is { "yes" } else { "no" };
    let mut text = String::from(
        "critical states of an edge (0 stone in need, 1 helped, 2 empty; from the edge down), five columns on:\n",
    );
    for (state, row) in report.states.iter().zip(&report.matrix) {
        let row: Vec<String> = row.iter().map(|walks| format!("{walks:3}")).collect();
        text += &format!("  {state}  {}\n", row.join(""));
    }
    text += &format!("some power has no zero: {}\n", yes(report.primitive));
    text += &format!("ten open rows lose one a column: {}\n", yes(report.open_strip_loses_one_a_column));
    text += &format!(
        "squares without loss are perfect codes inside: {}\n",
        yes(report.lossless_squares_are_codes)
    );
    text += &format!("characteristic polynomial, zeros left out:\n  {}\n", report.side_polynomial);
    text += &format!("one side longer by five lines a step:\n  {}\n", report.rectangle_polynomial);
    text += &format!("squares, by five lines a step:\n  {}\n", report.square_polynomial);
    if let (Some(side), Some(square)) = (&report.side_rate, &report.square_rate) {
        text += &format!("an edge of five points more multiplies the number by {side}\n");
        text += &format!("a square of five lines more by {square}\n");
    }
    if !report.predictions.is_empty() {
        let agree = report.predictions.iter().filter(|prediction| prediction.agrees).count();
        text +=
            &format!("{agree} of {} counts that the recurrence predicts agree\n", report.predictions.len());
        for wrong in report.predictions.iter().filter(|prediction| !prediction.agrees) {
            let CountPrediction { width, height, counted, predicted } = &wrong.prediction;
            text += &format!("  {width}x{height}: counted {counted}, predicted {predicted}\n");
        }
    }
    if let Some(BoardCount { width, height, boards, counts, is_counted }) = &report.number {
        let how = if *is_counted {
            "counted".to_string()
        } else {
            format!("by the recurrence from {counts} counts (it is not proved that it holds from these on)")
        };
        text += &format!("{width}x{height}, {how}: {boards} optimal boards\n");
    }
    text
}
