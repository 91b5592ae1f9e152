//! Pairs of games as tasks, for the kinds that play matches.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use ishi_arena::process::EngineCommand;
use ishi_arena::{
    Contestant, GoMatchSettings, MatchGame, MatchObserver, MatchPlan, MatchRun, MemoryJournal, Openings,
    PairRecord, PlayerError, PlayerSpec, RefereeSpec,
};
use ishi_go::{BoardSize, Color, Move, Rules};
use ishi_lab::LabError;
use ishi_lab::experiment::{ExperimentTask, TaskOutput};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_lab::store;
use ishi_rng::Seed;
use ishi_words::CodedMessage;
use ishi_work::StopFlag;
use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;

/// A program by its command line, as it is written: games are kept under it, whatever PATH is.
pub(super) fn parse_program_spec(command: &str) -> Result<PlayerSpec, String> {
    let text = command.trim();
    let spec: PlayerSpec = format!("gtp:{text}").parse().map_err(|e: PlayerError| e.to_string())?;
    match spec {
        PlayerSpec::External(_) => Ok(spec),
        PlayerSpec::Builtin(_) => Err(format!("{text:?} is no program")),
    }
}

/// What plays under a name of the configuration. Programs are started when they are needed first, to see whether they are there.
pub(super) struct StagePlayer<P = ()> {
    /// Its name there.
    pub(super) name: String,
    /// Pairs that are planned for it.
    pub(super) pairs: u64,
    /// What of a paper stands beside it.
    pub(super) paper: P,
    spec: PlayerSpec,
    found: OnceLock<Result<Contestant, String>>,
}

impl<P> StagePlayer<P> {
    /// A built-in player, which must be able to play under the settings, or the command line of a program that speaks GTP.
    pub(super) fn read(
        source: &TomlSource,
        (name, text): (&Spanned<String>, &Spanned<String>),
        settings: &GoMatchSettings,
        pairs: u64,
        paper: P,
    ) -> Result<StagePlayer<P>, SourceError> {
        let is_program = text.get_ref().contains([' ', '/']) || text.get_ref().starts_with("gtp:");
        let spec = if is_program {
            parse_program_spec(text.get_ref()).map_err(|error| source.value_error(text, error))?
        } else {
            text.get_ref()
                .parse()
                .map_err(|e: PlayerError| source.value_error(text, CodedMessage::from_error(e)))?
        };
        let name = name.get_ref().clone();
        let player = StagePlayer { name, pairs, paper, spec, found: OnceLock::new() };
        if matches!(player.spec, PlayerSpec::Builtin(_)) {
            player.contestant(settings).as_ref().map_err(|error| source.value_error(text, error.as_str()))?;
        }
        Ok(player)
    }

    /// The program, if it is one.
    pub(super) fn program(&self) -> Option<EngineCommand> {
        find_program(&self.spec)
    }

    /// The player under its name, or why it cannot play.
    pub(super) fn contestant(&self, settings: &GoMatchSettings) -> &Result<Contestant, String> {
        self.found.get_or_init(|| {
            Contestant::try_out(Some(&self.name), &self.spec, settings).map_err(|error| error.to_string())
        })
    }

    /// Says that its games in a stage are not played, and why; `None` if it can play.
    pub(super) fn describe_absence(&self, stage: &str, settings: &GoMatchSettings) -> Option<String> {
        let error = self.contestant(settings).as_ref().err()?;
        Some(format!("games of {} in the stage {stage}: {error}", self.name))
    }
}

/// How many pairs are played.
pub(super) fn check_pairs(source: &TomlSource, pairs: &Spanned<u64>) -> Result<u64, SourceError> {
    source.check_range(pairs, 1..=100_000, "pairs must be 1 to 100000")
}

/// Players who each meet the same opponent, in pairs of games with colours swapped from the same openings.
pub(super) struct PairStage<P = ()> {
    pub(super) name: String,
    /// What it is for.
    pub(super) what: String,
    pub(super) settings: GoMatchSettings,
    pub(super) opening_moves: usize,
    /// Pairs of each player that are played before it is the next stage's turn.
    pub(super) pairs_a_round: u64,
    pub(super) opponent: StagePlayer<P>,
    pub(super) players: Vec<StagePlayer<P>>,
}

impl<P> PairStage<P> {
    /// Pairs of the player that has most.
    pub(super) fn most_pairs(&self) -> u64 {
        self.players.iter().map(|player| player.pairs).max().unwrap_or(0)
    }

    fn sides(&self) -> impl Iterator<Item = &StagePlayer<P>> {
        self.players.iter().chain([&self.opponent])
    }

    /// The contestants of a game of this player, or why there is none.
    fn contestants(&self, player: &StagePlayer<P>) -> Result<[Contestant; 2], String> {
        let found = |side: &StagePlayer<P>| side.contestant(&self.settings).clone();
        Ok([found(player)?, found(&self.opponent)?])
    }

    /// The name of the task of a player's pair of this number.
    pub(super) fn task_name(&self, player: &StagePlayer<P>, number: u64) -> String {
        format!("{}/{} - {}/{number:04}", self.name, player.name, self.opponent.name)
    }

    /// The opening of the pairs of this number: all players of a stage begin from the same ones. Openings that are about even take
    /// milliseconds to find.
    fn find_opening(&self, number: u64, seed: Seed) -> Vec<Move> {
        let openings: Openings = match self.opening_moves {
            0 => Openings::Empty,
            moves => Openings::Random(moves),
        };
        openings.opening_for_pair(number, &self.settings, seed.child_seed("openings", 0))
    }

    /// A match of a single pair. The seeds of a stage's players differ.
    fn plan_pair(
        &self,
        player: &StagePlayer<P>,
        number: u64,
        opening: &[Move],
        seed: Seed,
    ) -> Option<MatchPlan> {
        let contestants = self.contestants(player).ok()?;
        let seed = seed.child_seed(&format!("{} - {}", player.name, self.opponent.name), number);
        let openings = Openings::List(vec![opening.to_vec()]);
        Some(plan_one_pair(contestants, &self.settings, openings, seed))
    }
}

/// All stages of an experiment, and their pairs.
pub(super) struct PairCampaign<P = ()> {
    pub(super) stages: Vec<PairStage<P>>,
    seed: Seed,
    /// All pairs to be played, by name, in their order.
    plans: OnceLock<Vec<(String, MatchPlan)>>,
}

impl<P> PairCampaign<P> {
    /// No program is started yet.
    pub(super) fn new(stages: Vec<PairStage<P>>, seed: Seed) -> PairCampaign<P> {
        PairCampaign { stages, seed: seed.child_seed("games", 0), plans: OnceLock::new() }
    }

    /// Players that do not play, and why; each program once for each stage.
    pub(super) fn list_skipped(&self) -> Vec<String> {
        let absent = |stage: &PairStage<P>| -> Vec<String> {
            stage.sides().filter_map(|side| side.describe_absence(&stage.name, &stage.settings)).collect()
        };
        self.stages.iter().flat_map(absent).collect()
    }

    /// The programs that play.
    pub(super) fn programs(&self) -> Vec<EngineCommand> {
        self.stages.iter().flat_map(PairStage::sides).filter_map(StagePlayer::program).collect()
    }

    /// In rounds over all stages, and in each stage pair by pair over its players: what is there early is balanced.
    fn pair_plans(&self) -> &[(String, MatchPlan)] {
        self.plans.get_or_init(|| {
            let rounds = |stage: &PairStage<P>| stage.most_pairs().div_ceil(stage.pairs_a_round);
            let most = self.stages.iter().map(rounds).max().unwrap_or(0);
            let mut plans = Vec::new();
            for round in 0..most {
                for stage in &self.stages {
                    let first = round * stage.pairs_a_round;
                    for number in first..first + stage.pairs_a_round {
                        self.add_pairs(stage, number, &mut plans);
                    }
                }
            }
            plans
        })
    }

    /// The pair of this number of each player that has so many.
    fn add_pairs(&self, stage: &PairStage<P>, number: u64, plans: &mut Vec<(String, MatchPlan)>) {
        if number >= stage.most_pairs() {
            return;
        }
        let seed = self.seed.child_seed(&stage.name, 0);
        let opening = stage.find_opening(number, seed);
        for player in stage.players.iter().filter(|player| number < player.pairs) {
            let plan = stage.plan_pair(player, number, &opening, seed);
            plans.extend(plan.map(|plan| (stage.task_name(player, number), plan)));
        }
    }

    /// How many pairs there are, without looking for their openings.
    pub(super) fn pair_count(&self) -> usize {
        let pairs = |stage: &PairStage<P>| -> u64 {
            let playing = stage.players.iter().filter(|player| stage.contestants(player).is_ok());
            playing.map(|player| player.pairs).sum()
        };
        self.stages.iter().map(pairs).sum::<u64>() as usize
    }

    pub(super) fn tasks(&self) -> Vec<ExperimentTask> {
        pair_tasks(self.pair_plans())
    }

    /// As [`play_pair`].
    pub(super) fn play_pair(
        &self,
        task: &ExperimentTask,
        stop: &StopFlag,
    ) -> Result<Option<(TaskOutput, PairRecord)>, LabError> {
        play_pair(self.pair_plans(), task, stop)
    }
}

/// The program that a player is, if it is one.
pub(super) fn find_program(spec: &PlayerSpec) -> Option<EngineCommand> {
    match spec {
        PlayerSpec::External(command) => Some(command.clone()),
        PlayerSpec::Builtin(_) => None,
    }
}

/// Who won the games of a kept pair.
#[derive(Deserialize)]
pub(super) struct PairOutcome {
    pub(super) games: [GameOutcome; 2],
}

/// A game: who was Black (`a` or `b`), and the result as SGF has it.
#[derive(Deserialize)]
pub(super) struct GameOutcome {
    pub(super) black: String,
    pub(super) result: String,
}

/// How a game with this result, as SGF has it, ended for the player of a colour: 0 for a win, 1 for a draw, 2 for a loss.
pub(super) fn outcome_for(color: Color, result: &str) -> usize {
    match result.chars().next() {
        Some(letter) if letter == color.letter() => 0,
        Some('B' | 'W') => 2,
        _ => 1,
    }
}

/// How a pair ended.
pub(super) fn describe_pair(task: &ExperimentTask, result: &Value) -> Option<String> {
    let [first, second] = PairOutcome::deserialize(result).ok()?.games.map(|game| game.result);
    Some(format!("{}: {first}, {second}", task.name))
}

/// The settings of matches by Chinese rules on a square board with so many lines.
pub(super) fn read_settings(
    source: &TomlSource,
    (side, lines): (&Spanned<usize>, RangeInclusive<usize>),
    komi: &Spanned<f64>,
    handicap: usize,
) -> Result<GoMatchSettings, SourceError> {
    let what = format!("a board must have {} to {} lines", lines.start(), lines.end());
    let size = BoardSize::square(source.check_range(side, lines, &what)?);
    let size = size.map_err(|e| source.value_error(side, CodedMessage::from_error(e)))?;
    let settings = GoMatchSettings {
        rules: Rules::CHINESE,
        komi: *komi.get_ref(),
        handicap,
        ..GoMatchSettings::for_board(size)
    };
    settings.start_position().map_err(|e| source.error_at(Some(komi.span()), e))?;
    Ok(settings)
}

/// The moves of openings, which fill a quarter of the board at most.
pub(super) fn read_opening_moves(
    source: &TomlSource,
    moves: &Spanned<usize>,
    settings: &GoMatchSettings,
) -> Result<usize, SourceError> {
    let most = settings.size.area() / 4;
    source.check_range(moves, 0..=most, &format!("openings on this board must have 0 to {most} moves"))
}

/// A match of a single pair.
pub(super) fn plan_one_pair(
    contestants: [Contestant; 2],
    settings: &GoMatchSettings,
    openings: Openings,
    seed: Seed,
) -> MatchPlan {
    // The results that reports keep were counted so.
    let (settings, referee) = (settings.clone(), RefereeSpec::Playouts);
    MatchPlan { contestants, settings, referee, openings, pairs: 1, seed, sprt: None }
}

/// A task for each plan of one pair, under its name.
pub(super) fn pair_tasks(plans: &[(String, MatchPlan)]) -> Vec<ExperimentTask> {
    let task = |(name, plan): &(String, MatchPlan)| ExperimentTask {
        name: name.clone(),
        work: store::pair_task(&plan.pair_task(0)),
        alone: false,
        after: None,
    };
    plans.iter().map(task).collect()
}

/// Has a match pause between its moves: a pause within a move would count as time that a player thought.
struct PauseBetweenMoves<'a>(&'a StopFlag);

impl<G: MatchGame> MatchObserver<G> for PauseBetweenMoves<'_> {
    fn wants_moves(&self) -> bool {
        true
    }

    fn on_move(&mut self, _: u64, _: usize, _: &G::Position) {
        // Whoever asks waits. The match itself hears of a stop.
        let _ = self.0.is_requested();
    }
}

/// Plays the pair that the task names; none if it was broken off.
pub(super) fn play_pair(
    plans: &[(String, MatchPlan)],
    task: &ExperimentTask,
    stop: &StopFlag,
) -> Result<Option<(TaskOutput, PairRecord)>, LabError> {
    let failed = |error: String| task.failure(error);
    let wanted = plans.iter().find(|(name, _)| *name == task.name);
    let (_, plan) = wanted.ok_or_else(|| failed("no such pair in this experiment".into()))?;
    let mut observer = PauseBetweenMoves(stop);
    let run = MatchRun { threads: 1, stop: stop.without_pause(), observer: &mut observer };
    let outcome = ishi_arena::play_match(plan, &mut MemoryJournal::default(), run)
        .map_err(|e| failed(e.to_string()))?;
    // A match that was broken off has no pair.
    let Some(record) = outcome.pairs.into_iter().next() else { return Ok(None) };
    let kept = store::pair_result(&plan.pair_task(0), &record, "");
    let mut cost = kept.cost;
    cost.cpu_seconds += program_thinking_seconds(plan, &record);
    Ok(Some((TaskOutput { result: kept.result, games: kept.games, cost: Some(cost) }, record)))
}

/// The time that programs took for their moves: their processor time is not known, and is about that.
fn program_thinking_seconds(plan: &MatchPlan, record: &PairRecord) -> f64 {
    let mut seconds = 0.0;
    for game in &record.games {
        for color in Color::ALL {
            let contestant = &plan.contestants[game.contestant(color)];
            if matches!(contestant.spec, PlayerSpec::External(_)) {
                seconds += game.time[color.index()].seconds;
            }
        }
    }
    seconds
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A pair of a player that searches, and so asks whether to stop many times a move.
    fn plan_pair() -> MatchPlan {
        let settings = GoMatchSettings::for_board(BoardSize::new(5, 5).unwrap());
        let contestant = |spec: &str| Contestant::try_out(None, &spec.parse().unwrap(), &settings).unwrap();
        MatchPlan {
            contestants: [contestant("go-flat:playouts=30"), contestant("go-random")],
            referee: RefereeSpec::Playouts,
            openings: Openings::Empty,
            pairs: 1,
            seed: Seed::new(7),
            sprt: None,
            settings,
        }
    }

    #[test]
    fn a_pair_pauses_before_every_move_and_never_within_one() {
        let plans = [("pair".to_string(), plan_pair())];
        let task = &pair_tasks(&plans)[0];
        let pauses = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&pauses);
        let stop = StopFlag::default().with_pause(move || _ = counted.fetch_add(1, Ordering::SeqCst));
        let (_, record) = play_pair(&plans, task, &stop).unwrap().unwrap();
        // The last position of a game is seen, too.
        let positions: usize = record.games.iter().map(|game| game.moves.len() + 1).sum();
        assert_eq!(pauses.load(Ordering::SeqCst), positions);
        stop.request();
        assert!(play_pair(&plans, task, &stop).unwrap().is_none());
    }
}
