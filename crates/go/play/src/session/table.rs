//! The table of commands: the one list that `list_commands`, the dispatcher and the documentation's test share.

use ishi_engine::session::{CommandAnswer, CommandInfo};

use super::{Session, SessionCall};

/// A command's function.
pub(super) type CommandFn = fn(&mut Session, &mut SessionCall<'_, '_>) -> CommandAnswer;

/// A line of the table.
pub(super) struct CommandEntry {
    pub(super) name: &'static str,
    /// The arguments, as docs/protocols.md and the errors write them.
    pub(super) usage: &'static str,
    pub(super) run: CommandFn,
}

const fn command_entry(name: &'static str, usage: &'static str, run: CommandFn) -> CommandEntry {
    CommandEntry { name, usage, run }
}

/// Arguments of `lz-analyze`.
const LZ_KEYS: &str = "[COLOR] [INTERVAL] [interval N] [minmoves N] [maxmoves N] [avoid COLOR VERTICES DEPTH] [allow COLOR VERTICES DEPTH]";

/// Arguments of `kata-analyze`.
const KATA_KEYS: &str = "[COLOR] [INTERVAL] [interval N] [minmoves N] [maxmoves N] [avoid COLOR VERTICES DEPTH] [allow COLOR VERTICES DEPTH] [rootInfo BOOL] [ownership BOOL]";

/// All commands in the order of docs/protocols.md.
static ENTRIES: [CommandEntry; 77] = [
    // Administration
    command_entry("protocol_version", "", Session::protocol_version),
    command_entry("name", "", Session::name),
    command_entry("version", "", Session::version),
    command_entry("known_command", "NAME", Session::known_command),
    command_entry("list_commands", "", Session::list_commands),
    command_entry("quit", "", Session::quit),
    command_entry("stop", "", Session::stop),
    command_entry("cputime", "", Session::cputime),
    command_entry("set_random_seed", "NUMBER", Session::set_random_seed),
    command_entry("get_random_seed", "", Session::get_random_seed),
    command_entry("clear_cache", "", Session::clear_cache),
    // Setting up
    command_entry("boardsize", "SIZE", Session::boardsize),
    command_entry("rectangular_boardsize", "WIDTH HEIGHT", Session::rectangular_boardsize),
    command_entry("query_boardsize", "", Session::query_boardsize),
    command_entry("clear_board", "", Session::clear_board),
    command_entry("komi", "POINTS", Session::komi),
    command_entry("get_komi", "", Session::get_komi),
    command_entry("fixed_handicap", "STONES", Session::fixed_handicap),
    command_entry("place_free_handicap", "STONES", Session::place_free_handicap),
    command_entry("set_free_handicap", "VERTEX VERTEX...", Session::set_free_handicap),
    command_entry("loadsgf", "FILE [MOVE_NUMBER]", Session::loadsgf),
    command_entry("printsgf", "[FILE]", Session::printsgf),
    // Rules
    command_entry("kgs-rules", "NAME", Session::kgs_rules),
    command_entry("kata-set-rules", "NAME|JSON", Session::kata_set_rules),
    command_entry("kata-set-rule", "FIELD VALUE", Session::kata_set_rule),
    command_entry("kata-get-rules", "", Session::kata_get_rules),
    // Playing
    command_entry("play", "COLOR VERTEX", Session::play),
    command_entry("gogui-play_sequence", "[COLOR VERTEX]...", Session::play_sequence),
    command_entry("undo", "", Session::undo),
    command_entry("gg-undo", "[MOVES]", Session::gg_undo),
    command_entry("genmove", "COLOR", Session::genmove),
    command_entry("reg_genmove", "COLOR", Session::reg_genmove),
    command_entry("restricted_genmove", "COLOR VERTEX...", Session::restricted_genmove),
    command_entry("kgs-genmove_cleanup", "COLOR", Session::genmove_cleanup),
    command_entry("kgs-game_over", "", Session::game_over),
    // Time
    command_entry("time_settings", "MAIN BYOYOMI STONES", Session::time_settings),
    command_entry("kgs-time_settings", "KIND [MAIN [PERIOD STONES|PERIODS]]", Session::kgs_time_settings),
    command_entry(
        "kata-time_settings",
        "KIND [MAIN [PERIOD STONES|PERIODS]|[INCREMENT]]",
        Session::kata_time_settings,
    ),
    command_entry("kata-list_time_settings", "", Session::kata_list_time_settings),
    command_entry("time_left", "COLOR SECONDS STONES", Session::time_left),
    // Looking at the board
    command_entry("showboard", "", Session::showboard),
    command_entry("list_stones", "COLOR", Session::list_stones),
    command_entry("captures", "COLOR", Session::captures),
    command_entry("is_legal", "COLOR VERTEX", Session::is_legal),
    command_entry("all_legal", "COLOR", Session::all_legal),
    command_entry("last_move", "", Session::last_move),
    command_entry("move_history", "", Session::move_history),
    command_entry("final_score", "", Session::final_score),
    command_entry("final_status_list", "alive|dead|seki", Session::final_status_list),
    command_entry("final_status", "VERTEX", Session::final_status),
    // Reading
    command_entry("attack", "VERTEX", Session::attack),
    command_entry("defend", "VERTEX", Session::defend),
    command_entry("connect", "VERTEX VERTEX", Session::connect),
    command_entry("disconnect", "VERTEX VERTEX", Session::disconnect),
    command_entry("owl_attack", "VERTEX", Session::owl_attack),
    command_entry("owl_defend", "VERTEX", Session::owl_defend),
    command_entry("dragon_status", "VERTEX", Session::dragon_status),
    command_entry("analyze_semeai", "VERTEX VERTEX", Session::analyze_semeai),
    command_entry("eval_eye", "VERTEX", Session::eval_eye),
    // Explaining
    command_entry("ishi-explain", "[en|ja] [beginner|kyu|dan] [VERTEX]", Session::explain),
    command_entry("gomill-explain_last_move", "", Session::explain_last_move),
    // Analysis
    command_entry("analyze", KATA_KEYS, Session::analyze),
    command_entry("genmove_analyze", KATA_KEYS, Session::genmove_analyze),
    command_entry("sabaki-genmove_analyze", KATA_KEYS, Session::genmove_analyze),
    command_entry("lz-analyze", LZ_KEYS, Session::lz_analyze),
    command_entry("lz-genmove_analyze", LZ_KEYS, Session::lz_genmove_analyze),
    command_entry("kata-analyze", KATA_KEYS, Session::analyze),
    command_entry("kata-genmove_analyze", KATA_KEYS, Session::genmove_analyze),
    // GoGui
    command_entry("gogui-interrupt", "", Session::gogui_interrupt),
    command_entry("gogui-analyze_commands", "", Session::gogui_analyze_commands),
    command_entry("gogui-title", "", Session::name),
    command_entry("gogui-setup", "[COLOR VERTEX]...", Session::gogui_setup),
    command_entry("gogui-setup_player", "COLOR", Session::gogui_setup_player),
    command_entry("gogui-rules_board_size", "", Session::query_boardsize),
    command_entry("ishi-engine", "", Session::ishi_engine),
    command_entry("ishi-param", "[KEY [VALUE]]", Session::ishi_param),
    command_entry("ishi-ownership", "", Session::ishi_ownership),
];

/// The command of this name.
pub(super) fn find_command(name: &str) -> Option<&'static CommandEntry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// All commands, as `list_commands` lists them.
pub fn all_commands() -> Vec<CommandInfo> {
    ENTRIES.iter().map(|entry| CommandInfo { name: entry.name, usage: entry.usage }).collect()
}
