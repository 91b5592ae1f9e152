//! `ishi strings positions`: exact counts of the positions of a board.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Instant;

use clap::Args;
use ishi_arena::stopwatch::process_cpu_time;
use ishi_grid::positions::{self, LayerWork, PositionsError};
use ishi_grid::{LayerNote, LayerObserver, LayerStep};
use ishi_words::{format_count, noun_for};
use serde::Serialize;

use super::work::SweepWatch;
use crate::context::{Context, Failure};
use crate::numbers::{parse_gigabytes, size_in};
use crate::{figures, files};

const HELP: &str = "\
Examples:
  ishi strings positions 9                  the legal positions of 9x9, exactly
  ishi strings positions 4x30 --json
  ishi strings positions 5 --by-strings     how many of them have 0, 1, 2, ... chains
  ishi strings positions 19 --optimal       positions with 277 chains, the most that 19x19 can hold,
                                            in any colours

A position is legal if every chain has a liberty. Turned, mirrored and recoloured positions \
count as different. Time and memory grow about fivefold with every line of the shorter side \
(--legal, --by-strings), and with the number of ways to do it best (--optimal).";

/// Counts positions exactly.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct StringsPositionsArgs {
    /// Lines of the board, as 9 or 9x13
    #[arg(value_parser = size_in(1..=MOST))]
    size: (usize, usize),
    /// All legal positions; this is what is counted if nothing else is asked for
    #[arg(long, group = "what")]
    legal: bool,
    /// The positions with the most chains, in any colours
    #[arg(long, group = "what")]
    optimal: bool,
    /// The legal positions by their number of chains
    #[arg(long, group = "what")]
    by_strings: bool,
    /// Stop when the layers take more gigabytes than this
    #[arg(long, value_name = "GB", default_value_t = 8.0, value_parser = parse_gigabytes)]
    memory: f64,
}

/// Lines each way at most; far more than any count can do.
const MOST: usize = 2000;

/// Whole numbers are text: they are larger than what other programs read as numbers.
#[derive(Serialize)]
struct PositionCountReport {
    width: usize,
    height: usize,
    /// `legal`, `optimal` or `by-strings`.
    counted: &'static str,
    /// All positions counted.
    positions: String,
    /// With `--optimal`: chains of every position.
    #[serde(skip_serializing_if = "Option::is_none")]
    chains: Option<usize>,
    /// With `--optimal`: smallest sets of empty points such that every stone touches one.
    #[serde(skip_serializing_if = "Option::is_none")]
    smallest_sets: Option<String>,
    /// With `--by-strings`: positions with 0, 1, 2, ... chains.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_chains: Option<Vec<String>>,
    widest_layer_states: usize,
    /// States of all layers.
    states: u64,
    /// Tables and layers when they were largest.
    peak_layer_bytes: usize,
    threads: usize,
    cpu_seconds: f64,
    wall_seconds: f64,
}

/// Counts and prints.
pub fn run(args: &StringsPositionsArgs, context: &Context) -> Result<(), Failure> {
    let (start, cpu) = (Instant::now(), process_cpu_time());
    let mut budget = MemoryBudget::new(args.memory, context);
    let counted = count_positions(args, context, &mut |step| budget.observe_step(step));
    let mut report = counted.map_err(|error| budget.to_failure(error, args.memory))?;
    report.cpu_seconds = (process_cpu_time() - cpu).as_secs_f64();
    report.wall_seconds = start.elapsed().as_secs_f64();
    files::print_result(context, &report, || format_report(&report))
}

fn count_positions(
    args: &StringsPositionsArgs,
    context: &Context,
    observe: LayerObserver<'_>,
) -> Result<PositionCountReport, PositionsError> {
    let (width, height) = args.size;
    let threads = NonZeroUsize::new(context.threads).unwrap_or(NonZeroUsize::MIN);
    if args.optimal {
        let found = positions::count_optimal(width, height, threads, observe)?;
        let work = LayerWork {
            widest: found.search.widest.max(found.count.widest),
            states: found.search.states + found.count.states,
            bytes: found.search.bytes.max(found.count.bytes),
        };
        let mut report =
            PositionCountReport::new(args, "optimal", found.positions.to_string(), work, threads);
        report.chains = Some(found.chains);
        report.smallest_sets = Some(found.sets.to_string());
        return Ok(report);
    }
    if args.by_strings {
        let found = positions::count_by_chains(width, height, threads, observe)?;
        let mut report = PositionCountReport::new(
            args,
            "by-strings",
            found.total_positions().to_string(),
            found.work,
            threads,
        );
        report.by_chains = Some(found.positions.iter().map(ToString::to_string).collect());
        return Ok(report);
    }
    let found = positions::count_legal(width, height, threads, observe)?;
    Ok(PositionCountReport::new(args, "legal", found.positions.to_string(), found.work, threads))
}

impl PositionCountReport {
    fn new(
        args: &StringsPositionsArgs,
        counted: &'static str,
        positions: String,
        work: LayerWork,
        threads: NonZeroUsize,
    ) -> PositionCountReport {
        PositionCountReport {
            width: args.size.0,
            height: args.size.1,
            counted,
            positions,
            chains: None,
            smallest_sets: None,
            by_chains: None,
            widest_layer_states: work.widest,
            states: work.states,
            peak_layer_bytes: work.bytes,
            threads: threads.get(),
            cpu_seconds: 0.0,
            wall_seconds: 0.0,
        }
    }
}

fn format_report(report: &PositionCountReport) -> String {
    let PositionCountReport { width, height, positions, .. } = report;
    let mut text = match (report.chains, &report.smallest_sets) {
        (Some(chains), Some(sets)) => format!(
            "{width}x{height}: {positions} positions have {chains} chains, the most possible\n\
             {sets} smallest sets of {} empty points that touch every other point\n",
            width * height - chains
        ),
        _ => format!("{width}x{height}: {positions} legal positions\n"),
    };
    for (chains, count) in report.by_chains.iter().flatten().enumerate() {
        let noun = noun_for(chains, "chain");
        text += &format!("{chains:4} {noun:6}  {count}\n");
    }
    text + &format!(
        "{} states in the widest layer, {} in all layers; tables and layers at most {}\n{} of CPU, {}\n",
        report.widest_layer_states,
        report.states,
        format_megabytes(report.peak_layer_bytes),
        figures::format_seconds(report.cpu_seconds),
        format_count(report.threads, "thread"),
    )
}

fn format_megabytes(bytes: usize) -> String {
    match bytes {
        0..10_000_000 => format!("{:.2} MB", bytes as f64 / 1e6),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

/// Watches a count: shows how far it is, and stops it on Ctrl-C or when memory runs out.
struct MemoryBudget<'a> {
    watch: SweepWatch<'a>,
    most: f64,
    full: bool,
}

impl MemoryBudget<'_> {
    fn new(gigabytes: f64, context: &Context) -> MemoryBudget<'_> {
        MemoryBudget { watch: SweepWatch::new(context), most: gigabytes * 1e9, full: false }
    }

    fn observe_step(&mut self, step: LayerStep) -> ControlFlow<()> {
        let LayerNote { pass, states, bytes, .. } = step.note;
        self.full = bytes as f64 > self.most;
        let note = format!("{pass}: {states} states, {}", format_megabytes(bytes));
        let flow = self.watch.observe_progress(step.with_note(note.as_str()));
        if self.full { ControlFlow::Break(()) } else { flow }
    }

    fn to_failure(&self, error: PositionsError, gigabytes: f64) -> Failure {
        match error {
            PositionsError::Stopped if self.full => Failure::Outside(format!(
                "the layers take more than {gigabytes} GB: allow more with --memory, or count a smaller board"
            )),
            PositionsError::Stopped => Failure::Interrupted,
            error => Failure::input(error),
        }
    }
}
