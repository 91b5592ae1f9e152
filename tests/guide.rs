//! What the guide, its Japanese twin and the README tell people to type is typed here.
//!
//! In a fence `console`, a line that begins with `$ ` is a command of the shell, and what it prints follows.
//! A line `...` stands for any lines, and `...` within a line for anything there, as a reader would take it. `? 3` after a command is its exit code, and what follows is then
//! also what it says on stderr. In a fence `sh` every line is a command. A fence that ends in `,ignore` is not run, as it would take too long or serve
//! for ever; the help must know all its options.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::commands::{help_text, list_subcommands};
use crate::layering::rust_files;
use crate::support::program::{root, stderr, stdout};

/// Where a help breaks its lines if it is not on a terminal.
const HELP_WIDTH: usize = 100;

/// A command of a page.
#[derive(Debug, PartialEq)]
struct PageCommand {
    /// Of the page, from 1.
    line: usize,
    /// As a person types it.
    text: String,
    exit_code: i32,
    /// What it prints; nothing is expected if there are no lines.
    expected: Vec<String>,
    /// Otherwise it is only held against the help.
    is_run: bool,
}

impl PageCommand {
    fn new(line: usize, text: &str, is_run: bool) -> PageCommand {
        PageCommand { line, text: text.to_string(), exit_code: 0, expected: Vec::new(), is_run }
    }
}

/// The commands of a page, in order.
fn find_commands(markdown: &str) -> Vec<PageCommand> {
    let mut commands: Vec<PageCommand> = Vec::new();
    let mut fence: Option<&str> = None;
    for (number, line) in (1..).zip(markdown.lines()) {
        if let Some(info) = line.strip_prefix("```") {
            fence = if fence.is_some() { None } else { Some(info.trim()) };
            continue;
        }
        match fence {
            Some(info @ ("console" | "console,ignore")) => match line.strip_prefix("$ ") {
                Some(text) => commands.push(PageCommand::new(number, text, info == "console")),
                None => add_printed_line(commands.last_mut(), line),
            },
            Some(info @ ("sh" | "sh,ignore")) if !line.trim().is_empty() => {
                commands.push(PageCommand::new(number, line, info == "sh"));
            }
            Some(info) => {
                assert!(!line.starts_with("ishi "), "line {number}: in a fence {info:?} nothing is run")
            }
            None => {}
        }
    }
    commands
}

fn add_printed_line(command: Option<&mut PageCommand>, line: &str) {
    let Some(command) = command else { return };
    let code = line.strip_prefix("? ").and_then(|code| code.parse().ok());
    match code {
        Some(code) if command.expected.is_empty() => command.exit_code = code,
        _ => command.expected.push(line.to_string()),
    }
}

/// Does the pattern fit the line? `...` stands for anything.
fn line_fits(pattern: &str, line: &str) -> bool {
    let Some((before, after)) = pattern.split_once("...") else { return pattern == line };
    let Some(rest) = line.strip_prefix(before) else { return false };
    let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    ends.any(|at| line_fits(after, &rest[at..]))
}

/// Do the lines fit the patterns? The pattern `...` stands for any lines.
fn lines_fit(patterns: &[&str], lines: &[&str]) -> bool {
    match patterns.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|skipped| lines_fit(rest, &lines[skipped..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, more)| line_fits(first, line) && lines_fit(rest, more))
        }
    }
}

/// The lines without spaces at their ends, and without empty ones at the end.
fn trim_lines<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut trimmed: Vec<&str> = lines.map(str::trim_end).collect();
    while trimmed.last().is_some_and(|line| line.is_empty()) {
        trimmed.pop();
    }
    trimmed
}

/// Types a line into a shell that finds the program under test as `ishi`.
fn run_in_shell(line: &str, folder: &Path, data: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_ishi"));
    let usual = std::env::var_os("PATH").unwrap_or_default();
    let folders = [program.parent().unwrap().to_path_buf()].into_iter().chain(std::env::split_paths(&usual));
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).stdin(Stdio::null());
    shell.env("PATH", std::env::join_paths(folders).unwrap()).env("ISHI_DATA", data);
    shell.output().unwrap()
}

/// What is wrong with what a command did; nothing, if it did what the page says.
fn find_difference(command: &PageCommand, output: &Output) -> Option<String> {
    let mut printed = stdout(output);
    if command.exit_code != 0 {
        printed += &stderr(output);
    }
    let expected = trim_lines(command.expected.iter().map(String::as_str));
    let fits = expected.is_empty() || lines_fit(&expected, &trim_lines(printed.lines()));
    let ended = output.status.code() == Some(command.exit_code);
    (!fits || !ended).then(|| format!("{}, printed\n{printed}{}", output.status, stderr(output)))
}

/// The helps of commands, each asked for once.
#[derive(Default)]
struct KnownHelps(BTreeMap<Vec<String>, String>);

impl KnownHelps {
    /// The help of the command with this path.
    fn find(&mut self, path: &[String]) -> &str {
        self.0.entry(path.to_vec()).or_insert_with(|| {
            let words: Vec<&str> = path.iter().map(String::as_str).collect();
            help_text(&words)
        })
    }

    /// The words of a command line that name the command, from the first after the program on.
    fn find_path(&mut self, words: &[String]) -> Vec<String> {
        let mut path = Vec::new();
        for word in words {
            if !list_subcommands(self.find(&path)).contains(word) {
                break;
            }
            path.push(word.clone());
        }
        path
    }

    /// The words of a line that the help of its command does not know.
    fn find_unknown_words(&mut self, line: &str) -> Vec<String> {
        let words = shlex::split(line).unwrap_or_default();
        let Some((program, words)) = words.split_first() else { return Vec::new() };
        if program != "ishi" {
            return Vec::new();
        }
        let path = self.find_path(words);
        if path.is_empty() && !words.is_empty() {
            return vec![words[0].clone()];
        }
        let help = self.find(&path);
        let known =
            |option: &str| help.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == option);
        let options = words.iter().filter_map(|word| option_name(word));
        options.filter(|option| !known(option)).map(String::from).collect()
    }
}

/// The name of an option, such as `--seed` of `--seed=3`; none if the word is no option.
fn option_name(word: &str) -> Option<&str> {
    let is_option = word.strip_prefix("--").is_some_and(|name| name.starts_with(char::is_alphabetic));
    word.split('=').next().filter(|_| is_option)
}

/// Types all commands of a page, in a folder of its own.
fn find_faults(page: &Path) -> Vec<String> {
    let mut helps = KnownHelps::default();
    let place = tempfile::tempdir().unwrap();
    let (folder, data) = (place.path().join("page"), place.path().join("data"));
    std::fs::create_dir(&folder).unwrap();
    let mut faults = Vec::new();
    for command in find_commands(&std::fs::read_to_string(page).unwrap()) {
        let fault = if command.is_run {
            find_difference(&command, &run_in_shell(&command.text, &folder, &data))
        } else {
            let unknown = helps.find_unknown_words(&command.text);
            (!unknown.is_empty()).then(|| format!("the help does not know {unknown:?}"))
        };
        faults.extend(
            fault.map(|fault| format!("{}:{}: {}: {fault}", page.display(), command.line, command.text)),
        );
    }
    faults
}

/// The pages of a folder, in the order of their names.
fn pages_of(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    pages.sort();
    assert!(pages.len() > 5, "{folder} has its pages: {pages:?}");
    pages
}

fn check_pages(folder: &str) {
    let faults: Vec<String> = pages_of(folder).iter().flat_map(|page| find_faults(page)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn the_guide_says_what_happens() {
    check_pages("guide/src");
}

#[test]
fn the_japanese_guide_says_what_happens() {
    check_pages("guide/ja/src");
}

#[test]
fn the_readme_can_be_typed_from_top_to_bottom() {
    let readme = root().join("README.md");
    let commands = find_commands(&std::fs::read_to_string(&readme).unwrap());
    assert!(commands.iter().filter(|command| command.is_run).count() >= 10, "{commands:?}");
    let faults = find_faults(&readme);
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// No page is left out of a table of contents, and none is named that there is not.
#[test]
fn tables_of_contents_are_whole() {
    for folder in ["guide/src", "guide/ja/src"] {
        let contents = std::fs::read_to_string(root().join(folder).join("SUMMARY.md")).unwrap();
        for page in pages_of(folder) {
            let name = page.file_name().unwrap().to_str().unwrap();
            assert!(
                name == "SUMMARY.md" || contents.contains(&format!("({name})")),
                "{folder}: {name} is not named"
            );
        }
        let named = contents.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for name in named {
            assert!(root().join(folder).join(name).is_file(), "{folder}: there is no {name}");
        }
    }
}

/// The options by which the commands of the pages write files.
const WRITING_OPTIONS: &[&str] =
    &["--sgf", "--problems", "--html", "--svg", "--out", "-o", "--db", "--certificate", "--decks", "--pool"];

/// The files that the commands of a page write.
fn written_files(markdown: &str) -> BTreeSet<String> {
    let commands = find_commands(markdown).into_iter().filter(|command| command.is_run);
    let lines = commands.map(|command| shlex::split(&command.text).unwrap_or_default());
    let files = lines.flat_map(|words| {
        let pairs = words.windows(2).filter(|pair| WRITING_OPTIONS.contains(&pair[0].as_str()));
        pairs.map(|pair| pair[1].clone()).filter(|file| file != "-").collect::<Vec<String>>()
    });
    files.collect()
}

/// Whoever types the README and then the guide in one folder is not told that a file exists, and each match has a database of its own.
#[test]
fn no_page_writes_a_file_of_another_page() {
    for folder in ["guide/src", "guide/ja/src"] {
        let mut writers: BTreeMap<String, PathBuf> = BTreeMap::new();
        for page in [root().join("README.md")].into_iter().chain(pages_of(folder)) {
            for file in written_files(&std::fs::read_to_string(&page).unwrap()) {
                let other = writers.insert(file.clone(), page.clone());
                assert_eq!(other, None, "{} must not write {file} again", page.display());
            }
        }
        assert!(writers.len() > 8, "{writers:?}");
    }
}

#[test]
fn written_files_are_found() {
    let page = "```console\n$ ishi review a.sgf --sgf b.sgf --level 1\n$ ishi othello convert a -o -\n```\n```sh,ignore\nishi x --db c.db\n```\n";
    assert_eq!(written_files(page).into_iter().collect::<Vec<_>>(), ["b.sgf"]);
}

/// mdbook refuses a setting that it does not know. Where it is not installed nothing else would tell.
#[test]
fn books_have_settings_that_mdbook_knows() {
    let known = |table: &toml::Table, names: &[&str], place: &str| {
        let unknown: Vec<&String> = table.keys().filter(|key| !names.contains(&key.as_str())).collect();
        assert!(unknown.is_empty(), "{place}: mdbook does not know {unknown:?}");
    };
    for (folder, language) in [("guide", "en"), ("guide/ja", "ja")] {
        let folder = root().join(folder);
        let text = std::fs::read_to_string(folder.join("book.toml")).unwrap();
        let settings: toml::Table = text.parse().unwrap();
        known(&settings, &["book", "build", "output"], "book.toml");
        let [book, build, output] =
            ["book", "build", "output"].map(|name| settings[name].as_table().unwrap());
        known(book, &["title", "authors", "description", "src", "language"], "[book]");
        known(build, &["build-dir", "create-missing"], "[build]");
        known(output, &["html"], "[output]");
        known(output["html"].as_table().unwrap(), &["no-section-label"], "[output.html]");
        assert_eq!(book["language"].as_str(), Some(language));
        assert!(folder.join(book["src"].as_str().unwrap()).join("SUMMARY.md").is_file());
        // Pages are made where nothing is kept in git, and neither book is in the other's place.
        let place = build["build-dir"].as_str().unwrap();
        let up = "../".repeat(if language == "en" { 1 } else { 2 });
        assert_eq!(place, format!("{up}target/guide/{language}"));
    }
}

#[test]
fn pages_are_read_as_trycmd_reads_them() {
    let page = "text\n```console\n$ ishi a\none\n...\n$ ishi b\n? 3\ntwo\n```\n```sh,ignore\nishi c\n```\n```json\n{}\n```\n";
    let mut first = PageCommand::new(3, "ishi a", true);
    first.expected = vec!["one".to_string(), "...".to_string()];
    let mut second = PageCommand::new(6, "ishi b", true);
    (second.exit_code, second.expected) = (3, vec!["two".to_string()]);
    assert_eq!(find_commands(page), [first, second, PageCommand::new(11, "ishi c", false)]);
}

#[test]
fn wildcards_stand_for_what_may_differ() {
    assert!(line_fits("a...c...", "abbc") && line_fits("...", "") && line_fits("石...", "石石"));
    assert!(!line_fits("a...c", "ab") && !line_fits("a", "ab") && !line_fits("a...", "b"));
    assert!(lines_fit(&["a", "...", "d"], &["a", "b", "c", "d"]) && lines_fit(&["...", "a"], &["a"]));
    assert!(
        !lines_fit(&["a", "...", "d"], &["a", "b"])
            && !lines_fit(&["a"], &["a", "b"])
            && !lines_fit(&["a"], &[])
    );
}

#[test]
fn a_difference_is_told() {
    let place = tempfile::tempdir().unwrap();
    let run = |text: &str| run_in_shell(text, place.path(), place.path());
    let mut command = PageCommand::new(1, "ishi stats elo --difference 100", true);
    command.expected = vec!["score is nothing".to_string()];
    assert!(find_difference(&command, &run(&command.text)).is_some_and(|told| told.contains("printed")));
    command.expected = vec!["...".to_string()];
    assert_eq!(find_difference(&command, &run(&command.text)), None);
    command.exit_code = 1;
    assert!(find_difference(&command, &run(&command.text)).is_some());
}

#[test]
fn a_wrong_option_is_told() {
    let mut helps = KnownHelps::default();
    assert_eq!(helps.find_unknown_words("ishi review a.sgf --sgf b.sgf --best 3"), ["--best"]);
    assert_eq!(helps.find_unknown_words("ishi go show --no-such=3 D4"), ["--no-such"]);
    assert_eq!(helps.find_unknown_words("ishi rewiev a.sgf"), ["rewiev"]);
    assert!(helps.find_unknown_words("ishi othello hint '--------- X' --lang ja").is_empty());
    assert!(helps.find_unknown_words("ishi").is_empty() && helps.find_unknown_words("cargo test").is_empty());
}

/// The examples of a help: what stands before two spaces, on lines that begin with the program.
fn find_examples(help: &str) -> Vec<&str> {
    let lines =
        help.lines().filter_map(|line| line.strip_prefix("  ").filter(|line| line.starts_with("ishi ")));
    lines.filter_map(|line| line.split("  ").next()).collect()
}

#[test]
fn examples_of_the_helps_have_options_that_there_are() {
    let mut helps = KnownHelps::default();
    let mut paths: Vec<Vec<String>> = vec![Vec::new()];
    let (mut count, mut faults) = (0, Vec::new());
    while let Some(path) = paths.pop() {
        let help = helps.find(&path).to_string();
        let below = list_subcommands(&help).into_iter();
        paths.extend(below.map(|name| [path.clone(), vec![name]].concat()));
        for example in find_examples(&help) {
            let unknown = helps.find_unknown_words(example);
            if !unknown.is_empty() {
                faults.push(format!("{example}: the help does not know {unknown:?}"));
            }
            count += 1;
        }
    }
    assert!(count > 300, "the helps have only {count} examples");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Does a copy of the example do what the example shows? Not if the help breaks its line, nor where the shell takes a `|` between words for a pipe.
fn can_be_copied(example: &str) -> bool {
    let in_place = example.chars().count() + 2 <= HELP_WIDTH;
    let outside_quotes: String = example.split('\'').step_by(2).collect();
    in_place && outside_quotes.matches('|').count() == outside_quotes.matches(" | ").count()
}

#[test]
fn examples_of_the_helps_can_be_copied() {
    assert!(can_be_copied("ishi tune 'a=b|c' --size 7") && can_be_copied("ishi deck build a.json | less"));
    assert!(!can_be_copied("ishi tune a=b|c --size 7") && !can_be_copied(&"ishi ".repeat(20)));
    let (mut count, mut faults) = (0, Vec::new());
    for file in rust_files(&root().join("crates/house/cli/src/commands")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let examples = find_examples(&text);
        count += examples.len();
        let uncopied = examples.into_iter().filter(|example| !can_be_copied(example));
        faults.extend(uncopied.map(|example| format!("{}: {example}", file.display())));
    }
    assert!(count > 300, "the sources have only {count} examples");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The lines of a page that are code and begin with the program, without the remarks behind them.
fn find_program_lines(markdown: &str) -> Vec<&str> {
    let mut in_fence = false;
    let mut found = Vec::new();
    for line in markdown.lines() {
        in_fence ^= line.starts_with("```");
        let code = line.strip_prefix("    ").or_else(|| in_fence.then_some(line));
        let text = code.map(|code| code.strip_prefix("$ ").unwrap_or(code));
        found.extend(text.filter(|text| text.starts_with("ishi ")).and_then(|text| text.split("  ").next()));
    }
    found
}

#[test]
fn the_reference_names_options_that_there_are() {
    let mut helps = KnownHelps::default();
    let (mut count, mut faults) = (0, Vec::new());
    for page in pages_of("docs") {
        for line in find_program_lines(&std::fs::read_to_string(&page).unwrap()) {
            let unknown = helps.find_unknown_words(line);
            if !unknown.is_empty() {
                faults.push(format!("{}: {line}: the help does not know {unknown:?}", page.display()));
            }
            count += 1;
        }
    }
    assert!(count > 100, "the reference has only {count} commands");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
