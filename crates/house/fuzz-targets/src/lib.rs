//! What fuzzing does with an input: for every parser, protocol and kept file a function that takes any bytes and must not panic.
//!
//! libFuzzer calls them (`fuzz/`, which needs a nightly compiler), and so does `cargo test`: over the corpora in `fuzz/corpus`, and over
//! mutants of them that follow from a seed ([`mutate_input`]). [`exact`] holds kept files to "refused, or the same answer".

// The edge of the program: sockets, threads and the environment.
#![allow(clippy::disallowed_methods)]
// An unexpected end is what a target is there to tell.
#![allow(clippy::missing_panics_doc)]

pub mod documents;
pub mod exact;
pub mod games;
pub mod json;
pub mod kept;
mod mutate;
pub mod protocols;
pub mod seeds;
pub mod servers;
pub mod settings;

use std::time::Duration;

pub use mutate::{list_mutants, mutate_input};

/// A parser, protocol or kept file with what holds for every input.
#[derive(Clone, Copy)]
pub struct FuzzTarget {
    /// That of `fuzz/fuzz_targets/NAME.rs` and of the folder `fuzz/corpus/NAME`.
    pub name: &'static str,
    /// Takes any bytes. Panics if something does not hold.
    pub check: fn(&[u8]),
    /// Words that open doors: mutants get them put in.
    pub words: &'static [&'static str],
    /// How many mutants of a quick target take as long as one of this: it gets so many times fewer.
    pub cost: u64,
}

const fn target(
    name: &'static str,
    check: fn(&[u8]),
    words: &'static [&'static str],
    cost: u64,
) -> FuzzTarget {
    FuzzTarget { name, check, words, cost }
}

const SGF_WORDS: &[&str] =
    &["(;", ";B[", ";W[", "SZ[19:9]", "GM[2]", "AB[aa:cc]", "CA[Shift_JIS]", "KM[", "tt"];
const GO_GTP_WORDS: &[&str] = &[
    "genmove b\n",
    "play w C3\n",
    "boardsize 2\n",
    "komi 1e99\n",
    "undo\n",
    "fixed_handicap 9\n",
    "place_free_handicap 2\n",
    "final_status_list dead\n",
    "time_settings 0 1 0\n",
    "kata-set-rules japanese\n",
    "showboard\n",
    "quit\n",
];
const GTP_ANSWER_WORDS: &[&str] =
    &["= ", "? ", "=7 ", "\n\n", "\r\n", "resign", "PASS", "D4", "J7", "B+", "W+0", "1e400", "nan"];
const SOLVER_WORDS: &[&str] = &[
    "\n---\n",
    "status optimal\n",
    "ones 1 2\n",
    "cpu nan\n",
    "ishi-times\n",
    "0m0.1s 0m1.5s\n",
    "s mip 2 2 o 1\n",
    "j 99 1\n",
    "Optimal\n",
    "SCIP Status : [optimal solution found]\n",
];
const OTHELLO_GTP_WORDS: &[&str] =
    &["genmove black\n", "play white d3\n", "undo\n", "showboard\n", "level 1\n", "clear_board\n", "quit\n"];
const NBOARD_WORDS: &[&str] =
    &["nboard 2\n", "set game ", "set depth 3\n", "move F5//\n", "go\n", "hint 3\n", "ping 7\n", "learn\n"];
const JSON_WORDS: &[&str] = &["null", "[]", "{}", "\"\"", "true", "-0.0", "1e400", "[[", ","];
const HTTP_WORDS: &[&str] = &[
    "Transfer-Encoding: chunked\r\n",
    "Content-Length: 18446744073709551615\r\n",
    "Expect: 100-continue\r\n",
    "Host: ",
    "Cookie: lang=ja\r\n",
    "HX-Request: true\r\n",
    "%00",
    "../",
    "\r\n\r\n",
];
const HTTP_ANSWER_WORDS: &[&str] = &[
    "HTTP/1.1 200 OK\r\n",
    "Content-Length: 3\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Location: /go/a\r\n",
    "\r\n\r\n",
    "0\r\n\r\n",
    "fffffff\r\n",
];
const ADDRESS_WORDS: &[&str] =
    &["postgres://", "%2F", "%00", "@", "[::1]", "?host=", "&port=", "service=s", "[s]\n", "*:*:*:*:"];
const SETTING_WORDS: &[&str] = &[
    "preset=strong,",
    "level=9,",
    "visits=",
    "by=people-",
    "tabu=hash-win,",
    "many-faces",
    "(B4|D2)*",
    "[!",
    "60+10x3",
    "'a b'",
    "DE/best/2/exp",
    "%",
];
const FORM_WORDS: &[&str] =
    &["KEY", "%", "%FF", "%00", "&", "=", "revision=0", "person", "go-random", "size=1"];

/// All of them.
pub const TARGETS: &[FuzzTarget] = &[
    target("analysis_line", protocols::check_analysis_line, JSON_WORDS, 2),
    target("arena_texts", games::check_arena_texts, &["random:3", "go-mcts:", "cmd:", "5m+10x30s"], 1),
    target("certificate", kept::check_certificate_text, &["states\n", "end\n", "depth 3\n"], 4),
    target("count_checkpoint", kept::check_count_checkpoint, &[], 4),
    target("database_address", documents::check_database_address, ADDRESS_WORDS, 1),
    target("deck_documents", documents::check_deck_documents, JSON_WORDS, 2),
    target(
        "deck_logs",
        documents::check_deck_logs,
        &["deck,card,count\n", "2024-02-30", "\t", "4 Ant (SET) 1\n", "\nDeck\n"],
        1,
    ),
    target("diagram", games::check_diagram, &["X", "O", ".", "+"], 1),
    target("evolution_state", kept::check_evolution_state, JSON_WORDS, 4),
    target(
        "experiment_configs",
        documents::check_experiment_config,
        &["[quick]\n", "[[quick.run]]\n", "= 1\n", "1e308", "\"go-flat:playouts=9\"", "[]", "nan"],
        10,
    ),
    target("go_knowledge", games::check_go_knowledge, &["ishi-joseki 1\n", "B D4 ", " ="], 2),
    target("go_networks", kept::check_go_networks, &[], 1),
    target("go_packed", kept::check_go_packed, &[], 2),
    target("go_patterns", games::check_go_patterns, &["ishi-shapes 1\n", "pattern ", ": . X O ?\n"], 1),
    target("gtp_answers", protocols::check_gtp_answers, GTP_ANSWER_WORDS, 1),
    target("gtp_line", protocols::check_go_gtp, GO_GTP_WORDS, 10),
    target("http_answers", protocols::check_http_answers, HTTP_ANSWER_WORDS, 1),
    target("http_deck_request", servers::check_deck_request, JSON_WORDS, 10),
    target("http_form", servers::check_form, FORM_WORDS, 20),
    target("http_head", servers::check_head, HTTP_WORDS, 20),
    target("http_page", servers::check_page_address, FORM_WORDS, 20),
    target("json_documents", json::check_json_documents, JSON_WORDS, 2),
    target(
        "kept_numbers",
        kept::check_kept_numbers,
        &[" sum:", "# ", "# ishi-numbers 1\n", "boards 3x3 "],
        1,
    ),
    target(
        "lab_texts",
        documents::check_lab_texts,
        &["[[figure]]\n", "[paper]\n", "1979-05-27", "go-mcts:", "bias=0..1", ":log@", "1e308", "|"],
        1,
    ),
    target("labels", documents::check_labels, &["\t", "sum:", "57..", "qd:310,"], 1),
    target("names", games::check_names, &["go-mcts:", "chinese", "19x9", "B+R"], 2),
    target("nboard_line", protocols::check_nboard, NBOARD_WORDS, 10),
    target("network_state", kept::check_network_state, &[], 20),
    target("othello_book", kept::check_othello_book, &[], 1),
    target("othello_files", games::check_othello_files, &["XADEKOOB", "DICUORAGE", "ishi-nt"], 2),
    target("othello_games_index", games::check_othello_games_index, &[], 1),
    target("othello_given", games::check_othello_given, &["://", " b", "8/8/", "f5", "--", ";"], 1),
    target("othello_gtp_line", protocols::check_othello_gtp, OTHELLO_GTP_WORDS, 10),
    target("othello_networks", kept::check_othello_networks, &["line4", "2x3+", "{"], 2),
    target("othello_openings", games::check_othello_openings, &["f5d6c3", "(;GM[2]", "--", "#"], 2),
    target(
        "othello_players",
        games::check_othello_players,
        &[
            "# checksum ",
            "# ishi-piece-counter ",
            "nan",
            "1e39",
            "ishi-openings-practice 1\n",
            "session 3\n",
            "f5d6 1 4\n",
        ],
        1,
    ),
    target("othello_records", games::check_othello_records, &["(;GM[Othello]", "f5d6c3", "--", ";)"], 1),
    target("othello_texts", games::check_othello_texts, &["(;GM[Othello]", "f5d6c3", "--", ";)"], 1),
    target("othello_weights", kept::check_othello_weights, &[], 100),
    target("program_answers", protocols::check_program_answers, JSON_WORDS, 2),
    target("samples", documents::check_samples, &[], 1),
    target("self_play_positions", kept::check_self_play_positions, &[], 1),
    target("settings", settings::check_settings, SETTING_WORDS, 1),
    target("sgf_parse", games::check_sgf, SGF_WORDS, 1),
    target("sgf_records", games::check_sgf_records, SGF_WORDS, 1),
    target("solver_answers", documents::check_solver_answers, SOLVER_WORDS, 2),
    target("strings_given", documents::check_given_board, &["?", "#", "."], 1),
    target("td_checkpoint", kept::check_td_checkpoint, &[], 4),
    target("tool_arguments", protocols::check_tool_arguments, JSON_WORDS, 2),
    target("vertex", games::check_vertex, &["I9", "pass", "Z25"], 1),
];

/// How far mutants of a target are tried. What ends first ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FuzzLimits {
    /// Mutants of a quick target; a slow one gets fewer ([`FuzzTarget::cost`]).
    pub mutants: u64,
    /// Elapsed time for each target, if it is bounded. The mutant that is being tried then is finished.
    pub time: Option<Duration>,
}

impl FuzzLimits {
    /// `ISHI_FUZZ_MUTANTS` mutants (`usual` of them if it is not there), and `ISHI_FUZZ_SECONDS` seconds. Seconds alone do not bound the number.
    ///
    /// # Panics
    /// If one of the variables is no whole number.
    #[must_use]
    pub fn from_environment(usual: u64) -> FuzzLimits {
        let seconds = number_from_environment("ISHI_FUZZ_SECONDS", 0);
        let time = (seconds > 0).then(|| Duration::from_secs(seconds));
        let usual = if time.is_some() { u64::MAX } else { usual };
        FuzzLimits { mutants: number_from_environment("ISHI_FUZZ_MUTANTS", usual), time }
    }

    /// May another mutant of the target be tried, after so many and so much time?
    #[must_use]
    pub fn allow_another(&self, target: &FuzzTarget, tried: u64, elapsed: Duration) -> bool {
        tried < self.mutants.div_ceil(target.cost) && self.time.is_none_or(|time| elapsed < time)
    }
}

/// A whole number from the environment, such as how many mutants are tried.
///
/// # Panics
/// If it is there and is no whole number.
#[must_use]
pub fn number_from_environment(name: &str, usual: u64) -> u64 {
    let Ok(text) = std::env::var(name) else { return usual };
    text.parse().unwrap_or_else(|_| panic!("{name} must be a whole number, not {text:?}"))
}
