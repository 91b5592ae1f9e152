//! What the commands for players and students share: options, input, pictures and words.

pub(super) mod input;
pub(super) mod picture;
pub(super) mod progress;

use std::fmt::Display;
use std::time::{Duration, Instant};

use clap::Args;
use ishi_engine::Clock;
use ishi_othello::Square;
use ishi_othello_play::levels::Level;
use ishi_othello_play::search::{SearchParams, Searcher};

use crate::context::{Context, Failure};
use crate::files;
pub(super) use crate::files::print_json;
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
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(super) time: Option<Duration>,
    /// Language of explanations
    #[arg(long, default_value = "en", value_name = "en|ja")]
    pub(super) lang: Language,
}

/// Seconds, more than none.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| format!("invalid time {text:?}: write seconds, more than 0, such as 2.5"))
}

/// The time since it was made.
pub(super) struct WallClock(Instant);

impl WallClock {
    pub(super) fn start_now() -> WallClock {
        WallClock(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A searcher with the threads that the user wants.
pub(super) fn create_searcher(context: &Context) -> Searcher {
    Searcher::new(SearchParams { hash_bits: 22, threads: context.threads })
}

/// Text on standard output.
pub(super) fn print_text(text: impl Display) -> Result<(), Failure> {
    files::print_bytes(text.to_string().as_bytes())
}

/// Moves written together: `f5d6c3`.
pub(super) fn moves_text(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds() {
        assert_eq!(parse_seconds("2.5"), Ok(Duration::from_millis(2500)));
        for text in ["0", "-1", "x", "", "inf", "nan", "1e300"] {
            assert_eq!(
                parse_seconds(text).unwrap_err(),
                format!("invalid time {text:?}: write seconds, more than 0, such as 2.5")
            );
        }
    }
}
