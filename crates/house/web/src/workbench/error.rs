//! What goes wrong, in words: a page for those who opened one, the bare sentence for scripts.

use std::fmt::Display;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Response, StatusCode};
use axum::middleware::Next;
use axum::response::IntoResponse;
use ishi_lab::store::{DamagedDocument, StoreError};
use maud::html;

use super::entrance::ENTRANCE;
use super::page::{Page, Room};
use super::visitor::Visitor;
use crate::error::text_response;
use crate::workers::Refusal;

/// An error with its status, in both languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageError {
    pub(crate) status: StatusCode,
    english: String,
    japanese: String,
}

impl PageError {
    pub(crate) fn new(status: StatusCode, english: impl Display, japanese: impl Display) -> PageError {
        PageError { status, english: english.to_string(), japanese: japanese.to_string() }
    }

    /// There is no such thing.
    pub(crate) fn not_found(english: impl Display, japanese: impl Display) -> PageError {
        PageError::new(StatusCode::NOT_FOUND, english, japanese)
    }

    /// What was sent cannot be used; the sentence says what would be right.
    pub(crate) fn invalid_input(english: impl Display, japanese: impl Display) -> PageError {
        PageError::new(StatusCode::UNPROCESSABLE_ENTITY, english, japanese)
    }

    /// The words of a library, which speaks English only.
    pub(crate) fn from_input_error(error: impl Display) -> PageError {
        PageError::invalid_input(&error, &error)
    }

    /// Another tab was faster.
    pub(crate) fn changed_elsewhere() -> PageError {
        PageError::new(
            StatusCode::CONFLICT,
            "this was changed in another tab meanwhile: reload the page to see it; nothing of yours was saved over it",
            "別のタブで変更されています。ページを再読み込みしてください（上書きはしていません）",
        )
    }

    /// A file, a database or a process failed.
    pub(crate) fn from_system_error(error: impl Display) -> PageError {
        PageError::new(StatusCode::INTERNAL_SERVER_ERROR, &error, &error)
    }

    /// The database failed, or what was asked for is damaged.
    pub(crate) fn from_store_error(error: StoreError) -> PageError {
        let StoreError::DamagedDocument { damaged, .. } = &error else {
            return PageError::from_system_error(error);
        };
        let DamagedDocument { title, cause, .. } = damaged.as_ref();
        PageError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!(
                "{title:?} is damaged in the database ({cause}): use a copy of the database from before, or save and remove it at /damaged"
            ),
            format!(
                "「{title}」はデータベース内で壊れています（{cause}）。以前のデータベースのコピーを使うか、/damaged で保存・削除してください"
            ),
        )
    }

    pub(crate) fn internal_error() -> PageError {
        PageError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the work on this request failed; that is a fault of the server",
            "サーバー内部の誤りで処理できませんでした",
        )
    }

    pub(crate) fn localized_message(&self, visitor: &Visitor) -> &str {
        visitor.say(&self.english, &self.japanese)
    }
}

impl From<Refusal> for PageError {
    fn from(refusal: Refusal) -> PageError {
        match refusal {
            Refusal::Full => PageError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "too much is being computed at once: try again in a moment",
                "処理が混み合っています。少し待ってからやり直してください",
            ),
            Refusal::Closed => PageError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "the server is being shut down",
                "サーバーは終了中です",
            ),
            Refusal::Failed => PageError::internal_error(),
        }
    }
}

/// Leaves the words to [`format_errors`], which knows who asked.
impl IntoResponse for PageError {
    fn into_response(self) -> Response<Body> {
        let mut response = text_response(self.status, "text/plain; charset=utf-8", self.english.clone());
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
        return script_response(error.status, words);
    }
    let page = Page::new(Room::Home, visitor.say("Not possible", "できません"));
    let body = html! {
        h1 { (visitor.say("Not possible", "できません")) }
        p role="alert" { (words) }
        p { a href="/" { (visitor.say("Back to the workbench", "ワークベンチへ戻る")) } }
    };
    (error.status, page.render_page(&visitor, body)).into_response()
}

/// What a form or an address says that could not even be read: the server's own words for that help nobody.
fn error_for_status(status: StatusCode) -> Option<PageError> {
    let (english, japanese) = match status {
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => (
            "something in the form is missing or of a wrong kind: numbers are whole and not negative",
            "入力に不足または誤りがあります（数値は 0 以上の整数です）",
        ),
        StatusCode::PAYLOAD_TOO_LARGE => {
            ("this is too large: an upload has 4 MiB at most", "大きすぎます（アップロードは 4 MiB まで）")
        }
        _ => return None,
    };
    Some(PageError::new(status, english, japanese))
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
