//! Players that are programs: GTP commands to an [`EngineProcess`].
//!
//! A program that fails is ended at once and started afresh for the next game.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use ishi_engine::EngineAction;
use ishi_engine::clock::TimeControl;
use ishi_engine::time::{TimeLeft, TimeSystem};
use ishi_go::Color;
use ishi_gtp::{ClientError, GtpClient};
use ishi_rng::Seed;
use ishi_words::collapse_whitespace;
use ishi_work::{Stop, StopFlag};

use crate::games::{MatchGame, MatchSettings};
use crate::player::{MatchPlayer, NewGame, PlayerFault, PlayerFaultKind, PlayerTurn};
use crate::process::{EngineCommand, EngineProcess, ProcessError, ProcessOptions};

type EngineError = ClientError<ProcessError>;

/// Lines of transcript that a fault carries.
const TRANSCRIPT_LINES: usize = 400;

/// Seeds are told to programs as 31-bit numbers, which all of them can hold.
const SEED_BITS: u32 = 31;

/// What a program calls itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProgramIdentity {
    /// `GNU Go`.
    pub(crate) name: String,
    /// `3.8`; may be empty.
    pub(crate) version: String,
}

impl fmt::Display for ProgramIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.version.is_empty() { Ok(()) } else { write!(f, " {}", self.version) }
    }
}

/// Starts the program, asks who it is and sets up a game.
pub(crate) fn identify_program<S: MatchSettings>(
    command: &EngineCommand,
    settings: &S,
    stop: &StopFlag,
) -> Result<ProgramIdentity, PlayerFault> {
    let mut engine = Program::start_until(command, settings.answer_timeout(), stop)?;
    let name = engine.ask("name")?;
    // Only the name is worth failing for.
    let version = engine.client.version().unwrap_or_default();
    let position = settings.start_position().map_err(|message| engine.create_refusal(message))?;
    S::Game::set_up_program(&mut engine, settings, &position, Seed::new(0))?;
    engine.set_time_control(settings.time_control())?;
    let name = Some(collapse_whitespace(&name))
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| command.program.clone());
    Ok(ProgramIdentity { name, version: collapse_whitespace(&version) })
}

/// A running program and what it can do.
pub struct Program {
    pub(crate) client: GtpClient<EngineProcess>,
    commands: BTreeSet<String>,
    /// It was told of byo-yomi as of Canadian overtime with one stone, the nearest that GTP 2 has.
    byoyomi_as_canadian: bool,
}

impl Program {
    /// Starts the program; every answer is then wanted within `timeout`.
    pub(crate) fn start(command: &EngineCommand, timeout: Duration) -> Result<Program, PlayerFault> {
        Program::start_until(command, timeout, &StopFlag::default())
    }

    /// The same, where no answer is awaited any more once `stop` is raised.
    pub(crate) fn start_until(
        command: &EngineCommand,
        timeout: Duration,
        stop: &StopFlag,
    ) -> Result<Program, PlayerFault> {
        let mut client =
            EngineProcess::start_client(command, ProcessOptions::default()).map_err(|error| PlayerFault {
                kind: PlayerFaultKind::Crash,
                message: error.to_string(),
                transcript: Vec::new(),
            })?;
        client.connection_mut().share_stop_flag(stop.clone());
        client.set_limit(Some(timeout));
        let mut engine = Program { client, commands: BTreeSet::new(), byoyomi_as_canadian: false };
        engine.commands = engine.client.list_commands().map_err(|error| engine.fault_from_error(&error))?;
        Ok(engine)
    }

    /// Does the program list this command?
    pub(crate) fn lists_command(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// Sends a command that must be understood.
    pub(crate) fn ask(&mut self, command: &str) -> Result<String, PlayerFault> {
        self.client.send_command(command).map_err(|error| self.fault_from_error(&error))
    }

    /// Sends a command if the program lists it, and does not mind if it is refused.
    pub(crate) fn offer_command(&mut self, name: &str, arguments: &str) -> Result<bool, PlayerFault> {
        if !self.lists_command(name) {
            return Ok(false);
        }
        match self.client.send_command(&format!("{name} {arguments}")) {
            Ok(_) => Ok(true),
            Err(ClientError::Refused { .. }) => Ok(false),
            Err(error) => Err(self.fault_from_error(&error)),
        }
    }

    /// Makes a program that is random repeatable, if it lists the command for it.
    pub(crate) fn set_seed(&mut self, seed: Seed) -> Result<(), PlayerFault> {
        self.offer_command("set_random_seed", &(seed.value() & ((1 << SEED_BITS) - 1)).to_string()).map(drop)
    }

    /// Tells the clock in the richest words the program knows; what GTP 2 cannot say is told by `time_left` only.
    pub(crate) fn set_time_control(&mut self, time: &TimeControl) -> Result<(), PlayerFault> {
        let seconds = |time: Duration| time.as_secs();
        self.byoyomi_as_canadian = false;
        let plain = match time.system {
            TimeSystem::None => return Ok(()),
            TimeSystem::Absolute { main } => format!("{} 0 0", seconds(main)),
            TimeSystem::Canadian { main, period, stones } => {
                format!("{} {} {stones}", seconds(main), seconds(period))
            }
            TimeSystem::Byoyomi { main, period, periods } => {
                let (main, period) = (seconds(main), seconds(period));
                if self.offer_command("kgs-time_settings", &format!("byoyomi {main} {period} {periods}"))? {
                    return Ok(());
                }
                self.byoyomi_as_canadian = true;
                format!("{main} {period} 1")
            }
            TimeSystem::Fischer { main, increment } => {
                let (main, increment) = (seconds(main), seconds(increment));
                if self.offer_command("kata-time_settings", &format!("fischer {main} {increment}"))? {
                    return Ok(());
                }
                format!("{main} 0 0")
            }
        };
        self.offer_command("time_settings", &plain).map(drop)
    }

    /// Tells what a player has left, in the words that the clock was told in.
    fn send_time_left(&mut self, color: Color, left: TimeLeft) -> Result<(), PlayerFault> {
        let stones = if self.byoyomi_as_canadian { left.stones.min(1) } else { left.stones };
        self.offer_command("time_left", &format!("{color} {} {stones}", left.time.as_secs())).map(drop)
    }

    /// What went wrong in the conversation, with its last lines.
    pub(crate) fn fault_from_error(&self, error: &EngineError) -> PlayerFault {
        let kind = match error {
            ClientError::Refused { .. } => PlayerFaultKind::Refused,
            ClientError::Unusable { .. } | ClientError::Command { .. } => PlayerFaultKind::Garbage,
            ClientError::Connection { error: ProcessError::TimedOut { .. }, .. } => PlayerFaultKind::Timeout,
            ClientError::Ended { .. } | ClientError::Connection { .. } => PlayerFaultKind::Crash,
        };
        self.create_fault(kind, error.to_string())
    }

    fn create_fault(&self, kind: PlayerFaultKind, message: String) -> PlayerFault {
        PlayerFault { kind, message, transcript: self.transcript() }
    }

    /// It cannot, or does not want to.
    pub(crate) fn create_refusal(&self, message: String) -> PlayerFault {
        self.create_fault(PlayerFaultKind::Refused, message)
    }

    /// Asks for a move and has it played.
    fn generate_move<G: MatchGame>(
        &mut self,
        settings: &G::Settings,
        color: Color,
    ) -> Result<EngineAction<G>, EngineError> {
        let command = format!("genmove {color}");
        let answer = self.client.send_command(&command)?;
        let text = answer.trim();
        if text.eq_ignore_ascii_case("resign") {
            return Ok(EngineAction::Resign);
        }
        G::parse_move(settings, text).map(EngineAction::Move).map_err(|error| {
            let wanted = format!("a vertex, pass or resign ({error})");
            ClientError::Unusable { command, answer: shorten_answer(&answer), wanted }
        })
    }

    /// The last lines of the conversation and of stderr.
    pub(crate) fn transcript(&self) -> Vec<String> {
        let process = self.client.connection();
        let mut lines = process.transcript();
        lines.drain(..lines.len().saturating_sub(TRANSCRIPT_LINES));
        lines.extend(process.stderr().into_iter().map(|line| format!("stderr: {line}")));
        lines
    }
}

/// Characters of an answer that an error quotes.
const QUOTED: usize = 200;

fn shorten_answer(answer: &str) -> String {
    let short: String = answer.chars().take(QUOTED).collect();
    if short.len() < answer.len() { short + "..." } else { short }
}

/// A player that is a program.
pub(crate) struct ExternalPlayer<G: MatchGame> {
    command: EngineCommand,
    engine: Option<Program>,
    settings: G::Settings,
}

impl<G: MatchGame> ExternalPlayer<G> {
    /// The program is started with the first game.
    pub(crate) fn new(command: EngineCommand) -> ExternalPlayer<G> {
        ExternalPlayer { command, engine: None, settings: G::Settings::default() }
    }

    /// Does something with the running program; if it fails, the program is ended.
    fn with_program<T>(
        &mut self,
        work: impl FnOnce(&mut Program) -> Result<T, PlayerFault>,
    ) -> Result<T, PlayerFault> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => Program::start(&self.command, self.settings.answer_timeout())?,
        };
        let value = work(&mut engine)?;
        self.engine = Some(engine);
        Ok(value)
    }
}

impl<G: MatchGame> MatchPlayer<G> for ExternalPlayer<G> {
    fn begin_game(&mut self, game: &NewGame<'_, G>) -> Result<(), PlayerFault> {
        self.settings = game.settings.clone();
        self.with_program(|engine| {
            engine.client.set_limit(Some(game.settings.answer_timeout()));
            G::set_up_program(engine, game.settings, game.position, game.seed)?;
            engine.set_time_control(game.settings.time_control())
        })
    }

    fn notify_move(&mut self, color: Color, mv: G::Move) -> Result<(), PlayerFault> {
        self.with_program(|engine| match engine.client.send_command(&format!("play {color} {mv}")) {
            Ok(_) => Ok(()),
            Err(ClientError::Refused { .. }) if G::may_refuse(mv) => Ok(()),
            Err(error) => Err(engine.fault_from_error(&error)),
        })
    }

    fn choose_move(
        &mut self,
        _: &G::Position,
        color: Color,
        turn: &PlayerTurn<'_>,
    ) -> Result<EngineAction<G>, PlayerFault> {
        let settings = self.settings.clone();
        self.with_program(|engine| {
            if let Some(left) = turn.clock.time_left() {
                engine.send_time_left(color, left)?;
            }
            engine.client.set_limit(Some(turn.clock.max_move_time().unwrap_or(settings.answer_timeout())));
            let flag = engine.client.connection().stop_flag();
            let generated = run_watched(turn.stop, &flag, || engine.generate_move::<G>(&settings, color));
            let generated = generated.map_err(|error| engine.fault_from_error(&error))?;
            engine.client.set_limit(Some(settings.answer_timeout()));
            Ok(generated)
        })
    }

    fn transcript(&self) -> Vec<String> {
        self.engine.as_ref().map(Program::transcript).unwrap_or_default()
    }
}

/// Does `work`, and raises `flag` as soon as `stop` says so meanwhile.
fn run_watched<T>(stop: &(dyn Stop + Sync), flag: &StopFlag, work: impl FnOnce() -> T) -> T {
    const LOOK: Duration = Duration::from_millis(50);
    let done = StopFlag::default();
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.is_requested() && !flag.is_requested() {
                if stop.is_requested() {
                    flag.request();
                }
                std::thread::park_timeout(LOOK);
            }
        });
        // Also when `work` panics: the scope waits for the watcher.
        let _done = RaiseFlagOnDrop(&done);
        let answer = work();
        done.request();
        watcher.thread().unpark();
        answer
    })
}

/// Raises a flag when it is dropped.
struct RaiseFlagOnDrop<'a>(&'a StopFlag);

impl Drop for RaiseFlagOnDrop<'_> {
    fn drop(&mut self) {
        self.0.request();
    }
}

impl<G: MatchGame> Drop for ExternalPlayer<G> {
    /// A program that behaves is asked to quit; dropping it would end it less politely.
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.client.into_connection().stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an engine that lists these commands is told of a clock, and of three periods or stones that are left.
    fn told(commands: &str, time: &str) -> Vec<String> {
        let list = format!("name {commands}").replace(' ', "\\n");
        let engine = format!(
            r#"sh -c 'while read -r id name rest; do case $name in list_commands) printf "=%s {list}\n\n" "$id" ;; *) printf "=%s\n\n" "$id" ;; esac; done'"#
        );
        let mut engine = Program::start(&engine.parse().unwrap(), Duration::from_secs(20)).unwrap();
        engine.set_time_control(&time.parse().unwrap()).unwrap();
        engine.send_time_left(Color::Black, TimeLeft { time: Duration::from_secs(10), stones: 3 }).unwrap();
        let sent =
            engine.transcript().into_iter().filter(|line| line.starts_with("> ") && line.contains("time_"));
        sent.map(|line| line.split_once("time_").unwrap().1.to_string()).collect()
    }

    #[test]
    fn clocks_are_told_in_words_that_fit_together() {
        let plain = "time_settings time_left";
        let kgs = "time_settings time_left kgs-time_settings";
        let kata = "time_settings time_left kata-time_settings";
        for (commands, time, expected) in [
            (plain, "60", ["settings 60 0 0", "left black 10 3"]),
            (plain, "60+30/25", ["settings 60 30 25", "left black 10 3"]),
            (kgs, "60+10x3", ["settings byoyomi 60 10 3", "left black 10 3"]),
            (plain, "60+10x3", ["settings 60 10 1", "left black 10 1"]),
            (kata, "60+2", ["settings fischer 60 2", "left black 10 3"]),
            (plain, "60+2", ["settings 60 0 0", "left black 10 3"]),
        ] {
            assert_eq!(told(commands, time), expected, "{time} with {commands}");
        }
    }
}
