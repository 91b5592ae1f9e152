//! A player of Othello at the end of a GTP line: the game it keeps, its clock, and all commands.
//!
//! The twin of [`crate::session`], which is for Go: as pure, and with the same arguments, clocks and texts of errors.
//! Passes are what sets Othello apart. A player passes only when there is no legal move, and then must; many
//! programs leave such passes out (Quarry, transcripts), others send them (GoGui), and one answers `pass` to a
//! `genmove` but refuses to be told of one (gtp-rhino). So a forced pass is understood both ways: `play` and `genmove`
//! for the side that is next after a forced pass imply it, and `undo` takes it back together with the move.
//!
//! Sources: GTP 2 draft 2 (Farnebäck 2002); GoGui 1.6, chapters "Rules", "Analyze Commands" and "Setup Commands" of its
//! manual; Quarry 0.2 and GRhino 0.16 for `list_games` and `set_game`.

mod admin;
mod analysis;
mod board;
mod generate;
mod gogui;
mod record;
mod table;
mod text;

use ishi_gtp::{CommandExchange, CommandHandler, GtpAnswer, GtpCommand};
use ishi_othello::{Color, Move, Position};
use ishi_rng::Seed;

use super::coach::CoachReason;
use super::levels::Level;
use super::search::{SearchParams, Searcher};
use ishi_engine::clock::GameClock;
use ishi_engine::session::args::CommandArgs;
use ishi_engine::session::{CommandAnswer, CommandInfo, CommandRefusal, Host, failure_text};
use ishi_engine::{Engine, Othello};

pub use table::all_commands;

/// How a session starts.
#[derive(Clone, Debug)]
pub struct OthelloSettings {
    /// Everything random follows from it.
    pub seed: Seed,
    /// What `name` answers; `None`: `ishi` and the engine's name.
    pub name: Option<String>,
    /// What `version` answers.
    pub version: String,
    /// How hard the commands that analyse look, whoever plays.
    pub level: Level,
    /// What they search with.
    pub search: SearchParams,
    /// How a reason is put into words.
    pub words: fn(CoachReason) -> String,
}

impl Default for OthelloSettings {
    /// Level 14, and the reasons' plain names.
    fn default() -> OthelloSettings {
        OthelloSettings {
            seed: Seed::new(1),
            name: None,
            version: env!("CARGO_PKG_VERSION").to_string(),
            level: Level::new(14).unwrap_or(Level::HIGHEST),
            search: SearchParams::default(),
            words: |reason| format!("{reason:?}"),
        }
    }
}

/// A game with one engine, as a [`CommandHandler`] of GTP commands.
///
/// ```
/// use ishi_othello_play::session::{OthelloSession, OthelloSettings};
/// use ishi_engine::session::NoHost;
/// use ishi_othello_play::catalog;
/// use ishi_gtp::{Inbox, serve_commands};
/// use ishi_rng::Seed;
///
/// let engine = catalog::create_othello_player("othello-greedy", Seed::new(1)).unwrap();
/// let mut session = OthelloSession::new(engine, Box::new(NoHost), OthelloSettings::default());
/// let mut output = Vec::new();
/// let script = b"1 list_games\n2 play b f5\n3 play w F5\n4 play w pass\n";
/// serve_commands(&mut session, &mut Inbox::from_script(script), &mut output).unwrap();
/// let answers = "=1 Othello\n\n=2\n\n\
///     ?3 illegal move\nwhite may not play f5: the square is occupied\n\n\
///     ?4 illegal move\nwhite may not pass: there are legal moves, such as f4\n\n";
/// assert_eq!(String::from_utf8(output).unwrap(), answers);
/// ```
pub struct OthelloSession {
    engine: Box<dyn Engine<Othello>>,
    host: Box<dyn Host>,
    settings: OthelloSettings,
    /// For the commands that analyse; made when the first of them comes.
    searcher: Option<Searcher>,
    game: Position,
    /// The state before each move that the controller knows of, for undo.
    steps: Vec<UndoStep>,
    /// Passes after the end of the game, which the rules do not know but controllers send.
    idle: usize,
    clocks: [GameClock; 2],
    finished: bool,
}

/// Where undo goes back to: moves in the game, and passes after its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UndoStep {
    moves: usize,
    idle: usize,
}

/// A command in work.
struct OthelloCall<'a, 'b> {
    args: CommandArgs<'a>,
    exchange: &'a mut CommandExchange<'b>,
}

impl OthelloSession {
    /// A session at the start of a game.
    pub fn new(
        mut engine: Box<dyn Engine<Othello>>,
        host: Box<dyn Host>,
        settings: OthelloSettings,
    ) -> OthelloSession {
        engine.set_seed(settings.seed);
        OthelloSession {
            engine,
            host,
            searcher: None,
            settings,
            game: Position::start(),
            steps: Vec::new(),
            idle: 0,
            clocks: Default::default(),
            finished: false,
        }
    }

    /// The game as it stands.
    pub fn game(&self) -> &Position {
        &self.game
    }

    /// Another game, or another place in it; every move of it can be taken back.
    fn replace_game(&mut self, game: Position) {
        self.steps = (0..game.moves().len()).map(|moves| UndoStep { moves, idle: 0 }).collect();
        self.idle = 0;
        self.game = game;
    }

    /// Starts again; time settings stay. What the engine keeps of a game it forgets.
    fn restart_game(&mut self) {
        self.engine.set_seed(self.settings.seed);
        self.replace_game(Position::start());
        self.clocks.iter_mut().for_each(GameClock::restart);
    }

    /// Plays a move; a forced pass of the other side before it may have been left out.
    fn make_move(&mut self, color: Color, mv: Move) -> Result<(), CommandRefusal> {
        let step = self.current_step();
        if self.game.is_over() && mv == Move::Pass {
            self.idle += 1;
        } else {
            let passed = self.turn_to(color)?;
            if let Err(error) = self.game.play(mv) {
                if passed {
                    self.game.undo();
                }
                return Err(format!("illegal move: {error}").into());
            }
        }
        self.steps.push(step);
        Ok(())
    }

    fn current_step(&self) -> UndoStep {
        UndoStep { moves: self.game.moves().len(), idle: self.idle }
    }

    /// Makes it this side's turn by a forced pass of the other, if need be; says whether that was so.
    fn turn_to(&mut self, color: Color) -> Result<bool, CommandRefusal> {
        if self.game.is_over() || self.game.to_move() == color {
            return Ok(false);
        }
        if self.game.pass_if_forced() {
            return Ok(true);
        }
        let turn = self.game.to_move();
        Err(format!("illegal move: it is {turn}'s turn, and {turn} has legal moves").into())
    }

    /// Takes back what the controller sent last.
    fn take_back(&mut self) -> Result<(), CommandRefusal> {
        let step = self.steps.pop().ok_or("cannot undo: no move has been played")?;
        while self.game.moves().len() > step.moves {
            self.game.undo();
        }
        self.idle = step.idle;
        Ok(())
    }

    fn answer_command(&mut self, command: &GtpCommand, exchange: &mut CommandExchange<'_>) -> CommandAnswer {
        if command.name.is_empty() {
            return Err("syntax error: no command after the id; list_commands lists them".into());
        }
        let entry = table::find_command(&command.name).ok_or_else(|| unknown_command(&command.name))?;
        let mut call = OthelloCall { args: CommandArgs::new(command, entry.usage), exchange };
        (entry.run)(self, &mut call)
    }
}

fn unknown_command(name: &str) -> CommandRefusal {
    let plain = |name: &str| name.replace('-', "_").to_ascii_lowercase();
    match all_commands().into_iter().find(|known: &CommandInfo| plain(known.name) == plain(name)) {
        Some(known) => format!("unknown command {name:?}: did you mean {}?", known.name).into(),
        None => format!("unknown command {name:?}: list_commands lists those there are").into(),
    }
}

impl CommandHandler for OthelloSession {
    fn handle_command(&mut self, command: &GtpCommand, exchange: &mut CommandExchange<'_>) -> GtpAnswer {
        match self.answer_command(command, exchange) {
            Ok(text) => GtpAnswer::success(text),
            Err(CommandRefusal(reason)) => GtpAnswer::failure(failure_text(reason)),
        }
    }

    fn is_finished(&self) -> bool {
        self.finished
    }
}
