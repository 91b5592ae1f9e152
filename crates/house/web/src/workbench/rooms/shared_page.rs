//! A reviewed game as one HTML file, which works without a server: what the pages of Go and of Othello have in common.
//!
//! The file asks for nothing: its policy allows its own style and script, which it knows by their checksums, and nothing else. Texts of the
//! record stand in JSON in which no sign can end the script, and the page puts them into text nodes alone (`ui/shared_page.tsx`).

use crate::workbench::line_words::line_words;
use crate::workbench::texts::{LanguageTexts, page_languages};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;
use sha2::{Digest, Sha256};

const STYLE: &str = concat!(
    include_str!("../assets/shared.css"),
    include_str!("../assets/texts.css"),
    include_str!("../assets/charts.css"),
    include_str!("../assets/tree.css"),
);

/// Keys of all such pages, with the names of the words that tell what they do.
const KEYS: [(&str, &str); 3] =
    [("← →", "keysOneMove"), ("Page Up, Page Down", "keysTenMoves"), ("Home, End", "keysEnds")];

/// What such a page shows.
pub(super) struct SharedPage<'a> {
    pub(super) title: &'a str,
    /// How the game ended, in the language in which the page opens.
    pub(super) result: Option<&'a str>,
    /// The picture of the board (SVG), whose layers the script fills.
    pub(super) board: &'a str,
    /// The curves of the review (SVG), where it is reviewed: then there are lessons, too. The script draws them anew.
    pub(super) graph: Option<Markup>,
    /// Does the script draw the tree of the game?
    pub(super) has_tree: bool,
    /// All that the script needs.
    pub(super) game: &'a Value,
    /// The bundle of the game.
    pub(super) script: &'static str,
}

impl SharedPage<'_> {
    /// The file. The language is the one in which it opens.
    pub(super) fn render(&self, texts: &LanguageTexts) -> String {
        // Nothing is escaped inside a script: no sign that could end it may stand there.
        let game = self.game.to_string().replace('<', "\\u003c").replace('&', "\\u0026");
        // The script must be the one whose checksum the policy names, to the last byte.
        let page = html! {
            (DOCTYPE)
            html lang=(texts.tag) {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(write_policy(self.script));
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body data-line-words=(line_words()) {
                    header {
                        div {
                            h1 { (self.title) }
                            @if let Some(result) = self.result { p.quiet { (result) } }
                        }
                        button #language type="button" {}
                    }
                    noscript { p { "This page needs JavaScript. / このページには JavaScript が必要です。" } }
                    (self.render_body())
                    script #shared-game type="application/json" { (PreEscaped(game)) }
                    script { (PreEscaped(self.script)) }
                }
            }
        };
        page.into_string()
    }

    /// What the script fills.
    fn render_body(&self) -> Markup {
        let step = |by: &str, label: &str, sign: &str| {
            html! { button type="button" data-step=(by) data-label=(label) { (sign) } }
        };
        let mistake = |by: &str, key: &str, word: &str| {
            html! { button type="button" data-mistake=(by) data-key=(key) data-word=(word) {} }
        };
        html! {
            main {
                div.stage {
                    div #board tabindex="0" role="group" data-label="board" aria-describedby="board-text" { (PreEscaped(self.board)) }
                    // For who does not see the board.
                    p #said .unseen role="status" {}
                    p #board-text .unseen {}
                    div.bar {
                        (step("first", "first", "|‹"))
                        (step("-1", "back", "‹"))
                        label { input #move-number type="number" min="0" data-label="move"; " / " span #move-count {} }
                        (step("1", "on", "›"))
                        (step("last", "end", "›|"))
                        span #turn role="status" {}
                        button #leave type="button" hidden data-word="leave" {}
                    }
                }
                div {
                    p #comment hidden {}
                    div #variations {}
                    @if self.has_tree {
                        div.game-tree hidden { div.scroll tabindex="0" role="tree" data-label="tree" {} }
                    }
                    value-chart #graph data-goes data-at="0" hidden[self.graph.is_none()] { @if let Some(picture) = &self.graph { (picture) } }
                    p.quiet hidden[self.graph.is_none()] data-word="graphHint" {}
                    p hidden[self.graph.is_none()] {
                        (mistake("-1", "p", "previousMistake"))
                        " " (mistake("1", "n", "nextMistake"))
                        " " span #no-mistake role="status" {}
                    }
                    p #after {}
                    div #summary {}
                    h2 hidden[self.graph.is_none()] data-word="lessons" {}
                    div #lessons {}
                    (self.render_keys())
                }
            }
        }
    }

    /// The keys of the page. `?` opens the list.
    fn render_keys(&self) -> Markup {
        let of_review = self.graph.is_some().then_some(("p, n", "keysMistakes"));
        let of_tree = self.has_tree.then_some(("↑ ↓", "keysTree"));
        html! {
            details.keys {
                summary data-key="?" data-word="keys" {}
                dl {
                    @for (key, word) in KEYS.into_iter().chain(of_tree).chain(of_review) {
                        dt { kbd { (key) } }
                        dd data-word=(word) {}
                    }
                }
            }
        }
    }
}

/// The policy of the page: nothing is loaded, nothing is sent, and only this style and this script count.
fn write_policy(script: &str) -> String {
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        checksum_source(STYLE),
        checksum_source(script)
    )
}

/// A text as a policy names it.
fn checksum_source(text: &str) -> String {
    format!("'sha256-{}'", encode_base64(&Sha256::digest(text.as_bytes())))
}

/// Base 64 with padding (RFC 4648).
fn encode_base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let part = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let number = part(0) << 16 | part(1) << 8 | part(2);
        for at in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// What is told in each language of the pages, by their tags.
pub(super) fn tell_in_all_languages<T: Into<Value>>(tell: impl Fn(&'static LanguageTexts) -> T) -> Value {
    page_languages().iter().map(|texts| (texts.tag.to_string(), tell(texts))).collect()
}

/// The words of a game's room, with those of its shared page: those that both games have, and `own`, which may be in place of them.
pub(super) fn with_shared_words<const N: usize>(
    mut words: Value,
    own: [(&'static str, &'static str); N],
    texts: &'static LanguageTexts,
) -> Value {
    let say = |id: &'static str| texts.text(id);
    let shared = [
        ("name", texts.name),
        ("first", say("workbench-to-the-beginning")),
        // The button back says what the step back says in the room.
        ("back", say("workbench-back")),
        ("on", say("workbench-on")),
        ("end", say("workbench-to-the-end")),
        ("move", say("workbench-move")),
        ("leave", say("workbench-back-to-the-game")),
        ("attempt", say("workbench-try-it-here")),
        ("answer", say("workbench-answer")),
        ("colon", say("workbench-colon")),
        ("betterLine", say("workbench-the-better-line")),
        ("refutation", say("workbench-what-followed")),
        ("ask", say("workbench-play-your-answer-on-the-board")),
        ("right", say("workbench-yes-point")),
        ("wrong", say("workbench-not-point-try-again")),
        ("same", say("workbench-point-was-played-in-the-game")),
        ("previousMistake", say("workbench-previous-mistake")),
        ("nextMistake", say("workbench-next-mistake")),
        ("noEarlierMistake", say("workbench-no-earlier-mistake")),
        ("noLaterMistake", say("workbench-no-later-mistake")),
        ("keys", say("workbench-keys")),
        ("keysOneMove", say("workbench-keys-one-move")),
        ("keysTenMoves", say("workbench-keys-ten-moves")),
        ("keysEnds", say("workbench-keys-ends")),
        ("keysMistakes", say("workbench-keys-mistakes")),
    ];
    for (name, text) in shared.into_iter().chain(own) {
        words[name] = text.into();
    }
    words
}

/// Fails unless a page asks for nothing, and its policy allows its own style and script.
#[cfg(test)]
pub(super) fn assert_asks_for_nothing(page: &str) {
    let between = |from: &str, to: &str| {
        let (_, rest) = page.split_once(from).unwrap();
        rest.split_once(to).unwrap().0.to_string()
    };
    let policy = between("Content-Security-Policy\" content=\"", "\"").replace("&#39;", "'");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    for (from, to) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let source = checksum_source(&between(from, to));
        assert!(policy.contains(&source), "{from} is not what the policy allows: {policy}");
    }
    for asking in ["src=\"", "href=\"", "@import", "fetch(", "XMLHttp", "url(\"", " style=\""] {
        assert!(!page.contains(asking), "{asking}");
    }
    // Addresses are names of the languages of elements only.
    let names = page.matches("http://www.w3.org/").count() + page.matches("http-equiv").count();
    assert_eq!(page.matches("http").count(), names);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_is_that_of_the_standard() {
        let texts = ["", "f", "fo", "foo", "foobar"].map(|text| encode_base64(text.as_bytes()));
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYmFy"]);
    }
}
