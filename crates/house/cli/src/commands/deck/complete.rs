//! `ishi deck complete`: the cards that a deck lacks, by the decks that people play.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use ishi_deck::scores::completion::add_cards_one_by_one;
use ishi_deck::scores::library::DeckLibrary;
use ishi_deck::scores::predict::CardPredictor;
use ishi_deck::scores::trial::{PredictionMethod, TrainingDecks, complete_deck};
use ishi_deck::{PieceId, Pool};
use ishi_deck_documents::{PieceNames, pool};
use ishi_words::CodedMessage;
use serde::Serialize;

use super::logs::{DeckLogArgs, FORMATS, check_card_count};
use crate::context::{Context, Failure};
use crate::files;
use crate::progress::ProgressDisplay;

const HELP: &str = "\
Examples:
  ishi deck complete decks.tsv.gz --keep Counterspell --keep Island --keep \"Lórien Revealed\"
  ishi deck complete decks.tsv.gz --keep Swamp --one-by-one
  ishi deck complete decks.tsv.gz --keep Swamp --size 20 --ban Forest --json
  ishi deck complete decks.tsv.gz --keep Swamp --pool beside.json
  ishi deck build beside.json --size 17 --fix Swamp

The deck builder fills the deck. With archetypes and recent its score is the sum of the chances of cards beside the \
kept ones. With all other methods it is the sum of pair scores. ishi deck completion-test says how good each method is.";

/// Options of `ishi deck complete`.
#[derive(Args, Debug)]
#[command(after_long_help = format!("{FORMATS}\n\n{HELP}"))]
pub struct DeckCompleteArgs {
    #[command(flatten)]
    log: DeckLogArgs,
    /// A card that is in the deck
    #[arg(long, value_name = "CARD", required = true)]
    keep: Vec<String>,
    /// A card that is not wanted
    #[arg(long, value_name = "CARD")]
    ban: Vec<String>,
    /// Different cards of the whole deck; as many as decks of the log have on average if not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1000))]
    size: Option<u16>,
    /// recent, archetypes, fitted, ease, popularity or a measure of pairs
    #[arg(long, default_value = "recent")]
    method: PredictionMethod,
    /// Add cards one by one, each beside all before it: a deck of one kind, in place of the cards most likely each by itself
    #[arg(long, conflicts_with = "pool")]
    one_by_one: bool,
    /// Cards of fewer decks are never added
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    min_support: u32,
    /// Write the cards and scores that the deck was built with (JSON), for ishi deck build
    #[arg(long, value_name = "FILE")]
    pool: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "pool")]
    force: bool,
}

/// How often the builder may ask whether to go on.
const PATIENCE: u64 = 100_000;

#[derive(Serialize)]
struct CompletionReport {
    method: &'static str,
    decks: usize,
    size: usize,
    kept: Vec<String>,
    added: Vec<AddedCard>,
    /// Is it proved that no other cards score more? Nothing is said of cards that were added one by one.
    proved: Option<bool>,
    /// How many of the added cards are expected to be right, where the method gives chances.
    expected: Option<f64>,
}

#[derive(Serialize)]
struct AddedCard {
    card: String,
    /// Learned decks that hold it.
    decks: u32,
    /// What the method gives it beside the kept cards (and, one by one, those before it): a chance, or a sum of scores.
    score: f64,
}

/// Learns, builds, prints.
pub fn run(args: &DeckCompleteArgs, context: &Context) -> Result<(), Failure> {
    if args.method == PredictionMethod::Nearest {
        return Err(Failure::input("--method nearest gives the deck builder no scores: take archetypes"));
    }
    let mut library = DeckLibrary::default();
    let vocabulary = args.log.read_decks(context, |entry| {
        library.push(entry.day, entry.cards.iter().copied().chain(entry.leader))
    })?;
    if library.is_empty() {
        return Err(Failure::input("there are no decks in the log, or none of the days that are asked for"));
    }
    let all: Vec<usize> = (0..library.len()).collect();
    let training = TrainingDecks::new(&library, &all, args.min_support, context.seed, context.threads);
    if !args.method.gives_chance() {
        check_card_count(training.cards.len(), &format!("--method {}", args.method))?;
    }
    let mut display = ProgressDisplay::spinner(context);
    let mut watch = |line: &str| {
        display.show_message(|| line.to_string());
        context.stop.to_flow()
    };
    let model = training.learn_pair_model(args.method, &mut watch);
    let pairs = model.as_ref().map(|model| training.build_pool(vocabulary.names(), model));
    let predictor: Box<dyn CardPredictor> = match model {
        Some(model) => Box::new(model),
        None => training.build_predictor(args.method, &mut watch),
    };
    context.check_stop()?;
    let names = training.build_pool_beside(vocabulary.names(), &*predictor, &[]);
    let kept = find_cards(&names, &args.keep, args.min_support)?;
    let pool = pairs.unwrap_or_else(|| training.build_pool_beside(vocabulary.names(), &*predictor, &kept));
    let size = args.size.map_or_else(|| average_deck_size(&library).max(kept.len() + 1), usize::from);
    let report = build_completion_report(args, context, &training, pool, &*predictor, &kept, size)?;
    files::print_result_beside(args.pool.as_deref(), context, &report, || report.to_text())
}

/// The cards of these names, each once.
fn find_cards(pool: &Pool, cards: &[String], least: u32) -> Result<Vec<u32>, Failure> {
    let names = PieceNames::from_pool(pool);
    let find = |card: &String| {
        let rare = |what: CodedMessage| {
            Failure::Input(format!("{what} (cards of at least {least} decks are known)"))
        };
        names.find_piece(card).map(|id| id.0).map_err(rare)
    };
    let mut found: Vec<u32> = cards.iter().map(find).collect::<Result<_, _>>()?;
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Different cards of a deck on average.
fn average_deck_size(library: &DeckLibrary) -> usize {
    let cards: usize = library.decks().map(<[u32]>::len).sum();
    (cards as f64 / library.len() as f64).round() as usize
}

fn build_completion_report(
    args: &DeckCompleteArgs,
    context: &Context,
    training: &TrainingDecks,
    pool: Pool,
    predictor: &dyn CardPredictor,
    kept: &[u32],
    size: usize,
) -> Result<CompletionReport, Failure> {
    let missing = size.checked_sub(kept.len()).filter(|&missing| missing > 0).ok_or_else(|| {
        Failure::Input(format!("{} cards are kept and the deck is of {size}: nothing is missing", kept.len()))
    })?;
    if let Some(path) = &args.pool {
        files::write_file(path, pool::write_pool(&pool, None).as_bytes(), args.force)?;
    }
    let banned: Vec<PieceId> =
        find_cards(&pool, &args.ban, args.min_support)?.into_iter().map(PieceId).collect();
    let pool = Arc::new(pool);
    let (chosen, proved) = if args.one_by_one {
        let banned: Vec<u32> = banned.iter().map(|id| id.0).collect();
        (add_cards_one_by_one(predictor, kept, &banned, missing, training.cards.len()), None)
    } else {
        let built =
            complete_deck(&pool, kept, missing, &banned, context.seed, PATIENCE).map_err(Failure::input)?;
        let built = built
            .ok_or_else(|| Failure::Negative("no deck was found: too many cards are banned".to_string()))?;
        let mut scores = vec![0.0; training.cards.len()];
        predictor.predict(kept, &mut scores);
        let mut chosen: Vec<(u32, f64)> =
            built.added.iter().map(|&card| (card, scores[card as usize])).collect();
        chosen.sort_by(|a, b| b.1.total_cmp(&a.1));
        (chosen, Some(built.proved))
    };
    let added: Vec<AddedCard> = chosen
        .into_iter()
        .map(|(card, score)| AddedCard {
            card: pool.piece(PieceId(card)).name.clone(),
            decks: training.counts.decks_with(card as usize),
            score,
        })
        .collect();
    Ok(CompletionReport {
        method: args.method.cli_word(),
        decks: training.library.len(),
        size: kept.len() + added.len(),
        kept: kept.iter().map(|&card| pool.piece(PieceId(card)).name.clone()).collect(),
        expected: (args.method.gives_chance() && !args.one_by_one)
            .then(|| added.iter().map(|card| card.score).sum()),
        added,
        proved,
    })
}

impl CompletionReport {
    fn to_text(&self) -> String {
        let mut text = format!("{} cards by {} from {} decks\n", self.size, self.method, self.decks);
        for card in &self.kept {
            let _ = writeln!(text, "{:>8}  {card}", "kept");
        }
        for card in &self.added {
            let _ = writeln!(text, "{:>8.3}  {} ({} decks)", card.score, card.card, card.decks);
        }
        if let Some(expected) = self.expected {
            let _ = writeln!(
                text,
                "{expected:.1} of the {} added cards are expected to be right",
                self.added.len()
            );
        }
        if self.proved == Some(false) {
            text += "not proved: other cards may score more\n";
        }
        text
    }
}
