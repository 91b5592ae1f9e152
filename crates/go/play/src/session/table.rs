//! The table of commands: the one list that `list_commands`, the dispatcher and the documentation's test share.

use ishi_engine::session::{Answered, CommandInfo};

use super::{Call, Session};

/// A command's function.
pub(super) type Run = fn(&mut Session, &mut Call<'_, '_>) -> Answered;

/// A line of the table.
pub(super) struct Entry {
    pub(super) name: &'static str,
    /// The arguments, as docs/gtp.md and the errors write them.
    pub(super) usage: &'static str,
    pub(super) run: Run,
}

const fn entry(name: &'static str, usage: &'static str, run: Run) -> Entry {
    Entry { name, usage, run }
}

/// Arguments of `lz-analyze`.
const LZ_KEYS: &str = "[COLOR] [INTERVAL] [interval N] [minmoves N] [maxmoves N] [avoid COLOR VERTICES DEPTH] [allow COLOR VERTICES DEPTH]";

/// Arguments of `kata-analyze`.
const KATA_KEYS: &str = "[COLOR] [INTERVAL] [interval N] [minmoves N] [maxmoves N] [avoid COLOR VERTICES DEPTH] [allow COLOR VERTICES DEPTH] [rootInfo BOOL] [ownership BOOL]";

/// All commands in the order of docs/gtp.md.
static ENTRIES: [Entry; 77] = [
    // Administration
    entry("protocol_version", "", Session::protocol_version),
    entry("name", "", Session::name),
    entry("version", "", Session::version),
    entry("known_command", "NAME", Session::known_command),
    entry("list_commands", "", Session::list_commands),
    entry("quit", "", Session::quit),
    entry("stop", "", Session::stop),
    entry("cputime", "", Session::cputime),
    entry("set_random_seed", "NUMBER", Session::set_random_seed),
    entry("get_random_seed", "", Session::get_random_seed),
    entry("clear_cache", "", Session::clear_cache),
    // Setting up
    entry("boardsize", "SIZE", Session::boardsize),
    entry("rectangular_boardsize", "WIDTH HEIGHT", Session::rectangular_boardsize),
    entry("query_boardsize", "", Session::query_boardsize),
    entry("clear_board", "", Session::clear_board),
    entry("komi", "POINTS", Session::komi),
    entry("get_komi", "", Session::get_komi),
    entry("fixed_handicap", "STONES", Session::fixed_handicap),
    entry("place_free_handicap", "STONES", Session::place_free_handicap),
    entry("set_free_handicap", "VERTEX VERTEX...", Session::set_free_handicap),
    entry("loadsgf", "FILE [MOVE_NUMBER]", Session::loadsgf),
    entry("printsgf", "[FILE]", Session::printsgf),
    // Rules
    entry("kgs-rules", "NAME", Session::kgs_rules),
    entry("kata-set-rules", "NAME|JSON", Session::kata_set_rules),
    entry("kata-set-rule", "FIELD VALUE", Session::kata_set_rule),
    entry("kata-get-rules", "", Session::kata_get_rules),
    // Playing
    entry("play", "COLOR VERTEX", Session::play),
    entry("gogui-play_sequence", "[COLOR VERTEX]...", Session::play_sequence),
    entry("undo", "", Session::undo),
    entry("gg-undo", "[MOVES]", Session::gg_undo),
    entry("genmove", "COLOR", Session::genmove),
    entry("reg_genmove", "COLOR", Session::reg_genmove),
    entry("restricted_genmove", "COLOR VERTEX...", Session::restricted_genmove),
    entry("kgs-genmove_cleanup", "COLOR", Session::genmove_cleanup),
    entry("kgs-game_over", "", Session::game_over),
    // Time
    entry("time_settings", "MAIN BYOYOMI STONES", Session::time_settings),
    entry("kgs-time_settings", "KIND [MAIN [PERIOD STONES|PERIODS]]", Session::kgs_time_settings),
    entry(
        "kata-time_settings",
        "KIND [MAIN [PERIOD STONES|PERIODS]|[INCREMENT]]",
        Session::kata_time_settings,
    ),
    entry("kata-list_time_settings", "", Session::kata_list_time_settings),
    entry("time_left", "COLOR SECONDS STONES", Session::time_left),
    // Looking at the board
    entry("showboard", "", Session::showboard),
    entry("list_stones", "COLOR", Session::list_stones),
    entry("captures", "COLOR", Session::captures),
    entry("is_legal", "COLOR VERTEX", Session::is_legal),
    entry("all_legal", "COLOR", Session::all_legal),
    entry("last_move", "", Session::last_move),
    entry("move_history", "", Session::move_history),
    entry("final_score", "", Session::final_score),
    entry("final_status_list", "alive|dead|seki", Session::final_status_list),
    entry("final_status", "VERTEX", Session::final_status),
    // Reading
    entry("attack", "VERTEX", Session::attack),
    entry("defend", "VERTEX", Session::defend),
    entry("connect", "VERTEX VERTEX", Session::connect),
    entry("disconnect", "VERTEX VERTEX", Session::disconnect),
    entry("owl_attack", "VERTEX", Session::owl_attack),
    entry("owl_defend", "VERTEX", Session::owl_defend),
    entry("dragon_status", "VERTEX", Session::dragon_status),
    entry("analyze_semeai", "VERTEX VERTEX", Session::analyze_semeai),
    entry("eval_eye", "VERTEX", Session::eval_eye),
    // Explaining
    entry("ishi-explain", "[en|ja] [VERTEX]", Session::explain),
    entry("gomill-explain_last_move", "", Session::explain_last_move),
    // Analysis
    entry("analyze", KATA_KEYS, Session::analyze),
    entry("genmove_analyze", KATA_KEYS, Session::genmove_analyze),
    entry("sabaki-genmove_analyze", KATA_KEYS, Session::genmove_analyze),
    entry("lz-analyze", LZ_KEYS, Session::lz_analyze),
    entry("lz-genmove_analyze", LZ_KEYS, Session::lz_genmove_analyze),
    entry("kata-analyze", KATA_KEYS, Session::analyze),
    entry("kata-genmove_analyze", KATA_KEYS, Session::genmove_analyze),
    // GoGui
    entry("gogui-interrupt", "", Session::gogui_interrupt),
    entry("gogui-analyze_commands", "", Session::gogui_analyze_commands),
    entry("gogui-title", "", Session::name),
    entry("gogui-setup", "[COLOR VERTEX]...", Session::gogui_setup),
    entry("gogui-setup_player", "COLOR", Session::gogui_setup_player),
    entry("gogui-rules_board_size", "", Session::query_boardsize),
    entry("ishi-engine", "", Session::ishi_engine),
    entry("ishi-param", "[KEY [VALUE]]", Session::ishi_param),
    entry("ishi-ownership", "", Session::ishi_ownership),
];

/// The command of this name.
pub(super) fn find(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// All commands, as `list_commands` lists them.
pub fn commands() -> Vec<CommandInfo> {
    ENTRIES.iter().map(|entry| CommandInfo { name: entry.name, usage: entry.usage }).collect()
}
