//! `ishi deck export` and `ishi deck mip` as a user meets them, with real solvers where they are installed.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::program::{run_tool, tell_missing};

/// Everything that a pool can say, in seven pieces.
const POOL: &str = r#"{
  "name": "garden",
  "units": 10,
  "resources": ["cost", "room"],
  "attributes": ["red", "blue"],
  "groups": {"beetle": 1},
  "pieces": [
    {"name": "Ant", "cost": {"cost": 3, "room": 1}, "attributes": ["red"], "score": 0.5},
    {"name": "Bee", "cost": {"cost": 4}, "attributes": ["red"], "leader_score": 1.5},
    {"name": "Cat", "cost": {"cost": 5, "room": 2}, "attributes": ["blue"]},
    {"name": "Dor", "cost": {"cost": 2, "room": 1}, "group": "beetle", "score": -0.2},
    {"name": "Elm", "cost": {"cost": 1, "room": 4}, "attributes": ["red", "blue"]},
    {"name": "Flea", "cost": {"cost": 2, "room": 1}, "group": "beetle"},
    {"name": "Gnat", "cost": {"cost": 3, "room": 1}, "attributes": ["blue"], "score": 1}
  ],
  "pairs": {"list": [
    ["Ant", "Bee", 7], ["Ant", "Cat", 2.5], ["Bee", "Cat", -2], ["Ant", "Dor", 4], ["Bee", "Elm", 3], ["Cat", "Elm", 6],
    ["Dor", "Elm", -1.3], ["Flea", "Ant", 3.9], ["Flea", "Gnat", 5], ["Gnat", "Bee", 1.1], ["Gnat", "Gnat", 2]
  ]},
  "leaders": {"list": [["Bee", "Ant", 9], ["Cat", "Elm", 8.5], ["Gnat", "Flea", 4], ["Elm", "Dor", 2], ["Ant", "Gnat", -3]]}
}"#;

/// Options, the best value, and the names of the best deck: by trying all decks by hand and by the unit tests' enumeration.
const REQUESTS: &[&[&str]] = &[
    &["--size", "3"],
    &["--size", "3", "--limit", "cost=9", "--limit", "room=5"],
    &["--size", "3-4", "--limit", "cost=12", "--at-least", "blue=2"],
    &["--size", "4", "--leader", "any", "--limit", "cost=13", "--at-most", "red=2"],
    &["--size", "3", "--leader", "Cat", "--leader", "Gnat", "--fix", "Dor"],
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("pool.json"), POOL).unwrap();
    folder
}

fn deck(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    command.current_dir(folder).args(["--quiet", "deck"]).args(args);
    command
}

fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = deck(folder, args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

fn ok(folder: &Path, args: &[&str]) -> String {
    let (code, out, errors) = run(folder, args);
    assert_eq!(code, 0, "{args:?}: {errors}");
    out
}

#[test]
fn models_are_written() {
    let folder = folder();
    let folder = folder.path();
    let lp = ok(folder, &["export", "pool.json", "--size", "3", "--limit", "cost=9", "--format", "lp"]);
    assert!(lp.starts_with("\\ A deck, article formulation: "), "{lp}");
    assert!(lp.contains("\n\\ x6: Flea\n"), "{lp}");
    assert!(lp.contains(" size: x1 + x2 + x3 + x4 + x5 + x6 + x7 = 3\n"), "{lp}");
    assert!(lp.contains(" cost_1: 3 x1 + 4 x2 + 5 x3 + 2 x4 + x5 + 2 x6 + 3 x7 <= 9\n"), "{lp}");
    assert!(lp.contains(" group_1: x4 + x6 <= 1\n"), "{lp}");
    assert!(lp.contains(" a_1_2: y1_2 - x1 <= 0\n b_1_2: y1_2 - x2 <= 0\n"), "{lp}");
    assert!(lp.contains(" both_2_3: x2 + x3 - y2_3 <= 1\n"), "{lp}");
    let strong = ["export", "pool.json", "--size", "3", "--leader", "any", "--formulation", "strong"];
    let lp = ok(folder, &[&strong[..], &["--format", "lp"]].concat());
    assert!(lp.contains(" leader: l1 + l2 + l3 + l4 + l5 + l6 + l7 = 1\n"), "{lp}");
    assert!(lp.contains(" size_led_2: q2_1 - 2 l2 <= 0\n"), "{lp}");
    let out = ["--format", "mps", "--out", "a.mps"];
    assert_eq!(ok(folder, &[&["export", "pool.json", "--formulation", "compact"][..], &out].concat()), "");
    assert!(std::fs::read_to_string(folder.join("a.mps")).unwrap().contains("\n FR bnd z1\n"));
    // A file is not lost.
    let (code, _, message) = run(folder, &[&["export", "pool.json"][..], &out].concat());
    assert!(code == 3 && message.contains("a.mps exists"), "{message}");
    ok(folder, &[&["export", "pool.json", "--force"][..], &out].concat());
}

#[test]
fn mistakes_are_named() {
    let folder = folder();
    let cases: &[(&[&str], i32, &str)] = &[
        (
            &["export", "pool.json", "--format", "lp", "--formulation", "weak"],
            2,
            "must be article, compact or strong",
        ),
        (
            &["export", "pool.json", "--format", "opb", "--formulation", "compact"],
            3,
            "take article or strong",
        ),
        (&["export", "pool.json"], 2, "--format"),
        (&["export", "none.json", "--format", "lp"], 4, "none.json"),
        (
            &["mip", "pool.json", "--solver", "cplex"],
            2,
            "is no solver: it must be one of highs, scip, cp-sat, cbc, glpk",
        ),
        (&["mip", "pool.json", "--formulation", "weak"], 2, "article, compact or strong, or all"),
    ];
    for (args, code, words) in cases {
        let (found, _, message) = run(folder.path(), args);
        assert_eq!(found, *code, "{args:?}: {message}");
        assert!(message.contains(words), "{args:?}: {message}");
    }
}

/// Nothing in PATH.
#[test]
fn without_a_solver_the_packages_are_named() {
    let folder = folder();
    let output = deck(folder.path(), &["mip", "pool.json"]).env("PATH", folder.path()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4), "{message}");
    for words in ["highspy", "pyscipopt", "ortools", "coinor-cbc", "glpk-utils"] {
        assert!(message.contains(words), "{message}");
    }
}

/// Every solver that is there finds our optimum by all formulations that it reads.
#[test]
fn installed_solvers_agree() {
    let folder = folder();
    // Those that start slowly are asked less; files_are_read_by_others asks CBC and GLPK everything.
    for (solver, asked) in [("highs", 1..5), ("scip", 3..5), ("cp-sat", 3..5), ("cbc", 3..4), ("glpk", 4..5)]
    {
        for request in &REQUESTS[asked] {
            let formulation = if solver == "cp-sat" { "strong" } else { "all" };
            let more = ["--formulation", formulation, "--solver", solver, "--json"];
            let args = [&["mip", "pool.json"], *request, &more].concat();
            let (code, out, message) = run(folder.path(), &args);
            if code == 4 && message.contains("is not installed") {
                tell_missing(format_args!("{solver}; ishi deck mip --help names its package"));
                break;
            }
            assert_eq!(code, 0, "{args:?}: {message}");
            let report: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(report["ishi"]["status"], "optimal", "{report}");
            let runs = report["runs"].as_array().unwrap();
            assert_eq!(runs.len(), if formulation == "all" { 3 } else { 1 });
            for run in runs {
                assert_eq!(run["status"], "optimal", "{args:?} {run}");
                assert_eq!(run["value"], report["ishi"]["value"], "{args:?} {run}");
                assert_eq!(run["bound"], run["value"], "{args:?} {run}");
                let size = run["deck"]["deck"].as_array().unwrap().len();
                assert!((3..=4).contains(&size), "{run}");
            }
        }
    }
}

/// The last line of all: what is impossible is impossible for everybody.
#[test]
fn what_is_impossible_is_so_for_all() {
    let folder = folder();
    for solver in ["highs", "cbc", "glpk"] {
        let args = ["mip", "pool.json", "--limit", "cost=2", "--size", "3", "--solver", solver];
        let (code, _, message) = run(folder.path(), &[&args[..], &["--formulation", "all"]].concat());
        if code == 4 {
            tell_missing(format_args!("{solver}; ishi deck mip --help names its package"));
            continue;
        }
        assert!(code == 1 && message.contains("there is no deck at all"), "{message}");
    }
}

/// The exported files mean the same to solvers that ishi did not start.
#[test]
fn files_are_read_by_others() {
    let folder = folder();
    let folder = folder.path();
    for request in REQUESTS {
        let best = ok(folder, &[&["build", "pool.json", "--json"], *request].concat());
        let best: Value = serde_json::from_str(&best).unwrap();
        assert_eq!(best["status"], "optimal", "{best}");
        // In units.
        let best = (best["value"].as_f64().unwrap() * 10.0).round();
        for formulation in ["article", "compact", "strong"] {
            for format in ["lp", "mps"] {
                let name = format!("model.{format}");
                let more = ["--formulation", formulation, "--format", format, "--out", &name, "--force"];
                ok(folder, &[&["export", "pool.json"], *request, &more].concat());
                let sign = if format == "lp" { 1.0 } else { -1.0 };
                let Some(value) = cbc(folder, &name) else {
                    return tell_missing("cbc (apt-get install coinor-cbc)");
                };
                // CBC prints minus the value of a maximisation in its solution file.
                assert!(
                    (value.abs() - best.abs()).abs() < 1e-6,
                    "{request:?} {formulation} {format}: {value}"
                );
                let Some(value) = glpk(folder, &name) else {
                    return tell_missing("glpsol (apt-get install glpk-utils)");
                };
                assert!((value - sign * best).abs() < 1e-6, "{request:?} {formulation} {format}: {value}");
            }
        }
    }
}

fn cbc(folder: &Path, model: &str) -> Option<f64> {
    run_tool(folder, "cbc", &[model, "solve", "solution", "cbc.txt"])?;
    let text = std::fs::read_to_string(folder.join("cbc.txt")).unwrap();
    let first = text.lines().next().unwrap();
    Some(first.strip_prefix("Optimal - objective value ").expect(first).trim().parse().unwrap())
}

fn glpk(folder: &Path, model: &str) -> Option<f64> {
    let format = if model.ends_with("lp") { "--lp" } else { "--freemps" };
    let said = run_tool(folder, "glpsol", &[format, model, "-o", "glpk.txt"])?;
    let text = std::fs::read_to_string(folder.join("glpk.txt")).expect(&said);
    let line = text.lines().find(|line| line.starts_with("Objective:")).expect(&text);
    line.split_once('=')?.1.split_whitespace().next()?.parse().ok()
}

/// A solver that runs out of time says what it has, and its bound is above it.
#[test]
fn time_limits_are_kept() {
    let folder = folder();
    let folder = folder.path();
    let names: Vec<String> = (0..60).map(|at| format!("{{\"name\": \"p{at}\"}}")).collect();
    let mut state = 7_u32;
    let mut pairs = Vec::new();
    for a in 0..60 {
        for b in 0..a {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            pairs.push(format!("[{a}, {b}, {}]", state >> 24));
        }
    }
    let pool =
        format!("{{\"pieces\": [{}], \"pairs\": {{\"list\": [{}]}}}}", names.join(","), pairs.join(","));
    std::fs::write(folder.join("dense.json"), pool).unwrap();
    let args = ["mip", "dense.json", "--formulation", "article", "--time-limit", "1", "--json"];
    let (code, out, message) = run(folder, &args);
    if code == 4 {
        return tell_missing("a solver; ishi deck mip --help names their packages");
    }
    let report: Value = serde_json::from_str(&out).unwrap();
    let run = &report["runs"][0];
    let ours = report["ishi"]["value"].as_f64().unwrap();
    assert!(ours <= report["ishi"]["bound"].as_f64().unwrap(), "{report}");
    if run["status"] == "time-limit" {
        assert!(code == 1 && message.contains("the time was up"), "{message}");
    }
    if let (Some(value), Some(bound)) = (run["value"].as_f64(), run["bound"].as_f64()) {
        assert!(value <= bound && ours <= bound, "{report}");
    }
}
