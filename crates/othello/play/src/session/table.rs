//! The table of commands: the one list that `list_commands`, the dispatcher and the documentation's test share.

use super::{CommandAnswer, OthelloCall, OthelloSession};
use ishi_engine::session::CommandInfo;

/// A command's function.
pub(super) type OthelloCommandFn = fn(&mut OthelloSession, &mut OthelloCall<'_, '_>) -> CommandAnswer;

/// A line of the table.
pub(super) struct OthelloCommandEntry {
    pub(super) name: &'static str,
    /// The arguments, as docs/protocols.md and the errors write them.
    pub(super) usage: &'static str,
    pub(super) run: OthelloCommandFn,
}

const fn command_entry(
    name: &'static str,
    usage: &'static str,
    run: OthelloCommandFn,
) -> OthelloCommandEntry {
    OthelloCommandEntry { name, usage, run }
}

/// All commands in the order of docs/protocols.md.
static ENTRIES: &[OthelloCommandEntry] = &[
    // Administration
    command_entry("protocol_version", "", OthelloSession::protocol_version),
    command_entry("name", "", OthelloSession::name),
    command_entry("version", "", OthelloSession::version),
    command_entry("known_command", "NAME", OthelloSession::known_command),
    command_entry("list_commands", "", OthelloSession::list_commands),
    command_entry("quit", "", OthelloSession::quit),
    command_entry("stop", "", OthelloSession::stop),
    command_entry("cputime", "", OthelloSession::cputime),
    command_entry("set_random_seed", "NUMBER", OthelloSession::set_random_seed),
    command_entry("get_random_seed", "", OthelloSession::get_random_seed),
    command_entry("clear_cache", "", OthelloSession::clear_cache),
    // Setting up
    command_entry("list_games", "", OthelloSession::list_games),
    command_entry("set_game", "GAME", OthelloSession::set_game),
    command_entry("boardsize", "SIZE", OthelloSession::boardsize),
    command_entry("query_boardsize", "", OthelloSession::query_boardsize),
    command_entry("clear_board", "", OthelloSession::clear_board),
    command_entry("komi", "POINTS", OthelloSession::komi),
    command_entry("loadsgf", "FILE [MOVE_NUMBER]", OthelloSession::loadsgf),
    command_entry("printsgf", "[FILE]", OthelloSession::printsgf),
    // Playing
    command_entry("play", "COLOR VERTEX", OthelloSession::play),
    command_entry("gogui-play_sequence", "[COLOR VERTEX]...", OthelloSession::play_sequence),
    command_entry("undo", "", OthelloSession::undo),
    command_entry("gg-undo", "[MOVES]", OthelloSession::gg_undo),
    command_entry("genmove", "COLOR", OthelloSession::genmove),
    command_entry("reg_genmove", "COLOR", OthelloSession::reg_genmove),
    // Time
    command_entry("time_settings", "MAIN BYOYOMI STONES", OthelloSession::time_settings),
    command_entry("time_left", "COLOR SECONDS STONES", OthelloSession::time_left),
    // Looking at the board
    command_entry("showboard", "", OthelloSession::showboard),
    command_entry("list_stones", "COLOR", OthelloSession::list_stones),
    command_entry("is_legal", "COLOR VERTEX", OthelloSession::is_legal),
    command_entry("all_legal", "COLOR", OthelloSession::all_legal),
    command_entry("last_move", "", OthelloSession::last_move),
    command_entry("move_history", "", OthelloSession::move_history),
    command_entry("final_score", "", OthelloSession::final_score),
    // Analysis
    command_entry("ishi-hints", "", OthelloSession::ishi_hints),
    command_entry("ishi-analyze", "[DEPTH]", OthelloSession::ishi_analyze),
    command_entry("ishi-values", "", OthelloSession::ishi_values),
    command_entry("ishi-variation", "", OthelloSession::ishi_variation),
    command_entry("ishi-opening", "", OthelloSession::ishi_opening),
    command_entry("ishi-engine", "", OthelloSession::ishi_engine),
    // GoGui
    command_entry("gogui-rules_game_id", "", OthelloSession::rules_game_id),
    command_entry("gogui-rules_board_size", "", OthelloSession::query_boardsize),
    command_entry("gogui-rules_board", "", OthelloSession::rules_board),
    command_entry("gogui-rules_board_gfx", "", OthelloSession::rules_board_gfx),
    command_entry("gogui-rules_legal_moves", "", OthelloSession::rules_legal_moves),
    command_entry("gogui-rules_side_to_move", "", OthelloSession::rules_side_to_move),
    command_entry("gogui-rules_final_result", "", OthelloSession::rules_final_result),
    command_entry("gogui-interrupt", "", OthelloSession::gogui_interrupt),
    command_entry("gogui-analyze_commands", "", OthelloSession::gogui_analyze_commands),
    command_entry("gogui-title", "", OthelloSession::name),
    command_entry("gogui-setup", "[COLOR VERTEX]...", OthelloSession::gogui_setup),
    command_entry("gogui-setup_player", "COLOR", OthelloSession::gogui_setup_player),
];

/// The command of this name.
pub(super) fn find_command(name: &str) -> Option<&'static OthelloCommandEntry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// All commands, as `list_commands` lists them.
pub fn all_commands() -> Vec<CommandInfo> {
    ENTRIES.iter().map(|entry| CommandInfo { name: entry.name, usage: entry.usage }).collect()
}
