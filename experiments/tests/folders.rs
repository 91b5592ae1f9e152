//! Whoever looks for what an experiment does finds it in the experiment's folder.

#![allow(missing_docs)]

use std::collections::BTreeSet;

use ishi_experiments::KINDS;
use ishi_lab::folder::list_folders;

use crate::experiments;

/// The kind that the configuration names.
fn named_kind(config: &str) -> &str {
    let line = config.lines().find_map(|line| line.strip_prefix("kind = \"")).expect("a kind is named");
    line.strip_suffix('"').expect("nothing stands behind it")
}

#[test]
fn every_kind_stands_beside_its_first_experiment() {
    let mut seen = BTreeSet::new();
    for folder in list_folders(experiments()).unwrap() {
        let config = std::fs::read_to_string(folder.path.join("config.toml")).unwrap();
        let kind = named_kind(&config);
        let code = folder.path.join("kind/mod.rs");
        if seen.insert(kind.to_string()) {
            let text = std::fs::read_to_string(&code).unwrap_or_default();
            assert!(text.contains(&format!("    name: \"{kind}\",\n")), "{} must be {kind}", code.display());
        } else {
            assert!(!code.exists(), "{}: the kind {kind} stands beside an earlier experiment", folder.name);
        }
    }
    let known: BTreeSet<String> = KINDS.iter().map(|kind| kind.name.to_string()).collect();
    assert_eq!(seen, known, "each kind has an experiment, and each experiment a kind");
}
