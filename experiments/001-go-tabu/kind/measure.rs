//! The measurements: what the playouts of a search look like, and how long it takes.
//!
//! All are made in one game: a search from the position after so many of its moves.

use ishi_arena::stopwatch::process_cpu_time;
use ishi_engine::{Control, SearchLimits};
use ishi_go::{BoardSize, Move, Position, Rules};
use ishi_go_play::catalog;
use ishi_go_play::go_mcts::{MctsParams as Search, measure};
use ishi_lab::LabError;
use ishi_lab::experiment::{ExperimentTask, TaskOutput, TaskResults};
use ishi_lab::machine::Machine;
use ishi_lab::source::{SourceError, TomlSource};
use ishi_lab::store::TaskKind;
use ishi_rng::Seed;
use ishi_words::coded;
use serde::{Deserialize, Serialize};
use serde_json::json;
use toml::Spanned;

/// The kinds of its tasks.
pub(super) const OBSERVE: TaskKind = TaskKind::new("go-tabu-observe");
pub(super) const TIME: TaskKind = TaskKind::new("go-tabu-time");

/// The player that these measurements are about.
const ENGINE: &str = "go-mcts";

/// Most repeated positions that are kept.
const REPEATS: usize = 50;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeasureParams {
    game: MeasuredGameParams,
    /// Table 1.
    #[serde(default)]
    setting: Vec<SettingParams>,
    repeats: RepeatsParams,
    refusals: RefusalsParams,
    time: Vec<TimeParams>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeasuredGameParams {
    side: Spanned<usize>,
    komi: f64,
    moves: Spanned<String>,
}

/// A row of the paper's table 1, and the player that stands for it here.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingParams {
    name: String,
    /// As the paper has them; a row without lists has no tenure.
    playouts: u64,
    threshold: u32,
    #[serde(default)]
    tenure: u16,
    #[serde(default)]
    moves: u8,
    list: String,
    exploration: f64,
    player: Spanned<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RepeatsParams {
    after: Vec<Spanned<usize>>,
    playouts: Spanned<u64>,
    /// Searches of each player, which differ by their seed.
    searches: Spanned<u64>,
    players: Vec<MeasuredPlayerParams>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RefusalsParams {
    after: Spanned<usize>,
    playouts: Spanned<u64>,
    searches: Spanned<u64>,
    tenures: Vec<Spanned<u16>>,
    /// The first one's lists are those of the paper's table.
    players: Vec<MeasuredPlayerParams>,
    /// Candidates that the paper's lists refused in all, for each of the first tenures.
    #[serde(default)]
    paper: Vec<u64>,
    /// In so many playouts.
    #[serde(default)]
    paper_playouts: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TimeParams {
    name: Spanned<String>,
    after: Vec<Spanned<usize>>,
    playouts: Spanned<u64>,
    repetitions: Spanned<u32>,
    /// The first is what the others are compared with.
    players: Spanned<Vec<MeasuredPlayerParams>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeasuredPlayerParams {
    name: Spanned<String>,
    player: Spanned<String>,
    /// The paper's player that it stands for in figure 5.
    #[serde(default)]
    paper: Option<String>,
}

/// A player by its name in reports and its text in the catalog.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MeasuredPlayer {
    pub(super) name: String,
    pub(super) paper: Option<String>,
    spec: String,
}

#[cfg(test)]
impl MeasuredPlayer {
    /// A player for tests that do not let it play.
    pub(super) fn from_name(name: &str) -> MeasuredPlayer {
        MeasuredPlayer { name: name.into(), paper: None, spec: String::new() }
    }
}

/// A row of table 1: the paper's value and ours for each column.
pub(super) struct PaperSetting {
    pub(super) name: String,
    pub(super) player: String,
    /// Name of the column, the paper's value, ours.
    pub(super) columns: [(&'static str, String, String); 6],
}

/// What is measured.
pub(super) struct PlayoutMeasure {
    game: MeasuredGame,
    pub(super) settings: Vec<PaperSetting>,
    /// Moves of the game before each measurement.
    pub(super) repeats_after: Vec<usize>,
    pub(super) repeats_playouts: u64,
    pub(super) repeats_searches: u64,
    pub(super) repeats: Vec<MeasuredPlayer>,
    pub(super) refusals_after: usize,
    pub(super) refusals_playouts: u64,
    pub(super) refusals_searches: u64,
    /// See [`RefusalsParams::paper`].
    pub(super) refusals_paper: Vec<u64>,
    pub(super) refusals_paper_playouts: u64,
    pub(super) tenures: Vec<u16>,
    pub(super) refusals: Vec<MeasuredPlayer>,
    pub(super) races: Vec<TimeRace>,
    seed: Seed,
}

/// Players whose times are compared.
pub(super) struct TimeRace {
    pub(super) name: String,
    pub(super) after: Vec<usize>,
    pub(super) playouts: u64,
    pub(super) repetitions: u32,
    /// The first is what the others are compared with.
    pub(super) players: Vec<MeasuredPlayer>,
}

/// A game, as far as it was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct MeasuredGame {
    side: usize,
    komi: f64,
    moves: String,
}

impl MeasuredGame {
    /// The position after all moves.
    fn final_position(&self) -> Result<Position, String> {
        let size = BoardSize::square(self.side).map_err(|error| error.to_string())?;
        let mut position = Position::new(size, Rules::CHINESE);
        position.set_komi(self.komi).map_err(|error| error.to_string())?;
        for (number, text) in self.moves.split_whitespace().enumerate() {
            let mv: Move = size.parse_move(text).map_err(|error| error.to_string())?;
            let color = position.to_move();
            position.play(color, mv).map_err(|error| format!("move {}, {text}: {error}", number + 1))?;
        }
        Ok(position)
    }

    fn move_count(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// The game as it was after so many moves.
    fn truncated_after(&self, moves: usize) -> MeasuredGame {
        let moves: Vec<&str> = self.moves.split_whitespace().take(moves).collect();
        MeasuredGame { moves: moves.join(" "), ..self.clone() }
    }
}

/// The work of a task that observes playouts.
#[derive(Serialize, Deserialize)]
struct ObserveSpec {
    game: MeasuredGame,
    player: String,
    playouts: u64,
    seed: Seed,
}

/// What the playouts of a search looked like.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PlayoutObservation {
    pub(super) playouts: u64,
    pub(super) asked: u64,
    pub(super) refused: u64,
    /// Refused candidates that a policy which draws uniformly would have at most, in the mean.
    pub(super) uniform: f64,
    /// How often the positions were met that were met most often, in the first moves of playouts.
    pub(super) repeats: Vec<u64>,
    /// Positions met, and how many of them were different.
    pub(super) positions: u64,
    pub(super) distinct: u64,
}

/// The work of a task that takes times.
#[derive(Serialize, Deserialize)]
struct TimeSpec {
    game: MeasuredGame,
    players: Vec<String>,
    playouts: u64,
    repetition: u32,
    seed: Seed,
}

/// Processor seconds and playouts of one search of each player.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SearchTimes {
    pub(super) seconds: Vec<f64>,
    pub(super) playouts: Vec<u64>,
    pub(super) machine: Machine,
}

impl SearchTimes {
    /// Seconds for a playout of this player.
    pub(super) fn seconds_per_playout(&self, player: usize) -> f64 {
        self.seconds[player].max(1e-9) / self.playouts[player].max(1) as f64
    }
}

/// A number of moves of the game, which has so many.
fn check_cut(source: &TomlSource, after: &Spanned<usize>, moves: usize) -> Result<usize, SourceError> {
    let what_is_right = format!("it must be at most {moves}, as the game has so many moves");
    source.check_range(after, 0..=moves, &what_is_right)
}

fn check_playouts(source: &TomlSource, playouts: &Spanned<u64>) -> Result<u64, SourceError> {
    source.check_range(playouts, 1..=100_000_000, "playouts must be 1 to 100000000")
}

/// A race on a game of so many moves.
fn check_race(source: &TomlSource, params: &TimeParams, moves: usize) -> Result<TimeRace, SourceError> {
    let after = params.after.iter().map(|after| check_cut(source, after, moves));
    let race = TimeRace {
        name: params.name.get_ref().clone(),
        after: after.collect::<Result<_, _>>()?,
        playouts: check_playouts(source, &params.playouts)?,
        repetitions: source.check_range(&params.repetitions, 1..=1000, "repetitions must be 1 to 1000")?,
        players: check_players(source, params.players.get_ref())?,
    };
    let right = coded!["lab-source-no-player", "there must be one player or more"];
    source.require_at(!race.players.is_empty(), params.players.span(), right)?;
    Ok(race)
}

impl PlayoutMeasure {
    /// Checks the parameters.
    pub(super) fn new(
        source: &TomlSource,
        params: MeasureParams,
        seed: Seed,
    ) -> Result<PlayoutMeasure, SourceError> {
        let MeasureParams { game, setting, repeats, refusals, time } = params;
        let side = source.check_range(&game.side, 2..=25, "a board must have 2 to 25 lines")?;
        let span = game.moves.span();
        let game = MeasuredGame { side, komi: game.komi, moves: game.moves.into_inner() };
        game.final_position().map_err(|error| source.error_at(Some(span), error))?;
        let moves = game.move_count();
        let cut = |after| check_cut(source, after, moves);
        let count = |playouts| check_playouts(source, playouts);
        let searches = |count| source.check_range(count, 1..=1000, "searches must be 1 to 1000");
        let tenure = |tenure| source.check_range(tenure, 0..=1000, "a tenure must be 0 to 1000");
        let mut races: Vec<TimeRace> = Vec::new();
        for params in &time {
            let race = check_race(source, params, moves)?;
            let right = coded!["lab-source-name-twice", "this name stands twice: change one"];
            source.require(races.iter().all(|other| other.name != race.name), &params.name, right)?;
            races.push(race);
        }
        let right =
            coded!["lab-source-tenures", "the paper's row has no more numbers than there are tenures"];
        source.require_at(refusals.paper.len() <= refusals.tenures.len(), refusals.after.span(), right)?;
        Ok(PlayoutMeasure {
            settings: setting.iter().map(|row| row.check_setting(source)).collect::<Result<_, _>>()?,
            repeats_after: repeats.after.iter().map(cut).collect::<Result<_, _>>()?,
            repeats_playouts: count(&repeats.playouts)?,
            repeats_searches: searches(&repeats.searches)?,
            repeats: check_players(source, &repeats.players)?,
            refusals_after: cut(&refusals.after)?,
            refusals_playouts: count(&refusals.playouts)?,
            refusals_searches: searches(&refusals.searches)?,
            refusals_paper: refusals.paper,
            refusals_paper_playouts: refusals.paper_playouts,
            tenures: refusals.tenures.iter().map(tenure).collect::<Result<_, _>>()?,
            refusals: check_players(source, &refusals.players)?,
            races,
            game,
            seed: seed.child_seed("measure", 0),
        })
    }

    pub(super) fn tasks(&self) -> Vec<ExperimentTask> {
        let mut tasks = Vec::new();
        for &after in &self.repeats_after {
            for search in 0..self.repeats_searches {
                tasks.extend(self.repeats.iter().map(|player| self.repeats_task(player, after, search)));
            }
        }
        for player in &self.refusals {
            for &tenure in &self.tenures {
                tasks.extend((0..self.refusals_searches).map(|n| self.refusals_task(player, tenure, n)));
            }
        }
        for race in &self.races {
            for repetition in 0..race.repetitions {
                tasks.extend(race.after.iter().map(|&after| self.time_task(race, after, repetition)));
            }
        }
        tasks
    }

    fn repeats_task(&self, player: &MeasuredPlayer, after: usize, search: u64) -> ExperimentTask {
        let name = repeats_task_name(player, after, search);
        self.observe_task(name, after, player.spec.clone(), (self.repeats_playouts, search))
    }

    fn refusals_task(&self, player: &MeasuredPlayer, tenure: u16, search: u64) -> ExperimentTask {
        let separator = if player.spec.contains(':') { ',' } else { ':' };
        let spec = format!("{}{separator}tenure={tenure}", player.spec);
        let name = refusals_task_name(player, tenure, search);
        self.observe_task(name, self.refusals_after, spec, (self.refusals_playouts, search))
    }

    fn observe_task(
        &self,
        name: String,
        after: usize,
        player: String,
        (playouts, search): (u64, u64),
    ) -> ExperimentTask {
        // One seed for all players, so that they differ in nothing else.
        let seed = self.seed.child_seed("observe", search);
        let spec = ObserveSpec { game: self.game.truncated_after(after), player, playouts, seed };
        ExperimentTask::new(name, OBSERVE, json!(spec))
    }

    fn time_task(&self, race: &TimeRace, after: usize, repetition: u32) -> ExperimentTask {
        let spec = TimeSpec {
            game: self.game.truncated_after(after),
            players: race.players.iter().map(|player| player.spec.clone()).collect(),
            playouts: race.playouts,
            repetition,
            seed: self.seed.child_seed("time", repetition.into()),
        };
        ExperimentTask::new(time_task_name(race, after, repetition), TIME, json!(spec)).run_alone()
    }

    pub(super) fn run_task(&self, task: &ExperimentTask) -> Result<TaskOutput, LabError> {
        let failed = |error: String| task.failure(error);
        if task.work.kind() == TIME {
            let times = take_times(&task.read_spec()?).map_err(failed)?;
            return Ok(TaskOutput::from(json!(times)));
        }
        Ok(TaskOutput::from(json!(observe_playouts(&task.read_spec()?).map_err(failed)?)))
    }
}

impl TimeRace {
    /// The results of the repetitions after so many moves.
    pub(super) fn times_after(
        &self,
        after: usize,
        results: &TaskResults,
    ) -> Result<Vec<SearchTimes>, LabError> {
        let all =
            (0..self.repetitions).map(|repetition| results.get(&time_task_name(self, after, repetition)));
        all.filter_map(Result::transpose).collect()
    }
}

fn repeats_task_name(player: &MeasuredPlayer, after: usize, search: u64) -> String {
    format!("repeats/{after}/{}/{search:03}", player.name)
}

fn refusals_task_name(player: &MeasuredPlayer, tenure: u16, search: u64) -> String {
    format!("refusals/{}/{tenure:02}/{search:03}", player.name)
}

fn time_task_name(race: &TimeRace, after: usize, repetition: u32) -> String {
    format!("time/{}/{after}/{repetition:03}", race.name)
}

impl PlayoutMeasure {
    /// How often a player's playouts repeat themselves after so many moves of the game: its searches that are there.
    pub(super) fn repeats_of(
        &self,
        player: &MeasuredPlayer,
        after: usize,
        results: &TaskResults,
    ) -> Result<Vec<PlayoutObservation>, LabError> {
        let all = (0..self.repeats_searches).map(|n| results.get(&repeats_task_name(player, after, n)));
        all.filter_map(Result::transpose).collect()
    }

    /// How many candidates a player refuses with this tenure: its searches that are there.
    pub(super) fn refusals_of(
        &self,
        player: &MeasuredPlayer,
        tenure: u16,
        results: &TaskResults,
    ) -> Result<Vec<PlayoutObservation>, LabError> {
        let all = (0..self.refusals_searches).map(|n| results.get(&refusals_task_name(player, tenure, n)));
        all.filter_map(Result::transpose).collect()
    }

    /// Lines of the board.
    pub(super) fn side(&self) -> usize {
        self.game.side
    }
}

impl SettingParams {
    /// The row beside what the player's parameters are.
    fn check_setting(&self, source: &TomlSource) -> Result<PaperSetting, SourceError> {
        let ours = parse_search_params(self.player.get_ref())
            .map_err(|error| source.value_error(&self.player, error))?;
        let (tenure, moves) = if ours.tabu.are_off() { (0, 0) } else { (ours.tabu.tenure, ours.tabu.depth) };
        let or_none = |number: u64| if number == 0 { "-".to_string() } else { number.to_string() };
        Ok(PaperSetting {
            name: self.name.clone(),
            player: self.player.get_ref().clone(),
            columns: [
                ("playouts", self.playouts.to_string(), ours.playouts.to_string()),
                ("threshold", self.threshold.to_string(), ours.tree.expand_at.to_string()),
                ("C", self.exploration.to_string(), ours.tree.exploration.to_string()),
                ("list", self.list.clone(), ours.tabu.kind.to_string()),
                ("L", or_none(self.tenure.into()), or_none(tenure.into())),
                ("M", or_none(self.moves.into()), or_none(moves.into())),
            ],
        })
    }
}

/// Checks that all are searches, that none is named twice, and that the catalog has them.
fn check_players(
    source: &TomlSource,
    params: &[MeasuredPlayerParams],
) -> Result<Vec<MeasuredPlayer>, SourceError> {
    let mut players: Vec<MeasuredPlayer> = Vec::new();
    for MeasuredPlayerParams { name, player, paper } in params {
        parse_search_params(player.get_ref()).map_err(|error| source.value_error(player, error))?;
        let right = coded!["lab-source-name-twice", "this name stands twice: change one"];
        source.require(players.iter().all(|other| other.name != *name.get_ref()), name, right)?;
        let (name, spec) = (name.get_ref().clone(), player.get_ref().clone());
        players.push(MeasuredPlayer { name, paper: paper.clone(), spec });
    }
    Ok(players)
}

/// The parameters that a player's text stands for.
fn parse_search_params(spec: &str) -> Result<Search, String> {
    let (name, settings) = spec.split_once(':').unwrap_or((spec, ""));
    if name != ENGINE {
        return Err(format!("only {ENGINE} can be measured"));
    }
    settings.parse()
}

fn observe_playouts(spec: &ObserveSpec) -> Result<PlayoutObservation, String> {
    let position = spec.game.final_position()?;
    let observed =
        measure::observe_playouts(&parse_search_params(&spec.player)?, &position, spec.playouts, spec.seed);
    Ok(PlayoutObservation {
        playouts: observed.playouts,
        asked: observed.tabu.asked,
        refused: observed.tabu.refused,
        uniform: observed.uniform,
        positions: observed.repeats.iter().sum(),
        distinct: observed.repeats.len() as u64,
        repeats: observed.repeats.into_iter().take(REPEATS).collect(),
    })
}

/// Playouts of a search that nobody takes the time of: what is made at the first need is there after it.
const WARMING_UP: u64 = 100;

/// Each player searches once; who begins changes from repetition to repetition.
fn take_times(spec: &TimeSpec) -> Result<SearchTimes, String> {
    let position = spec.game.final_position()?;
    let players = spec.players.len();
    let (mut seconds, mut playouts) = (vec![0.0; players], vec![0; players]);
    let search = |player: &str, playouts| -> Result<u64, String> {
        let mut engine = catalog::create_go_player(player, spec.seed).map_err(|error| error.to_string())?;
        let limits = SearchLimits { playouts: Some(playouts), ..SearchLimits::default() };
        let mut unheard = |_: &_| ();
        let control = &mut Control::with_limits(limits, &mut unheard);
        Ok(engine.choose(&position, position.to_move(), control).report.playouts)
    };
    for player in &spec.players {
        search(player, WARMING_UP)?;
    }
    for turn in 0..players {
        let player = (turn + spec.repetition as usize) % players;
        let start = process_cpu_time();
        playouts[player] = search(&spec.players[player], spec.playouts)?;
        seconds[player] = process_cpu_time().saturating_sub(start).as_secs_f64();
    }
    Ok(SearchTimes { seconds, playouts, machine: Machine::current() })
}
