//! Time settings, and the clock of the game as a session knows it.

use std::time::Duration;

use super::CommandRefusal;
use super::args::CommandArgs;
use crate::time::{TimeLeft, TimeSystem};

/// How the game is timed, and what both sides have left. A side is the index of its colour: 0 for Black, 1 for White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameClock {
    system: TimeSystem,
    left: [Option<TimeLeft>; 2],
}

impl GameClock {
    /// The clock at the start of a game.
    pub fn new(system: TimeSystem) -> GameClock {
        GameClock { system, left: [system.initial_time_left(); 2] }
    }

    /// A new game with the same settings.
    pub fn restart(&mut self) {
        *self = GameClock::new(self.system);
    }

    /// Time for the next move of a side on a Go board of `area` points after `played` moves; `None` without a limit.
    pub fn budget_for_move(&self, side: usize, area: usize, played: usize) -> Option<Duration> {
        self.system.budget_for_move(self.left[side]?, area, played)
    }

    /// Time for the next move of a side that has so many still to make; `None` without a limit.
    pub fn share_for_move(&self, side: usize, moves: u32) -> Option<Duration> {
        self.system.share_for_move(self.left[side]?, moves)
    }

    /// The controller says what is left.
    pub fn set_time_left(&mut self, side: usize, left: TimeLeft) {
        self.left[side] = Some(left);
    }

    /// A move took this long. Controllers that send `time_left` correct it, others rely on it.
    pub fn spend_time(&mut self, side: usize, spent: Duration) {
        if let Some(left) = &mut self.left[side] {
            *left = time_after_move(self.system, *left, spent);
        }
    }
}

/// What is left after a move. Who has overstepped the time has nothing left: whether that loses is not for a player to
/// say.
fn time_after_move(system: TimeSystem, left: TimeLeft, spent: Duration) -> TimeLeft {
    let main = left.stones == 0;
    let rest = left.time.checked_sub(spent);
    match (system, rest) {
        (TimeSystem::Fischer { increment, .. }, rest) => {
            TimeLeft { time: rest.unwrap_or_default() + increment, stones: 0 }
        }
        (TimeSystem::Byoyomi { period, .. }, Some(_)) if !main => TimeLeft { time: period, ..left },
        (TimeSystem::Byoyomi { period, periods, .. }, None) => {
            let before = if main { periods } else { left.stones };
            let over = spent.saturating_sub(left.time);
            byoyomi_after(period, before - u32::from(!main && before > 0), over)
        }
        (TimeSystem::Canadian { period, stones, .. }, Some(time)) if !main => match left.stones - 1 {
            0 => TimeLeft { time: period, stones },
            stones => TimeLeft { time, stones },
        },
        (TimeSystem::Canadian { period, stones, .. }, None) if main => {
            let over = spent.saturating_sub(left.time);
            TimeLeft { time: period.saturating_sub(over), stones: stones.saturating_sub(1).max(1) }
        }
        (_, rest) => TimeLeft { time: rest.unwrap_or_default(), ..left },
    }
}

/// Every full period that is overstepped is lost; the last one stays, with no time.
fn byoyomi_after(period: Duration, periods: u32, over: Duration) -> TimeLeft {
    let lost = if period.is_zero() { 0 } else { over.as_nanos() / period.as_nanos() };
    match u128::from(periods).checked_sub(lost).filter(|&left| left > 0) {
        Some(left) => TimeLeft { time: period, stones: left as u32 },
        None => TimeLeft { time: Duration::ZERO, stones: 1 },
    }
}

/// The arguments of GTP's own `time_settings`.
pub fn take_time_settings(args: &mut CommandArgs<'_>) -> Result<TimeSystem, CommandRefusal> {
    let (main, period) = (args.take_seconds("MAIN")?, args.take_seconds("BYOYOMI")?);
    let stones = args.take_number("STONES")?;
    args.expect_end()?;
    Ok(match (period.is_zero(), stones) {
        (true, _) => TimeSystem::Absolute { main },
        // GTP 2: byo-yomi time without stones means no limit at all.
        (false, 0) => TimeSystem::None,
        (false, stones) => TimeSystem::Canadian { main, period, stones },
    })
}

/// The arguments of `time_left` after the colour.
pub fn take_time_left(args: &mut CommandArgs<'_>) -> Result<TimeLeft, CommandRefusal> {
    let (time, stones) = (args.take_seconds("SECONDS")?, args.take_number("STONES")?);
    args.expect_end()?;
    Ok(TimeLeft { time, stones })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// The clock after each of the moves that take so many seconds: seconds and stones left.
    fn run(system: TimeSystem, moves: &[u64]) -> Vec<(u64, u32)> {
        let mut clock = GameClock::new(system);
        let mut spend = |&taken: &u64| {
            clock.spend_time(1, seconds(taken));
            let left = clock.left[1].unwrap();
            (left.time.as_secs(), left.stones)
        };
        moves.iter().map(&mut spend).collect()
    }

    #[test]
    fn clocks_run_as_the_systems_say() {
        let main = seconds(10);
        assert_eq!(run(TimeSystem::Absolute { main }, &[4, 5, 3]), [(6, 0), (1, 0), (0, 0)]);
        let fischer = TimeSystem::Fischer { main, increment: seconds(3) };
        assert_eq!(run(fischer, &[4, 20]), [(9, 0), (3, 0)]);
        let canadian = TimeSystem::Canadian { main, period: seconds(30), stones: 3 };
        let found = run(canadian, &[8, 4, 5, 5, 40]);
        assert_eq!(found, [(2, 0), (28, 2), (23, 1), (30, 3), (0, 3)]);
        let byoyomi = TimeSystem::Byoyomi { main, period: seconds(5), periods: 3 };
        let found = run(byoyomi, &[8, 4, 4, 6, 11, 6]);
        assert_eq!(found, [(2, 0), (5, 3), (5, 3), (5, 2), (0, 1), (0, 1)]);
    }

    #[test]
    fn the_other_side_has_its_own_clock() {
        let mut clock = GameClock::new(TimeSystem::Absolute { main: seconds(10) });
        clock.spend_time(0, seconds(4));
        assert_eq!(clock.left.map(|left| left.unwrap().time), [seconds(6), seconds(10)]);
        clock.restart();
        assert_eq!(clock.left[0].unwrap().time, seconds(10));
        assert_eq!(GameClock::default().budget_for_move(0, 81, 0), None);
    }
}
