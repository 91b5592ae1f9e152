//! Who may ask.
//!
//! By default only this machine can connect. Then no names but the loopback's are answered to, so that a page elsewhere whose name
//! suddenly means this machine (DNS rebinding) gets nothing. What changes something must come from a page of ours. Where others can
//! connect, they must show a token once; it is kept in a cookie and never stands in an address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, Form, Request, State};
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
use crate::door::ConnectionPass;
use crate::hosts::{is_known_host, is_same_origin, requested_host};
use crate::log::PeerAddress;

/// Everything comes from here; pictures may stand in the page itself.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";

const COOKIE_NAME: &str = "ishi-visitor";

/// A visitor is known for so long: 30 days.
const COOKIE_SECONDS: u64 = 30 * 24 * 60 * 60;

/// Tokens that an address may try at once, and the time after which it may try one more.
const GUESSES: f64 = 10.0;
const GUESS_PAUSE: Duration = Duration::from_secs(2);

/// Addresses that are remembered for their guesses.
const GUESSERS: usize = 4096;

/// How many tokens each address may still try.
#[derive(Default)]
pub(crate) struct TokenGuesses(Mutex<HashMap<IpAddr, GuessesLeft>>);

#[derive(Clone, Copy)]
struct GuessesLeft {
    left: f64,
    at: Instant,
}

impl GuessesLeft {
    fn at(self, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(self.at).as_secs_f64() / GUESS_PAUSE.as_secs_f64();
        (self.left + passed).min(GUESSES)
    }
}

impl TokenGuesses {
    fn lock_guesses(&self) -> MutexGuard<'_, HashMap<IpAddr, GuessesLeft>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// May this address try one now? It is counted.
    fn take(&self, address: IpAddr, now: Instant) -> bool {
        let mut guesses = self.lock_guesses();
        if guesses.len() >= GUESSERS {
            guesses.retain(|_, known| known.at(now) < GUESSES);
        }
        let known = guesses.get(&address).copied();
        if known.is_none() && guesses.len() >= GUESSERS {
            return false;
        }
        let left = known.map_or(GUESSES, |known| known.at(now));
        let may = left >= 1.0;
        guesses.insert(address, GuessesLeft { left: if may { left - 1.0 } else { left }, at: now });
        may
    }

    /// The last one was right, and does not count.
    fn forgive(&self, address: IpAddr) {
        self.lock_guesses().remove(&address);
    }
}

/// Refuses what may not ask, and sets the headers that keep pages to themselves.
pub(super) async fn guard_request(
    State(desk): State<Arc<WorkbenchState>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let (refused, ask_for_token) = match judge_request(&desk, &request) {
        RequestVerdict::Visitor if !let_in(&request) => (Some(no_place_left()), false),
        RequestVerdict::Visitor | RequestVerdict::Anybody => (None, false),
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

/// Gives the connection a place. False if there is none.
fn let_in(request: &Request) -> bool {
    request.extensions().get::<Arc<ConnectionPass>>().is_none_or(|pass| pass.admit())
}

fn no_place_left() -> PageError {
    PageError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "too many pages are open at once: close some, or try again in a moment",
        "開いているページが多すぎます。いくつか閉じるか、少し待ってからやり直してください",
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
    let Some(token) = &desk.settings.token else { return RequestVerdict::Visitor };
    let open = is_open_to_strangers(request.uri().path());
    let known =
        cookie_value(headers, COOKIE_NAME).is_some_and(|shown| is_valid_cookie(shown, token, unix_time()));
    match (known, open) {
        (true, _) => RequestVerdict::Visitor,
        (false, true) => RequestVerdict::Anybody,
        (false, false) => RequestVerdict::Stranger,
    }
}

/// What those who have not shown the token need to enter.
pub(super) fn is_open_to_strangers(path: &str) -> bool {
    path == "/enter" || path == "/settings" || path.starts_with("/assets/")
}

/// Seconds since 1970.
fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// What the cookie holds: when it was given, and a hash of that and the token.
fn make_cookie(token: &str, given: u64) -> String {
    format!("{given}-{}", hash_token(token, &given.to_string()))
}

/// Is this a cookie that was given for the token, not too long ago?
fn is_valid_cookie(shown: &str, token: &str, now: u64) -> bool {
    let Some((given, hash)) = shown.split_once('-') else { return false };
    let is_fresh = given.parse().is_ok_and(|given: u64| now.saturating_sub(given) < COOKIE_SECONDS);
    is_equal_constant_time(hash, &hash_token(token, given)) && is_fresh
}

/// A hash from which nobody learns the token.
fn hash_token(token: &str, salt: &str) -> String {
    Sha256::digest(format!("ishi workbench {token} {salt}").as_bytes())
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
    peer: Option<Extension<PeerAddress>>,
    Form(shown): Form<TokenForm>,
) -> Result<impl IntoResponse, PageError> {
    let Some(token) = &desk.settings.token else { return Ok(Redirect::to("/").into_response()) };
    let is_right = is_equal_constant_time(&hash_token(shown.token.trim(), ""), &hash_token(token, ""));
    let address = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |Extension(PeerAddress(peer))| peer.ip());
    match (desk.guesses.take(address, Instant::now()), is_right) {
        (true, true) => desk.guesses.forgive(address),
        (true, false) => {
            return Err(PageError::new(StatusCode::FORBIDDEN, "this is not the token", "トークンが違います"));
        }
        (false, _) => {
            return Err(PageError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "there were too many wrong tokens: wait a few seconds and try again",
                "トークンの誤りが続いています。数秒待ってからやり直してください",
            ));
        }
    }
    let cookie = make_cookie(token, unix_time());
    let line = format!("{COOKIE_NAME}={cookie}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Strict");
    Ok(([(SET_COOKIE, line)], Redirect::to("/")).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_end_and_belong_to_their_token() {
        let cookie = make_cookie("right", 1000);
        assert!(
            is_valid_cookie(&cookie, "right", 1000)
                && is_valid_cookie(&cookie, "right", 999 + COOKIE_SECONDS)
        );
        assert!(!is_valid_cookie(&cookie, "right", 1000 + COOKIE_SECONDS), "it is too old");
        assert!(!is_valid_cookie(&cookie, "wrong", 1000));
        let later = cookie.replacen("1000", "9999999", 1);
        assert!(!is_valid_cookie(&later, "right", 9_999_999), "nobody can make it younger");
        for other in ["", "-", "1000-", "1000"] {
            assert!(!is_valid_cookie(other, "right", 1000), "{other}");
        }
    }

    #[test]
    fn guesses_are_few() {
        let guesses = TokenGuesses::default();
        let start = Instant::now();
        let [stranger, visitor] = [1, 2].map(|last| IpAddr::from([192, 0, 2, last]));
        let tried = (0..1000).filter(|_| guesses.take(stranger, start)).count();
        assert_eq!(tried, GUESSES as usize);
        assert!(guesses.take(visitor, start), "others are not held for it");
        let later = start + GUESS_PAUSE;
        assert!(guesses.take(stranger, later) && !guesses.take(stranger, later));
        guesses.forgive(stranger);
        assert!(guesses.take(stranger, later));
    }

    #[test]
    fn many_guessers_take_no_memory_and_do_not_keep_out_who_came_before() {
        let guesses = TokenGuesses::default();
        let now = Instant::now();
        let visitor = IpAddr::from([192, 0, 2, 1]);
        assert!(guesses.take(visitor, now));
        for number in 0..2 * GUESSERS as u32 {
            guesses.take(IpAddr::V4(Ipv4Addr::from(number)), now);
        }
        assert_eq!(guesses.lock_guesses().len(), GUESSERS);
        assert!(guesses.take(visitor, now));
        assert!(
            guesses.take(IpAddr::V4(Ipv4Addr::BROADCAST), now + GUESS_PAUSE * 2),
            "they are forgotten in time"
        );
    }
}
