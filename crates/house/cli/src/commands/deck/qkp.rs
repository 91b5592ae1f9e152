//! `ishi deck qkp`: quadratic knapsack files, beside the best known values.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use ishi_arena::stopwatch::process_cpu_time;
use ishi_deck::qkp::QuadraticKnapsack;
use ishi_deck::search::{self, tabu_search};
use ishi_deck::{Problem, SolverState};
use ishi_work::continue_unless;
use serde::Serialize;

use super::numbers::format_percent;
use super::watch::SolverWatch;
use crate::context::{Context, Failure};
use crate::numbers::number_in;
use crate::{figures, files};

const HELP: &str = "\
Examples:
  ishi deck qkp jeu_100_25_1.txt
  ishi deck qkp --best best.tsv folder/*.txt.gz
  ishi deck qkp --steps 100000 --bound 10 jeu_300_25_5.txt

Files are those of Billionnet and Soutif, plain or packed by gzip. A file's problem is the one named on its first \
line. --best has lines `file<TAB>name<TAB>value`, where the value is the best known one of the problem that the file \
is called after: jeu_100_25_1 is r_100_25_1.";

/// Options of `ishi deck qkp`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct QkpArgs {
    /// Quadratic knapsack files, plain or gzip
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Best known values
    #[arg(long, value_name = "FILE")]
    best: Option<PathBuf>,
    /// Steps of the search
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// Seconds of CPU for an upper bound and a proof; 0 asks for none
    #[arg(long, default_value_t = 0.0, value_name = "SECONDS", value_parser = number_in::<f64>(0.0..=1e6))]
    bound: f64,
}

#[derive(Serialize)]
struct KnapsackLine {
    file: String,
    /// The name on the file's first line.
    name: String,
    items: usize,
    /// The value of the best knapsack found.
    value: Option<i64>,
    chosen: usize,
    best_known: Option<i64>,
    /// No knapsack is worth more.
    bound: Option<i64>,
    /// The gap to the bound, where there is one.
    gap: Option<f64>,
    proved: bool,
    /// The processor time of the search.
    cpu_seconds: f64,
    /// The processor time of the bound besides.
    bound_cpu_seconds: f64,
}

/// Reads, searches, prints.
pub fn run(args: &QkpArgs, context: &Context) -> Result<(), Failure> {
    let best = args.best.as_deref().map(read_best_known).transpose()?.unwrap_or_default();
    // Everything is read before anything is solved: a mistake in the last file should not cost the others' time.
    let knapsacks: Vec<(String, QuadraticKnapsack)> = args
        .files
        .iter()
        .map(|path| Ok((path.display().to_string(), read_knapsack(path)?)))
        .collect::<Result<_, Failure>>()?;
    let mut lines = Vec::new();
    for (file, knapsack) in knapsacks {
        let line = solve_knapsack(args, file, &knapsack, best.get(&knapsack.name).copied(), context);
        if !context.json {
            files::print_bytes(format_line(&line).as_bytes())?;
        }
        lines.push(line);
        if context.is_stop_requested() {
            break;
        }
    }
    if context.json {
        files::print_json(&lines)?;
    } else if lines.len() > 1 {
        files::print_bytes(format_summary(&lines).as_bytes())?;
    }
    context.check_stop()
}

fn read_text(path: &Path) -> Result<String, Failure> {
    let unpacked = files::unpack_if_packed(files::read_file_or_stdin(path)?);
    let bytes =
        unpacked.map_err(|error| Failure::Input(format!("{}: broken gzip: {error}", path.display())))?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::Input(format!("{}: it must be text in UTF-8", path.display())))
}

fn read_knapsack(path: &Path) -> Result<QuadraticKnapsack, Failure> {
    QuadraticKnapsack::parse_text(&read_text(path)?).map_err(|error| Failure::in_file(path, error))
}

/// Best known values by the problem's true name: `jeu_X` is the file of `r_X`.
fn read_best_known(path: &Path) -> Result<BTreeMap<String, i64>, Failure> {
    let mut best = BTreeMap::new();
    for (at, line) in read_text(path)?.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let wrong = || {
            let name = path.display();
            Failure::Input(format!(
                "{name}:{}: {line:?}: a file, a name and a value with tabs between them",
                at + 1
            ))
        };
        let (Some(file), Some(value)) = (fields.first(), fields.get(2)) else { return Err(wrong()) };
        let value = value.trim().parse().map_err(|_| wrong())?;
        let stem = file.split('.').next().unwrap_or(file);
        let name = stem.strip_prefix("jeu_").map_or_else(|| stem.to_string(), |rest| format!("r_{rest}"));
        best.insert(name, value);
    }
    Ok(best)
}

fn solve_knapsack(
    args: &QkpArgs,
    file: String,
    knapsack: &QuadraticKnapsack,
    best_known: Option<i64>,
    context: &Context,
) -> KnapsackLine {
    let problem = knapsack.to_problem();
    let mut watch = SolverWatch::new(context);
    watch.part.clone_from(&knapsack.name);
    let before = process_cpu_time();
    let options = search::SearchOptions { steps: args.steps, ..search::SearchOptions::new(context.seed) };
    let found =
        tabu_search(&problem, &options, &mut |progress| watch.observe_state(&knapsack.pool, progress));
    let searched = process_cpu_time();
    let bound = find_bound(args, &problem, found.as_ref().map(|found| found.value), context, &mut watch);
    let mut value = found.as_ref().map(|found| found.value);
    let mut chosen = found.as_ref().map_or(0, |found| found.deck.slots.len());
    if let Some((better, size)) = bound.as_ref().and_then(|bound| bound.better)
        && value.is_none_or(|value| better > value)
    {
        (value, chosen) = (Some(better), size);
    }
    let upper = bound.as_ref().and_then(|bound| bound.upper);
    KnapsackLine {
        file,
        name: knapsack.name.clone(),
        items: problem.len(),
        value,
        chosen,
        best_known,
        bound: upper,
        gap: upper.zip(value).map(|(upper, value)| (upper - value) as f64 / upper.abs().max(1) as f64),
        proved: upper.is_some() && upper == value,
        cpu_seconds: (searched - before).as_secs_f64(),
        bound_cpu_seconds: (process_cpu_time() - searched).as_secs_f64(),
    }
}

/// What the exact solver says within its time.
struct KnapsackBound {
    upper: Option<i64>,
    better: Option<(i64, usize)>,
}

fn find_bound(
    args: &QkpArgs,
    problem: &Problem,
    found: Option<i64>,
    context: &Context,
    watch: &mut SolverWatch<'_>,
) -> Option<KnapsackBound> {
    if args.bound <= 0.0 || context.is_stop_requested() {
        return None;
    }
    let limit = process_cpu_time() + Duration::from_secs_f64(args.bound);
    let options = ishi_deck::SolverOptions { seed: context.seed, gap: 0, above: found };
    let mut see = |progress: &SolverState<'_>| {
        let stop = watch.observe_state(problem.pool(), progress).is_break() || process_cpu_time() >= limit;
        continue_unless(stop)
    };
    let answer = ishi_deck::solve_problem(problem, &options, &mut see);
    let better = answer.value.zip(answer.deck).map(|(value, deck)| (value, deck.slots.len()));
    Some(KnapsackBound { upper: answer.bound.max(found), better })
}

fn format_line(line: &KnapsackLine) -> String {
    let value = line.value.map_or("nothing found".to_string(), |value| value.to_string());
    let known = match (line.value, line.best_known) {
        (Some(value), Some(known)) if value == known => format!("best known {known}, reached"),
        (Some(value), Some(known)) => format!("best known {known}, {:+}", value - known),
        (_, Some(known)) => format!("best known {known}"),
        (_, None) => "best known value not given".to_string(),
    };
    let bound = match (line.bound, line.gap) {
        (Some(_), _) if line.proved => ", proved optimal".to_string(),
        (Some(bound), Some(gap)) => format!(", at most {bound} (gap {})", format_percent(gap)),
        _ => String::new(),
    };
    let seconds = figures::format_seconds(line.cpu_seconds);
    let items = line.items;
    format!("{}  {value} with {} of {items} items; {known}{bound}; {seconds}\n", line.name, line.chosen)
}

fn format_summary(lines: &[KnapsackLine]) -> String {
    let known = lines.iter().filter(|line| line.best_known.is_some()).count();
    let reached =
        lines.iter().filter(|line| line.best_known.is_some() && line.value >= line.best_known).count();
    let slowest = lines.iter().map(|line| line.cpu_seconds).fold(0.0, f64::max);
    format!(
        "{reached} of {known} best known values reached, {} files, at most {} of CPU each\n",
        lines.len(),
        figures::format_seconds(slowest)
    )
}
