//! Searches on threads of their own: one for each key at a time, a bounded number in all, each with a stop flag. Who waits for a first turn has no
//! thread yet.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ishi_work::StopFlag;

use crate::turns::{Asker, FairTurns};

/// Tasks that may wait for their turn, those that gave way among them.
const WAITING: usize = 12;

/// So many may have given way at a time. They keep what they hold in memory, so no more begin meanwhile.
const PAUSED: usize = 12;

/// A turn of work that takes long, where others wait.
const SLICE: Duration = Duration::from_secs(2);

/// What a task does; it ends early when the flag says so.
type TaskWork = Box<dyn FnOnce(&StopFlag) + Send>;

/// A task that has begun or waits.
struct KnownTask {
    stop: StopFlag,
    asker: Asker,
}

#[derive(Default)]
struct RunningTasks {
    known: HashMap<String, KnownTask>,
    turns: FairTurns,
    /// The threads of the tasks that have begun. A task that waits for its first turn has none.
    threads: Vec<JoinHandle<()>>,
    thinking: usize,
    /// Tasks that wait for a turn, in the order in which they came. Turns say which is next.
    queue: VecDeque<WaitingTask>,
    tickets: u64,
    ended: bool,
}

/// A place in the queue.
struct WaitingTask {
    number: u64,
    turn: u64,
    key: String,
    asker: Asker,
    stop: StopFlag,
    /// What is to be done. Nothing if a thread has begun with it and gave way: that one waits for its number.
    work: Option<TaskWork>,
}

impl RunningTasks {
    /// Puts a task into the queue, and gives its number.
    fn push_waiting(&mut self, asker: Asker, key: &str, stop: &StopFlag, work: Option<TaskWork>) -> u64 {
        let (number, turn) = (self.tickets, self.turns.give_turn(asker));
        self.tickets += 1;
        let (key, stop) = (key.to_string(), stop.clone());
        self.queue.push_back(WaitingTask { number, turn, key, asker, stop, work });
        number
    }

    /// The place in the queue of the task that comes next, where so many think at a time: the one with the first turn. One that has not begun waits
    /// where too many have, unless it is the only one of its asker.
    fn next_place(&self, most: usize) -> Option<usize> {
        let paused = self.queue.iter().filter(|task| task.work.is_none()).count();
        let is_roomy = self.thinking + paused < most + PAUSED;
        let begun = if is_roomy { BTreeSet::new() } else { self.begun_askers() };
        let may_come = |task: &WaitingTask| task.work.is_none() || !begun.contains(&task.asker);
        let waiting = self.queue.iter().enumerate().filter(|(_, task)| may_come(task));
        waiting.min_by_key(|(_, task)| task.order()).map(|(place, _)| place)
    }

    /// Who has a task that has begun, and not ended.
    fn begun_askers(&self) -> BTreeSet<Asker> {
        let unbegun = self.queue.iter().filter(|task| task.work.is_some());
        let unbegun: HashSet<&str> = unbegun.map(|task| task.key.as_str()).collect();
        let begun = self.known.iter().filter(|(key, _)| !unbegun.contains(key.as_str()));
        begun.map(|(_, task)| task.asker).collect()
    }

    /// Has no other task of this key taken its place?
    fn is_known(&self, key: &str, stop: &StopFlag) -> bool {
        self.known.get(key).is_some_and(|known| known.stop.is_shared_with(stop))
    }

    /// Who asked for this task.
    fn asker_of(&self, key: &str, stop: &StopFlag) -> Asker {
        let known = self.known.get(key).filter(|known| known.stop.is_shared_with(stop));
        known.map(|known| known.asker).unwrap_or_default()
    }

    /// Takes tasks out of the queue that were told to stop, and their turns back: nothing was done in them. Drop them when the lock is free.
    fn take_unwanted(&mut self) -> VecDeque<WaitingTask> {
        let is_unwanted = |task: &WaitingTask| task.stop.is_requested();
        let unwanted = self.turns.take_unwanted(&mut self.queue, is_unwanted, |task| (task.asker, task.turn));
        unwanted.iter().for_each(|task| self.forget_task(&task.key, &task.stop));
        unwanted
    }

    /// Forgets the thought, unless another one has taken its key.
    fn forget_task(&mut self, key: &str, stop: &StopFlag) {
        if self.is_known(key, stop) {
            self.known.remove(key);
        }
    }
}

impl WaitingTask {
    /// What comes before has less.
    fn order(&self) -> (u64, u64) {
        (self.turn, self.number)
    }
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

    /// May another one of who asks wait? Those that just change places count once.
    fn has_room(&self, running: &RunningTasks) -> bool {
        let (all, asker) = (running.thinking + running.queue.len(), Asker::current());
        let own = running.known.values().filter(|known| known.asker == asker).count();
        asker.finds_room(all, own, self.most + WAITING)
    }

    /// Begins the tasks whose turn it is, and wakes those that gave way: one of them may be the next.
    fn begin_next(self: &Arc<Self>, running: &mut RunningTasks) {
        while running.thinking < self.most
            && let Some(place) = running.next_place(self.most)
            // One that gave way has a thread, which takes the place.
            && running.queue[place].work.is_some()
            && let Some(task) = running.queue.remove(place)
        {
            running.turns.reach_turn(task.turn);
            if !self.spawn_task(running, task) {
                break;
            }
        }
        self.wake.notify_all();
    }

    /// Gives a task its thread. False if the system has none: then the task is forgotten, and may be started again.
    fn spawn_task(self: &Arc<Self>, running: &mut RunningTasks, task: WaitingTask) -> bool {
        running.threads.retain(|thread| !thread.is_finished());
        let WaitingTask { key, asker, stop, work, .. } = task;
        let (shared, name, flag) = (Arc::clone(self), key.clone(), stop.clone());
        match std::thread::Builder::new().spawn(move || asker.act(|| shared.run_task(&key, &stop, work))) {
            Ok(thread) => {
                running.thinking += 1;
                running.threads.push(thread);
                true
            }
            Err(_) => {
                running.forget_task(&name, &flag);
                false
            }
        }
    }

    /// Does a task in its thread, and gives its place back.
    fn run_task(self: &Arc<Self>, key: &str, stop: &StopFlag, work: Option<TaskWork>) {
        // A search that panics must not take its place with it.
        let _ = catch_unwind(AssertUnwindSafe(|| work.map(|work| work(stop))));
        let mut running = self.lock_running();
        running.thinking -= 1;
        running.forget_task(key, stop);
        self.begin_next(&mut running);
    }

    /// Lets those who wait have the place, and waits for one again.
    fn give_way(self: &Arc<Self>, key: &str, stop: &StopFlag) {
        let mut running = self.lock_running();
        if running.queue.is_empty() || stop.is_requested() {
            return;
        }
        running.thinking -= 1;
        let asker = running.asker_of(key, stop);
        let number = running.push_waiting(asker, key, stop, None);
        self.begin_next(&mut running);
        let is_next = |running: &RunningTasks| {
            let next = running.next_place(self.most).map(|place| running.queue[place].number);
            running.thinking < self.most && next == Some(number)
        };
        while !is_next(&running) && !stop.is_requested() {
            running = self.wake.wait(running).unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(place) = running.queue.iter().position(|task| task.number == number)
            && let Some(task) = running.queue.remove(place)
            && !stop.is_requested()
        {
            running.turns.reach_turn(task.turn);
        }
        // Who was told to stop is about to end, and gives a place back then.
        running.thinking += 1;
        self.begin_next(&mut running);
    }
}

/// All searches. A task gets a thread with its first turn, and keeps it to its end, also where it gives way meanwhile.
pub(crate) struct BackgroundTasks {
    shared: Arc<SharedTasks>,
}

impl BackgroundTasks {
    /// Tasks of which so many run at a time; more wait.
    pub(crate) fn new(most: usize) -> BackgroundTasks {
        BackgroundTasks {
            shared: Arc::new(SharedTasks { running: Mutex::default(), wake: Condvar::new(), most }),
        }
    }

    /// Thinks about something under this key. What is being thought under it is told to stop.
    pub(crate) fn start_task(&self, key: &str, work: impl FnOnce(&StopFlag) + Send + 'static) {
        self.push_task(self.shared.lock_running(), key, Box::new(work));
    }

    /// The same, if another one of who asks may wait. False if not: then nothing is changed.
    #[must_use]
    pub(crate) fn start_task_if_room(
        &self,
        key: &str,
        work: impl FnOnce(&StopFlag) + Send + 'static,
    ) -> bool {
        let running = self.shared.lock_running();
        let has_room = self.shared.has_room(&running);
        if has_room {
            self.push_task(running, key, Box::new(work));
        }
        has_room
    }

    fn push_task(&self, mut running: MutexGuard<'_, RunningTasks>, key: &str, work: TaskWork) {
        if running.ended {
            return;
        }
        let (stop, asker) = (StopFlag::default(), Asker::current());
        let task = KnownTask { stop: stop.clone(), asker };
        if let Some(earlier) = running.known.insert(key.to_string(), task) {
            earlier.stop.request();
        }
        let unwanted = running.take_unwanted();
        running.push_waiting(asker, key, &stop, Some(work));
        // Who gave way and was told to stop hears of it, too.
        self.shared.begin_next(&mut running);
        drop(running);
        drop(unwanted);
    }

    /// Tells what is thought under this key to stop.
    pub(crate) fn stop_task(&self, key: &str) {
        let mut running = self.shared.lock_running();
        if let Some(task) = running.known.remove(key) {
            task.stop.request();
        }
        let unwanted = running.take_unwanted();
        self.shared.begin_next(&mut running);
        drop(running);
        drop(unwanted);
    }

    /// What is thought under this key has its result: it counts as ended, though its thread has still to say so. Who hears of the result finds
    /// nothing running. The flag is the one that the task was given.
    pub(crate) fn finish_task(&self, key: &str, stop: &StopFlag) {
        self.shared.lock_running().forget_task(key, stop);
    }

    /// Is something thought, or waiting to be, under this key?
    pub(crate) fn is_running(&self, key: &str) -> bool {
        self.shared.lock_running().known.contains_key(key)
    }

    /// How many think now.
    pub(crate) fn thinking_count(&self) -> usize {
        self.shared.lock_running().thinking
    }

    /// For work that takes long, between two parts of it: who waits comes first, and then it goes on.
    pub(crate) fn give_way(&self, key: &str, stop: &StopFlag) {
        self.shared.give_way(key, stop);
    }

    /// For work that has nothing to do for so long: others have its place meanwhile. Who has only rested needs no turn to go on.
    pub(crate) fn rest(&self, time: Duration) {
        let mut running = self.shared.lock_running();
        running.thinking -= 1;
        self.shared.begin_next(&mut running);
        drop(running);
        std::thread::sleep(time);
        self.shared.lock_running().thinking += 1;
    }

    /// The flag for work that takes long and knows nothing of turns: where it asks whether to stop, it gives way to who waits if its
    /// turn is over. Threads of the work that ask meanwhile wait with it.
    pub(crate) fn take_turns(&self, key: &str, stop: &StopFlag) -> StopFlag {
        self.take_turns_of(TaskTurn::begin(), key, stop)
    }

    fn take_turns_of(&self, turn: TaskTurn, key: &str, stop: &StopFlag) -> StopFlag {
        let tasks = BackgroundTasks { shared: Arc::clone(&self.shared) };
        let (turn, key, own) = (Mutex::new(turn), key.to_string(), stop.without_pause());
        stop.with_pause(move || {
            let mut turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            turn.give_way_if_over(&tasks, &key, &own);
        })
    }

    /// How many are before it, if it waits for a turn: those whose turn comes before, and those that think.
    pub(crate) fn tasks_before(&self, key: &str) -> Option<usize> {
        let running = self.shared.lock_running();
        let own = running.queue.iter().find(|task| task.key == key)?.order();
        let before = running.queue.iter().filter(|task| task.order() < own).count();
        Some(before + running.thinking)
    }

    /// May another one of who asks wait?
    pub(crate) fn has_room(&self) -> bool {
        self.shared.has_room(&self.shared.lock_running())
    }

    /// Stops everything, and starts nothing more.
    pub(crate) fn stop_all(&self) {
        let mut running = self.shared.lock_running();
        running.ended = true;
        running.known.values().for_each(|task| _ = task.stop.request());
        let unwanted = running.take_unwanted();
        drop(running);
        drop(unwanted);
        self.shared.wake.notify_all();
    }

    /// Waits for all threads.
    pub(crate) fn join_threads(&self) {
        let threads = std::mem::take(&mut self.shared.lock_running().threads);
        for thread in threads {
            // A task that panics is caught inside its thread, so there is nothing to hear of here.
            let _ = thread.join();
        }
    }
}

/// A turn of work that takes long, such as a match: it ends after a while, not with a part of the work, which may take hours.
pub(crate) struct TaskTurn {
    began: Instant,
    slice: Duration,
}

impl TaskTurn {
    /// A turn that begins now.
    pub(crate) fn begin() -> TaskTurn {
        TaskTurn { began: Instant::now(), slice: SLICE }
    }

    /// Gives way to who waits if the turn is over. Then the next one begins.
    pub(crate) fn give_way_if_over(&mut self, tasks: &BackgroundTasks, key: &str, stop: &StopFlag) {
        if self.began.elapsed() >= self.slice {
            tasks.give_way(key, stop);
            self.began = Instant::now();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicBool, Ordering};
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

    /// Who hears of a result while the thread ends finds nothing running, but for what was begun under the same key meanwhile.
    #[test]
    fn what_has_its_result_counts_as_ended() {
        let tasks = Arc::new(BackgroundTasks::new(2));
        let (told, heard) = channel();
        let (go, may_go) = channel::<()>();
        let shared = Arc::clone(&tasks);
        tasks.start_task("a", move |stop| {
            shared.finish_task("a", stop);
            told.send(shared.is_running("a")).unwrap();
            let _ = may_go.recv();
            shared.finish_task("a", stop);
            told.send(shared.is_running("a")).unwrap();
        });
        assert!(!heard.recv().unwrap());
        tasks.start_task("a", until_stopped);
        go.send(()).unwrap();
        assert!(heard.recv().unwrap(), "the new one is none of its business");
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
            // The one that thinks is before all of them.
            assert_eq!(tasks.tasks_before(name), Some(before + 1));
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

    /// Takes the only place, until it is told to stop.
    fn take_place(tasks: &BackgroundTasks) {
        let (told, heard) = channel();
        tasks.start_task("first", move |stop| {
            told.send(()).unwrap();
            until_stopped(stop);
        });
        heard.recv().unwrap();
    }

    #[test]
    fn who_waits_has_no_thread_and_too_many_are_refused() {
        let tasks = BackgroundTasks::new(1);
        take_place(&tasks);
        let (told, heard) = channel();
        let start = |name: String| {
            let told = told.clone();
            tasks.start_task_if_room(&name.clone(), move |_| told.send(name).unwrap())
        };
        let names: Vec<String> = (0..WAITING).map(|n| format!("w{n}")).collect();
        assert!(names.iter().all(|name| start(name.clone())));
        assert!(!start("one more".into()) && !tasks.is_running("one more"));
        assert_eq!(tasks.shared.lock_running().threads.len(), 1);
        tasks.stop_task("first");
        let order: Vec<String> = heard.iter().take(WAITING).collect();
        assert_eq!(order, names, "who came first is first");
        tasks.stop_all();
        tasks.join_threads();
    }

    #[test]
    fn who_is_stopped_while_it_waits_is_gone_at_once_and_never_begins() {
        let tasks = BackgroundTasks::new(1);
        take_place(&tasks);
        let begun = Arc::new(AtomicBool::new(false));
        let start = |key: &str| {
            let begun = Arc::clone(&begun);
            tasks.start_task(key, move |_| begun.store(true, Ordering::Relaxed));
        };
        ["stopped", "replaced", "ended"].into_iter().for_each(start);
        tasks.stop_task("stopped");
        tasks.start_task("replaced", |_| {});
        tasks.stop_all();
        assert_eq!(Arc::strong_count(&begun), 1, "nobody holds their work any more");
        assert!(["stopped", "replaced", "ended"].iter().all(|key| !tasks.is_running(key)));
        tasks.join_threads();
        assert!(!begun.load(Ordering::Relaxed));
    }

    /// A long task on the only place works within its turn and then beyond it, and a short one waits. In which order they come on, if the long one
    /// gives way so.
    fn order_of_turns(
        give_way: impl Fn(TaskTurn, &BackgroundTasks, &StopFlag) + Send + 'static,
    ) -> Vec<&'static str> {
        let tasks = Arc::new(BackgroundTasks::new(1));
        let (told, heard) = channel();
        let (go, may_go) = channel();
        let (shared, long) = (Arc::clone(&tasks), told.clone());
        tasks.start_task("long", move |stop| {
            may_go.recv().unwrap();
            for (slice, name) in [(Duration::MAX, "within"), (Duration::ZERO, "over")] {
                give_way(TaskTurn { began: Instant::now(), slice }, &shared, stop);
                long.send(name).unwrap();
            }
        });
        tasks.start_task("short", move |_| told.send("short").unwrap());
        go.send(()).unwrap();
        let order = heard.iter().collect();
        tasks.stop_all();
        tasks.join_threads();
        order
    }

    /// A turn that is over gives way in the middle of the work; one that is not does not.
    #[test]
    fn a_turn_ends_after_its_slice() {
        let order = order_of_turns(|mut turn, tasks, stop| turn.give_way_if_over(tasks, "long", stop));
        assert_eq!(order, ["within", "short", "over"]);
    }

    /// The same where the work only asks whether to stop, from a thread of its own.
    #[test]
    fn work_gives_way_where_it_asks_whether_to_stop() {
        let order = order_of_turns(|turn, tasks, stop| {
            let stop = tasks.take_turns_of(turn, "long", stop);
            std::thread::scope(|scope| drop(scope.spawn(|| stop.is_requested())));
        });
        assert_eq!(order, ["within", "short", "over"]);
    }

    /// Two tasks without an end on one place, each with two threads that ask all the time: both come on, and both end when they are told to.
    #[test]
    fn tasks_of_many_threads_share_a_place() {
        let tasks = Arc::new(BackgroundTasks::new(1));
        let (told, heard) = channel();
        for name in ["a", "b"] {
            let (shared, told) = (Arc::clone(&tasks), told.clone());
            tasks.start_task(name, move |stop| {
                let turn = TaskTurn { began: Instant::now(), slice: Duration::ZERO };
                let stop = shared.take_turns_of(turn, name, stop);
                let ask = || {
                    while !stop.is_requested() {
                        let _ = told.send(name);
                    }
                };
                std::thread::scope(|scope| {
                    scope.spawn(ask);
                    ask();
                });
            });
        }
        let mut parts = [0, 0];
        while parts.into_iter().any(|parts| parts < 10) {
            parts[usize::from(heard.recv().unwrap() == "b")] += 1;
        }
        tasks.stop_all();
        tasks.join_threads();
        assert_eq!(tasks.thinking_count(), 0, "every place was given back");
    }

    /// Somebody has filled all places with tasks without an end. Two of another visitor are taken, and have as many turns as all of them together.
    #[test]
    fn who_asks_for_much_keeps_nobody_from_a_turn() {
        let tasks = Arc::new(BackgroundTasks::new(1));
        let (greedy, other) = (Asker::from_text("greedy"), Asker::from_text("other"));
        let is_open = Arc::new(AtomicBool::new(false));
        let (told, heard) = channel();
        let start = |asker: Asker, name: &str| {
            let (shared, is_open, told) = (Arc::clone(&tasks), Arc::clone(&is_open), told.clone());
            let (key, name) = (name, name.to_string());
            let work = move |stop: &StopFlag| {
                while !is_open.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                while !stop.is_requested() {
                    let _ = told.send(Asker::current());
                    shared.give_way(&name, stop);
                }
            };
            asker.act(|| tasks.start_task_if_room(key, work))
        };
        let accepted = (0..100).filter(|number| start(greedy, &format!("g{number}"))).count();
        assert_eq!(accepted, 1 + WAITING);
        assert!(start(other, "o0") && start(other, "o1"));
        assert!(!start(other, "one more") && !greedy.act(|| tasks.has_room()));
        // The greedy one's first task thinks already, and its second one came before.
        assert_eq!(["o0", "o1"].map(|name| tasks.tasks_before(name).unwrap() <= 4), [true, true]);
        is_open.store(true, Ordering::Relaxed);
        let turns: Vec<Asker> = heard.iter().skip(100).take(400).collect();
        let share = turns.iter().filter(|asker| **asker == other).count();
        assert!((180..=220).contains(&share), "{share} of 400 turns");
        tasks.stop_all();
        tasks.join_threads();
    }

    /// Tasks without an end on one place: not all begin, as those that gave way keep their memory. If one ends, the next begins.
    #[test]
    fn only_so_many_begin_and_give_way() {
        let tasks = Arc::new(BackgroundTasks::new(1));
        let is_open = Arc::new(AtomicBool::new(false));
        let (told, heard) = channel();
        let names: Vec<String> = (0..PAUSED + 3).map(|number| format!("w{number}")).collect();
        for name in names.clone() {
            let (shared, is_open, told) = (Arc::clone(&tasks), Arc::clone(&is_open), told.clone());
            tasks.start_task(&name.clone(), move |stop| {
                while !is_open.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                while !stop.is_requested() {
                    let _ = told.send(name.clone());
                    shared.give_way(&name, stop);
                }
            });
        }
        is_open.store(true, Ordering::Relaxed);
        // Long enough for all to have had many turns.
        let next_turns = || heard.iter().take(20 * names.len()).collect::<BTreeSet<String>>();
        assert_eq!(next_turns(), names[..=PAUSED].iter().cloned().collect::<BTreeSet<String>>());
        tasks.stop_task(&names[0]);
        while !next_turns().contains(&names[PAUSED + 1]) {}
        assert!(!next_turns().contains(&names[PAUSED + 2]));
        tasks.stop_all();
        tasks.join_threads();
    }

    #[test]
    fn who_gave_way_ends_when_it_is_told_to_stop() {
        let tasks = Arc::new(BackgroundTasks::new(1));
        let (told, heard) = channel();
        let shared = Arc::clone(&tasks);
        let (go, may_go) = channel();
        tasks.start_task("a", move |stop| {
            may_go.recv().unwrap();
            shared.give_way("a", stop);
            told.send(stop.is_requested()).unwrap();
        });
        tasks.start_task("b", until_stopped);
        go.send(()).unwrap();
        while tasks.tasks_before("a") != Some(1) {
            std::thread::yield_now();
        }
        tasks.stop_task("a");
        assert!(heard.recv().unwrap(), "it need not wait for the other one");
        tasks.stop_all();
        tasks.join_threads();
        assert_eq!(tasks.thinking_count(), 0, "every place was given back");
    }
}
