//! Searches on threads of their own: one for each key at a time, a bounded number in all, each with a stop flag.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use ishi_work::StopFlag;

/// Tasks that may wait for a place; each has a thread.
const WAITING: usize = 32;

#[derive(Default)]
struct RunningTasks {
    stops: HashMap<String, StopFlag>,
    threads: Vec<JoinHandle<()>>,
    thinking: usize,
    /// Who waits for a place, in the order in which they came.
    queue: VecDeque<QueueTicket>,
    tickets: u64,
    ended: bool,
}

/// A place in the queue.
struct QueueTicket {
    number: u64,
    key: String,
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

    /// Waits for a place among those that think, behind those that came before. False if the thought is no longer wanted.
    fn wait_for_slot(&self, key: &str, stop: &StopFlag) -> bool {
        let mut running = self.lock_running();
        let number = running.tickets;
        running.tickets += 1;
        running.queue.push_back(QueueTicket { number, key: key.to_string() });
        let is_next = |running: &RunningTasks| {
            running.thinking < self.most && running.queue.front().is_some_and(|first| first.number == number)
        };
        while !is_next(&running) && !stop.is_requested() {
            running = self.wake.wait(running).unwrap_or_else(PoisonError::into_inner);
        }
        running.queue.retain(|ticket| ticket.number != number);
        let wanted = !stop.is_requested();
        running.thinking += usize::from(wanted);
        drop(running);
        // Another may be the next now.
        self.wake.notify_all();
        wanted
    }

    /// Lets those who wait have the place, and waits for one again.
    fn give_way(&self, key: &str, stop: &StopFlag) {
        if self.lock_running().queue.is_empty() {
            return;
        }
        self.release_slot();
        if !self.wait_for_slot(key, stop) {
            // It is about to end, and will give a place back.
            self.lock_running().thinking += 1;
        }
    }

    fn release_slot(&self) {
        self.lock_running().thinking -= 1;
        self.wake.notify_all();
    }

    /// Forgets the thought, unless another one has taken its key.
    fn forget_task(&self, key: &str, stop: &StopFlag) {
        let mut running = self.lock_running();
        if running.stops.get(key).is_some_and(|kept| kept.is_shared_with(stop)) {
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
            earlier.request();
        }
        running.threads.retain(|thread| !thread.is_finished());
        let (shared, key) = (Arc::clone(&self.shared), key.to_string());
        running.threads.push(std::thread::spawn(move || {
            if shared.wait_for_slot(&key, &stop) {
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
            stop.request();
        }
        self.shared.wake.notify_all();
    }

    /// Is something thought, or waiting to be, under this key?
    pub(crate) fn is_running(&self, key: &str) -> bool {
        self.shared.lock_running().stops.contains_key(key)
    }

    /// How many think now.
    pub(crate) fn thinking_count(&self) -> usize {
        self.shared.lock_running().thinking
    }

    /// For work that takes long, between two parts of it: who waits comes first, and then it goes on.
    pub(crate) fn give_way(&self, key: &str, stop: &StopFlag) {
        self.shared.give_way(key, stop);
    }

    /// How many are before it, if it waits for a place.
    pub(crate) fn tasks_before(&self, key: &str) -> Option<usize> {
        self.shared.lock_running().queue.iter().position(|ticket| ticket.key == key)
    }

    /// May another one wait?
    pub(crate) fn has_room(&self) -> bool {
        self.shared.lock_running().queue.len() < WAITING
    }

    /// Stops everything, and starts nothing more.
    pub(crate) fn stop_all(&self) {
        let mut running = self.shared.lock_running();
        running.ended = true;
        running.stops.values().for_each(|stop| _ = stop.request());
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
        while !stop.is_requested() {
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

    /// Two endless matches on one place: each comes on, and so does one that came last.
    #[test]
    fn endless_work_gives_way_to_who_waits() {
        let tasks = Arc::new(BackgroundTasks::new(1));
        let (told, heard) = channel();
        for name in ["a", "b"] {
            let (shared, told) = (Arc::clone(&tasks), told.clone());
            tasks.start_task(name, move |stop| {
                while !stop.is_requested() {
                    let _ = told.send(name);
                    shared.give_way(name, stop);
                }
            });
        }
        let mut parts = [0, 0];
        while parts.into_iter().any(|parts| parts < 10) {
            parts[usize::from(heard.recv().unwrap() == "b")] += 1;
        }
        let (done, finished) = channel();
        tasks.start_task("c", move |_| done.send(()).unwrap());
        finished.recv().unwrap();
        assert!(tasks.has_room());
        tasks.stop_all();
        tasks.join_threads();
    }

    #[test]
    fn who_waits_knows_the_place() {
        let tasks = BackgroundTasks::new(1);
        let (told, heard) = channel();
        tasks.start_task("a", move |stop| {
            told.send(()).unwrap();
            until_stopped(stop);
        });
        heard.recv().unwrap();
        let names: Vec<String> = (0..WAITING).map(|n| format!("w{n}")).collect();
        for (before, name) in names.iter().enumerate() {
            tasks.start_task(name, |_| unreachable!("the place stays taken"));
            while tasks.tasks_before(name) != Some(before) {
                std::thread::yield_now();
            }
        }
        assert!(!tasks.has_room() && tasks.tasks_before("a").is_none());
        tasks.stop_all();
        tasks.join_threads();
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
