//! `ishi deck best`: the best decks that differ from each other.

use clap::Args;
use ishi_deck::answers::{best, counts, missing};
use ishi_deck::{Answer, Problem, Status};
use ishi_deck_documents::answer::{DeckDocument, StatusWord};
use ishi_deck_documents::solve::Clock;
use ishi_deck_documents::words;
use serde::Serialize;

use super::build::{deck_words, no_deck};
use super::numbers::{decimal, percent};
use super::options::{PoolArgs, RequestArgs, problem};
use super::watch::Watch;
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi deck best data/decks/example.toml --request data/decks/request.toml
  ishi deck best data/decks/example.toml --request data/decks/request.toml -k 5 --differ 4 --json

The first deck is the best of all; each next is the best of those that lack at least so many cards of every deck before it.
Each has its own proof or gap.";

/// Options of `ishi deck best`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct BestArgs {
    #[command(flatten)]
    pool: PoolArgs,
    #[command(flatten)]
    request: RequestArgs,
    /// How many decks
    #[arg(long, short = 'k', default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    count: u16,
    /// How many cards of each earlier deck are missing from a deck, at least
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    differ: u16,
}

#[derive(Serialize)]
struct Report {
    decks: Vec<Ranked>,
    /// Whether all decks that were asked for, or that there are, are listed and proved.
    proved: bool,
    /// Is it proved that there is no further deck that differs enough?
    no_more: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct Ranked {
    status: StatusWord,
    #[serde(flatten)]
    deck: DeckDocument,
    bound: Option<f64>,
    gap: Option<f64>,
    /// Cards of the first deck that it lacks, and cards that it has instead.
    leaves: Vec<String>,
    comes: Vec<String>,
}

/// Finds and prints them.
pub fn run(args: &BestArgs, context: &Context) -> Result<(), Failure> {
    let pool = args.pool.read(context)?;
    let wish = args.request.read(&pool)?;
    let problem = problem(&pool, &wish)?;
    let reasons = words::infeasible(&problem);
    if !reasons.is_empty() {
        return Err(no_deck(StatusWord::Infeasible, &reasons));
    }
    let clock = Clock::start(wish.settings.time_limit);
    let seed = wish.settings.seed.unwrap_or(context.seed);
    let (count, cards) = (usize::from(args.count), usize::from(args.differ));
    let mut watch = Watch::new(context);
    let answers = best(&problem, count, cards, seed, &mut |progress| {
        let next = watch.see(problem.pool(), progress);
        if clock.is_up() { std::ops::ControlFlow::Break(()) } else { next }
    });
    drop(watch);
    let report = report(&problem, &answers, count, clock.seconds());
    let text = if context.json {
        serde_json::to_string_pretty(&report).map_err(Failure::outside)? + "\n"
    } else {
        in_words(&problem, &report, cards)
    };
    files::print(text.as_bytes())?;
    match report.decks.is_empty() {
        _ if context.stopped() => Err(Failure::Interrupted),
        true => Err(no_deck(StatusWord::Unknown, &[])),
        false => Ok(()),
    }
}

fn report(problem: &Problem, answers: &[Answer], count: usize, seconds: f64) -> Report {
    let pool = problem.pool();
    let names = |ids: Vec<_>| ids.into_iter().map(|id| pool.piece(id).name.clone()).collect();
    let first = answers.first().and_then(|answer| answer.deck.as_ref()).map(|deck| counts(problem, deck));
    let first = first.unwrap_or_default();
    let ranked = |answer: &Answer| {
        let deck = answer.deck.as_ref()?;
        let own = counts(problem, deck);
        Some(Ranked {
            status: answer.status.into(),
            deck: DeckDocument::of(problem, deck),
            bound: answer.bound.map(|bound| pool.score(bound)),
            gap: answer.gap(),
            leaves: names(missing(&first, &own)),
            comes: names(missing(&own, &first)),
        })
    };
    let no_more = answers.last().is_some_and(|answer| answer.status == Status::Infeasible);
    let sure = |answer: &Answer| matches!(answer.status, Status::Optimal | Status::Infeasible);
    let decks: Vec<Ranked> = answers.iter().filter_map(ranked).collect();
    let proved = answers.iter().all(sure) && (decks.len() == count || no_more);
    Report { decks, proved, no_more, seconds }
}

fn in_words(problem: &Problem, report: &Report, cards: usize) -> String {
    let mut text = String::new();
    for (at, ranked) in report.decks.iter().enumerate() {
        let value = decimal(ranked.deck.value);
        let sure = match (ranked.status, ranked.bound, ranked.gap) {
            (StatusWord::Optimal, ..) if at == 0 => "proved optimal".to_string(),
            (StatusWord::Optimal, ..) => "proved to be the best that differs enough".to_string(),
            (_, Some(bound), Some(gap)) => {
                format!("at most {} possible (gap {})", decimal(bound), percent(gap))
            }
            _ => "no bound known".to_string(),
        };
        text += &format!("deck {}: value {value}, {sure}\n", at + 1);
        if at == 0 {
            text += &deck_words(problem, &ranked.deck);
            continue;
        }
        if let Some(leader) = &ranked.deck.leader {
            text += &format!("  leader {leader}\n");
        }
        text += &format!("  without {}\n  with    {}\n", ranked.leaves.join(", "), ranked.comes.join(", "));
    }
    if report.no_more {
        text += &format!("no other deck lacks {cards} or more cards of each of these\n");
    }
    text
}
