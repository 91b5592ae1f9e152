//! `ishi deck serve` and `ishi deck load`: a real server, and clients that behave well and badly.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::http::{Client, Reply, request_text};

const POOL: &str = r#"{
  "name": "garden",
  "attributes": ["red", "blue"],
  "pieces": [
    {"name": "Ant", "cost": {"cost": 3}, "attributes": ["red"]},
    {"name": "Bee", "cost": {"cost": 4}, "attributes": ["red"]},
    {"name": "Cat", "cost": {"cost": 5}, "attributes": ["blue"]},
    {"name": "Dor", "cost": {"cost": 2}}
  ],
  "pairs": {"list": [["Ant", "Bee", 7], ["Ant", "Cat", 2.5], ["Bee", "Cat", -2], ["Ant", "Dor", 4]]}
}"#;

/// Scores by chance: no proof in any time that a test has.
pub(crate) fn dense(pieces: u32) -> String {
    let names: Vec<String> = (0..pieces).map(|at| format!("{{\"name\": \"p{at}\"}}")).collect();
    let mut state = 7_u32;
    let mut pairs = Vec::new();
    for a in 0..pieces {
        for b in 0..a {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            pairs.push(format!("[{a}, {b}, {}]", state >> 16));
        }
    }
    format!("{{\"pieces\": [{}], \"pairs\": {{\"list\": [{}]}}}}", names.join(","), pairs.join(","))
}

/// Nothing ends the work on a request in any time that a test has.
const LONG: [&str; 6] = ["--threads", "1", "--time-limit", "100", "--work-limit", "1000000000000"];

pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    lines: Receiver<String>,
    _folder: tempfile::TempDir,
}

impl Server {
    /// With the pools `garden` and `dense`, or the first alone, on any port.
    pub(crate) fn start(pools: &[&str], args: &[&str]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("garden.json"), POOL).unwrap();
        std::fs::write(folder.path().join("dense.json"), dense(300)).unwrap();
        let mut command = serve(folder.path(), pools, args);
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let (address, lines) = listen(child.stderr.take().unwrap());
        Server { child, address, lines, _folder: folder }
    }

    fn connect(&self) -> Client {
        Client::to(&self.address)
    }

    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> Reply {
        let mut client = self.connect();
        client.send(method, path, body);
        client.receive()
    }

    fn build(&self, body: &str) -> Reply {
        self.ask("POST", "/v1/deck", body)
    }

    fn health(&self) -> (u64, u64) {
        let body = self.ask("GET", "/healthz", "").json();
        (body["running"].as_u64().unwrap(), body["waiting"].as_u64().unwrap())
    }

    /// Waits until so many run and wait.
    fn until(&self, running: u64, waiting: u64) {
        for _ in 0..3000 {
            if self.health() == (running, waiting) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("{:?} are running and waiting", self.health());
    }

    fn interrupt(&self) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, Signal::INT).unwrap();
    }

    /// Waits for its end; all that it said since it began to listen.
    fn end(mut self) -> (ExitStatus, Vec<String>) {
        let status = self.child.wait().unwrap();
        (status, self.lines.iter().collect())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(folder: &Path, pools: &[&str], args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    command.current_dir(folder).args(["deck", "serve", "--listen", "127.0.0.1:0"]).args(pools).args(args);
    command
}

/// The address that it names, and everything after.
fn listen(stderr: ChildStderr) -> (String, Receiver<String>) {
    let mut lines = BufReader::new(stderr).lines().map(|line| line.unwrap());
    let mut before = Vec::new();
    let address = loop {
        let line = lines.next().unwrap_or_else(|| panic!("it does not listen: {before:?}"));
        if let Some((_, rest)) = line.split_once("listening on http://") {
            break rest.split(',').next().unwrap().to_string();
        }
        before.push(line);
    };
    let (sender, receiver) = channel();
    std::thread::spawn(move || lines.for_each(|line| drop(sender.send(line))));
    (address, receiver)
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Status, kind and field of an error.
    fn error(&self) -> (u16, String, Value) {
        let body = self.json();
        let error = body["error"].as_object().unwrap_or_else(|| panic!("no error: {self:?}"));
        assert_eq!((body.as_object().unwrap().len(), error.len()), (1, 3), "{self:?}");
        assert!(error["message"].as_str().is_some_and(|text| text.len() > 10), "{self:?}");
        (self.status, error["kind"].as_str().unwrap().to_string(), error["field"].clone())
    }
}

impl Client {
    fn raw(&mut self, text: &str) {
        self.write(text.as_bytes()).unwrap();
    }

    fn send(&mut self, method: &str, path: &str, body: &str) {
        let head = [("Host", "localhost"), ("Content-Type", "application/json")];
        self.raw(&request_text(method, path, &head, body));
    }
}

#[test]
fn decks_are_built() {
    let server = Server::start(&["garden.json"], &["--threads", "2"]);
    let reply = server.build(r#"{"size": 3, "limits": {"cost": 12}}"#);
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/json")), "{reply:?}");
    let made_by = reply.header("made-by").unwrap();
    assert!(made_by.starts_with("ishi 0.") && made_by.contains(", seed 1, "), "{made_by}");
    let seeded = server.build(r#"{"size": 3, "seed": "77"}"#);
    assert!(seeded.header("made-by").unwrap().contains(", seed 77, "), "{seeded:?}");
    let answer = reply.json();
    assert_eq!(answer["deck"], json!(["Ant", "Bee", "Dor"]), "{answer}");
    assert_eq!(
        (&answer["status"], &answer["value"], &answer["bound"]),
        (&json!("optimal"), &json!(11.0), &json!(11.0))
    );
    assert_eq!(answer["costs"]["cost"], json!({"spent": 9, "limit": 12}));
    assert_eq!(answer["gap"], 0.0);
    // Several requests over one connection, and a leader.
    let mut client = server.connect();
    for _ in 0..3 {
        client.send("POST", "/v1/deck?pool=garden", r#"{"size": 2, "leader": "any", "fixed": ["Cat"]}"#);
        let answer = client.receive().json();
        assert_eq!((&answer["value"], answer["leader"].is_string()), (&json!(2.5), true), "{answer}");
    }
    server.interrupt();
    let (status, lines) = server.end();
    assert!(status.success(), "{status}: {lines:?}");
    let built = lines.iter().filter(|line| line.starts_with("127.0.0.1 POST /v1/deck 200 ")).count();
    assert_eq!(built, 5, "{lines:?}");
}

#[test]
fn mistakes_are_answered() {
    let server = Server::start(&["garden.json"], &["--quiet", "--body", "1000"]);
    let cases: &[(&str, u16, &str, Value, &str)] = &[
        ("{", 400, "json", Value::Null, "line 1, column 1: EOF"),
        ("[]", 400, "json", Value::Null, "a request"),
        ("size = 3", 400, "json", Value::Null, "expected"),
        (r#"{"sizes": 3}"#, 400, "field", json!("sizes"), "unknown field `sizes`"),
        (r#"{"size": "three"}"#, 400, "field", json!("size"), "a number of pieces"),
        (r#"{"fixed": ["Ant", "Bea"]}"#, 422, "request", json!("fixed[1]"), "Bee"),
        (r#"{"limits": {"gold": 3}}"#, 422, "request", json!("limits.gold"), "cost"),
        (r#"{"quotas": {"green": 3}}"#, 422, "request", json!("quotas.green"), "red"),
        (r#"{"size": 0}"#, 422, "request", json!("size"), "1 to 1000"),
        (r#"{"work_limit": 0}"#, 422, "request", json!("work_limit"), "must be 1 or more"),
        (r#"{"time_limit": -1}"#, 422, "request", json!("time_limit"), "more than 0"),
        (r#"{"owned": "/etc/passwd"}"#, 422, "request", json!("owned"), "names no files"),
        (r#"{"fixed": ["Ant"], "banned": ["Ant"]}"#, 422, "request", Value::Null, "both fixed and banned"),
        (r#"{"size": 3, "limits": {"cost": 5}}"#, 422, "infeasible", Value::Null, "cost"),
        (
            r#"{"size": 3, "fixed": ["Cat", "Bee"], "limits": {"cost": 8}}"#,
            422,
            "infeasible",
            Value::Null,
            "already cost 9 of 8",
        ),
    ];
    for (body, status, kind, field, words) in cases {
        let reply = server.build(body);
        assert_eq!(reply.error(), (*status, (*kind).to_string(), field.clone()), "{body}: {reply:?}");
        assert!(reply.body.contains(words), "{body}: {reply:?}");
    }
    let reply = server.ask("GET", "/v2", "");
    assert_eq!(reply.error(), (404, "path".into(), Value::Null));
    let reply = server.ask("GET", "/v1/pools/silver", "");
    assert_eq!(reply.error(), (404, "pool".into(), Value::Null));
    let reply = server.ask("POST", "/v1/deck?pool=silver", "{}");
    assert_eq!(reply.error(), (404, "pool".into(), Value::Null));
    let reply = server.ask("POST", "/v1/deck?pol=garden", "{}");
    assert_eq!(reply.error(), (400, "query".into(), Value::Null));
    let reply = server.ask("GET", "/v1/deck", "");
    assert_eq!(reply.error(), (405, "method".into(), Value::Null));
    assert_eq!(reply.header("allow"), Some("POST"));
    let reply = server.ask("DELETE", "/v1/pools", "");
    assert_eq!((reply.error().0, reply.header("allow")), (405, Some("GET,HEAD")));
    let reply = server.build(&format!("{{\"size\": 3}}{}", " ".repeat(1000)));
    assert_eq!(reply.error(), (413, "size".into(), Value::Null));
    server.interrupt();
    let (status, lines) = server.end();
    assert!(status.success() && lines.is_empty(), "{lines:?}");
}

/// What no well-behaved client sends.
#[test]
fn bad_clients_harm_nobody() {
    let server = Server::start(&["garden.json"], &["--body", "1000"]);
    // Half a head, half a body, and silence.
    let mut half = server.connect();
    half.raw("POST /v1/de");
    let mut slow = server.connect();
    slow.raw(
        "POST /v1/deck HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    );
    // No HTTP at all.
    let mut garbage = server.connect();
    garbage.raw("\x16\x03\x01 what is this?\r\n\r\n");
    let mut said = String::new();
    let _ = garbage.stream.read_to_string(&mut said);
    assert!(said.is_empty() || said.starts_with("HTTP/1.1 400"), "{said}");
    // Another type, or none.
    for head in ["Content-Type: text/plain\r\n", ""] {
        let mut client = server.connect();
        client.raw(&format!(
            "POST /v1/deck HTTP/1.1\r\nHost: localhost\r\n{head}Content-Length: 2\r\n\r\n{{}}"
        ));
        assert_eq!(client.receive().error(), (415, "type".into(), Value::Null));
    }
    // More than it said, in pieces.
    let mut chunks = server.connect();
    chunks.raw("POST /v1/deck HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
    for _ in 0..3 {
        chunks.raw(&format!("200\r\n{}\r\n", " ".repeat(512)));
    }
    assert_eq!(chunks.receive().error(), (413, "size".into(), Value::Null));
    // A body that ends early.
    slow.stream.get_mut().shutdown(std::net::Shutdown::Both).unwrap();
    assert_eq!(server.build(r#"{"size": 2}"#).status, 200);
    // An answer may arrive a moment before its worker is free.
    let is_idle = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        server.health() == (0, 0)
    });
    assert!(is_idle, "{:?}", server.health());
}

#[test]
fn what_is_served_is_described() {
    let server = Server::start(&["gold=garden.json", "dense.json"], &[]);
    let page = server.ask("GET", "/", "");
    assert!(page.status == 200 && page.body.contains("<title>ishi: decks</title>"), "{page:?}");
    // Self-contained: nothing is loaded from elsewhere, and nothing may be.
    assert!(!page.body.contains("src=") && !page.body.contains("//cdn"), "{page:?}");
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    let pools = server.ask("GET", "/v1/pools", "").json();
    assert_eq!(pools["pools"][0]["name"], "gold");
    assert_eq!(
        (&pools["pools"][0]["title"], &pools["pools"][1]["name"]),
        (&json!("garden"), &json!("dense"))
    );
    let pool = server.ask("GET", "/v1/pools/gold", "").json();
    assert_eq!(pool["list"][2], json!({"name": "Cat", "costs": [5], "attributes": ["blue"]}));
    assert_eq!(server.ask("POST", "/v1/deck", "{}").error(), (400, "query".into(), json!("pool")));
    let answer = server.ask("POST", "/v1/deck?pool=gold", r#"{"size": 2, "leader": "Ant"}"#).json();
    let schema = server.ask("GET", "/v1/schema", "").json();
    let of = |name: &str| &schema["$defs"][name]["properties"];
    described(&answer, of("answer"), "answer");
    described(&answer["work"], &of("answer")["work"]["properties"], "work");
    described(&pools["pools"][0], of("pool"), "pool");
    described(&pool, of("pool"), "whole pool");
    described(&server.ask("GET", "/healthz", "").json(), of("health"), "health");
    let error = server.ask("GET", "/nowhere", "").json();
    described(&error, of("error"), "error");
    described(&error["error"], &of("error")["error"]["properties"], "inner error");
    let openapi = server.ask("GET", "/v1/openapi.json", "").json();
    for (path, operations) in openapi["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let path = path.replace("{name}", "gold");
            let reply = server.ask(&method.to_uppercase(), &path, "{\"size\": 2}");
            let known = &operation["responses"][reply.status.to_string()];
            assert!(known.is_object(), "{method} {path}: {}", reply.status);
        }
    }
    // Every reference leads somewhere.
    let text = openapi.to_string();
    for name in text.split("/v1/schema#/$defs/").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(schema["$defs"][name].is_object(), "{name}");
    }
}

/// Every key is in the schema; what the schema requires is there (beside what is given for one case only).
fn described(value: &Value, properties: &Value, what: &str) {
    let value = value.as_object().unwrap_or_else(|| panic!("{what} is no object"));
    for key in value.keys() {
        assert!(properties[key].is_object(), "{what}: the schema does not know {key}");
    }
    assert!(!value.is_empty(), "{what}");
}

#[test]
fn the_time_limit_leaves_an_honest_gap() {
    let server = Server::start(&["dense.json"], &["--time-limit", "0.3"]);
    // More copies than anybody has.
    let copies: Vec<String> = (0..30).map(|at| format!("\"p{at}\": 1000")).collect();
    let reply = server.build(&format!("{{\"size\": 1000, \"owned\": {{{}}}}}", copies.join(",")));
    assert_eq!(reply.error(), (422, "request".into(), json!("owned")));
    let answer = server.build("{}").json();
    assert_eq!(answer["status"], "feasible", "{answer}");
    let (value, bound) = (answer["value"].as_f64().unwrap(), answer["bound"].as_f64().unwrap());
    assert!(value < bound && answer["gap"].as_f64().unwrap() > 0.0, "{answer}");
}

/// Steps end the work, and so the same request has the same answer, whatever else the machine does.
#[test]
fn the_work_limit_decides() {
    let args = ["--threads", "2", "--work-limit", "3000", "--time-limit", "100"];
    let server = Server::start(&["dense.json"], &args);
    let (mut first, mut second) = (server.connect(), server.connect());
    first.send("POST", "/v1/deck", "{}");
    second.send("POST", "/v1/deck", r#"{"work_limit": 1000000000}"#);
    let facts = |answer: Value| ["status", "deck", "value", "bound", "work"].map(|key| answer[key].clone());
    let steps = |work: &Value| work["nodes"].as_u64().unwrap() + work["moves"].as_u64().unwrap();
    let (first, second) = (facts(first.receive().json()), facts(second.receive().json()));
    assert_eq!(first, second, "a request may not ask for more");
    assert!(first[0] == "feasible" && (3000..20_000).contains(&steps(&first[4])), "{first:?}");
    let less = facts(server.build(r#"{"work_limit": 500}"#).json());
    assert!(steps(&less[4]) < steps(&first[4]), "{less:?}");
    let searched = |body| facts(server.build(body).json());
    let ours = searched(r#"{"method": "ours", "work_limit": 200}"#);
    assert_eq!(ours, searched(r#"{"method": "ours", "work_limit": 200}"#));
    assert_eq!(ours[4]["moves"], 200, "{ours:?}");
}

/// Copies of thousands of pieces make a table of their own of more than half a gigabyte: it is not made.
#[test]
fn a_proof_that_would_take_the_memory_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let pieces: Vec<String> = (0..6000).map(|at| format!("{{\"name\": \"p{at}\", \"copies\": 2}}")).collect();
    let path = folder.path().join("many.json");
    std::fs::write(&path, format!("{{\"pieces\": [{}]}}", pieces.join(","))).unwrap();
    let server = Server::start(&[path.to_str().unwrap()], &LONG);
    let answer = server.build("{}").json();
    let words = answer["given_up"].as_str().unwrap_or_else(|| panic!("{answer}"));
    assert!(words.contains("more than 512 MB of memory") && answer["status"] == "unknown", "{answer}");
    let schema = server.ask("GET", "/v1/schema", "").json();
    described(&answer, &schema["$defs"]["answer"]["properties"], "an answer without a proof");
}

/// What no deck can keep is said before any search, even where a search would find that out late.
#[test]
fn the_impossible_takes_no_time() {
    let server = Server::start(&["garden.json"], &["--time-limit", "1000", "--work-limit", "1000000000000"]);
    let body = r#"{"size": 3, "quotas": {"red": 2, "blue": 2}, "method": "ours"}"#;
    let reply = server.build(body);
    assert_eq!(reply.error(), (422, "infeasible".into(), Value::Null), "{reply:?}");
}

#[test]
fn too_much_is_refused_and_who_leaves_is_forgotten() {
    let server = Server::start(&["dense.json"], &[&LONG[..], &["--queue", "1"]].concat());
    let mut first = server.connect();
    first.send("POST", "/v1/deck", "{}");
    server.until(1, 0);
    let mut second = server.connect();
    second.send("POST", "/v1/deck", "{}");
    server.until(1, 1);
    let reply = server.build("{}");
    assert_eq!(reply.error(), (503, "busy".into(), Value::Null));
    assert_eq!(reply.header("retry-after"), Some("1"));
    // The clients go away: what runs ends long before its time, and what waited is not begun.
    drop((first, second));
    server.until(0, 0);
    server.interrupt();
    let (status, lines) = server.end();
    assert!(status.success(), "{status}");
    let left = lines.iter().filter(|line| line.starts_with("127.0.0.1 POST /v1/deck left ")).count();
    assert_eq!(left, 2, "{lines:?}");
}

#[test]
fn the_end_is_clean() {
    let args = [&LONG[..], &["--patience", "60"]].concat();
    let server = Server::start(&["dense.json"], &args);
    let mut idle = server.connect();
    idle.send("GET", "/healthz", "");
    assert_eq!(idle.receive().status, 200);
    let mut running = server.connect();
    running.send("POST", "/v1/deck", r#"{"time_limit": 2}"#);
    server.until(1, 0);
    let mut waiting = server.connect();
    waiting.send("POST", "/v1/deck", "{}");
    server.until(1, 1);
    server.interrupt();
    assert_eq!(waiting.receive().error(), (503, "closing".into(), Value::Null));
    let reply = running.receive();
    assert_eq!((reply.status, &reply.json()["status"]), (200, &json!("feasible")), "{reply:?}");
    assert!(idle.is_closed());
    let (status, lines) = server.end();
    assert!(status.success(), "{status}");
    assert!(lines.iter().any(|line| line == "ishi deck serve: ended"), "{lines:?}");
}

#[test]
fn patience_ends() {
    let args = [&LONG[..], &["--patience", "0.2"]].concat();
    let server = Server::start(&["dense.json"], &args);
    let mut running = server.connect();
    running.send("POST", "/v1/deck", "{}");
    server.until(1, 0);
    server.interrupt();
    assert_eq!(running.receive().error(), (503, "closing".into(), Value::Null));
    assert!(server.end().0.success());
}

/// Pages of other origins are kept out, unless they are let in.
#[test]
fn origins_are_as_the_option_says() {
    let ask = "OPTIONS /v1/deck HTTP/1.1\r\nHost: localhost\r\nOrigin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n\r\n";
    let server = Server::start(&["garden.json"], &[]);
    let mut client = server.connect();
    client.raw(ask);
    let reply = client.receive();
    assert_eq!(reply.error(), (403, "origin".into(), Value::Null));
    assert_eq!(reply.header("access-control-allow-origin"), None);
    let server = Server::start(&["garden.json"], &["--allow-origin", "https://a.example"]);
    let mut client = server.connect();
    client.raw(ask);
    let reply = client.receive();
    assert_eq!(reply.header("access-control-allow-origin"), Some("https://a.example"));
    assert_eq!(reply.header("access-control-allow-headers"), Some("content-type"));
    let reply = server.build(r#"{"size": 2}"#);
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, Some("https://a.example")));
}

/// A page elsewhere whose name means this machine, and pages of other sites, get nothing.
#[test]
fn strangers_get_nothing() {
    let ask = |server: &Server, head: &str| {
        let mut client = server.connect();
        client.raw(&format!("{head}\r\n\r\n"));
        client.receive()
    };
    let server = Server::start(&["garden.json"], &[]);
    let post = "POST /v1/deck HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 0";
    for (head, kind) in [
        ("GET /v1/pools HTTP/1.1\r\nHost: evil.example".to_string(), "host"),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example:80".to_string(), "host"),
        ("GET /v1/pools HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example".to_string(), "origin"),
        (format!("{post}\r\nHost: localhost\r\nOrigin: null"), "origin"),
        (format!("{post}\r\nHost: localhost\r\nSec-Fetch-Site: cross-site"), "origin"),
    ] {
        assert_eq!(ask(&server, &head).error(), (403, kind.into(), Value::Null), "{head}");
    }
    let own = format!("Host: {0}\r\nOrigin: http://{0}", server.address);
    let pages =
        [own.as_str(), "Host: LOCALHOST:1", "Host: [::1]", "Host: localhost\r\nSec-Fetch-Site: cross-site"];
    for head in pages {
        assert_eq!(ask(&server, &format!("GET / HTTP/1.1\r\n{head}")).status, 200, "{head}");
    }
    let server = Server::start(&["garden.json"], &["--host", "decks.example"]);
    assert_eq!(ask(&server, "GET / HTTP/1.1\r\nHost: decks.example").status, 200);
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("garden.json"), POOL).unwrap();
    let damaged = POOL.replacen('{', "{\"checksum\": \"0000000000000000\", ", 1);
    std::fs::write(folder.path().join("damaged.json"), damaged).unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let cases: &[(&[&str], &[&str], i32, &str)] = &[
        (&["none.json"], &[], 4, "none.json"),
        (&["damaged.json"], &[], 3, "checksum: the pool is damaged, or was edited"),
        (&["garden.json", "a/../garden.json"], &[], 4, "garden.json"),
        (&["garden.json", "garden=garden.json"], &[], 3, "two pools are called \"garden\""),
        (&["garden.json", "b=garden.json"], &["--pairs", "p.csv"], 3, "belong to one pool"),
        (&["garden.json"], &["--time-limit", "0"], 2, "more than 0"),
        (&[], &[], 2, "POOL"),
    ];
    for (pools, args, code, words) in cases {
        let output = serve(folder.path(), pools, args).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(*code), "{pools:?} {args:?}: {message}");
        assert!(message.contains(words), "{pools:?} {args:?}: {message}");
    }
    for (listen, code, words) in [
        (address.as_str(), 4, "another program listens there, perhaps another ishi: --listen"),
        ("x", 3, "cannot listen on x: it must be an address and a port"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
        command.current_dir(folder.path()).args(["deck", "serve", "garden.json", "--listen", listen]);
        let output = command.output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(code) && message.contains(words), "{message}");
    }
}

#[test]
fn load_is_measured() {
    let server = Server::start(&["garden.json"], &["--quiet"]);
    let folder = tempfile::tempdir().unwrap();
    let load = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
        let url = format!("http://{}", server.address);
        command.current_dir(folder.path()).args(["deck", "load", &url]).args(args);
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    };
    let with = ["--with", r#"{"size": 3}"#];
    let (code, out, message) =
        load(&[&["--requests", "50", "--connections", "3", "--json"][..], &with].concat());
    assert_eq!(code, 0, "{message}");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&report["requests"], &report["statuses"]["200"]), (&json!(50), &json!(50)), "{report}");
    assert_eq!(report["answers"]["optimal"], 50, "{report}");
    let at = |key: &str| report[key].as_f64().unwrap();
    assert!(at("fastest") <= at("median") && at("median") <= at("p99") && at("p99") <= at("slowest"));
    // Requests from a file, one of which is wrong: the first bad answer is quoted.
    std::fs::write(folder.path().join("r.jsonl"), "{\"size\": 2}\n\n{\"size\": 9}\n").unwrap();
    let (code, out, message) = load(&["--requests", "4", "--from", "r.jsonl"]);
    assert!(out.contains("2 x 200, 2 x 422; 2 optimal"), "{out}");
    assert!(code == 1 && message.contains("request 2 was answered with 422: {\"error\""), "{message}");
    // Pieces from decks: those of which too few are in the pool are left out.
    std::fs::write(folder.path().join("decks.csv"), "Ant,Bee,Elk\nCat,Elk\nDor,Ant\n").unwrap();
    let args = ["--requests", "20", "--decks", "decks.csv", "--fixed", "2", "--with", r#"{"size": 2}"#];
    let (code, out, message) = load(&args);
    assert!(code == 0 && out.contains("20 optimal"), "{out} {message}");
    for (args, code, words) in [
        (&["--decks", "decks.csv", "--fixed", "3"][..], 3, "no deck has 3 pieces of the pool"),
        (&["--pool", "gold"], 3, "the server has garden"),
        (&["--fixed", "9"], 3, "the pool has 4 pieces"),
        (&["--with", "[]"], 3, "an object is needed"),
        (&["--from", "none.jsonl"], 4, "none.jsonl"),
    ] {
        let (found, _, message) = load(args);
        assert!(found == code && message.contains(words), "{args:?}: {found} {message}");
    }
}
