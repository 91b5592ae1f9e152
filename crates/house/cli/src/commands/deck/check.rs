//! `ishi deck check`: whether a deck is within the rules, and what it is worth.

use std::path::PathBuf;

use clap::Args;
use ishi_deck_documents::answer::DeckDocument;
use ishi_deck_documents::{listing, words};

use super::build::format_deck;
use super::numbers::format_decimal;
use super::options::{PoolArgs, RequestArgs, source_name};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi deck check sample:deck deck.json --request sample:request
  ishi deck check pool.json deck.csv --limit cost=200 --at-least fire=10

The deck is an answer of ishi (JSON), a list of names (JSON), deck = [...] (TOML), or lines of name or name,copies. Where \
the file does not say who leads, the best of those that may leads. The exit code is 1 if a rule is broken.";

/// Options of `ishi deck check`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct DeckCheckArgs {
    #[command(flatten)]
    pool: PoolArgs,
    /// The deck
    deck: PathBuf,
    #[command(flatten)]
    request: RequestArgs,
}

/// Reads the deck, checks it, prints.
pub fn run(args: &DeckCheckArgs, context: &Context) -> Result<(), Failure> {
    let pool = args.pool.read_pool(context)?;
    let wish = args.request.read_wish(&pool)?;
    let name = source_name(&args.deck);
    let listed = listing::read_listing(&name, &files::read_file_or_stdin(&args.deck)?, &pool.pool)?;
    let checked = ishi_deck::answers::check_deck(&pool.pool, &wish.request, &listed.pieces, listed.leader);
    let checked = checked.map_err(Failure::input)?;
    let faults: Vec<String> =
        checked.faults.iter().map(|fault| words::describe_fault(&pool.pool, &wish.request, fault)).collect();
    let mut deck = DeckDocument::from_deck(&checked.problem, &checked.deck);
    for (at, resource) in pool.pool.resources.iter().enumerate() {
        if let Some(spent) = deck.costs.get_mut(resource) {
            spent.limit = wish.request.limits[at];
        }
    }
    let report = json_object! {
        within_rules: faults.is_empty(),
        #[serde(flatten)]
        deck,
        // The rules that it breaks.
        faults,
    };
    files::print_result(context, &report, || {
        let verdict = if report.within_rules { "within the rules" } else { "not within the rules" };
        let value = format_decimal(report.deck.value);
        format!("value {value}, {verdict}\n{}", format_deck(&checked.problem, &report.deck))
    })?;
    match report.faults.as_slice() {
        [] => Ok(()),
        faults => Err(Failure::Negative(format!("{name}: {}", faults.join("; ")))),
    }
}
