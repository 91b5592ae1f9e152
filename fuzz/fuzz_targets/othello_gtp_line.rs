//! No bytes end a GTP session of Othello or make it panic, and every command is answered once, with its id.
#![no_main]

use ishi_engine::session::NoHost;
use ishi_gtp::{GtpCommand, Inbox, parse_answer_head, serve_commands};
use ishi_othello_play::catalog;
use ishi_othello_play::levels::Level;
use ishi_othello_play::search::SearchParams;
use ishi_othello_play::session::{OthelloSession, OthelloSettings};
use ishi_rng::Seed;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let engine = catalog::create_othello_player("othello-greedy", Seed::new(1)).expect("a built-in player");
    let search = SearchParams { hash_bits: 10, threads: 1 };
    let settings = OthelloSettings { level: Level::LOWEST, search, ..OthelloSettings::default() };
    let mut session = OthelloSession::new(engine, Box::new(NoHost), settings);
    let mut output = Vec::new();
    serve_commands(&mut session, &mut Inbox::from_script(input), &mut output)
        .expect("a vector takes everything");
    let output = String::from_utf8(output).expect("answers are UTF-8");
    let mut answers = output.split("\n\n");
    for command in input.split(|&byte| byte == b'\n').filter_map(GtpCommand::parse) {
        let head = answers.next().and_then(|answer| answer.lines().next()).and_then(parse_answer_head);
        assert_eq!(head.expect("an answer").1, command.id);
        if command.name == "quit" && command.args.is_empty() {
            break;
        }
    }
    assert_eq!(answers.collect::<Vec<_>>(), [""], "nothing but the answers");
});
