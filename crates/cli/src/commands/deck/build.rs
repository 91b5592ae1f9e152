//! `ishi deck build`: the best deck of a pool under limits.

use std::path::PathBuf;

use clap::Args;
use ishi_deck::{Problem, Status};
use ishi_lab::decks::answer::{AnswerDocument, DeckDocument, StatusWord};
use ishi_lab::decks::solve::{Timed, solve};

use super::numbers::{decimal, percent};
use super::options::{MethodArgs, PoolArgs, RequestArgs, problem};
use super::watch::Watch;
use crate::context::{Context, Failure};
use crate::{figures, files};

const HELP: &str = "\
Examples:
  ishi deck build pool.json --size 16 --limit cost=200
  ishi deck build pool.toml --request request.toml --fix Ember --json
  ishi deck build pieces.csv --pairs pairs.csv --at-least fire=10 --time-limit 5

The answer has a bound: no deck is worth more. \"Proved optimal\" is said only where bound and value are
the same. Ctrl-C ends the work with the best deck so far and its gap.";

/// Options of `ishi deck build`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct BuildArgs {
    #[command(flatten)]
    pool: PoolArgs,
    #[command(flatten)]
    request: RequestArgs,
    #[command(flatten)]
    method: MethodArgs,
    /// Write the answer here (JSON); - is standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

/// Reads the pool and the request, solves, prints.
pub fn run(args: &BuildArgs, context: &Context) -> Result<(), Failure> {
    let pool = args.pool.read(context)?;
    let mut wish = args.request.read(&pool)?;
    let method = args.method.method.or(wish.settings.method).unwrap_or_default();
    wish.settings.method = Some(method);
    let problem = problem(&pool, &wish)?;
    let mut watch = Watch::new(context);
    let timed =
        solve(&problem, &wish.settings, context.seed, &mut |progress| watch.see(problem.pool(), progress));
    drop(watch);
    let document = AnswerDocument::of(&problem, &timed, method);
    let text = serde_json::to_string_pretty(&document).map_err(Failure::outside)? + "\n";
    if let Some(out) = &args.out {
        files::write(out, text.as_bytes(), args.force)?;
    }
    if !args.out.as_deref().is_some_and(files::is_standard) {
        let text = if context.json { text } else { words(&problem, &document) };
        files::print(text.as_bytes())?;
    }
    ending(&timed, context)
}

/// How the command ends.
fn ending(timed: &Timed, context: &Context) -> Result<(), Failure> {
    match timed.answer.status {
        _ if context.stopped() => Err(Failure::Interrupted),
        Status::Infeasible => Err(Failure::Negative("there is no deck within the limits".to_string())),
        Status::Unknown => {
            Err(Failure::Negative("no deck was found, and it is not proved that there is none".to_string()))
        }
        Status::Optimal | Status::Feasible => Ok(()),
    }
}

/// The answer for people.
fn words(problem: &Problem, document: &AnswerDocument) -> String {
    let mut text = headline(document);
    if let Some(deck) = &document.deck {
        text += &deck_words(problem, deck);
    }
    text += &format!("{} in {}\n", document.method.word(), figures::seconds(document.seconds));
    text
}

fn headline(document: &AnswerDocument) -> String {
    let bound = document.bound.map(decimal);
    let Some(deck) = &document.deck else {
        return bound
            .map_or(String::new(), |bound| format!("no deck found; none is worth more than {bound}\n"));
    };
    let value = decimal(deck.value);
    match (document.status, bound, document.gap) {
        (StatusWord::Optimal, ..) => format!("value {value}, proved optimal\n"),
        (_, Some(bound), Some(gap)) => {
            format!("value {value}, at most {bound} possible (gap {})\n", percent(gap))
        }
        _ => format!("value {value}, no bound known\n"),
    }
}

/// The deck's pieces, a line each, and what they sum up to.
pub(super) fn deck_words(problem: &Problem, deck: &DeckDocument) -> String {
    let pool = problem.pool();
    let width = deck.deck.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (at, name) in deck.deck.iter().enumerate() {
        let leads = at == 0 && deck.leader.is_some();
        let Some(piece) = pool.find(name).map(|id| pool.piece(id)) else { continue };
        let costs: Vec<String> =
            pool.resources.iter().zip(&piece.costs).map(|(name, cost)| format!("{name} {cost}")).collect();
        let attributes: Vec<&str> = piece.attributes.iter().map(|&at| pool.attributes[at].as_str()).collect();
        let line = format!(
            "{} {name:width$}  {}  {}",
            if leads { "leader" } else { "      " },
            costs.join(", "),
            attributes.join(", ")
        );
        text += line.trim_end();
        text.push('\n');
    }
    for (resource, spent) in &deck.costs {
        let limit = spent.limit.map_or(String::new(), |limit| format!(" of {limit}"));
        text += &format!("{resource} {}{limit}\n", spent.spent);
    }
    let counts: Vec<String> = deck.attributes.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if !counts.is_empty() {
        text += &format!("attributes: {}\n", counts.join(", "));
    }
    text
}
