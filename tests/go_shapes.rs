//! `ishi go shapes`, `ishi go learn-shapes` and `ishi go study --cut` as a user meets them.

#![allow(missing_docs, clippy::disallowed_methods)]

use crate::support::program::file;

commands_that_begin_with!(&["go"]);

/// A star point is approached, answered, and a stone is cut off elsewhere.
const GAME: &str = "(;GM[1]FF[4]SZ[19]KM[6.5];B[pd];W[dp];B[pp];W[qn];B[nq];W[dd];B[fq];W[cn])";

#[test]
fn the_shipped_patterns_are_listed_shown_and_checked() {
    let checked = json(&["shapes", "--check"]);
    assert!(checked["patterns"].as_u64().unwrap() >= 1_000, "{checked}");
    assert!(checked["packed_bytes"].as_u64().unwrap() < 1 << 20, "{checked}");
    assert!(checked["sources"]["hand-made"].as_u64().unwrap() > 5);
    let page = json(&["shapes", "corner-", "--page", "2"]);
    assert_eq!(page["shown"].as_array().unwrap().len(), 36, "36 a page");
    assert!(page["shown"][0]["name"].as_str().unwrap().starts_with("corner-"));
    assert!(output(&["shapes", "monkey"]).contains("monkey-jump"));
    assert_eq!(output(&["shapes", "zzz"]), "no pattern has \"zzz\" in its name, source or words\n");
    let shown = output(&["shapes", "--show", "monkey-jump"]);
    assert!(
        shown.contains("pattern monkey-jump\n") && shown.contains("\nB D1 0 0 normal\n en slides"),
        "{shown}"
    );
    assert!(refusal(&["shapes", "--show", "monkey"]).contains("there are monkey-jump"));
    assert!(refusal(&["shapes", "monkey", "--page", "9"]).contains("pages 1 to 1"));
}

#[test]
fn a_record_is_matched() {
    let folder = tempfile::tempdir().unwrap();
    let game = file(folder.path(), "game.sgf", GAME);
    // Black answers the approach to Q4.
    let report = json(&["shapes", "--match", &game, "--move", "5"]);
    assert_eq!(report["to_move"], "black");
    let suggested = report["suggested"].as_array().unwrap();
    let answer = suggested.iter().find(|found| found["point"] == "O3").unwrap();
    let number = |key: &str| answer[key].as_u64().unwrap();
    assert!(number("seen") >= number("played") && number("played") > number("won") && number("won") > 0);
    assert_eq!(answer["sequence"][0], "B:O3");
    let text = output(&["shapes", "--match", &game, "--move", "5", "--no-fates"]);
    assert!(text.contains("black to move") && text.contains("O3"), "{text}");
    assert!(refusal(&["shapes", "--match", &game, "--move", "99"]).contains("moves 1 to 8"));
}

#[test]
fn files_are_edited_and_turned_into_one_another() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let one = "ishi-shapes 1\n\npattern one\nsource test\n: X O\n: . .\nB A1 3 2 normal\n";
    let (text, two) =
        (file(folder.path(), "one.txt", one), file(folder.path(), "two.txt", one.replace("one", "two")));
    let (packed, again) = (place("one.bin"), place("again.txt"));
    output(&["shapes", "--library", &text, "--out", &packed]);
    output(&["shapes", "--library", &packed, "--out", &again]);
    assert_eq!(std::fs::read_to_string(&again).unwrap(), one);
    assert!(refusal(&["shapes", "--library", &text, "--out", &packed]).contains("--force"));
    output(&["shapes", "--library", &packed, "--add", &two, "--remove", "one", "--out", &again, "--force"]);
    assert_eq!(std::fs::read_to_string(&again).unwrap(), one.replace("one", "two"));
    let other = file(folder.path(), "other.txt", one.replace("3 2", "9 4"));
    output(&["shapes", "--library", &packed, "--replace", &other, "--out", &again, "--force"]);
    assert!(std::fs::read_to_string(&again).unwrap().contains("B A1 9 4 normal"));
    // What cannot be done changes nothing.
    let before = std::fs::read(&again).unwrap();
    let taken = refusal(&["shapes", "--library", &packed, "--add", &other, "--out", &again, "--force"]);
    assert!(taken.contains("other.txt") && taken.contains("taken"), "{taken}");
    assert!(
        refusal(&["shapes", "--library", &packed, "--remove", "none", "--out", &again, "--force"])
            .contains("none")
    );
    assert_eq!(std::fs::read(&again).unwrap(), before);
}

#[test]
fn bad_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, content: &[u8]| {
        refusal(&["shapes", "--check", "--library", &file(folder.path(), name, content)])
    };
    let wrong = check("wrong.txt", b"ishi-shapes 1\npattern x\n: X Q\n");
    assert!(wrong.contains("wrong.txt: line 3: 'Q' is no sign"), "{wrong}");
    assert!(check("old.txt", b"ishi-joseki 1\n").contains("ishi-shapes 1"));
    assert!(check("damaged.bin", b"ishi-shapes-packed 1\nxxxxxxxxxxxx").contains("checksum"));
    assert!(check("not.bin", &[0xff, 0xfe, 0]).contains("neither"));
    let games = |content: &[u8]| refusal(&["learn-shapes", &file(folder.path(), "games.txt", content)]);
    assert!(games(b"#id\n").contains("no games"));
    assert!(games(b"1\t2\n").contains("line 1"));
}

#[test]
fn patterns_are_learned_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let line = |n: usize| format!("{n}\tmade-up\t2020\t19\t6.5\t0\t-\tB+R\t9d\t9d\tB\tpddpfqcn\n");
    let games = file(folder.path(), "games.txt", (0..12).map(line).collect::<String>());
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (one, two) = (place("one.txt"), place("two.txt"));
    let learn = |out: &str, more: &[&str]| {
        json(
            &[&["learn-shapes", &games, "--min-count", "10", "--min-follow", "5", "--out", out], more]
                .concat(),
        )
    };
    let report = learn(&one, &[]);
    assert_eq!(report["games"], 12);
    assert!(report["patterns"].as_u64().unwrap() > 0, "{report}");
    assert_eq!(report["bytes"].as_u64().unwrap(), std::fs::metadata(&one).unwrap().len());
    learn(&two, &["--threads", "3"]);
    assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(&two).unwrap(), "whatever the threads");
    let listed = json(&["shapes", "--library", &one]);
    assert_eq!(listed["patterns"], report["patterns"]);
    assert_eq!(listed["shown"][0]["source"], "mined in 12 games");
    // Others are put before them.
    let hand =
        file(folder.path(), "hand.txt", "ishi-shapes 1\npattern mine\n: X O\n: . .\nB A1 3 2 normal\n");
    let with = learn(&place("three.bin"), &["--with", &hand]);
    assert_eq!(with["given"], 1);
    assert_eq!(json(&["shapes", "--library", &place("three.bin")])["shown"][0]["name"], "mine");
}

#[test]
fn what_patterns_call_bad_is_advised_against() {
    let folder = tempfile::tempdir().unwrap();
    let game = file(folder.path(), "game.sgf", GAME);
    let patterns = "ishi-shapes 1\n\
        pattern keima\nsource test\n: X . .\n: . . .\nB C1 0 0 normal\nB B2 0 0 bad\n en leaves a gap\n";
    let library = file(folder.path(), "mine.txt", patterns);
    let found = json(&["shapes", "--library", &library, "--match", &game, "--move", "5", "--top", "50"]);
    let kinds = |list: &str| {
        let found = found[list].as_array().unwrap().iter();
        found.map(|found| found["kind"].as_str().unwrap()).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(kinds("suggested"), ["normal"].into());
    assert_eq!(kinds("advised_against"), ["bad"].into());
    let text = output(&["shapes", "--library", &library, "--match", &game, "--move", "5"]);
    assert!(text.contains("keima (normal): not counted.\n"), "{text}");
    assert!(text.contains("keima advises against it: not counted. leaves a gap\n"), "{text}");
    assert!(!text.contains("(bad)"), "{text}");
}

/// Moves far from each other, and then a fight in the upper right corner.
const FIGHT: &str = "(;GM[1]FF[4]SZ[19]KM[6.5];B[pd];W[dp];B[aa];W[qf];B[dn];W[qh];B[fq];W[qd];B[pe];W[qe];B[pf];W[pg];B[of])";

#[test]
fn study_cuts_patterns_out_of_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let game = file(folder.path(), "game.sgf", FIGHT);
    let cut = folder.path().join("cut.txt").to_str().unwrap().to_string();
    // All moves but our first choices are cut, but for those with next to nothing in the window.
    let report = json(&["study", &game, "--cut", &cut, "--candidates", "1"]);
    let cuts = &report["cuts"];
    let number = |key: &serde_json::Value| key.as_u64().unwrap();
    assert_eq!(number(&cuts["all"]["windows"]), 13);
    let skipped = &cuts["skipped"];
    assert!(number(&skipped["fewer_than_3_stones"]) >= 3, "{report}");
    let all = number(&cuts["patterns"])
        + number(&skipped["fewer_than_3_stones"])
        + number(&skipped["no_stone_within_2_lines"])
        + number(&skipped["cut_before"]);
    let missing = report["missing"].as_array().unwrap().len() as u64;
    assert!(missing >= 8 && all == missing, "{report}");
    assert_eq!(json(&["shapes", "--library", &cut, "--check"])["patterns"], cuts["patterns"]);
    let shown = output(&["shapes", "--library", &cut, "--show", "game-1-move-10"]);
    assert!(shown.contains("source game.sgf, game 1, move 10\n"), "{shown}");
    assert!(refusal(&["shapes", "--library", &cut, "--show", "game-1-move-2"]).contains("no pattern"));
    // Each of them matches where it was cut out.
    let mut matched = 0;
    for number in 1..=13 {
        let name = format!("game-1-move-{number}");
        if !ishi(&["shapes", "--library", &cut, "--show", &name]).status.success() {
            continue;
        }
        let found = json(&["shapes", "--library", &cut, "--match", &game, "--move", &number.to_string()]);
        let suggested = found["suggested"].as_array().unwrap();
        assert!(suggested.iter().any(|found| found["pattern"] == name.as_str()), "{name}: {found}");
        matched += 1;
    }
    assert_eq!(matched, number(&cuts["patterns"]));
    let again = output(&["study", &game, "--cut", &cut, "--force", "--candidates", "1"]);
    assert!(
        again.contains("patterns cut out\n  left out: ") && again.contains("fewer than three stones"),
        "{again}"
    );
    assert!(refusal(&["study", &game, "--cut", &cut]).contains("--force"));
}

#[test]
fn what_was_cut_before_is_not_cut_again() {
    let folder = tempfile::tempdir().unwrap();
    // The same game, and once more mirrored: columns go the other way, which on 9x9 is i for a.
    let mirrored = |text: &str| -> String {
        let moves = text.split(';').map(|mv| match mv.as_bytes() {
            [color, b'[', column, rest @ ..] => {
                let column = char::from(b'a' + b'i' - column);
                format!("{}[{column}{}", char::from(*color), String::from_utf8_lossy(rest))
            }
            _ => mv.to_string(),
        });
        moves.collect::<Vec<String>>().join(";")
    };
    let moves = "B[dd];W[df];B[ed];W[ef];B[ge];W[ff];B[ce];W[cf];B[be]";
    let both = format!("(;SZ[9];{moves})(;SZ[9];{})", mirrored(moves));
    let (game, twice) =
        (file(folder.path(), "one.sgf", format!("(;SZ[9];{moves})")), file(folder.path(), "both.sgf", both));
    let cut = folder.path().join("cut.txt").to_str().unwrap().to_string();
    let report = |file: &str| {
        let report = json(&["study", file, "--cut", &cut, "--candidates", "1", "--force"]);
        let number = |value: &serde_json::Value| value.as_u64().unwrap();
        (number(&report["cuts"]["patterns"]), number(&report["cuts"]["skipped"]["cut_before"]))
    };
    let (patterns, before) = report(&game);
    assert!(patterns >= 4 && before == 0, "{patterns} {before}");
    let (again, before) = report(&twice);
    assert!(before >= 1 && again + before == 2 * patterns, "{again} {before}");
}
