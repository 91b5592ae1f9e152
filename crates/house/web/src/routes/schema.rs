//! The schemas of requests, answers and errors.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use axum::routing::get;

use crate::error::text_response;
use crate::state::State;

/// JSON Schema (2020-12) of all bodies.
const SCHEMA: &str = include_str!("schema.json");
/// OpenAPI 3.1 of all paths; its bodies are those of [`SCHEMA`].
const OPENAPI: &str = include_str!("openapi.json");

pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new().route("/v1/schema", get(schema)).route("/v1/openapi.json", get(openapi))
}

async fn schema() -> Response<Body> {
    text_response(StatusCode::OK, "application/schema+json", SCHEMA)
}

async fn openapi() -> Response<Body> {
    text_response(StatusCode::OK, "application/json", OPENAPI)
}
