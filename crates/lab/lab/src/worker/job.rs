//! A job that a worker can do.

use std::ops::Range;

use ishi_work::StopFlag;
use serde_json::Value;

use crate::store::{NewResult, Store, StoreError, StoreTask};

/// Results of the tasks that another one joins, in the order of their places. They come one at a time, as together they may be more than
/// the memory holds. One that cannot be read is an error, in words.
pub type JoinedResults<'a> = dyn Iterator<Item = Result<Value, String>> + 'a;

/// The result of a task; `None` if it was broken off. The error says why it could not be done.
pub type JobAnswer = Result<Option<NewResult>, String>;

/// A job that this program can do.
pub trait PreparedJob: Send + Sync {
    /// The task at a place; `None` if there is none.
    fn task(&self, place: u64) -> Option<StoreTask>;

    /// Must a second result be equal to the first?
    fn is_exact(&self) -> bool;

    /// The places of the tasks that the task at this place waits for, all of them; empty for most.
    fn joined_places(&self, _place: u64) -> Range<u64> {
        0..0
    }

    /// Does the task; `None` if it was broken off because `stop` was set. `before` is the result of the task that it goes
    /// on from.
    ///
    /// # Errors
    /// If something outside failed.
    fn do_task(&self, place: u64, before: Option<&Value>, stop: &StopFlag) -> JobAnswer;

    /// Does a task that joins others ([`PreparedJob::joined_places`]); `None` as for [`PreparedJob::do_task`].
    ///
    /// # Errors
    /// If something outside failed, or a result cannot be read.
    fn join_results(&self, place: u64, _joined: &mut JoinedResults<'_>, _stop: &StopFlag) -> JobAnswer {
        Err(format!("task {place} joins no others"))
    }

    /// Is what is finished enough, so that the rest need not be done?
    ///
    /// # Errors
    /// If the store cannot be read.
    fn is_decided(&self, _store: &Store) -> Result<bool, StoreError> {
        Ok(false)
    }
}
