//! Searches on threads of their own: one for each key at a time, a bounded number in all, each with a stop flag.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ishi_engine::Clock;

/// Asked by a search: stop now?
#[derive(Clone, Debug, Default)]
pub(crate) struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// For work that watches a flag.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Time since a search began.
pub(crate) struct WallClock(pub(crate) Instant);

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

#[derive(Default)]
struct RunningTasks {
    stops: HashMap<String, StopFlag>,
    threads: Vec<JoinHandle<()>>,
    thinking: usize,
    ended: bool,
}

struct SharedTasks {
    running: Mutex<RunningTasks>,
    wake: Condvar,
    most: usize,
}

impl SharedTasks {
    fn lock_running(&self) -> MutexGuard<'_, RunningTasks> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place among those that think. False if the thought is no longer wanted.
    fn wait_for_slot(&self, stop: &StopFlag) -> bool {
        let mut running = self.lock_running();
        while running.thinking >= self.most && !stop.is_set() {
            running = self.wake.wait(running).unwrap_or_else(PoisonError::into_inner);
        }
        running.thinking += usize::from(!stop.is_set());
        !stop.is_set()
    }

    fn release_slot(&self) {
        self.lock_running().thinking -= 1;
        self.wake.notify_all();
    }

    /// Forgets the thought, unless another one has taken its key.
    fn forget_task(&self, key: &str, stop: &StopFlag) {
        let mut running = self.lock_running();
        if running.stops.get(key).is_some_and(|kept| Arc::ptr_eq(&kept.0, &stop.0)) {
            running.stops.remove(key);
        }
    }
}

/// All searches.
pub(crate) struct BackgroundTasks {
    shared: Arc<SharedTasks>,
}

impl BackgroundTasks {
    /// At most so many at a time; more wait.
    pub(crate) fn new(most: usize) -> BackgroundTasks {
        BackgroundTasks {
            shared: Arc::new(SharedTasks { running: Mutex::default(), wake: Condvar::new(), most }),
        }
    }

    /// Thinks about something under this key. What is being thought under it is told to stop.
    pub(crate) fn start_task(&self, key: &str, work: impl FnOnce(&StopFlag) + Send + 'static) {
        let stop = StopFlag::default();
        let mut running = self.shared.lock_running();
        if running.ended {
            return;
        }
        if let Some(earlier) = running.stops.insert(key.to_string(), stop.clone()) {
            earlier.set();
        }
        running.threads.retain(|thread| !thread.is_finished());
        let (shared, key) = (Arc::clone(&self.shared), key.to_string());
        running.threads.push(std::thread::spawn(move || {
            if shared.wait_for_slot(&stop) {
                // A search that panics must not take its place with it.
                let _ = catch_unwind(AssertUnwindSafe(|| work(&stop)));
                shared.release_slot();
            }
            shared.forget_task(&key, &stop);
        }));
        drop(running);
        // Who waited and was told to stop must hear of it.
        self.shared.wake.notify_all();
    }

    /// Tells what is thought under this key to stop.
    pub(crate) fn stop_task(&self, key: &str) {
        if let Some(stop) = self.shared.lock_running().stops.remove(key) {
            stop.set();
        }
        self.shared.wake.notify_all();
    }

    /// Is something thought, or waiting to be, under this key?
    pub(crate) fn is_running(&self, key: &str) -> bool {
        self.shared.lock_running().stops.contains_key(key)
    }

    /// Stops everything, and starts nothing more.
    pub(crate) fn stop_all(&self) {
        let mut running = self.shared.lock_running();
        running.ended = true;
        running.stops.values().for_each(StopFlag::set);
        drop(running);
        self.shared.wake.notify_all();
    }

    /// Waits for all threads.
    pub(crate) fn join_threads(&self) {
        let threads = std::mem::take(&mut self.shared.lock_running().threads);
        for thread in threads {
            // It caught what went wrong itself.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn until_stopped(stop: &StopFlag) {
        while !stop.is_set() {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_new_thought_takes_the_place_of_the_old_one() {
        let thoughts = BackgroundTasks::new(1);
        thoughts.start_task("a", until_stopped);
        let (told, heard) = channel();
        thoughts.start_task("a", move |_| told.send(7).unwrap());
        assert_eq!(heard.recv().unwrap(), 7);
        thoughts.stop_all();
        thoughts.join_threads();
    }

    #[test]
    fn a_panic_gives_its_place_back_and_the_end_ends_all() {
        let thoughts = BackgroundTasks::new(1);
        thoughts.start_task("a", |_| panic!("a fault"));
        let (told, heard) = channel();
        thoughts.start_task("b", move |stop| {
            told.send(()).unwrap();
            until_stopped(stop);
        });
        heard.recv().unwrap();
        assert!(thoughts.is_running("b"));
        thoughts.start_task("c", |_| unreachable!("there is one place"));
        thoughts.stop_all();
        thoughts.join_threads();
        assert!(!thoughts.is_running("b") && !thoughts.is_running("c"));
    }
}
