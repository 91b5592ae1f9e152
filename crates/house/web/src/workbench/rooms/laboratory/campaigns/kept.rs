//! What was read of the database a moment ago, for all pages that ask: they hear of a change at the same time, and one reading serves them all.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use crate::workbench::error::PageError;

/// What was read last, and until when it is shown.
pub(super) struct KeptReading<T>(Mutex<Option<Reading<T>>>);

/// What was read.
pub(super) struct Reading<T> {
    /// When reading began: what has changed before is in it.
    pub(super) begun: Instant,
    until: Instant,
    pub(super) found: Result<Arc<T>, PageError>,
}

impl<T> Reading<T> {
    /// A reading that failed, as whoever read came to grief.
    pub(super) fn of_failure() -> Reading<T> {
        let now = Instant::now();
        Reading { begun: now, until: now, found: Err(PageError::internal_error()) }
    }
}

impl<T> Clone for Reading<T> {
    fn clone(&self) -> Reading<T> {
        Reading { found: self.found.clone(), ..*self }
    }
}

impl<T> Default for KeptReading<T> {
    fn default() -> KeptReading<T> {
        KeptReading(Mutex::new(None))
    }
}

impl<T> KeptReading<T> {
    /// What was read a moment ago, or what is read now. Who asks while somebody reads waits, and gets the same.
    /// `rest` gives for how long a reading that took so long is shown. A failure is shown for as long as it took.
    pub(super) async fn find_or_read(
        &self,
        rest: impl Fn(Duration) -> Duration,
        read: impl Future<Output = Result<T, PageError>>,
    ) -> Reading<T> {
        let mut kept = self.0.lock().await;
        let begun = Instant::now();
        if let Some(reading) = kept.as_ref().filter(|reading| begun < reading.until) {
            return reading.clone();
        }
        let found = read.await.map(Arc::new);
        let took = begun.elapsed();
        let until = Instant::now() + if found.is_ok() { rest(took) } else { took };
        kept.insert(Reading { begun, until, found }).clone()
    }

    /// The next who asks has it read anew.
    pub(super) async fn forget(&self) {
        *self.0.lock().await = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const LONG: fn(Duration) -> Duration = |_| Duration::from_secs(600);

    #[tokio::test]
    async fn one_reading_serves_all_who_ask_at_once() {
        let (kept, count) = (KeptReading::default(), AtomicUsize::new(0));
        let ask = || {
            kept.find_or_read(LONG, async {
                // Others come while it is read.
                tokio::task::yield_now().await;
                Ok(count.fetch_add(1, Ordering::Relaxed))
            })
        };
        let (first, second, third) = tokio::join!(ask(), ask(), ask());
        let found = [first, second, third].map(|reading| *reading.found.unwrap());
        assert_eq!((found, count.load(Ordering::Relaxed)), ([0, 0, 0], 1));
        kept.forget().await;
        assert_eq!(*ask().await.found.unwrap(), 1, "read anew");
    }

    #[tokio::test]
    async fn what_was_read_is_shown_for_a_while() {
        let kept = KeptReading::default();
        let first = kept.find_or_read(|_| Duration::ZERO, async { Ok(1) }).await;
        let second = kept.find_or_read(LONG, async { Ok(2) }).await;
        let third = kept.find_or_read(LONG, async { Ok(3) }).await;
        assert_eq!([&first, &second, &third].map(|reading| **reading.found.as_ref().unwrap()), [1, 2, 2]);
        assert!(first.begun <= second.begun && second.begun == third.begun);
    }

    #[tokio::test]
    async fn a_failure_is_told_to_who_waits_and_then_tried_again() {
        let kept: KeptReading<u32> = KeptReading::default();
        let failed = kept.find_or_read(LONG, async { Err(PageError::internal_error()) }).await;
        assert_eq!(failed.found, Err(PageError::internal_error()));
        assert!(failed.until < Instant::now() + LONG(Duration::ZERO));
        kept.forget().await;
        assert_eq!(kept.find_or_read(LONG, async { Ok(5) }).await.found.unwrap(), Arc::new(5));
    }
}
