//! What the laboratory asks of the database and of the machine.

use std::time::{Duration, Instant};

use ishi_lab::LabError;
use ishi_lab::store::Store;
use ishi_work::{Stop, StopFlag};

use crate::workbench::WorkbenchState;
use crate::workbench::desk::run_blocking;
use crate::workbench::error::PageError;
use crate::workers::{JobStop, Refusal};

/// What the laboratory says, for a page.
pub(super) fn to_page_error(error: LabError) -> PageError {
    match error {
        LabError::Store(error) => PageError::from_store_error(error),
        other => PageError::from(other),
    }
}

/// Reads the store with a connection of its own, so that long questions keep nobody waiting.
pub(super) async fn query_store<T: Send + 'static>(
    desk: &WorkbenchState,
    question: impl FnOnce(&Store) -> Result<T, LabError> + Send + 'static,
) -> Result<T, PageError> {
    match desk.settings.db.clone() {
        None => desk.ask_store(move |store| Ok(question(store))).await?.map_err(to_page_error),
        Some(path) => run_blocking(move || question(&Store::open(&path)?)).await?.map_err(to_page_error),
    }
}

/// Refuses another match or experiment while too many wait.
pub(super) fn require_room(desk: &WorkbenchState) -> Result<(), PageError> {
    if desk.runs.has_room() { Ok(()) } else { Err(PageError::from(Refusal::Full)) }
}

/// Whoever asks how long something will take waits for so long at most.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Raised when that time is over, or nobody waits for the answer any more: also within a move, or a task.
pub(super) fn stop_after_patience(nobody_waits: &JobStop) -> StopFlag {
    stop_after(PATIENCE, nobody_waits)
}

fn stop_after(patience: Duration, nobody_waits: &JobStop) -> StopFlag {
    let (begun, flag, nobody_waits) = (Instant::now(), StopFlag::default(), nobody_waits.clone());
    let raised = flag.clone();
    flag.with_pause(move || {
        if begun.elapsed() >= patience || nobody_waits.is_requested() {
            raised.request();
        }
    })
}

/// The file that runs write to.
pub(super) fn require_database(desk: &WorkbenchState) -> Result<std::path::PathBuf, PageError> {
    desk.settings
        .db
        .clone()
        .ok_or_else(|| PageError::invalid_input("laboratory-this-server-keeps-nothing-so-it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_waited_long_enough_is_told_what_is_known() {
        let nobody_waits = JobStop::default();
        assert!(!stop_after_patience(&nobody_waits).is_requested());
        assert!(stop_after(Duration::ZERO, &nobody_waits).is_requested());
        nobody_waits.gone_flag().request();
        assert!(stop_after_patience(&nobody_waits).is_requested());
    }
}
