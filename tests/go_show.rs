//! `ishi go show` by levels, pictures of explanations, pages of reviews, and `ishi go check`, as a user meets them.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::Path;

commands_that_begin_with!(&[]);

/// A game in which White leaves a stone in atari; its players' names are no names.
fn record(folder: &Path) -> String {
    let moves = "B[ee];W[de];B[dd];W[gg];B[df];W[gf];B[cc];W[hh];B[ce];W[ge]";
    let path = folder.join("game.sgf");
    let names = "PB[<script>alert(1)</script>]PW[\"Bo\" & co]";
    std::fs::write(&path, format!("(;GM[1]FF[4]SZ[9]KM[6.5]{names};{moves})")).unwrap();
    path.to_str().unwrap().to_string()
}

/// Elements that are opened are closed, in the right order, and texts hold no bare `&`.
fn check_xml(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, rest) = part.split_once('>').unwrap_or_else(|| panic!("an open tag: {part}"));
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "in the wrong order: {part}");
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        for entity in rest.split('&').skip(1) {
            let name = entity.split_once(';').map_or("", |(name, _)| name);
            assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "{rest}");
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

/// How the first suggestion after move 8 begins in words.
fn report_sentence(game: &str) -> String {
    let json = output(&["go", "show", game, "--move", "8", "--fast", "--level", "suggestions", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let first = &report["suggestions"][0];
    let (mv, text) = (first["move"].as_str().unwrap(), first["reasons"][0]["text"].as_str().unwrap());
    let words: Vec<&str> = text.split(' ').take(4).collect();
    format!("1 {mv} {:.0}: {}", first["value"].as_f64().unwrap(), words.join(" ").replace('\'', "&#39;"))
}

const LEVELS: [&str; 9] =
    ["chains", "status", "links", "eyes", "groups", "influence", "territory", "strategy", "suggestions"];

#[test]
fn all_levels_of_a_record_are_told_drawn_and_given_as_data() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let out = folder.path().join("levels.svg");
    let text = output(&["go", "show", &game, "--move", "8", "--fast", "--svg", out.to_str().unwrap()]);
    assert!(text.contains("Move 8: white H2"), "{text}");
    for level in LEVELS {
        assert!(text.contains(&format!("\n{}\n", level.to_uppercase())), "{level} in {text}");
    }
    let svg = std::fs::read_to_string(&out).unwrap();
    check_xml(&svg);
    for level in LEVELS {
        assert!(svg.contains(&format!("<title>{level}</title>")), "{level}");
    }
    let name = report_sentence(&game);
    assert!(svg.contains(&name), "suggestions are named by sentences: {name}");
    let again = ishi(&["go", "show", &game, "--svg", out.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(3), "an existing file is kept");
    let json = output(&["go", "show", &game, "--move", "8", "--fast", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["chains"].as_array().unwrap().len(), 7);
    let atari = report["chains"].as_array().unwrap().iter().find(|chain| chain["name"] == "D5").unwrap();
    assert_eq!((atari["color"].as_str(), atari["liberties"].as_array().unwrap().len()), (Some("white"), 1));
    assert_eq!(report["influence"].as_array().unwrap().len(), 9);
    let captured = report["status"].as_array().unwrap().iter().any(|status| status["chain"] == "D5");
    // No stone is thick here: nobody's nothing is negative.
    assert!(!json.contains("-0.0,") && !json.contains("-0.0}") && !text.contains("-0.0\n"), "{json}\n{text}");
    assert!(captured && report["suggestions"][0]["move"].is_string(), "{json}");
}

#[test]
fn one_level_of_a_diagram() {
    let folder = tempfile::tempdir().unwrap();
    let diagram = folder.path().join("shape.txt");
    std::fs::write(&diagram, ". . . . .\n. X O . .\n. . X O .\n. . . . .\n. . . . .\n").unwrap();
    let diagram = diagram.to_str().unwrap();
    let text = output(&["go", "show", "--diagram", diagram, "--level", "links", "--fast"]);
    assert!(text.contains("hane") && !text.contains("CHAINS"), "{text}");
    let svg = output(&["go", "show", "--diagram", diagram, "--level", "links", "--fast", "--svg", "-"]);
    assert!(svg.starts_with("<svg ") && svg.contains("<line "), "{svg}");
    check_xml(&svg);
}

#[test]
fn bad_input_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    assert!(refusal(&["go", "show", &game, "--move", "11"]).contains("the record has 10 moves"));
    assert!(refusal(&["go", "show", &game, "--level", "liberties"]).contains("chains, status"));
    assert!(refusal(&["go", "show", "D4", "--move", "1"]).contains("--move is for records"));
    assert!(refusal(&["go", "show", &game, "--handicap", "2"]).contains("--handicap is not for records"));
}

#[test]
fn explanations_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let svg = output(&["explain", &record(folder.path()), "--move", "9", "--why-not", "H7", "--svg", "-"]);
    check_xml(&svg);
    assert!(
        svg.contains("square: the move before")
            && svg.contains("Move 9: Black C5")
            && svg.contains(">A</text>")
            && svg.contains(">a</text>"),
        "{svg}"
    );
}

#[test]
fn reviews_have_pages_that_are_not_made_twice() {
    let folder = tempfile::tempdir().unwrap();
    let game = record(folder.path());
    let pages = folder.path().join("pages");
    let args = ["review", &game, "--worst", "1", "--out", pages.to_str().unwrap()];
    output(&args);
    let names = || {
        let entries = std::fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().path());
        let mut names: Vec<_> = entries.collect();
        names.sort();
        names
    };
    let first = names();
    assert_eq!(first.len(), 3, "{first:?}");
    let index = std::fs::read_to_string(pages.join("index.html")).unwrap();
    let data = first.iter().find(|path| path.extension().is_some_and(|end| end == "json")).unwrap();
    let page_name = data.with_extension("html");
    let page = std::fs::read_to_string(&page_name).unwrap();
    assert!(index.contains(page_name.file_name().unwrap().to_str().unwrap()), "{index}");
    for text in [&index, &page] {
        assert!(text.contains("&lt;script&gt;") && !text.contains("<script"), "{text}");
    }
    assert!(page.contains("class=\"graph\"") && page.contains("name=\"viewport\""), "{page}");
    // A second run takes what is there: the data is not written again, and the page is made from it.
    let written = || std::fs::metadata(data).unwrap().modified().unwrap();
    let before = written();
    std::fs::remove_file(&page_name).unwrap();
    output(&args);
    assert_eq!((names(), written()), (first.clone(), before));
    assert_eq!(std::fs::read_to_string(&page_name).unwrap(), page);
}

#[test]
fn a_check_that_is_broken_off_says_so() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_ishi"))
        .args(["go", "check", "--games", "100000", "--playouts", "8", "--every", "50"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    let mut lines = lines.map(Result::unwrap);
    assert!(lines.next().unwrap().starts_with("game   0:"));
    let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let rest: Vec<String> = lines.collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let [.., broken, sum] = rest.as_slice() else { panic!("{rest:?}") };
    assert!(broken.ends_with("(broken off)"), "{rest:?}");
    // The first game's line was read before; all others but the last one were finished.
    assert!(sum.starts_with(&format!("{} games and one broken off, ", rest.len() - 1)), "{rest:?}");
}

#[test]
fn games_with_all_checks_show_no_difference() {
    let text = output(&["go", "check", "--games", "4", "--every", "12", "--playouts", "8"]);
    assert!(text.contains("4 games") && text.contains(" 0 differences (seed 1)"), "{text}");
    let report: serde_json::Value = serde_json::from_str(&output(&[
        "go",
        "check",
        "--games",
        "1",
        "--from",
        "3",
        "--playouts",
        "8",
        "--json",
    ]))
    .unwrap();
    assert_eq!(report["games"][0]["number"], 3);
    assert_eq!(report["differences"], 0);
    assert!(report["checked"].as_u64().unwrap() > 0);
}

/// All levels of the fullest board take seconds, most of them within questions about single groups.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_the_reading_of_a_full_board() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("full.sgf").to_str().unwrap().to_string();
    output(&["strings", "19", "--out", &file]);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ishi"));
    command.args(["go", "show", &file]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    crate::support::program::wait_until_it_listens_to_ctrl_c(&child);
    std::thread::sleep(std::time::Duration::from_millis(200));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let ended = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{message}");
    assert!(message.contains("stopped by the user"), "{message}");
    assert!(ended.stdout.is_empty(), "nothing is told by halves");
}

#[test]
fn a_file_that_is_not_there_is_no_move() {
    for name in ["nofile.sgf", "no/such/game"] {
        let output = ishi(&["go", "show", name]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{message}");
        assert!(message.contains(&format!("there is no file {name}")), "{message}");
    }
    assert!(refusal(&["go", "show", "D44"]).contains("D44"), "a move that is none is still told as such");
    assert!(refusal(&["go", "show", "one.sgf", "two.sgf"]).contains("name one record"));
}
