//! Public items of the libraries that stand alone have examples, which `cargo test` runs: enough of them to learn from.

#![allow(missing_docs)]
#![allow(clippy::disallowed_methods)] // A test may read files.

use std::path::Path;

use crate::layering::{production_lines, rust_files};

/// Folders of `crates/`.
const LIBRARIES: &[&str] = &[
    "ground/rng",
    "ground/stats",
    "ground/mcts",
    "ground/evolve",
    "go/rules",
    "othello/rules",
    "contest/sgf",
    "contest/gtp",
    "strings/grid",
    "decks/deck",
];

/// Of a hundred public items of a library, so many have an example.
const LEAST_SHARE: usize = 15;

const KINDS: &[&str] = &["fn", "struct", "enum", "trait", "const", "static", "type", "async", "unsafe"];

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct ExampleCount {
    items: usize,
    with_example: usize,
}

fn is_public_item(line: &str) -> bool {
    let first = line.strip_prefix("pub ").and_then(|rest| rest.split_whitespace().next());
    first.is_some_and(|word| KINDS.contains(&word))
}

/// Attributes may stand between a text and its item, and an empty line may not.
fn count_examples(text: &str) -> ExampleCount {
    let mut count = ExampleCount::default();
    let mut shown = false;
    for line in production_lines(text).into_iter().map(|(_, line)| line.trim()) {
        if line.starts_with("///") {
            shown |= line.contains("```");
        } else if is_public_item(line) {
            count.items += 1;
            count.with_example += usize::from(shown);
            shown = false;
        } else if line.is_empty() {
            shown = false;
        }
    }
    count
}

#[test]
fn libraries_that_stand_alone_have_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().unwrap();
    for library in LIBRARIES {
        let mut sum = ExampleCount::default();
        for file in rust_files(&root.join("crates").join(library).join("src")) {
            let count = count_examples(&std::fs::read_to_string(file).unwrap());
            sum.items += count.items;
            sum.with_example += count.with_example;
        }
        let ExampleCount { items, with_example } = sum;
        assert!(items > 20, "{library} has public items: {items}");
        assert!(with_example * 100 >= items * LEAST_SHARE, "{library}: {with_example} of {items} items");
    }
}

/// A program each, which its README names: `cargo run --example` shows what the library is for.
#[test]
fn libraries_that_stand_alone_have_a_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().unwrap();
    for library in LIBRARIES {
        let folder = root.join("crates").join(library);
        let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
        let programs = rust_files(&folder.join("examples"));
        assert!(!programs.is_empty(), "{library} must have an example");
        for program in programs {
            let name = format!("examples/{}", program.file_name().unwrap().to_str().unwrap());
            assert!(readme.contains(&name), "{library}: its README must name {name}");
        }
    }
}

/// The check itself finds what it is there for.
#[test]
fn examples_belong_to_the_item_below_them() {
    let text = "\
/// Shown.
///
/// ```
/// assert!(true);
/// ```
#[derive(
    Debug,
)]
pub struct Shown {
    pub field: usize,
}

/// Told.
pub const fn told() {}

/// ```
/// ```
fn private() {}

pub(crate) fn inner() {}
pub use other::Thing;
";
    assert_eq!(count_examples(text), ExampleCount { items: 2, with_example: 1 });
}
