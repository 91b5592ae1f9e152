//! `ishi deck completion-test`: cards of known decks are hidden; how many does each method find?

use std::fmt::Write;

use clap::Args;
use ishi_deck::scores::completion::{HidingTask, LEAST_CARDS, SplitDecks, TestSplit, split_library};
use ishi_deck::scores::library::DeckLibrary;
use ishi_deck::scores::log::Day;
use ishi_deck::scores::trial::{
    CompletionTrial, PredictionMethod, TrainingDecks, TrialRow, run_trial as try_methods,
};
use serde::Serialize;

use super::logs::{DeckLogArgs, FORMATS, check_card_count};
use crate::context::{Context, Failure};
use crate::files;
use crate::progress::ProgressDisplay;

const HELP: &str = "\
Examples:
  ishi deck completion-test decks.tsv.gz
  ishi deck completion-test decks.tsv.gz --split distinct --method archetypes,nearest,lift
  ishi deck completion-test decks.tsv.gz --split time --cut 2026-01-01 --builder 100

Splits:
  time       learns from the decks before a day and tests later ones
  random     tests some of all decks, of which copies may be learned from
  distinct   tests lists of which no copy is learned from
The share of tested decks with a copy among the learned ones is told. No tested deck is ever learned from.

Methods:
  popularity                the cards that most decks have
  support, confidence, lift, pmi, cosine, log-conditional   measures, summed over the known cards
  ease                      a linear model
  fitted                    a pair model with single-card terms
  nearest                   the vote of the 50 nearest decks
  archetypes                every deck may be the pattern of the unknown one
  recent                    the same with younger decks counting more
--builder N gives N decks to the deck builder as well, with the known cards fixed. It finds the best deck by the \
sum of a pair method's scores, or of the chances that archetypes or recent give.";

/// Options of `ishi deck completion-test`.
#[derive(Args, Debug)]
#[command(after_long_help = format!("{FORMATS}\n\n{HELP}"))]
pub struct CompletionTestArgs {
    #[command(flatten)]
    log: DeckLogArgs,
    /// time, random or distinct; all that the log allows if not given
    #[arg(long, value_delimiter = ',', value_parser = ["time", "random", "distinct"])]
    split: Vec<String>,
    /// The first day that is tested, for --split time; the last tenth of decks if not given
    #[arg(long, value_name = "DAY")]
    cut: Option<Day>,
    /// At most so many decks are tested; if not given, 1000, or a fifth of a log that has fewer than 5000
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    decks: Option<u32>,
    /// Hide so many cards (first task)
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=200))]
    hide: u8,
    /// Keep so many cards (second task)
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=200))]
    keep: u8,
    /// Which methods; all if not given
    #[arg(long, value_delimiter = ',')]
    method: Vec<PredictionMethod>,
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
struct CompletionTestReport {
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
    rows: Vec<TrialRow>,
}

/// Splits, learns, asks, prints.
pub fn run(args: &CompletionTestArgs, context: &Context) -> Result<(), Failure> {
    let mut library = DeckLibrary::default();
    args.log.read_decks(context, |entry| {
        library.push(entry.day, entry.cards.iter().copied().chain(entry.leader))
    })?;
    let most = args.decks.map_or_else(|| usual_test_size(library.len()), |decks| decks as usize);
    let mut splits = Vec::new();
    for way in chosen_splits(args, &library)? {
        let parts = split_library(&library, way, most, context.seed, args.draw);
        if parts.tested.is_empty() || parts.learned.is_empty() {
            let word = way.cli_word();
            return Err(Failure::input(format!(
                "--split {word} leaves {} decks to learn from and {} of {LEAST_CARDS} cards or more to test: both are needed",
                parts.learned.len(),
                parts.tested.len()
            )));
        }
        splits.push(test_split(args, context, &library, way, &parts)?);
    }
    let report = CompletionTestReport {
        seed: context.seed.to_string(),
        decks: library.len(),
        cards: library.card_count(),
        splits,
    };
    files::print_result(context, &report, || report.to_text())
}

/// How many decks of a log are tested if nothing else is said. The others are left to learn from.
fn usual_test_size(decks: usize) -> usize {
    (decks / 5).clamp(1, 1000)
}

/// The splits that are asked for, or that the log allows.
fn chosen_splits(args: &CompletionTestArgs, library: &DeckLibrary) -> Result<Vec<TestSplit>, Failure> {
    let time = args.cut.map(TestSplit::Time).or_else(|| TestSplit::for_last_share(library, 0.1));
    if args.split.is_empty() {
        return Ok(time.into_iter().chain([TestSplit::Random, TestSplit::Distinct]).collect());
    }
    let way = |word: &String| match word.as_str() {
        "random" => Ok(TestSplit::Random),
        "distinct" => Ok(TestSplit::Distinct),
        _ => time
            .ok_or_else(|| Failure::input("--split time: the decks of the log need dates, of several days")),
    };
    args.split.iter().map(way).collect()
}

fn test_split(
    args: &CompletionTestArgs,
    context: &Context,
    library: &DeckLibrary,
    way: TestSplit,
    parts: &SplitDecks,
) -> Result<SplitReport, Failure> {
    let training =
        TrainingDecks::new(library, &parts.learned, args.min_support, context.seed, context.threads);
    check_card_count(training.cards.len(), "a pair method")?;
    let trial = CompletionTrial {
        methods: if args.method.is_empty() { &PredictionMethod::ALL } else { &args.method },
        tasks: &[HidingTask::Hide(args.hide.into()), HidingTask::Keep(args.keep.into())],
        built: args.builder,
        patience: args.patience,
        seed: context.seed,
        threads: context.threads,
    };
    let mut display = ProgressDisplay::spinner(context);
    let rows = try_methods(library, parts, &training, &trial, &mut |line| {
        display.show_message(|| format!("{}: {line}", way.cli_word()));
        context.stop.to_flow()
    });
    let rows = rows.ok_or(Failure::Interrupted)?;
    Ok(SplitReport {
        split: way.cli_word(),
        cut: if let TestSplit::Time(day) = way { Some(day.to_string()) } else { None },
        learned_decks: parts.learned.len(),
        tested_decks: parts.tested.len(),
        copied: parts.copied,
        known_cards: training.cards.len(),
        rows,
    })
}

impl CompletionTestReport {
    fn to_text(&self) -> String {
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
                let built = row.built.map_or(String::new(), |built| {
                    let [share, by_itself] = [built.found, built.named].map(|score| score.found_share());
                    format!(
                        "{share:>8.3}  ({by_itself:.3} by itself in the same {} decks, {} proved)",
                        built.decks, built.proved
                    )
                });
                let (method, task, share) = (row.method.cli_word(), row.task, row.named.found_share());
                let line = format!("{method:16} {task:8} {share:>6.3}  {built}");
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        text
    }
}
