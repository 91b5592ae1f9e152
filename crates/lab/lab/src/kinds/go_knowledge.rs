//! Knowledge instead of playouts, beside its paper: every difference between ishi's way and The Many Faces of Go, by the moves of
//! strong players and by games; and the paper's numbers, each beside what is measured here.
//!
//! The paper is D. Fotland, "Knowledge representation in The Many Faces of Go" (1993).

mod games;
mod numbers;
mod records;
mod study;
mod tables;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Deserialize;
use serde_json::Value;

use crate::error::LabError;
use crate::experiment::{Config, Experiment, Kind, Output, Results, Setup, Task};
use crate::report::Body;
use crate::source::{Source, SourceError};

/// The kind, for the registry.
pub const KIND: Kind = Kind {
    name: "go-knowledge",
    about: "a player of Go that knows rules: agreement with strong players, games, and numbers, by style",
    load,
};

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    study: study::Params,
    numbers: numbers::Params,
    stage: Vec<games::StageParams>,
}

/// The three parts.
struct GoKnowledge {
    study: study::Study,
    numbers: numbers::Numbers,
    campaign: games::Campaign,
}

fn load(source: &Source, setup: &Setup) -> Result<Box<dyn Experiment>, SourceError> {
    let folder = source.path().parent().unwrap_or(Path::new("."));
    let mut chosen = None;
    // Both variants are checked, whichever is asked for.
    for (variant, params) in Config::<Params>::read(source)? {
        let study = study::Study::new(source, params.study, folder)?;
        let experiment = GoKnowledge {
            numbers: numbers::Numbers::new(source, &params.numbers, study.records.clone(), setup.seed)?,
            study,
            campaign: games::Campaign::new(source, &params.stage, setup.seed)?,
        };
        if variant == setup.variant {
            chosen = Some(experiment);
        }
    }
    let chosen = chosen.ok_or_else(|| source.error(None, format!("it has no variant {}", setup.variant)))?;
    Ok(Box::new(chosen))
}

impl Experiment for GoKnowledge {
    fn tasks(&self) -> Vec<Task> {
        let mut tasks = self.numbers.tasks();
        tasks.extend(self.study.tasks());
        tasks.extend(self.campaign.tasks());
        tasks
    }

    fn run(
        &self,
        task: &Task,
        _before: Option<&Value>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Output>, LabError> {
        match task.work.kind() {
            study::STUDY | study::BASELINE => self.study.run(task, stop),
            numbers::COUNTS | numbers::TIME | numbers::CHECK => self.numbers.run(task, stop),
            _ => self.campaign.run(task, stop),
        }
    }

    fn live(&self, task: &Task, result: &Value) -> Option<String> {
        self.campaign.live(task, result)
    }

    fn reports_early(&self) -> bool {
        true
    }

    fn skipped(&self) -> Vec<String> {
        let mut skipped = self.study.skipped();
        skipped.extend(self.campaign.skipped());
        skipped
    }

    fn report(&self, results: &Results) -> Result<Body, LabError> {
        let mut body = Body::default();
        tables::study(&self.study, results, &mut body)?;
        tables::games(&self.campaign, results, &mut body)?;
        tables::numbers(&self.numbers, &self.study, results, &mut body)?;
        Ok(body)
    }
}
