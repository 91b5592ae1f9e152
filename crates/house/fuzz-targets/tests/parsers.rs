//! Every parser of the workspace stands in `fuzz/parsers.txt` with what covers it, so that none comes to it without a target of fuzzing
//! or another test.
//!
//! A parser is what reads text or bytes: `FromStr` and `Deserialize` by hand, and functions whose names say that they read, which take
//! text or bytes. Of libraries those count that others may call, of the doors (commands, pages, tools) all.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ishi_fuzz_targets::TARGETS;

/// Names of functions that read.
const NAMES: [&str; 12] = [
    "parse",
    "read",
    "restore",
    "from_bytes",
    "from_text",
    "from_line",
    "from_sgf",
    "from_given",
    "from_transcript",
    "from_any_format",
    "from_checkpoint",
    "from_spec",
];

/// How names of functions begin that read.
const BEGINNINGS: [&str; 9] = [
    "parse_",
    "read_",
    "unpack_",
    "decode_",
    "open_state",
    "deserialize",
    "restore_",
    "from_kept",
    "from_chosen",
];

/// Parts of the types of text and bytes that functions take.
const TAKEN: [&str; 9] =
    ["str", "u8]", "Vec<u8>", "Read", "Value", "[String]", "TomlSource", "GameTree", "eserializer"];

/// Crates whose own functions are read by nobody else, but stand where strangers' bytes come in.
const DOORS: [&str; 3] = ["crates/house/cli/", "crates/house/web/", "crates/house/mcp/"];

/// Lines of the longest head of a function.
const LONGEST_HEAD: usize = 15;

/// The file that a parser stands in, from the root of the workspace, and its name.
type ParserPlace = (String, String);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().unwrap()
}

fn read_source(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The sources of a folder, but for those of tests alone.
fn list_sources(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            list_sources(&path, sources);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            sources.push(path);
        }
    }
}

/// The sources of all crates but this one.
fn list_all_sources() -> Vec<PathBuf> {
    let mut sources = Vec::new();
    for wing in std::fs::read_dir(root().join("crates")).unwrap() {
        let wing = wing.unwrap().path();
        for package in std::fs::read_dir(&wing).into_iter().flatten() {
            let folder = package.unwrap().path();
            if folder.join("src").is_dir() && !folder.ends_with("fuzz-targets") {
                list_sources(&folder.join("src"), &mut sources);
            }
        }
    }
    list_sources(&root().join("experiments"), &mut sources);
    sources
}

fn first_word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    &text[..end]
}

/// The type for which a line implements reading by hand.
fn read_type(line: &str) -> Option<&str> {
    let marks = ["FromStr for ", "Deserialize<'de> for "];
    let rest = marks.iter().find_map(|mark| Some(line.split_once(*mark)?.1))?;
    Some(first_word(rest)).filter(|name| line.starts_with("impl") && !name.is_empty())
}

/// What stands before `fn` in a line that begins a function, and its name.
fn function_head(line: &str) -> Option<(&str, &str)> {
    let (before, rest) = line.split_once("fn ")?;
    let is_head = ["", "const ", "async "].contains(&before) || before.starts_with("pub");
    is_head.then(|| (before, first_word(rest)))
}

fn is_reading_name(name: &str) -> bool {
    NAMES.contains(&name) || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

/// Does the function whose head begins in the first of these lines take text or bytes?
fn takes_text(lines: &[&str], name: &str) -> bool {
    let mut head = String::new();
    for line in lines.iter().take(LONGEST_HEAD) {
        head += line.trim();
        if line.ends_with(['{', ';']) {
            break;
        }
    }
    let behind_name = head.split_once(name).map_or("", |(_, rest)| rest);
    let parameters = behind_name.split("->").next().unwrap_or_default();
    TAKEN.iter().any(|taken| parameters.contains(taken))
}

/// The parsers of a source.
fn find_parsers(path: &str, source: &str) -> Vec<ParserPlace> {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let is_door = DOORS.iter().any(|door| path.starts_with(door));
    let lines: Vec<&str> = source.lines().collect();
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let line = line.trim();
        let function = function_head(line).filter(|(before, name)| {
            let is_seen = is_door || ["pub ", "pub const ", "pub async "].contains(before);
            is_seen && is_reading_name(name) && takes_text(&lines[number..], name)
        });
        let name = read_type(line).or(function.map(|(_, name)| name));
        found.extend(name.map(|name| (path.to_string(), name.to_string())));
    }
    found
}

/// The rows of the list: a parser, and what covers it.
fn read_rows() -> Vec<(ParserPlace, String)> {
    let text = read_source("fuzz/parsers.txt");
    let row = |line: &str| {
        let (place, how) = line.split_once(": ").unwrap_or_else(|| panic!("{line}: PATH NAME: HOW"));
        let (path, name) = place.split_once(' ').unwrap_or_else(|| panic!("{line}: PATH NAME: HOW"));
        ((path.to_string(), name.to_string()), how.to_string())
    };
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(row).collect()
}

#[test]
fn every_parser_stands_in_the_list() {
    let root = root();
    let parsers_of = |path: PathBuf| {
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        find_parsers(&name, &source)
    };
    let found: BTreeSet<ParserPlace> = list_all_sources().into_iter().flat_map(parsers_of).collect();
    let listed: BTreeSet<ParserPlace> = read_rows().into_iter().map(|(place, _)| place).collect();
    let show = |(path, name): &ParserPlace| format!("{path} {name}");
    let new: Vec<String> = found.difference(&listed).map(show).collect();
    assert!(new.is_empty(), "fuzz/parsers.txt must say what covers these:\n{}", new.join("\n"));
    let gone: Vec<String> = listed.difference(&found).map(show).collect();
    assert!(
        gone.is_empty(),
        "fuzz/parsers.txt must leave these out, they are not there:\n{}",
        gone.join("\n")
    );
    assert_eq!(read_rows().len(), listed.len(), "each parser must stand there once");
}

#[test]
fn what_covers_a_parser_is_there() {
    for ((path, name), how) in read_rows() {
        if how == "typed" || how.starts_with("own ") {
            continue;
        }
        let Some(test) = how.strip_prefix("test ") else {
            for target in how.split(", ") {
                assert!(
                    TARGETS.iter().any(|known| known.name == target),
                    "{path} {name}: no target {target}"
                );
            }
            continue;
        };
        let (file, function) = test.split_once(' ').unwrap_or((path.as_str(), test));
        let is_there = read_source(file).contains(&format!("fn {function}("));
        assert!(is_there, "{path} {name}: {file} has no function {function}");
    }
}

/// The fence itself sees what it is there for, and no more.
#[test]
fn parsers_are_told_from_other_functions() {
    let source = "impl FromStr for Colour {\n}\nimpl<'de> Deserialize<'de> for Shade<'_> {\n}\n\
                  /// pub fn parse_remark(text: &str)\npub fn parse_one(\n    text: &str,\n) -> usize {\n}\n\
                  pub fn read_board(board: &Board) -> Option<&str> {\n}\nfn parse_own(text: &str) {}\n\
                  pub(crate) fn decode(bytes: &[u8]) {}\n    pub fn from_bytes(bytes: &[u8]) -> Self {\n    }\n\
                  #[cfg(test)]\nmod tests {\n    pub fn parse_test(text: &str) {}\n}\n";
    let names = |path: &str| -> Vec<String> {
        find_parsers(path, source).into_iter().map(|(_, name)| name).collect()
    };
    assert_eq!(names("crates/a/b/src/lib.rs"), ["Colour", "Shade", "parse_one", "from_bytes"]);
    let at_a_door = ["Colour", "Shade", "parse_one", "parse_own", "from_bytes"];
    assert_eq!(names("crates/house/cli/src/main.rs"), at_a_door);
}
