//! `ishi deck learn`, `complete` and `completion-test` from outside: logs of decks in, scores and missing cards out.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::support::program::tell_missing;

const ISHI: &str = env!("CARGO_BIN_EXE_ishi");

fn ishi(folder: &Path, args: &[&str]) -> Output {
    Command::new(ISHI).current_dir(folder).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let output = ishi(folder, &[&["--json", "--seed", "1"], args].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)))
}

fn folder_with(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const TOURNAMENT: &str = "\
2025-01-01\t4 1\t4 2\t1 3
2025-01-02\t4 1\t4 2
2025-01-03\t4 1\t2 3
2025-01-04\t4 4\t2 3
";
const LINES: &str = "card1,card2,card3\n1,2,3\n1,2,\n\"1\",3,\n4,3,\n";
const LONG: &str = "deck,card,count\na,1,4\na,2,4\na,3,1\nb,1,1\nb,2,2\nc,1,1\nc,3,1\nd,4,1\nd,3,1\n";
const COMPACT: &str = "1 2 3\n1 2 2\n1,3\n4\t3\n";

/// Few decks have no pair that the usual limit takes: what helps is told.
#[test]
fn few_decks_are_told_to_lower_the_limit() {
    let folder = folder_with(&[("t.tsv", TOURNAMENT.as_bytes())]);
    let output = ishi(folder.path(), &["deck", "learn", "t.tsv"]);
    let words = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = "no pairs in 5 decks or more: a lower --min-support takes rarer ones\n";
    assert!(words.contains(told), "{words}");
}

#[test]
fn four_formats_say_the_same() {
    let packed = gzip(TOURNAMENT.as_bytes());
    let folder = folder_with(&[
        ("t.tsv", TOURNAMENT.as_bytes()),
        ("t.tsv.gz", &packed),
        ("lines.csv", LINES.as_bytes()),
        ("long.csv", LONG.as_bytes()),
        ("log.txt", COMPACT.as_bytes()),
    ]);
    for file in ["t.tsv", "t.tsv.gz", "lines.csv", "long.csv", "log.txt"] {
        let args = ["deck", "learn", file, "--min-support", "1", "--measure", "lift", "--smoothing", "0"];
        let report = json(folder.path(), &args);
        assert_eq!((&report["decks"], &report["cards"]), (&4.into(), &4.into()), "{file}");
        assert_eq!(report["cards_per_deck"], 2.25, "{file}");
        assert_eq!((&report["frequent_pairs"], &report["missed"]), (&4.into(), &0.into()), "{file}");
        // 1 is in three decks of four, 2 in two, 3 in three, 4 in one. Lifts: 1 and 2 (2 x 4) / (3 x 2), 3 and 4 4 / 3.
        let strongest = report["strongest"].as_array().unwrap();
        let first = &strongest[0];
        let pair = [first["first"].as_str().unwrap(), first["second"].as_str().unwrap()];
        assert_eq!(pair, ["2", "1"], "{file}");
        assert_eq!((&first["both"], &first["decks_first"]), (&2.into(), &2.into()), "{file}");
        assert_eq!(
            (&first["support"], &first["confidence"], &first["score"]),
            (&0.5.into(), &1.0.into(), &1.333.into())
        );
        let days = (&report["first_day"], &report["last_day"]);
        let dated = file.starts_with('t');
        let expected =
            if dated { ("2025-01-01".into(), "2025-01-04".into()) } else { (Value::Null, Value::Null) };
        assert_eq!(days, (&expected.0, &expected.1), "{file}");
    }
    let two =
        json(folder.path(), &["deck", "learn", "t.tsv", "--since", "2025-01-02", "--until", "2025-01-04"]);
    assert_eq!((&two["decks"], &two["first_day"]), (&2.into(), &"2025-01-02".into()));
    let both = json(folder.path(), &["deck", "learn", "log.txt", "lines.csv"]);
    assert_eq!((&both["decks"], &both["cards"]), (&8.into(), &4.into()));
}

/// The commands read what the workbench reads: two decks of Ant and Bee, and of Ant and Dog, with Cow beside the first.
#[test]
fn lists_of_arena_mtgo_and_moxfield_are_read() {
    let arena = "About\nName Mine\n\nDeck\n20 Ant (SET) 1\n20 Bee (SET) 2\n\nSideboard\n2 Cow (SET) 3\n\nDeck\n20 Ant (SET) 1\n20 Dog (SET) 4\n";
    let mtgo = "20 Ant\n20 Bee\n\n2 Cow\n\n20 Ant\n20 Dog\n";
    let moxfield = "20x Ant (set) 1 *F*\n// Lands\n20 Bee (set) 2\nSIDEBOARD:\n2 Cow (set) 3\n\n20 Ant (set) 1\n20 Dog (set) 4\n";
    let table = "Count,Name\n20,Ant\n20,Bee\n\n20,Ant\n20,Dog\n";
    let names = "Ant\nBee\n\nAnt\nDog\n";
    let packed = gzip(arena.as_bytes());
    let folder = folder_with(&[
        ("arena.txt", arena.as_bytes()),
        ("arena.txt.gz", &packed),
        ("mtgo.txt", mtgo.as_bytes()),
        ("moxfield.txt", moxfield.as_bytes()),
        ("table.csv", table.as_bytes()),
        ("names.txt", names.as_bytes()),
        ("compact.txt", b"1 2\n\n1 3\n"),
    ]);
    let learn = ["deck", "learn", "--min-support", "1", "--measure", "support"];
    for file in ["arena.txt", "arena.txt.gz", "mtgo.txt", "moxfield.txt", "table.csv", "names.txt"] {
        for format in [&[][..], &["--format", "lists"]] {
            let report = json(folder.path(), &[&learn[..], &[file], format].concat());
            assert_eq!((&report["decks"], &report["cards"]), (&2.into(), &3.into()), "{file}: {report}");
            assert_eq!(report["frequent_pairs"], 2, "{file}: {report}");
            assert!(!report.to_string().contains("Cow"), "{file}: {report}");
        }
    }
    let log = json(folder.path(), &[&learn[..], &["compact.txt"]].concat());
    assert_eq!(
        (&log["decks"], &log["cards"]),
        (&2.into(), &3.into()),
        "an empty line makes no list of it: {log}"
    );
    let both = json(folder.path(), &[&learn[..], &["arena.txt", "mtgo.txt", "--pool", "pool.json"]].concat());
    assert_eq!((&both["decks"], &both["cards"]), (&4.into(), &3.into()), "names are those of all files");
    let answer = json(folder.path(), &["deck", "build", "pool.json", "--size", "2", "--fix", "Dog"]);
    assert!(answer["deck"].to_string().contains("Ant"), "{answer}");
}

#[test]
fn errors_name_file_line_and_field() {
    let folder = folder_with(&[
        ("bad.tsv", b"2025-01-01\t4 Oak\n2025-01-02\t4 Oak\tElm\n"),
        ("bad.csv", b"deck,card,count\na,Oak,1\na,Elm,none\n"),
        ("bad.txt", b"1 2\n3 x\n"),
        ("bytes.txt", b"1 2\n\xFF\n"),
        ("list.txt", b"Deck\n4 Ant\nwhat\n4 Bee\n"),
        ("empty.txt", b"\n"),
        ("good.txt", b"1 2\n"),
    ]);
    for (args, code, message) in [
        (&["bad.tsv"][..], 3, "ishi: bad.tsv: line 2, field 3: \"Elm\": a count and a card"),
        (&["bad.csv"], 3, "ishi: bad.csv: line 3, field 3: \"none\": it must be a count of 1 or more"),
        (&["bad.txt"], 3, "ishi: bad.txt: line 2, field 2: \"x\": it must be a card's number"),
        (&["bytes.txt"], 3, "ishi: bytes.txt: line 2: no UTF-8 text at byte 1"),
        (
            &["good.txt", "--format", "long"],
            3,
            "ishi: good.txt: line 1: there must be a heading with the columns deck and card",
        ),
        (
            &["good.txt", "--format", "decks"],
            2,
            "error: invalid value 'decks' for '--format <FORMAT>': no format \"decks\": it must be one of tournament, lines, long, compact, lists",
        ),
        (&["list.txt"], 3, "ishi: list.txt: line 3: \"what\" must be a count and a card's name"),
        (&["bytes.txt", "--format", "lists"], 3, "ishi: bytes.txt: no UTF-8 text at byte 5"),
        (&["sample:lesson"], 3, "ishi: sample:lesson: it must hold decks, and is a record of a game (SGF)"),
        (&["empty.txt"], 3, "ishi: there are no decks in the log"),
        (&["good.txt", "--since", "2025-01-01"], 3, "ishi: good.txt: the log has no dates"),
        (&["good.txt", "--smoothing", "0"], 3, "ishi: --measure log-conditional needs --smoothing above 0"),
        (&["none.txt"], 4, "ishi: cannot read none.txt: "),
    ] {
        let output = ishi(folder.path(), &[&["deck", "learn"], args].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
        assert!(error.starts_with(message), "{args:?}: {error}");
    }
}

#[test]
fn leaders_are_counted_apart() {
    let folder = folder_with(&[("led.txt", b"9: 1 2\n9: 1 3\n1: 2 3\n2 3\n")]);
    let args =
        ["deck", "learn", "led.txt", "--min-support", "1", "--measure", "support", "--pool", "pool.json"];
    let report =
        json(folder.path(), &[&args[..], &["--leaders", "leaders.csv", "--out", "pairs.csv"]].concat());
    assert_eq!((&report["decks_with_leader"], &report["frequent_leader_pairs"]), (&3.into(), &5.into()));
    assert_eq!(report["strongest_of_leaders"][0]["first"], "9");
    let leaders = fs::read_to_string(folder.path().join("leaders.csv")).unwrap();
    assert!(leaders.lines().any(|line| line.starts_with("9,1,0.666667,2,2,2,")), "{leaders}");
    let pairs = fs::read_to_string(folder.path().join("pairs.csv")).unwrap();
    assert!(pairs.starts_with("# checksum ") && pairs.contains("\n# ishi-pairs 1\na,b,score,"), "{pairs}");
    assert_eq!(pairs.lines().count(), 3 + 3, "{pairs}");
    fs::write(folder.path().join("first.csv"), "9,1,2\n9,1,3\n1,2,3\n").unwrap();
    let first =
        ["deck", "learn", "first.csv", "--min-support", "1", "--measure", "support", "--leader-first"];
    let first = json(folder.path(), &first);
    assert_eq!(first["decks_with_leader"], 3);
    assert_eq!(first["strongest_of_leaders"], report["strongest_of_leaders"]);
    // With 9 at the head, 1 and 2: the two decks of three with 9 and 1, the third with 9 and 2, and 1 with 2 once of four.
    let build = ["deck", "build", "pool.json", "--size", "3", "--leader", "9", "--fix", "2"];
    let answer = json(folder.path(), &build);
    assert_eq!(answer["value"], 0.666_667 + 0.333_333 + 0.25, "{answer}");
}

/// What learning writes is read as it was written, or not at all. Line ends and the order of fields are no damage, and who edits takes the checksum out.
#[test]
fn damaged_scores_are_refused() {
    let folder = folder_with(&[("led.txt", b"9: 1 2\n9: 1 3\n1: 2 3\n2 3\n")]);
    let at = |name: &str| folder.path().join(name);
    let learn =
        ["deck", "learn", "led.txt", "--min-support", "1", "--measure", "support", "--pool", "pool.json"];
    json(folder.path(), &[&learn[..], &["--leaders", "leaders.csv", "--out", "pairs.csv"]].concat());
    let build = |files: &[&str]| {
        let wish = ["--size", "3", "--leader", "9", "--fix", "2"];
        ishi(folder.path(), &[&["--json", "deck", "build"][..], files, &wish].concat())
    };
    let value = |files: &[&str]| {
        let output = build(files);
        let answer: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{files:?}: {error}: {}", text(&output.stderr)));
        answer["value"].as_f64().unwrap()
    };
    let whole = value(&["pool.json"]);
    assert_eq!(value(&["pool.json", "--pairs", "pairs.csv", "--leaders", "leaders.csv"]), whole);
    let [pool, pairs] = ["pool.json", "pairs.csv"].map(|name| fs::read_to_string(at(name)).unwrap());
    let object: serde_json::Map<String, Value> = serde_json::from_str(&pool).unwrap();
    let fields: Vec<String> = object.iter().rev().map(|(key, value)| format!("{key:?}: {value}")).collect();
    fs::write(at("other.json"), format!("{{{}}}", fields.join(",\r\n"))).unwrap();
    fs::write(at("other.csv"), pairs.replace('\n', "\r\n")).unwrap();
    assert_eq!(value(&["other.json", "--pairs", "other.csv"]), whole);

    let score = "0.666667";
    assert!(pool.contains(score), "{pool}");
    fs::write(at("bad.json"), pool.replacen(score, "0.766667", 1)).unwrap();
    assert!(pairs.contains(",0.25,"), "{pairs}");
    fs::write(at("bad.csv"), pairs.replacen(",0.25,", ",0.35,", 1)).unwrap();
    for (files, words) in [
        (&["bad.json"][..], "bad.json:2:15: checksum: the pool is damaged, or was edited"),
        (
            &["bad.json", "--pairs", "pairs.csv"],
            "bad.json:2:15: checksum: the pool is damaged, or was edited",
        ),
        (&["pool.json", "--pairs", "bad.csv"], "bad.csv:1: the table is damaged, or was edited"),
    ] {
        let output = build(files);
        let error = text(&output.stderr);
        assert!(output.status.code() == Some(3) && error.contains(words), "{files:?}: {error}");
    }
    let by_hand = pool.lines().filter(|line| !line.contains("\"checksum\"")).collect::<Vec<_>>().join("\n");
    fs::write(at("by-hand.json"), by_hand.replacen(score, "0.766667", 1)).unwrap();
    assert!(value(&["by-hand.json"]) > whole);
}

/// A line that begins with # is a remark, and a carriage return ends a line, so that such names stand in quotation marks.
#[test]
fn names_that_begin_as_remarks_do_or_break_lines_are_kept() {
    let decks = b"Ant,#1 Fan,\"Bee\rCow\"\nAnt,#1 Fan,\"Bee\rCow\"\n";
    let folder = folder_with(&[("log.csv", decks)]);
    let learn =
        ["deck", "learn", "log.csv", "--format", "lines", "--min-support", "1", "--measure", "support"];
    json(folder.path(), &[&learn[..], &["--pool", "pool.json", "--out", "pairs.csv"]].concat());
    let pairs = fs::read_to_string(folder.path().join("pairs.csv")).unwrap();
    assert!(pairs.contains("\n\"#1 Fan\",Ant,1,"), "{pairs}");
    let build = ["deck", "build", "pool.json", "--pairs", "pairs.csv", "--size", "3"];
    assert_eq!(json(folder.path(), &build)["value"], 3.0);
}

/// Four themes of twelve cards, of which a deck has ten.
fn themes() -> String {
    let mut log = String::new();
    for at in 0..200 {
        let cards = (0..12).filter(|card| card != &(at % 12) && card != &(at * 5 % 11 + 1));
        let names: Vec<String> =
            cards.map(|card| format!("{}{card}", ["Ant", "Bee", "Cat", "Dog"][at % 4])).collect();
        log += &(names.join(",") + "\n");
    }
    log
}

#[test]
fn files_are_the_same_for_any_threads_and_build_decks() {
    let log = themes();
    let folder = folder_with(&[("decks.csv", log.as_bytes())]);
    let mut files = Vec::new();
    for threads in ["1", "2"] {
        let names = ["pairs", "cosine", "fitted"].map(|name| format!("{name}{threads}"));
        let learn = ["--seed", "4", "--threads", threads, "deck", "learn", "decks.csv"];
        let counted =
            [&learn[..], &["--measure", "cosine", "--out", &names[0], "--pool", &names[1]]].concat();
        let fitted = [&learn[..], &["--model", "fitted", "--pool", &names[2]]].concat();
        for args in [counted, fitted] {
            let output = ishi(folder.path(), &args);
            assert!(output.status.success(), "{}", text(&output.stderr));
        }
        files.push(names.map(|name| fs::read(folder.path().join(name)).unwrap()));
    }
    assert_eq!(files[0], files[1]);
    for pool in ["cosine1", "fitted1"] {
        let answer = json(folder.path(), &["deck", "build", pool, "--size", "10", "--fix", "Bee3"]);
        let deck = answer["deck"].to_string();
        assert_eq!(deck.matches("Bee").count(), 10, "{pool}: {answer}");
        assert_eq!(answer["status"], "optimal", "{pool}: {answer}");
    }
    let again = ishi(folder.path(), &["deck", "learn", "decks.csv", "--pool", "cosine1"]);
    assert_eq!(again.status.code(), Some(3), "a file that exists is replaced only by --force");
    assert!(text(&again.stderr).contains("cosine1 exists"), "{}", text(&again.stderr));
}

#[test]
fn decks_are_completed() {
    let log = themes();
    let folder = folder_with(&[("decks.csv", log.as_bytes())]);
    for method in ["archetypes", "recent", "fitted", "cosine"] {
        let args = [
            "deck",
            "complete",
            "decks.csv",
            "--keep",
            "Cat1",
            "--keep",
            "Cat4",
            "--ban",
            "Cat7",
            "--method",
            method,
        ];
        let report = json(folder.path(), &args);
        assert_eq!((&report["size"], &report["proved"]), (&10.into(), &true.into()), "{method}");
        let added: Vec<&str> =
            report["added"].as_array().unwrap().iter().map(|card| card["card"].as_str().unwrap()).collect();
        assert_eq!(added.len(), 8, "{method}");
        assert!(added.iter().all(|card| card.starts_with("Cat") && *card != "Cat7"), "{method}: {added:?}");
        assert_eq!(report["expected"].is_number(), ["archetypes", "recent"].contains(&method));
    }
    let one = json(
        folder.path(),
        &["deck", "complete", "decks.csv", "--keep", "Cat1", "--one-by-one", "--size", "9"],
    );
    let added = one["added"].as_array().unwrap();
    assert!(
        added.len() == 8 && added.iter().all(|card| card["card"].as_str().unwrap().starts_with("Cat")),
        "{one}"
    );
    assert!(one["proved"].is_null() && one["expected"].is_null(), "{one}");
    for (args, code, message) in [
        (&["--keep", "Cut1"][..], 3, "ishi: no piece is called \"Cut1\"; did you mean \"Cat1\""),
        (
            &["--keep", "Cat1", "--size", "1"],
            3,
            "ishi: 1 cards are kept and the deck is of 1: nothing is missing",
        ),
        (&["--keep", "Cat1", "--ban", "Cat1"], 3, "ishi: \"Cat1\" is both fixed and banned"),
        (
            &["--keep", "Cat1", "--method", "nearest"],
            3,
            "ishi: --method nearest gives the deck builder no scores",
        ),
    ] {
        let output = ishi(folder.path(), &[&["deck", "complete", "decks.csv"], args].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
        assert!(error.starts_with(message), "{args:?}: {error}");
    }
}

#[test]
fn the_test_needs_decks() {
    let folder = folder_with(&[("small.csv", b"Oak,Elm\nOak,Ash\n"), ("decks.csv", themes().as_bytes())]);
    let output = ishi(folder.path(), &["deck", "completion-test", "small.csv", "--split", "random"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("0 of 8 cards or more to test"), "{}", text(&output.stderr));
    let output = ishi(folder.path(), &["deck", "completion-test", "decks.csv", "--split", "time"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("need dates"), "{}", text(&output.stderr));
    // Of a short log not all decks are tested: something must be left to learn from.
    let usual = ishi(folder.path(), &["deck", "completion-test", "decks.csv", "--method", "lift"]);
    let words = text(&usual.stdout);
    let wanted = "split random: 160 decks learned from, 40 tested";
    assert!(words.contains(wanted), "{words}{}", text(&usual.stderr));
    let args = [
        "deck",
        "completion-test",
        "decks.csv",
        "--method",
        "archetypes,lift",
        "--decks",
        "50",
        "--builder",
        "2",
    ];
    let output = ishi(folder.path(), &args);
    let words = text(&output.stdout);
    for wanted in [
        "split random: 150 decks learned from, 50 tested",
        "split distinct: ",
        "archetypes       keep 3",
        "in the same 2 decks",
    ] {
        assert!(words.contains(wanted), "{wanted:?}: {words}{}", text(&output.stderr));
    }
}

/// 7000 cards, each in two decks, are too many for scores of all pairs, and not for those of pairs that met.
#[test]
fn too_many_cards_for_all_pairs_are_said_before_the_work() {
    let decks: Vec<String> = (0..7000)
        .step_by(10)
        .map(|first| (first..first + 10).map(|card| format!("{card} ")).collect())
        .collect();
    let log = decks.join("\n") + "\n" + &decks.join("\n");
    let folder = folder_with(&[("log.txt", log.as_bytes())]);
    let learn = ["deck", "learn", "log.txt", "--min-support", "2", "--pool", "pool.json"];
    for args in [&[][..], &["--model", "ease"]] {
        let output = ishi(folder.path(), &[&learn[..], args].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {error}");
        assert!(
            error.contains("7000 cards are too many for that (at most 6000): raise --min-support"),
            "{args:?}: {error}"
        );
    }
    let output = ishi(folder.path(), &[&learn[..], &["--measure", "cosine"]].concat());
    let words = text(&output.stdout);
    assert!(
        words.contains("31500 pairs in 2 decks or more; strongest by cosine:"),
        "{words}{}",
        text(&output.stderr)
    );
}

fn share(report: &Value, method: &str, task: &str, of: &str) -> f64 {
    let rows = report["splits"][0]["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["method"] == method && row["task"] == task).unwrap();
    row.pointer(of).and_then(Value::as_f64).unwrap_or_else(|| panic!("{method} {task} {of}: {row}"))
}

/// Real decks: archetypes beat what the measures of association find by far.
#[test]
fn hidden_cards_of_tournament_decks_are_found() {
    let log = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/decks/pauper.tsv.gz");
    if !log.exists() {
        tell_missing("../shared/data/decks/pauper.tsv.gz");
        return;
    }
    let log = log.to_str().unwrap();
    let args = ["--decks", "600", "--method", "popularity,lift,log-conditional,nearest,archetypes"];
    let test = ["deck", "completion-test", log, "--split", "distinct", "--builder", "10"];
    let report = json(Path::new("."), &[&test[..], &args].concat());
    assert_eq!(report["splits"][0]["copied"], 0.0);
    for (task, reach) in [("hide 4", 0.73), ("keep 3", 0.70)] {
        let found = |method| share(&report, method, task, "/share");
        let [popularity, lift, nearest, archetypes] =
            ["popularity", "lift", "nearest", "archetypes"].map(found);
        assert!(archetypes >= reach, "{task}: {archetypes}");
        let order = popularity < lift && lift < nearest && nearest < archetypes;
        assert!(order, "{task}: {popularity} {lift} {nearest} {archetypes}");
        let built = |method| share(&report, method, task, "/builder/share");
        assert!(built("archetypes") > built("lift"), "{task}: {} {}", built("archetypes"), built("lift"));
    }
}
