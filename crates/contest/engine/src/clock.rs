//! The clock of a game: what a player has left, and when it has lost on time. The referee of a match, the players' own sessions
//! and the pages of the workbench all count by it. It reads no time: who measures a move says what it took.
//!
//! Moves may overstep by [`TimeControl::tolerance`], which covers the way between the programs and a busy machine;
//! what is overstepped within it is forgiven, not saved up.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::time::{TimeLeft, TimeSystem};

/// Forgiven on every move unless a match says otherwise.
pub const TOLERANCE: Duration = Duration::from_millis(500);

/// How games are timed.
///
/// ```
/// use ishi_engine::clock::TimeControl;
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

    /// This system to the moment: what a player reckons with.
    pub fn exact(system: TimeSystem) -> TimeControl {
        TimeControl { system, tolerance: Duration::ZERO }
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

impl CodedError for TimeControlError {
    fn facts(&self) -> ErrorFacts {
        facts!["clock-time", text = format!("{:?}", self.0)]
    }
}

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
    // No main time would leave nothing for the first move: what is added comes after it.
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

/// One player's clock. Without a limit, unless it is told of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

    /// A new game with the same settings.
    pub fn restart(&mut self) {
        *self = GameClock::new(self.control);
    }

    /// What is left; `None` without a limit.
    pub fn time_left(&self) -> Option<TimeLeft> {
        self.left
    }

    /// Another clock, which counts, says that so much is left.
    pub fn set_time_left(&mut self, left: TimeLeft) {
        self.left = Some(left);
    }

    /// Time for the next move on a Go board of `area` points after `played` moves; `None` without a limit.
    pub fn budget_for_move(&self, area: usize, played: usize) -> Option<Duration> {
        self.control.system.budget_for_move(self.left?, area, played)
    }

    /// Time for the next move of a side that has so many still to make; `None` without a limit.
    pub fn share_for_move(&self, moves: u32) -> Option<Duration> {
        self.control.system.share_for_move(self.left?, moves)
    }

    /// How long this move may take at most, the tolerance included; `None` without a limit.
    pub fn max_move_time(&self) -> Option<Duration> {
        let left = self.left?;
        let in_main_time = left.stones == 0;
        let more = match self.control.system {
            TimeSystem::Canadian { period, .. } if in_main_time => period,
            TimeSystem::Byoyomi { period, periods, .. } if in_main_time => period.saturating_mul(periods),
            // What is left is of the present period; only the ones after it can be used up besides.
            TimeSystem::Byoyomi { period, .. } => period.saturating_mul(left.stones.saturating_sub(1)),
            _ => Duration::ZERO,
        };
        Some(left.time.saturating_add(more).saturating_add(self.control.tolerance))
    }

    /// Takes the time of a move off.
    ///
    /// # Errors
    /// If that was more than there was: then nothing is taken.
    pub fn spend(&mut self, spent: Duration) -> Result<(), OutOfTime> {
        let (Some(left), Some(most)) = (self.left, self.max_move_time()) else { return Ok(()) };
        if spent > most {
            return Err(OutOfTime { spent, left: Some(left) });
        }
        self.left = Some(self.time_after_move(left, spent));
        Ok(())
    }

    /// As [`GameClock::spend`], but who has overstepped goes on: with the increment, with a new period of Canadian time, with the last period of
    /// byo-yomi, or with nothing where nothing is added. Whether it has lost is not for a player to say.
    pub fn spend_or_run_out(&mut self, spent: Duration) {
        let Err(OutOfTime { left: Some(left), .. }) = self.spend(spent) else { return };
        self.left = Some(match self.control.system {
            TimeSystem::Fischer { increment, .. } => TimeLeft { time: increment, stones: 0 },
            TimeSystem::Byoyomi { period, .. } => TimeLeft { time: period, stones: 1 },
            TimeSystem::Canadian { period, stones, .. } => TimeLeft { time: period, stones },
            TimeSystem::Absolute { .. } | TimeSystem::None => {
                TimeLeft { time: Duration::ZERO, stones: left.stones }
            }
        });
    }

    /// What is left after a move that was not too long.
    fn time_after_move(&self, left: TimeLeft, spent: Duration) -> TimeLeft {
        let rest = left.time.saturating_sub(spent);
        let over = spent.saturating_sub(left.time);
        let in_main_time = left.stones == 0;
        match self.control.system {
            TimeSystem::Fischer { increment, .. } => TimeLeft { time: rest + increment, stones: 0 },
            TimeSystem::Canadian { period, stones, .. } if in_main_time && rest.is_zero() => {
                let left = TimeLeft { time: period.saturating_sub(over), stones };
                // A move that only used up the main time is not a move in overtime.
                if over.is_zero() { left } else { count_canadian_stone(left, period, stones) }
            }
            TimeSystem::Canadian { period, stones, .. } if !in_main_time => {
                count_canadian_stone(TimeLeft { time: rest, stones: left.stones }, period, stones)
            }
            TimeSystem::Byoyomi { period, periods, .. } if in_main_time && rest.is_zero() => {
                // The first period begins where the main time ends.
                let over = over.saturating_sub(period);
                TimeLeft { time: period, stones: self.periods_left(periods, period, over) }
            }
            TimeSystem::Byoyomi { period, .. } if !in_main_time => {
                TimeLeft { time: period, stones: self.periods_left(left.stones, period, over) }
            }
            _ => TimeLeft { time: rest, stones: left.stones },
        }
    }

    /// A period is lost with its end: one when the present one is overstepped, another for each that is used up after it. The last one
    /// is never reached here.
    fn periods_left(&self, periods: u32, period: Duration, over: Duration) -> u32 {
        let counted = over.saturating_sub(self.control.tolerance).as_nanos();
        let lost = counted.div_ceil(period.as_nanos().max(1));
        periods.saturating_sub(u32::try_from(lost).unwrap_or(u32::MAX)).max(1)
    }
}

/// Canadian overtime after a move: a new period begins with the last stone.
fn count_canadian_stone(left: TimeLeft, period: Duration, stones: u32) -> TimeLeft {
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

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// The clock that a player keeps, after each of the moves that take so many seconds: seconds and stones left.
    fn run(system: TimeSystem, moves: &[u64]) -> Vec<(u64, u32)> {
        let mut clock = GameClock::new(TimeControl::exact(system));
        let mut spend = |&taken: &u64| {
            clock.spend_or_run_out(seconds(taken));
            let left = clock.time_left().unwrap();
            (left.time.as_secs(), left.stones)
        };
        moves.iter().map(&mut spend).collect()
    }

    #[test]
    fn who_has_overstepped_goes_on_with_what_a_move_adds() {
        let main = seconds(10);
        assert_eq!(run(TimeSystem::Absolute { main }, &[4, 5, 3]), [(6, 0), (1, 0), (0, 0)]);
        let fischer = TimeSystem::Fischer { main, increment: seconds(3) };
        assert_eq!(run(fischer, &[4, 20]), [(9, 0), (3, 0)]);
        let canadian = TimeSystem::Canadian { main, period: seconds(30), stones: 3 };
        let found = run(canadian, &[8, 4, 5, 5, 40]);
        assert_eq!(found, [(2, 0), (28, 2), (23, 1), (30, 3), (30, 3)]);
        let byoyomi = TimeSystem::Byoyomi { main, period: seconds(5), periods: 3 };
        let found = run(byoyomi, &[8, 4, 4, 6, 11, 6]);
        assert_eq!(found, [(2, 0), (5, 3), (5, 3), (5, 2), (5, 1), (5, 1)]);
    }

    /// One slow move must not make a hasty one of all that follow, also where it is the first of the game.
    #[test]
    fn who_has_overstepped_once_still_has_time_for_the_next_move() {
        let period = seconds(30);
        let systems = [Duration::ZERO, seconds(10)].into_iter().flat_map(|main| {
            [
                TimeSystem::Canadian { main, period, stones: 1 },
                TimeSystem::Canadian { main, period, stones: 25 },
                TimeSystem::Byoyomi { main, period, periods: 1 },
                TimeSystem::Byoyomi { main, period, periods: 5 },
            ]
        });
        for system in systems {
            let mut clock = GameClock::new(TimeControl::exact(system));
            clock.spend_or_run_out(seconds(1000));
            for played in 1..60 {
                let time = clock.budget_for_move(361, 2 * played).unwrap();
                assert!(time >= seconds(1), "{system:?}: {time:?} for move {played}");
                clock.spend(time).unwrap_or_else(|error| panic!("{system:?}, move {played}: {error}"));
            }
        }
    }

    /// What a controller says counts from then on: a period that has partly passed is lost sooner.
    #[test]
    fn another_clock_corrects_this_one() {
        let system = TimeSystem::Byoyomi { main: seconds(10), period: seconds(5), periods: 3 };
        let mut clock = GameClock::new(TimeControl::exact(system));
        clock.set_time_left(TimeLeft { time: seconds(2), stones: 3 });
        clock.spend_or_run_out(seconds(3));
        assert_eq!(clock.time_left(), Some(TimeLeft { time: seconds(5), stones: 2 }));
        clock.restart();
        assert_eq!(clock.time_left(), Some(TimeLeft { time: seconds(10), stones: 0 }));
        assert_eq!(GameClock::default().budget_for_move(81, 0), None);
    }
}
