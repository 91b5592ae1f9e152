//! How long a program may be silent before it is taken for one that hangs.
//!
//! Before its first answer a program may load a network, or tune itself. Later answers take about as long as earlier ones. So one that is silent
//! for many times as long is seen soon, by whoever asks it and by those who wait for it.

use std::time::Duration;

/// A program that is silent for so many times as long as it ever was before an answer hangs. A machine may have much else to do meanwhile.
const MANY: u32 = 20;

/// How long a program may be silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgePatience {
    /// The longest silence, also before the first answer.
    pub most: Duration,
    /// How long it may be silent however quick it was before.
    pub least: Duration,
}

impl JudgePatience {
    /// A patience as long as this, whatever the program has shown.
    #[must_use]
    pub const fn fixed(limit: Duration) -> JudgePatience {
        JudgePatience { most: limit, least: limit }
    }

    /// Many times as long as the longest silence that is known, within the limits.
    fn after_silence(self, longest: Option<Duration>) -> Duration {
        let many = longest.map_or(self.most, |longest| longest.saturating_mul(MANY));
        many.max(self.least).min(self.most)
    }
}

/// How long a program was silent before its answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JudgePace {
    /// The most visits of a position for which it is known.
    visits: u64,
    /// The longest time from a start to the first answer.
    first: Option<Duration>,
    /// The longest silence before another one.
    later: Option<Duration>,
}

/// What is waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct AwaitedAnswer {
    /// Visits of each position.
    pub(super) visits: u64,
    /// Positions without an answer: a program may think about all of them at once.
    pub(super) positions: usize,
    /// The time since the start, if there was no answer yet.
    pub(super) since_start: Option<Duration>,
}

impl JudgePace {
    /// Has the program ever answered?
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.first.is_some() || self.later.is_some()
    }

    /// How long the program may be silent now.
    pub(super) fn silence_limit(&self, patience: JudgePatience, awaited: AwaitedAnswer) -> Duration {
        // What it takes for more visits is not known.
        let known = if awaited.visits <= self.visits { *self } else { JudgePace::default() };
        match awaited.since_start {
            Some(waited) => patience.after_silence(known.first).saturating_sub(waited).max(patience.least),
            None => {
                let positions = u32::try_from(awaited.positions).unwrap_or(u32::MAX);
                patience.after_silence(known.later.map(|longest| longest.saturating_mul(positions)))
            }
        }
    }

    /// An answer has come after such a silence; before the first one it is counted from the start.
    pub(super) fn note_answer(&mut self, silence: Duration, awaited: AwaitedAnswer) {
        if awaited.visits > self.visits {
            *self = JudgePace { visits: awaited.visits, ..JudgePace::default() };
        }
        let longest = match awaited.since_start {
            Some(_) => &mut self.first,
            None => &mut self.later,
        };
        *longest = (*longest).max(Some(silence));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: JudgePatience =
        JudgePatience { most: Duration::from_secs(120), least: Duration::from_secs(20) };

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    const NEXT: AwaitedAnswer = AwaitedAnswer { visits: 100, positions: 1, since_start: None };

    fn at_start(waited: u64) -> AwaitedAnswer {
        AwaitedAnswer { since_start: Some(seconds(waited)), ..NEXT }
    }

    /// In the order of a program's life.
    #[test]
    fn the_limit_follows_from_what_was_seen() {
        let mut pace = JudgePace::default();
        assert!(!pace.is_known());
        assert_eq!(pace.silence_limit(PATIENCE, at_start(0)), seconds(120), "it may tune itself");
        assert_eq!(
            pace.silence_limit(PATIENCE, at_start(70)),
            seconds(50),
            "somebody else has waited so long"
        );
        assert_eq!(pace.silence_limit(PATIENCE, at_start(500)), seconds(20), "nobody has looked for long");
        pace.note_answer(seconds(3), at_start(0));
        assert!(pace.is_known());
        assert_eq!(pace.silence_limit(PATIENCE, NEXT), seconds(120), "a second answer has never come");
        pace.note_answer(Duration::from_millis(200), NEXT);
        assert_eq!(pace.silence_limit(PATIENCE, NEXT), seconds(20), "and not four seconds");
        pace.note_answer(seconds(2), NEXT);
        pace.note_answer(seconds(1), NEXT);
        assert_eq!(pace.silence_limit(PATIENCE, NEXT), seconds(40));
        let many = AwaitedAnswer { positions: 2, ..NEXT };
        assert_eq!(pace.silence_limit(PATIENCE, many), seconds(80), "both may be searched at once");
        let all = AwaitedAnswer { positions: usize::MAX, ..NEXT };
        assert_eq!(pace.silence_limit(PATIENCE, all), seconds(120));
        assert_eq!(
            pace.silence_limit(PATIENCE, at_start(0)),
            seconds(60),
            "started again it was quicker than two minutes"
        );
    }

    #[test]
    fn more_visits_are_another_question() {
        let mut pace = JudgePace::default();
        pace.note_answer(seconds(1), NEXT);
        let more = AwaitedAnswer { visits: 101, ..NEXT };
        assert_eq!(pace.silence_limit(PATIENCE, more), seconds(120));
        pace.note_answer(seconds(3), more);
        assert_eq!(pace.silence_limit(PATIENCE, more), seconds(60));
        assert_eq!(pace.silence_limit(PATIENCE, NEXT), seconds(60), "fewer visits take no longer");
    }

    #[test]
    fn a_fixed_limit_stays() {
        let (mut pace, fixed) = (JudgePace::default(), JudgePatience::fixed(seconds(7)));
        pace.note_answer(seconds(1), NEXT);
        let limits = [NEXT, at_start(0), at_start(6)].map(|awaited| pace.silence_limit(fixed, awaited));
        assert_eq!(limits, [seconds(7); 3]);
    }
}
