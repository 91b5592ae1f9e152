//! The game as the GUI tells it: a position with its history, and the clocks.

use std::time::Duration;

use ishi_othello::ggf::{self, GgfError, GgfReplayError};
use ishi_othello::{Board, Color, IllegalMove, Move, Position};
use thiserror::Error;

use super::NBoardMove;
use ishi_engine::clock::{GameClock, TimeControl};
use ishi_engine::time::TimeSystem;

/// The game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NBoardGameError {
    /// It is no GGF.
    #[error("{0}")]
    Text(#[from] GgfError),
    /// A move breaks the rules.
    #[error("{0}")]
    Illegal(#[from] GgfReplayError),
}

/// A position with its history, how the game is timed, and how long both sides have thought.
#[derive(Clone, Debug)]
pub(super) struct NBoardGame {
    position: Position,
    /// By [`Color::index`].
    clocks: [GameClock; 2],
}

impl Default for NBoardGame {
    fn default() -> NBoardGame {
        NBoardGame { position: Position::start(), clocks: Default::default() }
    }
}

impl NBoardGame {
    /// Plays a move. Left-out forced passes are understood: the side that has a move makes it.
    pub(super) fn play_move(&mut self, played: NBoardMove) -> Result<(), IllegalMove> {
        let mut next = self.position.clone();
        if played.mv != Move::Pass {
            next.pass_if_forced();
        }
        let color = next.to_move();
        next.play(played.mv)?;
        self.position = next;
        spend_seconds(&mut self.clocks[color.index()], played.seconds);
        Ok(())
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    pub(super) fn board(&self) -> Board {
        self.position.board()
    }

    pub(super) fn to_move(&self) -> Color {
        self.position.to_move()
    }

    pub(super) fn legal_moves(&self) -> Vec<Move> {
        self.position.legal_moves()
    }

    /// The clock's share for the next move; `None` without a clock.
    pub(super) fn time_for_move(&self) -> Option<Duration> {
        let moves = self.board().empty_count().div_ceil(2);
        self.clocks[self.to_move().index()].share_for_move(moves)
    }
}

/// A move took so many seconds, of which no reader gives more than 1e9.
fn spend_seconds(clock: &mut GameClock, seconds: f64) {
    clock.spend_or_run_out(Duration::from_secs_f64(seconds));
}

impl NBoardGame {
    /// The first game of a GGF text.
    pub(super) fn from_ggf(text: &str) -> Result<NBoardGame, NBoardGameError> {
        let record = ggf::read_games(text)?.into_iter().next().unwrap_or_default();
        let mut game = NBoardGame { position: record.replay()?, ..NBoardGame::default() };
        for color in Color::ALL {
            // TB and TW are for players with different times.
            let own = ["TB", "TW"][color.index()];
            let own = record.other.iter().find(|(name, _)| name == own).map(|(_, text)| text);
            let system = parse_time_system(own.unwrap_or(&record.time));
            game.clocks[color.index()] = GameClock::new(TimeControl::exact(system.unwrap_or_default()));
        }
        for played in &record.moves {
            let seconds = played.seconds.unwrap_or(0.0).clamp(0.0, 1e9);
            spend_seconds(&mut game.clocks[played.color.index()], seconds);
        }
        Ok(game)
    }
}

/// `15:00`, or with an increment `5:00/0:10`.
fn parse_time_system(text: &str) -> Option<TimeSystem> {
    let mut parts = text.split('/').map(parse_seconds);
    let main = parts.next()??;
    let increment = parts.next().flatten().unwrap_or_default();
    Some(TimeSystem::Fischer { main, increment })
}

/// `90`, `1:30` or `1:00:00`.
fn parse_seconds(text: &str) -> Option<Duration> {
    let text = text.split(',').next()?.trim();
    let part = |sum: Option<u64>, part: &str| sum?.checked_mul(60)?.checked_add(part.parse().ok()?);
    text.split(':').fold(Some(0), part).filter(|&seconds| seconds < 1 << 32).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let fischer = |main, increment| {
            Some(TimeSystem::Fischer {
                main: Duration::from_secs(main),
                increment: Duration::from_secs(increment),
            })
        };
        for (text, expected) in [
            ("15:00", fischer(900, 0)),
            ("90", fischer(90, 0)),
            ("1:00:30", fischer(3630, 0)),
            ("5:00/0:10", fischer(300, 10)),
            ("05:00//02:00", fischer(300, 0)),
            ("", None),
            ("soon", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(parse_time_system(text), expected, "{text}");
        }
    }

    #[test]
    fn the_clock_goes_down_with_the_moves() {
        let game = |moves: &str| NBoardGame::from_ggf(&format!("(;GM[Othello]TI[1:00]{moves};)")).unwrap();
        assert_eq!(NBoardGame::from_ggf("(;GM[Othello];)").unwrap().time_for_move(), None);
        let (early, late) =
            (game("").time_for_move().unwrap(), game("B[f5//30]W[d6]").time_for_move().unwrap());
        assert!(late < early.mul_f64(0.6) && late > Duration::ZERO, "{early:?} {late:?}");
        assert_eq!(game("B[f5//100]W[d6]").time_for_move(), Some(Duration::ZERO));
        assert!(game("TB[2:00]").time_for_move().unwrap() > early);
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let error = |text: &str| NBoardGame::from_ggf(text).unwrap_err().to_string();
        assert!(error("f5d6").contains("no game"));
        assert!(error("(;GM[Othello]B[f5]W[f5];)").contains("move 2"));
    }
}
