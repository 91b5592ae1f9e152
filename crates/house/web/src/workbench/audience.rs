//! Who looks at one thing (a game, a board, a deck): pages in all languages, each with a topic of its own, as what they are told is
//! drawn for their language.

use std::time::Duration;

use maud::Markup;

use super::WorkbenchState;
use super::texts::{LanguageTexts, page_languages};
use super::visitor::Visitor;

/// How long pages are waited for after they were closed: a reload takes less.
const PATIENCE: Duration = Duration::from_secs(8);

/// The pages that show the thing of this key in this room.
#[derive(Clone, Copy)]
pub(crate) struct Audience<'a> {
    pub(crate) room: &'static str,
    pub(crate) key: &'a str,
}

impl Audience<'_> {
    /// The topic of those who read this language.
    pub(crate) fn topic(self, texts: &LanguageTexts) -> String {
        format!("{}/{}/{}", self.room, self.key, texts.tag)
    }

    /// Has nobody looked for a while?
    pub(crate) fn is_absent(self, desk: &WorkbenchState) -> bool {
        page_languages().iter().all(|texts| desk.live.unseen_for(&self.topic(texts)) > PATIENCE)
    }

    /// A page is on its way, or somebody works on it.
    pub(crate) fn mark_expected(self, desk: &WorkbenchState) {
        page_languages().iter().for_each(|texts| desk.live.mark_expected(&self.topic(texts)));
    }

    /// Fills an element of all pages that show it.
    pub(crate) fn publish(
        self,
        desk: &WorkbenchState,
        name: &'static str,
        draw: impl Fn(&Visitor) -> Markup,
    ) {
        for texts in page_languages() {
            let drawn = draw(&Visitor::for_texts(texts));
            desk.live.publish(&self.topic(texts), name, drawn.into_string());
        }
    }
}
