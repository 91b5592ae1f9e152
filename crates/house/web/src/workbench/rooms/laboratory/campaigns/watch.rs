//! What pages of campaigns share: what was read of the database last.

use std::sync::atomic::AtomicBool;

use ishi_lab::store::{
    CampaignCourse, CampaignDamage, CampaignMatch, TaskFailure, TaskSpans, WorkerNote, WorkerSpan,
};

use super::kept::KeptReading;

/// What pages of campaigns share.
#[derive(Default)]
pub(crate) struct CampaignWatch {
    /// Does somebody look at the database for the pages?
    pub(super) is_watched: AtomicBool,
    pub(super) board: KeptReading<CampaignBoard>,
    pub(super) curves: KeptReading<CurveBoard>,
}

/// What the pages show.
#[derive(Debug, PartialEq)]
pub(super) struct CampaignBoard {
    pub(super) courses: Vec<CampaignCourse>,
    /// What has failed and is not finished, of all campaigns.
    pub(super) failures: Vec<TaskFailure>,
    /// Those that have not said goodbye, those that were heard of last first.
    pub(super) workers: Vec<WorkerNote>,
    /// What cannot be read. It hides nothing else.
    pub(super) damaged: Vec<CampaignDamage>,
}

impl CampaignBoard {
    /// Do the curves show something else than those of an earlier board? For how long workers were silent is not on them. Of a campaign that
    /// is done time goes on beside its curves.
    pub(super) fn has_other_curves(&self, earlier: &CampaignBoard) -> bool {
        self.drawn_figures() != earlier.drawn_figures() || self.workers.len() != earlier.workers.len()
    }

    /// Each campaign with what its curves depend on: finished tasks, and of one that goes on the time.
    fn drawn_figures(&self) -> Vec<(&str, u64, Option<i64>)> {
        let time = |course: &CampaignCourse| (course.open() > 0).then_some(course.recent_seconds);
        self.courses.iter().map(|course| (course.name.as_str(), course.finished, time(course))).collect()
    }
}

/// What the curves show.
#[derive(Debug)]
pub(super) struct CurveBoard {
    pub(super) campaigns: Vec<CampaignCurves>,
    pub(super) workers: Vec<WorkerSpan>,
    /// Campaigns whose curves cannot be read, and why.
    pub(super) damaged: Vec<String>,
    /// All campaigns, drawn or not.
    pub(super) count: usize,
}

/// The curves of a campaign.
#[derive(Debug)]
pub(super) struct CampaignCurves {
    pub(super) name: String,
    /// Finished tasks in spans of time; `None` before the first result.
    pub(super) spans: Option<TaskSpans>,
    /// Those with a finished pair.
    pub(super) matches: Vec<CampaignMatch>,
    /// Matches that have a curve of their own.
    pub(super) growth: Vec<MatchGrowth>,
}

/// What a match has brought, part by part.
#[derive(Debug)]
pub(super) struct MatchGrowth {
    pub(super) label: String,
    pub(super) parts: Vec<[u64; 5]>,
}
