//! `ishi othello hint`: every legal move with its value and the reasons.

use std::fmt::Write;

use clap::Args;
use ishi_othello::{Color, Position};
use ishi_othello_play::coach::{MoveHint, find_hints};
use ishi_othello_play::levels::LevelLimits;
use ishi_othello_play::openings::OpeningNames;
use serde::Serialize;

use super::coach::{
    CoachArgs, MainReasonJson, WallClock, create_searcher, moves_text, print_json, print_text, sureness_text,
};
use super::coach::{Language, input, picture, words};
use crate::context::{Context, Failure};

const HELP: &str = "\
Examples:
  ishi othello hint f5d6c3               what to play after these moves?
  ishi othello hint start --level 10
  ishi othello hint f5d6 --lang ja
  ishi othello hint f5d6c3 --time 5 --json
  ishi othello hint '---------------------------OX------XO--------------------------- X'

Values are discs for the side to move, if both play well. `exact` is proved. `12@95%` was \
looked at 12 plies deep, with cuts that are right 95 times in 100. A move that loses 2 discs \
or more has its main reason, with the line that shows it. Other reasons are facts of the \
board that set a move apart. What it is worth, the search says.";

/// Values every legal move of a position, with reasons.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct HintArgs {
    /// Moves such as f5d6c3, a board (also Edax's and Egaroucid's), a link with one of these, or start
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: String,
    #[command(flatten)]
    study: CoachArgs,
}

/// Prints the hints of a position.
pub fn run(args: &HintArgs, context: &Context) -> Result<(), Failure> {
    let position = input::parse_position(&args.position)?;
    let board = position.board();
    let clock = WallClock::start();
    let stop = || context.is_stop_requested();
    let limits = LevelLimits { time: args.study.time, clock: &clock, stop: &stop };
    let effort = args.study.level.effort_in_discs(board.empty_count());
    let hints = find_hints(board, &mut create_searcher(context), effort, limits);
    if context.is_stop_requested() && hints.is_empty() && board.legal_moves() != 0 {
        return Err(Failure::Interrupted);
    }
    if context.json {
        print_json(&build_report(args, &position, &hints))?;
    } else {
        print_text(format_hints(&position, &hints, args.study.lang))?;
    }
    // What was found so far is shown. It is less than was asked for.
    context.check_stop()
}

fn build_report(args: &HintArgs, position: &Position, hints: &[MoveHint]) -> impl Serialize {
    json_object! {
        to_move: position.to_move().to_string(),
        empties: position.board().empty_count(),
        opening: OpeningNames::builtin().last_opening(position),
        level: args.study.level.number(),
        moves: hints.iter().map(|hint| hint_json(hint, position.to_move(), args.study.lang)).collect::<Vec<_>>(),
    }
}

fn hint_json(hint: &MoveHint, mover: Color, language: Language) -> impl Serialize {
    let reasons = hint.reasons.iter().map(|&reason| words::describe_reason(reason, language));
    json_object! {
        #[serde(rename = "move")]
        mv: hint.square.to_string(),
        value: hint.found.score,
        loss: hint.loss,
        meaning: hint.found.meaning,
        depth: hint.found.depth,
        confidence: hint.found.confidence.percent(),
        variation: moves_text(&hint.found.variation),
        opening: hint.opening,
        // Why the move loses; null if it loses less than 2 discs.
        main_reason: hint.main.as_ref().map(|reason| MainReasonJson::new(reason, mover, language)),
        reasons: reasons.collect::<Vec<_>>(),
    }
}

fn format_hints(position: &Position, hints: &[MoveHint], language: Language) -> String {
    let mut text = picture::board_picture(position);
    let _ = writeln!(text, "{}", format_heading(position, language));
    if hints.is_empty() {
        let _ = writeln!(text, "{}", no_move_text(position, language));
        return text;
    }
    let _ = writeln!(text, "{}", language.choose("move  value  sure    why", "手    評価   確度    理由"));
    for hint in hints {
        let sure = sureness_text(&hint.found, language);
        let why = format_reasons(hint, position.to_move(), language);
        let _ = writeln!(text, "{}    {:>+4}   {sure:7} {why}", hint.square, hint.found.score);
        let _ = writeln!(text, "                     {}", moves_text(&hint.found.variation));
    }
    text
}

/// Whose turn it is, the count, and the opening.
fn format_heading(position: &Position, language: Language) -> String {
    let color = words::color_name(position.to_move(), language);
    let turn = language.choose(format!("{color} to move"), format!("{color}番"));
    let comma = language.choose(", ", "、");
    let name = OpeningNames::builtin()
        .title_of_game(position, language)
        .map(|name| format!("{comma}{name}"))
        .unwrap_or_default();
    format!("{turn}{comma}{}{name}", picture::format_disc_counts(position, language))
}

fn no_move_text(position: &Position, language: Language) -> String {
    if position.is_over() {
        let score = position.score();
        return language
            .choose(format!("The game is over: {score:+} for Black."), format!("終局：黒{score:+}"));
    }
    language.choose("There is no legal move: pass.", "打てる所がないため、パスです。").to_string()
}

/// The opening a move leads to, and why it loses, or the first few reasons.
fn format_reasons(hint: &MoveHint, mover: Color, language: Language) -> String {
    let opening = hint.opening.and_then(|opening| opening.name(language)).map(str::to_string);
    let reasons = words::describe_hint(hint, mover, language);
    let parts: Vec<String> = opening.into_iter().chain((!reasons.is_empty()).then_some(reasons)).collect();
    parts.join(language.choose(": ", "："))
}
