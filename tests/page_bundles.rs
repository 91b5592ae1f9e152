//! The scripts of the pages: TypeScript in crates/house/web/ui, whose bundles are committed, so that nobody needs npm to build ishi.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::program::tell_missing;

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../web").canonicalize().unwrap()
}

/// The folder of the sources, if what checks and bundles them is installed.
fn find_tools() -> Option<PathBuf> {
    let sources = web().join("ui");
    let has = |name: &str| sources.join("node_modules").join(name).exists();
    let is_ready = ["esbuild", "typescript", "preact", "uplot"].into_iter().all(has)
        && Command::new("node").arg("-v").output().is_ok();
    if !is_ready {
        let what = "node and the page's packages (npm ci --prefix crates/house/web/ui)";
        tell_missing(what);
    }
    is_ready.then_some(sources)
}

fn run_node(sources: &Path, script: &str, arguments: &[&str]) {
    let output =
        Command::new("node").current_dir(sources).arg(script).args(arguments).output().expect("node starts");
    let told = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&told));
}

#[test]
fn sources_of_the_page_have_no_error_of_types() {
    let Some(sources) = find_tools() else { return };
    run_node(&sources, "node_modules/typescript/bin/tsc", &["--noEmit", "--project", "."]);
}

#[test]
fn bundles_of_the_page_are_made_of_its_sources_to_the_byte() {
    let Some(sources) = find_tools() else { return };
    let made = tempfile::tempdir().unwrap();
    run_node(&sources, "build.mjs", &[made.path().to_str().unwrap()]);
    let mut names: Vec<String> = std::fs::read_dir(made.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.contains(&"workbench.js".to_string()), "{names:?}");
    for name in names {
        let [kept, fresh] = [web().join("src/workbench/assets"), made.path().to_path_buf()]
            .map(|folder| std::fs::read_to_string(folder.join(&name)).unwrap_or_default());
        assert!(kept == fresh, "{name} is old: npm run build --prefix crates/house/web/ui");
    }
}

/// Reads remarks by words that no language of the pages has: a third language is a file of texts, and no script is changed for it.
const READS_GERMAN: &str = r#"
import assert from "node:assert";
import { build } from "esbuild";
const made = await build({ entryPoints: ["lines.ts"], bundle: true, format: "esm", write: false });
const { readLinesBy, VERTEX } = await import("data:text/javascript," + encodeURIComponent(made.outputFiles[0].text));
const linesBy = (words) => (text) => readLinesBy(words)(text, VERTEX).filter((piece) => piece.moves)
  .map(({ moves, isInstead }) => moves.map(({ color, vertex }) => (color ?? "") + vertex).join(" ") + (isInstead ? " instead" : ""));
const germanWords = { black: ["schwarz"], white: ["weiß", "weiss (W)"], instead: ["stattdessen"], number: ["Zug #", "Züge #"], between: ["und", "bis"], counted: ["Punkte"] };
const noWords = { black: [], white: [], instead: [], number: [], between: [], counted: [] };
const [german, none] = [germanWords, noWords].map(linesBy);
const numbersBy = (words) => (text) => readLinesBy(words)(text, VERTEX).map((piece) => piece.number).filter((number) => number !== undefined);
const remark = "Stattdessen Schwarz D4, Weiß Q16. Danach Weiss (W): C3 → Schwarz D3.";
assert.deepEqual(german(remark), ["BD4 WQ16 instead", "WC3 BD3"]);
assert.deepEqual(none(remark), []);
assert.deepEqual(none("B D4, W Q16"), ["BD4 WQ16"], "colours of records are of no language");
assert.deepEqual(german("ein Kohlschwarz D4, Weiß Q16"), [], "no word begins inside another one");
assert.deepEqual(german("Besser? D4 Q16 C3"), ["D4 Q16 C3"]);
const counts = "Züge 3, 14 und 20, dann Zug 7; Zug 5 Punkte, Anzug 9";
assert.deepEqual(numbersBy(germanWords)(counts), [3, 14, 20, 7]);
assert.deepEqual(numbersBy(noWords)(counts), []);
"#;

#[test]
fn lines_of_moves_are_found_by_the_words_that_a_page_brings() {
    let Some(sources) = find_tools() else { return };
    run_node(&sources, "--input-type=module", &["-e", READS_GERMAN]);
}
