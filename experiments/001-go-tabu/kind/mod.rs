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

use crate::pairs;

/// The kind, for the registry.
pub const KIND: ExperimentKind = ExperimentKind {
    name: "go-tabu",
    about: "tabu lists in the playouts of a search for Go: games, repeated positions, refusals, time",
    load: load_experiment,
};

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoTabuParams {
    measure: measure::MeasureParams,
    stage: Vec<games::TabuStageParams>,
    /// The paper's figure 6.
    #[serde(default)]
    paper_seconds: Vec<games::PaperSecondsParams>,
}

/// The two parts.
struct GoTabu {
    measure: measure::PlayoutMeasure,
    campaign: games::TabuCampaign,
}

fn load_experiment(source: &TomlSource, setup: &ExperimentSetup) -> Result<Box<dyn Experiment>, SourceError> {
    let experiment = Config::<GoTabuParams>::load_variant(source, setup.variant, |_, params| {
        Ok(GoTabu {
            measure: measure::PlayoutMeasure::new(source, params.measure, setup.seed)?,
            campaign: games::TabuCampaign::new(source, params.stage, params.paper_seconds, setup.seed)?,
        })
    })?;
    Ok(Box::new(experiment))
}

impl Experiment for GoTabu {
    fn tasks(&self) -> Vec<ExperimentTask> {
        let mut tasks = self.measure.tasks();
        tasks.extend(self.campaign.games.tasks());
        tasks
    }

    fn task_count(&self) -> usize {
        self.measure.tasks().len() + self.campaign.games.pair_count()
    }

    fn run_task(&self, task: &ExperimentTask, _before: Option<&Value>, stop: &StopFlag) -> TaskEnd {
        match task.work.kind() {
            measure::OBSERVE | measure::TIME => self.measure.run_task(task).map(Some),
            _ => self.campaign.run_pair(task, stop),
        }
    }

    /// How a pair ended, as games take long.
    fn describe_finished_task(&self, task: &ExperimentTask, result: &Value) -> Option<String> {
        pairs::describe_pair(task, result)
    }

    fn reports_early(&self) -> bool {
        true
    }

    fn list_skipped(&self) -> Vec<String> {
        self.campaign.games.list_skipped()
    }

    fn programs(&self) -> Vec<EngineCommand> {
        self.campaign.games.programs()
    }

    fn build_report(&self, results: &TaskResults) -> Result<ReportBody, LabError> {
        let mut body = ReportBody::default();
        tables::add_settings_section(&self.measure, &mut body);
        tables::add_paper_tests_section(&self.campaign, &mut body)?;
        tables::add_games_sections(&self.campaign, results, &mut body)?;
        tables::add_repeats_section(&self.measure, results, &mut body)?;
        tables::add_refusals_section(&self.measure, results, &mut body)?;
        tables::add_times_section(&self.measure, results, &mut body)?;
        tables::add_seconds_section(&self.campaign, results, &mut body)?;
        Ok(body)
    }
}
