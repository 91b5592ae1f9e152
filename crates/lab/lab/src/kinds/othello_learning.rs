//! Learning Othello by differential evolution: the rerun of Takahama and Sakai's individual and group learning, ablations of
//! its parts, and what lies beyond.
//!
//! A run of learning is cut into blocks of games, a task each, that go on from one another bit for bit. What a run is, with
//! all readings of the paper, is data (`options`).

mod beyond;
mod elo;
mod games;
mod group;
mod individual;
mod learner;
mod options;
mod rating;
mod report;
mod training;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ishi_rng::Seed;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Spanned;

pub use self::training::{Pupil, Settings, Training, TrainingParams, Way};

use self::games::{Measured, mean_score, player};
use self::learner::{Learned, Learner, Point, Sample, Setting, Step, learner};
use self::options::{Method, Options};
use self::report::Trial;
use crate::error::LabError;
use crate::experiment::{Config, Experiment, Kind, Output, Results, Setup, Task};
use crate::report::Body;
use crate::source::{Source, SourceError};
use crate::store;

/// The kind, for the registry.
pub const KIND: Kind = Kind {
    name: "othello-learning",
    about: "Othello learned from its rules by differential evolution: individual, group, ablations, beyond",
    load,
};

/// The words for the work.
const BLOCK: &str = "othello-learning-block";
const FINAL: &str = "othello-learning-final";

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    /// Games of learning in a task, about.
    block_games: Spanned<u64>,
    /// Games of a point of the curves.
    measure_games: Spanned<u64>,
    /// Games that a final player is measured with against the standard.
    final_games: Spanned<u64>,
    /// Groups of NP equal players whose ratings are looked at.
    even_groups: Spanned<u64>,
    run: Vec<RunParams>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunParams {
    name: Spanned<String>,
    method: Method,
    seeds: Spanned<u64>,
    games: Spanned<u64>,
    #[serde(default)]
    options: Option<Spanned<Options>>,
}

/// A run of learning with some seeds.
struct Run {
    name: String,
    method: Method,
    seeds: u64,
    games: u64,
    blocks: u64,
    options: Options,
    /// The options that are not the usual ones, as text.
    differs: String,
}

/// What a block gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Block {
    /// Games of learning since the start of the run.
    games: u64,
    points: Vec<Point>,
    /// Ratings of the population's best between the points.
    #[serde(default)]
    ratings: Vec<Sample>,
    /// Nothing is left to do.
    over: bool,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    checkpoint: Value,
}

/// The players that a run ends with.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Final {
    members: Vec<Measured>,
    /// The winner of the league among them.
    champion: usize,
}

/// The experiment.
struct OthelloLearning {
    seed: Seed,
    block_games: u64,
    measure_games: u64,
    final_games: u64,
    even_groups: u64,
    runs: Vec<Run>,
}

fn load(source: &Source, setup: &Setup) -> Result<Box<dyn Experiment>, SourceError> {
    let mut chosen = None;
    // Both variants are checked, whichever is asked for.
    for (variant, params) in Config::<Params>::read(source)? {
        let experiment = OthelloLearning::new(source, &params, setup.seed)?;
        if variant == setup.variant {
            chosen = Some(experiment);
        }
    }
    let chosen = chosen.ok_or_else(|| source.error(None, format!("it has no variant {}", setup.variant)))?;
    Ok(Box::new(chosen))
}

impl OthelloLearning {
    fn new(source: &Source, params: &Params, seed: Seed) -> Result<OthelloLearning, SourceError> {
        let games = |value, what| source.within(value, 1..=1_000_000_000, what);
        let block_games = games(&params.block_games, "games of a block are 1 to a thousand millions")?;
        let mut runs: Vec<Run> = Vec::new();
        for run in &params.run {
            runs.push(Run::new(source, run, block_games)?);
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = params.run.iter().find(|run| !names.insert(run.name.get_ref())) {
            return Err(source.wrong(&twice.name, "a run of this name stands above: take another name"));
        }
        Ok(OthelloLearning {
            seed,
            block_games,
            measure_games: games(
                &params.measure_games,
                "games of a measurement are 1 to a thousand millions",
            )?,
            final_games: games(&params.final_games, "games of a measurement are 1 to a thousand millions")?,
            even_groups: source.within(&params.even_groups, 2..=1_000_000, "groups are 2 to a million")?,
            runs,
        })
    }

    fn run_of(&self, task: &Task) -> Result<(&Run, u64), LabError> {
        let spec = task.work.spec();
        let run = self.runs.iter().find(|run| Some(run.name.as_str()) == spec["run"].as_str());
        let failed =
            || LabError::Task { task: task.name.clone(), error: "no such run in this experiment".into() };
        run.zip(spec["number"].as_u64()).ok_or_else(failed)
    }

    /// The seed of a trial: runs with the same number share it, so that they start from the same first player.
    fn seed_of(&self, number: u64) -> Seed {
        self.seed.child("trial", number)
    }

    fn setting(&self, run: &Run, number: u64) -> Setting {
        Setting {
            options: run.options.clone(),
            seed: self.seed_of(number),
            budget: run.games,
            measure_games: self.measure_games,
        }
    }

    /// Everything that a run with one seed follows from.
    fn spec(&self, run: &Run, number: u64) -> Value {
        json!({
            "run": run.name,
            "method": run.method,
            "options": run.options,
            "games": run.games,
            "block_games": self.block_games,
            "measure_games": self.measure_games,
            "seed": self.seed_of(number).to_string(),
            "number": number,
        })
    }

    fn tasks_of(&self, run: &Run, number: u64) -> Vec<Task> {
        let mut tasks: Vec<Task> = Vec::new();
        for block in 0..=run.blocks {
            let mut spec = self.spec(run, number);
            let (name, kind) = if block < run.blocks {
                spec["block"] = json!(block);
                (run.block_name(number, block), BLOCK)
            } else {
                spec["final_games"] = json!(self.final_games);
                (run.final_name(number), FINAL)
            };
            let after = tasks.last().map(|task| task.name.clone());
            tasks.push(Task { name, work: store::Task::new(kind, spec), alone: false, after });
        }
        tasks
    }

    fn block(
        &self,
        task: &Task,
        before: Option<&Block>,
        stop: &AtomicBool,
    ) -> Result<Option<Block>, LabError> {
        let (run, number) = self.run_of(task)?;
        if let Some(over) = before.filter(|block| block.over) {
            return Ok(Some(Block { points: Vec::new(), ratings: Vec::new(), ..over.clone() }));
        }
        let block = task.work.spec()["block"].as_u64().unwrap_or(0);
        let until = if block + 1 == run.blocks { u64::MAX } else { (block + 1) * self.block_games };
        let mut learner = self.learner(run, number, before)?;
        let (mut points, mut ratings, mut over) = (Vec::new(), Vec::new(), false);
        while !over && learner.games() < until {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            match learner.step()? {
                Step::Quiet => {}
                Step::Rating(sample) => ratings.push(sample),
                Step::Point(point) => points.push(point),
                Step::Over => over = true,
            }
        }
        Ok(Some(Block { games: learner.games(), points, ratings, over, checkpoint: learner.checkpoint()? }))
    }

    fn learner(&self, run: &Run, number: u64, before: Option<&Block>) -> Result<Box<dyn Learner>, LabError> {
        learner(run.method, self.setting(run, number), before.map(|block| &block.checkpoint))
    }

    fn measure(&self, task: &Task, before: Option<&Block>) -> Result<Final, LabError> {
        let (run, number) = self.run_of(task)?;
        let members = self.learner(run, number, before)?.members();
        let seed = self.seed_of(number).child("final", 0);
        let measured = |(place, member): (u64, &Learned)| {
            Measured::new(&run.options, member, seed.child(&run.name, place), self.final_games)
        };
        let champion = champion(&run.options, &members, seed.child("league", 0), self.measure_games);
        Ok(Final { members: (0..).zip(&members).map(measured).collect(), champion })
    }

    fn even_task(&self) -> Task {
        let options = Options::default();
        let spec = json!({
            "options": options,
            "groups": self.even_groups,
            "seed": self.seed.child("even", 0).to_string(),
        });
        Task { name: EVEN.into(), work: store::Task::new(elo::TASK, spec), alone: false, after: None }
    }
}

/// The name of the task that rates equal players.
const EVEN: &str = "even";

/// The place of the member with the highest score against all others.
fn champion(options: &Options, members: &[Learned], seed: Seed, games: u64) -> usize {
    let players: Vec<_> = members.iter().map(|member| player(&member.point)).collect();
    let mut sums = vec![0.0; players.len()];
    for second in 1..players.len() {
        for first in 0..second {
            let seed = seed.child("pairing", (second * players.len() + first) as u64);
            let score = mean_score(options, &players[first], &players[second], seed, games);
            sums[first] += score;
            sums[second] += 1.0 - score;
        }
    }
    (0..sums.len()).max_by(|&a, &b| sums[a].total_cmp(&sums[b])).unwrap_or(0)
}

impl Run {
    fn new(source: &Source, params: &RunParams, block_games: u64) -> Result<Run, SourceError> {
        let name = params.name.get_ref().clone();
        let ok = !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if !ok || name == EVEN {
            let right = "a run's name is of small letters, digits and hyphens, and not `even`";
            return Err(source.wrong(&params.name, right));
        }
        let games =
            source.within(&params.games, 1..=10_000_000_000, "games are 1 to ten thousand millions")?;
        let options = params.options.as_ref().map_or_else(Options::default, |given| given.get_ref().clone());
        let span = params.options.as_ref().map_or_else(|| params.name.span(), Spanned::span);
        let checked = options.check().and_then(|()| options.check_use(params.method));
        checked.map_err(|error| source.error(Some(span), error))?;
        Ok(Run {
            method: params.method,
            seeds: source.within(&params.seeds, 1..=1000, "seeds are 1 to 1000")?,
            games,
            blocks: games.div_ceil(block_games),
            differs: differences(&options),
            options,
            name,
        })
    }

    fn block_name(&self, number: u64, block: u64) -> String {
        format!("{}/{number}/{block:03}", self.name)
    }

    fn final_name(&self, number: u64) -> String {
        format!("{}/{number}/final", self.name)
    }

    fn method_name(&self) -> String {
        json!(self.method).as_str().unwrap_or_default().to_string()
    }

    fn place_in_paper(&self) -> &'static str {
        match self.method {
            Method::Population => " (section 6: the whole group is the population)",
            _ => " (beyond the paper)",
        }
    }

    /// Is it no reading of sections 4 and 5?
    fn is_beyond(&self) -> bool {
        !matches!(self.method, Method::Individual | Method::Group)
    }

    /// What this run is, for readers.
    fn about(&self) -> String {
        let millions = self.games as f64 / 1e6;
        let differs = if self.differs.is_empty() {
            "all options as usual".to_string()
        } else {
            format!("options that differ: {}", self.differs)
        };
        format!(
            "Method {}, {} seeds, at most {millions} million games for each; {differs}.",
            self.method_name(),
            self.seeds
        )
    }
}

/// The options that are not the usual ones, such as `rating = "likelihood"`.
fn differences(options: &Options) -> String {
    let (own, usual) = (json!(options), json!(Options::default()));
    let pairs = own.as_object().into_iter().flatten();
    let other = pairs.filter(|(name, value)| usual.get(name) != Some(value));
    other.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

impl Experiment for OthelloLearning {
    fn tasks(&self) -> Vec<Task> {
        let mut tasks = vec![self.even_task()];
        for run in &self.runs {
            for number in 1..=run.seeds {
                tasks.extend(self.tasks_of(run, number));
            }
        }
        tasks
    }

    fn run(
        &self,
        task: &Task,
        before: Option<&Value>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Output>, LabError> {
        let damaged =
            |error: serde_json::Error| LabError::Result { task: task.name.clone(), error: error.to_string() };
        let before = before.map(Block::deserialize).transpose().map_err(damaged)?;
        Ok(match task.work.kind() {
            BLOCK => self.block(task, before.as_ref(), stop)?.map(|block| Output::from(json!(block))),
            FINAL => Some(Output::from(json!(self.measure(task, before.as_ref())?))),
            _ => {
                let spreads = elo::spreads(&Options::default(), self.seed.child("even", 0), self.even_groups);
                Some(Output::from(json!(spreads)))
            }
        })
    }

    fn live(&self, task: &Task, result: &Value) -> Option<String> {
        let block = Block::deserialize(result).ok().filter(|_| task.work.kind() == BLOCK)?;
        let last = block.points.last()?;
        let scores: Vec<f64> = block.points.iter().map(|point| point.standard).collect();
        let millions = block.games as f64 / 1e6;
        let (name, k, standard) = (&task.name, last.k, last.standard);
        Some(format!(
            "{name:24} {millions:6.1} M games  best players {k:4}  standard {standard:.3} {}",
            spark(&scores)
        ))
    }

    fn reports_early(&self) -> bool {
        true
    }

    fn report(&self, results: &Results) -> Result<Body, LabError> {
        let mut all = Vec::new();
        for run in &self.runs {
            let trials: Result<Vec<Trial>, LabError> =
                (1..=run.seeds).map(|number| Trial::read(run, number, results)).collect();
            all.push((run, trials?));
        }
        let luck = results.get::<Vec<elo::Spread>>(EVEN)?;
        report::body(&all, luck.as_deref())
    }
}

/// A curve of at most thirty characters between 0 and 0.7.
fn spark(scores: &[f64]) -> String {
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
    fn differences_name_what_is_not_usual() {
        assert_eq!(differences(&Options::default()), "");
        let options = Options { f: 0.5, rating: options::Rating::Likelihood, ..Options::default() };
        assert_eq!(differences(&options), "f = 0.5, rating = \"likelihood\"");
    }

    #[test]
    fn sparks_are_short() {
        assert_eq!(spark(&[0.0, 0.35, 0.7, 2.0]), "▁▅██");
        assert_eq!(spark(&[0.3; 1000]).chars().count(), 30);
    }
}
