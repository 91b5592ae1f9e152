//! Documents, runs and rows of campaigns that are damaged in the database: what lists say of them, and the page where they are saved and removed.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Query};
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, post};
use ishi_lab::store::{CampaignDamage, DamageCure, DamagedDocument, DamagedRun, Store, StoreError};
use maud::{Markup, html};
use serde::Deserialize;

use crate::workbench::answer::text_attachment;
use crate::workbench::desk::run_blocking;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room};
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/damaged", get(show_damage))
        .route("/damaged/text", get(download_text))
        .route("/damaged/remove", post(remove_document))
        .route("/damaged/forget", post(forget_run))
        .route("/damaged/campaigns", post(remove_campaign_rows))
}

/// What a list says of those that cannot be opened; nothing if there are none.
pub(crate) fn render_damage(visitor: &Visitor, damaged: &[DamagedDocument]) -> Markup {
    render_damaged_names(visitor, &damaged.iter().map(document_name).collect::<Vec<_>>())
}

/// The list of damaged runs.
pub(crate) fn render_damaged_runs(visitor: &Visitor, damaged: &[DamagedRun]) -> Markup {
    render_damaged_names(visitor, &damaged.iter().map(|run| run.name.as_str()).collect::<Vec<_>>())
}

/// What a list says of rows that nobody made by hand, such as games of a match: which they are, and what is wrong.
pub(crate) fn render_damaged_rows(visitor: &Visitor, rows: &[String]) -> Markup {
    html! {
        @if !rows.is_empty() {
            div role="status" {
                p.bad { (visitor.text("workbench-damaged-in-the-database")) }
                ul { @for row in rows { li { (row) } } }
            }
        }
    }
}

/// The list of damaged campaigns, with a way to the page of damage.
pub(crate) fn render_damaged_campaigns(visitor: &Visitor, damaged: &[CampaignDamage]) -> Markup {
    html! {
        @if !damaged.is_empty() {
            div role="status" {
                p.bad { (visitor.text("workbench-damaged-in-the-database")) }
                ul { @for damage in damaged { li { (render_campaign_damage(damage)) } } }
                p { a href="/damaged" { (visitor.text("workbench-what-can-be-done")) } }
            }
        }
    }
}

/// Whose row it is, and what is wrong with it.
fn render_campaign_damage(CampaignDamage { campaign, cause, .. }: &CampaignDamage) -> Markup {
    html! {
        @if !campaign.is_empty() { b { (campaign) } " " }
        span.quiet lang="en" { (cause) }
    }
}

fn render_damaged_names(visitor: &Visitor, names: &[&str]) -> Markup {
    html! {
        @if !names.is_empty() {
            div role="status" {
                p.bad { (visitor.text("workbench-damaged-in-the-database-so-that"))
                    @for (number, name) in names.iter().enumerate() {
                        @if number > 0 { (visitor.text("workbench-comma")) }
                        b { (name) }
                    } }
                p { a href="/damaged" { (visitor.text("workbench-what-can-be-done")) } }
            }
        }
    }
}

/// Its title, or its key if the title is lost.
fn document_name(document: &DamagedDocument) -> &str {
    if document.title.trim().is_empty() { &document.key } else { &document.title }
}

async fn show_damage(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let damaged = ask_about_all_rows(&desk, Store::find_damaged_documents).await?;
    let runs = desk.ask_store(|store| Ok(store.list_runs()?.damaged)).await?;
    let campaigns = ask_about_all_rows(&desk, Store::find_campaign_damage).await?;
    let with_cure = |cure: DamageCure| -> Vec<&CampaignDamage> {
        campaigns.iter().filter(|damage| damage.cure == cure).collect()
    };
    // What is mended by forgetting a run is not listed here: such runs are among the damaged runs.
    let (removable, lost) = (with_cure(DamageCure::Remove), with_cure(DamageCure::CopyOnly));
    let title = visitor.text("workbench-damaged-in-the-database");
    let body = html! {
        h1 { (title) }
        @if damaged.is_empty() && runs.is_empty() && campaigns.is_empty() {
            p { (visitor.text("workbench-nothing-is-damaged-everything-that-people")) }
        } @else {
            p { (visitor.text("workbench-these-do-not-fit-their-checksums")) }
            @if !damaged.is_empty() || !runs.is_empty() {
                ul {
                    @for document in &damaged { li { (render_document(&visitor, document)) } }
                    @for run in &runs { li { (render_run(&visitor, run)) } }
                }
            }
            @if !removable.is_empty() { (render_removable_rows(&visitor, &removable)) }
            @if !lost.is_empty() {
                ul { @for damage in &lost { li { (render_campaign_damage(damage)) } } }
                p { (visitor.text("workbench-results-of-campaigns-need-a-copy")) }
            }
        }
    };
    Ok(Page::new(Room::Home, title).render_page(&visitor, body))
}

/// Asks about all rows of a table, which may be many and large: with a connection of its own, so that nobody waits for the store meanwhile.
async fn ask_about_all_rows<T: Send + 'static>(
    desk: &WorkbenchState,
    question: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, PageError> {
    let Some(path) = desk.settings.db.clone() else {
        return desk.ask_store(move |store| question(store)).await;
    };
    let answer = run_blocking(move || question(&Store::open(&path)?)).await?;
    answer.map_err(PageError::from_store_error)
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
                button { (visitor.text("workbench-save-what-can-be-read")) }
            }
            form method="post" action="/damaged/remove" {
                (fields)
                button { (visitor.text("workbench-remove-for-ever")) }
            }
        }
    }
}

/// A damaged run. There is no button that saves it, as its results stay.
fn render_run(visitor: &Visitor, run: &DamagedRun) -> Markup {
    html! {
        b { (run.name) } " "
        span.quiet { (run.cause) }
        p { (visitor.text("workbench-results-of-the-run-stay")) }
        form.row method="post" action="/damaged/forget" {
            input type="hidden" name="name" value=(run.name);
            button { (visitor.text("workbench-remove-for-ever")) }
        }
    }
}

/// Rows of campaigns, which go all at once: nobody made them by hand, and they come anew.
fn render_removable_rows(visitor: &Visitor, damaged: &[&CampaignDamage]) -> Markup {
    html! {
        ul { @for damage in damaged { li { (render_campaign_damage(damage)) } } }
        p { (visitor.text("workbench-rows-of-campaigns-come-anew")) }
        form.row method="post" action="/damaged/campaigns" {
            button { (visitor.text("workbench-remove-these-rows")) }
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
    PageError::not_found("workbench-there-is-no-such-damaged-document")
}

async fn download_text(
    desk: DeskState,
    Query(DocumentChoice { kind, key }): Query<DocumentChoice>,
) -> PageAnswer {
    let found = ask_about_all_rows(&desk, move |store| store.damaged_body(&kind, &key)).await?;
    let body = found.ok_or_else(not_damaged)?;
    Ok(text_attachment("ishi-damaged.txt", body))
}

async fn remove_document(
    desk: DeskState,
    Form(DocumentChoice { kind, key }): Form<DocumentChoice>,
) -> PageAnswer {
    let gone = desk.ask_store(move |store| store.forget_damaged_document(&kind, &key)).await?;
    if gone { Ok(Redirect::to("/damaged").into_response()) } else { Err(not_damaged()) }
}

/// Which run is meant.
#[derive(Deserialize)]
struct RunChoice {
    name: String,
}

async fn forget_run(desk: DeskState, Form(RunChoice { name }): Form<RunChoice>) -> PageAnswer {
    let gone = desk.ask_store(move |store| store.forget_damaged_run(&name)).await?;
    if gone { Ok(Redirect::to("/damaged").into_response()) } else { Err(not_damaged()) }
}

async fn remove_campaign_rows(desk: DeskState) -> PageAnswer {
    let gone = desk.ask_store(|store| store.remove_damaged_campaign_rows()).await?;
    if gone > 0 { Ok(Redirect::to("/damaged").into_response()) } else { Err(not_damaged()) }
}
