//! What libraries say in two languages, as documents keep it for whoever comes.

use ishi_words::Language;
use serde::{Deserialize, Serialize};

use super::shared_page::tell_in_all_languages;
use crate::workbench::visitor::Visitor;

/// A text in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BothLanguages {
    english: String,
    japanese: String,
}

impl BothLanguages {
    pub(crate) fn from_words(words: impl Fn(Language) -> String) -> BothLanguages {
        BothLanguages { english: words(Language::English), japanese: words(Language::Japanese) }
    }

    pub(crate) fn say<'a>(&'a self, visitor: &Visitor) -> &'a str {
        visitor.language.choose(&self.english, &self.japanese)
    }

    /// The text in each language of the pages, by their tags.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        tell_in_all_languages(|texts| texts.language.choose(&*self.english, &*self.japanese))
    }
}
