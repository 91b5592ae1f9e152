//! Who is connected. Newcomers have not asked for anything that they may have; of them the oldest makes room for the next, so that nobody
//! who only opens connections keeps others out. Who was let in holds one of a fixed number of places.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// Newcomers at a time.
const NEWCOMERS: usize = 128;

/// Keeps the door.
pub(crate) struct Doorkeeper {
    places: Arc<Semaphore>,
    newcomers: Mutex<Newcomers>,
}

#[derive(Default)]
struct Newcomers {
    next: u64,
    /// By when they came, each with what sends them away.
    waiting: BTreeMap<u64, Arc<Notify>>,
}

impl Doorkeeper {
    /// With so many places, one at least.
    pub(crate) fn new(places: usize) -> Doorkeeper {
        Doorkeeper { places: Arc::new(Semaphore::new(places.max(1))), newcomers: Mutex::default() }
    }

    fn lock_newcomers(&self) -> MutexGuard<'_, Newcomers> {
        self.newcomers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A newcomer; if there are too many, the one that came first is sent away.
    pub(crate) fn greet(self: &Arc<Doorkeeper>) -> ConnectionPass {
        let mut newcomers = self.lock_newcomers();
        let (number, dismissal) = (newcomers.next, Arc::new(Notify::new()));
        newcomers.next += 1;
        newcomers.waiting.insert(number, Arc::clone(&dismissal));
        if newcomers.waiting.len() > NEWCOMERS
            && let Some((_, oldest)) = newcomers.waiting.pop_first()
        {
            oldest.notify_one();
        }
        ConnectionPass { keeper: Arc::clone(self), number, dismissal, place: Mutex::new(None) }
    }
}

/// What a connection has as long as it lives.
pub(crate) struct ConnectionPass {
    keeper: Arc<Doorkeeper>,
    number: u64,
    dismissal: Arc<Notify>,
    place: Mutex<Option<OwnedSemaphorePermit>>,
}

impl ConnectionPass {
    fn lock_place(&self) -> MutexGuard<'_, Option<OwnedSemaphorePermit>> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the connection in: it has asked for something that it may have. False if all places are taken.
    pub(crate) fn admit(&self) -> bool {
        let mut place = self.lock_place();
        if place.is_none() {
            let Ok(free) = Arc::clone(&self.keeper.places).try_acquire_owned() else { return false };
            *place = Some(free);
            self.keeper.lock_newcomers().waiting.remove(&self.number);
        }
        true
    }

    /// Ends when the connection has to make room for another. Who was let in meanwhile stays.
    pub(crate) async fn wait_for_dismissal(&self) {
        loop {
            self.dismissal.notified().await;
            if self.lock_place().is_none() {
                return;
            }
        }
    }
}

impl Drop for ConnectionPass {
    fn drop(&mut self) {
        self.keeper.lock_newcomers().waiting.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn is_dismissed(pass: &ConnectionPass) -> bool {
        tokio::time::timeout(std::time::Duration::from_millis(5), pass.wait_for_dismissal()).await.is_ok()
    }

    #[tokio::test]
    async fn newcomers_do_not_keep_others_out() {
        let keeper = Arc::new(Doorkeeper::new(2));
        let visitor = keeper.greet();
        assert!(visitor.admit() && visitor.admit(), "one place, however often it asks");
        let strangers: Vec<ConnectionPass> = (0..2 * NEWCOMERS).map(|_| keeper.greet()).collect();
        assert!(is_dismissed(&strangers[0]).await && is_dismissed(&strangers[NEWCOMERS - 1]).await);
        assert!(!is_dismissed(&strangers[NEWCOMERS]).await);
        assert!(!is_dismissed(&visitor).await, "who was let in stays");
        let other = keeper.greet();
        assert!(other.admit());
        let third = keeper.greet();
        assert!(!third.admit(), "all places are taken");
        drop(other);
        assert!(third.admit());
    }

    /// The crowd came between its connection and its question.
    #[tokio::test]
    async fn who_is_let_in_at_the_last_moment_stays() {
        let keeper = Arc::new(Doorkeeper::new(1));
        let visitor = keeper.greet();
        let crowd: Vec<ConnectionPass> = (0..NEWCOMERS).map(|_| keeper.greet()).collect();
        assert!(visitor.admit());
        assert!(!is_dismissed(&visitor).await);
        assert!(!is_dismissed(&crowd[0]).await);
    }

    #[test]
    fn who_goes_is_forgotten() {
        let keeper = Arc::new(Doorkeeper::new(1));
        (0..3 * NEWCOMERS).for_each(|_| drop(keeper.greet()));
        assert!(keeper.lock_newcomers().waiting.is_empty());
    }
}
