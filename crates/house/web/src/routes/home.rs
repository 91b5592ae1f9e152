//! The page that says what this is, with a form to try it.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use axum::http::{Response, StatusCode};
use axum::routing::get;

use crate::error::text_response;
use crate::state::State;

const PAGE: &str = include_str!("home.html");

/// Everything is in the page; it asks this server only, and no page may frame it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; \
                      form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new().route("/", get(home))
}

async fn home() -> Response<Body> {
    let mut response = text_response(StatusCode::OK, "text/html; charset=utf-8", PAGE);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
