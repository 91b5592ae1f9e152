//! The room of decks: a table of pieces, what is wanted of a deck, decks side by side.
//!
//! - [`table`]: pool, wish and decks as the store keeps them. [`form`]: the wish as the page sends it.
//! - [`work`]: building. [`view`], [`heat`]: what is shown.

mod form;
mod heat;
mod table;
mod view;
mod work;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Form, Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, HeaderValue};
use axum::http::{Response as HttpResponse, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use ishi_deck::generate::{World, WorldOptions};
use ishi_deck_documents::pool as pools;
use maud::html;
use serde::Deserialize;

use crate::error::text_response;
use crate::workbench::Desk;
use crate::workbench::desk::new_key;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, part};
use crate::workbench::visitor::Visitor;
use table::{KIND, Table};

pub(crate) fn routes() -> Router<Arc<Desk>> {
    Router::new()
        .route("/decks", get(entrance).post(load))
        .route("/decks/sample", post(sample))
        .route("/decks/{key}", get(page))
        .route("/decks/{key}/build", post(build))
        .route("/decks/{key}/stop", post(stop))
        .route("/decks/{key}/forget", post(forget))
        .route("/decks/{key}/drop/{number}", post(drop_deck))
        .route("/decks/{key}/pairs", get(pairs))
        .route("/decks/{key}/{name}", get(file))
}

/// Tables that are listed.
const LISTED: usize = 30;

async fn entrance(State(desk): State<Arc<Desk>>, visitor: Visitor) -> Result<Response, PageError> {
    let kept = desk.store(|store| store.documents(KIND, LISTED)).await?;
    let title = visitor.say("Decks", "デッキ");
    let body = html! {
        h1 { (title) }
        p { (visitor.say("Build the deck whose pieces go together best, within limits of cost, size and kind.",
                         "コスト・枚数・種類の制限の中で、相性の合計が最も高いデッキを組みます。")) }
        div.entrance {
            section.panel { h2 { (visitor.say("Something to try", "試してみる")) } (view::samples(&visitor)) }
            section.panel { h2 { (visitor.say("Load a table", "表を読み込む")) } (view::load_form(&visitor)) }
            section.panel { h2 { (visitor.say("Tables", "表の一覧")) } (view::list(&visitor, &kept)) }
        }
    };
    Ok(Page::new(Room::Decks, title).show(&visitor, body))
}

#[derive(Deserialize)]
struct Pasted {
    text: String,
    /// CSV tables beside a CSV of pieces.
    pairs: Option<String>,
    title: Option<String>,
}

async fn load(State(desk): State<Arc<Desk>>, Form(pasted): Form<Pasted>) -> Result<Response, PageError> {
    let pairs = pasted.pairs.filter(|text| !text.trim().is_empty());
    let table = desk.compute(move |_| Table::read(pasted.text, pairs, pasted.title)).await??;
    keep(&desk, table).await
}

async fn keep(desk: &Desk, table: Table) -> Result<Response, PageError> {
    let key = new_key();
    let (kept, title, body) = (key.clone(), table.title.clone(), table.body()?);
    desk.store(move |store| store.keep_document(KIND, &kept, &title, &body, 0)).await?;
    Ok(Redirect::to(&format!("/decks/{key}")).into_response())
}

#[derive(Deserialize)]
struct Sample {
    which: String,
}

const THIRTY: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/decks/example.toml"));
const WISH: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/decks/request.toml"));

/// Pieces of a table that is generated.
const GENERATED: usize = 120;

async fn sample(
    State(desk): State<Arc<Desk>>,
    Form(Sample { which }): Form<Sample>,
) -> Result<Response, PageError> {
    let seed = desk.settings.seed;
    let table = desk
        .compute(move |_| match which.as_str() {
            "generated" => {
                let pool = World::new(seed, WorldOptions::of(GENERATED)).pool();
                let name = format!("{GENERATED} pieces, seed {seed}");
                Table::read(pools::write(&pool, Some(&name)), None, None)
            }
            _ => Table::read(THIRTY.to_string(), None, None)
                .map(|table| Table { wish: WISH.to_string(), ..table }),
        })
        .await??;
    keep(&desk, table).await
}

async fn page(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
) -> Result<Response, PageError> {
    let table = table::load(&desk, &key).await?;
    let pool = table.pool()?;
    let wish = table.wish(&pool)?;
    let body = html! {
        h1 { (table.title) }
        p { a href="/decks" { (visitor.say("All tables", "一覧へ")) } }
        @for note in &pool.notes { p.quiet { (note) } }
        div.columns.decks {
            section.panel {
                h2 { (visitor.say("What is wanted", "条件")) }
                (form::show(&visitor, &key, &pool, &wish))
            }
            section.panel {
                h2 { (visitor.say("Decks", "組んだデッキ")) }
                div aria-live="polite" sse-swap="progress" {}
                div sse-swap="decks" { (view::decks(&visitor, &key, &table)) }
            }
        }
    };
    let topic = work::audience(&key).topic(visitor.language);
    Ok(Page::new(Room::Decks, &table.title).hearing(&topic).show(&visitor, body))
}

async fn build(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, PageError> {
    let table = table::load(&desk, &key).await?;
    let (table, problem, wish) = desk
        .compute(move |_| {
            let pool = table.pool()?;
            let table = Table { wish: form::request(&pool, &fields)?, ..table };
            let wish = table.wish(&pool)?;
            let problem = table::problem(&pool, &wish)?;
            Ok::<_, PageError>((table, problem, wish))
        })
        .await??;
    table::keep_wish(&desk, &key, table.wish.clone()).await?;
    work::build(&desk, &key, problem, wish, table.wish);
    if visitor.partial {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(Redirect::to(&format!("/decks/{key}")).into_response())
}

async fn stop(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
) -> Result<Response, PageError> {
    // The best deck so far is the answer.
    desk.thoughts.stop(&work::key_of(&key));
    if visitor.partial {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(Redirect::to(&format!("/decks/{key}")).into_response())
}

async fn forget(State(desk): State<Arc<Desk>>, Path(key): Path<String>) -> Result<Response, PageError> {
    desk.thoughts.stop(&work::key_of(&key));
    desk.store(move |store| store.forget_document(KIND, &key)).await?;
    Ok(Redirect::to("/decks").into_response())
}

async fn drop_deck(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path((key, number)): Path<(String, usize)>,
) -> Result<Response, PageError> {
    let table =
        table::change(&desk, &key, move |table| table.decks.retain(|deck| deck.number != number)).await?;
    work::tell(&desk, &key, "decks", |visitor| view::decks(visitor, &key, &table));
    if visitor.partial {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(Redirect::to(&format!("/decks/{key}")).into_response())
}

#[derive(Deserialize)]
struct Which {
    deck: usize,
}

/// The contributions of a deck's pairs, as a picture and as a table.
async fn pairs(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Query(Which { deck }): Query<Which>,
) -> Result<Response, PageError> {
    let table = table::load(&desk, &key).await?;
    let shown = desk.compute(move |_| heat::Pairs::of(&table, deck)).await??;
    let body = heat::show(&visitor, &shown);
    if visitor.partial {
        return Ok(part(body));
    }
    let title = visitor.say("Pairs of the deck", "デッキのペア");
    let page = html! {
        h1 { (title) }
        p { a href={ "/decks/" (key) } { (visitor.say("Back to the table", "表へ戻る")) } }
        (body)
    };
    Ok(Page::new(Room::Decks, title).show(&visitor, page))
}

/// `decks.json`: all decks with what was asked; `pairs-1.svg`: a picture.
async fn file(
    State(desk): State<Arc<Desk>>,
    Path((key, name)): Path<(String, String)>,
) -> Result<HttpResponse<Body>, PageError> {
    let table = table::load(&desk, &key).await?;
    let picture = name.strip_prefix("pairs-").and_then(|rest| rest.strip_suffix(".svg")?.parse().ok());
    let (kind, text) = match (name.as_str(), picture) {
        ("decks.json", _) => (
            "application/json",
            serde_json::to_string_pretty(&table.decks).map_err(PageError::outside)? + "\n",
        ),
        (_, Some(number)) => ("image/svg+xml", heat::svg(&heat::Pairs::of(&table, number)?)),
        _ => {
            return Err(PageError::missing(
                format!("there is no {name:?} here"),
                format!("{name:?} はありません"),
            ));
        }
    };
    let mut response = text_response(StatusCode::OK, kind, text);
    let saved =
        HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")).map_err(PageError::outside)?;
    response.headers_mut().insert(CONTENT_DISPOSITION, saved);
    Ok(response)
}
