//! Protocols line by line: GTP of both games, NBoard, KataGo's analysis.

use ishi_analysis::protocol::AnalysisSettings;
use ishi_analysis::protocol::query::{self, AnalysisRequest};
use ishi_engine::StoppedClock;
use ishi_engine::session::NoHost;
use ishi_go_play::session::{Session, SessionSettings};
use ishi_gtp::{CommandHandler, GtpCommand, Inbox, parse_answer_head, serve_commands};
use ishi_othello_play::levels::{Level, LevelPlayer};
use ishi_othello_play::nboard::{NBoard, NBoardLine, NBoardSettings, is_ping};
use ishi_othello_play::search::{SearchParams, Searcher};
use ishi_othello_play::session::{OthelloSession, OthelloSettings};
use ishi_rng::Seed;

const SEARCH: SearchParams = SearchParams { hash_bits: 10, threads: 1 };

/// A line of the analysis protocol: every position of a query that is taken can be set up.
pub fn check_analysis_line(bytes: &[u8]) {
    if let Ok((AnalysisRequest::Query(query), _)) = query::parse_request(bytes, &AnalysisSettings::default())
    {
        for &(turn, _) in &query.turns {
            let position = query.position_at_turn(turn);
            assert_eq!(position.moves().len(), turn);
            query.allowed_moves(&position);
        }
    }
}

/// A GTP session of Go: nothing ends it, and every command is answered once, with its id.
pub fn check_go_gtp(input: &[u8]) {
    let engine =
        ishi_go_play::catalog::create_go_player("go-random", Seed::new(1)).expect("a built-in player");
    let settings = SessionSettings { judge_playouts: 5, ..SessionSettings::default() };
    let mut session = Session::new(engine, Box::new(NoHost), settings).expect("default komi");
    check_answers(&mut session, input);
}

/// The same for Othello.
pub fn check_othello_gtp(input: &[u8]) {
    let engine = ishi_othello_play::catalog::create_othello_player("othello-greedy", Seed::new(1))
        .expect("a built-in player");
    let settings = OthelloSettings { level: Level::LOWEST, search: SEARCH, ..OthelloSettings::default() };
    let mut session = OthelloSession::new(engine, Box::new(NoHost), settings);
    check_answers(&mut session, input);
}

fn check_answers(session: &mut impl CommandHandler, input: &[u8]) {
    let mut output = Vec::new();
    serve_commands(session, &mut Inbox::from_script(input), &mut output).expect("a vector takes everything");
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
}

/// An NBoard session: nothing ends it, and every ping is answered.
pub fn check_nboard(input: &[u8]) {
    let player = LevelPlayer::new(Level::LOWEST, Seed::new(1), Searcher::new(SEARCH));
    // The level is fixed, so that no `set depth` makes a case slow.
    let settings = NBoardSettings { fixed_level: true, ..NBoardSettings::default() };
    let mut inbox = Inbox::with_interrupt(is_ping);
    inbox.push_bytes(input);
    inbox.close();
    let mut output = Vec::new();
    let mut nboard = NBoard::new(player, Box::new(StoppedClock), settings);
    nboard.serve_lines(&mut inbox, &mut output).expect("a vector takes everything");
    let output = String::from_utf8(output).expect("answers are UTF-8");
    let lines = input.split(|&byte| byte == b'\n').filter_map(NBoardLine::parse);
    let pings =
        lines.take_while(|line| *line != NBoardLine::Quit).filter(|line| matches!(line, NBoardLine::Ping(_)));
    assert_eq!(output.lines().filter(|line| line.starts_with("pong ")).count(), pings.count());
}
