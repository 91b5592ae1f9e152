//! The room of patterns: a sheet of 36, one pattern with its symmetries, the editor, matches in a game.
//!
//! - `collection`: the shipped patterns, and the person's own ones, which are documents.
//! - `sheet`: 36 at a glance. `view`: one of them. `draft`: one that is being edited, kept with every change until it is saved.
//! - `game`: what matches in a game.

mod collection;
mod draft;
mod game;
mod sheet;
mod view;

use std::sync::Arc;

use axum::Router;
use axum::http::header::{CONTENT_DISPOSITION, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};

use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;
use crate::workbench::texts::{PageText, args};
use crate::workbench::visitor::Visitor;

pub(crate) use collection::IndexCache;
pub(super) use draft::make_words;
pub(super) use view::{kind_name, localized_words};

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new().merge(sheet::routes()).merge(view::routes()).merge(draft::routes()).merge(game::routes())
}

/// Goes to another page; htmx is told by a header, as it would put the page into its target.
pub(super) fn redirect_to(visitor: &Visitor, path: &str) -> Response {
    let place = HeaderValue::from_str(path).ok().filter(|_| visitor.partial);
    match place {
        Some(place) => [(HeaderName::from_static("hx-redirect"), place)].into_response(),
        None => Redirect::to(path).into_response(),
    }
}

/// A text to be kept as a file.
pub(super) fn text_attachment(name: &str, text: String) -> Response {
    attachment_response(name, "text/plain; charset=utf-8", text)
}

/// A file of this type.
pub(super) fn attachment_response(name: &str, kind: &'static str, text: String) -> Response {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '-' }).collect();
    let mut response = crate::reply::text_response(axum::http::StatusCode::OK, kind, text);
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{plain}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    response
}

/// A title of the person's own: one line, not too long.
pub(super) fn check_title(text: &str) -> Result<String, PageError> {
    let title = text.trim();
    if title.is_empty() || title.chars().count() > 80 || title.chars().any(char::is_control) {
        return Err(PageError::invalid_input(PageText::with(
            "patterns-title-it-must-be-one-line",
            args![title = format!("{title:?}")],
        )));
    }
    Ok(title.to_string())
}
