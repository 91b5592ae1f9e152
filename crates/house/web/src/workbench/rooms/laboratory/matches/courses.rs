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

    /// How a match goes: as it is known, or else as it was read, which is known from now on.
    ///
    /// A match that began meanwhile counts its kept pairs itself: what was read must not be added to that.
    pub(super) fn known_course_or(&self, key: &str, read: MatchCourse) -> MatchCourse {
        self.lock_courses().entry(key.to_string()).or_insert(read).clone()
    }

    /// There is no such match any more.
    pub(super) fn forget_course(&self, key: &str) {
        self.lock_courses().remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_not_counted_to_a_match_that_began_meanwhile() {
        let runs = MatchRuns::default();
        let read = || MatchCourse { standings: vec![MatchStanding::default(); 2], ended: None };
        assert_eq!(runs.known_course_or("seen", read()).standings.len(), 2);
        runs.change_course("begun", |course| *course = MatchCourse::default());
        assert_eq!(runs.known_course_or("begun", read()).standings.len(), 0);
        runs.change_course("begun", |course| course.standings.push(MatchStanding::default()));
        assert_eq!(runs.known_course_or("begun", read()).standings.len(), 1);
    }
}
