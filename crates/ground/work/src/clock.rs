//! Time, injected; and the pace of work.

use std::time::Duration;

use crate::Progress;

/// Time, injected: pure crates read no clock.
pub trait Clock {
    /// Time since some fixed start.
    fn now(&self) -> Duration;
}

/// A clock that stands still: for searches without a limit of time.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoppedClock;

impl Clock for StoppedClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// When the next report of progress is due, how fast the work goes, and how long the rest takes. Times are those of one
/// [`Clock`].
///
/// ```
/// use std::time::Duration;
/// use ishi_work::{Pace, Progress};
/// let second = Duration::from_secs(1);
/// let mut pace = Pace::start(10 * second, second);
/// // It began at 1 s, and the first report is due at 11 s.
/// assert!(!pace.is_due(10 * second) && pace.is_due(11 * second) && !pace.is_due(20 * second));
/// let progress = Progress::new(100, 400, "games");
/// assert_eq!(pace.rate(&progress, 21 * second), 5.0);
/// assert_eq!(pace.seconds_left(&progress, 21 * second), 60.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    every: Duration,
    begun: Duration,
    told: Duration,
    done_before: usize,
}

/// The least time, and the least rate, by which anything is divided.
const LEAST: f64 = 1e-9;

impl Pace {
    /// Work that begins now, with reports this far apart, the first not before so much time has passed.
    pub fn start(every: Duration, now: Duration) -> Pace {
        Pace { every, begun: now, told: now, done_before: 0 }
    }

    /// So much was done by earlier runs, and says nothing of how fast this one is.
    pub fn with_done_before(self, done_before: usize) -> Pace {
        Pace { done_before, ..self }
    }

    /// Is it time for a report? If so, the next one is due that much later.
    pub fn is_due(&mut self, now: Duration) -> bool {
        let is_due = now.saturating_sub(self.told) >= self.every;
        if is_due {
            self.told = now;
        }
        is_due
    }

    /// Parts a second since the work began.
    pub fn rate<N>(&self, progress: &Progress<N>, now: Duration) -> f64 {
        let done = progress.done.saturating_sub(self.done_before);
        done as f64 / now.saturating_sub(self.begun).as_secs_f64().max(LEAST)
    }

    /// Seconds that the rest takes if it goes on like this.
    pub fn seconds_left<N>(&self, progress: &Progress<N>, now: Duration) -> f64 {
        progress.rest() as f64 / self.rate(progress, now).max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn what_was_done_before_does_not_count_as_speed() {
        let pace = Pace::start(seconds(10), seconds(100)).with_done_before(1000);
        let progress = Progress::new(3000, 10_000, "positions");
        assert_eq!((pace.rate(&progress, seconds(120)), progress.percent()), (100.0, 30.0));
        assert_eq!(pace.seconds_left(&progress, seconds(120)), 70.0);
    }

    /// Nothing is known of the speed: that is no reason to divide by nothing.
    #[test]
    fn work_that_has_not_begun_has_finite_numbers() {
        let pace = Pace::start(seconds(10), seconds(5));
        for progress in [Progress::new(0, 0, "games"), Progress::new(0, 7, "games")] {
            assert_eq!(pace.rate(&progress, seconds(5)), 0.0);
            assert!(pace.seconds_left(&progress, seconds(5)).is_finite());
        }
    }
}
