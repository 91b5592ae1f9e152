//! What a player is: somebody who is told the moves and asked for the next one.

use std::fmt;
use std::str::FromStr;

use ishi_engine::catalog::{CatalogError, is_builtin};
use ishi_engine::clock::GameClock;
use ishi_engine::{EngineAction, Go};
use ishi_go::Color;
use ishi_rng::Seed;
use ishi_words::{CodedError, CodedMessage, ErrorFacts, coded, facts};
use ishi_work::{Stop, StopFlag};

use crate::builtin::BuiltinPlayer;
use crate::external::{ExternalPlayer, ProgramIdentity};
use crate::games::{MatchGame, MatchSettings};
use crate::process::EngineCommand;

/// A player of games, one after the other.
pub trait MatchPlayer<G: MatchGame = Go>: Send {
    /// A new game begins.
    ///
    /// # Errors
    /// If the player cannot play such a game, or fails.
    fn begin_game(&mut self, game: &NewGame<'_, G>) -> Result<(), PlayerFault>;

    /// Somebody else made this move: the opponent, or the opening.
    ///
    /// # Errors
    /// If the player does not accept it, or fails.
    fn notify_move(&mut self, color: Color, mv: G::Move) -> Result<(), PlayerFault>;

    /// The player's move; it plays it. Checked by nobody yet.
    ///
    /// # Errors
    /// If the player fails, or answers something that is no move.
    fn choose_move(
        &mut self,
        position: &G::Position,
        color: Color,
        turn: &PlayerTurn<'_>,
    ) -> Result<EngineAction<G>, PlayerFault>;

    /// The last lines of the conversation, for the report of a failure; empty for players that do not talk.
    fn transcript(&self) -> Vec<String> {
        Vec::new()
    }
}

/// What a player is told of a new game.
#[derive(Clone, Copy, Debug)]
pub struct NewGame<'a, G: MatchGame = Go> {
    /// Board, rules, komi, time.
    pub settings: &'a G::Settings,
    /// The start, handicap stones placed.
    pub position: &'a G::Position,
    /// The player's colour.
    pub color: Color,
    /// Everything random follows from this.
    pub seed: Seed,
}

/// What a player is told of its turn.
#[derive(Clone, Copy)]
pub struct PlayerTurn<'a> {
    /// Its clock.
    pub clock: &'a GameClock,
    /// Asked now and then: is the game abandoned?
    pub stop: &'a (dyn Stop + Sync),
}

/// How a player failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerFaultKind {
    /// It ended, or closed its pipes.
    Crash,
    /// It did not answer in time.
    Timeout,
    /// It answered something that is no move.
    Garbage,
    /// It refused a command.
    Refused,
}

/// A failure of a player, with what led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerFault {
    /// What kind.
    pub kind: PlayerFaultKind,
    /// The fault in words.
    pub message: String,
    /// The last lines said to and by the player, its stderr last; empty for built-in players.
    pub transcript: Vec<String>,
}

/// A player as it is named on the command line: `go-flat:playouts=500`, `gnugo --mode gtp`, `gtp:my-engine`.
///
/// A text is a built-in player if what stands before the first `:` is in the catalog; otherwise it is a command line
/// if it begins with `gtp:`, or contains a space or a `/`.
///
/// ```
/// use ishi_arena::PlayerSpec;
/// let spec = |text: &str| text.parse::<PlayerSpec>();
/// assert!(matches!(spec("go-random"), Ok(PlayerSpec::Builtin(_))));
/// assert!(matches!(spec("gnugo --mode gtp"), Ok(PlayerSpec::External(_))));
/// assert!(matches!(spec("gtp:gnugo"), Ok(PlayerSpec::External(_))));
/// let error = spec("go-flt").unwrap_err().to_string();
/// assert!(error.contains("go-flat") && error.contains("gtp:go-flt"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// From the catalog, with all parameters.
    Builtin(String),
    /// A program that speaks GTP.
    External(EngineCommand),
}

/// The text named no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid player: {0}")]
pub struct PlayerError(CodedMessage);

impl CodedError for PlayerError {
    fn facts(&self) -> ErrorFacts {
        facts!["player-invalid", reason = self.0.facts()]
    }
}

/// A player of Go.
impl FromStr for PlayerSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<PlayerSpec, PlayerError> {
        PlayerSpec::parse_for_game::<Go>(text)
    }
}

impl PlayerSpec {
    /// A player of this game.
    ///
    /// # Errors
    /// Says what players there are, or what is wrong with the parameters.
    pub fn parse_for_game<G: MatchGame>(text: &str) -> Result<PlayerSpec, PlayerError> {
        let text = text.trim();
        if is_builtin(G::PLAYERS, text) {
            let engine = G::create_engine(text, Seed::new(0))
                .map_err(|error| PlayerError(CodedMessage::from_error(error)))?;
            // The engine's own way to write it, so that two spellings of one player are the same.
            return Ok(PlayerSpec::Builtin(engine.spec()));
        }
        let command = match text.strip_prefix("gtp:") {
            Some(command) => command,
            None if text.contains(char::is_whitespace) || text.contains('/') => text,
            None => return Err(PlayerError(unknown_player_message::<G>(text))),
        };
        let command = command.parse().map_err(|error: crate::process::EngineCommandError| {
            PlayerError(CodedMessage::from_error(error))
        })?;
        Ok(PlayerSpec::External(command))
    }
}

fn unknown_player_message<G: MatchGame>(text: &str) -> CodedMessage {
    let known = G::PLAYERS.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
    coded![
        "player-unknown",
        "no built-in player {quoted} of {game}: there are {known}; for a GTP engine write its command line, \
         or \"gtp:{text}\"",
        quoted = format!("{text:?}"),
        game = G::TITLE,
        known,
        text
    ]
}

/// Reads back as the same player.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Builtin(spec) => f.write_str(spec),
            PlayerSpec::External(command) => write!(f, "gtp:{command}"),
        }
    }
}

/// One side of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// The name in results.
    pub name: String,
    /// What plays.
    pub spec: PlayerSpec,
    /// Name and version as the program gives them; empty for built-in players, whose results change with ishi's own
    /// version only.
    pub version: String,
    /// The contents of the program's file and of the files that its command names, as whoever plans the match knows them. Empty where
    /// results are not to depend on them, and for built-in players.
    pub files: String,
}

impl Contestant {
    /// Tries the player out: starts the program, if it is one, and sets up a game. The name is `name`, or what the
    /// program calls itself, or the text of a built-in player.
    ///
    /// # Errors
    /// If the program cannot be started, does not speak GTP, or cannot play such games.
    pub fn try_out<S: MatchSettings>(
        name: Option<&str>,
        spec: &PlayerSpec,
        settings: &S,
    ) -> Result<Contestant, ContestantError> {
        Contestant::try_out_until(name, spec, settings, &StopFlag::default())
    }

    /// [`Contestant::try_out`], where a program is not waited for any more once `stop` is raised.
    ///
    /// # Errors
    /// As there, and if `stop` is raised before the program has answered.
    pub fn try_out_until<S: MatchSettings>(
        name: Option<&str>,
        spec: &PlayerSpec,
        settings: &S,
        stop: &StopFlag,
    ) -> Result<Contestant, ContestantError> {
        let identity = match spec {
            PlayerSpec::Builtin(text) => ProgramIdentity { name: text.clone(), version: String::new() },
            PlayerSpec::External(command) => crate::external::identify_program(command, settings, stop)
                .map_err(|fault| ContestantError { player: command.to_string(), fault })?,
        };
        let version = match spec {
            PlayerSpec::Builtin(_) => String::new(),
            PlayerSpec::External(_) => identity.to_string(),
        };
        let name = name.map_or_else(|| identity.to_string(), str::to_string);
        Ok(Contestant { name, spec: spec.clone(), version, files: String::new() })
    }

    /// A player of its own.
    ///
    /// # Errors
    /// If the catalog has no such player, or there is no memory for it.
    pub fn create_player<G: MatchGame>(&self) -> Result<Box<dyn MatchPlayer<G>>, ContestantError> {
        let refusal = |error: CatalogError| ContestantError {
            player: self.spec.to_string(),
            fault: PlayerFault {
                kind: PlayerFaultKind::Refused,
                message: error.to_string(),
                transcript: Vec::new(),
            },
        };
        Ok(match &self.spec {
            PlayerSpec::Builtin(spec) => {
                Box::new(BuiltinPlayer::new(G::create_engine(spec, Seed::new(0)).map_err(refusal)?))
            }
            PlayerSpec::External(command) => Box::new(ExternalPlayer::new(command.clone())),
        })
    }
}

/// A player that cannot take part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("player \"{player}\" cannot play this match: {}", fault.message)]
pub struct ContestantError {
    /// The command line.
    pub player: String,
    /// What happened.
    pub fault: PlayerFault,
}

impl CodedError for ContestantError {
    fn facts(&self) -> ErrorFacts {
        facts!["player-cannot-play", player = &self.player, cause = &self.fault.message]
    }
}
