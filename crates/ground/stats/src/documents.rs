//! Results, tests and their parameters in documents (feature `serde`).
//!
//! What goes in is checked as by the functions that make it. Reports are written and not read: they follow from what
//! they tell of, and their Elo may be infinite, which not every format can say.

use serde::{Deserialize, Serialize};

use crate::{ConfidenceLevel, GameOutcomes, Proportion, SampleSummary, Sprt, StatsError};

/// `{"games": {"wins": 60, "draws": 20, "losses": 40}}`, or `{"pairs": [13, 37, 50, 25, 3]}`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum OutcomesDocument {
    /// Counts of single games.
    Games { wins: u64, draws: u64, losses: u64 },
    /// How many pairs brought 0, 1/2, 1, 3/2 and 2 points.
    Pairs([u64; 5]),
}

impl From<GameOutcomes> for OutcomesDocument {
    fn from(outcomes: GameOutcomes) -> OutcomesDocument {
        let [losses, draws, wins, ..] = outcomes.counts;
        if outcomes.pairs {
            OutcomesDocument::Pairs(outcomes.counts)
        } else {
            OutcomesDocument::Games { wins, draws, losses }
        }
    }
}

impl From<OutcomesDocument> for GameOutcomes {
    fn from(read: OutcomesDocument) -> GameOutcomes {
        match read {
            OutcomesDocument::Games { wins, draws, losses } => GameOutcomes::from_games(wins, draws, losses),
            OutcomesDocument::Pairs(counts) => GameOutcomes::from_pairs(counts),
        }
    }
}

impl TryFrom<f64> for ConfidenceLevel {
    type Error = StatsError;

    fn try_from(level: f64) -> Result<ConfidenceLevel, StatsError> {
        ConfidenceLevel::new(level)
    }
}

/// A [`Proportion`] as it is read, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProportionDocument {
    successes: u64,
    trials: u64,
}

impl TryFrom<ProportionDocument> for Proportion {
    type Error = StatsError;

    fn try_from(read: ProportionDocument) -> Result<Proportion, StatsError> {
        Proportion::new(read.successes, read.trials)
    }
}

/// An [`Sprt`] as it is read, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SprtDocument {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl TryFrom<SprtDocument> for Sprt {
    type Error = StatsError;

    fn try_from(read: SprtDocument) -> Result<Sprt, StatsError> {
        Sprt::new(read.elo0, read.elo1, read.alpha, read.beta)
    }
}

/// The values of the sample, ascending.
impl From<SampleSummary> for Vec<f64> {
    fn from(summary: SampleSummary) -> Vec<f64> {
        summary.sorted
    }
}

impl TryFrom<Vec<f64>> for SampleSummary {
    type Error = StatsError;

    fn try_from(sample: Vec<f64>) -> Result<SampleSummary, StatsError> {
        SampleSummary::from_sample(&sample)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::{PairResult, PlayerIndex, RatingsParams, SprtDecision};

    fn survives<T: Serialize + for<'de> Deserialize<'de> + PartialEq + Debug>(value: &T) {
        let text = serde_json::to_string(value).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    }

    fn refusal<T: for<'de> Deserialize<'de>>(text: &str) -> String {
        serde_json::from_str::<T>(text).err().expect("it must be refused").to_string()
    }

    #[test]
    fn what_is_asked_for_survives_writing() {
        survives(&GameOutcomes::from_games(60, 20, 40));
        survives(&GameOutcomes::from_pairs([13, 37, 50, 25, 3]));
        survives(&ConfidenceLevel::default());
        survives(&Proportion::new(540, 1000).unwrap());
        survives(&Sprt::new(0.0, 30.0, 0.05, 0.05).unwrap());
        survives(&SampleSummary::from_sample(&[2.3, 1.9, 4.4, 3.1]).unwrap());
        survives(&RatingsParams::default());
        let (first, second) = (PlayerIndex(0), PlayerIndex(1));
        survives(&PairResult { first, second, wins: 64, draws: 0, losses: 36 });
    }

    #[test]
    fn outcomes_are_named() {
        let text = serde_json::to_string(&GameOutcomes::from_games(6, 2, 4)).unwrap();
        assert_eq!(text, r#"{"games":{"wins":6,"draws":2,"losses":4}}"#);
        let report =
            Sprt::new(0.0, 30.0, 0.05, 0.05).unwrap().sprt_report(&GameOutcomes::from_games(6, 2, 4));
        assert_eq!(report.decision, SprtDecision::Continue);
        assert!(serde_json::to_string(&report).unwrap().ends_with(r#""decision":"continue"}"#));
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let level = refusal::<ConfidenceLevel>("95.0");
        assert!(level.starts_with("invalid confidence 95: it must lie between 0 and 1"), "{level}");
        let rate = refusal::<Proportion>(r#"{"successes":3,"trials":2}"#);
        assert!(rate.starts_with("invalid number of wins 3: it must lie from 0 to 2"), "{rate}");
        let sprt = refusal::<Sprt>(r#"{"elo0":30,"elo1":0,"alpha":0.05,"beta":0.05}"#);
        assert!(sprt.starts_with("invalid elo1 0: it must be greater than elo0, 30"), "{sprt}");
        assert!(refusal::<SampleSummary>("[]").starts_with("invalid sample size 0"));
        assert!(refusal::<GameOutcomes>(r#"{"pairs":[1,2]}"#).contains("length"));
        assert!(refusal::<GameOutcomes>(r#"{"games":{"wins":-1,"draws":0,"losses":0}}"#).contains("-1"));
    }
}
