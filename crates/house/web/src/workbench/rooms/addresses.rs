//! The addresses of all rooms, and the events of their pages.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::Query;
use axum::response::sse::{Event, Sse};
use axum::routing::get;
use futures_util::Stream;
use serde::Deserialize;

use super::{damage, decks, go, home, joseki, laboratory, othello, patterns, strings};
use crate::workbench::error::PageError;
use crate::workbench::texts::args;
use crate::workbench::{DeskState, WorkbenchState};

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/events", get(stream_events))
        .merge(home::routes())
        .merge(damage::routes())
        .merge(go::routes())
        .merge(othello::routes())
        .merge(joseki::routes())
        .merge(patterns::routes())
        .merge(laboratory::entrance::routes())
        .merge(strings::routes())
        .merge(decks::routes())
}

#[derive(Deserialize)]
struct TopicsQuery {
    /// The topics, with spaces between them.
    topics: String,
}

/// Topics of one stream: one for each tab of a browser.
const MOST_TOPICS: usize = 512;

/// The events of these topics, for [`crate::workbench::page::Page::with_events`]: one stream for all tabs of a browser.
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
