//! The schemas of requests, answers and errors.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use axum::routing::get;

use crate::reply::text_response;
use crate::state::ServerState;

/// JSON Schema (2020-12) of all bodies.
const SCHEMA: &str = include_str!("schema.json");
/// OpenAPI 3.1 of all paths; its bodies are those of [`SCHEMA`].
const OPENAPI: &str = include_str!("openapi.json");

pub(crate) fn routes() -> Router<Arc<ServerState>> {
    Router::new().route("/v1/schema", get(get_schema)).route("/v1/openapi.json", get(get_openapi))
}

async fn get_schema() -> Response<Body> {
    text_response(StatusCode::OK, "application/schema+json", SCHEMA)
}

async fn get_openapi() -> Response<Body> {
    text_response(StatusCode::OK, "application/json", OPENAPI)
}
