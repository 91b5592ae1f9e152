//! `ishi deck acquire`: the card not owned that raises the optimum most.

use clap::Args;
use ishi_deck::AnswerStatus;
use ishi_deck::answers::{Acquisitions, count_pieces, find_acquisitions, missing_pieces};
use serde::Serialize;

use super::numbers::format_decimal;
use super::options::{PoolArgs, RequestArgs};
use super::watch::LimitedWatch;
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi deck acquire sample:deck --request sample:request --owned owned.csv
  ishi deck acquire pool.json --owned owned.csv --limit cost=200 --count 10 --json

A file such as owned.csv has a card's name on each line. Every card of the pool that is not owned is judged by the best \
deck with it and what is owned. The cards that are listed are proved to be the best of all, unless the answer says otherwise.";

/// Options of `ishi deck acquire`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct DeckAcquireArgs {
    #[command(flatten)]
    pool: PoolArgs,
    #[command(flatten)]
    request: RequestArgs,
    /// How many cards are listed
    #[arg(long, short = 'k', default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    count: u16,
}

#[derive(Serialize)]
struct AcquireReport {
    /// The best deck of what is owned; absent where there is none.
    value: Option<f64>,
    cards: Vec<AcquiredCardReport>,
    /// No other card does better than these, nor they in another order.
    proved: bool,
    /// With a card that is not listed before the last, no deck is worth more than this.
    others_at_most: Option<f64>,
    seconds: f64,
}

#[derive(Serialize)]
struct AcquiredCardReport {
    card: String,
    status: AnswerStatus,
    /// The value of the best deck with it.
    value: Option<f64>,
    raise: Option<f64>,
    /// Cards of the best deck of what is owned that make room, and what comes with the card.
    leaves: Vec<String>,
    comes: Vec<String>,
}

/// Looks for the cards, prints them.
pub fn run(args: &DeckAcquireArgs, context: &Context) -> Result<(), Failure> {
    let pool = args.pool.read_pool(context)?;
    let wish = args.request.read_wish(&pool)?;
    if wish.request.owned.is_none() {
        return Err(Failure::Input(
            "every card is taken as owned: give --owned FILE, `owned` in the request, or `copies` in the pool".to_string(),
        ));
    }
    let seed = wish.settings.seed.unwrap_or(context.seed);
    let mut watch = LimitedWatch::start(&wish, context);
    let found =
        find_acquisitions(&pool.pool, &wish.request, usize::from(args.count), seed, &mut |progress| {
            watch.observe_state(&pool.pool, progress)
        });
    let report = build_report(&found.map_err(Failure::input)?, watch.finish());
    files::print_result(context, &report, || format_report(&report))?;
    context.check_stop()
}

fn build_report(found: &Acquisitions, seconds: f64) -> AcquireReport {
    let pool = found.owned.pool();
    let now = found.now.deck.as_ref().map(|deck| count_pieces(&found.owned, deck)).unwrap_or_default();
    let names = |ids: Vec<_>| ids.into_iter().map(|id| pool.piece(id).name.clone()).collect();
    let card = |card: &ishi_deck::answers::Acquisition| {
        let deck =
            card.answer.deck.as_ref().map(|deck| count_pieces(&found.problem, deck)).unwrap_or_default();
        let raise = card.answer.value.zip(found.now.value).map(|(with, now)| pool.score_of_units(with - now));
        AcquiredCardReport {
            card: pool.piece(card.card).name.clone(),
            status: card.answer.status,
            value: card.answer.value.map(|value| pool.score_of_units(value)),
            raise,
            leaves: names(missing_pieces(&now, &deck)),
            comes: names(missing_pieces(&deck, &now)),
        }
    };
    AcquireReport {
        value: found.now.value.map(|value| pool.score_of_units(value)),
        cards: found.cards.iter().map(card).collect(),
        proved: found.proved,
        others_at_most: found.others.map(|units| pool.score_of_units(units)),
        seconds,
    }
}

fn format_report(report: &AcquireReport) -> String {
    let mut text = match report.value {
        Some(value) => format!("the best deck of what is owned is worth {}\n", format_decimal(value)),
        None => "what is owned makes no deck within the rules\n".to_string(),
    };
    for (at, card) in report.cards.iter().enumerate() {
        let value = card.value.map_or("?".to_string(), format_decimal);
        let raise = card.raise.map_or(String::new(), |raise| format!(", {} more", format_decimal(raise)));
        text += &format!("{}. {}: {value}{raise}\n", at + 1, card.card);
        if report.value.is_some() {
            text += &format!("   comes {}\n   leaves {}\n", card.comes.join(", "), card.leaves.join(", "));
        }
    }
    text += match (report.proved, report.cards.is_empty()) {
        (true, true) => "no card that is not owned raises it: proved\n",
        (true, false) => "no other card raises it more: proved\n",
        (false, _) => "not proved: the work was stopped, so another card may be better\n",
    };
    text
}
