//! `ishi deck completion-test`: cards of known decks are hidden; how many does each method find?

use std::fmt::Write;
use std::ops::ControlFlow;

use clap::Args;
use ishi_deck::scores::completion::{LEAST_CARDS, Parts, Split, Task, split};
use ishi_deck::scores::library::Library;
use ishi_deck::scores::log::Day;
use ishi_deck::scores::trial::{Method, Row, Training, Trial, run as try_methods};
use serde::Serialize;

use super::logs::{FORMATS, LogArgs, Ticker, not_too_many};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi deck completion-test decks.tsv.gz
  ishi deck completion-test decks.tsv.gz --split distinct --decks 2000 --method archetypes,nearest,lift
  ishi deck completion-test decks.tsv.gz --split time --cut 2026-01-01 --builder 100

Splits: time learns from the decks before a day and tests later ones; random tests some of all decks, of which
copies may be learned from; distinct tests lists of which no copy is learned from. The share of tested decks with
a copy among the learned ones is told. No tested deck is ever learned from.

Methods: popularity; the measures support, confidence, lift, pmi, cosine and log-conditional, summed over the known
cards; ease, a linear model; fitted, a pair model with single-card terms; nearest, the vote of the 50 nearest decks;
archetypes, where every deck may be the pattern of the unknown one; recent, the same with younger decks counting
more. --builder N gives N decks to the deck builder as well, the known cards fixed: it finds the best deck by the
sum of a pair method's scores, or of the chances that archetypes or recent give.";

/// Options of `ishi deck completion-test`.
#[derive(Args, Debug)]
#[command(after_long_help = format!("{FORMATS}\n\n{HELP}"))]
pub struct CompletionTestArgs {
    #[command(flatten)]
    log: LogArgs,
    /// time, random or distinct; all that the log allows if not given
    #[arg(long, value_delimiter = ',', value_parser = ["time", "random", "distinct"])]
    split: Vec<String>,
    /// The first day that is tested, for --split time; the last tenth of decks if not given
    #[arg(long, value_name = "DAY")]
    cut: Option<Day>,
    /// At most so many decks are tested
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    decks: u32,
    /// Hide so many cards (first task)
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=200))]
    hide: u8,
    /// Keep so many cards (second task)
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=200))]
    keep: u8,
    /// Which methods; all if not given
    #[arg(long, value_delimiter = ',')]
    method: Vec<Method>,
    /// Cards of fewer learned decks are not known to any method; hidden ones are lost
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    min_support: u32,
    /// Give so many of the tested decks to the deck builder too
    #[arg(long, value_name = "DECKS", default_value_t = 0)]
    builder: usize,
    /// How often the builder may ask whether to go on, a deck
    #[arg(long, default_value_t = 200)]
    patience: u64,
    /// Another draw of decks: parameters are to be chosen on other draws than those that are reported
    #[arg(long, default_value_t = 0)]
    draw: u64,
}

#[derive(Serialize)]
struct Report {
    seed: String,
    decks: usize,
    cards: usize,
    splits: Vec<SplitReport>,
}

#[derive(Serialize)]
struct SplitReport {
    split: &'static str,
    /// The first day that is tested, in a split by time.
    cut: Option<String>,
    learned_decks: usize,
    tested_decks: usize,
    /// The share of tested decks of which a copy was learned from.
    copied: f64,
    /// Cards that methods know.
    known_cards: usize,
    rows: Vec<RowReport>,
}

#[derive(Serialize)]
struct RowReport {
    method: &'static str,
    task: String,
    found: u64,
    hidden: u64,
    share: f64,
    builder: Option<BuilderReport>,
}

#[derive(Serialize)]
struct BuilderReport {
    decks: usize,
    /// Decks proved to be optimal by the method's scores.
    proved: usize,
    share: f64,
    /// What the method found by itself in the same decks.
    method_share: f64,
}

/// Splits, learns, asks, prints.
pub fn run(args: &CompletionTestArgs, context: &Context) -> Result<(), Failure> {
    let mut library = Library::default();
    args.log
        .read(context, |entry| library.push(entry.day, entry.cards.iter().copied().chain(entry.leader)))?;
    let mut splits = Vec::new();
    for way in ways(args, &library)? {
        let parts = split(&library, way, args.decks as usize, context.seed, args.draw);
        if parts.tested.is_empty() || parts.learned.is_empty() {
            let word = way.word();
            return Err(Failure::input(format!(
                "--split {word} leaves {} decks to learn from and {} of {LEAST_CARDS} cards or more to test: both are needed",
                parts.learned.len(),
                parts.tested.len()
            )));
        }
        splits.push(one(args, context, &library, way, &parts)?);
    }
    let report =
        Report { seed: context.seed.to_string(), decks: library.len(), cards: library.cards(), splits };
    let text = if context.json {
        serde_json::to_string_pretty(&report).map_err(Failure::outside)? + "\n"
    } else {
        report.words()
    };
    files::print(text.as_bytes())
}

/// The splits that are asked for, or that the log allows.
fn ways(args: &CompletionTestArgs, library: &Library) -> Result<Vec<Split>, Failure> {
    let time = args.cut.map(Split::Time).or_else(|| Split::last(library, 0.1));
    if args.split.is_empty() {
        return Ok(time.into_iter().chain([Split::Random, Split::Distinct]).collect());
    }
    let way = |word: &String| match word.as_str() {
        "random" => Ok(Split::Random),
        "distinct" => Ok(Split::Distinct),
        _ => time
            .ok_or_else(|| Failure::input("--split time: the decks of the log need dates, of several days")),
    };
    args.split.iter().map(way).collect()
}

fn one(
    args: &CompletionTestArgs,
    context: &Context,
    library: &Library,
    way: Split,
    parts: &Parts,
) -> Result<SplitReport, Failure> {
    let training = Training::new(library, &parts.learned, args.min_support, context.seed, context.threads);
    not_too_many(training.cards.len(), "a pair method")?;
    let trial = Trial {
        methods: if args.method.is_empty() { &Method::ALL } else { &args.method },
        tasks: &[Task::Hide(args.hide.into()), Task::Keep(args.keep.into())],
        built: args.builder,
        patience: args.patience,
        seed: context.seed,
        threads: context.threads,
    };
    let mut ticker = Ticker::new(context);
    let rows = try_methods(library, parts, &training, &trial, &mut |line| {
        ticker.tell(&format!("{}: {line}", way.word()));
        if context.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let rows = rows.ok_or(Failure::Interrupted)?;
    Ok(SplitReport {
        split: way.word(),
        cut: if let Split::Time(day) = way { Some(day.to_string()) } else { None },
        learned_decks: parts.learned.len(),
        tested_decks: parts.tested.len(),
        copied: parts.copied,
        known_cards: training.cards.len(),
        rows: rows.iter().map(row).collect(),
    })
}

fn row(row: &Row) -> RowReport {
    let task = match row.task {
        Task::Hide(cards) => format!("hide {cards}"),
        Task::Keep(cards) => format!("keep {cards}"),
    };
    let builder = row.built.map(|built| BuilderReport {
        decks: built.decks,
        proved: built.proved,
        share: built.found.share(),
        method_share: built.named.share(),
    });
    RowReport {
        method: row.method.word(),
        task,
        found: row.named.found,
        hidden: row.named.hidden,
        share: row.named.share(),
        builder,
    }
}

impl Report {
    fn words(&self) -> String {
        let mut text = format!("{} decks, {} cards, seed {}\n", self.decks, self.cards, self.seed);
        for split in &self.splits {
            let cut = split.cut.as_ref().map_or(String::new(), |cut| format!(" from {cut}"));
            let _ = writeln!(
                text,
                "\nsplit {}{cut}: {} decks learned from, {} tested, {:.1} % of them with a copy among those",
                split.split,
                split.learned_decks,
                split.tested_decks,
                split.copied * 100.0
            );
            let _ = writeln!(text, "{:16} {:8} {:>6}  {:>8}", "method", "task", "found", "builder");
            for row in &split.rows {
                let built = row.builder.as_ref().map_or(String::new(), |built| {
                    format!(
                        "{:>8.3}  ({:.3} by itself in the same {} decks, {} proved)",
                        built.share, built.method_share, built.decks, built.proved
                    )
                });
                let line = format!("{:16} {:8} {:>6.3}  {built}", row.method, row.task, row.share);
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        text
    }
}
