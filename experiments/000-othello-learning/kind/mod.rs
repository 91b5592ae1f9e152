//! Learning Othello by differential evolution: the rerun of Takahama and Sakai's individual and group learning, ablations of
//! its parts, and what lies beyond.
//!
//! A run of learning is cut into blocks of games, a task each, that go on from one another bit for bit. What a run is, with
//! all readings of the paper, is data ([`LearningOptions`]). How players learn stands in `ishi-othello-learn`.

mod elo;
mod measure;
mod report;
mod run;

use std::collections::BTreeSet;

use ishi_lab::LabError;
use ishi_lab::body::ReportBody;
use ishi_lab::experiment::{
    Config, Experiment, ExperimentKind, ExperimentSetup, ExperimentTask, TaskEnd, TaskOutput, TaskResults,
};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_lab::store::TaskKind;
use ishi_othello_learn::evolution::{
    EvolutionError, EvolutionLearner, LearnedPlayer, LearnerState, LearningMethod, LearningOptions,
    LearningStep, RunSetting, mean_score, player_from_point, resume_learner, start_learner,
};
use ishi_rng::Seed;
use ishi_words::coded;
use ishi_work::StopFlag;
use serde::Deserialize;
use serde_json::{Value, json};
use toml::Spanned;

use self::measure::MeasuredMember;
use self::report::LearningTrial;
use self::run::{FinalPlayers, LearningBlock, LearningRun};

/// The kind, for the registry.
pub const KIND: ExperimentKind = ExperimentKind {
    name: "othello-learning",
    about: "Othello learned from its rules by differential evolution: individual, group, ablations, beyond",
    load: load_experiment,
};

/// The kinds of its tasks.
const BLOCK: TaskKind = TaskKind::new("othello-learning-block");
const FINAL: TaskKind = TaskKind::new("othello-learning-final");

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LearningParams {
    /// Games of learning in a task, about.
    block_games: Spanned<u64>,
    /// Games of a point of the curves.
    measure_games: Spanned<u64>,
    /// Games that a final player is measured with against the standard.
    final_games: Spanned<u64>,
    /// Groups of NP equal players whose ratings are looked at.
    even_groups: Spanned<u64>,
    run: Vec<LearningRunParams>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LearningRunParams {
    name: Spanned<String>,
    method: LearningMethod,
    seeds: Spanned<u64>,
    games: Spanned<u64>,
    #[serde(default)]
    options: Option<Spanned<LearningOptions>>,
}

/// The experiment.
struct OthelloLearning {
    seed: Seed,
    block_games: u64,
    measure_games: u64,
    final_games: u64,
    even_groups: u64,
    runs: Vec<LearningRun>,
}

fn load_experiment(source: &TomlSource, setup: &ExperimentSetup) -> Result<Box<dyn Experiment>, SourceError> {
    Ok(Box::new(Config::<LearningParams>::load_variant(source, setup.variant, |_, params| {
        OthelloLearning::new(source, &params, setup.seed)
    })?))
}

impl OthelloLearning {
    fn new(source: &TomlSource, params: &LearningParams, seed: Seed) -> Result<OthelloLearning, SourceError> {
        let games = |value, what| source.check_range(value, 1..=1_000_000_000, what);
        let block_games = games(&params.block_games, "games of a block must be 1 to a thousand millions")?;
        let mut runs: Vec<LearningRun> = Vec::new();
        for run in &params.run {
            runs.push(LearningRun::new(source, run, block_games)?);
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = params.run.iter().find(|run| !names.insert(run.name.get_ref())) {
            let right = coded!["lab-source-run-twice", "a run of this name stands above: take another name"];
            return Err(source.value_error(&twice.name, right));
        }
        Ok(OthelloLearning {
            seed,
            block_games,
            measure_games: games(
                &params.measure_games,
                "games of a measurement are 1 to a thousand millions",
            )?,
            final_games: games(&params.final_games, "games of a measurement are 1 to a thousand millions")?,
            even_groups: source.check_range(
                &params.even_groups,
                2..=1_000_000,
                "groups must be 2 to a million",
            )?,
            runs,
        })
    }

    fn find_run(&self, task: &ExperimentTask) -> Result<(&LearningRun, u64), LabError> {
        let spec = task.work.spec();
        let run = self.runs.iter().find(|run| Some(run.name.as_str()) == spec["run"].as_str());
        run.zip(spec["number"].as_u64()).ok_or_else(|| task.failure("no such run in this experiment"))
    }

    /// The seed of a trial: runs with the same number share it, so that they start from the same first player.
    fn trial_seed(&self, number: u64) -> Seed {
        self.seed.child_seed("trial", number)
    }

    fn run_setting(&self, run: &LearningRun, number: u64) -> RunSetting {
        RunSetting {
            options: run.options.clone(),
            seed: self.trial_seed(number),
            budget: run.games,
            measure_games: self.measure_games,
            opponents: Vec::new(),
        }
    }

    /// Everything that a run with one seed follows from.
    fn task_spec(&self, run: &LearningRun, number: u64) -> Value {
        json!({
            "run": run.name,
            "method": run.method,
            "options": run.options,
            "games": run.games,
            "block_games": self.block_games,
            "measure_games": self.measure_games,
            "seed": self.trial_seed(number).to_string(),
            "number": number,
        })
    }

    fn run_tasks(&self, run: &LearningRun, number: u64) -> Vec<ExperimentTask> {
        let mut tasks: Vec<ExperimentTask> = Vec::new();
        for block in 0..=run.blocks {
            let mut spec = self.task_spec(run, number);
            let (name, kind) = if block < run.blocks {
                spec["block"] = json!(block);
                (run.block_task_name(number, block), BLOCK)
            } else {
                spec["final_games"] = json!(self.final_games);
                (run.final_task_name(number), FINAL)
            };
            let task = ExperimentTask::new(name, kind, spec).going_on_from(tasks.last());
            tasks.push(task);
        }
        tasks
    }

    fn run_block(
        &self,
        task: &ExperimentTask,
        before: Option<&LearningBlock>,
        stop: &StopFlag,
    ) -> Result<Option<LearningBlock>, LabError> {
        let (run, number) = self.find_run(task)?;
        // A run may be over before its blocks are: the rest of them hand on how it ended.
        if let Some(over) = before.filter(|block| block.over) {
            return Ok(Some(LearningBlock { points: Vec::new(), ratings: Vec::new(), ..over.clone() }));
        }
        let block = task.work.spec()["block"].as_u64().unwrap_or(0);
        // The last block ends where the learner does, for the budget need not be a multiple of a block.
        let until = if block + 1 == run.blocks { u64::MAX } else { (block + 1) * self.block_games };
        let mut learner = self.create_learner(run, number, before)?;
        let (mut points, mut ratings, mut over) = (Vec::new(), Vec::new(), false);
        while !over && learner.games_played() < until {
            if stop.is_requested() {
                return Ok(None);
            }
            match learner.advance_generation().map_err(learning_failure)? {
                LearningStep::Quiet => {}
                LearningStep::Rating(sample) => ratings.push(sample),
                LearningStep::Point(point) => points.push(point),
                LearningStep::Over => over = true,
            }
        }
        Ok(Some(LearningBlock {
            games: learner.games_played(),
            points,
            ratings,
            over,
            checkpoint: state_to_value(&learner.state())?,
        }))
    }

    fn create_learner(
        &self,
        run: &LearningRun,
        number: u64,
        before: Option<&LearningBlock>,
    ) -> Result<Box<dyn EvolutionLearner>, LabError> {
        let setting = self.run_setting(run, number);
        let learner = match before {
            None => start_learner(run.method, setting),
            Some(block) => LearnerState::deserialize_as(run.method, &block.checkpoint)
                .and_then(|state| resume_learner(state, setting)),
        };
        learner.map_err(learning_failure)
    }

    fn measure_final_players(
        &self,
        task: &ExperimentTask,
        before: Option<&LearningBlock>,
    ) -> Result<FinalPlayers, LabError> {
        let (run, number) = self.find_run(task)?;
        let members = self.create_learner(run, number, before)?.current_players();
        let seed = self.trial_seed(number).child_seed("final", 0);
        let measured = |(place, member): (u64, &LearnedPlayer)| {
            MeasuredMember::new(&run.options, member, seed.child_seed(&run.name, place), self.final_games)
        };
        let champion =
            find_champion(&run.options, &members, seed.child_seed("league", 0), self.measure_games);
        Ok(FinalPlayers { members: (0..).zip(&members).map(measured).collect(), champion })
    }

    fn even_ratings_task(&self) -> ExperimentTask {
        let options = LearningOptions::default();
        let spec = json!({
            "options": options,
            "groups": self.even_groups,
            "seed": self.seed.child_seed("even", 0).to_string(),
        });
        ExperimentTask::new(EVEN, elo::TASK, spec)
    }
}

/// The name of the task that rates equal players.
const EVEN: &str = "even";

/// The place of the member with the highest score against all others.
fn find_champion(options: &LearningOptions, members: &[LearnedPlayer], seed: Seed, games: u64) -> usize {
    let players: Vec<_> = members.iter().map(|member| player_from_point(&member.point)).collect();
    let mut sums = vec![0.0; players.len()];
    for second in 1..players.len() {
        for first in 0..second {
            let seed = seed.child_seed("pairing", (second * players.len() + first) as u64);
            let score = mean_score(options, &players[first], &players[second], seed, games);
            sums[first] += score;
            sums[second] += 1.0 - score;
        }
    }
    (0..sums.len()).max_by(|&a, &b| sums[a].total_cmp(&sums[b])).unwrap_or(0)
}

impl LearningRun {
    fn new(
        source: &TomlSource,
        params: &LearningRunParams,
        block_games: u64,
    ) -> Result<LearningRun, SourceError> {
        let name = params.name.get_ref().clone();
        let ok = !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        let right = coded![
            "lab-source-run-name",
            "a run's name is of small letters, digits and hyphens, and not `even`"
        ];
        source.require(ok && name != EVEN, &params.name, right)?;
        let games = source.check_range(
            &params.games,
            1..=10_000_000_000,
            "games must be 1 to ten thousand millions",
        )?;
        let options =
            params.options.as_ref().map_or_else(LearningOptions::default, |given| given.get_ref().clone());
        let span = params.options.as_ref().map_or_else(|| params.name.span(), Spanned::span);
        let checked = options.check_ranges().and_then(|()| options.check_used_by(params.method));
        checked
            .map_err(|error| source.error_at(Some(span), coded!["lab-learning", "{cause}", cause = error]))?;
        Ok(LearningRun {
            method: params.method,
            seeds: source.check_range(&params.seeds, 1..=1000, "seeds must be 1 to 1000")?,
            games,
            blocks: games.div_ceil(block_games),
            differs: options.to_string(),
            options,
            name,
        })
    }

    fn block_task_name(&self, number: u64, block: u64) -> String {
        format!("{}/{number}/{block:03}", self.name)
    }

    fn final_task_name(&self, number: u64) -> String {
        format!("{}/{number}/final", self.name)
    }

    fn place_in_paper(&self) -> &'static str {
        match self.method {
            LearningMethod::Population => " (section 6: the whole group is the population)",
            _ => " (beyond the paper)",
        }
    }

    /// Is it no reading of sections 4 and 5?
    fn is_beyond(&self) -> bool {
        !matches!(self.method, LearningMethod::Individual | LearningMethod::Group)
    }

    /// What this run is, for readers.
    fn describe_run(&self) -> String {
        let millions = self.games as f64 / 1e6;
        let differs = if self.differs.is_empty() {
            "all options as usual".to_string()
        } else {
            format!("options that differ: {}", self.differs)
        };
        format!(
            "Method {}, {} seeds, at most {millions} million games for each; {differs}.",
            self.method, self.seeds
        )
    }
}

/// A state as a value; what cannot be written is a bug that a user should hear of.
fn state_to_value(state: &LearnerState) -> Result<Value, LabError> {
    serde_json::to_value(state)
        .map_err(|error| LabError::Statistics(format!("a state cannot be kept: {error}")))
}

fn learning_failure(error: EvolutionError) -> LabError {
    match error {
        EvolutionError::Ratings(error) => error.into(),
        input => LabError::Input(coded!["lab-learning", "{cause}", cause = input]),
    }
}

impl Experiment for OthelloLearning {
    fn tasks(&self) -> Vec<ExperimentTask> {
        let mut tasks = vec![self.even_ratings_task()];
        for run in &self.runs {
            for number in 1..=run.seeds {
                tasks.extend(self.run_tasks(run, number));
            }
        }
        tasks
    }

    fn run_task(&self, task: &ExperimentTask, before: Option<&Value>, stop: &StopFlag) -> TaskEnd {
        let damaged =
            |error: serde_json::Error| LabError::Result { task: task.name.clone(), error: error.to_string() };
        let before = before.map(LearningBlock::deserialize).transpose().map_err(damaged)?;
        Ok(match task.work.kind() {
            BLOCK => self.run_block(task, before.as_ref(), stop)?.map(|block| TaskOutput::from(json!(block))),
            FINAL => Some(TaskOutput::from(json!(self.measure_final_players(task, before.as_ref())?))),
            _ => {
                let spreads = elo::measure_rating_spreads(
                    &LearningOptions::default(),
                    self.seed.child_seed("even", 0),
                    self.even_groups,
                );
                Some(TaskOutput::from(json!(spreads)))
            }
        })
    }

    fn describe_finished_task(&self, task: &ExperimentTask, result: &Value) -> Option<String> {
        let block = LearningBlock::deserialize(result).ok().filter(|_| task.work.kind() == BLOCK)?;
        let last = block.points.last()?;
        let scores: Vec<f64> = block.points.iter().map(|point| point.standard).collect();
        let millions = block.games as f64 / 1e6;
        let (name, k, standard) = (&task.name, last.k, last.standard);
        Some(format!(
            "{name:24} {millions:6.1} M games  best players {k:4}  standard {standard:.3} {}",
            sparkline(&scores)
        ))
    }

    fn reports_early(&self) -> bool {
        true
    }

    fn build_report(&self, results: &TaskResults) -> Result<ReportBody, LabError> {
        let mut all = Vec::new();
        for run in &self.runs {
            let trials: Result<Vec<LearningTrial>, LabError> =
                (1..=run.seeds).map(|number| LearningTrial::from_results(run, number, results)).collect();
            all.push((run, trials?));
        }
        let luck = results.get::<Vec<elo::RatingSpread>>(EVEN)?;
        report::build_body(&all, luck.as_deref())
    }
}

/// A curve of at most thirty characters between 0 and 0.7.
fn sparkline(scores: &[f64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let each = scores.len().div_ceil(30).max(1);
    let bar = |some: &[f64]| {
        let mean = some.iter().sum::<f64>() / some.len() as f64;
        BARS[((mean / 0.7 * 8.0) as usize).min(7)]
    };
    scores.chunks(each).map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparks_are_short() {
        assert_eq!(sparkline(&[0.0, 0.35, 0.7, 2.0]), "▁▅██");
        assert_eq!(sparkline(&[0.3; 1000]).chars().count(), 30);
    }
}
