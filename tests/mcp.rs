//! `ishi mcp` as a client of the Model Context Protocol meets it: by hand, and by the protocol's own Python client where it is
//! installed.

#![allow(clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::program::tell_missing;

const ISHI: &str = env!("CARGO_BIN_EXE_ishi");

/// A client that speaks the protocol line by line.
struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    asked: u64,
}

impl Client {
    fn start() -> Client {
        let mut command = Command::new(ISHI);
        let mut child =
            command.args(["mcp", "-q"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut client = Client { child, stdin, stdout, asked: 0 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let welcome = client.ask("initialize", hello);
        assert_eq!(welcome["result"]["serverInfo"]["name"], "ishi", "{welcome}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{message}").unwrap();
        stdin.flush().unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).unwrap() > 0, "{method}: the server ended");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == json!(id) {
                return answer;
            }
        }
    }

    /// What a tool answers, which must be facts.
    fn facts(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(answer["result"]["isError"], json!(false), "{tool}: {answer}");
        answer["result"]["structuredContent"].clone()
    }

    /// The words of a tool's error.
    fn error(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(answer["result"]["isError"], json!(true), "{tool}: {answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap().to_string()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.wait();
    }
}

/// Black's corner group lives by C1 or dies by it.
const CORNER: &str = "(;GM[1]FF[4]SZ[9]RU[chinese]AB[ah][bh][ch][dh][di]AW[ag][bg][cg][dg][eg][eh][ei]PL[W])";

#[test]
fn tools_are_listed_with_what_they_take() {
    let mut client = Client::start();
    let answer = client.ask("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in ["go_explain_move", "go_review_game", "othello_hint", "strings_solve", "deck_build"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(tools.iter().all(|tool| tool["inputSchema"]["type"] == "object"), "{answer}");
}

#[test]
fn tools_give_what_the_commands_give() {
    let mut client = Client::start();
    let strings = client.facts("strings_solve", json!({"columns": 7}));
    assert_eq!((&strings["strings"], &strings["optimal"]), (&json!(37), &json!(true)));
    let hint = client.facts("othello_hint", json!({"position": "f5d6c3", "level": 4}));
    assert_eq!(hint["to_move"], "white");
    assert!(!hint["moves"].as_array().unwrap().is_empty());
    let shown =
        client.facts("go_show_position", json!({"moves": ["E5", "E7"], "size": 9, "levels": ["chains"]}));
    assert_eq!(shown["chains"].as_array().unwrap().len(), 2, "{shown}");
    let pool = "name,cost,score\na,1,5\nb,1,3\nc,1,9\n";
    let deck = client.facts("deck_build", json!({"pool": pool, "size": "2"}));
    assert!(deck.to_string().contains("\"c\""), "{deck}");
}

#[test]
fn a_move_is_explained_with_its_evidence() {
    let mut client = Client::start();
    let game = json!({"moves": ["E5", "E7", "G7"], "size": 9, "move": 3, "why_not": ["C3"], "level": 1});
    let told = client.facts("go_explain_move", game.clone());
    assert_eq!((&told["move_number"], &told["to_move"]), (&json!(3), &json!("black")));
    assert_eq!(told["explained"]["vertex"], "G7");
    assert!(told.to_string().contains("C3"), "{told}");
    // The same facts as the command's own.
    assert_eq!(client.facts("go_why_not", game)["explained"], told["explained"]);
}

#[test]
fn the_fate_of_a_group_is_read() {
    let mut client = Client::start();
    let told = client.facts("go_solve_problem", json!({"record": CORNER, "at": "A2"}));
    assert!(["alive", "critical", "dead"].contains(&told["group"]["status"].as_str().unwrap()), "{told}");
    assert!(told["kill_group"]["outcome"].is_string(), "{told}");
    assert!(told["save_chain"].is_object(), "{told}");
    let made_by = &told["made_by"];
    assert_eq!(made_by["command"], "ishi gtp --quiet --threads=1 --seed=1", "{told}");
    assert!(made_by["input"].as_str().unwrap().starts_with("loadsgf game.sgf\ndragon_status A2\n"), "{told}");
}

#[test]
fn errors_are_words_that_a_model_can_mend() {
    let mut client = Client::start();
    let level = client.error("go_explain_move", json!({"record": CORNER, "level": 99}));
    assert_eq!(level, "level must be a whole number from 1 to 10, not 99");
    let record = client.error("go_review_game", json!({"record": "no game"}));
    assert!(record.contains("game.sgf") && !record.contains("/tmp"), "{record}");
    let empty = client.error("go_solve_problem", json!({"record": CORNER, "at": "J9"}));
    assert!(!empty.is_empty());
    let illegal = client.error("go_show_position", json!({"moves": ["E5", "E5"], "size": 9}));
    assert_eq!(illegal, "moves must be legal moves, not move 2, white E5: a black stone stands there");
    let name = client.ask("tools/call", json!({"name": "go_guess", "arguments": {}}));
    assert!(name["error"]["message"].as_str().unwrap().contains("go_explain_move"), "{name}");
    // The server still answers.
    assert_eq!(client.facts("strings_solve", json!({"columns": 3}))["optimal"], true);
}

/// A record with an illegal move is shown as far as it goes, and what is wrong with it is told.
#[test]
fn facts_of_a_faulty_record_say_so() {
    let mut client = Client::start();
    let faulty = json!({"record": "(;SZ[9];B[ee];W[ee];B[cc])", "levels": ["chains"]});
    let told = client.facts("go_show_position", faulty);
    assert!(told["record_faults"][0].as_str().unwrap().starts_with("move 2, white E5"), "{told}");
    let command = told["made_by"]["command"].as_str().unwrap();
    assert!(command.contains(" game.sgf") && !command.contains("/tmp"), "{command}");
    let sound = client.facts("go_show_position", json!({"record": CORNER, "levels": ["chains"]}));
    assert_eq!(sound["record_faults"], Value::Null, "{sound}");
}

/// A model repeats what a stranger wrote. A pool that names a file of this machine must not have it read.
#[test]
fn no_argument_opens_a_file() {
    let mut client = Client::start();
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(secret.path(), "secret,words\n").unwrap();
    let path = secret.path().to_str().unwrap();
    let up = format!("../../../../../..{path}");
    for named in [path, up.as_str()] {
        for (format, pool) in [
            ("toml", format!("pieces = {named:?}\n")),
            ("json", json!({"pieces": named}).to_string()),
            ("json", json!({"pieces": [{"name": "a"}, {"name": "b"}], "pairs": named}).to_string()),
        ] {
            let said = client.error("deck_build", json!({"pool": pool, "pool_format": format, "size": "1"}));
            assert!(said.contains("must be a file beside this document"), "{said}");
            assert!(!said.contains("secret,"), "{said}");
        }
        for (tool, arguments) in [
            ("othello_hint", json!({"position": named})),
            ("othello_review_game", json!({"game": named})),
            ("othello_solve", json!({"positions": named})),
            ("go_review_game", json!({"record": named})),
            ("go_solve_problem", json!({"record": named, "at": "A1"})),
        ] {
            let answer = client.ask("tools/call", json!({"name": tool, "arguments": arguments})).to_string();
            assert!(!answer.contains("secret,"), "{tool}: {answer}");
        }
    }
}

/// The children of a process and their command lines.
#[cfg(target_os = "linux")]
fn children_of(parent: u32) -> Vec<(u32, String)> {
    let numbers = std::fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let name = entry.ok()?.file_name();
        name.to_str()?.parse::<u32>().ok()
    });
    let read = |number: u32, file: &str| std::fs::read_to_string(format!("/proc/{number}/{file}"));
    let is_child = |&number: &u32| {
        let status = read(number, "status").unwrap_or_default();
        let found = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        found.is_some_and(|text| text.trim() == parent.to_string())
    };
    let command = |number| (number, read(number, "cmdline").unwrap_or_default().replace('\0', " "));
    numbers.filter(is_child).map(command).collect()
}

/// Waits up to twelve seconds.
#[cfg(target_os = "linux")]
fn wait_for<T>(mut found: impl FnMut() -> Option<T>) -> Option<T> {
    (0..600).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        found()
    })
}

/// All of Othello from its start is solved in no time that anybody has.
#[cfg(target_os = "linux")]
#[test]
fn no_command_outlives_a_killed_server() {
    let mut client = Client::start();
    let start = "---------------------------OX------XO--------------------------- X;\n";
    let call = json!({"name": "othello_solve", "arguments": {"positions": start}});
    client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}));
    let server = client.child.id();
    let is_solving = |(_, command): &(u32, String)| command.contains(" solve ");
    let solver = wait_for(|| children_of(server).into_iter().find(is_solving));
    let (solver, _) = solver.expect("the command has started");
    client.child.kill().unwrap();
    client.child.wait().unwrap();
    // Whoever inherits it may not have reaped it yet.
    let state = || std::fs::read_to_string(format!("/proc/{solver}/stat")).unwrap_or_default();
    let is_gone = || state().rsplit(") ").next().is_none_or(|rest| rest.is_empty() || rest.starts_with('Z'));
    assert!(wait_for(|| is_gone().then_some(())).is_some(), "process {solver} is still there: {}", state());
}

/// What does not speak the protocol gets an error, and no server that waits for ever.
#[test]
fn who_does_not_speak_the_protocol_is_told_so() {
    let mut command = Command::new(ISHI);
    let mut child = command
        .args(["mcp", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("initialize") && message.contains("it closed its line first"), "{message}");
}

/// What cannot be sent is no fault of the client.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_the_line_is_told() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(ISHI);
    let streams = command.args(["mcp", "-q"]).stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped());
    let mut child = streams.spawn().unwrap();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    writeln!(child.stdin.take().unwrap(), "{hello}").unwrap();
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{message}");
    assert!(message.contains("the line to the client failed: No space left on device"), "{message}");
}

/// So is one that is full only later: here the beginning has room, and the list of tools has none. It is told to a client that goes on
/// speaking, and to one that has said all it wants, as `ishi mcp <requests` has.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_for_a_later_answer_is_told() {
    for closes_its_line in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let script = format!("trap '' XFSZ; ulimit -f 8; exec '{ISHI}' mcp -q >out");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(folder.path()).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
        let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
        for message in [hello, begun, list] {
            writeln!(stdin, "{message}").unwrap();
        }
        let still_open = (!closes_its_line).then_some(stdin);
        let output = child.wait_with_output().unwrap();
        drop(still_open);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "closes its line: {closes_its_line}: {message}");
        assert!(message.contains("the line to the client failed: File too large"), "{message}");
        let written = std::fs::read_to_string(folder.path().join("out")).unwrap();
        assert!(written.starts_with("{\"jsonrpc\""), "the beginning was answered: {written}");
    }
}

/// The protocol's own client, from PyPI's `mcp`.
const PYTHON_CLIENT: &str = r#"
import asyncio, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    server = StdioServerParameters(command=sys.argv[1], args=["mcp", "-q"])
    async with stdio_client(server) as (reader, writer):
        async with ClientSession(reader, writer) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
            answer = await session.call_tool("strings_solve", {"columns": 5})
            print(len(tools), answer.content[0].text)

asyncio.run(main())
"#;

#[test]
fn the_protocols_own_client_understands_it() {
    let installed = Command::new("python3").args(["-c", "import mcp"]).output();
    if !installed.is_ok_and(|output| output.status.success()) {
        tell_missing("the Python package mcp (pip install mcp)");
        return;
    }
    let output = Command::new("python3").args(["-c", PYTHON_CLIENT, ISHI]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (tools, answer) = text.split_once(' ').unwrap();
    assert!(tools.parse::<usize>().unwrap() >= 10, "{text}");
    let answer: Value = serde_json::from_str(answer).unwrap();
    assert_eq!(answer["optimal"], true, "{answer}");
    assert!(Path::new(ISHI).exists());
}
