//! Work of servers: decks that are asked for, and a game on the workbench, move by move.

use std::path::Path;

use serde_json::Value;

use super::blows::{Blow, run_server};
use super::{Outcome, Work};
use crate::deck_serve::dense;
use crate::support::http::{Client, Reply, request_text};

/// What the workbench asks its visitors for, and how they show it. The service for decks does not look at it.
const TOKEN: &str = "correct horse battery";
const SHOWN_TOKEN: (&str, &str) = ("Authorization", "Bearer correct horse battery");

/// A request as it goes over the wire, of a client that wants one answer.
struct Request<'a> {
    address: &'a str,
    text: String,
}

impl<'a> Request<'a> {
    fn get(address: &'a str, path: &str) -> Request<'a> {
        let head = [("Host", address), SHOWN_TOKEN, ("Connection", "close")];
        Request { address, text: request_text("GET", path, &head, "") }
    }

    fn post(address: &'a str, path: &str, content_type: &str, body: &str) -> Request<'a> {
        let head = [("Host", address), SHOWN_TOKEN, ("Connection", "close"), ("Content-Type", content_type)];
        Request { address, text: request_text("POST", path, &head, body) }
    }

    /// The answer, if it comes and is whole.
    fn send(&self) -> Option<Reply> {
        let mut client = Client::connect(self.address).ok()?;
        client.write(self.text.as_bytes()).ok()?;
        client.read_reply().ok()
    }

    /// Sends so many bytes and hangs up.
    fn send_part(&self, length: usize) {
        if let Ok(mut client) = Client::connect(self.address) {
            // The server may have gone, which is no fault of a client that goes, too.
            let _ = client.write(&self.text.as_bytes()[..length]);
        }
    }
}

impl Reply {
    /// Is the server overloaded, ending, or without a disk?
    fn is_refusal(&self) -> bool {
        matches!(self.status, 500 | 503)
    }

    fn to_words(&self) -> String {
        format!("{} {}", self.status, self.body.trim_end())
    }
}

/// Cards of the pool, whose scores in pairs are drawn by chance.
const PIECES: u32 = 40;

/// The last but one is a mistake, which is answered, too.
const DECK_REQUESTS: [&str; 6] = [
    r#"{"size": 4}"#,
    r#"{"size": 5}"#,
    r#"{"size": 6}"#,
    r#"{"size": 6, "fixed": ["p3"]}"#,
    r#"{"size": 0}"#,
    r#"{"size": 7}"#,
];

/// What was answered to which request: all answers to one must be the same.
#[derive(Default)]
struct DeckWork {
    answers: Vec<(usize, String)>,
}

pub(super) fn begin_decks(folder: &Path) -> Box<dyn Work> {
    std::fs::write(folder.join("dense.json"), dense(PIECES)).unwrap();
    Box::new(DeckWork::default())
}

impl DeckWork {
    fn attempt(&mut self, folder: &Path, blow: Option<&Blow>) -> Result<bool, String> {
        let args = ["deck", "serve", "dense.json", "--listen", "127.0.0.1:0", "--threads", "2"];
        run_server(folder, &args, blow, |address| self.ask_all(address, blow))
    }

    /// Were all requests answered? A client that hangs up harms no other.
    fn ask_all(&mut self, address: &str, blow: Option<&Blow>) -> Result<bool, String> {
        for (at, body) in DECK_REQUESTS.iter().enumerate() {
            let request = Request::post(address, "/v1/deck", "application/json", body);
            if let Some(blow) = blow.filter(|blow| blow.cut_request(DECK_REQUESTS.len()) == Some(at)) {
                request.send_part(blow.bytes_sent(request.text.len()));
            }
            let reply = match request.send() {
                Some(reply) if !reply.is_refusal() => reply,
                _ if blow.is_some_and(Blow::may_break_off) => return Ok(false),
                reply => {
                    let words = reply.map_or("nothing".to_string(), |reply| reply.to_words());
                    return Err(format!("{body} was answered with {words}"));
                }
            };
            self.answers.push((at, describe_deck(&reply)?));
        }
        Ok(true)
    }
}

/// Status and answer, without the time and the work that it took.
fn describe_deck(reply: &Reply) -> Result<String, String> {
    let mut answer: Value = serde_json::from_str(&reply.body).map_err(|error| {
        format!("the answer of a deck service is no JSON ({error}): {}", reply.to_words())
    })?;
    if let Some(fields) = answer.as_object_mut() {
        fields.retain(|name, _| !matches!(name.as_str(), "seconds" | "work"));
    }
    Ok(format!("{} {answer}", reply.status))
}

impl Work for DeckWork {
    fn disturb(&mut self, folder: &Path, blow: &Blow) -> Result<bool, String> {
        self.attempt(folder, Some(blow))
    }

    fn finish(&mut self, folder: &Path) -> Result<Outcome, String> {
        if !self.attempt(folder, None)? {
            return Err("the service does not start".to_string());
        }
        let mut outcome = Outcome::new();
        for (at, answer) in &self.answers {
            let first = outcome.entry(DECK_REQUESTS[*at].to_string()).or_insert_with(|| answer.clone());
            if first != answer {
                return Err(format!("{} has two answers: {first} and {answer}", DECK_REQUESTS[*at]));
            }
        }
        Ok(outcome)
    }
}

/// Moves as the form names them and as the record does.
const MOVES: [(&str, &str); 12] = [
    ("E5", "B[ee]"),
    ("D4", "W[df]"),
    ("C3", "B[cg]"),
    ("G7", "W[gc]"),
    ("H2", "B[hh]"),
    ("B7", "W[bc]"),
    ("F3", "B[fg]"),
    ("C6", "W[cd]"),
    ("G4", "B[gf]"),
    ("D7", "W[dc]"),
    ("F6", "B[fd]"),
    ("H5", "W[he]"),
];

const FORM: &str = "application/x-www-form-urlencoded";

/// What a visitor knows of a game: its address, and the moves that the server has taken.
#[derive(Default)]
struct WorkbenchWork {
    game: Option<String>,
    taken: usize,
    /// One more was sent, and no answer came.
    is_one_in_doubt: bool,
}

pub(super) fn begin_workbench(_: &Path) -> Box<dyn Work> {
    Box::new(WorkbenchWork::default())
}

impl WorkbenchWork {
    /// Gives the record, if all moves are in it.
    fn attempt(&mut self, folder: &Path, blow: Option<&Blow>) -> Result<Option<String>, String> {
        std::fs::write(folder.join("token"), TOKEN).unwrap();
        let mut args = vec!["serve", "--listen", "127.0.0.1:0", "--no-open", "--token-file", "token"];
        args.extend(["--db", "ishi.db", "--experiments", "."]);
        let mut record = None;
        run_server(folder, &args, blow, |address| {
            record = self.play_game(address, blow)?;
            Ok(record.is_some())
        })?;
        Ok(record)
    }

    /// Goes on with the game, after a look at what is there.
    fn play_game(&mut self, address: &str, blow: Option<&Blow>) -> Result<Option<String>, String> {
        let Some(game) = self.find_or_begin_game(address, blow)? else { return Ok(None) };
        if self.read_record(address, &game, blow)?.is_none() {
            return Ok(None);
        }
        while self.taken < MOVES.len() {
            if let Some(blow) = blow.filter(|blow| blow.cut_request(MOVES.len()) == Some(self.taken)) {
                self.hang_up(address, &game, blow)?;
                if self.is_one_in_doubt {
                    return Ok(None);
                }
            }
            if !self.play_move(address, &game, blow)? {
                return Ok(None);
            }
        }
        self.read_record(address, &game, blow)
    }

    /// A game that was begun without our hearing of it is left alone.
    fn find_or_begin_game(&mut self, address: &str, blow: Option<&Blow>) -> Result<Option<String>, String> {
        if self.game.is_none() {
            let form = "size=9&rules=chinese&komi=&handicap=0&black=person&white=person&clock=";
            let reply = Request::post(address, "/go/new", FORM, form).send();
            if let Some(reply) = reply_or_break("a new game", reply, 303, blow)? {
                self.game = reply.header("location").map(String::from);
            }
        }
        Ok(self.game.clone())
    }

    /// The record as the server has it. No move that was taken may be missing, and none may be there that was not sent.
    fn read_record(
        &mut self,
        address: &str,
        game: &str,
        blow: Option<&Blow>,
    ) -> Result<Option<String>, String> {
        let reply = Request::get(address, &format!("{game}/sgf")).send();
        // Reading needs no disk.
        let blow = blow.filter(|blow| !blow.is_full_disk_only());
        let Some(reply) = reply_or_break("the record", reply, 200, blow)? else { return Ok(None) };
        let moves = moves_of(&reply.body);
        let allowed = self.taken..=self.taken + usize::from(self.is_one_in_doubt);
        let are_ours = moves.iter().zip(MOVES).all(|(found, (_, written))| found == written);
        if !allowed.contains(&moves.len()) || !are_ours {
            return Err(format!("{} to {} moves were taken: {}", allowed.start(), allowed.end(), reply.body));
        }
        (self.taken, self.is_one_in_doubt) = (moves.len(), false);
        Ok(Some(reply.body))
    }

    fn next_move<'a>(&self, address: &'a str, game: &str) -> Request<'a> {
        let (at, revision) = (MOVES[self.taken].0, self.taken + 1);
        let form = format!("at={at}&tool=play&revision={revision}");
        Request::post(address, &format!("{game}/point"), FORM, &form)
    }

    /// Was the move taken?
    fn play_move(&mut self, address: &str, game: &str, blow: Option<&Blow>) -> Result<bool, String> {
        self.is_one_in_doubt = true;
        let reply = self.next_move(address, game).send();
        let is_refused = reply.as_ref().is_some_and(Reply::is_refusal);
        if reply_or_break("a move", reply, 200, blow)?.is_some() {
            self.taken += 1;
            self.is_one_in_doubt = false;
            return Ok(true);
        }
        if is_refused && blow.is_some_and(Blow::is_full_disk_only) {
            // A change that does not fit is none, and what was kept before can be seen.
            self.is_one_in_doubt = false;
            self.read_record(address, game, blow)?;
        }
        Ok(false)
    }

    /// Sends a part of the next move, or all of it, and does not wait for the answer. The server goes on answering others.
    fn hang_up(&mut self, address: &str, game: &str, blow: &Blow) -> Result<(), String> {
        let request = self.next_move(address, game);
        let sent = blow.bytes_sent(request.text.len());
        request.send_part(sent);
        self.is_one_in_doubt = sent == request.text.len();
        let reply = Request::get(address, "/go").send();
        reply_or_break("a page after a client left", reply, 200, None).map(drop)
    }
}

/// The reply, if it is as it should be; none if it does not come and the blow explains that.
fn reply_or_break(
    what: &str,
    reply: Option<Reply>,
    status: u16,
    blow: Option<&Blow>,
) -> Result<Option<Reply>, String> {
    match reply {
        Some(reply) if reply.status == status => Ok(Some(reply)),
        Some(reply) if reply.is_refusal() && blow.is_some_and(Blow::may_refuse) => Ok(None),
        Some(reply) => Err(format!("{what} was answered with {}", reply.to_words())),
        None if blow.is_some_and(Blow::may_break_off) => Ok(None),
        None => Err(format!("{what} was not answered")),
    }
}

/// The moves of a record, such as `B[ee]`.
fn moves_of(record: &str) -> Vec<String> {
    let text = record.replace(['\n', '\r'], "");
    let nodes = text.trim_end_matches(')').split(';').skip(2);
    nodes.map(String::from).collect()
}

impl Work for WorkbenchWork {
    fn disturb(&mut self, folder: &Path, blow: &Blow) -> Result<bool, String> {
        Ok(self.attempt(folder, Some(blow))?.is_some())
    }

    fn finish(&mut self, folder: &Path) -> Result<Outcome, String> {
        let record = self.attempt(folder, None)?.ok_or("the workbench does not start")?;
        Ok(Outcome::from([("the record".to_string(), record)]))
    }
}
