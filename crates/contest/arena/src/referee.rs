//! Who says which stones are dead when a game of Go has ended by passes.
//!
//! The count itself is always ours ([`FinalStatus::count_score`]); only a program that cannot name dead stones is asked for
//! the score.

use std::fmt;
use std::time::Duration;

use ishi_engine::Go;
use ishi_go::{Color, Point, Position, Score, Scoring};
use ishi_go_play::judge::{self, FinalStatus};
use ishi_gtp::{FinalScore, StoneStatus};
use ishi_rng::Seed;
use ishi_work::StopFlag;

use crate::external::Program;
use crate::games::{GameJudge, GameVerdict, MatchGame};
use crate::player::{PlayerFault, PlayerFaultKind};
use crate::process::EngineCommand;
use crate::record::result_from_score;
use crate::settings::GoMatchSettings;

/// Who settles dead stones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RefereeSpec {
    /// Random playouts, corrected by reading ([`judge::judge_by_playouts`]): stones that are proved to stand are alive, in seki or not.
    #[default]
    Reading,
    /// Random playouts alone ([`judge::find_dead_stones`]): right where players play on until all is settled. Experiments have it, whose kept results
    /// were counted so.
    Playouts,
    /// A program, asked for `final_status_list dead`, or for `final_score` if it has no such list. Where territory counts, it is asked for
    /// `final_status_list seki`, too.
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
            RefereeSpec::Reading | RefereeSpec::Playouts => None,
            RefereeSpec::Program { command, .. } => Some(command),
        }
    }
}

/// `reading`, `playouts`, or the command line. `{:#}` adds the contents of its files, where these are known.
impl fmt::Display for RefereeSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefereeSpec::Reading => f.write_str("reading"),
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
    /// Counts a position. If the program fails, ishi decides by playouts and reading, and the verdict says so.
    fn decide_result(&mut self, settings: &GoMatchSettings, position: &Position, seed: Seed) -> GameVerdict {
        let Some(command) = self.spec.command() else {
            return decide_by_playouts(&self.spec, position, seed);
        };
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
                note: format!("the referee failed, ishi decided instead: {}", fault.message),
                transcript: fault.transcript,
                ..decide_by_playouts(&RefereeSpec::Reading, position, seed)
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

fn decide_by_playouts(spec: &RefereeSpec, position: &Position, seed: Seed) -> GameVerdict {
    let playouts = judge::DEFAULT_PLAYOUTS;
    let status = match spec {
        RefereeSpec::Playouts => {
            FinalStatus { dead: judge::find_dead_stones(position, playouts, seed), seki: Vec::new() }
        }
        _ => judge::judge_by_playouts(position, playouts, seed),
    };
    GameVerdict::from_result(result_from_score(count_score(&status, position)))
}

/// Of stones of the board only.
fn count_score(status: &FinalStatus, position: &Position) -> Score {
    status.count_score(position).unwrap_or(Score(0.0))
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
    let dead = ask_stones(engine, position, StoneStatus::Dead)?;
    let seki = if asks_for_seki(settings) { ask_seki(engine, position)? } else { Vec::new() };
    Ok(count_score(&FinalStatus { dead, seki }, position))
}

/// Points beside a seki are left out only where territory counts.
pub(crate) fn asks_for_seki(settings: &GoMatchSettings) -> bool {
    settings.rules.scoring == Scoring::Territory
}

/// The stones of the board that are of this status.
fn ask_stones(
    engine: &mut Program,
    position: &Position,
    status: StoneStatus,
) -> Result<Vec<Point>, PlayerFault> {
    let stones = engine.client.final_status_list(status).map_err(|error| engine.fault_from_error(&error))?;
    Ok(stones.into_iter().filter(|&point| position.board().color(point).is_some()).collect())
}

/// The stones in seki; none, if the program refuses the question: some know dead stones alone.
fn ask_seki(engine: &mut Program, position: &Position) -> Result<Vec<Point>, PlayerFault> {
    match ask_stones(engine, position, StoneStatus::Seki) {
        Err(fault) if fault.kind == PlayerFaultKind::Refused => Ok(Vec::new()),
        answer => answer,
    }
}

fn score_from_final(score: FinalScore) -> Score {
    match score {
        FinalScore::Win(Color::Black, points) => Score(points),
        FinalScore::Win(Color::White, points) => Score(-points),
        FinalScore::Draw => Score(0.0),
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Diagram, Rules};

    use super::*;

    /// Four times White's five stones stand in seki with Black's beside them. White has two eyes, and Black all the rest.
    fn four_sekis() -> Position {
        let diagram: Diagram = include_str!("../../../go/rules/tests/data/four-sekis.txt").parse().unwrap();
        diagram.to_position(Rules::JAPANESE, Color::Black).unwrap()
    }

    /// 176 points of Black's against two of White's and komi. Playouts alone break one of the sekis with most seeds: that seed is asked again with reading.
    /// Where few sekis are left, playouts pass rather than break them, so that a small board would show nothing.
    #[test]
    fn a_seki_stands_at_the_end_of_a_match() {
        let position = four_sekis();
        let settings =
            GoMatchSettings { rules: Rules::JAPANESE, ..GoMatchSettings::for_board(position.size()) };
        let komi = position.komi();
        let score = |spec: RefereeSpec, seed| {
            Referee::new(spec).decide_result(&settings, &position, Seed::new(seed)).result
        };
        let truth = result_from_score(Score(174.0 - komi));
        let broken = (0..4).find(|&seed| score(RefereeSpec::Playouts, seed) != truth);
        let seed = broken.expect("playouts break a seki with one of these seeds");
        assert_eq!(score(RefereeSpec::default(), seed), truth, "seed {seed}");
    }

    #[test]
    fn programs_are_asked_for_sekis_where_territory_counts() {
        let size = BoardSize::square(9).unwrap();
        let settings = |rules| GoMatchSettings { rules, ..GoMatchSettings::for_board(size) };
        assert!(asks_for_seki(&settings(Rules::JAPANESE)));
        assert!(!asks_for_seki(&settings(Rules::CHINESE)));
        // So a pair is another task there, and results of older versions are not taken for it.
        let program =
            RefereeSpec::Program { command: "gnugo --mode gtp".parse().unwrap(), files: String::new() };
        let describe = |referee: &RefereeSpec, rules| Go::describe_referee(referee, &settings(rules));
        assert_eq!(describe(&program, Rules::JAPANESE), "gnugo --mode gtp, asked for sekis");
        assert_eq!(describe(&program, Rules::CHINESE), "gnugo --mode gtp");
        assert_eq!(describe(&RefereeSpec::default(), Rules::JAPANESE), "reading");
    }
}
