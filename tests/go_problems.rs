//! `ishi go problems` as a user meets it: problems as text and as records, right and wrong answers.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::Write;

use crate::support::program::file;

commands_that_begin_with!(&["go", "problems"]);

/// A ladder that works, the same with a stone in its way, a stone in atari, one of them with a wrong answer, and a question that
/// nobody knows.
const TEXT: &str = "#id\tquery\targs\tsize\tto_move\tblack\twhite\tkomi\texpected\tknown
ladder\tattack\tE5\t9\tblack\tdeedfd\tee\t5.5\t[1 (E4|F5)]\t0
broken-ladder\tattack\tE5\t9\tblack\tdeedfd\teehh\t5.5\t[0]\t0
atari\tdefend\tE5\t9\twhite\tdeedfe\tee\t5.5\t[1 E4]\t0
not-so\tattack\tE5\t9\tblack\tdeedfe\tee\t5.5\t[1 A1]\t0
one-point\trestricted_genmove\tblack C3\t9\tblack\tde\tee\t-\t[!C4|D4]\t0
magic\tguess_winner\t\t9\tblack\tde\tee\t5.5\t[B]\t0
";

#[test]
fn right_and_wrong_answers_are_counted_by_group() {
    let folder = tempfile::tempdir().unwrap();
    let problems = file(folder.path(), "problems.txt", TEXT);
    let report = json(&[&problems, "--engine", "go-random"]);
    let group = |name: &str, what: &str| report["groups"][name][what].as_u64().unwrap();
    assert_eq!((group("attack", "asked"), group("attack", "right")), (3, 2), "{report}");
    assert_eq!(group("attack", "right_by_code"), 3, "it works, but not by A1");
    assert_eq!((group("defend", "right"), group("restricted_genmove", "right")), (1, 1), "{report}");
    assert_eq!((group("guess_winner", "unknown"), group("guess_winner", "right")), (1, 0));
    assert_eq!((&report["total"]["asked"], &report["total"]["right"]), (&6.into(), &4.into()));
    let wrong = &report["problems"][3];
    assert_eq!(
        (&wrong["name"], &wrong["right"], &wrong["answer"]),
        (&"not-so".into(), &false.into(), &"1 E4".into())
    );
}

#[test]
fn wrong_answers_are_told_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let problems = file(folder.path(), "problems.txt", TEXT);
    let brief = output(&[&problems, "--engine", "go-random"]);
    assert!(!brief.contains("not-so") && brief.contains("total") && brief.contains("66.7 %"), "{brief}");
    let columns = "group                asked  right            constant  by code (constant)  unknown  CPU s each (longest)\n";
    assert!(brief.starts_with(columns), "{brief}");
    let text = output(&[&problems, "--engine", "go-random", "--verbose"]);
    assert!(text.contains("not-so: attack E5: expected [1 A1], got 1 E4\n"), "{text}");
    assert!(text.contains("magic: guess_winner : expected [B], there is no such command"), "{text}");
    assert!(!text.contains("broken-ladder") && !text.contains("X O X"), "{text}");
    let hint = "2 of 6 answered otherwise than the file expects: --verbose shows both answers\n";
    let told = |args: &[&str]| String::from_utf8(ishi(args).stderr).unwrap();
    assert!(told(&[&problems, "--engine", "go-random"]).contains(hint));
    assert!(!told(&[&problems, "--engine", "go-random", "--verbose"]).contains("answered otherwise"));
    let drawn = output(&[&problems, "--engine", "go-random", "--only", "attack", "--diagram"]);
    assert!(drawn.contains("not-so") && drawn.contains("X O X"), "{drawn}");
}

#[test]
fn some_of_many_are_asked_and_threads_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let problems = file(folder.path(), "problems.txt", TEXT);
    let names = |args: &[&str]| {
        let report = json(&[&[problems.as_str(), "--engine", "go-random"], args].concat());
        let names =
            report["problems"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap().to_string());
        names.collect::<Vec<String>>()
    };
    assert_eq!(names(&["--every", "2", "--offset", "1"]), ["broken-ladder", "not-so", "magic"]);
    assert_eq!(names(&["--only", "attack,defend", "--limit", "2"]), ["ladder", "broken-ladder"]);
    let answers = |threads: &str| {
        let report = json(&[&problems, "--engine", "go-flat:playouts=20", "--threads", threads]);
        let answers = report["problems"].as_array().unwrap().iter().map(|p| p["answer"].clone());
        answers.collect::<Vec<_>>()
    };
    assert_eq!(answers("1"), answers("3"));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(TEXT.as_bytes()).unwrap();
    let packed = file(folder.path(), "problems.txt.gz", packed.finish().unwrap());
    let right = |file: &str| json(&[file, "--engine", "go-random"])["total"]["right"].clone();
    assert_eq!(right(&packed), right(&problems));
}

/// What was chosen on four parts of the games is judged on the fifth.
#[test]
fn problems_of_one_game_are_asked_together() {
    let folder = tempfile::tempdir().unwrap();
    let line = |game: usize, mv: usize| {
        format!("{game}:{mv}:E5:attack\tattack\tE5\t9\tblack\tdeedfe\tee\t5.5\t[1 E4]\t0\n")
    };
    let text: String = (0..20).flat_map(|game| [line(game, 31), line(game, 90)]).collect();
    let problems = file(folder.path(), "games.txt", text);
    let games = |parts: &str| {
        let report = json(&[&problems, "--engine", "go-random", "--parts", parts]);
        let name = |problem: &serde_json::Value| problem["name"].as_str().unwrap().to_string();
        let game = |name: String| name.split_once(':').unwrap().0.to_string();
        let asked = report["problems"].as_array().unwrap().iter();
        asked.map(|problem| game(name(problem))).collect::<Vec<String>>()
    };
    let (chosen_on, kept_back) = (games("1-4/5"), games("5/5"));
    assert_eq!(chosen_on.len() + kept_back.len(), 40);
    assert!(kept_back.len() >= 2 && kept_back.len().is_multiple_of(2), "{kept_back:?}");
    assert!(kept_back.iter().all(|game| !chosen_on.contains(game)), "{kept_back:?}");
    let refused = ishi(&[&problems, "--parts", "6/5"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("must be a part such as 5/5"));
}

/// The player takes what it can. That is right in the first record, and in the second, though the main line says otherwise; in the third it is wrong.
const RECORDS: &str = "(;SZ[9]GE[life and death]AB[de][ed][fe]AW[ee];B[ef]C[RIGHT])
(;SZ[9]AB[de][ed][fe]AW[ee](;B[eg];W[ef])(;B[ef];W[gg];B[gf]C[Correct!]))
(;SZ[9]AB[de][ed][fe]AW[ee](;B[ef];W[cc]C[wrong])(;B[df]C[This one is RIGHT.]))";

#[test]
fn records_are_problems() {
    let folder = tempfile::tempdir().unwrap();
    let problems = file(folder.path(), "taking.sgf", RECORDS);
    let report = json(&[&problems, "--engine", "go-capture"]);
    let right: Vec<bool> =
        report["problems"].as_array().unwrap().iter().map(|p| p["right"].as_bool().unwrap()).collect();
    assert_eq!(right, [true, true, false], "{report}");
    assert_eq!(report["problems"][2]["expected"], "[D4]");
    assert_eq!(report["groups"]["life and death"]["asked"], 1);
    let text = output(&[&problems, "--engine", "go-capture", "--verbose"]);
    assert!(
        text.contains("taking-3: restricted_genmove black") && text.contains("expected [D4], got E4"),
        "{text}"
    );
}

/// A suite of another program: records lie beside it, and what it says of that program counts for nothing.
#[test]
fn suites_of_other_programs_are_problems() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("games")).unwrap();
    file(&folder.path().join("games"), "taking.sgf", "(;SZ[9]KM[5.5];B[de];W[ee];B[ed];W[aa];B[fe];W[bb])");
    let text = "# captures\nuct_param max_games 5\nloadsgf games/taking.sgf 6\n10 reg_genmove b\n#? [E4]*\n\
        20 attack E5\n#? [1 E4]\nloadsgf games/none.sgf\n30 reg_genmove b\n#? [!A1]\n\
        loadsgf games/taking.sgf 2\n40 reg_genmove w\n#? [!D5]\n";
    let suite = file(folder.path(), "captures.tst", text);
    let report = json(&[&suite, "--engine", "go-capture"]);
    let problems = report["problems"].as_array().unwrap();
    let names: Vec<&str> = problems.iter().map(|problem| problem["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["taking:6:captures:10", "taking:6:captures:20", "taking:2:captures:40"]);
    assert!(problems.iter().all(|problem| problem["right"] == true), "{report}");
    let passed_over = report["passed_over"].as_array().unwrap();
    assert!(passed_over.len() == 1 && passed_over[0].as_str().unwrap().contains("none.sgf"), "{report}");
    let counts = &report["groups"]["captures"];
    assert_eq!((&counts["asked"], &counts["constant"]), (&3.into(), &2.into()), "E4 is no D5, either");
    let part = json(&[&suite, "--engine", "go-capture", "--only", "reg_genmove"]);
    assert_eq!(part["total"]["asked"], 2);
}

/// A line that is no problem does not keep the others from being asked.
#[test]
fn what_is_no_problem_is_passed_over_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let problems = file(folder.path(), "some.txt", TEXT.replacen("\tee\t", "\tzz\t", 1));
    let told = ishi(&[&problems, "--engine", "go-random"]);
    let [out, err] = [&told.stdout, &told.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert_eq!(told.status.code(), Some(0), "{err}");
    assert!(err.contains("passed over: ") && err.contains("some.txt: line 2: point \"zz\""), "{err}");
    assert!(out.contains("1 passed over: no problems"), "{out}");
    let report = json(&[&problems, "--engine", "go-random"]);
    assert_eq!((&report["total"]["asked"], report["passed_over"].as_array().unwrap().len()), (&5.into(), 1));
}

/// A stone in the corner that either of two moves takes: the one that was not expected counts with `--exact`, as it is proved.
#[test]
fn proved_moves_are_right_and_constant_answers_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = "either\tattack\tA1\t9\tblack\tbh\tai\t5.5\t[1 (A2|A3)]\t0
other\tattack\tA1\t9\tblack\tbh\tai\t5.5\t[1 (B1|A3)]\t0
safe\tattack\tE5\t9\tblack\tbh\tee\t5.5\t[0]\t0
";
    let problems = file(folder.path(), "either.txt", text);
    let counts = |args: &[&str], what: &str| {
        let report = json(&[&[problems.as_str(), "--engine", "go-random"], args].concat());
        report["groups"]["attack"][what].as_u64().unwrap()
    };
    assert_eq!((counts(&[], "right"), counts(&[], "proved"), counts(&[], "right_by_code")), (2, 0, 3));
    assert_eq!((counts(&["--exact"], "right"), counts(&["--exact"], "proved")), (3, 1));
    assert_eq!(
        (counts(&[], "constant"), counts(&[], "constant_by_code")),
        (1, 2),
        "0 is once right, 1 twice by code"
    );
    let told = output(&[&problems, "--engine", "go-random", "--exact"]);
    assert!(told.contains("another proved") && told.contains("100.0 %"), "{told}");
}

#[test]
fn bad_input_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str, content: &str| file(folder.path(), name, content);
    let wrong = refusal(&[&place("wrong.txt", "a\tattack\tE5\t9\tblack\tzz\tee\t5.5\t[1]\t0\n")]);
    assert!(wrong.contains("wrong.txt: line 1: point \"zz\""), "{wrong}");
    let none = refusal(&[&place("none.sgf", "(;SZ[9]AB[aa])")]);
    assert!(none.contains("none.sgf: problem 1: no move follows"), "{none}");
    let game = refusal(&[&place("game.sgf", "(;SZ[9];B[ee];W[cc])")]);
    assert!(
        game.contains("there must be a position (AB, AW); `ishi review GAME.sgf --problems FILE.sgf` makes problems of a game"),
        "{game}"
    );
    let empty = refusal(&[&place("empty.txt", "")]);
    assert!(empty.contains("empty.txt: there is no problem in it: it must be text"), "{empty}");
    let problems = place("problems.txt", TEXT);
    let unknown = refusal(&[&problems, "--only", "owl_attack"]);
    assert!(unknown.contains("owl_attack") && unknown.contains("guess_winner"), "{unknown}");
    assert!(refusal(&[&problems, "--offset", "6"]).contains("no problem is left"));
    assert!(refusal(&[&problems, "--engine", "go-rondom"]).contains("go-random"));
    assert!(refusal(&[&problems, "--level", "11"]).contains("1 to 10"));
    assert_eq!(ishi(&["missing.txt"]).status.code(), Some(4));
}
