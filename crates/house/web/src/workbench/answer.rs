//! Answers that many rooms give: nothing to show, another page, a file.

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};
use ishi_words::percent_encode;

use super::visitor::Visitor;
use crate::reply::text_response;

/// A place of ours as it may stand in a header. Keys in it may come from whoever asks, with line ends and all.
fn place_in_header(path: &str) -> String {
    percent_encode(path, |character| character.is_ascii_graphic())
}

/// What htmx is told by events needs no answer; who has no script goes back to the page.
pub(crate) fn respond_done(visitor: &Visitor, page: &str) -> Response {
    match visitor.partial {
        true => StatusCode::NO_CONTENT.into_response(),
        false => Redirect::to(&place_in_header(page)).into_response(),
    }
}

/// Goes to another page; htmx is told by a header, as it would put the page into its target.
pub(crate) fn redirect_to(visitor: &Visitor, path: &str) -> Response {
    let place = place_in_header(path);
    match HeaderValue::from_str(&place).ok().filter(|_| visitor.partial) {
        Some(value) => [(HeaderName::from_static("hx-redirect"), value)].into_response(),
        None => Redirect::to(&place).into_response(),
    }
}

/// A text to be kept as a file.
pub(crate) fn text_attachment(name: &str, text: String) -> Response {
    attachment_response(name, "text/plain; charset=utf-8", text)
}

/// A file of this type. Its name has letters, digits, dots and dashes; all else becomes a dash.
pub(crate) fn attachment_response(name: &str, kind: &'static str, body: impl Into<Body>) -> Response {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '-' }).collect();
    let mut response = text_response(StatusCode::OK, kind, body);
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{plain}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use axum::http::header::LOCATION;
    use ishi_words::Language;

    use super::*;

    #[test]
    fn pages_without_scripts_are_sent_on() {
        let script = Visitor::for_language(Language::English);
        let person = Visitor { partial: false, ..script.clone() };
        assert_eq!(respond_done(&script, "/go").status(), StatusCode::NO_CONTENT);
        assert_eq!(respond_done(&person, "/go").headers()[LOCATION], "/go");
        assert_eq!(redirect_to(&script, "/go").headers()["hx-redirect"], "/go");
        assert_eq!(redirect_to(&person, "/go").headers()[LOCATION], "/go");
    }

    /// A key with a line end is no reason to fail, and adds no header.
    #[test]
    fn places_with_any_key_may_stand_in_a_header() {
        let script = Visitor::for_language(Language::English);
        let person = Visitor { partial: false, ..script.clone() };
        let place = "/lab/m/x\r\nSet-Cookie: a=b\0囲%20";
        let plain = "/lab/m/x%0D%0ASet-Cookie:%20a=b%00%E5%9B%B2%20";
        let answers =
            [respond_done(&person, place), redirect_to(&person, place), redirect_to(&script, place)];
        for (answer, header) in answers.iter().zip(["location", "location", "hx-redirect"]) {
            assert_eq!(answer.headers()[header], plain);
            assert!(!answer.status().is_server_error(), "{}", answer.status());
        }
    }

    #[test]
    fn names_of_files_are_plain() {
        let file = text_attachment("my \"joseki\" é.txt", String::new());
        assert_eq!(file.headers()[CONTENT_DISPOSITION], "attachment; filename=\"my--joseki---.txt\"");
    }
}
