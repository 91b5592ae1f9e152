//! What the laboratory remembers of runs. It knows nothing of the desk, which holds it.

use super::campaigns::watch::CampaignWatch;
use super::experiments::courses::{ExperimentRuns, LoadedExperiments};
use super::matches::courses::MatchRuns;

/// What runs tell of themselves.
#[derive(Default)]
pub(crate) struct LaboratoryRuns {
    pub(super) experiments: ExperimentRuns,
    pub(super) loaded: LoadedExperiments,
    pub(super) matches: MatchRuns,
    pub(super) campaigns: CampaignWatch,
}
