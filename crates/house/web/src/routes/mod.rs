//! What there is to ask for: a module each, with its own routes.

mod deck;
mod guard;
mod health;
mod home;
mod pools;
mod schema;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{Method, Request, Response, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::IntoResponse;

use crate::log::{self, RequestLog};
use crate::state::ServerState;
use crate::workbench::RequestError;

/// The whole service.
pub(crate) fn build_router(state: Arc<ServerState>, log: Option<RequestLog>) -> Router {
    Router::new()
        .merge(home::routes())
        .merge(health::routes())
        .merge(pools::routes())
        .merge(schema::routes())
        .merge(deck::routes())
        .fallback(path_not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(from_fn_with_state(Arc::clone(&state), allow_origin))
        .layer(from_fn_with_state(Arc::clone(&state), guard::guard_request))
        .layer(from_fn_with_state(Arc::new(log), log::log_request))
        .with_state(state)
}

async fn path_not_found(uri: Uri) -> RequestError {
    let message = format!(
        "there is nothing at {}; see /, /v1/deck, /v1/pools, /v1/schema, /v1/openapi.json and /healthz",
        uri.path()
    );
    RequestError::for_programs(StatusCode::NOT_FOUND, "path", message)
}

async fn method_not_allowed(method: Method, uri: Uri) -> RequestError {
    let message = format!("{} does not take {method}; the Allow header says what it takes", uri.path());
    RequestError::for_programs(StatusCode::METHOD_NOT_ALLOWED, "method", message)
}

/// Tells browsers that pages of the origin that the settings name may ask.
async fn allow_origin(
    Shared(state): Shared<Arc<ServerState>>,
    request: Request<Body>,
    next: Next,
) -> Response<Body> {
    let Some(origin) = state.settings.origin.as_deref().and_then(|text| HeaderValue::from_str(text).ok())
    else {
        return next.run(request).await;
    };
    let asks_first = request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response =
        if asks_first { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    let mut say = |name: HeaderName, value: HeaderValue| response.headers_mut().insert(name, value);
    say(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    say(header::VARY, HeaderValue::from_static("origin"));
    if asks_first {
        say(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
        say(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
    }
    response
}
