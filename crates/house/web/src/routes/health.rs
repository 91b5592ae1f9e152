//! Is it alive, and how much is there to do?

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use serde::Serialize;

use crate::error::{ApiError, json};
use crate::state::State;

pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new().route("/healthz", get(health))
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    pools: usize,
    workers: usize,
    running: usize,
    waiting: usize,
}

async fn health(Shared(state): Shared<Arc<State>>) -> Response<Body> {
    if state.workers.is_closed() {
        return ApiError::closing().into_response();
    }
    let (waiting, running) = state.workers.load();
    let (pools, workers) = (state.pools.len(), state.workers.count());
    json(StatusCode::OK, &Health { status: "ok", pools, workers, running, waiting })
}
