//! What is kept of a game: moves, result, reason, times.

use std::fmt;
use std::str::FromStr;

use ishi_engine::Go;
use ishi_go::{Color, Score};
use ishi_sgf::GameResult;

use crate::games::MatchGame;
use crate::pair::PairTask;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndReason {
    /// Counted after passes.
    Score,
    /// A player resigned.
    Resign,
    /// A player had so many stones more that the mercy rule ended the game.
    Mercy,
    /// Counted as it stood at the move limit.
    MoveLimit,
    /// A player's clock ran out.
    Time,
    /// A player made a move that the rules forbid.
    IllegalMove,
    /// A player's answer was no move.
    Garbage,
    /// A player refused a legal move or the set-up: it disagrees about the rules, and loses.
    Disagreement,
    /// A player did not answer.
    Timeout,
    /// A player's program ended.
    Crash,
}

impl EndReason {
    /// All reasons with the words that databases and JSON use.
    pub const NAMED: [(&'static str, EndReason); 10] = [
        ("score", EndReason::Score),
        ("resign", EndReason::Resign),
        ("mercy", EndReason::Mercy),
        ("move-limit", EndReason::MoveLimit),
        ("time", EndReason::Time),
        ("illegal-move", EndReason::IllegalMove),
        ("garbage", EndReason::Garbage),
        ("disagreement", EndReason::Disagreement),
        ("timeout", EndReason::Timeout),
        ("crash", EndReason::Crash),
    ];

    /// Did a player do something that it should not do? Such games are listed at the end of a match.
    pub fn is_error(self) -> bool {
        use EndReason::{Crash, Disagreement, Garbage, IllegalMove, Time, Timeout};
        matches!(self, Time | IllegalMove | Garbage | Disagreement | Timeout | Crash)
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = EndReason::NAMED.iter().find(|(_, reason)| reason == self);
        f.pad(named.map_or("", |(name, _)| name))
    }
}

/// The text was no reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown reason {0:?} for the end of a game: this database is of a newer ishi, or damaged")]
pub struct EndReasonError(String);

impl FromStr for EndReason {
    type Err = EndReasonError;

    fn from_str(text: &str) -> Result<EndReason, EndReasonError> {
        let named = EndReason::NAMED.iter().find(|(name, _)| *name == text);
        named.map(|&(_, reason)| reason).ok_or_else(|| EndReasonError(text.to_string()))
    }
}

/// One player's use of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeUsed {
    /// Moves it thought about.
    pub moves: u32,
    /// Seconds for all of them.
    pub seconds: f64,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord<G: MatchGame = Go> {
    /// Which contestant was Black, 0 or 1.
    pub black: usize,
    /// How it ended. Draws are [`GameResult::Draw`].
    pub result: GameResult,
    /// Why.
    pub reason: EndReason,
    /// The reason in words, where there is more to say; what a failed referee said.
    pub detail: String,
    /// How many of the moves were the opening.
    pub opening: usize,
    /// All moves.
    pub moves: Vec<(Color, G::Move)>,
    /// The time that each colour used, by [`Color::index`].
    pub time: [TimeUsed; 2],
    /// The conversation with a program that failed; empty otherwise.
    pub transcript: Vec<String>,
}

impl<G: MatchGame> GameRecord<G> {
    /// The contestant (0 or 1) that played this colour.
    pub fn contestant(&self, color: Color) -> usize {
        if color == Color::Black { self.black } else { 1 - self.black }
    }

    /// The colour of contestant 0 or 1.
    pub fn color_of(&self, contestant: usize) -> Color {
        if contestant == self.black { Color::Black } else { Color::White }
    }

    /// The contestant who won; `None` for a draw.
    pub fn winner(&self) -> Option<usize> {
        self.result.winner().map(|color| self.contestant(color))
    }

    /// Half points of contestant 0: 2, 1 or 0.
    pub fn half_points(&self) -> usize {
        match self.winner() {
            Some(0) => 2,
            Some(_) => 0,
            None => 1,
        }
    }

    /// The record as SGF. It says nothing of times and dates, so that the same game gives the same text.
    pub fn to_sgf(&self, task: &PairTask<G>, number: usize) -> String {
        G::to_sgf(self, task, number)
    }
}

/// The result of a count.
pub(crate) fn result_from_score(score: Score) -> GameResult {
    score.winner().map_or(GameResult::Draw, |color| GameResult::Points(color, score.0.abs()))
}
