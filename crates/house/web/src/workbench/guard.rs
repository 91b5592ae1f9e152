//! Who may ask.
//!
//! By default only this machine can connect. Then no names but the loopback's are answered to, so that a page elsewhere whose name
//! suddenly means this machine (DNS rebinding) gets nothing. What changes something must come from a page of ours. Where others can
//! connect, they must show a token once; it is kept in a cookie and never stands in an address.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Form, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{Method, Response, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use maud::html;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::WorkbenchState;
use super::error::PageError;
use super::page::{Page, Room};
use super::visitor::{Visitor, cookie_value};
use crate::hosts::{is_known_host, is_same_origin, requested_host};

/// Everything comes from here; pictures may stand in the page itself.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";

const COOKIE_NAME: &str = "ishi-visitor";

/// Refuses what may not ask, and sets the headers that keep pages to themselves.
pub(super) async fn guard_request(
    State(desk): State<Arc<WorkbenchState>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let (refused, ask_for_token) = match judge_request(&desk, &request) {
        RequestVerdict::Welcome => (None, false),
        RequestVerdict::Stranger => (None, true),
        RequestVerdict::Refused(error) => (Some(error), false),
    };
    let mut response = match refused {
        Some(error) => error.into_response(),
        None if ask_for_token => Redirect::to("/enter").into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    let mut say =
        |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    say(CONTENT_SECURITY_POLICY, POLICY);
    say(X_CONTENT_TYPE_OPTIONS, "nosniff");
    say(X_FRAME_OPTIONS, "DENY");
    say(REFERRER_POLICY, "same-origin");
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

enum RequestVerdict {
    Welcome,
    /// Has not shown the token.
    Stranger,
    Refused(PageError),
}

fn judge_request(desk: &WorkbenchState, request: &Request) -> RequestVerdict {
    let headers = request.headers();
    let host = requested_host(headers);
    if desk.settings.token.is_none() && !is_known_host(host, &desk.settings.hosts) {
        return RequestVerdict::Refused(PageError::new(
            StatusCode::MISDIRECTED_REQUEST,
            format!("this server does not answer to the name {host:?}; --host allows another name"),
            format!("このサーバーは {host:?} という名前には応答しません（--host で許可できます）"),
        ));
    }
    let harmless = matches!(*request.method(), Method::GET | Method::HEAD);
    if !harmless && !is_same_origin(headers, host) {
        return RequestVerdict::Refused(PageError::new(
            StatusCode::FORBIDDEN,
            "this request came from a page of another site",
            "別のサイトのページからの要求は受け付けません",
        ));
    }
    let Some(token) = &desk.settings.token else { return RequestVerdict::Welcome };
    let path = request.uri().path();
    let open = path == "/enter" || path == "/settings" || path.starts_with("/assets/");
    let known = cookie_value(headers, COOKIE_NAME)
        .is_some_and(|shown| is_equal_constant_time(shown, &hash_token(token)));
    if open || known { RequestVerdict::Welcome } else { RequestVerdict::Stranger }
}

/// What the cookie holds: not the token itself.
fn hash_token(token: &str) -> String {
    Sha256::digest(format!("ishi workbench {token}").as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// In a time that does not tell how much is right.
fn is_equal_constant_time(shown: &str, right: &str) -> bool {
    shown.len() == right.len()
        && shown.bytes().zip(right.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new().route("/enter", get(show_token_form).post(check_token))
}

async fn show_token_form(visitor: Visitor) -> impl IntoResponse {
    let title = visitor.say("Who is there?", "どなたですか");
    let body = html! {
        h1 { (title) }
        p { (visitor.say("This workbench is open to those who know its token. The terminal that started it has told it.",
                         "このワークベンチはトークンを知っている人だけが使えます。トークンは起動した端末に表示されています。")) }
        form.row method="post" action="/enter" {
            label for="token" { (visitor.say("Token", "トークン")) }
            input #token name="token" type="password" autocomplete="current-password" required;
            button.main { (visitor.say("Enter", "入る")) }
        }
    };
    Page::new(Room::Home, title).render_page(&visitor, body)
}

#[derive(Deserialize)]
struct TokenForm {
    token: String,
}

async fn check_token(
    State(desk): State<Arc<WorkbenchState>>,
    Form(shown): Form<TokenForm>,
) -> Result<impl IntoResponse, PageError> {
    let Some(token) = &desk.settings.token else { return Ok(Redirect::to("/").into_response()) };
    if !is_equal_constant_time(&hash_token(shown.token.trim()), &hash_token(token)) {
        return Err(PageError::new(StatusCode::FORBIDDEN, "this is not the token", "トークンが違います"));
    }
    let line = format!("{COOKIE_NAME}={}; Path=/; HttpOnly; SameSite=Strict", hash_token(token));
    Ok(([(SET_COOKIE, line)], Redirect::to("/")).into_response())
}
