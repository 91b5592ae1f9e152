//! Answers with the files of [`super::assets`]. Browsers keep them for good, as their addresses change with what is in them.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, HeaderValue};
use axum::http::{Response, StatusCode};
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;

use super::WorkbenchState;
use super::assets::{asset_path, find_asset};
use super::error::PageError;
use super::texts::args;
use crate::reply::text_response;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/assets/{version}/{name}", get(serve_asset))
        .route("/favicon.ico", get(redirect_to_icon))
}

async fn serve_asset(Path((_, name)): Path<(String, String)>) -> Result<Response<Body>, PageError> {
    let Some((kind, text)) = find_asset(&name) else {
        return Err(PageError::not_found_with("workbench-there-is-no-file", args![name]));
    };
    let mut response = text_response(StatusCode::OK, kind, text);
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    response.headers_mut().insert(CACHE_CONTROL, forever);
    Ok(response)
}

async fn redirect_to_icon() -> impl IntoResponse {
    Redirect::permanent(&asset_path("icon.svg"))
}
