//! Time for one move out of the time for a game.
//!
//! Main time is spread over the moves that are still to be expected; overtime is used in full but for a reserve. A
//! share is always kept back for the way between the programs, so that a game is not lost by a hair.

use std::time::Duration;

/// How a game is timed, as GTP's `time_settings` and `kgs-time_settings` tell it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeSystem {
    /// No limit.
    #[default]
    None,
    /// Main time only.
    Absolute {
        /// For the whole game.
        main: Duration,
    },
    /// Main time, then `stones` moves in every `period`.
    Canadian {
        /// Before overtime.
        main: Duration,
        /// Length of an overtime period.
        period: Duration,
        /// Moves to be made in a period.
        stones: u32,
    },
    /// Main time, then `periods` periods, of which one is lost whenever a move takes longer than `period`.
    Byoyomi {
        /// Before overtime.
        main: Duration,
        /// Time for a move.
        period: Duration,
        /// Number of periods.
        periods: u32,
    },
    /// Main time, and every move adds some.
    Fischer {
        /// At the start.
        main: Duration,
        /// Added after each move.
        increment: Duration,
    },
}

/// What a player has left, as GTP's `time_left` tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// Time left, of the main time or of the current period.
    pub time: Duration,
    /// 0 in main time; in overtime the moves left in the period (Canadian) or the periods left (byo-yomi).
    pub stones: u32,
}

/// Time kept back on every move.
const RESERVE: Duration = Duration::from_millis(50);

/// Moves of one's own that a game on an empty board is expected to take: six in ten of the points, halved.
fn expected_moves(area: usize, played: usize) -> u32 {
    let own = (area * 6 / 10).saturating_sub(played) / 2;
    (own as u32).max(area as u32 / 12).max(4)
}

impl TimeSystem {
    /// Time left at the start of a game.
    pub fn initial_time_left(self) -> Option<TimeLeft> {
        let left = |main: Duration, period: Duration, stones: u32| {
            if main.is_zero() {
                TimeLeft { time: period, stones }
            } else {
                TimeLeft { time: main, stones: 0 }
            }
        };
        match self {
            TimeSystem::None => None,
            TimeSystem::Absolute { main } | TimeSystem::Fischer { main, .. } => {
                Some(TimeLeft { time: main, stones: 0 })
            }
            TimeSystem::Canadian { main, period, stones } => Some(left(main, period, stones)),
            TimeSystem::Byoyomi { main, period, periods } => Some(left(main, period, periods)),
        }
    }

    /// Time for the next move on a board of `area` points after `played` moves; `None` without a limit.
    pub fn budget_for_move(self, left: TimeLeft, area: usize, played: usize) -> Option<Duration> {
        self.share_for_move(left, expected_moves(area, played))
    }

    /// Time for the next move of who has so many of one's own still to make; `None` without a limit.
    pub fn share_for_move(self, left: TimeLeft, moves: u32) -> Option<Duration> {
        let moves = moves.max(1);
        let share = match self {
            TimeSystem::None => return None,
            TimeSystem::Absolute { .. } => left.time / moves,
            // The increment comes after the move, so it cannot be spent beyond what is there: half of it at most.
            TimeSystem::Fischer { increment, .. } => (left.time / moves + increment).min(left.time / 2),
            TimeSystem::Canadian { .. } if left.stones > 0 => left.time / left.stones,
            TimeSystem::Byoyomi { .. } if left.stones > 0 => left.time,
            // A move that ends the main time goes on in overtime, so even then it has a move's time of overtime.
            TimeSystem::Canadian { period, stones, .. } => (left.time / moves).max(period / stones.max(1)),
            TimeSystem::Byoyomi { period, .. } => (left.time / moves).max(period),
        };
        // Of a very short share, only a quarter: a reserve that ate it whole would leave no time to think.
        let reserve = RESERVE.min(share / 4);
        Some(share - reserve)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{GameClock, TimeControl};

    const SECOND: Duration = Duration::from_secs(1);

    /// Plays a whole game of `moves` own moves with the budgets that the system gives; panics if it loses on time.
    fn survive(system: TimeSystem, moves: usize) {
        let mut clock = GameClock::new(TimeControl::exact(system));
        for played in 0..moves {
            let spent = clock.budget_for_move(361, 2 * played).unwrap();
            clock.spend(spent).unwrap();
        }
    }

    #[test]
    fn no_game_is_lost_on_time() {
        let main = 60 * SECOND;
        for system in [
            TimeSystem::Absolute { main },
            TimeSystem::Fischer { main, increment: SECOND },
            TimeSystem::Canadian { main, period: 30 * SECOND, stones: 25 },
            TimeSystem::Canadian { main: Duration::ZERO, period: 30 * SECOND, stones: 25 },
            TimeSystem::Byoyomi { main, period: 5 * SECOND, periods: 3 },
            TimeSystem::Byoyomi { main: Duration::ZERO, period: 5 * SECOND, periods: 1 },
        ] {
            survive(system, 400);
        }
    }

    #[test]
    fn without_a_limit_there_is_no_budget() {
        assert_eq!(TimeSystem::None.initial_time_left(), None);
        assert_eq!(TimeSystem::None.budget_for_move(TimeLeft { time: SECOND, stones: 0 }, 81, 0), None);
    }

    /// Nothing left is no reason to panic: the budget is nothing.
    #[test]
    fn no_time_left_gives_no_time() {
        let left = TimeLeft { time: Duration::ZERO, stones: 0 };
        assert_eq!(
            TimeSystem::Absolute { main: SECOND }.budget_for_move(left, 361, 10),
            Some(Duration::ZERO)
        );
    }
}
