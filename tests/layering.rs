//! The architecture as a test: crates use only what stands to their left, the pure ones stay pure, and every
//! third-party crate is accounted for.

#![allow(missing_docs)]
#![allow(clippy::disallowed_methods)] // A test may read files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

/// Layers from left to right; ARCHITECTURE.md has the same table. A crate may use crates of lower layers only.
const LAYERS: &[&[&str]] = &[
    &["rng", "stats", "words"],
    &["go", "othello", "mcts", "evolve", "grid", "deck"],
    &["sgf", "gtp", "reading"],
    &["patterns", "engine"],
    &["knowledge", "judge"],
    &["go-play", "othello-play"],
    &["othello-learn"],
    &["arena"],
    &["deck-documents", "analysis", "mip"],
    &["lab"],
    &["web"],
    &["cli"],
];

/// The folders of `crates/`: what a crate is about.
const WINGS: &[&str] = &["ground", "go", "othello", "strings", "decks", "contest", "lab", "house"];

/// Crates below this layer never print, open files, read clocks, start threads or know TOML, JSON or SQL.
const FIRST_IMPURE_LAYER: usize = 7;

/// The files that call vector instructions, where a measurement asked for it: `unsafe` is allowed here only.
const VECTOR_FILES: &[&str] =
    &["rules/src/simd/x86.rs", "rules/src/oneply/avx2.rs", "rules/src/oneply/avx512.rs"];

/// What only the layers above the first impure one know.
const FORMATS: &[&str] = &["rusqlite", "serde_json", "toml"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().unwrap()
}

fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap()
}

fn layer(package: &str) -> Option<usize> {
    let name = package.strip_prefix("ishi-")?;
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
    for package in members(&metadata()) {
        let folder = package.manifest_path.parent().unwrap();
        let (name, wing) = (folder.file_name().unwrap(), folder.parent().unwrap().file_name().unwrap());
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

fn rust_files(folder: &Path) -> Vec<PathBuf> {
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
