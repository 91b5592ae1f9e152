//! How matches go, since the server was started.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ishi_arena::{MatchEnd, MatchStanding};

use crate::workbench::texts::PageText;

/// How a match goes.
#[derive(Clone, Debug, Default)]
pub(super) struct MatchCourse {
    /// After each pair.
    pub(super) standings: Vec<MatchStanding>,
    pub(super) ended: Option<Result<MatchEnd, PageText>>,
}

/// Matches that were looked at or played since the server was started, by key.
#[derive(Default)]
pub(crate) struct MatchRuns(Mutex<HashMap<String, MatchCourse>>);

impl MatchRuns {
    pub(super) fn lock_courses(&self) -> MutexGuard<'_, HashMap<String, MatchCourse>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn change_course(&self, key: &str, change: impl FnOnce(&mut MatchCourse)) {
        change(self.lock_courses().entry(key.to_string()).or_default());
    }

    /// There is no such match any more.
    pub(super) fn forget_course(&self, key: &str) {
        self.lock_courses().remove(key);
    }
}
