//! Empty states of all rooms: where there is nothing yet, a page says what to do next, and leads there.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::workbench::Workbench;

/// Where a page says that there is nothing, and how it goes on.
struct EmptyState {
    page: String,
    /// The name of the text.
    text: &'static str,
    /// What of the page leads on: places that it links to, forms that it sends, or what it shows.
    ways: &'static [&'static str],
}

fn empty_state(page: &str, text: &'static str, ways: &'static [&'static str]) -> EmptyState {
    EmptyState { page: page.to_string(), text, ways }
}

/// Sentences that begin like those of empty states, and are none: they answer what somebody has asked, or tell how something stands.
const ANSWERS: [&str; 19] = [
    "decks-no-deck-with-was-found",
    "decks-no-other-card-raises-it",
    "decks-not-proved-time-or-memory",
    "go-no-move-lost-much",
    // Of an experiment: above it stands the button that starts it.
    "laboratory-no-report-yet-it-is-made",
    // Of a campaign that goes on: the page fills by itself.
    "laboratory-no-task-is-finished-yet-the",
    "laboratory-no-worker-was-noted-in-this",
    "laboratory-not-done",
    "laboratory-not-running",
    "laboratory-not-running-finished-pairs-are-kept",
    // Of a server without database or folder: what is missing stands behind it.
    "laboratory-nothing-is-kept-this-server-has",
    "laboratory-there-is-no-folder-of-experiments",
    "othello-no-move-lost-2-discs-or",
    "patterns-not-yet-a-pattern",
    "strings-no-certificate-was-accepted-or-the",
    // Of a step from mistake to mistake.
    "workbench-no-earlier-mistake",
    "workbench-no-later-mistake",
    "workbench-not-possible",
    "workbench-nothing-is-damaged-everything-that-people",
];

/// All of them, on a server where nobody has done anything but begin what some are about.
fn list_empty_states(bench: &Workbench) -> Vec<EmptyState> {
    let begin = |path: &str, fields: &[(&str, &str)]| bench.form(path, fields).place().to_string();
    let deck = begin("/decks/sample", &[("which", "thirty")]);
    let game = begin("/othello", &[("black", "person"), ("white", "person")]);
    let patterns = begin("/patterns/collections", &[("title", "mine")]);
    let joseki = begin("/joseki/collections", &[("title", "mine")]);
    vec![
        empty_state("/", "home-none-yet", &["href=\"/lab\""]),
        empty_state(
            "/go",
            "go-no-games-yet-begin-one-open",
            &["action=\"/go/new\"", "action=\"/go\"", "name=\"sgf\""],
        ),
        empty_state("/go/practice", "workbench-none-yet-open-a-game-and", &["href=\"/\""]),
        empty_state("/go/practice", "workbench-none-yet-say-which-colour", &["href=\"/\""]),
        empty_state("/othello/practice", "workbench-none-yet-open-a-game-and", &["href=\"/othello\""]),
        empty_state(
            "/othello/openings",
            "othello-positions-of-the-book-are-asked",
            &["action=\"/othello/openings\""],
        ),
        empty_state(&game, "othello-no-moves-yet", &["id=\"othello-board\""]),
        empty_state(&joseki, "joseki-click-to-add-a-move", &["id=\"joseki-board\""]),
        empty_state(
            &patterns,
            "patterns-no-pattern-here-yet",
            &["action=\"/patterns/drafts\"", "href=\"/patterns/game"],
        ),
        empty_state("/lab", "laboratory-no-match-was-made-here-yet", &["hx-post=\"/lab/m\""]),
        empty_state("/lab/games", "laboratory-no-games-begin-a-match", &["href=\"/lab\""]),
        empty_state("/lab/campaigns", "laboratory-there-is-no-campaign-in-this", &["ishi campaign run FILE"]),
        empty_state("/strings", "strings-none-yet-choose-a-board-and", &["action=\"/strings\""]),
        empty_state(&deck, "decks-none-yet-say-what-is-wanted", &["/build\""]),
    ]
}

/// Those whose place has something in it after the others were begun.
const BEFORE: [(&str, &str, &[&str]); 2] = [
    (
        "/othello",
        "othello-none-yet-begin-a-game-or",
        &[
            "action=\"/othello\"",
            "action=\"/othello/open\"",
            "href=\"/othello/practice\"",
            "href=\"/othello/openings\"",
        ],
    ),
    (
        "/decks",
        "decks-none-yet-paste-decks-try-a",
        &["action=\"/decks\"", "action=\"/decks/sample\"", "action=\"/decks/learn\""],
    ),
];

/// The texts of a language with their names: those of one line.
fn read_texts(tag: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/texts").join(tag);
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = files.map(|path| std::fs::read_to_string(path).unwrap()).collect::<String>();
    let line = |line: &str| line.split_once(" = ").map(|(id, text)| (id.to_string(), text.to_string()));
    texts.lines().filter(|line| !line.starts_with([' ', '#'])).filter_map(line).collect()
}

/// The words of a text, up to where something is put in.
fn words_of(texts: &[(String, String)], id: &str) -> String {
    let found = texts.iter().find(|(known, _)| known == id);
    let (_, text) = found.unwrap_or_else(|| panic!("there is no text {id}"));
    text.split('{').next().unwrap().trim_end().to_string()
}

/// The texts of English and of Japanese with their names.
type BothTexts = [Vec<(String, String)>; 2];

fn assert_leads_on(bench: &Workbench, state: &EmptyState, texts: &BothTexts) {
    let EmptyState { page, text, ways } = state;
    for (tag, texts) in ["en", "ja"].into_iter().zip(texts) {
        let reply = bench.ask("GET", page, &[("Accept-Language", tag)], "");
        assert_eq!(reply.status, 200, "{page}");
        let words = words_of(texts, text);
        assert!(reply.body.contains(&words), "{page} does not say {words:?}: {}", reply.body);
        for way in *ways {
            assert!(reply.body.contains(way), "{page} says {words:?} and has no {way}: {}", reply.body);
        }
    }
    let places = ways.iter().filter_map(|way| way.strip_prefix("href=\"")?.strip_suffix('"'));
    for place in places {
        assert_eq!(bench.ask("GET", place, &[], "").status, 200, "{page} leads to {place}");
    }
}

#[test]
fn every_empty_state_says_what_to_do_next_and_leads_there() {
    let bench = Workbench::start();
    let texts = ["en", "ja"].map(read_texts);
    let mut told: BTreeSet<&str> = ANSWERS.into();
    for (page, text, ways) in BEFORE {
        assert_leads_on(&bench, &empty_state(page, text, ways), &texts);
        told.insert(text);
    }
    for state in list_empty_states(&bench) {
        assert_leads_on(&bench, &state, &texts);
        told.insert(state.text);
    }
    let beginnings = ["None yet", "No ", "Nothing", "There is no", "There are no", "Not "];
    for (id, text) in &texts[0] {
        let is_told = text.starts_with("Not {") || told.contains(id.as_str());
        let begins = beginnings.iter().any(|beginning| text.starts_with(beginning));
        assert!(!begins || is_told, "{id} ({text:?}) must be tried here as an empty state, or be in ANSWERS");
    }
}
