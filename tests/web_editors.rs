//! The rooms of patterns and joseki: a real server, driven as a browser drives it.

#![allow(missing_docs, clippy::disallowed_methods)]

use crate::support::workbench::{Reply, Workbench, check_page, hidden};

const SGF: &str = "(;GM[1]SZ[19];B[pd];W[dp];B[pp];W[dd];B[fq];W[cn];B[jp];W[qf];B[nd];W[rd];B[qc];W[qi])";

/// What stands between two texts.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("no {from:?} in {text}"));
    rest.split(to).next().unwrap()
}

fn key_of(place: &str) -> String {
    let key = place.rsplit(['=', '/']).next().unwrap().to_string();
    assert!(key.len() == 10, "{place}");
    key
}

#[test]
fn thirty_six_patterns_stand_on_a_page_and_are_searched() {
    let bench = Workbench::start();
    let page = bench.page("/patterns");
    assert_eq!(page.matches("class=\"tile\"").count(), 36);
    assert!(page.contains("page 1/183"), "6,572 patterns");
    assert!(bench.japanese("/patterns").contains("ページ"));
    let last = bench.part("/patterns?page=183");
    assert_eq!(last.part().matches("class=\"tile\"").count(), 6572 - 36 * 182);
    let found = bench.part("/patterns?q=crosscut");
    assert!(found.part().contains("crosscut-extend"), "{}", found.body);
    let in_japanese = bench.japanese("/patterns?q=%E3%82%B5%E3%83%AB%E3%82%B9%E3%83%99%E3%83%AA");
    assert!(in_japanese.contains("/patterns/p/shipped/monkey-jump") && in_japanese.contains("手作り (13)"));
    let by_hand = bench.part("/patterns?source=hand-made");
    assert_eq!(by_hand.part().matches("class=\"tile\"").count(), 13);
    let bad = bench.part("/patterns?kind=bad&source=hand-made");
    assert!(bad.part().matches("class=\"tile\"").count() < 13);
    assert!(bench.page("/patterns/p/shipped/crosscut-extend").contains("Eight symmetries"));
    assert_eq!(bench.ask("GET", "/patterns/p/shipped/nothing", &[], "").status, 404);
    assert_eq!(bench.ask("GET", "/patterns?c=aaaaaaaaaa", &[], "").status, 404);
}

/// The editor of a pattern, as a browser holds it.
struct Editor<'a> {
    bench: &'a Workbench,
    path: String,
    part: String,
}

impl Editor<'_> {
    fn open<'a>(bench: &'a Workbench, path: &str) -> Editor<'a> {
        Editor { bench, path: path.to_string(), part: bench.page(path) }
    }

    fn send(&mut self, fields: &[(&str, &str)]) -> Reply {
        let (revision, path) = (hidden(&self.part, "revision"), hidden(&self.part, "path"));
        let mut all = vec![("revision", revision.as_str()), ("path", path.as_str())];
        all.extend(fields);
        self.bench.post(&self.path, &all)
    }

    fn does(&mut self, fields: &[(&str, &str)]) {
        self.part = self.send(fields).part().to_string();
    }

    fn text(&self) -> &str {
        between(&self.part, "<pre tabindex=\"0\">", "</pre>")
    }

    fn save(&self) -> Reply {
        let revision = hidden(&self.part, "revision");
        self.bench.post(&format!("{}/save", self.path), &[("revision", &revision)])
    }
}

#[test]
fn a_pattern_is_made_checked_saved_changed_undone_and_exported() {
    let bench = Workbench::start();
    let place = bench.post("/patterns/collections", &[("title", "Mine & yours")]).place().to_string();
    let collection = key_of(&place);
    assert!(bench.page(&place).contains("Mine &amp; yours"));
    let draft = bench.form("/patterns/drafts", &[("collection", &collection)]).place().to_string();
    let mut editor = Editor::open(&bench, &draft);
    assert!(editor.part.contains("it has no move"), "the library's own words");
    assert!(editor.save().refused(422).contains("it has no move"));
    for (at, tool) in [("C3", "X"), ("D3", "O"), ("C2", "."), ("D2", "."), ("B3", "x"), ("E3", "%")] {
        editor.does(&[("at", at), ("tool", tool)]);
    }
    editor.does(&[("at", "C2"), ("tool", "c")]);
    assert!(editor.text().contains(": ? ? x . ?"), "the next sign after empty: {}", editor.text());
    editor.does(&[("do", "undo")]);
    editor.does(&[("at", "D2"), ("tool", "B")]);
    editor.does(&[("at", "C2"), ("tool", "W")]);
    assert!(editor.text().contains("B D2 0 0 normal\n W C2 0 0 normal"), "{}", editor.text());
    editor.does(&[
        ("do", "move"),
        ("kind", "urgent"),
        ("played", "7"),
        ("won", "3"),
        ("en", "cuts"),
        ("ja", "切る"),
    ]);
    assert!(editor.text().contains(" W C2 7 3 urgent\n  en cuts\n  ja 切る"), "{}", editor.text());
    assert!(
        editor
            .send(&[("do", "move"), ("kind", "urgent"), ("played", "x"), ("won", "3")])
            .refused(422)
            .contains("played")
    );
    editor.does(&[("do", "attribute"), ("at", "D3"), ("claim", "least"), ("count", "2")]);
    assert!(editor.text().contains("at D3 liberties 2+"));
    editor.does(&[
        ("do", "facts"),
        ("name", "my-hane"),
        ("source", "me"),
        ("seen", "0"),
        ("en", "a hane"),
        ("ja", ""),
    ]);
    assert!(editor.part.contains("it can be saved"), "{}", editor.part);
    assert!(editor.send(&[("at", "H8"), ("tool", "X")]).refused(422).contains("outside the frame"));
    assert_eq!(editor.part.matches("class=\"tile\"").count(), 16, "eight symmetries, both colours");

    // A second tab with what it saw before is told.
    let stale = bench.post(&draft, &[("revision", "1"), ("at", "A1"), ("tool", "X")]);
    assert!(stale.refused(409).contains("another tab"));

    let saved = editor.save();
    let place = saved.place().to_string();
    assert_eq!(place, format!("/patterns/p/{collection}/my-hane"));
    assert!(bench.page(&place).contains("a hane"));
    assert_eq!(bench.ask("GET", &draft, &[], "").status, 404, "the draft has become the pattern");

    // All of it outlives the server.
    let bench = bench.restart();
    let text = bench.ask("GET", &format!("/patterns/c/{collection}/text"), &[], "");
    assert!(text.header("content-disposition").unwrap().contains("Mine---yours.txt"));
    ishi_patterns::library::text::parse_library(&text.body).unwrap();
    assert!(text.body.contains("pattern my-hane\nsource me\n"), "{}", text.body);

    // Two tabs change the same pattern: the second is told and nothing is lost.
    let fields = [("collection", collection.as_str()), ("name", "my-hane")];
    let drafts = [(); 2].map(|()| bench.form("/patterns/drafts", &fields).place().to_string());
    assert!(bench.page(&format!("/patterns?c={collection}")).contains(&drafts[0]), "drafts are found again");
    let mut tabs = drafts.each_ref().map(|draft| Editor::open(&bench, draft));
    tabs[0].does(&[("at", "A1"), ("tool", "X")]);
    tabs[1].does(&[("at", "A2"), ("tool", "O")]);
    assert!(tabs[0].save().place().ends_with("/my-hane"));
    assert!(tabs[1].save().refused(409).contains("another tab"));
    tabs[1].part = bench.page(&drafts[1]);

    // The collection is undone and done again.
    let sheet = format!("/patterns?c={collection}");
    let export = format!("/patterns/c/{collection}/text");
    let changed = bench.ask("GET", &export, &[], "").body;
    let revision = hidden(&bench.page(&sheet), "revision");
    bench.form(&format!("/patterns/c/{collection}/undo"), &[("revision", &revision)]);
    assert_eq!(bench.ask("GET", &export, &[], "").body, text.body);
    let refused = bench.post(&format!("/patterns/c/{collection}/redo"), &[("revision", &revision)]);
    assert!(refused.refused(409).contains("another tab"));
    let revision = hidden(&bench.page(&sheet), "revision");
    bench.form(&format!("/patterns/c/{collection}/redo"), &[("revision", &revision)]);
    assert_eq!(bench.ask("GET", &export, &[], "").body, changed);

    // Imports are checked line by line and taken whole or not at all.
    let import = format!("/patterns/c/{collection}/import");
    let revision = hidden(&bench.page(&sheet), "revision");
    let taken = bench.post(&import, &[("revision", &revision), ("text", &changed)]);
    assert!(taken.refused(422).contains("is taken"));
    let wrong = bench.post(&import, &[("revision", &revision), ("text", "ishi-shapes 1\npattern x\n: Z\n")]);
    assert!(wrong.refused(422).contains("line 3"));
    let more = changed.replace("my-hane", "other");
    assert_eq!(bench.post(&import, &[("revision", &revision), ("text", &more)]).place(), sheet);
    assert_eq!(bench.page(&sheet).matches("class=\"tile\"").count(), 2);
    let revision = hidden(&bench.page(&sheet), "revision");
    bench.form(&format!("/patterns/p/{collection}/other/remove"), &[("revision", &revision)]);
    assert_eq!(bench.page(&sheet).matches("class=\"tile\"").count(), 1);
    assert!(bench.japanese(&sheet).contains("元に戻す"));
}

/// Another tab is not told of a change where there is none.
#[test]
fn a_collection_without_changes_is_not_kept_anew() {
    let bench = Workbench::start();
    let place = bench.post("/patterns/collections", &[("title", "Mine")]).place().to_string();
    let seen = hidden(&bench.page(&place), "revision");
    for deed in ["undo", "redo"] {
        let address = format!("/patterns/c/{}/{deed}", key_of(&place));
        assert_eq!(bench.post(&address, &[("revision", &seen)]).place(), place);
        assert_eq!(hidden(&bench.page(&place), "revision"), seen, "{deed}");
    }
}

#[test]
fn shipped_patterns_are_copied_not_changed() {
    let bench = Workbench::start();
    let fields = [("collection", "new"), ("from", "shipped"), ("name", "crosscut-extend")];
    let draft = bench.form("/patterns/drafts", &fields).place().to_string();
    let mut editor = Editor::open(&bench, &draft);
    let before = editor.text().to_string();
    for _ in 0..4 {
        editor.does(&[("do", "turn"), ("by", "5")]);
    }
    editor.does(&[("do", "exchange")]);
    editor.does(&[("do", "exchange")]);
    assert_eq!(editor.text(), before);
    assert!(editor.save().place().ends_with("/crosscut-extend"));
    let revision = [("revision", "0")];
    assert!(
        bench
            .post("/patterns/p/shipped/crosscut-extend/remove", &revision)
            .refused(422)
            .contains("not changed")
    );
}

#[test]
fn matches_are_shown_in_a_game_move_by_move() {
    let bench = Workbench::start();
    assert!(bench.post("/patterns/game", &[("sgf", "hello")]).refused(422).contains("SGF"));
    let place = bench.post("/patterns/game", &[("sgf", SGF)]).place().to_string();
    let page = bench.page(&place);
    assert!(page.contains("12/12"), "{page}");
    let count: usize = between(&page, "Matches: ", "<").trim().parse().unwrap();
    assert!(count > 0);
    let game = place.split('?').next().unwrap();
    let start = bench.part(&format!("{game}?move=0"));
    assert!(start.part().contains("0/12"));
    let chosen = bench.part(&format!("{game}?at=0"));
    assert!(chosen.part().contains("fill-opacity=\"0.35\""), "the points of the pattern are shaded");
    let name = between(&page, "/patterns/p/shipped/", "\"").to_string();
    let one = bench.part(&format!("{game}?pattern={name}"));
    let after = between(one.part(), "It matches after moves: ", "</p>");
    assert!(after.contains(">12</a>"), "{name}: {after}");
    // A pattern is cut out around an empty point.
    let cut = format!("{game}/cut");
    assert!(
        bench
            .post(&cut, &[("at", "Q16"), ("c", "new"), ("move", "12")])
            .refused(422)
            .contains("a stone stands")
    );
    assert!(
        bench.post(&cut, &[("at", "I5"), ("c", "new"), ("move", "12")]).refused(422).contains("column I")
    );
    let draft = bench.post(&cut, &[("at", "R18"), ("c", "new"), ("move", "12")]).place().to_string();
    let editor = Editor::open(&bench, &draft);
    assert!(editor.text().contains("pattern move-13\nsource cut out of a game\n"), "{}", editor.text());
    assert!(editor.save().place().ends_with("/move-13"));
    // The page is there after a restart.
    let bench = bench.restart();
    check_page(&place, &bench.page(&place));
    assert!(bench.page("/patterns/game").contains("12 moves"));
}

#[test]
fn joseki_are_walked_from_the_empty_corner() {
    let bench = Workbench::start();
    let page = bench.page("/joseki");
    assert!(page.contains(">B D4</a>") && page.contains(">46000<") && page.contains("are rounded"));
    let next = bench.post("/joseki", &[("at", "D4"), ("c", "shipped"), ("line", ""), ("revision", "0")]);
    assert_eq!(next.header("hx-push-url"), Some("/joseki?c=shipped&line=bD4"));
    assert!(next.part().contains("W F3") || next.part().contains("W C6"), "{}", next.body);
    let taken = bench.post("/joseki", &[("at", "D4"), ("c", "shipped"), ("line", "bD4")]);
    assert!(taken.refused(422).contains("illegal"));
    let deep = bench.page("/joseki?line=bD4.wF3.bC6");
    assert!(deep.contains("transpositions") || deep.contains("What follows"));
    assert!(bench.part("/joseki?line=bZ9").refused(422).contains("bD4.wF3"));
    assert!(bench.japanese("/joseki?line=bD4").contains("続く手"));
}

#[test]
fn joseki_of_ones_own_are_added_changed_undone_and_kept() {
    let bench = Workbench::start();
    let place = bench.post("/joseki/collections", &[("title", "Corner notes")]).place().to_string();
    let key = between(&place, "c=", "&").to_string();
    let edit = format!("/joseki/c/{key}/edit");
    let mut part = bench.page(&place);
    let mut line = String::new();
    for at in ["D4", "C6", "F3"] {
        let revision = hidden(&part, "revision");
        let fields =
            [("at", at), ("c", key.as_str()), ("line", line.as_str()), ("revision", revision.as_str())];
        part = bench.post("/joseki", &fields).part().to_string();
        line = hidden(&part, "line");
    }
    assert_eq!(line, "bD4.wC6.bF3");
    let revision = hidden(&part, "revision");
    let change = [
        ("do", "change"),
        ("line", &line),
        ("revision", &revision),
        ("kind", "urgent"),
        ("count", "9"),
        ("score", "10"),
        ("year", "2001"),
        ("en", "keeps the corner"),
        ("ja", "隅を守る"),
    ];
    let changed = bench.post(&edit, &change);
    assert!(changed.part().contains("keeps the corner"));
    assert!(bench.post(&edit, &change).refused(409).contains("another tab"));
    let revision = hidden(changed.part(), "revision");
    let wrong = [
        ("do", "change"),
        ("line", &line),
        ("revision", &revision),
        ("kind", "bad"),
        ("count", "1"),
        ("score", "3"),
        ("year", "0"),
    ];
    assert!(bench.post(&edit, &wrong).refused(422).contains("2 at most"));

    let bench = bench.restart();
    let export = format!("/joseki/c/{key}/text");
    let text = bench.ask("GET", &export, &[], "").body;
    let joseki = ishi_patterns::joseki::text::parse_joseki(&text).unwrap();
    assert_eq!(joseki.move_count(), 3);
    assert!(text.contains("9 10 2001 urgent\n   en keeps the corner\n   ja 隅を守る\n"), "{text}");

    // Deleting, undoing, doing again.
    let removed = bench.post(&edit, &[("do", "remove"), ("line", "bD4.wC6"), ("revision", &revision)]);
    assert_eq!(removed.header("hx-push-url"), Some(format!("/joseki?c={key}&line=bD4").as_str()));
    let revision = hidden(removed.part(), "revision");
    let undone = bench.post(&edit, &[("do", "undo"), ("line", "bD4"), ("revision", &revision)]);
    assert_eq!(bench.ask("GET", &export, &[], "").body, text);
    let revision = hidden(undone.part(), "revision");
    let redone = bench.post(&edit, &[("do", "redo"), ("line", "bD4"), ("revision", &revision)]);
    assert!(!bench.ask("GET", &export, &[], "").body.contains("urgent"));

    // What another text knows is taken in; the shipped joseki are not changed.
    let revision = hidden(redone.part(), "revision");
    let import = format!("/joseki/c/{key}/import");
    assert!(
        bench
            .post(&import, &[("revision", &revision), ("text", "nonsense")])
            .refused(422)
            .contains("ishi-joseki 1")
    );
    bench.post(&import, &[("revision", &revision), ("text", &text)]).place();
    assert_eq!(
        ishi_patterns::joseki::text::parse_joseki(&bench.ask("GET", &export, &[], "").body).unwrap(),
        joseki
    );
    assert!(
        bench
            .post("/joseki/c/shipped/edit", &[("do", "remove"), ("line", "bD4")])
            .refused(422)
            .contains("not changed")
    );
}

/// In both rooms alike: as the page has seen it, with a title, and never the shipped one.
#[test]
fn collections_of_ones_own_are_renamed_and_deleted() {
    let bench = Workbench::start();
    for room in ["patterns", "joseki"] {
        let place = bench.post(&format!("/{room}/collections"), &[("title", "First title")]);
        let place = place.place().to_string();
        let key = between(&place, "c=", "&").to_string();
        let address = |deed: &str| format!("/{room}/c/{key}/{deed}");
        let rename = |revision: &str, title: &str| {
            bench.post(&address("title"), &[("revision", revision), ("title", title)])
        };
        let forget = |revision: &str| bench.post(&address("forget"), &[("revision", revision)]);

        let seen = hidden(&bench.page(&place), "revision");
        assert!(rename(&seen, " ").refused(422).contains("one line"), "{room}");
        assert_eq!(rename(&seen, "Second title").place(), place);
        let page = bench.page(&place);
        assert!(page.contains("Second title") && !page.contains("First title"), "{room}: {page}");

        // Another tab has not seen the new title.
        assert!(rename(&seen, "Third title").refused(409).contains("another tab"), "{room}");
        assert!(forget(&seen).refused(409).contains("another tab"), "{room}");
        let page = bench.page(&place);
        assert!(page.contains("Second title") && !page.contains("Third title"), "{room}: {page}");

        for (deed, title) in [("title", "Mine"), ("forget", "")] {
            let fields = [("revision", "0"), ("title", title)];
            let refused = bench.post(&format!("/{room}/c/shipped/{deed}"), &fields);
            assert!(refused.refused(422).contains("not changed"), "{room} {deed}");
        }

        assert_eq!(forget(&hidden(&page, "revision")).place(), format!("/{room}"));
        assert_eq!(bench.ask("GET", &address("text"), &[], "").status, 404, "{room}");
        assert!(!bench.page(&format!("/{room}")).contains("Second title"), "{room}");
    }
}
