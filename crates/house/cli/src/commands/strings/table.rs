//! `ishi strings table`: all boards up to a size.

use clap::Args;
use ishi_grid::domination::{BoardShape, DominationOptions, DominationStatus, solve_domination};
use ishi_work::Progress;
use serde::Serialize;

use super::work::{SweepWatch, WorkCost, WorkMeter};
use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::size_in;

const HELP: &str = "\
Examples:
  ishi strings table 19              the most strings on all boards up to 19x19, proved
  ishi strings table 30 --squares    2x2 to 30x30
  ishi strings table 19 --empties    empty points instead of strings: domination numbers";

/// Solves all boards up to a size.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct TableArgs {
    /// Largest size, as 19 or 9x13
    #[arg(value_parser = size_in(1..=64))]
    size: (usize, usize),
    /// Squares only
    #[arg(long)]
    squares: bool,
    /// Print the numbers of empty points
    #[arg(long)]
    empties: bool,
}

#[derive(Serialize)]
struct TableReport {
    boards: Vec<TableEntry>,
    #[serde(flatten)]
    cost: WorkCost,
}

#[derive(Serialize, Clone, Copy)]
struct TableEntry {
    width: usize,
    height: usize,
    strings: usize,
    empty_points: usize,
}

/// Solves and prints.
pub fn run(args: &TableArgs, context: &Context) -> Result<(), Failure> {
    let meter = WorkMeter::start();
    let (columns, rows) = args.size;
    let mut sizes = Vec::new();
    for height in 1..=rows {
        for width in 1..=columns {
            let known = width > height && width <= rows && height <= columns;
            if args.squares && width == height || !args.squares && !known {
                sizes.push((width, height));
            }
        }
    }
    let boards = solve_boards(&sizes, context)?;
    let report = TableReport { boards, cost: meter.read_cost(context) };
    files::print_result(context, &report, || format_report(args, &report))
}

/// Boards are independent of each other: one thread each, the widest first.
fn solve_boards(sizes: &[(usize, usize)], context: &Context) -> Result<Vec<TableEntry>, Failure> {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let (next, done) = (AtomicUsize::new(sizes.len()), AtomicUsize::new(0));
    let work = || {
        let mut entries = Vec::new();
        while let Ok(index) =
            next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
        {
            let (width, height) = sizes[index - 1];
            let shape = BoardShape::new(width, height);
            let mut stop = |_| context.stop.to_flow();
            let solution = solve_domination(&shape, DominationOptions::default(), &mut stop);
            if let (DominationStatus::Optimal, Some(empties)) = (solution.status, solution.empties) {
                let strings = shape.cell_count() - empties;
                entries.push(TableEntry { width, height, strings, empty_points: empties });
            }
            done.fetch_add(1, Ordering::Relaxed);
        }
        entries
    };
    let mut entries = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..context.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mut watch = SweepWatch::new(context);
        while workers.iter().any(|worker| !worker.is_finished()) {
            // Ctrl-C is seen by the workers.
            let _ = watch.observe_progress(
                Progress::new(done.load(Ordering::Relaxed), sizes.len(), "boards").with_note("boards"),
            );
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let join =
            |worker: std::thread::ScopedJoinHandle<'_, Vec<TableEntry>>| worker.join().unwrap_or_default();
        workers.into_iter().flat_map(join).collect::<Vec<TableEntry>>()
    });
    context.check_stop()?;
    if entries.len() < sizes.len() {
        return Err(Failure::Outside("a board was not solved: please report this as a bug".into()));
    }
    entries.sort_by_key(|entry| (entry.height, entry.width));
    Ok(entries)
}

fn format_report(args: &TableArgs, report: &TableReport) -> String {
    let number = |entry: &TableEntry| if args.empties { entry.empty_points } else { entry.strings };
    let what = if args.empties { "fewest empty points" } else { "most strings" };
    let mut text = format!("{what}; all proved\n");
    if args.squares {
        for entry in &report.boards {
            text += &format!("{:3}x{:<3} {:6}\n", entry.width, entry.height, number(entry));
        }
        return text + &report.cost.to_line();
    }
    let (columns, rows) = args.size;
    text += "    ";
    for width in 1..=columns {
        text += &format!("{width:5}");
    }
    text += "\n";
    for height in 1..=rows {
        text += &format!("{height:4}");
        for width in 1..=columns {
            let is = |entry: &&TableEntry| {
                (entry.width, entry.height) == (width, height)
                    || (entry.height, entry.width) == (width, height)
            };
            let entry = report.boards.iter().find(is);
            text += &entry.map_or("     ".to_string(), |entry| format!("{:5}", number(entry)));
        }
        text += "\n";
    }
    text + &report.cost.to_line()
}
