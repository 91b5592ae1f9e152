//! Every place that writes a file says what the file is: one that is kept, with a checksum, or one that ishi does not read again.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::collections::{BTreeMap, BTreeSet};

use crate::layering::{production_lines, rust_files};
use crate::support::program::root;

/// What a source writes.
struct FileWriter {
    /// From the root of the workspace.
    source: &'static str,
    /// How often it calls one of [`WRITING`].
    calls: usize,
    /// Kept files, as the table of docs/formats.md calls them.
    kept: &'static [&'static str],
    /// What else, and why it needs no checksum.
    other: &'static str,
}

const fn writer(
    source: &'static str,
    calls: usize,
    kept: &'static [&'static str],
    other: &'static str,
) -> FileWriter {
    FileWriter { source, calls, kept, other }
}

/// All of them, by name. The program's own `files` is left out, through which its commands write.
const WRITERS: [FileWriter; 57] = [
    writer("crates/contest/analysis/src/labels/file.rs", 1, &["labels"], ""),
    writer("crates/ground/store/src/connection.rs", 1, &[], "the database, whose rows have checksums"),
    writer("crates/house/cli/src/commands/bench.rs", 1, &[], "SIGNATURES.toml, which is in git"),
    writer("crates/house/cli/src/commands/deck/build.rs", 1, &[], "an answer, for other programs"),
    writer("crates/house/cli/src/commands/deck/complete.rs", 1, &["pool of cards"], ""),
    writer("crates/house/cli/src/commands/deck/export.rs", 1, &[], "a model, for solvers"),
    writer(
        "crates/house/cli/src/commands/deck/generate.rs",
        2,
        &["pool of cards"],
        "decks as CSV, as people have them",
    ),
    writer(
        "crates/house/cli/src/commands/deck/learn.rs",
        2,
        &["pool of cards", "scores of pairs and of leaders"],
        "",
    ),
    writer("crates/house/cli/src/commands/explain/answers.rs", 2, &["answers of a judge"], ""),
    writer("crates/house/cli/src/commands/explain/folder.rs", 2, &["kept review"], "pages, for browsers"),
    writer(
        "crates/house/cli/src/commands/go/capture_problems.rs",
        1,
        &[],
        "problems as text, as people write them",
    ),
    writer("crates/house/cli/src/commands/go/exercises.rs", 1, &["exercises"], ""),
    writer(
        "crates/house/cli/src/commands/go/joseki.rs",
        1,
        &["packed joseki"],
        "joseki as text, for people to edit",
    ),
    writer(
        "crates/house/cli/src/commands/go/learn_joseki.rs",
        1,
        &["packed joseki"],
        "joseki as text, for people to edit",
    ),
    writer(
        "crates/house/cli/src/commands/go/learn_network.rs",
        2,
        &["network of moves", "state of its learning (`.state`)"],
        "",
    ),
    writer("crates/house/cli/src/commands/go/learn_patterns.rs", 1, &["move strengths"], ""),
    writer(
        "crates/house/cli/src/commands/go/learn_shapes.rs",
        1,
        &["packed patterns"],
        "patterns as text, for people to edit",
    ),
    writer(
        "crates/house/cli/src/commands/go/learn_shapes/share.rs",
        1,
        &["packed patterns"],
        "patterns as text, for people to edit",
    ),
    writer("crates/house/cli/src/commands/go/positions.rs", 1, &["training samples (`.bin`)"], ""),
    writer("crates/house/cli/src/commands/go/records.rs", 1, &[], "records as text: gzip has a checksum"),
    writer(
        "crates/house/cli/src/commands/go/shapes.rs",
        1,
        &["packed patterns"],
        "patterns as text, for people to edit",
    ),
    writer(
        "crates/house/cli/src/commands/go/study.rs",
        1,
        &["packed patterns"],
        "patterns as text, for people to edit",
    ),
    writer("crates/house/cli/src/commands/go/study/teach/kept.rs", 1, &["kept measurements"], ""),
    writer("crates/house/cli/src/commands/gtp.rs", 1, &[], "a record that a controller asks for"),
    writer("crates/house/cli/src/commands/gtp_check.rs", 1, &[], "boards as records"),
    writer("crates/house/cli/src/commands/launch.rs", 1, &[], "what a cluster is given, for people to edit"),
    writer(
        "crates/house/cli/src/commands/match_/game_files.rs",
        1,
        &[],
        "what an engine said before it ended, for people",
    ),
    writer(
        "crates/house/cli/src/commands/othello/book.rs",
        2,
        &["book of openings"],
        "books of other programs",
    ),
    writer("crates/house/cli/src/commands/othello/convert.rs", 1, &[], "records"),
    writer(
        "crates/house/cli/src/commands/othello/evaluation.rs",
        2,
        &["evaluation", "positions of self-play"],
        "",
    ),
    writer("crates/house/cli/src/commands/othello/evaluation/share.rs", 1, &["positions of self-play"], ""),
    writer("crates/house/cli/src/commands/othello/games.rs", 1, &["index of games"], ""),
    writer("crates/house/cli/src/commands/othello/play.rs", 1, &[], "a transcript"),
    writer("crates/house/cli/src/commands/othello/practice.rs", 1, &["openings that were missed"], ""),
    writer(
        "crates/house/cli/src/commands/othello/train.rs",
        3,
        &["checkpoint of its learning (`.td`)", "n-tuple network (`.nt`)", "piece counter"],
        "",
    ),
    writer(
        "crates/house/cli/src/commands/othello/train/evolution.rs",
        3,
        &["piece counter", "run of evolution"],
        "",
    ),
    writer(
        "crates/house/cli/src/commands/serve.rs",
        1,
        &[],
        "the page that opens the browser, which is gone soon",
    ),
    writer("crates/house/cli/src/commands/sgf.rs", 1, &[], "a record"),
    writer(
        "crates/house/cli/src/commands/strings/construct.rs",
        2,
        &[],
        "a board, for people and the checker",
    ),
    writer("crates/house/cli/src/commands/strings/count.rs", 1, &["checkpoint of a count"], ""),
    writer("crates/house/cli/src/commands/strings/export.rs", 1, &[], "a model, for solvers"),
    writer("crates/house/cli/src/commands/strings/ledger.rs", 1, &["numbers that took long"], ""),
    writer("crates/house/cli/src/commands/strings/oeis.rs", 2, &[], "sequences as the OEIS takes them"),
    writer("crates/house/cli/src/commands/strings/prove.rs", 1, &["certificate of a board"], ""),
    writer(
        "crates/house/cli/src/commands/strings/solve.rs",
        2,
        &["certificate of a board"],
        "a board, for people",
    ),
    writer("crates/house/cli/src/commands/strings/torture.rs", 1, &[], "a text about the boards beside it"),
    writer("crates/house/cli/src/commands/token.rs", 1, &[], "the token: a damaged one is another secret"),
    writer(
        "crates/house/cli/src/places.rs",
        1,
        &[],
        "experiments, which are compared with those of the program",
    ),
    writer("crates/house/mcp/src/running.rs", 1, &[], "what a command is given, gone after it"),
    writer(
        "crates/lab/lab/src/report/files.rs",
        1,
        &["kept report (`results.json`)"],
        "reports and pictures, for people",
    ),
    writer(
        "crates/lab/lab/src/worker/experiments.rs",
        1,
        &[],
        "an experiment out of a checked row, gone after it",
    ),
    writer(
        "crates/lab/lab/src/worker/spool.rs",
        1,
        &[],
        "results that a task joins, in a file without a name that is gone with the task",
    ),
    writer("crates/lab/mip/src/lib.rs", 2, &[], "what a solver is given, gone after it"),
    writer("train/ishi_train/check.py", 1, &[], "a fixture of tests, held against what is computed"),
    writer(
        "train/ishi_train/checkpoint.py",
        2,
        &["state of its learning (`checkpoint.pt`)"],
        "a curve of figures as CSV, for people: its rows are only written again",
    ),
    writer("train/ishi_train/export.py", 1, &["the judge's network"], ""),
    writer("train/ishi_train/samples.py", 2, &["training samples (`.bin`)"], ""),
];

/// What writes a file. What `write_sgf`, `write_page` and `write_picture` write are records, pages and pictures.
const WRITING: [&str; 15] = [
    "GrowingFile::begin_at(",
    "append_to_file(",
    "continue_file(",
    "write_file(",
    "write_file_again(",
    "write_or_replace(",
    "write_private_file(",
    "File::create(",
    "File::create_new(",
    "File::options(",
    "NamedTempFile::new(",
    "OpenOptions::new(",
    "fs::copy(",
    "fs::write(",
    "tempfile::tempfile(",
];

/// What writes a file in Python: a method of a path, a function of PyTorch or NumPy, or a file that is opened to be written.
const PYTHON_WRITING: [&str; 10] = [
    ".write_bytes(",
    ".write_text(",
    ".tofile(",
    "torch.save(",
    "np.save",
    "\"wb\"",
    "\"ab\"",
    "\"xb\"",
    "open(mode",
    "shutil.copy",
];

/// How names of functions begin that write, in [`FILES`].
const WRITING_NAMES: [&str; 9] =
    ["append", "begin", "continue", "copy", "keep", "move", "replace", "save", "write"];

/// The module that the others of its crate write through.
const FILES: &str = "crates/house/cli/src/files.rs";

/// Calls of [`WRITING`] on a line: no methods of other things, and no functions of that name.
fn count_writing(line: &str) -> usize {
    let line = line.trim_start();
    if line.starts_with("//") || line.starts_with("use ") {
        return 0;
    }
    let is_call = |before: &str| {
        let is_longer_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        !before.ends_with(is_longer_name) && !before.ends_with("fn ")
    };
    WRITING.iter().map(|word| line.match_indices(word).filter(|&(at, _)| is_call(&line[..at])).count()).sum()
}

/// Lines of Python that write, but for remarks.
fn count_python_writing(line: &str) -> usize {
    let line = line.split('#').next().unwrap_or_default();
    PYTHON_WRITING.iter().map(|word| line.matches(word).count()).sum()
}

/// The programs of `train` that write files, with how often.
fn find_python_writers() -> BTreeMap<String, usize> {
    let folder = "train/ishi_train";
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.ends_with(".py") {
            let text = std::fs::read_to_string(&path).unwrap();
            let calls: usize = text.lines().map(count_python_writing).sum();
            found.extend((calls > 0).then(|| (format!("{folder}/{name}"), calls)));
        }
    }
    found
}

/// The sources of all crates that write files, with how often, without tests.
fn find_writers() -> BTreeMap<String, usize> {
    let root = root();
    let mut found = find_python_writers();
    let experiments = rust_files(&root.join("experiments"));
    for file in rust_files(&root.join("crates")).into_iter().chain(experiments) {
        let path = file.strip_prefix(&root).unwrap();
        let parts: Vec<&str> = path.iter().map(|part| part.to_str().unwrap()).collect();
        let is_source = parts[0] == "experiments" || parts[3] == "src";
        let is_production = is_source && !parts.iter().any(|part| ["tests", "tests.rs"].contains(part));
        let name = parts.join("/");
        if is_production && name != FILES {
            let text = std::fs::read_to_string(&file).unwrap();
            let calls: usize = production_lines(&text).into_iter().map(|(_, line)| count_writing(line)).sum();
            if calls > 0 {
                found.insert(name, calls);
            }
        }
    }
    found
}

/// A new place that writes a file is found here: say what it writes. A file that ishi reads again needs a version, a checksum, a row in
/// docs/formats.md and a test that damages it (crates/house/fuzz-targets/tests/exact.rs).
#[test]
fn every_place_that_writes_a_file_says_what_it_is() {
    let known: BTreeMap<String, usize> =
        WRITERS.iter().map(|writer| (writer.source.to_string(), writer.calls)).collect();
    assert_eq!(find_writers(), known, "what writes files, and WRITERS of tests/kept_files.rs");
    for writer in &WRITERS {
        assert!(!writer.kept.is_empty() || !writer.other.is_empty(), "{} writes what?", writer.source);
    }
}

/// Commands write through [`FILES`]. What writes there must be known here, so that its callers are found.
#[test]
fn all_functions_that_write_are_known() {
    let text = std::fs::read_to_string(root().join(FILES)).unwrap();
    let names = production_lines(&text).into_iter().filter_map(|(_, line)| {
        let rest = line.trim_start().strip_prefix("pub(crate) fn ")?;
        let name = &rest[..rest.find(['(', '<'])?];
        WRITING_NAMES.iter().any(|beginning| name.starts_with(beginning)).then(|| name.to_string())
    });
    let found: BTreeSet<String> = names.collect();
    let known = WRITING.iter().map(|word| word.rsplit("::").next().unwrap().trim_end_matches('('));
    // Records and pages, and the methods of a file that was begun.
    let known: BTreeSet<&str> =
        known.chain(["append", "move_into_place", "write_page", "write_picture", "write_sgf"]).collect();
    let unknown: Vec<&String> = found.iter().filter(|name| !known.contains(name.as_str())).collect();
    assert!(unknown.is_empty(), "WRITING of tests/kept_files.rs must have {unknown:?}");
    assert!(found.len() > 8, "{found:?}");
}

#[test]
fn every_kept_file_of_the_list_is_written_somewhere() {
    let text = std::fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let (_, table) = text.split_once("| file | written by | begins with | checksum |\n").unwrap();
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    let listed: BTreeSet<&str> = rows.map(|row| row.split('|').nth(1).unwrap().trim()).collect();
    // What an optimiser says of itself is a string of Python, which ishi writes into no file.
    let written = WRITERS.iter().flat_map(|writer| writer.kept).copied().chain(["state of an optimiser"]);
    assert_eq!(listed, written.collect::<BTreeSet<&str>>(), "docs/formats.md, and WRITERS");
}

/// The check itself finds what it is there for.
#[test]
fn a_new_writer_is_found() {
    for (line, calls) in [
        ("    files::write_file(out, &bytes, args.force)?;", 1),
        ("    let done = std::fs::write(&half, text).and_then(|()| fs::write(b, c));", 2),
        ("    let file = files::GrowingFile::begin_at(&args.out)?;", 1),
        ("    let file = OpenOptions::new().append(true).open(path);", 1),
        ("    let written = self.host.write_file(file, sgf.as_bytes());", 0),
        ("    fn write_file(&self, _: &str, _: &[u8]) -> io::Result<()> {", 0),
        ("    // files::write_file(out)", 0),
        ("use std::fs::{self, OpenOptions};", 0),
        ("    rewrite_file(out)", 0),
        ("    std::fs::copy(from, to)?;", 1),
        ("    let file = fs::File::create_new(path);", 1),
        ("    let half = tempfile::NamedTempFile::new()?;", 1),
        ("        Ok(ResultSpool(BufWriter::new(tempfile::tempfile()?)))", 1),
    ] {
        assert_eq!(count_writing(line), calls, "{line}");
    }
    for (line, calls) in [
        ("    path.write_bytes(content)", 1),
        ("    with open(path, \"wb\") as file:", 1),
        ("        with self.path.open(mode, newline=\"\") as file:", 1),
        ("    with path.open(\"rb\") as file:", 0),
        ("    # torch.save(kept, path)", 0),
    ] {
        assert_eq!(count_python_writing(line), calls, "{line}");
    }
}
