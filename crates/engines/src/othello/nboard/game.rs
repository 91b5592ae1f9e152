//! The game as the GUI tells it: a position with its history, and the clocks.

use std::time::Duration;

use ishi_othello::{Board, Color, IllegalMove, Move, Position, Square};
use thiserror::Error;

use super::Played;
use crate::time::{TimeLeft, TimeSystem};

/// The game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// There is no `BO` property with a board of 8 lines.
    #[error("no board in the game: BO[8 ...] has 64 squares of - * O and the side to move, * or O")]
    Board,
    /// A move cannot be read.
    #[error("move {number}: {text:?} is no move such as F5/1.25/3 or PA")]
    Move {
        /// From 1.
        number: usize,
        /// What stands there.
        text: String,
    },
    /// A move breaks the rules.
    #[error("move {number}: {error}")]
    Illegal {
        /// From 1.
        number: usize,
        /// Which rule.
        error: IllegalMove,
    },
}

/// A position with its history, how the game is timed, and how long both sides have thought.
#[derive(Clone, Debug)]
pub(super) struct Game {
    position: Position,
    system: TimeSystem,
    /// By [`Color::index`], in seconds.
    spent: [f64; 2],
    made: [u32; 2],
}

impl Default for Game {
    fn default() -> Game {
        Game { position: Position::start(), system: TimeSystem::None, spent: [0.0; 2], made: [0; 2] }
    }
}

impl Game {
    /// Plays a move. Left-out forced passes are understood: the side that has a move makes it.
    pub(super) fn play(&mut self, played: Played) -> Result<(), IllegalMove> {
        let mut next = self.position.clone();
        if played.mv != Move::Pass {
            next.pass_if_forced();
        }
        let color = next.to_move();
        next.play(played.mv)?;
        self.position = next;
        self.spent[color.index()] += played.seconds;
        self.made[color.index()] += 1;
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
        let side = self.to_move().index();
        let (main, increment) = match self.system {
            TimeSystem::Fischer { main, increment } => (main, increment),
            _ => return None,
        };
        let given = main + increment * self.made[side];
        let time = given.saturating_sub(Duration::try_from_secs_f64(self.spent[side]).unwrap_or(given));
        let moves = self.board().empties().div_ceil(2);
        self.system.share(TimeLeft { time, stones: 0 }, moves)
    }
}

impl Game {
    /// The first game of a GGF text.
    pub(super) fn read(text: &str) -> Result<Game, GameError> {
        let properties = properties(text);
        let value = |name: &str| properties.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        let (board, to_move) = value("BO").and_then(board).ok_or(GameError::Board)?;
        let mut game = Game { position: Position::from_board(board, to_move), ..Game::default() };
        game.system = value("TI").and_then(time_system).unwrap_or_default();
        let moves = properties.iter().filter(|(key, _)| matches!(*key, "B" | "W"));
        for (index, (_, text)) in moves.enumerate() {
            let number = index + 1;
            let played = Played::read(text)
                .ok_or_else(|| GameError::Move { number, text: text.chars().take(20).collect() })?;
            game.play(played).map_err(|error| GameError::Illegal { number, error })?;
        }
        Ok(game)
    }
}

/// `NAME[value]` one after another.
fn properties(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((name, after)) = rest.split_once('[') {
        let Some((value, after)) = after.split_once(']') else { break };
        found.push((name.trim_matches(|c: char| !c.is_ascii_alphanumeric()), value));
        rest = after;
    }
    found
}

/// `8 -----...--- *`
fn board(text: &str) -> Option<(Board, Color)> {
    let mut signs = text.trim().strip_prefix('8')?.chars().filter(|c| !c.is_whitespace());
    let (mut black, mut white) = (0, 0);
    for square in Square::all() {
        match signs.next()? {
            '*' => black |= square.bit(),
            'O' | 'o' => white |= square.bit(),
            '-' => {}
            _ => return None,
        }
    }
    match signs.next()? {
        '*' => Some((Board { player: black, opponent: white }, Color::Black)),
        'O' | 'o' => Some((Board { player: white, opponent: black }, Color::White)),
        _ => None,
    }
}

/// `15:00`, or with an increment `5:00/0:10`.
fn time_system(text: &str) -> Option<TimeSystem> {
    let mut parts = text.split('/').map(seconds);
    let main = parts.next()??;
    let increment = parts.next().flatten().unwrap_or_default();
    Some(TimeSystem::Fischer { main, increment })
}

/// `90`, `1:30` or `1:00:00`.
fn seconds(text: &str) -> Option<Duration> {
    let text = text.split(',').next()?.trim();
    let part = |sum: Option<u64>, part: &str| Some(sum?.checked_mul(60)?.checked_add(part.parse().ok()?)?);
    text.split(':').fold(Some(0), part).filter(|&seconds| seconds < 1 << 32).map(Duration::from_secs)
}
