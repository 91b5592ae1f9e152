//! What the commands for players and students share: options, input, pictures and words.

pub(super) mod input;
pub(super) mod picture;

use std::fmt::Display;
use std::time::Duration;

use clap::Args;
use ishi_othello::{Color, Square};
use ishi_othello_play::coach::MainReason;
use ishi_othello_play::levels::Level;
use ishi_othello_play::search::{SearchParams, Searcher};

use crate::context::{Context, Failure};
use crate::files;
pub(super) use crate::files::print_json;
use crate::numbers::parse_thinking_time;
pub(super) use ishi_arena::stopwatch::WallClock;
pub(super) use ishi_othello_play::coach::words;
pub(super) use ishi_othello_play::coach::words::sureness_text;
pub(super) use ishi_words::Language;

/// How hard to look, and in which language to say what was seen.
#[derive(Args, Debug)]
pub(super) struct CoachArgs {
    /// How hard to look: 1 to 20, see docs/othello.md
    #[arg(long, default_value = "14", value_name = "LEVEL")]
    pub(super) level: Level,
    /// Seconds to think at most
    #[arg(long, value_name = "SECONDS", value_parser = parse_thinking_time)]
    pub(super) time: Option<Duration>,
    /// Language of explanations
    #[arg(long, default_value = "en", value_name = "en|ja")]
    pub(super) lang: Language,
}

/// A searcher with the threads that the user wants.
pub(super) fn create_searcher(context: &Context) -> Searcher {
    Searcher::new(SearchParams { hash_bits: 22, threads: context.threads })
}

/// The main reason against a move.
#[derive(serde::Serialize)]
pub(super) struct MainReasonJson {
    text: String,
    /// The cost in discs.
    cost: i32,
    /// The line that shows it.
    line: String,
    /// The line of the best move that it is held against.
    better: String,
}

impl MainReasonJson {
    /// The reason in this language; `mover` made the move.
    pub(super) fn new(reason: &MainReason, mover: Color, language: Language) -> MainReasonJson {
        let text = words::describe_main_reason(reason, mover, language);
        let (line, better) = (moves_text(&reason.line), moves_text(&reason.better));
        MainReasonJson { text, cost: reason.cost, line, better }
    }
}

/// Text on standard output.
pub(super) fn print_text(text: impl Display) -> Result<(), Failure> {
    files::print_bytes(text.to_string().as_bytes())
}

/// A name behind a move: ` (Tiger)`, in Japanese `（虎定石）`.
pub(super) fn in_brackets(name: &str, language: Language) -> String {
    language.choose(format!(" ({name})"), format!("（{name}）"))
}

/// Moves written together: `f5d6c3`.
pub(super) fn moves_text(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect()
}
