//! Pairs of games as tasks, for the kinds that play matches.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use ishi_arena::process::EngineCommand;
use ishi_arena::{
    Contestant, GoMatchSettings, MatchGame, MatchObserver, MatchPlan, MatchRun, MemoryJournal, Openings,
    PairRecord, PlayerError, PlayerSpec, RefereeSpec,
};
use ishi_go::{BoardSize, Color, Rules};
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
pub(super) struct StagePlayer {
    /// Its name there.
    pub(super) name: String,
    spec: PlayerSpec,
    found: OnceLock<Result<Contestant, String>>,
}

impl StagePlayer {
    /// A built-in player, which must be able to play under the settings, or the command line of a program that speaks GTP.
    pub(super) fn read(
        source: &TomlSource,
        name: String,
        text: &Spanned<String>,
        settings: &GoMatchSettings,
    ) -> Result<StagePlayer, SourceError> {
        let is_program = text.get_ref().contains([' ', '/']) || text.get_ref().starts_with("gtp:");
        let spec = if is_program {
            parse_program_spec(text.get_ref()).map_err(|error| source.value_error(text, error))?
        } else {
            text.get_ref()
                .parse()
                .map_err(|e: PlayerError| source.value_error(text, CodedMessage::from_error(e)))?
        };
        let player = StagePlayer { name, spec, found: OnceLock::new() };
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
    let (settings, referee) = (settings.clone(), RefereeSpec::default());
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
