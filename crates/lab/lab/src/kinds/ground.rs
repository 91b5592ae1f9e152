//! What everything later stands on: how fast playouts are, whether the statistics give published figures, and how
//! strong the built-in players are.

mod ratings;
pub mod reference;
mod speed;
mod statistics;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Deserialize;
use serde_json::Value;

use crate::error::LabError;
use crate::experiment::{Config, Experiment, Kind, Output, Results, Setup, Task};
use crate::report::Body;
use crate::source::{Source, SourceError};

pub(super) use ratings::program_spec;

/// The kind, for the registry.
pub const KIND: Kind = Kind {
    name: "ground",
    about: "playout speed, match statistics on known data, ratings of the built-in players",
    load,
};

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    speed: speed::Params,
    statistics: statistics::Params,
    ratings: ratings::Params,
}

/// The three parts.
struct Ground {
    speed: speed::Speed,
    statistics: statistics::Statistics,
    ratings: ratings::RoundRobin,
}

fn load(source: &Source, setup: &Setup) -> Result<Box<dyn Experiment>, SourceError> {
    let mut chosen = None;
    // Both variants are checked, whichever is asked for.
    for (variant, params) in Config::<Params>::read(source)? {
        let ground = Ground {
            speed: speed::Speed::new(source, params.speed, setup.seed)?,
            statistics: statistics::Statistics::new(source, params.statistics, variant)?,
            ratings: ratings::RoundRobin::new(source, params.ratings, setup.seed)?,
        };
        if variant == setup.variant {
            chosen = Some(ground);
        }
    }
    let ground = chosen.ok_or_else(|| source.error(None, format!("it has no variant {}", setup.variant)))?;
    Ok(Box::new(ground))
}

impl Experiment for Ground {
    fn tasks(&self) -> Vec<Task> {
        let mut tasks = self.speed.tasks();
        tasks.extend(self.statistics.tasks());
        tasks.extend(self.ratings.tasks());
        tasks
    }

    fn run(
        &self,
        task: &Task,
        _before: Option<&Value>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Output>, LabError> {
        match task.work.kind() {
            speed::TASK => self.speed.run(task).map(Some),
            statistics::TASK => self.statistics.run(task).map(Some),
            _ => self.ratings.run(task, stop),
        }
    }

    fn skipped(&self) -> Vec<String> {
        self.ratings.skipped()
    }

    fn report(&self, results: &Results) -> Result<Body, LabError> {
        let mut body = Body::default();
        self.speed.report(results, &mut body)?;
        self.statistics.report(results, &mut body)?;
        self.ratings.report(results, &mut body)?;
        Ok(body)
    }
}
