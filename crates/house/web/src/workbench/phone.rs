//! The way to a phone: the address of a page as a QR code, with a code that lets its browser in once.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::Form;
use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};
use axum::response::Response;
use axum::routing::post;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;

use super::address::entry_path;
use super::entrance::check_local_path;
use super::error::PageError;
use super::page::partial_response;
use super::qr::draw_qr_code;
use super::visitor::Visitor;
use super::{DeskState, WorkbenchState};

/// Where the code comes from.
const PHONE: &str = "/phone";

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new().route(PHONE, post(show_code))
}

#[derive(Deserialize)]
struct PhoneForm {
    /// The page, such as `/go/abc`.
    to: String,
}

async fn show_code(
    desk: DeskState,
    visitor: Visitor,
    headers: HeaderMap,
    Form(PhoneForm { to }): Form<PhoneForm>,
) -> Result<Response, PageError> {
    check_local_path(&to)?;
    let origin = find_origin(&headers);
    if is_loopback(&origin) {
        return Ok(partial_response(render_how_to_open(&visitor)));
    }
    let address = match desk.settings.token {
        Some(_) => format!("{origin}{}&to={to}", entry_path(&desk.codes.make_code(Instant::now()))),
        None => format!("{origin}{to}"),
    };
    Ok(partial_response(render_address(&visitor, &address, desk.settings.token.is_some())))
}

/// How the browser calls this server: the guard has seen that it is one of its names.
fn find_origin(headers: &HeaderMap) -> String {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).filter(|text| !text.is_empty());
    match text(ORIGIN).filter(|origin| origin.starts_with("http")) {
        Some(origin) => origin.trim_end_matches('/').to_string(),
        None => format!("http://{}", text(HOST).unwrap_or("localhost")),
    }
}

fn is_loopback(origin: &str) -> bool {
    let (_, host) = origin.split_once("://").unwrap_or(("", origin));
    ["localhost", "127.", "[::1]"].iter().any(|own| host.starts_with(own))
}

/// The address, and how often it may be used if it has a code.
fn render_address(visitor: &Visitor, address: &str, has_code: bool) -> Markup {
    html! {
        @if let Some(code) = draw_qr_code(address) { (PreEscaped(code)) }
        p.told { code { (address) } }
        @if has_code {
            p.quiet { (visitor.text("workbench-it-lets-one-browser-in-once")) }
        }
    }
}

/// A phone cannot come to an address of this machine alone.
fn render_how_to_open(visitor: &Visitor) -> Markup {
    html! {
        p { (visitor.text("workbench-only-this-machine-can-reach-this")) }
        pre { "ishi serve --listen 0.0.0.0:8642" }
    }
}

/// A place that opens when somebody wants to go on with this page by phone.
pub(super) fn render_phone_door(visitor: &Visitor, to: &str) -> Markup {
    html! {
        details.phone hx-post=(PHONE) hx-vals=(serde_json::json!({ "to": to })) hx-trigger="toggle once" hx-target="find .phone-code" {
            summary { (visitor.text("workbench-go-on-by-phone")) }
            div.phone-code aria-live="polite" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    /// Where nobody is asked for a token, the address is that of the page, and may be used by all.
    #[test]
    fn only_an_address_with_a_code_is_said_to_let_one_in() {
        let visitor = Visitor::for_language(ishi_words::Language::English);
        let told = |has_code| render_address(&visitor, "http://ishi:8642/go/abc", has_code).into_string();
        assert!(told(true).contains("lets one browser in") && !told(false).contains("lets one browser in"));
        assert!([true, false].into_iter().all(|has_code| told(has_code).contains("http://ishi:8642/go/abc")));
    }

    #[test]
    fn a_server_is_called_as_the_browser_calls_it() {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("192.168.1.20:8642"));
        assert_eq!(find_origin(&headers), "http://192.168.1.20:8642");
        headers.insert(ORIGIN, HeaderValue::from_static("https://ishi.example.org"));
        assert_eq!(find_origin(&headers), "https://ishi.example.org");
        headers.insert(ORIGIN, HeaderValue::from_static("null"));
        assert_eq!(find_origin(&headers), "http://192.168.1.20:8642");
        for own in ["http://localhost:1", "http://127.0.0.1:8642", "http://[::1]:80"] {
            assert!(is_loopback(own), "{own}");
        }
        assert!(!is_loopback("http://192.168.1.20:8642"));
    }
}
