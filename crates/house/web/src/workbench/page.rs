//! The frame of every page: head, rooms, message line.

use axum::response::{Html, IntoResponse, Response};
use ishi_words::is_unreserved;
use maud::{DOCTYPE, Markup, html};

use super::assets;
use super::line_words::line_words;
use super::texts::{page_languages, text_id};
use super::visitor::{Theme, Visitor};

/// The rooms, in the order of the navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    Home,
    Go,
    Othello,
    Joseki,
    Patterns,
    Laboratory,
    Strings,
    Decks,
}

const ROOMS: [(Room, &str, &str); 7] = [
    (Room::Go, "/go", text_id("workbench-go")),
    (Room::Othello, "/othello", text_id("workbench-othello")),
    (Room::Joseki, "/joseki", text_id("workbench-joseki")),
    (Room::Patterns, "/patterns", text_id("workbench-patterns")),
    (Room::Laboratory, "/lab", text_id("workbench-laboratory")),
    (Room::Strings, "/strings", text_id("workbench-strings")),
    (Room::Decks, "/decks", text_id("workbench-decks")),
];

/// A page of a room.
pub(crate) struct Page<'a> {
    room: Room,
    title: &'a str,
    events: Option<String>,
}

impl<'a> Page<'a> {
    pub(crate) fn new(room: Room, title: &'a str) -> Page<'a> {
        Page { room, title, events: None }
    }

    /// The page hears of the events of this topic (see [`super::live::LiveTopics`]): elements with `sse-swap="NAME"` are filled by them.
    pub(crate) fn with_events(self, topic: &str) -> Page<'a> {
        Page { events: Some(topic.to_string()), ..self }
    }

    /// The whole page around its body.
    pub(crate) fn render_page(self, visitor: &Visitor, body: Markup) -> Response {
        let theme = (visitor.theme != Theme::Auto).then(|| visitor.theme.name());
        let page = html! {
            (DOCTYPE)
            html lang=(visitor.language_tag()) data-theme=[theme] {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    // htmx must not write style sheets or run text as code: the policy of the pages forbids both.
                    meta name="htmx-config" content=r#"{"includeIndicatorStyles":false,"allowEval":false,"historyCacheSize":0,"defaultSettleDelay":0,"attributesToSettle":["class"]}"#;
                    title { (self.title) " · ishi" }
                    link rel="icon" type="image/svg+xml" href=(assets::asset_path("icon.svg"));
                    link rel="stylesheet" href=(assets::asset_path("style.css"));
                    @for name in ["htmx.js", "workbench.js"] {
                        script defer src=(assets::asset_path(name)) {}
                    }
                }
                body data-drop=(visitor.text("workbench-drop-a-game-here-sgf-or")) data-link=(visitor.text("workbench-ishi-asks-nothing-of-other-sites"))
                    data-unreachable=(visitor.text("workbench-the-server-cannot-be-reached-has")) data-copied=(visitor.text("workbench-copied")) data-charts=(assets::asset_path("charts.js"))
                    data-line-words=(line_words())
                    data-events=[self.events.as_deref()] data-worker=[self.events.is_some().then(|| assets::asset_path("events-worker.js"))] {
                    a.skip href="#main" { (visitor.text("workbench-to-the-content")) }
                    (render_header(self.room, visitor))
                    p #message role="alert" {}
                    // What has changed in a part that came anew (`ui/stays.ts`).
                    p #heard .unseen role="status" {}
                    main #main tabindex="-1" { (body) }
                }
            }
        };
        Html(page.into_string()).into_response()
    }
}

fn render_header(room: Room, visitor: &Visitor) -> Markup {
    html! {
        header.top {
            a.brand href="/" aria-current=[(room == Room::Home).then_some("page")] { span lang="ja" { "石" } " ishi" }
            nav aria-label=(visitor.text("workbench-rooms")) {
                @for (each, href, name) in ROOMS {
                    a href=(href) aria-current=[(each == room).then_some("page")] { (visitor.text(name)) }
                }
            }
            form.wishes method="post" action="/settings" {
                @for other in page_languages().iter().filter(|texts| texts.tag != visitor.language_tag()) {
                    button name="lang" value=(other.tag) lang=(other.tag) { (other.name) }
                }
                // The page's own (`ui/motion.ts`): the server knows nothing of it.
                button type="button" data-sound="" aria-pressed="true" aria-label=(visitor.text("workbench-sounds")) title=(visitor.text("workbench-sounds")) { span aria-hidden="true" { "♪" } }
                @for theme in [Theme::Auto, Theme::Light, Theme::Dark] {
                    @let name = match theme {
                        Theme::Auto => visitor.text("workbench-colours-of-the-system"),
                        Theme::Light => visitor.text("workbench-light"),
                        Theme::Dark => visitor.text("workbench-dark"),
                    };
                    @let sign = match theme { Theme::Auto => "◐", Theme::Light => "○", Theme::Dark => "●" };
                    button name="theme" value=(theme.name()) aria-label=(name) title=(name)
                        aria-pressed=(if theme == visitor.theme { "true" } else { "false" }) { (sign) }
                }
            }
        }
    }
}

/// Tabs with their panes. Each has an id, its words, and what is in it; the page remembers which was chosen (`ui/panes.ts`).
pub(crate) fn render_tabs(label: &str, panes: &[(&str, &str, Markup)]) -> Markup {
    html! {
        div.tabs role="tablist" aria-label=(label) {
            @for (index, (id, words, _)) in panes.iter().enumerate() {
                button type="button" role="tab" id={ "tab-" (id) } aria-controls={ "pane-" (id) } aria-selected=(index == 0)
                    tabindex=(if index == 0 { "0" } else { "-1" }) { (words) }
            }
        }
        @for (index, (id, _, content)) in panes.iter().enumerate() {
            div.pane role="tabpanel" id={ "pane-" (id) } aria-labelledby={ "tab-" (id) } hidden[index > 0] { (content) }
        }
    }
}

/// A part of a page, for htmx.
pub(crate) fn partial_response(body: Markup) -> Response {
    Html(body.into_string()).into_response()
}

/// A text as a part of an address.
pub(crate) fn percent_encode(text: &str) -> String {
    ishi_words::percent_encode(text, is_unreserved)
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;
    use crate::workbench::texts::made_up_language;

    /// A folder of texts more gives pages in its language, with the way back to the others.
    #[tokio::test]
    async fn a_page_comes_in_a_third_language() {
        let visitor = Visitor::for_texts(made_up_language());
        let body = html! { p { (visitor.text("workbench-not-possible")) } };
        let response = Page::new(Room::Go, "t").render_page(&visitor, body);
        let page = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let page = String::from_utf8(page.to_vec()).unwrap();
        assert!(
            page.contains("<html lang=\"qa\"") && page.contains("日本語") && page.contains("English"),
            "{page}"
        );
        for id in ROOMS
            .map(|(_, _, id)| id)
            .into_iter()
            .chain(["workbench-to-the-content", "workbench-not-possible"])
        {
            let text = visitor.text(id);
            assert!(text.starts_with('~') && page.contains(&format!(">{text}</")), "{id}: {page}");
        }
    }
}
