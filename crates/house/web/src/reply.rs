//! Responses with a body of a type.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{Response, StatusCode};
use serde::Serialize;

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
