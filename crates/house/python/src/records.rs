//! Records of Go as arguments.

use ishi_go::{Position, Rules};
use ishi_sgf::GoGame;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::values::invalid;

/// A record of games, SGF.
pub(crate) enum RecordArgument {
    Text(String),
    Bytes(Vec<u8>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for RecordArgument {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<RecordArgument> {
        if let Ok(text) = given.extract::<String>() {
            return Ok(RecordArgument::Text(text));
        }
        let bytes = given.extract::<Vec<u8>>().map(RecordArgument::Bytes);
        bytes.map_err(|_| PyTypeError::new_err("a record must be SGF as text or bytes"))
    }
}

/// One game of a record.
pub(crate) struct GoRecord {
    pub(crate) game: GoGame,
    rules: Rules,
}

impl RecordArgument {
    fn bytes(&self) -> &[u8] {
        match self {
            RecordArgument::Text(text) => text.as_bytes(),
            RecordArgument::Bytes(bytes) => bytes,
        }
    }

    /// Reads game `number`, from 1.
    pub(crate) fn read_game(&self, number: usize) -> PyResult<GoRecord> {
        let reading = ishi_sgf::read_collection(self.bytes()).map_err(invalid)?;
        let games = &reading.collection.games;
        let tree = number.checked_sub(1).and_then(|index| games.get(index));
        let tree =
            tree.ok_or_else(|| invalid(format!("there is no game {number}: it has {}", games.len())))?;
        let game = GoGame::read_main_line(tree).map_err(invalid)?;
        let rules = game.info.rules_or_chinese();
        Ok(GoRecord { game, rules })
    }
}

impl GoRecord {
    /// Refuses a number of moves that the record does not have.
    pub(crate) fn check_number(&self, moves: usize) -> PyResult<()> {
        let all = self.game.moves().count();
        let known = match all {
            0 => "the record has no moves".to_string(),
            last => format!("the record has moves 1 to {last}"),
        };
        if moves <= all { Ok(()) } else { Err(invalid(format!("there is no move {moves}: {known}"))) }
    }

    /// The position after so many moves.
    ///
    /// # Errors
    /// If it cannot be set up.
    pub(crate) fn position_after(&self, moves: usize) -> Result<Position, String> {
        let replayed = self.game.replay_position(self.rules, Some(moves));
        Ok(replayed.map_err(|error| error.to_string())?.position)
    }
}
