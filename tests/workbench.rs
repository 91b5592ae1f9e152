//! The workbench: what it answers to whom, over plain HTTP; and its pages in a real browser, if there is one.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

const ISHI: &str = env!("CARGO_BIN_EXE_ishi");

/// A running server; it is killed when it is dropped.
struct Workbench {
    child: Child,
    /// Kept open, so that the server can go on telling.
    told: BufReader<ChildStderr>,
    address: String,
    first_lines: String,
}

impl Workbench {
    fn start(place: &Path, options: &[&str]) -> Workbench {
        let mut child = Command::new(ISHI)
            .args(["serve", "--no-open", "--db"])
            .arg(place.join("ishi.db"))
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stderr.take().unwrap());
        let mut first_lines = String::new();
        let mut lines = 1 + usize::from(!options.iter().any(|option| option.starts_with("127.0.0.1")));
        while lines > 0 && told.read_line(&mut first_lines).unwrap() > 0 {
            lines -= 1;
        }
        let after =
            first_lines.split("http://").nth(1).unwrap_or_else(|| panic!("no address in {first_lines:?}"));
        let address = after.split([',', '\n', ' ']).next().unwrap().replace("0.0.0.0", "127.0.0.1");
        Workbench { child, told, address, first_lines }
    }

    /// Sends a request and returns status, head and body.
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_ascii_lowercase(), body.to_string())
    }

    fn post(&self, path: &str, body: &str) -> (u16, String, String) {
        self.ask("POST", path, &[("Content-Type", "application/x-www-form-urlencoded")], body)
    }

    fn get(&self, path: &str) -> (u16, String, String) {
        self.ask("GET", path, &[], "")
    }

    /// A new game of two people; its path.
    fn game(&self) -> String {
        let form = "size=9&rules=chinese&komi=&handicap=0&black=person&white=person&clock=";
        let (status, head, body) = self.post("/go/new", form);
        assert_eq!(status, 303, "{body}");
        let place = head.split("location: ").nth(1).unwrap();
        place.split("\r\n").next().unwrap().to_string()
    }
}

impl Drop for Workbench {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let mut rest = String::new();
        let _ = self.told.read_to_string(&mut rest);
    }
}

fn here(place: &Path) -> Workbench {
    Workbench::start(place, &["--listen", "127.0.0.1:0"])
}

#[test]
fn only_pages_of_ours_may_change_something() {
    let place = tempfile::tempdir().unwrap();
    let bench = here(place.path());
    assert_eq!(bench.get("/").0, 200);
    assert_eq!(bench.ask("GET", "/", &[("Host", "evil.example")], "").0, 421);
    let form = "application/x-www-form-urlencoded";
    for headers in [
        [("Content-Type", form), ("Origin", "http://evil.example")],
        [("Content-Type", form), ("Sec-Fetch-Site", "cross-site")],
    ] {
        assert_eq!(bench.ask("POST", "/go/new", &headers, "size=9").0, 403, "{headers:?}");
    }
    let (_, head, _) = bench.get("/go");
    for header in
        ["content-security-policy: default-src 'self'", "x-content-type-options: nosniff", "no-store"]
    {
        assert!(head.contains(header), "{header} is missing in {head}");
    }
}

#[test]
fn strangers_must_give_the_token_once() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("token");
    std::fs::write(&file, "correct horse battery\n").unwrap();
    let bench =
        Workbench::start(place.path(), &["--listen", "127.0.0.1:0", "--token-file", file.to_str().unwrap()]);
    let (status, head, _) = bench.get("/go");
    assert_eq!((status, head.contains("location: /enter")), (303, true), "{head}");
    assert_eq!(bench.post("/enter", "token=wrong").0, 403);
    let (status, head, _) = bench.post("/enter", "token=correct+horse+battery");
    assert_eq!(status, 303);
    let cookie = head.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap().to_string();
    assert!(!cookie.contains("horse") && head.contains("httponly"), "{head}");
    assert_eq!(bench.ask("GET", "/go", &[("Cookie", &cookie)], "").0, 200);
}

#[test]
fn other_addresses_than_this_machine_get_a_token() {
    let place = tempfile::tempdir().unwrap();
    let bench = Workbench::start(place.path(), &["--listen", "0.0.0.0:0"]);
    assert!(bench.first_lines.contains("visitors are asked for this token: "), "{}", bench.first_lines);
    assert_eq!(bench.get("/").0, 303);
    let short = place.path().join("short");
    std::fs::write(&short, "abc").unwrap();
    let output = Command::new(ISHI).args(["serve", "--no-open", "--token-file"]).arg(short).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("a token has 12 characters or more"));
}

#[test]
fn what_was_done_outlives_the_server_and_an_older_page_is_told() {
    let place = tempfile::tempdir().unwrap();
    let bench = here(place.path());
    let game = bench.game();
    assert_eq!(bench.post(&format!("{game}/point"), "at=E5&tool=play&revision=1").0, 200);
    let (status, _, body) = bench.post(&format!("{game}/point"), "at=D4&tool=play&revision=1");
    assert_eq!(status, 409, "{body}");
    assert!(body.contains("changed in another tab"), "{body}");
    drop(bench);
    let bench = here(place.path());
    let (_, _, sgf) = bench.get(&format!("{game}/sgf"));
    assert!(sgf.contains(";B[ee])"), "{sgf}");
}

#[test]
fn bad_input_is_answered_in_words() {
    let place = tempfile::tempdir().unwrap();
    let bench = here(place.path());
    let game = bench.game();
    let point = format!("{game}/point");
    assert_eq!(bench.post(&point, "at=E5&tool=play").0, 200);
    for (path, body, status, words) in [
        (point.as_str(), "at=E5&tool=play", 422, "a black stone stands there"),
        (&point, "at=Z99&tool=play", 422, "Z99"),
        ("/go/new", "size=99&rules=chinese&komi=&handicap=0&black=person&white=person&clock=", 422, "99"),
        (
            "/go/new",
            "size=9&rules=chinese&komi=x&handicap=0&black=person&white=person&clock=",
            422,
            "is no number",
        ),
        (
            "/go/new",
            "size=9&rules=chinese&komi=&handicap=0&black=go-mtcs&white=person&clock=",
            422,
            "go-mtcs",
        ),
        (
            "/go/new",
            "size=9&rules=chinese&komi=&handicap=0&black=person&white=person&clock=5x",
            422,
            "invalid time",
        ),
        ("/go/nowhere/point", "at=E5", 404, "there is no table nowhere"),
    ] {
        let (found, _, text) = bench.post(path, body);
        assert_eq!(found, status, "{path} {body}: {text}");
        assert!(text.contains(words), "{path} {body}: {text}");
    }
    // Scripts are told in a line of their own, in the language of who asks.
    let headers = [
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("HX-Request", "true"),
        ("Cookie", "lang=ja"),
    ];
    let (status, head, text) = bench.ask("POST", &point, &headers, "at=D4&tool=play&revision=1");
    assert_eq!((status, head.contains("hx-retarget: #message")), (200, true));
    assert!(text.contains("別のタブ"), "{text}");
    assert_eq!(bench.get("/nothing").0, 404);
    assert_eq!(bench.get("/assets/x/../../etc/passwd").0, 404);
}

#[test]
fn hostile_records_do_no_harm() {
    let place = tempfile::tempdir().unwrap();
    let bench = here(place.path());
    let headers = [("Content-Type", "multipart/form-data; boundary=x")];
    let open = |sgf: &str| {
        let body = format!("--x\r\nContent-Disposition: form-data; name=\"sgf\"\r\n\r\n{sgf}\r\n--x--\r\n");
        bench.ask("POST", "/go", &headers, &body)
    };
    for sgf in ["", "nonsense", "(;GM[2])", "(;SZ[30])", &"(".repeat(100_000)] {
        let (status, ..) = open(sgf);
        assert!((400..500).contains(&status), "{} bytes: {status}", sgf.len());
    }
    let (status, ..) = open(&format!("(;SZ[9]{})", ";B[aa]".repeat(30_000)));
    assert_eq!(status, 422, "too many nodes");
    let (status, head, _) =
        open("(;SZ[9]PB[<script>alert(1)</script>]C[<img src=x onerror=alert(1)>];B[ee])");
    assert_eq!(status, 303);
    let game = head.split("location: ").nth(1).unwrap().split("\r\n").next().unwrap().to_string();
    let (_, _, page) = bench.get(&game);
    assert!(
        !page.contains("<script>alert") && !page.contains("<img src=x"),
        "markup of a record got into the page"
    );
    let large = "x".repeat(5 << 20);
    let (status, ..) = open(&large);
    assert!(status == 413 || status == 422, "{status}");
    assert_eq!(bench.get("/go").0, 200);
}

fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients")
}

#[test]
fn pages_work_in_a_real_browser() {
    let browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    let ready = clients().join("node_modules/playwright-core").exists()
        && browsers.iter().any(|browser| Path::new(browser).exists())
        && Command::new("node").arg("-v").output().is_ok();
    if !ready {
        let what = "node, chromium and playwright-core (npm ci --prefix tests/clients)";
        writeln!(std::io::stderr(), "SKIPPED: needs {what}").unwrap();
        return;
    }
    let output = Command::new("node").arg(clients().join("pages.mjs")).arg(ISHI).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.lines().filter(|line| line.starts_with("ok ")).count() >= 9, "{told}");
}

/// Ports that are asked for by number are told, too.
#[test]
fn a_port_that_is_taken_is_said_so() {
    let place = tempfile::tempdir().unwrap();
    let bench = here(place.path());
    let again = Command::new(ISHI)
        .args(["serve", "--no-open", "--listen", &bench.address, "--db"])
        .arg(place.path().join("other.db"))
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(4));
    let words = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(words.contains(&format!("cannot listen on {}", bench.address)), "{words}");
}
