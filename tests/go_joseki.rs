//! `ishi go joseki` and `ishi go learn-joseki` as a user meets them.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::Path;

commands_that_begin_with!(&["go"]);

/// Games in which two corners are played alike, and a third is approached.
fn games(folder: &Path) -> String {
    let mut text = String::from("#id\tsource\n");
    for game in 0..12 {
        let (result, last) = (["B+R", "W+2.5"][game % 2], ["nq", "qn"][game / 8]);
        text += &format!(
            "{game}\tmade-up\t{}\t19\t6.5\t0\t-\t{result}\t9d\t9d\tB\tpddpfqcnpp{last}\n",
            2000 + game
        );
    }
    let path = folder.join("games.txt");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

#[test]
fn the_shipped_joseki_answer() {
    let text = output(&["joseki", "D4"]);
    assert!(text.contains(" 4 . . . X . ."), "{text}");
    assert!(text.contains("\nW F3 ") && text.contains("moves more: --top"), "{text}");
    let report = json(&["joseki", "D4", "--top", "3"]);
    assert_eq!(report["moves"].as_array().unwrap().len(), 3);
    assert_eq!((&report["known"], &report["symmetric"]), (&true.into(), &true.into()));
    // Another corner of the board looks the same with the colours exchanged, and mirrored.
    let approached = json(&["joseki", "D4", "C6"]);
    assert_eq!(approached["symmetric"], false);
    assert_eq!(approached["moves"][0]["count"], json(&["joseki", "w:D4", "b:F3"])["moves"][0]["count"]);
    let far = output(&["joseki", "A1", "K10", "B2", "J9", "C1"]);
    assert!(far.contains("does not know this position"), "{far}");
    // Played elsewhere: White moves again.
    assert_eq!(json(&["joseki", "D4", "C6", "-", "w:F4"])["known"], true);
}

#[test]
fn joseki_are_learned_written_read_and_held_against_games() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path());
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (text, packed, again) = (file("my.txt"), file("my.bin"), file("again.bin"));
    let report =
        json(&["learn-joseki", &games, "--out", &text, "--validate", &games, "--validate-moves", "6"]);
    assert_eq!((&report["games"], &report["validation"]["moves"]), (&12.into(), &72.into()));
    assert_eq!(report["bytes"].as_u64().unwrap(), std::fs::metadata(&text).unwrap().len());
    assert!(report["validation"]["known"].as_f64().unwrap() > 0.9);
    output(&["joseki", "--book", &text, "--out", &packed]);
    output(&["learn-joseki", &games, "--out", &again]);
    assert_eq!(std::fs::read(&packed).unwrap(), std::fs::read(&again).unwrap());
    let shown = json(&["joseki", "--book", &text, "D4", "F3", "C6"]);
    let packed_shown = json(&["joseki", "--book", &packed, "D4", "F3", "C6"]);
    assert_eq!((&shown["known"], &packed_shown["known"]), (&true.into(), &true.into()));
    let first = json(&["joseki", "--book", &text]);
    assert_eq!(first["moves"][0]["count"], 36, "three corners of twelve games");
    assert!(output(&["learn-joseki", &games]).contains("moves in"), "without --out");
    let nothing = refusal(&["learn-joseki", &games, "--out", &text]);
    assert!(nothing.contains("--force"), "{nothing}");
}

#[test]
fn bad_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_string()
    };
    assert!(refusal(&["joseki", "D4", "L3"]).contains("A1 to K10"));
    assert!(refusal(&["joseki", "x:D4"]).contains("b or w"));
    assert!(refusal(&["joseki", "D4", "D4"]).contains("illegal"));
    let wrong = file("wrong.txt", b"ishi-joseki 1\nB D4 1 1 2016 normal\n W D5 x 1 2016 normal\n");
    assert!(refusal(&["joseki", "--book", &wrong]).contains("wrong.txt: line 3: count"));
    let damaged = file("damaged.bin", b"ishi-joseki-packed 1\nxxxxxxxxxxxxxxxx");
    assert!(refusal(&["joseki", "--book", &damaged]).contains("checksum"));
    assert!(refusal(&["joseki", "--book", &file("not.bin", &[0xff, 0xfe, 0])]).contains("neither"));
    assert!(refusal(&["learn-joseki", &file("none.txt", b"#id\n")]).contains("no games"));
    assert!(refusal(&["learn-joseki", &file("bad.txt", b"1\t2\n")]).contains("line 1"));
}
