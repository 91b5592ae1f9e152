//! `ishi sgf` for records of Othello.

use ishi_othello::{Color, Move};
use ishi_sgf::{GameInfo, GameTree, OthelloError, OthelloGame, Warnings};
use serde::Serialize;

use super::report::{SgfGameReport, push_line};
use crate::context::{Context, Failure};
use crate::files;

/// What `ishi sgf check` says; `None` if GM names another game.
pub(super) fn check_game(
    tree: &GameTree,
    encoding: &'static str,
    all: &mut Warnings,
) -> Option<SgfGameReport> {
    let game = match OthelloGame::read_main_line(tree) {
        Err(OthelloError::OtherGame { .. }) => return None,
        other => other,
    };
    let nodes = tree.node_count();
    let report = |moves, error, info, illegal| SgfGameReport {
        game: "Othello",
        size: "8x8".to_string(),
        nodes,
        moves,
        error,
        encoding,
        info,
        illegal,
    };
    Some(match game {
        Ok(game) => {
            let illegal = game.replay_moves(None).err().map(|error| error.to_string()).into_iter().collect();
            let (moves, info) = (game.moves.len(), game.info);
            all.append(game.warnings);
            report(Some(moves), None, info, illegal)
        }
        Err(error) => {
            let info = GameInfo::read_main_line(tree, all);
            report(None, Some(error.to_string()), info, Vec::new())
        }
    })
}

#[derive(Serialize)]
struct SgfOthelloReport {
    info: GameInfo,
    moves: usize,
    of: usize,
    last: Option<String>,
    to_move: String,
    over: bool,
    /// 64 squares from a1 row by row, and the side to move.
    position: String,
    discs: [u32; 2],
    legal: Vec<String>,
}

/// Shows the board after so many moves of the main line.
pub(super) fn show_position(
    game: OthelloGame,
    moves: Option<usize>,
    context: &Context,
) -> Result<(), Failure> {
    let of = game.moves.len();
    if let Some(moves) = moves.filter(|&moves| moves > of) {
        return Err(Failure::input(format!("no move {moves}: the main line has {of}")));
    }
    let played = moves.unwrap_or(of);
    let position = game.replay_moves(Some(played)).map_err(Failure::input)?;
    let shown = SgfOthelloReport {
        info: game.info,
        moves: played,
        of,
        last: game.moves[..played].last().map(|last| format!("{} {}", last.color, last.mv)),
        to_move: position.to_move().to_string(),
        over: position.is_over(),
        position: position.to_line(),
        discs: Color::ALL.map(|color| position.discs(color).count_ones()),
        legal: position.legal_moves().iter().map(Move::to_string).collect(),
    };
    files::print_result(context, &shown, || format_heading(&shown) + &position.to_diagram())
}

fn format_heading(shown: &SgfOthelloReport) -> String {
    let mut text = String::new();
    let info = &shown.info;
    for (label, value) in [
        ("Black", &info.black.name),
        ("White", &info.white.name),
        ("Event", &info.event),
        ("Date", &info.date),
        ("Result", &info.result.map(|result| result.to_string())),
    ] {
        value.iter().for_each(|value| push_line(&mut text, format_args!("{label:<9} {value}")));
    }
    let last = shown.last.as_ref().map_or(String::new(), |last| format!(": {last}"));
    let [black, white] = shown.discs;
    push_line(&mut text, format_args!("Move {} of {}{last}. X {black}, O {white}.", shown.moves, shown.of));
    text
}
