//! `ishi match` and `ishi ratings` as a user meets them: killed and resumed, on a full disk, in a read-only folder,
//! with engines that fail.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use crate::support::program::{program_in as ishi, run_in as run, stderr, stdout, tell_missing};

const ISHI: &str = env!("CARGO_BIN_EXE_ishi");

/// Two minutes would be too long: 40 pairs on 5x5 take a second or two.
const MATCH: &[&str] =
    &["match", "go-flat:playouts=400", "go-capture", "--size", "5", "--pairs", "40", "--opening", "random:3"];

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", stderr(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The match with `extra` arguments, as JSON.
fn match_json(folder: &Path, extra: &[&str]) -> Value {
    json(&run(folder, &[MATCH, &["--json"], extra].concat()))
}

/// Starts the match and waits until it has reported `pairs` pairs.
fn started(folder: &Path, pairs: usize) -> Child {
    let mut child = ishi(folder, &[MATCH, &["--threads", "2"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let reported = lines.map_while(Result::ok).filter(|line| line.starts_with("pair ")).take(pairs).count();
    assert_eq!(reported, pairs, "the match ended before it could be stopped");
    child
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn records(folder: &Path) -> Vec<(String, String)> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut texts: Vec<_> = files
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(path).unwrap())
        })
        .collect();
    texts.sort();
    texts
}

#[test]
fn a_match_that_is_killed_goes_on_with_the_same_games() {
    let (whole, broken) = (folder(), folder());
    let uninterrupted = match_json(whole.path(), &["--sgf", "games"]);
    assert_eq!((&uninterrupted["pairs"], &uninterrupted["pairs_found"]), (&Value::from(40), &Value::from(0)));

    let mut found = 0;
    for pairs in [2, 3] {
        let mut child = started(broken.path(), pairs);
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success());
        found += pairs as u64;
    }
    let resumed = match_json(broken.path(), &["--sgf", "games"]);
    assert!(resumed["pairs_found"].as_u64().unwrap() >= found, "{}", resumed["pairs_found"]);
    assert_eq!(resumed["results"], uninterrupted["results"]);
    for key in ["a", "pentanomial", "elo", "reasons", "seed", "settings", "run"] {
        assert_eq!(resumed[key], uninterrupted[key], "{key}");
    }
    let (a, b) = (records(&whole.path().join("games")), records(&broken.path().join("games")));
    assert_eq!(a.len(), 80);
    assert_eq!(a, b, "the same games, move by move");
    let told = |part: &str| a.iter().all(|(_, text)| text.contains(part));
    assert!(told("MADEBY[ishi ") && told(": ishi match ") && told("AP[ishi:"), "{}", a[0].1);
}

#[test]
fn ctrl_c_keeps_what_is_finished() {
    let folder = folder();
    let mut child = started(folder.path(), 2);
    // The shell's own kill is everywhere.
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(match_json(folder.path(), &[])["pairs_found"].as_u64().unwrap() >= 2);
}

/// The first Ctrl-C waits for the engine, which never answers; the second ends it too.
#[test]
fn a_second_ctrl_c_ends_engines_that_hang() {
    let folder = folder();
    let fake = format!("sh -c 'echo $$ >> pids; exec {}'", fake("hang").replace('\'', "\""));
    let args = ["match", "go-random", &fake, "--size", "5", "--pairs", "1", "--no-db", "--quiet"];
    let mut child = ishi(folder.path(), &args).spawn().unwrap();
    let interrupt = || {
        let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
        assert!(sent.success());
        std::thread::sleep(std::time::Duration::from_millis(500));
    };
    // One start to try the player out, one to play.
    let pids = || std::fs::read_to_string(folder.path().join("pids")).unwrap_or_default();
    while pids().lines().count() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // Long enough for the engine to hang in its second move.
    std::thread::sleep(std::time::Duration::from_secs(1));
    interrupt();
    interrupt();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    for pid in pids().lines() {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        assert!(stat.is_empty() || stat.contains(") Z "), "an engine survives: {stat}");
    }
}

/// A referee that gives back what it hears never answers: nobody waits for it who has asked to stop.
#[test]
fn ctrl_c_ends_a_match_whose_referee_never_answers() {
    let folder = folder();
    let referee = "sh -c 'echo $$ > pid; exec cat -'";
    let args = ["match", "go-random", "go-random", "--size", "5", "--pairs", "1", "--no-db", "--quiet"];
    let mut child = ishi(folder.path(), &[&args[..], &["--referee", referee]].concat()).spawn().unwrap();
    while !folder.path().join("pid").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(sent.success());
    // Else it ends after its five minutes, with another code.
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn two_processes_play_one_match() {
    let folder = folder();
    let start = || {
        ishi(folder.path(), &[MATCH, &["--json", "--quiet"]].concat()).stdout(Stdio::piped()).spawn().unwrap()
    };
    let outputs = [start(), start()].map(|child| json(&child.wait_with_output().unwrap()));
    assert_eq!(outputs[0]["results"], outputs[1]["results"]);
    let rated = json(&run(folder.path(), &["ratings", "ishi.db", "--json"]));
    assert_eq!(rated["games"], Value::from(80), "every game is kept once");
}

#[test]
fn a_longer_match_goes_on_with_a_shorter_one() {
    let folder = folder();
    let args = ["match", "go-random", "go-capture", "--size", "5", "--json", "--pairs"];
    let first = json(&run(folder.path(), &[&args[..], &["3"]].concat()));
    let second = json(&run(folder.path(), &[&args[..], &["5", "--threads", "1"]].concat()));
    assert_eq!(second["pairs_found"], Value::from(3));
    assert_eq!(first["run"], second["run"]);
    assert_eq!(first["results"].as_array().unwrap()[..], second["results"].as_array().unwrap()[..3]);
}

/// A limit on file sizes, in blocks of 512 bytes, takes the place of a full disk.
fn match_on_a_disk_of(blocks: u64, folder: &Path) -> (String, u64) {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {ISHI} \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "ishi"]).args(MATCH).args(["--threads", "1"]).current_dir(folder);
    let output = command.output().unwrap();
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(4), "{error}");
    let reported = error.lines().filter(|line| line.starts_with("pair ")).count() as u64;
    (error, reported)
}

#[test]
fn a_full_disk_gives_a_clear_error_and_loses_no_finished_game() {
    // What the log takes before the first game is SQLite's affair: the disk is made larger until one fits.
    let full = (320..3200).step_by(80).map(|blocks| {
        let folder = folder();
        let (error, reported) = match_on_a_disk_of(blocks, folder.path());
        (folder, error, reported)
    });
    let (folder, error, reported) =
        full.into_iter().find(|(.., reported)| *reported >= 1).expect("room for a pair, not for all");
    assert!(error.contains("ishi.db") && error.contains("the disk is full"), "{error}");
    assert!(error.contains("could not be kept; here it is:") && error.contains("(;FF[4]"), "{error}");
    let resumed = match_json(folder.path(), &[]);
    assert!(resumed["pairs_found"].as_u64().unwrap() >= reported, "{} {reported}", resumed["pairs_found"]);
    let fresh = match_json(self::folder().path(), &[]);
    assert_eq!(resumed["results"], fresh["results"]);
}

#[test]
fn places_that_cannot_be_written_are_named_before_a_game_is_played() {
    let folder = folder();
    let short = ["match", "go-random", "go-capture", "--size", "5", "--pairs", "1"];
    for (extra, message) in [
        (["--db", "no/such/folder/x.db"], "cannot open the database no/such/folder/x.db"),
        (["--sgf", "ishi.db/games"], "cannot make the folder ishi.db/games"),
        (["--db", "/proc/x.db"], "/proc/x.db"),
    ] {
        let output = run(folder.path(), &[&short[..], &extra[..]].concat());
        assert_eq!(output.status.code(), Some(4), "{extra:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{extra:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains("pair 1"), "{}", stderr(&output));
    }
}

#[test]
fn records_go_to_a_folder_and_not_to_a_file() {
    let folder = folder();
    std::fs::write(folder.path().join("games.sgf"), "(;)").unwrap();
    let args = ["match", "go-random", "go-random", "--size", "5", "--pairs", "1", "--sgf", "games.sgf"];
    let output = run(folder.path(), &args);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("--sgf: games.sgf must be a folder, and is a file"),
        "{}",
        stderr(&output)
    );
    assert!(!folder.path().join("ishi.db").exists(), "nothing was begun");
}

/// Permissions do not stop the superuser, so that the test becomes somebody else where it can.
#[test]
fn a_read_only_folder_gives_a_clear_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
    let superuser = std::fs::write(folder.path().join("probe"), "").is_ok();
    let args = ["match", "go-random", "go-capture", "--size", "5", "--pairs", "1"];
    let output = if superuser {
        let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", ISHI];
        match Command::new("setpriv").args(nobody).args(args).current_dir(folder.path()).output() {
            Ok(output) if output.status.code() == Some(4) => output,
            _ => {
                tell_missing("a user who is not the superuser, or setpriv");
                return;
            }
        }
    } else {
        run(folder.path(), &args)
    };
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot open the database ishi.db"), "{}", stderr(&output));
}

fn fake(mode: &str) -> String {
    format!("sh '{}/../../../tests/engines/fake.sh' {mode}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn an_engine_killed_in_mid_game_is_reported_with_its_transcript() {
    let folder = folder();
    let args = ["match", "go-random", &fake("killed"), "--size", "5", "--pairs", "1", "--sgf", "games"];
    let output = run(folder.path(), &args);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("Error in pair 1, game 1: Fake killed lost by crash: white:"), "{text}");
    assert!(text.contains("transcript: games/pair-0001-game-1.transcript.txt"), "{text}");
    let transcript =
        std::fs::read_to_string(folder.path().join("games/pair-0001-game-1.transcript.txt")).unwrap();
    assert!(
        transcript.contains("genmove white") && transcript.contains("! ended: signal: 9"),
        "{transcript}"
    );
    let json = json(&run(folder.path(), &[&args[..], &["--json"]].concat()));
    assert_eq!(json["pairs_found"], Value::from(1), "the failed games are kept, too");
    assert_eq!(json["errors"].as_array().unwrap().len(), 2);
    assert_eq!(json["errors"][0]["reason"], "crash");
}

#[test]
fn the_report_has_all_figures() {
    let folder = folder();
    let args =
        ["match", "go-flat:playouts=50", "go-random", "--size", "5", "--pairs", "30", "--sprt", "0", "50"];
    let output = run(folder.path(), &[&args[..], &["--no-db", "--seed", "3"]].concat());
    let text = stdout(&output);
    for part in [
        "A as Black",
        "A as White",
        "Black won",
        "% Wilson",
        "% exact",
        "two-sided",
        "A is stronger",
        "Elo of A over B",
        "SPRT",
        "LLR",
        "H1 accepted, the difference is 50 Elo or more",
        "p < 0.0001",
        " us  ",
        "Mean time",
        "a move",
        "a game",
        "seed 3",
    ] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    assert!(!text.contains("Database"), "{text}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "--no-db leaves nothing behind");
}

/// What the test did not need is kept all the same. The report says so: ratings count more games than it does.
#[test]
fn a_decided_match_tells_of_the_pairs_that_do_not_count() {
    let folder = folder();
    let args = ["match", "go-random", "go-capture", "--size", "5", "--threads", "1", "--pairs", "40"];
    assert!(run(folder.path(), &args).status.success());
    let decided = run(folder.path(), &[&args[..], &["--sprt", "0", "200"]].concat());
    let text = stdout(&decided);
    assert!(
        text.contains("decided after ") && text.contains(" pairs more, which the test did not need."),
        "{text}"
    );
    let report = json(&run(folder.path(), &[&args[..], &["--sprt", "0", "200", "--json"]].concat()));
    let rated = json(&run(folder.path(), &["ratings", "ishi.db", "--json"]));
    let [games, beyond, rated] =
        [&report["games"], &report["pairs_beyond"], &rated["games"]].map(|count| count.as_u64().unwrap());
    assert_eq!((games + 2 * beyond, rated), (80, 80));
    let alone = folder.path().join("alone");
    std::fs::create_dir(&alone).unwrap();
    let text = stdout(&run(&alone, &[&args[..], &["--sprt", "0", "200", "--no-db"]].concat()));
    assert!(text.contains("decided after ") && !text.contains("did not need"), "{text}");
}

#[test]
fn wrong_arguments_say_what_is_right() {
    let folder = folder();
    let cases: &[(&[&str], i32, &str)] = &[
        (&["go-flt", "go-random"], 3, "there are go-random, go-capture, go-flat"),
        (&["go-random"], 2, "<PLAYER_B>"),
        (&["go-random", "go-random", "--size", "1"], 2, "a board must have 2 to 25 lines"),
        (&["go-random", "go-random", "--games", "3"], 2, "write an even number"),
        (&["go-random", "go-random", "--time", "soon"], 2, "60+10x3"),
        (&["go-random", "go-random", "--opening", "random:x"], 3, "write random:8"),
        (&["go-random", "go-random", "--opening", "random:243"], 3, "fewer than the move limit of 243"),
        (&["go-random", "go-random", "--opening", "none.txt"], 4, "cannot read the openings none.txt"),
        (&["go-random", "go-random", "--handicap", "1"], 3, "invalid handicap 1"),
        (&["go-random", "go-random", "--sprt", "5", "0"], 3, "greater than elo0"),
        (&["go-random", "gtp:/no/such/engine"], 4, "is it installed"),
        (&["go-random", "gtp:true", "--move-time", "0.5"], 3, "whole seconds"),
        (&["go-random", "go-random", "--referee", "true"], 4, "cannot be the referee"),
    ];
    for (args, code, message) in cases {
        let output = run(folder.path(), &[&["match"], *args].concat());
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "and no database is made");
}

#[test]
fn ratings_of_many_players_over_several_databases() {
    let folder = folder();
    let players = ["go-random", "go-capture", "go-flat:playouts=100"];
    for (a, b, db) in [(0, 1, "x.db"), (1, 2, "x.db"), (0, 2, "y.db")] {
        let args = ["match", players[a], players[b], "--size", "5", "--pairs", "8", "--db", db, "--quiet"];
        assert!(run(folder.path(), &args).status.success());
    }
    std::fs::copy(folder.path().join("x.db"), folder.path().join("copy.db")).unwrap();
    let args = ["ratings", "x.db", "y.db", "copy.db", "--anchor", "go-random", "--anchor-elo", "100"];
    let rated = json(&run(folder.path(), &[&args[..], &["--json", "--color-advantage"]].concat()));
    assert_eq!(rated["games"], Value::from(48), "games in two databases count once");
    let ranking: Vec<&str> =
        rated["players"].as_array().unwrap().iter().map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(ranking, ["go-flat:playouts=100", "go-capture", "go-random"]);
    assert_eq!(rated["players"][2]["elo"], Value::from(100.0));
    assert!(rated["color_advantage"]["elo"].is_number());
    let text = stdout(&run(folder.path(), &args));
    assert!(
        text.contains("   1  go-flat:playouts=100") && text.contains("48 games of x.db, y.db, copy.db"),
        "{text}"
    );

    for (args, code, message) in [
        (["x.db", "--anchor", "Go-Seigen"], 3, "the players are go-capture"),
        (["x.db", "--board", "19"], 3, "no finished games in x.db on 19x19"),
        (["none.db", "--board", "5x5"], 4, "cannot open the database none.db: there is no such file"),
        (["/dev/null", "--board", "5x5"], 3, "must be a database of ishi: it is a device"),
    ] {
        let output = run(folder.path(), &[&["ratings"], &args[..]].concat());
        assert_eq!(output.status.code(), Some(code), "{args:?} {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{args:?} {}", stderr(&output));
    }
}

#[test]
fn one_name_for_two_players_is_noticed() {
    let folder = folder();
    for player in ["go-flat:playouts=5", "go-flat:playouts=6"] {
        let args =
            ["match", player, "go-random", "--name-a", "flat", "--size", "3", "--pairs", "1", "--quiet"];
        assert!(run(folder.path(), &args).status.success());
    }
    let output = run(folder.path(), &["ratings", "ishi.db", "--json"]);
    assert!(stderr(&output).contains("\"flat\" is rated as one player, but stands for go-flat:playouts=5,"));
    let ambiguous = &json(&output)["ambiguous_names"];
    assert_eq!((ambiguous["flat"].as_array().unwrap().len(), ambiguous.as_object().unwrap().len()), (2, 1));
}

/// Without players: a match to look at, which leaves nothing behind.
#[test]
fn the_match_to_look_at() {
    let folder = folder();
    // No GNU Go in this PATH; where it stands at its usual place it plays, quickly enough on this board.
    let args = ["match", "--size", "5", "--pairs", "1", "--playouts", "50", "--move-limit", "30"];
    let output = ishi(folder.path(), &args).env("PATH", "").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("Pair 1, game 1: ishi (X, black) against"), "{}", stderr(&output));
    assert!(stderr(&output).contains("   A B C D E"), "{}", stderr(&output));
    assert!(stdout(&output).contains("ishi (A) against"), "{}", stdout(&output));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Players without chance repeat themselves where all games begin alike, and intervals would say too much.
#[test]
fn pairs_that_repeat_others_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let players =
        ["match", "go-network:visits=1", "go-network:visits=2", "--size", "7", "--pairs", "3", "--no-db"];
    let told = |more: &[&str]| stderr(&run(folder.path(), &[&players[..], more].concat()));
    let alike = told(&[]);
    assert!(alike.contains("2 of 3 pairs have the same moves as an earlier one"), "{alike}");
    let different = told(&["--opening", "random:4"]);
    assert!(!different.contains("the same moves"), "{different}");
}
