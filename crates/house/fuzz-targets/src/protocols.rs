//! Protocols line by line: GTP of both games and from both ends, NBoard, KataGo's analysis, what language models send to tools.

use ishi_analysis::labels::judge::{JudgeAnswer, PolicySource, label_from_answer, parse_answer};
use ishi_analysis::labels::{JudgeQuestion, Moment, PositionLabel};
use ishi_analysis::program_judge::read_report;
use ishi_analysis::protocol::AnalysisSettings;
use ishi_analysis::protocol::query::{self, AnalysisRequest};
use ishi_engine::StoppedClock;
use ishi_engine::session::NoHost;
use ishi_go::{BoardSize, Color, Position, Rules};
use ishi_go_play::session::{Session, SessionSettings};
use ishi_gtp::{
    CommandHandler, FinalScore, GenmoveAnswer, GtpClient, GtpCommand, Inbox, StoneStatus, StreamConnection,
    parse_answer_head, serve_commands,
};
use ishi_mcp::command::ToolCommand;
use ishi_mcp::tools::{AssistantTool, TOOLS};
use ishi_othello_play::levels::{Level, LevelPlayer};
use ishi_othello_play::nboard::{NBoard, NBoardLine, NBoardSettings, is_ping};
use ishi_othello_play::search::{SearchParams, Searcher};
use ishi_othello_play::session::{OthelloSession, OthelloSettings};
use ishi_patterns::records::{RecordedGame, parse_records};
use ishi_rng::Seed;
use ishi_web::load::{LoadTarget, read_http_answer};
use serde_json::Value;

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

/// The game that a judge is asked about.
const JUDGED_GAME: &str = "g\tmade\t2026\t3\t6.5\t0\t-\tB+R\t?\t?\tB\tbbcbbc\n";

/// What a program that judges positions answers, a line for each: reports have moves that can be played and figures within their bounds,
/// and a label is written so that it is read again.
pub fn check_program_answers(bytes: &[u8]) {
    let game = &parse_records(JUDGED_GAME).expect("a game")[0];
    let mut position = Position::new(game.size, Rules::CHINESE);
    for &mv in &game.moves {
        position.play(position.to_move(), mv).expect("a game");
    }
    for line in String::from_utf8_lossy(bytes).lines() {
        if let Ok(JudgeAnswer::Judged(_, answer)) = parse_answer(line) {
            check_report(&position, &answer);
            check_label(game, &answer);
        }
    }
}

fn check_report(position: &Position, answer: &Value) {
    let Ok(report) = read_report(position, answer) else { return };
    let is_share = |share: f64| (0.0..=1.0).contains(&share);
    assert!(is_share(report.win_rate));
    for told in &report.moves {
        assert!(position.is_legal(position.to_move(), told.mv), "{}", told.mv);
        assert!(is_share(told.win_rate) && is_share(told.lower_bound) && is_share(told.prior));
        let mut after = position.clone();
        for &mv in &told.variation {
            after.play(after.to_move(), mv).expect("a line can be played");
        }
    }
    let is_owner = |owner: f32| owner.abs() <= 1.02;
    assert!(
        report.ownership.iter().all(|&(point, owner)| position.size().contains(point) && is_owner(owner))
    );
}

fn check_label(game: &RecordedGame, answer: &Value) {
    for (policy, visits) in [(PolicySource::Network, 1), (PolicySource::Visits, 8)] {
        let moment = Moment::after_moves(game.moves.len());
        let question = JudgeQuestion { record: game, moment, komi: 6.5, rules: "chinese", visits, policy };
        let Ok(label) = label_from_answer(&question, answer) else { continue };
        let line = label.to_line(game.size);
        let again = PositionLabel::from_line(&line, game.size).expect("what was written can be read");
        assert_eq!(again.to_line(game.size), line);
    }
}

/// What a server answers to our client of HTTP, perhaps several answers over one connection: no more is taken than came, and an error
/// names the server.
pub fn check_http_answers(bytes: &[u8]) {
    let target = LoadTarget::new("127.0.0.1:1").expect("an address");
    let mut rest = bytes;
    loop {
        let before = rest.len();
        match read_http_answer(&target, &mut rest) {
            Ok(answer) => assert!(answer.body.len() < before - rest.len()),
            Err(error) => {
                assert!(error.to_string().contains("127.0.0.1:1"), "{error}");
                return;
            }
        }
    }
}

fn go_session() -> Session {
    let engine =
        ishi_go_play::catalog::create_go_player("go-random", Seed::new(1)).expect("a built-in player");
    let settings = SessionSettings { judge_playouts: 5, ..SessionSettings::default() };
    Session::new(engine, Box::new(NoHost), settings).expect("default komi")
}

fn othello_session() -> OthelloSession {
    let engine = ishi_othello_play::catalog::create_othello_player("othello-greedy", Seed::new(1))
        .expect("a built-in player");
    let settings = OthelloSettings { level: Level::LOWEST, search: SEARCH, ..OthelloSettings::default() };
    OthelloSession::new(engine, Box::new(NoHost), settings)
}

/// A GTP session of Go: nothing ends it, and every command is answered once, with its id.
pub fn check_go_gtp(input: &[u8]) {
    check_answers(&mut go_session(), input);
}

/// The same for Othello.
pub fn check_othello_gtp(input: &[u8]) {
    check_answers(&mut othello_session(), input);
}

/// All commands of a session of Go.
#[must_use]
pub fn list_go_commands() -> Vec<String> {
    list_commands(&mut go_session())
}

/// The same of Othello.
#[must_use]
pub fn list_othello_commands() -> Vec<String> {
    list_commands(&mut othello_session())
}

fn list_commands(session: &mut impl CommandHandler) -> Vec<String> {
    let mut output = Vec::new();
    serve_commands(session, &mut Inbox::from_script(b"list_commands\n"), &mut output)
        .expect("a vector takes everything");
    let output = String::from_utf8(output).expect("answers are UTF-8");
    output.trim_start_matches("= ").lines().filter(|line| !line.is_empty()).map(str::to_string).collect()
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

/// What an engine says to a controller: every command ends, and what is taken for an answer can be used.
pub fn check_gtp_answers(output: &[u8]) {
    const COLUMNS: usize = 9;
    const ROWS: usize = 7;
    let size = BoardSize::new(COLUMNS, ROWS).expect("2 to 25 lines");
    let mut client = GtpClient::new(StreamConnection::new(output, Vec::new()));
    let _ = (client.name(), client.version(), client.list_commands(), client.known_command("undo"));
    let is_sized = client.boardsize(size).is_ok();
    let mut points = Vec::new();
    for _ in 0..3 {
        if let Ok(GenmoveAnswer::Move(mv)) = client.genmove(Color::Black) {
            points.extend(mv.point());
        }
        points.extend(client.final_status_list(StoneStatus::Dead).unwrap_or_default());
        points.extend(client.fixed_handicap(2).unwrap_or_default());
        if let Ok(FinalScore::Win(_, margin)) = client.final_score() {
            assert!(margin > 0.0, "a win by {margin}");
        }
        let _ = (client.cputime(), client.showboard());
    }
    assert!(!is_sized || points.into_iter().all(|point| size.contains(point)), "a point off the board");
}

/// What a language model sends to a tool: the tool's name on the first line (that of none means all), then its arguments as JSON. A
/// command that comes of it has no option and no file that the model chose.
pub fn check_tool_arguments(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (name, arguments) = text.split_once('\n').unwrap_or(("", text.as_ref()));
    let Ok(Value::Object(sent)) = serde_json::from_str(arguments) else { return };
    let named = AssistantTool::find(name.trim());
    for tool in TOOLS.iter().filter(|tool| named.is_none_or(|named| named.name == tool.name)) {
        if let Ok(command) = tool.command_for(sent.clone()) {
            assert!(is_confined(&command), "{}: {command:?}", tool.name);
        }
    }
}

/// Are all words before a `--` fixed ones, options of ours or files of the command's own folder, and is its input ended by us?
fn is_confined(command: &ToolCommand) -> bool {
    let is_own_file = |word: &str| {
        let name = word.strip_prefix("{}").unwrap_or_default();
        command.files.iter().any(|(file, _)| file == name)
    };
    let is_fixed = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let is_option = |option: &str| {
        let name = option.split('=').next().unwrap_or_default();
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let mut words = command.arguments.iter().map(String::as_str).take_while(|word| *word != "--");
    let are_words_right = words.all(|word| match word.strip_prefix("--") {
        Some(option) => is_option(option),
        None => is_fixed(word) || is_own_file(word),
    });
    let is_inside = |name: &String| !name.contains(['/', '\\']) && !name.starts_with('.');
    let is_input_ended = command.input.is_empty() || command.input.ends_with("\nquit\n");
    are_words_right && command.files.iter().all(|(name, _)| is_inside(name)) && is_input_ended
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
