//! The table of commands: the one list that `list_commands`, the dispatcher and the documentation's test share.

use super::{Answered, Call, OthelloSession};
use ishi_engine::session::CommandInfo;

/// A command's function.
pub(super) type Run = fn(&mut OthelloSession, &mut Call<'_, '_>) -> Answered;

/// A line of the table.
pub(super) struct Entry {
    pub(super) name: &'static str,
    /// The arguments, as docs/othello-gtp.md and the errors write them.
    pub(super) usage: &'static str,
    pub(super) run: Run,
}

const fn entry(name: &'static str, usage: &'static str, run: Run) -> Entry {
    Entry { name, usage, run }
}

/// All commands in the order of docs/othello-gtp.md.
static ENTRIES: &[Entry] = &[
    // Administration
    entry("protocol_version", "", OthelloSession::protocol_version),
    entry("name", "", OthelloSession::name),
    entry("version", "", OthelloSession::version),
    entry("known_command", "NAME", OthelloSession::known_command),
    entry("list_commands", "", OthelloSession::list_commands),
    entry("quit", "", OthelloSession::quit),
    entry("stop", "", OthelloSession::stop),
    entry("cputime", "", OthelloSession::cputime),
    entry("set_random_seed", "NUMBER", OthelloSession::set_random_seed),
    entry("get_random_seed", "", OthelloSession::get_random_seed),
    entry("clear_cache", "", OthelloSession::clear_cache),
    // Setting up
    entry("list_games", "", OthelloSession::list_games),
    entry("set_game", "GAME", OthelloSession::set_game),
    entry("boardsize", "SIZE", OthelloSession::boardsize),
    entry("query_boardsize", "", OthelloSession::query_boardsize),
    entry("clear_board", "", OthelloSession::clear_board),
    entry("komi", "POINTS", OthelloSession::komi),
    entry("loadsgf", "FILE [MOVE_NUMBER]", OthelloSession::loadsgf),
    entry("printsgf", "[FILE]", OthelloSession::printsgf),
    // Playing
    entry("play", "COLOR VERTEX", OthelloSession::play),
    entry("gogui-play_sequence", "[COLOR VERTEX]...", OthelloSession::play_sequence),
    entry("undo", "", OthelloSession::undo),
    entry("gg-undo", "[MOVES]", OthelloSession::gg_undo),
    entry("genmove", "COLOR", OthelloSession::genmove),
    entry("reg_genmove", "COLOR", OthelloSession::reg_genmove),
    // Time
    entry("time_settings", "MAIN BYOYOMI STONES", OthelloSession::time_settings),
    entry("time_left", "COLOR SECONDS STONES", OthelloSession::time_left),
    // Looking at the board
    entry("showboard", "", OthelloSession::showboard),
    entry("list_stones", "COLOR", OthelloSession::list_stones),
    entry("is_legal", "COLOR VERTEX", OthelloSession::is_legal),
    entry("all_legal", "COLOR", OthelloSession::all_legal),
    entry("last_move", "", OthelloSession::last_move),
    entry("move_history", "", OthelloSession::move_history),
    entry("final_score", "", OthelloSession::final_score),
    // Analysis
    entry("ishi-hints", "", OthelloSession::ishi_hints),
    entry("ishi-analyze", "[DEPTH]", OthelloSession::ishi_analyze),
    entry("ishi-values", "", OthelloSession::ishi_values),
    entry("ishi-variation", "", OthelloSession::ishi_variation),
    entry("ishi-opening", "", OthelloSession::ishi_opening),
    entry("ishi-engine", "", OthelloSession::ishi_engine),
    // GoGui
    entry("gogui-rules_game_id", "", OthelloSession::rules_game_id),
    entry("gogui-rules_board_size", "", OthelloSession::query_boardsize),
    entry("gogui-rules_board", "", OthelloSession::rules_board),
    entry("gogui-rules_board_gfx", "", OthelloSession::rules_board_gfx),
    entry("gogui-rules_legal_moves", "", OthelloSession::rules_legal_moves),
    entry("gogui-rules_side_to_move", "", OthelloSession::rules_side_to_move),
    entry("gogui-rules_final_result", "", OthelloSession::rules_final_result),
    entry("gogui-interrupt", "", OthelloSession::gogui_interrupt),
    entry("gogui-analyze_commands", "", OthelloSession::gogui_analyze_commands),
    entry("gogui-title", "", OthelloSession::name),
    entry("gogui-setup", "[COLOR VERTEX]...", OthelloSession::gogui_setup),
    entry("gogui-setup_player", "COLOR", OthelloSession::gogui_setup_player),
];

/// The command of this name.
pub(super) fn find(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// All commands, as `list_commands` lists them.
pub fn commands() -> Vec<CommandInfo> {
    ENTRIES.iter().map(|entry| CommandInfo { name: entry.name, usage: entry.usage }).collect()
}
