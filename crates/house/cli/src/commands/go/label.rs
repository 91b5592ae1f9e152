//! `ishi go label`: what a strong judge says of positions of records, to learn from.

pub(crate) mod share;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use ishi_analysis::labels::judge::PolicySource;
use ishi_analysis::labels::work::{self, LabelEvent, LabelWork};
use ishi_analysis::labels::{JudgeProcess, LabelFile, LabelPlan, LabelSettings, LabelsError};
use ishi_arena::process::EngineCommand;
use ishi_arena::stopwatch::WallClock;
use ishi_go::Rules;
use ishi_patterns::records::{self, RecordedGame};
use ishi_rng::Seed;
use ishi_rng::checksum::fnv_checksum;
use ishi_work::{Clock, Pace, Progress};
use serde::Serialize;

use super::games::read_text;
use crate::context::{Context, Failure};
use crate::figures::format_duration;
use crate::files;
use crate::numbers::number_in;

pub(super) const HELP: &str = "\
Examples:
  ishi go label games.txt.gz --judge 'katago analysis -config a.cfg -model b6.gz' --out labels.tsv
  ishi go label games.txt.gz --judge '...' --out labels.tsv --positions 1000000
  ishi go label games.txt.gz --judge '...' --out labels.tsv --workers 4 --in-flight 16
  ishi go label games.txt.gz --judge 'ishi analysis' --visits 400 --policy visits --out own.tsv

Draws positions of random games, asks the judge about each, and writes a line of what it says: who wins, \
by how much, whose each point is, and which moves it would play. A judge is any program that speaks \
KataGo's analysis protocol. With one visit it is asked for its network alone.

Each line is written as soon as it is known. After Ctrl-C (exit code 130) or a kill the same command goes \
on with the file, and a larger --positions adds to it. A file has one judge and one set of settings.

The positions are all different. They depend on the seed alone. The order of their lines depends on \
which worker is first. Every game is taken once before any is taken again. docs/judge.md explains the \
labels, docs/formats.md has their format. `ishi go positions` makes them into training samples.";

/// Time between two lines of progress.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// Options of `ishi go label`.
#[derive(Args, Debug)]
pub(super) struct LabelArgs {
    /// Games (of `ishi go records`) to draw positions from
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// The program that judges, with its arguments; quotes as in a shell
    #[arg(long, value_name = "COMMAND")]
    judge: EngineCommand,
    /// Where the labels go; if the file exists, the work goes on from it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Positions, those that the file has already counted
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = number_in::<usize>(1..))]
    positions: usize,
    /// Positions of each game at most
    #[arg(long, value_name = "K", value_parser = number_in::<usize>(1..))]
    per_game: Option<usize>,
    /// Share of positions, 0 to 1, before which the side to move passes
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = number_in::<f64>(0.0..=1.0))]
    passes: f64,
    /// Visits of each position; 1 asks the judge's network alone
    #[arg(long, default_value_t = 1, value_name = "V", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    visits: u64,
    /// Moves as the network rates them before any search (network), or as the search visits them (visits)
    #[arg(long, default_value = "network", value_name = "HOW", value_parser = parse_policy)]
    policy: PolicySource,
    /// Rules that the games are judged by: chinese, japanese, tromp-taylor, aga or new-zealand
    #[arg(long, default_value = "chinese", value_name = "RULES", value_parser = parse_named_rules)]
    rules: (Rules, &'static str),
    /// Leave out the first so many games
    #[arg(long, default_value_t = 0, value_name = "N")]
    skip: usize,
    /// Take so many games after them
    #[arg(long, value_name = "N", value_parser = number_in::<usize>(1..))]
    take: Option<usize>,
    /// Processes of the judge
    #[arg(long, default_value_t = 1, value_name = "W", value_parser = number_in::<usize>(1..))]
    workers: usize,
    /// Positions that each process has at once
    #[arg(long, default_value_t = 8, value_name = "Q", value_parser = number_in::<usize>(1..))]
    in_flight: usize,
    /// Seconds that the judge may be silent, also while it begins
    #[arg(long, default_value_t = 600, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
}

fn parse_policy(text: &str) -> Result<PolicySource, String> {
    let found = PolicySource::WORDS.iter().find(|(_, word)| *word == text).map(|&(policy, _)| policy);
    found.ok_or_else(|| format!("{text:?}: write network or visits"))
}

/// Only rules with a name that judges know too.
fn parse_named_rules(text: &str) -> Result<(Rules, &'static str), String> {
    let rules: Rules = text.parse().map_err(|error: ishi_go::RulesError| error.to_string())?;
    rules
        .preset_name()
        .map(|name| (rules, name))
        .ok_or_else(|| format!("{text:?}: write a name such as chinese"))
}

/// Asks and writes.
pub(super) fn run(args: &LabelArgs, context: &Context) -> Result<(), Failure> {
    check_output_file(&args.out)?;
    let text = read_text(&args.games)?;
    let games = select_games(&text, args).map_err(|problem| Failure::in_file(&args.games, problem))?;
    let settings = read_settings(&text, args, context.seed);
    let plan = order_positions(&games, args, context.seed);
    let goal = plan.count_positions().min(args.positions);
    let patience = Duration::from_secs(args.patience);
    let mut judge = JudgeProcess::start(&args.judge, patience, &context.stop).map_err(LabelsError::from)?;
    let name = judge.query_name().map_err(LabelsError::from)?;
    let command = args.judge.to_string();
    let mut file = LabelFile::open(&args.out, &settings, &name, &command)?;
    report_unknown_komi(&games, args, context);
    context.print_progress(format_args!("judge: {name}; {} of {goal} positions are there", file.len()));
    let mut progress = LabelWatch::new(file.len(), goal);
    let work = LabelWork {
        games: &games,
        rules: args.rules,
        visits: args.visits,
        policy: args.policy,
        command: &args.judge,
        patience,
        workers: args.workers,
        in_flight: args.in_flight,
    };
    let before = file.len();
    let mut tell = |event| progress.note_event(event, context);
    let done =
        work::run_judges(&work, judge, plan, goal, &mut file, &|| context.is_stop_requested(), &mut tell);
    if !matches!(done, Ok(true)) {
        let (there, out) = (file.len(), args.out.display());
        context.print_progress(format_args!(
            "{there} positions are in {out}; the same command goes on from there"
        ));
    }
    if !done? {
        return Err(Failure::Interrupted);
    }
    let (positions, refused) = (file.len(), file.refused_count());
    let report =
        LabelReport { judge: name, games: games.len(), positions, added: positions - before, refused };
    files::print_result(context, &report, || report.to_text(context.seed))
}

/// What decides which positions are judged, and how.
fn read_settings(text: &str, args: &LabelArgs, seed: Seed) -> LabelSettings {
    LabelSettings {
        games: fnv_checksum(text.as_bytes()),
        skip: args.skip,
        take: args.take,
        visits: args.visits,
        policy: args.policy,
        rules: args.rules.1.to_string(),
        seed,
        passes: args.passes,
    }
}

/// All positions that there are, in the order in which they are judged.
fn order_positions<'a>(games: &'a [RecordedGame], args: &LabelArgs, seed: Seed) -> LabelPlan<'a> {
    LabelPlan::new(games, seed, args.per_game.unwrap_or(usize::MAX)).with_passes(args.passes)
}

/// The file grows: it cannot be standard output, nor be packed on the way.
fn check_output_file(out: &Path) -> Result<(), Failure> {
    if files::is_standard(out) {
        return Err(Failure::input("--out: give a file, as the labels are added to it"));
    }
    if out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        let problem = "labels are written line by line, as plain text: give a name without .gz, and pack it when it is done";
        return Err(Failure::in_file(out, problem));
    }
    if out.is_dir() {
        return Err(Failure::input(format!("{} is a folder: give the name of a file", out.display())));
    }
    files::check_writable(out, true)
}

/// The games that positions are drawn from.
fn select_games(text: &str, args: &LabelArgs) -> Result<Vec<RecordedGame>, String> {
    let limit = args.take.map_or(usize::MAX, |take| args.skip.saturating_add(take));
    let games = records::parse_first_records(text, limit).map_err(|error| error.to_string())?;
    let games: Vec<RecordedGame> = games.into_iter().skip(args.skip).collect();
    if games.iter().all(|game| game.moves.is_empty()) {
        return Err(format!("there is no game with moves after the first {}", args.skip));
    }
    let mut ids = std::collections::BTreeMap::new();
    for game in &games {
        if let Some(other) = ids.insert(game.id.as_str(), game.line) {
            return Err(format!(
                "the games of lines {other} and {} are both {:?}: labels could not tell them apart",
                game.line, game.id
            ));
        }
    }
    Ok(games)
}

fn report_unknown_komi(games: &[RecordedGame], args: &LabelArgs, context: &Context) {
    let unknown = games.iter().filter(|game| game.komi.is_none()).count();
    if unknown > 0 {
        let (rules, name) = args.rules;
        let komi = rules.default_komi;
        context.print_progress(format_args!(
            "komi is not known of {unknown} games: {komi} is taken, as usual by {name} rules"
        ));
    }
}

/// Says how far it is, how fast it goes, and how long it will take.
struct LabelWatch {
    progress: Progress,
    pace: Pace,
    clock: WallClock,
}

impl LabelWatch {
    fn new(done: usize, goal: usize) -> LabelWatch {
        let clock = WallClock::start();
        let pace = Pace::start(TELL_EVERY, clock.now()).with_done_before(done);
        LabelWatch { progress: Progress::new(done, goal, "positions"), pace, clock }
    }

    fn note_event(&mut self, event: LabelEvent, context: &Context) {
        match event {
            LabelEvent::Done => self.progress.done += 1,
            LabelEvent::Warning(text) => {
                return context.print_progress(format_args!("the judge warns: {text}"));
            }
        }
        let now = self.clock.now();
        if self.pace.is_due(now) {
            context.print_progress(format_pace(&self.progress, &self.pace, now));
        }
    }
}

fn format_pace(progress: &Progress, pace: &Pace, now: Duration) -> String {
    let Progress { done, total, unit, .. } = progress;
    format!(
        "{done} of {total} {unit} ({:.1} %), {:.1} a second, {} left",
        progress.percent(),
        pace.rate(progress, now),
        format_duration(pace.seconds_left(progress, now))
    )
}

#[derive(Serialize)]
struct LabelReport {
    judge: String,
    /// Games that positions were drawn from.
    games: usize,
    /// Positions in the file, refused ones among them.
    positions: usize,
    /// Those of this run.
    added: usize,
    /// Positions that the judge refused.
    refused: usize,
}

impl LabelReport {
    fn to_text(&self, seed: Seed) -> String {
        let LabelReport { judge, games, positions, added, refused } = self;
        let mut text =
            format!("{positions} positions of {games} games by {judge}, {added} of them new, seed {seed}.\n");
        if *refused > 0 {
            text += &format!("The judge refused {refused}: the file says why (grep '^# refused').\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_says_how_long_it_takes() {
        let pace = Pace::start(TELL_EVERY, Duration::ZERO).with_done_before(1000);
        let progress = Progress::new(3000, 10_000, "positions");
        let line = format_pace(&progress, &pace, Duration::from_secs(20));
        assert_eq!(line, "3000 of 10000 positions (30.0 %), 100.0 a second, 70 s left");
        for (seconds, text) in
            [(0.0, "0 s"), (600.0, "10 min"), (7260.0, "2 h 01 min"), (864_000.0, "10.0 days")]
        {
            assert_eq!(format_duration(seconds), text);
        }
    }
}
