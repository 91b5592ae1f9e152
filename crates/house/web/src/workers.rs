//! A fixed number of threads that work, and a queue of a fixed length in front of them.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use ishi_work::{Stop, StopFlag};
use tokio::sync::oneshot;

use crate::turns::{Asker, FairTurns};

/// Asked by the work: has it become useless?
#[derive(Clone, Default)]
pub(crate) struct JobStop {
    gone: StopFlag,
    ending: StopFlag,
}

impl Stop for JobStop {
    /// Nobody waits for the answer, or the server ends.
    fn is_requested(&self) -> bool {
        self.gone.is_requested() || self.is_ending()
    }
}

impl JobStop {
    /// The flag that is raised when nobody waits for the answer any more.
    pub(crate) fn gone_flag(&self) -> StopFlag {
        self.gone.clone()
    }

    /// The server ends and cannot wait any more.
    pub(crate) fn is_ending(&self) -> bool {
        self.ending.is_requested()
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// A job in the queue.
struct WaitingJob {
    asker: Asker,
    turn: u64,
    /// Raised when nobody waits for its answer any more.
    gone: StopFlag,
    job: Job,
}

#[derive(Default)]
struct JobQueue {
    /// In the order in which they came. Turns say which is next.
    jobs: VecDeque<WaitingJob>,
    turns: FairTurns,
    running: usize,
    closed: bool,
}

impl JobQueue {
    /// Takes jobs out of the queue for which nobody waits any more, and their turns back. Drop them when the lock is free.
    fn take_unwanted(&mut self) -> VecDeque<WaitingJob> {
        let is_unwanted = |waiting: &WaitingJob| waiting.gone.is_requested();
        self.turns.take_unwanted(&mut self.jobs, is_unwanted, |waiting| (waiting.asker, waiting.turn))
    }

    /// The job whose turn it is. Of several with one turn the first is the first.
    fn take_next(&mut self) -> Option<WaitingJob> {
        let next = self.jobs.iter().enumerate().min_by_key(|(_, waiting)| waiting.turn)?.0;
        self.jobs.remove(next)
    }
}

struct SharedQueue {
    queue: Mutex<JobQueue>,
    wake: Condvar,
    room: usize,
    ending: StopFlag,
}

/// Why no work was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// The queue is full.
    Full,
    /// The server is being shut down.
    Closed,
    /// The work panicked.
    Failed,
}

/// The threads.
pub(crate) struct Workers {
    shared: Arc<SharedQueue>,
    threads: Mutex<Vec<std::thread::JoinHandle<()>>>,
    count: usize,
}

/// Tells the work that nobody waits any more, once the future that waits is dropped.
struct WaitGuard(StopFlag);

impl Drop for WaitGuard {
    fn drop(&mut self) {
        self.0.request();
    }
}

impl Workers {
    /// Starts `count` threads with room for `room` jobs that wait.
    pub(crate) fn start(count: usize, room: usize) -> Workers {
        let (queue, wake) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(SharedQueue { queue, wake, room, ending: StopFlag::default() });
        let work = |_| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || shared.run_jobs())
        };
        let threads = Mutex::new((0..count).map(work).collect());
        Workers { shared, threads, count }
    }

    /// How many threads there are.
    pub(crate) fn thread_count(&self) -> usize {
        self.count
    }

    /// Jobs that wait, and jobs that are being done.
    pub(crate) fn job_counts(&self) -> (usize, usize) {
        let queue = self.shared.lock_queue();
        (queue.jobs.len(), queue.running)
    }

    /// Is it being shut down?
    pub(crate) fn is_closed(&self) -> bool {
        self.shared.lock_queue().closed
    }

    /// Does the job on one of the threads. Askers have turns one after the other. Dropping the future cancels it.
    pub(crate) async fn run_job<T: Send + 'static>(
        &self,
        job: impl FnOnce(&JobStop) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let (sender, receiver) = oneshot::channel();
        let gone = StopFlag::default();
        let cancel = JobStop { gone: gone.clone(), ending: self.shared.ending.clone() };
        let _waiting = WaitGuard(gone.clone());
        let job: Job = Box::new(move || {
            if cancel.gone.is_requested() {
                return;
            }
            let done = catch_unwind(AssertUnwindSafe(|| job(&cancel)));
            // Sending fails where the visitor has gone away meanwhile: the answer is dropped.
            let _ = sender.send(done.map_err(|_| Refusal::Failed));
        });
        self.shared.push_job(Asker::current(), gone, job)?;
        // Jobs that are thrown away at the end drop their senders.
        receiver.await.unwrap_or(Err(Refusal::Closed))
    }

    /// Takes no more jobs and throws away those that wait; those that run go on.
    pub(crate) fn close(&self) {
        let mut queue = self.shared.lock_queue();
        queue.closed = true;
        let waiting = std::mem::take(&mut queue.jobs);
        drop(queue);
        // Without the lock: whoever waits for one of them hears of its end, and may come back to this queue.
        drop(waiting);
        self.shared.wake.notify_all();
    }

    /// Asks the jobs that still run to end.
    pub(crate) fn request_end(&self) {
        self.shared.ending.request();
    }

    /// Waits for the threads; call [`Workers::close`] before.
    pub(crate) fn join(&self) {
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // Jobs that panic are caught inside the threads, so there is nothing to hear of here.
            let _ = thread.join();
        }
    }
}

impl SharedQueue {
    fn lock_queue(&self) -> std::sync::MutexGuard<'_, JobQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push_job(&self, asker: Asker, gone: StopFlag, job: Job) -> Result<(), Refusal> {
        let mut queue = self.lock_queue();
        if queue.closed {
            return Err(Refusal::Closed);
        }
        let unwanted = queue.take_unwanted();
        let own = queue.jobs.iter().filter(|waiting| waiting.asker == asker).count();
        let has_room = asker.finds_room(queue.jobs.len(), own, self.room);
        if has_room {
            let turn = queue.turns.give_turn(asker);
            queue.jobs.push_back(WaitingJob { asker, turn, gone, job });
        }
        drop(queue);
        drop(unwanted);
        if !has_room {
            return Err(Refusal::Full);
        }
        self.wake.notify_one();
        Ok(())
    }

    fn run_jobs(&self) {
        while let Some(job) = self.next_job() {
            job();
            self.lock_queue().running -= 1;
        }
    }

    fn next_job(&self) -> Option<Job> {
        let mut queue = self.lock_queue();
        loop {
            if let Some(WaitingJob { turn, job, .. }) = queue.take_next() {
                queue.turns.reach_turn(turn);
                queue.running += 1;
                return Some(job);
            }
            if queue.closed {
                return None;
            }
            queue = self.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;

    use super::*;

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    #[test]
    fn jobs_are_done_and_their_panics_caught() {
        let workers = Workers::start(2, 4);
        let sum = block_on(async {
            let failed = workers.run_job(|_| panic!("on purpose")).await;
            assert_eq!(failed, Err::<(), _>(Refusal::Failed));
            let (a, b) = tokio::join!(workers.run_job(|_| 20), workers.run_job(|_| 22));
            a.unwrap() + b.unwrap()
        });
        assert_eq!(sum, 42);
        workers.close();
        workers.join();
        assert_eq!(block_on(workers.run_job(|_| 1)), Err(Refusal::Closed));
    }

    /// Somebody has filled the queue of the only thread. Another one finds room, and has the next turns but one.
    #[test]
    fn who_asks_for_much_keeps_nobody_from_an_answer() {
        const ROOM: usize = 8;
        let workers = Workers::start(1, ROOM);
        let (greedy, other) = (Asker::from_text("greedy"), Asker::from_text("other"));
        let (go, may_go) = std::sync::mpsc::channel::<()>();
        let done = Arc::new(Mutex::new(Vec::new()));
        let job = |asker: Asker| {
            let done = Arc::clone(&done);
            asker.serve(workers.run_job(move |_| done.lock().unwrap().push(asker)))
        };
        block_on(async {
            let first = greedy.serve(workers.run_job(move |_| may_go.recv().is_ok()));
            let others = async {
                while workers.job_counts() != (0, 1) {
                    tokio::task::yield_now().await;
                }
                let asked = (0..ROOM).map(|_| job(greedy)).chain([job(other), job(other)]);
                let refused = async {
                    assert_eq!([job(greedy).await, job(other).await], [Err::<(), _>(Refusal::Full); 2]);
                    go.send(()).unwrap();
                };
                tokio::join!(join_all(asked), refused).0
            };
            let (_, answers) = tokio::join!(first, others);
            assert!(answers.iter().all(Result::is_ok));
        });
        let places: Vec<usize> = (0..)
            .zip(&*done.lock().unwrap())
            .filter(|(_, asker)| **asker == other)
            .map(|(at, _)| at)
            .collect();
        assert_eq!((places, done.lock().unwrap().len()), (vec![0, 2], ROOM + 2));
        workers.close();
        workers.join();
    }

    #[test]
    fn a_full_queue_refuses_and_dropping_cancels() {
        let workers = Workers::start(1, 1);
        let (started, has_started) = std::sync::mpsc::channel();
        let (done, was_cancelled) = std::sync::mpsc::channel();
        block_on(async {
            let long = workers.run_job(move |cancel| {
                started.send(()).unwrap();
                while !cancel.is_requested() {
                    std::thread::yield_now();
                }
                done.send(()).unwrap();
            });
            let second = async {
                // The first job is taken from the queue before the second is put there.
                while has_started.try_recv().is_err() {
                    tokio::task::yield_now().await;
                }
                let waits = workers.run_job(|_| ());
                let third = async { assert_eq!(workers.run_job(|_| ()).await, Err(Refusal::Full)) };
                tokio::select! { biased; _ = waits => {}, () = third => {} }
                // Who has left holds no place.
                let fourth = workers.run_job(|_| ());
                let fifth = async { assert_eq!(workers.run_job(|_| ()).await, Err(Refusal::Full)) };
                tokio::select! { biased; answer = fourth => panic!("{answer:?}"), () = fifth => {} }
            };
            tokio::select! { biased; _ = long => {}, () = second => {} }
        });
        was_cancelled.recv().unwrap();
        workers.close();
        workers.join();
    }
}
