//! The laboratory: experiments and matches that are started, stopped and gone on with, their figures and curves as they come, and the
//! games they played.
//!
//! - `experiments`: the folder of experiments. `report`: a report as a part of a page.
//! - `matches`: matches of two players. `programs`: programs that may play in them.
//! - `campaigns`: what workers do, on this machine and others.
//! - `games`: the games that the store keeps, to be listed, replayed and taken away.
//!
//! Runs write into the store's file with a connection of their own. They go on when nobody looks; what they have finished is kept, so
//! that they go on from there after a stop or a restart.

mod campaigns;
mod experiments;
mod games;
mod matches;
mod programs;
mod report;

pub(crate) use programs::{AllowedJudge, AllowedPrograms};

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use ishi_lab::LabError;
use ishi_lab::store::Store;
use maud::html;

use crate::workbench::desk::run_blocking;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room};
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};
use crate::workers::Refusal;

/// What runs tell of themselves.
#[derive(Default)]
pub(crate) struct LaboratoryRuns {
    experiments: experiments::ExperimentRuns,
    loaded: experiments::LoadedExperiments,
    matches: matches::MatchRuns,
    campaigns: campaigns::CampaignWatch,
}

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/lab", get(show_entrance))
        .merge(experiments::routes())
        .merge(matches::routes())
        .merge(campaigns::routes())
        .merge(games::routes())
}

async fn show_entrance(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let title = visitor.text("laboratory-laboratory");
    let body = html! {
        h1 { (title) }
        @if desk.settings.db.is_none() {
            p.bad { (visitor.text("laboratory-nothing-is-kept-this-server-has")) }
        }
        (experiments::render_experiments(&desk, &visitor).await?)
        (matches::render_matches(&desk, &visitor).await?)
        section {
            h2 { (visitor.text("laboratory-campaigns")) }
            p { a.button href="/lab/campaigns" { (visitor.text("laboratory-campaigns-and-their-workers")) } }
        }
        section {
            h2 { (visitor.text("laboratory-games")) }
            p { a.button href="/lab/games" { (visitor.text("laboratory-all-games-that-are-kept")) } }
        }
    };
    Ok(Page::new(Room::Laboratory, title).render_page(&visitor, body))
}

/// What the laboratory says, for a page.
fn to_page_error(error: LabError) -> PageError {
    match error {
        LabError::Store(error) => PageError::from_store_error(error),
        other => PageError::from(other),
    }
}

/// Reads the store with a connection of its own, so that long questions keep nobody waiting.
async fn query_store<T: Send + 'static>(
    desk: &WorkbenchState,
    question: impl FnOnce(&Store) -> Result<T, LabError> + Send + 'static,
) -> Result<T, PageError> {
    match desk.settings.db.clone() {
        None => desk.ask_store(move |store| Ok(question(store))).await?.map_err(to_page_error),
        Some(path) => run_blocking(move || question(&Store::open(&path)?)).await?.map_err(to_page_error),
    }
}

/// Refuses another match or experiment while too many wait.
fn require_room(desk: &WorkbenchState) -> Result<(), PageError> {
    if desk.runs.has_room() { Ok(()) } else { Err(PageError::from(Refusal::Full)) }
}

/// The file that runs write to.
fn require_database(desk: &WorkbenchState) -> Result<std::path::PathBuf, PageError> {
    desk.settings
        .db
        .clone()
        .ok_or_else(|| PageError::invalid_input("laboratory-this-server-keeps-nothing-so-it"))
}
