//! Is it alive, and how much is there to do?

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use serde::Serialize;

use crate::reply::json_response;
use crate::state::ServerState;
use crate::workbench::RequestError;

pub(crate) fn routes() -> Router<Arc<ServerState>> {
    Router::new().route("/healthz", get(get_health))
}

#[derive(Serialize)]
struct ServerHealth {
    status: &'static str,
    pools: usize,
    workers: usize,
    running: usize,
    waiting: usize,
}

async fn get_health(Shared(state): Shared<Arc<ServerState>>) -> Response<Body> {
    if state.workers.is_closed() {
        return RequestError::server_closing().into_response();
    }
    let (waiting, running) = state.workers.job_counts();
    let (pools, workers) = (state.pools.len(), state.workers.thread_count());
    json_response(StatusCode::OK, &ServerHealth { status: "ok", pools, workers, running, waiting })
}
