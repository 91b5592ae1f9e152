//! `ishi othello solve`: exact endgames.

use std::fmt::Write;
use std::path::PathBuf;

use ishi_arena::stopwatch::{Stopwatch, process_cpu_time};
use ishi_othello::obf::{self, Problem};
use ishi_othello_play::search::{Confidence, Effort, Found, Meaning, SearchParams, Searcher, Task};
use serde::Serialize;

use super::coach::line;
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi othello solve fforum-40-59.obf
  ishi othello solve fforum-40-59.obf --only 1-5 --threads 1
  ishi othello solve endgames.obf --win-loss --json

A line of the file is a position: 64 squares row by row from a1 (X or * black, O white, - empty), the side to move,
and, if they are known, moves with their scores: `... X; A2:+38; C7:+36;`. Scores are discs for the side to move, the
empty squares counted for the winner. They are proved. Where the file knows the score, the answer is compared
with it, and the exit code is 1 if one differs. With one thread a file gives the same node counts every time.";

/// Solves the endgame positions of a file: score, best move, variation, positions visited.
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub struct SolveArgs {
    /// Positions in the OBF format; - reads standard input
    file: PathBuf,
    /// Positions of the file to solve, from 1, such as 3 or 1-10
    #[arg(long, value_name = "RANGE")]
    only: Option<Range>,
    /// Only who wins, not by how much
    #[arg(long)]
    win_loss: bool,
    /// Size of the hash table: 2 to this power entries of 16 bytes, 10 to 30
    #[arg(long, value_name = "BITS", default_value_t = 22, value_parser = clap::value_parser!(u32).range(10..=30))]
    hash: u32,
}

/// Numbers of positions.
#[derive(Clone, Copy, Debug)]
struct Range {
    first: usize,
    last: usize,
}

impl std::str::FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Range, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        match (first.trim().parse(), last.trim().parse()) {
            (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(Range { first, last }),
            _ => Err(format!("{text:?} is no range: write 3 or 1-10")),
        }
    }
}

#[derive(Serialize)]
struct Solved {
    number: usize,
    empties: u32,
    to_move: String,
    #[serde(rename = "move")]
    mv: String,
    score: i32,
    exact: bool,
    expected: Option<i32>,
    correct: Option<bool>,
    nodes: u64,
    cpu_seconds: f64,
    wall_seconds: f64,
    variation: String,
}

#[derive(Serialize)]
struct Report {
    threads: usize,
    hash_bits: u32,
    positions: Vec<Solved>,
    nodes: u64,
    cpu_seconds: f64,
    wall_seconds: f64,
    wrong: usize,
}

/// Solves every position of the file.
pub fn run(args: &SolveArgs, context: &Context) -> Result<(), Failure> {
    let problems = read(args)?;
    let params = SearchParams { hash_bits: args.hash, threads: context.threads };
    let mut searcher = Searcher::new(params);
    let mut report = Report {
        threads: context.threads,
        hash_bits: args.hash,
        positions: Vec::new(),
        nodes: 0,
        cpu_seconds: 0.0,
        wall_seconds: 0.0,
        wrong: 0,
    };
    if !context.json {
        files::print(b"number empties move  score  known      nodes   CPU s  variation\n")?;
    }
    for (number, problem) in problems {
        // Every position by itself, so that the numbers do not depend on those before.
        searcher.forget();
        let Some(solved) = solve(args, context, &mut searcher, number, &problem) else { break };
        report.nodes += solved.nodes;
        report.cpu_seconds += solved.cpu_seconds;
        report.wall_seconds += solved.wall_seconds;
        report.wrong += usize::from(solved.correct == Some(false));
        if !context.json {
            files::print(row(&solved).as_bytes())?;
        }
        report.positions.push(solved);
    }
    finish(&report, context)
}

fn finish(report: &Report, context: &Context) -> Result<(), Failure> {
    if context.json {
        let text = serde_json::to_string_pretty(report).map_err(Failure::outside)?;
        files::print(format!("{text}\n").as_bytes())?;
    } else {
        let Report { positions, nodes, cpu_seconds, wall_seconds, threads, .. } = report;
        let speed = *nodes as f64 / cpu_seconds.max(1e-9) / 1e6;
        let text = format!(
            "{} positions, {nodes} nodes, {cpu_seconds:.2} CPU seconds ({wall_seconds:.2} s with {threads} threads), \
             {speed:.1} million nodes per CPU second\n",
            positions.len()
        );
        files::print(text.as_bytes())?;
    }
    match report.wrong {
        _ if context.stopped() => Err(Failure::Interrupted),
        0 => Ok(()),
        wrong => Err(Failure::Negative(format!("{wrong} scores differ from those of the file"))),
    }
}

/// The problems with their numbers.
fn read(args: &SolveArgs) -> Result<Vec<(usize, Problem)>, Failure> {
    let name = args.file.display();
    let bytes = files::read(&args.file)?;
    let text =
        String::from_utf8(bytes).map_err(|_| Failure::Input(format!("{name}: it is no text in UTF-8")))?;
    let problems = obf::read(&text).map_err(|error| Failure::Input(format!("{name}: {error}")))?;
    let count = problems.len();
    let range = args.only.unwrap_or(Range { first: 1, last: count });
    if count == 0 {
        return Err(Failure::Input(format!("{name}: there are no positions in it")));
    }
    if range.last > count {
        return Err(Failure::Input(format!(
            "--only {}-{}: {name} has {count} positions",
            range.first, range.last
        )));
    }
    Ok((1..).zip(problems).filter(|&(number, _)| (range.first..=range.last).contains(&number)).collect())
}

/// Solves one position; `None` if the user broke it off.
fn solve(
    args: &SolveArgs,
    context: &Context,
    searcher: &mut Searcher,
    number: usize,
    problem: &Problem,
) -> Option<Solved> {
    let board = problem.position.board();
    let exact = if args.win_loss { 0 } else { 60 };
    let effort = Effort { depth: 60, exact, win_loss: 60, confidence: Confidence::Full };
    let mut show = |found: &Found| progress(context, number, found);
    let mut task = Task::new(effort, &mut show);
    let stop = || context.stopped();
    task.stop = &stop;
    let (watch, process) = (Stopwatch::start(), process_cpu_time());
    let found = searcher.search(board, &mut task);
    clear(context);
    let proved = matches!(found.meaning, Meaning::Exact | Meaning::WinLoss);
    if !proved {
        return None;
    }
    let expected = problem.best();
    let known = if args.win_loss { expected.map(i32::signum) } else { expected };
    // With several threads the work is spread: what the process used is what it cost.
    let cpu_seconds =
        if context.threads == 1 { watch.cpu_seconds() } else { (process_cpu_time() - process).as_secs_f64() };
    Some(Solved {
        number,
        empties: board.empties(),
        to_move: problem.position.to_move().to_string(),
        mv: found.mv.to_string(),
        score: found.score,
        exact: found.meaning == Meaning::Exact,
        expected,
        correct: known.map(|known| known == found.score),
        nodes: found.nodes,
        cpu_seconds,
        wall_seconds: watch.wall_seconds(),
        variation: line(&found.variation),
    })
}

fn row(solved: &Solved) -> String {
    let known = match (solved.correct, solved.expected) {
        (Some(true), _) => "ok".to_string(),
        (Some(false), Some(expected)) => format!("{expected:+}!"),
        _ => "-".to_string(),
    };
    let Solved { number, empties, mv, score, nodes, cpu_seconds, variation, .. } = solved;
    let score = match (solved.exact, score) {
        (true, score) => format!("{score:+}"),
        (false, 1) => "win".to_string(),
        (false, 0) => "draw".to_string(),
        (false, _) => "loss".to_string(),
    };
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{number:>6} {empties:>7} {mv:4} {score:>6} {known:>6} {nodes:>10} {cpu_seconds:>7.3}  {variation}"
    );
    text
}

/// One line on the terminal that is written over.
fn progress(context: &Context, number: usize, found: &Found) {
    let Found { depth, confidence, mv, score, nodes, .. } = found;
    overwrite(context, format_args!("{number}: depth {depth}@{confidence}, {mv} {score:+}, {nodes} nodes "));
}

fn clear(context: &Context) {
    overwrite(context, format_args!(""));
}

fn overwrite(context: &Context, text: std::fmt::Arguments<'_>) {
    if !context.quiet && std::io::IsTerminal::is_terminal(&std::io::stderr()) {
        anstream::eprint!("\r{text}\x1b[K");
    }
}
