//! What comes from others: licences that deny.toml allows, each crate once, and all from crates.io. `cargo deny` looks at the same, and at
//! advisories, where it is installed; this holds everywhere.

#![allow(clippy::disallowed_methods)] // A test may read files.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use toml::Value;

use crate::support::program::{root, tell_missing};

fn deny_list() -> Value {
    let text = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    Value::Table(text.parse().unwrap())
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_string()).collect()
}

/// The whole tree, for all systems. Without a net the crates of other systems may not be there: then it is the tree of this one.
fn metadata() -> Metadata {
    let command = || {
        let mut command = MetadataCommand::new();
        command.manifest_path(root().join("Cargo.toml"));
        command
    };
    let locked = |flags: &[&str]| flags.iter().map(ToString::to_string).collect::<Vec<_>>();
    command().other_options(locked(&["--locked"])).exec().unwrap_or_else(|_| {
        let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let flags = ["--locked", "--offline", "--filter-platform", &host];
        command().other_options(locked(&flags)).exec().expect("the tree of this system")
    })
}

fn third_party(metadata: &Metadata) -> impl Iterator<Item = &Package> {
    metadata.packages.iter().filter(|package| package.source.is_some())
}

fn name_of(package: &Package) -> &str {
    &package.name
}

/// Is the expression true if these licences are? SPDX, and the older `/` for OR. AND binds more than OR.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    let verdict = read_or(&mut rest, allowed);
    assert!(rest.is_empty(), "{expression:?} must be an SPDX expression");
    verdict
}

fn read_or(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let mut verdict = read_and(words, allowed);
    while let Some(rest) = words.strip_prefix(&["OR"]) {
        *words = rest;
        verdict |= read_and(words, allowed);
    }
    verdict
}

fn read_and(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let mut verdict = read_licence(words, allowed);
    while let Some(rest) = words.strip_prefix(&["AND"]) {
        *words = rest;
        verdict &= read_licence(words, allowed);
    }
    verdict
}

/// A licence, perhaps with an exception, or an expression in parentheses.
fn read_licence(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let (first, rest) = words.split_first().expect("a licence must follow");
    *words = rest;
    if *first == "(" {
        let verdict = read_or(words, allowed);
        *words = words.strip_prefix(&[")"]).expect("a parenthesis must be closed");
        return verdict;
    }
    let ["WITH", exception, rest @ ..] = *words else { return allowed.contains(*first) };
    *words = rest;
    allowed.contains(&format!("{first} WITH {exception}"))
}

fn refused<'a>(metadata: &'a Metadata, allowed: &BTreeSet<String>) -> Vec<&'a str> {
    let is_refused = |package: &&Package| {
        !package.license.as_deref().is_some_and(|expression| is_allowed(expression, allowed))
    };
    third_party(metadata).filter(is_refused).map(name_of).collect()
}

#[test]
fn every_licence_is_allowed_and_every_allowed_one_needed() {
    let metadata = metadata();
    let allowed: BTreeSet<String> = texts(&deny_list()["licenses"]["allow"]).into_iter().collect();
    assert!(third_party(&metadata).count() > 100, "the tree must have its crates");
    let none: [&str; 0] = [];
    assert_eq!(refused(&metadata, &allowed), none, "their licences must be in deny.toml, or they must go");
    for licence in &allowed {
        let mut without = allowed.clone();
        without.remove(licence);
        assert!(
            !refused(&metadata, &without).is_empty(),
            "nobody needs {licence}: deny.toml must leave it out"
        );
    }
}

#[test]
fn every_crate_is_there_once_but_for_those_that_are_named() {
    let metadata = metadata();
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for package in third_party(&metadata) {
        versions.entry(name_of(package)).or_default().insert(package.version.to_string());
    }
    let list = deny_list();
    let skipped = list["bans"]["skip"].as_array().unwrap().iter().map(|item| item["crate"].as_str().unwrap());
    let skipped: Vec<(&str, &str)> = skipped.map(|named| named.split_once('@').unwrap()).collect();
    let is_version = |found: &str, named: &str| found == named || found.starts_with(&format!("{named}."));
    for (name, found) in &versions {
        let named = |version: &String| {
            skipped.iter().any(|(crate_name, named)| crate_name == name && is_version(version, named))
        };
        let others = found.iter().filter(|version| !named(version)).count();
        assert!(others <= 1, "{name} is there as {found:?}: deny.toml must name all but one with a reason");
    }
    for (name, named) in skipped {
        let found = versions.get(name).into_iter().flatten().filter(|found| is_version(found, named));
        assert_eq!(found.count(), 1, "deny.toml names {name}@{named}, which must be in the tree");
        assert!(versions[name].len() > 1, "{name} is there once: deny.toml must not name it");
    }
}

#[test]
fn every_crate_is_from_crates_io() {
    let registry = "https://github.com/rust-lang/crates.io-index";
    assert_eq!(texts(&deny_list()["sources"]["allow-registry"]), [registry]);
    for package in third_party(&metadata()) {
        let source = package.source.as_ref().unwrap().to_string();
        assert_eq!(source, format!("registry+{registry}"), "{}", name_of(package));
    }
}

/// What `.ci/third-party-licences` says of the program and these packages beside it; `None` where there is no Python.
fn licences_of_others(beside: &[&str]) -> Option<String> {
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let script = root().join(".ci/third-party-licences");
    let Ok(output) = std::process::Command::new("python3").arg(script).arg(target).args(beside).output()
    else {
        tell_missing("python3");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The line by which the licences name a crate of the tree.
fn line_of(metadata: &Metadata, name: &str) -> String {
    let found = third_party(metadata).find(|package| name_of(package) == name);
    found.map(|package| format!("\n  {name} {}   ", package.version)).expect("the crate is in the tree")
}

/// Who makes an archive or a wheel writes the licences of all that is linked beside it.
#[test]
fn the_licences_of_others_are_written_with_every_crate() {
    let Some(text) = licences_of_others(&[]) else { return };
    let metadata = metadata();
    let line = |name: &str| line_of(&metadata, name);
    // One that brings its licence, one that brings none, and one that only tests use.
    assert!(text.contains(&line("clap")) && text.contains(&line("maud")));
    assert!(!text.contains(&line("proptest")));
    // Playouts are measured beside it in builds from the sources alone.
    assert!(!text.contains(&line("goban")));
    // SQLite and the standard library are no crates of the tree.
    assert!(text.contains("SQLite") && text.contains("the standard library of Rust"));
}

/// The wheel has a module beside the program, which is linked from more crates.
#[test]
fn the_wheel_has_the_licences_of_its_module_too() {
    let maker = std::fs::read_to_string(root().join(".ci/build-wheel")).unwrap();
    let writing = maker.lines().find(|line| line.starts_with(".ci/third-party-licences ")).unwrap();
    assert!(writing.contains(" ishi-python > "), "{writing}");
    let (Some(program), Some(wheel)) = (licences_of_others(&[]), licences_of_others(&["ishi-python"])) else {
        return;
    };
    let metadata = metadata();
    for name in ["numpy", "pyo3"] {
        let line = line_of(&metadata, name);
        assert!(wheel.contains(&line) && !program.contains(&line), "{name}");
    }
    assert!(wheel.contains(&line_of(&metadata, "clap")), "the program is in the wheel, too");
}

/// The reading of expressions itself finds what it is there for.
#[test]
fn expressions_are_read_as_spdx_means_them() {
    let allowed: BTreeSet<String> =
        ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(String::from).into();
    for (expression, verdict) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("Unlicense/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("GPL-3.0 AND MIT OR Zlib", true),
        ("GPL-3.0 AND (MIT OR Zlib)", false),
        ("(GPL-3.0 OR MIT) AND Zlib", true),
        ("Apache-2.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("MIT WITH LLVM-exception", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), verdict, "{expression}");
    }
}

/// A kept run of CMA-ES is led through the library again, and must stand where it stood, in whatever program uses `ishi-evolve`.
#[test]
fn what_kept_runs_go_through_is_held_to_one_version() {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest = Value::Table(text.parse().unwrap());
    let version = manifest["workspace"]["dependencies"]["basin"]["version"].as_str().unwrap();
    let package = metadata().packages.into_iter().find(|package| name_of(package) == "basin").unwrap();
    assert_eq!(version, format!("={}", package.version));
}

/// What the sources and all that they use ask for is what the texts promise.
#[test]
fn no_crate_needs_a_newer_rust_than_is_told() {
    let metadata = metadata();
    let own = metadata.packages.iter().find(|package| name_of(package) == "ishi").unwrap();
    let told = own.rust_version.clone().unwrap();
    let is_newer = |package: &&Package| package.rust_version.as_ref().is_some_and(|needed| *needed > told);
    let newer: Vec<&str> = third_party(&metadata).filter(is_newer).map(name_of).collect();
    assert!(newer.is_empty(), "these need more than Rust {told}: {newer:?}");
    let words = format!("Rust {}.{} or later", told.major, told.minor);
    for page in ["README.md", "docs/workbench.md", "guide/src/install.md"] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        assert!(text.contains(&words), "{page} must say {words:?}");
    }
}

/// The features that crates of the workspace ask for, by crate and feature: those of dependencies, and those that are usual and what they bring.
fn asked_features<'a>(members: &[&'a Package]) -> BTreeSet<(&'a str, &'a str)> {
    let mut asked = BTreeSet::new();
    for &package in members {
        for dependency in package.dependencies.iter().filter(|each| each.kind == DependencyKind::Normal) {
            asked.extend(
                dependency.features.iter().map(|feature| (dependency.name.as_str(), feature.as_str())),
            );
        }
        for feature in package.features.get("default").into_iter().flatten() {
            asked.insert((name_of(package), feature.as_str()));
            let brought = package.features.get(feature).into_iter().flatten();
            asked.extend(brought.filter_map(|other| other.split_once('/')));
        }
    }
    asked
}

/// Tests of the whole workspace have the features that its crates ask for. `.ci/run` tries the others, and them alone.
#[test]
fn the_script_tries_the_features_that_no_crate_asks_for() {
    let metadata = metadata();
    let members = metadata.workspace_packages();
    let asked = asked_features(&members);
    let has_unasked = |package: &Package| {
        let mut own = package.features.keys().filter(|feature| *feature != "default");
        own.any(|feature| !asked.contains(&(name_of(package), feature.as_str())))
    };
    let unasked: BTreeSet<&str> =
        members.iter().filter(|package| has_unasked(package)).map(|package| name_of(package)).collect();
    assert!(unasked.contains("ishi-rng"), "{unasked:?}");
    let script = std::fs::read_to_string(root().join(".ci/run")).unwrap();
    for command in ["cargo test ", "cargo clippy "] {
        let is_wanted = |line: &&str| line.starts_with(command) && line.contains(" --all-features");
        let line = script.lines().find(is_wanted).expect("a line of .ci/run");
        let named: BTreeSet<&str> =
            line.split(" --package ").skip(1).filter_map(|rest| rest.split(' ').next()).collect();
        assert_eq!(named, unasked, "{line}");
    }
}

/// Every crate that cargo builds for what is selected, with its features.
fn crates_with_features(selected: &[&str]) -> BTreeSet<String> {
    let mut command = std::process::Command::new(env!("CARGO"));
    command.current_dir(root()).args(["tree", "--locked", "--offline", "--prefix", "none", "--no-dedupe"]);
    let output = command.args(["--format", "{p} {f}"]).args(selected).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.trim_end_matches(" (*)").trim_end().to_string()).collect()
}

/// With one feature more or fewer cargo would build a crate, and all that use it, a second time for the wheel: minutes of `.ci/run`.
#[test]
fn the_module_is_made_of_what_the_tests_have_built() {
    let module = crates_with_features(&["--package", "ishi-python", "--edges", "normal"]);
    assert!(module.iter().any(|line| line.starts_with("ishi-go-play ")), "{module:?}");
    let tests = crates_with_features(&["--workspace", "--edges", "normal,build,dev"]);
    let others: Vec<&String> = module.difference(&tests).collect();
    assert!(
        others.is_empty(),
        "crates/house/python/Cargo.toml must ask for what the workspace has: {others:?}"
    );
}
