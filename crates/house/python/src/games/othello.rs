//! Othello in OpenSpiel's terms: actions are squares row by row from a1, 64 is the pass.

use ishi_othello::{Color, Move, Position, Square, SquareError};

use super::{SpielPosition, game_is_over, returns_of_lead, unknown_action};
use crate::kept::OTHELLO_STATE;

/// The action of a pass.
const PASS: i64 = 64;

/// All actions: the squares and the pass.
const ACTIONS: usize = 65;

/// The number of a move.
pub(crate) fn action_of_move(mv: Move) -> i64 {
    mv.square().map_or(PASS, |square| square.index() as i64)
}

/// # Errors
/// If the number is no action.
pub(crate) fn move_of_action(action: i64) -> Result<Move, String> {
    let square = usize::try_from(action).ok().and_then(Square::new);
    match square {
        Some(square) => Ok(Move::Play(square)),
        None if action == PASS => Ok(Move::Pass),
        None => Err(unknown_action(action, ACTIONS)),
    }
}

/// A game of Othello.
#[derive(Clone, Debug)]
pub(crate) struct SpielOthello {
    pub(crate) position: Position,
}

impl SpielOthello {
    /// The start of a game.
    pub(crate) fn start() -> SpielOthello {
        SpielOthello { position: Position::start() }
    }

    /// A transcript such as `f5d6c3`, `start`, or a board of 64 squares and the side to move.
    ///
    /// # Errors
    /// Quotes the text, and says what is wrong with it.
    pub(crate) fn from_text(text: &str) -> Result<SpielOthello, String> {
        if text.trim().eq_ignore_ascii_case("start") {
            return Ok(SpielOthello::start());
        }
        let read = if looks_like_a_board(text) {
            Position::from_text(text).map_err(|error| error.to_string())
        } else {
            Position::from_transcript(text).map_err(|error| error.to_string())
        };
        let position = read.map_err(|error| format!("{text:?}: {error}"))?;
        Ok(SpielOthello { position })
    }

    /// The whole state as a text: the board at the start, and the moves.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn serialize(&self) -> Result<String, String> {
        OTHELLO_STATE.seal(&self.position)
    }

    /// What [`SpielOthello::serialize`] wrote.
    ///
    /// # Errors
    /// If the text is damaged, of another version, or keeps no state of Othello.
    pub(crate) fn deserialize(text: &str) -> Result<SpielOthello, String> {
        Ok(SpielOthello { position: OTHELLO_STATE.open(text)? })
    }
}

/// Boards have empty squares; transcripts have none but for a pass written `--`.
fn looks_like_a_board(text: &str) -> bool {
    text.chars().filter(|&cell| "-._XxOo*●○".contains(cell)).count() >= 32
}

impl SpielPosition for SpielOthello {
    fn action_count(&self) -> usize {
        ACTIONS
    }

    fn tensor_shape(&self) -> [usize; 3] {
        [3, 8, 8]
    }

    fn mover(&self) -> usize {
        usize::from(self.position.to_move() == Color::White)
    }

    fn is_terminal(&self) -> bool {
        self.position.is_over()
    }

    fn mark_legal(&self, mask: &mut [bool]) {
        for mv in self.position.legal_moves() {
            mask[action_of_move(mv) as usize] = true;
        }
    }

    fn check_action(&self, action: i64) -> Result<(), String> {
        self.clone().apply_action(action)
    }

    fn apply_action(&mut self, action: i64) -> Result<(), String> {
        let mv = move_of_action(action)?;
        if self.is_terminal() {
            return Err(game_is_over(action));
        }
        self.position.play(mv).map_err(|error| error.to_string())
    }

    fn undo_action(&mut self) -> Option<i64> {
        self.position.undo().map(|(_, mv)| action_of_move(mv))
    }

    fn returns(&self) -> [f64; 2] {
        if self.is_terminal() { returns_of_lead(self.lead()) } else { [0.0; 2] }
    }

    fn lead(&self) -> f64 {
        f64::from(self.position.score())
    }

    /// Empty squares, the player's own discs, the other's.
    fn write_observation(&self, player: usize, planes: &mut [f32]) {
        let own = Color::ALL[player];
        let boards =
            [self.position.board().empty_squares(), self.position.discs(own), self.position.discs(!own)];
        for (plane, squares) in planes.chunks_mut(64).zip(boards) {
            for square in ishi_othello::iter_squares(squares) {
                plane[square.index()] = 1.0;
            }
        }
    }

    fn history(&self) -> Vec<i64> {
        self.position.moves().iter().map(|&(_, mv)| action_of_move(mv)).collect()
    }

    fn action_text(&self, _player: usize, action: i64) -> Result<String, String> {
        Ok(move_of_action(action)?.to_string())
    }

    fn parse_action(&self, text: &str) -> Result<i64, String> {
        let mv: Move = text.parse().map_err(|error: SquareError| error.to_string())?;
        Ok(action_of_move(mv))
    }

    fn board_text(&self) -> String {
        self.position.to_diagram()
    }
}
