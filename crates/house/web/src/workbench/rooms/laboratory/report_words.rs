//! Reports of experiments in the language of the page. The laboratory says them in English. What it says stands in `texts/en/reports.ftl`, and each language
//! has the same texts in its own words. A text is found there as it stands, or with arguments, or it is told in pieces.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::workbench::texts::{LanguageTexts, args, english, english_report_texts, text_id};

/// What names of texts begin with that say how pieces are joined. They are no texts of reports.
const JOINS: &str = "reports-join-";

/// Where a text is cut, how much of that its first piece keeps, and how the pieces are joined. Sentences come before what is in them.
const JOINTS: [(&str, usize, &str); 5] = [
    (". ", 1, text_id("reports-join-sentence")),
    ("? ", 1, text_id("reports-join-sentence")),
    ("; ", 0, text_id("reports-join-clause")),
    (": ", 0, text_id("reports-join-name")),
    (", ", 0, text_id("reports-join-list")),
];

/// Bytes of a text at most: a longer one is cut in too many ways, and stays as it is.
const LONGEST: usize = 2000;

/// A text of reports with its arguments. Between two literals stands one.
#[derive(Debug)]
struct Phrase {
    id: &'static str,
    literals: Vec<&'static str>,
    names: Vec<&'static str>,
}

impl Phrase {
    /// Reads a line of the file; none if it is no text of a report.
    fn parse(line: &'static str) -> Option<Phrase> {
        let (id, text) = line.split_once(" = ")?;
        if !id.starts_with("reports-") || id.starts_with(JOINS) {
            return None;
        }
        let mut parts = text.split("{ $");
        let mut phrase = Phrase { id, literals: vec![parts.next()?], names: Vec::new() };
        for part in parts {
            let (name, literal) = part.split_once(" }")?;
            phrase.names.push(name);
            phrase.literals.push(literal);
        }
        Some(phrase)
    }

    fn literal_bytes(&self) -> usize {
        self.literals.iter().map(|literal| literal.len()).sum()
    }

    /// Does nearly any text agree? It begins with an argument that may have letters, and no joint stands in it. So it is tried after the joints.
    fn is_loose(&self) -> bool {
        let has_joint = |literal: &&str| JOINTS.iter().any(|(joint, ..)| literal.contains(joint));
        let begins_loosely = self.names.first().is_some_and(|name| !is_number_name(name));
        self.literals[0].is_empty() && begins_loosely && !self.literals.iter().any(has_joint)
    }

    /// What the arguments are if this is the text.
    fn find_values<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let rest = text.strip_prefix(self.literals[0])?;
        let mut values = Vec::new();
        fill_places(rest, &self.names, &self.literals[1..], &mut values).then_some(values)
    }
}

/// Finds values for the names, each with its literal behind it. Says whether there are some.
fn fill_places<'t>(text: &'t str, names: &[&str], literals: &[&str], values: &mut Vec<&'t str>) -> bool {
    let ([name, names @ ..], [literal, literals @ ..]) = (names, literals) else {
        return text.is_empty();
    };
    if names.is_empty() {
        let value = text.strip_suffix(*literal).filter(|value| may_stand_for(name, value));
        values.extend(value);
        return value.is_some();
    }
    for (at, _) in text.match_indices(*literal).filter(|(at, _)| may_stand_for(name, &text[..*at])) {
        values.push(&text[..at]);
        if fill_places(&text[at + literal.len()..], names, literals, values) {
            return true;
        }
        values.pop();
    }
    false
}

fn is_number_name(name: &str) -> bool {
    name.starts_with("number")
}

fn may_stand_for(name: &str, value: &str) -> bool {
    let is_a_wrong_number = is_number_name(name) && value.contains(|sign: char| sign.is_ascii_alphabetic());
    !value.is_empty() && !is_a_wrong_number
}

/// All texts of reports.
struct PhraseBook {
    /// Those without arguments, and their names.
    whole: HashMap<&'static str, &'static str>,
    /// Those with arguments, the longest first.
    strict: Vec<Phrase>,
    /// Those that nearly any text agrees with.
    loose: Vec<Phrase>,
}

impl PhraseBook {
    fn read() -> PhraseBook {
        let phrases = english_report_texts().lines().filter_map(Phrase::parse);
        let (whole, mut parted): (Vec<Phrase>, Vec<Phrase>) =
            phrases.partition(|phrase| phrase.names.is_empty());
        parted.sort_by_key(|phrase| std::cmp::Reverse(phrase.literal_bytes()));
        let (loose, strict) = parted.into_iter().partition(Phrase::is_loose);
        PhraseBook {
            whole: whole.iter().map(|phrase| (phrase.literals[0], phrase.id)).collect(),
            strict,
            loose,
        }
    }
}

static BOOK: LazyLock<PhraseBook> = LazyLock::new(PhraseBook::read);

/// Tells texts of reports in a language, and remembers them: a report says many more than once.
pub(super) struct ReportWords {
    texts: &'static LanguageTexts,
    told: HashMap<String, Option<String>>,
}

impl ReportWords {
    pub(super) fn new(texts: &'static LanguageTexts) -> ReportWords {
        ReportWords { texts, told: HashMap::new() }
    }

    /// The text in this language; as it is where that is not known.
    pub(super) fn tell(&mut self, text: &str) -> String {
        if self.texts.tag == english().tag {
            return text.to_string();
        }
        self.find(text).unwrap_or_else(|| text.to_string())
    }

    /// The text in this language, if it is known there.
    fn find(&mut self, text: &str) -> Option<String> {
        if let Some(known) = self.told.get(text) {
            return known.clone();
        }
        let found = if text.len() > LONGEST { None } else { self.find_anew(text) };
        self.told.insert(text.to_string(), found.clone());
        found
    }

    fn find_anew(&mut self, text: &str) -> Option<String> {
        if !has_words(text) {
            return Some(text.to_string());
        }
        if let Some(&id) = BOOK.whole.get(text) {
            return Some(self.texts.text(id).to_string());
        }
        self.tell_by(&BOOK.strict, text)
            .or_else(|| self.tell_joined(text))
            .or_else(|| self.tell_by(&BOOK.loose, text))
            .or_else(|| is_name(text).then(|| text.to_string()))
    }

    /// By the first text that it may be, all of whose parts are known, too.
    fn tell_by(&mut self, phrases: &[Phrase], text: &str) -> Option<String> {
        phrases.iter().find_map(|phrase| {
            let values = phrase.find_values(text)?;
            let mut arguments = Vec::new();
            for (&name, value) in phrase.names.iter().zip(values) {
                let told = if name.starts_with("name") { value.to_string() } else { self.find(value)? };
                arguments.push((name, told));
            }
            Some(self.texts.text_with(phrase.id, arguments))
        })
    }

    /// In two pieces that are both known.
    fn tell_joined(&mut self, text: &str) -> Option<String> {
        for (joint, kept, id) in JOINTS {
            for (at, _) in text.match_indices(joint).filter(|(at, _)| *at > 0) {
                // Of what begins in a way that nobody knows, the rest is not looked at.
                let Some(first) = self.find(&text[..at + kept]) else { continue };
                let Some(rest) = self.find(&text[at + joint.len()..]) else { continue };
                return Some(self.texts.text_with(id, args![first, rest]));
            }
        }
        None
    }
}

/// Are there words in it, and not only numbers and signs?
fn has_words(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_alphabetic))
}

/// Is it the name of a run, a player or a file, or a setting (`child = "not-worse"`)? Such are the same in every language.
fn is_name(text: &str) -> bool {
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    is_word(text) || text.split_once(" = ").is_some_and(|(key, value)| is_word(key) && is_word(value))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use ishi_lab::folder;

    use super::*;
    use crate::workbench::texts::find_page_language;

    /// Headings that a page has itself.
    const OF_PAGES: [&str; 3] =
        ["Expected and found", "Found, with nothing to compare:", "Where these figures come from"];

    /// Names of players, programs and styles that are words.
    const NAMES: [&str; 21] = [
        "Burrow",
        "CBC",
        "CTDL",
        "Elo",
        "GLPK",
        "HiGHS",
        "Wald",
        "Wilson",
        "desperate",
        "elo",
        "finishing",
        "gnugo",
        "goban",
        "hash",
        "ishi",
        "modern",
        "pauper",
        "purposes",
        "quiescence",
        "strong",
        "uct",
    ];

    fn japanese() -> ReportWords {
        ReportWords::new(find_page_language("ja").unwrap())
    }

    /// All texts of a report's page.
    fn texts_of_report(page: &str) -> BTreeSet<String> {
        let (_, body) = page.split_once("<body").unwrap();
        let mut texts = BTreeSet::new();
        for tagged in body.split('<').skip(1) {
            let Some((tag, text)) = tagged.split_once('>') else { continue };
            // The title is that of the README, and the command is the same in every language.
            if tag.starts_with("h1") || tag.starts_with("code") {
                continue;
            }
            let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
            let plain = plain.replace("&#39;", "'").replace("&amp;", "&");
            let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
            if !plain.is_empty() && !OF_PAGES.contains(&plain.as_str()) && !plain.starts_with("Written by") {
                texts.insert(plain);
            }
        }
        texts
    }

    /// What the kept reports say is Japanese on a Japanese page, but for names.
    #[test]
    fn every_report_that_ships_is_told_in_japanese() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let shipped = folder::list_folders(&folder::find_experiments(here).unwrap()).unwrap();
        assert!(shipped.len() > 5);
        for each in shipped {
            let page = std::fs::read_to_string(each.path.join("results/report.html")).unwrap();
            let texts = texts_of_report(&page);
            assert!(texts.len() > 30, "{}: {} texts", each.name, texts.len());
            let mut words = japanese();
            for text in &texts {
                let told = words.find(text);
                assert!(told.is_some(), "{}: {text:?} is not in reports.ftl", each.name);
                let is_word = text.bytes().all(|sign| sign.is_ascii_alphabetic()) && text.len() > 1;
                let is_left = is_word && told.as_ref() == Some(text);
                assert!(
                    !is_left || NAMES.contains(&text.as_str()),
                    "{}: {text:?} is left as it is",
                    each.name
                );
            }
        }
    }

    #[test]
    fn texts_are_told_whole_with_arguments_and_in_pieces() {
        let mut words = japanese();
        let mut told = |text: &str| words.tell(text);
        assert_eq!(told("not reproduced"), "再現せず");
        assert_eq!(told("22 boards"), "22通り");
        assert_eq!(told("0.713 (0.5 to 0.9)"), "0.713（0.5～0.9）");
        assert_eq!(
            told("boards with the most strings: expected 22 boards, found 23 boards"),
            "連数が最大の盤：期待値 22通り、結果 23通り"
        );
        assert_eq!(told("head-300: uct against GNU Go 3.8, won"), "head-300：uctとGNU Go 3.8の対戦、勝率");
        assert_eq!(told("Another board. See the readings."), "盤が違います。「読み方」を参照。");
        assert_eq!(
            told("Another board: the paper has no figure for 9x9."),
            "盤が違います。論文に9路盤の値はありません。"
        );
        let absent = "SKIPPED: integer programming with CP-SAT: not installed (pip install ortools)";
        assert_eq!(
            told(absent),
            "未実施：CP-SATによる整数計画：インストールされていません（pip install ortools）"
        );
        assert_eq!(told("frontier/19: 277 strings, 0.050 s"), "frontier/19：連277個、0.050 s");
        assert_eq!(told("-12.5 %"), "-12.5 %");
        assert_eq!(told("somebody else's words"), "somebody else's words");
        assert_eq!(told("child = \"not-worse\""), "child = \"not-worse\"");
        assert_eq!(ReportWords::new(english()).tell("not reproduced"), "not reproduced");
    }

    /// A number has no letters, and what is behind the last argument must be there.
    #[test]
    fn arguments_are_found_where_they_fit() {
        let phrase = Phrase::parse("reports-x = { $part_a }, { $number1 } moves").unwrap();
        assert_eq!(phrase.find_values("a, b, 12 moves"), Some(vec!["a, b", "12"]));
        assert_eq!(phrase.find_values("a, b moves"), None);
        assert_eq!(phrase.find_values("a, 12 move"), None);
        assert_eq!(phrase.find_values(", 12 moves"), None);
        assert!(!phrase.is_loose(), "a joint stands in it");
        assert!(Phrase::parse("reports-y = { $part_a } beside { $part_b }").unwrap().is_loose());
        assert!(!Phrase::parse("reports-z = { $number1 } boards").unwrap().is_loose());
        assert!(Phrase::parse("reports-join-list = { $first }, { $rest }").is_none());
        assert!(Phrase::parse("# A remark = none").is_none());
    }

    /// A text of many pieces that nobody knows is given up soon.
    #[test]
    fn long_texts_that_nobody_knows_stay_as_they_are() {
        let long = "some words, ".repeat(60);
        assert_eq!(japanese().tell(&long), long);
        let longer = "not reproduced, ".repeat(LONGEST);
        assert_eq!(japanese().tell(&longer), longer);
    }
}
