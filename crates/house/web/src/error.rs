//! Errors as they are sent.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use ishi_deck_documents::DocumentError;
use serde::Serialize;

/// Seconds after which a client that was refused may come again.
const PATIENCE: u32 = 1;

/// An error with its status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    kind: &'static str,
    message: String,
    field: Option<String>,
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

impl ApiError {
    pub(crate) fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> ApiError {
        ApiError { status, kind, message: message.into(), field: None }
    }

    /// The body is not JSON, or a field of it has the wrong form.
    pub(crate) fn malformed_body(error: DocumentError) -> ApiError {
        let place = match (error.line, error.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}: "),
            (Some(line), None) => format!("line {line}: "),
            _ => String::new(),
        };
        let message = format!("{place}{}", error.what);
        let kind = if error.field.is_some() { "field" } else { "json" };
        ApiError { status: StatusCode::BAD_REQUEST, kind, message, field: error.field }
    }

    /// The request can be read, but means nothing for the pool.
    pub(crate) fn invalid_request(message: impl Into<String>, field: Option<String>) -> ApiError {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        ApiError { status, kind: "request", message: message.into(), field }
    }

    /// There is no deck.
    pub(crate) fn infeasible_request(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "infeasible", message)
    }

    /// Too much to do.
    pub(crate) fn server_busy(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    /// The server ends.
    pub(crate) fn server_closing() -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "closing", "the server is being shut down")
    }

    /// The work failed.
    pub(crate) fn internal_error() -> ApiError {
        let message = "the work on this request failed; that is a fault of the server";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// Of this field.
    pub(crate) fn with_field(mut self, field: &str) -> ApiError {
        self.field = Some(field.to_string());
        self
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response<Body> {
        let inner = ErrorDetails { kind: self.kind, message: &self.message, field: self.field.as_deref() };
        let mut response = json_response(self.status, &ErrorDocument { error: inner });
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(PATIENCE));
        }
        response
    }
}

/// A response with a JSON body that ends with a line break.
pub(crate) fn json_response(status: StatusCode, value: &impl Serialize) -> Response<Body> {
    // Plain structs with text keys: that does not fail.
    let mut text = serde_json::to_vec(value).unwrap_or_default();
    text.push(b'\n');
    text_response(status, "application/json", text)
}

/// A response with a body of this type.
pub(crate) fn text_response(
    status: StatusCode,
    content_type: &'static str,
    body: impl Into<Body>,
) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
