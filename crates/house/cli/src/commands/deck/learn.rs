//! `ishi deck learn`: scores of pairs, counted from decks.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use ishi_deck::Pool;
use ishi_deck::scores::library::Library;
use ishi_deck::scores::log::Day;
use ishi_deck::scores::trial::{Method, Training};
use ishi_deck::scores::{Batch, CountOptions, Counts, Learned, Measure, Scoring};
use ishi_deck_documents::pool;
use serde::Serialize;

use super::logs::{FORMATS, LogArgs, Ticker, not_too_many};
use super::numbers::decimal;
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi deck learn decks.csv                                what pairs are played, and how they score
  ishi deck learn decks.tsv.gz --measure cosine --pool pool.json
  ishi deck learn decks.tsv.gz --model fitted --pool pool.json
  ishi deck generate --decks played.csv --out world.json && ishi deck learn played.csv --leader-first
  ishi deck learn log.txt --min-support 20 --out pairs.csv --leaders leaders.csv
  ishi deck learn decks.tsv.gz --since 2026-01-01 --pool recent.json && ishi deck build recent.json --size 17";

/// Options of `ishi deck learn`.
#[derive(Args, Debug)]
#[command(after_long_help = format!("{FORMATS}\n\n{HELP}"))]
pub struct LearnArgs {
    #[command(flatten)]
    log: LogArgs,
    /// support, confidence, lift, pmi, cosine or log-conditional
    #[arg(long, default_value = "log-conditional")]
    measure: Measure,
    /// Cards and pairs of fewer decks are left out
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    min_support: u32,
    /// Decks of smoothing: counts are drawn so far towards what chance would give
    #[arg(long, default_value_t = 1.0, value_parser = smoothing)]
    smoothing: f64,
    /// A card's own score is this times the logarithm of its share of decks
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    own: f64,
    /// Units in a score of 1: scores are whole numbers of units [default: 1000 for lift, a million for others]
    #[arg(long, value_parser = units)]
    units: Option<f64>,
    /// Memory for counts in MB; if that is too little, the rarest pairs are forgotten and their bound is told
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    memory: u32,
    /// Fit the scores of --pool to whole decks, in place of a measure: fitted (cards and pairs) or ease
    #[arg(long, requires = "pool", value_parser = model)]
    model: Option<Method>,
    /// How many pairs to show
    #[arg(long, default_value_t = 20)]
    top: usize,
    /// Write the pairs with their counts, all measures and the score (CSV)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the pairs of leaders in the same way (CSV)
    #[arg(long, value_name = "FILE")]
    leaders: Option<PathBuf>,
    /// Write a pool of cards and scores, for ishi deck build (JSON)
    #[arg(long, value_name = "FILE")]
    pool: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
}

fn model(text: &str) -> Result<Method, String> {
    let method = text.parse().ok().filter(|method| matches!(method, Method::Ease | Method::Fitted));
    method.ok_or_else(|| format!("no model {text:?}: fitted, ease"))
}

fn smoothing(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|a: &f64| (0.0..=1e9).contains(a))
        .ok_or(format!("{text:?}: 0 or more is wanted"))
}

fn units(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|a: &f64| (1.0..=1e9).contains(a))
        .ok_or(format!("{text:?}: 1 to 1000000000 is wanted"))
}

/// Decks that are counted together.
const BATCH: usize = 1 << 14;

/// Counts, prints, writes.
pub fn run(args: &LearnArgs, context: &Context) -> Result<(), Failure> {
    if args.measure == Measure::LogConditional && args.smoothing == 0.0 {
        return Err(Failure::input(
            "--measure log-conditional needs --smoothing above 0: the logarithm of 0 is no number",
        ));
    }
    let seen = count(args, context)?;
    if seen.learned.counts.decks() == 0 {
        return Err(Failure::input("there are no decks in the log, or none of the days that are asked for"));
    }
    let mut scoring = Scoring {
        measure: args.measure,
        min_support: args.min_support,
        smoothing: args.smoothing,
        ..Scoring::of(args.measure)
    };
    scoring.units = args.units.unwrap_or(scoring.units);
    for (path, leads) in [(&args.out, false), (&args.leaders, true)] {
        if let Some(path) = path {
            files::write(path, seen.csv(&scoring, leads).as_bytes(), args.force)?;
        }
    }
    if let Some(path) = &args.pool {
        let learned = match args.model {
            Some(model) => seen.fitted(model, args.min_support, context)?,
            None => {
                if args.measure.is_dense() {
                    let cards = seen.learned.frequent(&seen.names, args.min_support).len();
                    not_too_many(cards, &format!("--measure {}", args.measure))?;
                }
                seen.learned.pool(&seen.names, &scoring, args.own)
            }
        };
        learned.check().map_err(Failure::input)?;
        files::write(path, pool::write(&learned, None).as_bytes(), args.force)?;
    }
    let on_screen = [&args.out, &args.leaders, &args.pool].into_iter().flatten();
    if on_screen.into_iter().any(|path| files::is_standard(path)) {
        return Ok(());
    }
    let report = seen.report(&scoring, args.top);
    let text = if context.json {
        serde_json::to_string_pretty(&report).map_err(Failure::outside)? + "\n"
    } else {
        report.words()
    };
    files::print(text.as_bytes())
}

/// What was counted.
struct Seen {
    learned: Learned,
    names: Vec<String>,
    first: Option<Day>,
    last: Option<Day>,
    cards: u64,
    /// The decks themselves, for a model; a leader is a card as any other.
    library: Option<Library>,
}

fn count(args: &LearnArgs, context: &Context) -> Result<Seen, Failure> {
    let memory = (args.memory as usize) << 20;
    let mut counts = Counts::new(&CountOptions { threads: context.threads, memory });
    let mut batch = Batch::default();
    let (mut first, mut last) = (None, None);
    let mut library = args.model.map(|_| Library::default());
    let vocabulary = args.log.read(context, |entry| {
        if let Some(day) = entry.day {
            first = Some(first.map_or(day, |first: Day| first.min(day)));
            last = last.max(Some(day));
        }
        if let Some(library) = &mut library {
            library.push(entry.day, entry.cards.iter().copied().chain(entry.leader));
        }
        batch.push(entry.leader, entry.cards);
        if batch.len() == BATCH {
            counts.add(&batch);
            batch.clear();
        }
    })?;
    counts.add(&batch);
    let cards =
        (0..counts.cards()).map(|card| u64::from(counts.of(card)) + u64::from(counts.leads(card))).sum();
    Ok(Seen { learned: Learned { counts }, names: vocabulary.names().to_vec(), first, last, cards, library })
}

/// A pair with all that is known of it.
#[derive(Serialize)]
struct Pair {
    /// Or the leader.
    first: String,
    second: String,
    decks_first: u32,
    decks_second: u32,
    both: u32,
    support: f64,
    /// The share of the first's decks that hold the second.
    confidence: f64,
    /// The share of the second's decks that hold the first.
    confidence_back: f64,
    lift: f64,
    pmi: f64,
    cosine: f64,
    log_conditional: f64,
    /// By the measure that was asked for, in whole units.
    score: f64,
}

#[derive(Serialize)]
struct Report {
    decks: u64,
    decks_with_leader: u64,
    /// Of the decks that were counted, where the log has dates.
    first_day: Option<String>,
    last_day: Option<String>,
    cards: usize,
    cards_per_deck: f64,
    min_support: u32,
    smoothing: f64,
    measure: &'static str,
    units: f64,
    /// Cards of at least the minimum support.
    frequent_cards: usize,
    /// Pairs of at least the minimum support.
    frequent_pairs: usize,
    frequent_leader_pairs: usize,
    /// Counts of pairs are at most so much too low; 0 if the memory was enough.
    missed: u32,
    strongest: Vec<Pair>,
    strongest_of_leaders: Vec<Pair>,
}

impl Seen {
    /// A pool with the scores of a model.
    fn fitted(&self, model: Method, min_support: u32, context: &Context) -> Result<Pool, Failure> {
        let library = self.library.as_ref().expect("decks are kept for a model");
        let all: Vec<usize> = (0..library.len()).collect();
        let training = Training::new(library, &all, min_support, context.seed, context.threads);
        let mut ticker = Ticker::new(context);
        not_too_many(training.cards.len(), "a model")?;
        let model = training.pair_model(model, &mut |line| {
            ticker.tell(line);
            if context.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if context.stopped() {
            return Err(Failure::Interrupted);
        }
        Ok(training.pool(&self.names, &model.expect("both are pair models")))
    }

    fn pair(&self, scoring: &Scoring, (row, column, both): (u32, u32, u32), leads: bool) -> Pair {
        let counts = &self.learned.counts;
        let (first, second, decks) = if leads {
            (counts.leads(row as usize), counts.of_led(column as usize), counts.led())
        } else {
            (counts.of(row as usize), counts.of(column as usize), counts.decks())
        };
        let value = |measure: Measure| {
            let smoothing = if measure == Measure::Support { 0.0 } else { scoring.smoothing };
            measure.score(both, first, second, decks, smoothing)
        };
        let score = f64::from(scoring.in_units(value(scoring.measure))) / scoring.units;
        Pair {
            first: self.names[row as usize].clone(),
            second: self.names[column as usize].clone(),
            decks_first: first,
            decks_second: second,
            both,
            support: value(Measure::Support),
            confidence: f64::from(both) / f64::from(first),
            confidence_back: f64::from(both) / f64::from(second),
            lift: value(Measure::Lift),
            pmi: value(Measure::Pmi),
            cosine: value(Measure::Cosine),
            log_conditional: value(Measure::LogConditional),
            score,
        }
    }

    fn entries(&self, scoring: &Scoring, leads: bool) -> Vec<(u32, u32, u32)> {
        let counts = &self.learned.counts;
        if leads { counts.leader_pairs(scoring.min_support) } else { counts.pairs(scoring.min_support) }
    }

    /// The pairs of the largest scores; of equal scores those that met more often.
    fn strongest(&self, scoring: &Scoring, top: usize, leads: bool) -> (usize, Vec<Pair>) {
        let entries = self.entries(scoring, leads);
        let counts = &self.learned.counts;
        let key = |&(row, column, both): &(u32, u32, u32)| {
            let (first, second, decks) = if leads {
                (counts.leads(row as usize), counts.of_led(column as usize), counts.led())
            } else {
                (counts.of(row as usize), counts.of(column as usize), counts.decks())
            };
            let score =
                scoring.in_units(scoring.measure.score(both, first, second, decks, scoring.smoothing));
            (std::cmp::Reverse((score, both)), row, column)
        };
        let all = entries.len();
        let mut keyed: Vec<_> = entries.into_iter().map(|entry| (key(&entry), entry)).collect();
        if top < keyed.len() {
            keyed.select_nth_unstable(top);
            keyed.truncate(top);
        }
        keyed.sort_unstable();
        (all, keyed.into_iter().map(|(_, entry)| self.pair(scoring, entry, leads)).collect())
    }

    fn csv(&self, scoring: &Scoring, leads: bool) -> String {
        let (first, second) = if leads { ("leader", "card") } else { ("a", "b") };
        let mut text = format!(
            "{first},{second},score,decks_{first},decks_{second},both,support,confidence,confidence_back,lift,pmi,cosine,log_conditional\n"
        );
        for entry in self.entries(scoring, leads) {
            let pair = self.pair(scoring, entry, leads);
            let figures = [
                pair.support,
                pair.confidence,
                pair.confidence_back,
                pair.lift,
                pair.pmi,
                pair.cosine,
                pair.log_conditional,
            ];
            let figures: Vec<String> = figures.into_iter().map(decimal).collect();
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{}",
                quoted(&pair.first),
                quoted(&pair.second),
                pair.score,
                pair.decks_first,
                pair.decks_second,
                pair.both,
                figures.join(",")
            );
        }
        text
    }

    fn report(&self, scoring: &Scoring, top: usize) -> Report {
        let counts = &self.learned.counts;
        let (frequent_pairs, strongest) = self.strongest(scoring, top, false);
        let (frequent_leader_pairs, strongest_of_leaders) = self.strongest(scoring, top, true);
        Report {
            decks: counts.decks(),
            decks_with_leader: counts.led(),
            first_day: self.first.map(|day| day.to_string()),
            last_day: self.last.map(|day| day.to_string()),
            cards: counts.cards(),
            cards_per_deck: self.cards as f64 / counts.decks() as f64,
            min_support: scoring.min_support,
            smoothing: scoring.smoothing,
            measure: scoring.measure.word(),
            units: scoring.units,
            frequent_cards: self.learned.frequent(&self.names, scoring.min_support).len(),
            frequent_pairs,
            frequent_leader_pairs,
            missed: counts.missed(),
            strongest,
            strongest_of_leaders,
        }
    }
}

impl Report {
    fn words(&self) -> String {
        let days = match (&self.first_day, &self.last_day) {
            (Some(first), Some(last)) => format!(" of {first} to {last}"),
            _ => String::new(),
        };
        let mut text =
            format!("{} decks{days}, {:.1} different cards a deck", self.decks, self.cards_per_deck);
        if self.decks_with_leader > 0 {
            let _ = write!(text, ", {} with a leader", self.decks_with_leader);
        }
        let _ = writeln!(
            text,
            "\n{} cards, {} of them in {} decks or more",
            self.cards, self.frequent_cards, self.min_support
        );
        if self.missed > 0 {
            let _ = writeln!(
                text,
                "the memory was too small for all pairs: counts are up to {} too low",
                self.missed
            );
        }
        self.table(&mut text, self.frequent_pairs, "pairs", &self.strongest);
        if self.decks_with_leader > 0 {
            self.table(
                &mut text,
                self.frequent_leader_pairs,
                "pairs of a leader and a card",
                &self.strongest_of_leaders,
            );
        }
        text
    }

    fn table(&self, text: &mut String, all: usize, what: &str, pairs: &[Pair]) {
        let _ = writeln!(
            text,
            "{all} {what} in {} decks or more; strongest by {}:",
            self.min_support, self.measure
        );
        if pairs.is_empty() {
            return;
        }
        let _ = writeln!(
            text,
            "{:>7} {:>7} {:>7} {:>8} {:>6} {:>6} {:>9} {:>6} {:>6} {:>8}  pair",
            "both", "first", "second", "support", "conf.", "back", "lift", "pmi", "cosine", "log-cond"
        );
        for pair in pairs {
            let _ = writeln!(
                text,
                "{:>7} {:>7} {:>7} {:>8.5} {:>6.3} {:>6.3} {:>9.2} {:>6.2} {:>6.3} {:>8.3}  {} + {}",
                pair.both,
                pair.decks_first,
                pair.decks_second,
                pair.support,
                pair.confidence,
                pair.confidence_back,
                pair.lift,
                pair.pmi,
                pair.cosine,
                pair.log_conditional,
                pair.first,
                pair.second
            );
        }
    }
}

/// A field of CSV.
fn quoted(text: &str) -> String {
    let plain = !text.contains([',', '"', '\n']) && text.trim() == text;
    if plain { text.to_string() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}
