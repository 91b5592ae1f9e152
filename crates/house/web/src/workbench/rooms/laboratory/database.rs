//! What the laboratory asks of the database and of the machine.

use ishi_lab::LabError;
use ishi_lab::store::Store;

use crate::workbench::WorkbenchState;
use crate::workbench::desk::run_blocking;
use crate::workbench::error::PageError;
use crate::workbench::thoughts::Asker;
use crate::workers::Refusal;

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
pub(super) fn require_room(desk: &WorkbenchState, asker: Asker) -> Result<(), PageError> {
    if desk.runs.has_room(asker) { Ok(()) } else { Err(PageError::from(Refusal::Full)) }
}

/// The file that runs write to.
pub(super) fn require_database(desk: &WorkbenchState) -> Result<std::path::PathBuf, PageError> {
    desk.settings
        .db
        .clone()
        .ok_or_else(|| PageError::invalid_input("laboratory-this-server-keeps-nothing-so-it"))
}
