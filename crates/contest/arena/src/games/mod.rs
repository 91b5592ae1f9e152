//! What the arena needs to know of a game to play matches of it.
//!
//! Everything else here (pairs, clocks, journal, statistics) is the same for all games. A player's colour is
//! [`ishi_go::Color`] in all of them; a game translates it for its engines.

mod go;
mod othello;
mod othello_sgf;

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::time::Duration;

use ishi_engine::catalog::{CatalogEntry, CatalogError};
use ishi_engine::clock::TimeControl;
use ishi_engine::{Engine, Game};
use ishi_go::Color;
use ishi_rng::Seed;
use ishi_sgf::GameResult;

pub use othello::{DiscCount, OthelloMatchSettings};

use crate::external::Program;
use crate::pair::PairTask;
use crate::player::PlayerFault;
use crate::record::GameRecord;

/// A game that matches are played of: [`Go`](ishi_engine::Go) or [`Othello`](ishi_engine::Othello).
///
/// ```
/// use ishi_arena::{MatchGame, OthelloMatchSettings, MatchSettings};
/// use ishi_engine::Othello;
/// let mut position = OthelloMatchSettings::default().start_position().unwrap();
/// let mv = Othello::parse_move(&OthelloMatchSettings::default(), "F5").unwrap();
/// let color = Othello::to_move(&position);
/// Othello::play_move(&mut position, color, mv).unwrap();
/// assert_eq!(Othello::played_moves(&position).len(), 1);
/// ```
pub trait MatchGame: Game {
    /// The name for people: `Othello`.
    const TITLE: &'static str;
    /// The built-in players.
    const PLAYERS: &'static [CatalogEntry];
    /// The conditions of a game.
    type Settings: MatchSettings<Game = Self>;
    /// Who says what a finished game is worth, as text.
    type Referee: Clone + Debug + Default + Display + PartialEq + Send + Sync + 'static;

    /// A built-in player.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    fn create_engine(spec: &str, seed: Seed) -> Result<Box<dyn Engine<Self>>, CatalogError>;

    /// The colour, as engines of this game have it.
    fn engine_color(color: Color) -> Self::Color;

    /// Whose turn it is.
    fn to_move(position: &Self::Position) -> Color;

    /// Has the game ended?
    fn is_over(position: &Self::Position) -> bool;

    /// The moves played since the start.
    fn played_moves(position: &Self::Position) -> Vec<(Color, Self::Move)>;

    /// Plays a move.
    ///
    /// # Errors
    /// Names the rule that forbids it.
    fn play_move(position: &mut Self::Position, color: Color, mv: Self::Move) -> Result<(), String>;

    /// The move of a player who has no choice at all, so that nobody needs to be asked.
    fn forced_move(position: &Self::Position) -> Option<Self::Move>;

    /// The winner before the end, if the settings have such a rule.
    fn mercy_winner(settings: &Self::Settings, position: &Self::Position) -> Option<Color>;

    /// The share of a clock that the next move may have.
    fn move_time(
        settings: &Self::Settings,
        position: &Self::Position,
        clock: &crate::GameClock,
    ) -> Option<Duration>;

    /// Reads a move as GTP writes it.
    ///
    /// # Errors
    /// Says what would be right.
    fn parse_move(settings: &Self::Settings, text: &str) -> Result<Self::Move, String>;

    /// Reads an opening from a line of text; the moves are not checked.
    ///
    /// # Errors
    /// Names a word that is no move.
    fn parse_opening(settings: &Self::Settings, line: &str) -> Result<Vec<Self::Move>, String>;

    /// What an opening looks like, for an error.
    const OPENING_EXAMPLE: &'static str;

    /// Reads the openings of a file of SGF, with the place of each; the moves are not checked.
    ///
    /// # Errors
    /// Says what is wrong where.
    fn read_sgf_openings(
        bytes: &[u8],
        settings: &Self::Settings,
    ) -> Result<PlacedOpenings<Self::Move>, crate::OpeningError>;

    /// An opening of so many random moves, about balanced.
    fn random_opening(length: usize, settings: &Self::Settings, seed: Seed) -> Vec<Self::Move>;

    /// Sets a program up for a game; the clock is told afterwards.
    ///
    /// # Errors
    /// If it refuses, or fails.
    fn set_up_program(
        program: &mut Program,
        settings: &Self::Settings,
        position: &Self::Position,
        seed: Seed,
    ) -> Result<(), PlayerFault>;

    /// May a program refuse to be told of this move, and be right nevertheless?
    fn may_refuse(mv: Self::Move) -> bool;

    /// Is it ishi's own, so that what it says follows from position and seed?
    fn is_own_referee(referee: &Self::Referee) -> bool;

    /// The referee as text, with all that decides what it says in games of these conditions: part of a pair's id.
    fn describe_referee(referee: &Self::Referee, _settings: &Self::Settings) -> String {
        format!("{referee:#}")
    }

    /// A referee at work.
    fn create_judge(referee: &Self::Referee) -> Box<dyn GameJudge<Self>>;

    /// The record as SGF. It says nothing of times and dates, so that the same game gives the same text.
    fn to_sgf(record: &GameRecord<Self>, task: &PairTask<Self>, number: usize) -> String;
}

/// Openings, with the place of each in its file, such as `game 2`.
pub type PlacedOpenings<M> = Vec<(String, Vec<M>)>;

/// The conditions that all games of a match share.
pub trait MatchSettings: Clone + Debug + Default + PartialEq + Send + Sync + 'static {
    /// The game.
    type Game: MatchGame<Settings = Self>;

    /// The position before the opening.
    ///
    /// # Errors
    /// If there is no such position; the text says what is possible.
    fn start_position(&self) -> Result<<Self::Game as Game>::Position, String>;

    /// Everything that a result depends on, as text: part of a pair's id.
    fn facts(&self) -> BTreeMap<String, String>;

    /// Playouts, or nodes, for a move of a built-in player; `None`: as its parameters say.
    fn playouts(&self) -> Option<u64>;

    /// The clock.
    fn time_control(&self) -> &TimeControl;

    /// How long a program may take for any answer where the clock does not say.
    fn answer_timeout(&self) -> Duration;

    /// May built-in players resign?
    fn may_resign(&self) -> bool;

    /// Moves, the opening included, after which the game is counted as it stands.
    fn move_limit(&self) -> usize;
}

/// Says what a finished game is worth.
pub trait GameJudge<G: MatchGame>: Send {
    /// The result of a position in which the game has ended, or was ended.
    fn decide_result(&mut self, settings: &G::Settings, position: &G::Position, seed: Seed) -> GameVerdict;
}

/// A decision on a finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameVerdict {
    /// Who has won, and by how much.
    pub result: GameResult,
    /// What deserves to be told, such as a referee that failed.
    pub note: String,
    /// The conversation with a referee that failed.
    pub transcript: Vec<String>,
}

impl GameVerdict {
    /// A result about which there is nothing to say.
    pub(crate) fn from_result(result: GameResult) -> GameVerdict {
        GameVerdict { result, note: String::new(), transcript: Vec::new() }
    }
}
