//! What a player or a student of Othello uses, as a user meets it: hints, reviews, openings, the book, a game.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use ishi_othello::wthor::{WthorDatabase, WthorGame};

fn ishi_with_input(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    command.arg("othello").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Standard output of a command that succeeds.
fn output(args: &[&str]) -> String {
    output_with_input(args, "")
}

fn output_with_input(args: &[&str], input: &str) -> String {
    let output = ishi_with_input(args, input);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The message of a command that ends with this code.
fn failure(args: &[&str], code: i32) -> String {
    let output = ishi_with_input(args, "");
    assert_eq!(output.status.code(), Some(code), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&output(&[args, &["--json"]].concat())).unwrap()
}

/// A game to its end: the shortest wipe-out, nine moves.
const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5c5";

/// As other programs and other spellings call it.
#[test]
fn a_review_has_several_names() {
    // Several threads share a table, so that values differ from one run to the next.
    let review = |name| output(&[name, WIPE_OUT, "--level", "1", "--threads", "1"]);
    let lines = |text: String| {
        text.lines().filter(|line| !line.starts_with("made by")).map(str::to_string).collect::<Vec<_>>()
    };
    let expected = lines(review("analyze"));
    for name in ["analyse", "review"] {
        assert_eq!(lines(review(name)), expected, "{name}");
    }
}

#[test]
fn hints_value_every_legal_move() {
    let report = json(&["hint", "f5", "--level", "4"]);
    assert_eq!(report["to_move"], "white");
    let moves = report["moves"].as_array().unwrap();
    let mut names: Vec<&str> = moves.iter().map(|each| each["move"].as_str().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["d6", "f4", "f6"]);
    assert_eq!(moves[0]["loss"], 0);
    for each in moves {
        assert!(each["variation"].as_str().unwrap().starts_with(each["move"].as_str().unwrap()));
        assert!(each["depth"].as_u64().unwrap() >= 1);
        assert_eq!(
            each["loss"].as_i64().unwrap(),
            moves[0]["value"].as_i64().unwrap() - each["value"].as_i64().unwrap()
        );
    }
}

/// Half of all boards begin with an empty square; Edax and Egaroucid write theirs in other ways, and sites put them into links.
#[test]
fn boards_that_begin_with_a_dash_and_links_are_read() {
    let line = "---------------------------OX------XO--------------------------- X";
    let digits = line.replace('X', "0").replace('O', "1");
    for given in
        [line, &digits, "8/8/8/3pP3/3Pp3/8/8/8 b", "https://example.org/?board=start&moves=f5d6c3d3", "start"]
    {
        let report = json(&["hint", given, "--level", "1"]);
        assert_eq!(report["to_move"], "black", "{given}");
    }
    let text = output(&["hint", "--level", "1", line]);
    assert!(text.contains("Black to move, X 2, O 2"), "{text}");
    assert!(output(&["book", "show", line]).contains("f5"));
    assert!(failure(&["hint", "https://example.org/game/7"], 3).contains("no position in the link"));
}

/// A file of games, asked for by position, with an index and without.
#[test]
fn games_are_found_by_position() {
    let folder = tempfile::tempdir().unwrap();
    let [text, wthor, index] = ["games.txt", "games.wtb", "games.index"].map(|name| folder.path().join(name));
    let game = |moves: &str, result: u8| {
        let moves = ishi_othello::Position::from_transcript(moves).unwrap().squares_played().collect();
        WthorGame { year: 2020, tournament: 0, black: 1, white: 2, result, theoretical: result, moves }
    };
    let games = vec![game(WIPE_OUT, 64), game(WIPE_OUT, 64), game("f5f6e6f4e3", 32)];
    let database = WthorDatabase { year: 2020, games, ..WthorDatabase::default() };
    std::fs::write(&wthor, database.to_bytes().unwrap()).unwrap();
    std::fs::write(&text, "f5d6").unwrap();
    let [games, wthor, index] = [&text, &wthor, &index].map(|path| path.to_str().unwrap());
    output(&["games", wthor, "--index", index]);
    for more in [[wthor, "--show=1"], ["--show=1", "--index"]] {
        let args = [&["games", "--position", "e6"], &more[..]].concat();
        let report = if more[1] == "--index" { json(&[&args[..], &[index]].concat()) } else { json(&args) };
        assert_eq!((&report["games"], &report["to_move"]), (&3.into(), &"white".into()), "{report}");
        assert_eq!((&report["lost"], &report["drawn"]), (&2.into(), &1.into()), "{report}");
        assert_eq!(report["moves"].as_array().unwrap().len(), 2, "{report}");
        assert_eq!(
            (&report["moves"][0]["move"], &report["moves"][0]["games"]),
            (&"f4".into(), &2.into()),
            "{report}"
        );
        assert_eq!(report["latest"].as_array().unwrap().len(), 1, "{report}");
    }
    let japanese = output(&["games", "--index", index, "--position", "f5d6", "--lang", "ja"]);
    assert!(japanese.contains("\n手     局数   割合   得点率   石差\n"), "{japanese}");
    let text = output(&["games", "--index", index, "--position", "f5d6"]);
    assert!(text.contains("c5 ") && text.contains("100%"), "{text}");
    assert!(output(&["games", "--index", index, "--position", "f5f4"]).contains("no games"));
    assert!(failure(&["games", "--index", games], 3).contains("not an index of games"));
    assert!(failure(&["games", wthor, "--index", index], 3).contains("--force"));
}

/// Black must pass: the games go on with White, and so does the answer.
#[test]
fn games_are_found_behind_a_forced_pass() {
    let folder = tempfile::tempdir().unwrap();
    let wthor = folder.path().join("games.wtb");
    let passing = "f5f6c4g5h5h4f7h6";
    let game = ishi_othello::Position::from_transcript(&format!("{passing}c5")).unwrap();
    let moves = game.squares_played().collect();
    let game =
        WthorGame { year: 2020, tournament: 0, black: 1, white: 2, result: 20, theoretical: 20, moves };
    let database = WthorDatabase { year: 2020, games: vec![game], ..WthorDatabase::default() };
    std::fs::write(&wthor, database.to_bytes().unwrap()).unwrap();
    let report = json(&["games", wthor.to_str().unwrap(), "--position", passing]);
    assert_eq!((&report["games"], &report["won"]), (&1.into(), &1.into()), "{report}");
    assert_eq!(report["to_move"], "white");
    assert_eq!(report["moves"][0]["move"], "c5");
}

#[test]
fn hints_speak_english_and_japanese() {
    let text = output(&["hint", "f5d6c3d3c4", "--level", "3"]);
    assert!(text.contains("White to move, X 6, O 3, Tiger"), "{text}");
    assert!(text.contains("Aubrey / Tanaka"), "{text}");
    // What stands in the first column is not said again.
    let text = output(&["hint", "f5d6c3d3c4f4", "--level", "2", "--threads", "1"]);
    let is_move = |word: &str| word.len() == 2 && word.ends_with(|c: char| c.is_ascii_digit());
    let moves: Vec<&str> = text.lines().filter(|line| line.split(' ').next().is_some_and(is_move)).collect();
    assert!(moves.iter().any(|line| line.contains("Black")), "some lose: {text}");
    for line in moves {
        let named = format!("{}: ", &line[..2]);
        assert!(!line[2..].contains(&named), "{line}");
    }
    let text = output(&["hint", "f5d6c3d3c4", "--level", "3", "--lang", "ja"]);
    assert!(text.contains("白番、X 6、O 3、虎定石") && !text.contains("と打つと"), "{text}");
    assert!(text.contains("イエス流"), "{text}");
}

#[test]
fn positions_that_are_wrong_are_refused() {
    assert!(failure(&["hint", "f5f5"], 3).contains("the square is occupied"));
    assert!(failure(&["hint", "f5i9"], 3).contains("i9"));
    assert!(
        failure(&["hint", "start", "--level", "21"], 2).contains("a level must be a number from 1 to 20")
    );
    assert!(failure(&["hint", "start", "--time", "0"], 2).contains("write seconds, more than 0"));
}

#[test]
fn files_without_a_game_are_refused_with_what_they_must_be() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let name = file.to_str().unwrap();
    for (bytes, why) in [(&b""[..], "there is no game in it"), (b"\x7fELF\xff", "this is no text")] {
        std::fs::write(&file, bytes).unwrap();
        let told = failure(&["analyze", name], 3);
        assert!(told.contains(&format!("{name}: {why}: it must be SGF, GGF, WTHOR (.wtb)")), "{told}");
    }
}

#[test]
fn hints_of_a_finished_game() {
    let text = output(&["hint", WIPE_OUT]);
    assert!(text.contains("The game is over: +64 for Black."), "{text}");
}

#[test]
fn a_game_is_reviewed_with_its_losing_move() {
    let report = json(&["analyze", WIPE_OUT, "--level", "9", "--quiet"]);
    assert_eq!(report["result"], 64);
    assert_eq!(report["complete"], true);
    let moves = report["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 9);
    assert_eq!(moves[8]["move"], "c5");
    assert_eq!(moves[8]["value"], 64);
    assert_eq!(moves[8]["loss"], 0);
    assert_eq!(moves[7]["value"], -64, "White did not see the end");
    assert!(moves[7]["loss"].as_i64().unwrap() > 0);
    let white = &report["players"][1];
    assert_eq!(white["worst_move"].as_u64().unwrap() % 2, 0);
    let losses = moves.iter().filter(|each| each["color"] == "white" && each["forced"] == false);
    assert_eq!(white["loss"], losses.map(|each| each["loss"].as_i64().unwrap()).sum::<i64>());
}

/// Each move that loses 2 discs has its main reason with a line that begins with it, and a side that errs has lessons.
#[test]
fn losing_moves_have_a_main_reason_and_lessons() {
    let report = json(&["analyze", WIPE_OUT, "--level", "9", "--quiet"]);
    for each in report["moves"].as_array().unwrap() {
        let (mv, loss) = (each["move"].as_str().unwrap(), each["loss"].as_i64().unwrap());
        assert_eq!(each["reason"].is_object(), loss >= 2, "{each}");
        if loss >= 2 {
            assert!(each["reason"]["text"].as_str().unwrap().starts_with(mv), "{each}");
            assert!(each["reason"]["line"].as_str().unwrap().starts_with(mv), "{each}");
            let best = each["best"]["move"].as_str().unwrap();
            assert!(each["reason"]["better"].as_str().unwrap().starts_with(best), "{each}");
            assert!((1..=loss).contains(&each["reason"]["cost"].as_i64().unwrap()), "{each}");
        }
    }
    let lessons = report["players"][1]["lessons"].as_array().unwrap();
    assert!((1..=3).contains(&lessons.len()), "{report}");
    let text = output(&["analyze", WIPE_OUT, "--level", "6", "--quiet"]);
    assert!(text.contains("Lessons for White:\n  1. "), "{text}");
    let text = output(&["analyze", WIPE_OUT, "--level", "6", "--quiet", "--lang", "ja"]);
    assert!(text.contains("白への教訓：\n  1. "), "{text}");
}

#[test]
fn reviews_are_written_in_words() {
    let text = output(&["analyze", WIPE_OUT, "--level", "6", "--quiet"]);
    assert!(text.contains("result +64 for Black"), "{text}");
    assert!(text.contains("White lost "), "{text}");
    let text = output(&["analyze", WIPE_OUT, "--level", "6", "--quiet", "--lang", "ja"]);
    assert!(text.contains("白：石損"), "{text}");
    assert!(text.contains("、黒の64石勝ち"), "{text}");
    assert!(text.contains("。最善は") && !text.contains([':', ';']), "Japanese has its own signs: {text}");
}

/// Each move that is judged is told on the way, in the language that was asked for.
#[test]
fn the_way_through_a_game_is_told_in_both_languages() {
    let told = |lang: &str| {
        let output = ishi_with_input(&["analyze", WIPE_OUT, "--level", "1", "--lang", lang], "");
        let text = String::from_utf8(output.stderr).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with("made by "));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let (english, japanese) = (told("en"), told("ja"));
    assert!(english.contains("9/9 moves  1. ") && english.contains(" loses "), "{english}");
    assert!(japanese.contains("9/9 手  1手目 ") && japanese.contains("石損\n"), "{japanese}");
    assert!(!english.contains(" -") && !japanese.contains("moves"), "{english}\n{japanese}");
}

/// What is shared needs no server, is asked before it is written over, and has who played.
#[test]
fn a_review_is_written_as_one_file_to_share() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("game.html");
    let name = out.to_str().unwrap();
    let record = folder.path().join("game.sgf");
    let moves: String = (0..WIPE_OUT.len() / 2)
        .map(|at| format!(";{}[{}]", if at % 2 == 0 { 'B' } else { 'W' }, &WIPE_OUT[2 * at..2 * at + 2]))
        .collect();
    std::fs::write(&record, format!("(;GM[2]PB[Kuro]PW[Shiro]{moves})")).unwrap();
    let args = ["analyze", record.to_str().unwrap(), "--level", "6", "--quiet", "--html", name];
    assert!(output(&args).contains("Lessons for White"), "the text is written, too");
    let page = std::fs::read_to_string(&out).unwrap();
    assert!(page.contains("<meta name=\"made-by\" content=\"ishi "), "it says how it was made: {page}");
    assert!(page.contains("<h1>Kuro – Shiro</h1>") && page.contains("Black wins +64"), "{page}");
    assert!(page.contains("\"answers\":[\"") && page.contains("この対局の教訓"), "{page}");
    assert!(page.contains("default-src 'none'") || page.contains("default-src &#39;none&#39;"), "{page}");
    assert!(failure(&args, 3).contains("--force to replace it"));
    assert!(output(&[&args[..], &["--force", "--lang", "ja"]].concat()).contains("白への教訓"));
    assert!(std::fs::read_to_string(&out).unwrap().contains("<html lang=\"ja\">"));
}

#[test]
fn games_come_from_files_standard_input_and_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    std::fs::write(&path, format!("f5d6c3\n{WIPE_OUT}\n")).unwrap();
    let name = path.to_str().unwrap();
    let args = ["analyze", name, "--game", "2", "--level", "2", "--quiet"];
    assert!(output(&args).contains("result +64"));
    let text = output_with_input(&["analyze", "-", "--level", "2", "--quiet"], WIPE_OUT);
    assert!(text.contains("result +64"), "{text}");
    let message = failure(&["analyze", name, "--game", "3"], 3);
    assert!(message.contains("there is no game 3: the file has 2"), "{message}");
    assert!(failure(&["analyze", "start"], 3).contains("the game has no moves"));
}

#[test]
fn openings_are_named_in_both_languages() {
    let text = output(&["openings", "c4e3f6e6f5"]);
    assert_eq!(text, " 2  Perpendicular  縦取り  c4e3\n 3  虎系  c4e3f6\n 5  Tiger  虎定石  c4e3f6e6f5\n");
    let report = json(&["openings", "f5f6e6f4e3"]);
    assert_eq!(report[1]["english"], "Cow");
    assert_eq!(report[1]["japanese"], "牛定石");
    assert_eq!(report[1]["after"], 5);
    assert_eq!(output(&["openings"]).lines().count(), 385);
    assert!(output(&["openings", "--find", "闘牛"]).contains("飛び出し牛 / 闘牛"));
    assert!(output(&["openings", "--find", "ローズ", "--lang", "ja"]).contains("ローズ  Rose"));
    assert!(failure(&["openings", "--find", "no such name"], 1).contains("no opening has"));
}

fn build(file: &Path, more: &[&str]) -> String {
    let file = file.to_str().unwrap();
    output(&[&["book", "build", file, "--depth", "2", "--quiet"], more].concat())
}

#[test]
fn a_book_is_built_resumed_shown_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("games.txt");
    std::fs::write(&records, "f5d6c3d3c4\nf5d6c3d3c4\nf5f6e6f4e3\n").unwrap();
    let (first, second) = (folder.path().join("first.book"), folder.path().join("second.book"));
    let records = ["--records", records.to_str().unwrap(), "--least-games", "2"];
    build(&first, &[&["--positions", "12"], &records[..]].concat());
    let text = build(&first, &["--positions", "24"]);
    assert!(text.contains("24 positions, 24 of them searched (full)"), "{text}");
    build(&second, &[&["--positions", "24"], &records[..]].concat());
    let name = second.to_str().unwrap();
    assert!(output(&["book", "check", name]).starts_with("24 positions, 24 searched, 24 reached"));
    let shown = json(&["book", "show", "f5d6", "--book", name]);
    let japanese = output(&["book", "show", "f5d6", "--book", name, "--lang", "ja"]);
    assert!(
        japanese.contains("黒番から見て") && japanese.contains("\n手    評価    局数 得点率\n"),
        "{japanese}"
    );
    assert_eq!(shown["in_book"], true);
    assert_eq!(shown["games"], 2);
    assert_eq!(shown["opening"]["english"], "Perpendicular");
    assert!(!shown["moves"].as_array().unwrap().is_empty());
    assert!(
        failure(&["book", "show", "f5f4e3d6", "--book", name], 1).contains("does not know this position")
    );
}

/// A book goes to other programs' formats and back; what is read says what it is by itself.
#[test]
fn books_are_converted_for_edax_and_egaroucid() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (edax, egaroucid, own) = (path("book.dat"), path("book.egbk3"), path("own.book"));
    let built_in = json(&["book", "check"]);
    for (to, magic) in [(&edax, &b"XADEKOOB"[..]), (&egaroucid, &b"DICUORAGE"[..])] {
        let told = output(&["book", "convert", "builtin", to]);
        assert!(told.contains(&format!("{} positions", built_in["searched"])), "{told}");
        assert!(std::fs::read(to).unwrap().starts_with(magic));
        assert_eq!(json(&["book", "check", to])["searched"], built_in["searched"]);
    }
    assert_eq!(json(&["book", "check", &edax])["value_of_start"], built_in["value_of_start"]);
    let [there, here] =
        [&["--book", &edax[..]][..], &[]].map(|more| json(&[&["book", "show", "f5"], more].concat()));
    for part in ["value", "games", "success"] {
        assert_eq!(there["moves"][0][part], here["moves"][0][part], "{part} of the best move");
    }
    output(&["book", "convert", &edax, &own]);
    assert!(std::fs::read(&own).unwrap().starts_with(b"ISHIBOOK"));
    assert!(failure(&["book", "convert", "builtin", &own], 3).contains("exists"));
    output(&["book", "convert", "builtin", &own, "--force"]);
    assert_eq!(json(&["book", "check", &own])["searched"], built_in["searched"]);
    // Only its own books are gone on with: another program's would be lost.
    assert!(failure(&["book", "build", &edax, "--positions", "9"], 3).contains("ISHIBOOK"));
}

#[test]
fn the_book_that_is_built_in_is_whole() {
    let report = json(&["book", "check"]);
    assert!(report["positions"].as_u64().unwrap() >= 2000);
    assert_eq!(report["positions"], report["searched"]);
    assert_eq!(report["positions"], report["reachable"]);
    assert!(report["value_of_start"].as_i64().unwrap().abs() <= 3, "perfect play is a draw");
    assert!(report["bytes"].as_u64().unwrap() <= 500 * 1024);
}

#[test]
fn files_that_are_no_book_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no.book");
    std::fs::write(&path, "ISHIBOOK but no more").unwrap();
    let name = path.to_str().unwrap();
    assert!(failure(&["book", "check", name], 3).contains("not a book of openings: byte"));
    assert!(failure(&["book", "build", name], 3).contains("not a book of openings: byte"));
    assert_eq!(std::fs::read(&path).unwrap(), b"ISHIBOOK but no more", "it is left as it was");
}

#[test]
fn a_game_is_played_in_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    let args = ["play", "--level", "1", "--save", path.to_str().unwrap()];
    let text = output_with_input(&args, "x9\na1\nf5\nhint\nmoves\nundo\nmoves\nf5\nquit\n");
    assert!(text.contains("\"x9\" is no move and no command"), "{text}");
    assert!(text.contains("black may not play a1: it turns no disc"), "{text}");
    assert!(text.contains("Level 1 plays "), "{text}");
    assert!(text.contains("The game is not finished."), "{text}");
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.starts_with("f5") && saved.trim().len() == 4, "{saved}");
    assert!(failure(&args, 3).contains("exists: give another name, or --force"));
    let rated =
        |more: &[&str]| output_with_input(&[&["play", "--rating", "750"][..], more].concat(), "f5\nquit\n");
    let text = rated(&[]);
    assert!(text.contains("Rating 750 plays "), "{text}");
    let text = rated(&["--lang", "ja"]);
    assert!(text.contains("レーティング750："), "{text}");
    assert!(failure(&["play", "--rating", "1"], 2).contains("a rating must be a number from "));
}

/// A position that is missed is asked again, in this session and in the next one.
#[test]
fn openings_are_asked_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings.txt");
    let file = path.to_str().unwrap();
    let args =
        ["practice", "--from", "f5", "--plies", "1", "--count", "1", "--color", "white", "--file", file];
    let text = output_with_input(&args, "a1\nf4\n\nd6\n");
    assert!(text.starts_with("Answer with a square such as f5. An empty line shows the answer"), "{text}");
    assert!(text.contains("a1 turns no disc"), "{text}");
    assert!(text.contains("f4 is not in the book. Good moves: d6 (Perpendicular)"), "{text}");
    assert_eq!(text.matches("White to move").count(), 3, "until it is known: {text}");
    assert!(text.contains("Right: d6.") && text.contains("0 right, 1 missed. 1 will come back."), "{text}");
    let kept = || {
        let text = std::fs::read_to_string(&path).unwrap();
        let (first, rest) = text.split_once('\n').unwrap();
        assert!(first.starts_with("# checksum "), "{text}");
        rest.to_string()
    };
    assert_eq!(kept(), "ishi-openings-practice 1\nsession 1\nf5 0 2\n");
    let text = output_with_input(&args, "d6\n");
    assert!(text.contains("1 right, 0 missed. 1 will come back."), "{text}");
    assert_eq!(kept(), "ishi-openings-practice 1\nsession 2\nf5 1 4\n");
    let japanese = output_with_input(&[&args[..9], &["--lang", "ja"]].concat(), "d6\n");
    assert!(japanese.contains("白番") && japanese.contains("正解：d6。"), "{japanese}");
    std::fs::write(&path, "something else\n").unwrap();
    assert!(failure(&args, 3).contains("line 1: the first line must be"));
    assert!(failure(&["practice", "--from", "f5f4f3"], 1).contains("nothing to ask"));
    let board = "---------------------------OO------XO--------------------------- X";
    assert!(failure(&["practice", "--from", board], 3).contains("it must be moves from the start"));
}

/// Always the first legal move, to the end, by a script that reads the board: no game ends in a panic.
#[test]
fn whole_games_are_played_with_passes() {
    let squares: Vec<String> =
        (1..=8).flat_map(|row| ('a'..='h').map(move |column| format!("{column}{row}\n"))).collect();
    let input = squares.concat().repeat(40);
    for seed in ["1", "2", "3"] {
        let text = output_with_input(&["play", "--level", "2", "--seed", seed, "--color", "white"], &input);
        assert!(
            text.contains("You win by") || text.contains("You lose by") || text.contains("A draw."),
            "{text}"
        );
    }
}

#[test]
fn a_transcript_that_is_wrong_is_not_taken_for_a_file() {
    let message = failure(&["analyze", "f5d6c3c3"], 3);
    assert!(message.contains("move 4: white may not play c3: the square is occupied"), "{message}");
    let message = failure(&["analyze", "no-such-file.sgf"], 4);
    assert!(message.contains("cannot read no-such-file.sgf"), "{message}");
}

/// What a command says that Ctrl-C ends half a second after it has begun.
#[cfg(target_os = "linux")]
fn interrupted(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    command.arg("othello").args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    crate::support::program::wait_until_it_listens_to_ctrl_c(&child);
    std::thread::sleep(std::time::Duration::from_millis(500));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    child.wait_with_output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn answers_that_ctrl_c_cut_short_are_told_by_the_exit_code() {
    // Each would take hours.
    for args in [&["hint", "f5", "--level", "20"][..], &["perft", "15"]] {
        let output = interrupted(args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{args:?}: {message}");
        assert!(message.contains("stopped by the user"), "{args:?}: {message}");
    }
}
