//! `ishi deck generate`, `ishi deck qkp`, the searches by `ishi deck build --method`, and the experiment, as a user types them.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::program::tell_missing;

fn ishi(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_ishi")).current_dir(folder).arg("--quiet").args(args).output();
    let Output { status, stdout, stderr } = output.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

fn fine(folder: &Path, args: &[&str]) -> String {
    let (code, out, error) = ishi(folder, args);
    assert_eq!(code, 0, "{args:?}: {error}");
    out
}

fn json(folder: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&fine(folder, &[args, &["--json"]].concat())).unwrap()
}

#[test]
fn a_generated_world_can_be_built_from() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let generate = ["deck", "generate", "--pieces", "200", "--seed", "7", "--out", "pool.json"];
    let words = fine(folder, &[&generate[..], &["--decks", "decks.csv"]].concat());
    assert!(
        words.contains("200 pieces") && words.contains("6 archetypes") && words.contains("seed 7"),
        "{words}"
    );
    let (code, _, error) = ishi(folder, &generate);
    assert!(code == 3 && error.contains("exists"), "{error}");
    let again = fine(folder, &["deck", "generate", "--pieces", "200", "--seed", "7", "--out", "-"]);
    assert_eq!(again, std::fs::read_to_string(folder.join("pool.json")).unwrap(), "the seed decides");
    let decks = std::fs::read_to_string(folder.join("decks.csv")).unwrap();
    assert!(decks.lines().count() > 1_900 && decks.lines().all(|line| line.split(',').count() == 16));

    let mut values = Vec::new();
    for method in ["greedy", "hill-climbing", "variable-depth", "ours", "exact", "swap-chains", "annealing"] {
        let found = json(
            folder,
            &[
                "deck",
                "build",
                "pool.json",
                "--limit",
                "cost=200",
                "--at-least",
                "god=10",
                "--method",
                method,
            ],
        );
        assert_eq!(found["deck"].as_array().unwrap().len(), 16, "{method}");
        values.push(found["value"].as_f64().unwrap());
    }
    assert!(values[..3].iter().all(|&other| other <= values[3]), "{values:?}");
    assert!((values[3] - values[4]).abs() < 1e-9, "ours finds what is proved: {values:?}");
}

/// Three costs only, and decks of every attribute.
#[test]
fn tiers_and_the_attribute_of_a_deck() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fine(folder, &["deck", "generate", "--pieces", "200", "--seed", "7", "--tiers", "--out", "pool.json"]);
    let pool: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("pool.json")).unwrap()).unwrap();
    let costs: std::collections::BTreeSet<u64> = pool["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|piece| piece["cost"]["cost"].as_u64().unwrap())
        .collect();
    assert_eq!(costs.into_iter().collect::<Vec<_>>(), [5, 10, 20]);
    let build = ["deck", "build", "pool.json", "--limit", "200", "--deck-attribute"];
    let counts = |word: &str| -> Vec<u64> {
        let found = json(folder, &[&build[..], &[word]].concat());
        assert_eq!(found["status"], "optimal");
        let attributes = found["attributes"].as_object().unwrap();
        ["dragon", "god", "demon"]
            .map(|name| attributes.get(name).and_then(Value::as_u64).unwrap_or(0))
            .to_vec()
    };
    assert!(counts("god")[1] >= 10);
    assert!(counts("mixed").iter().all(|&count| count <= 9));
    std::fs::write(folder.join("request.json"), r#"{"limits": {"cost": 200}, "deck_attribute": "mixed"}"#)
        .unwrap();
    let by_file = json(folder, &["deck", "build", "pool.json", "--request", "request.json"]);
    assert_eq!(by_file["value"], json(folder, &[&build[..], &["mixed"]].concat())["value"]);
    let (code, _, error) = ishi(folder, &[&build[..], &["ice"]].concat());
    assert!(code == 3 && error.contains("--deck-attribute ice") && error.contains("mixed"), "{error}");
    let (code, _, error) = ishi(folder, &[&build[..], &["god", "--at-most", "god=3"]].concat());
    assert!(code == 3 && error.contains("at least 10 and at most 3"), "{error}");
}

#[test]
fn worlds_that_cannot_be() {
    let folder = tempfile::tempdir().unwrap();
    for args in [
        &["--pieces", "10", "--out", "x.json"][..],
        &["--pieces", "100", "--random", "--themes", "5", "--out", "x.json"],
        &["--pieces", "100", "--random", "--tiers", "--out", "x.json"],
        &["--pieces", "100", "--themes", "0", "--out", "x.json"],
    ] {
        let (code, _, error) = ishi(folder.path(), &[&["deck", "generate"], args].concat());
        assert!(code == 2 && !error.is_empty(), "{args:?}: {code} {error}");
    }
    assert!(!folder.path().join("x.json").exists());
}

/// Four items; the best two weigh 9 of 10.
const KNAPSACK: &str = "r_small\n4\n5 7 2 4\n1 4 9\n6 0\n3\n\n0\n10\n4 5 6 5\n\nComments\n";

#[test]
fn a_knapsack_beside_its_best_known_value() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("other.txt"), KNAPSACK).unwrap();
    std::fs::write(
        folder.join("best.tsv"),
        "#file\tname\tbest\njeu_small.txt\tx\t18\njeu_other.txt\ty\t99\n",
    )
    .unwrap();
    let found = json(folder, &["deck", "qkp", "--best", "best.tsv", "--bound", "5", "other.txt"]);
    let line = &found[0];
    assert_eq!(line["name"], "r_small");
    assert_eq!((line["value"].as_i64(), line["best_known"].as_i64()), (Some(18), Some(18)), "{line}");
    assert!(line["bound"].as_i64() >= Some(18));
    let words = fine(folder, &["deck", "qkp", "--best", "best.tsv", "other.txt", "other.txt"]);
    assert!(words.contains("r_small  18 with 2 of 4 items; best known 18, reached"), "{words}");
    assert!(words.contains("2 of 2 best known values reached, 2 files"), "{words}");

    std::fs::write(folder.join("bad.txt"), KNAPSACK.replace("1 4 9", "1 4")).unwrap();
    let (code, _, error) = ishi(folder, &["deck", "qkp", "bad.txt"]);
    assert!(code == 3 && error.contains("bad.txt: line 4: 2 numbers where there should be 3"), "{error}");
    let (code, _, error) = ishi(folder, &["deck", "qkp", "none.txt"]);
    assert!(code == 4 && error.contains("none.txt"), "{error}");
}

#[test]
fn known_knapsacks_are_filled_best() {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/exams/decks/qkp");
    if !files.is_dir() {
        tell_missing(format_args!("{}", files.display()));
        return;
    }
    // Two of these three are filed under another name.
    let names = ["jeu_100_25_1.txt.gz", "jeu_100_100_4.txt.gz", "jeu_200_25_3.txt.gz"];
    let found =
        json(&files, &[&["deck", "qkp", "--steps", "5000", "--best", "best.tsv"], &names[..]].concat());
    for line in found.as_array().unwrap() {
        assert_eq!(line["value"], line["best_known"], "{line}");
    }
    assert_eq!(found[1]["name"], "r_100_75_4");
}

#[test]
fn the_experiment_in_small() {
    let place = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../experiments/004-decks");
    let to = place.path().join("experiments/004-decks");
    std::fs::create_dir_all(&to).unwrap();
    for file in ["README.md", "config.toml", "expected.toml"] {
        std::fs::copy(from.join(file), to.join(file)).unwrap();
    }
    fine(place.path(), &["lab", "run", "004", "--quick"]);
    let results = std::fs::read_to_string(to.join("results/quick/results.json")).unwrap();
    let results: Value = serde_json::from_str(&results).unwrap();
    assert!(results.to_string().contains("demo-1.ours.quality"), "{results}");
    assert!(to.join("results/quick/quality-demo-1.svg").is_file());
    assert!(to.join("results/quick/purity-demo-1.svg").is_file());
    let keys: Vec<&Value> =
        results["other_findings"].as_array().unwrap().iter().map(|finding| &finding["key"]).collect();
    assert!(keys.iter().any(|&key| key == "example.greedy.solved-from-random"), "{keys:?}");
    let report = std::fs::read_to_string(to.join("results/quick/report.md")).unwrap();
    for part in [
        "The worked example",
        "Purity: demo-1",
        "Traps",
        "Quality against time: demo-1",
        "Proofs",
        "Integer programming",
        "Completion test",
    ] {
        assert!(report.contains(part), "{part}");
    }
}
