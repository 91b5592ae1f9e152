//! `ishi go label`: what a strong judge says of positions of records, to learn from.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use ishi_analysis::labels::judge::PolicyOf;
use ishi_analysis::labels::work::{self, Event, Work};
use ishi_analysis::labels::{Judge, JudgeError, LabelFile, LabelsError, Plan, Settings};
use ishi_arena::process::EngineCommand;
use ishi_go::Rules;
use ishi_patterns::records::{self, Record};
use ishi_patterns::table::checksum;
use serde::Serialize;

use super::games::{check_place, positive, read_text, share};
use crate::context::{Context, Failure};
use crate::files;

pub(super) const HELP: &str = "\
Examples:
  ishi go label games.txt.gz --judge 'katago analysis -config a.cfg -model b6.bin.gz' --out labels.tsv
  ishi go label games.txt.gz --judge '...' --out labels.tsv --positions 1000000
  ishi go label games.txt.gz --judge '...' --out labels.tsv --workers 4 --in-flight 16
  ishi go label games.txt.gz --judge 'ishi analysis' --visits 400 --policy visits --out own.tsv

Draws positions of random games, asks the judge about each, and writes a line of what it says: who wins,
by how much, whose each point is, and which moves it would play. A judge is any program that speaks
KataGo's analysis protocol. With one visit it is asked for its network alone.

Each line is written as soon as it is known. After Ctrl-C (exit code 130) or a kill the same command goes
on with the file, and a larger --positions adds to it. A file has one judge and one set of settings.

The positions are all different. They depend on the seed alone; the order of their lines depends on
which worker is first. Every game is taken once before any is taken again. docs/judge.md explains the
labels, docs/formats.md has their format; `ishi go positions` makes them into training samples.";

/// Time between two lines of progress.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// Options of `ishi go label`.
#[derive(Args, Debug)]
pub(super) struct LabelArgs {
    /// Records to draw positions from
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// The program that judges, with its arguments; quotes as in a shell
    #[arg(long, value_name = "COMMAND")]
    judge: EngineCommand,
    /// Where the labels go; a file that was begun so is gone on with
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Positions, those that the file has already counted
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = positive)]
    positions: usize,
    /// Positions of each game at most
    #[arg(long, value_name = "K", value_parser = positive)]
    per_game: Option<usize>,
    /// Share of positions, 0 to 1, before which the side to move passes
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    passes: f64,
    /// Visits of each position; 1 asks the judge's network alone
    #[arg(long, default_value_t = 1, value_name = "V", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    visits: u64,
    /// Moves as the network rates them before any search (network), or as the search visits them (visits)
    #[arg(long, default_value = "network", value_name = "HOW", value_parser = policy)]
    policy: PolicyOf,
    /// Rules that the games are judged by: chinese, japanese, tromp-taylor, aga or new-zealand
    #[arg(long, default_value = "chinese", value_name = "RULES", value_parser = named_rules)]
    rules: (Rules, &'static str),
    /// Leave out the first so many games
    #[arg(long, default_value_t = 0, value_name = "N")]
    skip: usize,
    /// Take so many games after them
    #[arg(long, value_name = "N", value_parser = positive)]
    take: Option<usize>,
    /// Processes of the judge
    #[arg(long, default_value_t = 1, value_name = "W", value_parser = positive)]
    workers: usize,
    /// Positions that each process has at once
    #[arg(long, default_value_t = 8, value_name = "Q", value_parser = positive)]
    in_flight: usize,
    /// Seconds that the judge may be silent, also while it begins
    #[arg(long, default_value_t = 600, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
}

fn policy(text: &str) -> Result<PolicyOf, String> {
    let found = PolicyOf::WORDS.iter().find(|(_, word)| *word == text).map(|&(policy, _)| policy);
    found.ok_or_else(|| format!("{text:?}: write network or visits"))
}

/// Only rules with a name that judges know too.
fn named_rules(text: &str) -> Result<(Rules, &'static str), String> {
    let rules: Rules = text.parse().map_err(|error: ishi_go::RulesError| error.to_string())?;
    rules.name().map(|name| (rules, name)).ok_or_else(|| format!("{text:?}: write a name such as chinese"))
}

/// Asks and writes.
pub(super) fn run(args: &LabelArgs, context: &Context) -> Result<(), Failure> {
    check_out(&args.out)?;
    let text = read_text(&args.games)?;
    let wrong = |problem: String| Failure::input(format!("{}: {problem}", args.games.display()));
    let games = games(&text, args).map_err(wrong)?;
    let settings = Settings {
        games: checksum(text.as_bytes()),
        skip: args.skip,
        take: args.take,
        visits: args.visits,
        policy: args.policy,
        rules: args.rules.1.to_string(),
        seed: context.seed,
        passes: args.passes,
    };
    let plan = Plan::new(&games, context.seed, args.per_game.unwrap_or(usize::MAX)).with_passes(args.passes);
    let goal = plan.positions().min(args.positions);
    let patience = Duration::from_secs(args.patience);
    let mut judge =
        Judge::start(&args.judge, patience, &context.stop).map_err(LabelsError::from).map_err(failure)?;
    let name = judge.name().map_err(LabelsError::from).map_err(failure)?;
    let command = args.judge.to_string();
    let mut file = LabelFile::open(&args.out, &settings, &name, &command).map_err(failure)?;
    tell_komi(&games, args, context);
    context.tell(format_args!("judge: {name}; {} of {goal} positions are there", file.len()));
    let mut progress = Progress::new(file.len(), goal);
    let work = Work {
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
    let mut tell = |event| progress.note(event, context);
    let done = work::run(&work, judge, plan, goal, &mut file, &|| context.stopped(), &mut tell);
    if !matches!(done, Ok(true)) {
        let (there, out) = (file.len(), args.out.display());
        context.tell(format_args!("{there} positions are in {out}; the same command goes on from there"));
    }
    if !done.map_err(failure)? {
        return Err(Failure::Interrupted);
    }
    let (positions, refused) = (file.len(), file.refused());
    Report { judge: name, games: games.len(), positions, added: positions - before, refused }.print(context)
}

/// The file grows: it cannot be standard output, nor be packed on the way.
fn check_out(out: &Path) -> Result<(), Failure> {
    if files::is_standard(out) {
        return Err(Failure::input("--out: give a file, as the labels are added to it"));
    }
    if out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        let problem = "labels are written line by line, as plain text: give a name without .gz, and pack it when it is done";
        return Err(Failure::input(format!("{}: {problem}", out.display())));
    }
    if out.is_dir() {
        return Err(Failure::input(format!("{} is a folder: give the name of a file", out.display())));
    }
    check_place(out, true)
}

/// The games that positions are drawn from.
fn games(text: &str, args: &LabelArgs) -> Result<Vec<Record>, String> {
    let limit = args.take.map_or(usize::MAX, |take| args.skip.saturating_add(take));
    let games = records::parse_first(text, limit).map_err(|error| error.to_string())?;
    let games: Vec<Record> = games.into_iter().skip(args.skip).collect();
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

fn tell_komi(games: &[Record], args: &LabelArgs, context: &Context) {
    let unknown = games.iter().filter(|game| game.komi.is_none()).count();
    if unknown > 0 {
        let (rules, name) = args.rules;
        let komi = rules.default_komi;
        context.tell(format_args!(
            "komi is not known of {unknown} games: {komi} is taken, as usual by {name} rules"
        ));
    }
}

fn failure(error: LabelsError) -> Failure {
    match error {
        LabelsError::Judge(JudgeError::Stopped) => Failure::Interrupted,
        error if error.is_input() => Failure::input(error),
        error => Failure::outside(error),
    }
}

/// How far it is, how fast, and how long it will take.
struct Progress {
    start: Instant,
    last: Instant,
    begun: usize,
    done: usize,
    goal: usize,
}

impl Progress {
    fn new(done: usize, goal: usize) -> Progress {
        let now = Instant::now();
        Progress { start: now, last: now, begun: done, done, goal }
    }

    fn note(&mut self, event: Event, context: &Context) {
        match event {
            Event::Done => self.done += 1,
            Event::Warning(text) => return context.tell(format_args!("the judge warns: {text}")),
        }
        if self.last.elapsed() >= TELL_EVERY {
            self.last = Instant::now();
            context.tell(self.line(self.start.elapsed()));
        }
    }

    /// The line after so much time.
    fn line(&self, elapsed: Duration) -> String {
        let rate = (self.done - self.begun) as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = self.goal.saturating_sub(self.done) as f64 / rate.max(1e-9);
        let percent = 100.0 * self.done as f64 / self.goal.max(1) as f64;
        let (done, goal) = (self.done, self.goal);
        format!("{done} of {goal} positions ({percent:.1} %), {rate:.1} a second, {} left", duration(left))
    }
}

/// Seconds as a person says them.
fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match minutes {
        _ if seconds < 100.0 => format!("{seconds:.0} s"),
        0..60 => format!("{minutes} min"),
        60..2880 => format!("{} h {:02} min", minutes / 60, minutes % 60),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

#[derive(Serialize)]
struct Report {
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

impl Report {
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json {
            return super::print_json(self);
        }
        let Report { judge, games, positions, added, refused } = self;
        let mut text = format!(
            "{positions} positions of {games} games by {judge}, {added} of them new, seed {}.\n",
            context.seed
        );
        if *refused > 0 {
            text += &format!("The judge refused {refused}: the file says why (grep '^# refused').\n");
        }
        files::print(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_says_how_long_it_takes() {
        let now = Instant::now();
        let progress = Progress { start: now, last: now, begun: 1000, done: 3000, goal: 10_000 };
        let line = progress.line(Duration::from_secs(20));
        assert_eq!(line, "3000 of 10000 positions (30.0 %), 100.0 a second, 70 s left");
        for (seconds, text) in
            [(0.0, "0 s"), (600.0, "10 min"), (7260.0, "2 h 01 min"), (864_000.0, "10.0 days")]
        {
            assert_eq!(duration(seconds), text);
        }
    }
}
