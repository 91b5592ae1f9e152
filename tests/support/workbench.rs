//! A workbench to test: a server on a port of its own, asked over plain HTTP.

#![allow(dead_code, missing_docs, unreachable_pub, clippy::disallowed_methods)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub use super::http::Reply;
use super::http::{Client, request_text};

pub struct Workbench {
    child: Child,
    pub address: String,
    pub db: PathBuf,
    /// What it said when it began.
    pub told: String,
    /// Shown with every request. Without it one is a stranger, unless the server asks for none.
    pub token: Option<String>,
    folder: Option<tempfile::TempDir>,
}

impl Workbench {
    /// With a database in a folder of its own.
    pub fn start() -> Workbench {
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("ishi.db");
        let mut bench = Workbench::with(&db);
        bench.folder = Some(folder);
        bench
    }

    /// With this database, for a visitor who knows the token that is kept beside it.
    pub fn with(db: &Path) -> Workbench {
        let mut bench = Workbench::with_options(db, "127.0.0.1:0", &[]);
        bench.token = Some(kept_token(db));
        bench
    }

    /// With this database, listening there, with further options, for a stranger.
    pub fn with_options(db: &Path, listen: &str, options: &[&str]) -> Workbench {
        let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../experiments");
        let mut child = Command::new(env!("CARGO_BIN_EXE_ishi"))
            .args(["serve", "--listen", listen, "--no-open", "--seed", "1", "--db"])
            .arg(db)
            .arg("--experiments")
            .arg(experiments)
            .args(options)
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(|line| line.unwrap());
        let mut told = String::new();
        let address = loop {
            let line = lines.next().expect("it says where it listens");
            told += &format!("{line}\n");
            if let Some((_, rest)) = line.split_once("http://") {
                break rest.split(',').next().unwrap().replace("0.0.0.0", "127.0.0.1");
            }
        };
        let more = if options.contains(&"--no-token") { 1 } else { 2 };
        for line in lines.by_ref().take(more) {
            told += &format!("{line}\n");
        }
        std::thread::spawn(move || lines.for_each(drop));
        Workbench { child, address, db: db.to_path_buf(), told, token: None, folder: None }
    }

    /// Ends the server and starts another one with the same database.
    pub fn restart(mut self) -> Workbench {
        let (db, folder) = (self.db.clone(), self.folder.take());
        drop(self);
        let mut bench = Workbench::with(&db);
        bench.folder = folder;
        bench
    }

    /// Ends the server as whoever started it would, and waits until it has.
    pub fn end(mut self) {
        let told = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(told.success());
        self.child.wait().unwrap();
    }

    /// Its threads, where the system tells them.
    pub fn thread_count(&self) -> Option<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        status.lines().find_map(|line| line.strip_prefix("Threads:"))?.trim().parse().ok()
    }

    /// The path that the address leads to that lets a visitor in once.
    pub fn entry_path(&self) -> String {
        let (_, rest) = self.told.split_once("/enter?code=").expect("it tells an address");
        format!("/enter?code={}", rest.split(' ').next().unwrap())
    }

    /// The line in the head of a request that shows the token, with its end.
    pub fn token_line(&self) -> String {
        let line = |token: &String| format!("Authorization: Bearer {token}\r\n");
        self.token.as_ref().map(line).unwrap_or_default()
    }

    pub fn ask(&self, method: &str, path: &str, head: &[(&str, &str)], body: &str) -> Reply {
        let shown = self.token.as_ref().map(|token| format!("Bearer {token}"));
        let token = shown.as_deref().map(|shown| ("Authorization", shown));
        self.ask_as_stranger(method, path, &token.iter().chain(head).copied().collect::<Vec<_>>(), body)
    }

    /// Without the token.
    pub fn ask_as_stranger(&self, method: &str, path: &str, head: &[(&str, &str)], body: &str) -> Reply {
        let has = |wanted: &str| head.iter().any(|(name, _)| *name == wanted);
        let mut all = vec![("Connection", "close")];
        if !has("Host") {
            all.push(("Host", &self.address));
        }
        if method == "POST" && !has("Content-Type") {
            all.push(("Content-Type", "application/x-www-form-urlencoded"));
        }
        all.extend_from_slice(head);
        let mut client = Client::to(&self.address);
        client.write(request_text(method, path, &all, body).as_bytes()).unwrap();
        client.receive()
    }

    /// A whole page; it must be there.
    pub fn page(&self, path: &str) -> String {
        let reply = self.ask("GET", path, &[], "");
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        check_page(path, &reply.body);
        reply.body
    }

    /// The same in Japanese.
    pub fn japanese(&self, path: &str) -> String {
        let reply = self.ask("GET", path, &[("Cookie", "lang=ja")], "");
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        assert!(reply.body.contains("<html lang=\"ja\""), "{path}");
        reply.body
    }

    /// A part of a page, as htmx asks for it.
    pub fn part(&self, path: &str) -> Reply {
        self.ask("GET", path, &[("HX-Request", "true")], "")
    }

    /// A form, as a browser sends it without scripts.
    pub fn form(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        self.ask("POST", path, &[], &encode(fields))
    }

    /// A form, as htmx sends it.
    pub fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        self.ask("POST", path, &[("HX-Request", "true")], &encode(fields))
    }

    /// Asks for a part again and again until it says something.
    pub fn until(&self, path: &str, words: &str) -> String {
        let begun = Instant::now();
        loop {
            let reply = self.part(path);
            if reply.body.contains(words) {
                return reply.body;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(300),
                "{path} never says {words:?}: {}",
                reply.body
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The token that is kept beside a database.
pub fn kept_token(db: &Path) -> String {
    let path = format!("{}.token", db.display());
    std::fs::read_to_string(path).expect("the token is kept").trim().to_string()
}

impl Drop for Workbench {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reply {
    /// Where the browser is sent, by a redirection or by htmx's header.
    pub fn place(&self) -> &str {
        self.header("location")
            .or(self.header("hx-redirect"))
            .unwrap_or_else(|| panic!("it leads nowhere: {self:?}"))
    }

    /// The part that came; an error is none.
    pub fn part(&self) -> &str {
        assert_eq!(self.status, 200, "{}", self.body);
        assert!(!self.body.contains("<html"), "a whole page where a part was asked for");
        assert_eq!(self.header("hx-retarget"), None, "{}", self.body);
        &self.body
    }

    /// The words of an error with this status. What a person may do by mistake is told to htmx as words for the message line.
    pub fn refused(&self, status: u16) -> &str {
        let is_told = matches!(status, 409 | 422) && self.header("hx-retarget") == Some("#message");
        assert!(self.status == status || self.status == 200 && is_told, "{} {}", self.status, self.body);
        assert!(!self.body.trim().is_empty());
        &self.body
    }
}

pub fn encode(fields: &[(&str, &str)]) -> String {
    let text = |text: &str| -> String {
        text.bytes()
            .map(|byte| {
                if byte.is_ascii_alphanumeric() { (byte as char).to_string() } else { format!("%{byte:02X}") }
            })
            .collect()
    };
    fields.iter().map(|(name, value)| format!("{}={}", text(name), text(value))).collect::<Vec<_>>().join("&")
}

/// The value of the first hidden field of this name.
pub fn hidden(page: &str, name: &str) -> String {
    let field = format!("type=\"hidden\" name=\"{name}\" value=\"");
    let (_, rest) = page.split_once(&field).unwrap_or_else(|| panic!("no field {name} in {page}"));
    rest.split('"').next().unwrap().to_string()
}

/// What every page keeps to: one first heading, nothing that the policy forbids, no id twice, names for what is filled in.
pub fn check_page(path: &str, page: &str) {
    assert_eq!(page.matches("<h1").count(), 1, "{path}: one first heading");
    for forbidden in [" style=\"", "<style", " onclick=", "javascript:"] {
        assert!(!page.contains(forbidden), "{path}: {forbidden}");
    }
    let mut ids: Vec<&str> =
        page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "{path}: an id stands twice");
    for rest in page.split(" for=\"").skip(1) {
        let id = rest.split('"').next().unwrap();
        assert!(ids.binary_search(&id).is_ok(), "{path}: a label for {id:?}, which is not there");
    }
}
