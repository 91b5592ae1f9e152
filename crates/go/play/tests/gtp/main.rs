//! The GTP session: transcripts, the documentation, and whatever a fuzzer writes.

#![allow(clippy::disallowed_methods)]

mod document;
mod host;
mod hostile;
mod spectators;
mod transcript;

use std::path::PathBuf;

use host::TestHost;
use ishi_go::BoardSize;
use ishi_go_play::catalog;
pub(crate) use ishi_go_play::session::all_commands;
use ishi_go_play::session::{Session, SessionSettings};
use ishi_gtp::{Inbox, ServeEnd, serve_commands};
use ishi_rng::Seed;

/// The player of transcripts, and one that does not search.
const ENGINE: &str = "go-flat:playouts=200";
const PLAIN: &str = "go-random";
/// Players for lines that nobody should send, and the answer to 50,000 passes and `last_move`.
const HOSTILE: [&str; 3] = ["go-random", "go-capture", "go-flat:playouts=5"];
const LONG: &str = "=1\n\n=2 white pass\n\n";
/// Where transcripts stand, and the commands' documentation.
const SCRIPTS: &str = "tests/gtp";
const PAGE: &str = "docs/protocols.md";
const CHAPTER: &str = "GTP for Go\n";

/// Moves, a set-up in the middle, and a handicap that the record's own stones make up.
const RECORD: &str = "(;GM[1]FF[4]SZ[9]KM[5.5]RU[Japanese];B[cg];W[gc];B[ee];W[gg]AW[cc];B[dd])";

/// A session on 9x9 with small searches.
fn session(engine: &str) -> Session {
    let host = TestHost::default();
    host.files.lock().unwrap().insert("game.sgf".to_string(), RECORD.into());
    host.files.lock().unwrap().insert("text.txt".to_string(), b"no record".to_vec());
    let settings = SessionSettings {
        size: BoardSize::square(9).unwrap(),
        judge_playouts: 100,
        ..SessionSettings::default()
    };
    Session::new(catalog::create_go_player(engine, Seed::new(1)).unwrap(), Box::new(host), settings).unwrap()
}

/// What the session answers to these bytes.
fn answers(session: &mut Session, input: &[u8]) -> (String, ServeEnd) {
    let mut output = Vec::new();
    let ended = serve_commands(session, &mut Inbox::from_script(input), &mut output).unwrap();
    (String::from_utf8(output).unwrap(), ended)
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..")
}
