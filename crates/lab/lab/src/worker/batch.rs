//! How many tasks a worker claims at once.

use std::time::Duration;

/// What is claimed at once, at most.
const MOST: u64 = 10_000;

/// What is claimed at once is this part of what is open, at most.
const PART: u64 = 8;

/// Follows how long tasks take.
#[derive(Clone, Debug)]
pub(super) struct BatchSize {
    threads: u64,
    time: Duration,
    /// The mean time of a task, in which the last ones count most; `None` before the first.
    seconds: Option<f64>,
}

impl BatchSize {
    /// Batches for so many tasks at once; a batch should take about this time.
    pub(super) fn new(threads: usize, time: Duration) -> BatchSize {
        BatchSize { threads: threads as u64, time, seconds: None }
    }

    /// A task took so long.
    pub(super) fn note_seconds(&mut self, seconds: f64) {
        let mean = self.seconds.map_or(seconds, |mean| 0.8 * mean + 0.2 * seconds);
        self.seconds = Some(mean);
    }

    /// What to claim of a job with so many open tasks: one for each thread at first, then what the time is enough for, but
    /// near the end a part of what there is, so that others have work, too.
    pub(super) fn next_size(&self, open: u64) -> u64 {
        let Some(seconds) = self.seconds else { return self.threads };
        let in_time = self.threads as f64 * self.time.as_secs_f64() / seconds.max(1e-4);
        (in_time as u64).min(open / PART).clamp(self.threads, MOST.max(self.threads))
    }

    /// The number of open tasks from which on more of them would not change what is claimed.
    pub(super) fn most_counted(&self) -> u64 {
        // How long a task takes is not known before the first is done: the most is counted until then.
        let most = self.seconds.map_or(MOST.max(self.threads), |_| self.next_size(u64::MAX));
        PART * most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_takes_its_time_and_leaves_some_for_others() {
        let mut batch = BatchSize::new(4, Duration::from_secs(30));
        assert_eq!(batch.next_size(1_000_000), 4, "nothing is known of the tasks yet");
        batch.note_seconds(1.0);
        assert_eq!(batch.next_size(1_000_000), 120);
        assert_eq!(batch.next_size(400), 50);
        assert_eq!(batch.next_size(3), 4, "a thread is never left without work");
        batch.note_seconds(11.0);
        assert!((39..=41).contains(&batch.next_size(1_000_000)), "the mean is 3 seconds by now");
        batch.note_seconds(10_000.0);
        assert_eq!(batch.next_size(1_000_000), 4);
    }

    #[test]
    fn no_more_is_counted_than_makes_a_difference() {
        let mut batch = BatchSize::new(4, Duration::from_secs(30));
        assert_eq!(batch.most_counted(), 80_000);
        for seconds in [100.0, 1.0, 0.001] {
            batch = BatchSize { seconds: Some(seconds), ..batch };
            let most = batch.most_counted();
            assert_eq!(batch.next_size(most), batch.next_size(u64::MAX), "{seconds}");
            assert!(most <= 80_000);
        }
        assert_eq!(BatchSize { seconds: Some(1.0), ..batch }.most_counted(), 960);
    }

    #[test]
    fn tasks_of_no_time_are_bounded() {
        let mut batch = BatchSize::new(2, Duration::from_secs(30));
        batch.note_seconds(0.0);
        assert_eq!(batch.next_size(u64::MAX), MOST);
    }
}
