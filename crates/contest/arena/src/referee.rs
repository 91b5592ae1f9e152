//! Who says which stones are dead when a game of Go has ended by passes.
//!
//! The count itself is always ours ([`Position::final_score`]); only a program that cannot name dead stones is asked for
//! the score.

use std::fmt;
use std::time::Duration;

use ishi_engine::Go;
use ishi_go::{Color, Point, Position, Score};
use ishi_go_play::judge;
use ishi_gtp::{FinalScore, StoneStatus};
use ishi_rng::Seed;
use ishi_work::StopFlag;

use crate::external::Program;
use crate::games::{GameJudge, GameVerdict, MatchGame};
use crate::player::PlayerFault;
use crate::process::EngineCommand;
use crate::record::result_from_score;
use crate::settings::GoMatchSettings;

/// Who settles dead stones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RefereeSpec {
    /// Random playouts ([`judge::find_dead_stones`]): right where players play on until all is settled.
    #[default]
    Playouts,
    /// A program, asked for `final_status_list dead`, or for `final_score` if it has no such list.
    Program {
        /// What is started.
        command: EngineCommand,
        /// The contents of its files, as a [`Contestant`](crate::Contestant) has them; empty where they are not known.
        files: String,
    },
}

impl RefereeSpec {
    /// The program, if it is one.
    pub fn command(&self) -> Option<&EngineCommand> {
        match self {
            RefereeSpec::Playouts => None,
            RefereeSpec::Program { command, .. } => Some(command),
        }
    }
}

/// `playouts`, or the command line. `{:#}` adds the contents of its files, where these are known.
impl fmt::Display for RefereeSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefereeSpec::Playouts => f.write_str("playouts"),
            RefereeSpec::Program { command, files } if f.alternate() && !files.is_empty() => {
                write!(f, "{command} ({files})")
            }
            RefereeSpec::Program { command, .. } => command.fmt(f),
        }
    }
}

/// A referee at work; it keeps its program for the next game.
pub(crate) struct Referee {
    spec: RefereeSpec,
    engine: Option<Program>,
}

impl Referee {
    pub(crate) fn new(spec: RefereeSpec) -> Referee {
        Referee { spec, engine: None }
    }
}

impl GameJudge<Go> for Referee {
    /// Counts a position. If the program fails, playouts decide and the verdict says so.
    fn decide_result(&mut self, settings: &GoMatchSettings, position: &Position, seed: Seed) -> GameVerdict {
        let Some(command) = self.spec.command() else { return judge_by_playouts(position, seed) };
        let engine = match self.engine.take() {
            Some(engine) => Ok(engine),
            None => Program::start(command, settings.timeout),
        };
        let asked = engine.and_then(|mut engine| {
            let score = ask_score(&mut engine, settings, position, seed)?;
            Ok((engine, score))
        });
        match asked {
            Ok((engine, score)) => {
                self.engine = Some(engine);
                GameVerdict::from_result(result_from_score(score))
            }
            Err(fault) => GameVerdict {
                note: format!("the referee failed, playouts decided instead: {}", fault.message),
                transcript: fault.transcript,
                ..judge_by_playouts(position, seed)
            },
        }
    }
}

impl Drop for Referee {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.client.into_connection().stop();
        }
    }
}

/// Starts the program and has it settle an empty board. It is not waited for any more once `stop` is raised.
///
/// # Errors
/// If it cannot be started, or cannot referee such games, and if `stop` is raised before it has answered.
pub fn check_referee(
    spec: &RefereeSpec,
    settings: &GoMatchSettings,
    stop: &StopFlag,
) -> Result<(), PlayerFault> {
    let Some(command) = spec.command() else { return Ok(()) };
    let mut engine = Program::start_until(command, settings.timeout, stop)?;
    let refused =
        |message| PlayerFault { kind: crate::PlayerFaultKind::Refused, message, transcript: Vec::new() };
    let position = settings.start_position().map_err(refused)?;
    ask_score(&mut engine, settings, &position, Seed::new(0))?;
    engine.client.into_connection().stop();
    Ok(())
}

fn judge_by_playouts(position: &Position, seed: Seed) -> GameVerdict {
    let dead = judge::find_dead_stones(position, judge::DEFAULT_PLAYOUTS, seed);
    // The judge names stones of the board only.
    GameVerdict::from_result(result_from_score(position.final_score(&dead).unwrap_or(Score(0.0))))
}

/// Replays the game to the program and has it settle it.
fn ask_score(
    engine: &mut Program,
    settings: &GoMatchSettings,
    position: &Position,
    seed: Seed,
) -> Result<Score, PlayerFault> {
    // The clock is not for referees.
    let untimed = GoMatchSettings { time: Default::default(), ..settings.clone() };
    Go::set_up_program(engine, &untimed, position, seed)?;
    for &(color, mv) in position.moves() {
        engine.client.play(color, mv).map_err(|error| engine.fault_from_error(&error))?;
    }
    engine.client.set_limit(Some(settings.timeout.max(Duration::from_secs(60))));
    if !engine.lists_command("final_status_list") {
        let score = engine.client.final_score().map_err(|error| engine.fault_from_error(&error))?;
        return Ok(score_from_final(score));
    }
    let dead = engine
        .client
        .final_status_list(StoneStatus::Dead)
        .map_err(|error| engine.fault_from_error(&error))?;
    let dead: Vec<Point> =
        dead.into_iter().filter(|&point| position.board().color(point).is_some()).collect();
    // Every point has a stone now.
    Ok(position.final_score(&dead).unwrap_or(Score(0.0)))
}

fn score_from_final(score: FinalScore) -> Score {
    match score {
        FinalScore::Win(Color::Black, points) => Score(points),
        FinalScore::Win(Color::White, points) => Score(-points),
        FinalScore::Draw => Score(0.0),
    }
}
