//! What a step of a search gives.

use serde::{Deserialize, Serialize};

/// Where a search stands after a step. `weights` are what it recommends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SearchStanding {
    pub(super) weights: String,
    /// Mean score over the opponents that it was trained against.
    pub(super) trained: f64,
    /// Score against the standard: watched, and where learning is from the rules alone used for nothing.
    pub(super) standard: f64,
}
