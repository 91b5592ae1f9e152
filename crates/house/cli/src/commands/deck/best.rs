//! `ishi deck best`: the best decks that differ from each other.

use clap::Args;
use ishi_deck::answers::{count_pieces, find_best_decks, missing_pieces};
use ishi_deck::{AnswerStatus, DeckAnswer, Problem};
use ishi_deck_documents::answer::DeckDocument;
use serde::Serialize;

use super::build::{build_feasible_problem, format_deck, no_deck_failure};
use super::numbers::{format_decimal, format_percent};
use super::options::{PoolArgs, RequestArgs};
use super::watch::LimitedWatch;
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi deck best sample:deck --request sample:request
  ishi deck best sample:deck --request sample:request -k 5 --differ 4 --json

The first deck is the best of all. Each further one is the best of those that differ: they lack at least --differ cards of \
every deck before them. Each has its own proof or gap.";

/// Options of `ishi deck best`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct DeckBestArgs {
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
struct BestDecksReport {
    decks: Vec<RankedDeck>,
    /// Whether all decks that were asked for, or that there are, are listed and proved.
    proved: bool,
    /// Is it proved that there is no further deck that differs enough?
    no_more: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct RankedDeck {
    status: AnswerStatus,
    #[serde(flatten)]
    deck: DeckDocument,
    bound: Option<f64>,
    gap: Option<f64>,
    /// Cards of the first deck that it lacks, and cards that it has instead.
    leaves: Vec<String>,
    comes: Vec<String>,
}

/// Finds and prints them.
pub fn run(args: &DeckBestArgs, context: &Context) -> Result<(), Failure> {
    let pool = args.pool.read_pool(context)?;
    let wish = args.request.read_wish(&pool)?;
    let problem = build_feasible_problem(&pool, &wish)?;
    let seed = wish.settings.seed.unwrap_or(context.seed);
    let (count, cards) = (usize::from(args.count), usize::from(args.differ));
    let mut watch = LimitedWatch::start(&wish, context);
    let answers = find_best_decks(&problem, count, cards, seed, &mut |progress| {
        watch.observe_state(problem.pool(), progress)
    });
    let report = build_report(&problem, &answers, count, watch.finish());
    files::print_result(context, &report, || format_report(&problem, &report, cards))?;
    match report.decks.is_empty() {
        _ if context.is_stop_requested() => Err(Failure::Interrupted),
        true => Err(no_deck_failure(AnswerStatus::Unknown, &[])),
        false => Ok(()),
    }
}

fn build_report(problem: &Problem, answers: &[DeckAnswer], count: usize, seconds: f64) -> BestDecksReport {
    let pool = problem.pool();
    let names = |ids: Vec<_>| ids.into_iter().map(|id| pool.piece(id).name.clone()).collect();
    let first =
        answers.first().and_then(|answer| answer.deck.as_ref()).map(|deck| count_pieces(problem, deck));
    let first = first.unwrap_or_default();
    let ranked = |answer: &DeckAnswer| {
        let deck = answer.deck.as_ref()?;
        let own = count_pieces(problem, deck);
        Some(RankedDeck {
            status: answer.status,
            deck: DeckDocument::from_deck(problem, deck),
            bound: answer.bound.map(|bound| pool.score_of_units(bound)),
            gap: answer.relative_gap(),
            leaves: names(missing_pieces(&first, &own)),
            comes: names(missing_pieces(&own, &first)),
        })
    };
    let no_more = answers.last().is_some_and(|answer| answer.status == AnswerStatus::Infeasible);
    let sure =
        |answer: &DeckAnswer| matches!(answer.status, AnswerStatus::Optimal | AnswerStatus::Infeasible);
    let decks: Vec<RankedDeck> = answers.iter().filter_map(ranked).collect();
    let proved = answers.iter().all(sure) && (decks.len() == count || no_more);
    BestDecksReport { decks, proved, no_more, seconds }
}

fn format_report(problem: &Problem, report: &BestDecksReport, cards: usize) -> String {
    let mut text = String::new();
    for (at, ranked) in report.decks.iter().enumerate() {
        let value = format_decimal(ranked.deck.value);
        let sure = match (ranked.status, ranked.bound, ranked.gap) {
            (AnswerStatus::Optimal, ..) if at == 0 => "proved optimal".to_string(),
            (AnswerStatus::Optimal, ..) => "proved to be the best that differs enough".to_string(),
            (_, Some(bound), Some(gap)) => {
                format!("at most {} possible (gap {})", format_decimal(bound), format_percent(gap))
            }
            _ => "no bound known".to_string(),
        };
        text += &format!("deck {}: value {value}, {sure}\n", at + 1);
        if at == 0 {
            text += &format_deck(problem, &ranked.deck);
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
