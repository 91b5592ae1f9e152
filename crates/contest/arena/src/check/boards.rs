//! An engine on a hard board: it must load it, show it, choose moves that are legal on it, score it, and go on after it.

use ishi_go::{Color, KoRule, Move, Position, Rules};

use super::BoardTrial;
use super::talk::{CheckTrouble, EngineTalk, TalkResult};

/// Commands that look at a position and change nothing; tried if they are listed. A refusal is an answer.
const LOOKS: [&str; 3] = ["showboard", "captures black", "all_legal white"];

/// As [`LOOKS`], after the engine's moves and an estimate of the score.
const LAST_LOOKS: [&str; 4] =
    ["final_status_list dead", "final_status_list seki", "final_score", "ishi-ownership"];

/// Scores and status are of ends of games: they are asked for where at most one point of so many is empty. Some engines
/// play a game to its end for the answer.
const FULL: usize = 4;

/// Moves that the engine makes on a board.
const GENERATED: usize = 2;

/// Undone at the end: these, and as many moves of the set-up.
const UNDONE: usize = 4;

/// Plays a trial; gives a remark.
pub(super) fn play_trial(talk: &mut EngineTalk, trial: &BoardTrial) -> TalkResult<String> {
    let mut position = expected_position(trial).map_err(CheckTrouble::Skipped)?;
    let size = trial.size.width();
    if talk.lists_command("time_settings")? {
        talk.require_done("time_settings 0 1 1")?;
    }
    if !talk.ask(&format!("boardsize {size}"))?.ok {
        return Err(CheckTrouble::Skipped(format!("boards of {size} lines are refused")));
    }
    talk.require_done("clear_board")?;
    talk.require_done("komi 7.5")?;
    let empty = trial.size.points().filter(|&point| position.board().color(point).is_none()).count();
    let mut note = set_up_board(talk, trial)?;
    compare_boards(talk, &position)?;
    try_commands(talk, &LOOKS)?;
    let mut color = position.to_move();
    for _ in 0..GENERATED {
        let chosen = generate_move(talk, &mut position, color)?;
        note = format!("{note}, {color} {chosen}");
        color = !color;
    }
    try_analysis(talk, color)?;
    try_commands(talk, &["estimate_score"])?;
    if empty <= position.size().area() / FULL {
        try_commands(talk, &LAST_LOOKS)?;
    }
    if talk.lists_command("undo")? {
        for _ in 0..UNDONE {
            // There may be nothing to undo.
            talk.ask("undo")?;
        }
    }
    talk.require_done("clear_board")?;
    talk.require_done("play black C3")?;
    Ok(note.trim_start_matches(", ").to_string())
}

/// The board as the rules have it. Suicide is allowed, since rules differ, and repetition too, but for the simple ko.
fn expected_position(trial: &BoardTrial) -> Result<Position, String> {
    let rules = Rules { suicide: true, ko: KoRule::Simple, ..Rules::CHINESE };
    let stones = trial.stones.iter().copied();
    let mut position =
        Position::from_setup(trial.size, rules, stones, trial.to_play).map_err(|error| error.to_string())?;
    for &(color, mv) in &trial.moves {
        position.play(color, mv).map_err(|error| error.to_string())?;
    }
    Ok(position)
}

/// Puts the board up, from the file if the engine reads files, otherwise stone by stone.
fn set_up_board(talk: &mut EngineTalk, trial: &BoardTrial) -> TalkResult<String> {
    let mut note = String::new();
    if let Some(path) = &trial.record
        && talk.lists_command("loadsgf")?
    {
        let reply = talk.ask(&format!("loadsgf {}", path.display()))?;
        if reply.ok {
            return Ok("loadsgf".to_string());
        }
        note = format!("loadsgf was refused ({}), ", reply.text);
        talk.require_done(&format!("boardsize {}", trial.size.width()))?;
        talk.require_done("clear_board")?;
    }
    // A part of a chain that lives has a liberty: any order of the stones will do.
    for (color, point) in &trial.stones {
        talk.require_done_silently(&format!("play {color} {point}"))?;
    }
    let mut seen = Vec::new();
    let mut played = 0;
    for (color, mv) in &trial.moves {
        match talk.require_done_silently(&format!("play {color} {mv}")) {
            Ok(_) => played += 1,
            Err(CheckTrouble::Failed(message)) if repeats_position(trial, played + 1) => {
                seen.push(message);
                break;
            }
            Err(trouble) => return Err(trouble),
        }
    }
    talk.add_remark(format!("({} stones and {played} moves by play commands)", trial.stones.len()));
    if let Some(message) = seen.pop() {
        return Err(CheckTrouble::Skipped(format!("superko: {message}")));
    }
    Ok(format!("{note}{} stones, {played} moves", trial.stones.len()))
}

/// Does the position after so many moves repeat an earlier one, which superko forbids?
fn repeats_position(trial: &BoardTrial, moves: usize) -> bool {
    let rules = Rules { suicide: true, ko: KoRule::Positional, ..Rules::CHINESE };
    let Ok(mut position) =
        Position::from_setup(trial.size, rules, trial.stones.iter().copied(), trial.to_play)
    else {
        return false;
    };
    trial.moves.iter().take(moves).any(|&(color, mv)| position.play(color, mv).is_err())
}

/// Has the engine the same board? Asked in words that most engines have: a list of stones, or moves that are illegal.
fn compare_boards(talk: &mut EngineTalk, position: &Position) -> TalkResult {
    for color in Color::ALL {
        let board = position.board();
        let mut wanted: Vec<String> = position
            .size()
            .points()
            .filter(|&point| board.color(point) == Some(color))
            .map(|point| point.to_string())
            .collect();
        if talk.lists_command("list_stones")? {
            let answer = talk.require_done(&format!("list_stones {color}"))?;
            let mut found: Vec<String> = answer.split_whitespace().map(str::to_uppercase).collect();
            wanted.sort_unstable();
            found.sort_unstable();
            if wanted != found {
                let (found, wanted) = (found.len(), wanted.len());
                return Err(CheckTrouble::Failed(format!(
                    "the engine has another board: {found} {color} stones, {wanted} would be right"
                )));
            }
        } else if let Some(point) = wanted.first() {
            talk.require_refusal(&format!("play {} {point}", !color))?;
        }
    }
    Ok(())
}

fn try_commands(talk: &mut EngineTalk, commands: &[&str]) -> TalkResult {
    for command in commands {
        let name = command.split(' ').next().unwrap_or(command);
        if talk.lists_command(name)? {
            talk.ask(command)?;
        }
    }
    Ok(())
}

/// Has the engine move, and looks whether it may.
fn generate_move(talk: &mut EngineTalk, position: &mut Position, color: Color) -> TalkResult<String> {
    let answer = talk.require_done(&format!("genmove {color}"))?;
    let text = answer.trim();
    if text.eq_ignore_ascii_case("resign") {
        return Ok("resigns".to_string());
    }
    let wrong =
        |why: String| CheckTrouble::Failed(format!("genmove {color} was answered with {text:?}: {why}"));
    let mv: Move = position.size().parse_move(text).map_err(|error| wrong(error.to_string()))?;
    position.play(color, mv).map_err(|error| wrong(error.to_string()))?;
    Ok(mv.to_string())
}

/// Analysis that ends by itself.
fn try_analysis(talk: &mut EngineTalk, color: Color) -> TalkResult {
    for name in ["reg_genmove", "lz-genmove_analyze"] {
        if talk.lists_command(name)? {
            talk.ask(&format!("{name} {color}"))?;
        }
    }
    Ok(())
}
