//! What all ways of learning have in common: a state that goes on bit for bit, one generation at a time.

use ishi_evolve::{Batch, De, DeState, EvolveError, Goal, Interrupted, Member, Problem};
use ishi_othello::Wpc;
use ishi_rng::{Rng, Seed};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::games::{mean_score, player};
use super::options::{Method, Options, Restart};
use super::{beyond, group, individual};
use crate::error::LabError;

/// What a run of learning is given.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) options: Options,
    pub(super) seed: Seed,
    /// Games of learning at most: a generation that would go beyond is not begun.
    pub(super) budget: u64,
    /// Games of each measurement for the curves; they are not games of learning.
    pub(super) measure_games: u64,
}

impl Setting {
    /// A player's score against the standard one, for the curves.
    pub(super) fn against_standard(&self, point: &[f64], name: &str, number: u64) -> f64 {
        let seed = self.seed.child("measure", 0).child(name, number);
        mean_score(&self.options, &player(point), &Wpc::standard(), seed, self.measure_games)
    }
}

/// A point of the curves: how things stand after `games` games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Point {
    /// Populations so far, or generations where there is but one population.
    pub(super) k: u64,
    /// Games of learning so far.
    pub(super) games: u64,
    /// Has the population succeeded?
    pub(super) success: bool,
    /// The winner's score against the previous opponent, measured afresh.
    pub(super) previous: Option<f64>,
    /// The score against the standard player: of the one player, or the group's mean.
    pub(super) standard: f64,
    /// The score of the best of the group.
    pub(super) best: Option<f64>,
}

/// What a step gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// Nothing to tell.
    Quiet,
    /// A point of the curves.
    Point(Point),
    /// There is nothing more to do.
    Over,
}

/// A way of learning.
pub(super) trait Learner {
    /// One generation.
    fn step(&mut self) -> Result<Step, LabError>;
    /// Games of learning so far.
    fn games(&self) -> u64;
    /// All that is needed to go on.
    fn checkpoint(&self) -> Result<Value, LabError>;
    /// The players that it has come to.
    fn members(&self) -> Vec<Vec<f64>>;
}

/// The learner at its start, or as the checkpoint has it.
pub(super) fn learner(
    method: Method,
    setting: Setting,
    checkpoint: Option<&Value>,
) -> Result<Box<dyn Learner>, LabError> {
    Ok(match method {
        Method::Individual => Box::new(individual::Individual::new(setting, checkpoint)?),
        Method::Group => Box::new(group::Group::new(setting, checkpoint)?),
        Method::Population => Box::new(beyond::Population::new(setting, checkpoint)?),
        Method::HallOfFame => Box::new(beyond::HallOfFame::new(setting, checkpoint)?),
        Method::CmaEs => Box::new(beyond::Cma::new(setting, checkpoint)?),
    })
}

/// A state as a value; what cannot be written is a bug that a user should hear of.
pub(super) fn kept<T: Serialize>(state: &T) -> Result<Value, LabError> {
    serde_json::to_value(state)
        .map_err(|error| LabError::Statistics(format!("a state cannot be kept: {error}")))
}

/// A state out of a value.
pub(super) fn restored<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, LabError> {
    T::deserialize(value).map_err(|error| LabError::Input(format!("a kept state cannot be used: {error}")))
}

/// What evolution refuses.
pub(super) fn refused(error: EvolveError) -> LabError {
    LabError::Input(error.to_string())
}

/// A fitness to be maximised, point by point, with the seed of each point's games.
pub(super) struct Fitness<'a, F> {
    pub(super) options: &'a Options,
    /// The seed of this population.
    pub(super) seed: Seed,
    pub(super) of: F,
}

impl<F: FnMut(&Wpc, Seed) -> f64> Problem for Fitness<'_, F> {
    fn goal(&self) -> Goal {
        Goal::Maximize
    }

    fn evaluate(&mut self, batch: &Batch<'_>) -> Result<Vec<f64>, Interrupted> {
        let numbered = (batch.first..).zip(batch.points);
        let value = |(number, point): (u64, &Vec<f64>)| {
            (self.of)(&player(point), self.options.dice(self.seed, number, batch.generation))
        };
        Ok(numbered.map(value).collect())
    }
}

/// A population between two generations.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Population {
    present: Option<DeState>,
    /// Members whose points the next population starts from, instead of random ones.
    start_from: Option<Vec<Member>>,
}

impl Population {
    /// The present one, or the next. It is taken out.
    pub(super) fn take(&mut self, options: &Options, seed: Seed) -> Result<De, LabError> {
        let params = options.de().map_err(LabError::Input)?;
        let de = match (self.present.take(), self.start_from.take()) {
            (Some(state), _) => De::resume(params, state),
            (None, None) => De::start(params, seed),
            (None, Some(members)) => {
                let points = members.into_iter().map(|member| member.point).collect();
                De::start_from(params, points, Rng::new(seed))
            }
        };
        de.map_err(refused)
    }

    /// It goes on with its next generation.
    pub(super) fn put_back(&mut self, de: &De) {
        self.present = Some(de.state().clone());
    }

    /// It is done with; after a success the options may want its points for the next one.
    pub(super) fn conclude(&mut self, de: &De, success: bool, options: &Options) {
        let kept = success && options.restart == Restart::Kept;
        self.start_from = kept.then(|| de.state().population.clone());
    }
}
