//! `ishi deck build`, `explain`, `best`, `acquire` and `check` as a user types them.

#![allow(missing_docs)]
#![allow(clippy::disallowed_methods)] // A test starts the program.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::program::file;

commands_that_begin_with!(&["--quiet", "deck"]);

fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../data/decks").join(name);
    path.to_str().unwrap().to_string()
}

/// Six pieces, of which the best three together are Ember, Flint and Blaze: 5 + 4 + 3.
const POOL: &str = r#"{
  "pieces": [
    {"name": "Ember", "cost": 5, "attributes": ["fire"]},
    {"name": "Flint", "cost": 6, "attributes": ["fire", "stone"]},
    {"name": "Blaze", "cost": 9, "attributes": ["fire"]},
    {"name": "Frost", "cost": 2, "attributes": ["ice"]},
    {"name": "Floe", "cost": 3, "attributes": ["ice"]},
    {"name": "Sleet", "cost": 4, "attributes": ["ice"], "score": 0.5}
  ],
  "pairs": [
    ["Ember", "Flint", 5], ["Ember", "Blaze", 4], ["Flint", "Blaze", 3],
    ["Frost", "Floe", 3.5], ["Frost", "Sleet", 2.5], ["Floe", "Sleet", -1], ["Ember", "Frost", 0.5]
  ]
}"#;

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn the_best_deck_and_its_limits() {
    let folder = tempfile::tempdir().unwrap();
    let pool = file(folder.path(), "pool.json", POOL);
    let found = json(&["build", &pool, "--size", "3"]);
    assert_eq!((found["status"].as_str(), found["value"].as_f64()), (Some("optimal"), Some(12.0)));
    assert_eq!((found["bound"].as_f64(), found["gap"].as_f64()), (Some(12.0), Some(0.0)));
    assert_eq!(strings(&found["deck"]), ["Ember", "Flint", "Blaze"]);
    assert_eq!(found["costs"]["cost"], json!({"spent": 20}));
    assert_eq!(found["attributes"], json!({"fire": 3, "stone": 1}));
    // At 19 it is too dear; two of fire and Frost score 5 + 0.5.
    let found = json(&["build", &pool, "--size", "3", "--limit", "19", "--at-least", "fire=2"]);
    assert_eq!((found["value"].as_f64(), found["status"].as_str()), (Some(5.5), Some("optimal")));
    let found = json(&["build", &pool, "--size", "3", "--limit", "cost=19"]);
    assert_eq!((found["value"].as_f64(), found["costs"]["cost"]["limit"].as_i64()), (Some(5.5), Some(19)));
    let found = json(&["build", &pool, "--size", "3", "--ban", "Blaze", "--fix", "Sleet", "--fix", "Flint"]);
    assert_eq!(
        (strings(&found["deck"]), found["value"].as_f64()),
        (vec!["Ember", "Flint", "Sleet"], Some(5.5))
    );
    let found = json(&["build", &pool, "--size", "2-3", "--at-most", "fire=1"]);
    assert_eq!(found["value"].as_f64(), Some(5.5), "{found}");
    let words = output(&["build", &pool, "--size", "3"]);
    assert!(words.starts_with("value 12, proved optimal\n"), "{words}");
    assert!(words.contains("strongest pairs: Ember + Flint 5, Ember + Blaze 4"), "{words}");
}

/// On a terminal a Japanese letter is as wide as two others.
#[test]
fn columns_stay_in_line_with_japanese_names() {
    let folder = tempfile::tempdir().unwrap();
    let pieces =
        r#"{"pieces": [{"name": "火の鳥", "score": 3, "cost": 7}, {"name": "Oak", "score": 2, "cost": 8}]}"#;
    let pool = file(folder.path(), "pool.json", pieces);
    let built = output(&["build", &pool, "--size", "2"]);
    assert!(built.contains("       火の鳥  cost 7\n       Oak     cost 8\n"), "{built}");
    let explained = output(&["explain", &pool, "--size", "2"]);
    assert!(explained.contains("  火の鳥  3;") && explained.contains("  Oak     2;"), "{explained}");
}

#[test]
fn a_pool_without_scores_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for (pool, is_told) in
        [("name,cost\nAnt,1\nBee,2\n", true), ("name,cost,score\nAnt,1,0\nBee,2,3\n", false)]
    {
        let pool = file(folder.path(), "pool.csv", pool);
        let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
        let output = command.args(["deck", "build", &pool, "--size", "1"]).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
        assert_eq!(told.contains("nothing in this pool scores"), is_told, "{told}");
    }
}

#[test]
fn every_method_gives_a_deck_and_a_bound() {
    let (pool, request) = (example("example.toml"), example("request.toml"));
    let exact = json(&["build", &pool, "--request", &request]);
    let best = exact["value"].as_f64().unwrap();
    assert_eq!(exact["status"], "optimal");
    for method in ["ours", "variable-depth", "swap-chains", "annealing", "hill-climbing", "greedy"] {
        let found = json(&["build", &pool, "--request", &request, "--method", method]);
        let (value, bound) = (found["value"].as_f64().unwrap(), found["bound"].as_f64().unwrap());
        assert!(value <= best && best <= bound, "{method}: {found}");
        assert_eq!(found["method"], method);
        assert_eq!(found["status"] == "optimal", value == bound, "{found}");
    }
}

/// JSON, TOML and CSV, lists and tables, say the same.
#[test]
fn one_pool_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, text: &str| file(folder.path(), name, text);
    let pieces = "name,cost,attributes,score\nEmber,5,fire,\nFlint,6,fire;stone,0\nBlaze,9,fire,\nFrost,2,ice,\nFloe,3,ice,\nSleet,4,ice,0.5\n";
    let csv = at("pieces.csv", pieces);
    let list = at(
        "pairs.csv",
        "a,b,score\nEmber,Flint,5\nEmber,Blaze,4\nFlint,Blaze,3\nFrost,Floe,3.5\nFrost,Sleet,2.5\nFloe,Sleet,-1\nEmber,Frost,0.5\n",
    );
    let rows = [
        [0.0, 5.0, 4.0, 0.5, 0.0, 0.0],
        [5.0, 0.0, 3.0, 0.0, 0.0, 0.0],
        [4.0, 3.0, 0.0, 0.0, 0.0, 0.0],
        [0.5, 0.0, 0.0, 0.0, 3.5, 2.5],
        [0.0, 0.0, 0.0, 3.5, 0.0, -1.0],
        [0.0, 0.0, 0.0, 2.5, -1.0, 0.0],
    ];
    let names = ["Ember", "Flint", "Blaze", "Frost", "Floe", "Sleet"];
    let line = |row: &[f64; 6]| row.map(|score| score.to_string()).join(",");
    let table: String =
        names.iter().zip(&rows).map(|(name, row)| format!("{name},{}\n", line(row))).collect();
    let matrix = at("matrix.csv", &format!(",{}\n{table}", names.join(",")));
    let bare = at("bare.csv", &rows.iter().map(|row| line(row) + "\n").collect::<String>());
    let json_file = at("pool.json", POOL);
    let mut dense: Value = serde_json::from_str(POOL).unwrap();
    dense["pairs"] = json!(rows);
    let dense = at("dense.json", &dense.to_string());
    let toml = at("pool.toml", "pieces = \"pieces.csv\"\npairs = \"matrix.csv\"\n");
    let by_place = at(
        "places.toml",
        "pieces = \"pieces.csv\"\n[pairs]\nlist = [[0, 1, 5], [2, 0, 4], [1, 2, 3], [3, \"Floe\", 3.5], [3, 5, 2.5], [4, 5, -1], [0, 3, 0.5]]\n",
    );
    let forms: Vec<Vec<&str>> = vec![
        vec![&json_file],
        vec![&dense],
        vec![&toml],
        vec![&by_place],
        vec![&csv, "--pairs", &list],
        vec![&csv, "--pairs", &matrix],
        vec![&csv, "--pairs", &bare],
    ];
    for form in forms {
        let best = |more: &[&str]| {
            let found = json(&[&["build"], form.as_slice(), &["--size", "3"], more].concat());
            (found["value"].as_f64().unwrap(), found["status"].as_str().unwrap().to_string())
        };
        assert_eq!(best(&[]), (12.0, "optimal".into()), "{form:?}");
        assert_eq!(best(&["--ban", "Ember", "--ban", "Flint"]), (5.5, "optimal".into()), "{form:?}");
    }
}

#[test]
fn requests_from_a_file_and_by_options() {
    let folder = tempfile::tempdir().unwrap();
    let pool = file(folder.path(), "pool.json", POOL);
    let owned = file(folder.path(), "owned.csv", "name,copies\nEmber,1\nFlint,1\nFrost,2\nFloe,1\n");
    let request = file(
        folder.path(),
        "request.json",
        r#"{"size": 3, "limits": {"cost": 15}, "quotas": {"fire": {"at_least": 1, "at_most": 2}}, "owned": "owned.csv", "method": "exact"}"#,
    );
    let by_file = json(&["build", &pool, "--request", &request]);
    let by_options = json(&[
        "build",
        &pool,
        "--size",
        "3",
        "--limit",
        "cost=15",
        "--at-least",
        "fire=1",
        "--at-most",
        "fire=2",
        "--owned",
        &owned,
    ]);
    assert_eq!((&by_file["deck"], &by_file["value"]), (&by_options["deck"], &by_options["value"]));
    assert_eq!(by_file["value"].as_f64(), Some(5.5));
    let found = json(&["build", &pool, "--request", &request, "--fix", "Floe", "--leader", "any"]);
    assert!(strings(&found["deck"]).contains(&"Floe") && found["leader"].is_string(), "{found}");
}

/// Each names file, line and field, and says what would be right.
#[test]
fn what_is_wrong_is_said_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, text: &str| file(folder.path(), name, text);
    let cases = [
        (
            "a.json",
            POOL.replace("[\"Flint\", \"Blaze\", 3]", "[\"Flnt\", \"Blaze\", 3]"),
            "a.json:11:52: pairs[2][0]: no piece is called \"Flnt\"; did you mean \"Flint\"?",
        ),
        (
            "b.json",
            POOL.replace("\"cost\": 9", "\"cost\": 9.5"),
            "b.json:5:33: pieces[2].cost: invalid type: floating point `9.5`, expected a whole number from 0",
        ),
        (
            "c.json",
            POOL.replace("\"score\": 0.5", "\"scor\": 0.5"),
            "c.json:8:62: pieces[5].scor: unknown field `scor`",
        ),
        (
            "d.json",
            POOL.replace("[\"Ember\", \"Frost\", 0.5]", "[\"Flint\", \"Ember\", 6]"),
            "score 6 here and 5 before",
        ),
        ("e.json", POOL.replace("\"Floe\", \"cost\"", "\"Frost\", \"cost\""), "e.json:7:"),
        ("f.json", POOL.replace("3.5", "\"much\""), "\"much\" is no score: it must be a number"),
        ("g.json", POOL.replace("3.5", "3.5.5"), "g.json:12:"),
        (
            "h.toml",
            "[[pieces]]\nname = \"Ember\"\ncost = -1\n".to_string(),
            "h.toml:3:8: pieces[0].cost: a cost of -1: costs must be 0 to",
        ),
        (
            "i.toml",
            "attributes = [\"fire\"]\n[[pieces]]\nname = \"Ember\"\nattributes = [\"fier\"]\n".to_string(),
            "i.toml:4:15: pieces[0].attributes[0]: \"fier\" is not among the pool's `attributes`; did you mean \"fire\"?",
        ),
        ("j.csv", "name,cost\nEmber,five\n".to_string(), "j.csv:2: cost: \"five\" is no whole number"),
        (
            "k.csv",
            "nme,cost\nEmber,5\n".to_string(),
            "k.csv:1: the header has no column `name`; did you mean \"nme\"?",
        ),
        (
            "l.json",
            "{\"pieces\": [{\"name\": \"a\"}, {\"name\": \"b\"}], \"pairs\": [[0, 1], [2, 0]]}".to_string(),
            "\"b\" with \"a\" scores 2, \"a\" with \"b\" 1: pairs score the same both ways",
        ),
        ("m.json", "{\"pieces\": \"none.csv\"}".to_string(), "m.json:1:12: pieces: cannot read none.csv"),
    ];
    for (name, text, wanted) in cases {
        let pool = at(name, &text);
        let (code, error) = refused(&["build", &pool, "--size", "2"]);
        assert_eq!(code, if name == "m.json" { 4 } else { 3 }, "{name}: {error}");
        assert!(error.contains(wanted), "{name}: {error}");
    }
    let pool = at("pool.json", POOL);
    for (request, wanted) in [
        ("{\"size\": 0}", "request.json:1:10: size: a deck of 0 to 0 pieces"),
        (
            "{\"limits\": {\"mana\": 3}}",
            "request.json:1:21: limits.mana: pieces of this pool do not cost \"mana\"; its resources are cost",
        ),
        (
            "{\"fixed\": [\"Ember\", \"Sleat\"]}",
            "request.json:1:21: fixed[1]: no piece is called \"Sleat\"; did you mean \"Sleet\"?",
        ),
        (
            "{\"quotas\": {\"ice\": -1}}",
            "request.json:1:21: quotas.ice: invalid value: integer `-1`, expected at least how many",
        ),
        ("{\"method\": \"magic\"}", "request.json:1:18: method: unknown variant `magic`"),
        ("{\"leader\": \"Blase\"}", "did you mean \"Blaze\"? (or write \"any\" or \"none\")"),
    ] {
        let file = at("request.json", request);
        let (code, error) = refused(&["build", &pool, "--request", &file]);
        assert!(code == 3 && error.contains(wanted), "{request}: {code} {error}");
    }
    let (code, error) = refused(&["build", &pool, "--fix", "Embers"]);
    assert!(code == 3 && error.contains("--fix \"Embers\": no piece is called"), "{error}");
    let (code, error) = refused(&["build", "/no/such/pool.json"]);
    assert!(code == 4 && error.contains("cannot read /no/such/pool.json"), "{error}");
}

#[test]
fn no_deck_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let pool = file(folder.path(), "pool.json", POOL);
    for (options, wanted) in [
        (
            vec!["--size", "3", "--limit", "10", "--fix", "Flint", "--fix", "Blaze"],
            "two fixed pieces already cost 15 of 10",
        ),
        (vec!["--size", "3", "--limit", "8"], "the 3 cheapest allowed pieces cost 9 of 8"),
        (vec!["--size", "5", "--at-least", "ice=4"], "only three pieces with ice are left, 4 are asked for"),
        (vec!["--size", "7"], "only six pieces can be chosen, a deck has at least 7"),
        (
            vec!["--size", "3", "--at-least", "fire=2", "--limit", "12"],
            "the cheapest deck that keeps all other rules costs 13 of 12",
        ),
        (
            vec!["--size", "3", "--at-least", "fire=2", "--at-least", "ice=2"],
            "at most 3 pieces; at least 2 with fire; at least 2 with ice",
        ),
    ] {
        let arguments = [&["build", pool.as_str()], options.as_slice()].concat();
        let (code, error) = refused(&arguments);
        assert!(code == 1 && error.contains(wanted), "{options:?}: {error}");
        let output = ishi(&[arguments.as_slice(), &["--json"]].concat());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["status"], "infeasible");
        assert!(strings(&found["reasons"]).iter().any(|reason| reason.contains(wanted)), "{found}");
    }
}

#[test]
fn explained_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let pool = file(folder.path(), "pool.json", POOL);
    let out = folder.path().join("deck.json");
    let out = out.to_str().unwrap();
    output(&["build", &pool, "--size", "3", "--out", out]);
    let (code, error) = refused(&["build", &pool, "--size", "3", "--out", out]);
    assert!(code == 3 && error.contains("exists"), "{error}");
    let found = json(&["explain", &pool, "--size", "3", "--deck", out]);
    let first = &found["contributions"][0];
    assert_eq!((first["card"].as_str(), first["loss"].as_f64()), (Some("Ember"), Some(9.0)));
    // Nothing that comes for Ember scores with Flint or Blaze; Sleet scores by itself.
    assert_eq!((first["replacement"].as_str(), first["replaced_loss"].as_f64()), (Some("Sleet"), Some(8.5)));
    assert_eq!(found["pairs"][0], json!({"a": "Ember", "b": "Flint", "score": 5.0}));
    let found =
        json(&["explain", &pool, "--size", "3", "--limit", "19", "--card", "Blaze", "--card", "Frost"]);
    // With Blaze: Ember and Sleet, 4 + 0.5; without the limit it would be there for nothing.
    assert_eq!(
        (found[0]["price"].as_f64(), found[0]["in_best"].as_bool()),
        (Some(1.0), Some(false)),
        "{found}"
    );
    assert_eq!(found[0]["rules"], json!([{"rule": "cost at most 19", "price_without": 0.0}]));
    assert!(found.as_array().unwrap().iter().all(|card| card["proved"] == true));
    let words = output(&["check", &pool, out, "--size", "3"]);
    assert!(words.starts_with("value 12, within the rules"), "{words}");
    let (code, error) = refused(&["check", &pool, out, "--size", "4", "--limit", "19", "--ban", "Flint"]);
    assert_eq!(code, 1);
    for part in ["three pieces, a deck has 4", "cost 20, at most 19 allowed", "Flint is banned"] {
        assert!(error.contains(part), "{error}");
    }
    let lines = file(folder.path(), "deck.csv", "name,copies\nEmber,2\nFrost,1\n");
    let (code, error) = refused(&["check", &pool, &lines, "--size", "3"]);
    assert!(code == 1 && error.contains("2 copies of Ember, 1 owned"), "{error}");
}

#[test]
fn the_next_best_decks() {
    let folder = tempfile::tempdir().unwrap();
    let pool = file(folder.path(), "pool.json", POOL);
    let values = |differ: &str, count: &str| {
        let found = json(&["best", &pool, "--size", "3", "-k", count, "--differ", differ]);
        let decks: Vec<f64> =
            found["decks"].as_array().unwrap().iter().map(|deck| deck["value"].as_f64().unwrap()).collect();
        (decks, found["proved"].as_bool().unwrap(), found["no_more"].as_bool().unwrap())
    };
    // Ember, Flint and Blaze; Ember, Flint and Frost or Sleet; Frost, Floe and Sleet.
    assert_eq!(values("1", "3"), (vec![12.0, 5.5, 5.5], true, false));
    assert_eq!(values("3", "5"), (vec![12.0, 5.5], true, true));
    let (pool, request) = (example("example.toml"), example("request.toml"));
    let found = json(&["best", &pool, "--request", &request, "--leader", "none", "-k", "3", "--differ", "4"]);
    let decks: Vec<Vec<&str>> =
        found["decks"].as_array().unwrap().iter().map(|deck| strings(&deck["deck"])).collect();
    assert_eq!((decks.len(), found["proved"].as_bool()), (3, Some(true)));
    for (at, deck) in decks.iter().enumerate() {
        for other in &decks[..at] {
            assert!(other.iter().filter(|card| !deck.contains(card)).count() >= 4, "{decks:?}");
        }
    }
}

#[test]
fn what_to_acquire() {
    let folder = tempfile::tempdir().unwrap();
    let pool = file(folder.path(), "pool.json", POOL);
    let owned = file(folder.path(), "owned.json", "[\"Ember\", \"Flint\", \"Frost\"]");
    let found = json(&["acquire", &pool, "--size", "3", "--owned", &owned, "-k", "5"]);
    assert_eq!((found["value"].as_f64(), found["proved"].as_bool()), (Some(5.5), Some(true)));
    // Sleet and Floe bring nothing: 5 + 0.5 again.
    assert_eq!(found["cards"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(
        (found["cards"][0]["card"].as_str(), found["cards"][0]["raise"].as_f64()),
        (Some("Blaze"), Some(6.5))
    );
    let (code, error) = refused(&["acquire", &pool, "--size", "3"]);
    assert!(code == 3 && error.contains("--owned"), "{error}");
}
