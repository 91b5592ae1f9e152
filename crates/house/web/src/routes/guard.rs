//! Who may ask for decks: programs, and pages of this server and of the origin that the settings name.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::{Method, Request, Response, StatusCode};
use axum::middleware::Next;
use axum::response::IntoResponse;

use crate::hosts::{ReachedAddress, is_known_host, is_same_origin, requested_host, requesting_origin};
use crate::state::{ServerSettings, ServerState};
use crate::workbench::RequestError;

/// Refuses requests under names that are not ours, and those of foreign pages.
pub(super) async fn guard_request(
    Shared(state): Shared<Arc<ServerState>>,
    request: Request<Body>,
    next: Next,
) -> Response<Body> {
    match refuse_request(&state.settings, &request) {
        Some(error) => error.into_response(),
        None => next.run(request).await,
    }
}

/// Why a request is not answered, if so.
fn refuse_request(settings: &ServerSettings, request: &Request<Body>) -> Option<RequestError> {
    let host = requested_host(request.headers());
    let reached = request.extensions().get::<ReachedAddress>().map(|address| address.host_name());
    if !is_known_host(host, &settings.hosts) && !is_known_host(host, reached.as_slice()) {
        let message = format!(
            "the Host must be this server's address or localhost, not {host:?}; --host allows another name"
        );
        return Some(RequestError::for_programs(StatusCode::FORBIDDEN, "host", message));
    }
    if is_welcome_page(settings, request, host) {
        return None;
    }
    let from = requesting_origin(request.headers()).unwrap_or("another site");
    let message = format!(
        "a page that asks must be one of this server's, and this one is of {from:?}; --allow-origin allows another origin"
    );
    Some(RequestError::for_programs(StatusCode::FORBIDDEN, "origin", message))
}

/// Is it no page that asks, or one that may?
fn is_welcome_page(settings: &ServerSettings, request: &Request<Body>, host: &str) -> bool {
    let headers = request.headers();
    let origin = requesting_origin(headers);
    let allowed = settings.origin.as_deref();
    if allowed == Some("*") || (origin.is_some() && origin == allowed) {
        return true;
    }
    // A link to our page comes from anywhere; its site reads nothing of what it leads to.
    let is_link = origin.is_none() && matches!(*request.method(), Method::GET | Method::HEAD);
    is_link || is_same_origin(headers, host)
}
