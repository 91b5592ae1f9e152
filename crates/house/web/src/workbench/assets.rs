//! Style sheet, scripts and icon: in the binary, under addresses that change with what is in them.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, HeaderValue};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use ishi_rng::checksum::fnv_checksum;

use super::WorkbenchState;
use super::error::PageError;
use crate::error::text_response;

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// Name, type, text.
const FILES: [(&str, &str, &str); 5] = [
    (
        "style.css",
        "text/css; charset=utf-8",
        concat!(
            include_str!("assets/style.css"),
            include_str!("assets/go.css"),
            include_str!("assets/othello.css"),
            include_str!("assets/editors.css"),
            include_str!("assets/laboratory.css"),
            include_str!("assets/solvers.css"),
        ),
    ),
    ("htmx.js", JAVASCRIPT, include_str!("assets/htmx.min.js")),
    (
        "events-worker.js",
        JAVASCRIPT,
        concat!(include_str!("assets/stream.js"), include_str!("assets/worker.js")),
    ),
    (
        "workbench.js",
        JAVASCRIPT,
        concat!(
            include_str!("assets/workbench.js"),
            include_str!("assets/stream.js"),
            include_str!("assets/events.js"),
            include_str!("assets/tree.js"),
            include_str!("assets/board.js"),
            include_str!("assets/motion.js"),
            include_str!("assets/doors.js"),
            include_str!("assets/game.js"),
            include_str!("assets/lesson.js"),
            include_str!("assets/go.js"),
            include_str!("assets/othello.js"),
            include_str!("assets/editors.js"),
        ),
    ),
    ("icon.svg", "image/svg+xml", include_str!("assets/icon.svg")),
];

/// The version of all of them.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    // Only a change has to be noticed.
    let all: String = FILES.iter().map(|(.., text)| *text).collect();
    format!("{:016x}", fnv_checksum(all.as_bytes()))
});

/// The address of a file.
pub(super) fn asset_path(name: &str) -> String {
    debug_assert!(FILES.iter().any(|(file, ..)| *file == name), "{name}");
    format!("/assets/{}/{name}", *VERSION)
}

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/assets/{version}/{name}", get(serve_asset))
        .route("/favicon.ico", get(redirect_to_icon))
}

async fn serve_asset(Path((_, name)): Path<(String, String)>) -> Result<Response<Body>, PageError> {
    let found = FILES.iter().find(|(file, ..)| *file == name);
    let Some((_, kind, text)) = found else {
        return Err(PageError::not_found(format!("there is no file {name}"), format!("{name} はありません")));
    };
    let mut response = text_response(StatusCode::OK, kind, *text);
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    response.headers_mut().insert(CACHE_CONTROL, forever);
    Ok(response)
}

async fn redirect_to_icon() -> impl IntoResponse {
    axum::response::Redirect::permanent(&asset_path("icon.svg"))
}
