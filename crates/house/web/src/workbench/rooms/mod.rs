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

use super::Desk;

/// What rooms keep in memory beside the store.
#[derive(Default)]
pub(crate) struct Rooms {
    pub(crate) laboratory: laboratory::Runs,
    pub(crate) patterns: patterns::Cache,
}

pub(crate) fn routes() -> Router<Arc<Desk>> {
    Router::new()
        .route("/events/{*topic}", get(events))
        .merge(home::routes())
        .merge(go::routes())
        .merge(othello::routes())
        .merge(joseki::routes())
        .merge(patterns::routes())
        .merge(laboratory::routes())
        .merge(strings::routes())
        .merge(decks::routes())
}

/// The events of a topic, for [`super::page::Page::hearing`].
async fn events(
    State(desk): State<Arc<Desk>>,
    Path(topic): Path<String>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    desk.live.stream(&topic)
}
