//! `ishi deck explain`: what each card of a deck contributes, and why a card is not in the best one.

use std::path::PathBuf;

use clap::Args;
use ishi_deck::answers::{CardExplanation, card_contributions, deck_pairs, explain_card};
use ishi_deck::feasible::Feasibility;
use ishi_deck::{Deck, PieceId, Problem};
use ishi_deck_documents::answer::DeckDocument;
use ishi_deck_documents::solve::solve_problem;
use ishi_deck_documents::{PoolFile, SolveRequest, listing, words};
use ishi_sheet::{pad_text, text_width};
use serde::Serialize;

use super::build::{build_feasible_problem, no_deck_failure};
use super::numbers::format_decimal;
use super::options::{PoolArgs, RequestArgs, build_problem, find_pieces, source_name};
use super::watch::{LimitedWatch, SolverWatch};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi deck explain sample:deck --request sample:request
  ishi deck explain sample:deck --request sample:request --deck deck.json
  ishi deck explain sample:deck --request sample:request --card \"Sea Dragon\"

For a deck (the best one, or that of --deck) it says what is lost without each card, which card would come in its place, \
and which pairs matter most. For a card (--card) it compares the best deck with it and the best of all: what the card \
costs, which cards leave and come, and without which rule it would cost less.";

/// Options of `ishi deck explain`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct DeckExplainArgs {
    #[command(flatten)]
    pool: PoolArgs,
    #[command(flatten)]
    request: RequestArgs,
    /// A deck: an answer of ishi (JSON), or lines of name or name,copies [default: the best deck]
    #[arg(long, value_name = "FILE", conflicts_with = "card")]
    deck: Option<PathBuf>,
    /// Why this card is in the best deck, or not; give it again for more
    #[arg(long, value_name = "NAME")]
    card: Vec<String>,
    /// How many pairs are listed
    #[arg(long, default_value_t = 10, value_name = "N")]
    top: usize,
}

/// Explains a deck, or cards.
pub fn run(args: &DeckExplainArgs, context: &Context) -> Result<(), Failure> {
    let pool = args.pool.read_pool(context)?;
    let wish = args.request.read_wish(&pool)?;
    if args.card.is_empty() {
        explain_deck(args, &pool, &wish, context)
    } else {
        explain_cards(args, &pool, &wish, context)
    }
}

#[derive(Serialize)]
struct DeckReport {
    #[serde(flatten)]
    deck: DeckDocument,
    contributions: Vec<CardLossReport>,
    pairs: Vec<PairReport>,
}

#[derive(Serialize)]
struct CardLossReport {
    card: String,
    /// What the deck loses in value without it.
    loss: f64,
    /// The best card in its place, and what the deck then loses.
    replacement: Option<String>,
    replaced_loss: Option<f64>,
}

#[derive(Serialize)]
struct PairReport {
    a: String,
    b: String,
    score: f64,
}

fn explain_deck(
    args: &DeckExplainArgs,
    pool: &PoolFile,
    wish: &SolveRequest,
    context: &Context,
) -> Result<(), Failure> {
    let problem = build_problem(pool, wish)?;
    let deck = match &args.deck {
        Some(path) => {
            let listed =
                listing::read_listing(&source_name(path), &files::read_file_or_stdin(path)?, &pool.pool)?;
            check_listed_deck(pool, wish, &problem, &listed, &source_name(path))?
        }
        None => find_best_deck(&problem, wish, context)?,
    };
    let report = deck_report(&problem, &deck, args.top);
    files::print_result(context, &report, || format_deck_report(&report))
}

/// The deck that a file lists, if it keeps the rules.
fn check_listed_deck(
    pool: &PoolFile,
    wish: &SolveRequest,
    problem: &Problem,
    listed: &listing::DeckListing,
    name: &str,
) -> Result<Deck, Failure> {
    let checked = ishi_deck::answers::check_deck(&pool.pool, &wish.request, &listed.pieces, listed.leader);
    let checked = checked.map_err(Failure::input)?;
    if !checked.faults.is_empty() {
        let faults: Vec<String> = checked
            .faults
            .iter()
            .map(|fault| words::describe_fault(&pool.pool, &wish.request, fault))
            .collect();
        return Err(Failure::Negative(format!(
            "{name}: the deck is not within the rules: {}",
            faults.join("; ")
        )));
    }
    let leader = checked.deck.leader.map(|slot| checked.problem.piece_of(slot));
    ishi_deck::answers::deck_from_pieces(problem, &listed.pieces, leader)
        .ok_or_else(|| Failure::Negative(format!("{name}: the deck is not within the rules")))
}

fn find_best_deck(problem: &Problem, wish: &SolveRequest, context: &Context) -> Result<Deck, Failure> {
    let mut watch = SolverWatch::new(context);
    let timed = solve_problem(problem, &wish.settings, context.seed, &mut |progress| {
        watch.observe_state(problem.pool(), progress)
    });
    drop(watch);
    context.check_stop()?;
    let status = timed.answer.status;
    let reasons: Vec<String> = timed.reasons.iter().map(ToString::to_string).collect();
    timed.answer.deck.ok_or_else(|| no_deck_failure(status, &reasons))
}

fn deck_report(problem: &Problem, deck: &Deck, top: usize) -> DeckReport {
    let pool = problem.pool();
    let name = |slot| problem.piece_name(slot).to_string();
    let card = |card: ishi_deck::answers::CardContribution| CardLossReport {
        card: name(card.slot),
        loss: pool.score_of_units(card.loss),
        replacement: card.replaced.map(|(slot, _)| name(slot)),
        replaced_loss: card.replaced.map(|(_, loss)| pool.score_of_units(loss)),
    };
    let pair = |pair: ishi_deck::answers::ScoredPair| PairReport {
        a: name(pair.a),
        b: name(pair.b),
        score: pool.score_of_units(pair.score),
    };
    DeckReport {
        deck: DeckDocument::from_deck(problem, deck),
        contributions: card_contributions(problem, deck).into_iter().map(card).collect(),
        pairs: deck_pairs(problem, deck).into_iter().take(top).map(pair).collect(),
    }
}

fn format_deck_report(report: &DeckReport) -> String {
    let width = report.contributions.iter().map(|card| text_width(&card.card)).max().unwrap_or(0);
    let mut text = format!("value {}\nwithout a card the deck loses:\n", format_decimal(report.deck.value));
    for card in &report.contributions {
        let leads = if report.deck.leader.as_ref() == Some(&card.card) { " (the leader)" } else { "" };
        let other = match (&card.replacement, card.replaced_loss) {
            (Some(name), Some(loss)) if loss < 0.0 => {
                format!("; {name} in its place would add {}", format_decimal(-loss))
            }
            (Some(name), Some(loss)) => format!("; {} with {name} in its place", format_decimal(loss)),
            _ => "; nothing may come in its place".to_string(),
        };
        let (name, loss) = (pad_text(&card.card, width, false), format_decimal(card.loss));
        text += &format!("  {name}  {loss}{other}{leads}\n");
    }
    text += "the pairs that carry it:\n";
    for pair in &report.pairs {
        text += &format!("  {} + {}  {}\n", pair.a, pair.b, format_decimal(pair.score));
    }
    text
}

#[derive(Serialize)]
struct WhyReport {
    card: String,
    in_best: bool,
    /// Owned and not banned.
    allowed: bool,
    best_value: Option<f64>,
    /// Of the best deck with the card; of a card that is in the best deck, of the best deck without it.
    other_value: Option<f64>,
    price: Option<f64>,
    proved: bool,
    leaves: Vec<String>,
    comes: Vec<String>,
    /// Rules without which the card would be cheaper.
    rules: Vec<RuleReport>,
    /// Why there is no such deck.
    reasons: Vec<String>,
}

#[derive(Serialize)]
struct RuleReport {
    rule: String,
    price_without: f64,
}

fn explain_cards(
    args: &DeckExplainArgs,
    pool: &PoolFile,
    wish: &SolveRequest,
    context: &Context,
) -> Result<(), Failure> {
    let names = ishi_deck_documents::PieceNames::from_pool(&pool.pool);
    let cards: Vec<PieceId> = find_pieces(&names, &args.card, "--card")?;
    build_feasible_problem(pool, wish)?;
    let seed = wish.settings.seed.unwrap_or(context.seed);
    let mut watch = LimitedWatch::start(wish, context);
    let mut reports = Vec::new();
    for card in cards {
        watch.begin_part(&pool.pool.piece(card).name);
        let found = explain_card(&pool.pool, &wish.request, card, seed, &mut |progress| {
            watch.observe_state(&pool.pool, progress)
        });
        reports.push(why_report(pool, &found.map_err(Failure::input)?));
    }
    drop(watch);
    files::print_result(context, &reports, || reports.iter().map(format_why_report).collect())?;
    context.check_stop()
}

fn why_report(pool: &PoolFile, found: &CardExplanation) -> WhyReport {
    let score = |units: Option<i64>| units.map(|units| pool.pool.score_of_units(units));
    let names = |ids: &[PieceId]| ids.iter().map(|&id| pool.pool.piece(id).name.clone()).collect();
    let reasons = match &found.verdict {
        Some(Feasibility::Infeasible(reasons)) => {
            reasons.iter().map(|reason| words::describe_reason(&found.other_problem, reason)).collect()
        }
        _ => Vec::new(),
    };
    let rules = found.bindings.iter().map(|binding| RuleReport {
        rule: words::describe_rule(&found.best_problem, binding.rule),
        price_without: pool.pool.score_of_units(binding.price),
    });
    WhyReport {
        card: pool.pool.piece(found.card).name.clone(),
        in_best: found.is_in,
        allowed: found.allowed,
        best_value: score(found.best.value),
        other_value: score(found.other.value),
        price: score(found.price),
        proved: found.proved,
        leaves: names(&found.leaves),
        comes: names(&found.comes),
        rules: rules.collect(),
        reasons,
    }
}

fn format_why_report(report: &WhyReport) -> String {
    let card = &report.card;
    let value = |value: Option<f64>| value.map_or("?".to_string(), format_decimal);
    let (best, other) = (value(report.best_value), value(report.other_value));
    let owned = if report.allowed { "" } else { " (it is not owned, or banned; as if it were there)" };
    let mut text = match (report.in_best, report.price) {
        (true, Some(price)) if price != 0.0 => {
            format!(
                "{card} is in the best deck ({best}); without it the best is {other}, {} less\n",
                format_decimal(price)
            )
        }
        (true, Some(_)) if report.leaves.is_empty() => {
            format!("{card} is fixed, so every deck has it ({best})\n")
        }
        (true, Some(_)) => {
            format!("{card} is in the best deck ({best}), and another as good does without it\n")
        }
        (true, None) => format!("{card} is in the best deck ({best}), and no deck does without it\n"),
        (false, Some(price)) if price > 0.0 => {
            format!(
                "{card} is not in the best deck ({best}); with it the best is {other}, {} less{owned}\n",
                format_decimal(price)
            )
        }
        (false, Some(price)) if price < 0.0 => {
            format!(
                "{card} would raise the best deck from {best} to {other}, by {}{owned}\n",
                format_decimal(-price)
            )
        }
        (false, Some(_)) => {
            format!("{card} is not in the best deck found ({best}), but another as good has it{owned}\n")
        }
        (false, None) => format!("no deck has {card}{owned}\n"),
    };
    for reason in &report.reasons {
        text += &format!("  {reason}\n");
    }
    for (word, names) in [("leaves", &report.leaves), ("comes ", &report.comes)] {
        if !names.is_empty() {
            text += &format!("  {word} {}\n", names.join(", "));
        }
    }
    for rule in &report.rules {
        text += &format!(
            "  without the rule \"{}\" it would cost {}\n",
            rule.rule,
            format_decimal(rule.price_without)
        );
    }
    if !report.proved && report.price.is_some() {
        text += "  not proved: the work was stopped\n";
    }
    text
}
