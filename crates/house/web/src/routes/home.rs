//! The page that says what this is, with a form to try it.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use axum::http::{Response, StatusCode};
use axum::routing::get;

use crate::reply::text_response;
use crate::state::ServerState;

const PAGE: &str = include_str!("home.html");

/// Everything is in the page; it asks this server only, and no page may frame it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; \
                      form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

pub(crate) fn routes() -> Router<Arc<ServerState>> {
    Router::new().route("/", get(show_home))
}

async fn show_home() -> Response<Body> {
    let mut response = text_response(StatusCode::OK, "text/html; charset=utf-8", PAGE);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
