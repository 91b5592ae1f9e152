//! The way in: a page that asks for the token, addresses that let a visitor in once, and the cookie that both lead to.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::{Extension, Form, Query};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::html;
use serde::Deserialize;

use super::address::{CODE_PATH, ENTRANCE};
use super::error::PageError;
use super::page::{Page, Room};
use super::texts::args;
use super::token::{AccessToken, COOKIE_SECONDS, TokenTrial};
use super::visitor::{Visitor, cookie_value};
use super::{DeskState, PageAnswer, WorkbenchState};
use crate::log::PeerAddress;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new().route(ENTRANCE, get(show_entrance).post(check_token_form)).route(CODE_PATH, post(give_code))
}

/// Seconds since 1970.
fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Does the request show a cookie that was given for the token?
pub(super) fn has_cookie(headers: &HeaderMap, token: &AccessToken) -> bool {
    let shown = cookie_value(headers, &token.cookie_name());
    shown.is_some_and(|shown| token.is_valid_cookie(shown, unix_time()))
}

fn cookie_line(token: &AccessToken) -> String {
    let (name, cookie) = (token.cookie_name(), token.make_cookie(unix_time()));
    format!("{name}={cookie}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Strict")
}

/// The address that guesses are counted for.
pub(super) fn guessing_address(peer: Option<PeerAddress>) -> IpAddr {
    peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |PeerAddress(peer)| peer.ip())
}

/// The answer to a wrong token.
pub(super) fn wrong_token(status: StatusCode) -> PageError {
    PageError::new(status, "workbench-this-is-not-the-token")
}

/// The answer to an address that has shown too many wrong tokens.
pub(super) fn too_many_guesses() -> PageError {
    PageError::new(StatusCode::TOO_MANY_REQUESTS, "workbench-there-were-too-many-wrong-tokens")
}

fn code_is_gone() -> PageError {
    PageError::new(StatusCode::FORBIDDEN, "workbench-this-address-has-let-somebody-in")
}

#[derive(Deserialize)]
struct EntryQuery {
    code: Option<String>,
    /// The page to go on with.
    to: Option<String>,
}

/// Is this a page of ours, such as `/go/abc`? Nobody is led elsewhere.
///
/// # Errors
/// If it is not.
pub(super) fn check_local_path(path: &str) -> Result<(), PageError> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'/';
    if path.starts_with('/') && !path.contains("//") && path.len() <= 40 && path.bytes().all(is_plain) {
        return Ok(());
    }
    Err(PageError::invalid_input_with("workbench-page-it-must-be-a-page", args![path = format!("{path:?}")]))
}

/// The page that asks for the token, or the way in for who comes with a code. Only a whole request uses the code up.
async fn show_entrance(
    desk: DeskState,
    peer: Option<Extension<PeerAddress>>,
    method: Method,
    headers: HeaderMap,
    visitor: Visitor,
    Query(query): Query<EntryQuery>,
) -> PageAnswer {
    let Some(token) = &desk.settings.token else { return Ok(Redirect::to("/").into_response()) };
    let code = query.code.filter(|_| method == Method::GET);
    let to = query.to.filter(|to| check_local_path(to).is_ok()).unwrap_or_else(|| "/".to_string());
    if let Some(code) = &code
        && desk.codes.use_code(code, Instant::now())
    {
        return Ok(([(SET_COOKIE, cookie_line(token))], render_way_in(&visitor, &to)).into_response());
    }
    // Who is in already is led on, also by an address that was used up.
    if has_cookie(&headers, token) {
        return Ok(render_way_in(&visitor, &to));
    }
    if code.is_none() {
        return Ok(render_token_form(&visitor));
    }
    let address = guessing_address(peer.map(|Extension(peer)| peer));
    // A code that is wrong may be a guess, like a token.
    let may_try = desk.guesses.take(address, Instant::now());
    Err(if may_try { code_is_gone() } else { too_many_guesses() })
}

/// Leads on by a step of this page's own. After a redirection browsers would keep the new cookie back (`SameSite=Strict`) where the
/// address was opened from a file or from a page of another site.
fn render_way_in(visitor: &Visitor, to: &str) -> Response {
    let title = visitor.text("workbench-come-in");
    let body = html! {
        h1 { (title) }
        p { a href=(to) { (visitor.text("workbench-to-the-workbench")) } }
    };
    let page = Page::new(Room::Home, title).render_page(visitor, body);
    ([(HeaderName::from_static("refresh"), format!("0;url={to}"))], page).into_response()
}

fn render_token_form(visitor: &Visitor) -> Response {
    let title = visitor.text("workbench-who-is-there");
    let body = html! {
        h1 { (title) }
        p { (visitor.text("workbench-this-workbench-asks-every-visitor-for"))
            " " code { "ishi token" } (visitor.text("workbench-full-stop")) }
        p { (visitor.text("workbench-with-the-address-of-the-workbench"))
            " " code { "ishi token http://127.0.0.1:8642" } (visitor.text("workbench-full-stop")) }
        form.row method="post" action=(ENTRANCE) {
            label for="token" { (visitor.text("workbench-token")) }
            input #token name="token" type="password" autocomplete="current-password" required;
            button.main { (visitor.text("workbench-enter")) }
        }
    };
    Page::new(Room::Home, title).render_page(visitor, body)
}

#[derive(Deserialize)]
struct TokenForm {
    token: String,
}

async fn check_token_form(
    desk: DeskState,
    peer: Option<Extension<PeerAddress>>,
    Form(shown): Form<TokenForm>,
) -> PageAnswer {
    let Some(token) = &desk.settings.token else { return Ok(Redirect::to("/").into_response()) };
    let address = guessing_address(peer.map(|Extension(peer)| peer));
    match desk.guesses.try_token(token, &shown.token, address, Instant::now()) {
        TokenTrial::Right => desk.guesses.forget_guesses(address),
        TokenTrial::Wrong => return Err(wrong_token(StatusCode::FORBIDDEN)),
        TokenTrial::TooMany => return Err(too_many_guesses()),
    }
    Ok(([(SET_COOKIE, cookie_line(token))], Redirect::to("/")).into_response())
}

/// A code for another browser, as bare text; only visitors come here.
async fn give_code(desk: DeskState) -> Result<String, PageError> {
    if desk.settings.token.is_none() {
        return Err(PageError::not_found("workbench-this-workbench-asks-for-no-token"));
    }
    Ok(desk.codes.make_code(Instant::now()))
}
