//! A game as the store keeps it: moves, players, clocks, what is being looked at.

use std::str::FromStr;
use std::time::Duration;

use ishi_engine::clock::{GameClock, TimeControl};
use ishi_engine::time::{TimeLeft, TimeSystem};
use ishi_othello::{Color, Move, Position, Square};
use ishi_othello_play::levels::Level;
use ishi_othello_play::rating::Rating;
use ishi_sgf::othello_records::OthelloRecord;
use ishi_stats::opponent_strength;
use serde::{Deserialize, Serialize};

use crate::workbench::error::PageError;
use crate::workbench::made_by::describe_game;
use crate::workbench::rooms::blunder::{BlunderWarning, refuse_move};
use crate::workbench::rooms::standing::RatedGame;

/// The kind of its documents.
pub(super) const KIND: &str = "othello";

/// Who moves for a side: a person, or an engine of the catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Player {
    #[default]
    Person,
    Engine(String),
}

/// How the text of a player of a level begins.
pub(super) const LEVELLED: &str = "othello:level=";
/// How the text of a player of a rating begins.
pub(super) const RATED: &str = "othello:rating=";

impl Player {
    /// The level at which ishi sits there, if the player's text says that and nothing else.
    pub(super) fn level(&self) -> Option<Level> {
        self.read_after(LEVELLED)
    }

    /// The rating with which ishi sits there, if the player's text says that and nothing else.
    pub(super) fn rating(&self) -> Option<Rating> {
        self.read_after(RATED)
    }

    /// What the player's text says after this beginning.
    fn read_after<T: FromStr>(&self, beginning: &str) -> Option<T> {
        match self {
            Player::Person => None,
            Player::Engine(spec) => spec.strip_prefix(beginning)?.parse().ok(),
        }
    }
}

/// How a game ended other than on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum OthelloGameEnd {
    /// This side gave up.
    Resigned(Side),
    /// This side's time ran out.
    Timeout(Side),
}

/// A colour in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Side {
    Black,
    White,
}

impl Side {
    pub(super) fn from_color(color: Color) -> Side {
        if color == Color::Black { Side::Black } else { Side::White }
    }

    pub(super) fn color(self) -> Color {
        if self == Side::Black { Color::Black } else { Color::White }
    }
}

/// A clock: time for the game, and more with every move. All in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OthelloClock {
    pub(super) increment: u64,
    /// Black's and White's.
    pub(super) left: [u64; 2],
    /// Since when the side to move has been thinking, in milliseconds since 1970; `None` before the first move.
    pub(super) since: Option<u64>,
}

impl OthelloClock {
    /// The clock of a side with what it has left; it forgives nothing.
    fn clock_of(&self, color: Color) -> GameClock {
        let [main, increment] = [self.left[color.index()], self.increment].map(Duration::from_millis);
        GameClock::new(TimeControl::exact(TimeSystem::Fischer { main, increment }))
    }
}

fn to_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// What is shown on the squares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Overlay {
    /// Where one may play.
    #[default]
    Hints,
    /// What the search says of every legal move.
    Search,
    /// What an evaluation says of every legal move, one ply ahead.
    Moves(String),
    /// What each square adds to an evaluation of the board.
    Squares(String),
}

impl Overlay {
    /// Its name in forms.
    pub(super) fn name(&self) -> String {
        match self {
            Overlay::Hints => "hints".to_string(),
            Overlay::Search => "search".to_string(),
            Overlay::Moves(judge) => format!("moves:{judge}"),
            Overlay::Squares(judge) => format!("squares:{judge}"),
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Overlay> {
        match name.split_once(':') {
            None if name == "hints" => Some(Overlay::Hints),
            None if name == "search" => Some(Overlay::Search),
            Some(("moves", judge)) => Some(Overlay::Moves(judge.to_string())),
            Some(("squares", judge)) => Some(Overlay::Squares(judge.to_string())),
            _ => None,
        }
    }
}

/// An exact score, and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SolvedOthelloPosition {
    /// The position, as text.
    pub(super) position: String,
    /// The score of the side to move, in discs.
    pub(super) score: i32,
    pub(super) line: Vec<String>,
    pub(super) nodes: u64,
    pub(super) milliseconds: u64,
}

/// A judged move of a review. Words are made when it is shown, for they have a language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JudgedOthelloMove {
    /// From 1, passes not counted.
    pub(super) number: usize,
    pub(super) side: Side,
    pub(super) square: String,
    /// The value for the side that moved, in discs.
    pub(super) value: i32,
    pub(super) loss: i32,
    pub(super) proved: bool,
    pub(super) turned: bool,
    pub(super) forced: bool,
    pub(super) better: String,
    pub(super) better_value: i32,
    pub(super) line: Vec<String>,
    /// How the move is answered, the answer first. A review of an older version has none.
    #[serde(default)]
    pub(super) refutation: Vec<String>,
    /// The reasons in English and in Japanese.
    pub(super) why: [String; 2],
}

/// A review of the moves that it names; of no other game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OthelloReview {
    pub(super) level: u8,
    pub(super) moves: Vec<String>,
    pub(super) judged: Vec<JudgedOthelloMove>,
    pub(super) complete: bool,
    /// How each side played, in English and in Japanese.
    pub(super) summaries: Vec<[String; 2]>,
    /// A review that is not complete has none, nor has one of an older version.
    #[serde(default)]
    pub(super) lessons: Vec<OthelloLesson>,
}

/// Mistakes of one kind, with the question that is put at the one that lost most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OthelloLesson {
    pub(super) side: Side,
    /// The move that is asked about.
    pub(super) number: usize,
    /// All moves of the lesson, in the order of the game.
    pub(super) numbers: Vec<usize>,
    /// The best move in its place, and those that are as good.
    pub(super) answers: Vec<String>,
    /// What is learned, in English and in Japanese.
    pub(super) text: [String; 2],
}

/// A game, where one is in it, and what is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct OthelloGameState {
    /// Where it starts, as text, if not at the usual start.
    setup: Option<String>,
    /// All moves; passes are not written, for they are forced.
    pub(super) moves: Vec<String>,
    /// How many of the moves stand on the board.
    pub(super) at: usize,
    /// The line that was left when a move was made in the middle of it.
    pub(super) left: Option<Vec<String>>,
    pub(super) players: [Player; 2],
    pub(super) names: [String; 2],
    pub(super) event: String,
    pub(super) date: String,
    pub(super) clock: Option<OthelloClock>,
    pub(super) end: Option<OthelloGameEnd>,
    /// Engines wait until they are told to go on.
    pub(super) paused: bool,
    /// Is the position being analysed?
    pub(super) study: bool,
    /// How far an analysis goes, 1 to 20.
    pub(super) level: u8,
    /// It goes on after that, until all is proved.
    #[serde(default)]
    pub(super) until_proved: bool,
    pub(super) overlay: Overlay,
    pub(super) solved: Option<SolvedOthelloPosition>,
    pub(super) review: Option<OthelloReview>,
    /// The seed of engines that err or choose by chance.
    pub(super) seed: u64,
    /// Its result counts for the person's strength.
    #[serde(default)]
    is_rated: bool,
    /// Blunders are told before an engine answers them.
    #[serde(default)]
    is_taught: bool,
    /// The last move has been looked at, or is not to be.
    #[serde(default)]
    is_judged: bool,
    /// The last move is a blunder.
    #[serde(default)]
    pub(super) warning: Option<BlunderWarning>,
    /// The level of a review that is wanted and not there yet: it goes on after the server was ended.
    #[serde(default)]
    pub(super) wanted_review: Option<u8>,
}

/// How forms name an analysis that goes on until all is proved.
pub(super) const UNTIL_PROVED: &str = "proof";

/// Analyses go to this level if nothing else is asked.
const STUDY_LEVEL: u8 = 18;

impl OthelloGameState {
    pub(super) fn new(players: [Player; 2], seed: u64) -> OthelloGameState {
        OthelloGameState { players, seed, level: STUDY_LEVEL, ..OthelloGameState::default() }
    }

    /// A record that was opened: nobody plays, one looks.
    pub(super) fn from_record(record: &OthelloRecord, seed: u64) -> OthelloGameState {
        let (board, color) = record.game.setup();
        let start = Position::from_board(board, color);
        let usual = start.to_line() == Position::start().to_line();
        let moves: Vec<String> = record.game.squares_played().map(|square| square.to_string()).collect();
        OthelloGameState {
            setup: (!usual).then(|| start.to_line()),
            at: moves.len(),
            moves,
            names: [record.black.clone(), record.white.clone()],
            event: record.event.clone(),
            date: record.date.clone(),
            ..OthelloGameState::new([Player::Person, Player::Person], seed)
        }
    }

    /// A new game begins here, from the usual start or elsewhere: does it teach, and does it count for the person's strength? It counts against
    /// ishi at a level whose strength is known, from the usual start, without help.
    pub(super) fn begin(&mut self, teaches: bool) {
        let [black, white] = Color::ALL.map(|color| *self.player(color) == Player::Person);
        // Nobody is told of blunders where no engine waits.
        self.is_taught = teaches && black != white;
        // What was played before is nobody's blunder.
        self.is_judged = true;
        let has_rated_opponent = black != white && self.rated_opponent().is_some();
        self.is_rated =
            has_rated_opponent && self.setup.is_none() && self.moves.is_empty() && !self.is_taught;
    }

    /// The level that plays against the person, if its strength is known.
    fn rated_opponent(&self) -> Option<Level> {
        let level = self.players.iter().find_map(Player::level)?;
        opponent_strength(level).map(|_| level)
    }

    pub(super) fn is_rated(&self) -> bool {
        self.is_rated
    }

    pub(super) fn is_taught(&self) -> bool {
        self.is_taught
    }

    pub(super) fn is_judged(&self) -> bool {
        self.is_judged
    }

    /// The game as it counts for the person's strength, if it counts and has ended.
    pub(super) fn rated_game(&self, key: &str) -> Option<RatedGame> {
        let level = self.rated_opponent().filter(|_| self.is_rated)?;
        let person = Color::ALL.into_iter().find(|&color| *self.player(color) == Player::Person)?;
        let lead = match self.end {
            Some(OthelloGameEnd::Resigned(loser) | OthelloGameEnd::Timeout(loser)) => {
                if loser.color() == Color::Black { -1 } else { 1 }
            }
            None => self.final_score()?,
        };
        let own_lead = if person == Color::Black { lead } else { -lead };
        let score = f64::from(own_lead.signum() + 1) / 2.0;
        Some(RatedGame { table: key.to_string(), opponent: level.to_string(), score })
    }

    /// The record of the whole game.
    pub(super) fn to_record(&self) -> OthelloRecord {
        let [black, white] = self.names.clone();
        let result = self.final_score().map(f64::from);
        OthelloRecord {
            black,
            white,
            date: self.date.clone(),
            event: self.event.clone(),
            result,
            ..OthelloRecord::from_game(self.position_after(self.moves.len()))
        }
    }

    /// What ishi did in the game, such as `game k3x, black person, white othello:level=5, reviewed at level 12`. `None` if it did nothing.
    pub(super) fn describe_work(&self, key: &str) -> Option<String> {
        let engines = self.players.each_ref().map(|player| match player {
            Player::Person => None,
            Player::Engine(spec) => Some(spec.as_str()),
        });
        let review = self.current_review().filter(|review| review.complete);
        let review = review.map(|review| format!(", reviewed at level {}", review.level));
        let is_work = review.is_some() || engines.iter().any(Option::is_some);
        is_work.then(|| describe_game(key, engines) + &review.unwrap_or_default())
    }

    /// Black's discs minus White's, if the game is over on the board.
    fn final_score(&self) -> Option<i32> {
        let end = self.position_after(self.moves.len());
        end.is_over().then(|| end.score())
    }

    fn start_position(&self) -> Position {
        let read = |text: &String| Position::from_text(text).ok();
        self.setup.as_ref().and_then(read).unwrap_or_else(Position::start)
    }

    /// The position after so many moves, forced passes made.
    pub(super) fn position_after(&self, count: usize) -> Position {
        let mut position = self.start_position();
        position.pass_if_forced();
        for text in &self.moves[..count.min(self.moves.len())] {
            // A document that was written by hand may hold anything.
            let Ok(mv) = text.parse::<Move>() else { break };
            if position.play(mv).is_err() {
                break;
            }
            position.pass_if_forced();
        }
        position
    }

    /// The position on the board.
    pub(super) fn position(&self) -> Position {
        self.position_after(self.at)
    }

    pub(super) fn player(&self, color: Color) -> &Player {
        &self.players[color.index()]
    }

    /// Is the last position of the game on the board?
    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.moves.len()
    }

    /// Is it over, on the board or otherwise?
    pub(super) fn is_over(&self) -> bool {
        self.end.is_some() || self.position_after(self.moves.len()).is_over()
    }

    /// Does nobody but engines move?
    pub(super) fn is_watched(&self) -> bool {
        self.players.iter().all(|player| *player != Player::Person)
    }

    /// The engine whose turn it is, if it may move.
    pub(super) fn engine_to_move(&self) -> Option<&str> {
        if self.paused || self.is_over() || !self.is_at_end() || self.warning.is_some() {
            return None;
        }
        match self.player(self.position().to_move()) {
            Player::Engine(spec) => Some(spec),
            Player::Person => None,
        }
    }

    /// Is the last move one of a person that a teaching game looks at before an engine answers it?
    pub(super) fn is_to_be_judged(&self) -> bool {
        if !self.is_taught || self.is_judged || self.is_over() {
            return false;
        }
        let position = self.position_after(self.moves.len());
        let last = position.moves().iter().rev().find(|(_, mv)| mv.square().is_some());
        let is_answered = *self.player(position.to_move()) != Player::Person;
        is_answered && last.is_some_and(|&(color, _)| *self.player(color) == Player::Person)
    }

    /// The last move was looked at. If it is a blunder, engine and clock wait for what the person chooses.
    pub(super) fn note_judgement(&mut self, warning: Option<BlunderWarning>, now: u64) {
        (self.is_judged, self.warning) = (true, warning);
        // The look was no thought of the engine: its clock begins now.
        self.restart_clock(now);
    }

    /// The blunder that was told stays: the engine shall answer it.
    pub(super) fn leave_blunder(&mut self, now: u64) {
        if self.warning.take().is_some() {
            // Who has stepped away to look means the last move all the same.
            self.at = self.moves.len();
            self.restart_clock(now);
        }
    }

    /// Takes back the blunder that was told, wherever one looks. Nothing more is taken back by a second tap, or by another page on which the choice
    /// still stands.
    pub(super) fn take_blunder_back(&mut self, now: u64) -> Result<(), PageError> {
        if self.warning.is_none() {
            return Ok(());
        }
        self.at = self.moves.len();
        self.undo(now)
    }

    /// The game is another one: what was judged does not stand.
    fn forget_judgement(&mut self) {
        (self.is_judged, self.warning) = (false, None);
    }

    /// Plays a move on the board's position at this time. What came after it is kept as the line that was left.
    pub(super) fn play(&mut self, square: Square, now: u64) -> Result<(), PageError> {
        if self.warning.is_some() {
            return Err(refuse_move());
        }
        if self.end.is_some() && self.is_at_end() {
            return Err(PageError::invalid_input("othello-the-game-is-over"));
        }
        let mut position = self.position();
        position.play(Move::Play(square))?;
        let text = square.to_string();
        if self.moves.get(self.at) == Some(&text) {
            self.at += 1;
            return Ok(());
        }
        if !self.is_at_end() {
            self.left = Some(std::mem::take(&mut self.moves));
            self.moves = self.left.iter().flatten().take(self.at).cloned().collect();
            self.end = None;
            // Another move in place of one that was played takes that back.
            self.is_rated = false;
        } else if self.punch_clock(now) {
            return Ok(());
        }
        self.moves.push(text);
        self.at += 1;
        self.forget_judgement();
        self.restart_clock(now);
        Ok(())
    }

    /// Stops the clock of the side to move. True if its time has run out: the game is over then.
    pub(super) fn punch_clock(&mut self, now: u64) -> bool {
        let color = self.position().to_move();
        let Some(clock) = &mut self.clock else { return false };
        let Some(since) = clock.since else { return false };
        let mut running = clock.clock_of(color);
        let spent = running.spend(Duration::from_millis(now.saturating_sub(since)));
        let left = running.time_left().filter(|_| spent.is_ok());
        clock.left[color.index()] = left.map_or(0, |left| to_milliseconds(left.time));
        clock.since = Some(now);
        if spent.is_err() {
            self.end = Some(OthelloGameEnd::Timeout(Side::from_color(color)));
        }
        spent.is_err()
    }

    /// Engines wait, and so does the clock.
    pub(super) fn pause(&mut self, now: u64) {
        let color = self.position().to_move();
        if let Some(clock) = &mut self.clock
            && let Some(since) = clock.since.take()
        {
            let left = &mut clock.left[color.index()];
            *left = left.saturating_sub(now.saturating_sub(since));
        }
        self.paused = true;
    }

    /// The side to move thinks from now on.
    pub(super) fn restart_clock(&mut self, now: u64) {
        // Neither while a blunder is looked for, nor while it is told.
        let running = !self.is_over() && self.warning.is_none() && !self.is_to_be_judged();
        if let Some(clock) = &mut self.clock {
            clock.since = running.then_some(now);
        }
    }

    /// What a side has left, in milliseconds.
    pub(super) fn time_left(&self, color: Color, now: u64) -> Option<u64> {
        let clock = self.clock.as_ref()?;
        let left = clock.left[color.index()];
        let runs = self.is_at_end() && !self.is_over() && self.position().to_move() == color;
        let used = clock.since.filter(|_| runs).map_or(0, |since| now.saturating_sub(since));
        Some(left.saturating_sub(used))
    }

    /// The share of the clock for the next move, as all players take it; `None` without a clock. Half of the empty squares are one's own to fill.
    pub(super) fn time_for_move(&self, now: u64) -> Option<Duration> {
        let position = self.position();
        let color = position.to_move();
        let time = Duration::from_millis(self.time_left(color, now)?);
        let mut clock = self.clock.as_ref()?.clock_of(color);
        clock.set_time_left(TimeLeft { time, stones: 0 });
        clock.share_for_move(position.board().empty_count().div_ceil(2))
    }

    /// Takes back: to the person's last choice before this one, or one move where nobody or both are persons.
    pub(super) fn undo(&mut self, now: u64) -> Result<(), PageError> {
        let choices = (0..self.at).rev().find(|&count| {
            let color = self.position_after(count).to_move();
            self.is_watched() || *self.player(color) == Player::Person
        });
        let Some(count) = choices else {
            return Err(PageError::invalid_input("othello-there-is-no-move-to-take"));
        };
        if !self.is_at_end() {
            self.left = Some(self.moves.clone());
        }
        self.moves.truncate(count);
        self.at = count;
        self.end = None;
        self.is_rated = false;
        self.forget_judgement();
        self.paused |= self.is_watched();
        self.restart_clock(now);
        Ok(())
    }

    /// Goes back to the line that was left.
    pub(super) fn return_to_line(&mut self) {
        if let Some(left) = self.left.take() {
            self.left = Some(std::mem::replace(&mut self.moves, left));
            self.at = self.moves.len();
            self.is_rated = false;
            self.forget_judgement();
        }
    }

    /// The side that gives up: the person, or of two persons the one to move.
    pub(super) fn resign(&mut self) -> Result<(), PageError> {
        let over = || PageError::invalid_input("othello-the-game-is-over");
        let persons: Vec<Color> =
            Color::ALL.into_iter().filter(|&color| *self.player(color) == Player::Person).collect();
        let to_move = self.position_after(self.moves.len()).to_move();
        let color = match persons[..] {
            _ if self.is_over() => return Err(over()),
            [] => {
                return Err(PageError::invalid_input("othello-no-person-plays-here"));
            }
            [only] => only,
            _ => to_move,
        };
        self.end = Some(OthelloGameEnd::Resigned(Side::from_color(color)));
        self.at = self.moves.len();
        self.warning = None;
        Ok(())
    }

    /// The level of an analysis.
    pub(super) fn study_level(&self) -> Level {
        Level::new(self.level).unwrap_or(Level::HIGHEST)
    }

    /// The review, if it is of this game.
    pub(super) fn current_review(&self) -> Option<&OthelloReview> {
        self.review.as_ref().filter(|review| review.moves == self.moves)
    }

    /// Somebody wants a review of the game.
    ///
    /// # Errors
    /// If there are no moves.
    pub(super) fn want_review(&mut self, level: Level) -> Result<(), PageError> {
        if self.moves.is_empty() {
            return Err(PageError::invalid_input("othello-there-are-no-moves-to-review"));
        }
        self.wanted_review = Some(level.number());
        Ok(())
    }

    /// The level of the review that is wanted and not there yet.
    pub(super) fn wanted_level(&self) -> Option<Level> {
        self.wanted_review.map(|level| Level::new(level).unwrap_or(Level::HIGHEST))
    }

    /// The exact score, if it is of the position on the board.
    pub(super) fn current_solution(&self) -> Option<&SolvedOthelloPosition> {
        let line = self.position().to_line();
        self.solved.as_ref().filter(|solved| solved.position == line)
    }
}

/// White is to play: a7 wins by 32, b2 by 6.
#[cfg(test)]
pub(super) const LATE_GAME: &str = "f5f6e6d6e7f4e3f3c6d7g5h5g3g4h6h7c5f7d3b6f8c4c3c7h3e8b3b4a4g6d8c8b8g7b5a5a6h4h8g8a3a2e2d2a8d1f2g1c1g2e1c2";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::rooms::both_languages::BothLanguages;

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    fn played(players: [Player; 2], moves: &[&str]) -> OthelloGameState {
        let mut game = OthelloGameState::new(players, 1);
        moves.iter().for_each(|text| game.play(square(text), 0).unwrap());
        game
    }

    fn engine() -> Player {
        Player::Engine("othello-greedy".to_string())
    }

    #[test]
    fn only_games_with_an_engine_are_told_as_ishis_work() {
        let work = |players: [Player; 2]| played(players, &["f5"]).describe_work("k");
        assert_eq!(work([Player::Person, Player::Person]), None);
        let told = work([engine(), Player::Person]);
        assert_eq!(told.as_deref(), Some("game k, black othello-greedy, white person"));
    }

    #[test]
    fn undo_goes_back_to_the_persons_choice() {
        let mut game = played([Player::Person, engine()], &["f5", "d6", "c3", "d3"]);
        game.undo(0).unwrap();
        assert_eq!(game.moves, ["f5", "d6"]);
        game.undo(0).unwrap();
        assert!(game.moves.is_empty());
        assert!(game.undo(0).is_err());
        let mut two = played([Player::Person, Player::Person], &["f5", "d6"]);
        two.undo(0).unwrap();
        assert_eq!(two.moves, ["f5"]);
    }

    #[test]
    fn a_line_that_is_left_can_be_gone_back_to() {
        let mut game = played([Player::Person, Player::Person], &["f5", "d6", "c3"]);
        game.at = 1;
        game.play(square("d6"), 0).unwrap();
        assert_eq!((game.at, game.moves.len()), (2, 3), "the same move is a step forward");
        game.at = 1;
        game.play(square("f6"), 0).unwrap();
        assert_eq!(game.moves, ["f5", "f6"]);
        game.return_to_line();
        assert_eq!(game.moves, ["f5", "d6", "c3"]);
        game.return_to_line();
        assert_eq!(game.moves, ["f5", "f6"]);
    }

    #[test]
    fn clocks_run_from_the_second_move_on() {
        let clock = OthelloClock { increment: 1000, left: [5000, 5000], since: None };
        let mut game =
            OthelloGameState { clock: Some(clock), ..OthelloGameState::new(Default::default(), 1) };
        game.play(square("f5"), 100_000).unwrap();
        assert_eq!(game.time_left(Color::White, 102_000), Some(3000));
        game.play(square("d6"), 103_000).unwrap();
        assert_eq!(game.clock.as_ref().unwrap().left, [5000, 3000]);
        game.play(square("c3"), 109_000).unwrap();
        assert_eq!(game.end, Some(OthelloGameEnd::Timeout(Side::Black)));
        assert_eq!(game.moves.len(), 2);
        assert!(game.play(square("c3"), 109_001).is_err());
    }

    /// What was thought already, such as before a restart of the server, is no time any more.
    #[test]
    fn an_engine_takes_its_share_of_what_is_left() {
        let clock = OthelloClock { increment: 0, left: [60_000, 1000], since: Some(1000) };
        let timed = OthelloGameState { clock: Some(clock), ..OthelloGameState::new(Default::default(), 1) };
        assert_eq!(timed.time_for_move(1000), Some(Duration::from_millis(1950)));
        assert_eq!(timed.time_for_move(31_000), Some(Duration::from_millis(950)));
        assert_eq!(OthelloGameState::new(Default::default(), 1).time_for_move(0), None);
    }

    #[test]
    fn a_person_resigns_and_engines_do_not() {
        let mut game = played([engine(), Player::Person], &["f5"]);
        game.resign().unwrap();
        assert_eq!(game.end, Some(OthelloGameEnd::Resigned(Side::White)));
        assert!(game.resign().is_err() && game.engine_to_move().is_none());
        assert!(played([engine(), engine()], &[]).resign().is_err());
    }

    #[test]
    fn records_are_kept_with_their_start() {
        let position = Position::from_transcript("f5d6c3").unwrap();
        let later = Position::from_text(&position.to_line()).unwrap();
        let game = OthelloGameState::from_record(&OthelloRecord::from_game(later), 1);
        assert_eq!(game.position().to_line(), position.to_line());
        assert!(game.to_record().game.moves().is_empty());
        let whole = OthelloGameState::from_record(&OthelloRecord::from_game(position.clone()), 1);
        assert_eq!(whole.to_record().game, position);
        let text = serde_json::to_value(&whole).unwrap();
        assert_eq!(serde_json::from_value::<OthelloGameState>(text).unwrap(), whole);
    }

    fn begun(players: [Player; 2], teaches: bool) -> OthelloGameState {
        let mut game = OthelloGameState::new(players, 1);
        game.begin(teaches);
        game
    }

    fn play_all(game: &mut OthelloGameState, moves: &str) {
        for place in (0..moves.len()).step_by(2) {
            game.play(square(&moves[place..place + 2]), 0).unwrap();
        }
    }

    #[test]
    fn a_persons_move_is_looked_at_once_before_it_is_answered() {
        let mut game = begun([Player::Person, engine()], true);
        play_all(&mut game, "f5");
        assert!(game.is_to_be_judged() && game.engine_to_move().is_some());
        game.note_judgement(None, 0);
        assert!(!game.is_to_be_judged() && game.engine_to_move().is_some());
        play_all(&mut game, "d6");
        assert!(!game.is_to_be_judged(), "that was the engine's move");
        play_all(&mut game, "c3");
        assert!(game.is_to_be_judged());
        let plain = begun([Player::Person, engine()], false);
        let watched = begun([engine(), engine()], true);
        let friends = begun([Player::Person, Player::Person], true);
        for mut other in [plain, watched, friends] {
            play_all(&mut other, "f5");
            assert!(!other.is_taught() && !other.is_to_be_judged(), "{:?}", other.players);
        }
    }

    #[test]
    fn what_was_played_before_a_game_begins_is_nobodys_blunder() {
        let position = Position::from_transcript("f5").unwrap();
        let mut given = OthelloGameState::from_record(&OthelloRecord::from_game(position), 1);
        given.players = [Player::Person, engine()];
        given.begin(true);
        assert!(given.is_taught() && !given.is_to_be_judged());
        play_all(&mut given, "d6c3");
        assert!(given.is_to_be_judged());
    }

    fn warning() -> BlunderWarning {
        BlunderWarning { vertex: "f5".to_string(), reason: BothLanguages::from_words(|_| "bad".to_string()) }
    }

    /// Time that the person reads, and that the look itself takes, is nobody's.
    #[test]
    fn a_blunder_that_is_told_waits_for_the_persons_choice() {
        let mut game = begun([Player::Person, engine()], true);
        game.clock = Some(OthelloClock { increment: 0, left: [5000, 5000], since: None });
        game.play(square("f5"), 1000).unwrap();
        assert_eq!(game.time_left(Color::White, 9000), Some(5000), "the move is looked at");
        let mut good = game.clone();
        good.note_judgement(None, 9000);
        assert_eq!(good.time_left(Color::White, 10_000), Some(4000));
        game.note_judgement(Some(warning()), 9000);
        assert!(game.engine_to_move().is_none() && game.play(square("d6"), 9000).is_err());
        assert_eq!(game.time_left(Color::White, 20_000), Some(5000), "the blunder is told");
        // Who steps away means the last move all the same.
        game.at = 0;
        let mut left = game.clone();
        left.leave_blunder(20_000);
        assert!(left.engine_to_move().is_some() && left.warning.is_none() && !left.is_to_be_judged());
        assert_eq!((left.at, left.time_left(Color::White, 21_000)), (1, Some(4000)));
        game.take_blunder_back(20_000).unwrap();
        assert!(game.moves.is_empty() && game.warning.is_none());
        left.take_blunder_back(21_000).unwrap();
        assert_eq!(left.moves.len(), 1, "another page has left the blunder");
        game.play(square("f5"), 21_000).unwrap();
        assert!(game.is_to_be_judged(), "the next move is looked at anew");
        game.note_judgement(Some(warning()), 22_000);
        game.resign().unwrap();
        assert!(game.warning.is_none() && game.is_over());
    }

    fn at_level(level: u8) -> Player {
        Player::Engine(format!("{LEVELLED}{level}"))
    }

    #[test]
    fn a_game_against_a_level_counts_when_it_has_ended() {
        let new_game = || begun([at_level(5), Player::Person], false);
        let counted = |score| Some(RatedGame { table: "t".into(), opponent: "5".into(), score });
        let mut game = new_game();
        assert!(game.is_rated());
        play_all(&mut game, "f5d6");
        assert_eq!(game.rated_game("t"), None, "it goes on");
        let mut lost = game.clone();
        lost.resign().unwrap();
        assert_eq!(lost.rated_game("t"), counted(0.0));
        let mut whole = new_game();
        play_all(&mut whole, LATE_GAME);
        play_all(&mut whole, "a7b7a1f1b1b2h1h2");
        assert_eq!(whole.rated_game("t"), counted(1.0), "White has won on the board");
        // What is taken back does not count, nor does another move in place of one that was played.
        lost.undo(0).unwrap();
        game.at = 1;
        play_all(&mut game, "f6");
        for mut changed in [lost, game] {
            changed.end = Some(OthelloGameEnd::Timeout(Side::Black));
            assert_eq!(changed.rated_game("t"), None);
        }
    }

    #[test]
    fn only_games_on_even_terms_count() {
        let own = Player::Engine("othello:level=5,book=no".to_string());
        let with_rating = Player::Engine("othello:rating=1000".to_string());
        for game in [
            begun([Player::Person, at_level(5)], true),
            begun([Player::Person, at_level(15)], false),
            begun([Player::Person, engine()], false),
            begun([Player::Person, own], false),
            begun([Player::Person, with_rating], false),
            begun([at_level(5), at_level(5)], false),
            begun([Player::Person, Player::Person], false),
        ] {
            assert!(!game.is_rated(), "{:?}", game.players);
        }
        let position = Position::from_transcript("f5").unwrap();
        let mut given = OthelloGameState::from_record(&OthelloRecord::from_game(position), 1);
        given.players = [Player::Person, at_level(5)];
        given.begin(false);
        assert!(!given.is_rated(), "it does not begin at the start");
    }

    /// Versions before teaching games kept nothing of them.
    #[test]
    fn a_game_of_an_older_version_is_read() {
        let game = played([Player::Person, engine()], &["f5"]);
        let mut kept = serde_json::to_value(&game).unwrap();
        for later in ["is_rated", "is_taught", "is_judged", "warning", "wanted_review", "until_proved"] {
            assert!(kept.as_object_mut().unwrap().remove(later).is_some(), "{later}");
        }
        assert_eq!(serde_json::from_value::<OthelloGameState>(kept).unwrap(), game);
    }

    #[test]
    fn overlays_have_names() {
        for name in ["hints", "search", "moves:network", "squares:ten"] {
            assert_eq!(Overlay::from_name(name).unwrap().name(), name);
        }
        assert_eq!(Overlay::from_name("x:y"), None);
    }
}
