//! Why a request is refused. One error serves all that the server answers: programs get it as JSON, scripts of pages as a bare sentence,
//! and people as a page.

use std::fmt::Display;

use axum::body::Body;
use axum::extract::Request;
use axum::extract::multipart::MultipartError;
use axum::http::header::ALLOW;
use axum::http::{HeaderValue, Response, StatusCode};
use axum::middleware::Next;
use axum::response::IntoResponse;
use ishi_deck_documents::DocumentError;
use ishi_lab::store::{DamagedDocument, StoreError};
use ishi_words::CodedError;
use maud::html;
use serde::Serialize;

use super::address::ENTRANCE;
use super::page::{Page, Room};
use super::texts::{LanguageTexts, PageText, TextArguments, args, english, text_id};
use super::visitor::Visitor;
use crate::reply::{json_response, text_response};
use crate::workers::Refusal;

/// Seconds after which a program that was refused may come again.
const PATIENCE: u32 = 1;

/// Why a request is refused, with its status, and its words for whoever asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestError {
    pub(crate) status: StatusCode,
    /// What is wrong, in a word that programs know.
    kind: &'static str,
    message: ErrorMessage,
    /// The field of a body that is wrong, for programs.
    field: Option<String>,
}

/// What the rooms call it.
pub(crate) type PageError = RequestError;

/// What a handler of a page gives: an answer, or why there is none.
pub(crate) type PageAnswer = Result<axum::response::Response, PageError>;

/// What is said.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ErrorMessage {
    /// To people, in their language.
    Localized(PageText),
    /// To programs, in English.
    English(String),
}

/// Who is told of an error.
enum ErrorReader<'a> {
    /// A program: JSON, in English.
    Program,
    /// A script of a page, which shows the sentence there.
    Script(&'a Visitor),
    /// Who opened a page.
    Person(&'a Visitor),
}

#[derive(Serialize)]
struct ErrorDocument<'a> {
    error: ErrorDetails<'a>,
}

#[derive(Serialize)]
struct ErrorDetails<'a> {
    kind: &'static str,
    message: &'a str,
    field: Option<&'a str>,
}

/// What the service for programs refuses.
impl RequestError {
    /// What only programs are told, in English.
    pub(crate) fn for_programs(
        status: StatusCode,
        kind: &'static str,
        message: impl Into<String>,
    ) -> RequestError {
        RequestError { status, kind, message: ErrorMessage::English(message.into()), field: None }
    }

    /// The same error, which is about this field of a request.
    pub(crate) fn with_field(self, field: impl Into<Option<String>>) -> RequestError {
        RequestError { field: field.into(), ..self }
    }

    /// The body is not JSON, or a field of it has the wrong form.
    pub(crate) fn malformed_body(error: DocumentError) -> RequestError {
        let place = match (error.line, error.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}: "),
            (Some(line), None) => format!("line {line}: "),
            _ => String::new(),
        };
        let kind = if error.field.is_some() { "field" } else { "json" };
        let message = format!("{place}{}", error.what);
        RequestError::for_programs(StatusCode::BAD_REQUEST, kind, message).with_field(error.field)
    }

    /// The request can be read, but means nothing for the pool.
    pub(crate) fn invalid_request(message: impl Into<String>, field: Option<String>) -> RequestError {
        RequestError::for_programs(StatusCode::UNPROCESSABLE_ENTITY, "request", message).with_field(field)
    }

    /// There is no deck.
    pub(crate) fn infeasible_request(message: impl Into<String>) -> RequestError {
        RequestError::for_programs(StatusCode::UNPROCESSABLE_ENTITY, "infeasible", message)
    }
}

/// What pages refuse; programs may be told of it, too.
impl RequestError {
    /// The text is the name of one without arguments, or [`PageText::with`].
    pub(crate) fn new(status: StatusCode, text: impl Into<PageText>) -> PageError {
        let kind = if status.is_server_error() { "internal" } else { "request" };
        RequestError { status, kind, message: ErrorMessage::Localized(text.into()), field: None }
    }

    /// There is no such thing.
    pub(crate) fn not_found(text: impl Into<PageText>) -> PageError {
        PageError::new(StatusCode::NOT_FOUND, text)
    }

    /// What was sent cannot be used; the sentence says what would be right.
    pub(crate) fn invalid_input(text: impl Into<PageText>) -> PageError {
        PageError::new(StatusCode::UNPROCESSABLE_ENTITY, text)
    }

    /// There is no such thing, said with arguments.
    pub(crate) fn not_found_with(id: &'static str, arguments: TextArguments) -> PageError {
        PageError::not_found(PageText::with(id, arguments))
    }

    /// What was sent cannot be used, said with arguments.
    pub(crate) fn invalid_input_with(id: &'static str, arguments: TextArguments) -> PageError {
        PageError::invalid_input(PageText::with(id, arguments))
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

    /// Too much to do.
    fn server_busy() -> PageError {
        let error =
            PageError::new(StatusCode::SERVICE_UNAVAILABLE, "workbench-too-much-is-being-computed-at");
        RequestError { kind: "busy", ..error }
    }

    /// The server ends.
    pub(crate) fn server_closing() -> PageError {
        let error =
            PageError::new(StatusCode::SERVICE_UNAVAILABLE, "workbench-the-server-is-being-shut-down");
        RequestError { kind: "closing", ..error }
    }

    /// The work failed.
    pub(crate) fn internal_error() -> PageError {
        PageError::new(StatusCode::INTERNAL_SERVER_ERROR, "workbench-the-work-on-this-request-failed")
    }

    /// Its words in the visitor's language.
    pub(crate) fn localized_message(&self, visitor: &Visitor) -> String {
        self.message_in(visitor.texts)
    }

    fn message_in(&self, texts: &'static LanguageTexts) -> String {
        match &self.message {
            ErrorMessage::Localized(text) => text.in_language(texts),
            ErrorMessage::English(words) => words.clone(),
        }
    }

    /// Status, body and words for whoever is told: what is sent is decided here alone.
    fn to_response(&self, reader: ErrorReader<'_>) -> Response<Body> {
        match reader {
            ErrorReader::Program => self.to_json_response(),
            ErrorReader::Script(visitor) => script_response(self.status, &self.localized_message(visitor)),
            ErrorReader::Person(visitor) => self.to_page_response(visitor),
        }
    }

    fn to_json_response(&self) -> Response<Body> {
        let message = self.message_in(english());
        let error = ErrorDetails { kind: self.kind, message: &message, field: self.field.as_deref() };
        let mut response = json_response(self.status, &ErrorDocument { error });
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            let headers = response.headers_mut();
            headers.insert(axum::http::header::RETRY_AFTER, HeaderValue::from(PATIENCE));
        }
        response
    }

    fn to_page_response(&self, visitor: &Visitor) -> Response<Body> {
        let page = Page::new(Room::Home, visitor.text("workbench-not-possible"));
        let body = html! {
            h1 { (visitor.text("workbench-not-possible")) }
            p role="alert" { (self.localized_message(visitor)) }
            p { a href="/" { (visitor.text("workbench-back-to-the-workbench")) } }
        };
        (self.status, page.render_page(visitor, body)).into_response()
    }
}

/// What a library says, of what was sent or of a database that failed.
impl<E: CodedError> From<E> for PageError {
    fn from(error: E) -> PageError {
        let status = match error.is_of_input() {
            true => StatusCode::UNPROCESSABLE_ENTITY,
            false => StatusCode::INTERNAL_SERVER_ERROR,
        };
        PageError::new(status, PageText::of_error(error))
    }
}

impl From<Refusal> for PageError {
    fn from(refusal: Refusal) -> PageError {
        match refusal {
            Refusal::Full => PageError::server_busy(),
            Refusal::Closed => PageError::server_closing(),
            Refusal::Failed => PageError::internal_error(),
        }
    }
}

/// As programs get it. Who opened a page is told by [`format_errors`], which knows who asked.
impl IntoResponse for PageError {
    fn into_response(self) -> Response<Body> {
        let mut response = self.to_response(ErrorReader::Program);
        response.extensions_mut().insert(self);
        response
    }
}

/// Gives errors the form and the language that fit the request.
pub(crate) async fn format_errors(request: Request, next: Next) -> Response<Body> {
    let visitor = Visitor::from_headers(request.headers());
    let response = next.run(request).await;
    // What else an address takes is said with a 405.
    let allowed = response.headers().get(ALLOW).cloned();
    let known = response.extensions().get::<PageError>().cloned();
    let error = match known {
        Some(error) => error,
        None => match error_for_status(response.status()) {
            Some(error) => name_wrong_field(error, response.into_body()).await,
            None => return response,
        },
    };
    let reader = if visitor.partial { ErrorReader::Script(&visitor) } else { ErrorReader::Person(&visitor) };
    let mut answer = error.to_response(reader);
    if let Some(allowed) = allowed {
        answer.headers_mut().insert(ALLOW, allowed);
    }
    answer
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

/// Bytes of the server's own words that are read.
const LONGEST_REFUSAL: usize = 1 << 14;

/// The error with the field that it is about, if the server's own words name one.
async fn name_wrong_field(error: PageError, refusal: Body) -> PageError {
    let words = axum::body::to_bytes(refusal, LONGEST_REFUSAL).await.unwrap_or_default();
    let words = String::from_utf8_lossy(&words);
    match field_in_refusal(&words) {
        Some(field) => {
            let text = PageText::with("workbench-a-field-of-the-form-is-wrong", args![field]);
            PageError::new(error.status, text).with_field(field.to_string())
        }
        None => error,
    }
}

/// The field in words such as `Failed to deserialize form body: komi: invalid digit found in string`, or in those of one that is missing.
fn field_in_refusal(words: &str) -> Option<&str> {
    let said = words.strip_prefix("Failed to deserialize ")?.split_once(": ")?.1;
    let name = match said.split_once("missing field `") {
        Some((_, rest)) => rest.split('`').next()?,
        None => said.split_once(": ")?.0,
    };
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_-.[]".contains(letter);
    (!name.is_empty() && name.chars().all(is_part)).then_some(name)
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

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use ishi_words::Language;

    use super::*;

    async fn tell(error: &RequestError, reader: ErrorReader<'_>) -> (StatusCode, String) {
        let response = error.to_response(reader);
        let status = response.status();
        let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn each_reader_gets_an_error_in_a_form_of_its_own() {
        let error = RequestError::invalid_request("no such card", Some("owned".to_string()));
        let visitor = Visitor::for_language(Language::Japanese);
        let (status, json) = tell(&error, ErrorReader::Program).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        let wanted = r#"{"error":{"kind":"request","message":"no such card","field":"owned"}}"#;
        assert_eq!(json, format!("{wanted}\n"));
        let (status, sentence) = tell(&error, ErrorReader::Script(&visitor)).await;
        assert_eq!((status, sentence.as_str()), (StatusCode::OK, "no such card"));
        let (status, page) = tell(&error, ErrorReader::Person(&visitor)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(page.contains("<p role=\"alert\">no such card</p>"), "{page}");
    }

    /// The server's own words are in English and for programmers: the field is taken from them.
    #[tokio::test]
    async fn a_form_is_told_which_field_is_wrong() {
        let missing = error_for_status(StatusCode::UNPROCESSABLE_ENTITY).unwrap();
        for (words, field) in [
            ("Failed to deserialize form body: komi: invalid digit found in string", Some("komi")),
            ("Failed to deserialize form body: missing field `size`", Some("size")),
            ("Failed to deserialize query string: at[0]: invalid type: string", Some("at[0]")),
            ("Failed to deserialize form body: <b>: invalid digit", None),
            ("Failed to buffer the request body: length limit exceeded: no", None),
            ("", None),
        ] {
            assert_eq!(field_in_refusal(words), field, "{words}");
            let error = name_wrong_field(missing.clone(), Body::from(words)).await;
            assert_eq!((error.status, error.field.as_deref()), (missing.status, field), "{words}");
            let told = [Language::English, Language::Japanese]
                .map(|language| error.localized_message(&Visitor::for_language(language)));
            assert!(field.is_none_or(|field| told.iter().all(|told| told.contains(field))), "{told:?}");
        }
    }

    /// A database that fails is no fault of who asks, whichever way its error comes.
    #[test]
    fn statuses_say_whose_fault_it_is() {
        use ishi_lab::LabError;
        let missing = || StoreError::Missing { path: "a.db".into() };
        let failed = LabError::Task { task: "t".into(), error: "why".into() };
        let faults = [
            PageError::from(missing()),
            PageError::from(&missing()),
            PageError::from_store_error(missing()),
            PageError::from(LabError::Store(missing())),
            PageError::from(failed),
        ];
        assert!(faults.iter().all(|error| error.status == StatusCode::INTERNAL_SERVER_ERROR), "{faults:?}");
        assert!(faults.iter().all(|error| error.kind == "internal"), "{faults:?}");
        let no_size = ishi_go::BoardSize::square(30).unwrap_err();
        for error in [PageError::from(LabError::Input("no".into())), PageError::from(no_size)] {
            assert_eq!((error.status, error.kind), (StatusCode::UNPROCESSABLE_ENTITY, "request"));
        }
    }

    /// A refusal has a word for programs, and is told in the language of who reads it.
    #[tokio::test]
    async fn refusals_are_told_to_programs_and_to_people() {
        for (refusal, kind) in
            [(Refusal::Full, "busy"), (Refusal::Closed, "closing"), (Refusal::Failed, "internal")]
        {
            let error = RequestError::from(refusal);
            let (status, json) = tell(&error, ErrorReader::Program).await;
            assert!(json.contains(&format!("\"kind\":\"{kind}\"")) && status.is_server_error(), "{json}");
            let [english, japanese] = [Language::English, Language::Japanese]
                .map(|language| error.localized_message(&Visitor::for_language(language)));
            assert!(json.contains(&english) && english != japanese, "{japanese}");
        }
        let closing = RequestError::server_closing().into_response();
        assert_eq!(closing.headers()["retry-after"], "1");
    }
}
