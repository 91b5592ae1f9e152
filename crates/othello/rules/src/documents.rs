//! Squares, moves, boards, games, problems and weights in documents (feature `serde`).
//!
//! All but games are the texts that they print. Everything is checked on the way in: no document makes a board with two discs on a
//! square, or a game that the rules forbid.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::obf::ObfProblem;
use crate::{Board, Color, Move, Position, Square, Wpc};

fn read_text<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// As its text, `f5`.
impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
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

/// As its text, `f5` or `pass`.
impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
        read_text(deserializer)
    }
}

/// As the line of [`Position::to_line`]: 64 squares, the side to move as Black's `X`. Two numbers of 64 bits would not survive every
/// format.
///
/// ```
/// use ishi_othello::Board;
/// let text = serde_json::to_string(&Board::START).unwrap();
/// assert_eq!(text, "\"---------------------------OX------XO--------------------------- X\"");
/// assert_eq!(serde_json::from_str::<Board>(&text).unwrap(), Board::START);
/// ```
impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&Position::from_board(*self, Color::Black).to_line())
    }
}

/// Reads a board as [`Position::from_text`] does, seen by the side to move.
impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(Position::from_text(&text).map_err(D::Error::custom)?.board())
    }
}

/// A game: what it began with as a line, and its moves, passes among them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionDocument {
    start: String,
    moves: Vec<Move>,
}

impl PositionDocument {
    fn from_position(position: &Position) -> PositionDocument {
        let (board, to_move) = position.setup();
        let moves = position.moves().iter().map(|&(_, mv)| mv).collect();
        PositionDocument { start: Position::from_board(board, to_move).to_line(), moves }
    }

    fn to_position(&self) -> Result<Position, String> {
        let mut position = Position::from_text(&self.start).map_err(|error| error.to_string())?;
        for (number, &mv) in (1..).zip(&self.moves) {
            position.play(mv).map_err(|error| format!("move {number}: {error}"))?;
        }
        Ok(position)
    }
}

/// What it began with, and its moves. They are played again by the rules when it is read.
///
/// ```
/// use ishi_othello::Position;
/// let game = Position::from_transcript("f5d6").unwrap();
/// let text = serde_json::to_string(&game).unwrap();
/// assert!(text.ends_with(r#""moves":["f5","d6"]}"#));
/// assert_eq!(serde_json::from_str::<Position>(&text).unwrap(), game);
/// let error = serde_json::from_str::<Position>(&text.replace("d6", "a1")).unwrap_err();
/// assert!(error.to_string().starts_with("move 2: white may not play a1: it turns no disc"));
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

/// As its line of OBF.
impl Serialize for ObfProblem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ObfProblem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ObfProblem, D::Error> {
        read_text(deserializer)
    }
}

/// As its text: numbers, row by row.
impl Serialize for Wpc {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Wpc {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Wpc, D::Error> {
        read_text(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::tests::random_game;
    use proptest::prelude::*;

    fn written<T: Serialize>(value: &T) -> String {
        serde_json::to_string(value).unwrap()
    }

    fn refusal<T: for<'de> Deserialize<'de>>(text: &str) -> String {
        serde_json::from_str::<T>(text).err().expect("it must be refused").to_string()
    }

    proptest! {
        #[test]
        fn games_and_boards_survive_writing(choices in prop::collection::vec(any::<u8>(), 0..70)) {
            let game = random_game(&choices);
            prop_assert_eq!(&serde_json::from_str::<Position>(&written(&game)).unwrap(), &game);
            prop_assert_eq!(serde_json::from_str::<Board>(&written(&game.board())).unwrap(), game.board());
        }
    }

    #[test]
    fn small_things_are_their_texts() {
        let f5: Square = "f5".parse().unwrap();
        assert_eq!(written(&f5), "\"f5\"");
        assert_eq!(written(&[Move::Play(f5), Move::Pass]), "[\"f5\",\"pass\"]");
        assert_eq!(
            serde_json::from_str::<Vec<Move>>("[\"F5\",\"pass\"]").unwrap(),
            [Move::Play(f5), Move::Pass]
        );
        assert_eq!(serde_json::from_str::<Color>("\"white\"").unwrap(), Color::White);
        let weights = Wpc::standard();
        assert_eq!(serde_json::from_str::<Wpc>(&written(&weights)).unwrap(), weights);
    }

    #[test]
    fn problems_survive_writing() {
        let line = "---------------------------OX------XO--------------------------- X; F5:+0; the start";
        let problem: ObfProblem = line.parse().unwrap();
        assert_eq!(serde_json::from_str::<ObfProblem>(&written(&problem)).unwrap(), problem);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(refusal::<Square>("\"i9\"").starts_with("invalid square \"i9\": a square must be a letter"));
        assert!(refusal::<Board>("\"---- X\"").starts_with("5 squares, a board must have 64"));
        assert!(refusal::<Color>("\"red\"").starts_with("invalid color \"red\""));
        let text = written(&Position::start());
        let passed = refusal::<Position>(&text.replace("[]", "[\"pass\"]"));
        assert!(passed.starts_with("move 1: black may not pass: there are legal moves, such as"), "{passed}");
        assert!(refusal::<Wpc>("\"1 2 3\"").contains("3"));
        assert!(refusal::<ObfProblem>("\"nothing\"").contains("no position in \"nothing\""));
    }
}
