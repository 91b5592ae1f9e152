//! Matches of Othello.
//!
//! A player without a legal move passes, and nobody is asked for that: our rules see it. GTP says nothing of it, and
//! programs differ: GRhino passes by itself and refuses `play black pass`, others want to be told. So every program
//! is told, and may refuse.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use ishi_engine::catalog::{CatalogEntry, CatalogError};
use ishi_engine::clock::{GameClock, TimeControl};
use ishi_engine::{Engine, Othello};
use ishi_go::Color;
use ishi_othello::{Move, Position};
use ishi_othello_play::catalog;
use ishi_othello_play::search::{CutConfidence, FoundMove, SearchEffort, SearchParams, SearchTask, Searcher};
use ishi_rng::{Rng, Seed};
use ishi_sgf::GameResult;

use super::{GameJudge, GameVerdict, MatchGame, MatchSettings, othello_sgf};
use crate::external::Program;
use crate::opening::OpeningError;
use crate::pair::PairTask;
use crate::player::PlayerFault;
use crate::record::GameRecord;
use crate::settings::TIMEOUT;

/// The conditions that all games of a match of Othello share.
///
/// ```
/// use ishi_arena::{OthelloMatchSettings, MatchSettings};
/// let settings = OthelloMatchSettings::default();
/// assert_eq!(settings.start_position().unwrap().board().empty_count(), 60);
/// assert_eq!(settings.facts()["game"], "othello");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OthelloMatchSettings {
    /// Nodes for a move of a built-in player that searches; `None`: as its parameters say.
    pub nodes: Option<u64>,
    /// The clock.
    pub time: TimeControl,
    /// How long a program may take for any answer where the clock does not say.
    pub timeout: Duration,
}

impl Default for OthelloMatchSettings {
    /// No clock.
    fn default() -> Self {
        OthelloMatchSettings { nodes: None, time: TimeControl::default(), timeout: TIMEOUT }
    }
}

impl MatchSettings for OthelloMatchSettings {
    type Game = Othello;

    fn start_position(&self) -> Result<Position, String> {
        Ok(Position::start())
    }

    fn facts(&self) -> BTreeMap<String, String> {
        let facts = [
            ("game", "othello".to_string()),
            // Raised when built-in players choose other moves, so that a kept match is not gone on with by them.
            ("players", "2".to_string()),
            ("nodes", self.nodes.map_or("none".to_string(), |nodes| nodes.to_string())),
            ("time", self.time.to_string()),
            ("tolerance", self.time.tolerance.as_secs_f64().to_string()),
            ("timeout", self.timeout.as_secs_f64().to_string()),
        ];
        facts.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
    }

    fn playouts(&self) -> Option<u64> {
        self.nodes
    }

    fn time_control(&self) -> &TimeControl {
        &self.time
    }

    fn answer_timeout(&self) -> Duration {
        self.timeout
    }

    /// Nobody who searches to the end needs to.
    fn may_resign(&self) -> bool {
        false
    }

    /// A game ends by itself: every move but a pass fills a square, and two passes end it.
    fn move_limit(&self) -> usize {
        usize::MAX
    }
}

/// The count of discs: there is nothing to settle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiscCount;

impl fmt::Display for DiscCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("discs")
    }
}

impl GameJudge<Othello> for DiscCount {
    /// Decides by discs; empty squares go to the winner.
    fn decide_result(&mut self, _: &OthelloMatchSettings, position: &Position, _: Seed) -> GameVerdict {
        let score = position.score();
        let points = f64::from(score.abs());
        GameVerdict::from_result(match score.signum() {
            1 => GameResult::Points(Color::Black, points),
            -1 => GameResult::Points(Color::White, points),
            _ => GameResult::Draw,
        })
    }
}

/// The colour, as Othello has it.
fn to_othello_color(color: Color) -> ishi_othello::Color {
    ishi_othello::Color::ALL[color.index()]
}

fn to_go_color(color: ishi_othello::Color) -> Color {
    Color::ALL[color.index()]
}

/// Squares that are filled in a game.
const MOVES: u32 = 60;

impl MatchGame for Othello {
    const TITLE: &'static str = "Othello";
    const PLAYERS: &'static [CatalogEntry] = &catalog::OTHELLO_ENTRIES;
    const OPENING_EXAMPLE: &'static str = "f5d6c3";
    type Settings = OthelloMatchSettings;
    type Referee = DiscCount;

    fn create_engine(spec: &str, seed: Seed) -> Result<Box<dyn Engine<Othello>>, CatalogError> {
        catalog::create_othello_player(spec, seed)
    }

    fn engine_color(color: Color) -> ishi_othello::Color {
        to_othello_color(color)
    }

    fn to_move(position: &Position) -> Color {
        to_go_color(position.to_move())
    }

    fn is_over(position: &Position) -> bool {
        position.is_over()
    }

    fn played_moves(position: &Position) -> Vec<(Color, Move)> {
        position.moves().iter().map(|&(color, mv)| (to_go_color(color), mv)).collect()
    }

    fn play_move(position: &mut Position, color: Color, mv: Move) -> Result<(), String> {
        if color != Othello::to_move(position) {
            return Err(format!("it is not the turn of {color}"));
        }
        position.play(mv).map_err(|error| error.to_string())
    }

    /// A pass.
    fn forced_move(position: &Position) -> Option<Move> {
        (position.board().legal_moves() == 0 && !position.is_over()).then_some(Move::Pass)
    }

    fn mercy_winner(_: &OthelloMatchSettings, _: &Position) -> Option<Color> {
        None
    }

    /// Half of the empty squares are one's own to fill.
    fn move_time(_: &OthelloMatchSettings, position: &Position, clock: &GameClock) -> Option<Duration> {
        let moves = position.board().empty_count().min(MOVES).div_ceil(2);
        clock.share_for_move(moves)
    }

    fn parse_move(_: &OthelloMatchSettings, text: &str) -> Result<Move, String> {
        text.parse().map_err(|error: ishi_othello::SquareError| error.to_string())
    }

    /// A transcript, with or without spaces; passes may be left out.
    fn parse_opening(_: &OthelloMatchSettings, line: &str) -> Result<Vec<Move>, String> {
        let game = Position::from_transcript(line).map_err(|error| error.to_string())?;
        Ok(game.moves().iter().map(|&(_, mv)| mv).collect())
    }

    fn read_sgf_openings(
        bytes: &[u8],
        _: &OthelloMatchSettings,
    ) -> Result<Vec<(String, Vec<Move>)>, OpeningError> {
        othello_sgf::read_openings(bytes)
    }

    /// Of some candidates the one that a short search finds the most balanced.
    fn random_opening(length: usize, _: &OthelloMatchSettings, seed: Seed) -> Vec<Move> {
        let candidate = |number: u64| play_random_moves(length, &mut seed.stream("candidate", number));
        let best = (0..CANDIDATES).map(candidate).min_by_key(search_bias);
        best.map_or(Vec::new(), |position| position.moves().iter().map(|&(_, mv)| mv).collect())
    }

    fn set_up_program(
        program: &mut Program,
        _: &OthelloMatchSettings,
        _: &Position,
        seed: Seed,
    ) -> Result<(), PlayerFault> {
        choose_game(program)?;
        program.offer_command("boardsize", "8")?;
        program.ask("clear_board")?;
        program.set_seed(seed)
    }

    fn may_refuse(mv: Move) -> bool {
        mv == Move::Pass
    }

    fn is_own_referee(_: &DiscCount) -> bool {
        true
    }

    fn create_judge(referee: &DiscCount) -> Box<dyn GameJudge<Othello>> {
        Box::new(*referee)
    }

    fn to_sgf(record: &GameRecord<Othello>, task: &PairTask<Othello>, number: usize) -> String {
        othello_sgf::record_to_sgf(record, task, number)
    }
}

/// Programs of many games list Othello among them; programs that list none are taken to play it.
fn choose_game(program: &mut Program) -> Result<(), PlayerFault> {
    if !program.lists_command("list_games") || !program.lists_command("set_game") {
        return Ok(());
    }
    let games = program.ask("list_games")?;
    let othello = games
        .lines()
        .map(str::trim)
        .find(|game| ["othello", "reversi"].iter().any(|name| game.eq_ignore_ascii_case(name)));
    match othello {
        Some(name) => program.ask(&format!("set_game {name}")).map(drop),
        None => Err(program.create_refusal(format!(
            "it does not play Othello: its games are {}",
            games.replace('\n', ", ")
        ))),
    }
}

/// Candidates for a random opening.
const CANDIDATES: u64 = 12;

/// How far candidates are looked at: quick, and enough to tell the balanced from the lost.
const LOOK: SearchEffort = SearchEffort { depth: 5, exact: 0, win_loss: 0, confidence: CutConfidence::Full };

/// Plays so many legal moves at random, fewer if the game ends; forced passes come in addition.
fn play_random_moves(length: usize, rng: &mut Rng) -> Position {
    let mut position = Position::start();
    for _ in 0..length {
        position.pass_if_forced();
        let Some(&mv) = rng.choose(&position.legal_moves()) else { break };
        if position.play(mv).is_err() {
            break;
        }
    }
    position
}

/// How far from even a short search finds the position, in discs.
fn search_bias(position: &Position) -> u32 {
    if position.is_over() {
        return position.score().unsigned_abs();
    }
    let mut nobody = |_: &FoundMove| {};
    let mut searcher = Searcher::new(SearchParams { hash_bits: 10, threads: 1 });
    searcher.search_board(position.board(), &mut SearchTask::new(LOOK, &mut nobody)).score.unsigned_abs()
}
