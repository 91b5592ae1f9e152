//! What visitors choose, kept in cookies: language, theme, for whom moves are explained, and who judges them.

use std::sync::Arc;

use axum::Router;
use axum::extract::Form;
use axum::http::header::{REFERER, SET_COOKIE};
use axum::http::{HeaderMap, Uri};
use axum::response::{AppendHeaders, IntoResponse, Redirect};
use axum::routing::post;
use ishi_go_play::explain::listener::Listener;
use serde::Deserialize;

use super::texts;
use super::visitor::Theme;
use super::{DeskState, WorkbenchState};

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new().route("/settings", post(save_preferences))
}

#[derive(Deserialize)]
struct PreferencesForm {
    lang: Option<String>,
    theme: Option<Theme>,
    listener: Option<Listener>,
    /// A program that is allowed to judge; nothing for ishi itself.
    judge: Option<String>,
}

/// A year, in seconds.
const KEPT: u32 = 365 * 24 * 3600;

/// Keeps language, theme, listener and judge in cookies, and goes back to the page.
async fn save_preferences(
    desk: DeskState,
    headers: HeaderMap,
    Form(wish): Form<PreferencesForm>,
) -> impl IntoResponse {
    let lang = wish.lang.filter(|lang| texts::find_page_language(lang).is_some()).map(|lang| ("lang", lang));
    let theme = wish.theme.map(|theme| ("theme", theme.name().to_string()));
    let listener = wish.listener.map(|listener| ("listener", listener.name().to_string()));
    // No name but those of the file gets into a cookie.
    let is_allowed =
        |name: &String| name.is_empty() || desk.programs.judge_names().any(|known| known == name);
    let judge = wish.judge.filter(is_allowed).map(|judge| ("judge", judge));
    let line = |(name, value): (&str, String)| {
        (SET_COOKIE, format!("{name}={value}; Path=/; Max-Age={KEPT}; SameSite=Strict"))
    };
    let cookies: Vec<_> = [lang, theme, listener, judge].into_iter().flatten().map(line).collect();
    let back = headers.get(REFERER).and_then(|value| value.to_str().ok()).and_then(local_path);
    (AppendHeaders(cookies), Redirect::to(back.as_deref().unwrap_or("/")))
}

/// The path of an address of ours; other places are not gone to.
fn local_path(address: &str) -> Option<String> {
    let uri: Uri = address.parse().ok()?;
    let path = uri.path_and_query()?.as_str();
    (path.starts_with('/') && !path.starts_with("//")).then(|| path.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_back_stays_here() {
        assert_eq!(local_path("http://127.0.0.1:1/go?x=1").as_deref(), Some("/go?x=1"));
        assert_eq!(local_path("http://127.0.0.1:1//evil.example").as_deref(), None);
        assert_eq!(local_path("nonsense"), None);
    }
}
