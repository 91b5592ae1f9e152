//! One's own mistakes as problems in the workbench, and openings to practise: what is due, answers, and when they come back.

#![allow(missing_docs, clippy::disallowed_methods)]

use ishi_lab::store::Store;
use ishi_othello::Position;
use ishi_othello_play::book::Book;
use ishi_othello_play::practice::list_good_moves;
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
    assert!(page.contains("href=\"/go/abc#lesson-3\""), "the game opens at the lesson: {page}");
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

/// White's first move of a game in which Black began with f5: d6 is best, f4 as good, and f6 was played.
fn keep_othello_card(store: &mut Store, key: &str) {
    let position = Position::from_transcript("f5").unwrap().to_line();
    let card = json!({
        "position": position, "answers": ["d6", "f4"], "played": "f6",
        "answer": { "english": "d6, f4 (-2)", "japanese": "d6、f4" },
        "table": "abc", "title": "A game", "number": 2,
        "schedule": { "repetitions": 0, "interval_days": 0, "easiness": 250, "due": 0, "in_session": false },
    });
    assert_eq!(store.keep_document("othello-card", key, "A game (2)", &card, 0).unwrap(), Some(1));
}

#[test]
fn a_mistake_of_othello_is_asked_judged_and_asked_again_when_it_is_due() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("ishi.db");
    keep_othello_card(&mut Store::open(&db).unwrap(), "abc-2");
    let bench = Workbench::with(&db);
    assert!(get(&bench, "/othello").body.contains("/othello/practice"), "there is a way to it");
    assert!(get(&bench, "/othello/practice").body.contains("Due now: 1 of 1"));
    assert_eq!(get(&bench, "/othello/practice/next").place(), "/othello/practice/abc-2");
    let page = get(&bench, "/othello/practice/abc-2").body;
    assert!(page.contains("White to play. What is the best move?") && !page.contains("d6, f4"), "{page}");
    assert!(page.contains("href=\"/othello/abc#lesson-2\""), "the game opens at the lesson: {page}");
    assert_eq!(post(&bench, "/othello/practice/abc-2", "at=a1").status, 422, "it turns nothing");
    let played = post(&bench, "/othello/practice/abc-2", "at=f6").body;
    assert!(played.contains("it lost") && played.contains("value=\"again\""), "{played}");
    for (square, words) in [("d6", "Yes, d6."), ("f4", "f4 is as good.")] {
        let right = post(&bench, "/othello/practice/abc-2", &format!("at={square}")).body;
        assert!(right.contains(words) && right.contains("value=\"easy\""), "{right}");
    }
    let graded = post(&bench, "/othello/practice/abc-2/grade", "quality=good&revision=1");
    assert_eq!((graded.status, graded.place()), (303, "/othello/practice/next"));
    let overview = get(&bench, "/othello/practice").body;
    assert!(overview.contains("Due now: 0 of 1") && overview.contains("in 1 day"), "{overview}");
    assert_eq!(get(&bench, "/othello/practice/next").place(), "/othello/practice");
    let japanese = bench.ask("GET", "/othello/practice/abc-2", &[("Accept-Language", "ja")], "").body;
    assert!(japanese.contains("最善手はどこですか"), "{japanese}");
    assert_eq!(post(&bench, "/othello/practice/abc-2/forget", "").status, 303);
    assert!(get(&bench, "/othello/practice").body.contains("Due now: 0 of 0"));
}

/// What stands between two texts of a page.
fn between<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = page.split_once(before).unwrap_or_else(|| panic!("no {before} in {page}"));
    rest.split(after).next().unwrap_or_default()
}

/// The moves that lead to the opening that is asked.
fn asked_moves(bench: &Workbench) -> String {
    between(&get(bench, "/othello/openings").body, "name=\"asked\" value=\"", "\"").to_string()
}

#[test]
fn openings_are_asked_on_a_page_and_what_was_missed_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("ishi.db");
    let bench = Workbench::with(&db);
    assert!(get(&bench, "/othello").body.contains("/othello/openings"), "there is a way to it");
    assert!(get(&bench, "/othello/openings").body.contains("Positions of the opening book are asked."));
    assert_eq!(post(&bench, "/othello/openings", "color=B&from=f5f5").status, 422);
    assert_eq!(post(&bench, "/othello/openings", "color=B&from=f5d6").place(), "/othello/openings");
    let first = asked_moves(&bench);
    assert!(first.starts_with("f5d6"), "{first}");
    let unknown = post(&bench, "/othello/openings/answer", &format!("asked={first}&at=")).body;
    assert!(unknown.contains("Good moves") && unknown.contains("href=\"/othello/openings\""), "{unknown}");
    let answer = between(&unknown, "<li>", " ").to_string();
    // An answer that is sent twice counts once.
    assert_eq!(post(&bench, "/othello/openings/answer", &format!("asked={first}&at={answer}")).status, 409);
    assert_ne!(asked_moves(&bench), first, "it is asked again behind the others");
    let mut answered = 0;
    while !get(&bench, "/othello/openings").body.contains("id=\"result\"") {
        let asked = asked_moves(&bench);
        let position = Position::from_transcript(&asked).unwrap();
        let good = list_good_moves(Book::builtin(), position.board())[0].square;
        let told = post(&bench, "/othello/openings/answer", &format!("asked={asked}&at={good}")).body;
        assert!(told.contains(&format!("Yes, {good}.")), "{told}");
        answered += 1;
        assert!(answered <= 10, "the session does not end");
    }
    let done = get(&bench, "/othello/openings").body;
    assert!(done.contains("1 missed.") && done.contains("1 position will come back"), "{done}");
    post(&bench, "/othello/openings", "color=&from=");
    assert_eq!(asked_moves(&bench), first, "it comes back in the next session");
}

#[test]
fn what_is_not_there_is_said() {
    let bench = Workbench::start();
    assert_eq!(get(&bench, "/go/practice/none-1").status, 404);
    assert_eq!(post(&bench, "/go/practice/add", "table=none&learner=").status, 404);
    assert_eq!(post(&bench, "/go/practice/none-1", "at=C3").status, 404);
    assert_eq!(get(&bench, "/othello/practice/none-1").status, 404);
    assert_eq!(post(&bench, "/othello/practice/add", "table=none&learner=").status, 404);
    assert_eq!(post(&bench, "/othello/openings/answer", "asked=f5&at=d6").status, 409, "nothing is asked");
}
