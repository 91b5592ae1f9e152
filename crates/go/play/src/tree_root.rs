//! What players with a tree share: which game its root belongs to, and how much of a search is left.

use std::time::Duration;

use ishi_go::{BoardSize, Color, Move, Point, Position, Rules};

use ishi_engine::Control;

/// What the tree is about: the game up to its root.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KnownGame {
    size: BoardSize,
    rules: Rules,
    komi: f64,
    setup: Vec<(Color, Point)>,
    moves: Vec<(Color, Move)>,
    to_move: Color,
}

impl KnownGame {
    pub(crate) fn from_position(position: &Position, to_move: Color) -> KnownGame {
        KnownGame {
            size: position.size(),
            rules: *position.rules(),
            komi: position.komi(),
            setup: position.setup_stones().to_vec(),
            moves: position.moves().to_vec(),
            to_move,
        }
    }

    /// The moves that lead from here to there, if it is the same game and the sides moved in turn.
    pub(crate) fn moves_to<'a>(&self, there: &'a KnownGame) -> Option<&'a [(Color, Move)]> {
        let same = (self.size, self.rules, self.komi) == (there.size, there.rules, there.komi);
        let moves = there.moves.strip_prefix(self.moves.as_slice())?;
        let mut color = self.to_move;
        let mut turn = || {
            color = !color;
            !color
        };
        let in_turn = moves.iter().all(|&(by, _)| by == turn());
        (same && self.setup == there.setup && in_turn && color == there.to_move).then_some(moves)
    }
}

/// Playouts that can still come; an estimate from the speed so far, if time is the limit.
pub(crate) fn playouts_left(
    most: u64,
    done: u64,
    start: Duration,
    now: Duration,
    end: Option<Duration>,
) -> u64 {
    let by_number = most.saturating_sub(done);
    let Some(end) = end else {
        return by_number;
    };
    let left = end.saturating_sub(now);
    if left.is_zero() {
        return 0;
    }
    let spent = now.saturating_sub(start);
    if done == 0 || spent.is_zero() {
        return by_number;
    }
    let estimate = done as f64 * left.as_secs_f64() / spent.as_secs_f64();
    by_number.min(estimate.ceil() as u64 + 1)
}

/// How many visits a search may spend, if its player's own parameters say `usual`.
pub(crate) fn most_visits(usual: u64, control: &Control<'_>) -> u64 {
    match control.limits.playouts {
        Some(playouts) => playouts,
        None if control.limits.infinite || control.limits.time.is_some() => u64::MAX,
        None => usual,
    }
}
