//! Questions about decks: why a card is in the best one or not, and which card that is not owned would help most. As `ishi deck explain` and
//! `ishi deck acquire` answer them, within a time.

use std::time::Duration;

use ishi_deck::answers::{
    Acquisition, Acquisitions, CardExplanation, count_pieces, explain_card, find_acquisitions, missing_pieces,
};
use ishi_deck::scores::lists::read_deck_lists;
use ishi_deck::{PieceId, Pool};
use ishi_deck_documents::solve::SolveClock;
use ishi_deck_documents::{PieceNames, PoolFile, SolveRequest, request, words};
use ishi_rng::Seed;
use ishi_work::{Stop, continue_unless};
use maud::{Markup, html};

use super::table::{DeckTable, build_problem};
use super::work::proof_memory;
use crate::workbench::error::PageError;
use crate::workbench::texts::{PageText, args};
use crate::workbench::visitor::Visitor;
use crate::workers::JobStop;

/// An answer takes so long at most; what is not proved by then, or within the memory of a proof, is told as such.
const SECONDS: Duration = Duration::from_secs(15);

/// Cards that are named to get next.
const NEXT: usize = 3;

/// The pool, and what was wanted last, which must have a deck.
fn read_question(table: &DeckTable) -> Result<(PoolFile, SolveRequest), PageError> {
    let pool = table.parse_pool()?;
    let wish = table.parse_wish(&pool)?;
    let reasons = words::tell_infeasibility(&build_problem(&pool, &wish)?);
    if reasons.is_empty() {
        return Ok((pool, wish));
    }
    Err(PageError::from(words::tell_no_deck(&reasons)))
}

/// Why a card is in the best deck, or not.
pub(super) fn explain_choice(
    table: &DeckTable,
    card: &str,
    seed: Seed,
    stop: &JobStop,
) -> Result<CardExplanation, PageError> {
    let (pool, wish) = read_question(table)?;
    let card = PieceNames::from_pool(&pool.pool).find_piece(card.trim())?;
    let (clock, most) = (SolveClock::start(Some(SECONDS)), proof_memory());
    let found = explain_card(&pool.pool, &wish.request, card, seed, &mut |state| {
        continue_unless(clock.is_time_up() || stop.is_requested() || state.bytes > most)
    });
    found.map_err(PageError::from)
}

/// Which cards to get next, where these are owned.
pub(super) fn find_next_cards(
    table: &DeckTable,
    owned: &str,
    seed: Seed,
    stop: &JobStop,
) -> Result<Acquisitions, PageError> {
    let pool = table.parse_pool()?;
    let mut wish = table.parse_wish(&pool)?;
    build_problem(&pool, &wish)?;
    wish.request.owned = Some(read_owned(&pool.pool, owned)?);
    let (clock, most) = (SolveClock::start(Some(SECONDS)), proof_memory());
    let found = find_acquisitions(&pool.pool, &wish.request, NEXT, seed, &mut |state| {
        continue_unless(clock.is_time_up() || stop.is_requested() || state.bytes > most)
    });
    found.map_err(PageError::from)
}

/// What is owned: a name a line, with copies if there are more, or a list as programs export it. Of that, cards that the table does not have
/// are let be.
fn read_owned(pool: &Pool, text: &str) -> Result<Vec<(PieceId, usize)>, PageError> {
    let wrong = match request::read_owned_file("owned", text.as_bytes(), pool) {
        Ok(owned) if !owned.is_empty() => return Ok(owned),
        Ok(_) => {
            return Err(PageError::invalid_input("decks-no-card-is-named-write-the"));
        }
        Err(wrong) => wrong,
    };
    let names = PieceNames::from_pool(pool);
    let lists = read_deck_lists(text).unwrap_or_default();
    let known = lists.vocabulary.names().iter().filter_map(|name| names.find_piece(name).ok());
    let owned: Vec<(PieceId, usize)> = known.map(|card| (card, 1)).collect();
    if owned.is_empty() { Err(PageError::from(wrong)) } else { Ok(owned) }
}

/// A value in points, to hundredths.
fn format_units(pool: &Pool, units: i64) -> String {
    format!("{:.2}", pool.score_of_units(units))
}

fn format_known_units(pool: &Pool, units: Option<i64>) -> String {
    units.map_or("?".to_string(), |units| format_units(pool, units))
}

fn list_names(pool: &Pool, ids: &[PieceId]) -> String {
    ids.iter().map(|&id| pool.piece(id).name.as_str()).collect::<Vec<_>>().join(", ")
}

/// What leaves a deck, and what comes.
fn render_exchange(visitor: &Visitor, pool: &Pool, leaves: &[PieceId], comes: &[PieceId]) -> Markup {
    let rows = [(visitor.text("decks-leaves"), leaves), (visitor.text("decks-comes"), comes)];
    html! {
        dl.facts {
            @for (words, ids) in rows {
                @if !ids.is_empty() { dt { (words) } dd { (list_names(pool, ids)) } }
            }
        }
    }
}

/// The answer to [`explain_choice`].
pub(super) fn render_choice(visitor: &Visitor, found: &CardExplanation) -> Markup {
    let pool = found.best_problem.pool();
    html! {
        p { (choice_sentence(visitor, found)) }
        @if !found.allowed { p.quiet { (visitor.text("decks-it-is-banned-or-not-owned")) } }
        (render_exchange(visitor, pool, &found.leaves, &found.comes))
        @if !found.bindings.is_empty() {
            p { (visitor.text("decks-without-a-rule-it-would-cost")) }
            ul {
                @for binding in &found.bindings {
                    @let rule = PageText::of_error(words::tell_rule(&found.best_problem, binding.rule));
                    li { (rule.in_language(visitor.texts)) (visitor.text("workbench-colon")) (format_units(pool, binding.price)) }
                }
            }
        }
        @if !found.proved && found.price.is_some() { p.quiet { (not_proved(visitor)) } }
    }
}

fn not_proved(visitor: &Visitor) -> &'static str {
    visitor.text("decks-not-proved-time-or-memory")
}

fn choice_sentence(visitor: &Visitor, found: &CardExplanation) -> String {
    let pool = found.best_problem.pool();
    let name = &pool.piece(found.card).name;
    let best = format_known_units(pool, found.best.value);
    let other = format_known_units(pool, found.other.value);
    let less = format_units(pool, found.price.unwrap_or(0).abs());
    match (found.is_in, found.price) {
        (true, Some(0)) => visitor.text_with("decks-is-in-the-best-deck-and", args![name, best]),
        (true, Some(_)) => {
            visitor.text_with("decks-is-in-the-best-deck-without", args![name, best, other, less])
        }
        (true, None) => visitor.text_with("decks-is-in-the-best-deck-and-sentence", args![name, best]),
        (false, Some(0)) => visitor.text_with("decks-is-not-in-the-best-deck", args![name, best]),
        (false, Some(price)) if price < 0 => {
            visitor.text_with("decks-would-raise-the-best-deck-from", args![name, best, other, less])
        }
        (false, Some(_)) => {
            visitor.text_with("decks-is-not-in-the-best-deck-sentence", args![name, best, other, less])
        }
        (false, None) => visitor.text_with("decks-no-deck-with-was-found", args![name]),
    }
}

/// The answer to [`find_next_cards`].
pub(super) fn render_next_cards(visitor: &Visitor, found: &Acquisitions) -> Markup {
    let pool = found.owned.pool();
    let now = found.now.deck.as_ref().map(|deck| count_pieces(&found.owned, deck)).unwrap_or_default();
    let exchange = |card: &Acquisition| {
        let deck =
            card.answer.deck.as_ref().map(|deck| count_pieces(&found.problem, deck)).unwrap_or_default();
        render_exchange(visitor, pool, &missing_pieces(&now, &deck), &missing_pieces(&deck, &now))
    };
    let raise = |card: &Acquisition| {
        let raise = card.answer.value.zip(found.now.value).map(|(with, now)| with - now);
        raise.map_or(String::new(), |units| format!(" (+{})", format_units(pool, units)))
    };
    html! {
        @match found.now.value {
            Some(value) => p { (visitor.text("decks-the-best-deck-of-what-is")) (format_units(pool, value)) },
            None => p { (visitor.text("decks-what-is-owned-makes-no-deck")) },
        }
        @if found.cards.is_empty() { p { (visitor.text("decks-no-other-card-raises-it")) } }
        ol {
            @for card in &found.cards {
                li {
                    strong { (pool.piece(card.card).name) } (visitor.text("workbench-colon")) (format_known_units(pool, card.answer.value)) (raise(card))
                    @if found.now.deck.is_some() { (exchange(card)) }
                }
            }
        }
        @if !found.proved { p.quiet { (not_proved(visitor)) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_owned_may_be_a_list_of_a_program() {
        let table = DeckTable::from_text("name,cost\nAnt,1\nBee,2\nCow,3\n".into(), None, None).unwrap();
        let pool = table.parse_pool().unwrap().pool;
        let owned = |text: &str| {
            read_owned(&pool, text)
                .map(|owned| owned.iter().map(|(id, copies)| (id.0, *copies)).collect::<Vec<_>>())
        };
        assert_eq!(owned("Ant\nCow,2\n").unwrap(), [(0, 1), (2, 2)]);
        // A card that the table does not have is let be in a list.
        assert_eq!(owned("Deck\n4 Bee (M10) 1\n2 Emu\n").unwrap(), [(1, 1)]);
        assert!(owned("").is_err() && owned("Emu\n").is_err());
    }
}
