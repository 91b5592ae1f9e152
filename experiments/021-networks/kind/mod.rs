//! N-tuple networks that learn Othello by temporal differences, and what they are worth: the standard, random moves,
//! published players.
//!
//! A run is cut into blocks of games, a task each, that go on from one another bit for bit.

use std::path::PathBuf;
use std::sync::Arc;

use ishi_lab::LabError;
use ishi_lab::body::{ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_lab::experiment::{
    CHECKPOINT, Config, Experiment, ExperimentKind, ExperimentSetup, ExperimentTask, TaskEnd, TaskOutput,
    TaskResults,
};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_lab::store::TaskKind;
use ishi_othello::Wpc;
use ishi_othello::oneply::{Evaluator, LeagueRules, MatchTally, play_evaluators};
use ishi_othello_learn::td::{Learner, LearningRate, Opponent, OpponentMixture, TdParams, blank_network};
use ishi_othello_play::ntuple::{
    NTupleNetwork, NTuplePlayer, NetworkPhases, PublishedPlayer, TupleSet, WhiteView,
};
use ishi_rng::Seed;
use ishi_words::coded;
use ishi_work::StopFlag;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Spanned;

/// The kind, for the registry.
pub const KIND: ExperimentKind = ExperimentKind {
    name: "othello-network",
    about: "Othello networks by TD(lambda): from the rules alone, and against the standard",
    load: load_experiment,
};

/// The kinds of its tasks.
const BLOCK: TaskKind = TaskKind::new("othello-network-block");
const FINAL: TaskKind = TaskKind::new("othello-network-final");
/// Games between looks at the stop flag.
const STEP: u64 = 200;

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OthelloNetworkParams {
    /// Games of learning in a task.
    block_games: Spanned<u64>,
    /// Double games against each opponent at the end.
    double_games: Spanned<u64>,
    /// Published players, from the experiment's folder.
    players: Vec<PlayerFile>,
    run: Vec<NetworkRunParams>,
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
struct NetworkRunParams {
    name: String,
    /// Opponents in turn, each `[name, share, games]` lists for a stage.
    stages: Spanned<Vec<NetworkStageParams>>,
    patterns: Spanned<String>,
    phases: Spanned<String>,
}

/// A part of a run; the errors of temporal coherence begin anew with each.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NetworkStageParams {
    games: u64,
    opponents: Vec<(String, u32)>,
    epsilon: f64,
    opening: u32,
    lambda: f32,
    rate: f32,
    rate_end: f32,
    hold: f32,
}

impl NetworkStageParams {
    fn td_params(&self) -> TdParams {
        TdParams {
            games: self.games,
            lambda: self.lambda,
            epsilon: self.epsilon,
            opening: self.opening,
            rate: LearningRate { start: self.rate, end: self.rate_end, hold: self.hold },
            ..TdParams::default()
        }
    }

    fn opponent_mixture(&self) -> Option<OpponentMixture> {
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
        OpponentMixture::new(self.opponents.iter().map(opponent).collect::<Option<_>>()?)
    }

    fn is_valid(&self) -> bool {
        let shares = [self.lambda, self.hold, self.epsilon as f32];
        let rates = [self.rate, self.rate_end];
        self.games > 0
            && self.games <= 1_000_000_000
            && self.opponent_mixture().is_some()
            && self.opening <= 50
            && shares.iter().all(|share| (0.0..=1.0).contains(share))
            && rates.iter().all(|rate| (0.0..=1000.0).contains(rate))
    }
}

/// A run.
struct NetworkRun {
    name: String,
    patterns: TupleSet,
    phases: NetworkPhases,
    stages: Vec<NetworkStageParams>,
}

/// An opponent of the final measurement.
struct ExamOpponent {
    name: String,
    player: Arc<dyn Evaluator + Send + Sync>,
}

/// The experiment.
struct OthelloNetwork {
    seed: Seed,
    block_games: u64,
    double_games: u64,
    runs: Vec<NetworkRun>,
    judges: Vec<ExamOpponent>,
    skipped: Vec<String>,
}

/// What a block gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct NetworkBlock {
    stage: usize,
    games: u64,
    standard: f64,
    #[serde(default)]
    checkpoint: String,
}

/// A score of the final measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct OpponentScore {
    opponent: String,
    score: f64,
}

fn load_experiment(source: &TomlSource, setup: &ExperimentSetup) -> Result<Box<dyn Experiment>, SourceError> {
    Ok(Box::new(Config::<OthelloNetworkParams>::load_variant(source, setup.variant, |_, params| {
        OthelloNetwork::new(source, params, setup.seed)
    })?))
}

impl OthelloNetwork {
    fn new(
        source: &TomlSource,
        params: OthelloNetworkParams,
        seed: Seed,
    ) -> Result<OthelloNetwork, SourceError> {
        let games =
            |value| source.check_range(value, 1..=1_000_000_000, "games must be 1 to a thousand millions");
        let (block_games, double_games) = (games(&params.block_games)?, games(&params.double_games)?);
        let runs =
            params.run.into_iter().map(|run| NetworkRun::new(source, run)).collect::<Result<_, _>>()?;
        let standard = ExamOpponent { name: "standard".into(), player: Arc::new(Wpc::standard()) };
        let random = ExamOpponent { name: "random".into(), player: Arc::new(Wpc::random()) };
        let (mut judges, mut skipped) = (vec![standard, random], Vec::new());
        for player in params.players {
            let path = source.path().parent().map_or(player.file.clone(), |folder| folder.join(&player.file));
            match std::fs::read_to_string(&path) {
                Ok(text) => judges.push(player.into_exam_opponent(source, &text)?),
                Err(error) => skipped.push(format!("{}: {}: {error}", player.name, path.display())),
            }
        }
        Ok(OthelloNetwork { seed, block_games, double_games, runs, judges, skipped })
    }

    fn find_run(&self, task: &ExperimentTask) -> Result<&NetworkRun, LabError> {
        let spec = task.work.spec();
        let run = self.runs.iter().find(|run| Some(run.name.as_str()) == spec["run"].as_str());
        run.ok_or_else(|| task.failure("no such run in this experiment"))
    }

    fn run_tasks(&self, run: &NetworkRun) -> Vec<ExperimentTask> {
        let stages: Vec<Value> = run.stages.iter().map(|stage| json!(stage)).collect();
        let spec = json!({
            "run": run.name, "patterns": run.patterns.to_string(), "phases": run.phases.to_string(),
            "stages": stages, "block_games": self.block_games, "seed": self.seed.to_string(),
        });
        let mut tasks: Vec<ExperimentTask> = Vec::new();
        for (number, stage) in run.stages.iter().enumerate() {
            for block in 0..stage.games.div_ceil(self.block_games) {
                let mut spec = spec.clone();
                (spec["stage"], spec["block"]) = (json!(number), json!(block));
                let name = format!("{}/{number}/{block:03}", run.name);
                let task = ExperimentTask::new(name, BLOCK, spec).going_on_from(tasks.last());
                tasks.push(task);
            }
        }
        let mut spec = spec;
        spec["double_games"] = json!(self.double_games);
        spec["judges"] = json!(self.judges.iter().map(|judge| &judge.name).collect::<Vec<_>>());
        let last = ExperimentTask::new(run.final_task_name(), FINAL, spec).going_on_from(tasks.last());
        tasks.push(last);
        tasks
    }

    /// The learner as the block before left it, at the beginning of a stage with the network of the one before.
    fn resume_learner(
        &self,
        run: &NetworkRun,
        stage: usize,
        before: Option<&NetworkBlock>,
    ) -> Result<Learner, String> {
        let params = run.stages[stage].td_params();
        let mixture = run.stages[stage].opponent_mixture().ok_or("an unknown opponent")?;
        let seed = self.seed.child_seed(&run.name, stage as u64);
        let Some(before) = before else {
            return Ok(Learner::new(
                blank_network(run.patterns.shape(), run.phases.clone()),
                params,
                mixture,
                seed,
            ));
        };
        let bytes = decode_hex(&before.checkpoint).ok_or("a checkpoint that is no hexadecimal text")?;
        if before.stage == stage {
            return Learner::from_checkpoint(&bytes, params, mixture, seed)
                .map_err(|error| error.to_string());
        }
        let network = NTupleNetwork::from_bytes(&bytes).map_err(|error| error.to_string())?;
        Ok(Learner::new(network, params, mixture, seed))
    }

    fn run_block(
        &self,
        task: &ExperimentTask,
        before: Option<&NetworkBlock>,
        stop: &StopFlag,
    ) -> Result<Option<NetworkBlock>, LabError> {
        let run = self.find_run(task)?;
        let of = |key: &str| task.work.spec()[key].as_u64().unwrap_or(0);
        let stage = of("stage") as usize;
        let mut learner = self.resume_learner(run, stage, before).map_err(|error| task.failure(error))?;
        let until = run.stages[stage].games.min((of("block") + 1) * self.block_games);
        while learner.games() < until {
            if stop.is_requested() {
                return Ok(None);
            }
            learner.learn_games(STEP.min(until - learner.games()));
        }
        let player = NTuplePlayer::new(learner.network().clone(), WhiteView::Inverted);
        let results = play_evaluators(&player, &Wpc::standard(), &LeagueRules::default(), self.seed, 0..400);
        // The next stage begins with the network alone.
        let bytes = if learner.is_done() { learner.network().to_bytes() } else { learner.to_checkpoint() };
        let (games, standard) = (learner.games(), MatchTally::from_results(&results).mean_score());
        Ok(Some(NetworkBlock { stage, games, standard, checkpoint: encode_hex(&bytes) }))
    }

    /// The finished network, in the unit in which networks ship, against everybody.
    fn measure_network(
        &self,
        task: &ExperimentTask,
        before: Option<&NetworkBlock>,
    ) -> Result<Vec<OpponentScore>, LabError> {
        let bytes = before.and_then(|before| decode_hex(&before.checkpoint));
        let bytes = bytes.ok_or_else(|| task.failure("the network is missing"))?;
        let network = NTupleNetwork::from_bytes(&bytes).map_err(|error| task.failure(error))?;
        let player = NTuplePlayer::new(network.rounded_to_unit(0.002), WhiteView::Inverted);
        let seed = self.seed.child_seed("final", 0);
        let score = |judge: &ExamOpponent| {
            let games = 0..2 * self.double_games;
            let results =
                play_evaluators(&player, judge.player.as_ref(), &LeagueRules::default(), seed, games);
            OpponentScore {
                opponent: judge.name.clone(),
                score: MatchTally::from_results(&results).mean_score(),
            }
        };
        Ok(self.judges.iter().map(score).collect())
    }
}

impl PlayerFile {
    fn into_exam_opponent(self, source: &TomlSource, text: &str) -> Result<ExamOpponent, SourceError> {
        let wrong = |error| source.error_at(None, format!("{}: {error}", self.file.display()));
        let published: PublishedPlayer = text.parse().map_err(wrong)?;
        let view = if self.inverted { WhiteView::Inverted } else { WhiteView::Negated };
        Ok(ExamOpponent {
            name: self.name,
            player: Arc::new(NTuplePlayer::new(published.to_network(), view)),
        })
    }
}

impl NetworkRun {
    fn new(source: &TomlSource, params: NetworkRunParams) -> Result<NetworkRun, SourceError> {
        let NetworkRunParams { name, stages, patterns, phases } = params;
        let are_valid =
            !stages.get_ref().is_empty() && stages.get_ref().iter().all(NetworkStageParams::is_valid);
        let right = coded![
            "lab-source-stages",
            "a stage has games, opponents (self, counters, past, standard) with shares, epsilon, lambda \
             and hold from 0 to 1, opening up to 50, rates up to 1000"
        ];
        source.require_at(are_valid, stages.span(), right)?;
        let wrong = |span, error: String| source.error_at(Some(span), error);
        Ok(NetworkRun {
            name,
            patterns: patterns.get_ref().parse().map_err(|e| wrong(patterns.span(), format!("{e}")))?,
            phases: phases.get_ref().parse().map_err(|e| wrong(phases.span(), format!("{e}")))?,
            stages: stages.into_inner(),
        })
    }

    fn final_task_name(&self) -> String {
        format!("{}/final", self.name)
    }

    fn total_games(&self) -> u64 {
        self.stages.iter().map(|stage| stage.games).sum()
    }
}

fn encode_hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(if value < 10 { b'0' + value } else { b'a' + value - 10 });
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn decode_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let byte = |pair: &[u8]| Some(digit(*pair.first()?)? << 4 | digit(*pair.get(1)?)?);
    text.as_bytes().chunks(2).map(byte).collect()
}

impl Experiment for OthelloNetwork {
    fn tasks(&self) -> Vec<ExperimentTask> {
        self.runs.iter().flat_map(|run| self.run_tasks(run)).collect()
    }

    fn run_task(&self, task: &ExperimentTask, before: Option<&Value>, stop: &StopFlag) -> TaskEnd {
        let before = before.map(NetworkBlock::deserialize).transpose().map_err(|e| task.failure(e))?;
        if task.work.kind() == FINAL {
            return Ok(Some(TaskOutput::from(json!(self.measure_network(task, before.as_ref())?))));
        }
        debug_assert_eq!(CHECKPOINT, "checkpoint", "the member of Learned");
        Ok(self.run_block(task, before.as_ref(), stop)?.map(|learned| TaskOutput::from(json!(learned))))
    }

    fn describe_finished_task(&self, task: &ExperimentTask, result: &Value) -> Option<String> {
        let learned = NetworkBlock::deserialize(result).ok()?;
        Some(format!("{:32} {:9} games  standard {:.3}", task.name, learned.games, learned.standard))
    }

    fn list_skipped(&self) -> Vec<String> {
        self.skipped.clone()
    }

    fn build_report(&self, results: &TaskResults) -> Result<ReportBody, LabError> {
        let mut body = ReportBody::default();
        let mut table = SheetTable::new(["opponent"]);
        let mut columns: Vec<Vec<OpponentScore>> = Vec::new();
        for run in &self.runs {
            let Some(scores) = results.get::<Vec<OpponentScore>>(&run.final_task_name())? else { continue };
            table.add_number_column(&format!("{} ({} games)", run.name, run.total_games()));
            add_run_findings(run, &scores, self.double_games, &mut body.findings);
            columns.push(scores);
        }
        for (row, judge) in self.judges.iter().enumerate() {
            let cells = columns
                .iter()
                .filter_map(|scores| scores.get(row))
                .map(|score| format_number(score.score, 3));
            table.add_row(std::iter::once(judge.name.clone()).chain(cells));
        }
        let text = format!(
            "Scores by the league's rules (one move ahead, epsilon 0.1), {} double games against each. The round robin \
             is the mean over the standard and the published players, random moves left out.",
            format_number(self.double_games as f64, 0)
        );
        let blocks = vec![SheetBlock::Text(text), SheetBlock::Table(table)];
        body.sections.push(SheetSection { heading: "What the networks are worth".into(), blocks });
        Ok(body)
    }
}

/// The scores against the standard and against random moves, the round robin's mean and its least pairing.
fn add_run_findings(
    run: &NetworkRun,
    scores: &[OpponentScore],
    double_games: u64,
    findings: &mut Vec<ReportFinding>,
) {
    let finding = |key: &str, what: &str, value: f64, games: f64| {
        // A normal interval; draws make it slightly too wide.
        let width = 1.96 * (value * (1.0 - value) / games).sqrt();
        let (key, what) = (format!("{}.{key}", run.name), format!("{}: {what}", run.name));
        ReportFinding::new(key, what, value, ("", 3)).with_interval(Some([value - width, value + width]))
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
