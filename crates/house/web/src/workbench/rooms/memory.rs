//! What rooms keep in memory. It knows nothing of the desk, which holds it.

use super::laboratory::runs::LaboratoryRuns;
use super::othello::engines::KeptEngines;
use super::patterns::index_cache::IndexCache;

/// What rooms keep in memory beside the store.
#[derive(Default)]
pub(crate) struct RoomState {
    pub(crate) laboratory: LaboratoryRuns,
    pub(crate) patterns: IndexCache,
    pub(crate) othello: KeptEngines,
}
