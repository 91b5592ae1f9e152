//! `ishi othello show`: a position or game, drawn.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use ishi_othello::picture::BoardPicture;
use ishi_othello::{Color, Move, Position};
use ishi_words::format_count;
use serde::Serialize;

use super::coach::{Language, picture};
use super::records::{self, OthelloRecord, color_letter};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi othello show f5d6c3                  the board after these moves
  ishi othello show start
  ishi othello show sample:othello --move 20    the board after move 20
  ishi othello show WTH_2022.wtb --game 7   the end of the seventh game
  ishi othello show --json problems.obf --game 3
  ishi othello show f5d6c3 --out board.svg  a picture, the last move marked

X is black, O is white, . a legal move. A position is 64 characters row by row from a1, \
the top left corner, and the side to move, or eight drawn rows. Files may be transcripts, \
SGF, GGF, WTHOR, OBF or drawn boards, packed by gzip or not; - is standard input.";

/// Draws a position or a game.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct OthelloShowArgs {
    /// A transcript, a position, start, or a file
    #[arg(value_name = "POSITION|TRANSCRIPT|FILE", allow_hyphen_values = true)]
    position: String,
    /// Which game of the file, from 1
    #[arg(long, default_value_t = 1, value_name = "N")]
    game: usize,
    /// Moves to play, passes counted; all if not given
    #[arg(long = "move", value_name = "N")]
    moves: Option<usize>,
    /// Names of the players of a WTHOR file
    #[arg(long, value_name = "FILE.jou")]
    players: Option<PathBuf>,
    /// Names of the tournaments of a WTHOR file
    #[arg(long, value_name = "FILE.trn")]
    tournaments: Option<PathBuf>,
    /// Write a picture (SVG) here; - is standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

#[derive(Serialize)]
struct OthelloShowReport {
    black: String,
    white: String,
    date: String,
    event: String,
    /// What the record says: Black's discs minus White's.
    result: Option<f64>,
    /// 64 squares from a1 row by row, and the side to move.
    position: String,
    to_move: String,
    over: bool,
    discs: [u32; 2],
    /// Black's discs minus White's; in a finished game the empty squares go to the winner.
    score: i32,
    empties: u32,
    legal: Vec<String>,
    /// Moves played, passes included, and how many the record has.
    moves: usize,
    of: usize,
    last: Option<String>,
    transcript: String,
    /// Scores of moves, if the file has some.
    scores: Vec<(String, i32)>,
    comment: String,
}

/// Prints the board.
pub fn run(args: &OthelloShowArgs, context: &Context) -> Result<(), Failure> {
    let directory = records::read_directory(args.players.as_deref(), args.tournaments.as_deref())?;
    let records = records::read_given(&args.position, &directory)?;
    let games = records.len();
    let record = args.game.checked_sub(1).and_then(|index| records.get(index)).ok_or_else(|| {
        let have = format_count(games, "game");
        Failure::input(format!("no game {} in {}: it has {have}, counted from 1", args.game, args.position))
    })?;
    let of = record.game.moves().len();
    let position = position_after(&record.game, args.moves)?;
    if let Some(out) = &args.out {
        let picture =
            BoardPicture::from_position(&position).with_hints(&position).with_title(position.to_transcript());
        files::write_picture(out, &picture.to_svg(), args.force)?;
        if files::is_standard(out) {
            return Ok(());
        }
    }
    let shown = build_report(record, &position, of);
    files::print_result(context, &shown, || format_report(&shown, &position))
}

/// The position after so many moves.
fn position_after(game: &Position, moves: Option<usize>) -> Result<Position, Failure> {
    let of = game.moves().len();
    let wanted = moves.unwrap_or(of);
    if wanted > of {
        return Err(Failure::input(format!("no move {wanted}: the game has {of}, passes counted")));
    }
    let mut position = game.clone();
    for _ in wanted..of {
        let _ = position.undo();
    }
    Ok(position)
}

fn build_report(record: &OthelloRecord, position: &Position, of: usize) -> OthelloShowReport {
    let discs = Color::ALL.map(|color| position.discs(color).count_ones());
    OthelloShowReport {
        black: record.black.clone(),
        white: record.white.clone(),
        date: record.date.clone(),
        event: record.event.clone(),
        result: record.result,
        position: position.to_line(),
        to_move: position.to_move().to_string(),
        over: position.is_over(),
        discs,
        score: position.score(),
        empties: position.board().empty_count(),
        legal: position.legal_moves().iter().map(Move::to_string).collect(),
        moves: position.moves().len(),
        of,
        last: position.moves().last().map(|(color, mv)| format!("{color} {mv}")),
        transcript: position.to_transcript(),
        scores: record.scores.iter().map(|(mv, score)| (mv.to_string(), *score)).collect(),
        comment: record.comment.clone(),
    }
}

fn format_report(shown: &OthelloShowReport, position: &Position) -> String {
    let mut text = String::new();
    let result = shown.result.map(|result| format!("{result:+}")).unwrap_or_default();
    for (label, value) in [
        ("Black", &shown.black),
        ("White", &shown.white),
        ("Date", &shown.date),
        ("Event", &shown.event),
        ("Result", &result),
        ("Moves", &shown.transcript),
    ] {
        if !value.is_empty() {
            let _ = writeln!(text, "{label:<7} {value}");
        }
    }
    text += &picture::board_picture(position);
    let last = shown.last.as_ref().map(|last| format!(": {last}")).unwrap_or_default();
    let _ = writeln!(
        text,
        "Move {} of {}{last}. {}.",
        shown.moves,
        shown.of,
        picture::format_disc_counts(position, Language::English)
    );
    let _ = writeln!(text, "{}", format_state(shown, position));
    if !shown.scores.is_empty() {
        let scores = shown.scores.iter().map(|(mv, score)| format!("{mv} {score:+}"));
        let _ = writeln!(text, "Scores: {}", scores.collect::<Vec<_>>().join(", "));
    }
    if !shown.comment.is_empty() {
        let _ = writeln!(text, "{}", shown.comment);
    }
    text
}

/// Whose move it is, and which there are.
fn format_state(shown: &OthelloShowReport, position: &Position) -> String {
    if shown.over {
        return format!("The game is over: {:+} for Black.", shown.score);
    }
    let side = color_letter(position.to_move());
    format!("{} ({side}) to move: {}", shown.to_move, shown.legal.join(" "))
}
