//! `ishi tune` as users meet it: a detuned player gets better, by games that anybody can play again, on any number of workers.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use ishi_lab::store::Store;
use serde_json::{Value, json};

use crate::campaigns::{signal, table};
use crate::support::postgres::shared_server;
use crate::support::program::{program_in as ishi, run_in as run, stderr, stdout};

/// A piece counter of Othello that plays four moves of five at random, and may learn to play fewer so.
const TUNE: [&str; 16] = [
    "tune",
    "othello-wpc:epsilon=0..1@0.8",
    "--game",
    "othello",
    "--steps",
    "12",
    "--pairs",
    "8",
    "--confirm",
    "60",
    "--seed",
    "7",
    "--threads",
    "1",
    "--json",
    "--db",
];

fn tune(folder: &Path, database: &str) -> Output {
    run(folder, &[&TUNE[..], &[database]].concat())
}

fn report(output: &Output) -> Value {
    assert!(output.status.success(), "{}\n{}", stdout(output), stderr(output));
    let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
    // How it was made has the database and the threads, which differ between commands with the same result.
    let made_by = report.as_object_mut().unwrap().remove("made_by").unwrap();
    assert!(made_by["command"].as_str().unwrap().starts_with("ishi tune "), "{made_by}");
    report
}

fn number(value: &Value) -> f64 {
    value.as_str().map_or_else(|| value.as_f64().unwrap(), |text| text.parse().unwrap())
}

#[test]
fn a_detuned_player_is_improved_and_fresh_games_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let output = tune(folder.path(), "a.db");
    let found = report(&output);
    let epsilon = &found["parameters"][0];
    assert_eq!((&epsilon["key"], &epsilon["start"]), (&json!("epsilon"), &json!("0.8")));
    assert!(number(&epsilon["tuned"]) < 0.5, "{epsilon}");
    let lately = [&epsilon["moved_lately"][0], &epsilon["moved_lately"][1]].map(number);
    assert!(lately[0] <= number(&epsilon["tuned"]) && number(&epsilon["tuned"]) <= lately[1], "{epsilon}");
    assert_eq!((&found["steps"], &found["pairs"], &found["end"]), (&json!(12), &json!(192), &json!("steps")));
    let confirmed = &found["confirmed"];
    assert_eq!(confirmed["games"], 120);
    assert!(number(&confirmed["interval"][0]) > 0.0, "clearly better: {confirmed}");
    assert_eq!(found["recommended"], found["tuned"]);
    // With time left, on the way.
    assert!(stderr(&output).contains("step 3 of 12: score 0."), "{}", stderr(&output));
    assert!(stderr(&output).contains("left at most"), "{}", stderr(&output));

    // The games that confirm are none of those that chose the values.
    let store = Store::open_read_only(&folder.path().join("a.db")).unwrap();
    let runs = store.list_runs().unwrap().runs;
    let of_confirming =
        |spec: &Value| spec["b_name"] == "othello-wpc:epsilon=0.8" && spec["a_name"] == found["tuned"];
    let (fresh, chosen): (Vec<_>, Vec<_>) = runs.iter().partition(|run| of_confirming(&run.spec));
    assert_eq!((fresh.len(), fresh[0].finished), (1, 60));
    assert_eq!(chosen.iter().map(|run| run.finished).sum::<u64>(), 192);
    assert!(chosen.iter().all(|run| run.spec["seed"] != fresh[0].spec["seed"]));
    assert!(store.list_jobs().unwrap().iter().all(|job| job.open == 0), "nothing is left in the queue");
}

/// The same command reads what is finished, goes on after Ctrl-C, and says the same with other numbers of threads.
#[test]
fn tuning_goes_on_after_ctrl_c_with_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let whole = report(&tune(folder.path(), "whole.db"));
    let again = tune(folder.path(), "whole.db");
    assert_eq!(report(&again), whole);
    assert!(!stderr(&again).contains("left at most"), "nothing is played again: {}", stderr(&again));

    let mut stopped = spawn(folder.path(), &[&TUNE[..], &["parts.db"]].concat());
    wait_for_tasks(&folder.path().join("parts.db"), 10);
    signal(&stopped, "-INT");
    assert_eq!(stopped.wait().unwrap().code(), Some(130));
    let words: Vec<&str> = TUNE.iter().map(|word| if *word == "1" { "3" } else { *word }).collect();
    assert_eq!(report(&run(folder.path(), &[&words[..], &["parts.db"]].concat())), whole);
    let table = |name: &str| table(folder.path().join(name).to_str().unwrap());
    assert_eq!(table("parts.db"), table("whole.db"));
}

#[test]
fn two_and_eight_workers_leave_the_table_of_one() {
    let Some(server) = shared_server() else { return };
    let folder = tempfile::tempdir().unwrap();
    let alone = report(&tune(folder.path(), "alone.db"));
    for others in [1, 7] {
        let address = server.new_database();
        // Makes the tables, so that workers find a database.
        drop(Store::open(Path::new(&address)).unwrap());
        let worker = ["worker", &address, "--stay", "--threads", "1", "--lease", "5"];
        let mut workers: Vec<Child> = (0..others).map(|_| spawn(folder.path(), &worker)).collect();
        let shared = report(&tune(folder.path(), &address));
        for worker in &mut workers {
            worker.kill().unwrap();
            worker.wait().unwrap();
        }
        assert_eq!(shared, alone, "{others} workers beside the tuner");
        assert_eq!(table(&address), table(folder.path().join("alone.db").to_str().unwrap()));
    }
}

/// CMA-ES, in a campaign's file.
#[test]
fn a_campaign_has_tunings() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        "othello-wpc:epsilon=0..1@0.8 --game othello --by cma-es --steps 4 --pairs 4 --confirm 20 --seed 2";
    std::fs::write(folder.path().join("c.toml"), format!("tunings = [\"{line}\"]\n")).unwrap();
    let status = || -> Value {
        serde_json::from_slice(&run(folder.path(), &["campaign", "status", "c.toml", "--json"]).stdout)
            .unwrap()
    };
    let handed_out = run(folder.path(), &["campaign", "run", "c.toml", "--hand-out"]);
    assert!(handed_out.status.success() && stderr(&handed_out).contains("without --hand-out"));
    assert_eq!(status()["tunings"][0]["steps"], 0);
    let output = run(folder.path(), &["campaign", "run", "c.toml"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for part in [
        "tuned by CMA-ES against othello-wpc:epsilon=0.8: 4 of 4 steps",
        "epsilon",
        "fresh games: score",
        "Recommended: ",
    ] {
        assert!(stdout(&output).contains(part), "{part}: {}", stdout(&output));
    }
    let tuning = &status()["tunings"][0];
    assert_eq!(
        (&tuning["steps"], &tuning["finished"], &tuning["tuning"]),
        (&json!(4), &json!(true), &json!(line))
    );
    let report = run(folder.path(), &["campaign", "report", "c.toml"]);
    assert_eq!(stdout(&report), stdout(&output));
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (player, why) in [
        ("othello-wpc:epsilon=0..2", "epsilon=0..2: "),
        ("othello-wpc:epsilon=0..2", "write a number from 0 to 1"),
        ("othello-wpc:epsilon=0.1", "has nothing to tune"),
        ("othello-wpc:delta=0..1", "othello-wpc has no parameter \"delta\": it has weights, epsilon"),
        ("othello-wpc:epsilon=0.1..1", "epsilon begins with 0, what the player has"),
    ] {
        let output = run(folder.path(), &["tune", player, "--game", "othello", "--db", "a.db"]);
        assert_eq!(output.status.code(), Some(3), "{player}");
        assert!(stderr(&output).contains(why), "{player}: {}", stderr(&output));
    }
    let args = ["tune", "go-mcts:bias=0..1", "--size", "99", "--db", "a.db"];
    let output = run(folder.path(), &args);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("99"), "{}", stderr(&output));
}

fn spawn(folder: &Path, args: &[&str]) -> Child {
    ishi(folder, args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Waits until so many tasks are finished in a file that may not be there yet.
fn wait_for_tasks(database: &Path, tasks: u64) {
    let start = Instant::now();
    loop {
        let list = Store::open_read_only(database).and_then(|store| store.list_runs());
        let runs = list.unwrap_or_default().runs;
        if runs.iter().map(|run| run.finished).sum::<u64>() >= tasks {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "fewer than {tasks} tasks after two minutes");
        std::thread::sleep(Duration::from_millis(5));
    }
}
