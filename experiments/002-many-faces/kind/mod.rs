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

use crate::pairs::{self, PairCampaign};

/// The kind, for the registry.
pub const KIND: ExperimentKind = ExperimentKind {
    name: "go-knowledge",
    about: "a player of Go that knows rules: agreement with strong players, games, and numbers, by style",
    load: load_experiment,
};

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoKnowledgeParams {
    study: study::StudyParams,
    numbers: numbers::NumbersParams,
    stage: Vec<games::KnowledgeStageParams>,
}

/// The three parts.
struct GoKnowledge {
    study: study::StyleStudy,
    numbers: numbers::KnowledgeNumbers,
    campaign: PairCampaign,
}

fn load_experiment(source: &TomlSource, setup: &ExperimentSetup) -> Result<Box<dyn Experiment>, SourceError> {
    let folder = source.path().parent().unwrap_or(Path::new("."));
    let experiment = Config::<GoKnowledgeParams>::load_variant(source, setup.variant, |_, params| {
        let study = study::StyleStudy::new(source, params.study, folder)?;
        let records = study.records.clone();
        Ok(GoKnowledge {
            numbers: numbers::KnowledgeNumbers::new(source, &params.numbers, records, setup.seed)?,
            study,
            campaign: games::read_campaign(source, &params.stage, setup.seed)?,
        })
    })?;
    Ok(Box::new(experiment))
}

impl Experiment for GoKnowledge {
    fn tasks(&self) -> Vec<ExperimentTask> {
        let mut tasks = self.numbers.tasks();
        tasks.extend(self.study.tasks());
        tasks.extend(self.campaign.tasks());
        tasks
    }

    fn task_count(&self) -> usize {
        self.numbers.tasks().len() + self.study.tasks().len() + self.campaign.pair_count()
    }

    fn run_task(&self, task: &ExperimentTask, _before: Option<&Value>, stop: &StopFlag) -> TaskEnd {
        match task.work.kind() {
            study::STUDY | study::BASELINE => self.study.run_task(task, stop),
            numbers::COUNTS | numbers::TIME | numbers::CHECK => self.numbers.run_task(task, stop),
            _ => Ok(self.campaign.play_pair(task, stop)?.map(|(output, _)| output)),
        }
    }

    fn describe_finished_task(&self, task: &ExperimentTask, result: &Value) -> Option<String> {
        pairs::describe_pair(task, result)
    }

    fn reports_early(&self) -> bool {
        true
    }

    fn list_skipped(&self) -> Vec<String> {
        let mut skipped = self.study.list_skipped();
        skipped.extend(self.campaign.list_skipped());
        skipped
    }

    fn programs(&self) -> Vec<EngineCommand> {
        self.campaign.programs()
    }

    fn build_report(&self, results: &TaskResults) -> Result<ReportBody, LabError> {
        let mut body = ReportBody::default();
        tables::add_study_section(&self.study, results, &mut body)?;
        tables::add_games_sections(&self.campaign, results, &mut body)?;
        tables::add_numbers_section(&self.numbers, &self.study, results, &mut body)?;
        Ok(body)
    }
}
