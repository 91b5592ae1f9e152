//! A player at the end of a GTP line: the game it keeps, its clock, and all commands.
//!
//! The session is as pure as the engines it drives: time, files and the processor's clock come from a [`Host`], bytes
//! come and go through [`ishi_gtp::serve_commands`]. docs/protocols.md documents every command; a test holds that page, the table of
//! commands and their behaviour together.
//!
//! Sources: GTP 2 draft 2 (Farnebäck 2002); GNU Go 3.8 for `reg_genmove`, `restricted_genmove`, `list_stones` and
//! their like; kgsGtp's page for `kgs-*`; the GoGui manual for `gogui-*`; Leela Zero 0.17 for `lz-*`; KataGo's
//! docs/GTP_Extensions.md for `kata-*`; Sabaki's guide for engine developers for `analyze`.

mod admin;
mod analysis;
mod analyze;
mod board;
mod clock;
mod explain;
mod generate;
mod reading;
mod record;
mod rules;
mod scoring;
mod spectators;
mod table;
mod think;

use ishi_go::{BoardSize, Color, KomiError, Position, Rules};
use ishi_gtp::{CommandExchange, CommandHandler, GtpAnswer, GtpCommand, InputListener};
use ishi_rng::Seed;
use ishi_sgf::GoGame;
use ishi_words::Language;

use crate::tactics::Tactics;
use ishi_engine::Engine;
use ishi_engine::clock::GameClock;
use ishi_engine::session::args::CommandArgs;
use ishi_engine::session::{CommandAnswer, CommandInfo, CommandRefusal, Host, failure_text};

pub use table::all_commands;

/// How a session starts.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionSettings {
    /// The board.
    pub size: BoardSize,
    /// Points for White; `None`: what the rules have as default.
    pub komi: Option<f64>,
    /// The rules.
    pub rules: Rules,
    /// Everything random follows from it.
    pub seed: Seed,
    /// What `name` answers; `None`: `ishi` and the engine's name.
    pub name: Option<String>,
    /// What `version` answers.
    pub version: String,
    /// Playouts that judge which stones are dead.
    pub judge_playouts: u32,
    /// In which language those who look on hear of each move that is generated; nothing is told to them if not set.
    pub spectators: Option<Language>,
}

impl Default for SessionSettings {
    /// 19x19, Chinese rules.
    fn default() -> Self {
        SessionSettings {
            size: BoardSize::square(19).expect("19 lines are allowed"),
            komi: None,
            rules: Rules::CHINESE,
            seed: Seed::new(1),
            name: None,
            version: env!("CARGO_PKG_VERSION").to_string(),
            judge_playouts: crate::judge::DEFAULT_PLAYOUTS,
            spectators: None,
        }
    }
}

/// A game with one engine, as a [`CommandHandler`] of GTP commands.
///
/// ```
/// use ishi_engine::session::NoHost;
/// use ishi_go_play::session::{Session, SessionSettings};
/// use ishi_go_play::catalog;
/// use ishi_gtp::{Inbox, serve_commands};
/// use ishi_rng::Seed;
///
/// let engine = catalog::create_go_player("go-random", Seed::new(1)).unwrap();
/// let mut session = Session::new(engine, Box::new(NoHost), SessionSettings::default()).unwrap();
/// let mut output = Vec::new();
/// let script = b"1 boardsize 9\n2 play B e5\n3 play w E5\n";
/// serve_commands(&mut session, &mut Inbox::from_script(script), &mut output).unwrap();
/// let answers = "=1\n\n=2\n\n?3 illegal move\nwhite E5: a black stone stands there\n\n";
/// assert_eq!(String::from_utf8(output).unwrap(), answers);
/// ```
pub struct Session {
    engine: Box<dyn Engine>,
    host: Box<dyn Host>,
    settings: SessionSettings,
    position: Position,
    /// The record that the position comes from.
    record: Option<LoadedRecord>,
    /// Who has given up, if that was the last thing that happened.
    resigned: Option<Color>,
    clocks: [GameClock; 2],
    finished: bool,
    /// Answers questions of tactics, once it has been asked.
    tactics: Option<Box<Tactics>>,
    /// Was the last command answered with a move of one's own? Then it is the opponent's turn, and time to ponder.
    moved: bool,
}

/// A record that was loaded, so that undo can go back beyond its set-ups.
#[derive(Clone, Debug)]
struct LoadedRecord {
    game: GoGame,
    /// Moves of the record that are not in the position's own history.
    moves_before: usize,
}

/// A command in work.
struct SessionCall<'a, 'b> {
    args: CommandArgs<'a>,
    exchange: &'a mut CommandExchange<'b>,
}

impl Session {
    /// A session with an empty board.
    ///
    /// # Errors
    /// If komi is not a finite number.
    pub fn new(
        mut engine: Box<dyn Engine>,
        host: Box<dyn Host>,
        settings: SessionSettings,
    ) -> Result<Session, KomiError> {
        engine.set_seed(settings.seed);
        let mut position = Position::new(settings.size, settings.rules);
        if let Some(komi) = settings.komi {
            position.set_komi(komi)?;
        }
        Ok(Session {
            engine,
            host,
            settings,
            position,
            record: None,
            resigned: None,
            clocks: Default::default(),
            finished: false,
            tactics: None,
            moved: false,
        })
    }

    /// The game as it stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Starts again on an empty board; rules, komi and time settings stay.
    fn restart_game(&mut self, size: BoardSize) {
        let mut fresh = Position::new(size, *self.position.rules());
        // The komi of a position is finite.
        let _ = fresh.set_komi(self.position.komi());
        self.replace_position(fresh);
        self.clocks.iter_mut().for_each(GameClock::restart);
    }

    /// Another game, or another place in it.
    fn replace_position(&mut self, position: Position) {
        self.position = position;
        self.record = None;
        self.resigned = None;
    }

    fn answer_command(&mut self, command: &GtpCommand, exchange: &mut CommandExchange<'_>) -> CommandAnswer {
        if command.name.is_empty() {
            return Err("syntax error: no command after the id; list_commands lists them".into());
        }
        let entry = table::find_command(&command.name).ok_or_else(|| unknown_command(&command.name))?;
        let mut call = SessionCall { args: CommandArgs::new(command, entry.usage), exchange };
        (entry.run)(self, &mut call)
    }
}

fn unknown_command(name: &str) -> CommandRefusal {
    let known = table::all_commands();
    let same =
        |known: &CommandInfo| known.name.replace('-', "_").eq_ignore_ascii_case(&name.replace('-', "_"));
    match known.into_iter().find(same) {
        Some(known) => format!("unknown command {name:?}: did you mean {}?", known.name).into(),
        None => format!("unknown command {name:?}: list_commands lists those there are").into(),
    }
}

impl CommandHandler for Session {
    fn handle_command(&mut self, command: &GtpCommand, exchange: &mut CommandExchange<'_>) -> GtpAnswer {
        self.moved = false;
        match self.answer_command(command, exchange) {
            Ok(text) => GtpAnswer::success(text),
            Err(CommandRefusal(reason)) => GtpAnswer::failure(failure_text(reason)),
        }
    }

    fn is_finished(&self) -> bool {
        self.finished
    }

    fn on_idle(&mut self, listener: InputListener<'_>) {
        self.ponder_until_input(listener);
    }
}
