//! `ishi othello train wpc` by differential evolution, and the doors that its players go through: league and match.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use ishi_othello::Wpc;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// Small enough for a test: a generation costs 72 games at most.
/// Settings of a small run, of those that the method uses.
fn small(method: &str) -> &'static str {
    match method {
        "individual" => "population=6,t_max=4,series=2,games=4",
        "group" => "population=6,t_max=4,games=4,group=3,admission=1510",
        "hall-of-fame" => "population=6,games=4,group=3,opponents=2,every=2",
        "cma" => "population=6,games=4,opponents=2,every=2",
        "de" => "population=6,games=4",
        _ => "population=6,t_max=4,games=4",
    }
}

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
        command.args(args).current_dir(self.0.path());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Exit code and error.
    fn refused(&self, args: &[&str]) -> (Option<i32>, String) {
        let output = self.run(args);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }
}

fn train<'a>(file: &'a str, method: &'a str, games: &'a str) -> Vec<&'a str> {
    vec![
        "othello",
        "train",
        "wpc",
        file,
        "--method",
        method,
        "--set",
        small(method),
        "--games",
        games,
        "--quiet",
    ]
}

#[test]
fn every_method_writes_what_league_and_match_take() {
    let place = Place::new();
    for method in ["individual", "group", "population", "hall-of-fame", "cma", "de"] {
        let file = format!("{method}.txt");
        let json: Value =
            serde_json::from_str(&place.ok(&[&train(&file, method, "4000")[..], &["--json"]].concat()))
                .unwrap();
        assert_eq!((json["method"].as_str(), json["file"].as_str()), (Some(method), Some(file.as_str())));
        assert!(json["games"].as_u64().unwrap() <= 4000 && json["standard"].as_f64().unwrap() > 0.0);
        let best: Wpc = json["members"][0]["weights"].as_str().unwrap().parse().unwrap();
        let text = place.text(&file);
        assert_eq!(text.parse::<Wpc>().unwrap(), best, "the file is the best-rated player:\n{text}");
        assert!(text.contains("\n# ishi-piece-counter 1\n"), "{text}");
        assert!(
            text.contains(&format!("\n# learned by ishi othello train wpc --method {method} --set ")),
            "{text}"
        );
    }
    let league = place.ok(&[
        "othello",
        "league",
        "group.txt",
        "wpc:population.txt",
        "random",
        "--games",
        "50",
        "--quiet",
    ]);
    assert!(league.contains("group") && league.contains("population"), "{league}");
    let played: Value = serde_json::from_str(&place.ok(&[
        "match",
        "--game",
        "othello",
        "wpc:group.txt",
        "wpc:individual.txt",
        "--pairs",
        "5",
        "--no-db",
        "--json",
        "--quiet",
    ]))
    .unwrap();
    let shown = played.to_string();
    assert!(shown.contains("othello-wpc:weights=") && shown.contains("wpc:group.txt"), "{shown}");
    let league = place.ok(&[
        "othello",
        "league",
        "hall-of-fame.txt",
        "cma.txt",
        "wpc:de.txt",
        "--games",
        "50",
        "--quiet",
    ]);
    assert!(["hall-of-fame", "cma", "de"].iter().all(|name| league.contains(name)), "{league}");
    for file in ["wpc:hall-of-fame.txt", "wpc:cma.txt", "wpc:de.txt"] {
        let play = [
            "match",
            "--game",
            "othello",
            file,
            "othello-wpc",
            "--pairs",
            "2",
            "--no-db",
            "--json",
            "--quiet",
        ];
        assert!(place.ok(&play).contains(file), "{file}");
    }
}

/// The other members are comments; CMA-ES has one player, the others a population.
#[test]
fn files_say_how_their_player_was_learned() {
    let place = Place::new();
    let cases = [
        ("hall-of-fame", "# the best of 6\n", 5),
        ("cma", "# the mean of the last generation\n", 0),
        ("de", "# the best of 6\n", 5),
    ];
    for (method, best, others) in cases {
        let file = format!("{method}.txt");
        let told = place.ok(&[&train(&file, method, "2000")[..], &["--members", method]].concat());
        assert!(told.contains(&format!(" games by {method} learning, seed ")), "{told}");
        let text = place.text(&file);
        assert!(text.contains(best) && text.matches("# No. ").count() == others, "{text}");
        let first = place.text(&format!("{method}/01.txt"));
        assert_eq!(first.parse::<Wpc>().unwrap(), text.parse().unwrap(), "{method}");
    }
}

#[test]
fn differential_evolution_meets_the_opponents_that_are_named() {
    let place = Place::new();
    place.ok(&train("one.txt", "de", "3000"));
    // The standard player is the usual opponent.
    let standard = [&train("two.txt", "de", "3000")[..], &["--opponent", "standard"]].concat();
    place.ok(&standard);
    let player = |file: &str| place.text(file).parse::<Wpc>().unwrap();
    assert_eq!(player("one.txt"), player("two.txt"));
    let both = ["--opponent", "random:2", "--opponent", "one.txt", "--checkpoint", "run.json"];
    let json = place.ok(&[&train("both.txt", "de", "3000")[..], &both, &["--json"]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["opponents"], serde_json::json!(["random:2", "one.txt"]));
    let header =
        "\n# learned by ishi othello train wpc --method de --opponent random:2 --opponent one.txt --set ";
    assert!(place.text("both.txt").contains(header), "{}", place.text("both.txt"));
    assert_ne!(player("both.txt"), player("one.txt"));
    // It goes on against these only.
    let further = |file| [&train(file, "de", "5000")[..], &["--checkpoint", "run.json"]].concat();
    let (code, error) = place.refused(&further("other.txt"));
    assert!(code == Some(3) && error.contains("the kept run has another opponent: "), "{error}");
    place.ok(&[&further("parts.txt")[..], &both[..4]].concat());
    place.ok(&[&train("whole.txt", "de", "5000")[..], &both[..4]].concat());
    assert_eq!(place.text("parts.txt"), place.text("whole.txt"));
}

#[test]
fn new_methods_go_on_from_their_checkpoints() {
    let place = Place::new();
    for method in ["hall-of-fame", "cma"] {
        let [whole, first, parts, kept] =
            ["whole", "first", "parts", "kept"].map(|name| format!("{method}-{name}"));
        place.ok(&train(&whole, method, "5000"));
        place.ok(&[&train(&first, method, "2000")[..], &["--checkpoint", &kept]].concat());
        place.ok(&[&train(&parts, method, "5000")[..], &["--checkpoint", &kept]].concat());
        assert_eq!(place.text(&parts), place.text(&whole), "{method}");
    }
}

#[test]
fn members_have_files_of_their_own() {
    let place = Place::new();
    let args = [&train("best.txt", "population", "3000")[..], &["--members", "players"]].concat();
    place.ok(&args);
    assert_eq!(place.text("players/01.txt").parse::<Wpc>().unwrap(), place.text("best.txt").parse().unwrap());
    assert!(place.path("players/06.txt").is_file() && !place.path("players/07.txt").exists());
    let again = [&train("other.txt", "population", "3000")[..], &["--members", "players"]].concat();
    assert_eq!(place.refused(&again).0, Some(3), "files are not replaced unasked");
}

#[test]
fn a_run_that_is_stopped_goes_on_from_its_checkpoint() {
    let place = Place::new();
    place.ok(&train("whole.txt", "group", "6000"));
    place.ok(&[&train("first.txt", "group", "2500")[..], &["--checkpoint", "run.json"]].concat());
    place.ok(&[&train("parts.txt", "group", "6000")[..], &["--checkpoint", "run.json"]].concat());
    assert_eq!(place.text("parts.txt"), place.text("whole.txt"));
    let other = [&train("x.txt", "group", "6000")[..], &["--checkpoint", "run.json", "--seed", "5"]].concat();
    let (code, error) = place.refused(&other);
    assert!(code == Some(3) && error.contains("another seed"), "{error}");
    std::fs::write(place.path("run.json"), "{}").unwrap();
    let (code, error) =
        place.refused(&[&train("x.txt", "group", "6000")[..], &["--checkpoint", "run.json"]].concat());
    assert!(code == Some(3) && error.contains("no kept run of learning"), "{error}");
}

/// Killed after the player was written and before all was told: the same command comes to the same end.
#[test]
fn a_run_that_is_complete_may_be_asked_for_again() {
    let place = Place::new();
    let differences =
        ["othello", "train", "wpc", "td.txt", "--games", "2000", "--checkpoint", "td.run", "--quiet"];
    let members = ["--checkpoint", "group.run", "--members", "players"];
    let group = [&train("group.txt", "group", "2500")[..], &members].concat();
    for (args, file) in [(&differences[..], "td.txt"), (&group[..], "group.txt")] {
        let told = place.ok(args);
        let written = place.text(file);
        assert_eq!(place.ok(args), told, "{args:?}");
        assert_eq!(place.text(file), written);
        std::fs::write(place.path(file), "something else").unwrap();
        let (code, error) = place.refused(args);
        assert!(code == Some(3) && error.contains("exists: give another name"), "{error}");
    }
    // What is not complete does not replace the player either.
    std::fs::write(place.path("td.txt"), "").unwrap();
    let further = differences.map(|word| if word == "2000" { "4000" } else { word });
    assert_eq!(place.refused(&further).0, Some(3));
}

#[test]
fn ctrl_c_keeps_what_is_learned() {
    let place = Place::new();
    let args =
        [&train("long.txt", "individual", "100000000")[..], &["--checkpoint", "run.json", "--every", "500"]]
            .concat();
    let mut child = place.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(&place.path("run.json"));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(place.text("long.txt").parse::<Wpc>().is_ok(), "the best so far is written");
    let games = || {
        let kept: Value = serde_json::from_str(&place.text("run.json")).unwrap();
        kept["state"]["games"].as_u64().unwrap()
    };
    let before = games();
    assert!(before >= 500);
    // The player is not replaced unasked; with --force the run goes on.
    assert_eq!(place.refused(&args).0, Some(3));
    let further = (before + 3000).to_string();
    let again =
        [&train("long.txt", "individual", &further)[..], &["--checkpoint", "run.json", "--force"]].concat();
    place.ok(&again);
    assert!(games() > before);
}

/// Who has stopped a run does not wait for a long measurement: the report says of how few games its scores are.
#[test]
fn a_stopped_network_is_measured_by_few_games() {
    let place = Place::new();
    let network = |file: &'static str, games: &'static str| {
        [
            "othello",
            "train",
            "network",
            file,
            "--patterns",
            "line3",
            "--phases",
            "1",
            "--games",
            games,
            "--json",
        ]
    };
    let kept = ["--checkpoint", "long.td", "--every", "1000"];
    let args = [&network("long.nt", "100000000")[..], &kept].concat();
    let child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(&place.path("long.td"));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let double_games = |text: &[u8]| {
        let report: Value = serde_json::from_slice(text).unwrap();
        report["double_games"].as_u64().unwrap()
    };
    let whole = place.ok(&network("short.nt", "100"));
    assert_eq!(double_games(&output.stdout) * 20, double_games(whole.as_bytes()));
}

fn wait_for(path: &Path) {
    for _ in 0..6000 {
        if path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{} was not written", path.display());
}

#[test]
fn mistakes_are_named() {
    let place = Place::new();
    std::fs::write(place.path("two.txt"), "1 2").unwrap();
    let train = ["othello", "train", "wpc", "x.txt"];
    let cases: [(&[&str], i32, &str); 12] = [
        (&["--method", "group", "--lambda", "0.5"], 3, "--lambda is an option of temporal differences"),
        (&["--set", "rating=likelihood"], 3, "--set is an option of evolution"),
        (&["--method", "group", "--set", "raiting=elo"], 2, "unknown field `raiting`"),
        (&["--method", "group", "--set", "population=2"], 2, "needs 4 members at least"),
        (&["--method", "groups"], 2, "possible values: plain, coherence, individual, group, population"),
        (&["--method", "group", "--games", "0"], 2, "it must be a whole number from 1"),
        (&["--method", "cma", "--opponent", "random"], 3, "--opponent is an option of temporal differences"),
        (&["--method", "hall-of-fame", "--set", "t_max=50"], 3, "t_max: method hall-of-fame does not use it"),
        (&["--method", "cma", "--set", "f=0.5"], 3, "f: method cma-es does not use it"),
        (&["--method", "de", "--opponent", "past"], 3, "players that stay as they are, not past"),
        (&["--method", "de", "--opponent", "none.txt"], 4, "none.txt"),
        (&["--method", "de", "--opponent", "standard:0"], 3, "add up to nothing"),
    ];
    for (args, code, message) in cases {
        let (found, error) = place.refused(&[&train[..], args].concat());
        assert!(found == Some(code) && error.contains(message), "{args:?}: {found:?} {error}");
    }
    for (player, message) in
        [("wpc:two.txt", "with 2 weights"), ("wpc:none.txt", "none.txt"), ("wpc:", "write wpc:FILE")]
    {
        let (code, error) = place.refused(&["match", "--game", "othello", player, "othello-wpc", "--no-db"]);
        assert!(matches!(code, Some(3 | 4)) && error.contains(message), "{player}: {code:?} {error}");
    }
}
