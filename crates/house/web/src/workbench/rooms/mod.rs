//! The rooms: a module each, with its own routes and what it keeps in memory.

pub(crate) mod decks;
pub(crate) mod go;
mod history;
pub(crate) mod home;
pub(crate) mod joseki;
pub(crate) mod laboratory;
pub(crate) mod othello;
pub(crate) mod patterns;
pub(crate) mod strings;

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::sse::{Event, Sse};
use axum::routing::get;
use futures_util::Stream;

use super::WorkbenchState;

/// What rooms keep in memory beside the store.
#[derive(Default)]
pub(crate) struct RoomState {
    pub(crate) laboratory: laboratory::LaboratoryRuns,
    pub(crate) patterns: patterns::IndexCache,
}

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/events/{*topic}", get(stream_events))
        .merge(home::routes())
        .merge(go::routes())
        .merge(othello::routes())
        .merge(joseki::routes())
        .merge(patterns::routes())
        .merge(laboratory::routes())
        .merge(strings::routes())
        .merge(decks::routes())
}

/// The events of a topic, for [`super::page::Page::with_events`].
async fn stream_events(
    State(desk): State<Arc<WorkbenchState>>,
    Path(topic): Path<String>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    desk.live.event_stream(&topic)
}
