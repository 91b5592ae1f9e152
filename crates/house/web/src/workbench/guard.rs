//! Who may ask.
//!
//! Every visitor must show a token, also on the machine itself: other users of it can connect, too. A cookie shows it, which the token or
//! a code in an address is exchanged for once; scripts send the token with each request. On loopback addresses no other names are
//! answered to, so that a page elsewhere whose name suddenly means this machine (DNS rebinding) gets nothing. What changes something must
//! come from a page of ours.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY,
    WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, Method, Response, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect};

use super::address::ENTRANCE;
use super::entrance;
use super::error::PageError;
use super::texts::{PageText, args};
use super::token::{AccessToken, TokenTrial};
use super::visitor::cookie_value;
use super::{DeskState, WorkbenchState};
use crate::door::ConnectionPass;
use crate::hosts::{is_known_host, is_same_origin, requested_host};
use crate::log::PeerAddress;
use crate::turns::Asker;

/// Everything comes from here; pictures may stand in the page itself.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";

/// Sets the headers that keep pages to themselves.
pub(super) async fn protect_page(request: Request, next: Next) -> Response<Body> {
    let mut response = next.run(request).await;
    let is_unauthorized = response.status() == StatusCode::UNAUTHORIZED;
    let headers = response.headers_mut();
    let mut say =
        |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    say(CONTENT_SECURITY_POLICY, POLICY);
    say(X_CONTENT_TYPE_OPTIONS, "nosniff");
    say(X_FRAME_OPTIONS, "DENY");
    say(REFERRER_POLICY, "same-origin");
    if is_unauthorized {
        say(WWW_AUTHENTICATE, "Bearer");
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Refuses what may not ask.
pub(super) async fn guard_request(desk: DeskState, request: Request, next: Next) -> Response<Body> {
    match judge_request(&desk, &request) {
        RequestVerdict::Visitor if !let_in(&request) => no_place_left().into_response(),
        RequestVerdict::Visitor => {
            let asker = find_asker(&desk, &request);
            asker.serve(next.run(request)).await
        }
        RequestVerdict::Anybody => next.run(request).await,
        RequestVerdict::Stranger if wants_page(&request) => Redirect::to(ENTRANCE).into_response(),
        RequestVerdict::Stranger => token_is_missing().into_response(),
        RequestVerdict::Refused(error) => error.into_response(),
    }
}

/// Who asks: whoever has this cookie, else whoever is at this address.
fn find_asker(desk: &WorkbenchState, request: &Request) -> Asker {
    let headers = request.headers();
    let token = desk.settings.token.as_ref().filter(|token| entrance::has_cookie(headers, token));
    match token.and_then(|token| cookie_value(headers, &token.cookie_name())) {
        Some(cookie) => Asker::from_text(cookie),
        None => {
            let address = entrance::guessing_address(request.extensions().get::<PeerAddress>().copied());
            Asker::from_text(&address.to_string())
        }
    }
}

/// Gives the connection a place. False if there is none.
fn let_in(request: &Request) -> bool {
    request.extensions().get::<Arc<ConnectionPass>>().is_none_or(|pass| pass.admit_connection())
}

fn no_place_left() -> PageError {
    PageError::new(StatusCode::SERVICE_UNAVAILABLE, "workbench-too-many-pages-are-open-at")
}

/// Will a person see the answer as a page? Scripts are told in words instead.
fn wants_page(request: &Request) -> bool {
    let headers = request.headers();
    let takes_html = |accept: &HeaderValue| accept.to_str().is_ok_and(|text| text.contains("text/html"));
    is_harmless(request.method())
        && !headers.contains_key("hx-request")
        && headers.get(ACCEPT).is_none_or(takes_html)
}

fn token_is_missing() -> PageError {
    PageError::new(
        StatusCode::UNAUTHORIZED,
        PageText::with("workbench-this-workbench-asks-for-its-token", args![entrance = ENTRANCE]),
    )
}

enum RequestVerdict {
    /// Knows the token, or needs none.
    Visitor,
    /// Asks for what strangers need to enter.
    Anybody,
    /// Has not shown the token.
    Stranger,
    Refused(PageError),
}

fn judge_request(desk: &WorkbenchState, request: &Request) -> RequestVerdict {
    let headers = request.headers();
    let host = requested_host(headers);
    // The name comes first: under a foreign one a page is told nothing, not even that a token is missing.
    if desk.settings.is_local() && !is_known_host(host, &desk.settings.hosts) {
        return RequestVerdict::Refused(PageError::new(
            StatusCode::MISDIRECTED_REQUEST,
            PageText::with("workbench-this-server-does-not-answer-to", args![host = format!("{host:?}")]),
        ));
    }
    if !is_harmless(request.method()) && !is_same_origin(headers, host) {
        return RequestVerdict::Refused(PageError::new(
            StatusCode::FORBIDDEN,
            "workbench-this-request-came-from-a-page",
        ));
    }
    match &desk.settings.token {
        Some(token) => judge_visitor(desk, token, request),
        None => RequestVerdict::Visitor,
    }
}

fn is_harmless(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

fn judge_visitor(desk: &WorkbenchState, token: &AccessToken, request: &Request) -> RequestVerdict {
    // A cookie is no guess. Whoever has it is not held up by others who guess from the same address.
    if entrance::has_cookie(request.headers(), token) {
        return RequestVerdict::Visitor;
    }
    let Some(shown) = shown_token(request.headers()) else {
        let is_open = is_open_to_strangers(request.uri().path());
        return if is_open { RequestVerdict::Anybody } else { RequestVerdict::Stranger };
    };
    let address = entrance::guessing_address(request.extensions().get::<PeerAddress>().copied());
    match desk.guesses.try_token(token, shown, address, Instant::now()) {
        TokenTrial::Right => RequestVerdict::Visitor,
        TokenTrial::Wrong => RequestVerdict::Refused(entrance::wrong_token(StatusCode::UNAUTHORIZED)),
        TokenTrial::TooMany => RequestVerdict::Refused(entrance::too_many_guesses()),
    }
}

/// The token that a script sends: `Authorization: Bearer TOKEN`. It may have letters of any language.
fn shown_token(headers: &HeaderMap) -> Option<&str> {
    let text = std::str::from_utf8(headers.get(AUTHORIZATION)?.as_bytes()).ok()?;
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

/// What those who have not shown the token need to enter.
pub(super) fn is_open_to_strangers(path: &str) -> bool {
    path == ENTRANCE || path == "/settings" || path.starts_with("/assets/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_entrance_is_open_to_strangers() {
        assert!(["/enter", "/settings", "/assets/1/style.css"].iter().all(|path| is_open_to_strangers(path)));
        let others = ["/", "/healthz", "/enter/code", "/go", "/events", "/settings/x", "/assetsx"];
        assert!(!others.iter().any(|path| is_open_to_strangers(path)));
    }

    #[test]
    fn scripts_send_the_token_in_a_header() {
        let from = |text: &'static [u8]| {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, HeaderValue::from_bytes(text).unwrap());
            shown_token(&headers).map(String::from)
        };
        assert_eq!(from(b"Bearer correct horse").as_deref(), Some("correct horse"));
        assert_eq!(from("bearer 合言葉".as_bytes()).as_deref(), Some("合言葉"));
        assert_eq!(from(b"Basic YTpi"), None);
        assert_eq!(from(b"Bearer"), None);
        assert_eq!(from(b"Bearer \xff"), None);
    }

    #[test]
    fn scripts_are_told_in_words() {
        let wants = |method: &str, headers: &[(&str, &str)]| {
            let mut request = axum::http::Request::builder().method(method);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            wants_page(&request.body(Body::empty()).unwrap())
        };
        assert!(wants("GET", &[]) && wants("GET", &[("accept", "text/html,*/*")]));
        assert!(!wants("POST", &[]) && !wants("GET", &[("accept", "*/*")]));
        assert!(
            !wants("GET", &[("accept", "text/event-stream")]) && !wants("GET", &[("hx-request", "true")])
        );
    }
}
