//! The architecture as a test: crates use only what stands to their left, the pure ones stay pure, and every
//! third-party crate is accounted for.

#![allow(missing_docs)]
#![allow(clippy::disallowed_methods)] // A test may read files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use crate::support::program::root;

/// Layers from left to right; ARCHITECTURE.md has the same table. A crate may use crates of lower layers only.
const LAYERS: &[&[&str]] = &[
    &["rng", "stats", "words", "draw", "work", "certificate"],
    &["sheet", "go", "othello", "mcts", "evolve", "grid", "deck"],
    &["sgf", "gtp", "reading"],
    &["patterns", "engine"],
    &["knowledge", "judge"],
    &["go-play", "othello-play"],
    &["othello-learn"],
    &["arena"],
    &["deck-documents", "analysis", "mip", "store"],
    &["lab"],
    &["experiments", "web", "mcp"],
    &["fuzz-targets"],
    &["cli", "python"],
];

/// The folders of `crates/`: what a crate is about.
const WINGS: &[&str] = &["ground", "go", "othello", "strings", "decks", "contest", "lab", "house"];

/// The one crate outside `crates/`: it belongs to the wing `lab`, and stands where people look for experiments.
const EXPERIMENTS: &str = "experiments";

/// Crates below this layer never print, open files, read clocks, start threads or know TOML, JSON or SQL.
const FIRST_IMPURE_LAYER: usize = 7;

/// The files that call vector instructions, where a measurement asked for it: `unsafe` is allowed here only.
const VECTOR_FILES: &[&str] =
    &["rules/src/simd/x86.rs", "rules/src/oneply/avx2.rs", "rules/src/oneply/avx512.rs", "network/amx.rs"];

/// What only the layers above the first impure one know.
const FORMATS: &[&str] = &["rusqlite", "serde_json", "toml"];

fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap()
}

/// The program is the package `ishi`, in the folder `cli`.
fn layer(package: &str) -> Option<usize> {
    let name = if package == "ishi" { "cli" } else { package.strip_prefix("ishi-")? };
    LAYERS.iter().position(|crates| crates.contains(&name))
}

fn members(metadata: &Metadata) -> Vec<&Package> {
    metadata.workspace_packages()
}

/// Every arrow against the direction, as text.
fn wrong_arrows(arrows: &[(String, String)]) -> Vec<String> {
    let backwards = |(from, to): &&(String, String)| layer(to) >= layer(from);
    arrows.iter().filter(backwards).map(|(from, to)| format!("{from} may not use {to}")).collect()
}

fn arrows(metadata: &Metadata) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for package in members(metadata) {
        for dependency in &package.dependencies {
            if dependency.kind != DependencyKind::Development && dependency.name.starts_with("ishi-") {
                found.push((package.name.to_string(), dependency.name.clone()));
            }
        }
    }
    found
}

#[test]
fn every_crate_has_a_layer() {
    for package in members(&metadata()) {
        assert!(layer(&package.name).is_some(), "{} stands in no layer: add it to LAYERS", package.name);
    }
}

#[test]
fn every_crate_stands_in_a_wing() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let metadata = metadata();
    for package in members(&metadata) {
        let folder = package.manifest_path.parent().unwrap();
        let (name, above) = (folder.file_name().unwrap(), folder.parent().unwrap());
        let wing = if folder == metadata.workspace_root.join(EXPERIMENTS) {
            "lab"
        } else {
            above.file_name().unwrap()
        };
        assert!(WINGS.contains(&wing), "{} stands in no wing: {folder}", package.name);
        let row = text.lines().find(|line| line.starts_with(&format!("| `{wing}` |"))).unwrap();
        assert!(row.contains(&format!("`{name}`")), "ARCHITECTURE.md has no {name} in its wing {wing}");
    }
}

#[test]
fn arrows_point_left() {
    let arrows = arrows(&metadata());
    assert!(arrows.len() > 10, "the workspace has arrows: {arrows:?}");
    assert_eq!(wrong_arrows(&arrows), Vec::<String>::new());
}

/// The check itself finds what it is there for.
#[test]
fn an_arrow_to_the_right_is_found() {
    let arrow = |from: &str, to: &str| (from.to_string(), to.to_string());
    let wrong = wrong_arrows(&[
        arrow("ishi-go", "ishi-rng"),
        arrow("ishi-go", "ishi-sgf"),
        arrow("ishi-sgf", "ishi-gtp"),
    ]);
    assert_eq!(wrong, ["ishi-go may not use ishi-sgf", "ishi-sgf may not use ishi-gtp"]);
}

/// What checks the solvers' proofs cannot use them.
#[test]
fn the_checker_of_certificates_uses_no_crate_of_ours() {
    let metadata = metadata();
    let is_checker = |package: &&Package| {
        let name: &str = &package.name;
        name == "ishi-certificate"
    };
    let checker = members(&metadata).into_iter().find(is_checker);
    let dependencies = &checker.expect("the checker is a crate").dependencies;
    assert!(!dependencies.is_empty(), "it has an error enum");
    let ours = dependencies.iter().filter(|dependency| dependency.name.starts_with("ishi"));
    assert_eq!(ours.map(|dependency| dependency.name.as_str()).collect::<Vec<_>>(), [""; 0]);
}

/// What reads, searches, judges and learns for players.
const SEARCHES: &[&str] = &["ishi-reading", "ishi-mcts", "ishi-judge", "ishi-evolve"];

/// Pages ask players and judges, who search. So they decide nothing about games.
#[test]
fn pages_search_nothing_by_themselves() {
    let metadata = metadata();
    let is_web = |package: &&Package| {
        let name: &str = &package.name;
        name == "ishi-web"
    };
    let web = members(&metadata).into_iter().find(is_web).expect("the pages are a crate");
    let names = web.dependencies.iter().map(|dependency| dependency.name.as_str());
    assert_eq!(names.filter(|name| SEARCHES.contains(name)).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn formats_stay_at_the_edge() {
    for package in members(&metadata()) {
        let edge = layer(&package.name).is_some_and(|layer| layer > FIRST_IMPURE_LAYER);
        for dependency in &package.dependencies {
            let normal = dependency.kind == DependencyKind::Normal;
            let format = FORMATS.contains(&dependency.name.as_str());
            assert!(edge || !normal || !format, "{} may not know {}", package.name, dependency.name);
        }
    }
}

pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// Everybody who tells which layers are pure tells the same.
#[test]
fn pages_name_the_pure_layers_alike() {
    let told = format!("ayers 0 to {}", FIRST_IMPURE_LAYER - 1);
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "clippy.toml"] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        assert!(text.contains(&told), "{page} must say \"l{told}\"");
        assert_eq!(text.matches("ayers 0 to ").count(), 1, "{page} must say it once");
    }
}

/// clippy.toml bans clocks, files, printing and threads; a pure crate may not lift the ban.
#[test]
fn pure_crates_lift_no_ban() {
    for package in members(&metadata()) {
        if layer(&package.name).is_none_or(|layer| layer >= FIRST_IMPURE_LAYER) {
            continue;
        }
        let folder = package.manifest_path.parent().unwrap().as_std_path().join("src");
        for file in rust_files(&folder) {
            let text = std::fs::read_to_string(&file).unwrap();
            let vectors = VECTOR_FILES.iter().any(|name| file.ends_with(name));
            for ban in ["clippy::disallowed", "clippy::print_std", "unsafe_code"] {
                if ban == "unsafe_code" && vectors {
                    continue;
                }
                assert!(!text.contains(ban), "{} lifts {ban}", file.display());
            }
        }
    }
}

/// Dependencies are few, and ARCHITECTURE.md gives a reason for each.
#[test]
fn every_dependency_has_a_reason() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut missing = BTreeMap::new();
    for package in members(&metadata()) {
        for dependency in &package.dependencies {
            let named = text.contains(&format!("`{}`", dependency.name));
            if !dependency.name.starts_with("ishi-") && !named {
                missing.insert(dependency.name.clone(), package.name.to_string());
            }
        }
    }
    assert!(missing.is_empty(), "ARCHITECTURE.md gives no reason for {missing:?}");
}

/// A package with settings of its own does not inherit `strip` from its profile: the program would keep ten megabytes of symbols.
#[test]
fn the_program_is_stripped_as_its_profile_says() {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    let release = &manifest["profile"]["release"];
    assert_eq!(release["package"]["ishi"].get("strip"), release.get("strip"));
    assert_eq!(release.get("strip").and_then(toml::Value::as_bool), Some(true));
}

/// What opens, reads, writes, lists or creates files.
const FILE_ACCESS: &[&str] = &["std::fs", "fs::", "File::open", "File::create", "OpenOptions"];

/// A line of a source file, with its number.
pub(crate) type NumberedLine<'a> = (usize, &'a str);

/// The lines before the module of tests, which clippy wants at the end of a file.
pub(crate) fn production_lines(text: &str) -> Vec<NumberedLine<'_>> {
    let lines: Vec<NumberedLine<'_>> = (1..).zip(text.lines()).collect();
    let opens_tests = |rest: &[NumberedLine<'_>]| {
        let mut after = rest[1..].iter().map(|&(_, line)| line);
        let marked = after.find(|line| !line.starts_with("//") && !line.starts_with('#'));
        rest[0].1 == "#[cfg(test)]"
            && marked.is_some_and(|line| line.starts_with("mod ") && line.ends_with('{'))
    };
    let end = (0..lines.len()).find(|&at| opens_tests(&lines[at..])).unwrap_or(lines.len());
    lines[..end].to_vec()
}

/// Does the line hold the word, and not only as the end of a longer name, as `LabelFile::open` holds `File::open`?
fn holds_word(line: &str, word: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| !line[..at].ends_with(is_name))
}

fn lines_with_file_access(text: &str) -> Vec<NumberedLine<'_>> {
    let accesses = |line: &str| FILE_ACCESS.iter().any(|word| holds_word(line, word));
    production_lines(text).into_iter().filter(|&(_, line)| accesses(line)).collect()
}

/// In the crates of the house one module has to do with files: there they are written whole, and errors have one text.
#[test]
fn the_house_opens_files_in_one_module() {
    for source in ["crates/house/cli/src", "crates/house/web/src"] {
        let folder = root().join(source);
        for file in rust_files(&folder) {
            if file == folder.join("files.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let found = lines_with_file_access(&text);
            assert!(
                found.is_empty(),
                "{} opens files, which is for {source}/files.rs: {found:?}",
                file.display()
            );
        }
    }
}

/// One module of the program draws progress: everywhere else it is told in the same way on terminals and in files.
#[test]
fn one_module_draws_bars() {
    let folder = root().join("crates/house/cli/src");
    let drawing = rust_files(&folder).into_iter().filter(|file| {
        let text = std::fs::read_to_string(file).unwrap();
        production_lines(&text).into_iter().any(|(_, line)| holds_word(line, "indicatif"))
    });
    assert_eq!(drawing.collect::<Vec<_>>(), [folder.join("progress.rs")]);
}

/// Rooms keep what they have through `documents.rs`, so that neither of two tabs loses anything. A table of Go is kept by threads, too.
#[test]
fn rooms_keep_documents_in_one_way() {
    let folder = root().join("crates/house/web/src/workbench");
    let keeping = rust_files(&folder).into_iter().filter(|file| {
        let text = std::fs::read_to_string(file).unwrap();
        production_lines(&text).into_iter().any(|(_, line)| line.contains("store.keep_document("))
    });
    let wanted = ["documents.rs", "rooms/go/table.rs"].map(|file| folder.join(file));
    let mut keeping: Vec<PathBuf> = keeping.collect();
    keeping.sort();
    assert_eq!(keeping, wanted);
}

/// What the rooms of the workbench remember, which the desk holds.
const REMEMBERED: &[&str] = &[
    "memory.rs",
    "laboratory/runs.rs",
    "laboratory/campaigns/kept.rs",
    "laboratory/campaigns/watch.rs",
    "laboratory/experiments/courses.rs",
    "laboratory/matches/courses.rs",
    "laboratory/programs.rs",
    "othello/engines.rs",
    "patterns/index_cache.rs",
];

/// It knows nothing of the desk. Otherwise the desk and all rooms would need each other, and nobody could read one without the others.
#[test]
fn what_rooms_remember_knows_nothing_of_the_desk() {
    let folder = root().join("crates/house/web/src/workbench/rooms");
    for name in REMEMBERED {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let is_of_desk =
            |line: &str| ["WorkbenchState", "DeskState", "desk::"].iter().any(|word| holds_word(line, word));
        let found = production_lines(&text).into_iter().find(|&(_, line)| is_of_desk(line));
        assert_eq!(found, None, "{name} must not know the desk");
    }
}

/// The check itself finds what it is there for.
#[test]
fn file_access_is_found_outside_tests_only() {
    let text = "\
use std::fs;

fn read() {
    let labels = LabelFile::open(path);
    let file = fs::File::open(path);
    let file = OpenOptions::new();
    graphs::draw();
}

fn write() { File::create(path) }

#[cfg(test)]
#[allow(missing_docs)]
mod tests {
    fn read() {
        std::fs::read(path);
    }
}
";
    let lines: Vec<usize> = lines_with_file_access(text).iter().map(|&(number, _)| number).collect();
    assert_eq!(lines, [1, 5, 6, 10]);
}

/// The most lines of a function of a command: what a reader sees at once.
const LONGEST_FUNCTION: usize = 60;

/// The functions of a file with more lines than that, from `fn` to the closing brace, by their first lines.
fn functions_longer_than(most: usize, text: &str) -> Vec<NumberedLine<'_>> {
    let lines = production_lines(text);
    let length = |(at, &(_, line)): (usize, &NumberedLine<'_>)| {
        let margin = " ".repeat(line.len() - line.trim_start().len());
        // rustfmt puts the end of a function at its margin: a brace, or the end of a signature without a body.
        let is_end = |line: &str| {
            line.strip_prefix(&margin)
                .is_some_and(|rest| rest == "}" || rest.starts_with(')') && rest.ends_with(';'))
        };
        let is_short = line.ends_with('}') || line.ends_with(';');
        let rest = lines[at + 1..].iter().position(|(_, line)| is_end(line));
        if is_short { 1 } else { 2 + rest.expect("a function ends") }
    };
    let functions = lines.iter().enumerate().filter(|(_, (_, line))| begins_function(line));
    functions.filter(|&function| length(function) > most).map(|(_, &line)| line).collect()
}

fn begins_function(line: &str) -> bool {
    let Some((before, _)) = line.trim_start().split_once("fn ") else { return false };
    let is_qualifier = ["pub", "const", "async", "unsafe"].iter().any(|word| before.starts_with(word));
    before.is_empty() || is_qualifier && before.ends_with(' ') && !before.contains('"')
}

#[test]
fn functions_of_commands_are_short() {
    for file in rust_files(&root().join("crates/house/cli/src/commands")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let found = functions_longer_than(LONGEST_FUNCTION, &text);
        assert!(found.is_empty(), "{}: more than {LONGEST_FUNCTION} lines: {found:?}", file.display());
    }
}

/// The check itself finds what it is there for.
#[test]
fn a_long_function_is_found() {
    let text = "\
fn short() {}

impl Thing {
    pub(in super::super) fn long(
        &self,
    ) {
        if self.is_there() {
            self.go();
        }
    }
}

trait Other {
    fn without_body(
        &self,
    ) -> bool;
}
";
    assert_eq!(functions_longer_than(6, text), [(4, "    pub(in super::super) fn long(")]);
    assert_eq!(functions_longer_than(7, text), []);
}
