//! Strategy: how far the game is, who is ahead, what sente (先手) is worth.

use ishi_go::{Color, Position};

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The corners and sides are being divided (布石, fuseki).
    Opening,
    /// Groups fight.
    MiddleGame,
    /// Borders are drawn (ヨセ, yose).
    Endgame,
}

/// How the game stands for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Balance {
    /// More than the board's fifteenth part behind.
    WellBehind,
    /// Behind by some points.
    Behind,
    /// Nobody leads by much.
    Even,
    /// Ahead by some points.
    Ahead,
    /// More than the board's fifteenth part ahead.
    WellAhead,
}

/// Moves of an opening and of an opening with middle game, as shares of the board's points.
const OPENING: f64 = 40.0 / 361.0;
const MIDDLE: f64 = 150.0 / 361.0;

/// The share from which the move is worth one point: move 220.
const LAST: f64 = 220.0 / 361.0;

/// The share of a board's points on which stones stand.
fn filled(position: &Position) -> f64 {
    let board = position.board();
    let area = board.size().area();
    (area - board.empty_count()) as f64 / area as f64
}

/// The phase of a position: by the stones on its board.
pub(crate) fn phase(position: &Position) -> Phase {
    let share = filled(position);
    if share < OPENING {
        Phase::Opening
    } else if share < MIDDLE {
        Phase::MiddleGame
    } else {
        Phase::Endgame
    }
}

/// Points that the move is worth: 7, falling to 1 when three fifths of the board are full (move 220 on 19x19; Fotland 1993).
pub(crate) fn value_of_sente(position: &Position) -> f64 {
    7.0 - 6.0 * (filled(position) / LAST).min(1.0)
}

/// How a lead (Black's, after komi) stands for a side, whoever is to move.
pub(crate) fn balance(position: &Position, black_lead: f64, color: Color) -> Balance {
    let lead = if color == Color::Black { black_lead } else { -black_lead };
    let much = position.size().area() as f64 / 15.0;
    let some = (much / 4.0).max(2.0);
    if lead > much {
        Balance::WellAhead
    } else if lead > some {
        Balance::Ahead
    } else if lead >= -some {
        Balance::Even
    } else if lead >= -much {
        Balance::Behind
    } else {
        Balance::WellBehind
    }
}
