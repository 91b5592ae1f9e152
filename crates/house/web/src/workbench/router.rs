//! All pages under their addresses, and what every request goes through.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{Method, Response, StatusCode, Uri};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::IntoResponse;
use tower_http::compression::CompressionLayer;

use super::desk::WorkbenchState;
use super::error::{self, PageError};
use super::rooms::addresses;
use super::texts::{PageText, args};
use super::{asset_files, entrance, guard, health, phone, preferences};
use crate::body::{ReceivedBody, receive_body};
use crate::log::{self, RequestLog};

/// Bytes of an upload: the largest record of a game is far below it.
const LARGEST_BODY: usize = 4 << 20;

/// Bytes of what strangers may send, a token or a choice of language: what many of them send at once must not fill the memory.
const LARGEST_BODY_OF_STRANGERS: usize = 16 << 10;

/// All pages.
pub(crate) fn build_router(desk: &Arc<WorkbenchState>, log: &Arc<Option<RequestLog>>) -> Router {
    Router::new()
        .merge(addresses::routes())
        .merge(preferences::routes())
        .merge(entrance::routes())
        .merge(phone::routes())
        .merge(asset_files::routes())
        .merge(health::routes())
        .fallback(page_not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(from_fn(read_whole_body))
        .layer(from_fn_with_state(Arc::clone(desk), guard::guard_request))
        .layer(from_fn(error::format_errors))
        .layer(from_fn(guard::protect_page))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(Arc::clone(log), log::log_request))
        .with_state(Arc::clone(desk))
}

/// Reads what is sent before anything is done with it, so that a slow sender holds nothing but its connection, and not for ever.
async fn read_whole_body(request: Request, next: Next) -> Response<Body> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let is_open = guard::is_open_to_strangers(request.uri().path());
    let most = if is_open { LARGEST_BODY_OF_STRANGERS } else { LARGEST_BODY };
    let (parts, body) = request.into_parts();
    match receive_body(body, most).await {
        ReceivedBody::Whole(bytes) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        ReceivedBody::TooLong => StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        ReceivedBody::TooSlow => {
            PageError::new(StatusCode::REQUEST_TIMEOUT, "workbench-this-took-too-long-to-send")
                .into_response()
        }
        ReceivedBody::Broken => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn page_not_found(uri: Uri) -> PageError {
    PageError::not_found_with("workbench-there-is-nothing-at", args![path = uri.path()])
}

/// The answer to a method that an address does not take, as where somebody opens the address that a form is sent to.
async fn method_not_allowed(method: Method, uri: Uri) -> PageError {
    let text = PageText::with("workbench-does-not-take-that", args![path = uri.path(), method]);
    PageError::new(StatusCode::METHOD_NOT_ALLOWED, text)
}
