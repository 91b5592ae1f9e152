//! The keys of a game's page, told on the page itself.

use maud::{Markup, html};

use crate::workbench::visitor::Visitor;

/// The keys that both games have, and those of this game alone with what they do. `?` opens the list.
pub(super) fn render_keys(visitor: &Visitor, own: &[(&str, &str)]) -> Markup {
    let say = |id| visitor.text(id);
    let shared = [
        ("← →", say("workbench-keys-one-move")),
        ("Page Up, Page Down", say("workbench-keys-ten-moves")),
        ("Home, End", say("workbench-keys-ends")),
        ("p, n", say("workbench-keys-mistakes")),
        ("Tab", say("workbench-keys-board")),
        ("a", say("workbench-keys-analysis")),
    ];
    html! {
        details.keys {
            summary data-key="?" { (say("workbench-keys")) }
            dl {
                @for (key, words) in shared.iter().chain(own) {
                    dt { kbd { (key) } }
                    dd { (words) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;

    use super::*;

    #[test]
    fn keys_of_one_game_stand_beside_those_of_both() {
        for language in [Language::English, Language::Japanese] {
            let visitor = Visitor::for_language(language);
            let told = render_keys(&visitor, &[("w", "why")]).into_string();
            assert_eq!(told.matches("<kbd>").count(), 7, "{told}");
            assert!(told.contains("<dt><kbd>w</kbd></dt><dd>why</dd>"), "{told}");
        }
    }
}
