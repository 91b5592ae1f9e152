//! `ishi deck learn`: scores of pairs, counted from decks.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use ishi_deck::Pool;
use ishi_deck::scores::library::DeckLibrary;
use ishi_deck::scores::log::Day;
use ishi_deck::scores::trial::{PredictionMethod, TrainingDecks};
use ishi_deck::scores::{CountOptions, DeckBatch, DeckCounts, LearnedScores, PairMeasure, ScoringOptions};
use ishi_deck_documents::{pool, seal_score_table};
use ishi_sheet::SheetTable;
use serde::Serialize;

use super::logs::{DeckLogArgs, FORMATS, check_card_count};
use super::numbers::format_decimal;
use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::number_in;
use crate::progress::ProgressDisplay;

const HELP: &str = "\
Examples:
  ishi deck learn decks.csv                                what pairs are played, and how they score
  ishi deck learn decks.tsv.gz --measure cosine --pool pool.json
  ishi deck learn decks.tsv.gz --model fitted --pool pool.json
  ishi deck generate --decks played.csv --out world.json
  ishi deck learn played.csv --leader-first
  ishi deck learn log.txt --min-support 20 --out pairs.csv --leaders leaders.csv
  ishi deck learn decks.tsv.gz --since 2026-01-01 --pool recent.json
  ishi deck build recent.json --size 17";

/// Options of `ishi deck learn`.
#[derive(Args, Debug)]
#[command(after_long_help = format!("{FORMATS}\n\n{HELP}"))]
pub struct DeckLearnArgs {
    #[command(flatten)]
    log: DeckLogArgs,
    /// support, confidence, lift, pmi, cosine or log-conditional
    #[arg(long, default_value = "log-conditional")]
    measure: PairMeasure,
    /// Cards and pairs of fewer decks are left out
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    min_support: u32,
    /// Decks of smoothing: counts are drawn so far towards what chance would give
    #[arg(long, default_value_t = 1.0, value_parser = number_in::<f64>(0.0..=1e9))]
    smoothing: f64,
    /// A card's own score is this times the logarithm of its share of decks
    #[arg(long, default_value_t = 0.0)]
    own: f64,
    /// Units in a score of 1: scores are whole numbers of units [default: 1000 for lift, a million for others]
    #[arg(long, value_parser = number_in::<f64>(1.0..=1e9))]
    units: Option<f64>,
    /// Memory for counts in MB; if that is too little, the rarest pairs are forgotten and their bound is told
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    memory: u32,
    /// Fit the scores of --pool to whole decks, in place of a measure: fitted (cards and pairs) or ease
    #[arg(long, requires = "pool", value_parser = parse_model)]
    model: Option<PredictionMethod>,
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

fn parse_model(text: &str) -> Result<PredictionMethod, String> {
    let method = text
        .parse()
        .ok()
        .filter(|method| matches!(method, PredictionMethod::Ease | PredictionMethod::Fitted));
    method.ok_or_else(|| format!("no model {text:?}: fitted, ease"))
}

/// Decks that are counted together.
const BATCH: usize = 1 << 14;

/// Counts, prints, writes.
pub fn run(args: &DeckLearnArgs, context: &Context) -> Result<(), Failure> {
    if args.measure == PairMeasure::LogConditional && args.smoothing == 0.0 {
        return Err(Failure::input(
            "--measure log-conditional needs --smoothing above 0: the logarithm of 0 is no number",
        ));
    }
    let seen = count_log(args, context)?;
    if seen.learned.counts.deck_count() == 0 {
        return Err(Failure::input("there are no decks in the log, or none of the days that are asked for"));
    }
    let mut scoring = ScoringOptions {
        measure: args.measure,
        min_support: args.min_support,
        smoothing: args.smoothing,
        ..ScoringOptions::for_measure(args.measure)
    };
    scoring.units = args.units.unwrap_or(scoring.units);
    for (path, leads) in [(&args.out, false), (&args.leaders, true)] {
        if let Some(path) = path {
            let table = seal_score_table(seen.to_csv(&scoring, leads))?;
            files::write_file(path, table.as_bytes(), args.force)?;
        }
    }
    if let Some(path) = &args.pool {
        let learned = match args.model {
            Some(model) => seen.fitted_pool(model, args.min_support, context)?,
            None => {
                if args.measure.is_dense() {
                    let cards = seen.learned.frequent_cards(&seen.names, args.min_support).len();
                    check_card_count(cards, &format!("--measure {}", args.measure))?;
                }
                seen.learned.build_pool(&seen.names, &scoring, args.own)
            }
        };
        learned.check_parts().map_err(Failure::input)?;
        files::write_file(path, pool::write_pool(&learned, None).as_bytes(), args.force)?;
    }
    let on_screen = [&args.out, &args.leaders, &args.pool].into_iter().flatten();
    if on_screen.into_iter().any(|path| files::is_standard(path)) {
        return Ok(());
    }
    let report = seen.to_report(&scoring, args.top);
    files::print_result(context, &report, || report.to_text())
}

/// What was counted.
struct CountedLog {
    learned: LearnedScores,
    names: Vec<String>,
    first: Option<Day>,
    last: Option<Day>,
    cards: u64,
    /// The decks themselves, for a model; a leader is a card as any other.
    library: Option<DeckLibrary>,
}

fn count_log(args: &DeckLearnArgs, context: &Context) -> Result<CountedLog, Failure> {
    let memory = (args.memory as usize) << 20;
    let mut counts = DeckCounts::new(&CountOptions { threads: context.threads, memory });
    let mut batch = DeckBatch::default();
    let (mut first, mut last) = (None, None);
    let mut library = args.model.map(|_| DeckLibrary::default());
    let vocabulary = args.log.read_decks(context, |entry| {
        if let Some(day) = entry.day {
            first = Some(first.map_or(day, |first: Day| first.min(day)));
            last = last.max(Some(day));
        }
        if let Some(library) = &mut library {
            library.push(entry.day, entry.cards.iter().copied().chain(entry.leader));
        }
        batch.push(entry.leader, entry.cards);
        if batch.len() == BATCH {
            counts.count_batch(&batch);
            batch.clear();
        }
    })?;
    counts.count_batch(&batch);
    let cards = (0..counts.card_count())
        .map(|card| u64::from(counts.decks_with(card)) + u64::from(counts.decks_led_by(card)))
        .sum();
    Ok(CountedLog {
        learned: LearnedScores { counts },
        names: vocabulary.names().to_vec(),
        first,
        last,
        cards,
        library,
    })
}

/// A pair with all that is known of it.
#[derive(Serialize)]
struct PairStats {
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
struct PairScoresReport {
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
    strongest: Vec<PairStats>,
    strongest_of_leaders: Vec<PairStats>,
}

impl CountedLog {
    /// A pool with the scores of a model.
    fn fitted_pool(
        &self,
        model: PredictionMethod,
        min_support: u32,
        context: &Context,
    ) -> Result<Pool, Failure> {
        let library = self.library.as_ref().expect("decks are kept for a model");
        let all: Vec<usize> = (0..library.len()).collect();
        let training = TrainingDecks::new(library, &all, min_support, context.seed, context.threads);
        let mut display = ProgressDisplay::spinner(context);
        check_card_count(training.cards.len(), "a model")?;
        let model = training.learn_pair_model(model, &mut |line| {
            display.show_message(|| line.to_string());
            context.stop.to_flow()
        });
        context.check_stop()?;
        Ok(training.build_pool(&self.names, &model.expect("both are pair models")))
    }

    fn pair_stats(
        &self,
        scoring: &ScoringOptions,
        (row, column, both): (u32, u32, u32),
        leads: bool,
    ) -> PairStats {
        let (first, second, decks) = self.decks_of_pair(row, column, leads);
        let value = |measure: PairMeasure| {
            let smoothing = if measure == PairMeasure::Support { 0.0 } else { scoring.smoothing };
            measure.score_pair(both, first, second, decks, smoothing)
        };
        let score = f64::from(scoring.score_in_units(value(scoring.measure))) / scoring.units;
        PairStats {
            first: self.names[row as usize].clone(),
            second: self.names[column as usize].clone(),
            decks_first: first,
            decks_second: second,
            both,
            support: value(PairMeasure::Support),
            confidence: f64::from(both) / f64::from(first),
            confidence_back: f64::from(both) / f64::from(second),
            lift: value(PairMeasure::Lift),
            pmi: value(PairMeasure::Pmi),
            cosine: value(PairMeasure::Cosine),
            log_conditional: value(PairMeasure::LogConditional),
            score,
        }
    }

    /// Decks with the first of a pair (those that it leads, if it leads), with the second, and all.
    fn decks_of_pair(&self, row: u32, column: u32, leads: bool) -> (u32, u32, u64) {
        let (counts, row, column) = (&self.learned.counts, row as usize, column as usize);
        match leads {
            true => (counts.decks_led_by(row), counts.led_decks_with(column), counts.led_deck_count()),
            false => (counts.decks_with(row), counts.decks_with(column), counts.deck_count()),
        }
    }

    fn pair_entries(&self, scoring: &ScoringOptions, leads: bool) -> Vec<(u32, u32, u32)> {
        let counts = &self.learned.counts;
        if leads {
            counts.frequent_leader_pairs(scoring.min_support)
        } else {
            counts.frequent_pairs(scoring.min_support)
        }
    }

    /// The pairs of the largest scores; of equal scores those that met more often.
    fn strongest_pairs(&self, scoring: &ScoringOptions, top: usize, leads: bool) -> (usize, Vec<PairStats>) {
        let entries = self.pair_entries(scoring, leads);
        let key = |&(row, column, both): &(u32, u32, u32)| {
            let (first, second, decks) = self.decks_of_pair(row, column, leads);
            let score = scoring.score_in_units(scoring.measure.score_pair(
                both,
                first,
                second,
                decks,
                scoring.smoothing,
            ));
            (std::cmp::Reverse((score, both)), row, column)
        };
        let all = entries.len();
        let mut keyed: Vec<_> = entries.into_iter().map(|entry| (key(&entry), entry)).collect();
        if top < keyed.len() {
            keyed.select_nth_unstable(top);
            keyed.truncate(top);
        }
        keyed.sort_unstable();
        (all, keyed.into_iter().map(|(_, entry)| self.pair_stats(scoring, entry, leads)).collect())
    }

    fn to_csv(&self, scoring: &ScoringOptions, leads: bool) -> String {
        let (first, second) = if leads { ("leader", "card") } else { ("a", "b") };
        let mut text = format!(
            "{first},{second},score,decks_{first},decks_{second},both,support,confidence,confidence_back,lift,pmi,cosine,log_conditional\n"
        );
        for entry in self.pair_entries(scoring, leads) {
            let pair = self.pair_stats(scoring, entry, leads);
            let figures = [
                pair.support,
                pair.confidence,
                pair.confidence_back,
                pair.lift,
                pair.pmi,
                pair.cosine,
                pair.log_conditional,
            ];
            let figures: Vec<String> = figures.into_iter().map(format_decimal).collect();
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{}",
                quote_csv_field(&pair.first),
                quote_csv_field(&pair.second),
                pair.score,
                pair.decks_first,
                pair.decks_second,
                pair.both,
                figures.join(",")
            );
        }
        text
    }

    fn to_report(&self, scoring: &ScoringOptions, top: usize) -> PairScoresReport {
        let counts = &self.learned.counts;
        let (frequent_pairs, strongest) = self.strongest_pairs(scoring, top, false);
        let (frequent_leader_pairs, strongest_of_leaders) = self.strongest_pairs(scoring, top, true);
        PairScoresReport {
            decks: counts.deck_count(),
            decks_with_leader: counts.led_deck_count(),
            first_day: self.first.map(|day| day.to_string()),
            last_day: self.last.map(|day| day.to_string()),
            cards: counts.card_count(),
            cards_per_deck: self.cards as f64 / counts.deck_count() as f64,
            min_support: scoring.min_support,
            smoothing: scoring.smoothing,
            measure: scoring.measure.cli_word(),
            units: scoring.units,
            frequent_cards: self.learned.frequent_cards(&self.names, scoring.min_support).len(),
            frequent_pairs,
            frequent_leader_pairs,
            missed: counts.largest_miss(),
            strongest,
            strongest_of_leaders,
        }
    }
}

impl PairScoresReport {
    fn to_text(&self) -> String {
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
        self.push_pair_table(&mut text, self.frequent_pairs, "pairs", &self.strongest);
        if self.decks_with_leader > 0 {
            self.push_pair_table(
                &mut text,
                self.frequent_leader_pairs,
                "pairs of a leader and a card",
                &self.strongest_of_leaders,
            );
        }
        text
    }

    fn push_pair_table(&self, text: &mut String, all: usize, what: &str, pairs: &[PairStats]) {
        if all == 0 {
            let least = self.min_support;
            let _ =
                writeln!(text, "no {what} in {least} decks or more: a lower --min-support takes rarer ones");
            return;
        }
        let _ = writeln!(
            text,
            "{all} {what} in {} decks or more; strongest by {}:",
            self.min_support, self.measure
        );
        if !pairs.is_empty() {
            text.push_str(&pair_table(pairs).to_text());
        }
    }
}

fn pair_table(pairs: &[PairStats]) -> SheetTable {
    let columns = [
        "#both",
        "#first",
        "#second",
        "#support",
        "#conf.",
        "#back",
        "#lift",
        "#pmi",
        "#cosine",
        "#log-cond",
        "pair",
    ];
    let mut table = SheetTable::new(columns)
        .with_text_widths(&[7, 7, 7, 8, 6, 6, 9, 6, 6, 8])
        .with_text_gaps(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
    for pair in pairs {
        let counts = [pair.both, pair.decks_first, pair.decks_second].map(|count| count.to_string());
        let figures = [
            (pair.support, 5),
            (pair.confidence, 3),
            (pair.confidence_back, 3),
            (pair.lift, 2),
            (pair.pmi, 2),
            (pair.cosine, 3),
            (pair.log_conditional, 3),
        ];
        let figures = figures.map(|(figure, decimals)| format!("{figure:.decimals$}"));
        let names = format!("{} + {}", pair.first, pair.second);
        table.add_row(counts.into_iter().chain(figures).chain([names]));
    }
    table
}

/// A field of CSV.
fn quote_csv_field(text: &str) -> String {
    // A line that begins with # is a remark, and \r ends a line, too.
    let plain = !text.contains([',', '"', '\n', '\r']) && !text.starts_with('#') && text.trim() == text;
    if plain { text.to_string() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}
