//! The commands as a user meets them: help that teaches, exit codes, completions, manual pages, signatures.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::Path;
use std::process::{Command, Output};

use crate::layering::{production_lines, rust_files};

fn ishi(args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    Command::new(env!("CARGO_BIN_EXE_ishi")).args(args).current_dir(root).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What `--help` says of the command with this path.
pub(crate) fn help_text(path: &[&str]) -> String {
    let output = ishi(&[path, &["--help"]].concat());
    assert!(output.status.success(), "{path:?}: {}", stderr(&output));
    stdout(&output)
}

/// The commands that `--help` lists below `path`.
fn subcommands(path: &[&str]) -> Vec<String> {
    list_subcommands(&help_text(path))
}

/// The commands that a help lists.
pub(crate) fn list_subcommands(help: &str) -> Vec<String> {
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let lines = list.lines().take_while(|line| !line.trim().is_empty());
    // A description that is wrapped goes on further to the right.
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
        .map(String::from)
        .collect()
}

#[test]
fn every_command_teaches() {
    let commands = subcommands(&[]);
    for name in ["match", "gtp", "stats", "sgf", "lab", "bench", "ratings", "go"] {
        assert!(commands.iter().any(|command| command == name), "no command {name} in {commands:?}");
    }
    let mut silent = Vec::new();
    for command in &commands {
        let deeper = subcommands(&[command]);
        let help = stdout(&ishi(&[command, "--help"]));
        if !help.contains("Examples:") {
            silent.push(command.clone());
        }
        for sub in deeper {
            assert!(ishi(&[command, &sub, "--help"]).status.success(), "{command} {sub}");
        }
    }
    assert!(silent.is_empty(), "--help without examples: {silent:?}");
}

/// What a command is about stands before what all of them have.
#[test]
fn options_of_every_command_stand_below_its_own() {
    for path in [&["match"][..], &["go", "show"], &["lab", "run"], &["deck", "build"]] {
        let help = help_text(path);
        let (own, common) = help.split_once("\nOptions of every command:\n").unwrap();
        assert!(own.contains("\nOptions:\n"), "{path:?}: {own}");
        for option in ["--json", "--seed <NUMBER>", "--threads <N>", "--quiet"] {
            assert!(common.contains(option) && !own.contains(option), "{path:?}: {option}");
        }
    }
}

/// Files of other people have names, too.
#[test]
fn messages_do_not_control_the_terminal() {
    let output = ishi(&["go", "show", "no\u{1b}[31m\u{7}.sgf"]);
    let message = stderr(&output);
    assert!(!output.status.success() && !message.contains(['\u{1b}', '\u{7}']), "{message:?}");
    assert!(message.contains("no\\u{1b}[31m\\u{7}.sgf"), "{message:?}");
}

/// Arguments, exit code and a part of the message.
const FAILURES: &[(&[&str], i32, &str)] = &[
    (&["mach"], 2, "unrecognized subcommand 'mach'"),
    (&["bench", "--seed", "x"], 2, "a seed must be a whole number from 0"),
    (&["bench", "nothing"], 3, "no component \"nothing\": there are rng"),
    (&["bench", "rng", "--repeat", "1", "--check", "--file", "none.toml"], 4, "cannot read none.toml"),
    (&["campaign", "run", "none.toml"], 4, "cannot read none.toml"),
    (&["gtp", "--config", "none.toml"], 4, "cannot read none.toml"),
    (&["deck", "build", "sample:deck", "--time-limit", "soon"], 2, "\"soon\": write seconds such as 10"),
    (&["man", "Cargo.toml/man"], 4, "cannot make the folder Cargo.toml/man"),
    (&["review", "data"], 4, "cannot read data: it must be a file, and is a folder"),
    (
        &["review", "sample:lesson", "--out", "Cargo.toml"],
        4,
        "cannot make the folder Cargo.toml: a file has this name",
    ),
    (&["sgf", "check", "sample:less"], 3, "there is no sample \"less\": it must be one of lesson, problems"),
    (
        &["strings", "check", "sample:less"],
        3,
        "there is no sample \"less\": it must be one of lesson, problems",
    ),
    (&["bench", "rng", "--repeat", "x"], 2, "it must be a whole number\n"),
    (&["explain", "sample:lesson", "--level", "99"], 2, "it must be a whole number from 1 to 10\n"),
];

#[test]
fn failures_have_their_exit_code_and_say_why() {
    for (args, code, message) in FAILURES {
        let output = ishi(args);
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"), "{args:?}: {}", stderr(&output));
    }
}

/// A program, or a file with nothing in it, is taken for what was asked for by nobody. Each door says what the file must be.
#[test]
fn files_of_another_kind_are_told_what_they_must_be() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_string()
    };
    let program = [&b"\x7fELF\x02\x01\x01\x00"[..], &[0xff; 2048]].concat();
    let (database, games) = (file("program.db", &program), file("program.wtb", &program));
    let (pool, empty) = (file("program.toml", &program), file("empty.toml", b""));
    let out = folder.path().join("strengths.bin");
    let db = folder.path().join("ishi.db");
    let (db, place) = (db.to_str().unwrap(), folder.path().to_str().unwrap());
    let cases: [(&[&str], &str); 9] = [
        (&["go", "predict", "--diagram", &pool], "it must be text in UTF-8"),
        (
            &["serve", "--listen", "nowhere", "--db", db, "--experiments", place, "--token-file", &pool],
            "it must be text in UTF-8",
        ),
        (&["serve", "--listen", "nowhere", "--othello-games", &pool], "--othello-games "),
        (&["go", "learn-patterns", &pool, "--out", out.to_str().unwrap()], "it must be text in UTF-8"),
        (&["othello", "hint", "99999999999999999999"], "begins with no move: write a square such as f5"),
        (
            &["ratings", &database],
            "must be a database of ishi: it is a file of another kind. Name another file",
        ),
        (&["othello", "analyze", &games], "a WTHOR file must be as long as its header says: "),
        (&["deck", "build", &pool], "it must be text in UTF-8"),
        (
            &["deck", "build", &empty],
            "empty.toml: it is empty: it must be a pool of pieces, in TOML, JSON or CSV",
        ),
    ];
    for (args, message) in cases {
        let output = ishi(args);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
    }
}

/// A folder where a file must be, a file where a folder must be, and a file without a name.
#[test]
fn files_and_folders_in_each_others_place_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "text").unwrap();
    let (folder, file) = (folder.path().to_str().unwrap(), file.to_str().unwrap());
    let cases: [(&[&str], &str); 5] = [
        (&["lab", "list", "--experiments", file], ": it must be a folder, and is a file"),
        (&["strings", "check", folder], ": it must be a file, and is a folder"),
        (&["deck", "learn", folder], ": it must be a file, and is a folder"),
        (&["man", file], "cannot make the folder "),
        (&["othello", "analyze", ""], "cannot read a file whose name is empty"),
    ];
    for (args, message) in cases {
        let output = ishi(args);
        assert_eq!(output.status.code(), Some(4), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
    }
}

/// What is not on the board that is shown is told.
#[test]
fn a_record_is_shown_with_its_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("bad.sgf");
    let name = record.to_str().unwrap();
    std::fs::write(&record, "(;GM[1]SZ[9];B[zz]").unwrap();
    let output = ishi(&["sgf", "show", name]);
    let told = stderr(&output);
    assert!(output.status.success(), "{told}");
    for warning in ["bad-point: found [zz]", "missing-close-paren"] {
        assert!(told.contains(&format!("ishi: warning: {name}: ")) && told.contains(warning), "{told}");
    }
    std::fs::write(&record, format!("(;GM[1]SZ[9]{})", ";B[zz]".repeat(12))).unwrap();
    let told = stderr(&ishi(&["sgf", "show", name]));
    assert!(told.contains("and 2 more (ishi sgf check)"), "{told}");
}

/// Every sample, by a command that reads such a file.
#[test]
fn samples_stand_for_files() {
    let commands: &[&[&str]] = &[
        &["sgf", "check", "sample:lesson"],
        &["sgf", "check", "sample:othello"],
        &["go", "show", "sample:lesson", "--move", "15", "--level", "chains"],
        &["othello", "show", "sample:othello"],
        &["go", "problems", "sample:problems", "--engine", "go-random"],
        &["othello", "solve", "sample:endgames"],
        &["deck", "build", "sample:deck", "--request", "sample:request"],
    ];
    for args in commands {
        let output = ishi(args);
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        assert!(!stdout(&output).is_empty(), "{args:?}");
    }
}

/// The program started in `folder`, with its data in `data`.
fn ishi_with_data(folder: &Path, data: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    let output = command.args(args).current_dir(folder).env("ISHI_DATA", data).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    output
}

#[test]
fn what_a_person_makes_is_found_again_from_everywhere() {
    let place = tempfile::tempdir().unwrap();
    let (here, there, data) =
        (place.path().join("here"), place.path().join("there"), place.path().join("data"));
    for folder in [&here, &there] {
        std::fs::create_dir(folder).unwrap();
    }
    let play: &[&str] = &["match", "go-random", "go-random", "--size", "5", "--pairs", "1", "--seed", "3"];
    let output = ishi_with_data(&here, &data, play);
    let kept = data.join("ishi.db");
    let told = format!("what is found is kept in {}; --db names another place", kept.display());
    assert!(kept.is_file() && !here.join("ishi.db").exists());
    assert!(stderr(&output).contains(&told), "{}", stderr(&output));
    ishi_with_data(&there, &data, play);
    assert!(!there.join("ishi.db").exists(), "it is the same database from everywhere");
    let campaign = there.join("small.toml");
    std::fs::write(&campaign, "matches = [\"go-random go-random --size 5 --pairs 2 --seed 4\"]\n").unwrap();
    let run = ["campaign", "run", campaign.to_str().unwrap()];
    let output = ishi_with_data(&there, &data, &run);
    assert!(stderr(&output).contains(&told) && !there.join("ishi.db").exists(), "{}", stderr(&output));
    ishi_with_data(&here, &data, &["campaign", "status", campaign.to_str().unwrap()]);
    // Where there is one, it is used.
    ishi_with_data(&there, &data, &[play, &["--db", "ishi.db"]].concat());
    let output = ishi_with_data(&there, &data, play);
    assert!(!stderr(&output).contains("what is found is kept"), "{}", stderr(&output));
}

#[test]
fn an_installed_program_has_its_experiments() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let list = stdout(&ishi_with_data(place.path(), &data, &["lab", "list"]));
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../experiments");
    for entry in std::fs::read_dir(checkout).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let Some((number, _)) = name.split_once('-').filter(|_| entry.path().is_dir()) else { continue };
        assert!(list.contains(number), "{name} is not in the list:\n{list}");
        assert!(data.join("experiments").join(&name).join("config.toml").is_file(), "{name}");
    }
}

/// A full disk behind standard output is an error like others, and one behind stderr is none.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_an_error_and_no_panic() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let to_full_disk = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
        command.args(args).stdout(full()).stderr(std::process::Stdio::piped()).output().unwrap()
    };
    for args in [
        &["bench", "--list"][..],
        &["bench", "rng", "--repeat", "1"],
        &["bench", "rng", "--repeat", "1", "--json"],
        &["gtp", "--print-config"],
        &["completions", "bash"],
        &["--help"],
        &["--version"],
        &["stats", "--help"],
    ] {
        let output = to_full_disk(args);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{args:?}: {message}");
        assert!(message.contains("cannot write to standard output"), "{args:?}: {message}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    let output = command.args(["bench", "nothing"]).stderr(full()).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "its message is lost, its exit code is not");
}

/// Gives Ctrl-C to a command that listens to it, and what it says then.
#[cfg(target_os = "linux")]
fn interrupt(child: std::process::Child) -> Output {
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    child.wait_with_output().unwrap()
}

#[cfg(target_os = "linux")]
fn start_with_pipes(args: &[&str]) -> std::process::Child {
    use std::process::Stdio;
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_bench_before_its_last_run() {
    let child = start_with_pipes(&["bench", "rng", "--repeat", "1000"]);
    crate::support::program::wait_until_it_listens_to_ctrl_c(&child);
    std::thread::sleep(std::time::Duration::from_millis(500));
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(output.stdout.is_empty(), "{}", stdout(&output));
}

/// People who pause for an hour are not waited for, and the other visitors do not come any more.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_visits_in_a_pause() {
    use std::io::{BufRead, BufReader};
    let mut child = start_with_pipes(&["visit", "--own", "--pause", "3600"]);
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(told.any(|line| line == "ishi visit: people alone"), "the first part must begin");
    let output = interrupt(child);
    let rest: Vec<String> = told.collect();
    assert_eq!(output.status.code(), Some(130), "{rest:?}");
    assert!(rest.iter().any(|line| line.contains("stopped by the user")), "{rest:?}");
    assert!(!rest.iter().any(|line| line.starts_with("ishi visit: ")), "{rest:?}");
    assert!(output.stdout.is_empty(), "{}", stdout(&output));
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = ishi(&["completions", shell]);
        assert!(output.status.success());
        assert!(stdout(&output).contains("bench"), "{shell}");
    }
}

#[test]
fn manual_pages_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    let output = ishi(&["man", pages.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = std::fs::read_to_string(pages.join("ishi-bench.1")).unwrap();
    assert!(page.contains("SIGNATURES.toml"));
}

/// A functional change shows here: see the head of SIGNATURES.toml.
#[test]
fn signatures_are_the_kept_ones() {
    let output = ishi(&["bench", "--check", "--repeat", "1"]);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn a_differing_signature_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept.toml");
    std::fs::write(&file, "[rng]\ncount = 1\nhash = \"0\"\n").unwrap();
    let output = ishi(&["bench", "rng", "--repeat", "1", "--check", "--file", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("rng was 1 0, is 10000000"), "{}", stderr(&output));
}

/// The run takes minutes: it must not be done for nothing.
#[test]
fn a_file_of_signatures_is_read_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept.toml");
    std::fs::write(&file, "rng = 3\n").unwrap();
    let (file, elsewhere) = (file.to_str().unwrap(), folder.path().join("none/kept.toml"));
    let elsewhere = elsewhere.to_str().unwrap();
    for (option, name, message) in [
        ("--check", file, "it must be a file of `ishi bench --write`"),
        ("--write", file, "it must be a file of `ishi bench --write`"),
        ("--check", elsewhere, "`ishi bench --write` makes it"),
        ("--write", elsewhere, "make it first"),
    ] {
        let output = ishi(&["bench", "rng", "--repeat", "1", option, "--file", name]);
        assert!(stderr(&output).contains(message), "{option} {name}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{option} {name}: nothing was run");
    }
}

#[test]
fn json_is_json() {
    let output = ishi(&["bench", "rng", "--repeat", "1", "--json"]);
    let lines: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(lines[0]["component"], "rng");
    assert_eq!(lines[0]["count"], 10_000_000);
}

/// A result says how it was made, and the command that it names makes it again.
#[test]
fn results_say_how_to_get_them_again() {
    let commands: [(&[&str], Option<&str>); 8] = [
        (&["explain", "sample:lesson", "--move", "5", "--level", "1", "--seed", "7"], Some("1")),
        (&["othello", "hint", "f5d6", "--level", "2", "--threads", "1"], Some("2")),
        (&["othello", "perft", "3"], None),
        (&["strings", "count", "4"], None),
        (&["deck", "build", "sample:deck", "--request", "sample:request"], None),
        (&["stats", "elo", "--score", "0.6"], None),
        (&["sgf", "check", "sample:lesson"], None),
        (&["bench", "rng", "--repeat", "1"], None),
    ];
    for (args, level) in commands {
        let output = ishi(&[args, &["--json"]].concat());
        let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let first = if result.is_array() { &result[0] } else { &result };
        let made_by = &first["made_by"];
        assert_eq!(made_by["command"], format!("ishi {} --json", args.join(" ")), "{result}");
        assert!(made_by["version"].as_str().unwrap().starts_with("ishi 0."), "{made_by}");
        assert_eq!(made_by["level"].as_str(), level, "{made_by}");
        assert_eq!(made_by["seed"], if args.contains(&"--seed") { "7" } else { "1" }, "{made_by}");
        assert!(made_by["threads"].as_u64().is_some_and(|threads| threads > 0), "{made_by}");
        assert!(made_by["machine"].as_str().unwrap().contains(std::env::consts::ARCH), "{made_by}");
        let told = stderr(&ishi(args));
        let last = told.lines().last().unwrap_or_default();
        let named =
            last.starts_with("made by ishi 0.") && last.ends_with(&format!("ishi {}", args.join(" ")));
        assert!(named, "{args:?}: {told}");
        assert!(!stderr(&ishi(&[args, &["--quiet"]].concat())).contains("made by"), "{args:?}");
    }
}

/// A picture goes further than the terminal that it was made in.
#[test]
fn pictures_say_how_they_were_made() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.svg");
    let out = file.to_str().unwrap();
    let commands: [&[&str]; 6] = [
        &["go", "show", "--size", "9", "E5", "--svg", out],
        &["go", "show", "sample:lesson", "--move", "5", "--level", "links", "--fast", "--svg", out],
        &["explain", "sample:lesson", "--move", "5", "--level", "1", "--svg", out],
        &["othello", "show", "f5d6", "--out", out],
        &["strings", "6", "--out", out],
        &["strings", "construct", "16", "--out", out],
    ];
    for args in commands {
        assert!(ishi(args).status.success(), "{args:?}");
        let picture = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        let (drawn, made_by) =
            picture.split_once("<metadata>made by ishi 0.").expect("it says how it was made");
        assert!(drawn.starts_with("<svg ") && !drawn.contains("</metadata>"), "{args:?}: {picture}");
        let command = format!(": ishi {}</metadata></svg>\n", args.join(" "));
        assert!(made_by.contains(", seed 1") && made_by.ends_with(&command), "{args:?}: {made_by}");
    }
}

/// JSON is printed where it is said how it was made. A token is no result, nor is a schema.
#[test]
fn no_command_prints_json_of_its_own() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let printing = rust_files(&folder).into_iter().filter(|file| {
        let text = std::fs::read_to_string(file).unwrap();
        production_lines(&text).into_iter().any(|(_, line)| line.contains(":#}"))
    });
    let no_results = ["commands/explain/review.rs", "commands/token.rs"];
    assert_eq!(printing.collect::<Vec<_>>(), no_results.map(|file| folder.join(file)));
}

/// Who asks for help, pages or completions gets no result.
#[test]
fn what_is_no_result_says_nothing_of_how_it_was_made() {
    for args in [&["completions", "bash"][..], &["--help"]] {
        assert!(!stderr(&ishi(args)).contains("made by"), "{args:?}");
    }
}

/// A reader that has seen enough (`ishi --help | head -1`) is no failure.
#[test]
fn a_help_that_nobody_reads_is_no_failure() {
    for args in [&["--help"][..], &["lab", "run", "--help"], &["--version"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
        let output = command.args(args).stdout(writer).output().unwrap();
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{args:?}");
    }
}
