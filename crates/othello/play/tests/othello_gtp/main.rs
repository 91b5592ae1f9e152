//! The GTP session of Othello: transcripts, the documentation, and whatever a fuzzer writes. The tests are those of the
//! session of Go.

#![allow(clippy::disallowed_methods)]

#[path = "../../../../go/play/tests/gtp/document.rs"]
mod document;
#[path = "../../../../go/play/tests/gtp/host.rs"]
mod host;
#[path = "../../../../go/play/tests/gtp/hostile.rs"]
mod hostile;
#[path = "../../../../go/play/tests/gtp/transcript.rs"]
mod transcript;

use std::path::PathBuf;

use host::TestHost;
use ishi_gtp::{Inbox, ServeEnd, serve_commands};
use ishi_othello_play::catalog;
use ishi_othello_play::levels::Level;
use ishi_othello_play::search::SearchParams;
pub(crate) use ishi_othello_play::session::all_commands;
use ishi_othello_play::session::{OthelloSession, OthelloSettings};
use ishi_rng::Seed;

/// The player of transcripts, and one that does not search.
const ENGINE: &str = "othello:level=2,hash=12,book=no";
const PLAIN: &str = "othello-greedy";
/// Players for lines that nobody should send, and the answer to 50,000 passes and `last_move`.
const HOSTILE: [&str; 3] = ["othello-random", "othello-greedy", "othello:depth=1,exact=0,win_loss=0,hash=10"];
const LONG: &str = "?1 move 1: illegal move: black may not pass: there are legal moves, such as d3\n\n\
                    ?2 no move has been played\n\n";
/// Where transcripts stand, and the commands' documentation.
const SCRIPTS: &str = "tests/othello";
const PAGE: &str = "docs/protocols.md";
const CHAPTER: &str = "GTP for Othello\n";

/// White must pass after Black's last move.
const PASSES: &str = "(;GM[2]FF[4];B[f5];W[f6];B[d3];W[f4];B[e3];W[d6];B[f7];W[e6];B[e7];W[d7];B[c6])";

/// A session with small searches.
fn session(engine: &str) -> OthelloSession {
    let host = TestHost::default();
    let files = [
        ("game.sgf", PASSES),
        ("go.sgf", "(;GM[1];B[dd])"),
        ("bad.sgf", "(;GM[2];B[f5];W[f5])"),
        ("text.txt", "none"),
    ];
    for (name, text) in files {
        host.files.lock().unwrap().insert(name.to_string(), text.into());
    }
    let settings = OthelloSettings {
        level: Level::LOWEST,
        search: SearchParams { hash_bits: 12, threads: 1 },
        ..OthelloSettings::default()
    };
    OthelloSession::new(
        catalog::create_othello_player(engine, Seed::new(1)).unwrap(),
        Box::new(host),
        settings,
    )
}

/// What the session answers to these bytes.
fn answers(session: &mut OthelloSession, input: &[u8]) -> (String, ServeEnd) {
    let mut output = Vec::new();
    let ended = serve_commands(session, &mut Inbox::from_script(input), &mut output).unwrap();
    (String::from_utf8(output).unwrap(), ended)
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..")
}
