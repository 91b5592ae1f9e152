//! Who looks at one thing (a game, a board, a deck): pages in both languages, each with a topic of its own, as what they are told is
//! drawn for their language.

use std::time::Duration;

use ishi_words::Language;
use maud::Markup;

use super::WorkbenchState;
use super::visitor::Visitor;

/// Who closed the page is waited for so long: a reload takes less.
const PATIENCE: Duration = Duration::from_secs(8);

const LANGUAGES: [Language; 2] = [Language::English, Language::Japanese];

/// The pages that show the thing of this key in this room.
#[derive(Clone, Copy)]
pub(crate) struct Audience<'a> {
    pub(crate) room: &'static str,
    pub(crate) key: &'a str,
}

impl Audience<'_> {
    /// The topic of those who read this language.
    pub(crate) fn topic(self, language: Language) -> String {
        format!("{}/{}/{}", self.room, self.key, language.choose("en", "ja"))
    }

    /// Has nobody looked for a while?
    pub(crate) fn is_absent(self, desk: &WorkbenchState) -> bool {
        LANGUAGES.into_iter().all(|language| desk.live.unseen_for(&self.topic(language)) > PATIENCE)
    }

    /// A page is on its way, or somebody works on it.
    pub(crate) fn mark_expected(self, desk: &WorkbenchState) {
        LANGUAGES.into_iter().for_each(|language| desk.live.mark_expected(&self.topic(language)));
    }

    /// Fills an element of all pages that show it.
    pub(crate) fn publish(
        self,
        desk: &WorkbenchState,
        name: &'static str,
        draw: impl Fn(&Visitor) -> Markup,
    ) {
        for language in LANGUAGES {
            let drawn = draw(&Visitor::for_language(language));
            desk.live.publish(&self.topic(language), name, drawn.into_string());
        }
    }
}
