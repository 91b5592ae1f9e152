//! `ishi explain`, `ishi review` and `ishi go study` as a user meets them.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::program::{file, stderr, stdout, tell_missing};

commands_that_begin_with!(&[]);

/// A game in which White leaves a stone in atari, and Black takes it with move 9.
fn record(folder: &Path) -> String {
    let moves = "B[ee];W[de];B[dd];W[gg];B[df];W[gf];B[cc];W[hh];B[ce];W[ge]";
    file(folder, "game.sgf", format!("(;GM[1]FF[4]SZ[9]KM[6.5]PB[Aki]PW[Bo];{moves})"))
}

#[test]
fn a_capture_is_explained_in_both_languages_and_as_data() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let text = output(&["explain", &game, "--move", "9", "--why-not", "H7"]);
    assert!(text.contains("Black C5") && text.contains("takes the stone at D5"), "{text}");
    assert!(text.contains("Why not Black H7?\nBlack H7 "), "{text}");
    // What matters comes first, and details are told on request.
    for part in ["is near", "Other moves", "number 1 of the moves that rules suggest", "seen "] {
        assert!(!text.contains(part), "{part}: {text}");
    }
    let details = output(&["explain", &game, "--move", "9", "--details"]);
    assert!(details.contains("\nOther moves\n") && details.contains("that rules suggest"), "{details}");
    let japanese = output(&["explain", &game, "--move", "9", "--lang", "ja"]);
    assert!(japanese.contains("D5の石を取ります"), "{japanese}");
    let report = json(&["explain", &game, "--move", "9"]);
    assert_eq!(report["explained"]["effects"][0]["rule"], "take-stone");
    assert_eq!(report["explained"]["effects"][0]["about"], "D5");
    let lines = report["teaching"]["lines"].as_array().unwrap();
    assert_eq!(lines[0]["part"], "verdict", "{report}");
    assert!(lines.iter().all(|line| text.contains(line["text"].as_str().unwrap())), "{report}");
    let others = report["alternatives"].as_array().unwrap();
    assert_eq!(others.len(), 2);
    let worth = |other: &serde_json::Value| {
        other["move"]["score"].as_f64().unwrap() + 50.0 * other["move"]["win_rate"].as_f64().unwrap()
    };
    assert!(worth(&others[0]) >= worth(&others[1]), "{report}");
    assert_eq!(report, json(&["explain", &game, "--move", "9"]), "the same seed, the same answer");
}

/// The board and the first look are printed before the judge that is asked has answered: the look on stderr, as it may be taken back. Data stay
/// one document.
#[test]
fn the_first_look_is_printed_before_the_judge_answers() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    // A judge that reads its first question and ends: nothing is explained, and the first look stands there all the same.
    let mute = file(folder.path(), "mute.sh", "#!/bin/sh\nread question\necho mute >&2\nexit 3\n");
    let failed = ishi(&["explain", &game, "--move", "9", "--judge", &format!("sh '{mute}'")]);
    let (printed, told) = (stdout(&failed), stderr(&failed));
    assert_eq!(failed.status.code(), Some(4), "{printed}");
    assert!(printed.contains("A B C D E F G H J") && !printed.contains("chance to win is"), "{printed}");
    assert!(told.contains("At first sight: Black C5 "), "{told}");
    let explained = ishi(&["explain", &game, "--move", "9", "--lang", "ja"]);
    let (text, told) = (stdout(&explained), stderr(&explained));
    assert!(told.lines().any(|line| line.starts_with("第一感：黒C5")), "{told}");
    assert!(text.lines().any(|line| line.starts_with("9手目")), "{text}");
    assert!(!text.contains("第一感"), "{text}");
    let quiet = ishi(&["explain", &game, "--move", "9", "--lang", "ja", "--quiet"]);
    assert_eq!((stdout(&quiet), stderr(&quiet).contains("第一感")), (text, false));
    let report = ishi(&["explain", &game, "--move", "9", "--json"]);
    serde_json::from_slice::<serde_json::Value>(&report.stdout).expect("one document");
}

/// What is wrong with a document by its schema: the part of JSON Schema that ours uses.
fn faults_by_schema(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let part = root.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("no {name}"));
        return faults_by_schema(root, part, value, place);
    }
    if let Some(options) = schema.get("anyOf").and_then(Value::as_array) {
        // The last option is null; what is wrong with the first is told.
        let tried = options.iter().map(|option| faults_by_schema(root, option, value, place));
        let tried: Vec<Vec<String>> = tried.collect();
        return if tried.iter().any(Vec::is_empty) { Vec::new() } else { tried[0].clone() };
    }
    let kind = kind_of_value(value);
    let allowed: Vec<&str> = match &schema["type"] {
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    if !allowed.iter().any(|&name| name == kind || name == "number" && kind == "integer") {
        return vec![format!("{place} is {kind}, not {allowed:?}")];
    }
    let mut found = Vec::new();
    if schema.get("enum").and_then(Value::as_array).is_some_and(|values| !values.contains(value)) {
        found.push(format!("{place} is {value}"));
    }
    for (n, element) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(faults_by_schema(root, &schema["items"], element, &format!("{place}[{n}]")));
    }
    if let Some(object) = value.as_object() {
        for (key, part) in object {
            match schema["properties"].get(key) {
                Some(known) => found.extend(faults_by_schema(root, known, part, &format!("{place}.{key}"))),
                None => found.push(format!("{place}.{key} is not in the schema")),
            }
        }
        let required = schema["required"].as_array().unwrap().iter().map(|key| key.as_str().unwrap());
        let missing = required.filter(|&key| !object.contains_key(key));
        found.extend(missing.map(|key| format!("{place}.{key} is missing")));
    }
    found
}

fn kind_of_value(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// So does the schema of reviews, with the explanations of their lessons.
#[test]
fn reviews_as_data_are_as_their_schema_says() {
    let folder = tempfile::tempdir().unwrap();
    let passes = file(folder.path(), "passes.sgf", PASSES);
    let schema: Value = serde_json::from_str(&output(&["review", "--schema"])).unwrap();
    let mut review = json(&["review", &passes]);
    // How it was made may have any fields.
    review[0].as_object_mut().unwrap().remove("made_by").unwrap();
    assert!(review[0]["lessons"][0]["explanation"].is_object(), "{review}");
    assert!(review[0]["phases"][0]["worst_moves"].is_array(), "{review}");
    assert_eq!(faults_by_schema(&schema, &schema, &review, "review"), Vec::<String>::new());
    let mut other = review;
    other[0]["lessons"][0]["explanation"]["teaching"]["points"] = "eleven".into();
    assert_eq!(faults_by_schema(&schema, &schema, &other, "review").len(), 1, "the parts are found");
}

/// The schema names all that is printed, and nothing else.
#[test]
fn explanations_as_data_are_as_their_schema_says() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let passes = file(folder.path(), "passes.sgf", PASSES);
    let schema: Value = serde_json::from_str(&output(&["explain", "--schema"])).unwrap();
    let faults = |report: &Value| faults_by_schema(&schema, &schema, report, "report");
    let ask = ["explain", &game, "--move", "9", "--why-not", "H7,A1", "--listener", "beginner", "--details"];
    let asked = json(&ask);
    let short = json(&["explain", &game]);
    for report in [&asked, &short, &json(&["explain", &passes, "--move", "2"])] {
        assert_eq!(faults(report), Vec::<String>::new());
    }
    // How it was made is left out above.
    let whole: Value = serde_json::from_str(&output(&["explain", &game, "--json"])).unwrap();
    let unknown: Vec<&String> =
        whole.as_object().unwrap().keys().filter(|&key| schema["properties"].get(key).is_none()).collect();
    assert!(whole["made_by"].is_object() && unknown.is_empty(), "{unknown:?}");
    assert!(short["explained"].get("owners").is_none() && short["passed"].get("owners").is_none(), "{short}");
    for evidence in ["left", "second_move", "their_move"] {
        assert!(short.get(evidence).is_some(), "{evidence}: {short}");
    }
    assert_eq!(asked["teaching"]["listener"], "beginner");
    assert_eq!(asked["explained"]["owners"].as_array().unwrap().len(), 81, "{asked}");
    // A review has the same of each lesson, with what all its searches say of the loss.
    let review = json(&["review", &passes]);
    let lessons = review[0]["lessons"].as_array().unwrap();
    assert!(!lessons.is_empty(), "{review}");
    for lesson in lessons {
        let explanation = &lesson["explanation"];
        assert_eq!(faults(explanation), Vec::<String>::new());
        assert_eq!(explanation["teaching"]["points"], lesson["lost_points"], "{lesson}");
    }
    let mut wrong = asked;
    wrong["teaching"]["verdict"] = "superb".into();
    wrong["teaching"].as_object_mut().unwrap().remove("lines");
    wrong["explained"]["extra"] = 1.into();
    wrong["black_lead"] = "much".into();
    assert_eq!(faults(&wrong).len(), 4, "{:?}", faults(&wrong));
}

/// A program has `(;` somewhere, and is no record all the same.
#[test]
fn a_program_is_not_explained() {
    for command in ["explain", "review"] {
        let output = ishi(&[command, env!("CARGO_BIN_EXE_ishi")]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{message}");
        assert!(message.contains("it must be a record in SGF"), "{message}");
    }
}

/// Version, seed, level, threads, machine and command stand in the root.
fn tells_how_it_was_made(record: &str, command: &str) -> bool {
    let Some((_, made_by)) = record.split_once("MADEBY[ishi ") else { return false };
    [", seed ", ", level ", ", threads ", command].iter().all(|part| made_by.contains(part))
}

#[test]
fn explanations_go_into_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let out = folder.path().join("out.sgf");
    let out = out.to_str().unwrap();
    output(&["explain", &game, "--move", "9", "--why-not", "H7", "--details", "--sgf", out]);
    let written = std::fs::read_to_string(out).unwrap();
    assert!(written.contains("B[ce]") && written.contains("takes the stone at D5"), "{written}");
    assert!(written.contains("CR[ce]") && written.contains("Why not Black H7 (a)?"), "{written}");
    // All that is told stands in the comment, with the marks.
    assert!(
        ["Other moves\n", " (A) ", "chance to win is", "Groups before the move\n"]
            .iter()
            .all(|part| written.contains(part)),
        "{written}"
    );
    // Of a move without ideas only the verdict is told.
    assert!([" (B) ", " (B): "].iter().any(|part| written.contains(part)), "{written}");
    let labels = written.split("LB[").nth(1).unwrap();
    assert!([":A]", ":B]", "[hc:a]"].iter().all(|label| format!("[{labels}").contains(label)), "{written}");
    assert!(tells_how_it_was_made(&written, "ishi explain "), "{written}");
    output(&["sgf", "check", out]);
    let short = folder.path().join("short.sgf");
    output(&["explain", &game, "--move", "9", "--why-not", "H7", "--sgf", short.to_str().unwrap()]);
    let written = std::fs::read_to_string(short).unwrap();
    assert!(written.contains("Marks: A ") && written.contains(", a H7"), "{written}");
    assert!(!written.contains("Other moves"), "{written}");
    assert!(ishi(&["explain", &game, "--sgf", out]).status.code() != Some(0), "an existing file is kept");
}

/// Who gets six stones is ahead, in points and in chances to win.
#[test]
fn the_winner_is_told_of_the_game_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("handicap.sgf");
    let stones = "AB[dd][pd][dp][pp][dj][pj]";
    std::fs::write(&path, format!("(;GM[1]SZ[19]KM[0.5]HA[6]{stones};W[nc];B[qf])")).unwrap();
    let report = json(&["explain", path.to_str().unwrap(), "--move", "1"]);
    assert!(report["black_win_rate"].as_f64().unwrap() > 0.65, "{report}");
    assert!(report["black_lead"].as_f64().unwrap() > 10.0, "{report}");
}

#[test]
fn without_a_number_the_best_move_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let report = json(&["explain", &record(folder.path())]);
    assert_eq!(report["move_number"], 11);
    assert!(report["explained"]["vertex"].is_string());
}

#[test]
fn bad_input_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let message = refusal(&["explain", &game, "--move", "11"]);
    assert!(message.contains("moves 1 to 10"), "{message}");
    let message = refusal(&["explain", &game, "--why-not", "I9"]);
    assert!(message.contains("column I"), "{message}");
    let message = refusal(&["explain", &game, "--move", "9", "--why-not", "E5"]);
    assert!(message.contains("cannot play there"), "{message}");
    let message = refusal(&["explain", &game, "--game", "2"]);
    assert!(message.contains("no game 2"), "{message}");
    let message = refusal(&["explain", &game, "--why-not", ""]);
    assert!(message.contains("such as D4") && !message.contains("pass"), "{message}");
    let output = ishi(&["review", &game, "--worst", "-1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("a whole number from 0 on"));
    assert_eq!(ishi(&["explain", &game, "--lang", "fr"]).status.code(), Some(2));
    assert_eq!(ishi(&["explain", &game, "--listener", "expert"]).status.code(), Some(2));
    let output = ishi(&["explain", &game, "--move", "-3"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("counted from 1") && !message.contains("tip:"), "{message}");
    let out = folder.path().join("missing/out.sgf");
    for command in [["explain", &game, "--sgf"], ["review", &game, "--sgf"], ["explain", &game, "--svg"]] {
        let output = ishi(&[&command[..], &[out.to_str().unwrap()]].concat());
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{message}");
        assert!(message.contains("there is no folder") && message.contains("missing"), "{message}");
    }
}

/// What a command that succeeds says on standard error.
fn warnings(args: &[&str]) -> String {
    let output = ishi(args);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {text}");
    text.lines().filter(|line| !line.starts_with("made by ")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn bad_records_are_read_with_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let off = file(folder.path(), "off.sgf", "(;SZ[5];B[zz])");
    let text = warnings(&["explain", &off]);
    assert!(text.contains("off.sgf: line 1, column 10") && text.contains("bad-point"), "{text}");
    let twice = file(folder.path(), "twice.sgf", "(;SZ[5];B[cc];W[cc];B[cc];W[cc];B[cc])");
    let text = warnings(&["go", "show", &twice, "--level", "chains"]);
    assert!(
        text.contains("move 2, white C3 at line 1") && text.contains("a black stone stands there"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 4, "three and how many more: {text}");
    assert!(text.contains("and 1 more"), "{text}");
    assert!(warnings(&["review", &twice, "--worst", "0"]).contains("move 2, white C3"));
    let message = refusal(&["explain", &twice, "--move", "2"]);
    assert!(message.contains("a black stone stands there: it cannot be explained"), "{message}");
    let both = file(folder.path(), "both.sgf", "(;SZ[5]AB[cc]AW[cc])");
    assert!(warnings(&["explain", &both]).contains("C3 in AB and AW"));
    // A move may be missing because it was left out.
    for command in ["explain", "go show"] {
        let words: Vec<&str> = command.split(' ').chain([off.as_str(), "--move", "2"]).collect();
        let told = stderr(&ishi(&words));
        assert!(told.contains("bad-point") && told.contains("there is no move 2"), "{told}");
    }
    // A good record has no warnings: only the first look, while the longer search goes on.
    let good = warnings(&["explain", &record(folder.path()), "--move", "1"]);
    assert_eq!(good, "At first sight: Black E5 is the move to play.\n");
}

/// Verdicts agree with the values beside them, and the text says what they say.
#[test]
fn other_moves_are_called_better_and_worse_by_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let report = json(&["explain", &game, "--move", "9", "--why-not", "A1,J9"]);
    let text = output(&["explain", &game, "--move", "9", "--why-not", "A1,J9", "--details"]);
    let value = |mv: &serde_json::Value| (mv["score"].as_f64().unwrap(), mv["win_rate"].as_f64().unwrap());
    let (points, share) = value(&report["explained"]);
    let others = ["alternatives", "why_not"].map(|list| report[list].as_array().unwrap().clone()).concat();
    assert_eq!(others.len(), 4);
    for other in &others {
        let (own_points, own_share) = value(&other["move"]);
        let (phrase, taught) = match other["verdict"].as_str().unwrap() {
            "better" => {
                assert!(own_points > points || own_share > share, "{other}");
                ("better by", "best")
            }
            "worse" => {
                assert!(own_points < points || own_share < share, "{other}");
                ("worse by", "loses")
            }
            _ => ("not clearly better or worse", "good"),
        };
        let vertex = other["move"]["vertex"].as_str().unwrap();
        let is_told = |line: &str| line.contains(&format!(" {vertex}")) && line.contains(phrase);
        match other.get("teaching") {
            // One of those that were asked about: it has a verdict of its own.
            Some(teaching) => {
                assert_eq!(teaching["verdict"], taught, "{other}");
                assert!(text.contains(teaching["lines"][0]["text"].as_str().unwrap()), "{other}: {text}");
            }
            None => assert!(text.lines().any(is_told), "{vertex} {phrase}: {text}"),
        }
    }
    assert!(others.iter().any(|other| other["verdict"] != "as good"), "{report}");
}

/// What a review says was lost is what two equal searches differ by; the search's own best move loses nothing.
#[test]
fn the_best_move_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let report = json(&["review", &game]);
    // What is found best at the end of a record loses nothing when it is played there.
    let found = json(&["explain", &game])["explained"]["vertex"].as_str().unwrap().to_string();
    let (column, row) = found.split_at(1);
    let column = "ABCDEFGHJ".find(column).unwrap();
    let letter = |n: usize| char::from(b'a' + n as u8);
    let point = format!("{}{}", letter(column), letter(9 - row.parse::<usize>().unwrap()));
    let longer = std::fs::read_to_string(&game).unwrap().replace(")", &format!(";B[{point}])"));
    let path = folder.path().join("longer.sgf");
    std::fs::write(&path, longer).unwrap();
    let last = json(&["review", path.to_str().unwrap()])[0]["moves"][10].clone();
    assert_eq!(
        (&last["vertex"], last["lost_points"].as_f64(), last["lost_win_rate"].as_f64()),
        (&found.as_str().into(), Some(0.0), Some(0.0))
    );
    for mv in report[0]["moves"].as_array().unwrap() {
        let lessons = report[0]["lessons"].as_array().unwrap();
        let is_worst = lessons.iter().any(|lesson| lesson["number"] == mv["number"]);
        let lost = mv["lost_points"].as_f64().unwrap() + mv["lost_win_rate"].as_f64().unwrap();
        assert!(!is_worst || lost > 0.0, "{mv}");
    }
    for worst in report[0]["lessons"].as_array().unwrap() {
        assert_ne!(worst["vertex"], worst["better"], "{worst}");
        let row = &report[0]["moves"][worst["number"].as_u64().unwrap() as usize - 1];
        assert_eq!((&row["vertex"], &row["better"]), (&worst["vertex"], &worst["better"]), "{row}");
    }
}

#[test]
fn a_game_is_reviewed() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let report = json(&["review", &game, "--lessons", "2"]);
    let moves = report[0]["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &report[0]["black"]), (10, &"Aki".into()));
    let lost: f64 =
        report[0]["lessons"].as_array().unwrap().iter().map(|w| w["lost_win_rate"].as_f64().unwrap()).sum();
    assert!(lost >= 0.0);
    let phases = report[0]["phases"].as_array().unwrap();
    assert_eq!((&phases[0]["first"], &phases[phases.len() - 1]["last"]), (&1.into(), &10.into()), "{report}");
    let text = output(&["review", &game, "--worst", "1"]);
    assert!(text.contains("Aki - Bo, 10 moves\n"), "{text}");
    let named = "(;SZ[5]PB[Aki]BR[3d]RE[B+R];B[cc];W[cd])";
    let named = file(folder.path(), "named.sgf", named);
    let text = output(&["review", &named, "--worst", "0"]);
    assert!(text.contains("Aki (3d) - white, 2 moves, B+R\n"), "{text}");
    let japanese = output(&["review", &named, "--worst", "0", "--lang", "ja"]);
    assert!(japanese.contains("：黒 Aki（3d） 対 白 無名、2手、黒の中押し勝ち\n"), "{japanese}");
}

/// White passes while everything is open, and so does Black.
const PASSES: &str = "(;SZ[9]KM[7];B[ee];W[];B[])";

#[test]
fn a_pass_that_loses_is_told_with_better_moves() {
    let folder = tempfile::tempdir().unwrap();
    let game = file(folder.path(), "passes.sgf", PASSES);
    let out = folder.path().join("out.sgf");
    let report = json(&["review", &game, "--sgf", out.to_str().unwrap()]);
    let lessons = report[0]["lessons"].as_array().unwrap();
    let told: Vec<_> = lessons.iter().map(|lesson| (&lesson["number"], &lesson["vertex"])).collect();
    assert_eq!(told, [(&2.into(), &"pass".into()), (&3.into(), &"pass".into())], "{report}");
    let text = lessons[0]["text"].as_str().unwrap();
    let parts = ["White's pass ", "loses about ", "Better: White "];
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    let written = std::fs::read_to_string(&out).unwrap();
    assert!(written.contains(";W[]C[") && written.contains("Marks: A "), "{written}");
    let part = report[0]["phases"][0]["text"].as_str().unwrap();
    assert!(written.contains(&format!("C[{part}")), "how the game went stands at its beginning: {written}");
    assert!(written.contains("C[The better line]"), "a variation: {written}");
    assert_eq!((written.matches("]V[").count(), written.matches("]SBKV[").count()), (3, 3), "{written}");
    assert!(tells_how_it_was_made(&written, "ishi review "), "{written}");
    // While the game is searched, the first loss is told: of those whose lessons are wanted, and not beside data.
    let corner = file(folder.path(), "corner.sgf", "(;SZ[9]KM[7];B[ee];W[eg];B[aa];W[ce];B[ai];W[ge])");
    let found_first = |words: &[&str]| stderr(&ishi(&[&["review", corner.as_str()][..], words].concat()));
    let told = found_first(&["--player", "black"]);
    assert_eq!(told.matches("First found: Black's move 3, A9, loses about ").count(), 1, "{told}");
    assert!(!told.contains("move 5"), "only the first: {told}");
    assert!(!found_first(&["--json"]).contains("First found"), "data have it all");
    assert!(!found_first(&["--quiet"]).contains("First found"), "nothing is to be told");
    // Each player may have the lessons for itself.
    let black = json(&["review", &game, "--player", "black"]);
    let lessons = black[0]["lessons"].as_array().unwrap();
    assert!(!lessons.is_empty() && lessons.iter().all(|lesson| lesson["color"] == "black"), "{black}");
    assert_eq!(ishi(&["review", &game, "--player", "grey"]).status.code(), Some(2));
    let text = output(&["review", &game, "--player", "black", "--lang", "ja"]);
    assert!(
        text.contains("教訓 1：") && text.contains("黒のパスは約") && !text.contains("白のパスは"),
        "{text}"
    );
    output(&["sgf", "check", out.to_str().unwrap()]);
}

/// White plays in the corner while everything is open.
const BLUNDER: &str = "(;SZ[9]KM[7];B[ee];W[aa];B[gc])";

/// The answer is a right move with its words, the game's move a wrong one with its refutation, and both can be played.
#[test]
fn a_reviewed_game_is_shared_as_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let out = folder.path().join("shared.html");
    let out = out.to_str().unwrap();
    output(&["review", &game, "--lessons", "1", "--html", out, "--lang", "ja"]);
    let page = std::fs::read_to_string(out).unwrap();
    assert!(page.contains("<html lang=\"ja\"") && page.contains("<title>Aki - Bo</title>"), "{page}");
    assert!(page.contains("default-src 'none'") && !page.contains("src=\""), "it asks for nothing");
    assert!(page.contains("<meta name=\"made-by\" content=\"ishi "), "it says how it was made: {page}");
    let (_, data) = page.split_once("type=\"application/json\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert_eq!((data["nodes"].as_array().unwrap().len(), data["review"].as_array().unwrap().len()), (11, 10));
    let lessons = data["lessons"].as_array().unwrap();
    assert!(
        !lessons.is_empty() && lessons.iter().all(|lesson| lesson["answers"][0] != lesson["played"]),
        "{data}"
    );
    assert!(ishi(&["review", &game, "--html", out]).status.code() != Some(0), "an existing file is kept");
    let two = ishi(&["review", &game, &game, "--html", out, "--force"]);
    assert!(String::from_utf8_lossy(&two.stderr).contains("one file with one game"));
}

#[test]
fn lessons_become_problems_that_are_records() {
    let folder = tempfile::tempdir().unwrap();
    let game = file(folder.path(), "blunder.sgf", BLUNDER);
    let out = folder.path().join("problems.sgf");
    let out = out.to_str().unwrap();
    output(&["review", &game, "--player", "white", "--lessons", "1", "--problems", out]);
    let written = std::fs::read_to_string(out).unwrap();
    assert!(written.contains("AB[ee]") && written.contains("PL[W]"), "{written}");
    assert!(tells_how_it_was_made(&written, "ishi review "), "{written}");
    assert!(written.contains("C[Before move 2, White to play: "), "{written}");
    assert!(written.contains("TE[1]C[RIGHT\n"), "{written}");
    assert!(written.contains("W[aa]BM[1]C[Wrong: it loses "), "{written}");
    output(&["sgf", "check", out]);
    output(&["explain", out, "--move", "1", "--level", "1", "--listener", "beginner"]);
    assert!(ishi(&["review", &game, "--problems", out]).status.code() != Some(0), "an existing file is kept");
}

#[test]
fn a_file_that_cannot_be_read_does_not_end_a_review() {
    let folder = tempfile::tempdir().unwrap();
    let [first, bad, last] =
        [("a.sgf", "(;SZ[5];B[cc])"), ("bad.sgf", "no record"), ("c.sgf", "(;SZ[5];B[bb])")]
            .map(|(name, text)| file(folder.path(), name, text));
    let pages = folder.path().join("pages");
    let message = refusal(&["review", &first, &bad, &last, "--worst", "0", "--out", pages.to_str().unwrap()]);
    assert!(message.contains("bad.sgf: not SGF") && message.contains("told above: 1"), "{message}");
    let index = std::fs::read_to_string(pages.join("index.html")).unwrap();
    assert!(index.contains(">a.sgf<") && index.contains(">c.sgf<"), "{index}");
    assert!(!index.contains("bad.sgf"), "{index}");
    assert!(!refusal(&["review", &bad]).contains("told above"), "one file alone: its fault is the failure");
}

#[test]
fn a_game_that_is_not_go_does_not_end_a_review_wherever_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let (go, other) = ("(;GM[1]SZ[5];B[cc])", "(;GM[2];B[d3])");
    for games in [format!("{other}{go}"), format!("{go}{other}")] {
        let path = file(folder.path(), "two.sgf", &games);
        let run = ishi(&["review", &path, "--worst", "0", "--level", "1"]);
        let (told, message) = (stdout(&run), stderr(&run));
        assert_eq!(run.status.code(), Some(3), "{message}");
        assert!(message.contains("no game of Go") && message.contains("told above: 1"), "{message}");
        assert!(told.contains(", 1 move\n"), "{told}");
    }
}

/// A kept review counts only as this version of the program wrote it.
#[test]
fn a_kept_review_that_was_edited_or_is_old_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let game = file(folder.path(), "a.sgf", "(;SZ[5];B[cc];W[bb])");
    let pages = folder.path().join("pages");
    let review =
        || json(&["review", &game, "--worst", "0", "--level", "1", "--out", pages.to_str().unwrap()]);
    let first = review();
    let data = || {
        let names = std::fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().path());
        let found: Vec<_> = names.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].clone()
    };
    let page = std::fs::read_to_string(data().with_extension("html")).unwrap();
    assert!(page.contains("<meta name=\"made-by\" content=\"ishi "), "it says how it was made: {page}");
    let kept = std::fs::read_to_string(data()).unwrap();
    for (part, instead) in [("C3", "C4"), ("ishi 0", "ishi 7"), ("number", "nombre")] {
        let edited = kept.replacen(part, instead, 1);
        assert_ne!(edited, kept);
        std::fs::write(data(), edited).unwrap();
        assert_eq!(review(), first);
        assert_eq!(std::fs::read_to_string(data()).unwrap(), kept);
    }
    std::fs::write(data(), &kept[..kept.len() / 2]).unwrap();
    assert_eq!(review(), first);
}

/// Kills a review once it has judged some positions, and gives their lines. One that has ended before is as good.
fn kill_review_after_some_answers(args: &[&str], answers: &dyn Fn() -> Option<PathBuf>) -> String {
    let read = || answers().and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_ishi"))
        .args(args)
        .arg("--quiet")
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // A review that has ended may have taken its answers away: what was seen last is kept.
    let mut found = String::new();
    while found.lines().count() < 4 {
        let is_over = child.try_wait().unwrap().is_some();
        found = Some(read()).filter(|text| !text.is_empty()).unwrap_or(found);
        if is_over {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let _ = child.kill();
    child.wait().unwrap();
    found
}

#[cfg(unix)]
#[test]
fn an_interrupted_review_says_where_its_answers_are() {
    let folder = tempfile::tempdir().unwrap();
    let game = file(folder.path(), "game.sgf", "(;SZ[19];B[dd];W[pp];B[dp];W[pd];B[cj];W[qj];B[jc];W[jq])");
    let answers = folder.path().join("answers");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_ishi"))
        .args(["review", &game, "--level", "10", "--answers"])
        .arg(&answers)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The second line is the first answer.
    while std::fs::read_to_string(&answers).unwrap_or_default().lines().count() < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let told = child.wait_with_output().unwrap();
    assert_eq!(told.status.code(), Some(130));
    let told = String::from_utf8(told.stderr).unwrap();
    let expected = format!("what was judged is kept in {}: the same command goes on", answers.display());
    assert!(told.contains(&expected), "{told}");
}

/// It says the same as one that nobody disturbed, and judges no position twice.
#[test]
fn a_review_that_was_killed_goes_on_with_its_answers() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let answers = folder.path().join("answers");
    let alone = ["review", game.as_str(), "--level", "2"];
    let kept = [&alone[..], &["--answers", answers.to_str().unwrap()]].concat();
    let review = |args: &[&str]| {
        let mut report = json(args);
        report[0].as_object_mut().unwrap().remove("made_by").unwrap();
        report
    };
    let undisturbed = review(&alone);
    let found = kill_review_after_some_answers(&kept, &|| Some(answers.clone()));
    assert!(found.lines().count() >= 4 && found.starts_with("# ishi-answers 1\n"), "{found}");
    assert_eq!(review(&kept), undisturbed);
    let whole = || std::fs::read_to_string(&answers).unwrap();
    let text = whole();
    assert!(text.starts_with(&found), "what was judged stays");
    let sealed = text.lines().filter(|line| line.contains("\tsum:"));
    let positions: Vec<&str> = sealed.map(|line| line.split('\t').nth(1).unwrap()).collect();
    let different: std::collections::BTreeSet<&&str> = positions.iter().collect();
    assert!(different.len() == positions.len() && positions.len() > 10, "{text}");
    assert_eq!((review(&kept), whole() == text), (undisturbed, true), "all is known");
    output(&["explain", &game, "--move", "9", "--level", "2", "--answers", answers.to_str().unwrap()]);
    assert!(whole().len() < text.len() + text.len() / 2, "most is known");
}

/// A folder of pages has the answers of a review as long as it is not there.
#[test]
fn a_review_of_a_folder_that_was_killed_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let [pages, calm] = ["pages", "calm"].map(|name| folder.path().join(name));
    let answers = || {
        let is_kept = |path: &PathBuf| path.extension().is_some_and(|end| end == "answers");
        std::fs::read_dir(&pages).ok()?.map(|entry| entry.unwrap().path()).find(is_kept)
    };
    let disturbed = ["review", &game, "--level", "2", "--out", pages.to_str().unwrap()];
    let undisturbed = ["review", &game, "--level", "2", "--out", calm.to_str().unwrap()];
    let found = kill_review_after_some_answers(&disturbed, &answers);
    assert!(found.lines().count() >= 4 && found.starts_with("# ishi-answers 1\n"), "{found}");
    if let Some(left) = answers() {
        assert!(std::fs::read_to_string(left).unwrap().starts_with(&found));
    }
    assert_eq!(output(&disturbed), output(&undisturbed));
    assert_eq!(answers(), None, "the review has it all");
}

#[test]
fn an_explanation_ends_at_ctrl_c_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // The second move is on the first: the warning says that the long work begins.
    let game = file(folder.path(), "game.sgf", "(;SZ[19];B[dd];W[dd];B[pp];W[dp];B[pd])");
    let out = folder.path().join("out.sgf");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_ishi"))
        .args(["explain", &game, "--level", "10", "--sgf"])
        .arg(&out)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    let mut lines = lines.map(Result::unwrap);
    assert!(lines.any(|line| line.contains("warning")));
    let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    lines.for_each(drop);
    let told = child.wait_with_output().unwrap();
    // The board and the first look may stand there already.
    let printed = String::from_utf8(told.stdout).unwrap();
    assert_eq!(told.status.code(), Some(130));
    assert!(!printed.contains("chance to win is"), "{printed}");
    assert!(!out.exists());
}

#[test]
fn there_has_to_be_something_to_study() {
    let folder = tempfile::tempdir().unwrap();
    let empty = file(folder.path(), "empty.sgf", "(;SZ[9])");
    assert!(refusal(&["go", "study", &empty]).contains("empty.sgf: there are no moves to study"));
    let short = record(folder.path());
    assert!(refusal(&["go", "study", &short, "--middle"]).contains("no moves of the middle game"));
    assert_eq!(ishi(&["go", "study", &short, "--candidates", "0"]).status.code(), Some(2));
}

#[test]
fn records_are_studied_and_claims_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let report = json(&["go", "study", &game, "--claims"]);
    assert!(report["rules"].as_u64().unwrap() >= 200);
    assert_eq!(report["claims"]["hold"], report["claims"]["read"], "{report}");
    assert!(report["claims"]["by_rule"]["take-stone"].is_array(), "{report}");
    let text = output(&["go", "study", &game, "--moves", "4"]);
    assert!(text.contains("suggestions a move"), "{text}");
}

#[test]
fn every_move_of_a_game_is_held_against_the_suggestions() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let report = json(&["go", "study", &game]);
    let moves = report["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 10);
    let ninth = &moves[8];
    assert_eq!(
        (&ninth["number"], &ninth["color"], &ninth["move"]),
        (&9.into(), &"black".into(), &"C5".into())
    );
    assert!(ninth["rank"].as_u64().unwrap() <= 3, "it takes a stone: {ninth}");
    assert!(moves.iter().all(|mv| mv["first"]["rule"].is_string()), "{report}");
    // Lists and shares agree with the moves.
    let missing = moves.iter().filter(|mv| mv["missing"] == true).count();
    assert_eq!(report["missing"].as_array().unwrap().len(), missing);
    let firsts = moves.iter().filter(|mv| mv["rank"] == 1).count() as u64;
    let counted = ["opening", "middle_game", "endgame"].map(|phase| report[phase]["first"].as_u64().unwrap());
    assert_eq!(counted.iter().sum::<u64>(), firsts);
    let text = output(&["go", "study", &game]);
    assert!(text.contains("game 1, game.sgf\n") && text.contains("\n    9  black C5 "), "{text}");
    let shares = output(&["go", "study", &game, "--no-each", "--missing", "0"]);
    assert!(shares.starts_with("2") && shares.contains("rules,") && !shares.contains("C5"), "{shares}");
    assert!(json(&["go", "study", &game, "--no-each"]).get("moves").is_none());
}

/// What is cut off or damaged is told with its place, and what is left is studied.
#[test]
fn damaged_records_are_studied_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let warnings = |name: &str, text: &str, moves: usize| {
        let path = file(folder.path(), name, text);
        let studied = ishi(&["go", "study", &path, "--json"]);
        assert_eq!(studied.status.code(), Some(0), "{name}");
        let report: serde_json::Value = serde_json::from_str(&stdout(&studied)).unwrap();
        assert_eq!(report["moves"].as_array().unwrap().len(), moves, "{name}");
        let told = String::from_utf8(studied.stderr).unwrap();
        let told = told.lines().filter_map(|line| line.strip_prefix("ishi: warning: "));
        told.map(|line| line.replace(&path, name)).collect::<Vec<String>>()
    };
    assert!(warnings("whole.sgf", "(;SZ[9];B[ee];W[cc])", 2).is_empty());
    let cut = warnings("cut.sgf", "(;SZ[9];B[ee];W[cc];B[g", 2);
    let place = "cut.sgf: line 1, column 22 (byte 21): unclosed-value: found `[` without `]`";
    assert!(cut[0].starts_with(place), "{cut:?}");
    assert!(cut.iter().any(|line| line.contains("missing-close-paren: found end of file")), "{cut:?}");
    let illegal = warnings("illegal.sgf", "(;SZ[9];B[ee];W[cc];B[cc];W[gg])", 2);
    let told = "illegal.sgf: move 3, black C7 at line 1, column 22 (byte 21): illegal move black C7: a white stone \
                stands there: it is not studied, nor what follows";
    assert_eq!(illegal, [told]);
    let many = warnings("many.sgf", &"(;SZ[9];B[ee];W[ee])".repeat(5), 5);
    assert_eq!(many.len(), 4);
    assert_eq!(many[3], "many.sgf: and 2 more games with such a move");

    let games = "g\tx\t2026\t9\t6.5\t0\t-\tB+R\t-\t-\tB\teecc";
    assert!(warnings("games.txt", &format!("{games}\n"), 2).is_empty());
    let open = "cut.txt: line 2: the file ends within this line: its game may be cut off";
    assert_eq!(warnings("cut.txt", &format!("# games\n{games}"), 2), [open]);
}

#[test]
fn moves_that_candidates_lack_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.sgf");
    // The corner point is nobody's suggestion.
    std::fs::write(&path, "(;SZ[19];B[pd];W[aa])").unwrap();
    let path = path.to_str().unwrap();
    let text = output(&["go", "study", path]);
    assert!(
        text.contains("missing\n") && text.contains("our candidates lack game 1, move 2: white A19 (no rule"),
        "{text}"
    );
    assert_eq!(json(&["go", "study", path])["moves"][1]["rank"], serde_json::Value::Null);
}

/// Our own analysis service as a program that judges: the whole game is one query, and its answers are told.
#[test]
fn a_program_judges_explanations_and_reviews() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let judge = format!("'{}' analysis --threads 1", env!("CARGO_BIN_EXE_ishi"));
    let with_judge = |args: &[&'static str]| {
        let mut all = vec![args[0], game.as_str()];
        all.extend(&args[1..]);
        all.extend(["--judge", judge.as_str(), "--judge-visits", "8"]);
        json(&all)
    };
    let told = with_judge(&["explain", "--move", "9"]);
    assert_eq!(told["explained"]["effects"][0]["rule"], "take-stone");
    assert_eq!(told, with_judge(&["explain", "--move", "9"]));
    let own = json(&["explain", &game, "--move", "9", "--level", "1"]);
    let lead = |report: &serde_json::Value| report["black_lead"].as_f64().unwrap();
    assert!((lead(&told) - lead(&own)).abs() < 1.0, "the same network with as many visits: {told} {own}");
    let review = with_judge(&["review", "--worst", "1"]);
    assert_eq!(review[0]["moves"].as_array().unwrap().len(), 10);
}

/// KataGo itself, where somebody says how to start it.
#[test]
fn katago_judges_explanations_and_reviews() {
    let Ok(judge) = std::env::var("ISHI_KATAGO") else {
        let needs = "ISHI_KATAGO, a command such as 'katago analysis -model M -config C'";
        tell_missing(needs);
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let asked = |args: &[&str]| json(&[args, &["--judge", &judge, "--judge-visits", "8"]].concat());
    let told = asked(&["explain", &game, "--move", "9"]);
    assert_eq!(told["explained"]["effects"][0]["rule"], "take-stone");
    let review = asked(&["review", &game]);
    assert_eq!(review[0]["moves"].as_array().unwrap().len(), 10);
}

#[test]
fn a_judge_that_fails_is_told_with_its_last_words() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    for command in ["explain", "review"] {
        let failed = ishi(&[command, &game, "--judge", "sh -c 'echo no such model >&2; exit 3'"]);
        let message = String::from_utf8_lossy(&failed.stderr);
        assert_eq!(failed.status.code(), Some(4), "{message}");
        assert!(message.contains("no such model") && message.contains("3 starts"), "{message}");
    }
    let missing = ishi(&["explain", &game, "--judge", "no-such-judge"]);
    assert_eq!(missing.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("is it installed"));
}

/// Five moves of a game and the review of it, held against our own service.
#[test]
fn explanations_are_measured_against_a_judge() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let judge = format!("'{}' analysis --threads 1", env!("CARGO_BIN_EXE_ishi"));
    let args = ["go", "study", &game, "--teach", "--moves", "5", "--reviews", "1", "--level", "1"];
    let with_judge = [&args[..], &["--judge", &judge, "--judge-visits", "20"]].concat();
    // Times are not the seed's.
    let measure = || {
        let mut report = json(&with_judge);
        let times = ["median_seconds", "median_first_seconds"].map(|time| report[time].take());
        (report, times.map(|time| time.as_f64().unwrap()))
    };
    let (report, [whole, first]) = measure();
    assert!(first > 0.0 && first <= whole, "{first} {whole}");
    assert!(report["empty_lines"]["of"].as_u64().unwrap() >= 10, "{report}");
    assert_eq!((&report["moves"], &report["games"]), (&5.into(), &1.into()), "{report}");
    assert_eq!(report["with_verdict"]["of"], 5);
    assert_eq!(report["gains_close"]["of"], 10, "two other moves each: {report}");
    assert!(report["median_words"].as_u64().unwrap() > 10, "{report}");
    assert_eq!(report["calibration"].as_array().unwrap().len(), 6);
    assert_eq!(report, measure().0, "the seed decides");
    // Two of the moves are measured before, and the judge of the others is not asked about them again.
    let checkpoint = folder.path().join("kept.json").to_string_lossy().into_owned();
    let keep = |args: &[&str]| json(&[args, &["--checkpoint", &checkpoint]].concat());
    let mut fewer = with_judge.clone();
    (fewer[5], fewer[7]) = ("2", "0");
    assert_eq!((&keep(&fewer)["moves"], &report["moves"]), (&2.into(), &5.into()));
    let mut whole = keep(&with_judge);
    assert_eq!(whole, keep(&with_judge), "also the times, as nothing is measured again");
    ["median_seconds", "median_first_seconds"].into_iter().for_each(|time| drop(whole[time].take()));
    assert_eq!(whole, report);
    let other = refusal(&[&args[..], &["--checkpoint", &checkpoint]].concat());
    assert!(other.contains("kept.json: it was measured with another judge"), "{other}");
    let two_judges = refusal(&[&args[..], &["--two-judges"]].concat());
    assert!(two_judges.contains("--judge"), "{two_judges}");
    let text = output(&args);
    assert!(text.contains("own search with 80 visits") && text.contains("1 game reviewed"), "{text}");
    let message = refusal(&["go", "study", &game, "--judge", "katago"]);
    assert!(message.contains("--judge goes with --teach"), "{message}");
}

/// What was measured before a judge fails is told all the same.
#[test]
fn a_judge_that_fails_takes_no_figures_away() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    // It answers three questions: those about the first move and its two others.
    let script = format!(
        "[ -e '{0}/asked' ] && exit 3\ntouch '{0}/asked'\n\
         for n in 1 2 3; do read -r line; printf '%s\\n' \"$line\"; done | '{1}' analysis --threads 1\n",
        folder.path().display(),
        env!("CARGO_BIN_EXE_ishi"),
    );
    let judge = format!("sh '{}'", file(folder.path(), "judge.sh", script));
    let args = ["go", "study", &game, "--teach", "--moves", "5", "--level", "1", "--json", "--judge", &judge];
    let failed = ishi(&args);
    assert_eq!(failed.status.code(), Some(4), "{}", stderr(&failed));
    assert!(stderr(&failed).contains("3 starts"), "{}", stderr(&failed));
    let report: Value = serde_json::from_slice(&failed.stdout).unwrap();
    assert_eq!((&report["moves"], &report["gains_close"]["of"]), (&1.into(), &2.into()), "{report}");
    // With a file that keeps them each run goes on where the judge failed.
    let checkpoint = folder.path().join("kept.json").to_string_lossy().into_owned();
    let measured = [1, 2].map(|_| {
        std::fs::remove_file(folder.path().join("asked")).unwrap();
        let failed = ishi(&[&args[..], &["--checkpoint", &checkpoint]].concat());
        serde_json::from_slice::<Value>(&failed.stdout).unwrap()["moves"].take()
    });
    assert_eq!(measured, [1, 2]);
    let dumb = ishi(&["go", "study", &game, "--teach", "--moves", "5", "--level", "1", "--judge", "false"]);
    assert_eq!((dumb.status.code(), stdout(&dumb)), (Some(4), String::new()), "nothing was measured");
}

/// The sample games of the workbench, in their languages.
const SAMPLES: [(&str, &str); 2] = [("sample.sgf", "en"), ("sample.ja.sgf", "ja")];

fn sample_path(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../crates/house/web/src/workbench/rooms/go").join(name)
}

/// The record without what explanations write at its moves.
fn without_remarks(sgf: &[u8]) -> (ishi_sgf::Collection, usize) {
    let mut collection = ishi_sgf::read_collection(sgf).unwrap().collection;
    let tree = &mut collection.games[0];
    let moves: Vec<ishi_sgf::NodeId> = tree.main_line().skip(1).collect();
    for &node in &moves {
        tree.node_mut(node).properties.retain(|property| {
            let is_remark = |name: &&str| *property.ident() == **name;
            !["C", "LB", "CR"].iter().any(is_remark)
        });
    }
    (collection, moves.len())
}

/// Every move of the sample games has its remark, in the language of the game.
#[test]
fn the_sample_games_have_remarks_at_every_move() {
    for (name, language) in SAMPLES {
        let sgf = std::fs::read(sample_path(name)).unwrap();
        let tree = &ishi_sgf::read_collection(&sgf).unwrap().collection.games[0];
        assert!(tree.root().value("MADEBY").is_none(), "{name} must not tell of a machine");
        for (number, node) in tree.main_line().skip(1).enumerate() {
            let remark = tree.node(node).value("C").map(ishi_sgf::PropertyValue::to_text).unwrap_or_default();
            let number = number + 1;
            let head =
                if language == "en" { format!("Move {number}, ") } else { format!("{number}手目、") };
            assert!(remark.starts_with(&head), "{name}: {remark}");
        }
    }
}

/// Writes the remarks of the sample games anew, as `ishi explain` makes them today:
/// `cargo test --release -p ishi --test end-to-end the_sample_games_are_explained_anew -- --ignored`.
#[test]
#[ignore = "writes the sample games of the workbench, in some minutes"]
fn the_sample_games_are_explained_anew() {
    for (name, language) in SAMPLES {
        let path = sample_path(name);
        let (collection, moves) = without_remarks(&std::fs::read(&path).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let work = file(folder.path(), name, collection.to_sgf());
        for number in 1..=moves {
            let number = number.to_string();
            output(&["explain", &work, "--move", &number, "--lang", language, "--sgf", &work, "--force"]);
        }
        // A sample says nothing of the machine that it was explained on.
        let mut explained = ishi_sgf::read_collection(&std::fs::read(&work).unwrap()).unwrap().collection;
        explained.games[0].root_mut().properties.retain(|property| property.ident() != "MADEBY");
        std::fs::write(&path, explained.to_sgf()).unwrap();
    }
}
