//! When a problem is asked again: the algorithm SM-2.
//!
//! Source: P. A. Woźniak, "Optimization of learning", master's thesis, University of Technology in Poznań, 1990, chapter 3.2 ("Application of a
//! computer to improve the results obtained in working with the SuperMemo method"). Intervals are 1 day, 6 days, and then the last one times the
//! easiness, rounded up. Easiness begins with 2.5, changes with every answer, and is 1.3 at least. An answer below 3 begins again with the
//! intervals, and leaves the easiness. What was answered below 4 is asked again in the same session until it is not.

use serde::{Deserialize, Serialize};

/// Seconds of a day.
const DAY: i64 = 86_400;
/// Easiness in hundredths, at the beginning and at the least.
const FIRST_EASINESS: u32 = 250;
const LEAST_EASINESS: u32 = 130;
/// The longest interval in days: a hundred years.
const LONGEST: u32 = 36_500;

/// How well a problem was answered: the qualities of SM-2 that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum AnswerQuality {
    /// Wrong (1).
    Again,
    /// Right with serious difficulty (3).
    Hard,
    /// Right after hesitation (4).
    Good,
    /// Right at once (5).
    Easy,
}

impl AnswerQuality {
    fn number(self) -> u32 {
        match self {
            AnswerQuality::Again => 1,
            AnswerQuality::Hard => 3,
            AnswerQuality::Good => 4,
            AnswerQuality::Easy => 5,
        }
    }
}

/// When a problem is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecallSchedule {
    /// Answers of 3 and more in a row.
    repetitions: u32,
    interval_days: u32,
    /// How easy the problem is, in hundredths.
    easiness: u32,
    /// When it is asked again, in seconds since 1970 (UTC).
    pub(super) due: i64,
    /// The last answer was below 4: it is asked again in this session.
    in_session: bool,
}

impl RecallSchedule {
    /// The schedule of a problem that was never asked: it is due at once.
    pub(super) fn new(now: i64) -> RecallSchedule {
        RecallSchedule {
            repetitions: 0,
            interval_days: 0,
            easiness: FIRST_EASINESS,
            due: now,
            in_session: false,
        }
    }

    /// Is it to be asked now?
    pub(super) fn is_due(&self, now: i64) -> bool {
        self.in_session || self.due <= now
    }

    /// Days until it is due, rounded up; 0 if it is.
    pub(super) fn days_left(&self, now: i64) -> i64 {
        if self.is_due(now) { 0 } else { (self.due - now + DAY - 1) / DAY }
    }

    /// What comes first is asked first: what is due by its day, the longest overdue first, then what is asked again in this session.
    pub(super) fn order(&self, now: i64) -> (bool, i64) {
        (self.due > now, self.due)
    }

    /// After an answer.
    pub(super) fn after_answer(self, quality: AnswerQuality, now: i64) -> RecallSchedule {
        let in_session = quality < AnswerQuality::Good;
        if self.in_session && self.due > now {
            // A repetition in the same session changes no interval.
            return RecallSchedule { in_session, ..self };
        }
        let is_known = quality >= AnswerQuality::Hard;
        let repetitions = if is_known { self.repetitions.saturating_add(1) } else { 0 };
        let interval_days = match repetitions {
            0 | 1 => 1,
            2 => 6,
            _ => self.interval_days.saturating_mul(self.easiness).div_ceil(100).min(LONGEST),
        };
        let easiness =
            if is_known { changed_easiness(self.easiness, quality.number()) } else { self.easiness };
        let due = now.saturating_add(i64::from(interval_days) * DAY);
        RecallSchedule { repetitions, interval_days, easiness, due, in_session }
    }
}

/// Easiness after an answer of this quality: more by 0.1 - (5 - q) (0.08 + 0.02 (5 - q)).
fn changed_easiness(easiness: u32, quality: u32) -> u32 {
    let missing = 5 - quality;
    (easiness + 10).saturating_sub(missing * (8 + 2 * missing)).max(LEAST_EASINESS)
}

#[cfg(test)]
mod tests {
    use super::AnswerQuality::{Again, Easy, Good, Hard};
    use super::*;

    /// Each answer on the day it is due: the intervals after it, and the easiness.
    fn answer_in_turn(qualities: &[AnswerQuality]) -> Vec<(u32, u32)> {
        let mut schedule = RecallSchedule::new(0);
        let answered = qualities.iter().map(|&quality| {
            schedule = schedule.after_answer(quality, schedule.due);
            (schedule.interval_days, schedule.easiness)
        });
        answered.collect()
    }

    /// 6 days times 2.7 are 16.2, and 17 days times 2.8 are 47.6: both are rounded up.
    #[test]
    fn intervals_are_those_of_sm_2() {
        assert_eq!(answer_in_turn(&[Good; 4]), [(1, 250), (6, 250), (15, 250), (38, 250)]);
        assert_eq!(answer_in_turn(&[Easy; 4]), [(1, 260), (6, 270), (17, 280), (48, 290)]);
        assert_eq!(answer_in_turn(&[Hard; 3]), [(1, 236), (6, 222), (14, 208)]);
        // Easiness has a least value.
        assert_eq!(answer_in_turn(&[Hard; 20]).last().unwrap().1, 130);
    }

    #[test]
    fn a_wrong_answer_begins_again_and_leaves_the_easiness() {
        assert_eq!(
            answer_in_turn(&[Easy, Easy, Easy, Again, Good, Good]).split_off(3),
            [(1, 280), (1, 280), (6, 280)]
        );
    }

    /// What was hard, or wrong, is asked again until it is good; that changes no interval.
    #[test]
    fn what_is_below_four_is_asked_again_in_the_same_session() {
        let now = 1_000_000;
        let wrong = RecallSchedule::new(now).after_answer(Again, now);
        assert!(wrong.is_due(now + 60) && wrong.days_left(now + 60) == 0);
        let still = wrong.after_answer(Hard, now + 60);
        assert!(still.is_due(now + 120));
        let known = still.after_answer(Good, now + 120);
        assert_eq!((known.is_due(now + 180), known.days_left(now + 180)), (false, 1));
        assert_eq!((known.due, known.easiness), (wrong.due, wrong.easiness));
        // On the next day it counts again, though it was left in the middle of a session.
        let later = wrong.after_answer(Good, wrong.due);
        assert_eq!((later.repetitions, later.interval_days, later.in_session), (1, 1, false));
    }

    #[test]
    fn the_longest_overdue_comes_first_and_what_is_asked_again_last() {
        let now = 10 * DAY;
        let old = RecallSchedule::new(2 * DAY);
        let new = RecallSchedule::new(9 * DAY);
        let again = RecallSchedule::new(now).after_answer(Again, now);
        let mut all = [again, new, old];
        all.sort_by_key(|schedule| schedule.order(now));
        assert_eq!(all, [old, new, again]);
        assert!(all.iter().all(|schedule| schedule.is_due(now)));
    }
}
