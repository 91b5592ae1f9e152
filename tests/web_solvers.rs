//! The rooms of strings and decks, over plain HTTP.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::process::Command;

use crate::support::workbench::{Reply, Workbench};
use serde_json::Value;

fn board(bench: &Workbench, fields: &[(&str, &str)]) -> String {
    let reply = bench.form("/strings", fields);
    assert_eq!(reply.status, 303, "{}", reply.body);
    reply.place().to_string()
}

fn done(reply: &Reply) {
    assert_eq!((reply.status, reply.body.as_str()), (204, ""), "events bring what has changed");
}

fn file(bench: &Workbench, path: &str) -> String {
    let reply = bench.ask("GET", path, &[], "");
    assert_eq!(reply.status, 200, "{path}: {}", reply.body);
    assert!(reply.header("content-disposition").unwrap().starts_with("attachment"), "{path}");
    reply.body
}

#[test]
fn a_form_says_which_field_is_wrong() {
    let bench = Workbench::start();
    for fields in [&[("width", "nan"), ("height", "9")][..], &[("height", "9")]] {
        let reply = bench.form("/strings", fields);
        assert!(reply.refused(422).contains("width of the form must be there"), "{}", reply.body);
    }
}

#[test]
fn boards_are_solved_proved_and_drawn() {
    let bench = Workbench::start();
    assert!(bench.page("/strings").contains("61 strings on 9x9"), "there is something to see at once");
    let path = board(&bench, &[("width", "12"), ("height", ""), ("way", "board")]);
    let page = bench.until(&path, "the most possible, proved");
    assert!(page.contains("<b>109</b>") && page.contains("yes: every string has a liberty"), "{page}");
    let json: Value = serde_json::from_str(&file(&bench, &format!("{path}/board.json"))).unwrap();
    assert_eq!((&json["optimal"], &json["found"]["strings"]), (&Value::from(true), &Value::from(109)));
    let work = json["made_by"]["work"].as_str().unwrap();
    assert!(work.starts_with("workbench, strings ") && json["made_by"]["seed"].is_string(), "{json}");
    let rows = file(&bench, &format!("{path}/board.txt"));
    assert_eq!(rows.matches(['X', 'O']).count(), 109);
    let picture = file(&bench, &format!("{path}/board.svg"));
    assert_eq!(picture.matches("<circle").count(), 109);
    assert!(
        picture.contains("<metadata>made by ishi ") && picture.contains(": workbench, strings "),
        "{picture}"
    );
    done(&bench.post(&format!("{path}/prove"), &[]));
    bench.until(&path, "Accepted by the independent checker");
    // The command line's checker accepts what is downloaded.
    let folder = tempfile::tempdir().unwrap();
    let proof = folder.path().join("board.cert");
    std::fs::write(&proof, file(&bench, &format!("{path}/board.cert"))).unwrap();
    let checked =
        Command::new(env!("CARGO_BIN_EXE_ishi")).args(["strings", "check"]).arg(&proof).output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
    let bench = bench.restart();
    assert!(bench.page(&path).contains("Accepted by the independent checker"));
    assert!(bench.japanese(&path).contains("最大であることを証明済み"));
    bench.form(&format!("{path}/forget"), &[]);
    bench.ask("GET", &path, &[], "").refused(404);
}

#[test]
fn boards_of_other_kinds() {
    let bench = Workbench::start();
    let torus = board(&bench, &[("width", "6"), ("height", "4"), ("way", "torus")]);
    assert!(bench.until(&torus, "the most possible, proved").contains("does not know wraps"));
    let rule = board(&bench, &[("width", "40"), ("height", "30"), ("way", "rule")]);
    assert!(bench.until(&rule, "the most possible, proved").contains("(40 + 2)(30 + 2)"));
    let given = board(&bench, &[("width", "3"), ("way", "board"), ("given", "???\r\n?.?\r\n???")]);
    assert!(bench.until(&given, "the most possible, proved").contains("strings"));
    let none = board(&bench, &[("width", "2"), ("way", "board"), ("given", "##\n##")]);
    bench.page(&none);
    for (fields, words) in [
        ([("width", "15"), ("way", "rule"), ("height", "")], "16"),
        ([("width", "500"), ("way", "board"), ("height", "")], "120"),
        ([("width", "5"), ("way", "board"), ("height", "x")], "invalid rows"),
        ([("width", "2"), ("way", "board"), ("given", "???")], "rows of points"),
    ] {
        assert!(bench.form("/strings", &fields).refused(422).contains(words), "{fields:?}");
    }
    assert!(bench.post(&format!("{torus}/prove"), &[]).refused(422).contains("certificates"));
}

/// A wish for ten of the thirty pieces, with something more.
fn wish<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut fields = vec![
        ("size_least", "10"),
        ("size_most", "10"),
        ("limit_0", "90"),
        ("leader", "any"),
        ("seconds", "60"),
    ];
    fields.extend_from_slice(more);
    fields
}

fn decks(bench: &Workbench, path: &str) -> Value {
    serde_json::from_str(&file(bench, &format!("{path}/decks.json"))).unwrap()
}

#[test]
fn decks_are_built_and_compared() {
    let bench = Workbench::start();
    let path = bench.form("/decks/sample", &[("which", "thirty")]).place().to_string();
    let page = bench.page(&path);
    assert!(
        page.contains("Torchbearer") && page.contains("value=\"90\""),
        "pieces and what is wanted: {page}"
    );
    done(&bench.post(&format!("{path}/build"), &wish(&[])));
    bench.until(&path, "best, proved");
    let first = decks(&bench, &path)[0].clone();
    let deck = first["answer"]["deck"].as_array().unwrap();
    assert_eq!(deck.len(), 10);
    assert_eq!(first["answer"]["value"], first["answer"]["bound"]);
    // Without the piece that was best, the best is worse.
    let names: Vec<&str> = deck.iter().map(|name| name.as_str().unwrap()).collect();
    let banned = page_index(&page, names[1]);
    let kept = page_index(&page, names[2]);
    done(&bench.post(&format!("{path}/build"), &wish(&[(&banned, "banned"), (&kept, "fixed")])));
    bench.until(&path, "id=\"decks-pairs-2\"");
    let both = decks(&bench, &path);
    assert!(both[1]["made_by"]["version"].as_str().unwrap().starts_with("ishi "), "{both}");
    let second = both[1]["answer"]["deck"].as_array().unwrap();
    assert!(!second.contains(&names[1].into()) && second.contains(&names[2].into()));
    assert!(both[1]["answer"]["value"].as_f64() <= first["answer"]["value"].as_f64());
    let pairs = bench.part(&format!("{path}/pairs?deck=1"));
    assert!(pairs.part().contains("<svg") && pairs.part().contains("Strongest pairs"));
    assert!(bench.page(&format!("{path}/pairs?deck=2")).contains("Pairs of deck 2"));
    let picture = file(&bench, &format!("{path}/pairs-1.svg"));
    assert!(picture.starts_with("<svg") && picture.contains("<metadata>made by ishi "), "{picture}");
    assert!(picture.contains(", deck 1</metadata>"), "{picture}");
    let bench = bench.restart();
    assert!(bench.page(&path).contains("id=\"decks-pairs-2\""));
    done(&bench.post(&format!("{path}/drop/1"), &[]));
    assert!(!bench.page(&path).contains("id=\"decks-pairs-1\""));
    bench.part(&format!("{path}/pairs?deck=1")).refused(404);
    assert!(bench.japanese(&path).contains("最良（証明済み）"));
}

/// The field of a piece in the form.
fn page_index(page: &str, name: &str) -> String {
    let (before, _) = page.split_once(&format!(" aria-label=\"{name}\"")).unwrap();
    let (_, field) = before.rsplit_once("name=\"").unwrap();
    field.trim_end_matches('"').to_string()
}

/// Lists as programs write them: forty decks of two sorts, the first of which is played twice as often.
fn pasted_lists() -> String {
    let first = "Deck\n4 Ant (SET) 1\n4 Bee (SET) 2\n4 Cow (SET) 3\n\nSideboard\n2 Emu (SET) 9\n";
    let second = "Deck\n1x Dog [SET]\n4 Elk *F*\n4 Fox\n";
    [first, first, second].into_iter().cycle().take(40).collect::<Vec<_>>().join("\n")
}

#[test]
fn scores_are_learned_from_pasted_lists() {
    let bench = Workbench::start();
    let text = pasted_lists();
    // What is refused is told to the form, which keeps what was typed.
    let refused = bench.post("/decks/learn", &[("text", "4 Ant\nwhat is this\n4 Bee\n"), ("title", "")]);
    assert!(refused.refused(422).contains("line 2"), "{}", refused.body);
    let sent = bench.post("/decks/learn", &[("text", &text), ("title", "")]);
    let path = sent.header("hx-redirect").unwrap().to_string();
    // The first deck is built without another word.
    let page = bench.until(&path, "best, proved");
    assert!(page.contains("40 decks") && !page.contains("Emu"), "a sideboard is in no deck: {page}");
    let deck = decks(&bench, &path)[0]["answer"]["deck"].clone();
    let names: Vec<&str> = deck.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(names, ["Ant", "Bee", "Cow"]);
    let list = file(&bench, &format!("{path}/deck-1.txt"));
    assert_eq!(list, "Deck\n1 Ant\n1 Bee\n1 Cow\n");
    let why = |card: &str| bench.post(&format!("{path}/why"), &[("card", card)]);
    assert!(why("Bee").body.contains("is in the best deck"), "{}", why("Bee").body);
    assert!(why("Dog").body.contains("With it the best is"), "{}", why("Dog").body);
    assert!(why("Emu").refused(422).contains("Emu"));
    // Who owns all but one of a sort is told of that one.
    let next = bench.post(&format!("{path}/next"), &[("owned", "Ant\nCow\nDog\n")]);
    assert!(next.body.contains("<strong>Bee</strong>"), "{}", next.body);
    assert!(bench.page(&path).contains("Ant\nCow\nDog"), "what is owned is kept");
}

#[test]
fn tables_are_loaded_and_mistakes_named() {
    let bench = Workbench::start();
    let pieces = "name,cost,attributes\nAnt,3,red\nBee,4,red\nCat,5,blue\n";
    let loaded =
        bench.form("/decks", &[("text", pieces), ("pairs", "a,b,score\nAnt,Bee,7\n"), ("title", "garden")]);
    let path = loaded.place().to_string();
    assert!(bench.page(&path).contains("garden"));
    let two = [("size_least", "2"), ("size_most", "2"), ("leader", "none")];
    done(&bench.post(&format!("{path}/build"), &two));
    bench.until(&path, "best, proved");
    assert_eq!(decks(&bench, &path)[0]["answer"]["value"], 7.0);
    // No such deck: the reason is told.
    let dear = [("size_least", "2"), ("size_most", "2"), ("limit_0", "5"), ("leader", "none")];
    done(&bench.post(&format!("{path}/build"), &dear));
    bench.until(&path, "there is none");
    let wrong = [("size_least", "two"), ("size_most", "2")];
    assert!(bench.post(&format!("{path}/build"), &wrong).refused(422).contains("\"two\""));
    for (text, words) in [("{\"pieces\": 7}", "pieces"), ("cost\n3\n", "name"), ("", "")] {
        assert!(bench.form("/decks", &[("text", text)]).refused(422).contains(words), "{text:?}");
    }
    let generated = bench.form("/decks/sample", &[("which", "generated")]).place().to_string();
    assert!(bench.page(&generated).contains("120 pieces"));
}
