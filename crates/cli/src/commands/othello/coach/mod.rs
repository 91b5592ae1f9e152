//! What the commands for players and students share: options, input, pictures and words.

pub(super) mod input;
pub(super) mod picture;
pub(super) mod progress;
pub(super) mod words;

use std::fmt::Display;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use ishi_engines::Clock;
use ishi_engines::othello::levels::Level;
use ishi_engines::othello::openings::{Opening, OpeningNames};
use ishi_engines::othello::search::{Found, Meaning, SearchParams, Searcher};
use ishi_othello::{Position, Square};
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::files;
pub(super) use crate::files::print_json;

/// The language of explanations.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// English.
    En,
    /// Japanese.
    Ja,
}

impl Language {
    /// One of two texts.
    pub(super) fn choose<T>(self, english: T, japanese: T) -> T {
        match self {
            Language::En => english,
            Language::Ja => japanese,
        }
    }

    /// The name of an opening; in the other language if it has none in this.
    pub(super) fn opening(self, opening: &Opening) -> &str {
        let (english, japanese) = (opening.english.as_deref(), opening.japanese.as_deref());
        self.choose(english.or(japanese), japanese.or(english)).unwrap_or_default()
    }

    /// The last name that a game passes through, in this language if there is one.
    pub(super) fn opening_of(self, game: &Position) -> Option<&'static str> {
        let line = OpeningNames::builtin().line(game);
        let own =
            |opening: &'static Opening| self.choose(opening.english.as_deref(), opening.japanese.as_deref());
        let own = line.iter().rev().find_map(|&(_, opening)| own(opening));
        own.or_else(|| line.last().map(|&(_, opening)| self.opening(opening)))
    }
}

/// How hard to look, and in which language to say what was seen.
#[derive(Args, Debug)]
pub(super) struct StudyArgs {
    /// How hard to look: 1 to 20, see docs/othello.md
    #[arg(long, default_value = "14", value_name = "LEVEL")]
    pub(super) level: Level,
    /// Seconds to think at most
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) time: Option<Duration>,
    /// Language of explanations
    #[arg(long, value_enum, default_value = "en")]
    pub(super) lang: Language,
}

/// Seconds, more than none.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| format!("invalid time {text:?}: write seconds, more than 0, such as 2.5"))
}

/// The time since it was made.
pub(super) struct WallClock(Instant);

impl WallClock {
    pub(super) fn start() -> WallClock {
        WallClock(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A searcher with the threads that the user wants.
pub(super) fn searcher(context: &Context) -> Searcher {
    Searcher::new(SearchParams { hash_bits: 22, threads: context.threads })
}

/// Text on standard output.
pub(super) fn print(text: impl Display) -> Result<(), Failure> {
    files::print(text.to_string().as_bytes())
}

/// Moves written together: `f5d6c3`.
pub(super) fn line(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect()
}

/// How sure a value is: `exact`, or the depth and the confidence: `12@95%`.
pub(super) fn sureness(found: &Found, language: Language) -> String {
    match found.meaning {
        Meaning::Exact => language.choose("exact", "完全").to_string(),
        Meaning::WinLoss => language.choose("win/loss", "勝敗").to_string(),
        Meaning::Estimate | Meaning::Selective => format!("{}@{}", found.depth, found.confidence),
    }
}

/// The name of a meaning in JSON.
pub(super) fn meaning(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Estimate => "estimate",
        Meaning::Selective => "selective",
        Meaning::WinLoss => "win-loss",
        Meaning::Exact => "exact",
    }
}

/// An opening in JSON.
#[derive(Serialize)]
pub(super) struct OpeningJson {
    english: Option<String>,
    japanese: Option<String>,
    moves: String,
}

impl OpeningJson {
    pub(super) fn of(opening: &Opening) -> OpeningJson {
        let Opening { english, japanese, .. } = opening.clone();
        OpeningJson { english, japanese, moves: opening.transcript() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds() {
        assert_eq!(seconds("2.5"), Ok(Duration::from_millis(2500)));
        for text in ["0", "-1", "x", "", "inf", "nan", "1e300"] {
            assert_eq!(
                seconds(text).unwrap_err(),
                format!("invalid time {text:?}: write seconds, more than 0, such as 2.5")
            );
        }
    }
}
