//! Known answers: what every engine must say to what every controller may send. Each check says in its note what it
//! rests on, where that is not plain; sections are those of the GTP 2 specification, draft 2.

use ishi_go::{BoardSize, Move};
use ishi_gtp::FinalScore;

use super::talk::{CheckTrouble, EngineTalk, GtpReply, TalkResult};

/// A check: its name and what it does. It gives a remark.
pub(super) type ProtocolCheck = (&'static str, fn(&mut EngineTalk) -> TalkResult<String>);

/// In this order.
pub(super) const CHECKS: &[ProtocolCheck] = &[
    ("protocol version", check_protocol_version),
    ("name and version", check_name_and_version),
    ("required commands", check_required_commands),
    ("known_command", check_known_command),
    ("unknown command", check_unknown_command),
    ("ids", check_ids),
    ("comments and blank lines", check_comments_and_blank_lines),
    ("tabs and carriage returns", check_tabs_and_carriage_returns),
    ("commands written ahead", check_commands_written_ahead),
    ("long comment", check_long_comment),
    ("wrong arguments", check_wrong_arguments),
    ("board sizes", check_board_sizes),
    ("refused board sizes", check_refused_board_sizes),
    ("board of 25 lines", check_board_of_25_lines),
    ("komi", check_komi),
    ("colours and vertices in any case", check_any_case),
    ("same colour twice", check_same_colour_twice),
    ("vertices off the board", check_vertices_off_the_board),
    ("occupied points", check_occupied_points),
    ("captures", check_captures),
    ("suicide", check_suicide),
    ("ko", check_ko),
    ("clear_board", check_clear_board),
    ("undo", check_undo),
    ("genmove", check_genmove),
    ("genmove after passes", check_genmove_after_passes),
    ("handicap", check_handicap),
    ("time", check_time),
    ("final_score", check_final_score),
];

/// After everything else.
pub(super) const LAST: &[ProtocolCheck] =
    &[("nothing but answers", check_nothing_but_answers), ("quit", check_quit)];

fn fail_check<T>(why: impl Into<String>) -> TalkResult<T> {
    Err(CheckTrouble::Failed(why.into()))
}

fn pass_check() -> TalkResult<String> {
    Ok(String::new())
}

/// Sizes of board that are tried; an engine may be made for one of them.
const SIZES: [(usize, &str); 3] = [(9, "J9"), (13, "N13"), (19, "T19")];

/// An empty board, of 9 lines if the engine has that; gives its size.
fn set_up_empty_board(talk: &mut EngineTalk) -> TalkResult<usize> {
    for (size, _) in SIZES {
        if talk.ask(&format!("boardsize {size}"))?.ok {
            talk.require_done("clear_board")?;
            return Ok(size);
        }
    }
    fail_check("boards of 9, 13 and 19 lines are refused")
}

fn check_protocol_version(talk: &mut EngineTalk) -> TalkResult<String> {
    match talk.require_done("protocol_version")?.as_str() {
        "2" => pass_check(),
        "1" => Ok("version 1: answers of a later version may be missing".to_string()),
        other => fail_check(format!("{other:?} is no version; 2 would be right")),
    }
}

fn check_name_and_version(talk: &mut EngineTalk) -> TalkResult<String> {
    let name = talk.require_done("name")?;
    let version = talk.require_done("version")?;
    if name.is_empty() || name.contains('\n') {
        return fail_check(format!("the name is {name:?}; one line of text would be right"));
    }
    Ok(format!("{name} {version}").trim().to_string())
}

/// Section 4.1: commands that must be there.
const REQUIRED: [&str; 11] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
];

fn check_required_commands(talk: &mut EngineTalk) -> TalkResult<String> {
    let list = talk.require_done("list_commands")?;
    let missing: Vec<&str> =
        REQUIRED.into_iter().filter(|name| !list.split_whitespace().any(|listed| listed == *name)).collect();
    if missing.is_empty() {
        return Ok(format!("{} commands", list.split_whitespace().count()));
    }
    fail_check(format!("not listed: {}", missing.join(", ")))
}

fn check_known_command(talk: &mut EngineTalk) -> TalkResult<String> {
    for (command, wanted) in [("known_command play", "true"), ("known_command make_tea", "false")] {
        let answer = talk.require_done(command)?;
        if answer != wanted {
            return fail_check(format!("\"{command}\" was answered {answer:?}; {wanted} would be right"));
        }
    }
    pass_check()
}

fn check_unknown_command(talk: &mut EngineTalk) -> TalkResult<String> {
    talk.require_refusal("make_tea")?;
    talk.require_done("name")?;
    pass_check()
}

fn check_reply_head(reply: &GtpReply, ok: bool, id: Option<&str>) -> TalkResult {
    if reply.ok == ok && reply.id.as_deref() == id {
        return Ok(());
    }
    let sign = if ok { "=" } else { "?" };
    fail_check(format!("the answer should begin with {sign}{}, it is {reply:?}", id.unwrap_or_default()))
}

fn check_ids(talk: &mut EngineTalk) -> TalkResult<String> {
    for (line, ok, id) in [
        ("17 name", true, Some("17")),
        ("name", true, None),
        ("0 name", true, Some("0")),
        ("2147483647 name", true, Some("2147483647")),
        ("18 make_tea", false, Some("18")),
    ] {
        talk.send_line(line)?;
        check_reply_head(&talk.read_reply()?, ok, id)?;
    }
    pass_check()
}

/// Lines without a command get no answer: the next answer must be that of the next command.
fn check_comments_and_blank_lines(talk: &mut EngineTalk) -> TalkResult<String> {
    for line in ["", "    ", "# a comment", "   # another"] {
        talk.send_unanswered_line(line)?;
    }
    expect_answer(talk, "protocol_version # which one?", "2")?;
    expect_answer(talk, "known_command play", "true")?;
    pass_check()
}

/// Section 2.5: tabs are spaces, other control characters are removed.
fn check_tabs_and_carriage_returns(talk: &mut EngineTalk) -> TalkResult<String> {
    expect_answer(talk, "known_command \t play\t\r", "true")?;
    pass_check()
}

/// Sends a line without an id; the next answer must be this.
fn expect_answer(talk: &mut EngineTalk, line: &str, wanted: &str) -> TalkResult {
    talk.send_line(line)?;
    expect_reply_text(&talk.read_reply()?, wanted)
}

fn expect_reply_text(reply: &GtpReply, wanted: &str) -> TalkResult {
    if reply.ok && reply.text == wanted {
        return Ok(());
    }
    fail_check(format!("{:?} was answered; {wanted} would be right", reply.text))
}

fn check_commands_written_ahead(talk: &mut EngineTalk) -> TalkResult<String> {
    const PAIRS: usize = 25;
    for _ in 0..PAIRS {
        talk.send_line("protocol_version")?;
        talk.send_line("known_command play")?;
    }
    for _ in 0..PAIRS {
        expect_reply_text(&talk.read_reply()?, "2")?;
        expect_reply_text(&talk.read_reply()?, "true")?;
    }
    pass_check()
}

/// Nothing limits the length of a line (section 2.1), and comments are to be passed over.
fn check_long_comment(talk: &mut EngineTalk) -> TalkResult<String> {
    talk.send_unanswered_line(&format!("# {}", "a long story ".repeat(400)))?;
    expect_answer(talk, "protocol_version", "2")?;
    expect_answer(talk, "known_command play", "true")?;
    pass_check()
}

fn check_wrong_arguments(talk: &mut EngineTalk) -> TalkResult<String> {
    set_up_empty_board(talk)?;
    for command in [
        "boardsize",
        "boardsize nine",
        "komi",
        "komi much",
        "play",
        "play black",
        "play green D4",
        "play black 44",
        "play black D",
        "genmove",
        "genmove green",
    ] {
        talk.require_refusal(command)?;
    }
    // Nothing has been played.
    talk.require_done("play white D4")?;
    pass_check()
}

fn check_board_sizes(talk: &mut EngineTalk) -> TalkResult<String> {
    let mut accepted = Vec::new();
    for (size, corner) in SIZES {
        if talk.ask(&format!("boardsize {size}"))?.ok {
            talk.require_done("clear_board")?;
            talk.require_done(&format!("play black {corner}"))?;
            talk.require_refusal(&format!("play white A{}", size + 1))?;
            accepted.push(size.to_string());
        }
    }
    if accepted.is_empty() {
        return fail_check("boards of 9, 13 and 19 lines are refused");
    }
    Ok(format!("{} lines", accepted.join(", ")))
}

fn check_refused_board_sizes(talk: &mut EngineTalk) -> TalkResult<String> {
    for size in ["0", "-3", "1000", "100000000000"] {
        talk.require_refusal(&format!("boardsize {size}"))?;
    }
    set_up_empty_board(talk)?;
    pass_check()
}

fn check_board_of_25_lines(talk: &mut EngineTalk) -> TalkResult<String> {
    let reply = talk.ask("boardsize 25")?;
    if !reply.ok {
        set_up_empty_board(talk)?;
        return Err(CheckTrouble::Skipped(format!("refused, as an engine may: {}", reply.text)));
    }
    talk.require_done("clear_board")?;
    talk.require_done("play black Z25")?;
    talk.require_done("play white A1")?;
    ask_move(talk, "black", 25)?;
    set_up_empty_board(talk)?;
    pass_check()
}

fn check_komi(talk: &mut EngineTalk) -> TalkResult<String> {
    for komi in ["6.5", "0", "-5", "7"] {
        talk.require_done(&format!("komi {komi}"))?;
    }
    pass_check()
}

/// Section 2.11: case does not matter.
fn check_any_case(talk: &mut EngineTalk) -> TalkResult<String> {
    set_up_empty_board(talk)?;
    for command in ["play B c3", "play w C4", "play BLACK D4", "play White d5", "play b PASS", "play W pass"]
    {
        talk.require_done(command)?;
    }
    pass_check()
}

/// Section 4.3: consecutive moves of one colour are legal for the protocol.
fn check_same_colour_twice(talk: &mut EngineTalk) -> TalkResult<String> {
    set_up_empty_board(talk)?;
    for command in ["play black C3", "play black D3", "play black E3"] {
        talk.require_done(command)?;
    }
    pass_check()
}

fn check_vertices_off_the_board(talk: &mut EngineTalk) -> TalkResult<String> {
    let size = set_up_empty_board(talk)?;
    let beyond = [(9, "K1"), (13, "O1"), (19, "U1")];
    let right = beyond.iter().find(|(lines, _)| *lines == size).map_or("Z1", |(_, vertex)| vertex);
    for vertex in [right, &format!("A{}", size + 1), "I5", "Z25", "A0"] {
        talk.require_refusal(&format!("play black {vertex}"))?;
    }
    pass_check()
}

fn check_occupied_points(talk: &mut EngineTalk) -> TalkResult<String> {
    set_up_empty_board(talk)?;
    talk.require_done("play black E5")?;
    talk.require_refusal("play white E5")?;
    talk.require_refusal("play black E5")?;
    talk.require_done("play white E6")?;
    pass_check()
}

/// A stone in the corner is taken: its point is empty again.
fn check_captures(talk: &mut EngineTalk) -> TalkResult<String> {
    set_up_empty_board(talk)?;
    for command in ["play white A1", "play black A2", "play black B1", "play black A1"] {
        talk.require_done(command)?;
    }
    pass_check()
}

/// A single stone without a liberty that takes nothing is legal under no common rules.
fn check_suicide(talk: &mut EngineTalk) -> TalkResult<String> {
    set_up_empty_board(talk)?;
    for command in ["play black A2", "play black B1"] {
        talk.require_done(command)?;
    }
    talk.require_refusal("play white A1")?;
    talk.require_done("play white C3")?;
    pass_check()
}

fn check_ko(talk: &mut EngineTalk) -> TalkResult<String> {
    set_up_empty_board(talk)?;
    for command in [
        "play black D5",
        "play white E5",
        "play black E6",
        "play white F6",
        "play black E4",
        "play white F4",
        "play black J1",
        "play white G5",
        "play black F5",
    ] {
        talk.require_done(command)?;
    }
    talk.require_refusal("play white E5")?;
    for command in ["play white J9", "play black J7", "play white E5"] {
        talk.require_done(command)?;
    }
    talk.require_refusal("play black F5")?;
    pass_check()
}

fn check_clear_board(talk: &mut EngineTalk) -> TalkResult<String> {
    set_up_empty_board(talk)?;
    talk.require_done("play black D4")?;
    talk.require_done("clear_board")?;
    talk.require_done("play white D4")?;
    pass_check()
}

fn check_undo(talk: &mut EngineTalk) -> TalkResult<String> {
    talk.require_command("undo")?;
    set_up_empty_board(talk)?;
    for command in ["play black D4", "play white E5", "undo", "undo", "play white D4", "play black E5"] {
        talk.require_done(command)?;
    }
    // What was taken comes back.
    set_up_empty_board(talk)?;
    for command in ["play white A1", "play black A2", "play black B1", "undo"] {
        talk.require_done(command)?;
    }
    talk.require_refusal("play black A1")?;
    set_up_empty_board(talk)?;
    talk.require_refusal("undo")?;
    pass_check()
}

/// Asks for a move and looks whether it is one of the board.
fn ask_move(talk: &mut EngineTalk, color: &str, size: usize) -> TalkResult<Option<Move>> {
    let answer = talk.require_done(&format!("genmove {color}"))?;
    if answer.eq_ignore_ascii_case("resign") {
        return Ok(None);
    }
    let board = BoardSize::square(size).map_err(|error| CheckTrouble::Failed(error.to_string()))?;
    board.parse_move(&answer).map(Some).map_err(|error| CheckTrouble::Failed(error.to_string()))
}

fn check_genmove(talk: &mut EngineTalk) -> TalkResult<String> {
    if talk.lists_command("time_settings")? {
        talk.require_done("time_settings 0 1 1")?;
    }
    let size = set_up_empty_board(talk)?;
    let mut moves = Vec::new();
    for (color, other) in [("black", "white"), ("white", "black"), ("b", "w")] {
        let mv = ask_move(talk, color, size)?;
        // The engine has played it.
        if let Some(Move::Play(point)) = mv {
            talk.require_refusal(&format!("play {other} {point}"))?;
        }
        moves.push(mv.map_or("resign".to_string(), |mv| mv.to_string()));
    }
    Ok(moves.join(" "))
}

fn check_genmove_after_passes(talk: &mut EngineTalk) -> TalkResult<String> {
    let size = set_up_empty_board(talk)?;
    talk.require_done("play black pass")?;
    talk.require_done("play white pass")?;
    ask_move(talk, "black", size)?;
    ask_move(talk, "black", size)?;
    pass_check()
}

/// Section 4.2: three stones stand in three corners, in the given order.
fn check_handicap(talk: &mut EngineTalk) -> TalkResult<String> {
    talk.require_command("fixed_handicap")?;
    if !talk.ask("boardsize 19")?.ok {
        return Err(CheckTrouble::Skipped("boards of 19 lines are refused".to_string()));
    }
    talk.require_done("clear_board")?;
    let answer = talk.require_done("fixed_handicap 3")?;
    let mut found: Vec<String> = answer.split_whitespace().map(str::to_uppercase).collect();
    found.sort_unstable();
    if found != ["D16", "D4", "Q16"] {
        return fail_check(format!("fixed_handicap 3 was answered {answer:?}; D4 Q16 D16 would be right"));
    }
    talk.require_refusal("play white D4")?;
    talk.require_refusal("fixed_handicap 3")?;
    talk.require_done("clear_board")?;
    talk.require_refusal("fixed_handicap 1")?;
    talk.require_refusal("fixed_handicap 10")?;
    set_up_empty_board(talk)?;
    pass_check()
}

fn check_time(talk: &mut EngineTalk) -> TalkResult<String> {
    talk.require_command("time_settings")?;
    talk.require_done("time_settings 60 5 1")?;
    if talk.lists_command("time_left")? {
        talk.require_done("time_left black 10 0")?;
        talk.require_done("time_left white 5 1")?;
    }
    talk.require_refusal("time_settings soon")?;
    talk.require_done("time_settings 0 1 1")?;
    pass_check()
}

/// Two eyes for each side and a wall between them leave no doubt.
fn check_final_score(talk: &mut EngineTalk) -> TalkResult<String> {
    talk.require_command("final_score")?;
    let size = set_up_empty_board(talk)?;
    for row in 1..=size {
        talk.require_done_silently(&format!("play black D{row}"))?;
        talk.require_done_silently(&format!("play white F{row}"))?;
    }
    talk.add_remark("(a black wall on D, a white one on F)".to_string());
    let reply = talk.ask("final_score")?;
    if !reply.ok {
        return Ok(format!("no score: {}", reply.text));
    }
    match FinalScore::parse(&reply.text) {
        Some(_) => Ok(reply.text),
        None => fail_check(format!("{:?} is no score such as B+3.5, W+0.5 or 0", reply.text)),
    }
}

fn check_nothing_but_answers(talk: &mut EngineTalk) -> TalkResult<String> {
    match talk.noise() {
        [] => pass_check(),
        noise => {
            fail_check(format!("{} lines stand outside answers; the first: {:?}", noise.len(), noise[0]))
        }
    }
}

fn check_quit(talk: &mut EngineTalk) -> TalkResult<String> {
    talk.require_done("name")?;
    talk.quit_engine()
}
