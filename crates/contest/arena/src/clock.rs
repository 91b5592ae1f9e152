//! The referee's clock: what a player has left, and when it has lost on time.
//!
//! Moves may overstep by [`TimeControl::tolerance`], which covers the way between the programs and a busy machine;
//! what is overstepped within it is forgiven, not saved up.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ishi_engine::time::{TimeLeft, TimeSystem};

/// Forgiven on every move unless a match says otherwise.
pub const TOLERANCE: Duration = Duration::from_millis(500);

/// How games are timed.
///
/// ```
/// use ishi_arena::TimeControl;
/// for text in ["none", "60", "60+2", "60+10x3", "60+30/25", "0+1/1"] {
///     assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
/// }
/// assert!("60+".parse::<TimeControl>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Main time and overtime.
    pub system: TimeSystem,
    /// By how much a move may overstep.
    pub tolerance: Duration,
}

impl Default for TimeControl {
    /// No limit.
    fn default() -> Self {
        TimeControl { system: TimeSystem::None, tolerance: TOLERANCE }
    }
}

impl TimeControl {
    /// So much time for every move, and none to save.
    pub fn per_move(period: Duration) -> TimeControl {
        let system = TimeSystem::Canadian { main: Duration::ZERO, period, stones: 1 };
        TimeControl { system, tolerance: TOLERANCE }
    }

    /// Is there no limit?
    pub fn is_none(&self) -> bool {
        self.system == TimeSystem::None
    }

    /// Are all its times whole seconds? GTP 2 can say nothing else.
    pub fn is_whole_seconds(&self) -> bool {
        let whole = |time: Duration| time.subsec_nanos() == 0;
        match self.system {
            TimeSystem::None => true,
            TimeSystem::Absolute { main } => whole(main),
            TimeSystem::Fischer { main, increment } => whole(main) && whole(increment),
            TimeSystem::Canadian { main, period, .. } | TimeSystem::Byoyomi { main, period, .. } => {
                whole(main) && whole(period)
            }
        }
    }
}

/// The text that [`FromStr`] reads.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.system {
            TimeSystem::None => "none".to_string(),
            TimeSystem::Absolute { main } => main.as_secs_f64().to_string(),
            TimeSystem::Fischer { main, increment } => {
                format!("{}+{}", main.as_secs_f64(), increment.as_secs_f64())
            }
            TimeSystem::Byoyomi { main, period, periods } => {
                format!("{}+{}x{periods}", main.as_secs_f64(), period.as_secs_f64())
            }
            TimeSystem::Canadian { main, period, stones } => {
                format!("{}+{}/{stones}", main.as_secs_f64(), period.as_secs_f64())
            }
        };
        f.pad(&text)
    }
}

/// The text was no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid time {0:?}: write seconds as in 60 (for the game), 60+2 (2 more for every move), 60+10x3 (then 3 periods \
     of 10 seconds), 60+30/25 (then 25 moves in every 30 seconds), or none"
)]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let system = parse_system(text.trim()).ok_or_else(|| TimeControlError(text.to_string()))?;
        Ok(TimeControl { system, tolerance: TOLERANCE })
    }
}

fn parse_system(text: &str) -> Option<TimeSystem> {
    if text.eq_ignore_ascii_case("none") {
        return Some(TimeSystem::None);
    }
    let Some((main, overtime)) = text.split_once('+') else {
        return parse_positive_seconds(text).map(|main| TimeSystem::Absolute { main });
    };
    let main = parse_seconds(main)?;
    if let Some((period, stones)) = overtime.split_once('/') {
        let stones = stones.parse().ok().filter(|&stones| stones > 0)?;
        return Some(TimeSystem::Canadian { main, period: parse_positive_seconds(period)?, stones });
    }
    if let Some((period, periods)) = overtime.split_once('x') {
        let periods = periods.parse().ok().filter(|&periods| periods > 0)?;
        return Some(TimeSystem::Byoyomi { main, period: parse_positive_seconds(period)?, periods });
    }
    Some(TimeSystem::Fischer { main: nonzero_duration(main)?, increment: parse_positive_seconds(overtime)? })
}

fn parse_seconds(text: &str) -> Option<Duration> {
    /// Ten days: longer games are a mistake.
    const MOST: f64 = 864_000.0;
    let number: f64 = text.parse().ok()?;
    (0.0..=MOST).contains(&number).then(|| Duration::from_secs_f64(number))
}

fn parse_positive_seconds(text: &str) -> Option<Duration> {
    parse_seconds(text).and_then(nonzero_duration)
}

fn nonzero_duration(time: Duration) -> Option<Duration> {
    (!time.is_zero()).then_some(time)
}

/// One player's clock.
#[derive(Clone, Copy, Debug)]
pub struct GameClock {
    control: TimeControl,
    left: Option<TimeLeft>,
}

/// The clock has run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{spent:?} used, {} left", left.map_or("nothing".to_string(), |left| format!("{:?}", left.time)))]
pub struct OutOfTime {
    /// What the move took.
    pub spent: Duration,
    /// What there was before it.
    pub left: Option<TimeLeft>,
}

impl GameClock {
    /// The clock at the start of a game.
    pub fn new(control: TimeControl) -> GameClock {
        GameClock { control, left: control.system.initial_time_left() }
    }

    /// What is left; `None` without a limit.
    pub fn time_left(&self) -> Option<TimeLeft> {
        self.left
    }

    /// How long this move may take at most, the tolerance included; `None` without a limit.
    pub fn max_move_time(&self) -> Option<Duration> {
        let left = self.left?;
        let in_main_time = left.stones == 0;
        let more = match self.control.system {
            TimeSystem::Canadian { period, .. } if in_main_time => period,
            TimeSystem::Byoyomi { period, periods, .. } if in_main_time => period * periods,
            TimeSystem::Byoyomi { period, .. } => period * left.stones.saturating_sub(1),
            _ => Duration::ZERO,
        };
        Some(left.time + more + self.control.tolerance)
    }

    /// Takes the time of a move off.
    ///
    /// # Errors
    /// If that was more than there was.
    pub fn spend(&mut self, spent: Duration) -> Result<(), OutOfTime> {
        let (Some(left), Some(most)) = (self.left, self.max_move_time()) else { return Ok(()) };
        if spent > most {
            return Err(OutOfTime { spent, left: Some(left) });
        }
        self.left = Some(self.time_after_move(left, spent));
        Ok(())
    }

    /// What is left after a move that was not too long.
    fn time_after_move(&self, left: TimeLeft, spent: Duration) -> TimeLeft {
        let rest = left.time.saturating_sub(spent);
        let over = spent.saturating_sub(left.time);
        let in_main_time = left.stones == 0;
        match self.control.system {
            TimeSystem::Fischer { increment, .. } => TimeLeft { time: rest + increment, stones: 0 },
            TimeSystem::Canadian { period, stones, .. } if in_main_time && rest.is_zero() => {
                count_canadian_stone(
                    TimeLeft { time: period.saturating_sub(over), stones },
                    period,
                    stones,
                    over,
                )
            }
            TimeSystem::Canadian { period, stones, .. } if !in_main_time => {
                count_canadian_stone(TimeLeft { time: rest, stones: left.stones }, period, stones, spent)
            }
            TimeSystem::Byoyomi { period, periods, .. } if in_main_time && rest.is_zero() => {
                TimeLeft { time: period, stones: self.periods_left(periods, period, over) }
            }
            TimeSystem::Byoyomi { period, .. } if !in_main_time => {
                TimeLeft { time: period, stones: self.periods_left(left.stones, period, spent) }
            }
            _ => TimeLeft { time: rest, stones: 0 },
        }
    }

    /// Each full period that a move takes is lost; the last one is never reached here.
    fn periods_left(&self, periods: u32, period: Duration, spent: Duration) -> u32 {
        let counted = spent.saturating_sub(self.control.tolerance).as_nanos();
        let lost = counted.saturating_sub(1) / period.as_nanos().max(1);
        periods.saturating_sub(u32::try_from(lost).unwrap_or(u32::MAX)).max(1)
    }
}

/// Canadian overtime after a move: a new period begins with the last stone. A move that only used up the main time is
/// not a move in overtime.
fn count_canadian_stone(left: TimeLeft, period: Duration, stones: u32, spent: Duration) -> TimeLeft {
    if spent.is_zero() {
        return left;
    }
    match left.stones.saturating_sub(1) {
        0 => TimeLeft { time: period, stones },
        rest => TimeLeft { time: left.time, stones: rest },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> GameClock {
        GameClock::new(TimeControl { tolerance: Duration::from_millis(100), ..text.parse().unwrap() })
    }

    /// Plays moves of so many milliseconds and gives what is left: milliseconds and stones; `None` if time ran out.
    fn after(text: &str, moves: &[u64]) -> Option<(u128, u32)> {
        let mut clock = clock(text);
        for &ms in moves {
            clock.spend(Duration::from_millis(ms)).ok()?;
        }
        clock.time_left().map(|left| (left.time.as_millis(), left.stones))
    }

    type Case = (&'static str, &'static [u64], Option<(u128, u32)>);

    #[test]
    fn every_system_counts_as_its_rules_say() {
        let cases: [Case; 19] = [
            ("10", &[4000, 5000], Some((1000, 0))),
            ("10", &[4000, 6000], Some((0, 0))),
            ("10", &[4000, 6100], Some((0, 0))),
            ("10", &[4000, 6101], None),
            ("10", &[10_000, 101], None),
            ("10+2", &[11_000], None),
            ("10+2", &[9000, 3000], Some((2000, 0))),
            ("0+1/1", &[900, 1100], Some((1000, 1))),
            ("0+1/1", &[1101], None),
            ("5+10/2", &[4000], Some((1000, 0))),
            ("5+10/2", &[5000], Some((10_000, 2))),
            ("5+10/2", &[7000], Some((8000, 1))),
            ("5+10/2", &[7000, 3000], Some((10_000, 2))),
            ("5+10/2", &[7000, 8101], None),
            ("5+10x3", &[6000], Some((10_000, 3))),
            ("5+10x3", &[6000, 10_050], Some((10_000, 3))),
            ("5+10x3", &[6000, 10_200], Some((10_000, 2))),
            ("5+10x3", &[26_000, 10_001], Some((10_000, 1))),
            ("5+10x3", &[26_000, 10_200], None),
        ];
        for (text, moves, left) in cases {
            assert_eq!(after(text, moves), left, "{text} {moves:?}");
        }
    }

    #[test]
    fn without_a_limit_nothing_runs_out() {
        let mut clock = clock("none");
        assert_eq!((clock.time_left(), clock.max_move_time()), (None, None));
        assert_eq!(clock.spend(Duration::from_secs(1_000_000)), Ok(()));
    }

    #[test]
    fn wrong_times_are_answered_with_the_right_forms() {
        for bad in
            ["", "x", "-1", "0", "60+", "60+0", "60+5x0", "60+0/1", "60+5/", "NaN", "inf", "1e300", "+5"]
        {
            let error = bad.parse::<TimeControl>().unwrap_err().to_string();
            assert!(error.contains("60+10x3"), "{bad}: {error}");
        }
        assert!(!"0.5+1.5".parse::<TimeControl>().unwrap().is_whole_seconds());
    }
}
