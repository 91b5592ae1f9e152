//! Sizes, points, moves, rules, boards and games in documents (feature `serde`).
//!
//! Small things are the texts that they print. Everything is checked on the way in: no document makes a board that
//! the rules do not know.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Board, BoardSize, Cell, Color, Compensation, KoRule, Move, Point, Position, Rules, Scoring};

/// The board that every point fits on.
const LARGEST: BoardSize = match BoardSize::square(BoardSize::MAX) {
    Ok(size) => size,
    Err(_) => panic!("the longest side is the side of a board"),
};

fn read_text<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// As its text, `19x19`.
impl Serialize for BoardSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BoardSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BoardSize, D::Error> {
        read_text(deserializer)
    }
}

/// As its text, `black` or `white`.
impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
        read_text(deserializer)
    }
}

/// As its text, `D4`. It must lie on a board of 25 lines.
impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Point, D::Error> {
        LARGEST.parse_point(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// As its text, `D4` or `pass`.
impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
        LARGEST.parse_move(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// [`Rules`] as they are read, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RulesDocument {
    scoring: Scoring,
    ko: KoRule,
    suicide: bool,
    compensation: Compensation,
    default_komi: f64,
    passes: usize,
    pass_stones: bool,
    white_passes_last: bool,
}

impl TryFrom<RulesDocument> for Rules {
    type Error = String;

    fn try_from(read: RulesDocument) -> Result<Rules, String> {
        if !read.default_komi.is_finite() {
            return Err(format!("invalid default_komi {}: komi must be a finite number", read.default_komi));
        }
        if read.passes == 0 {
            return Err("invalid passes 0: a game must end by one pass or more".to_string());
        }
        Ok(Rules {
            scoring: read.scoring,
            ko: read.ko,
            suicide: read.suicide,
            compensation: read.compensation,
            default_komi: read.default_komi,
            passes: read.passes,
            pass_stones: read.pass_stones,
            white_passes_last: read.white_passes_last,
        })
    }
}

/// A board: its stones by colour, row by row from A1, and the point of a simple ko.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardDocument {
    size: BoardSize,
    black: Vec<Point>,
    white: Vec<Point>,
    ko: Option<Point>,
}

impl BoardDocument {
    fn from_board(board: &Board) -> BoardDocument {
        let size = board.size();
        let stones =
            |color: Color| size.points().filter(|&point| board.color(point) == Some(color)).collect();
        BoardDocument { size, black: stones(Color::Black), white: stones(Color::White), ko: board.ko_point() }
    }

    fn to_board(&self) -> Result<Board, String> {
        let black = self.black.iter().map(|&point| (Color::Black, point));
        let white = self.white.iter().map(|&point| (Color::White, point));
        let mut board =
            Board::from_stones(self.size, black.chain(white)).map_err(|error| error.to_string())?;
        if let Some(point) = self.ko
            && !may_be_ko(&board, point)
        {
            return Err(format!(
                "invalid ko {point}: it must be an empty point with stones of one colour all round"
            ));
        }
        board.set_ko(self.ko);
        Ok(board)
    }
}

/// Could a single stone have been taken here? Whoever took it has a stone on every side.
fn may_be_ko(board: &Board, point: Point) -> bool {
    let surrounds = |color: Color| {
        let around = point.neighbours().map(|neighbour| board.cell(neighbour));
        around.iter().all(|&cell| cell == Cell::Border || cell == Cell::from(color))
    };
    board.cell(point) == Cell::Empty && Color::ALL.into_iter().any(surrounds)
}

/// Its size, its stones and the point of a simple ko. The order of [`Board::empty_points`] is not kept.
///
/// ```
/// use ishi_go::{Board, BoardSize, Color, Move};
/// let size = BoardSize::square(9).unwrap();
/// let mut board = Board::new(size);
/// board.play_unchecked(Color::Black, size.parse_move("D4").unwrap());
/// let text = serde_json::to_string(&board).unwrap();
/// assert_eq!(text, r#"{"size":"9x9","black":["D4"],"white":[],"ko":null}"#);
/// let read: Board = serde_json::from_str(&text).unwrap();
/// assert_eq!(read.hash(), board.hash());
/// ```
impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BoardDocument::from_board(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
        BoardDocument::deserialize(deserializer)?.to_board().map_err(D::Error::custom)
    }
}

/// A game: what it began with, and the moves, which are played again when it is read.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionDocument {
    size: BoardSize,
    rules: Rules,
    komi: f64,
    handicap: usize,
    setup: Vec<(Color, Point)>,
    first: Color,
    moves: Vec<(Color, Move)>,
    /// Before which move, counted from 1, the turn was given to another colour, and to which. Few games have any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    turns: BTreeMap<usize, Color>,
    to_move: Color,
}

impl PositionDocument {
    fn from_position(position: &Position) -> PositionDocument {
        PositionDocument {
            size: position.size(),
            rules: *position.rules(),
            komi: position.komi(),
            handicap: position.handicap(),
            setup: position.setup_stones().to_vec(),
            first: position.first_to_move(),
            moves: position.moves().to_vec(),
            turns: position.given_turns().collect(),
            to_move: position.to_move(),
        }
    }

    fn to_position(&self) -> Result<Position, String> {
        let setup = self.setup.iter().copied();
        let mut position = Position::from_setup(self.size, self.rules, setup, self.first)
            .map_err(|error| error.to_string())?;
        position.set_komi(self.komi).map_err(|error| error.to_string())?;
        if self.handicap > self.size.area() {
            return Err(format!("invalid handicap {}: this board has no room for it", self.handicap));
        }
        position.set_handicap(self.handicap);
        if let Some(number) = self.turns.keys().find(|&&number| number < 2 || number > self.moves.len()) {
            return Err(format!("invalid turns {number}: it must be the number of a move behind the first"));
        }
        for (number, &(color, mv)) in (1..).zip(&self.moves) {
            self.turns.get(&number).into_iter().for_each(|&turn| position.set_to_move(turn));
            position.play(color, mv).map_err(|error| format!("move {number}: {error}"))?;
        }
        position.set_to_move(self.to_move);
        Ok(position)
    }
}

/// What it began with, and its moves. They are played again by the rules when it is read.
///
/// ```
/// use ishi_go::{BoardSize, Color, Move, Position, Rules};
/// let size = BoardSize::square(9).unwrap();
/// let mut game = Position::new(size, Rules::JAPANESE);
/// game.play(Color::Black, size.parse_move("E5").unwrap()).unwrap();
/// let text = serde_json::to_string(&game).unwrap();
/// let read: Position = serde_json::from_str(&text).unwrap();
/// assert_eq!(read.moves(), game.moves());
/// let error = serde_json::from_str::<Position>(&text.replace("E5", "K5")).unwrap_err();
/// assert!(error.to_string().contains("move 1: illegal move black K5: this 9x9 board has no such point"));
/// ```
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        PositionDocument::from_position(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        PositionDocument::deserialize(deserializer)?.to_position().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagram, Score};

    fn written<T: Serialize>(value: &T) -> String {
        serde_json::to_string(value).unwrap()
    }

    fn refusal<T: for<'de> Deserialize<'de>>(text: &str) -> String {
        serde_json::from_str::<T>(text).err().expect("it must be refused").to_string()
    }

    /// Black has taken a ko at B1, and White has played elsewhere.
    fn game_with_a_ko() -> Position {
        let diagram: Diagram = ". . . . .\n. . . . .\n. . . . .\nO X . . .\n. O X . .\n".parse().unwrap();
        let mut game = diagram.to_position(Rules::JAPANESE, Color::Black).unwrap();
        let moves = [(Color::Black, "A1"), (Color::White, "E5"), (Color::Black, "pass")];
        for (color, text) in moves {
            game.play(color, game.size().parse_move(text).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn small_things_are_their_texts() {
        let size = BoardSize::new(19, 7).unwrap();
        assert_eq!(written(&size), "\"19x7\"");
        assert_eq!(serde_json::from_str::<BoardSize>("\"19x7\"").unwrap(), size);
        assert_eq!(written(&Move::Play(Point::new(3, 3))), "\"D4\"");
        assert_eq!(serde_json::from_str::<Move>("\"pass\"").unwrap(), Move::Pass);
        assert_eq!(written(&[Color::Black, Color::White]), "[\"black\",\"white\"]");
        assert_eq!(written(&Score(-3.5)), "-3.5");
    }

    #[test]
    fn what_is_no_text_of_theirs_is_refused() {
        assert!(refusal::<BoardSize>("\"1x9\"").starts_with("invalid size \"1x9\""));
        assert!(refusal::<Point>("\"I9\"").starts_with("invalid vertex \"I9\": column I is not used"));
        assert!(refusal::<Move>("\"AA1\"").starts_with("invalid vertex \"AA1\""));
        assert!(refusal::<Color>("\"red\"").starts_with("invalid color \"red\""));
    }

    #[test]
    fn rules_survive_writing() {
        for (name, rules) in Rules::NAMED {
            let text = written(&rules);
            assert_eq!(serde_json::from_str::<Rules>(&text).unwrap(), rules, "{name}");
        }
        let text = written(&Rules::AGA);
        assert!(text.starts_with(r#"{"scoring":"area","ko":"situational","suicide":false"#), "{text}");
        let error = refusal::<Rules>(&text.replace("\"passes\":2", "\"passes\":0"));
        assert!(error.contains("invalid passes 0: a game must end by one pass or more"), "{error}");
    }

    #[test]
    fn games_survive_writing() {
        let mut game = game_with_a_ko();
        game.set_komi(0.5).unwrap();
        game.set_handicap(2);
        let mut read: Position = serde_json::from_str(&written(&game)).unwrap();
        assert_eq!(written(&read), written(&game));
        assert_eq!(read.situation_hash(), game.situation_hash());
        assert_eq!(read.to_string(), game.to_string());
        while let Some(undone) = game.undo() {
            assert_eq!(read.undo(), Some(undone));
            assert_eq!(read.to_string(), game.to_string());
        }
    }

    /// Taking back shows whose turn it was, also where nobody would expect that.
    #[test]
    fn turns_that_were_given_survive_writing() {
        let mut game = game_with_a_ko();
        assert!(!written(&game).contains("turns"), "each turn follows from the moves");
        game.set_to_move(Color::Black);
        game.play(Color::Black, game.size().parse_move("D5").unwrap()).unwrap();
        let text = written(&game);
        assert!(text.contains(r#""turns":{"4":"black"}"#), "{text}");
        let mut read: Position = serde_json::from_str(&text).unwrap();
        while let Some(undone) = game.undo() {
            assert_eq!((read.undo(), read.to_move()), (Some(undone), game.to_move()));
        }
        for number in ["1", "5"] {
            let error = refusal::<Position>(&text.replace(r#"{"4":"#, &format!("{{\"{number}\":")));
            assert!(
                error.contains(&format!("invalid turns {number}: it must be the number of a move")),
                "{error}"
            );
        }
    }

    #[test]
    fn games_against_the_rules_are_refused() {
        let text = written(&game_with_a_ko());
        let illegal = refusal::<Position>(&text.replace("\"E5\"", "\"B1\""));
        assert!(
            illegal.contains("move 2: illegal move white B1: ko: the stone may not be retaken"),
            "{illegal}"
        );
        let handicap = refusal::<Position>(&text.replace("\"handicap\":0", "\"handicap\":26"));
        assert!(handicap.contains("invalid handicap 26"), "{handicap}");
    }

    #[test]
    fn boards_survive_writing_with_their_ko() {
        let size = BoardSize::square(5).unwrap();
        let diagram: Diagram = ". . . . .\n. . . . .\n. X O . .\nX . X O .\n. X O . .\n".parse().unwrap();
        let mut board = diagram.to_board().unwrap();
        board.play_unchecked(Color::White, size.parse_move("B2").unwrap());
        assert_eq!(board.ko_point(), Some(Point::new(2, 1)), "White has taken at C2");
        let read: Board = serde_json::from_str(&written(&board)).unwrap();
        assert_eq!((read.hash(), read.ko_point()), (board.hash(), board.ko_point()));
        assert_eq!(read.to_string(), board.to_string());
    }

    #[test]
    fn boards_that_cannot_be_are_refused() {
        let board = |black: &str, white: &str, ko: &str| {
            refusal::<Board>(&format!(r#"{{"size":"2x2","black":{black},"white":{white},"ko":{ko}}}"#))
        };
        let full = board(r#"["A1","A2"]"#, r#"["B1","B2"]"#, "null");
        assert!(full.contains("has no liberty: a stone on the board must have one"), "{full}");
        let twice = board(r#"["A1"]"#, r#"["A1"]"#, "null");
        assert!(twice.contains("A1 is set twice"), "{twice}");
        let outside = board(r#"["C1"]"#, "[]", "null");
        assert!(outside.contains("C1 lies outside this 2x2 board"), "{outside}");
        let ko = board(r#"["A1"]"#, "[]", "\"B2\"");
        assert!(ko.contains("invalid ko B2: it must be an empty point"), "{ko}");
    }
}
