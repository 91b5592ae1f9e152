//! What goes wrong, in words: a page for those who opened one, the bare sentence for scripts.

use std::fmt::Display;

use axum::body::Body;
use axum::extract::Request;
use axum::extract::multipart::MultipartError;
use axum::http::{HeaderValue, Response, StatusCode};
use axum::middleware::Next;
use axum::response::IntoResponse;
use ishi_lab::store::{DamagedDocument, StoreError};
use ishi_words::CodedError;
use maud::html;

use super::entrance::ENTRANCE;
use super::page::{Page, Room};
use super::texts::{PageText, args, english, text_id};
use super::visitor::Visitor;
use crate::error::text_response;
use crate::workers::Refusal;

/// An error with its status, and its words for whoever asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageError {
    pub(crate) status: StatusCode,
    text: PageText,
}

impl PageError {
    /// The text is the name of one without arguments, or [`PageText::with`].
    pub(crate) fn new(status: StatusCode, text: impl Into<PageText>) -> PageError {
        PageError { status, text: text.into() }
    }

    /// There is no such thing.
    pub(crate) fn not_found(text: impl Into<PageText>) -> PageError {
        PageError::new(StatusCode::NOT_FOUND, text)
    }

    /// What was sent cannot be used; the sentence says what would be right.
    pub(crate) fn invalid_input(text: impl Into<PageText>) -> PageError {
        PageError::new(StatusCode::UNPROCESSABLE_ENTITY, text)
    }

    /// What a library says of what was sent.
    pub(crate) fn from_input_error(error: impl CodedError) -> PageError {
        PageError::invalid_input(PageText::of_error(error))
    }

    /// A form with files that is too large, or breaks off.
    pub(crate) fn from_upload_error(error: &MultipartError) -> PageError {
        error_for_status(error.status()).unwrap_or_else(PageError::internal_error)
    }

    /// Another tab was faster.
    pub(crate) fn changed_elsewhere() -> PageError {
        PageError::new(StatusCode::CONFLICT, "workbench-this-was-changed-in-another-tab")
    }

    /// A file or a process failed, or a fault of ishi. Its English words are for who runs the server.
    pub(crate) fn from_system_error(error: impl Display) -> PageError {
        PageError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            PageText::with("workbench-the-server-failed", args![cause = error]),
        )
    }

    /// The database failed, or what was asked for is damaged.
    pub(crate) fn from_store_error(error: StoreError) -> PageError {
        let StoreError::DamagedDocument { damaged, .. } = &error else {
            return PageError::new(StatusCode::INTERNAL_SERVER_ERROR, PageText::of_error(error));
        };
        let DamagedDocument { title, cause, .. } = damaged.as_ref();
        PageError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            PageText::with(
                "workbench-is-damaged-in-the-database-use",
                args![title_quoted = format!("{title:?}"), cause, title],
            ),
        )
    }

    pub(crate) fn internal_error() -> PageError {
        PageError::new(StatusCode::INTERNAL_SERVER_ERROR, "workbench-the-work-on-this-request-failed")
    }

    pub(crate) fn localized_message(&self, visitor: &Visitor) -> String {
        self.text.in_language(visitor.texts)
    }
}

/// What a library says of what was sent.
impl<E: CodedError> From<E> for PageError {
    fn from(error: E) -> PageError {
        PageError::from_input_error(error)
    }
}

impl From<Refusal> for PageError {
    fn from(refusal: Refusal) -> PageError {
        match refusal {
            Refusal::Full => {
                PageError::new(StatusCode::SERVICE_UNAVAILABLE, "workbench-too-much-is-being-computed-at")
            }
            Refusal::Closed => {
                PageError::new(StatusCode::SERVICE_UNAVAILABLE, "workbench-the-server-is-being-shut-down")
            }
            Refusal::Failed => PageError::internal_error(),
        }
    }
}

/// Leaves the words to [`format_errors`], which knows who asked.
impl IntoResponse for PageError {
    fn into_response(self) -> Response<Body> {
        let mut response =
            text_response(self.status, "text/plain; charset=utf-8", self.text.in_language(english()));
        response.extensions_mut().insert(self);
        response
    }
}

/// Gives errors the form and the language that fit the request.
pub(crate) async fn format_errors(request: Request, next: Next) -> Response<Body> {
    let visitor = Visitor::from_headers(request.headers());
    let response = next.run(request).await;
    let error = match response.extensions().get::<PageError>() {
        Some(error) => error.clone(),
        None => match error_for_status(response.status()) {
            Some(error) => error,
            None => return response,
        },
    };
    let words = error.localized_message(&visitor);
    if visitor.partial {
        return script_response(error.status, &words);
    }
    let page = Page::new(Room::Home, visitor.text("workbench-not-possible"));
    let body = html! {
        h1 { (visitor.text("workbench-not-possible")) }
        p role="alert" { (words) }
        p { a href="/" { (visitor.text("workbench-back-to-the-workbench")) } }
    };
    (error.status, page.render_page(&visitor, body)).into_response()
}

/// What a form or an address says that could not even be read: the server's own words for that help nobody.
fn error_for_status(status: StatusCode) -> Option<PageError> {
    let text = match status {
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => {
            text_id("workbench-something-in-the-form-is-missing")
        }
        StatusCode::PAYLOAD_TOO_LARGE => text_id("workbench-this-is-too-large-an-upload"),
        _ => return None,
    };
    Some(PageError::new(status, text))
}

/// What a person may do by mistake (an illegal move, a form with a wrong number) is an answer like others to the script: words for the message
/// line, and no failure in the browser's console.
fn script_response(status: StatusCode, words: &str) -> Response<Body> {
    let mistake = matches!(
        status,
        StatusCode::UNPROCESSABLE_ENTITY
            | StatusCode::CONFLICT
            | StatusCode::BAD_REQUEST
            | StatusCode::PAYLOAD_TOO_LARGE
    );
    let shown = if mistake { StatusCode::OK } else { status };
    let mut response = text_response(shown, "text/plain; charset=utf-8", words.to_string());
    if status == StatusCode::UNAUTHORIZED {
        // The page was open when its cookie ended.
        response.headers_mut().insert("hx-redirect", HeaderValue::from_static(ENTRANCE));
    }
    if mistake {
        let headers = response.headers_mut();
        headers.insert("hx-retarget", HeaderValue::from_static("#message"));
        headers.insert("hx-reswap", HeaderValue::from_static("textContent"));
    }
    response
}
