//! No bytes end a GTP session or make it panic, and every command is answered once, with its id.
#![no_main]

use ishi_engine::session::NoHost;
use ishi_go_play::catalog;
use ishi_go_play::session::{Session, SessionSettings};
use ishi_gtp::{GtpCommand, Inbox, parse_answer_head, serve_commands};
use ishi_rng::Seed;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let engine = catalog::create_go_player("go-random", Seed::new(1)).expect("a built-in player");
    let settings = SessionSettings { judge_playouts: 5, ..SessionSettings::default() };
    let mut session = Session::new(engine, Box::new(NoHost), settings).expect("default komi");
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
