//! The texts that people see. They stand in Fluent files (<https://projectfluent.org>), `texts/LANGUAGE/ROOM.ftl`, and are compiled in.
//!
//! One more language is one more folder of files and one more line in [`READ`]. A text that it does not have is shown in English. What
//! libraries say (remarks on moves) has only the languages of [`Language`].

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use ishi_words::{CodedError, CodedMessage, ErrorFacts, FactValue, Language};
use serde::{Deserialize, Serialize};
use unic_langid::LanguageIdentifier;

/// The rooms that have a file of texts.
const ROOMS: usize = 11;

/// The files of a language, one a room.
macro_rules! texts_of {
    ($tag:literal) => {
        [
            include_str!(concat!("../../texts/", $tag, "/decks.ftl")),
            include_str!(concat!("../../texts/", $tag, "/errors.ftl")),
            include_str!(concat!("../../texts/", $tag, "/go.ftl")),
            include_str!(concat!("../../texts/", $tag, "/home.ftl")),
            include_str!(concat!("../../texts/", $tag, "/joseki.ftl")),
            include_str!(concat!("../../texts/", $tag, "/laboratory.ftl")),
            include_str!(concat!("../../texts/", $tag, "/othello.ftl")),
            include_str!(concat!("../../texts/", $tag, "/patterns.ftl")),
            include_str!(concat!("../../texts/", $tag, "/reports.ftl")),
            include_str!(concat!("../../texts/", $tag, "/strings.ftl")),
            include_str!(concat!("../../texts/", $tag, "/workbench.ftl")),
        ]
    };
}

/// A language of the pages: its tag (of HTML, of the cookie, of the folder), its own name, what libraries speak to its readers, its files.
type LanguageFiles = (&'static str, &'static str, Language, [&'static str; ROOMS]);

/// The languages of the pages. English is the first: it has every text.
const READ: &[LanguageFiles] = &[
    ("en", "English", Language::English, texts_of!("en")),
    ("ja", "日本語", Language::Japanese, texts_of!("ja")),
];

static TEXTS: LazyLock<Vec<LanguageTexts>> = LazyLock::new(|| {
    READ.iter()
        .map(|(tag, name, language, files)| LanguageTexts::parse(tag, name, *language, files))
        .collect()
});

/// What fills the places of a text, by name.
pub(crate) type TextArguments = Vec<(&'static str, String)>;

/// Arguments of a text, as they are to be shown: `args![pairs, seconds = format!("{seconds:.1}")]`.
macro_rules! args {
    ($($name:ident $(= $value:expr)?),* $(,)?) => {
        vec![$((stringify!($name), $crate::workbench::texts::args!(@shown $name $(= $value)?))),*]
    };
    (@shown $name:ident) => { ToString::to_string(&$name) };
    (@shown $name:ident = $value:expr) => { ToString::to_string(&$value) };
}
pub(crate) use args;

/// The name of a text that stands in a table and is shown elsewhere. A test looks for these marks.
pub(crate) const fn text_id(id: &'static str) -> &'static str {
    id
}

/// The texts of a language of the pages.
pub(crate) struct LanguageTexts {
    /// The language as HTML names it, such as `ja`.
    pub(crate) tag: &'static str,
    /// The language as its readers name it.
    pub(crate) name: &'static str,
    /// What libraries speak to its readers.
    pub(crate) language: Language,
    bundle: FluentBundle<FluentResource>,
    /// The texts without arguments, ready to be shown.
    plain: HashMap<String, String>,
}

impl fmt::Debug for LanguageTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LanguageTexts({})", self.tag)
    }
}

impl LanguageTexts {
    /// Reads the files of a language. What cannot be read is left out, and so shown in English; a test reads the files of all.
    fn parse(tag: &'static str, name: &'static str, language: Language, files: &[&str]) -> LanguageTexts {
        let locale: LanguageIdentifier = tag.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![locale]);
        // The marks around arguments are for mixed directions of writing, and would stand in attributes and files.
        bundle.set_use_isolating(false);
        for file in files {
            let resource =
                FluentResource::try_new((*file).to_string()).unwrap_or_else(|(readable, _)| readable);
            // Of two texts of one name the first stays.
            let _ = bundle.add_resource(resource);
        }
        let mut texts = LanguageTexts { tag, name, language, bundle, plain: HashMap::new() };
        let ids = files.iter().flat_map(|file| message_ids(file));
        let none = FluentArgs::new();
        texts.plain = ids.filter_map(|id| Some((id.to_string(), texts.format_text(id, &none)?))).collect();
        texts
    }

    /// A text without arguments, or its name if there is none.
    pub(crate) fn text(&'static self, id: &'static str) -> &'static str {
        self.plain.get(id).or_else(|| english().plain.get(id)).map_or(id, String::as_str)
    }

    /// A text with arguments, or its name if there is none.
    pub(crate) fn text_with(&self, id: &'static str, arguments: TextArguments) -> String {
        let mut shown = FluentArgs::with_capacity(arguments.len());
        for (name, value) in arguments {
            shown.set(name, to_fluent_value(value));
        }
        let text = self.format_text(id, &shown).or_else(|| english().format_text(id, &shown));
        text.unwrap_or_else(|| id.to_string())
    }

    /// What a library's error says: the text `errors-CODE` with its fields. Nothing if there is none, not even in English.
    pub(crate) fn tell_error(&self, facts: &ErrorFacts) -> Option<String> {
        // A reason that has no code stands in English within what has one.
        if let (CodedMessage::UNCODED, [(_, FactValue::Text(words))]) = (facts.code(), facts.fields()) {
            return Some(shorten_field(words));
        }
        let id = format!("errors-{}", facts.code());
        let mut shown = FluentArgs::with_capacity(facts.fields().len());
        for (name, value) in facts.fields() {
            let value = match value {
                FactValue::Text(text) => shorten_field(text),
                FactValue::Reason(reason) => self.tell_error(reason)?,
                FactValue::Reasons(reasons) => {
                    let told: Option<Vec<String>> = reasons.iter().map(|one| self.tell_error(one)).collect();
                    told?.join(self.plain.get("workbench-comma").map_or(", ", String::as_str))
                }
            };
            shown.set(*name, to_fluent_value(value));
        }
        self.format_text(&id, &shown).or_else(|| english().format_text(&id, &shown))
    }

    /// The text with these arguments; `None` if there is no such text, or if it asks for other arguments.
    fn format_text(&self, id: &str, arguments: &FluentArgs<'_>) -> Option<String> {
        let message = self.bundle.get_message(id)?;
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(message.value()?, Some(arguments), &mut errors);
        errors.is_empty().then(|| text.into_owned())
    }
}

/// Characters of a field of an error at most: it may quote what was sent, and that may have megabytes.
const LONGEST_FIELD: usize = 1000;

/// A field as it is shown.
fn shorten_field(text: &str) -> String {
    match text.char_indices().nth(LONGEST_FIELD) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

/// A language that nobody speaks: English with a sign before each text that begins on the line of its name.
#[cfg(test)]
pub(crate) fn made_up_language() -> &'static LanguageTexts {
    let marked = |line: &str| match line.split_once(" = ") {
        Some((id, text)) if line.starts_with(|first: char| first.is_ascii_lowercase()) => {
            format!("{id} = ~{text}\n")
        }
        _ => format!("{line}\n"),
    };
    let files = READ[0].3.map(|file| file.lines().map(marked).collect::<String>());
    let files = files.each_ref().map(String::as_str);
    Box::leak(Box::new(LanguageTexts::parse("qa", "Made up", Language::English, &files)))
}

/// The names of the texts of a file.
fn message_ids(file: &str) -> impl Iterator<Item = &str> {
    let heads = file.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    heads.filter_map(|line| line.split_once('=')).map(|(id, _)| id.trim())
}

/// A whole number chooses singular and plural; it is shown as it was written. All else is text.
fn to_fluent_value(shown: String) -> FluentValue<'static> {
    match shown.parse::<i32>() {
        Ok(number) if number.to_string() == shown => FluentValue::from(number),
        _ => FluentValue::from(shown),
    }
}

/// The languages of the pages, English first.
pub(crate) fn page_languages() -> &'static [LanguageTexts] {
    &TEXTS
}

/// The language that has every text.
pub(crate) fn english() -> &'static LanguageTexts {
    &TEXTS[0]
}

/// What reports of experiments say, as the laboratory says it.
pub(crate) fn english_report_texts() -> &'static str {
    include_str!("../../texts/en/reports.ftl")
}

/// The language of this tag (`ja`), if the pages have it.
pub(crate) fn find_page_language(tag: &str) -> Option<&'static LanguageTexts> {
    TEXTS.iter().find(|texts| texts.tag == tag)
}

/// The language of the pages for who reads this one (`ja-JP`, `PT-br`): the same one, or else another of its kind.
pub(crate) fn find_language_of_reader(tag: &str) -> Option<&'static LanguageTexts> {
    let place = best_tag(tag, TEXTS.iter().map(|texts| texts.tag))?;
    TEXTS.get(place)
}

/// The place of the tag that is this one, or else of the first that begins with the same language.
fn best_tag(wanted: &str, mut tags: impl Iterator<Item = &'static str> + Clone) -> Option<usize> {
    let language = |tag: &str| tag.split('-').next().unwrap_or("").to_ascii_lowercase();
    let same = tags.clone().position(|tag| tag.eq_ignore_ascii_case(wanted));
    same.or_else(|| tags.position(|tag| language(tag) == language(wanted)))
}

/// The first language of the pages whose readers libraries speak so to.
pub(crate) fn page_language_of(language: Language) -> &'static LanguageTexts {
    TEXTS.iter().find(|texts| texts.language == language).unwrap_or_else(english)
}

/// A text whose language is not known yet: who reads it, says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PageText {
    /// A text of the files.
    Named(&'static str, TextArguments),
    /// What a library's error says. In English it has words itself.
    Told(CodedMessage),
}

impl PageText {
    /// A text of the files with arguments.
    pub(crate) fn with(id: &'static str, arguments: TextArguments) -> PageText {
        PageText::Named(id, arguments)
    }

    /// What a library's error says.
    pub(crate) fn of_error(error: impl CodedError) -> PageText {
        PageText::Told(CodedMessage::from_error(error))
    }

    pub(crate) fn in_language(&self, texts: &'static LanguageTexts) -> String {
        match self {
            PageText::Named(id, arguments) if arguments.is_empty() => texts.text(id).to_string(),
            PageText::Named(id, arguments) => texts.text_with(id, arguments.clone()),
            // What quotes much is told with shorter fields.
            PageText::Told(error) if texts.tag == english().tag && error.len() <= LONGEST_FIELD => {
                error.to_string()
            }
            PageText::Told(error) => texts.tell_error(&error.facts()).unwrap_or_else(|| error.to_string()),
        }
    }
}

/// What was told once and is kept with a document: in every language of the pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum KeptText {
    /// From before there were other languages.
    English(String),
    /// What was told in each language, by the tags of the languages.
    Told(BTreeMap<String, String>),
}

impl KeptText {
    pub(crate) fn from_page_text(text: &PageText) -> KeptText {
        let told = page_languages().iter().map(|texts| (texts.tag.to_string(), text.in_language(texts)));
        KeptText::Told(told.collect())
    }

    /// The text in this language; in English if the language was not there yet when the text was kept.
    pub(crate) fn in_language(&self, texts: &LanguageTexts) -> &str {
        match self {
            KeptText::English(words) => words,
            KeptText::Told(told) => {
                told.get(texts.tag).or_else(|| told.get(english().tag)).map_or("", String::as_str)
            }
        }
    }
}

/// A text of the files without arguments.
impl From<&'static str> for PageText {
    fn from(id: &'static str) -> PageText {
        PageText::Named(id, Vec::new())
    }
}

/// The sources and the files of texts hold to each other.
#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use ishi_words::{coded, facts};

    use super::*;

    /// Texts of which a language leaves an argument out: (name, argument).
    const LEFT_OUT: &[(&str, &str)] = &[
        // English counts the nodes, Japanese names the last one.
        ("go-there-is-no-node-the-record", "nodes"),
        ("go-there-is-no-node-the-record", "last"),
        // English writes a title as Rust does, Japanese has brackets of its own.
        ("workbench-is-damaged-in-the-database-use", "title"),
        ("workbench-is-damaged-in-the-database-use", "title_quoted"),
        // English names the format as the library does, Japanese has names of its own for all that are known.
        ("errors-sgf-foreign", "kind"),
        // What was done about an oddity follows from its kind, and the library says it in English only.
        ("errors-sgf-warning", "done"),
        // English says what is right in the words of the setting, Japanese by the ends of its range.
        ("errors-lab-source-range", "words"),
        ("errors-lab-source-range", "low"),
        ("errors-lab-source-range", "high"),
    ];

    /// What is Japanese in the sources, whatever the language of the page: the mark of ishi, the names of languages, the page without scripts.
    const OF_NO_LANGUAGE: &[&str] = &["\"石\"", "\"日本語\"", "This page needs JavaScript."];

    /// What asks for a text, up to its name.
    const ASKING: &[&str] = &[
        ".text(",
        ".text_with(",
        " say(",
        "(say(",
        "[say(",
        "text_id(",
        "PageText::from(",
        "PageText::with(",
        "PageError::not_found(",
        "PageError::not_found_with(",
        "PageError::invalid_input(",
        "PageError::invalid_input_with(",
    ];

    /// A place of the sources that asks for a text.
    #[derive(Debug, PartialEq)]
    struct TextCall {
        id: String,
        /// The names that it gives; none if they are given elsewhere ([`text_id`]).
        given: Option<BTreeSet<String>>,
    }

    /// The string that begins here, without escapes.
    fn leading_literal(code: &str) -> Option<(&str, &str)> {
        code.trim_start().strip_prefix('"')?.split_once('"')
    }

    /// The names in `, args![a, b = x]`; none of them if there is no such thing.
    fn given_names(code: &str) -> BTreeSet<String> {
        let list =
            code.trim_start().strip_prefix(',').and_then(|rest| rest.trim_start().strip_prefix("args!["));
        list.map_or_else(BTreeSet::new, list_names)
    }

    /// The names in `a, b = x]`.
    fn list_names(list: &str) -> BTreeSet<String> {
        let (mut names, mut word, mut depth, mut quoted, mut reads) =
            (BTreeSet::new(), String::new(), 0, false, true);
        for sign in list.chars() {
            match sign {
                '"' => quoted = !quoted,
                _ if quoted => {}
                ']' if depth == 0 => break,
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    names.insert(std::mem::take(&mut word));
                    reads = true;
                }
                '=' if depth == 0 => reads = false,
                _ if reads && !sign.is_whitespace() => word.push(sign),
                _ => {}
            }
        }
        names.insert(word);
        names.remove("");
        names
    }

    fn text_calls(source: &str) -> Vec<TextCall> {
        let mut calls = Vec::new();
        let mut keep = |code: &str, is_mark: bool| {
            if let Some((id, rest)) = leading_literal(code) {
                calls.push(TextCall { id: id.to_string(), given: (!is_mark).then(|| given_names(rest)) });
            }
        };
        for asking in ASKING {
            source
                .match_indices(asking)
                .for_each(|(at, _)| keep(&source[at + asking.len()..], *asking == "text_id("));
        }
        // Its status stands before its name.
        for (at, asking) in source.match_indices("PageError::new(") {
            let (_, text) = source[at + asking.len()..].split_once(',').unwrap();
            keep(text, false);
        }
        calls
    }

    fn rust_files(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files = entries.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] });
        files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
    }

    /// The sources that ask for texts, by their paths.
    fn sources() -> Vec<(PathBuf, String)> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/workbench");
        let files = rust_files(&root).into_iter().filter(|path| !path.ends_with("texts.rs"));
        files.map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap())).collect()
    }

    fn all_calls() -> Vec<TextCall> {
        let calls = sources().into_iter().flat_map(|(_, source)| text_calls(&source));
        calls.chain(library_sources().iter().flat_map(|(_, source)| error_codes(source))).collect()
    }

    /// The sources of all crates, by their paths; without those of the words themselves, whose examples have codes.
    fn library_sources() -> Vec<(PathBuf, String)> {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let wings = std::fs::read_dir(&crates).unwrap().map(|entry| entry.unwrap().path());
        let packages = wings.filter(|path| path.is_dir()).flat_map(|wing| {
            std::fs::read_dir(wing)
                .unwrap()
                .map(|entry| entry.unwrap().path().join("src"))
                .collect::<Vec<_>>()
        });
        let packages = packages.chain([crates.join("../experiments")]);
        let folders = packages.filter(|path| path.is_dir() && !path.ends_with("words/src"));
        let files = folders.flat_map(|folder| rust_files(&folder)).filter(|path| !path.ends_with("texts.rs"));
        files.map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap())).collect()
    }

    /// What stands behind a string, which may have escapes in it.
    fn behind_literal(code: &str) -> Option<&str> {
        let text = code.trim_start().strip_prefix('"')?;
        let mut escaped = false;
        let end = text.find(|sign: char| {
            let is_end = sign == '"' && !escaped;
            escaped = sign == '\\' && !escaped;
            is_end
        });
        end.map(|end| &text[end + 1..])
    }

    /// The errors of a source with their fields: `facts!["code", a, b = x]` and `coded!["code", "words", a, b = x]`.
    fn error_codes(source: &str) -> Vec<TextCall> {
        let mut codes = Vec::new();
        for asking in ["facts![", "coded!["] {
            for (at, _) in source.match_indices(asking) {
                let Some((code, rest)) = leading_literal(&source[at + asking.len()..]) else { continue };
                let words = rest.trim_start().strip_prefix(',').and_then(behind_literal);
                let fields = if asking == "coded![" { words.unwrap() } else { rest };
                let names = list_names(fields.trim_start().strip_prefix(',').unwrap_or(fields));
                codes.push(TextCall { id: format!("errors-{code}"), given: Some(names) });
            }
        }
        codes
    }

    /// The texts of a language with the names of their arguments.
    fn arguments_by_id(files: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for file in files {
            let mut last = None;
            for line in file.lines() {
                last = message_ids(line).next().or(last);
                let Some(id) = last else { continue };
                let arguments = found.entry(id.to_string()).or_default();
                for name in line.split('$').skip(1) {
                    let end = name.find(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_');
                    arguments.insert(name[..end.unwrap_or(name.len())].to_string());
                }
            }
        }
        found
    }

    #[test]
    fn every_file_is_read_whole_and_its_names_begin_with_its_room() {
        let rooms = [
            "decks",
            "errors",
            "go",
            "home",
            "joseki",
            "laboratory",
            "othello",
            "patterns",
            "reports",
            "strings",
            "workbench",
        ];
        for (tag, _, _, files) in READ {
            let mut bundle = FluentBundle::new_concurrent(vec![tag.parse().unwrap()]);
            for (room, file) in rooms.iter().zip(files) {
                let resource = FluentResource::try_new((*file).to_string());
                let resource = resource.unwrap_or_else(|(_, errors)| panic!("{tag}/{room}.ftl: {errors:?}"));
                bundle.add_resource(resource).unwrap_or_else(|errors| panic!("{tag}/{room}.ftl: {errors:?}"));
                let mut ids = message_ids(file).peekable();
                assert!(ids.peek().is_some(), "{tag}/{room}.ftl has texts");
                for id in ids {
                    assert!(id.starts_with(&format!("{room}-")), "{tag}/{room}.ftl: {id}");
                    let is_read = bundle.get_message(id).is_some_and(|message| message.value().is_some());
                    assert!(is_read, "{tag}/{room}.ftl: {id} must have a text");
                }
            }
        }
    }

    #[test]
    fn every_text_that_the_sources_ask_for_is_there() {
        let calls = all_calls();
        assert!(calls.len() > 900, "{} calls are found", calls.len());
        for (tag, _, _, files) in READ {
            let texts = arguments_by_id(files);
            for call in &calls {
                assert!(texts.contains_key(&call.id), "texts/{tag} must have {:?}", call.id);
            }
        }
    }

    #[test]
    fn every_text_is_asked_for() {
        let mut asked: BTreeSet<String> = all_calls().into_iter().map(|call| call.id).collect();
        // Texts of reports are found by what they say.
        asked.extend(message_ids(english_report_texts()).map(str::to_string));
        for (tag, _, _, files) in READ {
            for id in arguments_by_id(files).keys() {
                assert!(asked.contains(id), "nobody asks for {id}: texts/{tag} must not have it");
            }
        }
    }

    #[test]
    fn all_languages_have_the_same_texts_with_the_same_arguments() {
        let kept = |id: &String, arguments: &BTreeSet<String>| {
            let is_kept = |name: &&String| !LEFT_OUT.contains(&(id.as_str(), name.as_str()));
            (id.clone(), arguments.iter().filter(is_kept).cloned().collect::<Vec<_>>())
        };
        let texts = |files: &[&str]| {
            arguments_by_id(files).iter().map(|(id, names)| kept(id, names)).collect::<BTreeMap<_, _>>()
        };
        let english = texts(&READ[0].3);
        for (tag, _, _, files) in &READ[1..] {
            let other = texts(files);
            for (id, arguments) in &english {
                assert_eq!(other.get(id), Some(arguments), "{id} of texts/{tag} must be as in English");
            }
            assert_eq!(other.len(), english.len(), "texts/{tag} must have the texts of English only");
        }
        for (id, name) in LEFT_OUT {
            let uses =
                |files: &[&str]| arguments_by_id(files).get(*id).is_some_and(|names| names.contains(*name));
            let users = READ.iter().filter(|(_, _, _, files)| uses(files)).count();
            assert!(users > 0 && users < READ.len(), "{id} must be left out of LEFT_OUT with {name}");
        }
    }

    /// The places that scripts fill (`{point}`) are in every language.
    #[test]
    fn all_languages_have_the_same_places_for_scripts() {
        let places = |text: &str| -> BTreeSet<String> {
            let rests = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
            rests.map(|(name, _)| name.to_string()).collect()
        };
        let found = english().plain.values().filter(|text| !places(text).is_empty()).count();
        assert!(found > 10, "only {found} texts have places");
        for texts in page_languages() {
            for (id, text) in &texts.plain {
                let wanted = english().plain.get(id).map(|text| places(text));
                assert_eq!(Some(places(text)), wanted, "{id} of texts/{}", texts.tag);
            }
        }
    }

    #[test]
    fn every_call_gives_just_the_arguments_of_its_text() {
        let mut wanted: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (_, _, _, files) in READ {
            for (id, names) in arguments_by_id(files) {
                wanted.entry(id).or_default().extend(names);
            }
        }
        for call in all_calls() {
            let Some(given) = call.given else { continue };
            assert_eq!(Some(&given), wanted.get(&call.id), "what {} is given and asks for", call.id);
        }
    }

    /// The scanner itself finds what it is there for.
    #[test]
    fn calls_are_found_with_their_arguments() {
        let source = r#"
            p { (visitor.text("go-a")) (say("go-b")) }
            visitor.text_with(
                "go-c",
                args![pairs, seconds = format!("{:.1}, {}", f(x, y), z), last = nodes[1] - 1],
            )
            PageError::new(StatusCode::CONFLICT, "go-d")
            PageError::not_found(PageText::with("go-e", args![key])), text_id("go-f"), other.text(id)
            "#;
        let found: BTreeMap<String, Option<Vec<String>>> = text_calls(source)
            .into_iter()
            .map(|call| (call.id, call.given.map(|names| names.into_iter().collect())))
            .collect();
        let names = |list: &[&str]| Some(list.iter().map(ToString::to_string).collect::<Vec<_>>());
        let wanted = [
            ("go-a", names(&[])),
            ("go-b", names(&[])),
            ("go-c", names(&["last", "pairs", "seconds"])),
            ("go-d", names(&[])),
            ("go-e", names(&["key"])),
            ("go-f", None),
        ];
        assert_eq!(found, wanted.map(|(id, given)| (id.to_string(), given)).into());
        let file = "go-a = no { $x }\ngo-b =\n    { $n ->\n        [one] { $n } day\n       *[other] days { $m_2 }\n    }\n";
        let arguments = arguments_by_id(&[file]);
        assert_eq!(arguments["go-a"], BTreeSet::from(["x".to_string()]));
        assert_eq!(arguments["go-b"], BTreeSet::from(["m_2".to_string(), "n".to_string()]));
    }

    /// Codes of errors are found with their fields, those of a reason inside among them.
    #[test]
    fn error_codes_are_found_with_their_fields() {
        let source = r#"
            facts!["go-size", width = self.width, height]
            facts!["sgf-move", number, place = facts!["sgf-place", line], text = format!("{:?}, {}", a, b)]
            coded!["deck-piece", "{piece}, such as \"a, b\": no", piece = format!("{piece:?}")]
            coded!["deck-empty", "empty"]
            facts![code]
            "#;
        let found: BTreeMap<String, Vec<String>> = error_codes(source)
            .into_iter()
            .map(|call| (call.id, call.given.unwrap().into_iter().collect()))
            .collect();
        let wanted: [(&str, &[&str]); 5] = [
            ("errors-deck-empty", &[]),
            ("errors-deck-piece", &["piece"]),
            ("errors-go-size", &["height", "width"]),
            ("errors-sgf-move", &["number", "place", "text"]),
            ("errors-sgf-place", &["line"]),
        ];
        let list = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(found, wanted.map(|(id, names)| (id.to_string(), list(names))).into());
    }

    /// Texts of other languages stand in the files only.
    #[test]
    fn no_japanese_stands_in_the_sources() {
        let is_japanese = |sign: char| ('\u{3040}'..'\u{a000}').contains(&sign);
        for (path, source) in sources() {
            let code = source.split("#[cfg(test)]\nmod tests").next().unwrap();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                let allowed = OF_NO_LANGUAGE.iter().any(|words| line.contains(words));
                assert!(allowed || !line.contains(is_japanese), "{}: {line}", path.display());
            }
        }
        let scripts = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")).unwrap();
        for path in scripts.map(|entry| entry.unwrap().path()) {
            let is_script = path.extension().is_some_and(|extension| extension == "ts" || extension == "tsx");
            if is_script {
                let source = std::fs::read_to_string(&path).unwrap();
                assert!(!source.contains(is_japanese), "{}", path.display());
            }
        }
    }

    #[test]
    fn counts_choose_singular_and_plural() {
        let days = |language: Language, days: i64| {
            page_language_of(language).text_with("workbench-in-days", args![days])
        };
        assert_eq!([1, 2, 21].map(|n| days(Language::English, n)), ["in 1 day", "in 2 days", "in 21 days"]);
        assert_eq!(days(Language::Japanese, 1), "1 日後");
        let won = |points: f64| english().text_with("go-wins-by-points", args![name = "Black", points]);
        assert_eq!(
            [0.5, 1.0, 2.0].map(won),
            ["Black wins by 0.5 points", "Black wins by 1 point", "Black wins by 2 points"]
        );
    }

    /// What reads as a number and what does not is shown as it was given, without marks around it.
    #[test]
    fn arguments_are_shown_as_they_are_given() {
        for kyu in ["1", "-3", "007", "+1", "1.50", "1e5", "12345678901234567890", "", "\"a\" {x}", " "] {
            assert_eq!(english().text_with("go-kyu", args![kyu]), format!("{kyu} kyu"));
            assert_eq!(
                page_language_of(Language::Japanese).text_with("go-kyu", args![kyu]),
                format!("{kyu}級")
            );
        }
    }

    /// Spaces at the ends, braces and ends of lines of texts arrive.
    #[test]
    fn no_text_loses_its_ends() {
        assert_eq!((english().text("workbench-comma"), english().text("workbench-colon")), (", ", ": "));
        assert_eq!(english().text("workbench-yes-point"), "Yes, {point}.");
    }

    #[test]
    fn readers_find_their_language_by_its_tag() {
        let tags = ["en", "pt-PT", "pt-BR", "fil"];
        let found = |wanted: &str| best_tag(wanted, tags.into_iter()).map(|place| tags[place]);
        assert_eq!(["en-GB", "PT-br", "pt", "fil-PH"].map(found), ["en", "pt-BR", "pt-PT", "fil"].map(Some));
        assert_eq!(["fi", "e", "", "*", "日本"].map(found), [None; 5]);
    }

    /// What was kept before there was a language is shown in English in it.
    #[test]
    fn kept_texts_are_told_in_the_language_of_who_reads_them() {
        let japanese = find_page_language("ja").unwrap();
        let kept = KeptText::from_page_text(&PageText::from("go-resign"));
        let read: KeptText = serde_json::from_str(&serde_json::to_string(&kept).unwrap()).unwrap();
        assert_eq!(read, kept);
        assert_eq!([read.in_language(english()), read.in_language(japanese)], ["Resign", "投了"]);
        let older: KeptText = serde_json::from_str("\"bad-size\"").unwrap();
        assert_eq!(older.in_language(japanese), "bad-size");
        let german: &'static LanguageTexts =
            Box::leak(Box::new(LanguageTexts::parse("de", "Deutsch", Language::English, &[])));
        assert_eq!(kept.in_language(german), "Resign");
    }

    /// Who sends megabytes does not get them back, in no language.
    #[test]
    fn what_an_error_quotes_is_shortened() {
        let told = |length: usize, texts| {
            let size = "x".repeat(length).parse::<ishi_go::BoardSize>().unwrap_err();
            PageText::of_error(size).in_language(texts)
        };
        for texts in page_languages() {
            let (short, long) = (told(500, texts), told(100_000, texts));
            assert!(short.contains(&"x".repeat(500)), "{short}");
            assert!(long.contains("xxx...") && long.chars().count() < 2 * LONGEST_FIELD, "{long}");
            let end = |text: &str| text.chars().rev().take(10).collect::<String>();
            assert_eq!(end(&long), end(&short), "what would be right is told all the same");
        }
    }

    /// Several reasons stand in a row, as the language does it.
    #[test]
    fn reasons_stand_in_a_row() {
        let rules = vec![facts!["deck-rule-groups"], facts!["deck-rule-leader"]];
        let conflict = facts!["deck-reason-conflict", rules = FactValue::Reasons(rules)];
        let [in_english, in_japanese] =
            ["en", "ja"].map(|tag| find_page_language(tag).unwrap().tell_error(&conflict).unwrap());
        assert!(
            in_english.ends_with("the limits of groups, a leader out of those that may lead"),
            "{in_english}"
        );
        assert!(in_japanese.contains("グループの上限、リーダー"), "{in_japanese}");
    }

    #[test]
    fn what_a_third_language_lacks_is_said_in_english() {
        let file =
            "go-resign = Aufgeben\ngo-kyu = { $kyu }. Kyu\nworkbench-verdict-right = Ja, { $wrong }.\n";
        let texts: &'static LanguageTexts =
            Box::leak(Box::new(LanguageTexts::parse("de", "Deutsch", Language::English, &[file])));
        assert_eq!((texts.text("go-resign"), texts.text("go-pass-in-view")), ("Aufgeben", "Pass"));
        assert_eq!(texts.text_with("go-kyu", args![kyu = 3]), "3. Kyu");
        let point = "D4";
        assert_eq!(texts.text_with("workbench-verdict-right", args![point]), "Yes, D4.");
        assert_eq!(texts.text("go-nothing-of-the-kind"), "go-nothing-of-the-kind");
        assert_eq!(PageText::from("go-resign").in_language(texts), "Aufgeben");
        let size = ishi_go::BoardSize::square(30).unwrap_err();
        assert_eq!(PageText::of_error(size).in_language(texts), size.to_string());
        assert_eq!(PageText::Told(coded!["no-such-code", "as it is"]).in_language(texts), "as it is");
    }
}
