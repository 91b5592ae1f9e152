//! HTTP: heads and forms of the workbench, heads and requests of the deck service. Both servers run in this process, so that a panic of
//! theirs is one of the target, and are asked over the loopback.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ishi_deck_documents::pool::{self, TableFiles, refuse_sibling_file};
use ishi_experiments::KINDS;
use ishi_rng::Seed;
use ishi_web::{ServedPool, Server, ServerSettings, Workbench, WorkbenchSettings};
use ishi_work::StopFlag;

/// A server that waits for the rest of a request is left after this.
const PATIENCE: Duration = Duration::from_millis(40);
/// An answer to a whole request must have come by then.
const ANSWER_TIME: Duration = Duration::from_secs(60);

/// A server of this process. Nobody stops it: it lives as long as the process.
struct RunningServer {
    address: SocketAddr,
    has_ended: StopFlag,
}

impl RunningServer {
    fn start(address: SocketAddr, run: impl FnOnce() + Send + 'static) -> RunningServer {
        let has_ended = StopFlag::default();
        let ended = has_ended.clone();
        std::thread::spawn(move || {
            // Also when it panics.
            let _mark = MarkEnd(ended);
            run();
        });
        RunningServer { address, has_ended }
    }

    fn is_running(&self) -> bool {
        !self.has_ended.is_requested()
    }
}

struct MarkEnd(StopFlag);

impl Drop for MarkEnd {
    fn drop(&mut self) {
        self.0.request();
    }
}

const POOL: &[u8] = br#"{"pieces": [{"name": "a", "cost": 1, "attributes": ["x"]}, {"name": "b", "cost": 2}, {"name": "c", "cost": 3,
    "attributes": ["x", "y"]}, {"name": "d", "cost": 1}], "pairs": [["a", "b", 1.5], ["b", "c", 2], ["c", "d", 4]]}"#;

/// The deck service over four pieces, with little work for a request.
fn deck_service() -> &'static RunningServer {
    static SERVICE: OnceLock<RunningServer> = OnceLock::new();
    SERVICE.get_or_init(|| {
        let file =
            pool::read_pool("pool.json", POOL, &refuse_sibling_file, &TableFiles::default()).expect("a pool");
        let pools = vec![ServedPool { name: "small".to_string(), file: Arc::new(file) }];
        let settings = ServerSettings {
            listen: "127.0.0.1:0".to_string(),
            work: 2000,
            slots: 100,
            ..ServerSettings::new(Seed::new(1))
        };
        let server = Server::bind(pools, settings).expect("a port of the loopback");
        RunningServer::start(server.address(), move || {
            server.run(&StopFlag::default(), None).expect("sockets")
        })
    })
}

/// The workbench, which keeps nothing.
fn workbench() -> &'static RunningServer {
    static BENCH: OnceLock<RunningServer> = OnceLock::new();
    BENCH.get_or_init(|| {
        let settings = WorkbenchSettings {
            listen: "127.0.0.1:0".to_string(),
            db: None,
            token: None,
            hosts: Vec::new(),
            experiments: PathBuf::from("no-experiments"),
            kinds: KINDS,
            thinkers: 1,
            seed: Seed::new(1),
            programs: Default::default(),
            judges: Default::default(),
            othello_games: None,
            othello_players: Default::default(),
        };
        let bench = Workbench::bind(settings).expect("a port of the loopback");
        RunningServer::start(bench.address(), move || bench.run(&StopFlag::default(), None).expect("sockets"))
    })
}

/// Things that forms are about: where they are made, and with what.
const MADE: &[(&str, &str)] = &[
    ("/go/new", "size=9&rules=chinese&komi=&handicap=0&black=person&white=person&clock="),
    ("/othello", "black=person&white=person"),
    ("/patterns/collections", PATTERNS),
    ("/joseki/collections", JOSEKI),
    ("/decks/sample", "which=thirty"),
    ("/patterns/drafts", "collection=new&from=shipped&name=bamboo-push"),
    ("/strings", "width=3&height=3&way=board&given="),
    ("/patterns/game", "sgf=%28%3BSZ%5B9%5D%3BB%5Bee%5D%29"),
];

/// A collection with a pattern that is called `mine`.
const PATTERNS: &str = "title=mine&text=ishi-shapes+1%0A%0Apattern+mine%0Aen+a+move%0A%3A+.+X+.%0A%3A+.+.+.%0AB+B1+0+0+normal%0A";

/// A collection with a move and its answer.
const JOSEKI: &str = "title=mine&text=ishi-joseki+1%0AB+D4+3+3+2018+normal%0A+W+F3+1+1+2018+normal%0A";

/// The address of what a form makes. Collections stand on the page of all, and have one of their own besides.
fn make_place(path: &str, form: &str) -> String {
    let answer = ask_form(path, form.as_bytes());
    let place = header(&answer, "location")
        .unwrap_or_else(|| panic!("{path} must make something: {}", String::from_utf8_lossy(&answer)));
    let Some((page, query)) = place.split_once('?') else { return place };
    let collection = query.strip_prefix("c=").filter(|_| page.matches('/').count() == 1);
    match collection {
        Some(rest) => format!("{page}/c/{}", rest.split('&').next().unwrap_or_default()),
        None => page.to_string(),
    }
}

fn header(answer: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(answer);
    let head = text.split("\r\n\r\n").next()?;
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_string())
}

fn ask_form(path: &str, body: &[u8]) -> Vec<u8> {
    let address = workbench().address;
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    send(address, &[head.as_bytes(), body].concat(), ANSWER_TIME)
}

/// Sends bytes and reads what comes until the server ends it or `time` is over.
fn send(address: SocketAddr, bytes: &[u8], time: Duration) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(time)).expect("a time that is not 0");
    // A server that refuses a request early need not read the rest.
    let _ = stream.write_all(bytes);
    let begun = Instant::now();
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    while begun.elapsed() < time {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(length) => answer.extend(&part[..length]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    answer
}

/// What comes back is HTTP and no fault of the server, if anything comes, and the server goes on.
fn check_answer(server: &RunningServer, answer: &[u8]) {
    assert!(server.is_running(), "the server has ended");
    if answer.is_empty() {
        return;
    }
    let status = status_of(answer);
    let is_right = status.is_some_and(|status| (100..600).contains(&status) && status != 500);
    assert!(is_right, "{}", String::from_utf8_lossy(answer));
}

fn status_of(answer: &[u8]) -> Option<u16> {
    let text = String::from_utf8_lossy(answer);
    let rest = text.strip_prefix("HTTP/1.1 ").or(text.strip_prefix("HTTP/1.0 "))?;
    rest.split([' ', '\r']).next()?.parse().ok()
}

/// Any bytes as a request to either server. `HOST` is its address.
pub fn check_head(bytes: &[u8]) {
    for server in [workbench(), deck_service()] {
        let request = replace_all(bytes, b"HOST", server.address.to_string().as_bytes());
        check_answer(server, &send(server.address, &request, PATIENCE));
    }
}

fn contains(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|part| part == word)
}

fn replace_all(bytes: &[u8], word: &[u8], by: &[u8]) -> Vec<u8> {
    let mut rest = bytes;
    let mut replaced = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(word) {
            replaced.extend(by);
            rest = after;
        } else {
            replaced.push(rest[0]);
            rest = &rest[1..];
        }
    }
    replaced
}

/// A form of the workbench: the first line is the path, the rest the form as it is sent. `KEY0` to `KEY7` in the path are a game of Go, one
/// of Othello, a collection of patterns, one of joseki, a table of cards, a draft of a pattern, a board of strings and a game that is searched for
/// patterns, with their rooms. In the form, and as `NAME0` to `NAME7`, they are their names. They are new for each input, so that no input depends on
/// those before.
pub fn check_form(bytes: &[u8]) {
    let Some(answer) = send_form(bytes) else { return };
    assert!(!answer.is_empty(), "no answer");
    check_answer(workbench(), &answer);
}

/// The status of the answer to such a form; `None` if it is not sent, or there is no answer.
#[must_use]
pub fn form_status(bytes: &[u8]) -> Option<u16> {
    status_of(&send_form(bytes)?)
}

/// The status and the whole text of the answer to such a form; `None` if it is not sent.
///
/// # Panics
/// If the server has ended, or does not answer in HTTP.
#[must_use]
pub fn answer_form(bytes: &[u8]) -> Option<(u16, String)> {
    let answer = send_form(bytes)?;
    assert!(workbench().is_running(), "the server has ended");
    let text = String::from_utf8_lossy(&answer).into_owned();
    Some((status_of(&answer).unwrap_or_else(|| panic!("no status in {text:?}")), text))
}

fn send_form(bytes: &[u8]) -> Option<Vec<u8>> {
    let (path, form) = make_things(bytes);
    (!starts_long_work(&path)).then(|| ask_form(&path, &form))
}

/// The path that the form of an input is sent to, after what it names was made.
#[must_use]
pub fn form_path(bytes: &[u8]) -> String {
    make_things(bytes).0
}

/// The path and the form of an input, with the names of things that are made for it.
fn make_things(bytes: &[u8]) -> (String, Vec<u8>) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let mut path: String =
        String::from_utf8_lossy(&bytes[..end]).chars().filter(char::is_ascii_graphic).collect();
    let mut form = bytes.get(end + 1..).unwrap_or_default().to_vec();
    for (number, (maker, made_with)) in MADE.iter().enumerate() {
        let (key, short) = (format!("KEY{number}"), format!("NAME{number}"));
        let is_in_input = |word: &str| path.contains(word) || contains(&form, word.as_bytes());
        if !is_in_input(&key) && !is_in_input(&short) {
            continue;
        }
        let place = make_place(maker, made_with);
        let name = place.rsplit('/').next().unwrap_or_default();
        path = path.replace(&key, &place).replace(&short, name);
        form = replace_all(&form, key.as_bytes(), name.as_bytes());
    }
    (format!("/{}", path.trim_start_matches('/')), form)
}

/// What is between the parts of an upload.
const BOUNDARY: &str = "ishi-upload-7f3a";

/// A record of Go that is uploaded as a file: it is refused, or its table can be shown and downloaded.
pub fn check_upload(bytes: &[u8]) {
    let address = workbench().address;
    let part =
        format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.sgf\"\r\n\r\n");
    let body = [part.as_bytes(), bytes, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat();
    let head = format!(
        "POST /go HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary={BOUNDARY}\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    let answer = send(address, &[head.as_bytes(), &body].concat(), ANSWER_TIME);
    assert!(!answer.is_empty(), "no answer");
    check_answer(workbench(), &answer);
    let Some(place) = header(&answer, "location") else { return };
    for part in ["", "/table", "/sgf"] {
        let shown = ask_page(&format!("{place}{part}"));
        assert!(!shown.is_empty(), "no answer for {place}{part}");
        check_answer(workbench(), &shown);
    }
}

/// The address of a page of the workbench: its path on the first line, as that of a form, and what stands behind its `?` below.
pub fn check_page_address(bytes: &[u8]) {
    let address = page_address(bytes);
    // A stream of events does not end.
    if !address.starts_with("/events") {
        let answer = ask_page(&address);
        assert!(!answer.is_empty(), "no answer");
        check_answer(workbench(), &answer);
    }
}

/// The status of the answer about such an address, and its whole text.
///
/// # Panics
/// If there is no answer in HTTP.
#[must_use]
pub fn answer_page(bytes: &[u8]) -> (u16, String) {
    let answer = ask_page(&page_address(bytes));
    let text = String::from_utf8_lossy(&answer).into_owned();
    (status_of(&answer).unwrap_or_else(|| panic!("no status in {text:?}")), text)
}

fn page_address(bytes: &[u8]) -> String {
    let (path, query) = make_things(bytes);
    let query: String = String::from_utf8_lossy(&query).chars().filter(char::is_ascii_graphic).collect();
    if query.is_empty() { path } else { format!("{path}?{query}") }
}

fn ask_page(path: &str) -> Vec<u8> {
    let address = workbench().address;
    let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    send(address, head.as_bytes(), ANSWER_TIME)
}

/// Matches and experiments that a mutant starts would outlive it, and take the time of those that follow.
fn starts_long_work(path: &str) -> bool {
    path.contains("/lab/") && path.ends_with("/start")
}

/// A request for a deck.
pub fn check_deck_request(body: &[u8]) {
    let answer = ask_deck(body);
    assert!(!answer.is_empty(), "no answer");
    check_answer(deck_service(), &answer);
}

/// The status of the answer to such a request, and its whole text.
///
/// # Panics
/// If there is no answer in HTTP.
#[must_use]
pub fn answer_deck_request(body: &[u8]) -> (u16, String) {
    let text = String::from_utf8_lossy(&ask_deck(body)).into_owned();
    (status_of(text.as_bytes()).unwrap_or_else(|| panic!("no status in {text:?}")), text)
}

fn ask_deck(body: &[u8]) -> Vec<u8> {
    let address = deck_service().address;
    let head = format!(
        "POST /v1/deck HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    send(address, &[head.as_bytes(), body].concat(), ANSWER_TIME)
}
