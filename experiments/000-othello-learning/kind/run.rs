//! A run of learning, and what its tasks give.

use ishi_othello_learn::evolution::{CurvePoint, LearningMethod, LearningOptions, RatingSample};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::measure::MeasuredMember;

/// A run of learning with some seeds.
pub(super) struct LearningRun {
    pub(super) name: String,
    pub(super) method: LearningMethod,
    pub(super) seeds: u64,
    pub(super) games: u64,
    pub(super) blocks: u64,
    pub(super) options: LearningOptions,
    /// The options that are not the usual ones, as text.
    pub(super) differs: String,
}

/// What a block gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LearningBlock {
    /// Games of learning since the start of the run.
    pub(super) games: u64,
    pub(super) points: Vec<CurvePoint>,
    /// Ratings of the population's best between the points.
    #[serde(default)]
    pub(super) ratings: Vec<RatingSample>,
    /// Is nothing left to do?
    pub(super) over: bool,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub(super) checkpoint: Value,
}

/// The players that a run ends with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FinalPlayers {
    pub(super) members: Vec<MeasuredMember>,
    /// The winner of the league among them.
    pub(super) champion: usize,
}
