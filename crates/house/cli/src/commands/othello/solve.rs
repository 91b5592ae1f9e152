//! `ishi othello solve`: exact endgames.

pub(crate) mod share;

use std::fmt::Write;
use std::path::PathBuf;

use ishi_arena::stopwatch::{Stopwatch, process_cpu_time};
use ishi_othello::obf::{self, ObfProblem};
use ishi_othello_play::search::{
    CutConfidence, FoundMove, ScoreMeaning, SearchEffort, SearchParams, SearchTables, SearchTask, Searcher,
};
use serde::Serialize;

use super::coach::moves_text;
use crate::context::{Context, Failure, write_to_stderr};
use crate::files;

const HELP: &str = "\
Examples:
  ishi othello solve sample:endgames
  ishi othello solve fforum-40-59.obf --only 1-5 --threads 1
  ishi othello solve endgames.obf --win-loss --json

A line of the file is a position: 64 squares row by row from a1 (X or * black, O white, - empty), the side to move, \
and, if they are known, moves with their scores: `... X; A2:+38; C7:+36;`. Scores are discs for the side to move, the \
empty squares counted for the winner. They are proved. Where the file knows the score, the answer is compared \
with it, and the exit code is 1 if one differs. With one thread a file gives the same node counts every time.";

/// Solves the endgame positions of a file: score, best move, variation, positions visited.
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub struct OthelloSolveArgs {
    /// Positions in the OBF format; - reads standard input
    file: PathBuf,
    /// Positions of the file to solve, from 1, such as 3 or 1-10
    #[arg(long, value_name = "RANGE")]
    only: Option<PositionRange>,
    /// Only who wins, not by how much
    #[arg(long)]
    win_loss: bool,
    /// Size of the hash table: 2 to this power entries of 16 bytes, 10 to 30
    #[arg(long, value_name = "BITS", default_value_t = 22, value_parser = clap::value_parser!(u32).range(10..=30))]
    hash: u32,
}

/// Numbers of positions.
#[derive(Clone, Copy, Debug)]
struct PositionRange {
    first: usize,
    last: usize,
}

impl std::str::FromStr for PositionRange {
    type Err = String;

    fn from_str(text: &str) -> Result<PositionRange, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        match (first.trim().parse(), last.trim().parse()) {
            (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(PositionRange { first, last }),
            _ => Err(format!("{text:?} is no range: write 3 or 1-10")),
        }
    }
}

#[derive(Serialize)]
struct SolvedEndgame {
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
struct OthelloSolveReport {
    threads: usize,
    hash_bits: u32,
    positions: Vec<SolvedEndgame>,
    nodes: u64,
    cpu_seconds: f64,
    wall_seconds: f64,
    wrong: usize,
}

/// Solves every position of the file.
pub fn run(args: &OthelloSolveArgs, context: &Context) -> Result<(), Failure> {
    let problems = choose_problems(args, files::read_file_or_stdin(&args.file)?)?;
    let params = SearchParams { hash_bits: args.hash, threads: context.threads };
    let mut searcher = Searcher::with_tables(SearchTables::reserve(params).map_err(Failure::input)?);
    // The first position is not to take longer than the others.
    searcher.fill_tables();
    let mut report = OthelloSolveReport {
        threads: context.threads,
        hash_bits: args.hash,
        positions: Vec::new(),
        nodes: 0,
        cpu_seconds: 0.0,
        wall_seconds: 0.0,
        wrong: 0,
    };
    if !context.json {
        files::print_bytes(b"number empties move  score  known      nodes   CPU s  variation\n")?;
    }
    for (number, problem) in problems {
        // Every position by itself, so that the numbers do not depend on those before.
        searcher.clear_table();
        let Some(solved) = solve_position(args, context, &mut searcher, number, &problem) else { break };
        report.nodes += solved.nodes;
        report.cpu_seconds += solved.cpu_seconds;
        report.wall_seconds += solved.wall_seconds;
        report.wrong += usize::from(solved.correct == Some(false));
        if !context.json {
            files::print_bytes(format_row(&solved).as_bytes())?;
        }
        report.positions.push(solved);
    }
    print_report(&report, context)
}

fn print_report(report: &OthelloSolveReport, context: &Context) -> Result<(), Failure> {
    files::print_result(context, report, || {
        let OthelloSolveReport { positions, nodes, cpu_seconds, wall_seconds, threads, .. } = report;
        let speed = *nodes as f64 / cpu_seconds.max(1e-9) / 1e6;
        format!(
            "{} positions, {nodes} nodes, {cpu_seconds:.2} CPU seconds ({wall_seconds:.2} s with {threads} threads), \
             {speed:.1} million nodes per CPU second\n",
            positions.len()
        )
    })?;
    match report.wrong {
        _ if context.is_stop_requested() => Err(Failure::Interrupted),
        0 => Ok(()),
        wrong => Err(Failure::Negative(format!("{wrong} scores differ from those of the file"))),
    }
}

/// The problems of the file's bytes that are to be solved, with their numbers.
fn choose_problems(args: &OthelloSolveArgs, bytes: Vec<u8>) -> Result<Vec<(usize, ObfProblem)>, Failure> {
    let name = args.file.display();
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::Input(format!("{name}: this is no text: it must be OBF, a position on each line"))
    })?;
    let problems = obf::read_problems(&text).map_err(|error| Failure::Input(format!("{name}: {error}")))?;
    let count = problems.len();
    let range = args.only.unwrap_or(PositionRange { first: 1, last: count });
    if count == 0 {
        return Err(Failure::Input(format!(
            "{name}: there are no positions in it: it must be OBF, a position on each line"
        )));
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
fn solve_position(
    args: &OthelloSolveArgs,
    context: &Context,
    searcher: &mut Searcher,
    number: usize,
    problem: &ObfProblem,
) -> Option<SolvedEndgame> {
    let board = problem.position.board();
    let exact = if args.win_loss { 0 } else { 60 };
    let effort = SearchEffort { depth: 60, exact, win_loss: 60, confidence: CutConfidence::Full };
    let mut show = |found: &FoundMove| show_progress(context, number, found);
    let mut task = SearchTask::new(effort, &mut show);
    let stop = || context.is_stop_requested();
    task.stop = &stop;
    let (watch, process) = (Stopwatch::start(), process_cpu_time());
    let found = searcher.search_board(board, &mut task);
    clear_line(context);
    let proved = matches!(found.meaning, ScoreMeaning::Exact | ScoreMeaning::WinLoss);
    if !proved {
        return None;
    }
    let expected = problem.best_score();
    let known = if args.win_loss { expected.map(i32::signum) } else { expected };
    // With several threads the work is spread: what the process used is what it cost.
    let cpu_seconds =
        if context.threads == 1 { watch.cpu_seconds() } else { (process_cpu_time() - process).as_secs_f64() };
    Some(SolvedEndgame {
        number,
        empties: board.empty_count(),
        to_move: problem.position.to_move().to_string(),
        mv: found.mv.to_string(),
        score: found.score,
        exact: found.meaning == ScoreMeaning::Exact,
        expected,
        correct: known.map(|known| known == found.score),
        nodes: found.nodes,
        cpu_seconds,
        wall_seconds: watch.wall_seconds(),
        variation: moves_text(&found.variation),
    })
}

/// Beside the score: whether it is that of the file, or what the file has.
fn format_known(correct: Option<bool>, expected: Option<i32>) -> String {
    match (correct, expected) {
        (Some(true), _) => "ok".to_string(),
        (Some(false), Some(expected)) => format!("{expected:+}!"),
        _ => "-".to_string(),
    }
}

fn format_row(solved: &SolvedEndgame) -> String {
    let known = format_known(solved.correct, solved.expected);
    let SolvedEndgame { number, empties, mv, score, nodes, cpu_seconds, variation, .. } = solved;
    let score = describe_score(solved.exact, *score);
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{number:>6} {empties:>7} {mv:4} {score:>6} {known:>6} {nodes:>10} {cpu_seconds:>7.3}  {variation}"
    );
    text
}

/// Discs, or who wins where nothing else is known.
fn describe_score(is_exact: bool, score: i32) -> String {
    match (is_exact, score) {
        (true, score) => format!("{score:+}"),
        (false, 1) => "win".to_string(),
        (false, 0) => "draw".to_string(),
        (false, _) => "loss".to_string(),
    }
}

/// One line on the terminal that is written over.
fn show_progress(context: &Context, number: usize, found: &FoundMove) {
    let FoundMove { depth, confidence, mv, score, nodes, .. } = found;
    overwrite_line(
        context,
        format_args!("{number}: depth {depth}@{confidence}, {mv} {score:+}, {nodes} nodes "),
    );
}

fn clear_line(context: &Context) {
    overwrite_line(context, format_args!(""));
}

fn overwrite_line(context: &Context, text: std::fmt::Arguments<'_>) {
    if !context.quiet && std::io::IsTerminal::is_terminal(&std::io::stderr()) {
        write_to_stderr(format_args!("\r{text}\x1b[K"));
    }
}
