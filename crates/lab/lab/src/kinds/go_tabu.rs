//! Tabu lists in the playouts of a search for Go, beside their paper: games against a program and between the variants
//! (tables 1 to 3), how often playouts repeat themselves (figure 5), how many candidates are refused (table 4), and what
//! that costs (figure 6). The paper's figures are data of the experiment, in `config.toml`.
//!
//! The paper is M. Itoh and T. Ohta, "An application of Monte-Carlo tree search including game state tabu lists for
//! playing 19x19 Go" (2016). Games are pairs of the arena, kept one by one, so that a campaign can be stopped and adds up
//! over days.

mod games;
mod measure;
mod tables;

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
    name: "go-tabu",
    about: "tabu lists in the playouts of a search for Go: games, repeated positions, refusals, time",
    load,
};

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    measure: measure::Params,
    stage: Vec<games::StageParams>,
    /// The paper's figure 6.
    #[serde(default)]
    paper_seconds: Vec<games::PaperSecondsParams>,
}

/// The two parts.
struct GoTabu {
    measure: measure::Measure,
    campaign: games::Campaign,
}

fn load(source: &Source, setup: &Setup) -> Result<Box<dyn Experiment>, SourceError> {
    let mut chosen = None;
    // Both variants are checked, whichever is asked for.
    for (variant, params) in Config::<Params>::read(source)? {
        let experiment = GoTabu {
            measure: measure::Measure::new(source, params.measure, setup.seed)?,
            campaign: games::Campaign::new(source, params.stage, params.paper_seconds, setup.seed)?,
        };
        if variant == setup.variant {
            chosen = Some(experiment);
        }
    }
    let chosen = chosen.ok_or_else(|| source.error(None, format!("it has no variant {}", setup.variant)))?;
    Ok(Box::new(chosen))
}

impl Experiment for GoTabu {
    fn tasks(&self) -> Vec<Task> {
        let mut tasks = self.measure.tasks();
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
            measure::OBSERVE | measure::TIME => self.measure.run(task).map(Some),
            _ => self.campaign.run(task, stop),
        }
    }

    /// The standing of a pair, as games take long.
    fn live(&self, task: &Task, result: &Value) -> Option<String> {
        self.campaign.live(task, result)
    }

    fn reports_early(&self) -> bool {
        true
    }

    fn skipped(&self) -> Vec<String> {
        self.campaign.skipped()
    }

    fn report(&self, results: &Results) -> Result<Body, LabError> {
        let mut body = Body::default();
        tables::settings(&self.measure, &mut body);
        tables::tests_of_the_paper(&self.campaign, &mut body)?;
        tables::games(&self.campaign, results, &mut body)?;
        tables::repeats(&self.measure, results, &mut body)?;
        tables::refusals(&self.measure, results, &mut body)?;
        tables::times(&self.measure, results, &mut body)?;
        tables::seconds(&self.campaign, results, &mut body)?;
        Ok(body)
    }
}
