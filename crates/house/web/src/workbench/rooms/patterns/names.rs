//! What patterns and their sources are called in the languages of the pages. Files and commands know them by English letters.

use std::borrow::Cow;

use ishi_patterns::library::Pattern;

use crate::workbench::texts::{args, page_languages, text_id};
use crate::workbench::visitor::Visitor;

/// The source of patterns that somebody made.
pub(super) const HAND_MADE: &str = "hand-made";
/// The source of patterns that somebody cut out of a game.
pub(super) const CUT_OUT: &str = "cut out of a game";
/// What stands before and behind the number of games in the source of patterns that were mined (`ishi go learn-shapes`).
const MINED: (&str, &str) = ("mined in ", " games");

/// The shipped patterns that were made by hand, by their names in files.
const BY_HAND: [(&str, &str); 13] = [
    ("bamboo-push", text_id("patterns-name-bamboo-push")),
    ("crosscut-extend", text_id("patterns-name-crosscut-extend")),
    ("empty-triangle", text_id("patterns-name-empty-triangle")),
    ("first-line-hane", text_id("patterns-name-first-line-hane")),
    ("monkey-jump", text_id("patterns-name-monkey-jump")),
    ("net-loose", text_id("patterns-name-net-loose")),
    ("peep-one-point-jump", text_id("patterns-name-peep-one-point-jump")),
    ("run-from-atari", text_id("patterns-name-run-from-atari")),
    ("star-knight-enclosure", text_id("patterns-name-star-knight-enclosure")),
    ("take-the-cutter", text_id("patterns-name-take-the-cutter")),
    ("three-three", text_id("patterns-name-three-three")),
    ("under-living-stones", text_id("patterns-name-under-living-stones")),
    ("wall-of-dead-stones", text_id("patterns-name-wall-of-dead-stones")),
];

/// What a pattern is called: one of those that ship in the language of the page, others by their names.
pub(super) fn pattern_title<'a>(visitor: &Visitor, name: &'a str) -> Cow<'a, str> {
    if let Some(&(_, id)) = BY_HAND.iter().find(|(known, _)| *known == name) {
        return Cow::Borrowed(visitor.text(id));
    }
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|sign| sign.is_ascii_digit());
    let numbered = name.split_once('-').filter(|(_, number)| is_number(number));
    match numbered {
        Some(("centre", number)) => visitor.text_with("patterns-name-centre", args![number]).into(),
        Some(("corner", number)) => visitor.text_with("patterns-name-corner", args![number]).into(),
        Some(("side", number)) => visitor.text_with("patterns-name-side", args![number]).into(),
        Some(("move", number)) => visitor.text_with("patterns-name-move", args![number]).into(),
        _ => Cow::Borrowed(name),
    }
}

/// Where a pattern comes from.
pub(super) fn source_words<'a>(visitor: &Visitor, source: &'a str) -> Cow<'a, str> {
    let games = source.strip_prefix(MINED.0).and_then(|rest| rest.strip_suffix(MINED.1));
    match games.filter(|games| games.parse::<u64>().is_ok()) {
        Some(games) => visitor.text_with("patterns-source-mined", args![games]).into(),
        None if source == HAND_MADE => visitor.text("patterns-source-hand-made").into(),
        None if source == CUT_OUT => visitor.text("patterns-source-cut-out").into(),
        None => Cow::Borrowed(source),
    }
}

/// The source that a form gives: the one that there was, if these are its words on a page.
pub(super) fn read_source(given: &str, before: &str) -> String {
    let is_told_so = |texts| source_words(&Visitor::for_texts(texts), before) == given;
    if page_languages().iter().any(is_told_so) { before.to_string() } else { given.to_string() }
}

/// Is this text, in small letters, in one of the names of the pattern, in what it says or in where it comes from?
pub(super) fn has_text(visitor: &Visitor, pattern: &Pattern, wanted: &str) -> bool {
    let (title, source) = (pattern_title(visitor, &pattern.name), source_words(visitor, &pattern.source));
    let kept = [&pattern.name, &pattern.source, &pattern.words.en, &pattern.words.ja].map(String::as_str);
    kept.into_iter().chain([&*title, &*source]).any(|part| part.to_lowercase().contains(wanted))
}

#[cfg(test)]
mod tests {
    use ishi_patterns::library::PatternLibrary;
    use ishi_words::Language;

    use super::*;

    fn visitors() -> [Visitor; 2] {
        [Language::English, Language::Japanese].map(Visitor::for_language)
    }

    #[test]
    fn all_that_ships_has_a_name_and_a_source_in_each_language() {
        let is_japanese = |text: &str| text.contains(|sign| ('\u{3040}'..'\u{a000}').contains(&sign));
        let [english, japanese] = visitors();
        let library = PatternLibrary::shipped();
        for Pattern { name, source, .. } in library.patterns() {
            for (own, title) in
                [(name, pattern_title(&japanese, name)), (source, source_words(&japanese, source))]
            {
                assert!(is_japanese(&title), "{own} is {title:?} in Japanese");
                assert!(!is_japanese(&pattern_title(&english, own)), "{own}");
            }
        }
        let by_hand = library.patterns().iter().filter(|pattern| pattern.source == HAND_MADE);
        assert!(by_hand.clone().all(|pattern| BY_HAND.iter().any(|(name, _)| *name == pattern.name)));
        assert_eq!(by_hand.count(), BY_HAND.len());
    }

    #[test]
    fn names_of_others_stay_and_all_of_them_are_found() {
        let [english, japanese] = visitors();
        assert_eq!(pattern_title(&japanese, "monkey-jump"), "サルスベリ");
        assert_eq!(pattern_title(&english, "corner-0007"), "corner-0007");
        assert_eq!(pattern_title(&japanese, "corner-0007"), "隅 0007");
        assert_eq!(pattern_title(&japanese, "corner-of-mine"), "corner-of-mine");
        assert_eq!(source_words(&japanese, "mined in 20000 games"), "20000局の棋譜から抽出");
        assert_eq!(source_words(&japanese, "mined in my games"), "mined in my games");
        assert_eq!(read_source("手作り", HAND_MADE), HAND_MADE);
        assert_eq!(read_source("my own", HAND_MADE), "my own");
        let library = PatternLibrary::shipped();
        let jump = library.find_pattern("monkey-jump").unwrap();
        assert!(
            ["サルスベリ", "monkey-j", "手作り", "hand-m"].iter().all(|text| has_text(&japanese, jump, text))
        );
        assert!(!has_text(&english, jump, "手作り"));
    }
}
