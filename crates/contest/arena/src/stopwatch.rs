//! Elapsed time and processor time of the calling thread: what matches and measurements cost.

// Reading clocks is what this module is for.
#![allow(clippy::disallowed_methods)]

use std::time::{Duration, Instant};

use ishi_work::Clock;

/// Processor time that the calling thread has used so far. On a shared machine it varies less than elapsed time does.
///
/// On systems that are no Unix it is elapsed time.
pub fn thread_cpu_time() -> Duration {
    processor::read_thread_time()
}

/// Processor time that all threads of this process have used so far.
///
/// On systems that are no Unix it is elapsed time.
pub fn process_cpu_time() -> Duration {
    processor::read_process_time()
}

#[cfg(unix)]
mod processor {
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    pub(super) fn read_thread_time() -> Duration {
        read_clock(ClockId::ThreadCPUTime)
    }

    pub(super) fn read_process_time() -> Duration {
        read_clock(ClockId::ProcessCPUTime)
    }

    fn read_clock(clock: ClockId) -> Duration {
        let time = clock_gettime(clock);
        Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
    }
}

/// These clocks of Windows are there for `unsafe` code only.
#[cfg(not(unix))]
mod processor {
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    static START: OnceLock<Instant> = OnceLock::new();

    pub(super) fn read_thread_time() -> Duration {
        START.get_or_init(Instant::now).elapsed()
    }

    pub(super) fn read_process_time() -> Duration {
        read_thread_time()
    }
}

/// The real clock, as searches and reports of progress are given it: the time since its start.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(Instant);

impl WallClock {
    /// Starts now.
    pub fn start() -> WallClock {
        WallClock::since(Instant::now())
    }

    /// Has run since then.
    pub fn since(start: Instant) -> WallClock {
        WallClock(start)
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Both clocks at once, from a start.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    cpu: Duration,
    wall: Instant,
}

impl Stopwatch {
    /// Starts now, for this thread.
    pub fn start() -> Stopwatch {
        Stopwatch { cpu: thread_cpu_time(), wall: Instant::now() }
    }

    /// Processor seconds of this thread since the start.
    pub fn cpu_seconds(&self) -> f64 {
        thread_cpu_time().saturating_sub(self.cpu).as_secs_f64()
    }

    /// Elapsed seconds since the start.
    pub fn wall_seconds(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time() {
        let watch = Stopwatch::start();
        let mut sum = 0u64;
        while watch.cpu_seconds() == 0.0 {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(watch.wall_seconds() > 0.0);
    }
}
