//! Words by which the page finds lines of moves in remarks, and moves that are told by number (`ui/lines.ts`). People write remarks in any language, so that a page has those of all.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::texts::{LanguageTexts, page_languages, text_id};

static WORDS: LazyLock<String> = LazyLock::new(|| gather_words(&all_languages()).to_string());

/// The words of all languages of the pages, as the page reads them: JSON with a list for each colour, and one each for what comes instead, how
/// moves are told by number, what stands between two numbers, and what stands behind one that counts something else.
pub(crate) fn line_words() -> &'static str {
    &WORDS
}

fn all_languages() -> Vec<&'static LanguageTexts> {
    page_languages().iter().collect()
}

fn gather_words(languages: &[&'static LanguageTexts]) -> Value {
    let list = |id: &'static str| -> BTreeSet<&'static str> {
        let words = languages.iter().flat_map(|texts| texts.text(id).split('|'));
        words.map(str::trim).filter(|word| !word.is_empty()).collect()
    };
    json!({
        "black": list(text_id("workbench-line-words-black")),
        "white": list(text_id("workbench-line-words-white")),
        "instead": list(text_id("workbench-line-words-instead")),
        "number": list(text_id("workbench-line-words-number")),
        "between": list(text_id("workbench-line-words-between")),
        "counted": list(text_id("workbench-line-words-counted")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::texts::made_up_language;

    /// A folder of texts more, and lines are found in its remarks, too.
    #[test]
    fn words_are_those_of_all_languages() {
        let words = gather_words(&[all_languages(), vec![made_up_language()]].concat());
        assert_eq!(words["black"], json!(["black", "~black", "黒"]));
        assert_eq!(words["white"], json!(["white", "~white", "白"]));
        let instead: Vec<&str> =
            words["instead"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        for word in ["not played", "instead", "better", "打たないと", "代わりに", "~not played"] {
            assert!(instead.contains(&word), "{word}: {instead:?}");
        }
        let numbers = words["number"].as_array().unwrap();
        for word in ["move #", "moves #", "#手目", "~move #"] {
            assert!(numbers.contains(&json!(word)), "{word}: {numbers:?}");
        }
        assert_eq!(words["between"], json!(["and", "to", "~to", "から", "と"]));
        assert!(line_words().contains("\"黒\"") && !line_words().contains('~'), "{}", line_words());
    }
}
