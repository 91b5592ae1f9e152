//! Go in OpenSpiel's terms: actions are points row by row from A1, the last one is the pass.

use std::sync::Arc;

use ishi_go::{Board, BoardSize, Cell, Color, KoRule, Move, Point, Position, Rules, RulesError, handicap};
use ishi_sgf::GoGame;
use serde::{Deserialize, Serialize};

use super::{SpielPosition, game_is_over, returns_of_lead, unknown_action};
use crate::kept::{GO_GAME, GO_STATE};

/// OpenSpiel's rules: area, no suicide, simple ko. What repeats a position ends the game as a draw.
const OPEN_SPIEL: Rules = Rules { ko: KoRule::Simple, suicide: false, ..Rules::CHINESE };

/// The name of these rules.
const OPEN_SPIEL_NAME: &str = "open-spiel";

/// What is agreed before a game.
#[derive(Clone, Debug)]
pub(crate) struct GoSettings {
    pub(crate) size: BoardSize,
    pub(crate) komi: f64,
    pub(crate) handicap: usize,
    /// So many actions end the game.
    pub(crate) most_moves: usize,
    /// Black's handicap stones.
    stones: Vec<Point>,
    pub(crate) rules: Rules,
    /// Does a repeated position end the game? Else the rules forbid it, if they do.
    pub(crate) repetition_ends: bool,
}

impl GoSettings {
    /// # Errors
    /// Says which setting is wrong, and what it must be.
    pub(crate) fn new(
        size: BoardSize,
        komi: Option<f64>,
        handicap: usize,
        most_moves: Option<usize>,
        rules: &str,
    ) -> Result<GoSettings, String> {
        let repetition_ends = matches!(rules, OPEN_SPIEL_NAME | "open_spiel");
        let rules = if repetition_ends {
            OPEN_SPIEL
        } else {
            rules.parse().map_err(|error: RulesError| format!("{error}, {OPEN_SPIEL_NAME}"))?
        };
        let stones = match handicap {
            0 | 1 => Vec::new(),
            stones => handicap::fixed_placement(size, stones).map_err(|error| error.to_string())?,
        };
        let komi = komi.unwrap_or(rules.default_komi);
        Position::new(size, rules).set_komi(komi).map_err(|error| error.to_string())?;
        let most_moves = most_moves.unwrap_or(2 * size.area());
        Ok(GoSettings { size, komi, handicap, most_moves, stones, rules, repetition_ends })
    }

    /// The name of the rules, as [`GoSettings::new`] takes it.
    pub(crate) fn rules_name(&self) -> String {
        if self.repetition_ends { OPEN_SPIEL_NAME.to_string() } else { self.rules.to_string() }
    }

    /// All that was agreed, as a text.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn serialize(&self) -> Result<String, String> {
        GO_GAME.seal(&GoGameContent {
            board_size: self.size,
            komi: self.komi.to_string(),
            handicap: self.handicap,
            max_game_length: self.most_moves,
            rules: self.rules_name(),
        })
    }

    /// What [`GoSettings::serialize`] wrote.
    ///
    /// # Errors
    /// If the text is damaged, of another version, or keeps no game of Go.
    pub(crate) fn deserialize(text: &str) -> Result<GoSettings, String> {
        let content: GoGameContent = GO_GAME.open(text)?;
        let komi = read_komi(&content.komi)?;
        let most_moves = Some(content.max_game_length);
        GoSettings::new(content.board_size, Some(komi), content.handicap, most_moves, &content.rules)
    }

    pub(crate) fn pass(&self) -> i64 {
        self.size.area() as i64
    }

    pub(crate) fn action_of_move(&self, mv: Move) -> i64 {
        mv.point().map_or(self.pass(), |point| (point.row() * self.size.width() + point.column()) as i64)
    }

    /// # Errors
    /// If the number is no action.
    pub(crate) fn move_of_action(&self, action: i64) -> Result<Move, String> {
        let area = self.size.area();
        match usize::try_from(action) {
            Ok(index) if index < area => {
                Ok(Point::new(index % self.size.width(), index / self.size.width()).into())
            }
            Ok(index) if index == area => Ok(Move::Pass),
            _ => Err(unknown_action(action, area + 1)),
        }
    }
}

/// What is kept of [`GoSettings`]. Komi is a text everywhere, because numbers of JSON may lose their last bit.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoGameContent {
    board_size: BoardSize,
    komi: String,
    handicap: usize,
    max_game_length: usize,
    rules: String,
}

/// What is kept of a [`SpielGo`]; the position has its setup, rules and moves.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoStateContent {
    /// Suicide is allowed in it: records have what their rules forbid.
    position: Position,
    suicide: bool,
    komi: String,
    /// That of a record may be larger than a position of a document may have.
    handicap: usize,
    max_game_length: usize,
    repetition_ends: bool,
}

fn read_komi(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| format!("invalid komi {text:?}: it must be a number"))
}

/// Hashes of the boards of a game: that of the setup, and that after each move.
fn hash_boards(position: &Position) -> Vec<u64> {
    let setup = position.setup_stones().iter().copied();
    let mut board = Board::from_stones(position.size(), setup).expect("it was set up so before");
    let mut hashes = vec![board.hash()];
    for &(color, mv) in position.moves() {
        board.play_unchecked(color, mv);
        hashes.push(board.hash());
    }
    hashes
}

/// A game of Go.
#[derive(Clone, Debug)]
pub(crate) struct SpielGo {
    pub(crate) settings: Arc<GoSettings>,
    pub(crate) position: Position,
    /// Hashes of the boards so far, where repetition ends the game.
    seen: Vec<u64>,
    is_repeated: bool,
}

impl SpielGo {
    /// The start of a game.
    pub(crate) fn start(settings: Arc<GoSettings>) -> SpielGo {
        let mut position = Position::new(settings.size, settings.rules);
        position.set_komi(settings.komi).expect("the settings are checked");
        if !settings.stones.is_empty() {
            position.place_handicap(&settings.stones).expect("the board is empty");
        }
        SpielGo { seen: vec![position.hash()], settings, position, is_repeated: false }
    }

    /// The end of a record's main line, or after so many of its moves. Rules and komi are the record's.
    ///
    /// # Errors
    /// If the moves cannot be replayed.
    pub(crate) fn from_record(game: &GoGame, moves: Option<usize>) -> Result<SpielGo, String> {
        let rules = game.info.rules_or_chinese();
        let position = game.replay_position(rules, moves).map_err(|error| error.to_string())?.position;
        let settings = GoSettings {
            size: position.size(),
            komi: position.komi(),
            handicap: position.handicap(),
            most_moves: position.moves().len() + 2 * position.size().area(),
            stones: Vec::new(),
            rules,
            repetition_ends: false,
        };
        Ok(SpielGo { seen: Vec::new(), settings: Arc::new(settings), position, is_repeated: false })
    }

    /// The whole state as a text.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn serialize(&self) -> Result<String, String> {
        let rules = *self.position.rules();
        let mut position = self.position.clone();
        position.set_handicap(0);
        position.set_rules(Rules { suicide: true, ..rules });
        GO_STATE.seal(&GoStateContent {
            position,
            suicide: rules.suicide,
            handicap: self.position.handicap(),
            komi: self.position.komi().to_string(),
            max_game_length: self.settings.most_moves,
            repetition_ends: self.settings.repetition_ends,
        })
    }

    /// What [`SpielGo::serialize`] wrote.
    ///
    /// # Errors
    /// If the text is damaged, of another version, or keeps no state of Go.
    pub(crate) fn deserialize(text: &str) -> Result<SpielGo, String> {
        let content: GoStateContent = GO_STATE.open(text)?;
        let GoStateContent { mut position, max_game_length, repetition_ends, .. } = content;
        let rules = Rules { suicide: content.suicide, ..*position.rules() };
        position.set_rules(rules);
        position.set_handicap(content.handicap);
        position.set_komi(read_komi(&content.komi)?).map_err(|error| error.to_string())?;
        let settings = GoSettings {
            size: position.size(),
            komi: position.komi(),
            handicap: position.handicap(),
            most_moves: max_game_length,
            stones: Vec::new(),
            rules,
            repetition_ends,
        };
        let seen = if repetition_ends { hash_boards(&position) } else { Vec::new() };
        // A pass repeats the board, but ends nothing.
        let is_stone_last = matches!(position.last_move(), Some((_, Move::Play(_))));
        let is_repeated =
            is_stone_last && seen.split_last().is_some_and(|(last, before)| before.contains(last));
        Ok(SpielGo { settings: Arc::new(settings), position, seen, is_repeated })
    }

    fn note_repetition(&mut self, mv: Move) {
        if self.settings.repetition_ends {
            let hash = self.position.hash();
            self.is_repeated = mv != Move::Pass && self.seen.contains(&hash);
            self.seen.push(hash);
        }
    }
}

impl SpielPosition for SpielGo {
    fn action_count(&self) -> usize {
        self.settings.size.area() + 1
    }

    fn tensor_shape(&self) -> [usize; 3] {
        [4, self.settings.size.height(), self.settings.size.width()]
    }

    fn mover(&self) -> usize {
        self.position.to_move().index()
    }

    fn is_terminal(&self) -> bool {
        self.is_repeated || self.position.moves().len() >= self.settings.most_moves || self.position.is_over()
    }

    fn mark_legal(&self, mask: &mut [bool]) {
        if self.is_terminal() {
            return;
        }
        let (position, color) = (&self.position, self.position.to_move());
        for (legal, point) in mask.iter_mut().zip(self.settings.size.points()) {
            *legal = position.is_legal(color, point.into());
        }
        mask[self.settings.size.area()] = true;
    }

    fn check_action(&self, action: i64) -> Result<(), String> {
        let mv = self.settings.move_of_action(action)?;
        if self.is_terminal() {
            return Err(game_is_over(action));
        }
        self.position.check_move(self.position.to_move(), mv).map_err(|error| error.to_string())
    }

    fn apply_action(&mut self, action: i64) -> Result<(), String> {
        let mv = self.settings.move_of_action(action)?;
        if self.is_terminal() {
            return Err(game_is_over(action));
        }
        self.position.play(self.position.to_move(), mv).map_err(|error| error.to_string())?;
        self.note_repetition(mv);
        Ok(())
    }

    fn undo_action(&mut self) -> Option<i64> {
        let (_, mv) = self.position.undo()?;
        if self.settings.repetition_ends {
            self.seen.pop();
        }
        // A game in which something was repeated has ended there.
        self.is_repeated = false;
        Some(self.settings.action_of_move(mv))
    }

    fn returns(&self) -> [f64; 2] {
        if self.is_terminal() && !self.is_repeated { returns_of_lead(self.lead()) } else { [0.0; 2] }
    }

    fn lead(&self) -> f64 {
        self.position.final_score(&[]).expect("no stones are named").0
    }

    /// Black's stones, White's, empty points, and ones if White is to move; the same for both players.
    fn write_observation(&self, _player: usize, planes: &mut [f32]) {
        let area = self.settings.size.area();
        let board = self.position.board();
        for (at, point) in self.settings.size.points().enumerate() {
            let plane = match board.cell(point) {
                Cell::Black => 0,
                Cell::White => 1,
                Cell::Empty | Cell::Border => 2,
            };
            planes[plane * area + at] = 1.0;
        }
        if self.position.to_move() == Color::White {
            planes[3 * area..].fill(1.0);
        }
    }

    fn history(&self) -> Vec<i64> {
        self.position.moves().iter().map(|&(_, mv)| self.settings.action_of_move(mv)).collect()
    }

    /// As OpenSpiel writes it: `B d4`, `W PASS`.
    fn action_text(&self, player: usize, action: i64) -> Result<String, String> {
        let vertex = match self.settings.move_of_action(action)? {
            Move::Play(point) => point.to_string().to_lowercase(),
            Move::Pass => "PASS".to_string(),
        };
        Ok(format!("{} {vertex}", Color::ALL[player].letter()))
    }

    fn parse_action(&self, text: &str) -> Result<i64, String> {
        let vertex = ["B ", "W "].iter().find_map(|side| text.strip_prefix(side)).unwrap_or(text);
        let mv = self.settings.size.parse_move(vertex).map_err(|error| error.to_string())?;
        Ok(self.settings.action_of_move(mv))
    }

    fn board_text(&self) -> String {
        self.position.to_string()
    }
}
