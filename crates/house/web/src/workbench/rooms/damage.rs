//! Documents that are damaged in the database: what lists say of them, and the page where they are saved and removed.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use ishi_lab::store::DamagedDocument;
use maud::{Markup, html};
use serde::Deserialize;

use crate::error::text_response;
use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room};
use crate::workbench::visitor::Visitor;

/// Documents that are read at once, so that others get their turn at the database meanwhile.
const BATCH: usize = 64;

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/damaged", get(show_damage))
        .route("/damaged/text", get(download_text))
        .route("/damaged/remove", post(remove_document))
}

/// What a list says of those that cannot be opened; nothing if there are none.
pub(crate) fn render_damage(visitor: &Visitor, damaged: &[DamagedDocument]) -> Markup {
    html! {
        @if !damaged.is_empty() {
            div role="status" {
                p.bad { (visitor.say("Damaged in the database, so that it cannot be opened: ", "データベース内で壊れていて開けません："))
                    @for (number, document) in damaged.iter().enumerate() {
                        @if number > 0 { (visitor.say(", ", "、")) }
                        b { (document_name(document)) }
                    } }
                p { a href="/damaged" { (visitor.say("What can be done", "対処方法")) } }
            }
        }
    }
}

/// Its title, or its key if the title is lost.
fn document_name(document: &DamagedDocument) -> &str {
    if document.title.trim().is_empty() { &document.key } else { &document.title }
}

async fn show_damage(
    State(desk): State<Arc<WorkbenchState>>,
    visitor: Visitor,
) -> Result<Response, PageError> {
    let damaged = find_all_damage(&desk).await?;
    let title = visitor.say("Damaged in the database", "データベースの壊れた項目");
    let body = html! {
        h1 { (title) }
        @if damaged.is_empty() {
            p { (visitor.say("Nothing is damaged: everything that people made here fits its checksum.",
                             "壊れた項目はありません。ここで作られたものはすべてチェックサムと一致しています。")) }
        } @else {
            p { (visitor.say("These do not fit their checksums, so they are not opened. All others are whole. If you have a copy of the database from before, \
                              end ishi and put the copy in its place. Otherwise save what can be read of them, and remove them.",
                             "以下の項目はチェックサムと一致しないため開けません。ほかの項目は無事です。以前のデータベースのコピーがあれば、ishi を終了してそのコピーに置き換えてください。\
                              なければ、読める内容を保存してから削除してください。")) }
            ul { @for document in &damaged { li { (render_document(&visitor, document)) } } }
        }
    };
    Ok(Page::new(Room::Home, title).render_page(&visitor, body))
}

fn render_document(visitor: &Visitor, document: &DamagedDocument) -> Markup {
    let DamagedDocument { kind, key, cause, .. } = document;
    let fields = html! {
        input type="hidden" name="kind" value=(kind);
        input type="hidden" name="key" value=(key);
    };
    html! {
        b { (document_name(document)) } " (" (kind) ") "
        span.quiet { (cause) }
        div.row {
            form method="get" action="/damaged/text" {
                (fields)
                button { (visitor.say("Save what can be read", "読める内容を保存")) }
            }
            form method="post" action="/damaged/remove" {
                (fields)
                button { (visitor.say("Remove for ever", "完全に削除")) }
            }
        }
    }
}

/// All that is damaged, a batch at a time.
async fn find_all_damage(desk: &WorkbenchState) -> Result<Vec<DamagedDocument>, PageError> {
    let (mut all, mut first) = (Vec::new(), 0);
    loop {
        let (damaged, count) = desk.ask_store(move |store| store.check_documents(first, BATCH)).await?;
        all.extend(damaged);
        first += count;
        if count < BATCH {
            return Ok(all);
        }
    }
}

/// Which document is meant.
#[derive(Deserialize)]
struct DocumentChoice {
    kind: String,
    key: String,
}

fn not_damaged() -> PageError {
    PageError::not_found(
        "there is no such damaged document: it was removed, or is whole",
        "その壊れた項目はありません（削除済みか、壊れていません）",
    )
}

async fn download_text(
    State(desk): State<Arc<WorkbenchState>>,
    Query(DocumentChoice { kind, key }): Query<DocumentChoice>,
) -> Result<Response, PageError> {
    let body = desk.ask_store(move |store| store.damaged_body(&kind, &key)).await?.ok_or_else(not_damaged)?;
    let mut response = text_response(StatusCode::OK, "text/plain; charset=utf-8", body);
    let saved = HeaderValue::from_static("attachment; filename=\"ishi-damaged.txt\"");
    response.headers_mut().insert(CONTENT_DISPOSITION, saved);
    Ok(response)
}

async fn remove_document(
    State(desk): State<Arc<WorkbenchState>>,
    Form(DocumentChoice { kind, key }): Form<DocumentChoice>,
) -> Result<Response, PageError> {
    let gone = desk.ask_store(move |store| store.forget_damaged_document(&kind, &key)).await?;
    if gone { Ok(Redirect::to("/damaged").into_response()) } else { Err(not_damaged()) }
}
