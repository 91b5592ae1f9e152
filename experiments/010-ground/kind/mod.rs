//! What everything later stands on: how fast playouts are, whether the statistics give published figures, and how
//! strong the built-in players are.

mod ratings;
#[cfg(feature = "goban")]
pub mod reference;
mod speed;
mod statistics;

use ishi_arena::process::EngineCommand;
use ishi_lab::LabError;
use ishi_lab::body::ReportBody;
use ishi_lab::experiment::{
    Config, Experiment, ExperimentKind, ExperimentSetup, ExperimentTask, TaskEnd, TaskResults,
};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_work::StopFlag;
use serde::Deserialize;
use serde_json::Value;

/// The kind, for the registry.
pub const KIND: ExperimentKind = ExperimentKind {
    name: "ground",
    about: "playout speed, match statistics on known data, ratings of the built-in players",
    load: load_experiment,
};

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroundParams {
    speed: speed::SpeedParams,
    statistics: statistics::StatisticsParams,
    ratings: ratings::RoundRobinParams,
}

/// The three parts.
struct Ground {
    speed: speed::SpeedTest,
    statistics: statistics::MatchStatistics,
    ratings: ratings::RoundRobin,
}

fn load_experiment(source: &TomlSource, setup: &ExperimentSetup) -> Result<Box<dyn Experiment>, SourceError> {
    let ground = Config::<GroundParams>::load_variant(source, setup.variant, |variant, params| {
        Ok(Ground {
            speed: speed::SpeedTest::new(source, params.speed, setup.seed)?,
            statistics: statistics::MatchStatistics::new(source, params.statistics, variant)?,
            ratings: ratings::RoundRobin::new(source, params.ratings, setup.seed)?,
        })
    })?;
    Ok(Box::new(ground))
}

impl Experiment for Ground {
    fn tasks(&self) -> Vec<ExperimentTask> {
        let mut tasks = self.speed.tasks();
        tasks.extend(self.statistics.tasks());
        tasks.extend(self.ratings.tasks());
        tasks
    }

    fn run_task(&self, task: &ExperimentTask, _before: Option<&Value>, stop: &StopFlag) -> TaskEnd {
        match task.work.kind() {
            speed::TASK => self.speed.run_task(task).map(Some),
            statistics::TASK => self.statistics.run_task(task).map(Some),
            _ => self.ratings.run_pair(task, stop),
        }
    }

    fn list_skipped(&self) -> Vec<String> {
        self.ratings.list_skipped()
    }

    fn programs(&self) -> Vec<EngineCommand> {
        self.ratings.programs()
    }

    fn build_report(&self, results: &TaskResults) -> Result<ReportBody, LabError> {
        let mut body = ReportBody::default();
        self.speed.add_report(results, &mut body)?;
        self.statistics.add_report(results, &mut body)?;
        self.ratings.add_report(results, &mut body)?;
        Ok(body)
    }
}
