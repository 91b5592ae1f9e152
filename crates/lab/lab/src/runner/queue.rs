//! What the workers take from: in order, but a task that goes on from another waits until that one is kept.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::error::LabError;
use crate::experiment::ExperimentTask;

/// Works that are to be done, shared by the workers.
pub(super) struct TaskQueue<'a> {
    tasks: Vec<&'a ExperimentTask>,
    state: Mutex<QueueState>,
    changed: Condvar,
}

struct QueueState {
    /// Numbers of the tasks that nobody has taken, in their order.
    waiting: Vec<usize>,
    /// Results that others go on from, by name.
    known: BTreeMap<String, Value>,
    closed: bool,
}

impl<'a> TaskQueue<'a> {
    /// All of them; `known` are the results of earlier runs that they go on from.
    pub(super) fn new(tasks: Vec<&'a ExperimentTask>, known: BTreeMap<String, Value>) -> TaskQueue<'a> {
        let state = QueueState { waiting: (0..tasks.len()).collect(), known, closed: false };
        TaskQueue { tasks, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The number of the next task and what it goes on from; `None` if there is no more to do.
    pub(super) fn take_next(&self) -> Option<(usize, Option<Value>)> {
        let mut state = self.lock_state();
        loop {
            if state.closed || state.waiting.is_empty() {
                return None;
            }
            let ready = |&number: &usize| match &self.tasks[number].after {
                None => true,
                Some(name) => state.known.contains_key(name),
            };
            if let Some(place) = state.waiting.iter().position(ready) {
                let number = state.waiting.remove(place);
                let before = self.tasks[number].after.as_ref().and_then(|name| state.known.get(name));
                return Some((number, before.cloned()));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A task is kept: who waits for it may begin.
    pub(super) fn mark_kept(&self, number: usize, result: &Value) {
        let name = &self.tasks[number].name;
        if self.tasks.iter().any(|task| task.after.as_ref() == Some(name)) {
            self.lock_state().known.insert(name.clone(), result.clone());
            self.changed.notify_all();
        }
    }

    /// Closes the queue: nothing new is begun.
    pub(super) fn close(&self) {
        self.lock_state().closed = true;
        self.changed.notify_all();
    }

    fn lock_state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sees to it that nobody waits for ever: what a task goes on from stands before it, and runs no later.
pub(super) fn check_order(tasks: &[ExperimentTask]) -> Result<(), LabError> {
    let mut earlier: BTreeMap<&str, bool> = BTreeMap::new();
    for task in tasks {
        if let Some(name) = &task.after {
            let comes_before = earlier.get(name.as_str()).is_some_and(|&alone| alone || !task.alone);
            if !comes_before {
                let error = format!("it goes on from {name}, which is no task that is done before it");
                return Err(task.failure(error));
            }
        }
        earlier.insert(&task.name, task.alone);
    }
    Ok(())
}
