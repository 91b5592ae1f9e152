//! One's own mistakes as problems in the workbench: what is due, answers, and when they come back.

#![allow(missing_docs, clippy::disallowed_methods)]

use ishi_lab::store::Store;
use serde_json::json;

use crate::support::workbench::{Reply, Workbench};

/// A card that is due since 1970: White's stone alone, Black to move; C3 is better than A9.
fn keep_card(store: &mut Store, key: &str) {
    let words = |english: &str, japanese: &str| json!({ "english": english, "japanese": japanese });
    let card = json!({
        "columns": 9, "rows": 9, "black": ["E5"], "white": ["D5"], "to_move": "B", "komi": 7.0, "rules": "chinese",
        "question": words("Where should Black play?", "黒はどこに打つべきですか。"),
        "answer": words("Better: Black C3.", "もっと良い手：黒C3。"),
        "better": "C3", "played": "A9", "table": "abc", "title": "A game", "number": 3,
        "schedule": { "repetitions": 0, "interval_days": 0, "easiness": 250, "due": 0, "in_session": false },
    });
    assert_eq!(store.keep_document("go-card", key, "A game (3)", &card, 0).unwrap(), Some(1));
}

fn get(bench: &Workbench, path: &str) -> Reply {
    bench.ask("GET", path, &[], "")
}

fn post(bench: &Workbench, path: &str, body: &str) -> Reply {
    bench.ask("POST", path, &[], body)
}

#[test]
fn a_mistake_is_asked_judged_and_asked_again_when_it_is_due() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("ishi.db");
    keep_card(&mut Store::open(&db).unwrap(), "abc-3");
    let bench = Workbench::with(&db);
    assert!(get(&bench, "/go").body.contains("/go/practice"), "there is a way to it");
    assert!(get(&bench, "/go/practice").body.contains("Due now: 1 of 1"));
    let next = get(&bench, "/go/practice/next");
    assert_eq!((next.status, next.place()), (303, "/go/practice/abc-3"));
    let page = get(&bench, "/go/practice/abc-3").body;
    assert!(page.contains("Where should Black play?") && !page.contains("Better: Black C3."), "{page}");
    let wrong = post(&bench, "/go/practice/abc-3", "at=A9").body;
    assert!(wrong.contains("it lost") && wrong.contains("value=\"again\""), "{wrong}");
    // A wrong answer is asked again in the same session.
    let graded = post(&bench, "/go/practice/abc-3/grade", "quality=again&revision=1");
    assert_eq!((graded.status, graded.place()), (303, "/go/practice/next"));
    assert!(get(&bench, "/go/practice").body.contains("Due now: 1 of 1"));
    let right = post(&bench, "/go/practice/abc-3", "at=C3").body;
    assert!(right.contains("Yes, C3.") && right.contains("Better: Black C3."), "{right}");
    assert!(right.contains("value=\"easy\"") && !right.contains("value=\"again\""), "{right}");
    assert_eq!(post(&bench, "/go/practice/abc-3/grade", "quality=good&revision=2").status, 303);
    let overview = get(&bench, "/go/practice").body;
    assert!(overview.contains("Due now: 0 of 1") && overview.contains("in 1 day"), "{overview}");
    assert_eq!(get(&bench, "/go/practice/next").place(), "/go/practice");
    // The same grade sent twice counts once.
    assert_eq!(post(&bench, "/go/practice/abc-3/grade", "quality=good&revision=2").status, 409);
    let japanese = bench.ask("GET", "/go/practice/abc-3", &[("Accept-Language", "ja")], "").body;
    assert!(japanese.contains("黒はどこに打つべきですか。"), "{japanese}");
    assert_eq!(post(&bench, "/go/practice/abc-3/forget", "").status, 303);
    assert!(get(&bench, "/go/practice").body.contains("Due now: 0 of 0"));
}

#[test]
fn what_is_not_there_is_said() {
    let bench = Workbench::start();
    assert_eq!(get(&bench, "/go/practice/none-1").status, 404);
    assert_eq!(post(&bench, "/go/practice/add", "table=none&learner=").status, 404);
    assert_eq!(post(&bench, "/go/practice/none-1", "at=C3").status, 404);
}
