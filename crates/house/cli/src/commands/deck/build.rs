//! `ishi deck build`: the best deck of a pool under limits.

pub(crate) mod share;

use std::path::PathBuf;

use clap::Args;
use ishi_deck::answers::deck_pairs;
use ishi_deck::{AnswerStatus, Deck, Problem};
use ishi_deck_documents::answer::{AnswerDocument, DeckDocument};
use ishi_deck_documents::solve::solve_problem;
use ishi_deck_documents::{PoolFile, SolveRequest, words};
use ishi_sheet::{pad_text, text_width};

use super::numbers::{format_decimal, format_percent, format_score};
use super::options::{MethodArgs, PoolArgs, RequestArgs, build_problem};
use super::watch::SolverWatch;
use crate::context::{Context, Failure};
use crate::{figures, files};

const HELP: &str = "\
Examples:
  ishi deck build sample:deck --request sample:request
  ishi deck build pool.json --size 16 --limit cost=200
  ishi deck build pool.toml --request request.toml --fix Ember --json
  ishi deck build pieces.csv --pairs pairs.csv --at-least fire=10 --time-limit 5

The answer has a bound: no deck is worth more. \"Proved optimal\" is said only where bound and value are \
the same. Ctrl-C ends the work with the best deck so far and its gap.";

/// Who forgot the scores would take any deck for the best one.
const NO_SCORES: &str = "ishi: warning: nothing in this pool scores, so every deck within the limits is worth 0: \
give pieces a column `score`, or pairs a table (--pairs)";

/// Options of `ishi deck build`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct DeckBuildArgs {
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
pub fn run(args: &DeckBuildArgs, context: &Context) -> Result<(), Failure> {
    let pool = args.pool.read_pool(context)?;
    let mut wish = args.request.read_wish(&pool)?;
    let method = args.method.method.or(wish.settings.method).unwrap_or_default();
    wish.settings.method = Some(method);
    let problem = build_problem(&pool, &wish)?;
    if !problem.pool().has_scores() {
        context.print_progress(NO_SCORES);
    }
    let mut watch = SolverWatch::new(context);
    let timed = solve_problem(&problem, &wish.settings, context.seed, &mut |progress| {
        watch.observe_state(problem.pool(), progress)
    });
    drop(watch);
    let document = AnswerDocument::from_timed_answer(&problem, &timed, method);
    let text = crate::made_by::to_json(&document)? + "\n";
    if let Some(out) = &args.out {
        files::write_file(out, text.as_bytes(), args.force)?;
    }
    if !args.out.as_deref().is_some_and(files::is_standard) {
        let text =
            if context.json { text } else { format_answer(&problem, &document, timed.answer.deck.as_ref()) };
        files::print_bytes(text.as_bytes())?;
    }
    match document.deck {
        _ if context.is_stop_requested() => Err(Failure::Interrupted),
        Some(_) => Ok(()),
        None => Err(no_deck_failure(document.status, &document.reasons)),
    }
}

/// The problem, if nothing explains that it has no deck.
pub(super) fn build_feasible_problem(pool: &PoolFile, wish: &SolveRequest) -> Result<Problem, Failure> {
    let problem = build_problem(pool, wish)?;
    let reasons = words::explain_infeasibility(&problem);
    if reasons.is_empty() { Ok(problem) } else { Err(no_deck_failure(AnswerStatus::Infeasible, &reasons)) }
}

/// There is no deck, for these reasons, or none was found.
pub(super) fn no_deck_failure(status: AnswerStatus, reasons: &[String]) -> Failure {
    let text = match (status, reasons) {
        (AnswerStatus::Infeasible, []) => "there is no deck within the limits".to_string(),
        (AnswerStatus::Infeasible, [reason]) => format!("there is no deck within the limits: {reason}"),
        (AnswerStatus::Infeasible, reasons) => {
            format!("there is no deck within the limits:\n  {}", reasons.join("\n  "))
        }
        _ => "no deck was found, and it is not proved that there is none".to_string(),
    };
    Failure::Negative(text)
}

/// The answer for people.
fn format_answer(problem: &Problem, document: &AnswerDocument, best: Option<&Deck>) -> String {
    let mut text = format_headline(document);
    if let Some(deck) = &document.deck {
        text += &format_deck(problem, deck);
    }
    if let Some(deck) = best {
        text += &format_pairs(problem, deck);
    }
    let work = document.work;
    if document.deck.is_some() {
        let looked = match (work.nodes, work.moves) {
            (0, moves) => format!("{moves} moves"),
            (nodes, _) => format!("{} pieces left by the bounds, {nodes} nodes", work.core),
        };
        text +=
            &format!("{}: {looked}, {}\n", document.method.name(), figures::format_seconds(document.seconds));
    }
    text
}

fn format_headline(document: &AnswerDocument) -> String {
    let bound = document.bound.map(format_decimal);
    let Some(deck) = &document.deck else {
        let bound = bound.filter(|_| document.status != AnswerStatus::Infeasible);
        return bound
            .map_or(String::new(), |bound| format!("no deck found; none is worth more than {bound}\n"));
    };
    let value = format_decimal(deck.value);
    match (document.status, bound, document.gap) {
        (AnswerStatus::Optimal, ..) => format!("value {value}, proved optimal\n"),
        (_, Some(bound), Some(gap)) => {
            format!("value {value}, at most {bound} possible (gap {})\n", format_percent(gap))
        }
        _ => format!("value {value}, no bound known\n"),
    }
}

/// The deck's pieces, a line each, and what they sum up to.
pub(super) fn format_deck(problem: &Problem, deck: &DeckDocument) -> String {
    let pool = problem.pool();
    let width = deck.deck.iter().map(|name| text_width(name)).max().unwrap_or(0);
    let mut text = String::new();
    for (at, name) in deck.deck.iter().enumerate() {
        let leads = at == 0 && deck.leader.is_some();
        let Some(piece) = pool.find_piece(name).map(|id| pool.piece(id)) else { continue };
        let costs: Vec<String> =
            pool.resources.iter().zip(&piece.costs).map(|(name, cost)| format!("{name} {cost}")).collect();
        let attributes: Vec<&str> = piece.attributes.iter().map(|&at| pool.attributes[at].as_str()).collect();
        let line = format!(
            "{} {}  {}  {}",
            if leads { "leader" } else { "      " },
            pad_text(name, width, false),
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

/// The pairs that carry a deck, in a line.
fn format_pairs(problem: &Problem, deck: &Deck) -> String {
    /// How many pairs are told.
    const TOLD: usize = 5;
    let pairs: Vec<String> = deck_pairs(problem, deck)
        .iter()
        .filter(|pair| pair.score > 0)
        .take(TOLD)
        .map(|pair| {
            let (a, b) = (problem.piece_name(pair.a), problem.piece_name(pair.b));
            format!("{a} + {b} {}", format_score(problem.pool(), pair.score))
        })
        .collect();
    if pairs.is_empty() { String::new() } else { format!("strongest pairs: {}\n", pairs.join(", ")) }
}
