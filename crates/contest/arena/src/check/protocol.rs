//! Known answers: what every engine must say to what every controller may send. Each check says in its note what it
//! rests on, where that is not plain; sections are those of the GTP 2 specification, draft 2.

use ishi_go::{BoardSize, Move};
use ishi_gtp::FinalScore;

use super::talk::{Reply, Said, Talk, Trouble};

/// A check: its name and what it does. It gives a remark.
pub(super) type Check = (&'static str, fn(&mut Talk) -> Said<String>);

/// In this order.
pub(super) const CHECKS: &[Check] = &[
    ("protocol version", protocol_version),
    ("name and version", name_and_version),
    ("required commands", required_commands),
    ("known_command", known_command),
    ("unknown command", unknown_command),
    ("ids", ids),
    ("comments and blank lines", comments_and_blank_lines),
    ("tabs and carriage returns", tabs_and_carriage_returns),
    ("commands written ahead", written_ahead),
    ("long comment", long_comment),
    ("wrong arguments", wrong_arguments),
    ("board sizes", board_sizes),
    ("refused board sizes", refused_board_sizes),
    ("board of 25 lines", board_of_25_lines),
    ("komi", komi),
    ("colours and vertices in any case", any_case),
    ("same colour twice", same_colour_twice),
    ("vertices off the board", vertices_off_the_board),
    ("occupied points", occupied_points),
    ("captures", captures),
    ("suicide", suicide),
    ("ko", ko),
    ("clear_board", clear_board),
    ("undo", undo),
    ("genmove", genmove),
    ("genmove after passes", genmove_after_passes),
    ("handicap", handicap),
    ("time", time),
    ("final_score", final_score),
];

/// After everything else.
pub(super) const LAST: &[Check] = &[("nothing but answers", nothing_but_answers), ("quit", quit)];

fn failed<T>(why: impl Into<String>) -> Said<T> {
    Err(Trouble::Failed(why.into()))
}

fn fine() -> Said<String> {
    Ok(String::new())
}

/// Sizes of board that are tried; an engine may be made for one of them.
const SIZES: [(usize, &str); 3] = [(9, "J9"), (13, "N13"), (19, "T19")];

/// An empty board, of 9 lines if the engine has that; gives its size.
fn empty(talk: &mut Talk) -> Said<usize> {
    for (size, _) in SIZES {
        if talk.ask(&format!("boardsize {size}"))?.ok {
            talk.done("clear_board")?;
            return Ok(size);
        }
    }
    failed("boards of 9, 13 and 19 lines are refused")
}

fn protocol_version(talk: &mut Talk) -> Said<String> {
    match talk.done("protocol_version")?.as_str() {
        "2" => fine(),
        "1" => Ok("version 1: answers of a later version may be missing".to_string()),
        other => failed(format!("{other:?} is no version; 2 would be right")),
    }
}

fn name_and_version(talk: &mut Talk) -> Said<String> {
    let name = talk.done("name")?;
    let version = talk.done("version")?;
    if name.is_empty() || name.contains('\n') {
        return failed(format!("the name is {name:?}; one line of text would be right"));
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

fn required_commands(talk: &mut Talk) -> Said<String> {
    let list = talk.done("list_commands")?;
    let missing: Vec<&str> =
        REQUIRED.into_iter().filter(|name| !list.split_whitespace().any(|listed| listed == *name)).collect();
    if missing.is_empty() {
        return Ok(format!("{} commands", list.split_whitespace().count()));
    }
    failed(format!("not listed: {}", missing.join(", ")))
}

fn known_command(talk: &mut Talk) -> Said<String> {
    for (command, wanted) in [("known_command play", "true"), ("known_command make_tea", "false")] {
        let answer = talk.done(command)?;
        if answer != wanted {
            return failed(format!("\"{command}\" was answered {answer:?}; {wanted} would be right"));
        }
    }
    fine()
}

fn unknown_command(talk: &mut Talk) -> Said<String> {
    talk.refused("make_tea")?;
    talk.done("name")?;
    fine()
}

fn with_id(reply: &Reply, ok: bool, id: Option<&str>) -> Said {
    if reply.ok == ok && reply.id.as_deref() == id {
        return Ok(());
    }
    let sign = if ok { "=" } else { "?" };
    failed(format!("the answer should begin with {sign}{}, it is {reply:?}", id.unwrap_or_default()))
}

fn ids(talk: &mut Talk) -> Said<String> {
    for (line, ok, id) in [
        ("17 name", true, Some("17")),
        ("name", true, None),
        ("0 name", true, Some("0")),
        ("2147483647 name", true, Some("2147483647")),
        ("18 make_tea", false, Some("18")),
    ] {
        talk.say(line)?;
        with_id(&talk.hear()?, ok, id)?;
    }
    fine()
}

/// Lines without a command get no answer: the next answer must be that of the next command.
fn comments_and_blank_lines(talk: &mut Talk) -> Said<String> {
    for line in ["", "    ", "# a comment", "   # another"] {
        talk.say_unanswered(line)?;
    }
    answers(talk, "protocol_version # which one?", "2")?;
    answers(talk, "known_command play", "true")?;
    fine()
}

/// Section 2.5: tabs are spaces, other control characters are removed.
fn tabs_and_carriage_returns(talk: &mut Talk) -> Said<String> {
    answers(talk, "known_command \t play\t\r", "true")?;
    fine()
}

/// Sends a line without an id; the next answer must be this.
fn answers(talk: &mut Talk, line: &str, wanted: &str) -> Said {
    talk.say(line)?;
    answered(&talk.hear()?, wanted)
}

fn answered(reply: &Reply, wanted: &str) -> Said {
    if reply.ok && reply.text == wanted {
        return Ok(());
    }
    failed(format!("{:?} was answered; {wanted} would be right", reply.text))
}

fn written_ahead(talk: &mut Talk) -> Said<String> {
    const PAIRS: usize = 25;
    for _ in 0..PAIRS {
        talk.say("protocol_version")?;
        talk.say("known_command play")?;
    }
    for _ in 0..PAIRS {
        answered(&talk.hear()?, "2")?;
        answered(&talk.hear()?, "true")?;
    }
    fine()
}

/// Nothing limits the length of a line (section 2.1), and comments are to be passed over.
fn long_comment(talk: &mut Talk) -> Said<String> {
    talk.say_unanswered(&format!("# {}", "a long story ".repeat(400)))?;
    answers(talk, "protocol_version", "2")?;
    answers(talk, "known_command play", "true")?;
    fine()
}

fn wrong_arguments(talk: &mut Talk) -> Said<String> {
    empty(talk)?;
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
        talk.refused(command)?;
    }
    // Nothing has been played.
    talk.done("play white D4")?;
    fine()
}

fn board_sizes(talk: &mut Talk) -> Said<String> {
    let mut accepted = Vec::new();
    for (size, corner) in SIZES {
        if talk.ask(&format!("boardsize {size}"))?.ok {
            talk.done("clear_board")?;
            talk.done(&format!("play black {corner}"))?;
            talk.refused(&format!("play white A{}", size + 1))?;
            accepted.push(size.to_string());
        }
    }
    if accepted.is_empty() {
        return failed("boards of 9, 13 and 19 lines are refused");
    }
    Ok(format!("{} lines", accepted.join(", ")))
}

fn refused_board_sizes(talk: &mut Talk) -> Said<String> {
    for size in ["0", "-3", "1000", "100000000000"] {
        talk.refused(&format!("boardsize {size}"))?;
    }
    empty(talk)?;
    fine()
}

fn board_of_25_lines(talk: &mut Talk) -> Said<String> {
    let reply = talk.ask("boardsize 25")?;
    if !reply.ok {
        empty(talk)?;
        return Err(Trouble::Skipped(format!("refused, as an engine may: {}", reply.text)));
    }
    talk.done("clear_board")?;
    talk.done("play black Z25")?;
    talk.done("play white A1")?;
    move_of(talk, "black", 25)?;
    empty(talk)?;
    fine()
}

fn komi(talk: &mut Talk) -> Said<String> {
    for komi in ["6.5", "0", "-5", "7"] {
        talk.done(&format!("komi {komi}"))?;
    }
    fine()
}

/// Section 2.11: case does not matter.
fn any_case(talk: &mut Talk) -> Said<String> {
    empty(talk)?;
    for command in ["play B c3", "play w C4", "play BLACK D4", "play White d5", "play b PASS", "play W pass"]
    {
        talk.done(command)?;
    }
    fine()
}

/// Section 4.3: consecutive moves of one colour are legal for the protocol.
fn same_colour_twice(talk: &mut Talk) -> Said<String> {
    empty(talk)?;
    for command in ["play black C3", "play black D3", "play black E3"] {
        talk.done(command)?;
    }
    fine()
}

fn vertices_off_the_board(talk: &mut Talk) -> Said<String> {
    let size = empty(talk)?;
    let beyond = [(9, "K1"), (13, "O1"), (19, "U1")];
    let right = beyond.iter().find(|(lines, _)| *lines == size).map_or("Z1", |(_, vertex)| vertex);
    for vertex in [right, &format!("A{}", size + 1), "I5", "Z25", "A0"] {
        talk.refused(&format!("play black {vertex}"))?;
    }
    fine()
}

fn occupied_points(talk: &mut Talk) -> Said<String> {
    empty(talk)?;
    talk.done("play black E5")?;
    talk.refused("play white E5")?;
    talk.refused("play black E5")?;
    talk.done("play white E6")?;
    fine()
}

/// A stone in the corner is taken: its point is empty again.
fn captures(talk: &mut Talk) -> Said<String> {
    empty(talk)?;
    for command in ["play white A1", "play black A2", "play black B1", "play black A1"] {
        talk.done(command)?;
    }
    fine()
}

/// A single stone without a liberty that takes nothing is legal under no common rules.
fn suicide(talk: &mut Talk) -> Said<String> {
    empty(talk)?;
    for command in ["play black A2", "play black B1"] {
        talk.done(command)?;
    }
    talk.refused("play white A1")?;
    talk.done("play white C3")?;
    fine()
}

fn ko(talk: &mut Talk) -> Said<String> {
    empty(talk)?;
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
        talk.done(command)?;
    }
    talk.refused("play white E5")?;
    for command in ["play white J9", "play black J7", "play white E5"] {
        talk.done(command)?;
    }
    talk.refused("play black F5")?;
    fine()
}

fn clear_board(talk: &mut Talk) -> Said<String> {
    empty(talk)?;
    talk.done("play black D4")?;
    talk.done("clear_board")?;
    talk.done("play white D4")?;
    fine()
}

fn undo(talk: &mut Talk) -> Said<String> {
    talk.needs("undo")?;
    empty(talk)?;
    for command in ["play black D4", "play white E5", "undo", "undo", "play white D4", "play black E5"] {
        talk.done(command)?;
    }
    // What was taken comes back.
    empty(talk)?;
    for command in ["play white A1", "play black A2", "play black B1", "undo"] {
        talk.done(command)?;
    }
    talk.refused("play black A1")?;
    empty(talk)?;
    talk.refused("undo")?;
    fine()
}

/// Asks for a move and looks whether it is one of the board.
fn move_of(talk: &mut Talk, color: &str, size: usize) -> Said<Option<Move>> {
    let answer = talk.done(&format!("genmove {color}"))?;
    if answer.eq_ignore_ascii_case("resign") {
        return Ok(None);
    }
    let board = BoardSize::square(size).map_err(|error| Trouble::Failed(error.to_string()))?;
    board.parse_move(&answer).map(Some).map_err(|error| Trouble::Failed(error.to_string()))
}

fn genmove(talk: &mut Talk) -> Said<String> {
    if talk.lists("time_settings")? {
        talk.done("time_settings 0 1 1")?;
    }
    let size = empty(talk)?;
    let mut moves = Vec::new();
    for (color, other) in [("black", "white"), ("white", "black"), ("b", "w")] {
        let mv = move_of(talk, color, size)?;
        // The engine has played it.
        if let Some(Move::Play(point)) = mv {
            talk.refused(&format!("play {other} {point}"))?;
        }
        moves.push(mv.map_or("resign".to_string(), |mv| mv.to_string()));
    }
    Ok(moves.join(" "))
}

fn genmove_after_passes(talk: &mut Talk) -> Said<String> {
    let size = empty(talk)?;
    talk.done("play black pass")?;
    talk.done("play white pass")?;
    move_of(talk, "black", size)?;
    move_of(talk, "black", size)?;
    fine()
}

/// Section 4.2: three stones stand in three corners, in the given order.
fn handicap(talk: &mut Talk) -> Said<String> {
    talk.needs("fixed_handicap")?;
    if !talk.ask("boardsize 19")?.ok {
        return Err(Trouble::Skipped("boards of 19 lines are refused".to_string()));
    }
    talk.done("clear_board")?;
    let answer = talk.done("fixed_handicap 3")?;
    let mut found: Vec<String> = answer.split_whitespace().map(str::to_uppercase).collect();
    found.sort_unstable();
    if found != ["D16", "D4", "Q16"] {
        return failed(format!("fixed_handicap 3 was answered {answer:?}; D4 Q16 D16 would be right"));
    }
    talk.refused("play white D4")?;
    talk.refused("fixed_handicap 3")?;
    talk.done("clear_board")?;
    talk.refused("fixed_handicap 1")?;
    talk.refused("fixed_handicap 10")?;
    empty(talk)?;
    fine()
}

fn time(talk: &mut Talk) -> Said<String> {
    talk.needs("time_settings")?;
    talk.done("time_settings 60 5 1")?;
    if talk.lists("time_left")? {
        talk.done("time_left black 10 0")?;
        talk.done("time_left white 5 1")?;
    }
    talk.refused("time_settings soon")?;
    talk.done("time_settings 0 1 1")?;
    fine()
}

/// Two eyes for each side and a wall between them leave no doubt.
fn final_score(talk: &mut Talk) -> Said<String> {
    talk.needs("final_score")?;
    let size = empty(talk)?;
    for row in 1..=size {
        talk.done_silently(&format!("play black D{row}"))?;
        talk.done_silently(&format!("play white F{row}"))?;
    }
    talk.remark("(a black wall on D, a white one on F)".to_string());
    let reply = talk.ask("final_score")?;
    if !reply.ok {
        return Ok(format!("no score: {}", reply.text));
    }
    match FinalScore::parse(&reply.text) {
        Some(_) => Ok(reply.text),
        None => failed(format!("{:?} is no score such as B+3.5, W+0.5 or 0", reply.text)),
    }
}

fn nothing_but_answers(talk: &mut Talk) -> Said<String> {
    match talk.noise() {
        [] => fine(),
        noise => failed(format!("{} lines stand outside answers; the first: {:?}", noise.len(), noise[0])),
    }
}

fn quit(talk: &mut Talk) -> Said<String> {
    talk.done("name")?;
    talk.quit()
}
