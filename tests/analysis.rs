//! `ishi analysis` from outside: requests of the shapes that KataGo's documentation has, and a session as KaTrain leads it.

#![allow(clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

const ISHI: &str = env!("CARGO_BIN_EXE_ishi");

fn start(args: &[&str]) -> Child {
    let mut command = Command::new(ISHI);
    command.arg("analysis").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Exit code, answers and stderr after this input.
fn run(args: &[&str], input: &[u8]) -> (Option<i32>, Vec<Value>, String) {
    let mut child = start(args);
    let mut stdin = child.stdin.take().unwrap();
    // A program that refuses its options does not read.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code(), answers, String::from_utf8(output.stderr).unwrap())
}

fn lines(requests: &[Value]) -> Vec<u8> {
    requests.iter().map(|request| format!("{request}\n")).collect::<String>().into_bytes()
}

/// A program at the other end of the lines.
struct Client {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Client {
    fn start(args: &[&str]) -> Client {
        let mut child = start(args);
        let (stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Client { child, stdin, stdout }
    }

    fn send(&mut self, request: &Value) {
        writeln!(self.stdin, "{request}").unwrap();
        self.stdin.flush().unwrap();
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// The next answer that is no warning.
    fn result(&mut self) -> Value {
        loop {
            let answer = self.answer();
            if answer.get("warning").is_none() {
                return answer;
            }
        }
    }
}

#[test]
fn requests_of_the_documentation_are_answered() {
    let requests = [
        json!({
            "id": "handicap", "initialStones": [["B", "Q4"], ["B", "C4"]], "moves": [["W", "P5"], ["B", "P6"]],
            "rules": "tromp-taylor", "komi": 7.5, "boardXSize": 19, "boardYSize": 19, "analyzeTurns": [0, 1, 2],
            "maxVisits": 10,
        }),
        json!({ "id": "version", "action": "query_version" }),
        json!({ "id": "models", "action": "query_models" }),
        json!({ "id": "clear", "action": "clear_cache" }),
        json!({ "id": "end", "action": "terminate", "terminateId": "nobody", "turnNumbers": [1, 2] }),
    ];
    let (code, answers, err) = run(&["-analysis-threads", "2"], &lines(&requests));
    assert_eq!((code, answers.len()), (Some(0), 7), "{answers:?}");
    assert_eq!(err, "ishi analysis: go-network:problem-playouts=0,reuse=no, 2 positions at once, seed 1\n");
    let of =
        |id: &str| -> Vec<&Value> { answers.iter().filter(|answer| answer["id"] == json!(id)).collect() };
    let mut turns: Vec<u64> =
        of("handicap").iter().map(|answer| answer["turnNumber"].as_u64().unwrap()).collect();
    turns.sort_unstable();
    assert_eq!(turns, [0, 1, 2]);
    assert_eq!(of("version")[0]["version"], json!(env!("CARGO_PKG_VERSION")));
    assert_eq!(of("models")[0]["models"][0]["name"], json!("go-network"));
    assert_eq!(of("clear")[0], &requests[3]);
    assert_eq!(of("end")[0], &requests[4]);
}

/// What KaTrain reads of an answer without asking whether it is there (katrain/core/engine.py and game_node.py).
fn katrain_can_read(answer: &Value, area: usize) {
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value} in {answer}"));
    let root = &answer["rootInfo"];
    for field in ["visits", "scoreLead", "winrate"] {
        number(&root[field]);
    }
    for info in answer["moveInfos"].as_array().unwrap() {
        assert!(info["move"].is_string() && !info["pv"].as_array().unwrap().is_empty());
        for field in ["visits", "order", "scoreLead", "winrate", "prior"] {
            number(&info[field]);
        }
        assert_eq!(info["ownership"].as_array().unwrap().len(), area);
    }
    assert_eq!(answer["ownership"].as_array().unwrap().len(), area);
    assert_eq!(answer["policy"].as_array().unwrap().len(), area + 1);
}

fn katrain_query(id: &str, moves: &[(&str, &str)], more: Value) -> Value {
    let moves: Vec<[&str; 2]> = moves.iter().map(|&(color, at)| [color, at]).collect();
    let mut query = json!({
        "rules": "japanese", "priority": 0, "analyzeTurns": [moves.len()], "maxVisits": 50, "komi": 6.5,
        "boardXSize": 9, "boardYSize": 9, "includeOwnership": true, "includeMovesOwnership": true,
        "includePolicy": true, "initialStones": [], "initialPlayer": "B", "moves": moves,
        "overrideSettings": { "reportAnalysisWinratesAs": "BLACK", "wideRootNoise": 0.04, "maxTime": 60.0 }, "id": id,
    });
    for (name, value) in more.as_object().unwrap() {
        query[name] = value.clone();
    }
    query
}

#[test]
fn katrain_leads_a_session() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("analysis_config.cfg");
    std::fs::write(&config, "reportAnalysisWinratesAs = BLACK\nnumAnalysisThreads = 12\n").unwrap();
    let data = format!("homeDataDir={}", folder.path().display());
    let args = ["-model", "kata.bin.gz", "-config", config.to_str().unwrap(), "-override-config", &data];
    let mut katrain = Client::start(&[&args[..], &["--threads", "2"]].concat());

    // A position, again with its best moves left out, and in a part of the board.
    katrain.send(&katrain_query("QUERY:1", &[("B", "E5")], json!({ "reportDuringSearchEvery": 60 })));
    let warning = katrain.answer();
    assert_eq!(warning["warning"], json!("settings without effect in ishi: wideRootNoise"));
    let first = katrain.result();
    assert_eq!((&first["id"], &first["isDuringSearch"]), (&json!("QUERY:1"), &json!(false)));
    katrain_can_read(&first, 81);
    let seen: Vec<&Value> = first["moveInfos"].as_array().unwrap().iter().map(|info| &info["move"]).collect();
    let avoid = json!([{ "moves": seen, "player": "W", "untilDepth": 1 }]);
    katrain.send(&katrain_query("QUERY:2", &[("B", "E5")], json!({ "avoidMoves": avoid })));
    let second = katrain.result();
    katrain_can_read(&second, 81);
    assert!(second["moveInfos"].as_array().unwrap().iter().all(|info| !seen.contains(&&info["move"])));
    assert_eq!(second["policy"].as_array().unwrap().len(), 82);

    // It thinks on and on until another position is chosen.
    let endless = json!({ "maxVisits": 10_000_000, "reportDuringSearchEvery": 0.05, "overrideSettings": {} });
    katrain.send(&katrain_query("QUERY:3", &[("B", "E5"), ("W", "E3")], endless));
    let partial = katrain.answer();
    assert_eq!((&partial["id"], &partial["isDuringSearch"]), (&json!("QUERY:3"), &json!(true)));
    katrain_can_read(&partial, 81);
    katrain.send(&json!({ "action": "terminate", "terminateId": "QUERY:3", "id": "QUERY:4" }));
    loop {
        let answer = katrain.answer();
        if answer["isDuringSearch"] == json!(false) {
            assert_eq!(answer["id"], json!("QUERY:3"));
            break katrain_can_read(&answer, 81);
        }
    }

    // A sweep over all points asks for illegal moves too.
    katrain.send(&katrain_query("QUERY:5", &[("B", "E5"), ("W", "E5")], json!({})));
    let mut refused = katrain.answer();
    if refused.get("terminateId").is_some() {
        refused = katrain.answer();
    }
    assert!(refused["error"].as_str().unwrap().contains("Illegal move") && refused["id"] == json!("QUERY:5"));

    // It leaves with a signal, in the middle of a search.
    katrain.send(&katrain_query("QUERY:6", &[], json!({ "maxVisits": 10_000_000, "overrideSettings": {} })));
    let pid = Pid::from_child(&katrain.child);
    kill_process(pid, Signal::TERM).unwrap();
    let status = katrain.child.wait_with_output().unwrap();
    assert_eq!(status.status.code(), Some(130));
    let told = String::from_utf8(status.stderr).unwrap();
    for option in ["--model", "--config", "--override-config homeDataDir"] {
        assert!(told.contains(&format!("ishi analysis: {option}")), "{option} in {told}");
    }
}

#[test]
fn hostile_lines_end_nothing() {
    let mut input =
        b"\xff\xfe\x00{\n[[[[\n{\n\"\\ud800\"\n{\"id\":{}}\n{\"id\":\"x\"}\nnull\n1e999\n".to_vec();
    input.extend([vec![b'['; 100_000], b"\n".to_vec()].concat());
    let sane = katrain_query("sane", &[("B", "E5")], json!({ "overrideSettings": {} }));
    input.extend(lines(&[sane]));
    let (code, answers, _) = run(&["-q"], &input);
    assert_eq!(code, Some(0));
    let (last, errors) = answers.split_last().unwrap();
    assert_eq!(errors.len(), 9);
    assert!(errors.iter().all(|answer| answer["error"].is_string()), "{errors:?}");
    katrain_can_read(last, 81);
}

#[test]
fn the_end_of_input_waits_or_not() {
    let query = |id: &str, visits: u64| {
        katrain_query(id, &[], json!({ "maxVisits": visits, "overrideSettings": {} }))
    };
    let few: Vec<Value> = (0..5).map(|number| query(&number.to_string(), 30)).collect();
    let (code, answers, _) = run(&["-q", "--threads", "2"], &lines(&few));
    assert_eq!((code, answers.len()), (Some(0), 5));
    let many: Vec<Value> = (0..5).map(|number| query(&number.to_string(), 10_000_000)).collect();
    let (code, answers, _) = run(&["-q", "--threads", "2", "-quit-without-waiting"], &lines(&many));
    assert_eq!((code, answers.len()), (Some(0), 5));
    let unsearched = answers.iter().filter(|answer| answer.get("noResults").is_some()).count();
    assert!(unsearched >= 3, "{unsearched}");
}

#[test]
fn options_are_checked() {
    let query = json!({ "id": "q", "moves": [], "rules": "chinese", "boardXSize": 5, "boardYSize": 5 });
    let (code, answers, _) =
        run(&["-q", "--visits", "7", "--report-as", "white"], &lines(std::slice::from_ref(&query)));
    assert_eq!((code, &answers[0]["rootInfo"]["visits"]), (Some(0), &json!(7)));
    let (_, same, _) =
        run(&["-q", "-override-config", "maxVisits=7,reportAnalysisWinratesAs=WHITE"], &lines(&[query]));
    assert_eq!(same, answers);
    for (args, message) in [
        (&["--engine", "go-random"][..], "go-mcts"),
        (&["--engine", "go-mcts:playouts=x"], "write a number"),
        (&["-override-config", "maxVisits=none"], "whole number from 1"),
        (&["-override-config", "numAnalysisThreads=0"], "from 1 to 1024"),
        (&["--engine", "go-network:visits=x"], "write a number"),
        (&["-config", "mine.toml"], "--config is for go-mcts"),
    ] {
        let (code, answers, err) = run(args, b"");
        assert_eq!((code, answers.len()), (Some(3), 0), "{args:?}");
        assert!(err.contains(message), "{args:?}: {err}");
    }
    let (code, answers, err) = run(&["--engine", "go-mcts", "-config", "missing.toml"], b"");
    assert_eq!((code, answers.len()), (Some(4), 0), "{err}");
    assert!(err.contains("missing.toml"), "{err}");
}

/// With playouts each position is searched with its komi, to its last visit, and within its limits.
#[test]
fn playouts_search_what_is_asked_and_no_more() {
    let (code, _, err) = run(&["--engine", "go-mcts", "-analysis-threads", "2"], b"");
    assert_eq!(code, Some(0));
    assert_eq!(
        err,
        "ishi analysis: go-mcts:reuse=no,komi=off,problem-playouts=0,settle=no, 2 positions at once, seed 1\n"
    );
}

/// The queries that docs/protocols.md shows are answered without an error or a warning.
#[test]
fn the_page_shows_what_works() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/protocols.md");
    let text = std::fs::read_to_string(page).unwrap();
    let shown: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with("{\"id\"")).collect();
    assert!(shown.len() >= 3, "{shown:?}");
    let (code, answers, _) = run(&["-q"], (shown.join("\n") + "\n").as_bytes());
    assert_eq!(code, Some(0));
    assert!(answers.len() >= shown.len());
    for answer in answers {
        assert!(answer.get("error").is_none() && answer.get("warning").is_none(), "{answer}");
    }
}
