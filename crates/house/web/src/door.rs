//! Who is connected. Newcomers have not asked for anything that they may have. Of those whose address has the most, the oldest makes room for the
//! next: so nobody who only opens connections keeps others out. Who was let in holds one of a fixed number of places.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
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
    /// Numbered in the order in which they came.
    waiting: BTreeMap<u64, Newcomer>,
}

struct Newcomer {
    /// Where they come from.
    origin: IpAddr,
    /// Sends them away.
    dismissal: Arc<Notify>,
}

impl Newcomers {
    /// The oldest of those whose origin has the most.
    fn choose_dismissed(&self) -> Option<u64> {
        let mut counts: BTreeMap<IpAddr, usize> = BTreeMap::new();
        for newcomer in self.waiting.values() {
            *counts.entry(newcomer.origin).or_default() += 1;
        }
        let most = counts.values().max()?;
        let chosen = self.waiting.iter().find(|(_, newcomer)| counts.get(&newcomer.origin) == Some(most));
        chosen.map(|(&number, _)| number)
    }
}

/// What stands for an address: a host of version 6 has a whole network of addresses (RFC 6177), so its first half counts.
fn origin_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        canonical => canonical,
    }
}

impl Doorkeeper {
    /// A doorkeeper that gives so many places, one at least.
    pub(crate) fn new(places: usize) -> Doorkeeper {
        Doorkeeper { places: Arc::new(Semaphore::new(places.max(1))), newcomers: Mutex::default() }
    }

    fn lock_newcomers(&self) -> MutexGuard<'_, Newcomers> {
        self.newcomers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A newcomer from this address. If there are too many, one is sent away.
    pub(crate) fn receive_newcomer(self: &Arc<Doorkeeper>, address: IpAddr) -> ConnectionPass {
        let mut newcomers = self.lock_newcomers();
        let (number, dismissal) = (newcomers.next, Arc::new(Notify::new()));
        newcomers.next += 1;
        let newcomer = Newcomer { origin: origin_of(address), dismissal: Arc::clone(&dismissal) };
        // It counts before anybody is chosen: a newcomer of the largest crowd makes one of its own crowd leave.
        newcomers.waiting.insert(number, newcomer);
        if newcomers.waiting.len() > NEWCOMERS
            && let Some(chosen) = newcomers.choose_dismissed()
            && let Some(newcomer) = newcomers.waiting.remove(&chosen)
        {
            newcomer.dismissal.notify_one();
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
    pub(crate) fn admit_connection(&self) -> bool {
        let mut place = self.lock_place();
        if place.is_none() {
            let Ok(free) = Arc::clone(&self.keeper.places).try_acquire_owned() else { return false };
            *place = Some(free);
            // The lock of newcomers is always the inner one.
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
    use std::net::Ipv4Addr;

    use super::*;

    /// Where a crowd comes from.
    const CROWDED: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

    async fn is_dismissed(pass: &ConnectionPass) -> bool {
        tokio::time::timeout(std::time::Duration::from_millis(5), pass.wait_for_dismissal()).await.is_ok()
    }

    #[tokio::test]
    async fn newcomers_do_not_keep_others_out() {
        let keeper = Arc::new(Doorkeeper::new(2));
        let visitor = keeper.receive_newcomer(CROWDED);
        assert!(visitor.admit_connection() && visitor.admit_connection(), "one place, however often it asks");
        let strangers: Vec<ConnectionPass> =
            (0..2 * NEWCOMERS).map(|_| keeper.receive_newcomer(CROWDED)).collect();
        assert!(is_dismissed(&strangers[0]).await && is_dismissed(&strangers[NEWCOMERS - 1]).await);
        assert!(!is_dismissed(&strangers[NEWCOMERS]).await);
        assert!(!is_dismissed(&visitor).await, "who was let in stays");
        let other = keeper.receive_newcomer(CROWDED);
        assert!(other.admit_connection());
        let third = keeper.receive_newcomer(CROWDED);
        assert!(!third.admit_connection(), "all places are taken");
        drop(other);
        assert!(third.admit_connection());
    }

    /// The crowd came between its connection and its question.
    #[tokio::test]
    async fn who_is_let_in_at_the_last_moment_stays() {
        let keeper = Arc::new(Doorkeeper::new(1));
        let visitor = keeper.receive_newcomer(CROWDED);
        let crowd: Vec<ConnectionPass> = (0..NEWCOMERS).map(|_| keeper.receive_newcomer(CROWDED)).collect();
        assert!(visitor.admit_connection());
        assert!(!is_dismissed(&visitor).await);
        assert!(!is_dismissed(&crowd[0]).await);
    }

    /// Who comes from elsewhere stays, though he came before the crowd, and so does the last of a small group.
    #[tokio::test]
    async fn a_crowd_from_one_address_makes_room_itself() {
        let keeper = Arc::new(Doorkeeper::new(1));
        let elsewhere = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2));
        let few: Vec<ConnectionPass> = (0..3).map(|_| keeper.receive_newcomer(elsewhere)).collect();
        let crowd: Vec<ConnectionPass> =
            (0..2 * NEWCOMERS).map(|_| keeper.receive_newcomer(CROWDED)).collect();
        for pass in &few {
            assert!(!is_dismissed(pass).await);
        }
        let kept = NEWCOMERS - few.len();
        assert!(is_dismissed(&crowd[crowd.len() - kept - 1]).await);
        assert!(!is_dismissed(&crowd[crowd.len() - kept]).await);
    }

    #[test]
    fn addresses_of_one_host_are_one_origin() {
        let origin = |text: &str| origin_of(text.parse().unwrap());
        assert_eq!(origin("2001:db8:1:2::7"), origin("2001:db8:1:2:ffff::1"));
        assert_ne!(origin("2001:db8:1:2::7"), origin("2001:db8:1:3::7"));
        assert_eq!(origin("::ffff:192.0.2.1"), CROWDED);
        assert_ne!(origin("192.0.2.2"), CROWDED);
    }

    #[test]
    fn who_goes_is_forgotten() {
        let keeper = Arc::new(Doorkeeper::new(1));
        (0..3 * NEWCOMERS).for_each(|_| drop(keeper.receive_newcomer(CROWDED)));
        assert!(keeper.lock_newcomers().waiting.is_empty());
    }
}
