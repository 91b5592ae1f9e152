//! The room of decks: a table of pieces, what is wanted of a deck, decks side by side.
//!
//! - [`table`]: pool, wish and decks as the store keeps them. [`form`]: the wish as the page sends it.
//! - [`learned`]: a table out of lists of decks. [`advice`]: why a card, and what to get next.
//! - [`sample_words`]: the sample in the language of the page.
//! - [`work`]: building. [`view`], [`heat`]: what is shown.

mod advice;
mod form;
mod heat;
mod learned;
mod sample_words;
mod table;
mod view;
mod work;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, Query};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use ishi_deck::generate::{DeckWorld, WorldOptions};
use ishi_deck_documents::pool as pools;
use maud::html;
use serde::Deserialize;

use crate::workbench::answer::{attachment_response, redirect_to, respond_done};
use crate::workbench::error::PageError;
use crate::workbench::made_by::{mark_document, mark_picture};
use crate::workbench::page::{Page, Room, partial_response};
use crate::workbench::rooms::damage;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};
use table::{DeckTable, KIND};

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/decks", get(show_entrance).post(create_table))
        .route("/decks/sample", post(create_sample_table))
        .route("/decks/learn", post(learn_from_lists))
        .route("/decks/{key}", get(show_table))
        .route("/decks/{key}/build", post(start_build))
        .route("/decks/{key}/stop", post(stop_build))
        .route("/decks/{key}/why", post(explain_card))
        .route("/decks/{key}/next", post(find_next_cards))
        .route("/decks/{key}/forget", post(delete_table))
        .route("/decks/{key}/drop/{number}", post(delete_deck))
        .route("/decks/{key}/pairs", get(show_pairs))
        .route("/decks/{key}/{name}", get(download_file))
}

/// Tables that are listed.
const LISTED: usize = 30;

async fn show_entrance(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let kept = desk.ask_store(|store| store.latest_documents(KIND, LISTED)).await?;
    let title = visitor.text("decks-decks");
    let body = html! {
        h1 { (title) }
        p { (visitor.text("decks-build-the-deck-whose-pieces-go")) }
        div.entrance {
            section.panel { h2 { (visitor.text("decks-learn-from-decks")) } (view::render_learn_form(&visitor)) }
            section.panel { h2 { (visitor.text("decks-something-to-try")) } (view::render_samples(&visitor)) }
            section.panel { h2 { (visitor.text("decks-load-a-table")) } (view::render_load_form(&visitor)) }
            section.panel { h2 { (visitor.text("decks-tables")) } (view::render_tables(&visitor, &kept.documents)) (damage::render_damage(&visitor, &kept.damaged)) }
        }
    };
    Ok(Page::new(Room::Decks, title).render_page(&visitor, body))
}

#[derive(Deserialize)]
struct DeckTableForm {
    text: String,
    /// CSV tables beside a CSV of pieces.
    pairs: Option<String>,
    title: Option<String>,
}

async fn create_table(desk: DeskState, visitor: Visitor, Form(pasted): Form<DeckTableForm>) -> PageAnswer {
    let pairs = pasted.pairs.filter(|text| !text.trim().is_empty());
    let table = desk.compute(move |_| DeckTable::from_text(pasted.text, pairs, pasted.title)).await??;
    let key = desk.create_document(&table).await?;
    Ok(go_to_table(&visitor, &key))
}

/// Leads to a table. A form that htmx sends stays as it is until then, so that what is refused loses nothing that was typed.
fn go_to_table(visitor: &Visitor, key: &str) -> Response {
    redirect_to(visitor, &format!("/decks/{key}"))
}

#[derive(Deserialize)]
struct DeckListsForm {
    text: String,
    title: Option<String>,
}

/// A table out of lists of decks, whose first deck is built at once.
async fn learn_from_lists(
    desk: DeskState,
    visitor: Visitor,
    Form(pasted): Form<DeckListsForm>,
) -> PageAnswer {
    let (table, problem, wish) = desk
        .compute(move |_| {
            let table = learned::learn_table(&pasted.text, pasted.title)?;
            let pool = table.parse_pool()?;
            let wish = table.parse_wish(&pool)?;
            let problem = table::build_problem(&pool, &wish)?;
            Ok::<_, PageError>((table, problem, wish))
        })
        .await??;
    let text = table.wish.clone();
    let key = desk.create_document(&table).await?;
    work::start_build(&desk, &key, problem, wish, text);
    Ok(go_to_table(&visitor, &key))
}

#[derive(Deserialize)]
struct DeckSampleForm {
    which: String,
}

/// Pieces of a table that is generated.
const GENERATED: usize = 120;

async fn create_sample_table(
    desk: DeskState,
    visitor: Visitor,
    Form(DeckSampleForm { which }): Form<DeckSampleForm>,
) -> PageAnswer {
    let (seed, reader) = (desk.settings.seed, visitor.clone());
    let table = desk
        .compute(move |_| match which.as_str() {
            "generated" => {
                let pool = DeckWorld::new(seed, WorldOptions::for_pieces(GENERATED)).build_pool();
                let name = reader.text_with("decks-pieces-of-seed", args![pieces = GENERATED, seed]);
                DeckTable::from_text(pools::write_pool(&pool, Some(&name)), None, None)
            }
            _ => sample_words::make_sample_table(&reader),
        })
        .await??;
    let key = desk.create_document(&table).await?;
    Ok(go_to_table(&visitor, &key))
}

async fn show_table(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    let table = table::load_table(&desk, &key).await?;
    let pool = table.parse_pool()?;
    let wish = table.parse_wish(&pool)?;
    let body = html! {
        h1 { (table.title) }
        p { a href="/decks" { (visitor.text("decks-all-tables")) } }
        @for note in &pool.notes { p.quiet { (note) } }
        div.columns.decks {
            section.panel {
                h2 { (visitor.text("decks-what-is-wanted")) }
                (form::render_form(&visitor, &key, &pool, &wish))
            }
            section.panel {
                h2 { (visitor.text("decks-decks-of-table")) }
                div data-stays sse-swap="progress" {}
                div data-stays sse-swap="decks" { (view::render_decks(&visitor, &key, &table)) }
            }
            section.panel {
                h2 { (visitor.text("decks-questions")) }
                (view::render_questions(&visitor, &key, &table, &pool.pool))
            }
        }
    };
    let topic = work::deck_audience(&key).topic(visitor.texts);
    Ok(Page::new(Room::Decks, &table.title).with_events(&topic).render_page(&visitor, body))
}

async fn start_build(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(fields): Form<Vec<(String, String)>>,
) -> PageAnswer {
    let table = table::load_table(&desk, &key).await?;
    let (table, problem, wish) = desk
        .compute(move |_| {
            let pool = table.parse_pool()?;
            let table = DeckTable { wish: form::build_request(&pool, &fields)?, ..table };
            let wish = table.parse_wish(&pool)?;
            let problem = table::build_problem(&pool, &wish)?;
            Ok::<_, PageError>((table, problem, wish))
        })
        .await??;
    table::save_wish(&desk, &key, table.wish.clone()).await?;
    work::start_build(&desk, &key, problem, wish, table.wish);
    Ok(respond_done(&visitor, &format!("/decks/{key}")))
}

async fn stop_build(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    // The best deck so far is the answer.
    desk.decks.stop_task(&work::build_key(&key));
    Ok(respond_done(&visitor, &format!("/decks/{key}")))
}

async fn delete_table(desk: DeskState, Path(key): Path<String>) -> PageAnswer {
    desk.decks.stop_task(&work::build_key(&key));
    desk.ask_store(move |store| store.forget_document(KIND, &key)).await?;
    Ok(Redirect::to("/decks").into_response())
}

async fn delete_deck(
    desk: DeskState,
    visitor: Visitor,
    Path((key, number)): Path<(String, usize)>,
) -> PageAnswer {
    let table =
        table::change_table(&desk, &key, move |table| table.decks.retain(|deck| deck.number != number))
            .await?;
    work::deck_audience(&key).publish(&desk, "decks", |visitor| view::render_decks(visitor, &key, &table));
    Ok(respond_done(&visitor, &format!("/decks/{key}")))
}

#[derive(Deserialize)]
struct CardForm {
    card: String,
}

/// Why a card is in the best deck or not.
async fn explain_card(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(CardForm { card }): Form<CardForm>,
) -> PageAnswer {
    let (table, seed) = (table::load_table(&desk, &key).await?, desk.settings.seed);
    let found = desk.compute_slowly(move |stop| advice::explain_choice(&table, &card, seed, stop)).await??;
    Ok(partial_response(advice::render_choice(&visitor, &found)))
}

#[derive(Deserialize)]
struct OwnedForm {
    owned: String,
}

/// Which cards to get next. What is owned is kept with the table.
async fn find_next_cards(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(OwnedForm { owned }): Form<OwnedForm>,
) -> PageAnswer {
    table::save_owned(&desk, &key, owned.clone()).await?;
    let (table, seed) = (table::load_table(&desk, &key).await?, desk.settings.seed);
    let found =
        desk.compute_slowly(move |stop| advice::find_next_cards(&table, &owned, seed, stop)).await??;
    Ok(partial_response(advice::render_next_cards(&visitor, &found)))
}

#[derive(Deserialize)]
struct PairsQuery {
    deck: usize,
}

/// The contributions of a deck's pairs, as a picture and as a table.
async fn show_pairs(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Query(PairsQuery { deck }): Query<PairsQuery>,
) -> PageAnswer {
    let table = table::load_table(&desk, &key).await?;
    let shown = desk.compute(move |_| heat::PairScores::for_deck(&table, deck)).await??;
    let body = heat::render_pairs(&visitor, &shown);
    if visitor.partial {
        return Ok(partial_response(body));
    }
    let title = visitor.text("decks-pairs-of-the-deck");
    let page = html! {
        h1 { (title) }
        p { a href={ "/decks/" (key) } { (visitor.text("decks-back-to-the-table")) } }
        (body)
    };
    Ok(Page::new(Room::Decks, title).render_page(&visitor, page))
}

/// `decks.json`: all decks with what was asked; `deck-1.txt`: a list; `pairs-1.svg`: a picture.
async fn download_file(desk: DeskState, Path((key, name)): Path<(String, String)>) -> PageAnswer {
    let table = table::load_table(&desk, &key).await?;
    let picture = name.strip_prefix("pairs-").and_then(|rest| rest.strip_suffix(".svg")?.parse().ok());
    let list = name.strip_prefix("deck-").and_then(|rest| rest.strip_suffix(".txt")?.parse().ok());
    let list = list.and_then(|number| table.find_deck(number).ok()?.to_list());
    let (kind, text) = match (name.as_str(), picture) {
        ("decks.json", _) => {
            let decks = serde_json::to_value(&table.decks).map_err(PageError::from_system_error)?;
            let document = mark_document(decks, &desk.settings, &format!("decks {key}"));
            ("application/json", format!("{document:#}\n"))
        }
        (_, _) if list.is_some() => ("text/plain; charset=utf-8", list.unwrap_or_default()),
        (_, Some(number)) => {
            let drawn = heat::draw_svg(&heat::PairScores::for_deck(&table, number)?);
            ("image/svg+xml", mark_picture(&drawn, &desk.settings, &format!("decks {key}, deck {number}")))
        }
        _ => {
            return Err(PageError::not_found_with(
                "decks-there-is-no-here",
                args![name = format!("{name:?}")],
            ));
        }
    };
    Ok(attachment_response(&name, kind, text))
}
