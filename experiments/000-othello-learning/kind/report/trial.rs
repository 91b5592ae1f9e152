//! What is known of a run with one seed, and figures over the seeds with their intervals.

use ishi_lab::LabError;
use ishi_lab::experiment::TaskResults;
use ishi_othello_learn::evolution::{CurvePoint, RatingSample};
use ishi_stats::{ConfidenceLevel, SampleSummary};

use super::super::measure::MeasuredMember;
use super::super::run::{FinalPlayers, LearningBlock, LearningRun};

/// What is known of a run with one seed.
pub(in super::super) struct LearningTrial {
    pub(super) seed: u64,
    pub(super) points: Vec<CurvePoint>,
    pub(super) ratings: Vec<RatingSample>,
    pub(super) games: u64,
    pub(super) end: Option<FinalPlayers>,
}

impl LearningTrial {
    pub(in super::super) fn from_results(
        run: &LearningRun,
        seed: u64,
        results: &TaskResults,
    ) -> Result<LearningTrial, LabError> {
        let mut trial = LearningTrial { seed, points: Vec::new(), ratings: Vec::new(), games: 0, end: None };
        for block in 0..run.blocks {
            if let Some(block) = results.get::<LearningBlock>(&run.block_task_name(seed, block))? {
                trial.points.extend(block.points);
                trial.ratings.extend(block.ratings);
                trial.games = block.games;
            }
        }
        trial.end = results.get(&run.final_task_name(seed))?;
        Ok(trial)
    }

    /// The points at which a population succeeded.
    pub(super) fn successes(&self) -> impl Iterator<Item = &CurvePoint> {
        self.points.iter().filter(|point| point.success)
    }

    /// How many populations succeeded.
    pub(super) fn count_successes(&self) -> u64 {
        self.successes().count() as u64
    }

    /// The share of the populations that succeeded.
    pub(super) fn success_rate(&self) -> Option<f64> {
        mean_value(self.points.iter().map(|point| f64::from(u8::from(point.success))))
    }

    /// The mean of a curve over the second half of the first so many games.
    pub(super) fn late_mean(&self, games: u64, value: CurveValue) -> Option<f64> {
        let late = |point: &&CurvePoint| 2 * point.games > games && point.games <= games;
        mean_value(self.points.iter().filter(late).filter_map(value))
    }

    /// How far a curve moves from one point to the next, on average over the second half.
    pub(super) fn mean_change(&self, value: CurveValue) -> Option<f64> {
        let late = self.points.iter().filter(|point| 2 * point.games > self.games);
        let values: Vec<f64> = late.filter_map(value).collect();
        mean_value(values.windows(2).map(|pair| (pair[1] - pair[0]).abs()))
    }

    /// The highest point of a curve.
    pub(super) fn highest_value(&self, value: CurveValue) -> Option<f64> {
        self.points.iter().filter_map(value).reduce(f64::max)
    }

    pub(super) fn final_members(&self) -> &[MeasuredMember] {
        self.end.as_ref().map_or(&[], |end| &end.members)
    }

    /// The member that wins a longer league among the members, not the one that does best against the standard.
    pub(super) fn champion(&self) -> Option<&MeasuredMember> {
        self.end.as_ref().and_then(|end| end.members.get(end.champion))
    }

    /// The members from the highest to the lowest rating; none where there are no ratings.
    pub(super) fn members_by_rating(&self) -> Vec<&MeasuredMember> {
        let mut rated: Vec<&MeasuredMember> =
            self.final_members().iter().filter(|m| m.rating.is_some()).collect();
        rated.sort_by(|a, b| b.rating.unwrap_or(0.0).total_cmp(&a.rating.unwrap_or(0.0)));
        rated
    }

    /// The rank against the standard, from 1, of the member with this rank by rating, from 0.
    pub(super) fn standard_rank(&self, by_rating: usize) -> Option<f64> {
        let member = *self.members_by_rating().get(by_rating)?;
        Some(rank_among(member, self.final_members()) as f64)
    }
}

/// A value of a point of the curves.
pub(super) type CurveValue = fn(&CurvePoint) -> Option<f64>;

/// The score against the standard: of the player, or the mean over the members.
pub(super) fn standard_score(point: &CurvePoint) -> Option<f64> {
    Some(point.standard)
}

/// The best-rated member's score against the standard.
pub(super) fn top_score(point: &CurvePoint) -> Option<f64> {
    point.top
}

/// The rank from 1 of a member's score against the standard among all.
pub(super) fn rank_among(member: &MeasuredMember, all: &[MeasuredMember]) -> usize {
    1 + all.iter().filter(|other| other.standard > member.standard).count()
}

pub(super) fn mean_value(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u64), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}

/// What values can be, so that an interval does not leave it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ValueScale {
    /// Any number.
    Plain,
    /// 0 to 1.
    Share,
    /// 0 and more.
    Positive,
    /// 1 to so many.
    Rank(usize),
}

/// A mean over the seeds, with its 95 % interval where there are two seeds at least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SeedEstimate {
    pub(super) mean: f64,
    pub(super) interval: Option<[f64; 2]>,
}

/// The mean with Student's t interval: of shares on the scale of the logit, of what is positive on that of the logarithm (both
/// by the delta method), of ranks cut to their range. `None` without values.
pub(super) fn estimate_mean(values: &[f64], scale: ValueScale) -> Result<Option<SeedEstimate>, LabError> {
    if values.is_empty() {
        return Ok(None);
    }
    let summary = SampleSummary::from_sample(values)?;
    let mean = summary.mean();
    let plain = summary.mean_interval(ConfidenceLevel::default()).map(|interval| interval.width() / 2.0);
    let interval = plain.map(|half| match scale {
        ValueScale::Plain => [mean - half, mean + half],
        ValueScale::Share if mean > 0.0 && mean < 1.0 => {
            let (logit, half) = ((mean / (1.0 - mean)).ln(), half / (mean * (1.0 - mean)));
            [logit - half, logit + half].map(|value| 1.0 / (1.0 + (-value).exp()))
        }
        ValueScale::Share => [mean, mean],
        ValueScale::Positive if mean > 0.0 => [mean * (-half / mean).exp(), mean * (half / mean).exp()],
        ValueScale::Positive => [mean, mean],
        ValueScale::Rank(most) => {
            [mean - half, mean + half].map(|value| value.clamp(1.0, most.max(1) as f64))
        }
    });
    Ok(Some(SeedEstimate { mean, interval }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(values: &[f64], scale: ValueScale) -> [f64; 2] {
        estimate_mean(values, scale).unwrap().unwrap().interval.unwrap()
    }

    /// Two shares that differ much gave -3.138 to 4.190 on the plain scale.
    #[test]
    fn intervals_stay_in_their_range_and_hold_the_mean() {
        let wide = [0.24, 0.81];
        let [low, high] = interval(&wide, ValueScale::Share);
        assert!(0.0 < low && low < 0.525 && 0.525 < high && high < 1.0, "{low} to {high}");
        assert!(interval(&wide, ValueScale::Plain)[0] < -3.0);
        assert_eq!(interval(&[1.0, 1.0, 1.0], ValueScale::Share), [1.0, 1.0]);
        let [low, _] = interval(&[0.01, 0.3], ValueScale::Positive);
        assert!(low > 0.0);
        assert_eq!(interval(&[1.0, 10.0], ValueScale::Rank(10)), [1.0, 10.0]);
    }

    /// Where values lie close together the scale does not matter.
    #[test]
    fn narrow_intervals_are_those_of_student() {
        let values = [0.480, 0.484, 0.482, 0.486, 0.478];
        let plain = interval(&values, ValueScale::Plain);
        for scale in [ValueScale::Share, ValueScale::Positive] {
            let other = interval(&values, scale);
            assert!(
                (0..2).all(|end| (other[end] - plain[end]).abs() < 1e-4),
                "{scale:?}: {other:?} {plain:?}"
            );
        }
    }

    #[test]
    fn one_seed_has_no_interval_and_none_no_estimate() {
        assert_eq!(
            estimate_mean(&[0.5], ValueScale::Share).unwrap(),
            Some(SeedEstimate { mean: 0.5, interval: None })
        );
        assert_eq!(estimate_mean(&[], ValueScale::Share).unwrap(), None);
    }
}
