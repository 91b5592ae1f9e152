//! Attacks: what strangers do to a server that others use. None of it keeps a visitor out, reads a file, or puts markup into a page.
//!
//! Here a visitor is served while it goes on. How soon is measured: `ishi visit --own` fails where a page takes more than a second among strangers, and
//! `.ci/run` does so.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use ishi_othello::Position;
use ishi_othello::wthor::{WthorNames, WthorNamesKind};
use ishi_sgf::othello_records::{
    OthelloFormat, OthelloRecord, WthorDirectory, read_records, write_records, wthor_lists,
};
use serde_json::json;

use crate::deck_serve::Server;
use crate::support::damage::flip_bit_at;
use crate::support::workbench::{Workbench, encode, hidden, kept_token};
use crate::web_othello::heard;

const TOKEN: &str = "correct horse battery";

/// A visitor is served in much less. Slow senders are hung up on after 30 seconds anyway: a server that waits for that has lost.
const PATIENCE: Duration = Duration::from_secs(20);

/// Connections after which it is looked whether visitors are still served.
const LOOK_EVERY: usize = 100;

// --- floods ---

/// Every connection is an open file of this process: floods come one after the other.
fn wait_for_turn() -> MutexGuard<'static, ()> {
    static FLOOD: Mutex<()> = Mutex::new(());
    FLOOD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A connection that begins so.
fn open_connection(address: &str, beginning: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    // It may be sent away at once.
    let _ = stream.write_all(beginning.as_bytes());
    stream
}

/// Opens so many connections that begin in one of these ways, go on with a letter now and then, and never finish.
fn flood(address: &str, count: usize, beginnings: &[&str], assert_serves: impl Fn()) {
    let mut senders = Vec::new();
    for number in 1..=count {
        senders.push(open_connection(address, beginnings[number % beginnings.len()]));
        if number % LOOK_EVERY == 0 {
            for sender in &mut senders {
                let _ = sender.write_all(b"a");
            }
            assert_serves();
        }
    }
}

/// A workbench that asks for a token, and a visitor who has given it.
struct GuardedSite {
    bench: Workbench,
    cookie: String,
    _place: tempfile::TempDir,
}

impl GuardedSite {
    fn start() -> GuardedSite {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("token");
        std::fs::write(&file, TOKEN).unwrap();
        let options = ["--token-file", file.to_str().unwrap()];
        let bench = Workbench::with_options(&place.path().join("ishi.db"), "127.0.0.1:0", &options);
        let cookie = enter_with_token(&bench);
        GuardedSite { bench, cookie, _place: place }
    }

    /// The visitor gets a page, and a newcomer can enter.
    fn assert_serves(&self) {
        let begun = Instant::now();
        let page = self.bench.ask("GET", "/go", &[("Cookie", &self.cookie)], "");
        assert_eq!(page.status, 200, "{}", page.body);
        enter_with_token(&self.bench);
        assert!(begun.elapsed() < PATIENCE, "served after {:?}", begun.elapsed());
    }

    fn flood(&self, count: usize, beginnings: &[&str]) {
        flood(&self.bench.address, count, beginnings, || self.assert_serves());
    }
}

/// The cookie of who gives the token.
fn enter_with_token(bench: &Workbench) -> String {
    let entered = bench.form("/enter", &[("token", TOKEN)]);
    assert_eq!(entered.status, 303, "{}", entered.body);
    entered.header("set-cookie").unwrap().split(';').next().unwrap().to_string()
}

const HALF_HEADS: [&str; 3] = ["", "G", "GET /go HTTP/1.1\r\nHost: x\r\nX-Slow: "];

#[test]
fn slow_heads_keep_nobody_out() {
    let _turn = wait_for_turn();
    GuardedSite::start().flood(600, &HALF_HEADS);
}

#[test]
fn bodies_without_end_keep_nobody_out() {
    let _turn = wait_for_turn();
    let site = GuardedSite::start();
    let head = format!("Host: {}\r\nContent-Type: application/x-www-form-urlencoded\r\n", site.bench.address);
    let known = format!("POST /enter HTTP/1.1\r\n{head}Content-Length: 1000\r\n\r\ntoken=");
    let chunked = format!("POST /enter HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\nfffff\r\ntoken=");
    let elsewhere = format!("POST /go/new HTTP/1.1\r\n{head}Content-Length: 1000\r\n\r\nsize=");
    site.flood(300, &[&known, &chunked, &elsewhere]);
}

#[test]
fn event_streams_of_strangers_keep_nobody_out() {
    let _turn = wait_for_turn();
    let site = GuardedSite::start();
    let ask = |cookie: &str| {
        format!(
            "GET /events?topics=go/nothing/en HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\n\r\n",
            site.bench.address
        )
    };
    let mut own = open_connection(&site.bench.address, &ask(&site.cookie));
    own.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut head = [0; 12];
    own.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
    let name = site.cookie.split('=').next().unwrap();
    site.flood(300, &[&ask(&format!("{name}=1-guessed")), &ask("")]);
    assert!(is_open(&mut own), "who was let in stays");
}

/// Is the other side still there, with or without something to say?
fn is_open(stream: &mut TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let mut bytes = [0; 4096];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => return matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        }
    }
}

#[test]
fn slow_heads_keep_nobody_out_of_the_server_of_decks() {
    let _turn = wait_for_turn();
    let server = Server::start(&["garden.json"], &["--quiet", "--connections", "4"]);
    let half_body = "POST /v1/deck HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
    flood(&server.address, 300, &["", HALF_HEADS[2], half_body], || {
        let begun = Instant::now();
        assert_eq!(server.ask("GET", "/healthz", "").status, 200);
        assert_eq!(server.ask("POST", "/v1/deck", r#"{"size": 2}"#).status, 200);
        assert!(begun.elapsed() < PATIENCE, "served after {:?}", begun.elapsed());
    });
}

// --- bombs ---

/// The status that is answered to these bytes. The server may have heard enough before it has read all.
fn answer_status(address: &str, bytes: &[u8]) -> u16 {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.unwrap_or_else(|| panic!("no status in {answer:?}"))
}

/// A form that is sent with these lines in its head.
fn form_request(address: &str, path: &str, head: &str, body: &[u8]) -> Vec<u8> {
    let mut request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n{head}\r\n"
    )
    .into_bytes();
    request.extend_from_slice(body);
    request
}

fn sized_request(address: &str, path: &str, head: &str, body: &[u8]) -> Vec<u8> {
    form_request(address, path, &format!("Content-Length: {}\r\n{head}", body.len()), body)
}

#[test]
fn what_is_too_large_is_refused() {
    let site = GuardedSite::start();
    let (address, cookie) = (&site.bench.address, format!("Cookie: {}\r\n", site.cookie));
    let large = format!("text={}", "a".repeat(5 << 20)).into_bytes();
    assert_eq!(answer_status(address, &sized_request(address, "/decks", &cookie, &large)), 413);
    let mut in_chunks = format!("{:x}\r\n", large.len()).into_bytes();
    in_chunks.extend_from_slice(&large);
    in_chunks.extend_from_slice(b"\r\n0\r\n\r\n");
    let head = format!("Transfer-Encoding: chunked\r\n{cookie}");
    assert_eq!(answer_status(address, &form_request(address, "/decks", &head, &in_chunks)), 413);
    // Strangers have less to say.
    let token = format!("token={}", "a".repeat(100_000)).into_bytes();
    assert_eq!(answer_status(address, &sized_request(address, "/enter", "", &token)), 413);
    // Nothing that is sent is unpacked.
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all("a".repeat(16 << 20).as_bytes()).unwrap();
    let bomb = packer.finish().unwrap();
    let head = format!("Content-Encoding: gzip\r\n{cookie}");
    let status = answer_status(address, &sized_request(address, "/decks", &head, &bomb));
    assert!((400..500).contains(&status), "{status}");
    site.assert_serves();
}

// --- other sites, names and files ---

const CHANGES: [&str; 19] = [
    "/go/practice/add",
    "/go/practice/x-1/grade",
    "/go/practice/x-1/forget",
    "/go",
    "/go/new",
    "/go/start",
    "/othello",
    "/othello/open",
    "/othello/practice/add",
    "/othello/openings",
    "/othello/openings/answer",
    "/lab/m",
    "/lab/m/estimate",
    "/decks",
    "/decks/learn",
    "/phone",
    "/patterns/collections",
    "/joseki/collections",
    "/settings",
];

#[test]
fn other_sites_and_other_names_change_and_read_nothing() {
    let bench = Workbench::start();
    let sites = [
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ];
    for path in CHANGES {
        for site in sites {
            assert_eq!(bench.ask("POST", path, &[site], "title=x").status, 403, "{path} {site:?}");
        }
    }
    let port = bench.address.rsplit(':').next().unwrap();
    for name in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example@localhost"]
    {
        let name = format!("{name}:{port}");
        for (method, path) in
            [("GET", "/"), ("GET", "/go"), ("POST", "/go/new"), ("GET", "/events?topics=go/x/en")]
        {
            assert_eq!(
                bench.ask(method, path, &[("Host", name.as_str())], "").status,
                421,
                "{name} {method} {path}"
            );
        }
    }
}

/// Places where a key stands; the star is it.
const KEYED: [&str; 24] = [
    "/go/*",
    "/go/*/table",
    "/go/*/sgf",
    "/go/*/html",
    "/go/*/level",
    "/go/problems/*",
    "/go/practice/*",
    "/othello/*",
    "/othello/*/game.sgf",
    "/othello/practice/*",
    "/strings/*",
    "/strings/*/certificate.txt",
    "/decks/*",
    "/decks/*/decks.json",
    "/decks/*/deck-1.txt",
    "/patterns/c/*/text",
    "/patterns/p/shipped/*",
    "/patterns/edit/*",
    "/patterns/game/*",
    "/joseki/c/*/text",
    "/lab/m/*",
    "/lab/games/*",
    "/lab/e/*/quick/report",
    "/assets/x/*",
];

#[test]
fn no_key_is_a_path() {
    let bench = Workbench::start();
    for key in [
        "../../../../etc/passwd",
        "..%2f..%2f..%2f..%2fetc%2fpasswd",
        "%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "%2fetc%2fpasswd",
        "..%5c..%5cetc%5cpasswd",
        "..%252f..%252fetc%252fpasswd",
        "..%c0%af..%c0%afetc%c0%afpasswd",
    ] {
        for place in KEYED {
            let path = place.replace('*', key);
            let reply = bench.ask("GET", &path, &[], "");
            assert!((400..500).contains(&reply.status), "{path}: {} {}", reply.status, reply.body);
            assert!(!reply.body.contains("root:"), "{path}: {}", reply.body);
        }
    }
    for path in ["/patterns?c=..%2f..%2fetc%2fpasswd", "/joseki?c=..%2f..%2fetc%2fpasswd"] {
        let status = bench.ask("GET", path, &[], "").status;
        assert!((400..500).contains(&status), "{path}: {status}");
    }
}

/// A key may have any letters: none of them ends a header or is too much for one.
#[test]
fn no_key_ends_a_header() {
    let bench = Workbench::start();
    for key in ["x%0D%0ASet-Cookie:%20a=b", "x%00", "%E5%9B%B2", "%7F"] {
        for place in ["/lab/m/*/stop", "/lab/e/*/quick/stop", "/decks/*/stop"] {
            let path = place.replace('*', key);
            let reply = bench.form(&path, &[]);
            assert!(reply.status < 500, "{path}: {} {}", reply.status, reply.body);
            assert_ne!(reply.header("set-cookie"), Some("a=b"), "{path}");
        }
    }
}

// --- markup in texts ---

/// Ends an attribute and begins elements, if a page lets it.
const MARKUP: &str = "<script>alert(1)</script>\"><img onerror=alert(2)>";

fn assert_is_harmless(what: &str, body: &str) {
    for tag in ["<script>alert", "<img onerror"] {
        assert!(!body.contains(tag), "{what}: {tag} got into the page: {body}");
    }
}

/// A page that shows the text, as text.
fn assert_shows_markup(bench: &Workbench, path: &str) {
    let page = bench.page(path);
    assert_is_harmless(path, &page);
    assert!(page.contains("&lt;script&gt;alert(1)"), "{path} does not show the text: {page}");
}

#[test]
fn markup_in_records_stays_text() {
    let bench = Workbench::start();
    let texts: String =
        ["PB", "PW", "BR", "WR", "EV", "PC", "GN", "C"].map(|name| format!("{name}[{MARKUP}]")).concat();
    let sgf = format!("(;GM[1]SZ[9]{texts}LB[aa:{MARKUP}];B[ee]N[{MARKUP}]C[{MARKUP}]LB[bb:{MARKUP}])");
    let part = format!("--x\r\nContent-Disposition: form-data; name=\"sgf\"\r\n\r\n{sgf}\r\n--x--\r\n");
    let opened = bench.ask("POST", "/go", &[("Content-Type", "multipart/form-data; boundary=x")], &part);
    let table = opened.place().to_string();
    assert_shows_markup(&bench, &table);
    bench.post(&format!("{table}/do/last"), &[]).part();
    for path in [table.as_str(), "/go", "/"] {
        assert_shows_markup(&bench, path);
    }
    let shared = bench.ask("GET", &format!("{table}/html"), &[], "");
    assert_eq!(shared.status, 200);
    assert_is_harmless("the shared page", &shared.body);
    let collection = new_collection(&bench);
    let searched = bench.form("/patterns/game", &[("sgf", sgf.as_str()), ("c", collection.as_str())]);
    for path in [searched.place(), "/patterns/game"] {
        assert_shows_markup(&bench, path);
    }
    let ggf = format!(
        "(;GM[Othello]PC[{MARKUP}]DT[2002.02.02]PB[{MARKUP}]PW[{MARKUP}]RE[+12.00]TI[5:00]TY[8]\
         BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1.5]W[D6/0.5/2]B[C3];)"
    );
    let opened = bench.form("/othello/open", &[("text", &ggf)]);
    assert_is_harmless("what is said of GGF", &opened.body);
    assert_is_harmless("a game from GGF", &bench.page(opened.place()));
    let othello = format!("(;GM[2]PB[{MARKUP}]PW[{MARKUP}];B[f5];W[d6])");
    let game = bench.form("/othello/open", &[("text", &othello)]).place().to_string();
    assert_shows_markup(&bench, &game);
    assert_shows_markup(&bench, "/othello");
}

/// A pattern all of whose words are markup.
fn pattern_text() -> String {
    let rows = ": ? . . .\n: . X O .\n: . O X .\n: . . . .\n---------\n";
    format!(
        "ishi-shapes 1\n\npattern mine\nsource {MARKUP}\nen {MARKUP}\nja {MARKUP}\n{rows}B C1 0 0 normal\n en {MARKUP}\n ja {MARKUP}\n"
    )
}

/// A collection with such a title and such a pattern; its key.
fn new_collection(bench: &Workbench) -> String {
    let made = bench.form("/patterns/collections", &[("title", MARKUP), ("text", &pattern_text())]);
    made.place().rsplit('=').next().unwrap().to_string()
}

#[test]
fn markup_in_patterns_and_titles_stays_text() {
    let bench = Workbench::start();
    let key = new_collection(&bench);
    let searched = encode(&[("c", key.as_str()), ("q", "<script>alert(1)"), ("source", MARKUP)]);
    for path in [
        format!("/patterns?c={key}"),
        format!("/patterns?{searched}"),
        format!("/patterns/p/{key}/mine"),
        format!("/patterns/game?c={key}&{}", encode(&[("pattern", MARKUP)])),
        format!("/lab/games?{}", encode(&[("player", MARKUP)])),
    ] {
        assert_shows_markup(&bench, &path);
    }
    let begun = bench.form("/patterns/drafts", &[("collection", key.as_str()), ("name", "mine")]);
    assert_shows_markup(&bench, begun.place());
    let joseki = bench.form("/joseki/collections", &[("title", MARKUP)]).place().to_string();
    assert_shows_markup(&bench, &joseki);
    let ten = "MSAtMC4yNSAwLjEgMC4wNSAtMC4yNSAwLjAxIDAuMDEgMC4wNSAwLjAyIDAuNQ==";
    bench.form("/othello/evaluations", &[("base64", ten), ("title", MARKUP)]).place();
    assert_shows_markup(&bench, "/othello");
}

/// What the form says of a text that it refuses: the text, as text.
fn assert_quotes_markup(bench: &Workbench, path: &str, fields: &[(&str, &str)]) {
    let refused = bench.form(path, fields);
    assert_eq!(refused.status, 422, "{fields:?}: {}", refused.body);
    assert_is_harmless(path, &refused.body);
    assert!(refused.body.contains("&lt;s"), "{fields:?} is not quoted: {}", refused.body);
}

#[test]
fn markup_in_joseki_stays_text() {
    let bench = Workbench::start();
    let words = |indent: &str| format!("{indent}en {MARKUP}\n{indent}ja {MARKUP}\n");
    let text =
        format!("ishi-joseki 1\nB D4 1 1 2018 normal\n{} W F3 1 1 2018 normal\n{}", words(" "), words("  "));
    let made = bench.form("/joseki/collections", &[("title", "mine"), ("text", &text)]);
    let place = made.place().to_string();
    let key = place.split("c=").nth(1).unwrap().split('&').next().unwrap();
    for line in ["", "bD4", "bD4.wF3"] {
        assert_shows_markup(&bench, &format!("/joseki?c={key}&line={line}"));
    }
    let broken = format!("ishi-joseki 1\n{MARKUP}\n");
    assert_quotes_markup(&bench, "/joseki/collections", &[("title", "mine"), ("text", &broken)]);
}

#[test]
fn markup_in_transcripts_and_positions_of_othello_stays_text() {
    let bench = Workbench::start();
    let board = "---------------------------OX------XO--------------------------- X;";
    let with_remark = format!("{board} F5:+0; {MARKUP};");
    let opened = bench.form("/othello/open", &[("text", &with_remark)]);
    assert_is_harmless("a position with a remark", &bench.page(opened.place()));
    for text in [format!("f5d6 {MARKUP}"), format!("f5d6\n{MARKUP}\n"), format!("{board} F5:{MARKUP};")] {
        assert_quotes_markup(&bench, "/othello/open", &[("text", &text)]);
    }
}

/// WTHOR keeps names in lists of their own. They come into a page with a record of another format.
#[test]
fn markup_in_names_of_wthor_stays_text() {
    const NAME: &str = "<script>alert(1)<b>";
    let mut record = OthelloRecord::from_game(Position::from_transcript("f5d6c3").unwrap());
    record.date = "2001".to_string();
    (record.black, record.white, record.event) = (NAME.to_string(), "Ann".to_string(), NAME.to_string());
    let records = [record];
    let database = write_records(OthelloFormat::Wthor, &records).unwrap();
    let mut directory = WthorDirectory::default();
    for (ending, bytes) in wthor_lists(&records).unwrap() {
        let (names, kind) = match ending {
            "jou" => (&mut directory.players, WthorNamesKind::Players),
            _ => (&mut directory.tournaments, WthorNamesKind::Tournaments),
        };
        *names = WthorNames::from_bytes(kind, &bytes).unwrap();
    }
    let read = read_records("games.wtb", &database, &directory).unwrap();
    assert_eq!((read[0].black.as_str(), read[0].event.as_str()), (NAME, NAME));
    let bench = Workbench::start();
    for format in [OthelloFormat::Ggf, OthelloFormat::Sgf] {
        let text = String::from_utf8(write_records(format, &read).unwrap()).unwrap();
        let game = bench.form("/othello/open", &[("text", &text)]).place().to_string();
        assert_shows_markup(&bench, &game);
    }
    assert_shows_markup(&bench, "/othello");
}

#[test]
fn markup_in_decks_stays_text() {
    let bench = Workbench::start();
    let pool = json!({
        "name": MARKUP,
        "attributes": [MARKUP],
        "pieces": [
            {"name": MARKUP, "cost": {"cost": 3}, "attributes": [MARKUP]},
            {"name": "Bee", "cost": {"cost": 4}},
            {"name": "Cat", "cost": {"cost": 5}}
        ],
        "pairs": {"list": [[MARKUP, "Bee", 7], ["Bee", "Cat", 2]]}
    });
    let table = bench.form("/decks", &[("text", &pool.to_string())]).place().to_string();
    assert_shows_markup(&bench, &table);
    bench.post(&format!("{table}/build"), &[("size_least", "2"), ("size_most", "2"), ("leader", "none")]);
    bench.until(&table, "best, proved");
    for path in [table.as_str(), &format!("{table}/pairs?deck=1"), "/decks"] {
        assert_shows_markup(&bench, path);
    }
    let picture = bench.ask("GET", &format!("{table}/pairs-1.svg"), &[], "");
    assert_eq!(picture.status, 200);
    assert_is_harmless("the picture", &picture.body);
}

/// What is refused is quoted: as text.
#[test]
fn markup_in_refused_input_stays_text() {
    let bench = Workbench::start();
    let mut seats = go_form(MARKUP, "person");
    seats.push(("black_spec", ""));
    let mut komi = go_form("person", "person");
    komi.retain(|(name, _)| *name != "komi");
    komi.push(("komi", MARKUP));
    for (path, fields) in [
        ("/go/new", seats),
        ("/go/new", komi),
        ("/lab/m", match_form("go", MARKUP, "go-random")),
        ("/othello", vec![("black", MARKUP), ("white", "person")]),
        ("/decks", vec![("text", MARKUP)]),
        ("/patterns/collections", vec![("title", "mine"), ("text", MARKUP)]),
        ("/joseki/collections", vec![("title", "mine"), ("text", MARKUP)]),
    ] {
        let reply = bench.form(path, &fields);
        assert_eq!(reply.status, 422, "{path} {fields:?}: {}", reply.body);
        assert_is_harmless(path, &reply.body);
    }
    let missing = bench.ask("GET", "/go/%3Cscript%3Ealert(1)%3C%2Fscript%3E", &[], "");
    assert_eq!(missing.status, 404);
    assert_is_harmless("a table that is not there", &missing.body);
}

/// A draft may have a name that no library takes.
#[test]
fn markup_as_the_name_of_a_pattern_stays_text() {
    let bench = Workbench::start();
    let key = new_collection(&bench);
    let begun = bench.form("/patterns/drafts", &[("collection", key.as_str()), ("name", "mine")]);
    let draft = begun.place().to_string();
    let page = bench.page(&draft);
    let (revision, path) = (hidden(&page, "revision"), hidden(&page, "path"));
    let seen = [("revision", revision.as_str()), ("path", path.as_str()), ("do", "facts"), ("seen", "0")];
    let words = [("name", MARKUP), ("source", "me"), ("en", ""), ("ja", "")];
    let told = bench.post(&draft, &[seen, words].concat());
    assert_is_harmless("the editor", told.part());
    assert_shows_markup(&bench, &draft);
    let revision = hidden(&bench.page(&draft), "revision");
    let saved = bench.form(&format!("{draft}/save"), &[("revision", revision.as_str())]);
    assert_eq!(saved.status, 422, "{}", saved.body);
    assert_is_harmless("what the library says", &saved.body);
}

/// Runs are called what a command was told, and a damaged one is shown by its name.
#[test]
fn markup_in_names_of_runs_stays_text() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("ishi.db");
    let broken = format!("broken {MARKUP}");
    let mut store = ishi_lab::store::Store::open(&db).unwrap();
    for (name, player) in [(MARKUP, "player of whole"), (broken.as_str(), "player of broken")] {
        store.start_run(name, "match", &json!({ "a": player, "b": MARKUP })).unwrap();
    }
    drop(store);
    flip_bit_at(&db, "player of broken", 0);

    let bench = Workbench::with(&db);
    for path in ["/lab", "/lab/games", "/damaged"] {
        assert_shows_markup(&bench, path);
    }
    assert_eq!(bench.form("/damaged/forget", &[("name", broken.as_str())]).place(), "/damaged");
    assert!(bench.page("/damaged").contains("Nothing is damaged"));
}

// --- greed ---

/// The form of a new game of Go.
fn go_form<'a>(black: &'a str, white: &'a str) -> Vec<(&'static str, &'a str)> {
    vec![
        ("size", "9"),
        ("rules", "chinese"),
        ("komi", ""),
        ("handicap", "0"),
        ("black", black),
        ("white", white),
        ("clock", ""),
    ]
}

/// The laboratory's form of a match.
fn match_form<'a>(game: &'static str, a: &'a str, b: &'a str) -> Vec<(&'static str, &'a str)> {
    vec![("game", game), ("a", a), ("b", b), ("pairs", "1"), ("size", "5"), ("rules", "chinese")]
}

const GREEDY_GO: [&str; 12] = [
    "go-mcts:threads=256",
    "go-mcts:memory=17592186044416",
    "go-mcts:playouts=1000000000000",
    "go-flat:playouts=18446744073709551615",
    "go-network:visits=100000000",
    "go-network:batch=1024",
    "go-mcts:playouts=1000000",
    "go-mcts:proofs=1000000",
    "go-mcts:limit=100",
    "go-mcts:tenure=1000",
    "go-knowledge:nodes=1000000",
    "go-rank:by=search-1000000",
];

const GREEDY_OTHELLO: [&str; 5] = ["hash=30", "threads=256", "exact=60", "win_loss=60", "depth=60"];

/// Every field that names a player refuses one that would take the machine, and says what the most is.
#[test]
fn players_that_would_take_the_machine_are_refused() {
    let bench = Workbench::start();
    let assert_refuses = |path: &str, fields: &[(&str, &str)]| {
        let reply = bench.form(path, fields);
        let words = reply.refused(422);
        assert!(words.contains("is more than this server gives a player"), "{path} {fields:?}: {words}");
    };
    for player in GREEDY_GO {
        assert_refuses("/go/new", &go_form(player, "person"));
        assert_refuses("/go/new", &go_form("person", player));
        for (seat, spec) in [("black", "black_spec"), ("white", "white_spec")] {
            let mut fields = go_form("person", "person");
            fields.retain(|(name, _)| *name != seat);
            fields.extend([(seat, "spec"), (spec, player)]);
            assert_refuses("/go/new", &fields);
        }
        assert_refuses("/lab/m", &match_form("go", player, "go-random"));
        assert_refuses("/lab/m", &match_form("go", "go-random", player));
    }
    for params in GREEDY_OTHELLO {
        let named = format!("othello:{params}");
        let player = named.as_str();
        assert_refuses("/othello", &[("black", player), ("white", "person")]);
        assert_refuses("/othello", &[("black", "person"), ("white", player)]);
        assert_refuses("/othello", &[("black", "othello"), ("black_params", params), ("white", "person")]);
        assert_refuses("/othello", &[("black", "person"), ("white", "othello"), ("white_params", params)]);
        assert_refuses("/lab/m", &match_form("othello", player, "othello-random"));
        assert_refuses("/lab/m", &match_form("othello", "othello-random", player));
    }
    assert_refuses("/go/start", &[("at", "E5"), ("rank", "15k,threads=100000")]);
    bench.page("/go");
}

#[test]
fn numbers_without_bounds_do_no_harm() {
    let bench = Workbench::start();
    let digits = u64::MAX.to_string();
    let most = digits.as_str();
    for path in ["/lab/games?page=", "/patterns?page="] {
        bench.page(&format!("{path}{most}"));
    }
    let game = bench.form("/go/new", &go_form("person", "person")).place().to_string();
    let forward = bench.post(&format!("{game}/do/pass"), &[("revision", "1"), ("node", most)]);
    assert!((400..500).contains(&forward.status), "{}", forward.status);
    for (path, fields) in [
        ("/strings", vec![("width", most), ("way", "plain")]),
        ("/othello/open", vec![("text", "f5d6"), ("number", most)]),
        ("/lab/m", [match_form("go", "go-random", "go-random"), vec![("opening", most)]].concat()),
        ("/lab/m", [match_form("go", "go-random", "go-random"), vec![("komi", "1e9")]].concat()),
        ("/lab/m", match_form("xx", "go-random", "go-random")),
        (
            "/go/new",
            vec![
                ("size", "9"),
                ("rules", "chinese"),
                ("komi", "1e9"),
                ("handicap", "0"),
                ("black", "person"),
                ("white", "person"),
                ("clock", ""),
            ],
        ),
    ] {
        let status = bench.form(path, &fields).status;
        assert!((400..500).contains(&status), "{path}: {status}");
    }
    bench.page("/");
}

/// Rooms go through all moves of a record for a page: one without end would hold a thread of the server each time.
#[test]
fn records_without_end_are_refused() {
    let bench = Workbench::start();
    let sgf = format!("(;GM[1]SZ[9]{})", ";B[];W[]".repeat(12_000));
    let part = format!("--x\r\nContent-Disposition: form-data; name=\"sgf\"\r\n\r\n{sgf}\r\n--x--\r\n");
    let opened = bench.ask("POST", "/go", &[("Content-Type", "multipart/form-data; boundary=x")], &part);
    assert_eq!(opened.status, 422, "{}", opened.body);
    let searched = bench.form("/patterns/game", &[("sgf", sgf.as_str())]);
    assert_eq!(searched.status, 422, "{}", searched.body);
    assert!(searched.body.contains("24000 moves"), "{}", searched.body);
    let othello = format!("(;GM[2]{})", ";B[f5];W[d6]".repeat(12_000));
    let replayed = bench.form("/othello/open", &[("text", &othello)]);
    assert!((400..500).contains(&replayed.status), "{}", replayed.body);
    // Nested as deeply as it goes.
    let nested = format!("{}{}", "(;B[aa]".repeat(100_000), ")".repeat(100_000));
    for (path, field) in [("/patterns/game", "sgf"), ("/othello/open", "text"), ("/decks", "text")] {
        let status = bench.form(path, &[(field, nested.as_str())]).status;
        assert!((400..500).contains(&status), "{path}: {status}");
    }
    bench.page("/");
}

/// Its moves are short, but a pair of games takes far longer than anybody waits.
const ENDLESS: &str = "go-mcts:playouts=2000,settle=no,resign=0";

/// With one thread a workbench plays four matches at a time.
const MATCHES_AT_A_TIME: usize = 4;
const MATCHES_WAITING: usize = 12;

fn start_endless_match(bench: &Workbench) -> Option<String> {
    let mut fields = match_form("go", ENDLESS, ENDLESS);
    fields.retain(|(name, _)| !matches!(*name, "pairs" | "size"));
    fields.extend([("pairs", "100000"), ("size", "25")]);
    let reply = bench.form("/lab/m", &fields);
    if reply.status == 303 {
        return Some(reply.place().to_string());
    }
    assert!(reply.refused(503).contains("too many matches"), "{}", reply.body);
    None
}

/// A hundred matches without end: as many are accepted as can take turns, with a bounded number of threads. A small match of another visitor beside them
/// ends, and so does one among them.
#[test]
fn matches_without_end_starve_no_other() {
    let place = tempfile::tempdir().unwrap();
    let db = place.path().join("ishi.db");
    let mut bench = Workbench::with_options(&db, "127.0.0.1:0", &["--threads", "1"]);
    bench.token = Some(kept_token(&db));
    let before = bench.thread_count();
    let accepted: Vec<String> = (0..100).filter_map(|_| start_endless_match(&bench)).collect();
    assert_eq!(accepted.len(), MATCHES_AT_A_TIME + MATCHES_WAITING);
    if let (Some(before), Some(now)) = (before, bench.thread_count()) {
        // One that has begun has two, and the server some for its files.
        assert!(now < before + 2 * accepted.len() + 20, "{before} threads became {now}");
    }
    let listed = bench.page("/lab").matches("href=\"/lab/m/").count();
    assert_eq!(listed, accepted.len(), "what was refused is in no list");
    // Another visitor, who comes with a cookie, is no worse off for that.
    let entered = bench.ask_as_stranger("GET", &bench.entry_path(), &[], "");
    let cookie = entered.header("set-cookie").unwrap().split(';').next().unwrap().to_string();
    let form = encode(&match_form("go", "go-random", "go-capture"));
    let other = bench.ask_as_stranger("POST", "/lab/m", &[("Cookie", &cookie)], &form);
    assert_eq!(other.status, 303, "{}", other.body);
    bench.until(&format!("{}/state", other.place()), "1/1");
    bench.form(&format!("{}/stop", accepted[0]), &[]);
    let begun = Instant::now();
    let small = loop {
        let reply = bench.form("/lab/m", &match_form("go", "go-random", "go-random"));
        if reply.status == 303 {
            break reply;
        }
        assert!(begun.elapsed() < PATIENCE, "a match that was stopped makes no room: {}", reply.body);
        std::thread::sleep(Duration::from_millis(100));
    };
    bench.until(&format!("{}/state", small.place()), "1/1");
}

/// So many searches of each sort go on at a time, with one thread as well.
const SEARCHES_AT_A_TIME: usize = 4;

/// Somebody who looks at this page, in English, as long as the connection is there.
fn look_at(bench: &Workbench, path: &str) -> TcpStream {
    bench.page(path);
    let (topic, token) = (path.trim_start_matches('/'), bench.token_line());
    let head = format!("GET /events?topics={topic}/en HTTP/1.1\r\nHost: {}\r\n{token}\r\n", bench.address);
    open_connection(&bench.address, &head)
}

/// Waits until so many searches go on.
fn await_searches(bench: &Workbench, count: usize) {
    let (begun, told) = (Instant::now(), format!("\"searches\":{count},"));
    loop {
        let health = bench.ask("GET", "/healthz", &[], "").body;
        if health.contains(&told) {
            return;
        }
        assert!(begun.elapsed() < 5 * PATIENCE, "{count} searches do not begin: {health}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Boards and analyses that go on for minutes, as many of each as have places, and somebody looks at all of them: another analysis comes on.
#[test]
fn searches_without_end_starve_no_analysis() {
    let place = tempfile::tempdir().unwrap();
    let db = place.path().join("ishi.db");
    let mut bench = Workbench::with_options(&db, "127.0.0.1:0", &["--threads", "1"]);
    bench.token = Some(kept_token(&db));
    let begin_board = |_| {
        let board = bench.form("/strings", &[("width", "48"), ("height", "48"), ("way", "board")]);
        look_at(&bench, board.place())
    };
    let boards: Vec<TcpStream> = (0..SEARCHES_AT_A_TIME).map(begin_board).collect();
    await_searches(&bench, SEARCHES_AT_A_TIME);
    let begin_analysis = |_| {
        let game = bench.form("/othello/open", &[("text", "f5d6c3d3c4")]).place().to_string();
        let looks = look_at(&bench, &game);
        bench.post(&format!("{game}/level"), &[("level", "20")]);
        looks
    };
    let games: Vec<TcpStream> = (0..SEARCHES_AT_A_TIME).map(begin_analysis).collect();
    await_searches(&bench, 2 * SEARCHES_AT_A_TIME);
    let game = bench.form("/othello/open", &[("text", "f5d6c3d3c4")]).place().to_string();
    bench.page(&game);
    heard(&bench, &game, "study", "data-line");
    drop((boards, games));
}

/// A move of it takes longer than anybody waits.
const SLOW: &str = "go-mcts:playouts=200000,settle=no,resign=0";

/// Somebody asks again and again how long a slow match would take. Pages, and what others ask of a board, come all the same.
#[test]
fn slow_questions_keep_nobody_waiting() {
    let place = tempfile::tempdir().unwrap();
    let db = place.path().join("ishi.db");
    let mut bench = Workbench::with_options(&db, "127.0.0.1:0", &["--threads", "1"]);
    bench.token = Some(kept_token(&db));
    let mut fields = match_form("go", SLOW, SLOW);
    fields.retain(|(name, _)| *name != "size");
    fields.push(("size", "19"));
    let form = encode(&fields);
    let (token, length) = (bench.token_line(), form.len());
    let question = format!(
        "POST /lab/m/estimate HTTP/1.1\r\nHost: {}\r\n{token}HX-Request: true\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{form}",
        bench.address
    );
    let mut questions: Vec<TcpStream> = (0..6).map(|_| open_connection(&bench.address, &question)).collect();
    // The first of them has been heard when others behind it are served.
    let game = bench.form("/go/new", &go_form("person", "person")).place().to_string();
    let begun = Instant::now();
    for path in ["/strings", "/lab", game.as_str()] {
        bench.page(path);
    }
    bench.part(&format!("{game}/level?level=groups")).part();
    assert!(begun.elapsed() < PATIENCE, "served after {:?}", begun.elapsed());
    // A move without an end does not hold up its answer.
    let (mut answer, asked) = (String::new(), &mut questions[0]);
    asked.set_read_timeout(Some(5 * PATIENCE)).unwrap();
    let mut bytes = [0; 4096];
    while !answer.contains("More than") {
        let count = asked.read(&mut bytes).expect("an answer in time");
        assert!(count > 0, "{answer}");
        answer += &String::from_utf8_lossy(&bytes[..count]);
    }
}

// --- guesses ---

#[test]
fn wrong_tokens_are_slowed_down_and_the_right_one_works_again() {
    let site = GuardedSite::start();
    let give = |token: &str| site.bench.form("/enter", &[("token", token)]);
    for _ in 0..10 {
        assert_eq!(give("wrong").status, 403);
    }
    // Where the machine is slow, one more may have become free meanwhile.
    assert!((0..20).any(|_| give("wrong").status == 429), "nobody stops who guesses");
    let page = site.bench.ask("GET", "/go", &[("Cookie", &site.cookie)], "");
    assert_eq!(page.status, 200, "who is known needs no token");
    let begun = Instant::now();
    while give(TOKEN).status != 303 {
        assert!(begun.elapsed() < PATIENCE, "the right token does not work again");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(give("wrong").status, 403, "the right one is forgiven those before it");
}
