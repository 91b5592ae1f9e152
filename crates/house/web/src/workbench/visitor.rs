//! Who asks: language, theme, for whom moves are explained, who judges them, and whether a part of a page is enough.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_LANGUAGE, COOKIE};
use axum::http::request::Parts;
use ishi_go_play::explain::listener::Listener;
use ishi_words::Language;
use serde::Deserialize;

use super::texts::{self, LanguageTexts, TextArguments};

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Theme {
    /// The system's own theme.
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// Who asks.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// What libraries speak to them.
    pub(crate) language: Language,
    /// What the pages speak to them.
    pub(crate) texts: &'static LanguageTexts,
    pub(crate) theme: Theme,
    /// For whom moves of Go are explained.
    pub(crate) listener: Listener,
    /// The program that judges positions of Go, by its name; `None`: ishi itself.
    pub(crate) judge: Option<String>,
    /// Only a part of a page is wanted (htmx asks).
    pub(crate) partial: bool,
}

impl Visitor {
    pub(crate) fn from_headers(headers: &HeaderMap) -> Visitor {
        let chosen = cookie_value(headers, "lang").and_then(texts::find_page_language);
        let texts = chosen.unwrap_or_else(|| preferred_language(headers));
        let theme = match cookie_value(headers, "theme") {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::Auto,
        };
        let partial = headers.contains_key("hx-request");
        let listener = cookie_value(headers, "listener").and_then(|name| name.parse().ok());
        let judge = cookie_value(headers, "judge").filter(|name| !name.is_empty()).map(str::to_string);
        let listener = listener.unwrap_or_default();
        Visitor { theme, listener, judge, partial, ..Visitor::for_texts(texts) }
    }

    /// Somebody who hears events in this language.
    #[cfg(test)]
    pub(crate) fn for_language(language: Language) -> Visitor {
        Visitor::for_texts(texts::page_language_of(language))
    }

    /// Somebody who hears events in this language of the pages.
    pub(crate) fn for_texts(texts: &'static LanguageTexts) -> Visitor {
        let (language, theme, listener) = (texts.language, Theme::Auto, Listener::default());
        Visitor { language, texts, theme, listener, judge: None, partial: true }
    }

    /// A text of the files, without arguments.
    pub(crate) fn text(&self, id: &'static str) -> &'static str {
        self.texts.text(id)
    }

    /// A text of the files with arguments: `visitor.text_with("go-kyu", args![kyu])`.
    pub(crate) fn text_with(&self, id: &'static str, arguments: TextArguments) -> String {
        self.texts.text_with(id, arguments)
    }

    /// The language as HTML names it.
    pub(crate) fn language_tag(&self) -> &'static str {
        self.texts.tag
    }
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Visitor, Infallible> {
        Ok(Visitor::from_headers(&parts.headers))
    }
}

/// A cookie's value.
pub(super) fn cookie_value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// The first of our languages that the browser names.
fn preferred_language(headers: &HeaderMap) -> &'static LanguageTexts {
    let text = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let tags = text.split(',').map(|range| range.split(';').next().unwrap_or("").trim());
    let mut known = tags.filter_map(texts::find_language_of_reader);
    known.next().unwrap_or_else(texts::english)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(headers: &[(&'static str, &'static str)]) -> Visitor {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        Visitor::from_headers(&map)
    }

    #[test]
    fn language_and_theme_follow_cookies_and_then_the_browser() {
        assert_eq!(visitor(&[]).language, Language::English);
        assert_eq!(visitor(&[("accept-language", "de, ja-JP;q=0.8, en")]).language, Language::Japanese);
        assert_eq!(visitor(&[("accept-language", "jam, *;q=0.1")]).language, Language::English);
        assert_eq!(visitor(&[("accept-language", "en"), ("cookie", "lang=JA\"><b>")]).language_tag(), "en");
        let chosen = visitor(&[("accept-language", "en"), ("cookie", "theme=dark; lang=ja")]);
        assert_eq!(
            (chosen.language, chosen.theme, chosen.language_tag()),
            (Language::Japanese, Theme::Dark, "ja")
        );
    }

    #[test]
    fn moves_are_explained_for_whom_the_cookie_names() {
        assert_eq!(visitor(&[("cookie", "listener=dan")]).listener, Listener::Dan);
        assert_eq!(visitor(&[("cookie", "listener=expert")]).listener, Listener::Kyu);
        assert_eq!(visitor(&[]).listener, Listener::Kyu);
        assert_eq!(visitor(&[("cookie", "judge=katago")]).judge.as_deref(), Some("katago"));
        assert_eq!((visitor(&[("cookie", "judge=")]).judge, visitor(&[]).judge), (None, None));
    }
}
