//! The rooms: a module each, with its own routes and what it keeps in memory.

mod answers;
mod blunder;
mod both_languages;
pub(crate) mod damage;
pub(crate) mod decks;
pub(crate) mod go;
mod history;
pub(crate) mod home;
pub(crate) mod joseki;
mod keys;
pub(crate) mod laboratory;
mod lessons;
pub(crate) mod othello;
pub(crate) mod patterns;
mod practice;
mod recall;
mod shared_page;
mod standing;
pub(crate) mod strings;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::Query;
use axum::response::sse::{Event, Sse};
use axum::routing::get;
use futures_util::Stream;
use serde::Deserialize;

use super::error::PageError;
use super::{DeskState, WorkbenchState};
use crate::workbench::texts::args;

/// What rooms keep in memory beside the store.
#[derive(Default)]
pub(crate) struct RoomState {
    pub(crate) laboratory: laboratory::LaboratoryRuns,
    pub(crate) patterns: patterns::IndexCache,
    pub(crate) othello: othello::KeptEngines,
}

/// Milliseconds since 1970.
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/events", get(stream_events))
        .merge(home::routes())
        .merge(damage::routes())
        .merge(go::routes())
        .merge(othello::routes())
        .merge(joseki::routes())
        .merge(patterns::routes())
        .merge(laboratory::routes())
        .merge(strings::routes())
        .merge(decks::routes())
}

#[derive(Deserialize)]
struct TopicsQuery {
    /// With spaces between them.
    topics: String,
}

/// Topics of one stream: one for each tab of a browser.
const MOST_TOPICS: usize = 512;

/// The events of these topics, for [`super::page::Page::with_events`]: one stream for all tabs of a browser.
async fn stream_events(
    desk: DeskState,
    Query(wanted): Query<TopicsQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, PageError> {
    let topics: Vec<&str> = wanted.topics.split_whitespace().collect();
    if !(1..=MOST_TOPICS).contains(&topics.len()) {
        return Err(PageError::invalid_input_with(
            "workbench-topics-of-events-it-must-be",
            args![count = topics.len(), most_topics = MOST_TOPICS],
        ));
    }
    Ok(desk.live.event_stream(&topics))
}
