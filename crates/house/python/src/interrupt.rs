//! Long work without Python's lock, until it is done or Ctrl-C is pressed.

use std::panic::resume_unwind;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ishi_work::{Clock, StopFlag};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

/// Time between two looks whether Ctrl-C was pressed.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Stack of the thread that works: as much as a main thread has.
const STACK: usize = 8 << 20;

/// Works in a thread of its own without Python's lock. The flag is set when Ctrl-C is pressed; the work must end soon then.
///
/// Python runs its handlers of signals in the thread that calls, so that this one only waits and looks.
///
/// # Errors
/// KeyboardInterrupt, or what another handler of a signal raises. What the work gives is dropped then.
pub(crate) fn run_detached<T: Send>(py: Python<'_>, work: impl FnOnce(&StopFlag) -> T + Send) -> PyResult<T> {
    py.detach(|| {
        let stop = StopFlag::default();
        thread::scope(|scope| {
            let (working, end) = mpsc::channel::<()>();
            let flag = &stop;
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                // Dropped at the end of the work, also by a panic: the waiting thread hears of it at once.
                let _working = working;
                work(flag)
            })?;
            let mut interruption = None;
            while end.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    stop.request();
                    interruption.get_or_insert(error);
                }
            }
            let given = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            interruption.map_or(Ok(given), Err)
        })
    })
}

/// Locks what threads share, for one that has Python's lock. It does without while it waits: who works may need Python's lock to go on, and Ctrl-C is
/// heard.
pub(crate) fn lock_attached<'a, T>(shared: &'a Mutex<T>, py: Python<'_>) -> MutexGuard<'a, T> {
    shared.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
}

/// The same for a thread that does without Python's lock. A panic was raised already.
pub(crate) fn lock_detached<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The time since it was made.
pub(crate) struct WallClock(Instant);

impl WallClock {
    pub(crate) fn start() -> WallClock {
        WallClock(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
