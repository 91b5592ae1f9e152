//! Transcripts: a game as its moves in a row, `f5d6c3`.
//!
//! Upper or lower case, with or without spaces and move numbers (`1. F5 2. d6`). A pass is `--`, `pa`, `ps` or `pass`;
//! one that is forced may be left out.

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::position::{IllegalMove, Position};
use crate::square::{Move, Square};
use crate::text::shorten_text;

/// Why a text is no transcript.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// Something that is no move.
    #[error("byte {offset}: {found:?} begins with no move: write a square such as f5, or -- for a pass")]
    NoMove {
        /// Bytes before it.
        offset: usize,
        /// What stands there, shortened.
        found: String,
    },
    /// The rules forbid the move.
    #[error("byte {offset}, move {number}: {error}")]
    Illegal {
        /// Bytes before it.
        offset: usize,
        /// Which move, from 1, passes not counted.
        number: usize,
        /// Which rule.
        error: IllegalMove,
    },
}

impl CodedError for TranscriptError {
    fn facts(&self) -> ErrorFacts {
        match self {
            TranscriptError::NoMove { offset, found } => {
                facts!["othello-no-move", offset, found = format!("{found:?}")]
            }
            TranscriptError::Illegal { offset, number, error } => {
                facts!["othello-transcript-illegal", offset, number, reason = error.facts()]
            }
        }
    }
}

impl Position {
    /// The game with this transcript.
    ///
    /// ```
    /// use ishi_othello::Position;
    /// let game = Position::from_transcript("F5 d6 3. c3").unwrap();
    /// assert_eq!(game.to_transcript(), "f5d6c3");
    /// let error = Position::from_transcript("f5f6f5").unwrap_err();
    /// assert_eq!(error.to_string(), "byte 4, move 3: black may not play f5: the square is occupied");
    /// ```
    ///
    /// # Errors
    /// If something is no move, or a move is illegal.
    pub fn from_transcript(text: &str) -> Result<Position, TranscriptError> {
        let mut game = Position::start();
        game.play_transcript(text)?;
        Ok(game)
    }

    /// Plays the moves of a transcript from here.
    ///
    /// # Errors
    /// If something is no move, or a move is illegal; the moves before stay played.
    pub fn play_transcript(&mut self, text: &str) -> Result<(), TranscriptError> {
        let mut rest = text;
        let mut number = 0;
        loop {
            rest = skip_separators(rest, text);
            if rest.is_empty() {
                return Ok(());
            }
            let offset = text.len() - rest.len();
            let Some((mv, length)) = first_move(rest) else {
                return Err(TranscriptError::NoMove { offset, found: shorten_text(rest) });
            };
            number += usize::from(mv != Move::Pass);
            self.play_recorded(mv).map_err(|error| TranscriptError::Illegal { offset, number, error })?;
            rest = &rest[length..];
        }
    }

    /// The moves from the start of the history, in lower case, without the passes: they are all forced.
    pub fn to_transcript(&self) -> String {
        self.squares_played().map(|square| square.to_string()).collect()
    }

    /// The squares of the moves, without the passes.
    pub fn squares_played(&self) -> impl Iterator<Item = Square> + '_ {
        self.moves().iter().filter_map(|(_, mv)| mv.square())
    }
}

/// Skips white space, commas and, at the start of a word, a move number.
fn skip_separators<'a>(rest: &'a str, whole: &str) -> &'a str {
    let word = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',' || c == ';');
    if word.len() == rest.len() && rest.len() < whole.len() {
        return rest;
    }
    let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if behind.len() == word.len() {
        return word;
    }
    let numbered = behind.trim_start_matches(['.', ')']).trim_start();
    // A number without a move behind it is none of a move.
    if numbered.is_empty() { word } else { numbered }
}

/// The move that the text begins with, and its length in bytes.
fn first_move(text: &str) -> Option<(Move, usize)> {
    let begins = |word: &str| text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    if let Some(word) = ["pass", "pa", "ps", "--"].into_iter().find(|word| begins(word)) {
        return Some((Move::Pass, word.len()));
    }
    text.get(..2)?.parse().ok().map(|square| (Move::Play(square), 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The shortest game: Black takes every white disc.
    const SHORTEST: &str = "e6f4e3f6g5d6e7f5c5";

    #[test]
    fn the_forms() {
        let plain = Position::from_transcript("f5d6c3d3c4").unwrap();
        for text in [
            "F5D6C3D3C4",
            " f5 d6\nc3,d3 c4 ",
            "1. f5 d6 2. c3 d3 3. c4",
            "1.F5 2.d6 3.c3 4.d3 5.c4",
            "1) f5 d6c3d3c4",
        ] {
            assert_eq!(Position::from_transcript(text).as_ref(), Ok(&plain), "{text}");
        }
        assert_eq!(Position::from_transcript(SHORTEST).unwrap().score(), 64);
        assert!(Position::from_transcript(&format!("{SHORTEST} -- --")).is_ok(), "passes after the end");
        assert_eq!(Position::from_transcript(""), Ok(Position::start()));
    }

    #[test]
    fn errors_say_where() {
        let message = |text: &str| Position::from_transcript(text).unwrap_err().to_string();
        assert_eq!(
            message("f5d6q3"),
            "byte 4: \"q3\" begins with no move: write a square such as f5, or -- for a pass"
        );
        assert_eq!(message("f5 --"), "byte 3, move 1: white may not pass: there are legal moves, such as f4");
        assert_eq!(
            message("f5d6 2."),
            "byte 5: \"2.\" begins with no move: write a square such as f5, or -- for a pass"
        );
        assert!(message("99999999999999999999").starts_with("byte 0: \"9999"), "a number is no game");
        assert_eq!(message("a1"), "byte 0, move 1: black may not play a1: it turns no disc");
    }

    proptest! {
        #[test]
        fn games_survive_writing(choices in prop::collection::vec(any::<u8>(), 0..70)) {
            let game = crate::position::tests::random_game(&choices);
            let mut last = game.clone();
            // A pass at the end cannot be told from none.
            while last.moves().last().is_some_and(|(_, mv)| *mv == Move::Pass) {
                last.undo();
            }
            prop_assert_eq!(Position::from_transcript(&last.to_transcript()).unwrap(), last.clone());
            let spelled: Vec<String> = game.moves().iter().map(|(_, mv)| mv.to_string().to_uppercase()).collect();
            prop_assert_eq!(Position::from_transcript(&spelled.join(" ")).unwrap(), game.clone());
            prop_assert_eq!(Position::from_transcript(&spelled.concat()).unwrap(), game.clone());
        }

        #[test]
        fn no_text_makes_it_panic(text in "[a-h1-8pas. \\-é]{0,60}", any: String) {
            let _ = (Position::from_transcript(&text), Position::from_transcript(&any));
        }
    }
}
