//! N-tuple networks that learn Othello by temporal differences, and what they are worth: the standard, random moves,
//! published players.
//!
//! A run is cut into blocks of games, a task each, that go on from one another bit for bit.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ishi_othello::Wpc;
use ishi_othello::oneply::{Evaluator, Rules, Tally, play_evaluators};
use ishi_othello_learn::td::{Learner, Mixture, Opponent, Rate, TdParams, blank};
use ishi_othello_play::ntuple::{Network, Patterns, Phases, Player, Published, View};
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Spanned;

use crate::error::LabError;
use crate::expected::{Finding, number};
use crate::experiment::{CHECKPOINT, Config, Experiment, Kind, Output, Results, Setup, Task};
use crate::report::{Block, Body, Section, Table};
use crate::source::{Source, SourceError};
use crate::store;

/// The kind, for the registry.
pub const KIND: Kind = Kind {
    name: "othello-network",
    about: "Othello networks by TD(lambda): from the rules alone, and against the standard",
    load,
};

/// The words for the work.
const BLOCK: &str = "othello-network-block";
const FINAL: &str = "othello-network-final";
/// Games between looks at the stop flag.
const STEP: u64 = 200;

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    /// Games of learning in a task.
    block_games: Spanned<u64>,
    /// Double games against each opponent at the end.
    double_games: Spanned<u64>,
    /// Published players, from the experiment's folder.
    players: Vec<PlayerFile>,
    run: Vec<RunParams>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerFile {
    name: String,
    file: PathBuf,
    /// Does White take the board with exchanged colours?
    inverted: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunParams {
    name: String,
    /// Opponents in turn, each `[name, share, games]` lists for a stage.
    stages: Spanned<Vec<StageParams>>,
    patterns: Spanned<String>,
    phases: Spanned<String>,
}

/// A part of a run; the errors of temporal coherence begin anew with each.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StageParams {
    games: u64,
    opponents: Vec<(String, u32)>,
    epsilon: f64,
    opening: u32,
    lambda: f32,
    rate: f32,
    rate_end: f32,
    hold: f32,
}

impl StageParams {
    fn td(&self) -> TdParams {
        TdParams {
            games: self.games,
            lambda: self.lambda,
            epsilon: self.epsilon,
            opening: self.opening,
            rate: Rate { start: self.rate, end: self.rate_end, hold: self.hold },
            ..TdParams::default()
        }
    }

    fn mixture(&self) -> Option<Mixture> {
        let opponent = |(name, share): &(String, u32)| {
            let opponent = match name.as_str() {
                "self" => Opponent::Itself,
                "counters" => Opponent::Counters,
                "past" => Opponent::Past,
                "standard" => Opponent::Fixed(name.clone(), Arc::new(Wpc::standard())),
                _ => return None,
            };
            Some((opponent, *share))
        };
        Mixture::new(self.opponents.iter().map(opponent).collect::<Option<_>>()?)
    }

    fn is_fine(&self) -> bool {
        let shares = [self.lambda, self.hold, self.epsilon as f32];
        let rates = [self.rate, self.rate_end];
        self.games > 0
            && self.games <= 1_000_000_000
            && self.mixture().is_some()
            && self.opening <= 50
            && shares.iter().all(|share| (0.0..=1.0).contains(share))
            && rates.iter().all(|rate| (0.0..=1000.0).contains(rate))
    }
}

/// A run.
struct Run {
    name: String,
    patterns: Patterns,
    phases: Phases,
    stages: Vec<StageParams>,
}

/// An opponent of the final measurement.
struct Judge {
    name: String,
    player: Arc<dyn Evaluator + Send + Sync>,
}

/// The experiment.
struct OthelloNetwork {
    seed: Seed,
    block_games: u64,
    double_games: u64,
    runs: Vec<Run>,
    judges: Vec<Judge>,
    skipped: Vec<String>,
}

/// What a block gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Learned {
    stage: usize,
    games: u64,
    standard: f64,
    #[serde(default)]
    checkpoint: String,
}

/// A score of the final measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Score {
    opponent: String,
    score: f64,
}

fn load(source: &Source, setup: &Setup) -> Result<Box<dyn Experiment>, SourceError> {
    let mut chosen = None;
    // Both variants are checked, whichever is asked for.
    for (variant, params) in Config::<Params>::read(source)? {
        let experiment = OthelloNetwork::new(source, params, setup.seed)?;
        if variant == setup.variant {
            chosen = Some(experiment);
        }
    }
    let chosen = chosen.ok_or_else(|| source.error(None, format!("it has no variant {}", setup.variant)))?;
    Ok(Box::new(chosen))
}

impl OthelloNetwork {
    fn new(source: &Source, params: Params, seed: Seed) -> Result<OthelloNetwork, SourceError> {
        let games = |value| source.within(value, 1..=1_000_000_000, "games are 1 to a thousand millions");
        let (block_games, double_games) = (games(&params.block_games)?, games(&params.double_games)?);
        let runs = params.run.into_iter().map(|run| Run::new(source, run)).collect::<Result<_, _>>()?;
        let standard = Judge { name: "standard".into(), player: Arc::new(Wpc::standard()) };
        let random = Judge { name: "random".into(), player: Arc::new(Wpc::random()) };
        let (mut judges, mut skipped) = (vec![standard, random], Vec::new());
        for player in params.players {
            let path = source.path().parent().map_or(player.file.clone(), |folder| folder.join(&player.file));
            match std::fs::read_to_string(&path) {
                Ok(text) => judges.push(player.judge(source, &text)?),
                Err(error) => skipped.push(format!("{}: {}: {error}", player.name, path.display())),
            }
        }
        Ok(OthelloNetwork { seed, block_games, double_games, runs, judges, skipped })
    }

    fn run_of(&self, task: &Task) -> Result<&Run, LabError> {
        let spec = task.work.spec();
        let run = self.runs.iter().find(|run| Some(run.name.as_str()) == spec["run"].as_str());
        run.ok_or_else(|| failed(task, "no such run in this experiment"))
    }

    fn tasks_of(&self, run: &Run) -> Vec<Task> {
        let stages: Vec<Value> = run.stages.iter().map(|stage| json!(stage)).collect();
        let spec = json!({
            "run": run.name, "patterns": run.patterns.to_string(), "phases": run.phases.to_string(),
            "stages": stages, "block_games": self.block_games, "seed": self.seed.to_string(),
        });
        let mut tasks: Vec<Task> = Vec::new();
        for (number, stage) in run.stages.iter().enumerate() {
            for block in 0..stage.games.div_ceil(self.block_games) {
                let mut spec = spec.clone();
                (spec["stage"], spec["block"]) = (json!(number), json!(block));
                let after = tasks.last().map(|task| task.name.clone());
                let name = format!("{}/{number}/{block:03}", run.name);
                tasks.push(Task { name, work: store::Task::new(BLOCK, spec), alone: false, after });
            }
        }
        let mut spec = spec;
        spec["double_games"] = json!(self.double_games);
        spec["judges"] = json!(self.judges.iter().map(|judge| &judge.name).collect::<Vec<_>>());
        let after = tasks.last().map(|task| task.name.clone());
        tasks.push(Task { name: run.final_name(), work: store::Task::new(FINAL, spec), alone: false, after });
        tasks
    }

    /// The learner as the block before left it, at the beginning of a stage with the network of the one before.
    fn learner(&self, run: &Run, stage: usize, before: Option<&Learned>) -> Result<Learner, String> {
        let params = run.stages[stage].td();
        let mixture = run.stages[stage].mixture().ok_or("an unknown opponent")?;
        let seed = self.seed.child(&run.name, stage as u64);
        let Some(before) = before else {
            return Ok(Learner::new(blank(run.patterns.shape(), run.phases.clone()), params, mixture, seed));
        };
        let bytes = unhex(&before.checkpoint).ok_or("a checkpoint that is no hexadecimal text")?;
        if before.stage == stage {
            return Learner::resume(&bytes, params, mixture, seed).map_err(|error| error.to_string());
        }
        let network = Network::unpack(&bytes).map_err(|error| error.to_string())?;
        Ok(Learner::new(network, params, mixture, seed))
    }

    fn block(
        &self,
        task: &Task,
        before: Option<&Learned>,
        stop: &AtomicBool,
    ) -> Result<Option<Learned>, LabError> {
        let run = self.run_of(task)?;
        let of = |key: &str| task.work.spec()[key].as_u64().unwrap_or(0);
        let stage = of("stage") as usize;
        let mut learner = self.learner(run, stage, before).map_err(|error| failed(task, &error))?;
        let until = run.stages[stage].games.min((of("block") + 1) * self.block_games);
        while learner.games() < until {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            learner.learn(STEP.min(until - learner.games()));
        }
        let player = Player::new(learner.network().clone(), View::Inverted);
        let results = play_evaluators(&player, &Wpc::standard(), &Rules::default(), self.seed, 0..400);
        // The next stage begins with the network alone.
        let bytes = if learner.is_done() { learner.network().pack() } else { learner.checkpoint() };
        let (games, standard) = (learner.games(), Tally::of(&results).score());
        Ok(Some(Learned { stage, games, standard, checkpoint: hex(&bytes) }))
    }

    /// The finished network, in the unit in which networks ship, against everybody.
    fn measure(&self, task: &Task, before: Option<&Learned>) -> Result<Vec<Score>, LabError> {
        let bytes = before.and_then(|before| unhex(&before.checkpoint));
        let bytes = bytes.ok_or_else(|| failed(task, "the network is missing"))?;
        let network = Network::unpack(&bytes).map_err(|error| failed(task, &error.to_string()))?;
        let player = Player::new(network.rounded(0.002), View::Inverted);
        let seed = self.seed.child("final", 0);
        let score = |judge: &Judge| {
            let games = 0..2 * self.double_games;
            let results = play_evaluators(&player, judge.player.as_ref(), &Rules::default(), seed, games);
            Score { opponent: judge.name.clone(), score: Tally::of(&results).score() }
        };
        Ok(self.judges.iter().map(score).collect())
    }
}

impl PlayerFile {
    fn judge(self, source: &Source, text: &str) -> Result<Judge, SourceError> {
        let wrong = |error| source.error(None, format!("{}: {error}", self.file.display()));
        let published: Published = text.parse().map_err(wrong)?;
        let view = if self.inverted { View::Inverted } else { View::Negated };
        Ok(Judge { name: self.name, player: Arc::new(Player::new(published.network(), view)) })
    }
}

impl Run {
    fn new(source: &Source, params: RunParams) -> Result<Run, SourceError> {
        let RunParams { name, stages, patterns, phases } = params;
        if stages.get_ref().is_empty() || !stages.get_ref().iter().all(StageParams::is_fine) {
            let right = "a stage has games, opponents (self, counters, past, standard) with shares, epsilon, lambda \
                and hold from 0 to 1, opening up to 50, rates up to 1000";
            return Err(source.error(Some(stages.span()), right));
        }
        let wrong = |span, error: String| source.error(Some(span), error);
        Ok(Run {
            name,
            patterns: patterns.get_ref().parse().map_err(|e| wrong(patterns.span(), format!("{e}")))?,
            phases: phases.get_ref().parse().map_err(|e| wrong(phases.span(), format!("{e}")))?,
            stages: stages.into_inner(),
        })
    }

    fn final_name(&self) -> String {
        format!("{}/final", self.name)
    }

    fn games(&self) -> u64 {
        self.stages.iter().map(|stage| stage.games).sum()
    }
}

fn failed(task: &Task, error: &str) -> LabError {
    LabError::Task { task: task.name.clone(), error: error.to_string() }
}

fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(if value < 10 { b'0' + value } else { b'a' + value - 10 });
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let byte = |pair: &[u8]| Some(digit(*pair.first()?)? << 4 | digit(*pair.get(1)?)?);
    text.as_bytes().chunks(2).map(byte).collect()
}

impl Experiment for OthelloNetwork {
    fn tasks(&self) -> Vec<Task> {
        self.runs.iter().flat_map(|run| self.tasks_of(run)).collect()
    }

    fn run(
        &self,
        task: &Task,
        before: Option<&Value>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Output>, LabError> {
        let before =
            before.map(Learned::deserialize).transpose().map_err(|e| failed(task, &e.to_string()))?;
        if task.work.kind() == FINAL {
            return Ok(Some(Output::from(json!(self.measure(task, before.as_ref())?))));
        }
        debug_assert_eq!(CHECKPOINT, "checkpoint", "the member of Learned");
        Ok(self.block(task, before.as_ref(), stop)?.map(|learned| Output::from(json!(learned))))
    }

    fn live(&self, task: &Task, result: &Value) -> Option<String> {
        let learned = Learned::deserialize(result).ok()?;
        Some(format!("{:32} {:9} games  standard {:.3}", task.name, learned.games, learned.standard))
    }

    fn skipped(&self) -> Vec<String> {
        self.skipped.clone()
    }

    fn report(&self, results: &Results) -> Result<Body, LabError> {
        let mut body = Body::default();
        let mut table = Table::new(["opponent"]);
        let mut columns: Vec<Vec<Score>> = Vec::new();
        for run in &self.runs {
            let Some(scores) = results.get::<Vec<Score>>(&run.final_name())? else { continue };
            table.number_column(&format!("{} ({} games)", run.name, run.games()));
            findings(run, &scores, self.double_games, &mut body.findings);
            columns.push(scores);
        }
        for (row, judge) in self.judges.iter().enumerate() {
            let cells =
                columns.iter().filter_map(|scores| scores.get(row)).map(|score| number(score.score, 3));
            table.row(std::iter::once(judge.name.clone()).chain(cells));
        }
        let text = format!(
            "Scores by the league's rules (one move ahead, epsilon 0.1), {} double games against each. The round robin \
             is the mean over the standard and the published players, random moves left out.",
            number(self.double_games as f64, 0)
        );
        let blocks = vec![Block::Text(text), Block::Table(table)];
        body.sections.push(Section { heading: "What the networks are worth".into(), blocks });
        Ok(body)
    }
}

/// The scores against the standard and against random moves, the round robin's mean and its least pairing.
fn findings(run: &Run, scores: &[Score], double_games: u64, findings: &mut Vec<Finding>) {
    let finding = |key: &str, what: &str, value: f64, games: f64| {
        // A normal interval; draws make it slightly too wide.
        let width = 1.96 * (value * (1.0 - value) / games).sqrt();
        Finding {
            key: format!("{}.{key}", run.name),
            what: format!("{}: {what}", run.name),
            value,
            interval: Some([value - width, value + width]),
            unit: String::new(),
            decimals: 3,
            note: String::new(),
        }
    };
    let games = 2.0 * double_games as f64;
    let of = |name: &str| scores.iter().find(|score| score.opponent == name).map_or(0.0, |score| score.score);
    findings.push(finding("standard", "against the standard", of("standard"), games));
    findings.push(finding("random", "against random moves", of("random"), games));
    let field: Vec<f64> =
        scores.iter().filter(|score| score.opponent != "random").map(|score| score.score).collect();
    if field.len() > 1 {
        let mean = field.iter().sum::<f64>() / field.len() as f64;
        let least = field.iter().fold(1.0, |least: f64, score| least.min(*score));
        findings.push(finding("mean", "mean of the round robin", mean, games * field.len() as f64));
        findings.push(finding("least", "least pairing of the round robin", least, games));
    }
}
