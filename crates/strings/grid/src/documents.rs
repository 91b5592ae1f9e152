//! Boards in documents, as rows of letters (feature `serde`).

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Board;

/// A list of rows of letters, top row first.
///
/// ```
/// use ishi_grid::Board;
/// let board: Board = "OX.\nX.X".parse().unwrap();
/// let text = serde_json::to_string(&board).unwrap();
/// assert_eq!(text, r#"["OX.","X.X"]"#);
/// assert_eq!(serde_json::from_str::<Board>(&text).unwrap(), board);
/// ```
impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows = self.cells().chunks(self.width());
        serializer.collect_seq(rows.map(|row| row.iter().map(|cell| cell.letter()).collect::<String>()))
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
        let rows = Vec::<String>::deserialize(deserializer)?;
        let board: Board = rows.join("\n").parse().map_err(D::Error::custom)?;
        // A text may have remarks and empty lines, and a list of rows none.
        if board.height() != rows.len() {
            return Err(D::Error::custom("invalid board: each row must be a line of . (empty), X and O"));
        }
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_survive_writing() {
        let board = Board::with_alternating_stones(5, 3, |x, y| x == y);
        let text = serde_json::to_string(&board).unwrap();
        assert_eq!(serde_json::from_str::<Board>(&text).unwrap(), board);
    }

    #[test]
    fn what_is_no_board_is_refused() {
        let error = |text: &str| serde_json::from_str::<Board>(text).unwrap_err().to_string();
        assert!(error(r#"["..","..."]"#).starts_with("line 2 has 3 cells, the rows above it have 2"));
        assert!(error(r#"["..",".?"]"#).starts_with("line 2, column 2: '?' is none of"));
        assert!(error(r##"["..","","# remark"]"##).starts_with("invalid board: each row must be a line"));
        assert!(error("[]").starts_with("the text holds no rows"));
    }
}
